//! Methods of the built-in types: the compiler's own table of them, whatever it has.

use super::inexact::ulps;
use super::operators;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::{Bound, Type, scalars};
use gridfn_ir::methods::Kind;
use gridfn_ir::{Class, Method, Scalar};

/// Whether any zero is as good as another in its result.
fn has_any_zero(method: Method) -> bool {
    matches!(method, Method::FloatMin | Method::FloatMax | Method::FloatClamp)
}

/// Whether its result depends on the sign or the bits of a NaN.
fn sees_nan(method: Method) -> bool {
    matches!(
        method,
        Method::FloatToBits
            | Method::FloatIsSignPositive
            | Method::FloatIsSignNegative
            | Method::FloatCopysign
            | Method::HalfToBits
            | Method::HalfIsSignPositive
            | Method::HalfIsSignNegative
            | Method::HalfCopysign
    )
}

/// A float that is not NaN.
pub fn without_nan(g: &mut Generator, value: Node, ty: Scalar) -> Node {
    let name = g.name("n");
    let one = Type::Scalar(ty).least();
    let template = format!("{{ let $ = $; if $.is_nan() {{ {one} + {one} }} else {{ $ }} }}");
    let pieces = form!(template, Piece::Bind(name), value, name, name);
    Node::plain(ty, pieces)
}

fn of_kind(kind: Kind, receiver: Scalar) -> Scalar {
    match kind {
        Kind::Same => receiver,
        Kind::U32 => Scalar::U32,
        Kind::I32 => Scalar::I32,
        Kind::F32 => Scalar::F32,
        Kind::F64 => Scalar::F64,
        Kind::Bool => Scalar::Bool,
        Kind::Usize => Scalar::Usize,
        Kind::Unsigned | Kind::Bits => receiver.unsigned(),
        Kind::Signed => receiver.signed(),
    }
}

/// Whether most arguments are a fault of it: what overflows, and what has no logarithm or root.
fn mostly_faults(method: Method) -> bool {
    let name = method.name();
    name.starts_with("strict_") || name.starts_with("ilog") || name == "isqrt"
}

/// Whether it divides by its argument.
fn divides(method: Method) -> bool {
    let name = method.name();
    name.contains("div") || name.contains("rem") || name == "next_multiple_of"
}

/// Every exact method that gives a `ty`, with its receiver.
fn that_give(ty: Scalar) -> Vec<(Method, Scalar)> {
    let receivers = |method: Method| scalars().filter(move |s| method.class().has(*s));
    Method::ALL
        .iter()
        .filter(|method| ulps(**method).is_none() && method.class() != Class::Slice)
        .flat_map(|method| receivers(*method).map(|receiver| (*method, receiver)))
        .filter(|(method, receiver)| of_kind(method.result(), *receiver) == ty)
        .collect()
}

/// A call of some method.
pub fn method(g: &mut Generator, ty: &Type) -> Option<Node> {
    match ty {
        Type::T(bound) => of_parameter(g, *bound),
        Type::Scalar(ty) => {
            let (method, receiver) = *g.random.pick(&that_give(*ty));
            Some(call(g, method, receiver, *ty))
        }
    }
}

/// A call of that method, of some receiver; inexact ones have a rule of their own.
pub fn one(g: &mut Generator, method: Method) -> Option<(Node, Scalar)> {
    if ulps(method).is_some() {
        return None;
    }
    let fits: Vec<Scalar> = scalars().filter(|s| method.class().has(*s)).collect();
    let receiver = *g.random.pick(&fits);
    let ty = of_kind(method.result(), receiver);
    Some((call(g, method, receiver, ty), ty))
}

fn call(g: &mut Generator, method: Method, receiver: Scalar, ty: Scalar) -> Node {
    // `from_be` and its like have no receiver.
    if method.name().starts_with("from_") || method.lacks_receiver() {
        return path(g, method, receiver, ty, Row::Method(method));
    }
    let mut arguments = arguments(g, method, receiver).into_iter();
    let mut pieces: Vec<Piece> = arguments.next().into_iter().map(Piece::from).collect();
    pieces.push(format!(".{}(", method.name()).into());
    pieces.extend(separated(arguments));
    finish(method, ty, Row::Method(method), pieces)
}

/// `u32::max(a, b)`
pub fn by_path(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let ty = ty.scalar()?;
    let (method, receiver) = *g.random.pick(&that_give(ty));
    // These take their receiver by reference.
    if method.class() == Class::Byte {
        return None;
    }
    Some(path(g, method, receiver, ty, row))
}

