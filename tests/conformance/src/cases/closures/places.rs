//! Captured places: fields, dereferences, consts, and what `self` leads to.

use super::{check, floats, random};
use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::samples::Value;
use gridfn::prelude::*;
use gridfn::{Device, Result};

/// A system of particles in one dimension, with buffers in fields of fields.
struct World {
    at: State,
    dt: f32,
    limits: (f32, Bounds),
}

struct State {
    x: Buffer<f32>,
    v: Buffer<f32>,
}

struct Bounds {
    low: f32,
    high: f32,
    table: [f32; 3],
}

impl World {
    fn new(queue: &Queue, x: &[f32], v: &[f32]) -> Result<World> {
        let at = State {
            x: queue.upload(x)?,
            v: queue.upload(v)?,
        };
        let bounds = Bounds {
            low: -3.0,
            high: 4.5,
            table: [0.5, 0.25, -1.0],
        };
        Ok(World {
            at,
            dt: 0.125,
            limits: (2.0, bounds),
        })
    }

    /// One step; two fields are written, both through `&mut self`.
    fn step(&mut self, queue: &Queue) -> Result<()> {
        launch!(
            queue,
            |i| {
                let x = self.at.x[i] + self.dt * self.at.v[i];
                if x < self.limits.1.low || x > self.limits.1.high {
                    self.at.v[i] *= -self.limits.1.table[i % self.limits.1.table.len()];
                }
                self.at.x[i] = x.clamp(self.limits.1.low, self.limits.1.high) * self.limits.0;
            },
            global = self.at.x.len()
        )
    }

    /// The same in plain Rust.
    fn plain(x: &mut f32, v: &mut f32, i: usize) {
        let next = *x + 0.125 * *v;
        if !(-3.0..=4.5).contains(&next) {
            *v *= -[0.5, 0.25, -1.0][i % 3];
        }
        *x = next.clamp(-3.0, 4.5) * 2.0;
    }

    /// Reads through `&self`.
    fn energies(&self, queue: &Queue, out: &mut Buffer<f32>) -> Result<()> {
        launch!(
            queue,
            |i| out[i] = self.at.v[i] * self.at.v[i] / 2.0,
            global = out.len()
        )
    }

    /// `self` itself is moved in part.
    fn into_positions(self, queue: &Queue) -> Result<Buffer<f32>> {
        let mut sum = queue.zeros::<f32>(self.at.x.len())?;
        let n = self.at.x.len();
        let out = &mut sum;
        launch!(queue, move |i| out[i] = self.at.x[i] + self.at.v[i], global = n)?;
        Ok(sum)
    }
}

fn of_self(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (mut x, mut v) = (floats("x", 50), floats("v", 50));
    let mut world = World::new(&queue, &x, &v)?;
    for _ in 0..3 {
        world.step(&queue)?;
        for (i, (x, v)) in x.iter_mut().zip(&mut v).enumerate() {
            World::plain(x, v, i);
        }
    }
    check(&queue, &world.at.x, |i| x[i])?;
    check(&queue, &world.at.v, |i| v[i])?;
    let mut energies = queue.zeros(50)?;
    world.energies(&queue, &mut energies)?;
    check(&queue, &energies, |i| v[i] * v[i] / 2.0)?;
    let positions = world.into_positions(&queue)?;
    check(&queue, &positions, |i| x[i] + v[i])
}

const LIMIT: u32 = 17;
static STEP: u32 = 5;

mod elsewhere {
    pub(super) const FACTOR: u32 = 3;
    pub(super) struct Numbers;
    impl Numbers {
        pub(super) const SEVEN: u32 = 7;
    }
}

fn constants(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(10)?;
    launch!(
        queue,
        |i| {
            const WITHIN: u32 = 2;
            y[i] =
                i as u32 * LIMIT + STEP * elsewhere::FACTOR + elsewhere::Numbers::SEVEN + WITHIN + u32::MAX;
        },
        global = 10
    )?;
    check(&queue, &y, |i| (i as u32 * 17 + 15 + 7 + 2).wrapping_sub(1))?;
    let mut z = queue.zeros::<f32>(10)?;
    launch!(
        queue,
        |i| z[i] = std::f32::consts::PI + f32::EPSILON * i as f32,
        global = 10
    )?;
    check(&queue, &z, |i| std::f32::consts::PI + f32::EPSILON * i as f32)
}

