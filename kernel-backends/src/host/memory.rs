//! The memory of one buffer.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::{NonNull, copy_nonoverlapping, write_bytes};

/// A cache line, and more than any vector.
const ALIGN: usize = 64;

/// An allocation, aligned to 64. Its content is what transfers and launches put there.
#[derive(Debug)]
pub struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the memory is its owner's alone; access to it goes through transfers and launches, which safe code names
// it for by `&mut` where they write.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// `bytes` bytes, if there is room.
    pub(crate) fn new(bytes: usize) -> Option<Memory> {
        let layout = Layout::from_size_align(bytes, ALIGN).ok()?;
        let start = if bytes == 0 {
            NonNull::without_provenance(layout.align().try_into().ok()?)
        } else {
            // SAFETY: the size is not zero.
            NonNull::new(unsafe { alloc(layout) })?
        };
        Some(Memory { start, layout })
    }

    /// The first byte.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Copies to the start of the memory.
    ///
    /// # Safety
    ///
    /// `source` is readable, the memory is as large, and nobody else touches it.
    pub(crate) unsafe fn write(&self, source: *const u8, bytes: usize) {
        debug_assert!(bytes <= self.layout.size());
        // SAFETY: the caller's promise; memory never lies inside a slice of the program's.
        unsafe { copy_nonoverlapping(source, self.start(), bytes) }
    }

    /// Copies from the start of the memory.
    ///
    /// # Safety
    ///
    /// `target` is writable, the memory is as large, and nobody writes it.
    pub(crate) unsafe fn read(&self, target: *mut u8, bytes: usize) {
        debug_assert!(bytes <= self.layout.size());
        // SAFETY: as for `write`.
        unsafe { copy_nonoverlapping(self.start(), target, bytes) }
    }

    /// Repeats `pattern` from the start of the memory.
    ///
    /// # Safety
    ///
    /// The memory is as large, and nobody else touches it. `pattern` has 1, 2, 4 or 8 bytes and divides `bytes`.
    pub(crate) unsafe fn fill(&self, pattern: &[u8], bytes: usize) {
        debug_assert!(bytes <= self.layout.size());
        if let [byte] = pattern {
            // SAFETY: the caller's promise.
            return unsafe { write_bytes(self.start(), *byte, bytes) };
        }
        // The part that is filled already is what is copied next, so that it doubles each time.
        let mut filled = pattern.len().min(bytes);
        // SAFETY: both parts lie within `bytes`, and the second begins where the first ends at the earliest.
        unsafe {
            copy_nonoverlapping(pattern.as_ptr(), self.start(), filled);
            while filled < bytes {
                let more = filled.min(bytes - filled).min(DOUBLING_LIMIT);
                copy_nonoverlapping(self.start(), self.start().add(filled), more);
                filled += more;
            }
        }
    }

    /// Copies the first bytes to another memory.
    ///
    /// # Safety
    ///
    /// Both are as large and not the same, nobody writes this one, and nobody else touches `target`.
    pub(crate) unsafe fn copy(&self, target: &Memory, bytes: usize) {
        debug_assert!(bytes <= self.layout.size().min(target.layout.size()));
        // SAFETY: the caller's promise.
        unsafe { copy_nonoverlapping(self.start(), target.start(), bytes) }
    }
}

/// What `fill` copies at most at once: a multiple of every pattern that stays in the first cache.
const DOUBLING_LIMIT: usize = 8192;

impl Drop for Memory {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout; launches are done when they return.
            unsafe { dealloc(self.start(), self.layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_may_be_empty() {
        for bytes in [0, 1, 63, 64, 65, 1 << 20] {
            let memory = Memory::new(bytes);
            assert!(
                memory.is_some_and(|m| (m.start() as usize).is_multiple_of(ALIGN)),
                "{bytes}"
            );
        }
        assert!(Memory::new(usize::MAX).is_none());
        assert!(Memory::new(isize::MAX as usize - ALIGN).is_none());
    }

    #[test]
    fn fill_repeats_every_pattern_and_no_more() {
        for pattern in [&[7u8][..], &[1, 2], &[1, 2, 3, 4], &[1, 2, 3, 4, 5, 6, 7, 8]] {
            for count in [0, 1, 2, 3, 5, 1000, 8192, 8193, 20000] {
                let bytes = count * pattern.len();
                let Some(memory) = Memory::new(bytes + 8) else {
                    panic!("no room for {bytes} bytes")
                };
                let mut found = vec![0; bytes + 8];
                // SAFETY: the memory is as large, and nobody else has it.
                unsafe {
                    memory.fill(&[0xEE], bytes + 8);
                    memory.fill(pattern, bytes);
                    memory.read(found.as_mut_ptr(), bytes + 8);
                }
                let expected: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
                assert_eq!(found[..bytes], expected, "{pattern:?} {count}");
                assert_eq!(found[bytes..], [0xEE; 8], "{pattern:?} {count}");
            }
        }
    }
}
