//! The methods of the built-in types: one arm for each line of [`crate::methods`].

use super::operand::Operand;
use super::{Lowered, Lowering};
use crate::methods::{Class, Kind};
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Math2, Op, Stmt, UnaryOp, ValueId};
use crate::{Method, Scalar};

impl Lowering<'_> {
    /// A call of a method, with its receiver as the first argument.
    pub(super) fn method(&mut self, method: Method, arguments: &[Expr], at: Position) -> Lowered<ValueId> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let place = self.place(argument)?;
            let place = self.referent(place)?;
            // Of a slice or array, methods can only ask for the length.
            values.push(if method.class() == Class::Slice {
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
        let (ty, rest) = match (method, self.builder.ty(first)) {
            (Method::FloatFromBits, Scalar::U32) => (Scalar::F32, values),
            (Method::FloatFromBits, _) => (Scalar::F64, values),
            (_, ty) => (ty, &values[1..]),
        };
        let fits = match method.class() {
            Class::Integer => ty.is_integer(),
            Class::Signed => ty.is_signed(),
            Class::Unsigned => ty.is_integer() && !ty.is_signed(),
            Class::Float => ty.is_float(),
            Class::Slice => ty == Scalar::Usize,
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

            Method::UnsignedDivCeil => self.div_ceil(x, y, at),
            Method::UnsignedIsPowerOfTwo => {
                let ones = self.builder.math1(Math1::CountOnes, x);
                self.compare_with(CompareOp::Eq, ones, 1)
            }

            Method::FloatAbs => self.builder.math1(Math1::Abs, x),
            Method::FloatSignum => {
                let one = self.builder.number(ty, 1);
                let sign = self.builder.math2(Math2::CopySign, one, x);
                let is_nan = self.builder.compare(CompareOp::Ne, x, x);
                self.builder.select(is_nan, x, sign)
            }
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
            Method::FloatRemEuclid => {
                let rem = self.builder.binary(BinaryOp::Rem, x, y);
                let abs = self.builder.math1(Math1::Abs, y);
                let raised = self.builder.binary(BinaryOp::Add, rem, abs);
                let is_negative = self.compare_with(CompareOp::Lt, rem, 0);
                self.builder.select(is_negative, raised, rem)
            }
            Method::FloatDivEuclid => {
                let quotient = self.builder.binary(BinaryOp::Div, x, y);
                let whole = self.builder.math1(Math1::Trunc, quotient);
                let rem = self.builder.binary(BinaryOp::Rem, x, y);
                self.away_from_zero(whole, rem, y)
            }
            // What Rust multiplies by is what it makes of 1.
            Method::FloatToDegrees => self.scale(x, 1f32.to_degrees(), 1f64.to_degrees()),
            Method::FloatToRadians => self.scale(x, 1f32.to_radians(), 1f64.to_radians()),
            Method::FloatIsNan => self.builder.compare(CompareOp::Ne, x, x),
            Method::FloatIsInfinite => self.compare_abs_with_infinity(CompareOp::Eq, x),
            Method::FloatIsFinite => self.compare_abs_with_infinity(CompareOp::Lt, x),
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

    fn compare_abs_with_infinity(&mut self, op: CompareOp, x: ValueId) -> ValueId {
        let abs = self.builder.math1(Math1::Abs, x);
        let infinity = self.float(self.builder.ty(x), f32::INFINITY, f64::INFINITY);
        self.builder.compare(op, abs, infinity)
    }

    /// Compares the bits with those of −0: they are below if and only if the sign is positive.
    fn compare_sign(&mut self, op: CompareOp, x: ValueId) -> ValueId {
        let bits_type = self.builder.ty(x).unsigned();
        let bits = self.builder.def(bits_type, Op::Bits(x));
        let sign = self.builder.constant(bits_type, 1 << (bits_type.bits() - 1));
        self.builder.compare(op, bits, sign)
    }

    /// `x` times a constant that differs between the types.
    fn scale(&mut self, x: ValueId, single: f32, double: f64) -> ValueId {
        let factor = self.float(self.builder.ty(x), single, double);
        self.builder.binary(BinaryOp::Mul, x, factor)
    }

    fn float(&mut self, ty: Scalar, single: f32, double: f64) -> ValueId {
        let bits = if ty == Scalar::F64 {
            double.to_bits()
        } else {
            single.to_bits().into()
        };
        self.builder.constant(ty, bits)
    }

    /// `x.clamp(min, max)`; a NaN stays what it is.
    fn clamp(&mut self, [x, min, max]: [ValueId; 3], at: Position) -> ValueId {
        let ty = self.builder.ty(x);
        if !self.is_ordered(min, max) {
            let kind = match ty {
                Scalar::F32 => FaultKind::ClampF32,
                Scalar::F64 => FaultKind::ClampF64,
                _ if ty.is_signed() => FaultKind::ClampSigned,
                _ => FaultKind::ClampUnsigned,
            };
            let ordered = self.builder.compare(CompareOp::Le, min, max);
            let site = self.site(kind, at);
            let (block, ()) = self.builder.block(|b| {
                let values = [min, max].map(|bound| {
                    let bits = if ty.is_float() {
                        b.def(ty.unsigned(), Op::Bits(bound))
                    } else {
                        bound
                    };
                    b.cast(bits, Scalar::U64)
                });
                b.push(Stmt::Fault(site, values));
            });
            self.builder.push(Stmt::If(ordered, vec![], block));
        }
        let b = &mut self.builder;
        let below = b.compare(CompareOp::Lt, x, min);
        let x = b.select(below, min, x);
        let above = b.compare(CompareOp::Gt, x, max);
        b.select(above, max, x)
    }

    /// Whether `min` and `max` are constants with `min <= max`.
    fn is_ordered(&self, min: ValueId, max: ValueId) -> bool {
        let ty = self.builder.ty(min);
        let bits = |value| self.builder.constant_bits(value);
        let (Some(min), Some(max)) = (bits(min), bits(max)) else {
            return false;
        };
        match ty {
            Scalar::F32 => f32::from_bits(min as u32) <= f32::from_bits(max as u32),
            Scalar::F64 => f64::from_bits(min) <= f64::from_bits(max),
            // Moving the smallest value to 0 makes the order of the bits that of the values.
            _ => min ^ ty.min_bits() <= max ^ ty.min_bits(),
        }
    }

    /// `x.powi(n)`: the reciprocal of the power of `|n|` if `n` is negative.
    fn powi(&mut self, x: ValueId, n: ValueId) -> ValueId {
        let one = self.builder.number(self.builder.ty(x), 1);
        if let Some(bits) = self.builder.constant_bits(n) {
            let n = bits as i32;
            let magnitude = self.builder.constant(Scalar::U32, n.unsigned_abs().into());
            let power = self.power(x, magnitude);
            return if n < 0 {
                self.builder.binary(BinaryOp::Div, one, power)
            } else {
                power
            };
        }
        let magnitude = self.abs(n);
        let magnitude = self.builder.cast(magnitude, Scalar::U32);
        let power = self.power(x, magnitude);
        let reciprocal = self.builder.binary(BinaryOp::Div, one, power);
        let is_negative = self.compare_with(CompareOp::Lt, n, 0);
        self.builder.select(is_negative, reciprocal, power)
    }
}

/// The type that a kind means for a receiver of type `receiver`.
fn scalar(kind: Kind, receiver: Scalar) -> Scalar {
    match kind {
        Kind::Same => receiver,
        Kind::U32 => Scalar::U32,
        Kind::I32 => Scalar::I32,
        Kind::Bool => Scalar::Bool,
        Kind::Usize => Scalar::Usize,
        Kind::Unsigned | Kind::Bits => receiver.unsigned(),
    }
}
