//! Constants of the user's.

use super::literals;
use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;

/// A constant of the module, perhaps a new one.
pub fn module(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar()?;
    let old: Vec<Name> = g
        .constants
        .iter()
        .filter(|(_, t)| t == ty)
        .map(|(name, _)| *name)
        .collect();
    if !old.is_empty() {
        let name = *g.random.pick(&old);
        return Some(Node::expr(row, ty.clone(), form!("$", name)));
    }
    let name = g.name("C");
    let value = literals::any(g, ty);
    g.items.push(Node::stmt(
        row,
        form!("const $: $ = $;", Piece::Bind(name), ty, value),
    ));
    g.constants.push((name, ty.clone()));
    Some(Node::expr(row, ty.clone(), form!("$", name)))
}

/// A constant that belongs to a type of the user's.
pub fn associated(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar()?;
    let name = g.name("S");
    let value = literals::any(g, ty);
    let item = form!(
        "struct $; impl $ { pub(crate) const VALUE: $ = $; }",
        Piece::Bind(name),
        name,
        ty,
        value
    );
    g.items.push(Node::stmt(row, item));
    Some(Node::expr(row, ty.clone(), form!("$::VALUE", name)))
}

/// A constant in the body, which may name one before it.
pub fn body(g: &mut Generator, row: Row) -> Option<Node> {
    let ty: Type = g.scalar().into();
    let value = match module(g, Row::ModuleConst, &ty) {
        Some(constant) if g.random.chance(50) => constant,
        _ => literals::any(g, &ty),
    };
    let name = g.name("K");
    g.constants.push((name, ty.clone()));
    Some(Node::stmt(
        row,
        form!("const $: $ = $;", Piece::Bind(name), &ty, value),
    ))
}
