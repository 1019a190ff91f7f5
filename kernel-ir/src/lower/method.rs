//! The methods of the built-in types: one arm for each line of [`crate::methods`].
//!
//! What takes more than an operation or two is a function: of integers in `saturating`, `strict`, `division` and
//! `logarithm`, of bytes in `byte`, of floats in `float`, of floats of 16 bits in `super::half`, and what operators share
//! with methods in `super::integer`.

mod byte;
mod division;
pub(super) mod float;
mod logarithm;
mod saturating;
mod strict;

use super::operand::Operand;
use super::{Lowered, Lowering};
use crate::methods::{Class, Kind};
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Math2, Op, UnaryOp, ValueId};
use crate::{Method, Scalar};

impl Lowering<'_> {
    /// A call of a method, with its receiver as the first argument.
    pub(super) fn method(&mut self, method: Method, arguments: &[Expr], at: Position) -> Lowered<ValueId> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let place = self.place(argument)?;
            let place = self.referent(place)?;
            // Of a slice, an array or a view, methods can only ask for the length.
            values.push(if method.class() == Class::Slice && self.is_view(&place) {
                let view = self.view_at(&place)?;
                self.len_of_view(&view)
            } else if method.class() == Class::Slice {
                let slice = self.slice_at(place)?;
                self.len_of(&slice)
            } else {
                match self.load(&place)? {
                    Operand::Value(value) => value,
                    other => {
                        let found = self.describe(&other);
                        return Err(self.bug(format_args!("an operand of `{}` is {found}", method.name())));
                    }
                }
            });
        }
        self.frame.at = at;
        let ty = self.check_arguments(method, &values)?;
        // The counts are checked, so what isn't there isn't used.
        let argument = |n: usize| values.get(n).copied().unwrap_or(values[0]);
        let value = self.method_of(method, ty, [argument(0), argument(1), argument(2)], at)?;
        self.expect_scalar(
            format_args!("the result of `{}`", method.name()),
            value,
            scalar(method.result(), ty),
        )?;
        Ok(value)
    }

    /// Checks the types of receiver and arguments against the table and gives the receiver's.
    fn check_arguments(&self, method: Method, values: &[ValueId]) -> Lowered<Scalar> {
        let name = method.name();
        let Some(&first) = values.first() else {
            return Err(self.bug(format_args!("`{name}` without a receiver")));
        };
        let kinds = method.arguments();
        let ty = match (method, method.class(), self.builder.ty(first)) {
            (Method::FloatFromBits, _, Scalar::U32) => Scalar::F32,
            (Method::FloatFromBits, _, _) => Scalar::F64,
            (_, Class::F16, _) => Scalar::F16,
            (_, Class::Bf16, _) => Scalar::Bf16,
            (_, _, ty) => ty,
        };
        let rest = if method.lacks_receiver() {
            values
        } else {
            &values[1..]
        };
        let fits = match method.class() {
            Class::Slice => ty == Scalar::Usize,
            class => class.has(ty),
        };
        if !fits || rest.len() != kinds.len() {
            let given = rest.len();
            return Err(self.bug(format_args!("`{name}` of {ty} with {given} arguments")));
        }
        for (&value, &kind) in rest.iter().zip(kinds) {
            self.expect_scalar(format_args!("an argument of `{name}`"), value, scalar(kind, ty))?;
        }
        Ok(ty)
    }

    /// The arms of the table; `ty` is the receiver's type.
    fn method_of(
        &mut self,
        method: Method,
        ty: Scalar,
        args: [ValueId; 3],
        at: Position,
    ) -> Lowered<ValueId> {
        let [x, y, z] = args;
        Ok(match method {
            Method::IntMin | Method::FloatMin => self.builder.math2(Math2::Min, x, y),
            Method::IntMax | Method::FloatMax => self.builder.math2(Math2::Max, x, y),
            Method::IntClamp | Method::FloatClamp => self.clamp(args, at),
            Method::IntPow | Method::IntWrappingPow => self.power(x, y),
            Method::IntWrappingAdd => self.builder.binary(BinaryOp::Add, x, y),
            Method::IntWrappingSub => self.builder.binary(BinaryOp::Sub, x, y),
            Method::IntWrappingMul => self.builder.binary(BinaryOp::Mul, x, y),
            Method::IntWrappingNeg => self.builder.unary(UnaryOp::Neg, x),
            Method::IntWrappingShl => self.shift(BinaryOp::Shl, x, y),
            Method::IntWrappingShr => self.shift(BinaryOp::Shr, x, y),
            Method::IntSaturatingAdd => self.builder.math2(Math2::SaturatingAdd, x, y),
            Method::IntSaturatingSub => self.builder.math2(Math2::SaturatingSub, x, y),
            Method::IntSaturatingMul => self.saturating_mul(x, y),
            Method::IntSaturatingDiv => self.saturating_div(x, y, at),
            Method::IntSaturatingPow => self.power_by(Self::saturating_mul, x, y),
            Method::IntWrappingDiv => self.wrapping_div(x, y, at),
            Method::IntWrappingRem => self.wrapping_rem(x, y, at),
            Method::IntWrappingDivEuclid => self.wrapping_div_euclid(x, y, at),
            Method::IntWrappingRemEuclid => self.wrapping_rem_euclid(x, y, at),
            Method::IntStrictAdd => {
                let sum = self.builder.binary(BinaryOp::Add, x, y);
                let held = self.builder.math2(Math2::SaturatingAdd, x, y);
                self.exact(sum, held, FaultKind::AddOverflow, at)
            }
            Method::IntStrictSub => {
                let difference = self.builder.binary(BinaryOp::Sub, x, y);
                let held = self.builder.math2(Math2::SaturatingSub, x, y);
                self.exact(difference, held, FaultKind::SubtractOverflow, at)
            }
            Method::IntStrictMul => self.strict_mul(x, y, at),
            Method::IntStrictDiv => self.divide(BinaryOp::Div, x, y, at),
            Method::IntStrictRem => self.divide(BinaryOp::Rem, x, y, at),
            Method::IntStrictDivEuclid => self.div_euclid(x, y, at),
            Method::IntStrictRemEuclid => self.rem_euclid(x, y, at),
            Method::IntStrictNeg => {
                let negated = self.builder.unary(UnaryOp::Neg, x);
                let held = self.saturating_neg(x);
                self.exact(negated, held, FaultKind::NegateOverflow, at)
            }
            Method::IntStrictShl => self.strict_shift(BinaryOp::Shl, x, y, FaultKind::ShiftLeftOverflow, at),
            Method::IntStrictShr => self.strict_shift(BinaryOp::Shr, x, y, FaultKind::ShiftRightOverflow, at),
            Method::IntStrictPow => self.strict_pow(x, y, at),
            Method::IntUnboundedShl => self.unbounded_shift(BinaryOp::Shl, x, y),
            Method::IntUnboundedShr => self.unbounded_shift(BinaryOp::Shr, x, y),
            Method::IntMidpoint => self.midpoint(x, y),
            Method::IntIsqrt => self.isqrt(x, at),
            Method::IntIlog => self.ilog(x, y, at),
            Method::IntIlog2 => self.ilog2(x, at),
            Method::IntIlog10 => self.ilog10(x, at),
            // Every device is little-endian, and so are the hosts that gridfn runs on.
            Method::IntToBe | Method::IntFromBe => self.swap_bytes(x),
            Method::IntToLe | Method::IntFromLe => x,
            Method::IntAbsDiff => self.abs_diff(x, y),
            Method::IntRemEuclid => self.rem_euclid(x, y, at),
            Method::IntDivEuclid => self.div_euclid(x, y, at),
            Method::IntCountOnes => self.count(Math1::CountOnes, false, x),
            Method::IntCountZeros => self.count(Math1::CountOnes, true, x),
            Method::IntLeadingZeros => self.count(Math1::LeadingZeros, false, x),
            Method::IntTrailingZeros => self.count(Math1::TrailingZeros, false, x),
            Method::IntLeadingOnes => self.count(Math1::LeadingZeros, true, x),
            Method::IntTrailingOnes => self.count(Math1::TrailingZeros, true, x),
            Method::IntRotateLeft => self.rotate(BinaryOp::Shl, BinaryOp::Shr, x, y),
            Method::IntRotateRight => self.rotate(BinaryOp::Shr, BinaryOp::Shl, x, y),
            Method::IntSwapBytes => self.swap_bytes(x),
            Method::IntReverseBits => self.builder.math1(Math1::ReverseBits, x),

            Method::SignedAbs | Method::SignedWrappingAbs => self.abs(x),
            Method::SignedUnsignedAbs => {
                let abs = self.abs(x);
                self.builder.cast(abs, ty.unsigned())
            }
            Method::SignedSignum => self.signum(x),
            Method::SignedIsPositive => self.compare_with(CompareOp::Gt, x, 0),
            Method::SignedIsNegative => self.compare_with(CompareOp::Lt, x, 0),

            Method::SignedSaturatingNeg => self.saturating_neg(x),
            Method::SignedSaturatingAbs => self.saturating_abs(x),
            Method::SignedStrictAbs => {
                let abs = self.abs(x);
                let held = self.saturating_abs(x);
                self.exact(abs, held, FaultKind::NegateOverflow, at)
            }
            Method::SignedWrappingAddUnsigned => self.mixed(BinaryOp::Add, x, y),
            Method::SignedWrappingSubUnsigned => self.mixed(BinaryOp::Sub, x, y),
            Method::SignedSaturatingAddUnsigned => self.saturating_add_unsigned(x, y),
            Method::SignedSaturatingSubUnsigned => self.saturating_sub_unsigned(x, y),
            Method::SignedStrictAddUnsigned => {
                let sum = self.mixed(BinaryOp::Add, x, y);
                let held = self.saturating_add_unsigned(x, y);
                self.exact(sum, held, FaultKind::AddOverflow, at)
            }
            Method::SignedStrictSubUnsigned => {
                let difference = self.mixed(BinaryOp::Sub, x, y);
                let held = self.saturating_sub_unsigned(x, y);
                self.exact(difference, held, FaultKind::SubtractOverflow, at)
            }
            Method::SignedCastUnsigned => self.builder.cast(x, ty.unsigned()),

            Method::UnsignedIsMultipleOf => self.is_multiple_of(x, y),
            Method::UnsignedNextMultipleOf => self.next_multiple_of(x, y, at),
            Method::UnsignedNextPowerOfTwo => self.next_power_of_two(x),
            Method::UnsignedWrappingAddSigned => self.mixed(BinaryOp::Add, x, y),
            Method::UnsignedWrappingSubSigned => self.mixed(BinaryOp::Sub, x, y),
            Method::UnsignedSaturatingAddSigned => self.saturating_add_signed(x, y),
            Method::UnsignedSaturatingSubSigned => self.saturating_sub_signed(x, y),
            Method::UnsignedStrictAddSigned => {
                let sum = self.mixed(BinaryOp::Add, x, y);
                let held = self.saturating_add_signed(x, y);
                self.exact(sum, held, FaultKind::AddOverflow, at)
            }
            Method::UnsignedStrictSubSigned => {
                let difference = self.mixed(BinaryOp::Sub, x, y);
                let held = self.saturating_sub_signed(x, y);
                self.exact(difference, held, FaultKind::SubtractOverflow, at)
            }
            Method::UnsignedCastSigned => self.builder.cast(x, ty.signed()),
            Method::UnsignedDivCeil => self.div_ceil(x, y, at),
            Method::UnsignedIsPowerOfTwo => {
                let ones = self.builder.math1(Math1::CountOnes, x);
                self.compare_with(CompareOp::Eq, ones, 1)
            }

            Method::ByteIsAscii => self.is_ascii(x),
            Method::ByteIsAsciiAlphabetic => self.is_ascii_alphabetic(x),
            Method::ByteIsAsciiAlphanumeric => self.is_ascii_alphanumeric(x),
            Method::ByteIsAsciiControl => self.is_ascii_control(x),
            Method::ByteIsAsciiDigit => self.is_ascii_digit(x),
            Method::ByteIsAsciiGraphic => self.is_ascii_graphic(x),
            Method::ByteIsAsciiHexdigit => self.is_ascii_hexdigit(x),
            Method::ByteIsAsciiLowercase => self.is_ascii_lowercase(x),
            Method::ByteIsAsciiPunctuation => self.is_ascii_punctuation(x),
            Method::ByteIsAsciiUppercase => self.is_ascii_uppercase(x),
            Method::ByteIsAsciiWhitespace => self.is_ascii_whitespace(x),
            Method::ByteToAsciiLowercase => self.ascii_lowercase(x),
            Method::ByteToAsciiUppercase => self.ascii_uppercase(x),

            Method::FloatAbs => self.builder.math1(Math1::Abs, x),
            Method::FloatSignum => self.float_signum(x),
            Method::FloatCopysign => self.builder.math2(Math2::CopySign, x, y),
            Method::FloatMulAdd => self.builder.def(ty, Op::MulAdd(x, y, z)),
            Method::FloatRecip => {
                let one = self.builder.number(ty, 1);
                self.builder.binary(BinaryOp::Div, one, x)
            }
            Method::FloatSqrt => self.builder.math1(Math1::Sqrt, x),
            Method::FloatFloor => self.builder.math1(Math1::Floor, x),
            Method::FloatCeil => self.builder.math1(Math1::Ceil, x),
            Method::FloatRound => self.builder.math1(Math1::Round, x),
            Method::FloatRoundTiesEven => self.builder.math1(Math1::RoundTiesEven, x),
            Method::FloatTrunc => self.builder.math1(Math1::Trunc, x),
            Method::FloatFract => {
                let whole = self.builder.math1(Math1::Trunc, x);
                self.builder.binary(BinaryOp::Sub, x, whole)
            }
            Method::FloatNextUp => self.next_float(x, true),
            Method::FloatNextDown => self.next_float(x, false),
            Method::FloatMidpoint => self.float_midpoint(x, y),
            Method::FloatRemEuclid => self.float_rem_euclid(x, y),
            Method::FloatDivEuclid => self.float_div_euclid(x, y),
            // What Rust multiplies by is what it makes of 1.
            Method::FloatToDegrees => self.scale(x, 1f32.to_degrees(), 1f64.to_degrees()),
            Method::FloatToRadians => self.scale(x, 1f32.to_radians(), 1f64.to_radians()),
            Method::FloatIsNan => self.builder.compare(CompareOp::Ne, x, x),
            Method::FloatIsInfinite => self.compare_abs_with_infinity(CompareOp::Eq, x),
            Method::FloatIsFinite => self.compare_abs_with_infinity(CompareOp::Lt, x),
            Method::FloatIsNormal => self.is_normal(x),
            Method::FloatIsSubnormal => self.is_subnormal(x),
            Method::FloatIsSignPositive => self.compare_sign(CompareOp::Lt, x),
            Method::FloatIsSignNegative => self.compare_sign(CompareOp::Ge, x),
            Method::FloatToBits => self.builder.def(ty.unsigned(), Op::Bits(x)),
            Method::FloatFromBits => self.builder.def(ty, Op::Bits(x)),
            Method::FloatExp => self.math1(Math1::Exp, x)?,
            Method::FloatExp2 => self.math1(Math1::Exp2, x)?,
            Method::FloatExpM1 => self.math1(Math1::ExpM1, x)?,
            Method::FloatLn => self.math1(Math1::Ln, x)?,
            Method::FloatLog2 => self.math1(Math1::Log2, x)?,
            Method::FloatLog10 => self.math1(Math1::Log10, x)?,
            Method::FloatLn1p => self.math1(Math1::Ln1p, x)?,
            Method::FloatLog => {
                let x = self.math1(Math1::Ln, x)?;
                let base = self.math1(Math1::Ln, y)?;
                self.builder.binary(BinaryOp::Div, x, base)
            }
            Method::FloatSin => self.math1(Math1::Sin, x)?,
            Method::FloatCos => self.math1(Math1::Cos, x)?,
            Method::FloatTan => self.math1(Math1::Tan, x)?,
            Method::FloatAsin => self.math1(Math1::Asin, x)?,
            Method::FloatAcos => self.math1(Math1::Acos, x)?,
            Method::FloatAtan => self.math1(Math1::Atan, x)?,
            Method::FloatAtan2 => self.math2(Math2::Atan2, x, y)?,
            Method::FloatSinh => self.math1(Math1::Sinh, x)?,
            Method::FloatCosh => self.math1(Math1::Cosh, x)?,
            Method::FloatTanh => self.math1(Math1::Tanh, x)?,
            Method::FloatAsinh => self.math1(Math1::Asinh, x)?,
            Method::FloatAcosh => self.math1(Math1::Acosh, x)?,
            Method::FloatAtanh => self.math1(Math1::Atanh, x)?,
            Method::FloatCbrt => self.math1(Math1::Cbrt, x)?,
            Method::FloatHypot => self.math2(Math2::Hypot, x, y)?,
            Method::FloatPowf => self.math2(Math2::Powf, x, y)?,
            Method::FloatPowi => self.powi(x, y),

            Method::HalfMin => self.half_choice(CompareOp::Lt, x, y)?,
            Method::HalfMax => self.half_choice(CompareOp::Gt, x, y)?,
            Method::HalfClamp => self.half_clamp(args, at)?,
            Method::HalfSignum => self.half_signum(x),
            Method::HalfCopysign => self.half_copysign(x, y),
            Method::HalfIsNan => self.half_is(CompareOp::Gt, x),
            Method::HalfIsInfinite => self.half_is(CompareOp::Eq, x),
            Method::HalfIsFinite => self.half_is(CompareOp::Lt, x),
            Method::HalfIsNormal => self.is_normal(x),
            Method::HalfIsSignPositive => self.compare_sign(CompareOp::Lt, x),
            Method::HalfIsSignNegative => self.compare_sign(CompareOp::Ge, x),
            Method::HalfToBits => self.builder.def(Scalar::U16, Op::Bits(x)),
            Method::HalfToF32 => self.widened(x)?,
            Method::HalfToF64 => {
                let x = self.widened(x)?;
                self.builder.cast(x, Scalar::F64)
            }
            Method::F16FromBits | Method::Bf16FromBits => self.builder.def(ty, Op::Bits(x)),
            Method::F16FromF32 | Method::Bf16FromF32 => self.narrowed(x, ty)?,

            Method::SliceLen => x,
            Method::SliceIsEmpty => self.compare_with(CompareOp::Eq, x, 0),
        })
    }

    /// A function of one operand: the library's, or the code form's own.
    pub(super) fn math1(&mut self, function: Math1, x: ValueId) -> Lowered<ValueId> {
        match (self.library.math1)(function, self.builder.ty(x)) {
            Some(body) => self.inline_values(body, &[x]),
            None => Ok(self.builder.math1(function, x)),
        }
    }

    /// A function of two operands: the library's, or the code form's own.
    fn math2(&mut self, function: Math2, x: ValueId, y: ValueId) -> Lowered<ValueId> {
        match (self.library.math2)(function, self.builder.ty(x)) {
            Some(body) => self.inline_values(body, &[x, y]),
            None => Ok(self.builder.math2(function, x, y)),
        }
    }

    fn compare_with(&mut self, op: CompareOp, x: ValueId, n: i32) -> ValueId {
        let n = self.builder.number(self.builder.ty(x), n);
        self.builder.compare(op, x, n)
    }
}

/// The type that a kind means for a receiver of type `receiver`.
fn scalar(kind: Kind, receiver: Scalar) -> Scalar {
    match kind {
        Kind::Same => receiver,
        Kind::U32 => Scalar::U32,
        Kind::I32 => Scalar::I32,
        Kind::F32 => Scalar::F32,
        Kind::F64 => Scalar::F64,
        Kind::Bool => Scalar::Bool,
        Kind::Usize => Scalar::Usize,
        Kind::Unsigned | Kind::Bits => receiver.unsigned(),
        Kind::Signed => receiver.signed(),
    }
}
