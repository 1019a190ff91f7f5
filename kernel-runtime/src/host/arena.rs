//! The memory of the work-groups that a thread runs: their local arrays, and what their items keep across barriers.
//!
//! Each thread has one arena, which it keeps from launch to launch. A group takes its memory from the start of the
//! arena, in the order of the kernel's text, and the next group takes the same memory again: nothing is allocated for
//! a group, and for a launch only where one needs more than any before it on that thread.
//!
//! The bytes of local arrays are always initialised, because every one of them is a value that an item may read before
//! any has written it. Slots are read only after they were written, so nothing is asked of their bytes. The two are in
//! separate memory: a value in a slot may have padding, which would make bytes of a later array uninitialised.

use gridfn_ir::Type;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::cell::Cell;
use std::ptr::NonNull;

/// What every array and slot begins at a multiple of.
pub(super) const ALIGN: usize = crate::element::MAX_ALIGN;

/// What a thread has before anything asks for more: no kernel of usual size needs an allocation.
const FIRST: usize = 64 << 10;

/// The memory that a group of a kernel takes, as the kernel's instance sums it up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Bytes of all local arrays.
    arrays: usize,
    /// Whether an element has bytes that belong to no field.
    padded: bool,
    /// Bytes of all slots, for one item.
    slots: usize,
    /// The number of slots.
    count: usize,
    /// The most that a function called by the group takes: bytes of arrays, and bytes and number of slots. Calls follow each
    /// other, so they take the same memory.
    called: [usize; 3],
}

impl Need {
    /// Nothing.
    pub const NOTHING: Need = Need {
        arrays: 0,
        padded: false,
        slots: 0,
        count: 0,
        called: [0; 3],
    };

    /// With a local array of `bytes`, whose elements have bytes that belong to no field if `padded`.
    pub(crate) const fn and_array(self, bytes: usize, padded: bool) -> Need {
        Need {
            arrays: self
                .arrays
                .saturating_add(bytes.saturating_add(ALIGN - 1) / ALIGN * ALIGN),
            padded: self.padded || padded,
            ..self
        }
    }

    /// With a value of `bytes` for each item.
    pub(crate) const fn and_slot(self, bytes: usize) -> Need {
        Need {
            slots: self.slots.saturating_add(bytes),
            count: self.count + 1,
            ..self
        }
    }

    /// With a call of a function that takes this.
    pub(crate) const fn and_call(self, callee: &Need) -> Need {
        const fn more(a: usize, b: usize) -> usize {
            if a < b { b } else { a }
        }
        Need {
            padded: self.padded || callee.padded,
            called: [
                more(self.called[0], callee.local_memory()),
                more(self.called[1], callee.slots.saturating_add(callee.called[1])),
                more(self.called[2], callee.count.saturating_add(callee.called[2])),
            ],
            ..self
        }
    }

    /// The bytes of local memory that a group takes.
    pub const fn local_memory(&self) -> usize {
        self.arrays.saturating_add(self.called[0])
    }

    /// The bytes of slots of a group of `items`.
    const fn slots_of(&self, items: usize) -> usize {
        let (slots, count) = (
            self.slots.saturating_add(self.called[1]),
            self.count.saturating_add(self.called[2]),
        );
        slots
            .saturating_mul(items)
            .saturating_add(count.saturating_mul(ALIGN))
    }
}

thread_local! {
    static ARENA: Cell<Option<Arena>> = const { Cell::new(None) };
}

/// Allocates what this thread will have, so that its first group does not.
pub fn warm_up() {
    Arena::take(&Need::NOTHING, 0).give_back();
}

/// The memory of one thread's groups.
pub(super) struct Arena {
    arrays: Memory,
    slots: Memory,
}

impl Arena {
    /// This thread's arena, with room for a group of `items`. A launch within a launch finds none, and makes one.
    pub(super) fn take(need: &Need, items: usize) -> Arena {
        let mut arena = ARENA.take().unwrap_or_else(|| Arena {
            arrays: Memory::new(FIRST),
            slots: Memory::new(FIRST),
        });
        arena.arrays.grow(need.local_memory());
        arena.slots.grow(need.slots_of(items));
        arena
    }

    /// Leaves the arena to the thread's next groups.
    pub(super) fn give_back(self) {
        ARENA.set(Some(self));
    }

    /// Its memory, for one group after the other.
    pub(super) fn parts(&mut self) -> [Part; 2] {
        [self.arrays.part(), self.slots.part()]
    }

    /// Initialises the bytes again that writing values with padding left without a value.
    pub(super) fn clean(&mut self, need: &Need) {
        if need.padded {
            let bytes = need.local_memory().min(self.arrays.layout.size());
            // SAFETY: within the allocation.
            unsafe { self.arrays.start.write_bytes(0, bytes) }
        }
    }
}

/// An allocation, zeroed.
struct Memory {
    start: NonNull<u8>,
    layout: Layout,
}

