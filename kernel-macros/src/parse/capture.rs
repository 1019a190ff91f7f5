//! What a closure captures: places outside it that its body names.
//!
//! A place is a path, or a field or dereference of a place, as in Rust 2021: `self.x` captures no more than that
//! field. Consts and statics are captured like variables, by value.

use super::ast::Mode;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, Member, UnOp};

/// The captures of a closure, in the order in which the body names them first.
#[derive(Default)]
pub(crate) struct Captures {
    pub all: Vec<Capture>,
    /// How many of them are parameters already, numbered from 0.
    pub bound: usize,
}

/// One captured place.
pub(crate) struct Capture {
    pub place: Expr,
    pub mode: Mode,
    /// The name of its parameter: for `self.x`, `self_x`.
    pub name: String,
    /// The place's text.
    key: String,
    /// Where the body names it first.
    first: Span,
}

impl Captures {
    /// The number of the capture of `place`, which is new or known.
    pub(super) fn note(&mut self, place: &Expr, mode: Mode) -> usize {
        let place = bare(place);
        let key = place.to_token_stream().to_string();
        if let Some(n) = self.all.iter().position(|c| c.key == key) {
            self.all[n].mode = self.all[n].mode.max(mode);
            return n;
        }
        let mut name = String::new();
        name_of(place, &mut name);
        while self.all.iter().any(|c| c.name == name) {
            name.push('_');
        }
        self.all.push(Capture {
            place: place.clone(),
            mode,
            name,
            key,
            first: place.span(),
        });
        self.all.len() - 1
    }

    /// The parameter's name, where the body names the place.
    pub(super) fn name(&self, n: usize, at: Span) -> Ident {
        self.all[n].parameter(at)
    }
}

impl Capture {
    /// The parameter's name. It is not that of any item, because a const's name is no pattern. Its span is the user's
    /// own, because a fault's place is told by it; all uses have the hygiene of the first.
    pub(super) fn parameter(&self, at: Span) -> Ident {
        Ident::new(&format!("{PREFIX}{}", self.name), at.resolved_at(self.first))
    }
}

/// What the names of captures' parameters begin with.
pub(crate) const PREFIX: &str = "__captured_";

/// Whether `e` is a place that a closure can capture.
pub(super) fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(f) => is_place(&f.base),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_place(&u.expr),
        Expr::Paren(e) => is_place(&e.expr),
        Expr::Group(e) => is_place(&e.expr),
        _ => false,
    }
}

/// The place without parentheses around it or its bases, so that it is known by one text.
fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => bare(&e.expr),
        Expr::Group(e) => bare(&e.expr),
        e => e,
    }
}

fn name_of(e: &Expr, name: &mut String) {
    match e {
        Expr::Path(p) => {
            let last = p.path.segments.last().map(|s| s.ident.to_string());
            let last = last.unwrap_or_default();
            let word = last.trim_start_matches("r#").trim_start_matches('$');
            name.push_str(word);
            // A keyword is no name.
            if word != last || word == "self" || word == "Self" {
                name.push('_');
            }
        }
        Expr::Field(f) => {
            name_of(&f.base, name);
            if !name.ends_with('_') {
                name.push('_');
            }
            match &f.member {
                Member::Named(field) => {
                    let field = field.to_string();
                    name.push_str(field.strip_prefix("r#").unwrap_or(&field));
                }
                Member::Unnamed(n) => name.push_str(&n.index.to_string()),
            }
        }
        Expr::Unary(u) => name_of(&u.expr, name),
        Expr::Paren(e) => name_of(&e.expr, name),
        Expr::Group(e) => name_of(&e.expr, name),
        _ => name.push_str("captured"),
    }
}
