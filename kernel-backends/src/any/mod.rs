//! The enum over the back ends, and the concrete [`Device`] that users meet.
//!
//! A launch dispatches once; from then on the arguments go straight into the slots of that back end. A buffer of
//! another back end is found where its memory is taken out of the enum.
//!
//! To add a back end, add a variant to the enums here, a line to `dispatch!`, and an impl of `Arm`; the compiler
//! names the other places.

/// Runs `$body` for the variant of `$value`, with `$backend` as the name of its back end.
macro_rules! dispatch {
    ($enum:ident, $value:expr, $backend:ident, $inner:pat => $body:expr) => {
        match $value {
            $enum::Host($inner) => {
                type $backend = crate::host::Host;
                $body
            }
            $enum::Null($inner) => {
                type $backend = crate::null::Null;
                $body
            }
            #[cfg(feature = "opencl")]
            $enum::OpenCl($inner) => {
                type $backend = crate::opencl::OpenCl;
                $body
            }
        }
    };
}

mod device;
mod event;
mod launch;
mod memory;
#[cfg(feature = "opencl")]
pub mod opencl;
mod queue;
mod select;

pub use device::Device;
pub use event::AnyEvent;
pub use memory::AnyMemory;
pub use queue::AnyQueue;

use gridfn_ir::Access;
use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Backend, DeviceCopy, Error, Fill, Info, Kernel, QueueOptions, Result, Shape};
use launch::Narrow;
use queue::Raw;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// A queue of any device, or of one back end's.
pub type Queue<B = Any> = gridfn_runtime::Queue<B>;
/// A buffer on any device, or on one back end's.
pub type Buffer<T, B = Any> = gridfn_runtime::Buffer<T, B>;
/// An event of any device's queue, or of one back end's.
pub type Event<B = Any> = gridfn_runtime::Event<B>;
/// A buffer of any device that is mapped to be read, or of one back end's.
pub type Mapped<'b, T, B = Any> = gridfn_runtime::Mapped<'b, T, B>;
/// A buffer of any device that is mapped to be written, or of one back end's.
pub type MappedMut<'b, T, B = Any> = gridfn_runtime::MappedMut<'b, T, B>;
/// A buffer of any device, or of one back end's, with a shape: what kernels read. [`gridfn_runtime::View`] has more.
pub type View<'b, T, const D: usize, B = Any> = gridfn_runtime::View<'b, T, D, B>;
/// A buffer of any device, or of one back end's, with a shape: what kernels write. [`gridfn_runtime::ViewMut`] has more.
pub type ViewMut<'b, T, const D: usize, B = Any> = gridfn_runtime::ViewMut<'b, T, D, B>;
/// A kernel compiled for any device, or for one back end's.
pub type Prepared<K, B = Any> = gridfn_runtime::Prepared<K, B>;

/// All back ends as one.
#[derive(Clone, Copy, Debug)]
pub struct Any;

/// A back end that [`Any`] has a variant of.
trait Arm: Backend {
    /// The memory, if it is of this back end.
    fn memory(memory: &AnyMemory) -> Option<&Self::Memory>;
    /// The variant that holds `memory`.
    fn wrap(memory: Self::Memory) -> AnyMemory;
    /// The event, if it is of this back end.
    fn event(event: &AnyEvent) -> Option<&Self::Event>;
    /// The variant that holds `event`.
    fn wrap_event(event: Self::Event) -> AnyEvent;
}

/// The memory for a transfer on `queue`.
#[inline]
fn own<'m, B: Arm>(queue: &AnyQueue, memory: &'m AnyMemory) -> Result<&'m B::Memory> {
    B::memory(memory).ok_or_else(|| foreign(queue, memory))
}

#[cold]
fn foreign(queue: &AnyQueue, memory: &AnyMemory) -> Error {
    Error::ForeignTransfer {
        buffer_device: memory.device_id(),
        queue_device: queue.device().info().id.clone(),
    }
}

// SAFETY: each method is that of the back end whose queue it is, with memory of that back end or an error.
unsafe impl Backend for Any {
    type Device = Device;
    type Queue = AnyQueue;
    type Memory = AnyMemory;
    type Event = AnyEvent;

