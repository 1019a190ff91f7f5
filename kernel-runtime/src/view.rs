//! The host's view of a `&mut [T]` parameter.

use crate::host::fault;
use gridfn_ir::typed::FaultKind;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// A slice that all work-items of a launch share: what a `&mut [T]` parameter is in the host version of a kernel.
///
/// It is never a `&mut [T]`, because work-items on several threads hold it at once. An element becomes a reference
/// only for the moment of one access; that no two items access the same element is what the attribute proves, or
/// what the caller of an `unsafe fn` kernel promises.
pub struct SliceMut<'v, T> {
    pointer: *mut T,
    len: usize,
    lifetime: PhantomData<&'v mut [T]>,
}

impl<T> Clone for SliceMut<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for SliceMut<'_, T> {}

impl<'v, T> SliceMut<'v, T> {
    /// A view of `len` elements.
    ///
    /// # Safety
    ///
    /// They are valid for `'v`, and no one but the items of this launch touches them.
    #[inline(always)]
    pub(crate) unsafe fn new(pointer: *mut T, len: usize) -> Self {
        SliceMut {
            pointer,
            len,
            lifetime: PhantomData,
        }
    }

    /// A view of a slice that the caller owns, as a `#[device]` function called on the host has it.
    #[inline(always)]
    pub fn from_slice(slice: &'v mut [T]) -> Self {
        SliceMut {
            pointer: slice.as_mut_ptr(),
            len: slice.len(),
            lifetime: PhantomData,
        }
    }

    /// The elements of a range that is within the view.
    #[inline(always)]
    pub(crate) fn part<'a>(self, range: Range<usize>) -> SliceMut<'a, T>
    where
        'v: 'a,
    {
        debug_assert!(range.start <= range.end && range.end <= self.len);
        SliceMut {
            // SAFETY: within the view, or just behind it.
            pointer: unsafe { self.pointer.add(range.start) },
            len: range.end - range.start,
            lifetime: PhantomData,
        }
    }

    /// The view as a slice.
    ///
    /// # Safety
    ///
    /// No one writes its elements meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn as_slice(self) -> &'v [T] {
        // SAFETY: the elements are valid for `'v`; and the caller's promise.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
    }

    /// `slice.swap(a, b)`, which touches these elements only.
    #[inline(always)]
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        let (a, b) = (self.at(a), self.at(b));
        // SAFETY: valid elements; no other item touches them meanwhile, by the caller's promise.
        unsafe { std::ptr::swap(a, b) }
    }

    /// `slice.get_mut(index)`, which touches this element only.
    #[inline(always)]
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        // SAFETY: a valid element; no other item touches it meanwhile, by the caller's promise.
        (index < self.len).then(|| unsafe { &mut *self.at(index) })
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element's place, of an index that is within the slice.
    ///
    /// # Safety
    ///
    /// It is.
    #[inline(always)]
    pub(crate) unsafe fn at_unchecked(&self, index: usize) -> *mut T {
        debug_assert!(index < self.len);
        // SAFETY: the caller's promise.
        unsafe { self.pointer.add(index) }
    }

    /// The element's place.
    #[inline(always)]
    #[track_caller]
    fn at(&self, index: usize) -> *mut T {
        if index >= self.len {
            fault(FaultKind::Index, [index as u64, self.len as u64]);
        }
        // SAFETY: within the slice.
        unsafe { self.pointer.add(index) }
    }
}

impl<T> Index<usize> for SliceMut<'_, T> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        // SAFETY: a valid element; no other item writes it meanwhile, by the attribute's proof or the caller's
        // promise.
        unsafe { &*self.at(index) }
    }
}

impl<T> IndexMut<usize> for SliceMut<'_, T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        // SAFETY: as for `index`.
        unsafe { &mut *self.at(index) }
    }
}

/// What a slice can do as a whole, such as `iter` and `fill`. A safe kernel does none of it with a slice that it writes.
impl<T> Deref for SliceMut<'_, T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: no other item writes the elements meanwhile, by the attribute's proof or the caller's promise.
        unsafe { self.as_slice() }
    }
}

impl<T> DerefMut for SliceMut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the elements are valid for the view's lifetime. A function that writes a slice as a whole has it for
        // itself: a kernel that hands it on is `unsafe`, and its caller promises that no other item touches it.
        unsafe { std::slice::from_raw_parts_mut(self.pointer, self.len) }
    }
}

impl<'a, T> IntoIterator for &'a SliceMut<'_, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut SliceMut<'_, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
