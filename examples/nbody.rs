//! Bodies that attract each other: in each step, every body feels every other one.
//!
//! ```text
//! cargo run --release --example nbody -- --n 16384
//! ```

mod common;

use gridfn::prelude::*;
use std::ops::{Add, AddAssign, Mul, Sub};

/// A vector in space. Kernels may use its operators, because they are marked `#[device]`.
#[derive(Clone, Copy, DeviceCopy)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Vec3 {
    fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    fn dot(self, other: Vec3) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

#[device]
impl Add for Vec3 {
    type Output = Vec3;

    fn add(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[device]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}

#[device]
impl Sub for Vec3 {
    type Output = Vec3;

    fn sub(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

#[device]
impl Mul<f32> for Vec3 {
    type Output = Vec3;

    fn mul(self, factor: f32) -> Vec3 {
        Vec3::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

#[derive(Clone, Copy, DeviceCopy)]
struct Body {
    position: Vec3,
    velocity: Vec3,
    mass: f32,
}

/// The square of the distance below which the attraction no longer grows, so that near misses stay finite.
const SOFTENING: f32 = 1e-2;

/// What `from` adds to the acceleration at `position`; the constant of gravitation is 1.
#[device]
fn attraction(position: Vec3, from: &Body) -> Vec3 {
    let way = from.position - position;
    let inverse = (way.dot(way) + SOFTENING).sqrt().recip();
    way * (from.mass * inverse * inverse * inverse)
}

/// One step of length `dt`: every work-item moves one body.
#[kernel]
fn step(dt: f32, old: &[Body], new: &mut [Body]) {
    let i = global_id(0);
    let body = old[i];
    let mut acceleration = Vec3::new(0.0, 0.0, 0.0);
    for other in old {
        acceleration += attraction(body.position, other);
    }
    let velocity = body.velocity + acceleration * dt;
    let position = body.position + velocity * dt;
    new[i] = Body {
        position,
        velocity,
        ..body
    };
}

/// A cloud of bodies, all of them together of mass 1.
fn cloud(n: usize) -> Vec<Body> {
    let mut random = fastrand::Rng::with_seed(3);
    let mut vector = |size: f32| {
        let mut coordinate = || size * (2.0 * random.f32() - 1.0);
        Vec3::new(coordinate(), coordinate(), coordinate())
    };
    (0..n)
        .map(|_| Body {
            position: vector(1.0),
            velocity: vector(0.2),
            mass: 1.0 / n as f32,
        })
        .collect()
}

/// A vector in numbers of 64 bits, for the check.
fn wide(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z].map(f64::from)
}

/// The velocity that body `i` has after a step of length `dt`.
fn expected_velocity(dt: f32, bodies: &[Body], i: usize) -> [f64; 3] {
    let mut velocity = wide(bodies[i].velocity);
    let here = wide(bodies[i].position);
    for other in bodies {
        let there = wide(other.position);
        let way: [f64; 3] = std::array::from_fn(|d| there[d] - here[d]);
        let square = way.iter().map(|w| w * w).sum::<f64>() + f64::from(SOFTENING);
        let strength = f64::from(other.mass) / square.powf(1.5);
        for d in 0..3 {
            velocity[d] += f64::from(dt) * strength * way[d];
        }
    }
    velocity
}

/// No force comes from outside, so this never changes.
fn momentum(bodies: &[Body]) -> [f64; 3] {
    bodies.iter().fold([0.0; 3], |sum, body| {
        let velocity = wide(body.velocity);
        std::array::from_fn(|d| sum[d] + f64::from(body.mass) * velocity[d])
    })
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|d| a[d] - b[d])
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[step::emit])?;
    let n = n.unwrap_or(128);
    let (steps, dt) = (4, 0.01);
    let start = cloud(n);

    let queue = device.queue()?;
    let mut old = queue.upload(&start)?;
    let mut new = queue.upload(&start)?;
    launch!(queue, step(dt, &old, &mut new), global = n)?;
    for _ in 1..steps {
        std::mem::swap(&mut old, &mut new);
        launch!(queue, step(dt, &old, &mut new), global = n)?;
    }
    let (old, new) = (queue.download(&old)?, queue.download(&new)?);

    println!("bodies {n}");
    println!("steps {steps}");
    let drift = difference(momentum(&new), momentum(&start));
    common::within("change of momentum", drift, 1e-6)?;
    // The last step, as computed from the bodies before it; of many bodies, some.
    let errors = common::sample(n, 256)
        .flat_map(|i| difference(wide(new[i].velocity), expected_velocity(dt, &old, i)));
    common::within("max error", errors, 1e-6)
}
