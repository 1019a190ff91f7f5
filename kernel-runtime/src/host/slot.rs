//! What the items of a group keep across barriers.

use crate::element::DeviceCopy;
use crate::index::Item;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// What a private value of a work-item can be that lives across a barrier: every [`DeviceCopy`].
#[diagnostic::on_unimplemented(
    message = "a value of the type `{Self}` cannot live across a barrier",
    label = "work-items have this before a barrier and use it behind it",
    note = "numbers and structs of them can; make references and closures again behind the barrier"
)]
pub trait AcrossBarrier: Copy {}
#[diagnostic::do_not_recommend]
impl<T: DeviceCopy> AcrossBarrier for T {}

/// One private value of each item of a group.
///
/// It is written before it is read: an expansion reads a slot only in a region behind the one that has written it, which
/// rustc confirms for values that are declared before they have one.
pub struct Slot<'g, T> {
    values: NonNull<T>,
    len: usize,
    of: PhantomData<&'g mut [T]>,
}

impl<T> Clone for Slot<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slot<'_, T> {}

// What can be in a slot, `Group::slot` asks: once.
impl<'g, T> Slot<'g, T> {
    /// A slot over memory for `len` values.
    #[inline(always)]
    pub(super) fn new(values: NonNull<T>, len: usize) -> Self {
        Slot {
            values,
            len,
            of: PhantomData,
        }
    }

    /// Where the values are.
    #[inline(always)]
    pub(crate) fn values(self) -> NonNull<T> {
        self.values
    }

    /// The slot, of values of a type that an expansion knows to be the same.
    ///
    /// # Safety
    ///
    /// `U` is `T`.
    #[inline(always)]
    pub unsafe fn of<U>(self) -> Slot<'g, U> {
        Slot {
            values: self.values.cast(),
            len: self.len,
            of: PhantomData,
        }
    }

    /// The item's value.
    ///
    /// # Safety
    ///
    /// The item belongs to the slot's group, and has put a value.
    #[inline(always)]
    pub unsafe fn get(self, item: &Item) -> T {
        debug_assert!(item.place() < self.len);
        // SAFETY: within the slot, and initialised, by the caller's promise.
        unsafe { self.values.add(item.place()).read() }
    }

    /// The value of the item of that number in the group.
    ///
    /// # Safety
    ///
    /// The group has the item, which has put a value.
    #[inline(always)]
    pub(super) unsafe fn at(self, place: usize) -> T {
        debug_assert!(place < self.len);
        // SAFETY: within the slot, and initialised, by the caller's promise.
        unsafe { self.values.add(place).read() }
    }

    /// Keeps a value for the item of that number in the group.
    ///
    /// # Safety
    ///
    /// The group has the item.
    #[inline(always)]
    pub(super) unsafe fn put_at(self, place: usize, value: T) {
        debug_assert!(place < self.len);
        // SAFETY: within the slot, by the caller's promise.
        unsafe { self.values.add(place).write(value) }
    }

    /// Keeps the item's value.
    ///
    /// # Safety
    ///
    /// The item belongs to the slot's group.
    #[inline(always)]
    pub unsafe fn put(self, item: &Item, value: T) {
        debug_assert!(item.place() < self.len);
        // SAFETY: within the slot, by the caller's promise.
        unsafe { self.values.add(item.place()).write(value) }
    }
}
