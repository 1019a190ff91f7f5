//! Prefix sums of any number of values, inclusive and exclusive.
//!
//! ```text
//! cargo run --release --example scan -- --n 100000000
//! ```
//!
//! Each group scans its own part of the values and leaves the part's sum. These sums are scanned in the same way, by further
//! launches; then every group adds the sum of all the parts before its own.

mod common;

use gridfn::prelude::*;
use std::time::Instant;

/// The scan of each group's part, and the sum of the part. `GROUP` is the size of a group, and the grid as large as `x`.
///
/// In round after round each item adds the value that stands 1, 2, 4, … places before its own.
///
/// # Safety
///
/// `totals` has an element for each group.
#[kernel]
unsafe fn scan_parts<T: Scalar, const GROUP: usize>(inclusive: bool, x: &[T], y: &mut [T], totals: &mut [T]) {
    let mut sums = local_array::<T, GROUP>();
    let i = global_id(0);
    let l = local_id(0);
    sums[l] = x[i];
    barrier();
    let mut distance = 1;
    while distance < GROUP {
        let before = if l >= distance {
            sums[l - distance]
        } else {
            T::ZERO
        };
        barrier();
        sums[l] += before;
        barrier();
        distance *= 2;
    }
    y[i] = if inclusive {
        sums[l]
    } else if l > 0 {
        sums[l - 1]
    } else {
        T::ZERO
    };
    // The last group may be a part of one.
    if l == GROUP - 1 || i == x.len() - 1 {
        totals[group_id(0)] = sums[l];
    }
}

/// Adds to each group's part what all parts before it add up to.
#[kernel]
fn add_offsets<T: Scalar>(offsets: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] += offsets[group_id(0)];
}

/// Scans `x` into `y`, which is as long.
fn scan<T: Scalar, const GROUP: usize>(
    queue: &Queue,
    inclusive: bool,
    x: &Buffer<T>,
    y: &mut Buffer<T>,
) -> gridfn::Result<()> {
    let groups = x.len().div_ceil(GROUP);
    let mut totals = queue.upload(&vec![T::ZERO; groups])?;
    launch!(
        queue,
        // SAFETY: `totals` has an element for each group.
        unsafe { scan_parts::<T, GROUP>(inclusive, x, y, &mut totals) },
        global = x.len(),
        local = GROUP
    )?;
    if groups > 1 {
        let mut offsets = queue.upload(&vec![T::ZERO; groups])?;
        scan::<T, GROUP>(queue, false, &totals, &mut offsets)?;
        launch!(queue, add_offsets(&offsets, y), global = x.len(), local = GROUP)?;
    }
    Ok(())
}

/// One after the other, in plain Rust: the inclusive and the exclusive scan.
fn serial<T: Copy>(x: &[T], zero: T, add: impl Fn(T, T) -> T) -> (Vec<T>, Vec<T>) {
    let mut sum = zero;
    x.iter()
        .map(|v| {
            let before = sum;
            sum = add(sum, *v);
            (sum, before)
        })
        .unzip()
}

fn check<T: Scalar, const GROUP: usize>(queue: &Queue, x: &[T], add: fn(T, T) -> T) -> common::Result {
    let there = queue.upload(x)?;
    let mut y = queue.upload(x)?;
    let (included, excluded) = serial(x, T::ZERO, add);
    for (name, inclusive, expected) in [("inclusive", true, included), ("exclusive", false, excluded)] {
        let start = Instant::now();
        scan::<T, GROUP>(queue, inclusive, &there, &mut y)?;
        queue.synchronize()?;
        let (n, ty) = (x.len(), std::any::type_name::<T>());
        println!("{n} {ty} by groups of {GROUP}, {name}: {:.2?}", start.elapsed());
        if queue.download(&y)? != expected {
            return Err(common::failure("the results differ from plain Rust's"));
        }
    }
    Ok(())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[])?;
    let queue = device.queue()?;
    let mut random = fastrand::Rng::with_seed(7);
    // None, one, fewer than a group, whole groups, one more, and three launches deep.
    let sizes = n.map_or(vec![0, 1, 13, 64, 65, 300], |n| vec![n]);
    for n in sizes {
        let large: Vec<i64> = (0..n).map(|_| random.i64(..)).collect();
        check::<i64, 16>(&queue, &large, i64::wrapping_add)?;
        let small: Vec<u32> = (0..n).map(|_| random.u32(..)).collect();
        check::<u32, 128>(&queue, &small, u32::wrapping_add)?;
        // Sums of small whole numbers are exact, in whatever order.
        let floats: Vec<f32> = (0..n).map(|_| f32::from(random.i8(-3..4))).collect();
        check::<f32, 64>(&queue, &floats, |a, b| a + b)?;
    }
    Ok(())
}
