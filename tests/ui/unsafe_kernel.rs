//! An `unsafe fn` kernel is called in `unsafe`.
use gridfn::prelude::*;

#[kernel]
unsafe fn scatter(at: &[u32], y: &mut [f32]) {
    let i = global_id(0);
    y[at[i] as usize] = 1.0;
}

fn right(queue: &Queue, at: &Buffer<u32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, unsafe { scatter(at, y) }, global = 4)
}

fn wrong(queue: &Queue, at: &Buffer<u32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, scatter(at, y), global = 4)
}

fn main() {}
