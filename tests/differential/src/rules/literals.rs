//! Literals and the constants of the built-in types.

use crate::ast::Node;
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::{Bound, Type};
use gridfn_ir::Scalar;

/// A literal, or the limit of a type parameter.
pub fn any(g: &mut Generator, ty: &Type) -> Node {
    match ty {
        Type::Scalar(scalar) => of_scalar(g, *scalar),
        Type::T(bound) => of_parameter(g, *bound),
    }
}

/// A literal with a suffix.
pub fn literal(g: &mut Generator, _: Row, ty: &Type) -> Option<Node> {
    Some(any(g, ty))
}

fn of_scalar(g: &mut Generator, ty: Scalar) -> Node {
    let text = match ty {
        Scalar::Bool => ["true", "false"][g.random.below(2)].into(),
        _ if ty.is_float() => float(g, ty) + ty.name(),
        _ if ty.is_half() => half(g, ty),
        Scalar::U8 if g.random.chance(10) => format!("b'{}'", (b'a' + g.random.below(26) as u8) as char),
        _ => integer(g, ty),
    };
    let text = if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    };
    Node::expr(Row::Literal, ty, form!(text))
}

/// A float without its suffix.
fn float(g: &mut Generator, ty: Scalar) -> String {
    let bits = g.random.bits();
    let (single, double) = (f32::from_bits(bits as u32), f64::from_bits(bits));
    match g.random.below(4) {
        0 => format!("{}.{}", g.random.below(1000), g.random.below(1000)),
        1 if ty == Scalar::F32 && single.is_normal() => format!("{single:e}"),
        1 if ty == Scalar::F64 && double.is_normal() => format!("{double:e}"),
        2 => [
            "0.0",
            "-0.0",
            "0.1",
            "1.5",
            "-2.5",
            "1e10",
            "16777217.0",
            "4294967296.0",
        ][g.random.below(8)]
        .into(),
        _ => format!("{}.0", g.random.below(20) as i32 - 10),
    }
}

/// There are no literals of 16 bits; this is what constants may be made of.
fn half(g: &mut Generator, ty: Scalar) -> String {
    // Numbers between -8 and 8, mostly.
    let bits = match ty {
        _ if g.random.chance(20) => g.random.bits() as u16,
        Scalar::F16 => 0x3800 + g.random.below(0x1000) as u16,
        _ => 0x3f00 + g.random.below(0x200) as u16,
    };
    let sign = if g.random.chance(40) { 0x8000 } else { 0 };
    format!("{}::from_bits({:#x}u16)", ty.name(), bits | sign)
}

fn integer(g: &mut Generator, ty: Scalar) -> String {
    let suffix = ty.name();
    let most = u64::MAX >> (64 - ty.bits() + u32::from(ty.is_signed()));
    let value = match g.random.below(5) {
        0 => most - g.random.below(3) as u64,
        1 => (g.random.bits() >> g.random.below(64)) & most,
        _ => g.random.below(12) as u64,
    };
    if ty.is_signed() && g.random.chance(30) {
        // The smallest value is one literal, and not the negative of one.
        let least = most + 1;
        return if g.random.chance(20) {
            format!("-{least}{suffix}")
        } else {
            format!("-{value}{suffix}")
        };
    }
    match g.random.below(8) {
        0 => format!("{value:#x}{suffix}"),
        1 => format!("{value:#b}{suffix}"),
        2 => format!("{value:#o}{suffix}"),
        3 => format!("{value}_{suffix}"),
        _ => format!("{value}{suffix}"),
    }
}

fn of_parameter(g: &mut Generator, bound: Bound) -> Node {
    let (names, ty): (&[&str], _) = match bound {
        Bound::Scalar => (&["T::ZERO", "T::ONE"], Type::T(bound)),
        Bound::Int => (&["T::ZERO", "T::ONE", "T::MIN", "T::MAX"], Type::T(bound)),
        Bound::Float => (&["T::ZERO", "T::ONE", "T::EPSILON", "T::MAX"], Type::T(bound)),
    };
    Node::expr(Row::Limits, ty, form!(*g.random.pick(names)))
}

/// A literal whose type the other operand tells.
pub fn unsuffixed(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let other = g.variable(ty)?;
    let (op, literal) = if scalar.is_float() {
        (*g.random.pick(&["+", "-", "*"]), float(g, scalar))
    } else if scalar.is_integer() {
        let op = *g.random.pick(&["+", "-", "*", "&", "|", "^"]);
        (op, g.random.below(128).to_string())
    } else {
        return None;
    };
    let template = if g.random.chance(50) {
        format!("($ {op} {literal})")
    } else {
        format!("({literal} {op} $)")
    };
    Some(Node::expr(row, ty.clone(), form!(template, other)))
}

/// `i32::MAX` and kin.
pub fn limits(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if let Type::T(bound) = ty {
        return Some(of_parameter(g, *bound));
    }
    let scalar = ty.scalar()?;
    let name = scalar.name();
    let text = match scalar {
        Scalar::Bool => return None,
        Scalar::F16 | Scalar::Bf16 => {
            let names = [
                "ZERO", "ONE", "PI", "E", "MAX", "MIN", "EPSILON", "INFINITY", "NAN",
            ];
            format!("{name}::{}", g.random.pick(&names))
        }
        Scalar::F32 | Scalar::F64 if g.random.chance(30) => {
            format!(
                "std::{name}::consts::{}",
                g.random.pick(&["PI", "E", "TAU", "SQRT_2"])
            )
        }
        Scalar::F32 | Scalar::F64 => {
            let names = [
                "MAX",
                "MIN",
                "EPSILON",
                "MIN_POSITIVE",
                "INFINITY",
                "NEG_INFINITY",
                "NAN",
            ];
            format!("{name}::{}", g.random.pick(&names))
        }
        Scalar::U32 if g.random.chance(30) => format!("{}::BITS", g.integer().name()),
        _ => format!("{name}::{}", g.random.pick(&["MAX", "MIN"])),
    };
    Some(Node::expr(row, scalar, form!(text)))
}
