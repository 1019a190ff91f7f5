//! Methods of floats that take more than one operation; `clamp` of integers is with that of floats.

use crate::Scalar;
use crate::lower::Lowering;
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Math2, Op, Stmt, ValueId};

impl Lowering<'_> {
    /// `x.signum()`; a NaN stays what it is.
    pub(super) fn float_signum(&mut self, x: ValueId) -> ValueId {
        let one = self.builder.number(self.builder.ty(x), 1);
        let sign = self.builder.math2(Math2::CopySign, one, x);
        let is_nan = self.builder.compare(CompareOp::Ne, x, x);
        self.builder.select(is_nan, x, sign)
    }

    /// `x.rem_euclid(y)`
    pub(super) fn float_rem_euclid(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let rem = self.builder.binary(BinaryOp::Rem, x, y);
        let abs = self.builder.math1(Math1::Abs, y);
        let raised = self.builder.binary(BinaryOp::Add, rem, abs);
        let is_negative = self.compare_with(CompareOp::Lt, rem, 0);
        self.builder.select(is_negative, raised, rem)
    }

    /// `x.div_euclid(y)`
    pub(super) fn float_div_euclid(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let quotient = self.builder.binary(BinaryOp::Div, x, y);
        let whole = self.builder.math1(Math1::Trunc, quotient);
        let rem = self.builder.binary(BinaryOp::Rem, x, y);
        self.away_from_zero(whole, rem, y)
    }

    /// `x.midpoint(y)`: half the sum, or the sum of the halves where the sum could leave the range. Halving a number
    /// that is so large is exact, and of what is so small beside it no more than a rounding is lost.
    pub(super) fn float_midpoint(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let bound = self.float(ty, f32::MAX / 2.0, f64::MAX / 2.0);
        let half = self.float(ty, 0.5, 0.5);
        let [x_fits, y_fits] = [x, y].map(|x| {
            let abs = self.builder.math1(Math1::Abs, x);
            self.builder.compare(CompareOp::Le, abs, bound)
        });
        let fits = self.builder.binary(BinaryOp::And, x_fits, y_fits);
        let sum = self.builder.binary(BinaryOp::Add, x, y);
        let sum = self.builder.binary(BinaryOp::Mul, sum, half);
        let [x, y] = [x, y].map(|x| self.builder.binary(BinaryOp::Mul, x, half));
        let halves = self.builder.binary(BinaryOp::Add, x, y);
        self.builder.select(fits, sum, halves)
    }

    /// `x.next_up()`, or `x.next_down()`. Of positive numbers, and of negative ones by themselves, the order is that of
    /// the bits.
    pub(super) fn next_float(&mut self, x: ValueId, up: bool) -> ValueId {
        let ty = self.builder.ty(x);
        let bits_type = ty.unsigned();
        let sign_bit = 1u64 << (bits_type.bits() - 1);
        let infinity = infinity_bits(ty);
        let bits = self.builder.def(bits_type, Op::Bits(x));
        let abs = self.abs_bits(bits);
        let one = self.builder.number(bits_type, 1);
        let away = self.builder.binary(BinaryOp::Add, bits, one);
        let back = self.builder.binary(BinaryOp::Sub, bits, one);
        let sign = self.builder.constant(bits_type, sign_bit);
        let is_positive = self.builder.compare(CompareOp::Lt, bits, sign);
        let next = if up {
            self.builder.select(is_positive, away, back)
        } else {
            self.builder.select(is_positive, back, away)
        };
        // From both zeros it is the smallest number of the direction's sign.
        let least = self
            .builder
            .constant(bits_type, if up { 1 } else { sign_bit | 1 });
        let is_zero = self.compare_with(CompareOp::Eq, abs, 0);
        let next = self.builder.select(is_zero, least, next);
        let last = self
            .builder
            .constant(bits_type, if up { infinity } else { sign_bit | infinity });
        let is_last = self.builder.compare(CompareOp::Eq, bits, last);
        let infinity = self.builder.constant(bits_type, infinity);
        let is_nan = self.builder.compare(CompareOp::Gt, abs, infinity);
        let stays = self.builder.binary(BinaryOp::Or, is_last, is_nan);
        let next = self.builder.select(stays, bits, next);
        self.builder.def(ty, Op::Bits(next))
    }

    /// `x.is_normal()`
    pub(super) fn is_normal(&mut self, x: ValueId) -> ValueId {
        let (least, infinity) = (
            least_normal_bits(self.builder.ty(x)),
            infinity_bits(self.builder.ty(x)),
        );
        self.has_bits_in(x, least, infinity)
    }

    /// `x.is_subnormal()`
    pub(super) fn is_subnormal(&mut self, x: ValueId) -> ValueId {
        let least = least_normal_bits(self.builder.ty(x));
        self.has_bits_in(x, 1, least)
    }

    /// Whether the bits of `|x|` are in a range. They are looked at as an integer, because a device may take a
    /// subnormal number for 0.
    fn has_bits_in(&mut self, x: ValueId, start: u64, end: u64) -> ValueId {
        let bits_type = self.builder.ty(x).unsigned();
        let bits = self.builder.def(bits_type, Op::Bits(x));
        let abs = self.abs_bits(bits);
        let start_value = self.builder.constant(bits_type, start);
        let len = self.builder.constant(bits_type, end - start);
        let above = self.builder.binary(BinaryOp::Sub, abs, start_value);
        self.builder.compare(CompareOp::Lt, above, len)
    }

    /// The bits of a float without the sign.
    pub(in crate::lower) fn abs_bits(&mut self, bits: ValueId) -> ValueId {
        let ty = self.builder.ty(bits);
        let mask = self.builder.constant(ty, u64::MAX >> (65 - ty.bits()));
        self.builder.binary(BinaryOp::And, bits, mask)
    }

    pub(super) fn compare_abs_with_infinity(&mut self, op: CompareOp, x: ValueId) -> ValueId {
        let abs = self.builder.math1(Math1::Abs, x);
        let infinity = self.float(self.builder.ty(x), f32::INFINITY, f64::INFINITY);
        self.builder.compare(op, abs, infinity)
    }

    /// Compares the bits with those of −0: they are below if and only if the sign is positive.
    pub(in crate::lower) fn compare_sign(&mut self, op: CompareOp, x: ValueId) -> ValueId {
        let bits_type = self.builder.ty(x).unsigned();
        let bits = self.builder.def(bits_type, Op::Bits(x));
        let sign = self.builder.constant(bits_type, 1 << (bits_type.bits() - 1));
        self.builder.compare(op, bits, sign)
    }

    /// `x` times a constant that differs between the types.
    pub(super) fn scale(&mut self, x: ValueId, single: f32, double: f64) -> ValueId {
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
    pub(in crate::lower) fn clamp(&mut self, [x, min, max]: [ValueId; 3], at: Position) -> ValueId {
        let kind = match self.builder.ty(x) {
            Scalar::F32 => FaultKind::ClampF32,
            Scalar::F64 => FaultKind::ClampF64,
            ty if ty.is_signed() => FaultKind::ClampSigned,
            _ => FaultKind::ClampUnsigned,
        };
        self.clamp_or(kind, [x, min, max], at)
    }

    /// `x.clamp(min, max)`; unordered bounds are this fault.
    pub(in crate::lower) fn clamp_or(
        &mut self,
        kind: FaultKind,
        [x, min, max]: [ValueId; 3],
        at: Position,
    ) -> ValueId {
        let ty = self.builder.ty(x);
        if !self.is_ordered(min, max) {
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
                b.push(Stmt::Fault(site, values.into()));
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
    pub(super) fn powi(&mut self, x: ValueId, n: ValueId) -> ValueId {
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

/// The bits of infinity.
pub(in crate::lower) fn infinity_bits(ty: Scalar) -> u64 {
    match ty {
        Scalar::F64 => f64::INFINITY.to_bits(),
        Scalar::F16 => 0x7C00,
        Scalar::Bf16 => 0x7F80,
        _ => f32::INFINITY.to_bits().into(),
    }
}

/// The bits of the smallest positive normal number.
pub(in crate::lower) fn least_normal_bits(ty: Scalar) -> u64 {
    match ty {
        Scalar::F64 => f64::MIN_POSITIVE.to_bits(),
        Scalar::F16 => 0x0400,
        Scalar::Bf16 => 0x0080,
        _ => f32::MIN_POSITIVE.to_bits().into(),
    }
}
