//! What a grid is not, and what a call is not.
use gridfn::prelude::*;

#[kernel]
fn clear(y: &mut [f32]) {
    y[global_id(0)] = 0.0;
}

fn not_usize(queue: &Queue, y: &mut Buffer<f32>, n: u32) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = n)
}

fn four_dimensions(queue: &Queue, y: &mut Buffer<f32>, n: [usize; 4]) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = n)
}

fn not_a_call(queue: &Queue) -> gridfn::Result<()> {
    launch!(queue, 5, global = 4)
}

fn not_a_queue(device: Device, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(device, clear(y), global = 4)
}

fn other_kernel(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    let prepared = set::prepare(queue)?;
    launch!(prepared, clear(y), global = 4)
}

#[kernel]
fn set(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
