//! What the items of a work-group do together: they wait for each other, and share local memory.
//!
//! The functions here are names that `#[kernel]` knows: a kernel's code has something else in their place, on devices
//! and on the host. Their type parameters and results are what rustc types the kernel's body by.

use crate::element::DeviceCopy;
use crate::host::fault;
use crate::private::slice::{Bounds, IntoSlice, IntoSliceMut, Subslice};
use crate::view::SliceMut;
use gridfn_ir::typed::FaultKind;
use gridfn_ir::{Scalar, Type};
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// The items of a work-group wait here for each other: what they wrote before, to local memory and to buffers, all of
/// them see behind it. OpenCL's `barrier`, CUDA's `__syncthreads`.
///
/// It is a statement of its own. All items of the group must reach it, so it stands at the top level of a kernel or
/// under conditions that are *uniform*: the same for all items of a group. Such are literals, scalar parameters, the
/// length of a slice, the shape of a view, the group's index and the grid's sizes, elements of a `&[T]` at uniform
/// indices, variables that are assigned only from these under uniform conditions, and [`uniform`]. Anything else does
/// not compile.
///
/// # Panics
///
/// Outside a kernel.
#[track_caller]
pub fn barrier() {
    outside("barrier")
}

/// An array of `N` elements that the items of a work-group share, in the local memory of the device.
///
/// Each place in the source is one array: two calls are two arrays, and a call in a loop is the same one in each
/// round. What it holds at first is unspecified, and so is what an item reads that another one writes without a
/// [`barrier`] in between. So `T` is a type for which every bit pattern is a value: integers, floats, and arrays,
/// tuples and structs of them.
///
/// # Panics
///
/// Outside a kernel.
#[track_caller]
pub fn local_array<T: DeviceCopy, const N: usize>() -> LocalArray<T, N> {
    outside("local_array")
}

/// The value that the first item of the work-group gives, to all of its items: so conditions may depend on it that have
/// a [`barrier`] under them.
///
/// All items evaluate `value` and should give the same; the host checks that. Like a barrier, it must be reached by all
/// items of the group, and what they wrote before is seen behind it.
///
/// # Panics
///
/// Outside a kernel.
#[track_caller]
pub fn uniform<T: DeviceCopy + PartialEq>(value: T) -> T {
    let _ = value;
    outside("uniform")
}

#[cold]
#[track_caller]
fn outside(name: &str) -> ! {
    panic!("`{name}` was called outside a kernel")
}

/// An array in local memory: what [`local_array`] gives.
///
/// It has elements, parts and a length like an array in a variable.
pub struct LocalArray<T, const N: usize>(*mut [T; N]);

impl<T, const N: usize> LocalArray<T, N> {
    /// An array at a place.
    ///
    /// # Safety
    ///
    /// The place is valid, aligned and initialised for as long as the value is used; several items may hold it at once,
    /// but one at a time uses it.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn at(place: *mut [T; N]) -> Self {
        LocalArray(place)
    }

    /// The number of elements.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        N
    }

    /// Whether there are none.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        N == 0
    }

    #[inline(always)]
    #[track_caller]
    fn element(&self, index: usize) -> *mut T {
        if index >= N {
            fault(FaultKind::Index, [index as u64, N as u64]);
        }
        // SAFETY: within the array.
        unsafe { self.0.cast::<T>().add(index) }
    }

    #[inline(always)]
    fn view<'a>(&self) -> SliceMut<'a, T> {
        // SAFETY: by the promise of `at`.
        unsafe { SliceMut::new(self.0.cast(), N) }
    }
}

impl<T, const N: usize> Index<usize> for LocalArray<T, N> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        // SAFETY: a valid element, by the promise of `at`.
        unsafe { &*self.element(index) }
    }
}

impl<T, const N: usize> IndexMut<usize> for LocalArray<T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        // SAFETY: as for `index`.
        unsafe { &mut *self.element(index) }
    }
}

impl<T, const N: usize> Deref for LocalArray<T, N> {
    type Target = [T; N];
    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        // SAFETY: by the promise of `at`.
        unsafe { &*self.0 }
    }
}

