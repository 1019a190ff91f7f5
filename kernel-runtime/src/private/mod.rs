//! What the attributes' expansions name. Not for users, and not stable.
//!
//! [`hole`] has the types that rustc's inference fills in, [`twins`] the marker methods by which rustc tells which
//! method a call resolved to, [`operators`] that of an operator, [`wrap`] the arithmetic that wraps in every build,
//! [`checked`] the one that wraps in kernels only, [`layout`] how enums lie in memory, [`mod@slice`] the parts of slices,
//! [`words`] the messages of panics.

pub mod checked;
pub mod core_twins;
pub mod hole;
pub mod iterator;
pub mod layout;
pub mod operators;
pub mod ordering;
pub mod slice;
pub mod together;
pub mod twins;
pub mod words;
pub mod wrap;

pub use crate::argument::{Call, Fill, KernelArg, Parameter, Parameters, Put, Reader, Slots};
pub use crate::atomic::{Atomic, atomics_of};
pub use crate::cache::Cache;
pub use crate::closure::{self, ByValue, CaptureValue};
pub use crate::element::argument_of;
pub use crate::function::{self, DeviceFn, NoCaptures};
pub use crate::grid::{Dimensions, Extent, IntoGrid, Request};
pub use crate::host::{
    Avx2, Baseline, Group, HostCode, HostEntry, InstructionSet, Need, Slot, Unit, bound, conjure, entry,
    entry_of_group, signature, signature_of_group,
};
pub use crate::index::{self, Item};
pub use crate::kernel::{Ahead, Kernel, KernelType};
pub use crate::subgroup;
pub use crate::view::SliceMut;
pub use crate::workgroup;
pub use crate::{Backend, Buffer, DeviceCopy, Prepared, Queue, Result};
pub use gridfn_ir::{
    Access, Body, Constant, Enum, Field, FixedLocal, Link, Locate, Scalar as ScalarType, Struct, Type,
    Variant,
};
pub use hole::{Function, HasLink, Hole, NoMethod, constant};
pub use slice::{IntoSlice, IntoSliceMut, Subslice};
pub use words::Shown;
pub use wrap::Operand;

macro_rules! dimension {
    ($d:ident) => {
        usize
    };
}
pub(crate) use dimension;

/// The type of a slice parameter. The bound is asked here, where the user wrote the element's type, and nowhere else.
#[track_caller]
pub const fn slice_of<T: DeviceCopy>(access: Access) -> Type {
    Type::Slice {
        element: crate::element::element_of::<T>(),
        access,
    }
}

/// What a part of an argument is where it is used otherwise than by its elements or length. A `&[T]` may be that, since
/// nobody writes it; a copy of the view of a `&mut [T]` would lose whose element is whose.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value or a `&[T]`",
    label = "this has the type `{Self}`",
    note = "a safe kernel uses a `&mut [T]` by its own element and its length, `f.y[i]` and `f.y.len()`, and hands on \
            fields, not the struct that they are in; write `unsafe fn` if you know that no two work-items meet"
)]
pub trait Part {}
#[diagnostic::do_not_recommend]
impl<T: DeviceCopy> Part for T {}
impl<T> Part for &[T] {}
impl<T, const D: usize> Part for crate::nd::Shaped<'_, T, D> {}

/// A part of an argument, in a kernel whose items are proven not to meet.
#[inline(always)]
pub fn part<T: Part>(value: T) -> T {
    value
}

/// An index in a place that is emitted for its type alone, and never reached.
pub fn somewhere() -> usize {
    unreachable!("only the type of a place was asked for")
}

/// What `unsafe` around a closure kernel promises.
///
/// # Safety
///
/// No two work-items of any launch of the closure access the same element of a buffer that it writes.
#[inline(always)]
pub const unsafe fn items_do_not_meet() {}

/// The grid of a closure that has `N` indices.
#[inline(always)]
pub fn grid_of<const N: usize, G: IntoGrid + Dimensions<N>>(grid: G) -> crate::Grid {
    grid.into_grid()
}

/// What the host version of a kernel sees of an argument.
pub type ViewOf<'v, A> = <<A as KernelArg>::Parameter as Parameter>::View<'v>;

/// Whether two lists of types are the same: what was filled ahead of time, and what rustc filled.
pub const fn same_types(a: &[Type], b: &[Type]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if !a[n].same(b[n]) {
            return false;
        }
        n += 1;
    }
    true
}

/// Whether two lists of callees are the same.
pub const fn same_codes(a: &[u16], b: &[u16]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}

/// What `launch!` takes first. Nothing implements it: `Queue` and `Prepared` have methods of their own, which rustc finds
/// through any pointer; of everything else it says that this is missing.
#[diagnostic::on_unimplemented(
    message = "`launch!` cannot launch on `{Self}`",
    label = "expected a `Queue` or a `Prepared`",
    note = "`launch!(queue, kernel(arguments), global = n)`; `device.queue()?` makes a queue"
)]
pub trait QueueOrPrepared {}

/// The method that `launch!` calls, for types that do not have it.
pub trait LaunchOn {
    /// Never called.
    fn __launch<C>(&self, _: Request, _: C) -> Result<()>;
}

impl<T: QueueOrPrepared + ?Sized> LaunchOn for T {
    fn __launch<C>(&self, _: Request, _: C) -> Result<()> {
        unreachable!("nothing implements `QueueOrPrepared`")
    }
}

/// What the builder of a kernel with a mistake gives. It can be launched, so that the mistake is told once.
pub struct NoCall;

impl<B: Backend> Fill<B> for NoCall {
    fn fill<S: Slots<B>>(&self, _: &mut S) -> Result<()> {
        unreachable!("a kernel with a mistake is not compiled")
    }
}

impl<B: Backend> Call<B> for NoCall {
    type Kernel = NoCall;
    fn kernel(&self) -> &'static Kernel {
        unreachable!("a kernel with a mistake is not compiled")
    }
}
