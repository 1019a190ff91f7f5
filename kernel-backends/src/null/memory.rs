//! The memory of one buffer: the host's, in a type of its own so that the two are never taken for each other.

use crate::host;

/// Memory of the null device.
#[derive(Debug)]
pub struct Memory(host::Memory);

impl Memory {
    pub(super) fn new(bytes: usize) -> Option<Memory> {
        host::Memory::new(bytes).map(Memory)
    }

    pub(super) fn of_vec<T>(vec: Vec<T>) -> Memory {
        Memory(host::Memory::of_vec(vec))
    }

    /// # Safety
    ///
    /// The memory has as many valid elements, and nobody else touches it.
    pub(super) unsafe fn into_vec<T: Copy>(self, len: usize) -> Vec<T> {
        // SAFETY: the caller's promise.
        unsafe { self.0.into_vec(len) }
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &host::Memory {
        &self.0
    }
}
