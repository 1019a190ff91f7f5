//! How often each value occurs, by atomics in global memory: the items of a launch meet in a few bins.
//!
//! ```text
//! cargo run --release --example histogram -- --n 100000000
//! ```
//!
//! Where most values are the same, most items wait for one another. So it is run on random, rising and constant values, in
//! 6 and in 256 bins, and says how long each took.

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

fn time(queue: &Queue, values: &Buffer<f32>, bins: &mut Buffer<u32>) -> gridfn::Result<Duration> {
    queue.fill(bins, 0)?;
    queue.synchronize()?;
    let start = Instant::now();
    launch!(queue, histogram(values, bins), global = values.len())?;
    queue.synchronize()?;
    Ok(start.elapsed())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[histogram::emit])?;
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
            let mut bins = queue.zeros::<u32>(count)?;
            // The first launch compiles.
            time(&queue, &there, &mut bins)?;
            let elapsed = time(&queue, &there, &mut bins)?;
            let found = queue.download(&bins)?;
            let rate = n as f64 / elapsed.as_secs_f64() / 1e6;
            let most = found.iter().max().copied().unwrap_or(0);
            println!(
                "{name:8} {count:3} bins: {elapsed:9.2?}, {rate:7.1} million values/s, at most {most} in one"
            );
            if found.iter().map(|count| *count as usize).sum::<usize>() != n {
                return Err(common::failure("not every value was counted once"));
            }
            if found != plain_histogram(values, count) {
                return Err(common::failure("the results differ from plain Rust's"));
            }
        }
    }
    Ok(())
}
