//! `panic!`, `assert!` and kin: the words with values in them are compared with plain Rust's.

use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// Whether a row's examples may fault by what they are.
pub fn is_panic(row: Row) -> bool {
    matches!(
        row,
        Row::Panic
            | Row::Unreachable
            | Row::Assert
            | Row::AssertWords
            | Row::AssertEq
            | Row::AssertEqWords
            | Row::Expect
    )
}

/// A message as arguments of a macro, and statements before it: what it shows is computed there, because the words of
/// a macro without a message are its own text, which is another for plain Rust where it asks for the item.
fn message(g: &mut Generator) -> (Vec<Piece>, Vec<Piece>) {
    let (mut before, mut names) = (Vec::new(), Vec::<(Name, Scalar)>::new());
    for _ in 0..g.random.below(4) {
        // Which NaN it is shows in no words, but its sign would.
        let (name, ty) = (g.name("w"), g.scalar());
        before.extend(form!("let $ = $; ", Piece::Bind(name), g.expr(ty)));
        names.push((name, ty));
    }
    let (mut text, mut rest) = (String::from("\"words {{{{}}}}"), Vec::new());
    for (name, ty) in names {
        let specs: &[&str] = match ty {
            Scalar::Bool => &["", ":?", ":>7"],
            _ if ty.is_integer() => &["", ":?", ":x", ":#b", ":06", ":+", ":<9", ":e"],
            _ => &["", ":?", ":.3", ":>20", ":e"],
        };
        text += &format!(" {{{}}}", g.random.pick(specs));
        rest.extend(form!(", $", name));
    }
    text.push('"');
    let mut pieces = vec![text.replace("{{{{}}}}", "{{}}").into()];
    pieces.extend(rest);
    (before, pieces)
}

/// A condition that seldom holds, and where nothing may fault never does.
fn seldom(g: &mut Generator) -> Node {
    let ty = g.scalar_that(|s| s.is_integer() && s.bits() <= 32);
    let value = g.expr(ty);
    let pieces = if g.faults {
        form!(format!("(($ & 7) == {})", g.random.below(8)), value)
    } else {
        form!("(($ & 7) > 7)", value)
    };
    Node::plain(Scalar::Bool, pieces)
}

/// `if c { panic!("…", a) }`
pub fn panic(g: &mut Generator, row: Row) -> Option<Node> {
    let (before, words) = message(g);
    let name = match row {
        Row::Panic => "panic",
        _ => *g.random.pick(&["unreachable", "todo", "unimplemented"]),
    };
    let mut pieces = form!("if $ { ", seldom(g));
    if g.random.chance(25) {
        pieces.push(format!("{name}!() }}").into());
    } else {
        pieces.extend(before);
        pieces.push(format!("{name}!(").into());
        pieces.extend(words);
        pieces.push(") }".into());
    }
    Some(Node::stmt(row, pieces))
}

/// `assert!(c, "…", a);`
pub fn assert(g: &mut Generator, row: Row) -> Option<Node> {
    let (condition, name) = (seldom(g), g.name("c"));
    let mut pieces = form!("let $ = !$; ", Piece::Bind(name), condition);
    if row == Row::Assert {
        pieces.extend(form!("assert!($ == true);", name));
    } else {
        let (before, words) = message(g);
        pieces.extend(before);
        pieces.extend(form!("assert!($, ", name));
        pieces.extend(words);
        pieces.push(");".into());
    }
    Some(Node::stmt(row, pieces))
}

/// `assert_eq!(a, b, "…", c);`
pub fn assert_eq(g: &mut Generator, row: Row) -> Option<Node> {
    let ty = g.scalar_that(Scalar::is_integer);
    let (a, b, c) = (g.name("a"), g.name("b"), seldom(g));
    let mut pieces = form!(
        "let $ = $; let $ = if $ { ",
        Piece::Bind(a),
        g.expr(ty),
        Piece::Bind(b),
        c
    );
    // What is never equal, and what always is.
    let macro_ = if g.random.chance(50) {
        pieces.extend(form!("$ ^ 1 } else { $ }; ", a, a));
        "assert_eq"
    } else {
        pieces.extend(form!("$ } else { $ ^ 1 }; ", a, a));
        "assert_ne"
    };
    let words = (row == Row::AssertEqWords).then(|| message(g));
    let (before, words) = words.map_or((vec![], vec![]), |(before, words)| {
        (before, [vec![", ".into()], words].concat())
    });
    pieces.extend(before);
    pieces.extend(form!(format!("{macro_}!($, $"), a, b));
    pieces.extend(words);
    pieces.push(");".into());
    Some(Node::stmt(row, pieces))
}

/// `o.expect("…")`
pub fn expect(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (condition, value) = (seldom(g), g.expr(scalar));
    let text = "(if $ { None } else { Some($) }).expect(\"{} is expected\")";
    Some(Node::expr(row, scalar, form!(text, condition, value)))
}
