//! Inexact functions: leaves only, because their results go straight to outputs, which are compared in units in the last
//! place with what plain Rust computes in `f64`.

use crate::ast::{Name, Node, Param, Piece, Role};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::shape::Shape;
use gridfn_ir::methods::Kind;
use gridfn_ir::{DEVICE_MATH, Method, Scalar};

/// How far an inexact function may be off, in units in the last place; OpenCL's table says so. `None` for exact ones.
pub fn ulps(method: Method) -> Option<u32> {
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

/// The bounds of the arguments of a function of `DeviceMath`, and how far it may be off; that the other side is itself
/// rounded in `f64` is in it.
fn device_math(name: &str) -> (&'static str, u32) {
    match name {
        "erf" => ("-5.0, 5.0", 2),
        "erfc" => ("-4.0, 5.0", 6),
        "tgamma" => ("0.5, 30.0", 8),
        "lgamma" => ("3.0, 1e3", 6),
        "rsqrt" => ("0.001, 1e6", 2),
        "exp10" => ("-30.0, 30.0", 4),
        "ldexp" | "frexp" => ("-1e6, 1e6", 0),
        _ => ("-30.0, 1e3", 4),
    }
}

/// Text that is another on the other side.
fn sides(kernel: &str, oracle: &str) -> Piece {
    Piece::Sides {
        kernel: kernel.into(),
        oracle: oracle.into(),
    }
}

/// An output of its own for a result that may be that far off.
fn output(g: &mut Generator, ulps: u32) -> Option<(Scalar, Name)> {
    if g.item.is_none() || !g.jumps.is_empty() || !g.returns {
        return None;
    }
    let ty = *g.random.pick(&[Scalar::F32, Scalar::F64]);
    let output: Param = g.param(
        Row::Inexact,
        "y",
        false,
        Role::Output(Shape::Scalar(ty), Some(ulps)),
    );
    let name = output.name;
    g.params.push(output);
    Some((ty, name))
}

/// Where functions of plain Rust lose digits, or results leave the normal numbers, is no matter of kernels.
fn argument(g: &mut Generator, ty: Scalar, bounds: &str) -> Node {
    let text = format!("($.clamp({bounds}) + 0.0)");
    Node::plain(ty, form!(text, g.leaf(&ty.into())))
}

/// Any of them, now and then.
pub fn any(g: &mut Generator, _: Row) -> Option<Node> {
    if !g.random.chance(25) {
        return None;
    }
    if g.random.chance(25) {
        let name = *g.random.pick(DEVICE_MATH);
        return of_device_math(g, name);
    }
    let all: Vec<Method> = Method::ALL
        .iter()
        .copied()
        .filter(|m| ulps(*m).is_some())
        .collect();
    let method = *g.random.pick(&all);
    of_method(g, method)
}

/// A call of that inexact method.
pub fn of_method(g: &mut Generator, method: Method) -> Option<Node> {
    let (ty, name) = output(g, ulps(method)?)?;
    let item = g.own_index();
    let bounds = match method {
        Method::FloatAcosh => "2.0, 1e6",
        Method::FloatAtanh | Method::FloatAsin | Method::FloatAcos => "0.125, 0.875",
        Method::FloatPowf | Method::FloatPowi | Method::FloatLog | Method::FloatAsinh => "1.25, 30.0",
        _ => "-30.0, 1e3",
    };
    let x = argument(g, ty, bounds);
    let rest: Vec<Node> = match method.arguments() {
        [Kind::I32] => vec![Node::plain(
            Scalar::I32,
            form!("($ & 7)", g.leaf(&Scalar::I32.into())),
        )],
        more => more.iter().map(|_| argument(g, ty, bounds)).collect(),
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

/// `y[i] = x.sin_cos().0;`
pub fn sin_cos(g: &mut Generator, row: Row) -> Option<Node> {
    let (ty, name) = output(g, 4)?;
    let (item, x) = (g.own_index(), argument(g, ty, "-30.0, 1e3"));
    let [sin, cos] = ["s", "c"].map(|prefix| g.name(prefix));
    let chosen = *g.random.pick(&[sin, cos]);
    let mut pieces = form!("let ($, $) = ($", Piece::Bind(sin), Piece::Bind(cos), x);
    pieces.push(sides("", " as f64"));
    pieces.extend(form!(").sin_cos(); $[$] = $", name, item, chosen));
    pieces.push(sides(";", &format!(" as {};", ty.name())));
    Some(Node::stmt(row, pieces))
}

/// A call of that function of `DeviceMath`; plain Rust has others that compute the same.
pub fn of_device_math(g: &mut Generator, function: &'static str) -> Option<Node> {
    let (bounds, ulps) = device_math(function);
    let (ty, name) = output(g, ulps)?;
    let (item, x) = (g.own_index(), argument(g, ty, bounds));
    let second = (function == "ldexp").then(|| {
        let n = g.leaf(&Scalar::I32.into());
        Node::plain(Scalar::I32, form!("($ % 60)", n))
    });
    let mut pieces = form!("$[$] = ", name, item);
    pieces.push(sides("", &format!("crate::math::{function}(")));
    pieces.extend(form!("($)", x));
    pieces.push(sides(&format!(".{function}("), " as f64"));
    if let Some(n) = second {
        pieces.push(sides("", ", "));
        pieces.push(n.into());
    }
    let part = if function == "frexp" { ".0" } else { "" };
    pieces.push(sides(&format!("){part};"), &format!("){part} as {};", ty.name())));
    Some(Node::stmt(Row::DeviceMath(function), pieces))
}
