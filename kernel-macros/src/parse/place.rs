//! Places: parameters, their parts and elements, and what a closure captures.

use super::ast::*;
use super::body::{LocalKind, Parsed, Parser, bare, span_of};
use super::capture::is_place;
use gridfn_ir::Method as BuiltIn;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

impl Parser {
    /// What the closure captures at `place`, and the parameter that stands for it.
    ///
    /// A capture that was not known before this reading of the body is noted for the next, which then has the
    /// parameter; till then it stands for a variable of the body.
    pub(super) fn capture(&mut self, place: &syn::Expr, mode: Mode) -> (u16, Ident) {
        let span = span_of(place);
        let Some(captures) = &mut self.captures else {
            unreachable!("only closures capture");
        };
        let known = captures.note(place, mode);
        let name = captures.name(known, span);
        let first_reading = known >= captures.bound;
        if first_reading {
            (self.declare(span, LocalKind::Argument), name)
        } else {
            (known as u16, name)
        }
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

    /// The local at the root of a chain of fields.
    pub(super) fn root(&self, e: &syn::Expr) -> Option<(u16, Ident)> {
        match bare(e) {
            syn::Expr::Path(p) => p.path.get_ident().and_then(|name| self.resolve(name)),
            syn::Expr::Field(f) => self.root(&f.base),
            _ => None,
        }
    }

    /// The parameter that `e` leads to, or the part of one; in a closure, what it captures.
    fn path_of(&mut self, e: &syn::Expr, mode: Mode) -> Parsed<PlacePath> {
        match bare(e) {
            syn::Expr::Path(p) if p.qself.is_none() => {
                if let Some(name) = p.path.get_ident()
                    && let Some((local, name)) = self.resolve(name)
                {
                    let fields = vec![];
                    return Ok(PlacePath { local, name, fields });
                }
            }
            syn::Expr::Field(f) => {
                if let Some((local, name)) = self.root(&f.base) {
                    if self.locals[local as usize].kind != LocalKind::Argument {
                        let message = format!(
                            "`{name}` has no fields in a kernel: structs of values are not supported yet"
                        );
                        return self.refuse(e, message);
                    }
                    let mut path = self.path_of(&f.base, mode)?;
                    path.fields.push((f.dot_token, f.member.clone()));
                    return Ok(path);
                }
            }
            _ => {}
        }
        if self.captures.is_some() && is_place(e) {
            let (local, name) = self.capture(e, mode);
            let fields = vec![];
            return Ok(PlacePath { local, name, fields });
        }
        self.refuse(
            e,
            "in a kernel, only parameters and their parts have elements and fields; arrays and structs of the kernel's \
             own are not supported yet",
        )
    }

    /// A parameter or variable, used as a value.
    pub(super) fn local(&mut self, local: u16, name: Ident) -> Parsed<ExprKind> {
        match self.locals[local as usize].kind {
            LocalKind::Value => Ok(ExprKind::Local(local, name)),
            LocalKind::Argument => Ok(ExprKind::Field(PlacePath {
                local,
                name,
                fields: vec![],
            })),
            LocalKind::Slice(_) => {
                let help = format!("`{name}[i]` and `{name}.len()`");
                self.refuse(
                    name,
                    format!("in a kernel a slice is used by its elements and length: {help}"),
                )
            }
        }
    }

    /// A part of a parameter, used as a value.
    pub(super) fn field(&mut self, e: &syn::ExprField) -> Parsed<ExprKind> {
        match self.path_of(&syn::Expr::Field(e.clone()), Mode::Value)? {
            // A captured place is a parameter of its own.
            PlacePath { local, name, fields } if fields.is_empty() => self.local(local, name),
            path => Ok(ExprKind::Field(path)),
        }
    }

    pub(super) fn index(&mut self, e: &syn::ExprIndex, mode: Mode) -> Parsed<Index> {
        let base = self.path_of(&e.expr, mode);
        let index = self.boxed(&e.index);
        let (base, index) = (base?, index?);
        if self.locals[base.local as usize].kind == LocalKind::Value {
            return self.refuse(
                &e.expr,
                "only parameters are indexed in kernels; arrays of the kernel's own are not supported yet",
            );
        }
        Ok(Index {
            base,
            bracket: e.bracket_token,
            index,
            source: (*e.index).clone(),
        })
    }

    /// A slice or an argument may be a receiver, though it is no value.
    pub(super) fn receiver(&mut self, e: &syn::ExprMethodCall) -> Parsed<Box<Expr>> {
        let place = self.root(&e.receiver).is_some() || self.captures.is_some() && is_place(&e.receiver);
        if !place {
            return self.boxed(&e.receiver);
        }
        let of_slices = |m: &BuiltIn| m.class() == gridfn_ir::Class::Slice;
        let mode = if BuiltIn::ALL.iter().any(|m| of_slices(m) && e.method == m.name()) {
            Mode::Shared
        } else {
            Mode::Value
        };
        let path = self.path_of(&e.receiver, mode)?;
        let kind = if path.fields.is_empty() {
            ExprKind::Local(path.local, path.name)
        } else {
            ExprKind::Field(path)
        };
        let span = e.receiver.span();
        Ok(Box::new(Expr { kind, span }))
    }

    /// What stands left of an assignment.
    pub(super) fn place(&mut self, e: &syn::Expr) -> Parsed<Place> {
        match e {
            syn::Expr::Paren(e) => self.place(&e.expr),
            syn::Expr::Group(e) => self.place(&e.expr),
            syn::Expr::Infer(e) => Ok(Place::Discard(e.underscore_token)),
            syn::Expr::Index(e) => Ok(Place::Index(self.index(e, Mode::Unique)?)),
            syn::Expr::Path(e) => match self.path(e)? {
                ExprKind::Local(local, _) if self.is_capture(local) => self.refuse(
                    e,
                    "each work-item has its own copy of what a closure captured, and none can be written back: write to \
                     an element of a buffer",
                ),
                ExprKind::Local(local, name) => Ok(Place::Local(local, name)),
                _ => self.refuse(
                    e,
                    "a kernel assigns to its own variables and to elements of `&mut [T]` only",
                ),
            },
            e => self.refuse(
                e,
                "a kernel assigns to its own variables and to elements of `&mut [T]` only",
            ),
        }
    }
}
