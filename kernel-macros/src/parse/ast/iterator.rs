//! Closures, and iterators with what uses them up.

use super::{Expr, Loop, Pattern};
use proc_macro2::Ident;
use syn::token::Paren;
use syn::{AngleBracketedGenericArguments, RangeLimits, Token, Type};

/// A closure in the body of a function.
pub(crate) struct ClosureExpr {
    pub open: Token![|],
    pub inputs: Vec<(Pattern, Option<(Token![:], Type)>)>,
    pub close: Token![|],
    pub output: Option<(Token![->], Type)>,
    pub body: Box<Expr>,
}

/// `f(a, b)`, where `f` is a local that a closure is bound to.
pub(crate) struct CallClosure {
    pub local: u16,
    pub name: Ident,
    pub paren: Paren,
    pub args: Vec<Expr>,
}

/// `for pattern in iterator { … }`
pub(crate) struct ForEach {
    pub head: Loop,
    pub token: Token![for],
    pub pattern: Pattern,
    pub in_token: Token![in],
    pub iterator: Iteration,
}

/// An iterator that is used up.
pub(crate) struct Consume {
    pub iterator: Iteration,
    pub dot: Token![.],
    pub name: Ident,
    pub turbofish: Option<AngleBracketedGenericArguments>,
    pub paren: Paren,
    pub consumer: Consumer,
}

/// What an iterator begins with, and what is done to it, in order.
pub(crate) struct Iteration {
    pub source: Source,
    pub steps: Vec<Step>,
}

pub(crate) enum Source {
    /// `a..b`
    Range {
        start: Box<Expr>,
        limits: RangeLimits,
        end: Box<Expr>,
    },
    /// `x.iter()`, `x.iter_mut()`
    Elements(Receiver),
    /// `&x`, `&mut x`
    Borrowed(Token![&], Option<Token![mut]>, Box<Expr>),
    /// An array, or a name that may be that of an array or of a slice.
    Whole(Box<Expr>),
    /// `x.chunks_exact(n)`, `x.chunks_exact_mut(n)`
    Chunks(Receiver, Box<Expr>),
    /// `x.windows(n)`
    Windows(Receiver, Box<Expr>),
}

/// `x.name(`
pub(crate) struct Receiver {
    pub of: Box<Expr>,
    pub dot: Token![.],
    pub name: Ident,
    pub paren: Paren,
}

impl Receiver {
    /// Whether the elements can be written.
    pub(crate) fn is_unique(&self) -> bool {
        self.name.to_string().ends_with("_mut")
    }
}

/// `.name(…)`
pub(crate) struct Step {
    pub dot: Token![.],
    pub name: Ident,
    pub paren: Paren,
    pub adaptor: Adaptor,
}

pub(crate) enum Adaptor {
    Rev,
    Enumerate,
    Copied,
    StepBy(Expr),
    Skip(Expr),
    Take(Expr),
    Map(ClosureExpr),
    Filter(ClosureExpr),
    Zip(Box<Iteration>),
}

pub(crate) enum Consumer {
    /// With the hole of the result's type.
    Sum(u16),
    Product(u16),
    Count,
    Min,
    Max,
    Last,
    Fold(Box<Expr>, ClosureExpr),
    Any(ClosureExpr),
    All(ClosureExpr),
    Find(ClosureExpr),
    Position(ClosureExpr),
    ForEach(ClosureExpr),
}
