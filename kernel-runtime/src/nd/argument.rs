//! Views as arguments: the caller's side, and the way to the kernel's.

use super::region::{Extents, Region};
use super::shaped::{Shaped, ShapedMut};
use crate::argument::{KernelArg, Parameter, Put, Reader, Slots};
use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::element::DeviceCopy;
use crate::error::Result;
use crate::private::slice_of;
use gridfn_ir::{Access, Struct, Type, view};
use std::marker::PhantomData;
use std::ops::Range;

/// A buffer, or a part of one, with a shape, which kernels read: an argument for a parameter `View<T, D>`.
///
/// In a kernel it is indexed by all indices at once, `a[[row, column]]`, each of which is checked; `a.shape()` are the
/// lengths of its dimensions, and `a.len()` is the number of its elements. The last index is the fastest.
pub struct View<'b, T, const D: usize, B: Backend> {
    buffer: &'b Buffer<T, B>,
    region: Region<D>,
}

/// A buffer, or a part of one, with a shape, which kernels write: an argument for a parameter `ViewMut<T, D>`.
///
/// A safe kernel writes at the item's own indices: `v[[global_id(1), global_id(0)]]`, in any order, and the same for all
/// accesses. Where only some of the indices are the item's own, as in `v[[row, global_id(0)]]`, they must be all that the
/// grid has: the launch is an error in more dimensions.
pub struct ViewMut<'b, T, const D: usize, B: Backend> {
    buffer: &'b mut Buffer<T, B>,
    region: Region<D>,
}

impl<T, B: Backend> Buffer<T, B> {
    /// All elements, in a shape of one to three dimensions, the last index the fastest.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let image = queue.zeros::<u8>(640 * 480)?;
    /// assert_eq!(image.view([480, 640])?.shape(), [480, 640]);
    /// assert!(image.view([640, 640]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::WrongShape`](crate::Error::WrongShape) if the buffer has more or fewer elements than the shape.
    pub fn view<const D: usize>(&self, shape: [usize; D]) -> Result<View<'_, T, D, B>>
    where
        [usize; D]: Extents,
    {
        let region = Region::whole(shape, self.len())?;
        Ok(View { buffer: self, region })
    }

    /// All elements in a shape, for a kernel that writes them.
    ///
    /// # Errors
    ///
    /// As [`Buffer::view`].
    pub fn view_mut<const D: usize>(&mut self, shape: [usize; D]) -> Result<ViewMut<'_, T, D, B>>
    where
        [usize; D]: Extents,
    {
        let region = Region::whole(shape, self.len())?;
        Ok(ViewMut { buffer: self, region })
    }

    /// The elements of a range, as a view of one dimension.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let x = queue.upload(&[1.0f32; 5])?;
    /// assert_eq!(x.slice(1..3)?.len(), 2);
    /// assert!(x.slice(4..6).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutOfView`](crate::Error::OutOfView) if the range is not within the buffer.
    pub fn slice(&self, range: Range<usize>) -> Result<View<'_, T, 1, B>> {
        self.view([self.len()])?.part([range])
    }

    /// The elements of a range, for a kernel that writes them.
    ///
    /// # Errors
    ///
    /// As [`Buffer::slice`].
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<ViewMut<'_, T, 1, B>> {
        let len = self.len();
        self.view_mut([len])?.into_part([range])
    }
}

impl<'b, T, const D: usize, B: Backend> View<'b, T, D, B> {
    /// The elements whose indices are in the ranges. Indices of the part count from 0.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let image = queue.zeros::<u8>(640 * 480)?;
    /// let top_left = image.view([480, 640])?.part([0..100, 0..200])?;
    /// assert_eq!((top_left.shape(), top_left.len()), ([100, 200], 20_000));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutOfView`](crate::Error::OutOfView) if a range is not within its dimension.
    pub fn part(&self, ranges: [Range<usize>; D]) -> Result<View<'b, T, D, B>> {
        let region = self.region.part(ranges)?;
        Ok(View { region, ..*self })
    }
}

