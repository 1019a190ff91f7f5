//! A launch allocates nothing, in the whole process, whatever the number of its arguments.
//!
//! The allocator counts every allocation of Rust code on every thread; a driver's own C allocations are not seen.

#[path = "support/arguments.rs"]
mod arguments;

use arguments::{LAUNCHES, Launch, devices};
use gridfn::prelude::*;
use libtest_mimic::{Arguments, Failed, Trial};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts, and leaves the work to the system.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const LAUNCH_COUNT: usize = 1000;

fn main() {
    let mut arguments = Arguments::from_args();
    // Another test's allocations would be counted too.
    arguments.test_threads = Some(1);
    let mut trials = vec![];
    for device in devices() {
        for n in [64, 1 << 20] {
            for (kind, count, launch) in LAUNCHES {
                // A launch of 64 arguments over 2^20 items takes long where kernels are interpreted; launches are the
                // same whatever they run.
                let slow = device.info().vendor.to_lowercase().contains("oclgrind");
                let launches = if slow { 2 } else { LAUNCH_COUNT };
                let device = device.clone();
                let name = format!("{}: {count} arguments, {kind}, n = {n}", device.info().id);
                trials.push(Trial::test(name, move || {
                    check(&device, n, count, launch, launches)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(device: &Device, n: usize, count: usize, launch: Launch, launches: usize) -> Result<(), Failed> {
    let queue = device.queue()?;
    let mut y = queue.zeros::<f32>(n)?;
    // Small integers, so that every order of summation is exact.
    let inputs: Vec<Vec<f32>> = (0..count - 1)
        .map(|k| (0..n).map(|i| ((i + k) % 7) as f32).collect())
        .collect();
    let x = inputs
        .iter()
        .map(|data| queue.upload(data))
        .collect::<gridfn::Result<Vec<_>>>()?;
    for _ in 0..10 {
        launch(&queue, n, &mut y, &x)?;
    }
    queue.synchronize()?;
    let before = ALLOCATIONS.load(Ordering::SeqCst);
    for _ in 0..launches {
        launch(&queue, n, &mut y, &x)?;
    }
    let enqueued = ALLOCATIONS.load(Ordering::SeqCst);
    queue.synchronize()?;
    let after = ALLOCATIONS.load(Ordering::SeqCst);
    if after != before {
        let (at_launch, at_wait) = (enqueued - before, after - enqueued);
        return Err(format!("{at_launch} allocations in {launches} launches, {at_wait} in the wait").into());
    }
    if device.info().id == "null" {
        return Ok(());
    }
    let sums = queue.download(&y)?;
    let expected = |i: usize| inputs.iter().map(|x| x[i]).sum::<f32>();
    match (0..n).find(|i| sums[*i] != expected(*i)) {
        Some(i) => Err(format!("y[{i}] is {}, not {}", sums[i], expected(i)).into()),
        None => Ok(()),
    }
}
