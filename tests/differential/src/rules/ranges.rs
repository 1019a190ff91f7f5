//! `for` over ranges.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Jump, Variable};
use crate::rows::Row;
use gridfn_ir::Scalar;

/// A bound that is small: whatever the type, it is below 8.
fn small(g: &mut Generator, ty: Scalar) -> Node {
    if g.random.chance(40) {
        let literal = g.random.below(8).to_string() + ty.name();
        return Node::expr(Row::Literal, ty, form!(literal));
    }
    let value = g.expr(ty);
    Node::plain(ty, form!("($ & 7)", value))
}

/// A loop over `range`, which is the text between `in` and the body.
fn over(g: &mut Generator, row: Row, ty: Scalar, range: Vec<Piece>) -> Node {
    let jump = Jump {
        label: g.name("'l"),
        is_loop: true,
        value: None,
    };
    let variable = g.name("j");
    let (more, binding) = match g.random.below(6) {
        0 => (Some(Row::ForNone), form!("_")),
        1 => (Some(Row::ForMut), form!("mut $", Piece::Bind(variable))),
        _ => (None, form!("$", Piece::Bind(variable))),
    };
    let mut pieces = form!("$: for ", Piece::Bind(jump.label));
    pieces.extend(binding);
    pieces.push(" in ".into());
    pieces.extend(range);
    let body = g.within(jump, |g| {
        if more != Some(Row::ForNone) {
            g.variables.push(Variable {
                name: variable,
                ty: ty.into(),
                mutable: more == Some(Row::ForMut),
            });
        }
        g.statements(3)
    });
    pieces.extend(form!(" { $ }", body));
    let node = Node::stmt(row, pieces);
    match more {
        Some(more) => Node::stmt(more, form!("$", node)),
        None => node,
    }
}

/// A step of `step_by`: any number, mostly a small one that is not zero.
fn step(g: &mut Generator) -> Node {
    let value = g.expr(Scalar::Usize);
    let text = match g.random.below(6) {
        0 if g.faults => "($ & 3)",
        1 => "($ | 1)",
        _ => "(($ & 3) + 1)",
    };
    Node::plain(Scalar::Usize, form!(text, value))
}

/// `for j in a..b`, in all forms.
pub fn for_(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_loop() {
        return None;
    }
    let dots = match row {
        Row::For => "..",
        Row::ForInclusive => "..=",
        _ => *g.random.pick(&["..", "..="]),
    };
    // Backwards by steps Rust goes only over what has an exact length.
    let widest = if dots == ".." { 32 } else { 16 };
    let ty = g.scalar_that(|s| s.is_integer() && (row != Row::ForStepByRev || s.bits() <= widest));
    let (a, b) = (small(g, ty), small(g, ty));
    let simple = matches!(row, Row::For | Row::ForInclusive);
    let mut range = form!(
        if simple {
            format!("$ {dots} $")
        } else {
            format!("($ {dots} $)")
        },
        a,
        b
    );
    if matches!(row, Row::ForRev | Row::ForRevStepBy) {
        range.push(".rev()".into());
    }
    if matches!(row, Row::ForStepBy | Row::ForRevStepBy | Row::ForStepByRev) {
        range.extend(form!(".step_by($)", step(g)));
    }
    if row == Row::ForStepByRev {
        range.push(".rev()".into());
    }
    Some(over(g, row, ty, range))
}

/// Up to the largest value of a type, or from the smallest.
pub fn limits(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_loop() {
        return None;
    }
    let ty = g.integer();
    let (name, end) = (ty.name(), small(g, ty));
    let mut range = match g.random.below(4) {
        0 | 1 => form!(format!("({name}::MAX - $ ..= {name}::MAX)"), end),
        2 => form!(format!("({name}::MIN .. {name}::MIN + $)"), end),
        _ => form!(format!("({name}::MIN ..= {name}::MIN + $)"), end),
    };
    match g.random.below(4) {
        0 => range.push(".rev()".into()),
        1 => range.extend(form!(".step_by($)", step(g))),
        _ => {}
    }
    Some(over(g, row, ty, range))
}
