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

use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::{Backend, Error, Fill, Info, Kernel, Result, Shape};

/// The back end that does everything but run.
#[derive(Clone, Copy, Debug)]
pub struct Null;

// SAFETY: memory and transfers are the host's, and launches touch no memory.
unsafe impl Backend for Null {
    type Device = Device;
    type Queue = Queue;
    type Memory = Memory;

    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device) -> Result<Queue> {
        Ok(Queue::new(*device))
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

    unsafe fn fill(_: &Queue, memory: &Memory, pattern: &[u8], bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { memory.bytes().fill(pattern, bytes) };
        Ok(())
    }

    unsafe fn copy(_: &Queue, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { source.bytes().copy(target.bytes(), bytes) };
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
