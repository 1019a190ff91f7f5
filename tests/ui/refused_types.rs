//! Types that no device has, in signatures.
use gridfn::prelude::*;

#[kernel]
fn takes_a_box(x: Box<f32>) {}

#[kernel]
fn takes_a_trait_object(x: &dyn Fn(f32) -> f32) {}

#[device]
fn takes_any(_x: impl Fn(f32) -> f32) -> f32 {
    1.0
}

#[device]
fn allocates(x: f32) -> Vec<f32> {
    vec![x]
}

#[device]
fn narrow(_x: i128) -> u32 {
    1
}

#[device]
fn returns_another_type(x: f32) -> u32 {
    x
}

fn main() {}
