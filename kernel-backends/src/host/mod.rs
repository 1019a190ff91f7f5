//! The host: kernels run as the Rust functions that they are, on the program's own threads.
//!
//! A launch is synchronous. Small ones run on the calling thread, large ones over parked workers
//! (`workers.rs`); `launch.rs` says what is large. A launch without a work-group size runs with groups of 64 items
//! along x, or of the whole grid's x if that is less.
//!
//! Three environment variables are read once: `GRIDFN_HOST_SUBGROUP_SIZE` is the number of items of a sub-group, a power of two
//! up to 64 (32 without it), `GRIDFN_THREADS` is the number of threads that a launch may use, and
//! `GRIDFN_HOST_ISA=baseline` keeps to the instructions that every CPU of the target has.

mod device;
mod launch;
mod memory;
mod queue;
mod workers;

pub use device::Device;
pub use memory::Memory;
pub use queue::Queue;

use gridfn_ir::Access;
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Backend, DeviceCopy, Error, Fill, Info, Kernel, QueueOptions, Result, Shape};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The back end of the CPU that the program runs on.
#[derive(Clone, Copy, Debug)]
pub struct Host;

// SAFETY: memory is an allocation of its own, as large as asked, which lives until it is dropped; transfers and
// launches are done when they return, and touch only what they name.
unsafe impl Backend for Host {
    type Device = Device;
    type Queue = Queue;
    type Memory = Memory;
    /// Always done: the queue runs what it is given at once.
    type Event = ();

    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device, _: &QueueOptions) -> Result<Queue> {
        Ok(Queue::new(*device))
    }

    fn printer(queue: &Queue) -> &Printer {
        queue.printer()
    }

    fn device(queue: &Queue) -> &Device {
        queue.device()
    }

    fn allocate(_: &Queue, bytes: usize) -> Result<Memory> {
        Memory::new(bytes).ok_or_else(|| Error::OutOfMemory {
            device: device::ID.into(),
            bytes,
        })
    }

    fn adopt<T: DeviceCopy>(_: &Queue, data: Vec<T>) -> Result<Memory> {
        Ok(Memory::of_vec(data))
    }

    unsafe fn into_vec<T: DeviceCopy>(memory: Memory, len: usize) -> Result<Vec<T>> {
        // SAFETY: the caller's promise; launches are done when they return.
        Ok(unsafe { memory.into_vec(len) })
    }

    unsafe fn write(_: &Queue, memory: &Memory, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.write(source, bytes) };
        Ok(())
    }

    unsafe fn read(queue: &Queue, memory: &Memory, target: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.read(target, bytes) };
        queue.faults()
    }

    unsafe fn fill(_: &Queue, memory: &Memory, pattern: &[MaybeUninit<u8>], bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.fill(pattern, bytes) };
        Ok(())
    }

    unsafe fn copy(_: &Queue, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { source.copy(target, bytes) };
        Ok(())
    }

    unsafe fn map(queue: &Queue, memory: &Memory, _: usize, _: Access) -> Result<NonNull<u8>> {
        queue.faults()?;
        Ok(memory.mapped())
    }

    unsafe fn unmap(_: &Queue, _: &Memory, _: NonNull<u8>, _: Access) -> Result<()> {
        Ok(())
    }

    fn record(_: &Queue) -> Result<()> {
        Ok(())
    }

    fn wait(_: &Queue, (): &()) -> Result<()> {
        Ok(())
    }

    fn is_done((): &()) -> Result<bool> {
        Ok(true)
    }

    fn finish((): &()) -> Result<()> {
        Ok(())
    }

    fn when_done((): &(), then: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        then(Ok(()));
        Ok(())
    }

    fn synchronize(queue: &Queue) -> Result<()> {
        queue.faults()
    }

    fn prepare(queue: &Queue, kernel: &'static Kernel) -> Result<KernelInfo> {
        launch::prepare(*queue.device(), kernel);
        Ok(KernelInfo {
            group_size: queue.device().info().limits.group_size,
            preferred_multiple: 16,
            subgroup_size: Some(gridfn_runtime::host::subgroup_size()),
        })
    }

    #[inline]
    unsafe fn launch<F: Fill<Host>>(
        queue: &Queue,
        kernel: &'static Kernel,
        shape: &Shape,
        call: F,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { launch::launch(queue, kernel, shape, call) }
    }
}
