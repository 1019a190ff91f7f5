//! Orderings that operations do not have, of which rustc's own lint tells.
use gridfn::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::*};

#[kernel]
fn released(bins: &[AtomicU32]) {
    bins[1].store(bins[0].load(Release), Relaxed);
}

fn closure(queue: &Queue, bins: &mut Buffer<i32>) -> gridfn::Result<()> {
    let bins = bins.atomics();
    launch!(queue, |i| bins[i].store(1, Acquire), global = 4)
}

fn main() {}
