//! Integers of 128 bits, wherever a type can stand.
use gridfn::prelude::*;

#[kernel]
fn a_slice(x: &[u128]) {}

#[kernel]
fn a_local(y: &mut [u64]) {
    let i = global_id(0);
    let wide: i128 = 1;
    y[i] = 2;
}

#[kernel]
fn a_cast(x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    y[i] = ((x[i] as u128 * 3) >> 64) as u64;
}

#[device]
fn a_result(x: u64) -> u128 {
    1
}

#[derive(Clone, Copy, DeviceCopy)]
struct Field {
    wide: u128,
}

#[kernel]
fn a_method(x: &[u64], y: &mut [u64]) {
    let i = global_id(0);
    y[i] = u128::from(x[i]);
}

fn main() {}