/// Captures of what only the instance knows.
fn generic<T: Float + Value + Small, const N: usize>(queue: &Queue, k: T, weights: [T; N]) -> Outcome {
    let data: Vec<T> = (0..30).map(|i| T::from_bits_of(i)).collect();
    let x = queue.upload(&data)?;
    let mut y = queue.upload(&[T::GUARD; 30])?;
    launch!(
        queue,
        |i| {
            let mut sum = T::ZERO;
            for n in 0..N {
                sum += weights[n] * x[(i + n) % x.len()];
            }
            y[i] = (sum + T::ONE).max(k) - T::EPSILON;
        },
        global = 30
    )?;
    check(queue, &y, |i| {
        let mut sum = T::ZERO;
        for (n, weight) in weights.iter().enumerate() {
            sum += *weight * data[(i + n) % 30];
        }
        (sum + T::ONE).max(k) - T::EPSILON
    })
}

/// Small numbers of any float type.
trait Small {
    fn from_bits_of(i: u32) -> Self;
}
impl Small for f32 {
    fn from_bits_of(i: u32) -> f32 {
        i as f32 / 4.0 - 3.0
    }
}
impl Small for f64 {
    fn from_bits_of(i: u32) -> f64 {
        f64::from(i) / 7.0 - 2.0
    }
}

fn dereferences(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("dereferences", 20);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(20)?;
    let (value, array, mut changed) = (9u32, [1u32, 2, 3], 4u32);
    let (r, rr, b, a, u) = (&value, &&value, Box::new(value), &array, &mut changed);
    launch!(
        queue,
        |i| y[i] = x[i] * *r + **rr + *b + (*a)[i % 3] + *u,
        global = 20
    )?;
    *u += 1;
    check(&queue, &y, |i| {
        data[i].wrapping_mul(9).wrapping_add(22 + array[i % 3])
    })?;
    let (rx, ry) = (&x, &mut y);
    launch!(queue, |i| (*ry)[i] = (*rx)[i] + (x)[i], global = 20)?;
    check(&queue, &y, |i| data[i].wrapping_mul(2))?;
    check_eq!(changed, 5);
    Ok(())
}

fn methods(device: &Device) -> Outcome {
    struct Settings {
        low: f32,
        exponent: u32,
        inner: (f32, i32),
    }
    let queue = device.queue()?;
    let data = floats("methods", 40);
    let s = Settings {
        low: -2.25,
        exponent: 3,
        inner: (7.5, -4),
    };
    let (x, k, mut y) = (queue.upload(&data)?, 1.5f32, queue.zeros::<f32>(40)?);
    let r = &k;
    launch!(
        queue,
        |i| {
            y[i] = x[i].max(s.low).min(s.inner.0)
                + s.low.abs() * k.floor()
                + (*r).sqrt()
                + s.exponent.pow(2) as f32
                + s.inner.1.abs() as f32
                + f32::max(k, x[i]);
        },
        global = 40
    )?;
    check(&queue, &y, |i| {
        data[i].max(s.low).min(s.inner.0)
            + s.low.abs() * k.floor()
            + k.sqrt()
            + 9.0
            + 4.0
            + f32::max(k, data[i])
    })
}

/// A place is captured, not what it is a part of.
fn parts_are_disjoint(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("disjoint", 20);
    let mut pair = (queue.upload(&data)?, (queue.zeros::<u32>(20)?, 3u32));
    let count = &mut pair.1.1;
    let c = closure!(|i| pair.1.0[i] = pair.0[i] + 1);
    *count += 1;
    let mut c = c;
    launch!(queue, &mut c, global = 20)?;
    check_eq!(pair.1.1, 4);
    check(&queue, &pair.1.0, |i| data[i].wrapping_add(1))?;
    // The other way round, and through boxes.
    let mut boxed = Box::new((pair.0, pair.1.0));
    launch!(queue, |i| boxed.0[i] = boxed.1[i] * 2, global = 20)?;
    check(&queue, &boxed.0, |i| data[i].wrapping_add(1).wrapping_mul(2))
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("of_self"), &[], of_self);
    suite.case(case_path!("constants"), &[], constants);
    suite.case(case_path!("generic::f32"), &[], |device| {
        let queue = device.queue()?;
        generic::<f32, 1>(&queue, 0.5, [2.0])?;
        generic::<f32, 4>(&queue, 0.25, [1.0, -2.0, 0.5, 3.0])
    });
    suite.case(
        case_path!("generic::both"),
        &[crate::case::Need::Float64],
        |device| {
            let queue = device.queue()?;
            // In turns: one closure, several instances.
            for _ in 0..2 {
                generic::<f64, 2>(&queue, 0.1, [0.1, 0.7])?;
                generic::<f32, 2>(&queue, 0.1, [0.1, 0.7])?;
            }
            Ok(())
        },
    );
    suite.case(case_path!("dereferences"), &[], dereferences);
    suite.case(case_path!("methods"), &[], methods);
    suite.case(case_path!("parts_are_disjoint"), &[], parts_are_disjoint);
}
