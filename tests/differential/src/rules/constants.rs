//! Constants of the user's.

use super::literals;
use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::{Generator, Variable};
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

/// A static of the module.
pub fn statics(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (name, value) = (g.name("C"), literals::any(g, ty));
    let item = form!("static $: $ = $;", Piece::Bind(name), scalar, value);
    g.items.push(Node::stmt(row, item));
    Some(Node::expr(row, scalar, form!("$", name)))
}

/// A constant or static in the body, which may name a constant before it.
pub fn body(g: &mut Generator, row: Row) -> Option<Node> {
    let ty: Type = g.scalar().into();
    let value = match module(g, Row::ModuleConst, &ty) {
        Some(constant) if g.random.chance(50) => constant,
        _ => literals::any(g, &ty),
    };
    let name = g.name("K");
    let text = if row == Row::BodyConst {
        g.constants.push((name, ty.clone()));
        "const $: $ = $;"
    } else {
        // A constant may not name it.
        g.variables.push(Variable {
            name,
            ty: ty.clone(),
            mutable: false,
        });
        "static $: $ = $;"
    };
    Some(Node::stmt(row, form!(text, Piece::Bind(name), &ty, value)))
}

/// `use std::primitive::u32 as W; let v: W = …;`
pub fn use_(g: &mut Generator, row: Row) -> Option<Node> {
    let (scalar, alias) = (g.scalar_that(|_| true), g.name("W"));
    let value = g.expr(scalar);
    let name = g.variable_of(scalar, false);
    let text = format!("use std::primitive::{} as $; let $: $ = $;", scalar.name());
    Some(Node::stmt(
        row,
        form!(text, Piece::Bind(alias), Piece::Bind(name), alias, value),
    ))
}
