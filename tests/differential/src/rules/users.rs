//! Methods, operators and traits of users' types.

use super::aggregates::derive;
use super::functions::attribute;
use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::{Generator, Indexing, Source};
use crate::rows::Row;
use crate::shape::Shape;
use crate::types::Type;
use gridfn_ir::Scalar;

/// A struct of two fields.
fn define(g: &mut Generator, row: Row, types: [Scalar; 2]) -> Name {
    let name = g.name("S");
    let mut pieces = vec![derive()];
    pieces.extend(form!(
        "struct $ { f0: $, f1: $ }",
        Piece::Bind(name),
        types[0],
        types[1]
    ));
    g.items.push(Node::stmt(row, pieces));
    name
}

/// The body of a method, an expression; `places` are what it can read.
fn body(g: &mut Generator, places: &[(&str, Scalar)], argument: Scalar, ty: Scalar) -> (Name, Node) {
    g.function(None, Some(ty.into()), |g| {
        let name = g.variable_of(argument, false);
        for (place, ty) in places {
            g.sources.push(Source {
                row: Row::Field,
                ty: (*ty).into(),
                base: form!(*place),
                index: Indexing::None,
                field: String::new(),
            });
        }
        g.returns = false;
        (name, g.expr(ty))
    })
}

/// Adds an impl, of text with holes.
fn implement(g: &mut Generator, row: Row, mut rest: Vec<Piece>) {
    let mut pieces = vec![attribute()];
    pieces.append(&mut rest);
    g.items.push(Node::stmt(row, pieces));
}

/// `S::new(a, b).get(c)`, after a `set`.
pub fn methods(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let types = [g.scalar(), g.scalar()];
    let (name, argument) = (define(g, row, types), g.scalar());
    let fields = [("self.f0", types[0]), ("self.f1", types[1])];
    let (x, get) = body(g, &fields, argument, scalar);
    let (y, set) = body(g, &fields, argument, types[0]);
    let [a, b] = ["a", "b"].map(|prefix| g.name(prefix));
    let constant = super::literals::any(g, ty);
    let mut pieces = form!("impl $ { const K: $ = $; ", name, scalar, constant);
    let text = "fn new($: $, $: $) -> Self { Self { f0: $, f1: $ } } ";
    pieces.extend(form!(
        text,
        Piece::Bind(a),
        types[0],
        Piece::Bind(b),
        types[1],
        a,
        b
    ));
    let receiver = *g.random.pick(&["&self", "self"]);
    pieces.extend(form!(
        format!("fn get({receiver}, $: $) -> $ {{ $ }} "),
        Piece::Bind(x),
        argument,
        scalar,
        get
    ));
    pieces.extend(form!(
        "fn set(&mut self, $: $) { self.f0 = $; } }",
        Piece::Bind(y),
        argument,
        set
    ));
    implement(g, row, pieces);
    let v = g.name("v");
    let mut pieces = form!(
        "({ let mut $ = $::new($, $); ",
        Piece::Bind(v),
        name,
        g.expr(types[0]),
        g.expr(types[1])
    );
    pieces.extend(form!("$.set($); ", v, g.expr(argument)));
    pieces.extend(if g.random.chance(70) {
        form!("$.get($) })", v, g.expr(argument))
    } else {
        form!(
            "if $ { $.get($) } else { $::K } })",
            g.expr(Scalar::Bool),
            v,
            g.expr(argument),
            name
        )
    });
    Some(Node::expr(row, scalar, pieces))
}

