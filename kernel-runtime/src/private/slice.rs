//! Parts of slices, `&x[a..b]` and `&mut y[a..b]`, and what is passed where a function takes a slice.
//!
//! A range that does not fit is a fault at the caller's place, in the words that Rust's own panics use.

use crate::host::fault;
use crate::view::SliceMut;
use gridfn_ir::typed::FaultKind;
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A range of indices.
pub trait Bounds {
    /// Its start and end in a slice of that length.
    fn within(self, len: usize) -> Range<usize>;
}

/// The range from `start` to `end` in a slice of length `len`. `named` is the end as the source has it.
#[inline(always)]
#[track_caller]
fn checked(start: usize, end: usize, named: usize, len: usize) -> Range<usize> {
    // In the order in which Rust looks at them.
    if start > len {
        fault(FaultKind::RangeStart, [start as u64, len as u64]);
    }
    if end > len {
        fault(FaultKind::RangeEnd, [named as u64, len as u64]);
    }
    if start > end {
        fault(FaultKind::RangeOrder, [start as u64, end as u64]);
    }
    start..end
}

/// The range from `start` to `last`.
#[inline(always)]
#[track_caller]
fn inclusive(start: usize, last: usize, len: usize) -> Range<usize> {
    // No slice has as many elements that the end behind the last index would be a real one.
    checked(start, last.saturating_add(1), last, len)
}

macro_rules! bounds {
    ($($ty:ty, |$range:ident, $len:ident| $value:expr;)*) => {$(
        impl Bounds for $ty {
            #[inline(always)]
            #[track_caller]
            fn within(self, $len: usize) -> Range<usize> {
                let $range = self;
                $value
            }
        }
    )*};
}
bounds! {
    Range<usize>, |range, len| checked(range.start, range.end, range.end, len);
    RangeFrom<usize>, |range, len| checked(range.start, len, len, len);
    RangeTo<usize>, |range, len| checked(0, range.end, range.end, len);
    RangeInclusive<usize>, |range, len| inclusive(*range.start(), *range.end(), len);
    RangeToInclusive<usize>, |range, len| inclusive(0, range.end, len);
    RangeFull, |_range, len| 0..len;
}

/// What has parts: a slice, an array, or the view of a `&mut [T]` parameter. By `&` a part is a slice; by `&mut` it is
/// what the whole is.
///
/// Called as methods, these take references to such as well, and a `&mut [T]` whose variable is not `mut`.
#[diagnostic::on_unimplemented(
    message = "kernels cannot take a part of `{Self}`",
    label = "not a slice or array",
    note = "a range in brackets is a part of a `&[T]`, a `&mut [T]` or an array"
)]
pub trait Subslice {
    /// A part by `&mut`.
    type Unique<'a>
    where
        Self: 'a;
    /// One element.
    type Element;
    /// `&self[range]`
    fn __shared_part<R: Bounds>(&self, range: R) -> &[Self::Element];
    /// `&mut self[range]`
    fn __unique_part<R: Bounds>(&mut self, range: R) -> Self::Unique<'_>;
}

impl<T> Subslice for [T] {
    type Unique<'a>
        = &'a mut [T]
    where
        T: 'a;
    type Element = T;
    #[inline(always)]
    #[track_caller]
    fn __shared_part<R: Bounds>(&self, range: R) -> &[T] {
        let range = range.within(self.len());
        // SAFETY: the range is within the slice.
        unsafe { self.get_unchecked(range) }
    }
    #[inline(always)]
    #[track_caller]
    fn __unique_part<R: Bounds>(&mut self, range: R) -> &mut [T] {
        let range = range.within(self.len());
        // SAFETY: the range is within the slice.
        unsafe { self.get_unchecked_mut(range) }
    }
}

impl<T, const N: usize> Subslice for [T; N] {
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

impl<'v, T> Subslice for SliceMut<'v, T> {
    type Unique<'a>
        = SliceMut<'a, T>
    where
        'v: 'a,
        T: 'a;
    type Element = T;
    #[inline(always)]
    #[track_caller]
    fn __shared_part<R: Bounds>(&self, range: R) -> &[T] {
        let part = self.part(range.within(self.len()));
        // SAFETY: a part of the view. No other item writes it meanwhile, by the attribute's proof or the caller's
        // promise.
        unsafe { part.as_slice() }
    }
    #[inline(always)]
    #[track_caller]
    fn __unique_part<R: Bounds>(&mut self, range: R) -> SliceMut<'_, T> {
        self.part(range.within(self.len()))
    }
}

/// `&base[range]`
#[inline(always)]
#[track_caller]
pub fn shared<S: Subslice + ?Sized, R: Bounds>(base: &S, range: R) -> &[S::Element] {
    base.__shared_part(range)
}

/// `&mut base[range]`
#[inline(always)]
#[track_caller]
pub fn unique<S: Subslice + ?Sized, R: Bounds>(base: &mut S, range: R) -> S::Unique<'_> {
    base.__unique_part(range)
}

