//! Division of integers without overflow, and what is made of it.

use crate::lower::Lowering;
use crate::lower::arith::{DIVIDE, REMAINDER};
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, FaultKind, ValueId};

impl Lowering<'_> {
    /// What `a` can be divided by for `a.wrapping_div(b)` and kin: `MIN / 1` is what `MIN / -1` wraps to, and its
    /// remainder is 0 too.
    fn wrapping_divisor(&mut self, kind: FaultKind, a: ValueId, b: ValueId, at: Position) -> ValueId {
        self.check_divisor(kind, b, at);
        match self.division_overflows(a, b) {
            Some(overflows) => {
                let one = self.builder.number(self.builder.ty(b), 1);
                self.builder.select(overflows, one, b)
            }
            None => b,
        }
    }

    /// `a.wrapping_div(b)`
    pub(super) fn wrapping_div(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let b = self.wrapping_divisor(DIVIDE[0], a, b, at);
        self.builder.binary(BinaryOp::Div, a, b)
    }

    /// `a.wrapping_rem(b)`
    pub(super) fn wrapping_rem(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let b = self.wrapping_divisor(REMAINDER[0], a, b, at);
        self.builder.binary(BinaryOp::Rem, a, b)
    }

    /// `a.wrapping_div_euclid(b)`
    pub(in crate::lower) fn wrapping_div_euclid(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let b = self.wrapping_divisor(DIVIDE[0], a, b, at);
        self.quotient_euclid(a, b)
    }

    /// `a.wrapping_rem_euclid(b)`
    pub(in crate::lower) fn wrapping_rem_euclid(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let b = self.wrapping_divisor(REMAINDER[0], a, b, at);
        self.remainder_euclid(a, b)
    }

    /// `a.saturating_div(b)`
    pub(super) fn saturating_div(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let ty = self.builder.ty(a);
        let quotient = self.wrapping_div(a, b, at);
        match self.division_overflows(a, b) {
            Some(overflows) => {
                let largest = self.largest(ty);
                self.builder.select(overflows, largest, quotient)
            }
            None => quotient,
        }
    }

    /// `a.next_multiple_of(b)` of unsigned integers; it wraps.
    pub(super) fn next_multiple_of(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        self.check_divisor(REMAINDER[0], b, at);
        let rem = self.builder.binary(BinaryOp::Rem, a, b);
        let rest = self.builder.binary(BinaryOp::Sub, b, rem);
        let next = self.builder.binary(BinaryOp::Add, a, rest);
        let is_multiple = self.compare_with(CompareOp::Eq, rem, 0);
        self.builder.select(is_multiple, a, next)
    }

    /// `a.is_multiple_of(b)` of unsigned integers. Of 0 only 0 is a multiple.
    pub(super) fn is_multiple_of(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let is_zero = self.compare_with(CompareOp::Eq, b, 0);
        let one = self.builder.number(self.builder.ty(b), 1);
        let divisor = self.builder.select(is_zero, one, b);
        let rem = self.builder.binary(BinaryOp::Rem, a, divisor);
        let rem = self.builder.select(is_zero, a, rem);
        self.compare_with(CompareOp::Eq, rem, 0)
    }
}
