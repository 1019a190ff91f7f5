//! Scalar types and constants in OpenCL C.

use super::expr::{Expr, Precedence};
use gridfn_ir::Scalar;

/// The C type in which values and locals are held: of a float of 16 bits, its bits.
pub(super) fn name(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "bool",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 | Scalar::Isize => "long",
        Scalar::U8 => "uchar",
        Scalar::U16 | Scalar::F16 | Scalar::Bf16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 | Scalar::Usize => "ulong",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The C type in memory. OpenCL leaves the size of `bool` open and forbids it in arguments.
pub(super) fn memory_name(ty: Scalar) -> &'static str {
    if ty == Scalar::Bool { "uchar" } else { name(ty) }
}

/// Whether C computes in `int` with operands of this type.
pub(super) fn is_promoted(ty: Scalar) -> bool {
    ty.bits() < 32
}

/// A constant.
pub(super) fn literal(ty: Scalar, bits: u64) -> Expr {
    let bits = ty.truncate(bits);
    match ty {
        Scalar::Bool => Expr::primary(if bits != 0 { "true" } else { "false" }),
        Scalar::U8 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => Expr::primary(bits.to_string()).promoted(ty),
        Scalar::U32 => Expr::primary(format!("{bits}u")),
        Scalar::U64 | Scalar::Usize => Expr::primary(format!("{bits}UL")),
        Scalar::I8 => signed(ty, bits as i8 as i64, ""),
        Scalar::I16 => signed(ty, bits as i16 as i64, ""),
        Scalar::I32 => signed(ty, bits as i32 as i64, ""),
        Scalar::I64 | Scalar::Isize => signed(ty, bits as i64, "L"),
        Scalar::F32 => f32_literal(bits as u32),
        Scalar::F64 => f64_literal(bits),
    }
}

fn signed(ty: Scalar, value: i64, suffix: &str) -> Expr {
    let expr = if !is_promoted(ty) && ty.truncate(value as u64) == ty.min_bits() {
        // C has no negative literals, and the positive one does not fit.
        Expr::new(format!("{}{suffix} - 1", value + 1), Precedence::Sum)
    } else if value < 0 {
        Expr::new(format!("{value}{suffix}"), Precedence::Unary)
    } else {
        Expr::primary(format!("{value}{suffix}"))
    };
    if value < 0 || is_promoted(ty) {
        expr.promoted(ty)
    } else {
        expr.with_unsigned(literal(ty.unsigned(), value as u64))
    }
}

fn f32_literal(bits: u32) -> Expr {
    let value = f32::from_bits(bits);
    if value.is_finite() {
        finite(f64::from(value), format!("{value:?}"), "f")
    } else {
        Expr::primary(format!("as_float({bits:#010x}u)"))
    }
}

fn f64_literal(bits: u64) -> Expr {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        finite(value, format!("{value:?}"), "")
    } else {
        Expr::primary(format!("as_double({bits:#018x}UL)"))
    }
}

/// A finite constant: in decimal where a few digits are exact, else in hexadecimal, because C allows a compiler to
/// be one off when it reads decimals; `shortest` then tells the reader what the source said.
fn finite(value: f64, shortest: String, suffix: &str) -> Expr {
    let magnitude = value.abs();
    let sixty_fourths = magnitude * 64.0;
    let mut text = if magnitude < 1e6 && sixty_fourths.fract() == 0.0 {
        let digits = format!("{magnitude:.6}");
        let digits = digits.trim_end_matches('0');
        let zero = if digits.ends_with('.') { "0" } else { "" };
        format!("{digits}{zero}{suffix}")
    } else {
        format!("{}{suffix} /* {shortest} */", hexadecimal(magnitude))
    };
    if value.is_sign_negative() {
        text.insert(0, '-');
        Expr::new(text, Precedence::Unary)
    } else {
        Expr::primary(text)
    }
}

/// A positive, finite value in C's hexadecimal notation; every `f32` is also an `f64`.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let (lead, exponent) = match bits >> 52 {
        0 => (0, -1022),
        biased => (1, biased as i64 - 1023),
    };
    let digits = format!("{fraction:013x}");
    match digits.trim_end_matches('0') {
        "" => format!("0x{lead}p{exponent:+}"),
        digits => format!("0x{lead}.{digits}p{exponent:+}"),
    }
}
