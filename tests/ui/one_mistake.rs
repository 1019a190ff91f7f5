//! A mistake that rustc could find by more than one way is told once.
use gridfn::prelude::*;

struct Plain(f32);

#[kernel]
fn holds(y: &mut [f32]) {
    let v = Plain(1.0);
    y[global_id(0)] = v.0;
}

#[device]
fn apply<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(x)
}

#[device]
fn of_integers(x: i32) -> i32 {
    x
}

#[kernel]
fn passes(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = apply(of_integers, 1.0);
    y[i] = apply(|v: i32| v, 1.0);
}

fn main() {}
