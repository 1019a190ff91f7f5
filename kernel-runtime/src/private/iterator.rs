//! Iterators of kernels, on the host.
//!
//! The attribute reads an iterator by the names of its methods. [`of`] has rustc confirm that they are core's own: the
//! type of what core's methods made tells which they were.

use crate::element::DeviceCopy;
use std::borrow::Borrow;
use std::iter::{self, Product, Sum};
use std::marker::PhantomData;
use std::{array, ops, slice};

/// An iterator of core that kernels have.
#[diagnostic::on_unimplemented(
    message = "this is no iterator that kernels have",
    label = "of the type `{Self}`",
    note = "kernels run over ranges, slices and arrays"
)]
pub trait DeviceIterator: Iterator {
    /// What it is made of.
    type Shape;
}

macro_rules! shapes {
    ($($name:ident $(<$($of:ident),*>)?;)*) => {$(
        #[doc(hidden)]
        pub struct $name $(<$($of),*>($(PhantomData<$of>),*))?;
    )*};
}
shapes! {
    Range; Elements; Values; Chunks; Windows;
    Rev<A>; Enumerate<A>; Copied<A>; StepBy<A>; Skip<A>; Take<A>; Map<A>; Filter<A>; Zip<A, B>;
}

macro_rules! sources {
    ($({$($g:tt)*} $of:ty => $shape:ident;)*) => {$(
        impl<$($g)*> DeviceIterator for $of where $of: Iterator {
            type Shape = $shape;
        }
    )*};
}
sources! {
    {T} ops::Range<T> => Range;
    {T} ops::RangeInclusive<T> => Range;
    {'s, T} slice::Iter<'s, T> => Elements;
    {'s, T} slice::IterMut<'s, T> => Elements;
    {T, const N: usize} array::IntoIter<T, N> => Values;
    {'s, T} slice::ChunksExact<'s, T> => Chunks;
    {'s, T} slice::ChunksExactMut<'s, T> => Chunks;
    {'s, T} slice::Windows<'s, T> => Windows;
}

macro_rules! adaptors {
    ($([$($f:ident)?] $of:ident => $shape:ident;)*) => {$(
        impl<I: DeviceIterator $(, $f)?> DeviceIterator for iter::$of<I $(, $f)?>
        where
            iter::$of<I $(, $f)?>: Iterator,
        {
            type Shape = $shape<I::Shape>;
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

impl<A: DeviceIterator, B: DeviceIterator> DeviceIterator for iter::Zip<A, B> {
    type Shape = Zip<A::Shape, B::Shape>;
}

/// The iterator itself, which is made of what the attribute read.
#[inline(always)]
pub fn of<S, I: DeviceIterator<Shape = S>>(iterator: I) -> I {
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
