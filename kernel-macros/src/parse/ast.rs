//! The body as we understood it, with the user's tokens still at hand.
//!
//! Two things are made from it: the tokens of the closure ([`crate::expand::closure`]) and the tree that devices
//! compile ([`crate::expand::tree`]). Both walk the same nodes, so they cannot disagree about what was written.

#![expect(
    clippy::large_enum_variant,
    reason = "a tree is small, and lives for one expansion"
)]

use gridfn_ir::tree::{BinaryOp, LazyOp, UnaryOp};
use gridfn_ir::{Access, Scalar};
use proc_macro2::{Ident, Span};
use syn::token::{Brace, Bracket, Paren};
use syn::{Attribute, Generics, Label, Lifetime, Path, Token, Type, Visibility};

/// A kernel or device function.
pub(crate) struct Function {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub unsafety: Option<Token![unsafe]>,
    pub name: Ident,
    pub generics: Generics,
    pub params: Vec<Param>,
    /// The type of the result; `None` for `()`.
    pub result: Option<Type>,
    pub body: Block,
    pub holes: Holes,
    /// The types of annotated `let`s.
    #[cfg_attr(
        not(feature = "aot"),
        expect(dead_code, reason = "rustc reads them; only filling ahead needs them")
    )]
    pub annotations: Vec<(u16, Type)>,
    /// `const` and `use` items of the body, which the constants of the instance may need.
    pub items: Vec<syn::Item>,
}

/// A parameter.
pub(crate) struct Param {
    pub name: Ident,
    pub mutability: Option<Token![mut]>,
    pub kind: ParamKind,
    /// As written.
    pub ty: Type,
}

/// What a parameter is, as far as its syntax tells.
pub(crate) enum ParamKind {
    Value,
    Slice { element: Type, access: Access },
}

/// Everything that rustc fills in.
#[derive(Default)]
pub(crate) struct Holes {
    pub types: Vec<TypeHole>,
    pub links: Vec<LinkHole>,
    pub constants: Vec<Path>,
}

/// Where a type comes from.
pub(crate) enum TypeHole {
    /// The type of a parameter, by its number.
    Param(usize),
    /// The type of the result.
    Result,
    /// A type that is written out, as behind `as`.
    Written(Type),
    /// A type that only inference knows.
    Inferred(Span),
}

/// Where a callee comes from.
pub(crate) enum LinkHole {
    /// `receiver.name(…)`; found by a probe.
    Method(Ident),
    /// `Type::name(…)`, a method of the table called by its path.
    Path(Path),
    /// An index function, called by its name.
    Index(Ident),
    /// A `#[device]` function.
    Function(Span),
}

/// Statements and a value.
pub(crate) struct Block {
    pub brace: Brace,
    pub statements: Vec<Statement>,
    pub tail: Option<Box<Expr>>,
}

pub(crate) enum Statement {
    Let(Let),
    Expr(Expr, Option<Token![;]>),
}

pub(crate) struct Let {
    pub attrs: Vec<Attribute>,
    pub token: Token![let],
    pub mutability: Option<Token![mut]>,
    /// `None` for `_`.
    pub binding: Option<(u16, Ident)>,
    pub ty: Option<(Token![:], Type)>,
    pub init: Option<(Token![=], Expr)>,
    /// The hole of a binding without initialiser.
    pub hole: Option<u16>,
    pub semi: Token![;],
}

/// An expression, and where it stands.
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

pub(crate) enum ExprKind {
    Literal(Literal),
    Unit(Paren),
    Local(u16, Ident),
    Constant(u16, Path),
    Paren(Paren, Box<Expr>),
    Binary(BinaryOp, syn::BinOp, Box<Expr>, Box<Expr>),
    Lazy(LazyOp, syn::BinOp, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, syn::UnOp, Box<Expr>),
    Cast(Cast),
    Assign(Place, Token![=], Box<Expr>),
    AssignOp(BinaryOp, syn::BinOp, Place, Box<Expr>),
    Index(Index),
    Method(Method),
    Call(Call),
    If(If),
    Block(Option<(u16, Label)>, Block),
    Unsafe(Token![unsafe], Block),
    While(Loop, Token![while], Box<Expr>),
    Loop(Loop, Token![loop]),
    For(Box<For>),
    Break(u16, Token![break], Option<Lifetime>, Option<Box<Expr>>),
    Continue(u16, Token![continue], Option<Lifetime>),
    Return(Token![return], Option<Box<Expr>>),
}

pub(crate) struct Literal {
    /// A `-` before it.
    pub minus: Option<Token![-]>,
    pub token: syn::Lit,
    pub value: LiteralValue,
    pub ty: LiteralType,
}

#[derive(Clone, Copy)]
pub(crate) enum LiteralValue {
    Bool(bool),
    Int(u64),
    Float { single: f32, double: f64 },
}

pub(crate) enum LiteralType {
    /// Told by the literal.
    Known(Scalar),
    /// Inferred: the number of the hole.
    Hole(u16),
    /// The literal stands right under `as`, and its type is that of the cast: it is emitted untouched.
    Cast,
}

pub(crate) struct Cast {
    pub operand: Box<Expr>,
    pub token: Token![as],
    pub ty: Type,
    pub hole: u16,
}

/// What can be assigned to.
pub(crate) enum Place {
    Local(u16, Ident),
    Index(Index),
    Discard(Token![_]),
}

pub(crate) struct Index {
    pub slice: u16,
    pub name: Ident,
    pub bracket: Bracket,
    pub index: Box<Expr>,
    /// The index as written, for errors that concern all of it.
    pub source: syn::Expr,
}

pub(crate) struct Method {
    pub receiver: Box<Expr>,
    pub dot: Token![.],
    pub name: Ident,
    pub paren: Paren,
    pub args: Vec<Expr>,
    pub link: u16,
}

pub(crate) struct Call {
    pub path: Path,
    pub paren: Paren,
    pub args: Vec<Expr>,
    pub link: u16,
}

pub(crate) struct If {
    pub token: Token![if],
    pub condition: Box<Expr>,
    pub then: Block,
    pub otherwise: Option<(Token![else], Box<Expr>)>,
}

/// What `while` and `loop` share.
pub(crate) struct Loop {
    pub number: u16,
    pub label: Option<Label>,
    pub body: Block,
}

pub(crate) struct For {
    pub head: Loop,
    pub token: Token![for],
    pub variable: Variable,
    pub in_token: Token![in],
    pub start: Expr,
    pub limits: syn::RangeLimits,
    pub end: Expr,
    pub ops: Vec<RangeOp>,
}

pub(crate) enum Variable {
    Named {
        local: u16,
        name: Ident,
        mutability: Option<Token![mut]>,
    },
    Wild(Token![_]),
}

pub(crate) enum RangeOp {
    Rev(Token![.], Ident),
    StepBy(Token![.], Ident, Expr),
}

impl Expr {
    /// The expression inside all parentheses.
    pub(crate) fn bare(&self) -> &Expr {
        match &self.kind {
            ExprKind::Paren(_, inner) => inner.bare(),
            _ => self,
        }
    }
}
