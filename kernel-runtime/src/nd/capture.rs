//! Views that closure kernels capture.

use super::argument::{SharedView, UniqueView, View, ViewMut};
use super::region::Extents;
use crate::argument::Slots;
use crate::backend::Backend;
use crate::closure::{Capture, CaptureUnique};
use crate::element::DeviceCopy;
use crate::error::Result;
use gridfn_ir::Access;

macro_rules! read {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, const D: usize, B: Backend> Capture<B> for $ty
        where
            [usize; D]: Extents,
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
    &mut ViewMut<'_, T, D, B>
);

macro_rules! written {
    ($($ty:ty),*) => {$(
        impl<T: DeviceCopy, const D: usize, B: Backend> CaptureUnique for $ty
        where
            [usize; D]: Extents,
        {
            type Parameter = UniqueView<T, D>;
            type Backend = B;
            #[inline(always)]
            fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
                self.write(slots, Access::Unique)
            }
        }
    )*};
}
written!(ViewMut<'_, T, D, B>, &mut ViewMut<'_, T, D, B>);
