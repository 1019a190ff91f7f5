//! The methods of the built-in types that a kernel may call: one table.
//!
//! To add a method, add a line to [`for_each_method!`](crate::for_each_method) and the arm that the compiler then
//! asks for in `lower/method.rs`. Only a method that can't be said in typed IR's operations needs a new one.

/// Calls `$callback!` with the table.
///
/// Each group is a class of receivers; each line is
/// `Variant name twin (argument: Kind, …) -> Kind;`. The twin is the name of the marker method by which rustc tells
/// that a call resolved to this line. A kind is `Same` (the receiver's type), `U32`, `I32`,
/// `F32`, `F64`, `Bool`, `Usize`, `Unsigned` or `Signed` (the integer of the receiver's width without or with a sign) or
/// `Bits` (the unsigned integer of a float's width).
#[macro_export]
macro_rules! for_each_method {
    ($callback:ident) => {
        $callback! {
            Integer {
                IntMin min min__device (other: Same) -> Same;
                IntMax max max__device (other: Same) -> Same;
                IntClamp clamp clamp__device (min: Same, max: Same) -> Same;
                IntPow pow pow__device (exponent: U32) -> Same;
                IntWrappingAdd wrapping_add wrapping_add__device (other: Same) -> Same;
                IntWrappingSub wrapping_sub wrapping_sub__device (other: Same) -> Same;
                IntWrappingMul wrapping_mul wrapping_mul__device (other: Same) -> Same;
                IntWrappingNeg wrapping_neg wrapping_neg__device () -> Same;
                IntWrappingShl wrapping_shl wrapping_shl__device (bits: U32) -> Same;
                IntWrappingShr wrapping_shr wrapping_shr__device (bits: U32) -> Same;
                IntWrappingPow wrapping_pow wrapping_pow__device (exponent: U32) -> Same;
                IntSaturatingAdd saturating_add saturating_add__device (other: Same) -> Same;
                IntSaturatingSub saturating_sub saturating_sub__device (other: Same) -> Same;
                IntAbsDiff abs_diff abs_diff__device (other: Same) -> Unsigned;
                IntRemEuclid rem_euclid rem_euclid__device (other: Same) -> Same;
                IntDivEuclid div_euclid div_euclid__device (other: Same) -> Same;
                IntCountOnes count_ones count_ones__device () -> U32;
                IntCountZeros count_zeros count_zeros__device () -> U32;
                IntLeadingZeros leading_zeros leading_zeros__device () -> U32;
                IntTrailingZeros trailing_zeros trailing_zeros__device () -> U32;
                IntLeadingOnes leading_ones leading_ones__device () -> U32;
                IntTrailingOnes trailing_ones trailing_ones__device () -> U32;
                IntRotateLeft rotate_left rotate_left__device (bits: U32) -> Same;
                IntRotateRight rotate_right rotate_right__device (bits: U32) -> Same;
                IntSwapBytes swap_bytes swap_bytes__device () -> Same;
                IntReverseBits reverse_bits reverse_bits__device () -> Same;
                IntWrappingDiv wrapping_div wrapping_div__device (other: Same) -> Same;
                IntWrappingRem wrapping_rem wrapping_rem__device (other: Same) -> Same;
                IntWrappingDivEuclid wrapping_div_euclid wrapping_div_euclid__device (other: Same) -> Same;
                IntWrappingRemEuclid wrapping_rem_euclid wrapping_rem_euclid__device (other: Same) -> Same;
                IntUnboundedShl unbounded_shl unbounded_shl__device (bits: U32) -> Same;
                IntUnboundedShr unbounded_shr unbounded_shr__device (bits: U32) -> Same;
                IntSaturatingMul saturating_mul saturating_mul__device (other: Same) -> Same;
                IntSaturatingDiv saturating_div saturating_div__device (other: Same) -> Same;
                IntSaturatingPow saturating_pow saturating_pow__device (exponent: U32) -> Same;
                IntStrictAdd strict_add strict_add__device (other: Same) -> Same;
                IntStrictSub strict_sub strict_sub__device (other: Same) -> Same;
                IntStrictMul strict_mul strict_mul__device (other: Same) -> Same;
                IntStrictDiv strict_div strict_div__device (other: Same) -> Same;
                IntStrictRem strict_rem strict_rem__device (other: Same) -> Same;
                IntStrictDivEuclid strict_div_euclid strict_div_euclid__device (other: Same) -> Same;
                IntStrictRemEuclid strict_rem_euclid strict_rem_euclid__device (other: Same) -> Same;
                IntStrictNeg strict_neg strict_neg__device () -> Same;
                IntStrictShl strict_shl strict_shl__device (bits: U32) -> Same;
                IntStrictShr strict_shr strict_shr__device (bits: U32) -> Same;
                IntStrictPow strict_pow strict_pow__device (exponent: U32) -> Same;
                IntMidpoint midpoint midpoint__device (other: Same) -> Same;
                IntIsqrt isqrt isqrt__device () -> Same;
                IntIlog ilog ilog__device (base: Same) -> U32;
                IntIlog2 ilog2 ilog2__device () -> U32;
                IntIlog10 ilog10 ilog10__device () -> U32;
                IntToBe to_be to_be__device () -> Same;
                IntToLe to_le to_le__device () -> Same;
                IntFromBe from_be from_be__device () -> Same;
                IntFromLe from_le from_le__device () -> Same;
            }
            Signed {
                SignedAbs abs abs__device () -> Same;
                SignedWrappingAbs wrapping_abs wrapping_abs__device () -> Same;
                SignedUnsignedAbs unsigned_abs unsigned_abs__device () -> Unsigned;
                SignedSignum signum signum__device () -> Same;
                SignedIsPositive is_positive is_positive__device () -> Bool;
                SignedIsNegative is_negative is_negative__device () -> Bool;
                SignedSaturatingNeg saturating_neg saturating_neg__device () -> Same;
                SignedSaturatingAbs saturating_abs saturating_abs__device () -> Same;
                SignedStrictAbs strict_abs strict_abs__device () -> Same;
                SignedWrappingAddUnsigned wrapping_add_unsigned wrapping_add_unsigned__device (other: Unsigned) -> Same;
                SignedWrappingSubUnsigned wrapping_sub_unsigned wrapping_sub_unsigned__device (other: Unsigned) -> Same;
                SignedSaturatingAddUnsigned saturating_add_unsigned saturating_add_unsigned__device (other: Unsigned) -> Same;
                SignedSaturatingSubUnsigned saturating_sub_unsigned saturating_sub_unsigned__device (other: Unsigned) -> Same;
                SignedStrictAddUnsigned strict_add_unsigned strict_add_unsigned__device (other: Unsigned) -> Same;
                SignedStrictSubUnsigned strict_sub_unsigned strict_sub_unsigned__device (other: Unsigned) -> Same;
                SignedCastUnsigned cast_unsigned cast_unsigned__device () -> Unsigned;
            }
            Unsigned {
                UnsignedDivCeil div_ceil div_ceil__device (other: Same) -> Same;
                UnsignedIsPowerOfTwo is_power_of_two is_power_of_two__device () -> Bool;
                UnsignedIsMultipleOf is_multiple_of is_multiple_of__device (other: Same) -> Bool;
                UnsignedNextMultipleOf next_multiple_of next_multiple_of__device (other: Same) -> Same;
                UnsignedNextPowerOfTwo next_power_of_two next_power_of_two__device () -> Same;
                UnsignedWrappingAddSigned wrapping_add_signed wrapping_add_signed__device (other: Signed) -> Same;
                UnsignedWrappingSubSigned wrapping_sub_signed wrapping_sub_signed__device (other: Signed) -> Same;
                UnsignedSaturatingAddSigned saturating_add_signed saturating_add_signed__device (other: Signed) -> Same;
                UnsignedSaturatingSubSigned saturating_sub_signed saturating_sub_signed__device (other: Signed) -> Same;
                UnsignedStrictAddSigned strict_add_signed strict_add_signed__device (other: Signed) -> Same;
                UnsignedStrictSubSigned strict_sub_signed strict_sub_signed__device (other: Signed) -> Same;
                UnsignedCastSigned cast_signed cast_signed__device () -> Signed;
            }
            Byte {
                ByteIsAscii is_ascii is_ascii__device () -> Bool;
                ByteIsAsciiAlphabetic is_ascii_alphabetic is_ascii_alphabetic__device () -> Bool;
                ByteIsAsciiAlphanumeric is_ascii_alphanumeric is_ascii_alphanumeric__device () -> Bool;
                ByteIsAsciiControl is_ascii_control is_ascii_control__device () -> Bool;
                ByteIsAsciiDigit is_ascii_digit is_ascii_digit__device () -> Bool;
                ByteIsAsciiGraphic is_ascii_graphic is_ascii_graphic__device () -> Bool;
                ByteIsAsciiHexdigit is_ascii_hexdigit is_ascii_hexdigit__device () -> Bool;
                ByteIsAsciiLowercase is_ascii_lowercase is_ascii_lowercase__device () -> Bool;
                ByteIsAsciiPunctuation is_ascii_punctuation is_ascii_punctuation__device () -> Bool;
                ByteIsAsciiUppercase is_ascii_uppercase is_ascii_uppercase__device () -> Bool;
                ByteIsAsciiWhitespace is_ascii_whitespace is_ascii_whitespace__device () -> Bool;
                ByteToAsciiLowercase to_ascii_lowercase to_ascii_lowercase__device () -> Same;
                ByteToAsciiUppercase to_ascii_uppercase to_ascii_uppercase__device () -> Same;
            }
            Float {
                FloatMin min min__device (other: Same) -> Same;
                FloatMax max max__device (other: Same) -> Same;
                FloatClamp clamp clamp__device (min: Same, max: Same) -> Same;
                FloatAbs abs abs__device () -> Same;
                FloatSignum signum signum__device () -> Same;
                FloatCopysign copysign copysign__device (sign: Same) -> Same;
                FloatMulAdd mul_add mul_add__device (a: Same, b: Same) -> Same;
                FloatRecip recip recip__device () -> Same;
                FloatSqrt sqrt sqrt__device () -> Same;
                FloatFloor floor floor__device () -> Same;
                FloatCeil ceil ceil__device () -> Same;
                FloatRound round round__device () -> Same;
                FloatRoundTiesEven round_ties_even round_ties_even__device () -> Same;
                FloatTrunc trunc trunc__device () -> Same;
                FloatFract fract fract__device () -> Same;
                FloatNextUp next_up next_up__device () -> Same;
                FloatNextDown next_down next_down__device () -> Same;
                FloatMidpoint midpoint midpoint__device (other: Same) -> Same;
                FloatRemEuclid rem_euclid rem_euclid__device (other: Same) -> Same;
                FloatDivEuclid div_euclid div_euclid__device (other: Same) -> Same;
                FloatToDegrees to_degrees to_degrees__device () -> Same;
                FloatToRadians to_radians to_radians__device () -> Same;
                FloatIsNan is_nan is_nan__device () -> Bool;
                FloatIsInfinite is_infinite is_infinite__device () -> Bool;
                FloatIsFinite is_finite is_finite__device () -> Bool;
                FloatIsNormal is_normal is_normal__device () -> Bool;
                FloatIsSubnormal is_subnormal is_subnormal__device () -> Bool;
                FloatIsSignPositive is_sign_positive is_sign_positive__device () -> Bool;
                FloatIsSignNegative is_sign_negative is_sign_negative__device () -> Bool;
                FloatToBits to_bits to_bits__device () -> Bits;
                FloatExp exp exp__device () -> Same;
                FloatExp2 exp2 exp2__device () -> Same;
                FloatExpM1 exp_m1 exp_m1__device () -> Same;
                FloatLn ln ln__device () -> Same;
                FloatLog2 log2 log2__device () -> Same;
                FloatLog10 log10 log10__device () -> Same;
                FloatLn1p ln_1p ln_1p__device () -> Same;
                FloatLog log log__device (base: Same) -> Same;
                FloatSin sin sin__device () -> Same;
                FloatCos cos cos__device () -> Same;
                FloatTan tan tan__device () -> Same;
                FloatAsin asin asin__device () -> Same;
                FloatAcos acos acos__device () -> Same;
                FloatAtan atan atan__device () -> Same;
                FloatAtan2 atan2 atan2__device (x: Same) -> Same;
                FloatSinh sinh sinh__device () -> Same;
                FloatCosh cosh cosh__device () -> Same;
                FloatTanh tanh tanh__device () -> Same;
                FloatAsinh asinh asinh__device () -> Same;
                FloatAcosh acosh acosh__device () -> Same;
                FloatAtanh atanh atanh__device () -> Same;
                FloatCbrt cbrt cbrt__device () -> Same;
                FloatHypot hypot hypot__device (other: Same) -> Same;
                FloatPowf powf powf__device (exponent: Same) -> Same;
                FloatPowi powi powi__device (exponent: I32) -> Same;
            }
            Half {
                HalfMin min min__device (other: Same) -> Same;
                HalfMax max max__device (other: Same) -> Same;
                HalfClamp clamp clamp__device (min: Same, max: Same) -> Same;
                HalfSignum signum signum__device () -> Same;
                HalfCopysign copysign copysign__device (sign: Same) -> Same;
                HalfIsNan is_nan is_nan__device () -> Bool;
                HalfIsInfinite is_infinite is_infinite__device () -> Bool;
                HalfIsFinite is_finite is_finite__device () -> Bool;
                HalfIsNormal is_normal is_normal__device () -> Bool;
                HalfIsSignPositive is_sign_positive is_sign_positive__device () -> Bool;
                HalfIsSignNegative is_sign_negative is_sign_negative__device () -> Bool;
                HalfToBits to_bits to_bits__device () -> Bits;
                HalfToF32 to_f32 to_f32__device () -> F32;
                HalfToF64 to_f64 to_f64__device () -> F64;
            }
            F16 {
                F16FromBits from_bits from_bits__device (bits: Bits) -> Same;
                F16FromF32 from_f32 from_f32__device (value: F32) -> Same;
            }
            Bf16 {
                Bf16FromBits from_bits from_bits__device (bits: Bits) -> Same;
                Bf16FromF32 from_f32 from_f32__device (value: F32) -> Same;
            }
            Slice {
                SliceLen len len__device () -> Usize;
                SliceIsEmpty is_empty is_empty__device () -> Bool;
            }
        }
    };
}

