//! Iterators of kernels, on the host.
//!
//! The attribute reads an iterator by the names of its methods. [`of`] has rustc confirm that they are core's own: the
//! type of what core's methods made tells which they were.

use crate::element::DeviceCopy;
use std::borrow::Borrow;
use std::iter::{self, Product, Sum};
use std::marker::PhantomData;
use std::{array, ops, slice};

/// An iterator of core, made of what `Shape` tells.
#[diagnostic::on_unimplemented(
    message = "this is no iterator that kernels have",
    label = "of the type `{Self}`",
    note = "kernels run over ranges, slices and arrays"
)]
pub trait Made<Shape>: Iterator {}

macro_rules! shapes {
    ($($name:ident $(<$($of:ident),*>)?;)*) => {$(
        #[doc(hidden)]
        pub struct $name $(<$($of),*>($(PhantomData<$of>),*))?;
    )*};
}
shapes! {
    Range; Elements; Whole; Chunks; Windows;
    Rev<A>; Enumerate<A>; Copied<A>; StepBy<A>; Skip<A>; Take<A>; Map<A>; Filter<A>; Zip<A, B>;
}

macro_rules! sources {
    ($({$($g:tt)*} $of:ty => $shape:ident;)*) => {$(
        impl<$($g)*> Made<$shape> for $of where $of: Iterator {}
    )*};
}
sources! {
    {T} ops::Range<T> => Range;
    {T} ops::RangeInclusive<T> => Range;
    {T, const N: usize} array::IntoIter<T, N> => Whole;
    {'s, T} slice::ChunksExact<'s, T> => Chunks;
    {'s, T} slice::ChunksExactMut<'s, T> => Chunks;
    {'s, T} slice::Windows<'s, T> => Windows;
}
impl<T> Made<Elements> for slice::Iter<'_, T> {}
impl<T> Made<Elements> for slice::IterMut<'_, T> {}
// A name alone does not tell whether it is that of an array or of a reference.
impl<T> Made<Whole> for slice::Iter<'_, T> {}
impl<T> Made<Whole> for slice::IterMut<'_, T> {}

macro_rules! adaptors {
    ($([$($f:ident)?] $of:ident => $shape:ident;)*) => {$(
        impl<S, I: Made<S> $(, $f)?> Made<$shape<S>> for iter::$of<I $(, $f)?>
        where
            iter::$of<I $(, $f)?>: Iterator,
        {
        }
    )*};
}
adaptors! {
    [] Rev => Rev;
    [] Enumerate => Enumerate;
    [] Copied => Copied;
    [] Cloned => Copied;
    [] StepBy => StepBy;
    [] Skip => Skip;
    [] Take => Take;
    [F] Map => Map;
    [F] Filter => Filter;
}

impl<S, R, A: Made<S>, B: Made<R>> Made<Zip<S, R>> for iter::Zip<A, B> {}

/// The iterator itself, which is made of what the attribute read.
#[inline(always)]
pub fn of<S, I: Made<S>>(iterator: I) -> I {
    iterator
}

/// `iterator.sum()`, which wraps in every build.
#[inline(always)]
pub fn sum<S: DeviceCopy + Sum<I::Item>, I: Iterator>(iterator: I) -> S
where
    I::Item: Borrow<S>,
{
    if S::INTEGER {
        let zero: S = iter::empty().sum();
        iterator.fold(zero, |sum, v| sum.__add(*v.borrow()))
    } else {
        iterator.sum()
    }
}

/// `iterator.product()`, which wraps in every build.
#[inline(always)]
pub fn product<S: DeviceCopy + Product<I::Item>, I: Iterator>(iterator: I) -> S
where
    I::Item: Borrow<S>,
{
    if S::INTEGER {
        let one: S = iter::empty().product();
        iterator.fold(one, |product, v| product.__mul(*v.borrow()))
    } else {
        iterator.product()
    }
}
