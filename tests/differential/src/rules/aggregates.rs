//! Structs, tuples and arrays: made, changed in one part, copied, and read in another.

use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// The type of an aggregate, or of a part of one.
#[derive(Clone)]
pub enum Shape {
    /// A built-in type.
    Scalar(Scalar),
    /// `(A, B)`
    Tuple(Vec<Shape>),
    /// `[A; N]`
    Array(Box<Shape>, usize),
    /// `struct S { a: A }`
    Named(Name, Vec<Shape>),
    /// `struct S(A);`
    Positional(Name, Vec<Shape>),
    /// `struct S<T, const N: usize> { one: T, many: [T; N] }`, of a type and a number.
    Generic(Name, Scalar, usize),
    /// `struct S;`
    Unit(Name),
}

/// A part of an aggregate that is of a built-in type: its path, and its type.
type Leaf = (String, Scalar);

/// What stands before a type of the user's.
pub fn derive() -> Piece {
    Piece::Sides {
        kernel: "#[derive(Clone, Copy, DeviceCopy)]\n".into(),
        oracle: "#[derive(Clone, Copy)]\n".into(),
    }
}

impl Shape {
    /// Its name as pieces.
    pub fn ty(&self) -> Vec<Piece> {
        match self {
            Shape::Scalar(scalar) => form!("$", *scalar),
            Shape::Tuple(parts) => {
                let mut pieces = form!("(");
                for part in parts {
                    pieces.extend(part.ty());
                    pieces.push(", ".into());
                }
                pieces.push(")".into());
                pieces
            }
            Shape::Array(part, len) => {
                let mut pieces = form!("[");
                pieces.extend(part.ty());
                pieces.push(format!("; {len}]").into());
                pieces
            }
            Shape::Named(name, _) | Shape::Positional(name, _) | Shape::Unit(name) => form!("$", *name),
            Shape::Generic(name, of, len) => form!(format!("$<$, {len}>"), *name, *of),
        }
    }

    /// An expression of it.
    pub fn value(&self, g: &mut Generator) -> Vec<Piece> {
        let list = |g: &mut Generator, parts: &[Shape], named: bool| {
            let mut pieces = Vec::new();
            for (n, part) in parts.iter().enumerate() {
                pieces.extend(named.then(|| Piece::from(format!("f{n}: "))));
                pieces.extend(part.value(g));
                pieces.push(", ".into());
            }
            pieces
        };
        let (mut pieces, end) = match self {
            Shape::Scalar(scalar) => return form!("$", g.expr(*scalar)),
            Shape::Unit(name) => return form!("$", *name),
            Shape::Tuple(parts) => {
                let mut pieces = form!("(");
                pieces.extend(list(g, parts, false));
                (pieces, ")")
            }
            Shape::Array(part, len) if g.random.chance(25) => {
                let mut pieces = form!("[");
                pieces.extend(part.value(g));
                pieces.push(format!("; {len}").into());
                (pieces, "]")
            }
            Shape::Array(part, len) => {
                let mut pieces = form!("[");
                pieces.extend(list(g, &vec![(**part).clone(); *len], false));
                (pieces, "]")
            }
            Shape::Named(name, parts) => {
                let mut pieces = form!("$ { ", *name);
                pieces.extend(list(g, parts, true));
                (pieces, "}")
            }
            Shape::Positional(name, parts) => {
                let mut pieces = form!("$(", *name);
                pieces.extend(list(g, parts, false));
                (pieces, ")")
            }
            Shape::Generic(name, of, len) => {
                let mut pieces = form!("$ { one: $, many: ", *name, g.expr(*of));
                pieces.extend(Shape::Array(Shape::Scalar(*of).into(), *len).value(g));
                (pieces, " }")
            }
        };
        pieces.push(end.into());
        pieces
    }

    /// Every part of a built-in type.
    pub fn leaves(&self) -> Vec<Leaf> {
        let of = |path: String, part: &Shape| -> Vec<Leaf> {
            let inner = part.leaves().into_iter();
            inner.map(|(rest, ty)| (path.clone() + &rest, ty)).collect()
        };
        match self {
            Shape::Scalar(scalar) => vec![(String::new(), *scalar)],
            Shape::Unit(_) => vec![],
            Shape::Tuple(parts) | Shape::Positional(_, parts) => {
                let parts = parts.iter().enumerate();
                parts.flat_map(|(n, part)| of(format!(".{n}"), part)).collect()
            }
            Shape::Named(_, parts) => {
                let parts = parts.iter().enumerate();
                parts.flat_map(|(n, part)| of(format!(".f{n}"), part)).collect()
            }
            Shape::Array(part, len) => (0..*len).flat_map(|n| of(format!("[{n}]"), part)).collect(),
            Shape::Generic(_, ty, len) => {
                let many = (0..*len).map(|n| (format!(".many[{n}]"), *ty));
                std::iter::once((".one".into(), *ty)).chain(many).collect()
            }
        }
    }
}

/// An aggregate whose outermost form is told by the row, with something of type `ty` in it.
fn shape(g: &mut Generator, row: Row, ty: Scalar, depth: usize) -> Shape {
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
        pieces.extend(form!(text, Piece::Bind(name)));
        for (n, part) in parts.iter().enumerate() {
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
            Shape::Named(define(g, row, "struct $ { ", &parts, true), parts)
        }
        Row::StructTuple => {
            let parts = parts(g);
            Shape::Positional(define(g, row, "struct $(", &parts, false), parts)
        }
        Row::StructGeneric => {
            let name = g.name("S");
            let mut pieces = vec![derive()];
            let text = "struct $<T, const N: usize> { one: T, many: [T; N] }";
            pieces.extend(form!(text, Piece::Bind(name)));
            g.items.push(Node::stmt(row, pieces));
            Shape::Generic(name, ty, 1 + g.random.below(4))
        }
        Row::StructUnit => {
            let name = g.name("S");
            let mut pieces = vec![derive()];
            pieces.extend(form!("struct $;", Piece::Bind(name)));
            g.items.push(Node::stmt(row, pieces));
            Shape::Tuple(vec![Shape::Unit(name), Shape::Scalar(ty)])
        }
        _ => Shape::Tuple(parts(g)),
    }
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
    let array = Shape::Array(Shape::Scalar(scalar).into(), len);
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
