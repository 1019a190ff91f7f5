//! Closures as kernels: what they captured, and the way from there to a launch.
//!
//! `launch!` and `closure!` find the captures in the body and wrap each according to how the body uses it: [`Value`],
//! [`Shared`], [`Unique`], or, in a `move` closure, [`Owned`] and [`OwnedUnique`]. The wrappers form a list
//! `(first, (second, (…, ())))`, over which the traits here are defined. What devices need of the body is a
//! [`Source`], which the macro implements once for all types of captures and holes, because the types of captures
//! cannot be named where the macro stands.
//!
//! [`View`] and [`Views`] have no bound: the closure is typed by them even where a capture is wrong, so that the
//! mistake is told once, where it was captured.

use crate::argument::{Call, Fill, Parameter, Parameters, Reader, Slots};
use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::cache::Cache;
use crate::element::DeviceCopy;
use crate::error::Result;
use crate::host::{Avx2, Baseline, HostCode, entry_of};
use crate::index::Item;
use crate::kernel::{Kernel, KernelType};
use crate::prepared::Prepared;
use crate::queue::Queue;
use crate::view::SliceMut;
use gridfn_ir::{Access, Body, Type};
use std::marker::PhantomData;

/// What a kernel can capture and read elements of: a buffer, whoever owns it, or an array of values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be captured by a kernel",
    label = "captured here",
    note = "kernels capture numbers, `bool`, arrays of these and `Buffer`s; the data of a `Vec` or slice goes to the \
            device first: `queue.upload(&data)`"
)]
pub trait Capture {
    /// The kernel's side.
    type Parameter: Parameter;
}

/// A [`Capture`] that launches on back end `B`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` was captured by a kernel that is launched on a queue of another back end",
    note = "buffers and queue belong to one back end: `{B}`"
)]
pub trait CaptureOn<B: Backend>: Capture {
    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

impl<T: DeviceCopy, const N: usize> Capture for [T; N] {
    type Parameter = [T; N];
}
impl<T: DeviceCopy, const N: usize, B: Backend> CaptureOn<B> for [T; N] {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.scalar(*self);
        Ok(())
    }
}

macro_rules! buffers {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, B: Backend> Capture for $ty {
            type Parameter = crate::argument::Shared<T>;
        }
        impl<T: DeviceCopy, B: Backend> CaptureOn<B> for $ty {
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                slots.buffer(self.memory(), self.len(), Access::Shared)
            }
        }
    )*};
}
buffers!(Buffer<T, B>, &Buffer<T, B>, &mut Buffer<T, B>, Box<Buffer<T, B>>, std::sync::Arc<Buffer<T, B>>, std::rc::Rc<Buffer<T, B>>);

/// What a kernel can capture and write elements of.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot write to elements of a captured `{Self}`",
    label = "written in the kernel",
    note = "kernels write to a `Buffer` or `&mut Buffer`: `let mut y = queue.upload(&data)?;`, and afterwards \
            `queue.download(&y)`"
)]
pub trait CaptureUnique {
    /// The buffer's elements.
    type Element: DeviceCopy;
    /// The buffer's back end.
    type Backend: Backend;
    /// The buffer.
    fn buffer(&self) -> &Buffer<Self::Element, Self::Backend>;
    /// The buffer, for no one else.
    fn buffer_mut(&mut self) -> &mut Buffer<Self::Element, Self::Backend>;
}

macro_rules! unique_buffers {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, B: Backend> CaptureUnique for $ty {
            type Element = T;
            type Backend = B;
            #[inline(always)]
            fn buffer(&self) -> &Buffer<T, B> {
                self
            }
            #[inline(always)]
            fn buffer_mut(&mut self) -> &mut Buffer<T, B> {
                self
            }
        }
    )*};
}
unique_buffers!(Buffer<T, B>, &mut Buffer<T, B>, Box<Buffer<T, B>>);

/// A value, copied when it was captured.
pub struct Value<T>(T);
/// What the kernel reads elements of, borrowed.
pub struct Shared<'c, C, P>(&'c C, PhantomData<fn() -> P>);
/// What the kernel reads elements of, owned.
pub struct Owned<C, P>(C, PhantomData<fn() -> P>);
/// A buffer that the kernel writes, borrowed.
pub struct Unique<'c, T, B: Backend>(&'c mut Buffer<T, B>);
/// A buffer that the kernel writes, owned.
pub struct OwnedUnique<C>(C);

/// Captures a value.
#[inline(always)]
pub fn value<T: DeviceCopy>(value: &T) -> Value<T> {
    Value(*value)
}

/// Captures by `&`.
#[inline(always)]
pub fn shared<C: Capture<Parameter = P>, P: Parameter>(captured: &C) -> Shared<'_, C, P> {
    Shared(captured, PhantomData)
}

/// Captures by `move`.
#[inline(always)]
pub fn owned<C: Capture<Parameter = P>, P: Parameter>(captured: C) -> Owned<C, P> {
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
    pub fn __unique(&mut self) -> Unique<'_, T, B> {
        Unique(self)
    }
}

