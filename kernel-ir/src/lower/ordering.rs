//! Comparisons that give an `Ordering`, its methods, and the category of a float.

use super::method::float::{infinity_bits, least_normal_bits};
use super::operand::{EnumValue, Operand, Place};
use super::{Lowered, Lowering};
use crate::typed::{BinaryOp, CompareOp, Op, UnaryOp, ValueId};
use crate::{CoreMethod, Enum, Scalar};
use std::rc::Rc;

impl Lowering<'_> {
    /// `a.cmp(&b)` and its kin.
    pub(super) fn comparison(&mut self, method: CoreMethod, a: ValueId, b: ValueId) -> Lowered<Operand> {
        use CoreMethod as Core;
        match method {
            Core::IntCmp => Ok(self.ordering_of(a, b)),
            Core::IntPartialCmp => {
                let order = self.ordering_of(a, b);
                Ok(self.some(order))
            }
            // Only a NaN is neither at most nor at least another.
            Core::FloatPartialCmp => {
                let at_most = self.builder.compare(CompareOp::Le, a, b);
                let at_least = self.builder.compare(CompareOp::Ge, a, b);
                let ordered = self.builder.binary(BinaryOp::Or, at_most, at_least);
                let order = self.ordering_of(a, b);
                Ok(self.option(ordered, order))
            }
            Core::FloatTotalCmp => {
                let (a, b) = (self.in_total_order(a), self.in_total_order(b));
                Ok(self.ordering_of(a, b))
            }
            method => Err(self.bug(format_args!("`{}` compares nothing", method.name()))),
        }
    }

    /// The `Ordering` of two numbers, whose discriminant is 1 if the first is greater, and -1 if it is less.
    fn ordering_of(&mut self, a: ValueId, b: ValueId) -> Operand {
        let [greater, less] = [CompareOp::Gt, CompareOp::Lt].map(|op| {
            let is = self.builder.compare(op, a, b);
            self.builder.cast(is, Enum::ORDERING.tag)
        });
        let tag = self.builder.binary(BinaryOp::Sub, greater, less);
        self.ordering(tag)
    }

    fn ordering(&mut self, tag: ValueId) -> Operand {
        plain(&Enum::ORDERING, tag)
    }

    /// An integer that is less where the float stands before in IEEE 754's total order (section 5.10): its bits, of which
    /// those of a negative one but the sign are turned around.
    fn in_total_order(&mut self, x: ValueId) -> ValueId {
        let (bits_type, signed) = (
            self.builder.ty(x).unsigned(),
            self.builder.ty(x).unsigned().signed(),
        );
        let bits = self.builder.def(bits_type, Op::Bits(x));
        let bits = self.builder.cast(bits, signed);
        let last = self.builder.number(Scalar::U32, signed.bits() as i32 - 1);
        let sign = self.shift(BinaryOp::Shr, bits, last);
        let sign = self.builder.cast(sign, bits_type);
        let one = self.builder.number(Scalar::U32, 1);
        let others = self.shift(BinaryOp::Shr, sign, one);
        let others = self.builder.cast(others, signed);
        self.builder.binary(BinaryOp::Xor, bits, others)
    }

    /// The methods of an `Ordering`.
    pub(super) fn ordering_method(
        &mut self,
        method: CoreMethod,
        receiver: &Place,
        arguments: &[Place],
    ) -> Lowered<Operand> {
        let tag = self.tag_of_plain(receiver)?;
        let zero = self.builder.number(Enum::ORDERING.tag, 0);
        let is = |s: &mut Self, op| Ok(Operand::Value(s.builder.compare(op, tag, zero)));
        use CoreMethod as Core;
        match method {
            Core::OrderingIsEq => is(self, CompareOp::Eq),
            Core::OrderingIsNe => is(self, CompareOp::Ne),
            Core::OrderingIsLt => is(self, CompareOp::Lt),
            Core::OrderingIsGt => is(self, CompareOp::Gt),
            Core::OrderingIsLe => is(self, CompareOp::Le),
            Core::OrderingIsGe => is(self, CompareOp::Ge),
            Core::OrderingReverse => {
                let tag = self.builder.unary(UnaryOp::Neg, tag);
                Ok(self.ordering(tag))
            }
            Core::OrderingThen => {
                let Some(other) = arguments.first() else {
                    return Err(self.bug("`then` without an argument"));
                };
                let other = self.tag_of_plain(other)?;
                let equal = self.builder.compare(CompareOp::Eq, tag, zero);
                let tag = self.builder.select(equal, other, tag);
                Ok(self.ordering(tag))
            }
            method => Err(self.bug(format_args!("`{}` of an `Ordering`", method.name()))),
        }
    }

    /// What an enum without fields is.
    pub(super) fn tag_of_plain(&mut self, place: &Place) -> Lowered<ValueId> {
        let place = self.referent(place.clone())?;
        match self.enum_at(&place)? {
            Some((_, tag)) => Ok(tag),
            None => Err(self.bug("what is no enum is taken for one")),
        }
    }

    /// `x.classify()`, by the bits, because a device may take a subnormal number for 0.
    pub(super) fn category(&mut self, x: ValueId) -> Operand {
        let ty = self.builder.ty(x);
        let bits = self.builder.def(ty.unsigned(), Op::Bits(x));
        let abs = self.abs_bits(bits);
        // From the greatest down, each category begins below another.
        let ends = [
            ("Infinite", CompareOp::Eq, infinity_bits(ty)),
            ("Normal", CompareOp::Lt, infinity_bits(ty)),
            ("Subnormal", CompareOp::Lt, least_normal_bits(ty)),
            ("Zero", CompareOp::Eq, 0),
        ];
        let mut tag = self.category_tag("Nan");
        for (name, op, bound) in ends {
            let bound = self.builder.constant(ty.unsigned(), bound);
            let is = self.builder.compare(op, abs, bound);
            let other = self.category_tag(name);
            tag = self.builder.select(is, other, tag);
        }
        plain(&Enum::FP_CATEGORY, tag)
    }

    fn category_tag(&mut self, name: &str) -> ValueId {
        let discriminant = Enum::FP_CATEGORY.variant(name).map_or(0, |v| v.discriminant);
        self.builder.constant(Enum::FP_CATEGORY.tag, discriminant)
    }
}

/// A value of an enum without fields.
fn plain(def: &'static Enum, tag: ValueId) -> Operand {
    Operand::Enum(Rc::new(EnumValue {
        def,
        tag,
        variants: vec![vec![]; def.variants.len()],
    }))
}
