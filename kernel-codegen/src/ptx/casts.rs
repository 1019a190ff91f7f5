//! Rust's `as`, and the bits of a value as another type.

use super::registers::Reg;
use super::types::{self, Class, computed, moved, narrow};
use super::{Entry, unsupported};
use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::typed::ValueId;

impl Entry<'_> {
    /// Rust's `as`.
    pub(super) fn cast(&mut self, to: &Reg, ty: Scalar, value: ValueId) -> Result<(), GenerateError> {
        let from = self.kernel.values[value].ty;
        let a = self.register(value);
        if from == ty {
            self.line(format_args!("mov.{} {to}, {a}", moved(ty)));
        } else if ty == Scalar::Bool {
            return Err(unsupported(format!("a cast from `{from}` to `bool`")));
        } else if from.is_half() || ty.is_half() {
            self.cast_half(to, ty, &a, from);
        } else if from == Scalar::Bool {
            let one = match ty {
                Scalar::F32 => u64::from(1f32.to_bits()),
                Scalar::F64 => 1f64.to_bits(),
                Scalar::Bool
                | Scalar::I8
                | Scalar::I16
                | Scalar::I32
                | Scalar::I64
                | Scalar::Isize
                | Scalar::U8
                | Scalar::U16
                | Scalar::U32
                | Scalar::U64
                | Scalar::Usize => 1,
                Scalar::F16 | Scalar::Bf16 => {
                    return Err(unsupported(format!("a cast from `bool` to `{ty}`")));
                }
            };
            let [one, zero] = [one, 0].map(|bits| types::literal(ty, bits).unwrap_or_default());
            self.line(format_args!("selp.{} {to}, {one}, {zero}, {a}", moved(ty)));
        } else {
            match (from.is_float(), ty.is_float()) {
                (false, false) => self.integer_to_integer(to, ty, &a, from),
                (true, false) => self.float_to_integer(to, ty, &a, from),
                (false, true) => {
                    self.line(format_args!(
                        "cvt.rn.{}.{} {to}, {a}",
                        computed(ty),
                        computed(from)
                    ));
                }
                // The wider float holds every value of the narrower, and there is nothing to round.
                (true, true) if ty == Scalar::F64 => self.line(format_args!("cvt.f64.f32 {to}, {a}")),
                (true, true) => self.line(format_args!("cvt.rn.f32.f64 {to}, {a}")),
            }
        }
        Ok(())
    }

    /// From `f32` to a float of 16 bits, or back. A `bf16` is the upper half of an `f32`.
    fn cast_half(&mut self, to: &Reg, ty: Scalar, a: &Reg, from: Scalar) {
        if from == Scalar::Bf16 {
            let bits = self.registers.temporary(Class::B32);
            self.line(format_args!("shl.b32 {bits}, {a}, 16"));
            self.line(format_args!("mov.b32 {to}, {bits}"));
            return;
        }
        let half = self.registers.temporary(Class::B16);
        if from == Scalar::F16 {
            self.line(format_args!("cvt.u16.u32 {half}, {a}"));
            self.line(format_args!("cvt.f32.f16 {to}, {half}"));
        } else {
            self.line(format_args!("cvt.rn.{}.f32 {half}, {a}", ty.name()));
            self.line(format_args!("cvt.u32.u16 {to}, {half}"));
        }
    }

    fn integer_to_integer(&mut self, to: &Reg, ty: Scalar, a: &Reg, from: Scalar) {
        match (types::register_bits(from), types::register_bits(ty)) {
            (32, 64) => {
                let sign = if from.is_signed() { 's' } else { 'u' };
                self.line(format_args!("cvt.{sign}64.{sign}32 {to}, {a}"));
            }
            (64, 32) => {
                self.line(format_args!("cvt.u32.u64 {to}, {a}"));
                self.wrap(to, ty);
            }
            _ => match narrow(ty) {
                Some(narrow) => self.line(format_args!("cvt.{}.{narrow} {to}, {a}", computed(ty))),
                None => self.line(format_args!("mov.{} {to}, {a}", moved(ty))),
            },
        }
    }

    /// `cvt` saturates by itself, to the range of its destination, which for narrow types is not the type's. What
    /// it makes of NaN depends on both types, so that 0 is selected explicitly.
    fn float_to_integer(&mut self, to: &Reg, ty: Scalar, a: &Reg, from: Scalar) {
        let (integer, float) = (computed(ty), computed(from));
        self.line(format_args!("cvt.rzi.{integer}.{float} {to}, {a}"));
        if narrow(ty).is_some() {
            self.clamp(to, ty);
        }
        let nan = self.registers.temporary(Class::Predicate);
        self.line(format_args!("setp.nan.{float} {nan}, {a}, {a}"));
        self.line(format_args!("selp.{} {to}, 0, {to}, {nan}", moved(ty)));
    }

    /// Holds what a narrow type's register holds at the type's bounds.
    pub(super) fn clamp(&mut self, to: &Reg, ty: Scalar) {
        let (min, max) = types::range(ty);
        let integer = computed(ty);
        if ty.is_signed() {
            self.line(format_args!("max.{integer} {to}, {to}, {min}"));
        }
        self.line(format_args!("min.{integer} {to}, {to}, {max}"));
    }

    /// The same bits as another type of the same width.
    pub(super) fn bits(&mut self, to: &Reg, ty: Scalar, value: ValueId) {
        let from = self.kernel.values[value].ty;
        let a = self.register(value);
        match (from, ty) {
            (Scalar::Bool, Scalar::Bool) => self.line(format_args!("mov.pred {to}, {a}")),
            (Scalar::Bool, _) => self.line(format_args!("selp.b32 {to}, 1, 0, {a}")),
            (_, Scalar::Bool) => self.line(format_args!("setp.ne.u32 {to}, {a}, 0")),
            (_, _) => match narrow(ty) {
                Some(narrow) => self.line(format_args!("cvt.{}.{narrow} {to}, {a}", computed(ty))),
                None => self.line(format_args!("mov.b{} {to}, {a}", ty.bits())),
            },
        }
    }
}
