//! Closures that are called where they stand.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;

/// `{ let a = …; let f = |x| …; f(a) }`
pub fn call(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar().filter(|_| g.may_loop())?;
    let types = [g.scalar(), g.scalar()];
    let arguments = types.map(|ty| g.expr(ty));
    let names = [g.name("a"), g.name("a")];
    let (f, told) = (g.name("f"), g.random.chance(50));
    let (params, body) = g.closure(|g| (types.map(|ty| g.variable_of(ty, false)), g.expr(ty.clone())));
    let mut pieces = form!("({ ");
    for (name, argument) in names.into_iter().zip(arguments) {
        pieces.extend(form!("let $ = $; ", Piece::Bind(name), argument));
    }
    let [x, y] = params.map(Piece::Bind);
    pieces.extend(form!(
        "let $ = |$: $, $: $| ",
        Piece::Bind(f),
        x,
        types[0],
        y,
        types[1]
    ));
    pieces.extend(if told {
        form!("-> $ { $ }; ", ty, body)
    } else {
        form!("$; ", body)
    });
    pieces.extend(form!("$($, $) })", f, names[0], names[1]));
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `{ let mut v = …; let mut f = |x| v = …; f(a); v }`
pub fn changes(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    ty.scalar().filter(|_| g.may_loop())?;
    let (start, argument) = (g.expr(ty.clone()), g.expr(ty.clone()));
    let [v, a, f] = ["v", "a", "f"].map(|prefix| g.name(prefix));
    let (x, body) = g.closure(|g| {
        g.variables.push(crate::generator::Variable {
            name: v,
            ty: ty.clone(),
            mutable: false,
        });
        (g.variable_of(ty.clone(), false), g.expr(ty.clone()))
    });
    let mut pieces = form!(
        "({ let mut $ = $; let $ = $; ",
        Piece::Bind(v),
        start,
        Piece::Bind(a),
        argument
    );
    pieces.extend(form!(
        "let mut $ = |$: $| $ = $; ",
        Piece::Bind(f),
        Piece::Bind(x),
        ty,
        v,
        body
    ));
    pieces.extend(form!("$($); $($); $ })", f, a, f, a, v));
    Some(Node::expr(row, ty.clone(), pieces))
}
