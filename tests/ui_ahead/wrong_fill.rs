//! What was filled ahead of time is compared with what rustc fills.
use gridfn::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i] + 1.0;
}

fn main() {}
