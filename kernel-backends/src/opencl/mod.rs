//! OpenCL 1.2 and later: GPUs, and CPUs behind drivers such as PoCL and Intel's.
//!
//! The library is loaded when the program first asks for devices; without it there are none. Kernels go to the
//! driver as SPIR-V where it takes that, else as OpenCL C.
//!
//! Beside the files that every back end has there are the driver's entry points (`api`), its error codes (`error`),
//! and how faults come back (`fault`).

mod api;
mod compile;
mod device;
mod error;
mod fault;
mod launch;
mod memory;
mod pool;
mod queue;

pub use device::{Device, devices};
pub use memory::Memory;
pub use queue::Queue;

use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::{Backend, Fill, Info, Kernel, Result, Shape};

/// The OpenCL back end.
pub struct OpenCl;

// SAFETY: memory objects are as large as asked, the driver keeps them until their commands are done (`memory`), and
// only the commands that name them touch them. Queues are in order, and wait for each other (`queue`).
unsafe impl Backend for OpenCl {
    type Device = Device;
    type Queue = Queue;
    type Memory = Memory;

    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device) -> Result<Queue> {
        Queue::new(*device)
    }

    fn device(queue: &Queue) -> &Device {
        queue.device_ref()
    }

    fn allocate(queue: &Queue, bytes: usize) -> Result<Memory> {
        Memory::new(queue, bytes)
    }

    unsafe fn write(queue: &Queue, memory: &Memory, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.write(memory, source, bytes) }
    }

    unsafe fn read(queue: &Queue, memory: &Memory, target: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.read(memory, target, bytes) }
    }

    unsafe fn fill(queue: &Queue, memory: &Memory, pattern: &[u8], bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.fill(memory, pattern, bytes) }
    }

    unsafe fn copy(queue: &Queue, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.copy(source, target, bytes) }
    }

    fn synchronize(queue: &Queue) -> Result<()> {
        queue.synchronize()
    }

    fn prepare(queue: &Queue, kernel: &'static Kernel) -> Result<KernelInfo> {
        Ok(compile::compiled(queue.device(), kernel)?.info())
    }

    #[inline]
    unsafe fn launch<F: Fill<Self>>(
        queue: &Queue,
        kernel: &'static Kernel,
        shape: &Shape,
        call: F,
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { launch::launch(queue, kernel, shape, call) }
    }
}
