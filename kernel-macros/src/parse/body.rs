//! What reads a body, and how its names are resolved.

use super::ast::*;
use super::capture::Captures;
use super::literal::Suffix;
use super::primitive::Known;
use crate::diagnostic::Errors;
use gridfn_ir::Access;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Lifetime, Type, UnOp};

/// The proof that an error was noted.
#[derive(Debug)]
pub(super) struct Refused;
pub(super) type Parsed<T> = Result<T, Refused>;

/// Reads one body.
#[derive(Default)]
pub(super) struct Parser {
    pub(super) errors: Errors,
    pub(super) holes: Holes,
    pub(super) items: Vec<syn::Item>,
    pub(super) annotations: Vec<(u16, Type)>,
    /// The type parameters that are numbers.
    pub(super) numbers: Vec<Ident>,
    /// What is known of the types of locals.
    pub(super) known: HashMap<u16, Known>,
    /// What a closure captures; a function captures nothing.
    pub(super) captures: Option<Captures>,
    /// The parameters of a kernel that are functions.
    pub(super) functions: HashMap<u16, Signature>,
    /// What is known of the results of a device function's parameters that are functions.
    pub(super) results: HashMap<u16, Known>,
    /// Whether the body returns a value, as that of a kernel does not.
    pub(super) returns: bool,
    /// Whether it is the body of a `#[kernel]`, and no closure's or device function's.
    pub(super) in_kernel: bool,
    /// Of a group function: the variable for each item's result, if there are results.
    pub(super) group: Option<Option<(u16, Ident)>>,
    /// What goes before the statement that is read, where all items of a group may call a function together; nothing
    /// where that may not be.
    pub(super) before: Option<Vec<Statement>>,
    /// Variables that hold a part of a `&mut [T]`, and are declared without `mut`. What they hold on the host is
    /// declared with it.
    pub(super) parts: HashSet<u16>,
    pub(super) locals: Vec<Local>,
    scopes: Vec<HashMap<String, u16>>,
    pub(super) labels: Vec<Target>,
    pub(super) label_count: u16,
}

/// A parameter or variable.
pub(super) struct Local {
    pub(super) kind: LocalKind,
    /// Whether a parameter whose type only rustc knows is declared `mut`. On the host it is in any case.
    pub(super) mutable: bool,
    /// Where its name is bound, and in which hygiene.
    span: Span,
}

/// What a name of the body stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LocalKind {
    Value,
    Slice(Access),
    /// A parameter whose type only rustc knows: it may have parts and elements.
    Argument,
}

/// What `break` and `continue` may name.
pub(super) struct Target {
    pub(super) label: Option<Lifetime>,
    pub(super) number: u16,
    pub(super) kind: LabelKind,
}

/// What a label is on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LabelKind {
    Loop,
    Block,
}

impl Parser {
    /// Notes an error at `at`.
    pub(super) fn refuse<T>(&mut self, at: impl ToTokens, message: impl std::fmt::Display) -> Parsed<T> {
        self.errors.at(at, message);
        Err(Refused)
    }

    /// Notes an error of syntax.
    pub(super) fn refuse_with<T>(&mut self, error: syn::Error) -> Parsed<T> {
        self.errors.push(error);
        Err(Refused)
    }

    /// Binds a name in the innermost scope.
    pub(super) fn bind(&mut self, name: &Ident, kind: LocalKind) -> u16 {
        let local = self.declare(name.span(), kind);
        self.name(name, local);
        local
    }

