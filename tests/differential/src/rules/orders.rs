//! Methods whose result is no number: orders and classes of numbers, and their bytes.

use super::methods::without_nan;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// An `Ordering` of an integer's, made by `cmp`.
fn order(g: &mut Generator) -> Vec<Piece> {
    let of = g.integer();
    form!("$.cmp(&$)", g.expr(of), g.expr(of))
}

/// `match` of an `Ordering`, which `before` stands for.
fn told(g: &mut Generator, ty: &Type, pattern: &str, order: Vec<Piece>, rest: Vec<Piece>) -> Vec<Piece> {
    let mut pieces = form!("(match ");
    pieces.extend(order);
    pieces.push(" { ".into());
    let ways = ["Less", "Equal", "Greater"];
    let some = g.random.below(3);
    for way in &ways[..some] {
        let pattern = pattern.replace('#', &format!("core::cmp::Ordering::{way}"));
        pieces.extend(form!(format!("{pattern} => $, "), g.expr(ty.clone())));
    }
    pieces.extend(rest);
    pieces.extend(form!("_ => $ })", g.expr(ty.clone())));
    pieces
}

/// `cmp`, `partial_cmp`, `total_cmp`, and methods of `Ordering`.
pub fn compared(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let pieces = match row {
        Row::Cmp => {
            let order = order(g);
            told(g, ty, "#", order, vec![])
        }
        Row::PartialCmp => {
            let of = g.scalar_that(|s| s.is_float() || s.is_integer());
            let order = form!("$.partial_cmp(&$)", g.expr(of), g.expr(of));
            let none = form!("None => $, ", g.expr(ty.clone()));
            told(g, ty, "Some(#)", order, none)
        }
        Row::TotalCmp => {
            let of = g.scalar_that(Scalar::is_float);
            let [a, b] = [0; 2].map(|_| {
                let value = g.expr(of);
                without_nan(g, value, of)
            });
            told(g, ty, "#", form!("($).total_cmp(&$)", a, b), vec![])
        }
        Row::OrderingThen => {
            let (mut one, other) = (order(g), order(g));
            one.push(g.random.pick(&[".then(", ".reverse().then("]).to_string().into());
            one.extend(other);
            one.push(")".into());
            told(g, ty, "#", one, vec![])
        }
        _ => {
            (*ty == Scalar::Bool.into()).then_some(())?;
            let mut order = order(g);
            let methods = ["is_lt", "is_le", "is_gt", "is_ge", "is_eq", "is_ne"];
            order.push(format!(".{}()", g.random.pick(&methods)).into());
            order
        }
    };
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `match x.classify() { … }`
pub fn classified(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let of = g.scalar_that(Scalar::is_float);
    let mut pieces = form!("(match $.classify() { ", g.expr(of));
    for class in ["Nan", "Infinite", "Zero", "Subnormal"] {
        if g.random.chance(60) {
            let text = format!("core::num::FpCategory::{class} => $, ");
            pieces.extend(form!(text, g.leaf(ty)));
        }
    }
    pieces.extend(form!("_ => $ })", g.expr(ty.clone())));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// The ends that bytes may begin at.
const ENDS: [&str; 3] = ["le", "be", "ne"];

/// `x.to_le_bytes()[n]`
pub fn to_bytes(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    (*ty == Scalar::U8.into()).then_some(())?;
    let of = g.scalar_that(|s| s != Scalar::Bool);
    let value = g.expr(of);
    let value = if of.is_float() {
        without_nan(g, value, of)
    } else {
        value
    };
    let index = g.index((of.bits() / 8) as usize);
    let text = format!("($).to_{}_bytes()[$]", g.random.pick(&ENDS));
    Some(Node::expr(row, Scalar::U8, form!(text, value, index)))
}

/// `u32::from_le_bytes([…])`
pub fn from_bytes(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|s| s.is_float() || s.is_integer())?;
    let mut pieces = form!(format!(
        "{}::from_{}_bytes([",
        scalar.name(),
        g.random.pick(&ENDS)
    ));
    for _ in 0..scalar.bits() / 8 {
        pieces.extend(form!("$, ", g.leaf(&Scalar::U8.into())));
    }
    pieces.push("])".into());
    Some(Node::expr(row, scalar, pieces))
}
