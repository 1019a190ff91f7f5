//! What signatures of kernels and device functions may not be.
use gridfn::prelude::*;

#[kernel]
fn returns(x: &[f32]) -> f32 {
    x[global_id(0)]
}

#[kernel]
fn takes_vec(x: Vec<f32>) {}

#[kernel]
fn takes_string(s: String) {}

struct Mine;

#[kernel]
fn takes_a_type_of_ones_own(x: Mine) {}

#[kernel]
fn takes_a_slice_of_ones_own(x: &[Mine], y: &mut [Mine]) {}

#[kernel]
fn takes_reference(x: &f32) {}

#[kernel]
fn takes_wide(x: u128) {}

#[kernel]
fn takes_pattern((a, b): (u32, u32)) {}

#[kernel]
fn takes_lifetime<'a>(x: &'a [f32]) {}

#[kernel]
async fn waits(x: &[f32]) {}

#[kernel]
struct NotAFunction;

#[kernel(fast)]
fn option(x: &[f32]) {}

#[device]
fn slice(x: &[f32]) -> f32 {
    0.0
}

struct S;

impl S {
    #[kernel]
    fn method(&self) {}
}

fn main() {}
