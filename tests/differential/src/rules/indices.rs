//! Index functions and slices.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Indexing};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

fn function(g: &Generator, row: Row, ty: &Type, kernel: &str, oracle: &str) -> Option<Node> {
    // In functions of plain Rust there is no item.
    if g.item.is_none() || *ty != Scalar::Usize.into() {
        return None;
    }
    let (kernel, oracle) = (kernel.into(), oracle.into());
    Some(Node::expr(
        row,
        Scalar::Usize,
        vec![Piece::Sides { kernel, oracle }],
    ))
}

/// The item's index.
pub fn id(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let kernel = if row == Row::GlobalId {
        "global_id(0)"
    } else {
        "global_linear_id()"
    };
    function(g, row, ty, kernel, "item")
}

/// The number of items.
pub fn size(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    function(g, row, ty, "global_size(0)", "items")
}

/// A slice or array, without an index.
fn base(g: &mut Generator) -> Option<Vec<Piece>> {
    let of: Vec<_> = g.sources.iter().filter(|s| s.index != Indexing::None).collect();
    if of.is_empty() {
        return None;
    }
    Some(g.random.pick(&of).base.clone())
}

/// `x.len()`
pub fn len(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if *ty != Scalar::Usize.into() {
        return None;
    }
    let mut pieces = base(g)?;
    pieces.push(".len()".into());
    Some(Node::expr(row, Scalar::Usize, pieces))
}

/// `x.is_empty()`
pub fn is_empty(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if *ty != Scalar::Bool.into() {
        return None;
    }
    let mut pieces = base(g)?;
    pieces.push(".is_empty()".into());
    Some(Node::expr(row, Scalar::Bool, pieces))
}

/// `x[e]` of any `e`.
pub fn unchecked(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let below = |index| matches!(index, Indexing::Below(_));
    let of: Vec<_> = g
        .sources
        .iter()
        .filter(|s| s.ty == *ty && below(s.index) && s.field.is_empty())
        .cloned()
        .collect();
    if of.is_empty() || !g.faults {
        return None;
    }
    let mut pieces = g.random.pick(&of).base.clone();
    let integer = g.integer();
    pieces.extend(form!("[$ as usize]", g.expr(integer)));
    Some(Node::expr(row, ty.clone(), pieces))
}
