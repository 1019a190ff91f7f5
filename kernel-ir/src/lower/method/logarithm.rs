//! Roots, logarithms and powers of two of integers.

use crate::Scalar;
use crate::lower::Lowering;
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Stmt, ValueId};

impl Lowering<'_> {
    /// `x.isqrt()`: the root's bits from the highest on, each of which stays if its square is still within `x`.
    pub(in crate::lower) fn isqrt(&mut self, x: ValueId, at: Position) -> ValueId {
        let ty = self.builder.ty(x);
        if ty.is_signed() {
            let is_negative = self.compare_with(CompareOp::Lt, x, 0);
            self.fault_if(is_negative, FaultKind::SquareRootOfNegative, at);
        }
        let unsigned = ty.unsigned();
        let b = &mut self.builder;
        let x = b.cast(x, unsigned);
        let zero = b.number(unsigned, 0);
        let highest = b.constant(unsigned, 1 << (ty.bits() - 2));
        // Before the bit 2^k is tried, `root` is the root so far times 2^(k+1), and `bit` is 4^k.
        let rest = b.local_of(None, x);
        let root = b.local_of(None, zero);
        let bit = b.local_of(None, highest);
        let label = b.label();

        let (body, ()) = b.block(|b| {
            let now = b.read(bit);
            let more = b.compare(CompareOp::Ne, now, zero);
            b.push(Stmt::If(more, vec![], vec![Stmt::Break(label)]));
            let so_far = b.read(root);
            let left = b.read(rest);
            let square = b.binary(BinaryOp::Or, so_far, now);
            let fits = b.compare(CompareOp::Ge, left, square);
            let less = b.binary(BinaryOp::Sub, left, square);
            let left = b.select(fits, less, left);
            b.push(Stmt::Set(rest, left));
            let one = b.number(unsigned, 1);
            let half = b.binary(BinaryOp::Shr, so_far, one);
            let with = b.binary(BinaryOp::Or, half, now);
            let so_far = b.select(fits, with, half);
            b.push(Stmt::Set(root, so_far));
        });
        let (next, ()) = b.block(|b| {
            let now = b.read(bit);
            let two = b.number(unsigned, 2);
            let now = b.binary(BinaryOp::Shr, now, two);
            b.push(Stmt::Set(bit, now));
        });
        b.push(Stmt::Loop { label, body, next });
        let root = b.read(root);
        b.cast(root, ty)
    }

    /// Faults where `x` has no logarithm.
    fn check_positive(&mut self, x: ValueId, at: Position) {
        let is_not = self.compare_with(CompareOp::Le, x, 0);
        self.fault_if(is_not, FaultKind::LogarithmOfNonPositive, at);
    }

    /// `x.ilog2()`
    pub(in crate::lower) fn ilog2(&mut self, x: ValueId, at: Position) -> ValueId {
        self.check_positive(x, at);
        let highest = self.builder.ty(x).bits() - 1;
        let highest = self.builder.constant(Scalar::U32, highest.into());
        let zeros = self.count(Math1::LeadingZeros, false, x);
        self.builder.binary(BinaryOp::Sub, highest, zeros)
    }

    /// `x.ilog10()`: the number of powers of ten, but for 1, that `x` reaches. A comparison for each is less work than
    /// a loop of divisions.
    pub(in crate::lower) fn ilog10(&mut self, x: ValueId, at: Position) -> ValueId {
        self.check_positive(x, at);
        let ty = self.builder.ty(x);
        let largest = !ty.min_bits() & (u64::MAX >> (64 - ty.bits()));
        let mut log = self.builder.number(Scalar::U32, 0);
        let mut power = 10u64;
        while power <= largest {
            let bound = self.builder.constant(ty, power);
            let reached = self.builder.compare(CompareOp::Ge, x, bound);
            let reached = self.builder.cast(reached, Scalar::U32);
            log = self.builder.binary(BinaryOp::Add, log, reached);
            power = match power.checked_mul(10) {
                Some(power) => power,
                None => break,
            };
        }
        log
    }

    /// `x.ilog(base)`
    pub(in crate::lower) fn ilog(&mut self, x: ValueId, base: ValueId, at: Position) -> ValueId {
        let is_small = self.compare_with(CompareOp::Lt, base, 2);
        self.fault_if(is_small, FaultKind::LogarithmBase, at);
        self.check_positive(x, at);
        let b = &mut self.builder;
        let zero = b.number(Scalar::U32, 0);
        let log = b.local_of(None, zero);
        let rest = b.local_of(None, x);
        let label = b.label();
        let (body, ()) = b.block(|b| {
            let now = b.read(rest);
            let more = b.compare(CompareOp::Ge, now, base);
            b.push(Stmt::If(more, vec![], vec![Stmt::Break(label)]));
            let quotient = b.binary(BinaryOp::Div, now, base);
            b.push(Stmt::Set(rest, quotient));
            let so_far = b.read(log);
            let one = b.number(Scalar::U32, 1);
            let so_far = b.binary(BinaryOp::Add, so_far, one);
            b.push(Stmt::Set(log, so_far));
        });
        let next = vec![];
        b.push(Stmt::Loop { label, body, next });
        b.read(log)
    }

    /// `x.next_power_of_two()`; it wraps to 0.
    pub(in crate::lower) fn next_power_of_two(&mut self, x: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let one = self.builder.number(ty, 1);
        let is_small = self.compare_with(CompareOp::Le, x, 1);
        // All ones from the highest bit of `x - 1` down, and 1. Where `x - 1` has no such bit, `is_small`.
        let before = self.builder.binary(BinaryOp::Sub, x, one);
        let zeros = self.count(Math1::LeadingZeros, false, before);
        let ones = self.largest(ty);
        let ones = self.shift(BinaryOp::Shr, ones, zeros);
        let next = self.builder.binary(BinaryOp::Add, ones, one);
        self.builder.select(is_small, one, next)
    }
}