impl<T, const N: usize> DerefMut for LocalArray<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        // SAFETY: by the promise of `at`.
        unsafe { &mut *self.0 }
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a LocalArray<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut LocalArray<T, N> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T, const N: usize> Subslice for LocalArray<T, N> {
    type Unique<'a>
        = &'a mut [T]
    where
        T: 'a;
    type Element = T;
    #[inline(always)]
    #[track_caller]
    fn __shared_part<R: Bounds>(&self, range: R) -> &[T] {
        self.as_slice().__shared_part(range)
    }
    #[inline(always)]
    #[track_caller]
    fn __unique_part<R: Bounds>(&mut self, range: R) -> &mut [T] {
        self.as_mut_slice().__unique_part(range)
    }
}

impl<'v, T, const N: usize> IntoSlice<'v, T> for &'v LocalArray<T, N> {
    #[inline(always)]
    fn into_slice(self) -> &'v [T] {
        self.as_slice()
    }
}

impl<'v, T, const N: usize> IntoSlice<'v, T> for &'v mut LocalArray<T, N> {
    #[inline(always)]
    fn into_slice(self) -> &'v [T] {
        self.as_slice()
    }
}

impl<'v, T, const N: usize> IntoSliceMut<'v, T> for &'v mut LocalArray<T, N> {
    #[inline(always)]
    fn into_slice_mut(self) -> SliceMut<'v, T> {
        self.view()
    }
}

/// The type of a local array, as lowering sees it: that of the array in it.
#[track_caller]
pub const fn local_array_of<T: DeviceCopy, const N: usize>() -> Type {
    assert!(
        any_bits(&T::TYPE),
        "a local array holds only types for which every bit pattern is a value: integers, floats, and arrays, tuples and \
         structs of them; in the place of a `bool` take a `u8`, in that of an enum its number"
    );
    Type::Array {
        element: &T::TYPE,
        len: N,
    }
}

/// Whether all bits are a value of the type.
const fn any_bits(ty: &Type) -> bool {
    match ty {
        Type::Unit => true,
        Type::Scalar(scalar) => !matches!(scalar, Scalar::Bool),
        Type::Array { element, .. } => any_bits(element),
        Type::Struct(s) => {
            let mut n = 0;
            while n < s.fields.len() {
                if !any_bits(&s.fields[n].ty) {
                    return false;
                }
                n += 1;
            }
            true
        }
        Type::Enum(_) | Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => false,
    }
}

/// Where these functions are called by another name, or in a device function, which know them by their names only: a
/// call finds this in the place of a device function's marker.
pub mod markers {
    use super::LocalArray;
    use crate::private::NoMethod;
    use std::marker::PhantomData;

    /// What is called by its own name.
    #[diagnostic::on_unimplemented(
        message = "in a kernel the functions of work-groups are called by their own names: `barrier()`, `local_array::<T, \
                   N>()`, `uniform(value)`",
        label = "a function of work-groups by another name",
        note = "import it without `as`"
    )]
    pub trait ByItsName {}

    macro_rules! marker {
        ($name:ident) => {
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            pub struct $name {}
            impl $name {
                #[doc(hidden)]
                pub fn __called(&self) -> NoMethod {
                    NoMethod
                }
            }
        };
    }
    marker!(barrier);
    marker!(local_array);
    marker!(uniform);
    impl barrier {
        #[doc(hidden)]
        pub const fn __link<F: ByItsName + Copy>(_: F) -> barrier {
            barrier {}
        }
        #[doc(hidden)]
        pub fn __at<I>(&self, _: &I) -> fn() {
            unreachable!("a kernel with a mistake is not compiled")
        }
    }
    impl local_array {
        #[doc(hidden)]
        pub const fn __link<T, const N: usize>(_: fn() -> LocalArray<T, N>) -> Array<T, N>
        where
            LocalArray<T, N>: ByItsName,
        {
            Array(PhantomData)
        }
    }
    impl uniform {
        #[doc(hidden)]
        pub const fn __link<F: ByItsName + Copy>(_: F) -> uniform {
            uniform {}
        }
        #[doc(hidden)]
        pub fn __at<I, T>(&self, _: &I) -> fn(T) -> T {
            unreachable!("a kernel with a mistake is not compiled")
        }
    }
    #[doc(hidden)]
    pub struct Array<T, const N: usize>(PhantomData<fn() -> T>);
    impl<T, const N: usize> Array<T, N> {
        #[doc(hidden)]
        pub fn __called(&self) -> NoMethod {
            NoMethod
        }
        #[doc(hidden)]
        pub fn __at<I>(&self, _: &I) -> fn() -> LocalArray<T, N> {
            unreachable!("a kernel with a mistake is not compiled")
        }
    }
}
pub use markers::{barrier, local_array, uniform};
