//! `f16` and `bf16`, floats of 16 bits: held as they are, and computed with as `f32`.
//!
//! That is how `half` defines them: an operator's result is that of `f32`, rounded to nearest even. An `f32` has more than
//! twice their digits, so for `+ - * /` rounding twice is rounding once. No device needs a capability for it.

use super::method::float::infinity_bits;
use super::{Lowered, Lowering};
use crate::Scalar;
use crate::tree::{self, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Op, ValueId};

/// The bit of the sign.
const SIGN: u64 = 0x8000;

impl Lowering<'_> {
    /// A float of 16 bits as the `f32` that it is; other values are themselves.
    pub(super) fn widened(&mut self, x: ValueId) -> Lowered<ValueId> {
        let ty = self.builder.ty(x);
        if !ty.is_half() {
            return Ok(x);
        }
        match (self.library.cast)(ty, Scalar::F32) {
            Some(body) => {
                let bits = self.builder.def(Scalar::U16, Op::Bits(x));
                self.inline_values(body, &[bits])
            }
            None => Ok(self.builder.cast(x, Scalar::F32)),
        }
    }

    /// What was computed for values of type `ty`: if that is a float of 16 bits, an `f32` is rounded to it.
    pub(super) fn narrowed(&mut self, x: ValueId, ty: Scalar) -> Lowered<ValueId> {
        if !ty.is_half() || self.builder.ty(x) != Scalar::F32 {
            return Ok(x);
        }
        match (self.library.cast)(Scalar::F32, ty) {
            Some(body) => {
                let bits = self.inline_values(body, &[x])?;
                Ok(self.builder.def(ty, Op::Bits(bits)))
            }
            None => Ok(self.builder.cast(x, ty)),
        }
    }

    /// `a op b`
    pub(super) fn half_binary(
        &mut self,
        op: tree::BinaryOp,
        [a, b]: [ValueId; 2],
        at: Position,
    ) -> Lowered<ValueId> {
        let ty = self.builder.ty(a);
        let (a, b) = (self.widened(a)?, self.widened(b)?);
        let result = self.binary(op, a, b, at)?;
        self.narrowed(result, ty)
    }

    /// `-x`: the sign is another, also that of a NaN.
    pub(super) fn half_neg(&mut self, x: ValueId) -> ValueId {
        self.with_bits(x, |s, bits| {
            let sign = s.builder.constant(Scalar::U16, SIGN);
            s.builder.binary(BinaryOp::Xor, bits, sign)
        })
    }

    /// `x.min(y)` or `x.max(y)`: the second where the first is NaN or the second is better.
    pub(super) fn half_choice(&mut self, better: CompareOp, x: ValueId, y: ValueId) -> Lowered<ValueId> {
        let is_nan = self.half_is(CompareOp::Gt, x);
        let (wide_x, wide_y) = (self.widened(x)?, self.widened(y)?);
        let is_better = self.builder.compare(better, wide_y, wide_x);
        let second = self.builder.binary(BinaryOp::Or, is_nan, is_better);
        Ok(self.builder.select(second, y, x))
    }

    /// `x.clamp(min, max)`; to round what is one of the three changes nothing.
    pub(super) fn half_clamp(&mut self, args: [ValueId; 3], at: Position) -> Lowered<ValueId> {
        let ty = self.builder.ty(args[0]);
        let [x, min, max] = args;
        let wide = [self.widened(x)?, self.widened(min)?, self.widened(max)?];
        let clamped = self.clamp_or(FaultKind::ClampHalf, wide, at);
        self.narrowed(clamped, ty)
    }

    /// `x.signum()`; a NaN stays what it is.
    pub(super) fn half_signum(&mut self, x: ValueId) -> ValueId {
        let one = match self.builder.ty(x) {
            Scalar::F16 => 0x3C00,
            _ => 0x3F80,
        };
        let is_nan = self.half_is(CompareOp::Gt, x);
        let one = self.builder.constant(self.builder.ty(x), one);
        let sign = self.half_copysign(one, x);
        self.builder.select(is_nan, x, sign)
    }

    /// `x.copysign(sign)`
    pub(super) fn half_copysign(&mut self, x: ValueId, sign: ValueId) -> ValueId {
        let sign = self.builder.def(Scalar::U16, Op::Bits(sign));
        self.with_bits(x, |s, bits| {
            let abs = s.abs_bits(bits);
            let mask = s.builder.constant(Scalar::U16, SIGN);
            let sign = s.builder.binary(BinaryOp::And, sign, mask);
            s.builder.binary(BinaryOp::Or, abs, sign)
        })
    }

    /// Compares the bits of `|x|` with those of infinity: the order is that of the numbers, and NaN is above.
    pub(super) fn half_is(&mut self, op: CompareOp, x: ValueId) -> ValueId {
        let infinity = infinity_bits(self.builder.ty(x));
        let bits = self.builder.def(Scalar::U16, Op::Bits(x));
        let abs = self.abs_bits(bits);
        let infinity = self.builder.constant(Scalar::U16, infinity);
        self.builder.compare(op, abs, infinity)
    }

    /// The number of the bits that `f` makes of those of `x`.
    fn with_bits(&mut self, x: ValueId, f: impl FnOnce(&mut Self, ValueId) -> ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let bits = self.builder.def(Scalar::U16, Op::Bits(x));
        let bits = f(self, bits);
        self.builder.def(ty, Op::Bits(bits))
    }
}
