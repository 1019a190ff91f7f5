//! Views that closure kernels capture.

use super::argument::{SharedView, UniqueView, View, ViewMut};
use super::region::Dimensions;
use super::shaped::ShapedMut;
use crate::argument::{Parameter, Reader, Slots};
use crate::backend::Backend;
use crate::closure::{self, Capture, Captured};
use crate::element::DeviceCopy;
use crate::error::Result;
use gridfn_ir::{Access, Type};

macro_rules! read {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, const D: usize, B: Backend> Capture<B> for $ty
        where
            [usize; D]: Dimensions,
        {
            type Parameter = SharedView<T, D>;
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                self.write(slots, Access::Shared)
            }
        }
    )*};
}
read!(
    View<'_, T, D, B>,
    &View<'_, T, D, B>,
    ViewMut<'_, T, D, B>,
    &ViewMut<'_, T, D, B>,
    &mut ViewMut<'_, T, D, B>
);

/// A view that the kernel writes, borrowed.
pub struct CapturedView<'c, 'b, T, const D: usize, B: Backend>(&'c mut ViewMut<'b, T, D, B>);

impl<'b, T, const D: usize, B: Backend> ViewMut<'b, T, D, B> {
    /// Captures by `&mut`. A method, so that a `&mut ViewMut` is reborrowed though its variable is not `mut`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn __unique(&mut self) -> CapturedView<'_, 'b, T, D, B> {
        CapturedView(self)
    }
}

impl<T: DeviceCopy, const D: usize, B: Backend> closure::View<B> for CapturedView<'_, '_, T, D, B> {
    type View<'v> = ShapedMut<'v, T, D>;
}
// SAFETY: the parameter reads what `write` writes.
unsafe impl<T: DeviceCopy, const D: usize, B: Backend> Captured<B> for CapturedView<'_, '_, T, D, B> {
    const TYPE: Type = UniqueView::<T, D>::TYPE;
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> ShapedMut<'v, T, D> {
        // SAFETY: the caller's promise.
        unsafe { UniqueView::<T, D>::read(reader) }
    }
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.0.write(slots, Access::Unique)
    }
}
