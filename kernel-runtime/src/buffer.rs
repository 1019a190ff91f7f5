//! A buffer: typed memory of a device.

use crate::backend::Backend;
use std::marker::PhantomData;

/// `len` elements of `T` in the memory of a device.
///
/// It may be dropped at any time: what a launch in flight uses stays until the launch is done.
pub struct Buffer<T, B: Backend> {
    memory: B::Memory,
    len: usize,
    element: PhantomData<T>,
}

impl<T, B: Backend> Buffer<T, B> {
    /// A buffer over memory of `len` elements, all of them valid values once the queue has come so far.
    pub(crate) fn new(memory: B::Memory, len: usize) -> Self {
        Buffer {
            memory,
            len,
            element: PhantomData,
        }
    }

    /// The back end's memory.
    #[doc(hidden)]
    #[inline(always)]
    pub fn memory(&self) -> &B::Memory {
        &self.memory
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all elements.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T, B: Backend> std::fmt::Debug for Buffer<T, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}
