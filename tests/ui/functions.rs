//! Functions as arguments of kernels.

use gridfn::prelude::*;

#[kernel]
fn map<T: Float, F: Fn(T) -> T>(f: F, input: &[T], output: &mut [T]) {
    let i = global_id(0);
    output[i] = f(input[i]);
}

#[kernel]
fn mutates<F: FnMut(f32) -> f32>(f: F, output: &mut [f32]) {}

#[kernel]
fn returns_nothing<F: Fn(f32)>(f: F, output: &mut [f32]) {}

#[kernel]
fn too_many<F: Fn(f32) -> f32>(f: F, output: &mut [f32]) {
    let i = global_id(0);
    output[i] = f(1.0, 2.0);
}

#[kernel]
fn wrong_type<F: Fn(f32) -> f32>(f: F, output: &mut [f32]) {
    let i = global_id(0);
    output[i] = f(1u32);
}

#[device]
fn square(x: f32) -> f32 {
    x * x
}

#[device]
fn negated(x: i32) -> i32 {
    -x
}

fn plain(x: f32) -> f32 {
    x
}

fn launches(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    let v = vec![1.0f32];
    launch!(queue, map(square, x, y), global = 4)?;
    launch!(queue, map(negated {}, x, y), global = 4)?;
    launch!(queue, map(|v| y[0] = v, x, y), global = 4)?;
    launch!(queue, map(|a, b| a + b, x, y), global = 4)?;
    launch!(queue, map(|a| v[0] + a, x, y), global = 4)?;
    launch!(queue, map(|a| plain(a), x, y), global = 4)?;
    launch!(queue, map(|a| a > 1.0, x, y), global = 4)?;
    launch!(queue, map::<f32, _>(|a| a, x, y), global = 4)?;
    let f = closure!(fn |v| v);
    launch!(queue, map(closure!(fn |v: f32| v + 1.0), x, y), global = 4)
}

fn main() {}