/// [`Buffer::__unique`] of everything else: found last, it tells what kernels can write to.
pub trait UniqueFallback {
    /// Captures by `&mut`.
    #[inline(always)]
    fn __unique(&mut self) -> Unique<'_, Self::Element, Self::Backend>
    where
        Self: CaptureUnique,
    {
        Unique(self.buffer_mut())
    }
}
impl<T> UniqueFallback for T {}

/// What the closure sees of a capture.
pub trait View {
    /// Its type there.
    type View<'v>;
}

/// The kernel's side of a capture.
///
/// # Safety
///
/// `read` reads exactly what [`CapturedOn::put`] wrote.
pub unsafe trait Captured: View {
    /// Its type, as code generators see it.
    const TYPE: Type;

    /// Reads the capture on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at an argument that was written for this capture.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::View<'v>;
}

/// The caller's side of a capture.
pub trait CapturedOn<B: Backend>: Captured {
    /// Writes the argument.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}

/// A capture that many launches may share at once.
#[diagnostic::on_unimplemented(
    message = "this closure writes to a buffer that it captured, so it is launched by `&mut`",
    label = "launched by `&` here",
    note = "declare the closure `let mut` and launch `&mut closure`"
)]
pub trait ReadOnly {}
impl<T> ReadOnly for Value<T> {}
impl<C, P> ReadOnly for Shared<'_, C, P> {}
impl<C, P> ReadOnly for Owned<C, P> {}
impl ReadOnly for () {}
impl<C: ReadOnly, R: ReadOnly> ReadOnly for (C, R) {}

impl<T> View for Value<T> {
    type View<'v> = T;
}
// SAFETY: reads the value that `put` wrote.
unsafe impl<T: DeviceCopy> Captured for Value<T> {
    const TYPE: Type = <T as DeviceCopy>::TYPE;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> T {
        // SAFETY: the caller's promise.
        unsafe { reader.scalar() }
    }
}
impl<T: DeviceCopy, B: Backend> CapturedOn<B> for Value<T> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.scalar(self.0);
        Ok(())
    }
}

macro_rules! read {
    ($(($($generics:tt)*) $ty:ty;)*) => {$(
        impl<$($generics)* C, P: Parameter> View for $ty {
            type View<'v> = P::View<'v>;
        }
        // SAFETY: `put` writes what the parameter reads.
        unsafe impl<$($generics)* C, P: Parameter> Captured for $ty {
            const TYPE: Type = P::TYPE;
            #[inline(always)]
            unsafe fn read<'v>(reader: &mut Reader<'v>) -> P::View<'v> {
                // SAFETY: the caller's promise.
                unsafe { P::read(reader) }
            }
        }
        impl<$($generics)* C: CaptureOn<B, Parameter = P>, P: Parameter, B: Backend> CapturedOn<B> for $ty {
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                self.0.put(slots)
            }
        }
    )*};
}
read! {
    ('c,) Shared<'c, C, P>;
    () Owned<C, P>;
}

impl<T: DeviceCopy, B: Backend> View for Unique<'_, T, B> {
    type View<'v> = SliceMut<'v, T>;
}
// SAFETY: reads the buffer that `put` wrote.
unsafe impl<T: DeviceCopy, B: Backend> Captured for Unique<'_, T, B> {
    const TYPE: Type = crate::private::slice_of::<T>(Access::Unique);
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> SliceMut<'v, T> {
        // SAFETY: the caller's promise.
        unsafe { reader.unique() }
    }
}
impl<T: DeviceCopy, B: Backend> CapturedOn<B> for Unique<'_, T, B> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.buffer(self.0.memory(), self.0.len(), Access::Unique)
    }
}

impl<C: CaptureUnique> View for OwnedUnique<C> {
    type View<'v> = SliceMut<'v, C::Element>;
}
// SAFETY: reads the buffer that `put` wrote.
unsafe impl<C: CaptureUnique> Captured for OwnedUnique<C> {
    const TYPE: Type = crate::private::slice_of::<C::Element>(Access::Unique);
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> SliceMut<'v, C::Element> {
        // SAFETY: the caller's promise.
        unsafe { reader.unique() }
    }
}
impl<C: CaptureUnique<Backend = B>, B: Backend> CapturedOn<B> for OwnedUnique<C> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        let buffer = self.0.buffer();
        slots.buffer(buffer.memory(), buffer.len(), Access::Unique)
    }
}

/// What the closure sees of all captures.
pub trait Views {
    /// The list.
    type Views<'v>;
}
impl Views for () {
    type Views<'v> = ();
}
impl<C: View, R: Views> Views for (C, R) {
    type Views<'v> = (C::View<'v>, R::Views<'v>);
}

/// The kernel's side of all captures.
///
/// # Safety
///
/// As [`Captured`].
pub unsafe trait Captures: Views {
    /// Reads all captures on the host.
    ///
    /// # Safety
    ///
    /// The reader stands at the first of them.
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::Views<'v>;
}
// SAFETY: there is nothing to read.
unsafe impl Captures for () {
    #[inline(always)]
    unsafe fn read<'v>(_: &mut Reader<'v>) {}
}
// SAFETY: each reads its own, in the order of `put`.
unsafe impl<C: Captured, R: Captures> Captures for (C, R) {
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> Self::Views<'v> {
        // SAFETY: the caller's promise.
        unsafe { (C::read(reader), R::read(reader)) }
    }
}

