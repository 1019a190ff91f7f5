//! Rust's `as`, and bits taken as another type.

use super::Generator;
use gridfn_ir::Scalar;
use rspirv::spirv::{Decoration, Op, Word};

impl Generator<'_> {
    /// `a as to`.
    pub(super) fn cast(&mut self, from: Scalar, to: Scalar, a: Word) -> Word {
        if from == Scalar::Bool {
            return self.cast_bool(to, a);
        }
        let op = match (from.is_float(), to.is_float()) {
            (false, false) if from.bits() == to.bits() => return a,
            (false, false) if from.is_signed() => Op::SConvert,
            (false, false) => Op::UConvert,
            (false, true) if from.is_signed() => Op::ConvertSToF,
            (false, true) => Op::ConvertUToF,
            (true, true) if from == to => return a,
            (true, true) => Op::FConvert,
            (true, false) if to.is_signed() => Op::ConvertFToS,
            (true, false) => Op::ConvertFToU,
        };
        let saturates = from.is_float() && !to.is_float();
        let a = if saturates { self.zero_for_nan(from, a) } else { a };
        let ty = self.module.ty(to);
        let id = self.op(op, ty, &[a]);
        if saturates {
            self.module.decorate(id, Decoration::SaturatedConversion, vec![]);
        }
        id
    }

    /// The float, or 0 if it is NaN. A saturated conversion should do so itself, but Intel's runtime (2026.22) makes
    /// the largest `u32` of an `f32`'s NaN.
    fn zero_for_nan(&mut self, float: Scalar, a: Word) -> Word {
        let (ty, bool) = (self.module.ty(float), self.module.bool());
        let zero = self.module.constant(float, 0);
        let is_nan = self.op(Op::FUnordNotEqual, bool, &[a, a]);
        self.op(Op::Select, ty, &[is_nan, zero, a])
    }

    fn cast_bool(&mut self, to: Scalar, a: Word) -> Word {
        if to == Scalar::Bool {
            a
        } else if to.is_float() {
            let byte = self.bool_as(Scalar::U8, a);
            self.cast(Scalar::U8, to, byte)
        } else {
            self.bool_as(to, a)
        }
    }

    /// The bits of `a` as another type of its width.
    pub(super) fn bits(&mut self, from: Scalar, to: Scalar, a: Word) -> Word {
        if from == to {
            a
        } else if from == Scalar::Bool {
            self.bool_as(to, a)
        } else if to == Scalar::Bool {
            self.as_bool(a)
        } else if from.is_float() == to.is_float() {
            a
        } else {
            let ty = self.module.ty(to);
            self.op(Op::Bitcast, ty, &[a])
        }
    }

    /// A `bool` as the number 0 or 1 of an integer type.
    pub(super) fn bool_as(&mut self, to: Scalar, a: Word) -> Word {
        let ty = self.module.ty(to);
        let one = self.module.constant(to, 1);
        let zero = self.module.constant(to, 0);
        self.op(Op::Select, ty, &[a, one, zero])
    }

    /// A byte as a `bool`.
    pub(super) fn as_bool(&mut self, a: Word) -> Word {
        let bool = self.module.bool();
        let zero = self.module.constant(Scalar::U8, 0);
        self.op(Op::INotEqual, bool, &[a, zero])
    }
}
