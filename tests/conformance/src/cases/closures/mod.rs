//! Closures as kernels, and what they capture.

use crate::case::{Outcome, Suite};
use crate::compare::Within;
use crate::samples::{Random, Value};
use gridfn::prelude::*;

mod bodies;
mod captures;
mod grids;
mod names;
mod places;
mod stored;

pub(super) fn add_to(suite: &mut Suite) {
    captures::add_to(suite);
    places::add_to(suite);
    names::add_to(suite);
    bodies::add_to(suite);
    grids::add_to(suite);
    stored::add_to(suite);
}

/// Random values of a type: the same for the same name.
pub(super) fn random<T: Value>(name: &str, n: usize) -> Vec<T> {
    let mut random = Random::of(name);
    (0..n).map(|_| T::random(&mut random)).collect()
}

/// Random floats whose sums and products are normal numbers.
fn floats(name: &str, n: usize) -> Vec<f32> {
    let mut random = Random::of(name);
    (0..n).map(|_| random.below(2001) as f32 / 64.0 - 15.0).collect()
}

/// Compares a buffer with what plain Rust computes for each element, bit for bit.
pub(super) fn check<T: Value>(queue: &Queue, found: &Buffer<T>, expected: impl Fn(usize) -> T) -> Outcome {
    let found = queue.download(found)?;
    for (i, found) in found.iter().enumerate() {
        if !found.is(expected(i), Within::Bits) {
            return Err(format!("element {i}: expected {:?}, found {found:?}", expected(i)).into());
        }
    }
    Ok(())
}