/// The caller's side of all captures.
pub trait CapturesOn<B: Backend>: Captures {
    /// Writes all arguments.
    ///
    /// # Errors
    ///
    /// Those of [`Slots::buffer`].
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()>;
}
impl<B: Backend> CapturesOn<B> for () {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, _: &mut S) -> Result<()> {
        Ok(())
    }
}
impl<C: CapturedOn<B>, R: CapturesOn<B>, B: Backend> CapturesOn<B> for (C, R) {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.0.put(slots)?;
        self.1.put(slots)
    }
}

/// The captures of a closure as the parameters of its kernel.
struct AsParameters<C>(PhantomData<C>);
// SAFETY: a call writes the captures, in order. Views are `Copy`: slices, views of slices, and values.
unsafe impl<C: Captures> Parameters for AsParameters<C> {
    type View<'v> = C::Views<'v>;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> C::Views<'v> {
        // SAFETY: the caller's promise.
        unsafe { C::read(reader) }
    }
}

/// The body of a closure as devices compile it, for captures `C` and holes `H`.
pub trait Source<C, H> {
    /// The tree with its holes filled.
    const BODY: Body<'static>;
    /// The number of indices that the closure takes.
    const DIMENSIONS: usize;
    /// What was compiled.
    const CACHE: &'static Cache;
}

/// A closure as a kernel, with what it captured: [`closure!`](https://docs.rs/gridfn) makes one.
///
/// `launch!(queue, &mut closure, global = …)` launches it, and `launch!(queue, &closure, …)` where the closure writes
/// to nothing that it captured. As long as it lives, it owns or borrows its captures as any Rust closure does. It may
/// be dropped right after a launch.
pub struct Closure<S, C, H, F, A> {
    captures: C,
    of: PhantomData<Parts<S, H, F, A>>,
}

/// What a closure is made of, without values.
type Parts<S, H, F, A> = fn() -> (S, H, F, A);

/// Makes a closure kernel of its parts. `host` is the host version, `avx2` its copy for AVX2, which has the same body
/// in release builds.
#[inline]
pub fn closure<S, C: Views, H, F, A>(_: S, captures: C, _: H, _: F, _: A) -> Closure<S, C, H, F, A>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
    A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
{
    Closure {
        captures,
        of: PhantomData,
    }
}

impl<S: Source<C, H>, C: Captures, H, F, A> KernelType for Closure<S, C, H, F, A>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
    A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
{
    const KERNEL: &'static Kernel = &Kernel {
        name: "closure",
        one_dimensional: false,
        dimensions: Some(S::DIMENSIONS),
        body: S::BODY,
        host: HostCode {
            baseline: entry_of::<AsParameters<C>, Baseline, F>(),
            avx2: if cfg!(all(target_arch = "x86_64", not(debug_assertions))) {
                Some(entry_of::<AsParameters<C>, Avx2, A>())
            } else {
                None
            },
        },
        cache: S::CACHE,
        ahead: &[],
    };
}

impl<S: Source<C, H>, C: Captures, H, F, A> Closure<S, C, H, F, A>
where
    F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
    A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
{
    /// Compiles the closure for the queue's device, so that launches find it ready. What it captured stays with it.
    ///
    /// # Errors
    ///
    /// If the device lacks a capability that the closure needs, or a compiler refuses.
    pub fn prepare<B: Backend>(&self, queue: &Queue<B>) -> Result<Prepared<F, B>>
    where
        C: CapturesOn<B>,
    {
        Prepared::new(queue, <Self as KernelType>::KERNEL)
    }
}

macro_rules! launched_by {
    ($($reference:ty, $($bound:path)?;)*) => {$(
        impl<S: Source<C, H>, C: CapturesOn<B> $(+ $bound)?, H, F, A, B: Backend> Fill<B> for $reference
        where
            F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
            A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
        {
            #[inline(always)]
            fn fill<W: Slots<B>>(self, slots: &mut W) -> Result<()> {
                self.captures.put(slots)
            }
        }
        impl<S: Source<C, H>, C: CapturesOn<B> $(+ $bound)?, H, F, A, B: Backend> Call<B> for $reference
        where
            F: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
            A: for<'v, 'i> Fn(&'i Item, C::Views<'v>) + Copy,
        {
            type Kernel = F;
            #[inline(always)]
            fn kernel(&self) -> &'static Kernel {
                <Closure<S, C, H, F, A> as KernelType>::KERNEL
            }
        }
    )*};
}
launched_by! {
    &mut Closure<S, C, H, F, A>, ;
    &Closure<S, C, H, F, A>, ReadOnly;
}

impl<S, C, H, F, A> std::fmt::Debug for Closure<S, C, H, F, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Closure")
    }
}
