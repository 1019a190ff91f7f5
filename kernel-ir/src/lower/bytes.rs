//! Numbers as arrays of bytes.

use super::operand::{Operand, Place};
use super::{Lowered, Lowering};
use crate::tree::Expr;
use crate::typed::{BinaryOp, Op, ValueId};
use crate::{ByteOrder, Scalar};

impl Lowering<'_> {
    /// `x.to_le_bytes()` and its kin.
    pub(super) fn bytes_of(&mut self, number: Place, order: ByteOrder) -> Lowered<Operand> {
        let x = self.scalar_in(number)?;
        let ty = self.builder.ty(x);
        let bits = if ty.is_float() {
            self.builder.def(ty.unsigned(), Op::Bits(x))
        } else {
            self.builder.cast(x, ty.unsigned())
        };
        let bytes = places_of_bytes(ty, order).map(|place| {
            let place = self.builder.number(Scalar::U32, place);
            let shifted = self.shift(BinaryOp::Shr, bits, place);
            Operand::Value(self.builder.cast(shifted, Scalar::U8))
        });
        let bytes: Vec<_> = bytes.collect();
        self.array_of_operands(&bytes)
    }

    /// `u32::from_le_bytes(bytes)` and its kin.
    pub(super) fn number_of_bytes(
        &mut self,
        ty: Scalar,
        order: ByteOrder,
        arguments: &[Expr],
    ) -> Lowered<Operand> {
        let [bytes] = arguments else {
            return Err(self.bug("a number is made of one array"));
        };
        let bytes = self.place(bytes)?;
        let bytes = self.referent(bytes)?;
        let unsigned = ty.unsigned();
        let mut bits: Option<ValueId> = None;
        for (n, place) in places_of_bytes(ty, order).enumerate() {
            let index = self.builder.constant(Scalar::Usize, n as u64);
            let byte = self.element_of(&bytes, index)?;
            let byte = self.scalar_in(byte)?;
            let byte = self.builder.cast(byte, unsigned);
            let place = self.builder.number(Scalar::U32, place);
            let part = self.shift(BinaryOp::Shl, byte, place);
            bits = Some(match bits {
                Some(bits) => self.builder.binary(BinaryOp::Or, bits, part),
                None => part,
            });
        }
        let Some(bits) = bits else {
            return Err(self.bug("a number without bytes"));
        };
        Ok(Operand::Value(if ty.is_float() {
            self.builder.def(ty, Op::Bits(bits))
        } else {
            self.builder.cast(bits, ty)
        }))
    }
}

/// By how many bits each byte of a number is shifted, in the order in which they stand in memory.
fn places_of_bytes(ty: Scalar, order: ByteOrder) -> impl Iterator<Item = i32> {
    let bytes = ty.bits() as i32 / 8;
    (0..bytes).map(move |n| match order {
        ByteOrder::Little => 8 * n,
        ByteOrder::Big => 8 * (bytes - 1 - n),
    })
}