impl Memory {
    fn new(bytes: usize) -> Memory {
        let bytes = bytes.max(ALIGN);
        let Ok(layout) = Layout::from_size_align(bytes, ALIGN) else {
            panic!("the items of a work-group keep {bytes} bytes across barriers, more than there can be");
        };
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) });
        Memory {
            start: start.unwrap_or_else(|| handle_alloc_error(layout)),
            layout,
        }
    }

    fn grow(&mut self, bytes: usize) {
        if self.layout.size() < bytes {
            *self = Memory::new(bytes);
        }
    }

    fn part(&mut self) -> Part {
        Part {
            start: self.start,
            len: self.layout.size(),
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, once.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Memory from which one thing after the other is taken.
#[derive(Clone, Copy)]
pub(super) struct Part {
    start: NonNull<u8>,
    len: usize,
}

impl Part {
    /// The next `count` values, not initialised by this.
    #[inline(always)]
    pub(super) fn take<T>(&mut self, count: usize) -> NonNull<T> {
        const { assert!(align_of::<T>() <= ALIGN) };
        let bytes = (count * size_of::<T>()).next_multiple_of(ALIGN);
        if bytes > self.len {
            too_small();
        }
        let taken = self.start;
        // SAFETY: within the memory, or just behind it.
        self.start = unsafe { self.start.add(bytes) };
        self.len -= bytes;
        taken.cast()
    }
}

/// The instance's sum covers what the body takes, so this is a mistake in an expansion.
#[cold]
#[inline(never)]
fn too_small() -> ! {
    panic!("the kernel's groups take more memory than its instance says")
}

/// Whether values of the type have bytes that belong to no field, which a write leaves without a value.
pub(super) const fn is_padded(ty: &Type) -> bool {
    match ty {
        Type::Array { element, .. } => is_padded(element),
        Type::Struct(s) => {
            let (mut n, mut bytes) = (0, 0);
            while n < s.fields.len() {
                match s.fields[n].ty.size() {
                    Some(size) if !is_padded(&s.fields[n].ty) => bytes += size,
                    _ => return true,
                }
                n += 1;
            }
            bytes != s.size
        }
        Type::Unit
        | Type::Scalar(_)
        | Type::Atomic(_)
        | Type::Slice { .. }
        | Type::Enum(_)
        | Type::Reference { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceCopy;

    #[test]
    fn padding_is_what_no_field_has() {
        assert!(is_padded(&<[(f32, u8); 3]>::TYPE));
        assert!(!is_padded(&<([f32; 2], u64)>::TYPE));
    }

    #[test]
    fn a_thread_keeps_its_memory_and_grows_it() {
        warm_up();
        let mut arena = Arena::take(&Need::NOTHING, 0);
        let before = arena.parts().map(|p| (p.start, p.len));
        arena.give_back();
        let need = Need::NOTHING.and_array(100, false).and_slot(8).and_slot(1);
        assert_eq!(need.local_memory(), 128);
        let mut arena = Arena::take(&need, 64);
        assert_eq!(before, arena.parts().map(|p| (p.start, p.len)));
        arena.give_back();
        let mut arena = Arena::take(&need, FIRST);
        let [arrays, slots] = arena.parts();
        assert_eq!((arrays.start, arrays.len), before[0]);
        assert!(slots.len >= 9 * FIRST);
        arena.give_back();
    }

    #[test]
    fn calls_take_the_same_memory() {
        let small = Need::NOTHING.and_array(100, false).and_slot(8);
        let large = Need::NOTHING
            .and_array(64, true)
            .and_call(&small)
            .and_slot(1)
            .and_slot(4);
        let need = Need::NOTHING
            .and_slot(2)
            .and_array(1, false)
            .and_call(&small)
            .and_call(&large)
            .and_call(&small);
        assert_eq!(need.local_memory(), 64 + 64 + 128);
        assert_eq!(need.slots_of(10), (2 + 5 + 8) * 10 + 4 * ALIGN);
        assert!(need.padded);
    }

    #[test]
    fn what_is_taken_is_aligned_and_apart() {
        let need = Need::NOTHING.and_slot(1).and_slot(24).and_slot(8);
        let mut arena = Arena::take(&need, 13);
        let [_, mut slots] = arena.parts();
        let begin = slots.start.as_ptr() as usize;
        let (a, b, c) = (
            slots.take::<u8>(13),
            slots.take::<[u64; 3]>(13),
            slots.take::<f64>(13),
        );
        let places = [a.as_ptr() as usize, b.as_ptr() as usize, c.as_ptr() as usize];
        assert_eq!(places.map(|p| p - begin), [0, 64, 64 + 320]);
        assert!(places[2] + 13 * 8 <= begin + need.slots_of(13));
    }

    #[test]
    fn padding_is_initialised_again() {
        let need = Need::NOTHING.and_array(8, true);
        let mut arena = Arena::take(&need, 1);
        let [mut arrays, _] = arena.parts();
        // SAFETY: the memory was taken for it.
        unsafe { arrays.take::<(u32, u8)>(1).write((1, 2)) };
        arena.clean(&need);
        let [mut arrays, _] = arena.parts();
        // SAFETY: all bytes are initialised.
        assert_eq!(unsafe { arrays.take::<u64>(1).read() }, 0);
    }
}
