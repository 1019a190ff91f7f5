//! The null back end: does everything but run.
//!
//! Buffers are memory of the host and transfers are made; a launch fills the parameter block and the slots that a
//! device would be given, and ends there. So it measures the launch path alone, and it checks that what calls write
//! is what [`gridfn_ir::layout`] tells the code generators: the block's size at every launch, in debug builds each
//! argument too. [`last_launch`] tells what the launch saw.

mod device;
mod launch;
mod memory;
mod queue;

pub use device::Device;
pub use launch::{Seen, last_launch};
pub use memory::Memory;
pub use queue::Queue;

use gridfn_ir::Access;
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Backend, DeviceCopy, Error, Fill, Info, Kernel, QueueOptions, Result, Shape};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The back end that does everything but run.
#[derive(Clone, Copy, Debug)]
pub struct Null;

// SAFETY: memory and transfers are the host's, and launches touch no memory.
unsafe impl Backend for Null {
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
        unsafe { memory.bytes().write(source, bytes) };
        Ok(())
    }

    unsafe fn read(_: &Queue, memory: &Memory, target: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.bytes().read(target, bytes) };
        Ok(())
    }

    unsafe fn fill(_: &Queue, memory: &Memory, pattern: &[MaybeUninit<u8>], bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.bytes().fill(pattern, bytes) };
        Ok(())
    }

    unsafe fn copy(_: &Queue, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { source.bytes().copy(target.bytes(), bytes) };
        Ok(())
    }

    unsafe fn map(_: &Queue, memory: &Memory, _: usize, _: Access) -> Result<NonNull<u8>> {
        Ok(memory.bytes().mapped())
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

    fn synchronize(_: &Queue) -> Result<()> {
        Ok(())
    }

    fn prepare(queue: &Queue, kernel: &'static Kernel) -> Result<KernelInfo> {
        launch::compiled(*queue.device(), kernel)?;
        Ok(KernelInfo {
            group_size: queue.device().info().limits.group_size,
            preferred_multiple: 1,
            subgroup_size: None,
        })
    }

    #[inline]
    unsafe fn launch<F: Fill<Null>>(
        queue: &Queue,
        kernel: &'static Kernel,
        shape: &Shape,
        call: F,
    ) -> Result<()> {
        launch::launch(queue, kernel, shape, call)
    }
}
