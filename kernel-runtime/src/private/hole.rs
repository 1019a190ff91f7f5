//! Holes: values without bytes whose type rustc's inference fills in, read in a `const`.

use crate::element::DeviceCopy;
use crate::workgroup::{LocalArray, local_array_of};
use gridfn_ir::{Constant, Link, Type};
use std::marker::PhantomData;

/// A hole of type `T`.
pub struct Hole<T>(PhantomData<fn() -> T>);

impl<T> Clone for Hole<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Hole<T> {}

impl<T> Hole<T> {
    /// A hole that is still open.
    #[expect(clippy::new_without_default, reason = "made by expansions only")]
    pub const fn new() -> Self {
        Hole(PhantomData)
    }

    /// The value itself; its type fills the hole.
    #[inline(always)]
    pub const fn tie(self, value: T) -> T {
        value
    }

    /// The type of the value fills the hole.
    #[inline(always)]
    pub const fn see(self, _: &T) {}

    /// A value for code that never runs.
    pub fn never(self) -> T {
        unreachable!("a hole has no value")
    }

    /// The type that was filled in.
    pub const fn ty(self) -> Type
    where
        T: DeviceCopy,
    {
        T::TYPE
    }

    /// The callee that was filled in.
    pub const fn link(self) -> fn() -> Link
    where
        T: HasLink,
    {
        T::LINK
    }

    /// The callee's number.
    pub const fn code(self) -> u16
    where
        T: HasLink,
    {
        T::CODE
    }
}

/// The hole of a method call: receiver, result, and the marker of the method that rustc chose.
impl<R, O, L> Hole<(R, O, L)> {
    /// The receiver itself; its type fills the hole.
    #[inline(always)]
    pub fn receiver(self, value: R) -> R {
        value
    }
    /// The receiver's type, where the receiver is a place that must not be moved.
    #[inline(always)]
    pub fn receives(self, _: &R) {}
    /// The result's type.
    #[inline(always)]
    pub fn results(self, _: &O) {}
    /// The receiver for the probe, which looks the marker up. Unknown, and so silent, while the real call has an
    /// error.
    pub fn probe(self) -> <O as Known<R>>::Receiver {
        unreachable!("a hole has no value")
    }
    /// What the probe found.
    pub fn found(self, _: &L) {}
    /// The callee that was found.
    pub const fn method(self) -> fn() -> Link
    where
        L: HasLink,
    {
        L::LINK
    }
    /// The callee's number.
    pub const fn method_code(self) -> u16
    where
        L: HasLink,
    {
        L::CODE
    }
}

/// The hole of a local array.
impl<T: DeviceCopy, const N: usize> Hole<LocalArray<T, N>> {
    /// Its type, as lowering sees it.
    #[track_caller]
    pub const fn local_array(self) -> Type {
        local_array_of::<T, N>()
    }
}

/// The hole of a call by path: the function's own type, and the marker of it.
impl<F, L> Hole<(F, L)> {
    /// The function itself; its type fills the hole.
    #[inline(always)]
    pub fn function(self, function: F) -> F {
        function
    }
    /// The function for the probe, which looks the marker up.
    pub fn item(self) -> F {
        unreachable!("a hole has no value")
    }
    /// What the probe found.
    pub fn marks(self, _: &L) {}
    /// The callee that was found.
    pub const fn associated(self) -> fn() -> Link
    where
        L: HasLink,
    {
        L::LINK
    }
}

/// The hole of a call by path whose function takes functions: the marker alone.
impl<L> Hole<((), L)> {
    /// What the probe found.
    pub fn marks_at_once(self, _: &L) {}
}

/// `R`, once `Self` is known.
pub trait Known<R> {
    /// `R`
    type Receiver;
}
impl<O, R> Known<R> for O {
    type Receiver = R;
}

/// A marker type: what a call in a kernel resolves to.
#[diagnostic::on_unimplemented(
    message = "in a kernel, a method with type parameters of its own is called by its path: `Type::method(value, …)`",
    label = "called by its receiver"
)]
pub trait HasLink {
    /// The callee.
    const LINK: fn() -> Link;
    /// A number for comparison in a `const`: that of a method or index function, or none.
    const CODE: u16 = u16::MAX;
}

/// What the probe of a method finds that has type parameters of its own, which its receiver does not tell.
pub struct CalledByPath;

/// The twin of a method that devices do not have. Where it is found, there is an error already.
pub struct NoMethod;
impl HasLink for NoMethod {
    const LINK: fn() -> Link = || unreachable!("a kernel with a mistake is not compiled");
}

/// A constant that a kernel names, for its instance. `get` gives its value.
pub const fn constant<T: DeviceCopy>(get: fn() -> T) -> Constant {
    Constant {
        ty: T::TYPE,
        read: read_constant::<T>,
        get: get as *const (),
        size: size_of::<T>(),
    }
}

/// Writes a constant to `to`.
///
/// # Safety
///
/// `get` is a `fn() -> T`, and at `to` there is room for a `T`.
unsafe fn read_constant<T>(get: *const (), to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        let get = std::mem::transmute::<*const (), fn() -> T>(get);
        to.cast::<T>().write_unaligned(get());
    }
}

/// A function, to which a name in a kernel is compared.
pub struct Function<G>(pub G);
impl<G> Function<G> {
    /// The name means this very item, not merely a function of the same signature.
    pub fn is<F: SameFunction<G>>(self, _: F) {}
    /// The same, where the call itself tells the function's type parameters.
    #[inline(always)]
    pub fn same<F: SameFunction<G>>(self, function: F) -> F {
        function
    }
}

/// See [`Function::is`].
#[diagnostic::on_unimplemented(
    message = "this is not gridfn's function of that name",
    label = "a function of your own that has the name of one of gridfn's",
    note = "rename it: in a kernel this name means the function of `gridfn::prelude`"
)]
pub trait SameFunction<G> {}
impl<F> SameFunction<F> for F {}
