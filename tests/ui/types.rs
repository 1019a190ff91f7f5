//! Type errors are rustc's own, at the user's tokens.
use gridfn::prelude::*;

#[kernel]
fn mixed_floats(a: f64, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

#[kernel]
fn integer_literal(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i] + 1;
}

#[kernel]
fn wrong_let(y: &mut [u32]) {
    let i: u32 = global_id(0);
    y[global_id(0)] = i;
}

#[kernel]
fn wrong_index(n: u32, x: &[f32], y: &mut [f32]) {
    y[global_id(0)] = x[n];
}

#[kernel]
fn written_shared(x: &[f32]) {
    x[global_id(0)] = 2.0;
}

#[kernel]
fn half_an_if(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = if x[i] > 0.0 { 1.0 };
}

#[kernel]
fn not_mutable(n: u32, y: &mut [u32]) {
    let s = 3;
    s += n;
    y[global_id(0)] = s;
}

#[kernel]
fn unknown_name(y: &mut [u32]) {
    y[global_id(0)] = nowhere;
}

#[kernel]
fn large_literal(y: &mut [u8]) {
    y[global_id(0)] = 300;
}

fn main() {}
