//! `as`.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// Between numbers.
pub fn number(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let to = ty.scalar().filter(|s| s.is_integer() || s.is_float())?;
    let from = g.scalar_that(|s| s != Scalar::Bool);
    Some(Node::expr(row, to, form!("($ as $)", g.expr(from), to)))
}

/// Through a narrower type, which cuts or saturates.
pub fn chain(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let to = ty.scalar().filter(|s| s.is_integer() || s.is_float())?;
    let from = g.scalar_that(|s| s != Scalar::Bool);
    let through = g.scalar_that(|s| s != Scalar::Bool && s.bits() <= 32);
    Some(Node::expr(
        row,
        to,
        form!("($ as $ as $)", g.expr(from), through, to),
    ))
}

/// Of a `bool`.
pub fn of_bool(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let to = ty.scalar().filter(|s| s.is_integer())?;
    Some(Node::expr(row, to, form!("($ as $)", g.expr(Scalar::Bool), to)))
}

/// To a type that rustc infers.
pub fn inferred(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let to = ty.scalar().filter(|s| s.is_integer())?;
    let from = g.scalar_that(|s| s != Scalar::Bool);
    let value = g.expr(from);
    let name = g.name("v");
    Some(Node::expr(
        row,
        to,
        form!("{ let $: $ = $ as _; $ }", Piece::Bind(name), to, value, name),
    ))
}
