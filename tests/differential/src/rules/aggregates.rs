//! Structs, tuples and arrays: made, changed in one part, copied, and read in another.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::shape::{Leaf, Shape};
use crate::types::Type;
use gridfn_ir::Scalar;

/// What stands before a type of the user's.
pub fn derive() -> Piece {
    Piece::Sides {
        kernel: "#[derive(Clone, Copy, DeviceCopy)]\n".into(),
        oracle: "#[derive(Clone, Copy)]\n".into(),
    }
}

/// An aggregate whose outermost form is told by the row, with something of type `ty` in it.
pub fn shape(g: &mut Generator, row: Row, ty: Scalar, depth: usize) -> Shape {
    let part = |g: &mut Generator, ty: Scalar| {
        let rows = [
            Row::Tuple,
            Row::Array,
            Row::StructNamed,
            Row::StructTuple,
            Row::StructGeneric,
        ];
        if depth > 0 && g.random.chance(30) {
            let row = *g.random.pick(&rows);
            shape(g, row, ty, depth - 1)
        } else {
            Shape::Scalar(ty)
        }
    };
    let parts = |g: &mut Generator| {
        let mut parts: Vec<Shape> = (0..g.random.below(3))
            .map(|_| {
                let ty = g.scalar();
                part(g, ty)
            })
            .collect();
        let at = g.random.below(parts.len() + 1);
        let own = part(g, ty);
        parts.insert(at, own);
        parts
    };
    let define = |g: &mut Generator, row: Row, text: &str, parts: &[Shape], named: bool| {
        let name = g.name("S");
        let mut pieces = vec![derive()];
        // Two or four numbers of one type are read at once where they are aligned to all of them.
        let layouts = [
            "",
            "",
            "#[repr(C)] ",
            "#[repr(C, align(8))] ",
            "#[repr(C, align(16))] ",
        ];
        pieces.push((*g.random.pick(&layouts)).into());
        pieces.extend(form!(text, Piece::Bind(name)));
        for (n, part) in parts.iter().enumerate() {
            pieces.push("pub ".into());
            pieces.extend(named.then(|| Piece::from(format!("f{n}: "))));
            pieces.extend(part.ty());
            pieces.push(", ".into());
        }
        pieces.push(if named { "}" } else { ");" }.into());
        g.items.push(Node::stmt(row, pieces));
        name
    };
    match row {
        Row::Array => Shape::Array(part(g, ty).into(), 1 + g.random.below(4)),
        Row::StructNamed => {
            let parts = parts(g);
            Shape::Named(define(g, row, "pub struct $ { ", &parts, true), parts)
        }
        Row::StructTuple => {
            let parts = parts(g);
            Shape::Positional(define(g, row, "pub struct $(", &parts, false), parts)
        }
        Row::StructGeneric => {
            let name = g.name("S");
            let mut pieces = vec![derive()];
            let text = "pub struct $<T, const N: usize> { pub one: T, pub many: [T; N] }";
            pieces.extend(form!(text, Piece::Bind(name)));
            g.items.push(Node::stmt(row, pieces));
            Shape::Generic(name, ty, 1 + g.random.below(4))
        }
        Row::StructUnit => {
            let name = g.name("S");
            let mut pieces = vec![derive()];
            pieces.extend(form!("pub struct $;", Piece::Bind(name)));
            g.items.push(Node::stmt(row, pieces));
            Shape::Tuple(vec![Shape::Unit(name), Shape::Scalar(ty)])
        }
        _ => Shape::Tuple(parts(g)),
    }
}

/// An enum with fields for buffers and arguments, and a method that tells what it holds.
pub fn enumeration(g: &mut Generator, row: Row) -> Shape {
    let name = g.name("E");
    let of = [g.scalar(), g.scalar(), g.scalar(), g.scalar()];
    let mut pieces = vec![derive()];
    let layout = *g
        .random
        .pick(&["#[repr(u8)]", "#[repr(i32)]", "#[repr(C)]", "#[repr(C, u16)]"]);
    pieces.extend(form!(
        format!("{layout} pub enum $ {{ Aa, Bb($), Cc {{ f0: $, f1: $ }}, Dd($) }}"),
        Piece::Bind(name),
        of[0],
        of[1],
        of[2],
        of[3]
    ));
    g.items.push(Node::stmt(row, pieces));
    let ty = Type::Scalar(of[0]);
    let values = [0; 3].map(|_| super::literals::any(g, &ty));
    let [a, c, d] = values;
    let b = g.name("b");
    let mut pieces = vec![super::functions::attribute()];
    pieces.extend(form!(
        "impl $ { fn held(self) -> $ { match self { $::Aa => $, $::Bb($) => $, $::Cc { .. } => $, _ => $ } } }",
        name,
        of[0],
        name,
        a,
        name,
        Piece::Bind(b),
        b,
        name,
        c,
        d
    ));
    g.items.push(Node::stmt(row, pieces));
    Shape::Enum(name, of)
}

/// `{ let mut v = …; v.a = e; let w = v; w.b }`
pub fn aggregate(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let shape = shape(g, row, scalar, 1);
    let leaves = shape.leaves();
    let of: Vec<&Leaf> = leaves.iter().filter(|(_, ty)| *ty == scalar).collect();
    let out = g.random.pick(&of).0.clone();
    let (changed, changed_ty) = g.random.pick(&leaves).clone();
    let (v, w) = (g.name("v"), g.name("v"));
    let mut pieces = form!("({ let mut $: ", Piece::Bind(v));
    pieces.extend(shape.ty());
    pieces.push(" = ".into());
    pieces.extend(shape.value(g));
    pieces.extend(form!(format!("; ${changed} = $; "), v, g.expr(changed_ty)));
    if let (Shape::Named(name, _), true) = (&shape, g.random.chance(50)) {
        pieces.extend(form!("let $ = $ { ..$ }; ", Piece::Bind(w), *name, v));
    } else {
        pieces.extend(form!("let $ = $; ", Piece::Bind(w), v));
    }
    pieces.extend(form!(format!("${out} }})"), w));
    Some(Node::expr(row, scalar, pieces))
}

/// `a[e]` of an array of the function's.
pub fn element(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (scalar, len) = (ty.scalar()?, 1 + g.random.below(5));
    let (a, b) = (g.name("a"), g.name("b"));
    let (i, j) = (g.index(len), g.index(len));
    let array = Shape::array(scalar, len);
    let mut pieces = form!("({ let mut $ = ", Piece::Bind(a));
    pieces.extend(array.value(g));
    pieces.extend(form!(
        "; let $ = $; $[$] = $; ",
        Piece::Bind(b),
        j,
        a,
        i,
        g.expr(scalar)
    ));
    pieces.extend(form!("$[$] })", a, b));
    Some(Node::expr(row, scalar, pieces))
}

/// A table of constants.
pub fn table(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let (scalar, len) = (ty.scalar()?, 1 + g.random.below(9));
    let name = g.name("C");
    let mut item = form!(format!("const $: [$; {len}] = ["), Piece::Bind(name), scalar);
    for _ in 0..len {
        item.extend(form!("$, ", super::literals::any(g, ty)));
    }
    item.push("];".into());
    g.items.push(Node::stmt(row, item));
    Some(Node::expr(row, scalar, form!("$[$]", name, g.index(len))))
}
