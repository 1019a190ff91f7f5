//! A name in a pattern binds: a constant of that name is an error, as its letters say something else.

use gridfn::prelude::*;

#[allow(non_upper_case_globals)]
const limit: u32 = 3;

#[kernel]
fn constant_in_a_match(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = match x[i] {
        limit => 1,
        _ => 2,
    };
}

#[kernel]
fn constant_in_a_let(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    if let (limit, 1) = (x[i], y[i]) {
        y[i] = 5;
    }
}

fn main() {}
