//! Calls of group functions on the host: how the items' arguments are passed, and what tells of mistakes.

use super::NoMethod;
use crate::host::{Group, Need, Slot};
use crate::index::Item;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The marker of a group function.
pub trait GroupFunction {
    /// The memory that a group takes while the function runs.
    const NEED: Need;
}

impl GroupFunction for NoMethod {
    const NEED: Need = Need::NOTHING;
}

/// What the items of a group pass for one parameter: a value of each, or one that all have.
pub struct PerItem<'a, T> {
    values: NonNull<T>,
    /// From one item's value to the next's.
    stride: usize,
    of: PhantomData<&'a [T]>,
}

impl<T> Clone for PerItem<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for PerItem<'_, T> {}

impl<T: Copy> PerItem<'_, T> {
    /// The item's value.
    ///
    /// # Safety
    ///
    /// The item belongs to the group, and its value has been put.
    #[inline(always)]
    pub unsafe fn get(self, item: &Item) -> T {
        // SAFETY: within the slot, or the one value; initialised, by the caller's promise.
        unsafe { self.values.add(item.place() * self.stride).read() }
    }
}

/// An argument of which each item has its own.
pub struct Each<'g, T>(pub Slot<'g, T>);

/// An argument that is the same for all items.
pub struct Same<'a, T>(pub &'a T);

/// What can be passed for a parameter of which each item has its own.
///
/// That the type is right, the call itself asks: here it is taken as it comes, so that a mistake is told once.
pub trait Passed {
    /// What the function takes.
    ///
    /// # Safety
    ///
    /// It is a value of `T` that is passed, and it lives as long as the result is used.
    unsafe fn per_item<'a, T>(self) -> PerItem<'a, T>;
}

impl<U> Passed for Each<'_, U> {
    #[inline(always)]
    unsafe fn per_item<'a, T>(self) -> PerItem<'a, T> {
        PerItem {
            values: self.0.values().cast(),
            stride: 1,
            of: PhantomData,
        }
    }
}

impl<U> Passed for Same<'_, U> {
    #[inline(always)]
    unsafe fn per_item<'a, T>(self) -> PerItem<'a, T> {
        PerItem {
            values: NonNull::from(self.0).cast(),
            stride: 0,
            of: PhantomData,
        }
    }
}

/// What can be passed for a `#[uniform]` parameter.
#[diagnostic::on_unimplemented(
    message = "this argument may differ from item to item, and the parameter is `#[uniform]`",
    label = "not the same for all items of a work-group",
    note = "pass what is uniform: literals, scalar parameters, lengths, the group's index and sizes, what is computed of \
            these, or `uniform(value)`"
)]
pub trait SameForAll {}
impl<T> SameForAll for Same<'_, T> {}

/// Where a group function may be called.
#[diagnostic::on_unimplemented(
    message = "a group function is called by all items of a work-group together",
    label = "write `group!(…)` around this call"
)]
pub trait AllItems {}

/// A function that `group!` may call.
#[diagnostic::on_unimplemented(
    message = "this function is not a group function",
    label = "each item calls it for itself",
    note = "call it without `group!`, or mark it `#[device(group)]`"
)]
pub trait CalledTogether {}

/// What `group!` finds of all functions that are no group functions.
pub trait Ordinary {
    /// Tells so.
    #[doc(hidden)]
    fn __group_link<F: CalledTogether>(_: F) -> NoGroupFunction {
        NoGroupFunction
    }
}
impl<T: ?Sized> Ordinary for T {}

/// A function that is none, called with `group!`: there is an error already.
pub struct NoGroupFunction;

#[expect(
    clippy::missing_safety_doc,
    missing_docs,
    reason = "never called: stands in the place of a group function's marker"
)]
impl NoGroupFunction {
    pub fn __group_called(&self) -> NoMethod {
        NoMethod
    }
    pub fn __group_call<A>(&self, _: A) {}
    pub fn __group_result<R>(&self) -> R {
        unreachable!("a kernel with a mistake is not compiled")
    }
    pub unsafe fn __group_run<E, R>(&self, _: &Group<'_>, (): (), _: E, _: Slot<'_, R>) {}
}

/// What a group function is outside of kernels.
///
/// # Panics
///
/// Always.
#[cold]
#[track_caller]
pub fn outside(name: &str) -> ! {
    panic!("the group function `{name}` was called outside a kernel")
}
