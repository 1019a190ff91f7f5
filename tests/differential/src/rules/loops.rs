//! `while`, `loop`, and jumps. Each loop counts its rounds in a variable that nothing else sees, so that it ends.

use super::branches::statements_and_value;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Jump};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

fn a_loop(g: &mut Generator, value: Option<Type>) -> Jump {
    Jump {
        label: g.name("'l"),
        is_loop: true,
        value,
    }
}

/// Runs `f` in a scope where nothing may be jumped out of.
fn without_jumps<T>(g: &mut Generator, f: impl FnOnce(&mut Generator) -> T) -> T {
    let around = std::mem::take(&mut g.jumps);
    let made = g.scope(f);
    g.jumps = around;
    made
}

/// `while c { … }`
pub fn while_(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_loop() {
        return None;
    }
    let (rounds, count) = (1 + g.random.below(7), g.name("n"));
    let jump = a_loop(g, None);
    let label = Piece::Bind(jump.label);
    // Rust allows no jumps without labels in the condition.
    let c = without_jumps(g, |g| g.expr(Scalar::Bool));
    let body = g.within(jump, |g| g.statements(3));
    let bind = Piece::Bind(count);
    Some(Node::stmt(
        row,
        if row == Row::While {
            let template = format!("let mut $ = 0u8; $: while $ < {rounds} && $ {{ $ += 1; $ }}");
            form!(template, bind, label, count, c, count, body)
        } else {
            let template = format!("let mut $ = 0; $: while {{ $ += 1; $ < {rounds} && $ }} {{ $ }}");
            form!(template, bind, label, count, count, c, body)
        },
    ))
}

/// `loop { … }`
pub fn loop_(g: &mut Generator, row: Row) -> Option<Node> {
    g.may_loop().then(|| loop_of(g, row, |g| g.statements(4)))
}

/// A `loop` of these statements.
pub fn loop_of(g: &mut Generator, row: Row, body: impl FnOnce(&mut Generator) -> Vec<Node>) -> Node {
    let (rounds, count) = (1 + g.random.below(7), g.name("n"));
    let jump = a_loop(g, None);
    let label = jump.label;
    let body = g.within(jump, body);
    let template = format!("let mut $ = 0; $: loop {{ if $ == {rounds} {{ break; }} $ += 1; $ }}");
    Node::stmt(
        row,
        form!(
            template,
            Piece::Bind(count),
            Piece::Bind(label),
            count,
            count,
            body
        ),
    )
}

/// `loop { … break value; … }`
pub fn value(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !g.may_loop() {
        return None;
    }
    let (rounds, count) = (1 + g.random.below(7), g.name("n"));
    // Where the last round ends, a `continue` would begin it again for ever.
    let out = without_jumps(g, |g| g.expr(ty.clone()));
    let jump = a_loop(g, Some(ty.clone()));
    let label = jump.label;
    let body = g.within(jump, |g| g.statements(3));
    let template = format!("({{ let mut $ = 0; $: loop {{ if $ == {rounds} {{ break $; }} $ += 1; $ }} }})");
    let pieces = form!(
        template,
        Piece::Bind(count),
        Piece::Bind(label),
        count,
        out,
        count,
        body
    );
    Some(Node::expr(row, ty.clone(), pieces))
}

/// The loop that a jump without a label means. Inside a labelled block there is none.
fn innermost(g: &Generator) -> Option<Jump> {
    g.jumps.last().filter(|jump| jump.is_loop).cloned()
}

/// `break` or `continue` of a loop or block, with what it takes along.
fn leave(g: &mut Generator, is_break: bool, labelled: bool, to: &Jump) -> Vec<Piece> {
    let keyword = if is_break { "break" } else { "continue" };
    let mut pieces = if labelled {
        form!(format!("{keyword} $"), to.label)
    } else {
        form!(format!("{keyword}$"), Piece::Silent(to.label))
    };
    if let (true, Some(ty)) = (is_break, to.value.clone()) {
        pieces.extend(form!(" $", g.leaf(&ty)));
    }
    pieces
}

fn conditional(g: &mut Generator, row: Row, jump: Vec<Piece>) -> Option<Node> {
    let mut pieces = form!("if $ { ", g.expr(Scalar::Bool));
    pieces.extend(jump);
    pieces.push("; }".into());
    Some(Node::stmt(row, pieces))
}

/// `if c { break; }`
pub fn jump(g: &mut Generator, row: Row) -> Option<Node> {
    let to = innermost(g)?;
    let jump = leave(g, row == Row::Break, false, &to);
    conditional(g, row, jump)
}

/// `if c { break 'label; }`
pub fn labelled_jump(g: &mut Generator, row: Row) -> Option<Node> {
    let is_break = row == Row::LabelledBreak;
    let of: Vec<Jump> = g
        .jumps
        .iter()
        .filter(|jump| is_break || jump.is_loop)
        .cloned()
        .collect();
    if of.is_empty() {
        return None;
    }
    let to = g.random.pick(&of).clone();
    let jump = leave(g, is_break, true, &to);
    conditional(g, row, jump)
}

/// `if c { break } else { value }`
pub fn jump_value(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let to = innermost(g)?;
    let is_break = g.random.chance(50);
    let labelled = g.random.chance(50);
    let mut pieces = form!("(if $ { ", g.expr(Scalar::Bool));
    pieces.extend(leave(g, is_break, labelled, &to));
    pieces.push(" } else { ".into());
    pieces.extend(statements_and_value(g, ty));
    pieces.push(" })".into());
    Some(Node::expr(row, ty.clone(), pieces))
}