/// What the kernel form of a device function takes for a parameter `&mut [T]`.
#[diagnostic::on_unimplemented(
    message = "expected `&mut [{T}]`, found `{Self}`",
    label = "expected `&mut [{T}]`",
    note = "a function that kernels call takes a `&mut [T]` parameter, a part of one, or an array by `&mut`"
)]
pub trait IntoSliceMut<'v, T> {
    /// The view.
    fn into_slice_mut(self) -> SliceMut<'v, T>;
}

/// What the kernel form of a device function takes for a parameter `&[T]`.
#[diagnostic::on_unimplemented(
    message = "expected `&[{T}]`, found `{Self}`",
    label = "expected `&[{T}]`",
    note = "a function that kernels call takes a slice parameter, a part of one, or an array by `&`"
)]
pub trait IntoSlice<'v, T> {
    /// The slice.
    fn into_slice(self) -> &'v [T];
}

macro_rules! slices {
    ($trait:ident $into:ident $result:ty: $([$($generics:tt)*] $ty:ty, |$value:ident| $expression:expr;)*) => {$(
        impl<'v, T, $($generics)*> $trait<'v, T> for $ty {
            #[inline(always)]
            fn $into(self) -> $result {
                let $value = self;
                $expression
            }
        }
    )*};
}
slices! {
    IntoSliceMut into_slice_mut SliceMut<'v, T>:
    [] SliceMut<'v, T>, |view| view;
    [] &'v mut SliceMut<'_, T>, |view| view.part(0..view.len());
    [] &'v mut [T], |slice| SliceMut::from_slice(slice);
    [const N: usize] &'v mut [T; N], |array| SliceMut::from_slice(array);
}
slices! {
    IntoSlice into_slice &'v [T]:
    [] &'v [T], |slice| slice;
    [] &'v mut [T], |slice| slice;
    [const N: usize] &'v [T; N], |array| array;
    [const N: usize] &'v mut [T; N], |array| array;
    // SAFETY: no other item writes the view's elements meanwhile, by the attribute's proof or the caller's promise.
    [] SliceMut<'v, T>, |view| unsafe { view.as_slice() };
    // SAFETY: as above.
    [] &'v SliceMut<'_, T>, |view| unsafe { view.as_slice() };
    // SAFETY: as above.
    [] &'v mut SliceMut<'_, T>, |view| unsafe { view.as_slice() };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    /// The words of a panic, without the hook's output.
    fn words(run: impl FnOnce() -> usize + std::panic::UnwindSafe) -> Result<usize, String> {
        catch_unwind(run).map_err(|payload| match payload.downcast::<String>() {
            Ok(text) => *text,
            Err(_) => "a panic without words".into(),
        })
    }

    #[test]
    fn ranges_fault_in_the_words_of_rust() {
        const MAX: usize = usize::MAX;
        macro_rules! agree {
            ($($range:expr),* $(,)?) => {$(
                let rust = words(|| [1, 2, 3, 4].as_slice()[$range].len());
                let by_shared = words(|| shared(&[1, 2, 3, 4], $range).len());
                let unique = words(|| {
                    let mut array = [1, 2, 3, 4];
                    SliceMut::from_slice(&mut array).__unique_part($range).len()
                });
                assert_eq!((&by_shared, &unique), (&rust, &rust), "{}", stringify!($range));
            )*};
        }
        let [zero, one, two, three, four, five, nine] = std::hint::black_box([0, 1, 2, 3, 4, 5, 9]);
        agree!(
            zero..four,
            one..three,
            two..two,
            four..four,
            one..,
            four..,
            ..three,
            ..zero,
            ..,
            one..=three,
            ..=three,
            three..=two,
            one..five,
            three..two,
            nine..two,
            nine..five,
            five..,
            ..five,
            one..=four,
            three..=one,
            nine..=one,
            one..=MAX,
            ..=MAX,
            ..=four,
            MAX..=MAX,
            MAX..MAX
        );
    }

    #[test]
    fn a_part_of_a_view_is_that_part() {
        let mut array = [1, 2, 3, 4, 5];
        let mut view = SliceMut::from_slice(&mut array);
        let mut part = view.__unique_part(1..4);
        part[0] = 20;
        let mut inner = part.__unique_part(2..);
        inner[0] = 40;
        assert_eq!(view.__shared_part(..), [1, 20, 3, 40, 5]);
        assert_eq!(array, [1, 20, 3, 40, 5]);
    }

    #[test]
    fn slices_arrays_and_views_pass_for_slices() {
        fn set<'v>(slice: impl IntoSliceMut<'v, i32>) {
            slice.into_slice_mut()[0] = 7;
        }
        fn first<'v>(slice: impl IntoSlice<'v, i32>) -> i32 {
            slice.into_slice()[0]
        }
        let mut array = [0; 3];
        set(&mut array);
        assert_eq!((first(&array), first(&array[1..])), (7, 0));
        set(&mut array[1..]);
        let mut view = SliceMut::from_slice(&mut array[2..]);
        #[expect(
            clippy::needless_borrows_for_generic_args,
            reason = "a reference is what is passed"
        )]
        let mut part = IntoSliceMut::into_slice_mut(&mut view);
        part[0] = 7;
        assert_eq!((IntoSlice::into_slice(view), first(view)), (&[7][..], 7));
        assert_eq!(array, [7; 3]);
    }
}
