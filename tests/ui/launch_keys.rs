//! The keys of `launch!`.
use gridfn::prelude::*;

#[kernel]
fn clear(y: &mut [f32]) {
    y[global_id(0)] = 0.0;
}

fn unknown(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), gloabl = 4)
}

fn far_from_any(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = 4, priority = 1)
}

fn four_dimensions(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = [1, 2, 3, 4])
}

fn both(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = 4, groups = 2, local = 2)
}

fn groups_alone(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), groups = 2)
}

fn twice(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y), global = 2, global = 3)
}

fn none(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, clear(y))
}

fn closure(queue: &Queue) -> gridfn::Result<()> {
    launch!(queue, |i| i, global = 4)
}

fn main() {}
