//! How often each value occurs. All items of a launch meet in a few bins, by atomics in global memory; or each item first
//! counts several values by itself, in local memory, and a group adds what its items have counted.
//!
//! ```text
//! cargo run --release --example histogram -- --n 100000000
//! ```
//!
//! Where most values are the same, most items of the first wait for one another. So both are run on random, rising and constant values, in
//! 6 and in 256 bins, and it says how long each took.

mod common;

use gridfn::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Counts the values of each bin. All bins are equally wide, and hold all values from 0 to 1.
#[kernel]
fn histogram(values: &[f32], bins: &[AtomicU32]) {
    let value = values[global_id(0)];
    bins[bin_of(value, bins.len())].fetch_add(1, Ordering::Relaxed);
}

/// The items of a group that counts in local memory.
const GROUP: usize = 32;
/// The most bins that it has room for.
const MOST_BINS: usize = 256;
/// The values of each of its items; no more than a count in local memory can hold.
const PER_ITEM: usize = 64;

/// The same with a row of bins for each item. The grid has a group for every `GROUP * PER_ITEM` values.
#[kernel(local = GROUP)]
fn histogram_in_rows(values: &[f32], bins: &[AtomicU32]) {
    let mut rows = local_array::<[u16; MOST_BINS], GROUP>();
    let l = local_id(0);
    for bin in 0..bins.len() {
        rows[l][bin] = 0;
    }
    // Items beside each other read beside each other.
    for i in (global_id(0)..values.len()).step_by(global_size(0)) {
        rows[l][bin_of(values[i], bins.len())] += 1;
    }
    barrier();
    for bin in (l..bins.len()).step_by(GROUP) {
        let mut sum = 0;
        for row in &rows {
            sum += row[bin] as u32;
        }
        if sum > 0 {
            bins[bin].fetch_add(sum, Ordering::Relaxed);
        }
    }
}

/// The bin of a value; what lies outside is counted in the first or last.
#[device]
fn bin_of(value: f32, bins: usize) -> usize {
    // A cast to `usize` ends at 0 and makes 0 of NaN, as in all of Rust.
    ((value * bins as f32) as usize).min(bins - 1)
}

/// The same in plain Rust, one value after the other. An `f64` has room for the whole product, which is then rounded once,
/// as the kernel's is.
fn plain_histogram(values: &[f32], bins: usize) -> Vec<u32> {
    let mut counts = vec![0; bins];
    for value in values {
        let product = f64::from(*value) * bins as f64;
        counts[(product as f32 as usize).min(bins - 1)] += 1;
    }
    counts
}

/// Numbers from 0 to below 1, by a generator of numbers of 32 bits.
fn random(n: usize) -> Vec<f32> {
    let mut state = 1u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    (0..n).map(next).collect()
}

/// Where items count.
#[derive(Clone, Copy)]
enum Way {
    Global,
    Rows,
}

fn time(queue: &Queue, way: Way, values: &Buffer<f32>, bins: &mut Buffer<u32>) -> gridfn::Result<Duration> {
    queue.fill(bins, 0)?;
    queue.synchronize()?;
    let start = Instant::now();
    match way {
        Way::Global => launch!(queue, histogram(values, bins), global = values.len())?,
        Way::Rows => {
            let groups = values.len().div_ceil(GROUP * PER_ITEM);
            launch!(
                queue,
                histogram_in_rows(values, bins),
                groups = groups,
                local = GROUP
            )?;
        }
    }
    queue.synchronize()?;
    Ok(start.elapsed())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[histogram::emit, histogram_in_rows::emit])?;
    let n = n.unwrap_or(1 << 12);
    let queue = device.queue()?;
    let rising = |n: usize| (0..n).map(|i| i as f32 / n as f32).collect();
    let constant = |n: usize| vec![0.7f32; n];
    let inputs: [(&str, Vec<f32>); 3] = [
        ("random", random(n)),
        ("rising", rising(n)),
        ("constant", constant(n)),
    ];
    for (name, values) in &inputs {
        let there = queue.upload(values)?;
        for count in [6, 256] {
            let expected = plain_histogram(values, count);
            for (place, way) in [("global", Way::Global), ("rows", Way::Rows)] {
                let mut bins = queue.zeros::<u32>(count)?;
                // The first launch compiles.
                time(&queue, way, &there, &mut bins)?;
                let elapsed = time(&queue, way, &there, &mut bins)?;
                let found = queue.download(&bins)?;
                let rate = n as f64 / elapsed.as_secs_f64() / 1e6;
                let most = found.iter().max().copied().unwrap_or(0);
                println!(
                    "{name:8} {count:3} bins, {place:6}: {elapsed:9.2?}, {rate:7.1} million values/s, at most {most} in one"
                );
                if found.iter().map(|count| *count as usize).sum::<usize>() != n {
                    return Err(common::failure("not every value was counted once"));
                }
                if found != expected {
                    return Err(common::failure("the results differ from plain Rust's"));
                }
            }
        }
    }
    Ok(())
}
