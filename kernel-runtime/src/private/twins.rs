//! Twins: for each method of the table, a method `name__device` of the same receivers that gives a marker type.
//!
//! `v.max(w)` in a kernel stays as it is, for rustc to resolve. In a closure that never runs, the expansion calls
//! `(&v).max__device()` on the same receiver: rustc resolves it by the same rules, and its result's type tells which
//! method it was. All twins take `&self`, so that they are found before the one that tells of a mistake. A method of the user's own has no twin here, so it can't be mistaken for a built-in one.

#![allow(
    non_snake_case,
    reason = "twins are named after methods, with `__device` behind"
)]

use crate::nd::{Shaped, ShapedMut};
use crate::private::{HasLink, NoMethod};
use crate::view::SliceMut;
use gridfn_ir::{Link, Method, for_each_method};

/// The marker types, one per line of the table.
pub mod marker {
    use super::*;

    macro_rules! markers {
        ($($class:ident {
            $($variant:ident $name:ident $twin:ident ($($arg:ident : $kind:ident),*) -> $result:ident;)*
        })*) => {
            $($(
                #[doc(hidden)]
                pub struct $variant;
                impl HasLink for $variant {
                    const LINK: fn() -> Link = Method::$variant.link();
                    const CODE: u16 = Method::$variant.code();
                }
            )*)*
        };
    }
    for_each_method!(markers);

    #[doc(hidden)]
    pub struct FloatFromBits;
    impl HasLink for FloatFromBits {
        const LINK: fn() -> Link = Method::FloatFromBits.link();
        const CODE: u16 = Method::FloatFromBits.code();
    }
}

macro_rules! twins {
    (
        Integer $integer:tt
        Signed $signed:tt
        Unsigned $unsigned:tt
        Byte $byte:tt
        Float $float:tt
        Half $half:tt
        F16 $f16:tt
        Bf16 $bf16:tt
        Slice $slice:tt
    ) => {
        twins!(@numbers IntegerMethods (i8 i16 i32 i64 isize u8 u16 u32 u64 usize) $integer);
        twins!(@numbers SignedMethods (i8 i16 i32 i64 isize) $signed);
        twins!(@numbers UnsignedMethods (u8 u16 u32 u64 usize) $unsigned);
        twins!(@numbers ByteMethods (u8) $byte);
        twins!(@numbers FloatMethods (f32 f64) $float);
        // The types are another crate's, and have these where that is used.
        twins!(@numbers HalfMethods () $half);
        twins!(@numbers F16Methods () $f16);
        twins!(@numbers Bf16Methods () $bf16);
        twins!(@slices SliceMethods $slice);
    };
    (@numbers $trait:ident $types:tt {
        $($variant:ident $name:ident $twin:ident ($($arg:ident : $kind:ident),*) -> $result:ident;)*
    }) => {
        #[doc(hidden)]
        #[allow(
            clippy::wrong_self_convention,
            reason = "functions without a receiver have twins with one, on which they are never called"
        )]
        pub trait $trait: Copy {
            $(fn $twin(&self) -> marker::$variant {
                marker::$variant
            })*
        }
        twins!(@implement $trait $types);
    };
    (@slices $trait:ident {
        $($variant:ident $name:ident $twin:ident ($($arg:ident : $kind:ident),*) -> $result:ident;)*
    }) => {
        #[doc(hidden)]
        pub trait $trait {
            $(fn $twin(&self) -> marker::$variant {
                marker::$variant
            })*
        }
        impl<T> $trait for [T] {}
        impl<T> $trait for SliceMut<'_, T> {}
        impl<T, const D: usize> $trait for Shaped<'_, T, D> {}
        impl<T, const D: usize> $trait for ShapedMut<'_, T, D> {}
        // Arrays have the methods of slices, and are found to have them before what tells that they have none.
        impl<T, const N: usize> $trait for [T; N] {}
    };
    (@implement $trait:ident ($($ty:ident)*)) => {
        $(impl $trait for $ty {})*
    };
}
for_each_method!(twins);

/// The twin of the one function of the table that has no receiver; it is called on the type.
#[doc(hidden)]
#[expect(
    clippy::wrong_self_convention,
    reason = "the marker method is called on a value that never is"
)]
pub trait FromBits: Sized {
    fn from_bits__device(self) -> marker::FloatFromBits {
        marker::FloatFromBits
    }
}
impl FromBits for f32 {}
impl FromBits for f64 {}

/// The twins of functions of `f16` and `bf16` that are called by a path, and whose names users' types have too.
#[doc(hidden)]
pub trait HalfPaths: Sized {
    /// The marker of `from_f32`.
    type FromF32: HasLink;
    fn from_f32__path(_: fn(f32) -> Self) -> Self::FromF32 {
        unreachable!("a probe never runs")
    }
    fn to_f32__path(_: fn(Self) -> f32) -> marker::HalfToF32 {
        unreachable!("a probe never runs")
    }
    fn to_f64__path(_: fn(Self) -> f64) -> marker::HalfToF64 {
        unreachable!("a probe never runs")
    }
    fn from_f64__path(_: fn(f64) -> Self) -> NoMethod
    where
        Self: RoundsOnce,
    {
        unreachable!("a probe never runs")
    }
}

/// What rounds an `f64` in one way: no float of 16 bits does.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`from_f64` of `{Self}` cannot be called in a kernel",
    label = "what it rounds to depends on the processor",
    note = "write `{Self}::from_f32(x as f32)`"
)]
pub trait RoundsOnce {}
