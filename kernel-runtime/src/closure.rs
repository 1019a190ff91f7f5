//! Closures as kernels: what they captured, and the way from there to a launch.
//!
//! `launch!` and `closure!` find the captures in the body and wrap each according to how the body uses it: [`Value`],
//! [`Shared`], [`Unique`], or, in a `move` closure, [`Owned`] and [`OwnedUnique`]. The wrappers form a list
//! `(first, (second, (…, ())))`, over which the traits here are defined. What devices need of the body is a
//! [`Source`], which the macro implements once for all types of captures and holes, because the types of captures
//! cannot be named where the macro stands.
//!
//! [`View`] and [`Views`] ask nothing of what is captured, and the functions that wrap a capture leave its parameter
//! unknown where they refuse it: so a mistake is told once, where it was captured. The back end is a parameter of all
//! traits here, so that a closure belongs to the back end of its buffers, and a queue of another is one error.

use crate::argument::{Call, Fill, Parameter, Parameters, Put, Reader, Slots, put_value};
use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::cache::Cache;
use crate::element::{DeviceCopy, argument_of};
use crate::error::Result;
use crate::host::{Avx2, Baseline, HostCode, Unit, entry_of};
use crate::index::Item;
use crate::kernel::Kernel;
use crate::prepared::Prepared;
use crate::queue::Queue;
use gridfn_ir::{Access, Body, Type};
use std::marker::PhantomData;

/// What a kernel can capture and read elements of: a buffer of back end `B`, whoever owns it, or an array of values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be captured by a kernel",
    label = "captured here",
    note = "kernels capture numbers, `bool`, arrays of these, what has `#[derive(DeviceCopy)]`, and `Buffer`s and views of them; \
            the data of a `Vec` or slice goes to the device first: `queue.upload(&data)`"
)]
pub trait Capture<B: Backend> {
    /// The kernel's side.
    type Parameter: Parameter;

    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

impl<T: DeviceCopy, const N: usize, B: Backend> Capture<B> for [T; N] {
    type Parameter = ByValue<[T; N]>;
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        Put::<B>::put(self, slots)
    }
}

macro_rules! buffers {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, B: Backend> Capture<B> for $ty {
            type Parameter = crate::argument::Shared<T>;
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                slots.buffer(self.memory(), self.len(), Access::Shared)
            }
        }
    )*};
}
buffers!(
    Buffer<T, B>,
    &Buffer<T, B>,
    &mut Buffer<T, B>,
    Box<Buffer<T, B>>,
    std::sync::Arc<Buffer<T, B>>,
    std::rc::Rc<Buffer<T, B>>
);

/// What a kernel can capture and write elements of.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot write to elements of a captured `{Self}`",
    label = "written in the kernel",
    note = "kernels write to a `Buffer`, a `&mut Buffer` or a `ViewMut`: `let mut y = queue.upload(&data)?;`, and afterwards \
            `queue.download(&y)`"
)]
pub trait CaptureUnique {
    /// The kernel's side.
    type Parameter: Parameter;
    /// The buffer's back end.
    type Backend: Backend;
    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<Self::Backend>>(&self, slots: &mut S) -> Result<()>;
}

macro_rules! unique_buffers {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, B: Backend> CaptureUnique for $ty {
            type Parameter = crate::argument::Unique<T>;
            type Backend = B;
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                slots.buffer(self.memory(), self.len(), Access::Unique)
            }
        }
    )*};
}
unique_buffers!(Buffer<T, B>, &mut Buffer<T, B>, Box<Buffer<T, B>>);

/// What a kernel can capture as a value: every [`DeviceCopy`].
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be captured by a kernel as a value",
    label = "this has the type `{Self}`",
    note = "kernels hold integers of 8 to 64 bits, `usize`, `isize`, `f32`, `f64`, `bool`, and structs and enums with \
            `#[derive(DeviceCopy)]`; of a reference to one, capture what it refers to: `*name`"
)]
pub trait CaptureValue {
    /// The kernel's side.
    type Parameter;
}

