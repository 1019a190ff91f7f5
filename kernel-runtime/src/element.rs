//! What buffers and kernel arguments are made of: the trait, and its impls for built-in types of one value.

use crate::aggregate::by_value;
use crate::argument::KernelArg;
use crate::closure::{ByValue, CaptureValue};
use crate::private::wrap::Operand;
use gridfn_ir::typed::FaultKind;
use gridfn_ir::{Scalar, Type};

/// A type that kernels may hold, index and pass: integers of 8 to 64 bits, `usize`, `isize`, `f32`, `f64` and `bool`,
/// with the feature `half` its `f16` and `bf16`; arrays, tuples, `Option`s and `PhantomData` of such types; and structs and enums that derive it.
///
/// # Safety
///
/// `TYPE` is the type's true layout: a device reads and writes the bytes of a value as `TYPE` says.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a kernel",
    label = "this has the type `{Self}`",
    note = "kernels hold integers of 8 to 64 bits, `usize`, `isize`, `f32`, `f64`, `bool`, and arrays, tuples, structs \
            and enums of these; if this is a struct or enum of yours, derive it: `#[derive(Clone, Copy, DeviceCopy)]`"
)]
pub unsafe trait DeviceCopy:
    KernelArg<Parameter = ByValue<Self>>
    + CaptureValue<Parameter = ByValue<Self>>
    + Operand<Value = Self>
    + Copy
    + Send
    + Sync
    + 'static
{
    /// The type, as code generators see it.
    #[doc(hidden)]
    const TYPE: Type;
    /// Whether arithmetic on it goes through the wrapping functions below.
    #[doc(hidden)]
    const INTEGER: bool = false;
    #[doc(hidden)]
    fn __add(self, _other: Self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __sub(self, _other: Self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __mul(self, _other: Self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __shl(self, _bits: u32) -> Self {
        self
    }
    #[doc(hidden)]
    fn __shr(self, _bits: u32) -> Self {
        self
    }
    #[doc(hidden)]
    fn __neg(self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __pow(self, _exponent: u32) -> Self {
        self
    }
    #[doc(hidden)]
    fn __abs(self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __next_power_of_two(self) -> Self {
        self
    }
    #[doc(hidden)]
    fn __next_multiple_of(self, _other: Self) -> Self {
        self
    }
    /// Whether it is an integer of value 0, by which nothing is divided.
    #[doc(hidden)]
    fn __is_zero(self) -> bool {
        false
    }
    /// The fault of a `clamp` between these bounds, if it is one.
    #[doc(hidden)]
    fn __unordered(_min: Self, _max: Self) -> Option<(FaultKind, [u64; 2])> {
        None
    }
    /// The low 32 bits, as a shift takes them.
    #[doc(hidden)]
    fn __low(self) -> u32 {
        0
    }
}

macro_rules! integers {
    ($($ty:ident $scalar:ident $abs:ident;)*) => {$(
        // SAFETY: `Scalar` has the layout of the Rust type of its name.
        unsafe impl DeviceCopy for $ty {
            const TYPE: Type = Type::Scalar(Scalar::$scalar);
            const INTEGER: bool = true;
            #[inline(always)]
            fn __add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn __sub(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn __mul(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn __shl(self, bits: u32) -> Self { self.wrapping_shl(bits) }
            #[inline(always)]
            fn __shr(self, bits: u32) -> Self { self.wrapping_shr(bits) }
            #[inline(always)]
            fn __neg(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn __pow(self, exponent: u32) -> Self { self.wrapping_pow(exponent) }
            #[inline(always)]
            fn __abs(self) -> Self { integers!(@$abs self) }
            #[inline(always)]
            fn __next_power_of_two(self) -> Self { integers!(@power_of_two $abs self) }
            #[inline(always)]
            fn __next_multiple_of(self, other: Self) -> Self {
                match self % other {
                    0 => self,
                    rest => self.wrapping_add(other.wrapping_sub(rest)),
                }
            }
            #[inline(always)]
            fn __is_zero(self) -> bool { self == 0 }
            #[inline(always)]
            fn __unordered(min: Self, max: Self) -> Option<(FaultKind, [u64; 2])> {
                (min > max).then(|| (integers!(@clamp $abs), [min as u64, max as u64]))
            }
            #[inline(always)]
            fn __low(self) -> u32 { self as u32 }
        }
    )*};
    (@clamp signed) => { FaultKind::ClampSigned };
    (@clamp unsigned) => { FaultKind::ClampUnsigned };
    // Signed integers have no such method.
    (@power_of_two signed $value:ident) => { $value };
    (@power_of_two unsigned $value:ident) => { $value.checked_next_power_of_two().unwrap_or(0) };
    (@signed $value:ident) => { $value.wrapping_abs() };
    (@unsigned $value:ident) => { $value };
}
integers! {
    i8 I8 signed; i16 I16 signed; i32 I32 signed; i64 I64 signed; isize Isize signed;
    u8 U8 unsigned; u16 U16 unsigned; u32 U32 unsigned; u64 U64 unsigned; usize Usize unsigned;
}

// SAFETY: `Scalar` has the layout of the Rust type of its name.
unsafe impl DeviceCopy for bool {
    const TYPE: Type = Type::Scalar(Scalar::Bool);
}

macro_rules! floats {
    ($($ty:ident $scalar:ident $clamp:ident;)*) => {$(
        // SAFETY: `Scalar` has the layout of the Rust type of its name.
        unsafe impl DeviceCopy for $ty {
            const TYPE: Type = Type::Scalar(Scalar::$scalar);
            #[inline(always)]
            fn __unordered(min: Self, max: Self) -> Option<(FaultKind, [u64; 2])> {
                let ordered = min <= max;
                (!ordered).then(|| (FaultKind::$clamp, [min.to_bits().into(), max.to_bits().into()]))
            }
        }
    )*};
}
floats! { f32 F32 ClampF32; f64 F64 ClampF64; }

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        by_value!([] $ty);
    )*};
}
scalars! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool }

/// The largest alignment of elements: what the memory of every back end has.
pub(crate) const MAX_ALIGN: usize = 64;

/// `T` as the element of a slice.
#[doc(hidden)]
#[track_caller]
pub const fn element_of<T: DeviceCopy>() -> &'static Type {
    assert!(
        T::TYPE.size().is_some(),
        "elements of buffers have a layout that devices know: give enums with data `#[repr(u8)]` or `#[repr(C)]`; `Option` \
         can only be a local of a kernel"
    );
    &T::TYPE
}

/// `T` as an argument that is passed by value.
#[doc(hidden)]
#[track_caller]
pub const fn argument_of<T: DeviceCopy>() -> Type {
    assert!(
        T::TYPE.size().is_some(),
        "arguments of kernels have a layout that devices know: give enums with data `#[repr(u8)]` or `#[repr(C)]`; `Option` \
         can only be a local of a kernel"
    );
    T::TYPE
}
