//! Operators.

use crate::ast::Node;
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::{Bound, Type};
use gridfn_ir::Scalar;

/// The sign of the operator of a row.
pub fn sign(row: Row) -> &'static str {
    match row {
        Row::Add | Row::AddAssign => "+",
        Row::Sub | Row::SubAssign => "-",
        Row::Mul | Row::MulAssign => "*",
        Row::Div | Row::DivAssign => "/",
        Row::Rem | Row::RemAssign => "%",
        Row::And | Row::AndAssign => "&",
        Row::Or | Row::OrAssign => "|",
        Row::Xor | Row::XorAssign => "^",
        Row::Shl | Row::ShlAssign => "<<",
        Row::Shr | Row::ShrAssign => ">>",
        Row::Eq => "==",
        Row::Ne => "!=",
        Row::Lt => "<",
        Row::Le => "<=",
        Row::Gt => ">",
        Row::Ge => ">=",
        Row::LazyAnd => "&&",
        Row::LazyOr => "||",
        other => unreachable!("{other:?} is no operator"),
    }
}

fn binary(row: Row, ty: impl Into<Type>, a: Node, b: Node) -> Option<Node> {
    Some(Node::expr(row, ty, form!(format!("($ {} $)", sign(row)), a, b)))
}

/// `+ - *`
pub fn arithmetic(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !ty.is_number() {
        return None;
    }
    let (a, b) = (g.expr(ty.clone()), g.expr(ty.clone()));
    binary(row, ty.clone(), a, b)
}

/// A right side of `/` or `%`: mostly one that is not zero.
pub fn divisor(g: &mut Generator, ty: &Type) -> Node {
    let value = g.expr(ty.clone());
    let one = ty.least();
    if !ty.is_integer() || g.faults && g.random.chance(30) {
        return value;
    }
    let signed = ty.is(Scalar::is_signed) || matches!(ty, Type::T(_));
    // -1 would fault with the smallest value.
    let text = if signed {
        format!("(($ & {}) | {one})", most(ty))
    } else {
        format!("($ | {one})")
    };
    Node::plain(ty.clone(), form!(text, value))
}

fn most(ty: &Type) -> String {
    format!("{}::MAX", ty.name())
}

/// `/ %`
pub fn division(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    // Of `T: Scalar` it is not known what makes a divisor that is not zero.
    if !ty.is_number() || matches!(ty, Type::T(_)) {
        return None;
    }
    let (a, b) = (g.expr(ty.clone()), divisor(g, ty));
    binary(row, ty.clone(), a, b)
}

/// `& | ^`
pub fn bits(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !ty.is_integer() && *ty != Scalar::Bool.into() {
        return None;
    }
    let (a, b) = (g.expr(ty.clone()), g.expr(ty.clone()));
    binary(row, ty.clone(), a, b)
}

/// `<< >>`
pub fn shift(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !ty.is_integer() {
        return None;
    }
    let amount = amount(g, ty);
    let (a, b) = (g.expr(ty.clone()), g.expr(amount));
    binary(row, ty.clone(), a, b)
}

/// The type of the right side of a shift.
pub fn amount(g: &mut Generator, ty: &Type) -> Scalar {
    match ty {
        Type::T(_) => Scalar::U32,
        Type::Scalar(_) => g.integer(),
    }
}

/// Unary `-`
pub fn neg(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let has = match ty {
        Type::Scalar(scalar) => scalar.is_signed() || scalar.is_float() || scalar.is_half(),
        Type::T(bound) => *bound == Bound::Float,
    };
    has.then(|| Node::expr(row, ty.clone(), form!("(-$)", g.expr(ty.clone()))))
}

/// `!`
pub fn not(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let has = ty.is_integer() || *ty == Scalar::Bool.into();
    has.then(|| Node::expr(row, ty.clone(), form!("(!$)", g.expr(ty.clone()))))
}

/// `== != < <= > >=`
pub fn comparison(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if *ty != Scalar::Bool.into() {
        return None;
    }
    let of = g.ty();
    let (a, b) = (g.expr(of.clone()), g.expr(of));
    binary(row, Scalar::Bool, a, b)
}

/// `&& ||`
pub fn lazy(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if *ty != Scalar::Bool.into() {
        return None;
    }
    let (a, b) = (g.expr(Scalar::Bool), g.expr(Scalar::Bool));
    binary(row, Scalar::Bool, a, b)
}
