//! Two-operand operators: their checks, and shifts.

use super::{Lowered, Lowering};
use crate::Scalar;
use crate::tree::{self, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, ValueId};

/// What `/` says of a divisor of zero, and of `MIN / -1`.
pub(super) const DIVIDE: [FaultKind; 2] = [FaultKind::DivideByZero, FaultKind::DivideOverflow];
/// The same of `%`.
pub(super) const REMAINDER: [FaultKind; 2] = [FaultKind::RemainderByZero, FaultKind::RemainderOverflow];

impl Lowering<'_> {
    /// `a op b`, of operands that have been evaluated.
    pub(super) fn binary(
        &mut self,
        op: tree::BinaryOp,
        a: ValueId,
        b: ValueId,
        at: Position,
    ) -> Lowered<ValueId> {
        use tree::BinaryOp as Tree;
        self.frame.at = at;
        let ty = self.builder.ty(a);
        if !matches!(op, Tree::Shl | Tree::Shr) {
            self.expect_scalar(format_args!("the right side of {op:?}"), b, ty)?;
        }
        if ty.is_half() {
            return self.half_binary(op, [a, b], at);
        }
        let fits = match op {
            Tree::Add | Tree::Sub | Tree::Mul | Tree::Div | Tree::Rem => ty != Scalar::Bool,
            Tree::And | Tree::Or | Tree::Xor => !ty.is_float(),
            Tree::Shl | Tree::Shr => ty.is_integer() && self.builder.ty(b).is_integer(),
            Tree::Eq | Tree::Ne | Tree::Lt | Tree::Le | Tree::Gt | Tree::Ge => true,
        };
        if !fits {
            return Err(self.bug(format_args!("{op:?} of {ty} and {}", self.builder.ty(b))));
        }
        Ok(match op {
            Tree::Add => self.builder.binary(BinaryOp::Add, a, b),
            Tree::Sub => self.builder.binary(BinaryOp::Sub, a, b),
            Tree::Mul => self.builder.binary(BinaryOp::Mul, a, b),
            Tree::Div => self.divide(BinaryOp::Div, a, b, at),
            Tree::Rem => self.divide(BinaryOp::Rem, a, b, at),
            Tree::And => self.builder.binary(BinaryOp::And, a, b),
            Tree::Or => self.builder.binary(BinaryOp::Or, a, b),
            Tree::Xor => self.builder.binary(BinaryOp::Xor, a, b),
            Tree::Shl => self.shift(BinaryOp::Shl, a, b),
            Tree::Shr => self.shift(BinaryOp::Shr, a, b),
            Tree::Eq => self.builder.compare(CompareOp::Eq, a, b),
            Tree::Ne => self.builder.compare(CompareOp::Ne, a, b),
            Tree::Lt => self.builder.compare(CompareOp::Lt, a, b),
            Tree::Le => self.builder.compare(CompareOp::Le, a, b),
            Tree::Gt => self.builder.compare(CompareOp::Gt, a, b),
            Tree::Ge => self.builder.compare(CompareOp::Ge, a, b),
        })
    }

    /// `a / b` or `a % b`, checked.
    pub(super) fn divide(&mut self, op: BinaryOp, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let kinds = if op == BinaryOp::Rem { REMAINDER } else { DIVIDE };
        self.check_division(kinds, a, b, at);
        self.builder.binary(op, a, b)
    }

    /// Faults where integers `a` and `b` have no quotient. What a constant proves is not tested.
    pub(super) fn check_division(
        &mut self,
        [by_zero, overflow]: [FaultKind; 2],
        a: ValueId,
        b: ValueId,
        at: Position,
    ) {
        if !self.builder.ty(a).is_integer() {
            return;
        }
        self.check_divisor(by_zero, b, at);
        if let Some(condition) = self.division_overflows(a, b) {
            self.fault_if(condition, overflow, at);
        }
    }

    /// Faults where the integer `b` is 0.
    pub(super) fn check_divisor(&mut self, kind: FaultKind, b: ValueId, at: Position) {
        if self.may_be(b, 0) {
            let zero = self.builder.number(self.builder.ty(b), 0);
            let condition = self.builder.compare(CompareOp::Eq, b, zero);
            self.fault_if(condition, kind, at);
        }
    }

    /// Whether integers are `MIN` and -1, unless constants prove that they are not.
    pub(super) fn division_overflows(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let ty = self.builder.ty(a);
        let minus_one = ty.truncate(u64::MAX);
        if !ty.is_signed() || !self.may_be(b, minus_one) || !self.may_be(a, ty.min_bits()) {
            return None;
        }
        let minus_one = self.builder.constant(ty, minus_one);
        let min = self.builder.constant(ty, ty.min_bits());
        let is_minus_one = self.builder.compare(CompareOp::Eq, b, minus_one);
        let is_min = self.builder.compare(CompareOp::Eq, a, min);
        Some(self.builder.binary(BinaryOp::And, is_minus_one, is_min))
    }

    /// Whether no constant proves that `value` has other bits.
    fn may_be(&self, value: ValueId, bits: u64) -> bool {
        self.builder.constant_bits(value).is_none_or(|c| c == bits)
    }

    /// A shift of integers by an amount of any integer type, which is taken modulo the width.
    pub(super) fn shift(&mut self, op: BinaryOp, a: ValueId, amount: ValueId) -> ValueId {
        let amount = self.shift_amount(self.builder.ty(a), amount);
        self.builder.binary(op, a, amount)
    }

    /// `amount` modulo the width of `ty`, in that type.
    pub(super) fn shift_amount(&mut self, ty: Scalar, amount: ValueId) -> ValueId {
        // The mask, at most 63, fits every type, and so does what it leaves.
        let mask = ty.bits() - 1;
        match self.builder.constant_bits(amount) {
            Some(bits) => self.builder.constant(ty, bits & u64::from(mask)),
            None => {
                let mask = self.builder.number(self.builder.ty(amount), mask as i32);
                let masked = self.builder.binary(BinaryOp::And, amount, mask);
                self.builder.cast(masked, ty)
            }
        }
    }
}
