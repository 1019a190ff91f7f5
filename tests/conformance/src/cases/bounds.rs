//! Bounds of kernels and functions: users' traits, `where` clauses, associated types and constants.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use std::ops::{Add, Mul};

/// A constant and a function that every impl has its own of.
#[device]
trait Step: Copy {
    const COST: u32;
    fn step(self, x: u32) -> u32;
}

#[derive(Clone, Copy, DeviceCopy)]
struct Double;
#[derive(Clone, Copy, DeviceCopy)]
struct Plus(u32);

#[device]
impl Step for Double {
    const COST: u32 = 100;
    fn step(self, x: u32) -> u32 {
        x * 2
    }
}

#[device]
impl Step for Plus {
    const COST: u32 = 1;
    fn step(self, x: u32) -> u32 {
        x + self.0
    }
}

/// A type that every impl has its own of.
#[device]
trait Steps: Copy {
    type First: Step;
    fn first(self) -> Self::First;
}

#[device]
impl Steps for u32 {
    type First = Plus;
    fn first(self) -> Plus {
        Plus(self)
    }
}

#[device]
impl Steps for bool {
    type First = Double;
    fn first(self) -> Double {
        Double
    }
}

/// A user's trait as the bound of a kernel, in a `where` clause.
#[kernel]
fn stepped<S>(step: S, out: &mut [u32])
where
    S: Step,
{
    let i = global_id(0);
    out[i] = step.step(i as u32) + S::COST;
}

#[device]
fn cost<S: Step>(_: S) -> u32 {
    S::COST
}

/// A clause about an associated type.
#[device]
fn through<S>(steps: S, x: u32) -> u32
where
    S: Steps,
    S::First: Step,
{
    let first = steps.first();
    first.step(x) + cost(first)
}

#[kernel]
fn associated<S: Steps>(steps: S, out: &mut [u32]) {
    let i = global_id(0);
    out[i] = through(steps, i as u32);
}

/// Operators by bounds, with their results' types told.
#[kernel]
fn operators<T>(a: T, x: &[T], out: &mut [T])
where
    T: DeviceCopy + Add<Output = T> + Mul<T, Output = T>,
{
    let i = global_id(0);
    out[i] = a * x[i] + x[i];
}

fn users_traits(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut out = queue.zeros::<u32>(3)?;
    launch!(queue, stepped(Double, &mut out), global = 3)?;
    check_eq!(queue.download(&out)?, [100, 102, 104]);
    launch!(queue, stepped(Plus(7), &mut out), global = 3)?;
    check_eq!(queue.download(&out)?, [8, 9, 10]);
    Ok(())
}

fn associated_types(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut out = queue.zeros::<u32>(3)?;
    launch!(queue, associated(5u32, &mut out), global = 3)?;
    check_eq!(queue.download(&out)?, [6, 7, 8]);
    launch!(queue, associated(true, &mut out), global = 3)?;
    check_eq!(queue.download(&out)?, [100, 102, 104]);
    Ok(())
}

fn operators_by_bounds(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x = queue.upload(&[1i16, -2, i16::MAX])?;
    let mut out = queue.zeros::<i16>(3)?;
    launch!(queue, operators(3, &x, &mut out), global = 3)?;
    check_eq!(
        queue.download(&out)?,
        [4, -8, i16::MAX.wrapping_mul(3).wrapping_add(i16::MAX)]
    );
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("users_traits"), &[], users_traits);
    suite.case(case_path!("associated_types"), &[], associated_types);
    suite.case(case_path!("operators"), &[], operators_by_bounds);
}
