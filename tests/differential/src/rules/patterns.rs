//! `match`, patterns, and `Option`.

use super::aggregates::derive;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Generator, Jump};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// An expression of an `Option`.
pub fn option(g: &mut Generator, of: Scalar) -> Vec<Piece> {
    if of.is_integer() && g.random.chance(40) {
        let name = *g.random.pick(&["add", "sub", "mul"]);
        return form!(format!("$.checked_{name}($)"), g.expr(of), g.expr(of));
    }
    form!(
        "(if $ { Some($) } else { None })",
        g.expr(Scalar::Bool),
        g.expr(of)
    )
}

/// An expression in which `name` of type `of` is in scope besides.
pub fn with(g: &mut Generator, of: Scalar, ty: &Type) -> (Piece, Node) {
    g.scope(|g| {
        let name = g.variable_of(of, false);
        (Piece::Bind(name), g.expr(ty.clone()))
    })
}

/// A pattern of integers without names, which may match nothing.
fn constant(g: &mut Generator, ty: Scalar) -> String {
    let n = g.random.below(60);
    let name = ty.name();
    match g.random.below(6) {
        0 => format!("{n}..={}", n + g.random.below(40)),
        1 => format!("{n}..{}", n + 1 + g.random.below(40)),
        2 => format!("{}..", n + 50),
        3 => format!("{n} | {} | {name}::MAX", n + 2),
        4 if ty.is_signed() => format!("..=-{}", n + 1),
        _ => format!("{n}{name}"),
    }
}

