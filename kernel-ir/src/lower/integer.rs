//! What takes more than one operation of integers, and powers.

use super::Lowering;
use super::arith::{DIVIDE, REMAINDER};
use crate::Scalar;
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, Math1, Math2, Stmt, UnaryOp, ValueId};

/// A multiplication: that of powers.
type Multiply<L> = fn(&mut L, ValueId, ValueId) -> ValueId;

impl Lowering<'_> {
    /// `x.function()` of bits counted, as a `u32`; of `!x` if `inverted`.
    pub(super) fn count(&mut self, function: Math1, inverted: bool, x: ValueId) -> ValueId {
        let x = if inverted {
            self.builder.unary(UnaryOp::Not, x)
        } else {
            x
        };
        let count = self.builder.math1(function, x);
        self.builder.cast(count, Scalar::U32)
    }

    /// `x.abs()`, wrapping: of `MIN` it is `MIN`.
    pub(super) fn abs(&mut self, x: ValueId) -> ValueId {
        let zero = self.builder.number(self.builder.ty(x), 0);
        let is_negative = self.builder.compare(CompareOp::Lt, x, zero);
        let negated = self.builder.unary(UnaryOp::Neg, x);
        self.builder.select(is_negative, negated, x)
    }

    /// `x.signum()`
    pub(super) fn signum(&mut self, x: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let zero = self.builder.number(ty, 0);
        let above = self.builder.compare(CompareOp::Gt, x, zero);
        let below = self.builder.compare(CompareOp::Lt, x, zero);
        let above = self.builder.cast(above, ty);
        let below = self.builder.cast(below, ty);
        self.builder.binary(BinaryOp::Sub, above, below)
    }

    /// `a.abs_diff(b)`. The difference, wrapped, has the bits of the unsigned result.
    pub(super) fn abs_diff(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let high = self.builder.math2(Math2::Max, a, b);
        let low = self.builder.math2(Math2::Min, a, b);
        let difference = self.builder.binary(BinaryOp::Sub, high, low);
        self.builder.cast(difference, self.builder.ty(a).unsigned())
    }

    /// `a.rem_euclid(b)`
    pub(super) fn rem_euclid(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        self.check_division(REMAINDER, a, b, at);
        self.remainder_euclid(a, b)
    }

    /// `a.rem_euclid(b)`, checked already.
    pub(super) fn remainder_euclid(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let rem = self.builder.binary(BinaryOp::Rem, a, b);
        let ty = self.builder.ty(a);
        if !ty.is_signed() {
            return rem;
        }
        let abs = self.abs(b);
        let zero = self.builder.number(ty, 0);
        let is_negative = self.builder.compare(CompareOp::Lt, rem, zero);
        let raised = self.builder.binary(BinaryOp::Add, rem, abs);
        self.builder.select(is_negative, raised, rem)
    }

    /// `a.div_euclid(b)`
    pub(super) fn div_euclid(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        self.check_division(DIVIDE, a, b, at);
        self.quotient_euclid(a, b)
    }

    /// `a.div_euclid(b)`, checked already.
    pub(super) fn quotient_euclid(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let quotient = self.builder.binary(BinaryOp::Div, a, b);
        let ty = self.builder.ty(a);
        if !ty.is_signed() {
            return quotient;
        }
        let rem = self.builder.binary(BinaryOp::Rem, a, b);
        self.away_from_zero(quotient, rem, b)
    }

    /// The quotient of `div_euclid`, from the truncated one: if the remainder is negative, one further from zero.
    pub(super) fn away_from_zero(&mut self, quotient: ValueId, rem: ValueId, divisor: ValueId) -> ValueId {
        let ty = self.builder.ty(quotient);
        let zero = self.builder.number(ty, 0);
        let one = self.builder.number(ty, 1);
        let is_positive = self.builder.compare(CompareOp::Gt, divisor, zero);
        let below = self.builder.binary(BinaryOp::Sub, quotient, one);
        let above = self.builder.binary(BinaryOp::Add, quotient, one);
        let moved = self.builder.select(is_positive, below, above);
        let is_negative = self.builder.compare(CompareOp::Lt, rem, zero);
        self.builder.select(is_negative, moved, quotient)
    }

    /// `a.div_ceil(b)` of unsigned integers. The remainder is zero or the quotient has room for one more.
    pub(super) fn div_ceil(&mut self, a: ValueId, b: ValueId, at: Position) -> ValueId {
        self.check_division(DIVIDE, a, b, at);
        let quotient = self.builder.binary(BinaryOp::Div, a, b);
        let rem = self.builder.binary(BinaryOp::Rem, a, b);
        let ty = self.builder.ty(a);
        let zero = self.builder.number(ty, 0);
        let rest = self.builder.compare(CompareOp::Ne, rem, zero);
        let rest = self.builder.cast(rest, ty);
        self.builder.binary(BinaryOp::Add, quotient, rest)
    }

    /// `a.midpoint(b)`, rounded towards zero: what both have, and half of what one has.
    pub(super) fn midpoint(&mut self, a: ValueId, b: ValueId) -> ValueId {
        let ty = self.builder.ty(a);
        let one = self.builder.number(ty, 1);
        let both = self.builder.binary(BinaryOp::And, a, b);
        let differs = self.builder.binary(BinaryOp::Xor, a, b);
        let half = self.builder.binary(BinaryOp::Shr, differs, one);
        let floor = self.builder.binary(BinaryOp::Add, both, half);
        if !ty.is_signed() {
            return floor;
        }
        let zero = self.builder.number(ty, 0);
        let is_odd = self.builder.binary(BinaryOp::And, differs, one);
        let is_negative = self.builder.compare(CompareOp::Lt, floor, zero);
        let raised = self.builder.binary(BinaryOp::Add, floor, is_odd);
        self.builder.select(is_negative, raised, floor)
    }

    /// `x.unbounded_shl(bits)` or `x.unbounded_shr(bits)`: by the width or more nothing is left, or only signs are.
    pub(super) fn unbounded_shift(&mut self, op: BinaryOp, x: ValueId, bits: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let last = self.builder.constant(Scalar::U32, u64::from(ty.bits() - 1));
        let is_within = self.builder.compare(CompareOp::Le, bits, last);
        let shifted = self.shift(op, x, bits);
        let rest = if op == BinaryOp::Shr && ty.is_signed() {
            self.shift(op, x, last)
        } else {
            self.builder.number(ty, 0)
        };
        self.builder.select(is_within, shifted, rest)
    }

    /// `x` turned by `amount` bits: `there` is the shift in that direction, `back` the one in the other.
    pub(super) fn rotate(&mut self, there: BinaryOp, back: BinaryOp, x: ValueId, amount: ValueId) -> ValueId {
        // Both amounts are taken modulo the width, so a turn by 0 is `x | x`.
        let ty = self.builder.ty(x);
        let bits = self.builder.cast(x, ty.unsigned());
        let rest = match self.builder.constant_bits(amount) {
            Some(n) => self.builder.constant(Scalar::U32, n.wrapping_neg()),
            None => self.builder.unary(UnaryOp::Neg, amount),
        };
        let a = self.shift(there, bits, amount);
        let b = self.shift(back, bits, rest);
        let turned = self.builder.binary(BinaryOp::Or, a, b);
        self.builder.cast(turned, ty)
    }

    /// `x.swap_bytes()`: neighbours change places, at first bytes, then pairs of them, then fours.
    pub(super) fn swap_bytes(&mut self, x: ValueId) -> ValueId {
        let ty = self.builder.ty(x);
        let unsigned = ty.unsigned();
        let mut x = self.builder.cast(x, unsigned);
        for (distance, mask) in [
            (8, 0x00ff_00ff_00ff_00ff),
            (16, 0x0000_ffff_0000_ffff),
            (32, 0xffff_ffff),
        ] {
            if distance >= ty.bits() {
                break;
            }
            let mask = self.builder.constant(unsigned, mask);
            let distance = self.builder.constant(unsigned, distance.into());
            let low = self.builder.binary(BinaryOp::And, x, mask);
            let up = self.builder.binary(BinaryOp::Shl, low, distance);
            let high = self.builder.binary(BinaryOp::Shr, x, distance);
            let down = self.builder.binary(BinaryOp::And, high, mask);
            x = self.builder.binary(BinaryOp::Or, up, down);
        }
        self.builder.cast(x, ty)
    }

    /// `base` to the power of a `u32`, by repeated squaring: exact and wrapping for integers; a float's result may
    /// differ from Rust's in its last bits, because Rust leaves them open.
    pub(super) fn power(&mut self, base: ValueId, exponent: ValueId) -> ValueId {
        self.power_by(|s, a, b| s.builder.binary(BinaryOp::Mul, a, b), base, exponent)
    }

    /// `base` to the power of a `u32`, by that multiplication.
    pub(super) fn power_by(&mut self, multiply: Multiply<Self>, base: ValueId, exponent: ValueId) -> ValueId {
        match self.builder.constant_bits(exponent) {
            Some(exponent) => self.constant_power(multiply, base, exponent),
            None => self.variable_power(multiply, base, exponent),
        }
    }

    fn constant_power(&mut self, multiply: Multiply<Self>, base: ValueId, mut exponent: u64) -> ValueId {
        let mut square = base;
        let mut result = None;
        while exponent != 0 {
            if exponent & 1 == 1 {
                result = Some(match result {
                    None => square,
                    Some(result) => multiply(self, result, square),
                });
            }
            exponent >>= 1;
            if exponent != 0 {
                square = multiply(self, square, square);
            }
        }
        result.unwrap_or_else(|| self.builder.number(self.builder.ty(base), 1))
    }

    fn variable_power(&mut self, multiply: Multiply<Self>, base: ValueId, exponent: ValueId) -> ValueId {
        let b = &mut self.builder;
        let one = b.number(b.ty(base), 1);
        let result = b.local_of(None, one);
        let square = b.local_of(None, base);
        let left = b.local_of(None, exponent);
        let label = b.label();

        let outer = b.enter();
        let bits = b.read(left);
        let zero = b.number(Scalar::U32, 0);
        let more = b.compare(CompareOp::Ne, bits, zero);
        b.push(Stmt::If(more, vec![], vec![Stmt::Break(label)]));
        let one = b.number(Scalar::U32, 1);
        let low = b.binary(BinaryOp::And, bits, one);
        let is_odd = b.compare(CompareOp::Ne, low, zero);
        let old = b.read(result);
        let factor = b.read(square);
        let product = multiply(self, old, factor);
        let new = self.builder.select(is_odd, product, old);
        self.builder.push(Stmt::Set(result, new));
        let body = self.builder.leave(outer);

        let outer = self.builder.enter();
        let old = self.builder.read(square);
        let new = multiply(self, old, old);
        let b = &mut self.builder;
        b.push(Stmt::Set(square, new));
        let bits = b.read(left);
        let one = b.number(Scalar::U32, 1);
        let rest = b.binary(BinaryOp::Shr, bits, one);
        b.push(Stmt::Set(left, rest));
        let next = b.leave(outer);

        b.push(Stmt::Loop { label, body, next });
        b.read(result)
    }
}