    #[inline]
    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device, options: &QueueOptions) -> Result<AnyQueue> {
        AnyQueue::new(device, options)
    }

    fn printer(queue: &AnyQueue) -> &Printer {
        dispatch!(Raw, queue.raw(), B, raw => B::printer(raw))
    }

    #[inline]
    fn device(queue: &AnyQueue) -> &Device {
        queue.device()
    }

    fn allocate(queue: &AnyQueue, bytes: usize) -> Result<AnyMemory> {
        dispatch!(Raw, queue.raw(), B, raw => B::allocate(raw, bytes).map(B::wrap))
    }

    fn adopt<T: DeviceCopy>(queue: &AnyQueue, data: Vec<T>) -> Result<AnyMemory> {
        dispatch!(Raw, queue.raw(), B, raw => B::adopt(raw, data).map(B::wrap))
    }

    unsafe fn into_vec<T: DeviceCopy>(memory: AnyMemory, len: usize) -> Result<Vec<T>> {
        dispatch!(AnyMemory, memory, B, memory => {
            // SAFETY: the caller's promise.
            unsafe { B::into_vec(memory, len) }
        })
    }

    unsafe fn write(queue: &AnyQueue, memory: &AnyMemory, source: *const u8, bytes: usize) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::write(raw, own::<B>(queue, memory)?, source, bytes) }
        })
    }

    unsafe fn read(queue: &AnyQueue, memory: &AnyMemory, target: *mut u8, bytes: usize) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::read(raw, own::<B>(queue, memory)?, target, bytes) }
        })
    }

    unsafe fn fill(
        queue: &AnyQueue,
        memory: &AnyMemory,
        pattern: &[MaybeUninit<u8>],
        bytes: usize,
    ) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::fill(raw, own::<B>(queue, memory)?, pattern, bytes) }
        })
    }

    unsafe fn copy(queue: &AnyQueue, source: &AnyMemory, target: &AnyMemory, bytes: usize) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::copy(raw, own::<B>(queue, source)?, own::<B>(queue, target)?, bytes) }
        })
    }

    unsafe fn map(queue: &AnyQueue, memory: &AnyMemory, bytes: usize, access: Access) -> Result<NonNull<u8>> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::map(raw, own::<B>(queue, memory)?, bytes, access) }
        })
    }

    unsafe fn unmap(queue: &AnyQueue, memory: &AnyMemory, start: NonNull<u8>, access: Access) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise.
            unsafe { B::unmap(raw, own::<B>(queue, memory)?, start, access) }
        })
    }

    fn record(queue: &AnyQueue) -> Result<AnyEvent> {
        dispatch!(Raw, queue.raw(), B, raw => B::record(raw).map(B::wrap_event))
    }

    fn wait(queue: &AnyQueue, event: &AnyEvent) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => match B::event(event) {
            Some(event) => B::wait(raw, event),
            // No back end can wait for another's events but on the host.
            None => Any::finish(event),
        })
    }

    fn is_done(event: &AnyEvent) -> Result<bool> {
        dispatch!(AnyEvent, event, B, event => B::is_done(event))
    }

    fn finish(event: &AnyEvent) -> Result<()> {
        dispatch!(AnyEvent, event, B, event => B::finish(event))
    }

    fn when_done(event: &AnyEvent, then: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        dispatch!(AnyEvent, event, B, event => B::when_done(event, then))
    }

    fn synchronize(queue: &AnyQueue) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => B::synchronize(raw))
    }

    fn prepare(queue: &AnyQueue, kernel: &'static Kernel) -> Result<KernelInfo> {
        dispatch!(Raw, queue.raw(), B, raw => B::prepare(raw, kernel))
    }

    #[inline]
    unsafe fn launch<F: Fill<Any>>(
        queue: &AnyQueue,
        kernel: &'static Kernel,
        shape: &Shape,
        call: F,
    ) -> Result<()> {
        dispatch!(Raw, queue.raw(), B, raw => {
            // SAFETY: the caller's promise; what is narrowed writes the same arguments in the same order.
            unsafe { B::launch(raw, kernel, shape, Narrow::<B, F>::new(call, kernel, queue)) }
        })
    }
}
