//! Results of integers with the word whether they overflow: what `checked_` and `overflowing_` methods give.

use super::operand::Place;
use super::{Lowered, Lowering};
use crate::tree::Position;
use crate::typed::{BinaryOp, CompareOp, Stmt, UnaryOp, ValueId};
use crate::{CoreMethod, Scalar};

impl Lowering<'_> {
    /// The wrapped result, and whether it overflows. Of a division it is any number where it has no result.
    pub(super) fn overflowing(
        &mut self,
        method: CoreMethod,
        places: &[Place],
        at: Position,
    ) -> Lowered<[ValueId; 2]> {
        let values = places.iter().map(|place| self.scalar_in(place.clone()));
        let values = values.collect::<Lowered<Vec<_>>>()?;
        use CoreMethod as Core;
        Ok(match (method, values.as_slice()) {
            (Core::IntCheckedAbs | Core::IntOverflowingAbs, &[a]) => {
                let least = self.is_least(a);
                [self.abs(a), least]
            }
            (Core::IntCheckedNeg | Core::IntOverflowingNeg, &[a]) => {
                let overflows = if self.builder.ty(a).is_signed() {
                    self.is_least(a)
                } else {
                    let zero = self.builder.number(self.builder.ty(a), 0);
                    self.builder.compare(CompareOp::Ne, a, zero)
                };
                [self.builder.unary(UnaryOp::Neg, a), overflows]
            }
            (
                Core::IntCheckedAdd
                | Core::IntOverflowingAdd
                | Core::IntCheckedAddSigned
                | Core::IntOverflowingAddSigned
                | Core::IntCheckedAddUnsigned
                | Core::IntOverflowingAddUnsigned,
                &[a, b],
            ) => {
                let sum = self.mixed(BinaryOp::Add, a, b);
                // A sum is less than one part exactly if the other part is negative.
                let below = self.builder.compare(CompareOp::Lt, sum, a);
                [sum, self.unless_negative(below, b)]
            }
            (
                Core::IntCheckedSub
                | Core::IntOverflowingSub
                | Core::IntCheckedSubSigned
                | Core::IntOverflowingSubSigned
                | Core::IntCheckedSubUnsigned
                | Core::IntOverflowingSubUnsigned,
                &[a, b],
            ) => {
                let difference = self.mixed(BinaryOp::Sub, a, b);
                let above = self.builder.compare(CompareOp::Gt, difference, a);
                [difference, self.unless_negative(above, b)]
            }
            (Core::IntCheckedMul | Core::IntOverflowingMul, &[a, b]) => self.overflowing_mul(a, b),
            (Core::IntCheckedDiv, &[a, b]) => {
                let (divisor, none) = self.proper_divisor(a, b);
                [self.builder.binary(BinaryOp::Div, a, divisor), none]
            }
            (Core::IntCheckedRem, &[a, b]) => {
                let (divisor, none) = self.proper_divisor(a, b);
                [self.builder.binary(BinaryOp::Rem, a, divisor), none]
            }
            (Core::IntCheckedDivEuclid, &[a, b]) => {
                let (divisor, none) = self.proper_divisor(a, b);
                [self.wrapping_div_euclid(a, divisor, at), none]
            }
            (Core::IntCheckedRemEuclid, &[a, b]) => {
                let (divisor, none) = self.proper_divisor(a, b);
                [self.wrapping_rem_euclid(a, divisor, at), none]
            }
            (Core::IntCheckedNextMultipleOf, &[a, b]) => self.checked_next_multiple_of(a, b),
            (Core::IntCheckedNextPowerOfTwo, &[a]) => {
                let next = self.next_power_of_two(a);
                let zero = self.builder.number(self.builder.ty(a), 0);
                [next, self.builder.compare(CompareOp::Eq, next, zero)]
            }
            (Core::IntCheckedIlog2, &[a]) => {
                let (a, none) = self.at_least(a, 1);
                [self.ilog2(a, at), none]
            }
            (Core::IntCheckedIlog10, &[a]) => {
                let (a, none) = self.at_least(a, 1);
                [self.ilog10(a, at), none]
            }
            (Core::IntCheckedIlog, &[a, base]) => {
                let ((a, no_number), (base, no_base)) = (self.at_least(a, 1), self.at_least(base, 2));
                let none = self.builder.binary(BinaryOp::Or, no_number, no_base);
                [self.ilog(a, base, at), none]
            }
            (Core::IntCheckedIsqrt, &[a]) => {
                let (a, none) = self.at_least(a, 0);
                [self.isqrt(a, at), none]
            }
            (Core::IntCheckedShl | Core::IntOverflowingShl, &[a, bits]) => {
                self.overflowing_shift(BinaryOp::Shl, a, bits)
            }
            (Core::IntCheckedShr | Core::IntOverflowingShr, &[a, bits]) => {
                self.overflowing_shift(BinaryOp::Shr, a, bits)
            }
            (Core::IntCheckedPow | Core::IntOverflowingPow, &[a, exponent]) => {
                self.overflowing_pow(a, exponent)
            }
            (method, _) => {
                return Err(self.bug(format_args!("`{}` with these arguments", method.name())));
            }
        })
    }

    /// Whether a signed number is the least of its type, which alone has no opposite.
    fn is_least(&mut self, a: ValueId) -> ValueId {
        let ty = self.builder.ty(a);
        let least = self.builder.constant(ty, 1 << (ty.bits() - 1));
        self.builder.compare(CompareOp::Eq, a, least)
    }

    /// `test`, or its opposite where `b` is negative.
    fn unless_negative(&mut self, test: ValueId, b: ValueId) -> ValueId {
        let ty = self.builder.ty(b);
        if !ty.is_signed() {
            return test;
        }
        let zero = self.builder.number(ty, 0);
        let negative = self.builder.compare(CompareOp::Lt, b, zero);
        self.builder.compare(CompareOp::Ne, test, negative)
    }

    /// A divisor, and whether the division has no result: the divisor is 0, or the quotient overflows. It is 1 then.
    fn proper_divisor(&mut self, a: ValueId, b: ValueId) -> (ValueId, ValueId) {
        let ty = self.builder.ty(b);
        let (zero, one) = (self.builder.number(ty, 0), self.builder.number(ty, 1));
        let mut none = self.builder.compare(CompareOp::Eq, b, zero);
        if let Some(overflows) = self.division_overflows(a, b) {
            none = self.builder.binary(BinaryOp::Or, none, overflows);
        }
        (self.builder.select(none, one, b), none)
    }

    /// A number, and whether it is less than the least that is allowed, which it is then.
    fn at_least(&mut self, a: ValueId, least: i32) -> (ValueId, ValueId) {
        let least = self.builder.number(self.builder.ty(a), least);
        let below = self.builder.compare(CompareOp::Lt, a, least);
        (self.builder.select(below, least, a), below)
    }

    /// The multiples of 0 have no next one, and the next one may overflow.
    fn checked_next_multiple_of(&mut self, a: ValueId, b: ValueId) -> [ValueId; 2] {
        let (divisor, none) = self.proper_divisor(a, b);
        let rest = self.builder.binary(BinaryOp::Rem, a, divisor);
        let zero = self.builder.number(self.builder.ty(a), 0);
        let is_multiple = self.builder.compare(CompareOp::Eq, rest, zero);
        let missing = self.builder.binary(BinaryOp::Sub, divisor, rest);
        let missing = self.builder.select(is_multiple, zero, missing);
        let next = self.builder.binary(BinaryOp::Add, a, missing);
        let overflows = self.builder.compare(CompareOp::Lt, next, a);
        [next, self.builder.binary(BinaryOp::Or, none, overflows)]
    }

    /// A shift by as many bits as the type has, or more, is one by the rest.
    fn overflowing_shift(&mut self, op: BinaryOp, a: ValueId, bits: ValueId) -> [ValueId; 2] {
        let width = self.builder.number(Scalar::U32, self.builder.ty(a).bits() as i32);
        let overflows = self.builder.compare(CompareOp::Ge, bits, width);
        [self.shift(op, a, bits), overflows]
    }

    /// A power overflows where one of its products does.
    fn overflowing_pow(&mut self, base: ValueId, exponent: ValueId) -> [ValueId; 2] {
        let no = self.builder.constant(Scalar::Bool, 0);
        let overflowed = self.builder.local_of(None, no);
        let power = self.power_with(base, exponent, |s, a, b| {
            let [product, overflows] = s.overflowing_mul(a, b);
            let old = s.builder.read(overflowed);
            let new = s.builder.binary(BinaryOp::Or, old, overflows);
            s.builder.push(Stmt::Set(overflowed, new));
            product
        });
        [power, self.builder.read(overflowed)]
    }
}
