//! The `strict_` methods of integers: those that fault where they overflow.

use crate::Scalar;
use crate::lower::Lowering;
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, FaultKind, Stmt, ValueId};

impl Lowering<'_> {
    /// A result that overflows if and only if wrapping and saturation differ. For sums and negation they do: what
    /// wraps is as far off as the type is wide, which is more than lies between any sum and the bound.
    pub(super) fn exact(
        &mut self,
        wrapped: ValueId,
        saturated: ValueId,
        kind: FaultKind,
        at: Position,
    ) -> ValueId {
        let overflows = self.builder.compare(CompareOp::Ne, wrapped, saturated);
        self.fault_if(overflows, kind, at);
        wrapped
    }

    /// `a.strict_mul(b)`
    pub(super) fn strict_mul(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        let [product, overflows] = self.overflowing_mul(a, b);
        self.fault_if(overflows, FaultKind::MultiplyOverflow, at);
        product
    }

    /// `x.strict_shl(bits)` or `x.strict_shr(bits)`
    pub(super) fn strict_shift(
        &mut self,
        op: BinaryOp,
        x: ValueId,
        bits: ValueId,
        kind: FaultKind,
        at: Position,
    ) -> ValueId {
        let width = self.builder.ty(x).bits();
        let overflows = self.compare_with(CompareOp::Ge, bits, width as i32);
        self.fault_if(overflows, kind, at);
        self.shift(op, x, bits)
    }

    /// `base.strict_pow(exponent)`
    pub(super) fn strict_pow(&mut self, base: ValueId, exponent: ValueId, at: Position) -> ValueId {
        self.power_with(base, exponent, |s, a, b| s.strict_mul(a, b, at))
    }

    /// A power by repeated squaring. A square that nothing is multiplied by is not computed, as it may overflow where the
    /// power does not.
    pub(in crate::lower) fn power_with(
        &mut self,
        base: ValueId,
        exponent: ValueId,
        mut multiply: impl FnMut(&mut Self, ValueId, ValueId) -> ValueId,
    ) -> ValueId {
        let one = self.builder.number(self.builder.ty(base), 1);
        let result = self.builder.local_of(None, one);
        let square = self.builder.local_of(None, base);
        let left = self.builder.local_of(None, exponent);
        let label = self.builder.label();

        let outer = self.builder.enter();
        let bits = self.builder.read(left);
        let one = self.builder.number(Scalar::U32, 1);
        let low = self.builder.binary(BinaryOp::And, bits, one);
        let is_odd = self.compare_with(CompareOp::Ne, low, 0);
        let factor = self.builder.read(square);

        let around = self.builder.enter();
        let old = self.builder.read(result);
        let product = multiply(self, old, factor);
        self.builder.push(Stmt::Set(result, product));
        let multiplied = self.builder.leave(around);
        self.builder.push(Stmt::If(is_odd, multiplied, vec![]));

        let rest = self.builder.binary(BinaryOp::Shr, bits, one);
        self.builder.push(Stmt::Set(left, rest));
        let more = self.compare_with(CompareOp::Ne, rest, 0);
        self.break_unless(more, label);
        let next = multiply(self, factor, factor);
        self.builder.push(Stmt::Set(square, next));
        let body = self.builder.leave(outer);

        let next = vec![];
        self.builder.push(Stmt::Loop { label, body, next });
        self.builder.read(result)
    }
}
