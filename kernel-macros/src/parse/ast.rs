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
use syn::{Attribute, Generics, Label, Lifetime, Member, Path, Token, Type, Visibility};

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
    /// Of a closure that is passed to a kernel: how many of its parameters, the first ones, are captures. To the
    /// kernel they are one, a struct.
    pub environment: Option<usize>,
}

/// A parameter.
pub(crate) struct Param {
    pub name: Ident,
    pub mutability: Option<Token![mut]>,
    pub kind: ParamKind,
    /// As written.
    pub ty: Type,
}

impl Param {
    /// Its name in messages and in code for people.
    pub(crate) fn shown(&self) -> String {
        let name = self.name.to_string();
        match self.kind {
            ParamKind::Capture(_) => name.strip_prefix(super::PREFIX).unwrap_or(&name).to_string(),
            ParamKind::Value
            | ParamKind::Slice { .. }
            | ParamKind::Argument
            | ParamKind::Tuple(_)
            | ParamKind::Function(_) => name,
        }
    }
}

/// What a parameter is, as far as its syntax tells.
pub(crate) enum ParamKind {
    /// A built-in type or a type parameter.
    Value,
    /// `&[T]`, `&mut [T]`
    Slice { element: Type, access: Access },
    /// A type that only rustc knows: a struct of arguments, an array, an alias.
    Argument,
    /// `(A, B, …)`, of which each part is passed as if it were a parameter.
    Tuple(Vec<Part>),
    /// What a closure captured.
    Capture(Mode),
    /// A function: its type parameter, its bound's arguments and result.
    Function(Signature),
}

/// `F: Fn(A, B) -> R`
#[derive(Clone)]
pub(crate) struct Signature {
    pub name: Ident,
    pub arguments: Vec<Type>,
    pub result: Type,
}

/// A part of a tuple parameter.
pub(crate) struct Part {
    pub ty: Type,
    pub kind: ParamKind,
}

/// How a closure's body uses what it captured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mode {
    /// As a value.
    Value,
    /// Its elements or length.
    Shared,
    /// It writes elements.
    Unique,
}

impl ParamKind {
    /// The part of a tuple to which the fields lead, as far as the syntax tells.
    pub(crate) fn part(&self, fields: &[(Token![.], Member)]) -> Option<&ParamKind> {
        let Some(((_, member), rest)) = fields.split_first() else {
            return Some(self);
        };
        match (self, member) {
            (ParamKind::Tuple(parts), Member::Unnamed(n)) => parts.get(n.index as usize)?.kind.part(rest),
            _ => None,
        }
    }

    /// How the body may use the elements, as far as the syntax tells.
    pub(crate) fn access(&self) -> Option<Access> {
        match self {
            ParamKind::Slice { access, .. } => Some(*access),
            ParamKind::Capture(Mode::Shared) => Some(Access::Shared),
            ParamKind::Capture(Mode::Unique) => Some(Access::Unique),
            ParamKind::Value
            | ParamKind::Argument
            | ParamKind::Tuple(_)
            | ParamKind::Function(_)
            | ParamKind::Capture(Mode::Value) => None,
        }
    }
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
    /// A function that the kernel takes as a parameter.
    Parameter(Signature),
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
    /// `a.b`, a part of a parameter, used as a value.
    Field(PlacePath),
    Method(Method),
    Call(Call),
    /// `f(x)`, where `f` is a parameter.
    CallParam(CallParam),
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
    pub base: PlacePath,
    pub bracket: Bracket,
    pub index: Box<Expr>,
    /// The index as written, for errors that concern all of it.
    pub source: syn::Expr,
}

/// A parameter, or a part of one: `x`, `f.u`, `t.0`.
pub(crate) struct PlacePath {
    pub local: u16,
    pub name: Ident,
    pub fields: Vec<(Token![.], Member)>,
}

impl PlacePath {
    /// As in the source.
    pub(crate) fn text(&self) -> String {
        let name = self.name.to_string();
        let mut text = name.strip_prefix(super::PREFIX).unwrap_or(&name).to_string();
        for (_, member) in &self.fields {
            text.push('.');
            text.push_str(&member_name(member));
        }
        text
    }
}

/// The name of a field, or its number in a tuple.
pub(crate) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => {
            let name = name.to_string();
            name.strip_prefix("r#").unwrap_or(&name).to_string()
        }
        Member::Unnamed(n) => n.index.to_string(),
    }
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

pub(crate) struct CallParam {
    pub local: u16,
    pub name: Ident,
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
