//! Sum, least and greatest of any number of values: a tree, in launches that leave fewer and fewer.
//!
//! ```text
//! cargo run --release --example reduce -- --n 100000000
//! ```
//!
//! Every work-item first combines several values by itself, which needs nobody. Then the items of a group meet in local
//! memory, half as many in each round. What each group leaves is the input of the next launch, until there is one value.

mod common;

use gridfn::prelude::*;
use std::time::Instant;

/// The work-items of a group.
const GROUP: usize = 128;
/// The values that a work-item combines by itself, where there are so many.
const PER_ITEM: usize = 8;

/// What each group makes of its share of `x`. `combine` is associative and commutative, and `neutral` changes nothing.
///
/// # Safety
///
/// `partial` has an element for each group.
#[kernel(local = GROUP)]
unsafe fn reduce<T: Scalar, F: Fn(T, T) -> T>(combine: F, neutral: T, x: &[T], partial: &mut [T]) {
    let mut shared = local_array::<T, GROUP>();
    let l = local_id(0);
    // Items beside each other read beside each other.
    let mut value = neutral;
    for i in (global_id(0)..x.len()).step_by(global_size(0)) {
        value = combine(value, x[i]);
    }
    shared[l] = value;
    barrier();
    let mut half = GROUP / 2;
    while half > 0 {
        if l < half {
            shared[l] = combine(shared[l], shared[l + half]);
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        partial[group_id(0)] = shared[0];
    }
}

/// Launches until one value is left: `launch` is given those that there are, and a buffer for what is left.
fn tree<T: Scalar>(
    queue: &Queue,
    x: &Buffer<T>,
    neutral: T,
    launch: impl Fn(&Buffer<T>, &mut Buffer<T>) -> gridfn::Result<()>,
) -> gridfn::Result<T> {
    if x.is_empty() {
        return Ok(neutral);
    }
    let level = |x: &Buffer<T>| -> gridfn::Result<Buffer<T>> {
        let mut partial = queue.upload(&vec![neutral; x.len().div_ceil(GROUP * PER_ITEM)])?;
        launch(x, &mut partial)?;
        Ok(partial)
    };
    let mut left = level(x)?;
    while left.len() > 1 {
        left = level(&left)?;
    }
    Ok(queue.download(&left)?[0])
}

fn sum<T: Scalar>(queue: &Queue, x: &Buffer<T>) -> gridfn::Result<T> {
    tree(queue, x, T::ZERO, |x, partial| {
        let groups = partial.len();
        launch!(
            queue,
            // SAFETY: there is an element for each group.
            unsafe { reduce(|a, b| a + b, T::ZERO, x, partial) },
            groups = groups,
            local = GROUP
        )
    })
}

fn least(queue: &Queue, x: &Buffer<f32>) -> gridfn::Result<f32> {
    tree(queue, x, f32::INFINITY, |x, partial| {
        let groups = partial.len();
        launch!(
            queue,
            // SAFETY: there is an element for each group.
            unsafe { reduce(|a, b| a.min(b), f32::INFINITY, x, partial) },
            groups = groups,
            local = GROUP
        )
    })
}

fn greatest(queue: &Queue, x: &Buffer<f32>) -> gridfn::Result<f32> {
    tree(queue, x, -f32::INFINITY, |x, partial| {
        let groups = partial.len();
        launch!(
            queue,
            // SAFETY: there is an element for each group.
            unsafe { reduce(|a, b| a.max(b), -f32::INFINITY, x, partial) },
            groups = groups,
            local = GROUP
        )
    })
}

/// Reduces `n` values, and compares with what plain Rust makes of them, one after the other.
fn check(queue: &Queue, n: usize) -> common::Result {
    let mut random = fastrand::Rng::with_seed(7);
    let values: Vec<f32> = (0..n).map(|_| 2.0 * random.f32() - 0.9).collect();
    let whole: Vec<i64> = (0..n).map(|_| random.i64(..)).collect();

    let there = queue.upload(&values)?;
    let start = Instant::now();
    let found = sum(queue, &there)?;
    println!("{n} values: sum {found} in {:.2?}", start.elapsed());
    // Of a tree, each value goes through few additions; none rounds by more than half a unit of what all add up to.
    let expected: f64 = values.iter().map(|v| f64::from(*v)).sum();
    let size: f64 = values.iter().map(|v| f64::from(v.abs())).sum();
    let error = (f64::from(found) - expected) / size.max(1.0);
    common::within("error of the sum", [error], 32.0 * f64::from(f32::EPSILON))?;

    let (low, high) = (least(queue, &there)?, greatest(queue, &there)?);
    let expected = (
        values.iter().copied().fold(f32::INFINITY, f32::min),
        values.iter().copied().fold(-f32::INFINITY, f32::max),
    );
    if (low, high) != expected {
        return Err(common::failure(format!(
            "{low} and {high} are not the least and greatest"
        )));
    }
    // Whole numbers wrap, so their order is of no matter.
    let found = sum(queue, &queue.upload(&whole)?)?;
    if found != whole.iter().copied().fold(0, i64::wrapping_add) {
        return Err(common::failure(
            "the sum of whole numbers differs from plain Rust's",
        ));
    }
    Ok(())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[])?;
    let queue = device.queue()?;
    match n {
        Some(n) => check(&queue, n),
        // None, one, one group less one, a whole one, one more, and two launches.
        None => [0, 1, 127, 128, 129, 5000]
            .into_iter()
            .try_for_each(|n| check(&queue, n)),
    }
}