/// The parameter of a captured value.
#[doc(hidden)]
pub struct ByValue<T>(PhantomData<T>);
// SAFETY: reads the value that `Put` writes for a `T`, and `Captured` for a `Value`.
unsafe impl<T: DeviceCopy> Parameter for ByValue<T> {
    const TYPE: Type = argument_of::<T>();
    type View<'v> = T;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> T {
        // SAFETY: the caller's promise.
        unsafe { reader.scalar() }
    }
}

/// A value, copied when it was captured.
pub struct Value<T, P>(T, PhantomData<fn() -> P>);
/// What the kernel reads elements of, borrowed.
pub struct Shared<'c, C, P, B>(&'c C, PhantomData<fn() -> (P, B)>);
/// What the kernel reads elements of, owned.
pub struct Owned<C, P, B>(C, PhantomData<fn() -> (P, B)>);
/// What the kernel writes, borrowed.
pub struct Unique<'c, C, P, B>(&'c mut C, PhantomData<fn() -> (P, B)>);
/// What the kernel writes, owned.
pub struct OwnedUnique<C>(C);

/// Captures a value.
#[inline(always)]
pub fn value<T: CaptureValue<Parameter = P> + Copy, P: Parameter>(value: &T) -> Value<T, P> {
    Value(*value, PhantomData)
}

/// Captures by `&`.
#[inline(always)]
pub fn shared<C: Capture<B, Parameter = P>, P: Parameter, B: Backend>(captured: &C) -> Shared<'_, C, P, B> {
    Shared(captured, PhantomData)
}

/// Captures by `move`.
#[inline(always)]
pub fn owned<C: Capture<B, Parameter = P>, P: Parameter, B: Backend>(captured: C) -> Owned<C, P, B> {
    Owned(captured, PhantomData)
}

/// Captures by `move` what the kernel writes.
#[inline(always)]
pub fn owned_unique<C: CaptureUnique>(captured: C) -> OwnedUnique<C> {
    OwnedUnique(captured)
}

impl<T, B: Backend> Buffer<T, B> {
    /// Captures by `&mut`. A method, so that a `&mut Buffer` is reborrowed though its variable is not `mut`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __unique(&mut self) -> Unique<'_, Self, crate::argument::Unique<T>, B> {
        Unique(self, PhantomData)
    }
}

/// [`Buffer::__unique`] of everything else: found last, it tells what kernels can write to.
pub trait UniqueFallback {
    /// Captures by `&mut`.
    #[inline(always)]
    fn __unique(&mut self) -> Unique<'_, Self, Self::Parameter, Self::Backend>
    where
        Self: CaptureUnique + Sized,
    {
        Unique(self, PhantomData)
    }
}
impl<T> UniqueFallback for T {}

/// A capture that many launches may share at once.
#[diagnostic::on_unimplemented(
    message = "this closure writes to a buffer that it captured, so it is launched by `&mut`",
    label = "launched by `&` here",
    note = "declare the closure `let mut` and launch `&mut closure`"
)]
pub trait ReadOnly {}
impl<T, P> ReadOnly for Value<T, P> {}
impl<C, P, B> ReadOnly for Shared<'_, C, P, B> {}
impl<C, P, B> ReadOnly for Owned<C, P, B> {}
impl ReadOnly for () {}
impl<C: ReadOnly, R: ReadOnly> ReadOnly for (C, R) {}

/// What the closure sees of a capture, which is for back end `B`: values are for all.
pub trait View<B: Backend> {
    /// Its type there.
    type View<'v>: Copy;
}

/// A capture: the kernel's side, and the caller's.
///
/// # Safety
///
/// `read` reads exactly what `put` writes.
pub unsafe trait Captured<B: Backend>: View<B> {
    /// Its type, as code generators see it.
    const TYPE: Type;

