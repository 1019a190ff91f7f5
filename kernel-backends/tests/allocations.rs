//! A launch allocates nothing, in the whole process, once its kernel has been launched before.

mod support;

use gridfn_backends::Device;
use gridfn_runtime::Result;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::*;

struct Counting;
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The only test here: another one would allocate at the same time.
#[test]
fn a_launch_allocates_nothing() -> Result<()> {
    for device in [Device::host(), Device::null()] {
        let queue = device.queue()?;
        for n in [1usize, 64, 5000, 1 << 20] {
            let x = queue.upload(&vec![1.0f32; n])?;
            let mut y = queue.upload(&vec![1.0f32; n])?;
            let mut result = vec![0.0f32; n];
            launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), n)?;
            // A worker that starts late allocates for itself, once; a launch that allocates does so in every round.
            let mut rounds = 0;
            loop {
                rounds += 1;
                let before = ALLOCATIONS.load(Ordering::Relaxed);
                for _ in 0..100 {
                    launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), n)?;
                }
                queue.synchronize()?;
                queue.read(&y, &mut result)?;
                let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
                if allocations == 0 {
                    break;
                }
                assert!(rounds < 5, "{device}, {n} items: {allocations} allocations");
            }
            let launches = if device == Device::host() {
                1.0 + 100.0 * rounds as f32
            } else {
                0.0
            };
            assert!(result.iter().all(|v| *v == 1.0 + launches), "{device}, {n} items");
        }
    }
    Ok(())
}