fn path(g: &mut Generator, method: Method, receiver: Scalar, ty: Scalar, row: Row) -> Node {
    let arguments = arguments(g, method, receiver).into_iter();
    let mut pieces = form!(format!("{}::{}(", receiver.name(), method.name()));
    pieces.extend(separated(arguments));
    finish(method, ty, row, pieces)
}

fn separated(arguments: impl Iterator<Item = Node>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (n, argument) in arguments.enumerate() {
        pieces.extend((n > 0).then(|| Piece::from(", ")));
        pieces.push(argument.into());
    }
    pieces.push(")".into());
    pieces
}

/// The call as an expression; of `-0.0` and `0.0` it is `0.0`, where Rust leaves open which of them it is.
fn finish(method: Method, ty: Scalar, row: Row, mut pieces: Vec<Piece>) -> Node {
    if has_any_zero(method) {
        pieces.insert(0, "(".into());
        pieces.push(" + 0.0)".into());
    }
    Node::expr(row, ty, pieces)
}

/// Receiver and arguments.
fn arguments(g: &mut Generator, method: Method, receiver: Scalar) -> Vec<Node> {
    let ty = Type::Scalar(receiver);
    if mostly_faults(method) && !(g.faults && g.random.chance(50)) {
        return small(g, method, receiver);
    }
    let mut all = Vec::new();
    if !method.lacks_receiver() {
        all.push(g.expr(receiver));
    }
    if method.name() == "clamp" {
        let (low, high) = bounds(receiver);
        if g.faults && g.random.chance(30) {
            all.extend([g.expr(receiver), g.expr(receiver)]);
        } else {
            all.extend([low, high].map(|bound| Node::plain(receiver, form!(bound))));
        }
        return all;
    }
    let divides = divides(method);
    for kind in method.arguments() {
        let argument = of_kind(*kind, receiver);
        all.push(if divides {
            operators::divisor(g, &ty)
        } else {
            g.expr(argument)
        });
    }
    if sees_nan(method) {
        all = all
            .into_iter()
            .map(|value| without_nan(g, value, receiver))
            .collect();
    }
    all
}

/// Receiver and arguments so small that nothing faults.
fn small(g: &mut Generator, method: Method, receiver: Scalar) -> Vec<Node> {
    let within = |g: &mut Generator, ty: Scalar, text: &str| Node::plain(ty, form!(text, g.expr(ty)));
    let of_receiver = match method.name() {
        "strict_neg" => "($ & 0)",
        "strict_pow" => "($ & 1)",
        _ => "(($ & 7) | 8)",
    };
    let mut all = vec![within(g, receiver, of_receiver)];
    for kind in method.arguments() {
        all.push(within(g, of_kind(*kind, receiver), "(($ & 1) + 2)"));
    }
    all
}

fn bounds(ty: Scalar) -> (String, String) {
    let name = ty.name();
    if ty.is_half() {
        (format!("(-{name}::PI)"), format!("{name}::E"))
    } else if ty.is_float() {
        (format!("(-1.5{name})"), format!("1e3{name}"))
    } else if ty.is_signed() {
        (format!("(-7{name})"), format!("100{name}"))
    } else {
        (format!("3{name}"), format!("100{name}"))
    }
}

/// `f32::from_bits`
pub fn from_bits(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let ty = ty.scalar().filter(|s| s.is_float())?;
    let bits = g.expr(ty.unsigned());
    Some(Node::expr(
        row,
        ty,
        form!(format!("{}::from_bits($)", ty.name()), bits),
    ))
}

/// What a type parameter has.
fn of_parameter(g: &mut Generator, bound: Bound) -> Option<Node> {
    let ty = Type::T(bound);
    let (row, pieces) = match (bound, g.random.below(4)) {
        (Bound::Scalar | Bound::Int, _) => return None,
        (Bound::Float, 0) => (Method::FloatAbs, form!("$.abs()", g.expr(ty.clone()))),
        (Bound::Float, 1) => (Method::FloatSqrt, form!("$.sqrt()", g.expr(ty.clone()))),
        (Bound::Float, 2) => (Method::FloatFloor, form!("$.floor()", g.expr(ty.clone()))),
        (Bound::Float, _) => {
            let [x, a, b] = [0; 3].map(|_| g.expr(ty.clone()));
            (Method::FloatMulAdd, form!("$.mul_add($, $)", x, a, b))
        }
    };
    Some(Node::expr(Row::Method(row), ty, pieces))
}
