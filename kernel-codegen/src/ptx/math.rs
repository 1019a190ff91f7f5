//! Functions of one and two operands.

use super::Entry;
use super::registers::Reg;
use super::types::{self, Class, computed, moved, narrow};
use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Math1, Math2, ValueId};

impl Entry<'_> {
    /// A function of one operand.
    pub(super) fn math1(
        &mut self,
        to: &Reg,
        ty: Scalar,
        function: Math1,
        value: ValueId,
    ) -> Result<(), GenerateError> {
        let a = self.register(value);
        let float = computed(ty);
        match function {
            Math1::CountOnes => {
                let a = self.zero_extended(&a, ty);
                self.count(to, ty, "popc", &a);
            }
            Math1::LeadingZeros => {
                let a = self.zero_extended(&a, ty);
                self.count(to, ty, "clz", &a);
                if narrow(ty).is_some() {
                    self.line(format_args!("sub.s32 {to}, {to}, {}", 32 - ty.bits()));
                }
            }
            Math1::TrailingZeros => {
                let mut a = a;
                if narrow(ty).is_some() {
                    // A 1 just above the type's own bits ends the count where they are all 0.
                    let stop = self.registers.temporary(Class::B32);
                    self.line(format_args!("or.b32 {stop}, {a}, {}", 1u32 << ty.bits()));
                    a = stop;
                }
                let reversed = self.temporary(ty);
                self.line(format_args!("brev.{} {reversed}, {a}", moved(ty)));
                self.count(to, ty, "clz", &reversed);
            }
            Math1::ReverseBits => {
                self.line(format_args!("brev.{} {to}, {a}", moved(ty)));
                if narrow(ty).is_some() {
                    self.line(format_args!(
                        "shr.{} {to}, {to}, {}",
                        computed(ty),
                        32 - ty.bits()
                    ));
                }
            }
            Math1::Abs => self.line(format_args!("abs.{float} {to}, {a}")),
            Math1::Sqrt => self.line(format_args!("sqrt.rn.{float} {to}, {a}")),
            Math1::Floor => self.line(format_args!("cvt.rmi.{float}.{float} {to}, {a}")),
            Math1::Ceil => self.line(format_args!("cvt.rpi.{float}.{float} {to}, {a}")),
            Math1::RoundTiesEven => self.line(format_args!("cvt.rni.{float}.{float} {to}, {a}")),
            Math1::Trunc => self.line(format_args!("cvt.rzi.{float}.{float} {to}, {a}")),
            Math1::Round => self.round(to, ty, &a),
            Math1::Exp
            | Math1::Exp2
            | Math1::ExpM1
            | Math1::Ln
            | Math1::Log2
            | Math1::Log10
            | Math1::Ln1p
            | Math1::Sin
            | Math1::Cos
            | Math1::Tan
            | Math1::Asin
            | Math1::Acos
            | Math1::Atan
            | Math1::Sinh
            | Math1::Cosh
            | Math1::Tanh
            | Math1::Asinh
            | Math1::Acosh
            | Math1::Atanh
            | Math1::Cbrt => return Err(inexact(format!("{function:?}"), ty)),
        }
        Ok(())
    }

    /// A function of two operands.
    pub(super) fn math2(
        &mut self,
        to: &Reg,
        ty: Scalar,
        function: Math2,
        a: ValueId,
        b: ValueId,
    ) -> Result<(), GenerateError> {
        let [a, b] = [a, b].map(|v| self.operand(v));
        let suffix = computed(ty);
        match function {
            Math2::Min => self.line(format_args!("min.{suffix} {to}, {a}, {b}")),
            Math2::Max => self.line(format_args!("max.{suffix} {to}, {a}, {b}")),
            // The operand that gives the sign stands first.
            Math2::CopySign => self.line(format_args!("copysign.{suffix} {to}, {b}, {a}")),
            Math2::SaturatingAdd => self.saturating(to, ty, "add", &a, &b),
            Math2::SaturatingSub => self.saturating(to, ty, "sub", &a, &b),
            Math2::MulHigh if narrow(ty).is_some() => {
                self.line(format_args!("mul.lo.{suffix} {to}, {a}, {b}"));
                self.line(format_args!("shr.{suffix} {to}, {to}, {}", ty.bits()));
            }
            Math2::MulHigh => self.line(format_args!("mul.hi.{suffix} {to}, {a}, {b}")),
            Math2::Powf | Math2::Atan2 | Math2::Hypot => return Err(inexact(format!("{function:?}"), ty)),
        }
        Ok(())
    }

    /// A narrow signed integer without the copies of its sign.
    fn zero_extended(&mut self, a: &Reg, ty: Scalar) -> Reg {
        if !(ty.is_signed() && narrow(ty).is_some()) {
            return a.clone();
        }
        let cut = self.registers.temporary(Class::B32);
        self.line(format_args!("and.b32 {cut}, {a}, {}", ty.truncate(u64::MAX)));
        cut
    }

    /// The counting instructions give 32 bits whatever they count in.
    fn count(&mut self, to: &Reg, ty: Scalar, instruction: &str, a: &Reg) {
        if types::register_bits(ty) == 32 {
            return self.line(format_args!("{instruction}.b32 {to}, {a}"));
        }
        let count = self.registers.temporary(Class::B32);
        self.line(format_args!("{instruction}.b64 {count}, {a}"));
        self.line(format_args!("cvt.u64.u32 {to}, {count}"));
    }

    /// The nearest integer, halves away from zero: one step further than `trunc` where that cut off half or more.
    /// Adding a half first would round twice.
    fn round(&mut self, to: &Reg, ty: Scalar, a: &Reg) {
        let float = computed(ty);
        let (half, one) = match ty {
            Scalar::F64 => (0.5f64.to_bits(), 1f64.to_bits()),
            _ => (u64::from(0.5f32.to_bits()), u64::from(1f32.to_bits())),
        };
        let [half, one] = [half, one].map(|bits| types::literal(ty, bits).unwrap_or_default());
        let cut = self.temporary(ty);
        let away = self.temporary(ty);
        let step = self.temporary(Scalar::Bool);
        self.line(format_args!("cvt.rzi.{float}.{float} {to}, {a}"));
        self.line(format_args!("sub.rn.{float} {cut}, {a}, {to}"));
        self.line(format_args!("abs.{float} {cut}, {cut}"));
        self.line(format_args!("setp.ge.{float} {step}, {cut}, {half}"));
        self.line(format_args!("copysign.{float} {away}, {a}, {one}"));
        self.line(format_args!("add.rn.{float} {away}, {to}, {away}"));
        self.line(format_args!("selp.{float} {to}, {away}, {to}, {step}"));
    }

    /// `add` or `sub`, held at the bounds of the type.
    fn saturating(&mut self, to: &Reg, ty: Scalar, op: &str, a: &Reg, b: &Reg) {
        let integer = computed(ty);
        if ty == Scalar::I32 {
            self.line(format_args!("{op}.sat.s32 {to}, {a}, {b}"));
        } else if ty.is_signed() && narrow(ty).is_some() {
            self.line(format_args!("{op}.s32 {to}, {a}, {b}"));
            self.clamp(to, ty);
        } else if ty.is_signed() {
            self.saturating_i64(to, op, a, b);
        } else if op == "sub" {
            // What is subtracted is made no more than there is.
            self.line(format_args!("min.{integer} {to}, {a}, {b}"));
            self.line(format_args!("sub.{integer} {to}, {a}, {to}"));
        } else {
            // What is added is made no more than there is room for above `b`.
            let (_, max) = types::range(ty);
            self.line(format_args!("sub.{integer} {to}, {max}, {b}"));
            self.line(format_args!("min.{integer} {to}, {a}, {to}"));
            self.line(format_args!("add.{integer} {to}, {to}, {b}"));
        }
    }

    /// There is no saturating instruction of 64 bits. The result overflowed if its sign is not `a`'s though it had
    /// to be: in a sum where `b` has that sign too, in a difference where `b` has the other.
    fn saturating_i64(&mut self, to: &Reg, op: &str, a: &Reg, b: &Reg) {
        let [changed, other, bound] = [(); 3].map(|()| self.registers.temporary(Class::B64));
        let overflow = self.temporary(Scalar::Bool);
        self.line(format_args!("{op}.s64 {to}, {a}, {b}"));
        self.line(format_args!("xor.b64 {changed}, {a}, {to}"));
        self.line(match op {
            "add" => format!("xor.b64 {other}, {b}, {to}"),
            _ => format!("xor.b64 {other}, {a}, {b}"),
        });
        self.line(format_args!("and.b64 {changed}, {changed}, {other}"));
        self.line(format_args!("setp.lt.s64 {overflow}, {changed}, 0"));
        self.line(format_args!("shr.s64 {bound}, {a}, 63"));
        self.line(format_args!("xor.b64 {bound}, {bound}, {}", i64::MAX));
        self.line(format_args!("selp.b64 {to}, {bound}, {to}, {overflow}"));
    }
}

/// PTX's own instructions for these are approximations with large errors, which are not used silently: lowering inlines
/// them from a library.
fn inexact(variant: String, ty: Scalar) -> GenerateError {
    let function = match variant.as_str() {
        "ExpM1" => "exp_m1".into(),
        "Ln1p" => "ln_1p".into(),
        _ => variant.to_lowercase(),
    };
    GenerateError::NoFunction {
        function,
        ty,
        form: "PTX",
    }
}
