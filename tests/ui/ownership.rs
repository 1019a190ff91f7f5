//! What a safe kernel may not do with a `&mut [T]`.
use gridfn::prelude::*;

#[kernel]
fn neighbour(y: &mut [f32]) {
    let i = global_id(0);
    y[i + 1] = 1.0;
}

#[kernel]
fn narrowed(y: &mut [f32]) {
    let i = global_id(0) as u8;
    y[i as usize] = 1.0;
}

#[kernel]
fn reassigned(y: &mut [f32]) {
    let mut i = global_id(0);
    i += 1;
    y[i] = 1.0;
}

#[kernel]
fn shadowed(y: &mut [f32]) {
    let i = global_id(0);
    {
        let i = i / 2;
        y[i] = 1.0;
    }
}

#[kernel]
fn other_dimension(y: &mut [f32]) {
    y[global_id(1)] = 1.0;
}

#[kernel]
fn two_indices(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
    y[global_linear_id()] = 2.0;
}

#[kernel]
fn read_of_another(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = y[0];
}

#[kernel]
fn loop_variable(y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] = 1.0;
    }
}

fn main() {}
