//! The ordering of an atomic operation, which devices know when a kernel is compiled.
//!
//! A macro sees no types, so where the last argument of a method such as `load` is no path of an ordering, rustc is asked
//! whether it is one.

use std::marker::PhantomData;
use std::sync::atomic::Ordering;

/// The type of an argument.
pub struct Argument<T>(PhantomData<fn() -> T>);

/// The type of a value.
pub fn of<T>(_: &T) -> Argument<T> {
    Argument(PhantomData)
}

/// Nothing has it: an ordering that is found by this trait is an error.
#[diagnostic::on_unimplemented(
    message = "the ordering of an atomic operation in a kernel is known when it is compiled",
    label = "only known when the kernel runs",
    note = "write `Ordering::Relaxed`, or another, in its place; to choose, branch around two operations"
)]
pub trait KnownOrdering {}

/// Orderings, which are found first.
pub trait MustBeKnown {
    /// What the value is.
    type Of;
    /// Refuses it.
    fn __ordering(self)
    where
        Self: Sized,
        Self::Of: KnownOrdering,
    {
    }
}
impl MustBeKnown for Argument<Ordering> {
    type Of = Ordering;
}

/// Everything else, which is found last.
pub trait MayVary {
    /// Takes it.
    fn __ordering(&self) {}
}
impl<T> MayVary for Argument<T> {}
