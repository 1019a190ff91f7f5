//! The methods of the built-in types that a kernel may call: one table.
//!
//! To add a method, add a line to [`for_each_method!`](crate::for_each_method) and the arm that the compiler then
//! asks for in `lower/method.rs`. Only a method that can't be said in typed IR's operations needs a new one.

/// Calls `$callback!` with the table.
///
/// Each group is a class of receivers; each line is
/// `Variant name (argument: Kind, …) -> Kind;`, where a kind is `Same` (the receiver's type), `U32`, `I32`,
/// `Bool`, `Usize`, `Unsigned` (the unsigned integer of the receiver's width) or `Bits` (likewise, of a float).
#[macro_export]
macro_rules! for_each_method {
    ($callback:ident) => {
        $callback! {
            Integer {
                IntMin min (other: Same) -> Same;
                IntMax max (other: Same) -> Same;
                IntClamp clamp (min: Same, max: Same) -> Same;
                IntPow pow (exponent: U32) -> Same;
                IntWrappingAdd wrapping_add (other: Same) -> Same;
                IntWrappingSub wrapping_sub (other: Same) -> Same;
                IntWrappingMul wrapping_mul (other: Same) -> Same;
                IntWrappingNeg wrapping_neg () -> Same;
                IntWrappingShl wrapping_shl (bits: U32) -> Same;
                IntWrappingShr wrapping_shr (bits: U32) -> Same;
                IntWrappingPow wrapping_pow (exponent: U32) -> Same;
                IntSaturatingAdd saturating_add (other: Same) -> Same;
                IntSaturatingSub saturating_sub (other: Same) -> Same;
                IntAbsDiff abs_diff (other: Same) -> Unsigned;
                IntRemEuclid rem_euclid (other: Same) -> Same;
                IntDivEuclid div_euclid (other: Same) -> Same;
                IntCountOnes count_ones () -> U32;
                IntCountZeros count_zeros () -> U32;
                IntLeadingZeros leading_zeros () -> U32;
                IntTrailingZeros trailing_zeros () -> U32;
                IntLeadingOnes leading_ones () -> U32;
                IntTrailingOnes trailing_ones () -> U32;
                IntRotateLeft rotate_left (bits: U32) -> Same;
                IntRotateRight rotate_right (bits: U32) -> Same;
                IntSwapBytes swap_bytes () -> Same;
                IntReverseBits reverse_bits () -> Same;
            }
            Signed {
                SignedAbs abs () -> Same;
                SignedWrappingAbs wrapping_abs () -> Same;
                SignedUnsignedAbs unsigned_abs () -> Unsigned;
                SignedSignum signum () -> Same;
                SignedIsPositive is_positive () -> Bool;
                SignedIsNegative is_negative () -> Bool;
            }
            Unsigned {
                UnsignedDivCeil div_ceil (other: Same) -> Same;
                UnsignedIsPowerOfTwo is_power_of_two () -> Bool;
            }
            Float {
                FloatMin min (other: Same) -> Same;
                FloatMax max (other: Same) -> Same;
                FloatClamp clamp (min: Same, max: Same) -> Same;
                FloatAbs abs () -> Same;
                FloatSignum signum () -> Same;
                FloatCopysign copysign (sign: Same) -> Same;
                FloatMulAdd mul_add (a: Same, b: Same) -> Same;
                FloatRecip recip () -> Same;
                FloatSqrt sqrt () -> Same;
                FloatFloor floor () -> Same;
                FloatCeil ceil () -> Same;
                FloatRound round () -> Same;
                FloatRoundTiesEven round_ties_even () -> Same;
                FloatTrunc trunc () -> Same;
                FloatFract fract () -> Same;
                FloatRemEuclid rem_euclid (other: Same) -> Same;
                FloatDivEuclid div_euclid (other: Same) -> Same;
                FloatToDegrees to_degrees () -> Same;
                FloatToRadians to_radians () -> Same;
                FloatIsNan is_nan () -> Bool;
                FloatIsInfinite is_infinite () -> Bool;
                FloatIsFinite is_finite () -> Bool;
                FloatIsSignPositive is_sign_positive () -> Bool;
                FloatIsSignNegative is_sign_negative () -> Bool;
                FloatToBits to_bits () -> Bits;
                FloatExp exp () -> Same;
                FloatExp2 exp2 () -> Same;
                FloatExpM1 exp_m1 () -> Same;
                FloatLn ln () -> Same;
                FloatLog2 log2 () -> Same;
                FloatLog10 log10 () -> Same;
                FloatLn1p ln_1p () -> Same;
                FloatLog log (base: Same) -> Same;
                FloatSin sin () -> Same;
                FloatCos cos () -> Same;
                FloatTan tan () -> Same;
                FloatAsin asin () -> Same;
                FloatAcos acos () -> Same;
                FloatAtan atan () -> Same;
                FloatAtan2 atan2 (x: Same) -> Same;
                FloatSinh sinh () -> Same;
                FloatCosh cosh () -> Same;
                FloatTanh tanh () -> Same;
                FloatAsinh asinh () -> Same;
                FloatAcosh acosh () -> Same;
                FloatAtanh atanh () -> Same;
                FloatCbrt cbrt () -> Same;
                FloatHypot hypot (other: Same) -> Same;
                FloatPowf powf (exponent: Same) -> Same;
                FloatPowi powi (exponent: I32) -> Same;
            }
            Slice {
                SliceLen len () -> Usize;
                SliceIsEmpty is_empty () -> Bool;
            }
        }
    };
}

/// The class of receivers that a method belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Every integer type.
    Integer,
    /// `i8` to `i64`, `isize`.
    Signed,
    /// `u8` to `u64`, `usize`.
    Unsigned,
    /// `f32`, `f64`.
    Float,
    /// `&[T]`, `&mut [T]`.
    Slice,
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
    /// `bool`
    Bool,
    /// `usize`
    Usize,
    /// The unsigned integer of the receiver's width.
    Unsigned,
    /// The unsigned integer of a float's width.
    Bits,
}

macro_rules! define {
    ($($class:ident { $($variant:ident $name:ident ($($arg:ident : $kind:ident),*) -> $result:ident;)* })*) => {
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
            /// Every name in the table, some more than once.
            pub const NAMES: &'static [&'static str] = &[$($(stringify!($name),)*)* "from_bits"];

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
