//! One buffer as `&` and `&mut`, and twice as `&mut`.
use gridfn::prelude::*;

#[kernel]
fn add(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += x[i];
}

#[kernel]
fn both(x: &mut [f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += x[i];
}

fn shared_and_unique(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, add(&y, &mut y), global = 4)
}

fn unique_twice(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, both(&mut y, &mut y), global = 4)
}

fn main() {}