    /// Reads the capture on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at an argument that was written for this capture.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v>;

    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

// The type itself, not that of the parameter's view: a captured literal's type may be the body's to infer.
impl<T: Copy, P, B: Backend> View<B> for Value<T, P> {
    type View<'v> = T;
}
// SAFETY: `value`, which alone makes one, takes a `T` whose parameter is `P`, which reads the value.
unsafe impl<T: Copy, P: for<'v> Parameter<View<'v> = T>, B: Backend> Captured<B> for Value<T, P> {
    const TYPE: Type = P::TYPE;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> T {
        // SAFETY: the caller's promise.
        unsafe { P::read(reader) }
    }
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        // SAFETY: a parameter whose view is `T` has the type of `T`: `ByValue` alone is one of a `CaptureValue`.
        unsafe { put_value::<T, P, B, S>(self.0, slots) };
        Ok(())
    }
}

macro_rules! elements {
    ($($ty:ty;)*) => {$(
        impl<C, P: Parameter, B: Backend> View<B> for $ty {
            type View<'v> = P::View<'v>;
        }
        // SAFETY: `put` writes what the parameter reads.
        unsafe impl<C: Capture<B, Parameter = P>, P: Parameter, B: Backend> Captured<B> for $ty {
            const TYPE: Type = P::TYPE;
            #[inline(always)]
            unsafe fn read<'v>(reader: &mut Reader<'v>) -> P::View<'v> {
                // SAFETY: the caller's promise.
                unsafe { P::read(reader) }
            }
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                self.0.put(slots)
            }
        }
    )*};
}
elements! {
    Shared<'_, C, P, B>;
    Owned<C, P, B>;
}

impl<C, P: Parameter, B: Backend> View<B> for Unique<'_, C, P, B> {
    type View<'v> = P::View<'v>;
}
// SAFETY: the parameter reads what `put` writes.
unsafe impl<C: CaptureUnique<Parameter = P, Backend = B>, P: Parameter, B: Backend> Captured<B>
    for Unique<'_, C, P, B>
{
    const TYPE: Type = P::TYPE;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> P::View<'v> {
        // SAFETY: the caller's promise.
        unsafe { P::read(reader) }
    }
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.0.put(slots)
    }
}

impl<C: CaptureUnique<Backend = B>, B: Backend> View<B> for OwnedUnique<C> {
    type View<'v> = <C::Parameter as Parameter>::View<'v>;
}
// SAFETY: the parameter reads what `put` writes.
unsafe impl<C: CaptureUnique<Backend = B>, B: Backend> Captured<B> for OwnedUnique<C> {
    const TYPE: Type = C::Parameter::TYPE;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v> {
        // SAFETY: the caller's promise.
        unsafe { C::Parameter::read(reader) }
    }
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.0.put(slots)
    }
}

/// What the closure sees of all captures.
pub trait Views<B: Backend> {
    /// The list.
    type Views<'v>: Copy;
}
impl<B: Backend> Views<B> for () {
    type Views<'v> = ();
}
impl<C: View<B>, R: Views<B>, B: Backend> Views<B> for (C, R) {
    type Views<'v> = (C::View<'v>, R::Views<'v>);
}

/// All captures.
///
/// # Safety
///
/// As [`Captured`].
pub unsafe trait Captures<B: Backend>: Views<B> {
    /// Reads all captures on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at the first of them.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::Views<'v>;

    /// Writes all arguments.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}
// SAFETY: there is nothing to read.
unsafe impl<B: Backend> Captures<B> for () {
    #[inline(always)]
    unsafe fn read<'v>(_: &mut Reader<'v>) {}
    #[inline(always)]
    fn put<S: Slots<B>>(&self, _: &mut S) -> Result<()> {
        Ok(())
    }
}
// SAFETY: each reads its own, in the order of `put`.
unsafe impl<C: Captured<B>, R: Captures<B>, B: Backend> Captures<B> for (C, R) {
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::Views<'v> {
        // SAFETY: the caller's promise.
        unsafe { (C::read(reader), R::read(reader)) }
    }
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.0.put(slots)?;
        self.1.put(slots)
    }
}

/// The captures of a closure as the parameters of its kernel.
struct AsParameters<C, B>(PhantomData<(C, B)>);
// SAFETY: a call writes the captures, in order, and their views are `Copy`.
unsafe impl<C: Captures<B>, B: Backend> Parameters for AsParameters<C, B> {
    type View<'v> = C::Views<'v>;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> C::Views<'v> {
        // SAFETY: the caller's promise.
        unsafe { C::read(reader) }
    }
}

