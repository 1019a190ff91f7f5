//! Functions as arguments of device functions.

use gridfn::prelude::*;

#[device]
fn apply<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(x)
}

#[device]
fn writes<F: Fn(&mut [f32])>(f: F) {}

#[device]
fn unnamed(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x)
}

#[device]
fn moves(x: f32) -> f32 {
    let y = x;
    apply(move |v| v + y, x)
}

#[device]
fn method(x: f32) -> f32 {
    apply(f32::sqrt, x)
}

#[kernel]
fn wrong(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = apply(|v, w| v, x[i]);
    y[i] = apply(1.0, x[i]);
    y[i] = apply(|v| v > 1.0, x[i]);
}

#[kernel]
fn meets(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = apply(
        |v| {
            y[0] = v;
            v
        },
        x[i],
    );
}

fn main() {}
