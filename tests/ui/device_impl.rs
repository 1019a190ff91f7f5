//! What methods, traits and operators of users cannot be in kernels.

use core::ops::{Add, Mul};
use gridfn::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
struct V {
    x: f32,
}

#[device]
impl V {
    fn index(self) -> usize {
        global_id(0)
    }

    async fn later(self) -> f32 {
        1.0
    }

    unsafe fn trusted(self) -> f32 {
        1.0
    }

    extern "C" fn foreign(self) -> f32 {
        1.0
    }

    fn boxed(self: Box<Self>) -> f32 {
        1.0
    }

    fn anything(self, other: impl Float) -> f32 {
        1.0
    }

    fn writes(self, y: &mut [f32]) {}

    const fn computed(self) -> usize {
        1 + 1
    }

    fn with<T: Float>(self, k: T) -> T {
        k
    }

    fn good(self) -> f32 {
        self.x
    }
}

impl V {
    fn plain(self) -> f32 {
        self.x
    }

    fn plain_new() -> V {
        V { x: 1.0 }
    }
}

#[derive(Clone, Copy)]
struct Borrowed<'a> {
    x: &'a f32,
}

#[device]
impl<'a> Borrowed<'a> {
    fn x(self) -> f32 {
        1.0
    }
}

impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        other
    }
}

impl Mul<f32> for V {
    type Output = V;
    fn mul(self, _: f32) -> V {
        self
    }
}

#[device]
trait Shape: Copy {
    fn area(&self) -> f32;
}

impl Shape for V {
    fn area(&self) -> f32 {
        self.x
    }
}

trait Unmarked {
    fn area(&self) -> f32;
}

#[device]
impl Unmarked for V {
    fn area(&self) -> f32 {
        self.x
    }
}

#[device]
struct Wrong;

#[kernel]
fn unmarked_operators(v: &[V], y: &mut [V]) {
    let i = global_id(0);
    y[i] = v[i] + v[i];
    y[i] = v[i] * 2.0;
}

#[kernel]
fn missing_operators(v: &[V], y: &mut [V]) {
    let i = global_id(0);
    y[i] = v[i] - v[i];
    y[i] = v[i] * 2u32;
    y[i] += v[i];
}

#[kernel]
fn unmarked_methods(v: &[V], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = v[i].plain();
    y[i] = V::plain_new().x;
    y[i] = v[i].goood();
    y[i] = v[i].with(1.0);
}

fn main() {}
