//! Random code as a tree: text with holes, typed where the holes are.
//!
//! No form of the language has a variant of its own. A [`Node`] is an expression or statement whose text is made of
//! [`Piece`]s, other nodes among them, so that printing, shrinking and counting need to know nothing of a new form.

use crate::rows::Row;
use crate::shape::Shape;
use crate::types::{Bound, Type};

/// A variable, constant, function or label: an index into [`Kernel::names`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Name(pub usize);

/// For whom text is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The attribute.
    Kernel,
    /// Plain rustc.
    Oracle,
}

/// A part of a node's text.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Itself.
    Text(String),
    /// Where plain Rust must say it in another way.
    Sides {
        /// The kernel's.
        kernel: String,
        /// Plain Rust's.
        oracle: String,
    },
    /// An expression.
    Node(Box<Node>),
    /// Statements, each of which could be left out.
    Body(Vec<Node>),
    /// A name, where it begins to mean something.
    Bind(Name),
    /// A name, where it is used.
    Use(Name),
    /// Uses a name without printing it: a `break` of the innermost loop.
    Silent(Name),
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.into())
    }
}
impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}
impl From<&Type> for Piece {
    fn from(ty: &Type) -> Piece {
        Piece::Text(ty.name())
    }
}
impl From<gridfn_ir::Scalar> for Piece {
    fn from(ty: gridfn_ir::Scalar) -> Piece {
        Piece::Text(ty.name().into())
    }
}
impl From<Node> for Piece {
    fn from(node: Node) -> Piece {
        Piece::Node(Box::new(node))
    }
}
impl From<Vec<Node>> for Piece {
    fn from(body: Vec<Node>) -> Piece {
        Piece::Body(body)
    }
}
/// A name alone is a use of it.
impl From<Name> for Piece {
    fn from(name: Name) -> Piece {
        Piece::Use(name)
    }
}

/// The pieces of a text in which each `$` stands for the next argument.
#[macro_export]
macro_rules! form {
    ($template:expr $(, $argument:expr)* $(,)?) => {
        $crate::ast::pieces(&$template, vec![$($crate::ast::Piece::from($argument)),*])
    };
}

/// What [`form!`] gives.
///
/// # Panics
///
/// If there are not as many arguments as holes.
pub fn pieces(template: &str, arguments: Vec<Piece>) -> Vec<Piece> {
    assert_eq!(template.matches('$').count(), arguments.len(), "{template}");
    let mut pieces = Vec::new();
    let mut arguments = arguments.into_iter();
    for (n, text) in template.split('$').enumerate() {
        if n > 0 {
            pieces.extend(arguments.next());
        }
        if !text.is_empty() {
            pieces.push(text.into());
        }
    }
    pieces
}

/// An expression or a statement.
#[derive(Clone, Debug)]
pub struct Node {
    /// The row of the language that it is an example of; none for what only holds others.
    pub row: Option<Row>,
    /// The type of an expression; statements have none.
    pub ty: Option<Type>,
    /// Its text.
    pub pieces: Vec<Piece>,
}

impl Node {
    /// An expression. Its text must stand anywhere: in parentheses, where it is not atomic.
    pub fn expr(row: Row, ty: impl Into<Type>, pieces: Vec<Piece>) -> Node {
        Node {
            row: Some(row),
            ty: Some(ty.into()),
            pieces,
        }
    }

    /// A statement or an item.
    pub fn stmt(row: Row, pieces: Vec<Piece>) -> Node {
        Node {
            row: Some(row),
            ty: None,
            pieces,
        }
    }

    /// An expression that is no example of anything.
    pub fn plain(ty: impl Into<Type>, pieces: Vec<Piece>) -> Node {
        Node {
            row: None,
            ty: Some(ty.into()),
            pieces,
        }
    }

