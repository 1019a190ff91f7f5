//! A wrong scalar, a wrong element type, a missing `&mut`, a host slice.
use gridfn::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

fn scalar(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<f32>, a: f64) -> gridfn::Result<()> {
    launch!(queue, saxpy(a, x, y), global = 4)
}

fn element(queue: &Queue, x: &Buffer<i32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, saxpy(1.0, x, y), global = 4)
}

fn shared(queue: &Queue, x: &Buffer<f32>, y: &Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, saxpy(1.0, x, y), global = 4)
}

fn host_slice(queue: &Queue, x: &[f32], y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, saxpy(1.0, x, y), global = 4)
}

fn main() {}