    /// Gives a local a name in the innermost scope.
    pub(super) fn name(&mut self, name: &Ident, local: u16) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), local);
        }
    }

    /// A local that no name of a scope leads to.
    pub(super) fn declare(&mut self, span: Span, kind: LocalKind) -> u16 {
        self.locals.push(Local {
            kind,
            mutable: false,
            span,
        });
        self.locals.len() as u16 - 1
    }

    /// Runs `f` with a new innermost scope.
    pub(super) fn scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let value = f(self);
        self.scopes.pop();
        value
    }

    /// The local that `name` means, and the name with its binding's hygiene.
    ///
    /// Spans cannot be compared, so names are resolved by their text; a `macro_rules!` can write two names of one text
    /// that rustc keeps apart. With the binding's hygiene rustc resolves each use to the binding that was found here, and
    /// the proofs on this tree hold for the host version too.
    pub(super) fn resolve(&self, name: &Ident) -> Option<(u16, Ident)> {
        let text = name.to_string();
        let local = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(&text).copied())?;
        Some((local, bound(name, self.locals[local as usize].span)))
    }

    /// Reads what is not evaluated in any case, so that no group function can be called in it.
    pub(super) fn conditional<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.before.take();
        let value = f(self);
        self.before = before;
        value
    }

    pub(super) fn type_hole(&mut self, hole: TypeHole) -> u16 {
        self.holes.types.push(hole);
        self.holes.types.len() as u16 - 1
    }

    pub(super) fn link(&mut self, link: LinkHole) -> u16 {
        self.holes.links.push(link);
        self.holes.links.len() as u16 - 1
    }

    pub(super) fn boxed(&mut self, e: &syn::Expr) -> Parsed<Box<Expr>> {
        self.expr(e).map(Box::new)
    }

    /// An expression.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let span = e.span();
        let kind = match e {
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => {
                return self.place(e, Mode::Value);
            }
            syn::Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => return self.place(e, Mode::Value),
            syn::Expr::Lit(e) => ExprKind::Literal(self.literal(&e.lit, None, Suffix::Inferred)?),
            syn::Expr::Paren(e) => ExprKind::Paren(e.paren_token, self.boxed(&e.expr)?),
            // What a `macro_rules!` took as one expression stays one, as if it stood in parentheses.
            syn::Expr::Group(e) => ExprKind::Paren(Paren(e.group_token.span), self.boxed(&e.expr)?),
            syn::Expr::Binary(e) => self.binary(e)?,
            syn::Expr::Unary(e) => self.unary(e)?,
            syn::Expr::Cast(e) => self.cast(e)?,
            syn::Expr::Assign(e) => self.assign(e)?,
            syn::Expr::Reference(e) => self.reference(e)?,
            syn::Expr::Tuple(e) => self.tuple(e)?,
            syn::Expr::Array(e) => ExprKind::Array(e.bracket_token, self.list(&e.elems)?),
            syn::Expr::Repeat(e) => self.repeat(e)?,
            syn::Expr::Struct(e) => self.struct_(e)?,
            syn::Expr::MethodCall(e) => self.method(e)?,
            syn::Expr::Call(e) => self.call(e)?,
            other => return self.control(other),
        };
        Ok(Expr { kind, span })
    }

    /// Expressions, all of which are read, so that all mistakes are told at once.
    pub(super) fn list<'e>(&mut self, all: impl IntoIterator<Item = &'e syn::Expr>) -> Parsed<Vec<Expr>> {
        let all: Vec<_> = all.into_iter().map(|e| self.expr(e)).collect();
        all.into_iter().collect()
    }

    /// Whether a name of the body is taken by a hoisted item.
    pub(super) fn hoist(&mut self, item: &syn::Item, name: Option<&Ident>) -> Parsed<()> {
        let taken = |i: &syn::Item| match i {
            syn::Item::Const(c) => Some(&c.ident) == name,
            syn::Item::Static(s) => Some(&s.ident) == name,
            _ => false,
        };
        if let Some(name) = name
            && self.items.iter().any(taken)
        {
            return self.refuse(
                name,
                format!("a kernel has one constant `{name}` only: give the second its own name"),
            );
        }
        self.items.push(item.clone());
        Ok(())
    }
}

/// The expression inside parentheses and invisible groups.
pub(super) fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(e) => bare(&e.expr),
        syn::Expr::Group(e) => bare(&e.expr),
        e => e,
    }
}

/// `name` with the hygiene of its binding.
pub(super) fn bound(name: &Ident, binding: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().resolved_at(binding));
    name
}

/// The span of a whole statement or expression, for nodes that `syn` gives none.
pub(super) fn span_of(tokens: impl ToTokens) -> Span {
    tokens.to_token_stream().span()
}
