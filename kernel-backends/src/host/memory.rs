//! The memory of one buffer.

use crate::live;
use std::alloc::{Layout, alloc, dealloc};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::{NonNull, copy_nonoverlapping, write_bytes};

/// A cache line, and more than any vector.
const ALIGN: usize = 64;

/// An allocation: one of its own, aligned to 64, or that of a vector, aligned as its elements are. Its content is what
/// transfers and launches put there.
#[derive(Debug)]
pub struct Memory {
    start: NonNull<u8>,
    layout: Layout,
    _alive: live::Memory,
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
        Some(Memory {
            start,
            layout,
            _alive: live::Memory::new(),
        })
    }

    /// The allocation of a vector, with its content.
    pub(crate) fn of_vec<T>(vec: Vec<T>) -> Memory {
        let mut vec = ManuallyDrop::new(vec);
        // SAFETY: a vector's allocation has this layout already.
        let layout = unsafe {
            Layout::from_size_align_unchecked(vec.capacity().wrapping_mul(size_of::<T>()), align_of::<T>())
        };
        Memory {
            // SAFETY: a vector's pointer is never null.
            start: unsafe { NonNull::new_unchecked(vec.as_mut_ptr().cast()) },
            layout,
            _alive: live::Memory::new(),
        }
    }

    /// The first `len` elements as a vector: over the allocation itself if its layout is a vector's, else a copy.
    ///
    /// # Safety
    ///
    /// The memory has as many valid elements, and nobody else touches it.
    pub(crate) unsafe fn into_vec<T: Copy>(mut self, len: usize) -> Vec<T> {
        let whole = self.layout.size().checked_div(size_of::<T>()).unwrap_or(len);
        if self.layout.align() == align_of::<T>() && whole * size_of::<T>() == self.layout.size() {
            // What is left frees nothing.
            self.layout = Layout::new::<()>();
            // SAFETY: the allocation is the global allocator's, with the layout of a vector of `whole` elements, and of
            // them `len` are valid.
            return unsafe { Vec::from_raw_parts(self.start().cast(), len, whole) };
        }
        let mut vec = Vec::<T>::with_capacity(len);
        // SAFETY: there is room for the elements, which are valid; and the caller's promise.
        unsafe {
            self.read(vec.as_mut_ptr().cast(), len * size_of::<T>());
            vec.set_len(len);
        }
        vec
    }

    /// The first byte.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The first byte, which is never null.
    pub(crate) fn mapped(&self) -> NonNull<u8> {
        self.start
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
    /// The memory is as large, and nobody else touches it. `pattern` divides `bytes`, and has a value if it is one byte.
    pub(crate) unsafe fn fill(&self, pattern: &[MaybeUninit<u8>], bytes: usize) {
        debug_assert!(bytes <= self.layout.size());
        if let [byte] = pattern {
            // SAFETY: the caller's promise; what has one byte has no padding.
            return unsafe { write_bytes(self.start(), byte.assume_init(), bytes) };
        }
        // Whole patterns, so that the next part begins with one.
        let most = (DOUBLING_LIMIT / pattern.len().max(1)).max(1) * pattern.len();
        // The part that is filled already is what is copied next, so that it doubles each time.
        let mut filled = pattern.len().min(bytes);
        // SAFETY: both parts lie within `bytes`, and the second begins where the first ends at the earliest.
        unsafe {
            copy_nonoverlapping(pattern.as_ptr().cast(), self.start(), filled);
            while filled < bytes {
                let more = filled.min(bytes - filled).min(most);
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

/// What `fill` copies at most at once, so that it stays in the first cache; at least one pattern.
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

    fn maybe(bytes: &[u8]) -> &[MaybeUninit<u8>] {
        // SAFETY: a byte that has a value is one that may have.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
    }

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
        // Miri ends where there is no room.
        assert!(cfg!(miri) || Memory::new(isize::MAX as usize - ALIGN).is_none());
    }

    #[test]
    fn a_vector_comes_back_as_it_was() {
        fn check<T: Copy + PartialEq + std::fmt::Debug>(value: T) {
            for (len, capacity) in [(0, 0), (0, 5), (1, 1), (3, 10)] {
                let mut vec = Vec::with_capacity(capacity);
                vec.resize(len, value);
                let (address, capacity) = (vec.as_ptr(), vec.capacity());
                // SAFETY: the memory has these elements.
                let back: Vec<T> = unsafe { Memory::of_vec(vec).into_vec(len) };
                assert_eq!((back.as_ptr(), back.capacity()), (address, capacity));
                assert_eq!(back, vec![value; len]);
            }
        }
        check(7u8);
        check(1.5f64);
        check([1u16, 2, 3]);
        check(());
    }

    #[test]
    fn what_no_vector_could_free_is_copied() {
        let Some(memory) = Memory::new(12) else {
            panic!("no room for 12 bytes")
        };
        // SAFETY: the memory is as large, and nobody else has it.
        unsafe { memory.fill(maybe(&[1, 0]), 12) };
        let address = memory.start();
        // SAFETY: three elements, all of them filled.
        let vec: Vec<u32> = unsafe { memory.into_vec(3) };
        assert_eq!(vec, [0x1_0001; 3]);
        assert_ne!(vec.as_ptr().cast::<u8>().cast_mut(), address);
        // A vector of bytes does not fit into one of words, whose capacity it has no whole number of.
        // SAFETY: one element, all bytes of it set.
        let odd: Vec<u8> = unsafe { Memory::of_vec(vec![1u16, 2, 3]).into_vec(6) };
        assert_eq!(odd.len(), 6);
    }

    #[test]
    fn fill_repeats_every_pattern_and_no_more() {
        let long: Vec<u8> = (0..10_000).map(|n| (n % 251) as u8).collect();
        for pattern in [
            &[7u8][..],
            &[1, 2],
            &[1, 2, 3],
            &[1, 2, 3, 4],
            &[1, 2, 3, 4, 5, 6, 7, 8],
            &long,
        ] {
            // Miri compares a byte in a microsecond.
            let counts = [0, 1, 2, 3, 5, 1000, 8192, 8193, 20000];
            for count in counts
                .into_iter()
                .filter(|count| count * pattern.len() < if cfg!(miri) { 1000 } else { 200_000 })
            {
                let bytes = count * pattern.len();
                let Some(memory) = Memory::new(bytes + 8) else {
                    panic!("no room for {bytes} bytes")
                };
                let mut found = vec![0; bytes + 8];
                // SAFETY: the memory is as large, and nobody else has it.
                unsafe {
                    memory.fill(maybe(&[0xEE]), bytes + 8);
                    memory.fill(maybe(pattern), bytes);
                    memory.read(found.as_mut_ptr(), bytes + 8);
                }
                let expected: Vec<u8> = pattern.iter().copied().cycle().take(bytes).collect();
                assert_eq!(found[..bytes], expected, "{pattern:?} {count}");
                assert_eq!(found[bytes..], [0xEE; 8], "{pattern:?} {count}");
            }
        }
    }
}
