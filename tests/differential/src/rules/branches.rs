//! `if`, blocks and `return`.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Jump};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// Statements and a value, without the braces.
pub fn statements_and_value(g: &mut Generator, ty: &Type) -> Vec<Piece> {
    g.scope(|g| {
        let body = if g.random.chance(40) {
            g.statements(2)
        } else {
            vec![]
        };
        form!("$$", body, g.expr(ty.clone()))
    })
}

/// `if c { a } else { b }`
pub fn value(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !g.may_nest() {
        let [a, b] = [0; 2].map(|_| g.expr(ty.clone()));
        return Some(Node::expr(
            row,
            ty.clone(),
            form!("(if $ { $ } else { $ })", g.expr(Scalar::Bool), a, b),
        ));
    }
    let mut pieces = form!("(if $ { ", g.expr(Scalar::Bool));
    pieces.extend(statements_and_value(g, ty));
    pieces.push(" } else { ".into());
    pieces.extend(statements_and_value(g, ty));
    pieces.push(" })".into());
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `if c { a } else if d { b } else { e }`
pub fn else_if(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (c, d) = (g.expr(Scalar::Bool), g.expr(Scalar::Bool));
    let [x, y, z] = [0; 3].map(|_| g.expr(ty.clone()));
    Some(Node::expr(
        row,
        ty.clone(),
        form!("(if $ { $ } else if $ { $ } else { $ })", c, x, d, y, z),
    ))
}

/// `if` as a statement, in one of its forms.
pub fn statement(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_nest() {
        return None;
    }
    let c = g.expr(Scalar::Bool);
    let pieces = match g.random.below(4) {
        0 | 1 => form!("if $ { $ }", c, g.body(3)),
        2 => form!("if $ { $ } else { $ }", c, g.body(2), g.body(2)),
        _ => {
            let (a, d, b) = (g.body(2), g.expr(Scalar::Bool), g.body(2));
            form!("if $ { $ } else if $ { $ }", c, a, d, b)
        }
    };
    Some(Node::stmt(row, pieces))
}

/// `{ …; value }`
pub fn block(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !g.may_nest() {
        return None;
    }
    let mut pieces = form!("({ ");
    pieces.extend(statements_and_value(g, ty));
    pieces.push(" })".into());
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `{ … }`
pub fn block_statement(g: &mut Generator, row: Row) -> Option<Node> {
    g.may_nest().then(|| Node::stmt(row, form!("{ $ }", g.body(3))))
}

/// `'label: { …; value }`, which at least one `break` leaves.
pub fn labelled_block(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !g.may_nest() {
        return None;
    }
    let label = g.name("'b");
    let jump = Jump {
        label,
        is_loop: false,
        value: Some(ty.clone()),
    };
    let pieces = g.within(jump, |g| {
        let before = g.statements(2);
        let (c, early) = (g.expr(Scalar::Bool), g.expr(ty.clone()));
        let mut pieces = form!(
            "($: { $if $ { break $ $; }",
            Piece::Bind(label),
            before,
            c,
            label,
            early
        );
        pieces.extend(form!(" $ $ })", g.statements(2), g.expr(ty.clone())));
        pieces
    });
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `'label: { … }`
pub fn labelled_statement(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_nest() {
        return None;
    }
    let label = g.name("'b");
    let jump = Jump {
        label,
        is_loop: false,
        value: None,
    };
    let body = g.within(jump, |g| g.statements(4));
    Some(Node::stmt(row, form!("$: { $ }", Piece::Bind(label), body)))
}

/// `if c { return; }`
pub fn return_(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.returns {
        return None;
    }
    let c = g.expr(Scalar::Bool);
    match g.result.clone() {
        Some(ty) => Some(Node::stmt(row, form!("if $ { return $; }", c, g.expr(ty)))),
        // What stands behind it in a kernel is seldom run, so it is rare there.
        None if g.random.chance(20) => Some(Node::stmt(row, form!("if $ { return; }", c))),
        None => None,
    }
}
