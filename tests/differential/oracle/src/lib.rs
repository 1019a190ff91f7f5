//! The kernels of one batch as plain functions, of one work-item each.
//!
//! They have the kernels' own text. In kernels integers wrap, and so they do here, because the workspace's manifest
//! switches this package's overflow checks off.

#[allow(
    warnings,
    arithmetic_overflow,
    unconditional_panic,
    missing_docs,
    reason = "random code is odd code"
)]
mod batch {
    include!(env!("GRIDFN_BATCH_ORACLE"));
}
#[allow(unused_imports, unreachable_pub, reason = "without a batch there is nothing")]
pub use batch::*;

pub mod math;
mod vectors;

pub use half::{bf16, f16};
pub use vectors::*;

/// Anything that kernels may hold.
pub trait DeviceCopy: Copy {}
impl<T: Copy> DeviceCopy for T {}

/// Any number. Random code names the traits of generic functions by these names, as kernels do.
pub trait Scalar:
    Copy
    + PartialOrd
    + core::ops::Add<Output = Self>
    + core::ops::Sub<Output = Self>
    + core::ops::Mul<Output = Self>
    + core::ops::AddAssign
    + core::ops::SubAssign
    + core::ops::MulAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
}

/// Any integer.
pub trait Int:
    Scalar
    + core::ops::Not<Output = Self>
    + core::ops::BitAnd<Output = Self>
    + core::ops::BitOr<Output = Self>
    + core::ops::BitXor<Output = Self>
    + core::ops::Shl<u32, Output = Self>
    + core::ops::Shr<u32, Output = Self>
    + core::ops::BitAndAssign
    + core::ops::BitOrAssign
    + core::ops::BitXorAssign
    + core::ops::ShlAssign<u32>
    + core::ops::ShrAssign<u32>
{
    /// The smallest value.
    const MIN: Self;
    /// The largest value.
    const MAX: Self;
    /// The width in bits.
    const BITS: u32;
}

/// Any float.
pub trait Float: Scalar + core::ops::Neg<Output = Self> {
    /// The difference between 1 and the next larger number.
    const EPSILON: Self;
    /// The largest finite number.
    const MAX: Self;
    /// As of `f32`.
    fn abs(self) -> Self;
    /// As of `f32`.
    fn sqrt(self) -> Self;
    /// As of `f32`.
    fn floor(self) -> Self;
    /// As of `f32`.
    fn mul_add(self, a: Self, b: Self) -> Self;
}

macro_rules! scalars {
    ($($zero:literal $one:literal: $($t:ident)*;)*) => {$($(
        impl Scalar for $t {
            const ZERO: $t = $zero;
            const ONE: $t = $one;
        }
    )*)*};
}
scalars! {
    0 1: i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    0.0 1.0: f32 f64;
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Int for $t {
            const MIN: $t = $t::MIN;
            const MAX: $t = $t::MAX;
            const BITS: u32 = $t::BITS;
        }
    )*};
}
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Scalar for $t {
            const ZERO: $t = $t::ZERO;
            const ONE: $t = $t::ONE;
        }
    )*};
}
halves! { f16 bf16 }

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Float for $t {
            const EPSILON: $t = $t::EPSILON;
            const MAX: $t = $t::MAX;
            fn abs(self) -> $t {
                <$t>::abs(self)
            }
            fn sqrt(self) -> $t {
                <$t>::sqrt(self)
            }
            fn floor(self) -> $t {
                <$t>::floor(self)
            }
            fn mul_add(self, a: $t, b: $t) -> $t {
                <$t>::mul_add(self, a, b)
            }
        }
    )*};
}
floats! { f32 f64 }
