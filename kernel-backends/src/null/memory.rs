//! The memory of one buffer: the host's, in a type of its own so that the two are never taken for each other.

use crate::host;

/// Memory of the null device.
#[derive(Debug)]
pub struct Memory(host::Memory);

impl Memory {
    pub(super) fn new(bytes: usize) -> Option<Memory> {
        host::Memory::new(bytes).map(Memory)
    }

    #[inline(always)]
    pub(super) fn bytes(&self) -> &host::Memory {
        &self.0
    }
}
