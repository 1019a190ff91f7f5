//! A function of the user's own that is called like an index function does not fool the proof.
use gridfn::prelude::*;

fn global_id(_: usize) -> usize {
    0
}

#[kernel]
fn fooled(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = 1.0;
}

fn main() {}
