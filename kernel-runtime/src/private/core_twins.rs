//! Twins of core's methods whose receiver or result is no scalar: of slices, `Option`, `Result`, atomics, and some of
//! numbers.
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
use crate::private::HasLink;
use gridfn_ir::{CoreMethod, Link, for_each_core_method};

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