/// The body of a closure as devices compile it, for captures `C` and holes `H`.
pub trait Source<C, H, B> {
    /// The tree with its holes filled.
    const BODY: Body<'static>;
    /// The type of all captures as one parameter, which a closure has that is passed to a kernel.
    const ENVIRONMENT: Type;
    /// The number of indices that a closure takes that is a kernel.
    const DIMENSIONS: usize;
    /// What was compiled of it.
    const CACHE: &'static Cache;
}

/// A closure as a kernel, with what it captured: `closure!` makes one.
///
/// `launch!(queue, &mut closure, global = …)` launches it, and `launch!(queue, &closure, …)` where the closure writes
/// to nothing that it captured. As long as it lives, it owns or borrows its captures as any Rust closure does. It may
/// be dropped right after a launch.
pub struct Closure<K, C, B> {
    captures: C,
    of: PhantomData<fn() -> (K, B)>,
}

/// A closure without its captures: source, holes, the host version, and its copy for AVX2.
pub struct Parts<S, H, F, A>(PhantomData<(S, H, F, A)>);

/// What launches need of a closure with captures `C`.
pub trait ClosureKernel<C, B: Backend> {
    /// Its instance.
    const KERNEL: &'static Kernel;
}

impl<S: Source<C, H, B>, C: Captures<B>, H, F, A, B: Backend> ClosureKernel<C, B> for Parts<S, H, F, A>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
    A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
{
    const KERNEL: &'static Kernel = &Kernel {
        name: "closure",
        safe_dimensions: 3,
        dimensions: Some(S::DIMENSIONS),
        body: S::BODY,
        host: HostCode {
            baseline: entry_of::<AsParameters<C, B>, Baseline, F>(),
            avx2: if cfg!(all(target_arch = "x86_64", not(debug_assertions))) {
                Some(entry_of::<AsParameters<C, B>, Avx2, A>())
            } else {
                None
            },
            unit: Unit::Item,
        },
        cache: S::CACHE,
        ahead: &[],
    };
}

/// Makes a closure kernel of its parts. `host` is the host version, `avx2` its copy for AVX2, which has the same body
/// in release builds.
#[inline]
pub fn closure<S, C: Views<B>, H, F, A, B: Backend>(
    _: S,
    captures: C,
    _: H,
    _: F,
    _: A,
) -> Closure<Parts<S, H, F, A>, C, B>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
    A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
{
    Closure {
        captures,
        of: PhantomData,
    }
}

impl<K: ClosureKernel<C, B>, C, B: Backend> Closure<K, C, B> {
    /// Compiles the closure for the queue's device, so that launches find it ready. What it captured stays with it.
    ///
    /// # Errors
    ///
    /// If the device lacks a capability that the closure needs, or a compiler refuses.
    pub fn prepare(&self, queue: &Queue<B>) -> Result<Prepared<K, B>> {
        Prepared::new(queue, K::KERNEL)
    }
}

macro_rules! launched_by {
    ($($reference:ty, $($bound:path)?;)*) => {$(
        impl<K: ClosureKernel<C, B>, C: Captures<B> $(+ $bound)?, B: Backend> Fill<B> for $reference {
            #[inline(always)]
            fn fill<W: Slots<B>>(&self, slots: &mut W) -> Result<()> {
                self.captures.put(slots)
            }
        }
        impl<K: ClosureKernel<C, B>, C: Captures<B> $(+ $bound)?, B: Backend> Call<B> for $reference {
            type Kernel = K;
            #[inline(always)]
            fn kernel(&self) -> &'static Kernel {
                K::KERNEL
            }
        }
    )*};
}
launched_by! {
    &mut Closure<K, C, B>, ;
    &Closure<K, C, B>, ReadOnly;
}

impl<K, C, B> std::fmt::Debug for Closure<K, C, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Closure")
    }
}
