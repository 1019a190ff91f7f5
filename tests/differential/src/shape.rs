//! Types that consist of others: what random code computes with, and what its buffers and arguments hold.
//!
//! A type of the user's is two types, the kernel's and plain Rust's. The harness knows neither: it makes and compares
//! [models](Shape::model), which are tuples and arrays, and is told how each of the two is made of one.

use crate::ast::{Name, Piece};
use crate::form;
use crate::generator::Generator;
use crate::types::Bound;
use gridfn_ir::Scalar;

/// A small vector of `gridfn::vector`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vector {
    /// Its name.
    pub name: &'static str,
    /// The type of its components.
    pub of: Scalar,
    /// How many it has.
    pub len: usize,
}

/// Every small vector.
pub const VECTORS: [Vector; 13] = {
    const fn vector(name: &'static str, of: Scalar, len: usize) -> Vector {
        Vector { name, of, len }
    }
    [
        vector("F32x2", Scalar::F32, 2),
        vector("F32x3", Scalar::F32, 3),
        vector("F32x4", Scalar::F32, 4),
        vector("F64x2", Scalar::F64, 2),
        vector("F64x3", Scalar::F64, 3),
        vector("F64x4", Scalar::F64, 4),
        vector("I32x2", Scalar::I32, 2),
        vector("I32x3", Scalar::I32, 3),
        vector("I32x4", Scalar::I32, 4),
        vector("U32x2", Scalar::U32, 2),
        vector("U32x3", Scalar::U32, 3),
        vector("U32x4", Scalar::U32, 4),
        vector("U8x4", Scalar::U8, 4),
    ]
};

/// The names of a vector's components.
pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// A type, or the type of a part of one.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A built-in type.
    Scalar(Scalar),
    /// The type parameter of the kernel.
    T(Bound),
    /// `(A, B)`
    Tuple(Vec<Shape>),
    /// `[A; N]`
    Array(Box<Shape>, usize),
    /// `struct S { f0: A }`
    Named(Name, Vec<Shape>),
    /// `struct S(A);`
    Positional(Name, Vec<Shape>),
    /// `struct S<T, const N: usize> { one: T, many: [T; N] }`, of a type and a number.
    Generic(Name, Scalar, usize),
    /// `struct S;`
    Unit(Name),
    /// `enum E { Aa, Bb(A), Cc { f0: B, f1: C }, Dd(D) }`
    Enum(Name, [Scalar; 4]),
    /// A small vector.
    Vector(Vector),
}

/// A part of an aggregate that is of a built-in type: its path, and its type.
pub type Leaf = (String, Scalar);

impl Shape {
    /// `[ty; len]`
    pub fn array(ty: Scalar, len: usize) -> Shape {
        Shape::Array(Shape::Scalar(ty).into(), len)
    }

