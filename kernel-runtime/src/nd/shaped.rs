//! What the host version of a kernel sees of a view.

use super::region::Region;
use crate::host::fault;
use crate::view::SliceMut;
use gridfn_ir::typed::FaultKind;
use std::ops::{Index, IndexMut};

impl<const D: usize> Region<D> {
    /// The place of an element. Each index is checked by the length of its dimension.
    #[inline(always)]
    #[track_caller]
    fn place(&self, indices: [usize; D]) -> usize {
        let mut place = self.start;
        for (d, index) in indices.into_iter().enumerate() {
            if index >= self.shape[d] {
                fault(FaultKind::Index, [index as u64, self.shape[d] as u64]);
            }
            place += index * self.strides[d];
        }
        place
    }
}

/// What a kernel's parameter `View<T, D>` is in its body: elements at `D` indices, which nobody writes.
pub struct Shaped<'v, T, const D: usize> {
    elements: &'v [T],
    region: Region<D>,
}

/// What a kernel's parameter `ViewMut<T, D>` is in its body. As with a `&mut [T]`, an element becomes a reference only for
/// the moment of one access.
pub struct ShapedMut<'v, T, const D: usize> {
    elements: SliceMut<'v, T>,
    region: Region<D>,
}

macro_rules! both {
    ($($name:ident $elements:ty;)*) => {$(
        impl<T, const D: usize> Clone for $name<'_, T, D> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, const D: usize> Copy for $name<'_, T, D> {}

        impl<'v, T, const D: usize> $name<'v, T, D> {
            /// The elements of `region`.
            ///
            /// # Safety
            ///
            /// It is a region of a buffer with these elements.
            #[inline(always)]
            pub(super) unsafe fn new(elements: $elements, region: Region<D>) -> Self {
                $name { elements, region }
            }

            /// The lengths of all dimensions.
            #[inline(always)]
            pub fn shape(&self) -> [usize; D] {
                self.region.shape
            }

            /// The number of elements.
            #[inline(always)]
            pub fn len(&self) -> usize {
                self.region.len()
            }

            /// Whether there are none.
            #[inline(always)]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }
    )*};
}
both! {
    Shaped &'v [T];
    ShapedMut SliceMut<'v, T>;
}

impl<T, const D: usize> Index<[usize; D]> for Shaped<'_, T, D> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, indices: [usize; D]) -> &T {
        let place = self.region.place(indices);
        // SAFETY: indices below the shape of a region lead to elements of its buffer.
        unsafe { self.elements.get_unchecked(place) }
    }
}

impl<T, const D: usize> Index<[usize; D]> for ShapedMut<'_, T, D> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, indices: [usize; D]) -> &T {
        let place = self.region.place(indices);
        // SAFETY: indices below the shape of a region lead to elements of its buffer; no other item writes this one
        // meanwhile, by the attribute's proof or the caller's promise.
        unsafe { &*self.elements.at_unchecked(place) }
    }
}

impl<T, const D: usize> IndexMut<[usize; D]> for ShapedMut<'_, T, D> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, indices: [usize; D]) -> &mut T {
        let place = self.region.place(indices);
        // SAFETY: as for `index`.
        unsafe { &mut *self.elements.at_unchecked(place) }
    }
}
