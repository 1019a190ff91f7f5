//! OpenCL 1.2 and later: GPUs, and CPUs behind drivers such as PoCL and Intel's.
//!
//! The library is loaded when the program first asks for devices; without it there are none. Kernels go to the
//! driver as SPIR-V where it takes that, else as OpenCL C.
//!
//! Beside the files that every back end has there are the driver's entry points (`api`), its error codes (`error`),
//! its events (`event`), its kernels (`pool`), mapped buffers (`map`), raw handles (`raw`), and how faults come back (`fault`).

mod api;
mod compile;
mod device;
mod error;
mod event;
mod fault;
mod launch;
mod map;
mod memory;
mod pool;
mod print;
mod queue;
mod raw;

pub use device::{Device, devices};
pub use event::Event;
pub use memory::Memory;
pub use queue::Queue;

use gridfn_ir::Access;
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Backend, DeviceCopy, Fill, Info, Kernel, QueueOptions, Result, Shape};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// The OpenCL back end.
pub struct OpenCl;

// SAFETY: memory objects are as large as asked, the driver keeps them until their commands are done (`memory`), and
// only the commands that name them touch them. Queues are in order, and wait for each other (`queue`).
unsafe impl Backend for OpenCl {
    type Device = Device;
    type Queue = Queue;
    type Memory = Memory;
    type Event = Event;

    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device, options: &QueueOptions) -> Result<Queue> {
        Queue::new(*device, options)
    }

    fn printer(queue: &Queue) -> &Printer {
        queue.printer()
    }

    fn device(queue: &Queue) -> &Device {
        queue.device_ref()
    }

    fn allocate(queue: &Queue, bytes: usize) -> Result<Memory> {
        Memory::new(queue, bytes)
    }

    unsafe fn into_vec<T: DeviceCopy>(memory: Memory, len: usize) -> Result<Vec<T>> {
        let queue = memory.device().transfers()?;
        let mut data = Vec::<T>::with_capacity(len);
        // SAFETY: there is room for the elements, which are valid once the read has succeeded.
        unsafe {
            queue.read(&memory, data.as_mut_ptr().cast(), len * size_of::<T>())?;
            data.set_len(len);
        }
        Ok(data)
    }

    unsafe fn write(queue: &Queue, memory: &Memory, source: *const u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.write(memory, source, bytes) }
    }

    unsafe fn read(queue: &Queue, memory: &Memory, target: *mut u8, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.read(memory, target, bytes) }
    }

    unsafe fn fill(queue: &Queue, memory: &Memory, pattern: &[MaybeUninit<u8>], bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.fill(memory, pattern, bytes) }
    }

    unsafe fn copy(queue: &Queue, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.copy(source, target, bytes) }
    }

    unsafe fn map(queue: &Queue, memory: &Memory, bytes: usize, access: Access) -> Result<NonNull<u8>> {
        // SAFETY: the caller's promise.
        unsafe { queue.map(memory, bytes, access) }
    }

    unsafe fn unmap(queue: &Queue, memory: &Memory, start: NonNull<u8>, access: Access) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { queue.unmap(memory, start, access) }
    }

    fn record(queue: &Queue) -> Result<Event> {
        queue.record()
    }

    fn wait(queue: &Queue, event: &Event) -> Result<()> {
        queue.wait(event)
    }

    fn is_done(event: &Event) -> Result<bool> {
        event.is_done()
    }

    fn finish(event: &Event) -> Result<()> {
        event.finish()
    }

    fn when_done(event: &Event, then: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        event.when_done(then)
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
