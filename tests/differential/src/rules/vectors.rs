//! Small vectors.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, LENGTH};
use crate::rows::Row;
use crate::shape::{COMPONENTS, Shape, VECTORS, Vector};
use crate::types::Type;

/// A vector: a new one, or an element of an input.
fn value(g: &mut Generator, vector: Vector) -> Vec<Piece> {
    let shape = Shape::Vector(vector);
    let same = |(_, of): &&(Vec<Piece>, Shape)| *of == shape;
    let inputs: Vec<Vec<Piece>> = g
        .inputs
        .iter()
        .filter(same)
        .map(|(base, _)| base.clone())
        .collect();
    if !inputs.is_empty() && g.random.chance(60) {
        let mut pieces = g.random.pick(&inputs).clone();
        pieces.extend(form!("[$]", g.index(LENGTH)));
        return pieces;
    }
    shape.value(g)
}

/// `{ let mut v = …; let w = …; v += w; (v * w).sum() }`
pub fn vector(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let of: Vec<Vector> = VECTORS.into_iter().filter(|vector| vector.of == scalar).collect();
    if of.is_empty() {
        return None;
    }
    let vector = *g.random.pick(&of);
    let [v, w, s] = ["v", "w", "s"].map(|prefix| g.name(prefix));
    let mut pieces = form!("({ let mut $ = ", Piece::Bind(v));
    pieces.extend(value(g, vector));
    pieces.extend(form!("; let $ = ", Piece::Bind(w)));
    pieces.extend(value(g, vector));
    pieces.extend(form!("; let $ = $; ", Piece::Bind(s), g.expr(scalar)));
    // Integers would be divided by zero.
    let operators: &[&str] = if scalar.is_float() {
        &["+", "-", "*", "/"]
    } else {
        &["+", "-", "*"]
    };
    let assigned = *g.random.pick(operators);
    let other = *g.random.pick(&[w, s]);
    pieces.extend(form!(format!("$ {assigned}= $; "), v, other));
    let operator = *g.random.pick(operators);
    let negative = scalar.is_signed() || scalar.is_float();
    let combined = match g.random.below(6) {
        0 => form!(format!("($ {operator} $)"), v, s),
        1 => form!(format!("($ {operator} $)"), s, v),
        2 if negative => form!("(-$)", v),
        3 => form!("$.min($)", v, w),
        4 => form!("$.max($)", v, w),
        _ => form!(format!("($ {operator} $)"), v, w),
    };
    let component = COMPONENTS[g.random.below(vector.len)];
    let end = match g.random.below(5) {
        0 => form!(".sum()"),
        1 => form!(".dot($)", w),
        2 => form!(".to_array()[$]", g.index(vector.len)),
        3 => {
            let (one, other) = (g.leaf(ty), g.leaf(ty));
            pieces.extend(form!("if $ == $ { $ } else { $ } })", v, w, one, other));
            return Some(Node::expr(row, scalar, pieces));
        }
        _ => form!(format!(".{component}")),
    };
    pieces.extend(combined);
    pieces.extend(end);
    // Which zero `min` and `max` give is left open.
    pieces.push(if scalar.is_float() { " + 0.0 })" } else { " })" }.into());
    Some(Node::expr(row, scalar, pieces))
}
