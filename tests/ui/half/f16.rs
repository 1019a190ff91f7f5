//! What `f16` has and kernels have not.
use gridfn::prelude::*;
use gridfn::f16;

#[kernel]
fn from_f64(x: &[f64], y: &mut [f16]) {
    let i = global_id(0);
    y[i] = f16::from_f64(x[i]);
}

#[kernel]
fn bytes(x: &[f16], y: &mut [[u8; 2]]) {
    let i = global_id(0);
    y[i] = x[i].to_le_bytes();
}

#[kernel]
fn mixed(x: &[f16], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] * 2.0;
}

#[kernel]
fn cast(x: &[f16], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] as f32;
}

fn main() {}