use crate::{Link, Scalar};

/// The class of receivers that a method belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Every integer type.
    Integer,
    /// `i8` to `i64`, `isize`.
    Signed,
    /// `u8` to `u64`, `usize`.
    Unsigned,
    /// `u8` alone.
    Byte,
    /// `f32`, `f64`.
    Float,
    /// `f16`, `bf16`.
    Half,
    /// `f16` alone: functions without a receiver.
    F16,
    /// `bf16` alone: functions without a receiver.
    Bf16,
    /// `&[T]`, `&mut [T]`.
    Slice,
}

impl Class {
    /// Whether values of type `scalar` are receivers of this class.
    pub const fn has(self, scalar: Scalar) -> bool {
        match self {
            Class::Integer => scalar.is_integer(),
            Class::Signed => scalar.is_signed(),
            Class::Unsigned => scalar.is_integer() && !scalar.is_signed(),
            Class::Byte => matches!(scalar, Scalar::U8),
            Class::Float => scalar.is_float(),
            Class::Half => scalar.is_half(),
            Class::F16 => matches!(scalar, Scalar::F16),
            Class::Bf16 => matches!(scalar, Scalar::Bf16),
            Class::Slice => false,
        }
    }
}

/// The type of an argument or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The receiver's own.
    Same,
    /// `u32`
    U32,
    /// `i32`
    I32,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `bool`
    Bool,
    /// `usize`
    Usize,
    /// The unsigned integer of the receiver's width.
    Unsigned,
    /// The signed integer of the receiver's width.
    Signed,
    /// The unsigned integer of a float's width.
    Bits,
}

