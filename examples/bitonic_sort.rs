//! Numbers sorted by a network: which pairs are compared never depends on the numbers, so all can be compared at once.
//!
//! ```text
//! cargo run --release --example bitonic_sort -- --n 1048576
//! ```
//!
//! Blocks of 2, 4, 8, … numbers are merged, every other one downwards, so that two of them rise and fall again. A merge
//! compares at half the block's distance first, then at a quarter, and so on. Far pairs meet in global memory, one launch for
//! each distance. Once the distance fits in what a group holds, all the rest is one launch in local memory.

mod common;

use gridfn::prelude::*;
use std::time::Instant;

/// The work-items of a group. Each is for a pair, so a group holds twice as many numbers.
const GROUP: usize = 128;

/// The first of the pair of numbers that stand so far apart; `i` counts pairs, and `distance` is a power of two.
#[device]
fn first_of_pair(i: usize, distance: usize) -> usize {
    (i / distance) * 2 * distance + i % distance
}

/// Compares at one distance, in blocks of so many numbers.
///
/// # Safety
///
/// The grid has half as many items as there are keys, whose number is a multiple of `block`.
#[kernel]
unsafe fn global_step(block: usize, distance: usize, keys: &mut [u32]) {
    let low = first_of_pair(global_id(0), distance);
    let high = low + distance;
    let rising = low & block == 0;
    if (keys[low] > keys[high]) == rising {
        keys.swap(low, high);
    }
}

/// Compares at all distances that fit in a group, in blocks of `first` numbers, of twice as many, and up to `last`.
///
/// # Safety
///
/// As of [`global_step`].
#[kernel(local = GROUP)]
unsafe fn local_steps(first: usize, last: usize, keys: &mut [u32]) {
    let mut shared = local_array::<u32, { 2 * GROUP }>();
    let l = local_id(0);
    let start = group_id(0) * 2 * GROUP;
    shared[l] = keys[start + l];
    shared[l + GROUP] = keys[start + l + GROUP];
    barrier();
    let mut block = first;
    while block <= last {
        let mut distance = (block / 2).min(GROUP);
        while distance > 0 {
            let low = first_of_pair(l, distance);
            let high = low + distance;
            let rising = (start + low) & block == 0;
            if (shared[low] > shared[high]) == rising {
                shared.swap(low, high);
            }
            barrier();
            distance /= 2;
        }
        block *= 2;
    }
    keys[start + l] = shared[l];
    keys[start + l + GROUP] = shared[l + GROUP];
}

/// Sorts keys whose number is a power of two, and at least what a group holds.
fn sort(queue: &Queue, keys: &mut Buffer<u32>) -> gridfn::Result<()> {
    let (n, held) = (keys.len(), 2 * GROUP);
    let groups = n / held;
    launch!(
        queue,
        // SAFETY: there is an item for each pair.
        unsafe { local_steps(2, held, keys) },
        groups = groups,
        local = GROUP
    )?;
    let mut block = 2 * held;
    while block <= n {
        let mut distance = block / 2;
        while distance > GROUP {
            launch!(
                queue,
                // SAFETY: there is an item for each pair.
                unsafe { global_step(block, distance, keys) },
                global = n / 2
            )?;
            distance /= 2;
        }
        launch!(
            queue,
            // SAFETY: there is an item for each pair.
            unsafe { local_steps(block, block, keys) },
            groups = groups,
            local = GROUP
        )?;
        block *= 2;
    }
    Ok(())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[global_step::emit, local_steps::emit])?;
    let queue = device.queue()?;
    let n = n.unwrap_or(600);
    let mut random = fastrand::Rng::with_seed(8);
    for (name, mask) in [("random", u32::MAX), ("many alike", 7)] {
        let values: Vec<u32> = (0..n).map(|_| random.u32(..) & mask).collect();
        // What fills the last block up stays behind all others.
        let mut filled = values.clone();
        filled.resize(n.next_power_of_two().max(2 * GROUP), u32::MAX);
        let mut keys = queue.upload(&filled)?;
        let start = Instant::now();
        sort(&queue, &mut keys)?;
        queue.synchronize()?;
        println!("{n} {name}: {:.2?}", start.elapsed());
        let mut expected = values;
        expected.sort_unstable();
        if queue.download(&keys)?[..n] != expected {
            return Err(common::failure("the numbers are not those that plain Rust sorts"));
        }
    }
    Ok(())
}