    /// The number of nodes in it.
    pub fn size(&self) -> usize {
        let of = |piece: &Piece| match piece {
            Piece::Node(node) => node.size(),
            Piece::Body(body) => body.iter().map(Node::size).sum(),
            Piece::Text(_) | Piece::Sides { .. } | Piece::Bind(_) | Piece::Use(_) | Piece::Silent(_) => 0,
        };
        1 + self.pieces.iter().map(of).sum::<usize>()
    }

    /// Calls `f` with each node, this one first.
    pub fn visit(&self, f: &mut impl FnMut(&Node)) {
        f(self);
        for piece in &self.pieces {
            match piece {
                Piece::Node(node) => node.visit(f),
                Piece::Body(body) => body.iter().for_each(|node| node.visit(f)),
                Piece::Text(_) | Piece::Sides { .. } | Piece::Bind(_) | Piece::Use(_) | Piece::Silent(_) => {}
            }
        }
    }
}

/// A parameter, or a field of a struct of parameters.
#[derive(Clone, Debug)]
pub struct Param {
    /// The row that it is an example of.
    pub row: Row,
    /// Its name.
    pub name: Name,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// What it is.
    pub role: Role,
}

/// What a parameter is.
#[derive(Clone, Debug)]
pub enum Role {
    /// `&[T]`, of a type and with a length.
    Slice(Shape, usize),
    /// A value.
    Value(Shape),
    /// `&mut [T]`, and how many units in the last place it may differ by.
    Output(Shape, Option<u32>),
    /// `&[AtomicU32]` and kin, of a type and with a length.
    Atomics(gridfn_ir::Scalar, usize),
    /// A struct of parameters, by its name.
    Struct(String, Vec<Param>),
    /// A function of two parameters, and what a launch passes as it.
    Function([gridfn_ir::Scalar; 2], gridfn_ir::Scalar, Node),
    /// A const parameter, and its value.
    Const(gridfn_ir::Scalar, Node),
}

/// A random kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// What it was made from, and what its inputs are made from.
    pub seed: u64,
    /// All names in it.
    pub names: Vec<String>,
    /// The type parameter, and the type that stands for it.
    pub generic: Option<(Bound, gridfn_ir::Scalar)>,
    /// Whether it is a closure, which captures what else would be its parameters.
    pub is_closure: bool,
    /// The size of its groups, if the attribute says it.
    pub local: Option<usize>,
    /// Functions and constants.
    pub items: Vec<Node>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The statements.
    pub body: Vec<Node>,
}

impl Kernel {
    /// Calls `f` with each node.
    pub fn visit(&self, f: &mut impl FnMut(&Node)) {
        self.items.iter().chain(&self.body).for_each(|node| node.visit(f));
        for param in &self.params {
            if let Role::Function(_, _, node) | Role::Const(_, node) = &param.role {
                node.visit(f);
            }
        }
    }

    /// The number of nodes, and of parameters.
    pub fn size(&self) -> usize {
        let nodes = self.items.iter().chain(&self.body).map(Node::size);
        nodes.sum::<usize>() + self.params.iter().map(Param::size).sum::<usize>()
    }

    /// The rows that it is an example of; a row comes as often as it is used.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.visit(&mut |node| rows.extend(node.row));
        self.params
            .iter()
            .for_each(|param| param.visit(&mut |param| rows.push(param.row)));
        rows.extend(self.generic.map(|_| Row::GenericKernel));
        rows.extend(self.is_closure.then_some(Row::ClosureKernel));
        rows.extend(self.local.map(|_| Row::FixedLocal));
        rows
    }
}

impl Param {
    fn size(&self) -> usize {
        match &self.role {
            Role::Struct(_, fields) => 1 + fields.iter().map(Param::size).sum::<usize>(),
            Role::Function(_, _, node) | Role::Const(_, node) => 1 + node.size(),
            Role::Slice(..) | Role::Value(_) | Role::Output(..) | Role::Atomics(..) => 1,
        }
    }

    /// Calls `f` with it and its fields.
    pub fn visit(&self, f: &mut impl FnMut(&Param)) {
        f(self);
        if let Role::Struct(_, fields) = &self.role {
            fields.iter().for_each(|field| field.visit(f));
        }
    }
}
