//! Methods of the built-in types: the compiler's own table of them, whatever it has.

use super::operators;
use crate::ast::{Node, Param, Piece, Role};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::{Bound, Type};
use gridfn_ir::methods::Kind;
use gridfn_ir::{Class, Method, Scalar};

/// How far an inexact function may be off, in units in the last place; OpenCL's table says so. `None` for exact ones.
fn ulps(method: Method) -> Option<u32> {
    Some(match method {
        Method::FloatExp | Method::FloatExp2 | Method::FloatExpM1 => 3,
        Method::FloatLn | Method::FloatLog2 | Method::FloatLog10 => 3,
        Method::FloatLn1p | Method::FloatCbrt => 2,
        Method::FloatSin | Method::FloatCos | Method::FloatAsin | Method::FloatAcos => 4,
        Method::FloatSinh | Method::FloatCosh | Method::FloatAsinh | Method::FloatAcosh => 4,
        Method::FloatTan | Method::FloatAtan | Method::FloatTanh | Method::FloatAtanh => 5,
        Method::FloatAtan2 => 6,
        Method::FloatHypot => 4,
        Method::FloatLog => 14,
        Method::FloatPowf | Method::FloatPowi => 16,
        _ => return None,
    })
}

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
    )
}

/// A float that is not NaN.
pub fn without_nan(g: &mut Generator, value: Node, ty: Scalar) -> Node {
    let name = g.name("n");
    let template = "{ let $ = $; if $.is_nan() { 2.0 } else { $ } }";
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
    let receivers = |method: Method| {
        Scalar::PRIMITIVES
            .into_iter()
            .filter(move |s| method.class().has(*s))
    };
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
        Type::Aggregate(_) => None,
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
    let receiver = g.scalar_that(|s| method.class().has(s));
    let ty = of_kind(method.result(), receiver);
    Some((call(g, method, receiver, ty), ty))
}

fn call(g: &mut Generator, method: Method, receiver: Scalar, ty: Scalar) -> Node {
    // `from_be` and its like have no receiver.
    if method.name().starts_with("from_") {
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
    let mut all = vec![g.expr(receiver)];
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
    if ty.is_float() {
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

/// An inexact function, whose result goes straight to an output of its own.
pub fn inexact(g: &mut Generator, _: Row) -> Option<Node> {
    if !g.random.chance(25) {
        return None;
    }
    let all: Vec<Method> = Method::ALL
        .iter()
        .copied()
        .filter(|m| ulps(*m).is_some())
        .collect();
    let method = *g.random.pick(&all);
    inexact_of(g, method)
}

/// A call of that inexact function.
pub fn inexact_of(g: &mut Generator, method: Method) -> Option<Node> {
    if g.item.is_none() || !g.jumps.is_empty() || ulps(method).is_none() {
        return None;
    }
    let ty = *g.random.pick(&[Scalar::F32, Scalar::F64]);
    let output: Param = g.param(Row::Inexact, "y", false, Role::Output(ty.into(), ulps(method)));
    let (name, item) = (output.name, g.own_index());
    g.params.push(output);
    // Where functions of plain Rust lose digits, or results leave the normal numbers, is no matter of kernels.
    let argument = |g: &mut Generator| {
        let bounds = match method {
            Method::FloatAcosh => "2.0, 1e6",
            Method::FloatAtanh | Method::FloatAsin | Method::FloatAcos => "0.125, 0.875",
            Method::FloatPowf | Method::FloatPowi | Method::FloatLog | Method::FloatAsinh => "1.25, 30.0",
            _ => "-30.0, 1e3",
        };
        Node::plain(
            ty,
            form!(format!("($.clamp({bounds}) + 0.0)"), g.leaf(&ty.into())),
        )
    };
    let x = argument(g);
    let rest: Vec<Node> = match method.arguments() {
        [Kind::I32] => vec![Node::plain(
            Scalar::I32,
            form!("($ & 7)", g.leaf(&Scalar::I32.into())),
        )],
        more => more.iter().map(|_| argument(g)).collect(),
    };
    let sides = |kernel: &str, oracle: &str| Piece::Sides {
        kernel: kernel.into(),
        oracle: oracle.into(),
    };
    // Plain Rust computes in `f64`, as the conformance suite does.
    let mut pieces = form!("$[$] = ($$)", name, item, x, sides("", " as f64"));
    pieces.push(format!(".{}(", method.name()).into());
    for (n, argument) in rest.into_iter().enumerate() {
        let float = argument.ty == Some(ty.into());
        pieces.extend((n > 0).then(|| Piece::from(", ")));
        pieces.push(argument.into());
        pieces.extend(float.then(|| sides("", " as f64")));
    }
    pieces.push(sides(");", &format!(") as {};", ty.name())));
    Some(Node::stmt(Row::Method(method), pieces))
}
