//! Numbers sorted by their digits, the lowest first. `--n` is how many; a real one is 1048576.
//!
//! For each digit, every work-item counts how often its own part of the keys has which; a scan of all counts tells where
//! the keys of each digit and item begin; and every item puts its keys there, in their order. So keys of one digit stay in
//! the order that lower digits gave them.

use crate::common;
use gridfn::prelude::*;
use std::time::Instant;

/// Bits of a digit.
const BITS: u32 = 4;
/// The digits that there are.
const DIGITS: usize = 1 << BITS;
/// The keys of a work-item.
const PER_ITEM: usize = 16;
/// The items of the group that scans.
const GROUP: usize = 64;

#[device]
fn digit(key: u32, shift: u32) -> usize {
    (key >> shift) as usize & (DIGITS - 1)
}

/// Counts each item's digits: `counts[digit * items + item]`.
///
/// # Safety
///
/// `counts` has `DIGITS` elements for each item of the grid.
#[kernel]
unsafe fn count(shift: u32, keys: &[u32], counts: &mut [u32]) {
    let i = global_id(0);
    let mut own = [0; DIGITS];
    let end = ((i + 1) * PER_ITEM).min(keys.len());
    for key in &keys[i * PER_ITEM..end] {
        own[digit(*key, shift)] += 1;
    }
    for d in 0..DIGITS {
        counts[d * global_size(0) + i] = own[d];
    }
}

/// What stands before each element adds up to; in place, by one group, which goes from piece to piece.
///
/// # Safety
///
/// The grid is one group.
#[kernel(local = GROUP)]
unsafe fn scan(x: &mut [u32]) {
    let mut sums = local_array::<u32, GROUP>();
    let l = local_id(0);
    let mut before = 0;
    for start in (0..x.len()).step_by(GROUP) {
        let own = if start + l < x.len() { x[start + l] } else { 0 };
        sums[l] = own;
        barrier();
        let mut distance = 1;
        while distance < GROUP {
            let left = if l >= distance { sums[l - distance] } else { 0 };
            barrier();
            sums[l] += left;
            barrier();
            distance <<= 1;
        }
        if start + l < x.len() {
            x[start + l] = before + sums[l] - own;
        }
        before += sums[GROUP - 1];
        barrier();
    }
}

/// Puts each key, and its value, where its digit begins.
///
/// # Safety
///
/// `begins` is a scan of what `count` left of the same keys, and a grid of the same size.
#[kernel]
unsafe fn scatter(
    shift: u32,
    begins: &[u32],
    keys: &[u32],
    values: &[u32],
    new_keys: &mut [u32],
    new_values: &mut [u32],
) {
    let i = global_id(0);
    let mut next = [0; DIGITS];
    for (d, next) in next.iter_mut().enumerate() {
        *next = begins[d * global_size(0) + i];
    }
    let end = ((i + 1) * PER_ITEM).min(keys.len());
    for k in i * PER_ITEM..end {
        let d = digit(keys[k], shift);
        let to = next[d] as usize;
        next[d] += 1;
        new_keys[to] = keys[k];
        new_values[to] = values[k];
    }
}

/// Keys, and a value with each.
struct Pairs {
    keys: Buffer<u32>,
    values: Buffer<u32>,
}

/// Sorts pairs by their keys; `other` is as long.
fn sort(queue: &Queue, pairs: &mut Pairs, other: &mut Pairs) -> gridfn::Result<()> {
    let items = pairs.keys.len().div_ceil(PER_ITEM);
    let mut counts = queue.zeros::<u32>(items * DIGITS)?;
    for shift in (0..u32::BITS).step_by(BITS as usize) {
        launch!(
            queue,
            // SAFETY: there are `DIGITS` counts for each item.
            unsafe { count(shift, &pairs.keys, &mut counts) },
            global = items
        )?;
        // SAFETY: one group.
        launch!(queue, unsafe { scan(&mut counts) }, groups = 1, local = GROUP)?;
        let (old, new) = (&*pairs, &mut *other);
        launch!(
            queue,
            // SAFETY: the counts are of these keys.
            unsafe {
                scatter(
                    shift,
                    &counts,
                    &old.keys,
                    &old.values,
                    &mut new.keys,
                    &mut new.values,
                )
            },
            global = items
        )?;
        std::mem::swap(pairs, other);
    }
    Ok(())
}

/// A number that depends on which keys there are, how often, and not on their order.
fn hash(keys: &[u32]) -> u64 {
    let mixed = keys.iter().map(|key| {
        let key = (u64::from(*key) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    });
    mixed.fold(0, u64::wrapping_add)
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let n = n.unwrap_or(250);
    let queue = device.queue()?;
    let mut random = fastrand::Rng::with_seed(8);
    for (name, mask) in [("random", u32::MAX), ("many alike", 0x8000_0011)] {
        let keys: Vec<u32> = (0..n).map(|_| random.u32(..) & mask).collect();
        let numbers: Vec<u32> = (0..n as u32).collect();
        let upload = || {
            let (keys, values) = (queue.upload(&keys)?, queue.upload(&numbers)?);
            gridfn::Result::Ok(Pairs { keys, values })
        };
        let (mut pairs, mut other) = (upload()?, upload()?);
        let start = Instant::now();
        sort(&queue, &mut pairs, &mut other)?;
        queue.synchronize()?;
        println!("{n} {name}: {:.2?}", start.elapsed());
        let (sorted, values) = (queue.download(&pairs.keys)?, queue.download(&pairs.values)?);
        if !sorted.is_sorted() {
            return Err(common::failure("the keys are not sorted"));
        }
        if hash(&sorted) != hash(&keys) {
            return Err(common::failure("these are other keys"));
        }
        // Where a key came from is a key like it, and of equal ones the first is first.
        let places = sorted.iter().zip(&values);
        if places
            .clone()
            .any(|(key, &value)| keys.get(value as usize) != Some(key))
        {
            return Err(common::failure("the values are not those of the keys"));
        }
        if !places.is_sorted() {
            return Err(common::failure("equal keys have changed places"));
        }
    }
    Ok(())
}