impl<'b, T, const D: usize, B: Backend> ViewMut<'b, T, D, B> {
    /// The elements whose indices are in the ranges, borrowed from this view.
    ///
    /// # Errors
    ///
    /// As [`View::part`].
    pub fn part(&mut self, ranges: [Range<usize>; D]) -> Result<ViewMut<'_, T, D, B>> {
        let region = self.region.part(ranges)?;
        Ok(ViewMut {
            buffer: self.buffer,
            region,
        })
    }

    /// The elements whose indices are in the ranges, in the place of this view.
    ///
    /// # Errors
    ///
    /// As [`View::part`].
    pub fn into_part(self, ranges: [Range<usize>; D]) -> Result<ViewMut<'b, T, D, B>> {
        let region = self.region.part(ranges)?;
        Ok(ViewMut { region, ..self })
    }

    /// The same elements, for a kernel that only reads them.
    pub fn as_view(&self) -> View<'_, T, D, B> {
        View {
            buffer: self.buffer,
            region: self.region,
        }
    }
}

macro_rules! both {
    ($($name:ident)*) => {$(
        impl<T, const D: usize, B: Backend> $name<'_, T, D, B> {
            /// The lengths of all dimensions.
            #[inline]
            pub fn shape(&self) -> [usize; D] {
                self.region.shape
            }

            /// The number of elements.
            #[inline]
            pub fn len(&self) -> usize {
                self.region.len()
            }

            /// Whether there are none.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Writes the buffer and the region.
            #[inline(always)]
            pub(super) fn write<S: Slots<B>>(&self, slots: &mut S, access: Access) -> Result<()> {
                slots.buffer(self.buffer.memory(), self.buffer.len(), access)?;
                let Region { start, shape, strides } = self.region;
                slots.scalar(start);
                shape.into_iter().for_each(|size| slots.scalar(size));
                strides.into_iter().take(D - 1).for_each(|stride| slots.scalar(stride));
                Ok(())
            }
        }

        impl<T, const D: usize, B: Backend> std::fmt::Debug for $name<'_, T, D, B> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let (name, element) = (stringify!($name), std::any::type_name::<T>());
                write!(f, "{name}<{element}>({:?})", self.shape())
            }
        }
    )*};
}
both! { View ViewMut }

impl<T, const D: usize, B: Backend> Clone for View<'_, T, D, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const D: usize, B: Backend> Copy for View<'_, T, D, B> {}

impl<T, const D: usize, B: Backend> Put<B> for View<'_, T, D, B> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.write(slots, Access::Shared)
    }
}
impl<T, const D: usize, B: Backend> Put<B> for ViewMut<'_, T, D, B> {
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        self.write(slots, Access::Unique)
    }
}

impl<T: DeviceCopy, const D: usize, B: Backend> KernelArg for View<'_, T, D, B>
where
    [usize; D]: Extents,
{
    type Parameter = SharedView<T, D>;
}
impl<T: DeviceCopy, const D: usize, B: Backend> KernelArg for ViewMut<'_, T, D, B>
where
    [usize; D]: Extents,
{
    type Parameter = UniqueView<T, D>;
}

/// The parameter `View<T, D>`.
pub struct SharedView<T, const D: usize>(PhantomData<T>);
/// The parameter `ViewMut<T, D>`.
pub struct UniqueView<T, const D: usize>(PhantomData<T>);

/// The region that [`View::write`] wrote behind the buffer.
///
/// # Safety
///
/// The reader stands there.
#[inline(always)]
unsafe fn region<const D: usize>(reader: &mut Reader<'_>) -> Region<D> {
    let mut region = Region {
        start: 0,
        shape: [0; D],
        strides: [1; D],
    };
    // SAFETY: the caller's promise; these are what was written, in its order.
    unsafe {
        region.start = reader.scalar();
        region.shape.iter_mut().for_each(|size| *size = reader.scalar());
        let strides = region.strides.iter_mut().take(D - 1);
        strides.for_each(|stride| *stride = reader.scalar());
    }
    region
}

macro_rules! parameters {
    ($($parameter:ident $access:ident $view:ident $read:ident;)*) => {$(
        // SAFETY: reads the buffer and the sizes that the argument of the same name writes.
        unsafe impl<T: DeviceCopy, const D: usize> Parameter for $parameter<T, D> {
            const TYPE: Type = Type::Struct(&Struct {
                name: stringify!($view),
                fields: &view::fields(slice_of::<T>(Access::$access), D),
                size: 0,
                align: 1,
            });
            type View<'v> = $view<'v, T, D>;
            #[inline(always)]
            unsafe fn read<'v>(reader: &mut Reader<'v>) -> $view<'v, T, D> {
                // SAFETY: the caller's promise; the region is one of the buffer, by the constructors of views.
                unsafe {
                    let elements = reader.$read();
                    $view::new(elements, region(reader))
                }
            }
        }
    )*};
}
parameters! {
    SharedView Shared Shaped shared;
    UniqueView Unique ShapedMut unique;
}
