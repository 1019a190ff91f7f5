//! `let`, assignments, and values that are dropped.

use super::operators;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Indexing, Variable};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// Puts a new variable in scope.
fn bind(g: &mut Generator, ty: Type, mutable: bool) -> Piece {
    let name = g.name("v");
    g.variables.push(Variable { name, ty, mutable });
    Piece::Bind(name)
}

/// `let v = e;`, `let mut v: T = e;` and so on.
pub fn let_(g: &mut Generator, row: Row) -> Option<Node> {
    let ty = g.ty();
    let value = g.expr(ty.clone());
    let mutable = row == Row::LetMut;
    let name = bind(g, ty.clone(), mutable);
    let keyword = if mutable { "let mut" } else { "let" };
    Some(Node::stmt(
        row,
        if g.random.chance(50) {
            form!(format!("{keyword} $: $ = $;"), name, &ty, value)
        } else {
            form!(format!("{keyword} $ = $;"), name, value)
        },
    ))
}

/// `let v = … v …;`, with another type.
pub fn shadow(g: &mut Generator, row: Row) -> Option<Node> {
    // What is no variable but a constant, which its capitals tell, cannot be hidden by one.
    let is_constant = |v: &Variable| {
        let text = g.text(v.name);
        text.trim_start_matches("r#").starts_with(char::is_uppercase)
    };
    let of: Vec<Variable> = g.variables.iter().filter(|v| !is_constant(v)).cloned().collect();
    if of.is_empty() {
        return None;
    }
    let old = g.random.pick(&of).clone();
    let ty = g.ty();
    let name = g.again(old.name);
    let value = match (old.ty.scalar(), ty.scalar()) {
        (Some(from), Some(to))
            if from != to
                && to != Scalar::Bool
                && !(from == Scalar::Bool && to.is_float())
                && !from.is_half()
                && !to.is_half() =>
        {
            let old = Node::expr(Row::Variable, from, form!("$", old.name));
            Node::expr(Row::CastNumber, to, form!("($ as $)", old, to))
        }
        _ => g.expr(ty.clone()),
    };
    let mutable = g.random.chance(50);
    let keyword = if mutable { "let mut" } else { "let" };
    let text = g.text(old.name).to_string();
    let hidden = |g: &Generator, v: &Variable| g.text(v.name) == text;
    let kept = g.variables.iter().filter(|v| !hidden(g, v)).cloned().collect();
    g.variables = kept;
    g.variables.push(Variable { name, ty, mutable });
    Some(Node::stmt(
        row,
        form!(format!("{keyword} $ = $;"), Piece::Bind(name), value),
    ))
}

/// `let v; if c { v = a; } else { v = b; }`
pub fn deferred(g: &mut Generator, row: Row) -> Option<Node> {
    let ty = g.ty();
    let (c, a, b) = (g.expr(Scalar::Bool), g.expr(ty.clone()), g.expr(ty.clone()));
    let told = if g.random.chance(50) {
        format!(": {}", ty.name())
    } else {
        String::new()
    };
    let mutable = g.random.chance(30);
    let keyword = if mutable { "let mut" } else { "let" };
    let name = bind(g, ty, mutable);
    let Piece::Bind(v) = name else { return None };
    let template = format!("{keyword} ${told}; if $ {{ $ = $; }} else {{ $ = $; }}");
    Some(Node::stmt(row, form!(template, name, c, v, a, v, b)))
}

/// `let u = { … };`
pub fn unit(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_nest() {
        return None;
    }
    let name = g.name("unit");
    let body = g.body(2);
    Some(Node::stmt(
        row,
        match g.random.below(3) {
            0 => form!("let $ = ();", Piece::Bind(name)),
            1 => form!("let $ = { $ };", Piece::Bind(name), body),
            _ => form!(
                "let $ = if $ { $ };",
                Piece::Bind(name),
                g.expr(Scalar::Bool),
                body
            ),
        },
    ))
}

/// `let _ = e;`
pub fn discard(g: &mut Generator, row: Row) -> Option<Node> {
    let ty = g.ty();
    let text = if g.random.chance(50) {
        "let _ = $;"
    } else {
        "_ = $;"
    };
    Some(Node::stmt(row, form!(text, g.expr(ty))))
}

/// `e;`
pub fn expression(g: &mut Generator, row: Row) -> Option<Node> {
    let ty = g.ty();
    Some(Node::stmt(row, form!("$;", g.expr(ty))))
}

/// A place of a type that `keep` holds for: a mutable variable or an element of an output.
fn place(g: &mut Generator, keep: impl Fn(&Type) -> bool) -> Option<(Vec<Piece>, Type)> {
    let own = |index| index == Indexing::Own;
    let outputs: Vec<_> = g
        .sources
        .iter()
        .filter(|s| own(s.index) && keep(&s.ty))
        .cloned()
        .collect();
    if !outputs.is_empty() && g.random.chance(30) {
        let output = g.random.pick(&outputs).clone();
        let mut pieces = output.base;
        pieces.extend(form!(format!("[$]{}", output.field), g.own_index()));
        return Some((pieces, output.ty));
    }
    let variable = g.mutable(keep)?;
    Some((form!("$", variable.name), variable.ty))
}

fn assignment(row: Row, mut place: Vec<Piece>, value: Node) -> Option<Node> {
    let sign = if row == Row::Assign {
        ""
    } else {
        operators::sign(row)
    };
    place.extend(form!(format!(" {sign}= $;"), value));
    Some(Node::stmt(row, place))
}

/// `v = e;`
pub fn assign(g: &mut Generator, row: Row) -> Option<Node> {
    let (place, ty) = place(g, |_| true)?;
    let value = g.expr(ty);
    assignment(row, place, value)
}

/// `v += e;` and kin.
pub fn arithmetic_assign(g: &mut Generator, row: Row) -> Option<Node> {
    let (place, ty) = place(g, Type::is_number)?;
    let value = g.expr(ty);
    assignment(row, place, value)
}

/// `v /= e;` and kin.
pub fn division_assign(g: &mut Generator, row: Row) -> Option<Node> {
    let (place, ty) = place(g, |ty| ty.is_number() && ty.scalar().is_some())?;
    let value = operators::divisor(g, &ty);
    assignment(row, place, value)
}

/// `v &= e;` and kin.
pub fn bits_assign(g: &mut Generator, row: Row) -> Option<Node> {
    let (place, ty) = place(g, |ty| ty.is_integer() || !ty.is_number())?;
    let value = g.expr(ty);
    assignment(row, place, value)
}

/// `v <<= e;` and kin.
pub fn shift_assign(g: &mut Generator, row: Row) -> Option<Node> {
    let (place, ty) = place(g, Type::is_integer)?;
    let amount = operators::amount(g, &ty);
    let value = g.expr(amount);
    assignment(row, place, value)
}