/// An operator of a struct.
pub fn operators(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let types = [scalar, g.scalar()];
    let name = define(g, row, types);
    let all = [
        ("Add", "add", "+"),
        ("Sub", "sub", "-"),
        ("Mul", "mul", "*"),
        ("Div", "div", "/"),
        ("Rem", "rem", "%"),
        ("BitAnd", "bitand", "&"),
        ("BitOr", "bitor", "|"),
        ("BitXor", "bitxor", "^"),
        ("Shl", "shl", "<<"),
        ("Shr", "shr", ">>"),
    ];
    let (of, function, sign) = *g.random.pick(&all);
    let fields = [("self.f0", types[0]), ("self.f1", types[1])];
    let values = [
        g.expr(types[0]),
        g.expr(types[1]),
        g.expr(types[0]),
        g.expr(types[1]),
    ];
    let [p, q, r, s] = values;
    let (v, w) = (g.name("v"), g.name("w"));
    let mut pieces = form!("({ let mut $ = $ { f0: $, f1: $ }; ", Piece::Bind(v), name, p, q);
    if row == Row::UserNeg {
        let (of, function, sign) = *g.random.pick(&[("Neg", "neg", "-"), ("Not", "not", "!")]);
        let (_, value) = body(g, &fields, Scalar::U32, scalar);
        let closed = !uses_argument(&value);
        closed.then_some(())?;
        let text = format!(
            "impl core::ops::{of} for $ {{ type Output = Self; fn {function}(self) -> Self {{ $ {{ f0: $, ..self }} }} }}"
        );
        implement(g, row, form!(text, name, name, value));
        pieces.extend(form!(format!("({sign}$).f0 }})"), v));
        return Some(Node::expr(row, scalar, pieces));
    }
    // The other side is the argument: of the struct itself, by its first field.
    let (argument, value) = body(g, &fields, scalar, scalar);
    pieces.extend(form!("let $ = $ { f0: $, f1: $ }; ", Piece::Bind(w), name, r, s));
    if row == Row::UserAssign {
        let text = format!(
            "impl core::ops::{of}Assign for $ {{ fn {function}_assign(&mut self, other: Self) {{ let $ = other.f0; self.f0 = $; }} }}"
        );
        implement(g, row, form!(text, name, Piece::Bind(argument), value));
        pieces.extend(form!(format!("$ {sign}= $; $.f0 }})"), v, w, v));
    } else {
        let text = format!(
            "impl core::ops::{of} for $ {{ type Output = $; fn {function}(self, other: $) -> Self::Output {{ let $ = other.f0; $ {{ f0: $, f1: other.f1 }} }} }}"
        );
        implement(
            g,
            row,
            form!(text, name, name, name, Piece::Bind(argument), name, value),
        );
        pieces.extend(form!(format!("($ {sign} $).f0 }})"), v, w));
    }
    Some(Node::expr(row, scalar, pieces))
}

/// Whether it uses a name at all.
fn uses_argument(node: &Node) -> bool {
    let mut found = false;
    node.visit(&mut |node| found |= node.row == Some(Row::Variable));
    found
}

/// `==` of a struct.
pub fn equality(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    (*ty == Scalar::Bool.into()).then_some(())?;
    let types = [g.scalar(), g.scalar()];
    let name = define(g, row, types);
    implement(
        g,
        row,
        form!(
            "impl PartialEq for $ { fn eq(&self, other: &Self) -> bool { self.f0 == other.f0 && self.f1 == other.f1 } }",
            name
        ),
    );
    let [a, b, c, d] = [
        g.expr(types[0]),
        g.expr(types[1]),
        g.expr(types[0]),
        g.expr(types[1]),
    ];
    let sign = *g.random.pick(&["==", "!="]);
    let text = format!("(($ {{ f0: $, f1: $ }}) {sign} ($ {{ f0: $, f1: $ }}))");
    Some(Node::expr(row, Scalar::Bool, form!(text, name, a, b, name, c, d)))
}

