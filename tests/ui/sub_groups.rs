//! Operations of sub-groups that not all items of a work-group would reach, or that are called otherwise than kernels know.

use gridfn::prelude::*;
use gridfn::subgroup::reduce;

#[kernel]
fn under_a_condition(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut v = x[i];
    if subgroup::id() == 0 {
        v = subgroup::reduce(v, |a, b| a + b);
    }
    y[i] = v;
}

#[kernel]
fn in_a_loop_of_its_own(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut v = x[i];
    while subgroup::any(v > 0) {
        v /= 2;
    }
    y[i] = v;
}

#[kernel]
fn in_a_condition(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let positive = x[i] > 0 && subgroup::all(x[i] > 1);
    y[i] = positive as u32;
}

#[kernel]
fn with_an_effect(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut n = 0;
    let sum = subgroup::reduce(
        {
            n += 1;
            x[i]
        },
        |a, b| a + b,
    );
    y[i] = sum + n;
}

#[device]
fn in_a_device_function(v: u32) -> u32 {
    subgroup::shuffle_xor(v, 1)
}

#[device(group)]
fn in_a_group_function(v: u32) -> u32 {
    subgroup::shuffle_xor(v, 1)
}

#[kernel]
fn wrong_arguments(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = subgroup::shuffle(x[i]);
}

#[kernel]
fn unknown(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = subgroup::shufle(x[i], 1);
}

#[kernel]
fn by_another_name(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = reduce(x[i], |a, b| a + b);
}

#[kernel]
fn operator_in_a_variable(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let add = |a: u32, b: u32| a + b;
    y[i] = subgroup::reduce(x[i], add);
}

fn main() {}
