//! Integers held at the bounds of their type, and sums of integers of different signs.

use crate::Scalar;
use crate::lower::Lowering;
use crate::typed::{BinaryOp, CompareOp, Math2, ValueId};

impl Lowering<'_> {
    /// `a * b`, wrapped, and whether it overflows.
    pub(in crate::lower) fn overflowing_mul(&mut self, a: ValueId, b: ValueId) -> [ValueId; 2] {
        let ty = self.builder.ty(a);
        let product = self.builder.binary(BinaryOp::Mul, a, b);
        let upper = self.builder.math2(Math2::MulHigh, a, b);
        // Without overflow the upper half repeats the sign of the lower one, and of unsigned integers is 0.
        let sign = if ty.is_signed() {
            self.sign_mask(product)
        } else {
            self.builder.number(ty, 0)
        };
        [product, self.builder.compare(CompareOp::Ne, upper, sign)]
    }

    /// `a.saturating_mul(b)`
    pub(super) fn saturating_mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.builder.ty(a);
        let [product, overflows] = self.overflowing_mul(a, b);
        let mut bound = self.largest(ty);
        if ty.is_signed() {
            let differs = self.builder.binary(BinaryOp::Xor, a, b);
            let sign = self.sign_mask(differs);
            // `MIN` has the opposite bits of `MAX`.
            bound = self.builder.binary(BinaryOp::Xor, bound, sign);
        }
        self.builder.select(overflows, bound, product)
    }

    /// `x.saturating_neg()`
    pub(super) fn saturating_neg(&mut self, x: ValueId) -> ValueId {
        let zero = self.builder.number(self.builder.ty(x), 0);
        self.builder.math2(Math2::SaturatingSub, zero, x)
    }

    /// `x.saturating_abs()`
    pub(super) fn saturating_abs(&mut self, x: ValueId) -> ValueId {
        let negated = self.saturating_neg(x);
        self.builder.math2(Math2::Max, x, negated)
    }

    /// `x.wrapping_add_signed(y)` and kin: `y`, of the other sign, as one of `x`'s type.
    pub(in crate::lower) fn mixed(&mut self, op: BinaryOp, x: ValueId, y: ValueId) -> ValueId {
        let y = self.builder.cast(y, self.builder.ty(x));
        self.builder.binary(op, x, y)
    }

    /// `x.saturating_add_signed(y)`
    pub(super) fn saturating_add_signed(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.saturating_signed(Math2::SaturatingAdd, Math2::SaturatingSub, x, y)
    }

    /// `x.saturating_sub_signed(y)`
    pub(super) fn saturating_sub_signed(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.saturating_signed(Math2::SaturatingSub, Math2::SaturatingAdd, x, y)
    }

    /// `op` of `x` and a positive `y`, or `opposite` of `x` and the size of a negative one.
    fn saturating_signed(&mut self, op: Math2, opposite: Math2, x: ValueId, y: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let is_negative = self.compare_with(CompareOp::Lt, y, 0);
        let size = self.abs(y);
        let size = self.builder.cast(size, ty);
        let positive = self.builder.math2(op, x, size);
        let negative = self.builder.math2(opposite, x, size);
        self.builder.select(is_negative, negative, positive)
    }

    /// `x.saturating_add_unsigned(y)`: beyond `x` in the right direction, or at the bound that was passed.
    pub(super) fn saturating_add_unsigned(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let sum = self.mixed(BinaryOp::Add, x, y);
        let overflows = self.builder.compare(CompareOp::Lt, sum, x);
        let bound = self.largest(self.builder.ty(x));
        self.builder.select(overflows, bound, sum)
    }

    /// `x.saturating_sub_unsigned(y)`
    pub(super) fn saturating_sub_unsigned(&mut self, x: ValueId, y: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let difference = self.mixed(BinaryOp::Sub, x, y);
        let overflows = self.builder.compare(CompareOp::Gt, difference, x);
        let bound = self.builder.constant(ty, ty.min_bits());
        self.builder.select(overflows, bound, difference)
    }

    /// −1 of a negative number, else 0.
    fn sign_mask(&mut self, x: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let width = self.builder.constant(ty, u64::from(ty.bits() - 1));
        self.builder.binary(BinaryOp::Shr, x, width)
    }

    /// `MAX`
    pub(super) fn largest(&mut self, ty: Scalar) -> ValueId {
        self.builder.constant(ty, !ty.min_bits())
    }
}
