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

#[kernel]
fn prints(x: &[f32], n: u32) {
    println!(n);
    println!("{}", "text");
    println!("{} of {x:?}", n);
    print!("{n}");
    dbg!(n);
}

#[kernel]
fn prints_too_few(n: u32) {
    println!("{} {}", n);
}

fn main() {}