/// `match` of an integer.
pub fn integers(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let of = g.integer();
    let mut pieces = form!("(match $ { ", g.expr(of));
    for _ in 0..1 + g.random.below(3) {
        let pattern = constant(g, of);
        match g.random.below(3) {
            0 => {
                let (name, value) = with(g, of, ty);
                pieces.extend(form!(format!("$ @ ({pattern}) => $, "), name, value));
            }
            1 => {
                let (value, guard) = (g.expr(ty.clone()), g.leaf(&Scalar::Bool.into()));
                pieces.extend(form!(format!("{pattern} if $ => $, "), guard, value));
            }
            _ => pieces.extend(form!(format!("{pattern} => $, "), g.expr(ty.clone()))),
        }
    }
    if g.random.chance(50) {
        let (name, value) = with(g, of, ty);
        pieces.extend(form!("$ => $ })", name, value));
    } else {
        pieces.extend(form!("_ => $ })", g.expr(ty.clone())));
    }
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `match` of an enum with fields.
pub fn enums(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let name = g.name("E");
    let types = [g.scalar(), g.scalar(), g.scalar()];
    let number = g.integer();
    let mut pieces = vec![derive()];
    let text = "enum $ { Aa, Bb($), Cc { f0: $, f1: $ }, Dd($) }";
    pieces.extend(form!(
        text,
        Piece::Bind(name),
        types[0],
        types[1],
        types[2],
        number
    ));
    g.items.push(Node::stmt(row, pieces));
    let value = |g: &mut Generator| match g.random.below(4) {
        0 => form!("$::Aa", name),
        1 => form!("$::Bb($)", name, g.expr(types[0])),
        2 => form!("$::Cc { f1: $, f0: $ }", name, g.expr(types[2]), g.expr(types[1])),
        _ => form!("$::Dd($)", name, g.expr(number)),
    };
    let mut pieces = form!("(match if $ { ", g.expr(Scalar::Bool));
    pieces.extend(value(g));
    pieces.extend(form!(" } else if $ { ", g.expr(Scalar::Bool)));
    pieces.extend(value(g));
    pieces.push(" } else { ".into());
    pieces.extend(value(g));
    pieces.push(" } { ".into());
    let (b, of_b) = with(g, types[0], ty);
    pieces.extend(form!("$::Bb($) => $, ", name, b, of_b));
    if g.random.chance(60) {
        let (c, of_c) = with(g, types[1], ty);
        pieces.extend(form!("$::Cc { f0: $, .. } => $, ", name, c, of_c));
    }
    let pattern = constant(g, number);
    pieces.extend(form!(
        format!("$::Dd({pattern}) => $, "),
        name,
        g.expr(ty.clone())
    ));
    let last = *g.random.pick(&[
        "$::Aa | $::Cc { .. } | $::Dd(_) => $ })",
        "$::Aa | $::Cc { .. } | $::Dd(..) => $ })",
    ]);
    if g.random.chance(50) {
        pieces.extend(form!(last, name, name, name, g.expr(ty.clone())));
    } else {
        pieces.extend(form!("_ => $ })", g.expr(ty.clone())));
    }
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `match` of a tuple.
pub fn tuples(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (a, b) = (g.integer(), g.scalar());
    let mut pieces = form!("(match ($, $, $) { ", g.expr(a), g.expr(b), g.expr(Scalar::Bool));
    let pattern = constant(g, a);
    let (name, value) = with(g, b, ty);
    pieces.extend(form!(format!("({pattern}, $, true) => $, "), name, value));
    let pattern = constant(g, a);
    pieces.extend(form!(format!("({pattern}, ..) => $, "), g.expr(ty.clone())));
    let (name, value) = with(g, a, ty);
    pieces.extend(form!(
        "($, _, false) => $, (.., true) => $ })",
        name,
        value,
        g.expr(ty.clone())
    ));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `match` of an array.
pub fn arrays(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let of = g.integer();
    let mut pieces = form!("(match [$, $, $] { ", g.expr(of), g.expr(of), g.expr(of));
    let pattern = constant(g, of);
    let (name, value) = with(g, of, ty);
    pieces.extend(form!(format!("[({pattern}), .., $] => $, "), name, value));
    let pattern = constant(g, of);
    let (name, value) = with(g, of, ty);
    pieces.extend(form!(format!("[$, ({pattern}), ..] => $, "), name, value));
    let rest = g.name("r");
    let (name, value) = with(g, of, ty);
    if ty.scalar() == Some(of) {
        pieces.extend(form!("[$ @ .., _] => $[1] })", Piece::Bind(rest), rest));
    } else {
        pieces.extend(form!("[.., $] => $ })", name, value));
    }
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `let` that takes apart.
pub fn lets(g: &mut Generator, row: Row) -> Option<Node> {
    let [a, b, c] = [g.scalar(), g.scalar(), g.scalar()];
    let values = [g.expr(a), g.expr(b), g.expr(c), g.expr(c)];
    let [x, y, z] = [(a, true), (b, false), (c, false)]
        .map(|(ty, mutable)| g.variable_of(ty, mutable))
        .map(Piece::Bind);
    let [p, q, r, s] = values;
    Some(Node::stmt(
        row,
        form!(
            "let (mut $, ($, [$, _])) = ($, ($, [$, $]));",
            x,
            y,
            z,
            p,
            q,
            r,
            s
        ),
    ))
}

/// `if let`, perhaps in a chain.
pub fn if_let(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let of = g.scalar();
    let mut pieces = form!("(if ");
    if row == Row::LetChain {
        pieces.extend(form!("$ && ", g.expr(Scalar::Bool)));
    }
    let value = option(g, of);
    let (name, (more, value_of)) = g.scope(|g| {
        let name = g.variable_of(of, false);
        (name, (g.expr(Scalar::Bool), g.expr(ty.clone())))
    });
    pieces.extend(form!("let Some($) = ", Piece::Bind(name)));
    pieces.extend(value);
    if row == Row::LetChain {
        pieces.extend(form!(" && $", more));
    }
    pieces.extend(form!(" { $ } else { $ })", value_of, g.expr(ty.clone())));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `let … else`, which leaves a block.
pub fn let_else(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (of, label) = (g.scalar(), g.name("'b"));
    let jump = Jump {
        label,
        is_loop: false,
        value: Some(ty.clone()),
    };
    let pieces = g.within(jump, |g| {
        let (value, other) = (option(g, of), g.leaf(ty));
        let name = g.variable_of(of, false);
        let mut pieces = form!("($: { let Some($) = ", Piece::Bind(label), Piece::Bind(name));
        pieces.extend(value);
        pieces.extend(form!(
            " else { break $ $; }; $ })",
            label,
            other,
            g.expr(ty.clone())
        ));
        pieces
    });
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `while let`
pub fn while_let(g: &mut Generator, row: Row) -> Option<Node> {
    if !g.may_loop() {
        return None;
    }
    let (n, of) = (g.name("n"), g.scalar());
    let value = g.closure(|g| g.expr(of));
    let jump = Jump {
        label: g.name("'l"),
        is_loop: true,
        value: None,
    };
    let label = jump.label;
    let (name, body) = g.within(jump, |g| (g.variable_of(of, false), g.statements(3)));
    let rounds = 1 + g.random.below(6);
    let text = format!(
        "let mut $ = 0; $: while let Some($) = if $ < {rounds} {{ Some($) }} else {{ None }} {{ $ += 1; $ }}"
    );
    Some(Node::stmt(
        row,
        form!(
            text,
            Piece::Bind(n),
            Piece::Bind(label),
            Piece::Bind(name),
            n,
            value,
            n,
            body
        ),
    ))
}

/// `matches!`
pub fn matches(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    (*ty == Scalar::Bool.into()).then_some(())?;
    let of = g.integer();
    let value = g.expr(of);
    let pattern = constant(g, of);
    let (name, guard) = with(g, of, ty);
    let pieces = if g.random.chance(50) {
        form!(format!("matches!($, $ @ ({pattern}) if $)"), value, name, guard)
    } else {
        form!(format!("matches!($, ({pattern}))"), value)
    };
    Some(Node::expr(row, Scalar::Bool, pieces))
}

/// `is_some`, `is_none`
pub fn is_some(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    (*ty == Scalar::Bool.into()).then_some(())?;
    let of = g.scalar();
    let mut pieces = option(g, of);
    pieces.push(g.random.pick(&[".is_some()", ".is_none()"]).to_string().into());
    Some(Node::expr(row, Scalar::Bool, pieces))
}

/// `unwrap_or`, and `unwrap`, which may fault.
pub fn unwrap(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let of = ty.scalar()?;
    if row == Row::Unwrap && !g.faults {
        return Some(Node::expr(row, of, form!("Some($).unwrap()", g.expr(of))));
    }
    let mut pieces = option(g, of);
    pieces.extend(if row == Row::Unwrap {
        form!(".unwrap()")
    } else {
        form!(".unwrap_or($)", g.expr(of))
    });
    Some(Node::expr(row, of, pieces))
}

/// `overflowing_add` and kin.
pub fn overflowing(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (of, part) = if scalar == Scalar::Bool {
        (g.integer(), 1)
    } else {
        (scalar, 0)
    };
    of.is_integer().then_some(())?;
    let name = *g.random.pick(&["add", "sub", "mul"]);
    let text = format!("$.overflowing_{name}($).{part}");
    Some(Node::expr(row, scalar, form!(text, g.expr(of), g.expr(of))))
}

/// `?` in a function.
pub fn question(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let (fun, of, a) = (g.name("fun"), g.scalar(), g.scalar());
    let item = g.function(None, None, |g| {
        g.returns = false;
        let argument = g.variable_of(a, false);
        let mut pieces = vec![super::functions::attribute()];
        pieces.extend(form!(
            "fn $($: $) -> Option<$> { ",
            Piece::Bind(fun),
            Piece::Bind(argument),
            a,
            scalar
        ));
        let value = option(g, of);
        let name = g.variable_of(of, false);
        pieces.extend(form!("let $ = ", Piece::Bind(name)));
        pieces.extend(value);
        pieces.extend(form!(
            "?; if $ { return None; } Some($) }",
            g.expr(Scalar::Bool),
            g.expr(scalar)
        ));
        Node::stmt(row, pieces)
    });
    g.items.push(item);
    let pieces = form!("$($).unwrap_or($)", fun, g.expr(a), g.expr(scalar));
    Some(Node::expr(row, scalar, pieces))
}

/// A pattern on a reference, and `ref`.
pub fn references(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let of = g.integer();
    let [v, x, y] = ["v", "x", "y"].map(|prefix| g.name(prefix));
    let mut pieces = form!(
        "({ let mut $ = ($, $); ",
        Piece::Bind(v),
        g.expr(scalar),
        g.expr(of)
    );
    let pattern = constant(g, of);
    let text = format!("match &mut $ {{ ($, {pattern}) => *$ = $, (_, $) => *$ = $ }} ");
    pieces.extend(form!(
        text,
        v,
        Piece::Bind(x),
        x,
        g.leaf(ty),
        Piece::Bind(y),
        y,
        g.leaf(&of.into())
    ));
    let z = g.name("z");
    pieces.extend(form!("match $ { (ref $, _) => *$ } })", v, Piece::Bind(z), z));
    Some(Node::expr(row, scalar, pieces))
}
