//! Kernels and functions with const parameters.

use crate::case::{Suite, case_path, check_eq};
use gridfn::Target;
use gridfn::prelude::*;

/// Both parameters are told by the arguments.
#[device]
fn dot<T: Float, const N: usize>(a: [T; N], b: [T; N]) -> T {
    let mut sum = T::ZERO;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

/// No argument tells the parameter.
#[device]
fn power<const N: u32>(x: u64) -> u64 {
    let mut p = 1;
    for _ in 0..N {
        p *= x;
    }
    p
}

/// The result tells it.
#[device]
fn ramp<const N: usize>(first: f32) -> [f32; N] {
    let mut all = [first; N];
    for (i, v) in all.iter_mut().enumerate() {
        *v += i as f32;
    }
    all
}

#[kernel]
fn horner<const N: usize, T: Float>(coefficients: [T; N], x: &[T], out: &mut [T]) {
    let i = global_id(0);
    let mut y = T::ZERO;
    for n in (0..N).rev() {
        y = y * x[i] + coefficients[n];
    }
    out[i] = y;
}

/// Parameters of other types, in expressions, conditions and patterns.
#[kernel]
fn scalars<const SHIFT: u32, const OFFSET: i32, const DOUBLE: bool>(x: &[i32], out: &mut [i32]) {
    let i = global_id(0);
    let v = if DOUBLE { x[i] * 2 } else { x[i] };
    out[i] = match v >> SHIFT {
        0 => OFFSET,
        v => v + OFFSET,
    };
}

/// Arrays of the parameter's length: elements of buffers, variables, arguments and results of functions.
#[kernel]
fn arrays<const N: usize>(rows: &[[f32; N]], scale: [f32; N], out: &mut [[f32; N]]) {
    let i = global_id(0);
    let mut row = [0.0; N];
    for n in 0..N {
        row[n] = rows[i][n] * scale[N - 1 - n];
    }
    row[0] = dot(row, ramp(1.0)) + dot::<f32, 2>(ramp::<2>(1.0), [1.0, 10.0]);
    out[i] = row;
}

/// Sums of `2 * N + 1` neighbours.
#[kernel]
fn stencil<const N: usize>(x: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for j in 0..2 * N + 1 {
        if i + j >= N && i + j - N < x.len() {
            sum += x[i + j - N];
        }
    }
    out[i] = sum;
}

#[device]
fn none_if_small(n: u32) -> Option<u64> {
    if n < 32 { None } else { Some(1) }
}

/// A raw name is the parameter's too where it is an argument.
#[kernel]
fn powers<const r#N: u32>(x: &[u64], out: &mut [u64]) {
    let i = global_id(0);
    out[i] = power::<N>(x[i]) + power::<2>(x[i]) + none_if_small(r#N).unwrap_or(0);
}

/// A function and a const parameter.
#[kernel]
fn repeated<F: Fn(f32) -> f32, const N: usize>(f: F, x: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    let mut v = x[i];
    for _ in 0..N {
        v = f(v);
    }
    out[i] = v;
}

/// Code that is generic itself launches kernels that are.
fn launched<const N: usize>(queue: &Queue, x: &Buffer<f32>, out: &mut Buffer<f32>) -> gridfn::Result<()> {
    let c: [f32; N] = std::array::from_fn(|n| n as f32);
    launch!(queue, horner(c, x, out), global = x.len())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("lengths_of_arguments"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[0.0f32, 1.0, -2.0, 10.0])?;
        let mut out = queue.zeros::<f32>(4)?;
        launch!(queue, horner([5.0, 3.0, 2.0], &x, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [5.0, 10.0, 7.0, 235.0]);
        launch!(queue, horner::<2, _>([1.0, -1.0], &x, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [1.0, 0.0, 3.0, -9.0]);
        launched::<3>(&queue, &x, &mut out)?;
        check_eq!(queue.download(&out)?, [0.0, 3.0, 6.0, 210.0]);
        let prepared = horner::prepare::<1, f32>(&queue)?;
        launch!(prepared, horner([7.0], &x, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [7.0; 4]);
        Ok(())
    });
    suite.case(case_path!("scalars"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[0i32, 1, -9, 1 << 20])?;
        let mut out = queue.zeros::<i32>(4)?;
        launch!(queue, scalars::<1, { -3 }, true>(&x, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [-3, -2, -12, (1 << 20) - 3]);
        launch!(queue, scalars::<3, 7, false>(&x, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [7, 7, 5, (1 << 17) + 7]);
        Ok(())
    });
    suite.case(case_path!("arrays"), &[], |device| {
        let queue = device.queue()?;
        let rows = queue.upload(&[[1.0f32, 2.0, 3.0], [-1.0, 0.5, 4.0]])?;
        let mut out = queue.zeros::<[f32; 3]>(2)?;
        launch!(queue, arrays(&rows, [2.0, 3.0, 4.0], &mut out), global = 2)?;
        // The rows by the scales in reverse, then their sums weighted by 1, 2, 3, and 1 + 2 * 10.
        check_eq!(
            queue.download(&out)?,
            [
                [4.0 + 12.0 + 18.0 + 21.0, 6.0, 6.0],
                [-4.0 + 3.0 + 24.0 + 21.0, 1.5, 8.0],
            ]
        );
        Ok(())
    });
    suite.case(case_path!("loops"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[1u32, 10, 100, 1000, 10000])?;
        let mut out = queue.zeros::<u32>(5)?;
        launch!(queue, stencil::<1>(&x, &mut out), global = 5)?;
        check_eq!(queue.download(&out)?, [11, 111, 1110, 11100, 11000]);
        launch!(queue, stencil::<0>(&x, &mut out), global = 5)?;
        check_eq!(queue.download(&out)?, [1, 10, 100, 1000, 10000]);
        Ok(())
    });
    suite.case(case_path!("functions"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[2u64, 3])?;
        let mut out = queue.zeros::<u64>(2)?;
        launch!(queue, powers::<5>(&x, &mut out), global = 2)?;
        check_eq!(queue.download(&out)?, [36, 252]);
        let x = queue.upload(&[1.0f32, -1.0])?;
        let mut out = queue.zeros::<f32>(2)?;
        let half = 0.5;
        let halved = closure!(fn |v: f32| v * half);
        launch!(queue, repeated::<_, 3>(halved, &x, &mut out), global = 2)?;
        check_eq!(queue.download(&out)?, [0.125, -0.125]);
        Ok(())
    });
    suite.case(case_path!("instances_have_their_own_code"), &[], |_| {
        let [one, other] = [
            stencil::emit::<2>(Target::OpenClC)?,
            stencil::emit::<3>(Target::OpenClC)?,
        ];
        check_eq!(one == other, false);
        Ok(())
    });
}
