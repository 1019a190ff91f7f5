//! Sizes of work-groups that no kernel can have.
use gridfn::prelude::*;

#[kernel(local = 0)]
fn nobody(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[kernel(local = [4, 4, 4, 4])]
fn in_four_dimensions(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[kernel(local = [8, 2.0])]
fn half_an_item(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[kernel(size = 8)]
fn another_word(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

const EMPTY: usize = 0;

#[kernel(local = [8, EMPTY])]
fn empty(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn width() -> usize {
    8
}

#[kernel(local = width())]
fn known_too_late(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

#[kernel(aot, local = 2 * 4)]
fn ahead(y: &mut [f32]) {
    y[global_id(0)] = 1.0;
}

fn main() {}
