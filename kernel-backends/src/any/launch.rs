//! From a call for any back end to a call for one.

use super::{Any, AnyMemory, AnyQueue, Arm};
use gridfn_ir::{Access, Type};
use gridfn_runtime::{Error, Fill, Kernel, Result, Slots, leaves};
use std::marker::PhantomData;

/// A call for [`Any`] as a call for `B`: the same arguments, each buffer's memory taken out of the enum.
pub(super) struct Narrow<'q, B, F> {
    call: F,
    kernel: &'static Kernel,
    queue: &'q AnyQueue,
    backend: PhantomData<B>,
}

impl<'q, B: Arm, F: Fill<Any>> Narrow<'q, B, F> {
    #[inline(always)]
    pub(super) fn new(call: F, kernel: &'static Kernel, queue: &'q AnyQueue) -> Self {
        Narrow {
            call,
            kernel,
            queue,
            backend: PhantomData,
        }
    }
}

impl<B: Arm, F: Fill<Any>> Fill<B> for Narrow<'_, B, F> {
    #[inline(always)]
    fn fill<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.call.fill(&mut NarrowSlots::<B, S> {
            slots,
            argument: 0,
            kernel: self.kernel,
            queue: self.queue,
            backend: PhantomData,
        })
    }
}

/// The slots of `B`, for arguments of [`Any`].
struct NarrowSlots<'s, B, S> {
    slots: &'s mut S,
    /// The number of the next argument, for the error.
    argument: usize,
    kernel: &'static Kernel,
    queue: &'s AnyQueue,
    backend: PhantomData<B>,
}

impl<B: Arm, S: Slots<B>> Slots<Any> for NarrowSlots<'_, B, S> {
    #[inline(always)]
    fn scalar<T>(&mut self, value: T) {
        self.argument += 1;
        self.slots.scalar(value);
    }

    #[inline(always)]
    unsafe fn aggregate<T: Copy>(&mut self, ty: &'static Type, value: T) {
        self.argument += leaves::count(ty);
        // SAFETY: the caller's promise.
        unsafe { self.slots.aggregate(ty, value) }
    }

    #[inline(always)]
    fn buffer(&mut self, memory: &AnyMemory, len: usize, access: Access) -> Result<()> {
        match B::memory(memory) {
            Some(memory) => {
                self.argument += 1;
                self.slots.buffer(memory, len, access)
            }
            None => Err(foreign(self.kernel, self.argument, memory, self.queue)),
        }
    }
}

#[cold]
#[inline(never)]
fn foreign(kernel: &Kernel, argument: usize, memory: &AnyMemory, queue: &AnyQueue) -> Error {
    Error::ForeignBuffer {
        kernel: kernel.name.into(),
        parameter: kernel.parameter(argument),
        buffer_device: memory.device_id(),
        queue_device: queue.device().info().id.clone(),
    }
}
