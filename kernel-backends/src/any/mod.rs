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
mod launch;
mod memory;
mod queue;
mod select;

pub use device::Device;
pub use memory::AnyMemory;
pub use queue::AnyQueue;

use gridfn_runtime::backend::KernelInfo;
use gridfn_runtime::{Backend, Error, Fill, Info, Kernel, Result, Shape};
use launch::Narrow;
use queue::Raw;

/// A queue of any device, or of one back end's.
pub type Queue<B = Any> = gridfn_runtime::Queue<B>;
/// A buffer on any device, or on one back end's.
pub type Buffer<T, B = Any> = gridfn_runtime::Buffer<T, B>;
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

    #[inline]
    fn info(device: &Device) -> &Info {
        device.info()
    }

    fn new_queue(device: &Device) -> Result<AnyQueue> {
        AnyQueue::new(device)
    }

    #[inline]
    fn device(queue: &AnyQueue) -> &Device {
        queue.device()
    }

    fn allocate(queue: &AnyQueue, bytes: usize) -> Result<AnyMemory> {
        dispatch!(Raw, queue.raw(), B, raw => B::allocate(raw, bytes).map(B::wrap))
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

    unsafe fn fill(queue: &AnyQueue, memory: &AnyMemory, pattern: &[u8], bytes: usize) -> Result<()> {
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
