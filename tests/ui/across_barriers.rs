//! What lives across a barrier, and what rustc still says of it.

use gridfn::prelude::*;

#[kernel]
fn a_reference(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let tile = local_array::<f32, 64>();
    let element = &tile[local_id(0)];
    barrier();
    y[i] = *element + x[i];
}

#[kernel]
fn a_closure(y: &mut [f32]) {
    let i = global_id(0);
    let add = |v: f32| v + i as f32;
    y[i] = add(1.0);
    barrier();
    y[i] += add(2.0);
}

#[kernel]
fn no_value_yet(y: &mut [f32]) {
    let i = global_id(0);
    let value: f32;
    if i > 3 {
        value = 2.0;
    }
    barrier();
    y[i] = value;
}

#[kernel]
fn before_it_has_a_value(y: &mut [f32]) {
    let i = global_id(0);
    let value;
    barrier();
    y[i] = value;
    barrier();
    value = 1.0;
    y[i] = value;
}

#[kernel]
fn twice(y: &mut [f32]) {
    let i = global_id(0);
    let value = y[i];
    barrier();
    value += 1.0;
    y[i] = value;
}

#[kernel]
fn twice_later(y: &mut [f32]) {
    let i = global_id(0);
    let value;
    value = y[i];
    barrier();
    value = 1.0 + i as f32;
    y[i] = value;
}

fn main() {}