    /// Its name as pieces.
    pub fn ty(&self) -> Vec<Piece> {
        match self {
            Shape::Scalar(scalar) => form!("$", *scalar),
            Shape::T(_) => form!("T"),
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
            Shape::Named(name, _) | Shape::Positional(name, _) | Shape::Unit(name) | Shape::Enum(name, _) => {
                form!("$", *name)
            }
            Shape::Generic(name, of, len) => form!(format!("$<$, {len}>"), *name, *of),
            Shape::Vector(vector) => form!(vector.name),
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
            Shape::T(bound) => return form!("$", g.expr(crate::types::Type::T(*bound))),
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
                pieces.extend(Shape::array(*of, *len).value(g));
                (pieces, " }")
            }
            Shape::Enum(name, of) => {
                return match g.random.below(4) {
                    0 => form!("$::Aa", *name),
                    1 => form!("$::Bb($)", *name, g.expr(of[0])),
                    2 => form!("$::Cc { f1: $, f0: $ }", *name, g.expr(of[2]), g.expr(of[1])),
                    _ => form!("$::Dd($)", *name, g.expr(of[3])),
                };
            }
            Shape::Vector(vector) if g.random.chance(20) => {
                return form!(format!("{}::splat($)", vector.name), g.expr(vector.of));
            }
            Shape::Vector(vector) => {
                let mut pieces = form!(format!("{}::new(", vector.name));
                pieces.extend(list(g, &vec![Shape::Scalar(vector.of); vector.len], false));
                (pieces, ")")
            }
        };
        pieces.push(end.into());
        pieces
    }

    /// Every part of a built-in type; of an enum none, because which it has is not known.
    pub fn leaves(&self) -> Vec<Leaf> {
        let of = |path: String, part: &Shape| -> Vec<Leaf> {
            let inner = part.leaves().into_iter();
            inner.map(|(rest, ty)| (path.clone() + &rest, ty)).collect()
        };
        match self {
            Shape::Scalar(scalar) => vec![(String::new(), *scalar)],
            Shape::Unit(_) | Shape::Enum(..) | Shape::T(_) => vec![],
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
            Shape::Vector(vector) => COMPONENTS[..vector.len]
                .iter()
                .map(|component| (format!(".{component}"), vector.of))
                .collect(),
        }
    }

    /// Whether it has a type of the user's or of gridfn's in it, so that it is another type in plain Rust.
    pub fn is_two_types(&self) -> bool {
        match self {
            Shape::Scalar(_) | Shape::T(_) => false,
            Shape::Tuple(parts) => parts.iter().any(Shape::is_two_types),
            Shape::Array(part, _) => part.is_two_types(),
            Shape::Named(..)
            | Shape::Positional(..)
            | Shape::Generic(..)
            | Shape::Unit(_)
            | Shape::Enum(..)
            | Shape::Vector(_) => true,
        }
    }

    /// The type that the harness has in its place; `t` stands for the type parameter.
    pub fn model(&self, t: &str) -> String {
        let tuple = |parts: &[Shape]| {
            let parts: Vec<String> = parts.iter().map(|part| part.model(t) + ", ").collect();
            format!("({})", parts.concat())
        };
        match self {
            Shape::Scalar(scalar) => scalar.name().into(),
            Shape::T(_) => t.into(),
            Shape::Tuple(parts) | Shape::Named(_, parts) | Shape::Positional(_, parts) => tuple(parts),
            Shape::Array(part, len) => format!("[{}; {len}]", part.model(t)),
            Shape::Generic(_, of, len) => format!("({0}, [{0}; {len}])", of.name()),
            Shape::Unit(_) => "()".into(),
            Shape::Enum(_, of) => format!("(u8, {})", of.map(Scalar::name).join(", ")),
            Shape::Vector(vector) => format!("[{}; {}]", vector.of.name(), vector.len),
        }
    }

    /// What the model `m` stands for, an expression; `name` tells paths.
    pub fn of_model(&self, m: &str, name: &dyn Fn(Name) -> String, vectors: &str) -> String {
        let list = |parts: &[Shape], named: bool| -> String {
            let part = |(n, part): (usize, &Shape)| {
                let field = if named { format!("f{n}: ") } else { String::new() };
                field + &part.of_model(&format!("{m}.{n}"), name, vectors) + ", "
            };
            parts.iter().enumerate().map(part).collect()
        };
        match self {
            Shape::Scalar(_) | Shape::T(_) => m.into(),
            Shape::Tuple(parts) => format!("({})", list(parts, false)),
            Shape::Array(part, _) => format!("{m}.map(|m| {})", part.of_model("m", name, vectors)),
            Shape::Named(of, parts) => format!("{} {{ {} }}", name(*of), list(parts, true)),
            Shape::Positional(of, parts) => format!("{}({})", name(*of), list(parts, false)),
            Shape::Generic(of, ..) => format!("{} {{ one: {m}.0, many: {m}.1 }}", name(*of)),
            Shape::Unit(of) => name(*of),
            Shape::Enum(of, _) => {
                let of = name(*of);
                format!(
                    "match {m}.0 % 4 {{ 0 => {of}::Aa, 1 => {of}::Bb({m}.1), 2 => {of}::Cc {{ f0: {m}.2, f1: {m}.3 }}, \
                     _ => {of}::Dd({m}.4) }}"
                )
            }
            Shape::Vector(vector) => format!("{vectors}{}::from_array({m})", vector.name),
        }
    }

    /// The model of the value `v`, an expression.
    pub fn to_model(&self, v: &str, name: &dyn Fn(Name) -> String) -> String {
        let list = |parts: &[Shape], prefix: &str| -> String {
            let part = |(n, part): (usize, &Shape)| part.to_model(&format!("{v}.{prefix}{n}"), name) + ", ";
            format!("({})", parts.iter().enumerate().map(part).collect::<String>())
        };
        match self {
            Shape::Scalar(_) | Shape::T(_) => v.into(),
            Shape::Tuple(parts) | Shape::Positional(_, parts) => list(parts, ""),
            Shape::Named(_, parts) => list(parts, "f"),
            Shape::Array(part, _) => format!("{v}.map(|v| {})", part.to_model("v", name)),
            Shape::Generic(..) => format!("({v}.one, {v}.many)"),
            Shape::Unit(_) => "()".into(),
            Shape::Enum(of, _) => {
                let (of, none) = (name(*of), "Default::default()");
                format!(
                    "match {v} {{ {of}::Aa => (0, {none}, {none}, {none}, {none}), \
                     {of}::Bb(a) => (1, a, {none}, {none}, {none}), \
                     {of}::Cc {{ f0: b, f1: c }} => (2, {none}, b, c, {none}), \
                     {of}::Dd(d) => (3, {none}, {none}, {none}, d) }}"
                )
            }
            Shape::Vector(_) => format!("{v}.to_array()"),
        }
    }
}