/// A trait with a default method, and a generic function that calls both.
pub fn traits(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let types = [g.scalar(), g.scalar()];
    let (name, argument) = (define(g, row, types), g.scalar());
    let [of, fun] = ["Tr", "fun"].map(|prefix| g.name(prefix));
    let fields = [("self.f0", types[0]), ("self.f1", types[1])];
    let (x, get) = body(g, &fields, argument, scalar);
    let [y, z, t] = ["a", "b", "c"].map(|prefix| g.name(prefix));
    let mut pieces = form!(
        "trait $: Copy { const K: $; fn get(&self, x: $) -> $; ",
        Piece::Bind(of),
        scalar,
        argument,
        scalar
    );
    pieces.extend(form!(
        "fn other(self, $: $, $: bool) -> $ { if $ { self.get($) } else { Self::K } } }",
        Piece::Bind(y),
        argument,
        Piece::Bind(z),
        scalar,
        z,
        y
    ));
    implement(g, row, pieces);
    let constant = super::literals::any(g, ty);
    let text = "impl $ for $ { const K: $ = $; fn get(&self, $: $) -> $ { $ } }";
    implement(
        g,
        row,
        form!(
            text,
            of,
            name,
            scalar,
            constant,
            Piece::Bind(x),
            argument,
            scalar,
            get
        ),
    );
    let text = "fn $<A: $>($: A, x: $, c: bool) -> $ { if c { $.get(x) } else { $.other(x, !c) } }";
    implement(
        g,
        row,
        form!(text, Piece::Bind(fun), of, Piece::Bind(t), argument, scalar, t, t),
    );
    let [a, b, c, d] = [
        g.expr(types[0]),
        g.expr(types[1]),
        g.expr(argument),
        g.expr(Scalar::Bool),
    ];
    Some(Node::expr(
        row,
        scalar,
        form!("$($ { f0: $, f1: $ }, $, $)", fun, name, a, b, c, d),
    ))
}

/// A trait with a type of its own, and a function whose clause is about that.
pub fn associated_type(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty
        .scalar()
        .filter(|s| *s != Scalar::Bool && g.functions.len() < 4)?;
    let types = [g.scalar(), g.scalar()];
    let name = define(g, row, types);
    let [of, fun, a] = ["Tr", "fun", "a"].map(|prefix| g.name(prefix));
    let fields = [("self.f0", types[0]), ("self.f1", types[1])];
    let (_, first) = body(g, &fields, Scalar::U32, scalar);
    (!uses_argument(&first)).then_some(())?;
    implement(
        g,
        row,
        form!(
            "trait $: Copy { type Out: Scalar; const LEAST: Self::Out; fn first(self) -> Self::Out; }",
            Piece::Bind(of)
        ),
    );
    let constant = super::literals::any(g, ty);
    let text = "impl $ for $ { type Out = $; const LEAST: $ = $; fn first(self) -> $ { $ } }";
    implement(
        g,
        row,
        form!(text, of, name, scalar, scalar, constant, scalar, first),
    );
    let text = "fn $<A>($: A) -> A::Out where A: $, A::Out: Copy { let first = $.first(); if first < A::LEAST { first + A::LEAST } else { first } }";
    implement(g, row, form!(text, Piece::Bind(fun), Piece::Bind(a), of, a));
    let (x, y) = (g.expr(types[0]), g.expr(types[1]));
    Some(Node::expr(
        row,
        scalar,
        form!("$($ { f0: $, f1: $ })", fun, name, x, y),
    ))
}

/// An impl with a const parameter.
pub fn const_parameter(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let (name, len) = (g.name("S"), 1 + g.random.below(4));
    let mut pieces = vec![derive()];
    pieces.extend(form!(
        "struct $<const N: usize> { all: [$; N] }",
        Piece::Bind(name),
        scalar
    ));
    g.items.push(Node::stmt(row, pieces));
    implement(
        g,
        row,
        form!(
            "impl<const N: usize> $<N> { fn at(&self, i: usize) -> $ { self.all[(i ^ N) % N] } }",
            name,
            scalar
        ),
    );
    let array = Shape::array(scalar, len);
    let mut pieces = form!("$ { all: ", name);
    pieces.extend(array.value(g));
    pieces.extend(form!(" }.at($)", g.expr(Scalar::Usize)));
    let mut whole = form!("(");
    whole.extend(pieces);
    whole.push(")".into());
    Some(Node::expr(row, scalar, whole))
}
