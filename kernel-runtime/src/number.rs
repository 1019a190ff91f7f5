//! What generic kernels can compute with.

use crate::element::DeviceCopy;
use crate::private::operators::BuiltIn;
use crate::private::twins::{FloatMethods, IntegerMethods};
use gridfn_ir::for_each_method;
use std::ops::*;

/// Any number: an integer or a float, also one of 16 bits.
pub trait Scalar:
    DeviceCopy
    + BuiltIn
    + bytemuck::Zeroable
    + PartialEq
    + PartialOrd
    + Default
    + std::fmt::Debug
    + std::fmt::Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
}

macro_rules! scalars {
    ($($zero:literal $one:literal: $($ty:ident)*;)*) => {$($(
        impl Scalar for $ty {
            const ZERO: $ty = $zero;
            const ONE: $ty = $one;
        }
    )*)*};
}
scalars! {
    0 1: i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    0.0 1.0: f32 f64;
}

macro_rules! ty {
    (Same) => {
        Self
    };
    (U32) => {
        u32
    };
    (I32) => {
        i32
    };
    (Bool) => {
        bool
    };
    (Usize) => {
        usize
    };
    (Unsigned) => {
        Self::Unsigned
    };
    (Bits) => {
        Self::Bits
    };
}

macro_rules! traits {
    (
        Integer { $($iv:ident $int:ident $it:ident ($($ia:ident : $ik:ident),*) -> $ir:ident;)* }
        Signed $signed:tt
        Unsigned $unsigned:tt
        Byte $byte:tt
        Float { $($fv:ident $float:ident $ft:ident ($($fa:ident : $fk:ident),*) -> $fr:ident;)* }
        Half $half:tt
        F16 $f16:tt
        Bf16 $bf16:tt
        Slice $slice:tt
    ) => {
        /// Any integer of 8 to 64 bits, `usize` and `isize`. The methods are those of the type itself.
        pub trait Int:
            Scalar
            + IntegerMethods
            + Eq
            + Ord
            + Not<Output = Self>
            + BitAnd<Output = Self>
            + BitOr<Output = Self>
            + BitXor<Output = Self>
            + Shl<u32, Output = Self>
            + Shr<u32, Output = Self>
            + BitAndAssign
            + BitOrAssign
            + BitXorAssign
            + ShlAssign<u32>
            + ShrAssign<u32>
        {
            /// The smallest value.
            const MIN: Self;
            /// The largest value.
            const MAX: Self;
            /// The width in bits.
            const BITS: u32;
            /// The unsigned integer of the same width.
            type Unsigned: Int;
        }
        macro_rules! int {
            ($t:ident $u:ident) => {
                impl Int for $t {
                    const MIN: $t = $t::MIN;
                    const MAX: $t = $t::MAX;
                    const BITS: u32 = $t::BITS;
                    type Unsigned = $u;
                }
            };
        }

        /// `f32` and `f64`. The methods are those of the type itself.
        pub trait Float: Scalar + FloatMethods + Neg<Output = Self> {
            /// Infinity.
            const INFINITY: Self;
            /// Not a number.
            const NAN: Self;
            /// The difference between 1 and the next larger number.
            const EPSILON: Self;
            /// The smallest finite number.
            const MIN: Self;
            /// The largest finite number.
            const MAX: Self;
            /// The unsigned integer of the same width.
            type Bits: Int;
            $(
                #[doc = concat!("As [`f32::", stringify!($float), "`].")]
                fn $float(self $(, $fa: ty!($fk))*) -> ty!($fr);
            )*
        }
        macro_rules! float {
            ($t:ident $b:ident) => {
                impl Float for $t {
                    const INFINITY: $t = $t::INFINITY;
                    const NAN: $t = $t::NAN;
                    const EPSILON: $t = $t::EPSILON;
                    const MIN: $t = $t::MIN;
                    const MAX: $t = $t::MAX;
                    type Bits = $b;
                    $(
                        #[inline(always)]
                        fn $float(self $(, $fa: ty!($fk))*) -> ty!($fr) {
                            <$t>::$float(self $(, $fa)*)
                        }
                    )*
                }
            };
        }
    };
}
for_each_method!(traits);

int!(i8 u8);
int!(i16 u16);
int!(i32 u32);
int!(i64 u64);
int!(isize usize);
int!(u8 u8);
int!(u16 u16);
int!(u32 u32);
int!(u64 u64);
int!(usize usize);
float!(f32 u32);
float!(f64 u64);