macro_rules! define {
    ($($class:ident {
        $($variant:ident $name:ident $twin:ident ($($arg:ident : $kind:ident),*) -> $result:ident;)*
    })*) => {
        /// A method of a built-in type, by the class of its receiver and its name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Method {
            $($(
                #[doc = concat!("`", stringify!($name), "` of the class ", stringify!($class))]
                $variant,
            )*)*
            /// `f32::from_bits`, `f64::from_bits`: the one without a receiver.
            FloatFromBits,
        }

        impl Method {
            /// Every line of the table.
            pub const ALL: &'static [Method] = &[$($(Method::$variant,)*)*];

            /// The line of that name whose class is right.
            pub fn find(name: &str, right: impl Fn(Class) -> bool) -> Option<Method> {
                Method::ALL.iter().copied().find(|m| m.name() == name && right(m.class()))
            }

            /// The method as a body's list of links holds it.
            pub const fn link(self) -> fn() -> Link {
                match self {
                    $($(Method::$variant => || Link::Method(Method::$variant),)*)*
                    Method::FloatFromBits => || Link::Method(Method::FloatFromBits),
                }
            }

            /// A number that no other callee has, for comparison in a `const`.
            pub const fn code(self) -> u16 {
                self as u16
            }

            /// Every name in the table, some more than once.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)*)* "from_bits"];

            /// Whether a number of Rust's own has a method of that name: those that only `f16` and `bf16` have are
            /// names that users' types have too.
            pub fn is_of_primitives(name: &str) -> bool {
                let of_half = |class| matches!(class, Class::Half | Class::F16 | Class::Bf16);
                name == "from_bits" || Method::find(name, |class| !of_half(class)).is_some()
            }

            /// Whether it is called with arguments only, as `f16::from_bits(x)`.
            pub const fn lacks_receiver(self) -> bool {
                matches!(self, Method::FloatFromBits) || matches!(self.class(), Class::F16 | Class::Bf16)
            }

            /// Its name in Rust.
            pub const fn name(self) -> &'static str {
                match self {
                    $($(Method::$variant => stringify!($name),)*)*
                    Method::FloatFromBits => "from_bits",
                }
            }

            /// The class of its receiver.
            pub const fn class(self) -> Class {
                match self {
                    $($(Method::$variant => Class::$class,)*)*
                    Method::FloatFromBits => Class::Float,
                }
            }

            /// The kinds of its arguments after the receiver.
            pub const fn arguments(self) -> &'static [Kind] {
                match self {
                    $($(Method::$variant => &[$(Kind::$kind),*],)*)*
                    Method::FloatFromBits => &[Kind::Bits],
                }
            }

            /// The kind of its result.
            pub const fn result(self) -> Kind {
                match self {
                    $($(Method::$variant => Kind::$result,)*)*
                    Method::FloatFromBits => Kind::Same,
                }
            }
        }
    };
}
for_each_method!(define);
