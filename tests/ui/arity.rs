//! The count in the message is the user's.
use gridfn::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

fn few(queue: &Queue, x: &Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, saxpy(3.0, x), global = 4)
}

fn many(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, saxpy(3.0, x, y, 1), global = 4)
}

fn main() {}
