//! Panics and assertions in kernels, and what their messages cannot show.
use gridfn::prelude::*;

#[kernel]
fn no_literal(n: u32) {
    assert!(n > 0, n);
}

#[kernel]
fn text_as_a_value() {
    panic!("{}", "text");
}

#[kernel]
fn debug_only(n: u32) {
    debug_assert!(n > 0);
}

#[kernel]
fn too_few() {
    panic!("{} {}", 1);
}

#[kernel]
fn no_condition(n: u32) {
    assert!(n, "n is {n}");
}

#[kernel]
fn a_slice(x: &[f32]) {
    panic!("{x:?}");
}

#[kernel]
fn no_other(n: u32) {
    assert_eq!(n);
}

fn main() {}
