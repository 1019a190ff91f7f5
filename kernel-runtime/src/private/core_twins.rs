//! Twins of core's methods whose receiver or result is no scalar: of slices, `Option`, `Result`,
//! `Ordering`, atomics, views of buffers, and some of numbers.
//!
//! See [`super::twins`]. A receiver that rustc borrows or takes apart to find the method, it treats likewise to find the
//! twin. Arrays have the twins of slices by themselves, so that they are found before what tells of a method that devices
//! lack.

#![allow(
    non_snake_case,
    reason = "twins are named after methods, with `__device` behind"
)]

use crate::atomic::{
    AtomicF32, AtomicF64, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize,
};
use crate::element::DeviceCopy;
use crate::nd::{Shaped, ShapedMut};
use crate::private::HasLink;
use crate::private::operators::DevicePartialEq;
use gridfn_ir::{ByteOrder, CoreMethod, Link, Type, for_each_core_method};
use std::cmp::Ordering;
use std::marker::PhantomData;
use std::num::FpCategory;

/// The marker types, one per line of the table.
pub mod marker {
    use super::*;

    macro_rules! markers {
        ($($class:ident { $($variant:ident $name:ident $twin:ident;)* })*) => {
            $($(
                #[doc(hidden)]
                pub struct $variant;
                impl HasLink for $variant {
                    const LINK: fn() -> Link = CoreMethod::$variant.link();
                    const CODE: u16 = CoreMethod::$variant.code();
                }
            )*)*
        };
    }
    for_each_core_method!(markers);

    /// Of [`FromBytes`](super::FromBytes), for numbers of type `T`; `BIG` where the highest byte is first.
    #[doc(hidden)]
    pub struct NumberOfBytes<T, const BIG: bool>(PhantomData<T>);
    impl<T: DeviceCopy, const BIG: bool> HasLink for NumberOfBytes<T, BIG> {
        const LINK: fn() -> Link = || match T::TYPE {
            Type::Scalar(scalar) => {
                Link::FromBytes(scalar, if BIG { ByteOrder::Big } else { ByteOrder::Little })
            }
            _ => unreachable!("only numbers have the twin"),
        };
    }
}

impl DevicePartialEq<Ordering> for Ordering {
    type Marker = marker::PlainEq;
}
impl DevicePartialEq<FpCategory> for FpCategory {
    type Marker = marker::PlainEq;
}

/// The twins of the functions that make numbers of bytes; they are called on the type.
#[doc(hidden)]
#[expect(
    clippy::wrong_self_convention,
    reason = "the marker method is called on a value that never is"
)]
pub trait FromBytes: Sized {
    fn from_le_bytes__device(self) -> marker::NumberOfBytes<Self, false> {
        unreachable!("a probe never runs")
    }
    fn from_be_bytes__device(self) -> marker::NumberOfBytes<Self, true> {
        unreachable!("a probe never runs")
    }
    fn from_ne_bytes__device(self) -> marker::NumberOfBytes<Self, false> {
        unreachable!("a probe never runs")
    }
}

macro_rules! twins {
    (
        Slice $slice:tt
        SliceMut $slice_mut:tt
        Option $option:tt
        Result $result:tt
        Atomic $atomic:tt
        Integer $integer:tt
        Bool $bool:tt
        Float $float:tt
        Ordering $ordering:tt
        Plain $plain:tt
        View $view:tt
    ) => {
        twins!(@define CoreSlice $slice);
        impl<T> CoreSlice for [T] {}
        impl<T, const N: usize> CoreSlice for [T; N] {}
        twins!(@define CoreSliceMut $slice_mut);
        impl<T> CoreSliceMut for [T] {}
        impl<T, const N: usize> CoreSliceMut for [T; N] {}
        twins!(@define CoreOption $option);
        impl<T> CoreOption for Option<T> {}
        twins!(@define CoreResult $result);
        impl<T, E> CoreResult for Result<T, E> {}
        twins!(@define CoreAtomic $atomic);
        twins!(@implement CoreAtomic (
            AtomicI32 AtomicI64 AtomicIsize AtomicU32 AtomicU64 AtomicUsize AtomicF32 AtomicF64
        ));
        twins!(@define CoreInteger $integer);
        twins!(@implement CoreInteger (i8 i16 i32 i64 isize u8 u16 u32 u64 usize));
        twins!(@define CoreBool $bool);
        twins!(@implement CoreBool (bool));
        twins!(@define CoreFloat $float);
        twins!(@implement CoreFloat (f32 f64));
        twins!(@define CoreOrdering $ordering);
        twins!(@implement CoreOrdering (Ordering));
        twins!(@define CorePlain $plain);
        twins!(@implement CorePlain (Ordering FpCategory));
        twins!(@define CoreView $view);
        impl<T, const D: usize> CoreView for Shaped<'_, T, D> {}
        impl<T, const D: usize> CoreView for ShapedMut<'_, T, D> {}
    };
    (@define $trait:ident { $($variant:ident $name:ident $twin:ident;)* }) => {
        #[doc(hidden)]
        pub trait $trait {
            $(fn $twin(&self) -> marker::$variant {
                marker::$variant
            })*
        }
    };
    (@implement $trait:ident ($($ty:ident)*)) => {
        $(impl $trait for $ty {})*
    };
}
for_each_core_method!(twins);
twins!(@implement FromBytes (i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64));
