//! Places: variables, parameters, their fields and elements, what references lead to, and what a closure captures.

use super::aggregate::is_unit;
use super::ast::*;
use super::body::{LocalKind, Parsed, Parser, bare, span_of};
use super::capture::is_place;
use gridfn_ir::{Access, Method as BuiltIn};
use proc_macro2::{Ident, Span};
use syn::UnOp;
use syn::spanned::Spanned;
use syn::token::Paren;

impl Parser {
    /// What the closure captures at `place`, and the parameter that stands for it.
    ///
    /// A capture that was not known before this reading of the body is noted for the next, which then has the
    /// parameter; till then it stands for a variable of the body.
    fn capture(&mut self, place: &syn::Expr, mode: Mode) -> ExprKind {
        let span = span_of(place);
        let Some(captures) = &mut self.captures else {
            unreachable!("only closures capture");
        };
        let known = captures.note(place, mode);
        let name = captures.name(known, span);
        let first_reading = known >= captures.bound;
        let local = if first_reading {
            self.declare(span, LocalKind::Argument)
        } else {
            known as u16
        };
        ExprKind::Local(local, name)
    }

    /// Numbers the parameters of the captures that are known, from 0. The body's names lead to them by
    /// [`Parser::capture`], not by scope, so that each use is noted.
    pub(super) fn declare_captures(&mut self, span: Span) {
        let known = self.captures.iter().flat_map(|c| &c.all[..c.bound]);
        let kinds: Vec<_> = known.map(|c| ParamKind::Capture(c.mode).access()).collect();
        for access in kinds {
            self.declare(span, access.map_or(LocalKind::Value, LocalKind::Slice));
        }
    }

    fn is_capture(&self, local: u16) -> bool {
        self.captures
            .as_ref()
            .is_some_and(|c| usize::from(local) < c.bound)
    }

    /// The local at the root of a place.
    fn root(&self, e: &syn::Expr) -> Option<(u16, Ident)> {
        match bare(e) {
            syn::Expr::Path(p) => p.path.get_ident().and_then(|name| self.resolve(name)),
            syn::Expr::Field(f) => self.root(&f.base),
            syn::Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.root(&u.expr),
            _ => None,
        }
    }

    /// Whether the closure captures this place.
    fn is_captured(&self, e: &syn::Expr) -> bool {
        let names_a_value = !matches!(e, syn::Expr::Path(p) if is_unit(&p.path));
        self.captures.is_some() && names_a_value && is_place(e) && self.root(e).is_none()
    }

    /// An expression that may be a place, of which a closure's capture is used by `mode`.
    pub(super) fn place(&mut self, e: &syn::Expr, mode: Mode) -> Parsed<Expr> {
        let span = e.span();
        let kind = match e {
            syn::Expr::Paren(e) => ExprKind::Paren(e.paren_token, Box::new(self.place(&e.expr, mode)?)),
            syn::Expr::Group(e) => {
                let paren = Paren(e.group_token.span);
                ExprKind::Paren(paren, Box::new(self.place(&e.expr, mode)?))
            }
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|name| self.resolve(name)) {
                Some((local, name)) => ExprKind::Local(local, name),
                None if self.is_captured(e) => self.capture(e, mode),
                None if is_unit(&p.path) => {
                    self.unqualified(p.qself.as_ref())?;
                    self.construct(p.path.clone(), Form::Unit)
                }
                None => ExprKind::Constant(self.constant(p), p.clone()),
            },
            syn::Expr::Field(_) if self.is_captured(e) => self.capture(e, mode),
            syn::Expr::Field(f) => {
                let base = Box::new(self.place(&f.base, mode)?);
                ExprKind::Field(base, f.dot_token, f.member.clone())
            }
            syn::Expr::Index(i) => self.index(i, mode)?,
            syn::Expr::Unary(u) => match u.op {
                UnOp::Deref(_) if self.is_captured(e) => self.capture(e, mode),
                UnOp::Deref(star) => ExprKind::Deref(star, Box::new(self.place(&u.expr, mode)?)),
                _ => return self.expr(e),
            },
            e => return self.expr(e),
        };
        Ok(Expr { kind, span })
    }

    fn index(&mut self, e: &syn::ExprIndex, mode: Mode) -> Parsed<ExprKind> {
        let base = self.place(&e.expr, mode.max(Mode::Shared));
        if let syn::Expr::Range(range) = bare(&e.index) {
            let start = range.start.as_ref().map(|e| self.boxed(e)).transpose();
            let end = range.end.as_ref().map(|e| self.boxed(e)).transpose();
            return Ok(ExprKind::Subslice(Subslice {
                base: Box::new(base?),
                start: start?,
                limits: range.limits,
                end: end?,
                source: syn::Expr::Index(e.clone()),
            }));
        }
        let index = self.boxed(&e.index);
        Ok(ExprKind::Index(Index {
            base: Box::new(base?),
            bracket: e.bracket_token,
            index: index?,
            source: (*e.index).clone(),
        }))
    }

    /// What a method is called on.
    pub(super) fn receiver(&mut self, e: &syn::ExprMethodCall) -> Parsed<Box<Expr>> {
        let of_slices = |m: &BuiltIn| m.class() == gridfn_ir::Class::Slice;
        let name = e.method.to_string();
        let access = super::call::of_slices(e).or_else(|| super::iterator::source(&name));
        let mode = match access {
            Some(Access::Unique) => Mode::Unique,
            Some(Access::Shared) => Mode::Shared,
            None if BuiltIn::ALL.iter().any(|m| of_slices(m) && e.method == m.name()) => Mode::Shared,
            None => Mode::Value,
        };
        self.place(&e.receiver, mode).map(Box::new)
    }

    /// A place that is written, or may be.
    pub(super) fn unique(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let place = self.place(e, Mode::Unique)?;
        let Some(FieldPath { local, name, .. }) = place.path() else {
            return Ok(place);
        };
        if self.is_capture(local) {
            return self.refuse(
                e,
                "each work-item has its own copy of what a closure captured, and none can be written back: write to an \
                 element of a buffer",
            );
        }
        let root = &self.locals[usize::from(local)];
        match root.kind {
            LocalKind::Argument if !root.mutable => {
                let message = format!("`{name}` is not declared as mutable: write `mut {name}`");
                self.refuse(e, message)
            }
            LocalKind::Slice(_) if !self.returns => self.refuse(
                e,
                "a kernel assigns to its own variables and to elements of `&mut [T]` only",
            ),
            LocalKind::Slice(_) | LocalKind::Argument | LocalKind::Value => Ok(place),
        }
    }

    /// What a pattern is matched with.
    pub(super) fn matched(&mut self, e: &syn::Expr, pattern: &Pattern) -> Parsed<Expr> {
        if pattern.borrows_uniquely() {
            self.unique(e)
        } else {
            self.place(e, Mode::Value)
        }
    }

    pub(super) fn reference(&mut self, e: &syn::ExprReference) -> Parsed<ExprKind> {
        let place = match &e.mutability {
            Some(_) => self.unique(&e.expr),
            None => self.place(&e.expr, Mode::Value),
        };
        Ok(ExprKind::Reference(e.and_token, e.mutability, Box::new(place?)))
    }
}
