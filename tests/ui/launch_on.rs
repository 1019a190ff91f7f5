//! What `launch!` cannot launch on.
use gridfn::prelude::*;

#[kernel]
fn clear(y: &mut [f32]) {
    y[global_id(0)] = 0.0;
}

fn a_type_of_ones_own(mine: Mine, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(mine, clear(y), global = 4)
}

struct Mine;

fn behind_a_reference(device: &Device, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(device, clear(y), global = 4)
}

fn a_closure(device: Device, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(device, |i| y[i] = 1.0, global = 4)
}

fn main() {}
