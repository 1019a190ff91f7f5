//! Where the emitted code begins, which is where rustc, and so the host, sees a fault.

use super::closure::wrapping;
use crate::parse::ast::*;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// The span with which the emission of an expression begins.
pub(super) fn start(e: &Expr) -> Span {
    match &e.kind {
        ExprKind::Literal(l) => match (&l.ty, &l.minus) {
            (LiteralType::Cast, Some(minus)) => minus.span(),
            _ => l.token.span(),
        },
        ExprKind::Unit(paren) | ExprKind::Paren(paren, _) | ExprKind::Tuple(paren, _) => paren.span.open(),
        ExprKind::Local(_, name) => name.span(),
        ExprKind::Constant(_, path) => path.span(),
        ExprKind::Binary(op, token, a, _) => match wrapping(*op) {
            Some(_) => token.span(),
            None => start(a),
        },
        ExprKind::Unary(_, token, _) => token.span(),
        ExprKind::Lazy(_, _, a, _) | ExprKind::Assign(a, ..) | ExprKind::Try(a, _) => start(a),
        ExprKind::AssignOp(op, token, place, _) => match wrapping(*op) {
            Some(_) => token.span(),
            None => start(place),
        },
        ExprKind::Overloadable(_, e) => overloadable(e),
        ExprKind::Discard(token, ..) => token.span(),
        ExprKind::Cast(c) => c.ty.span(),
        ExprKind::Array(bracket, _) => bracket.span.open(),
        ExprKind::Repeat(r) => r.bracket.span.open(),
        ExprKind::Construct(c) => c.path.span(),
        ExprKind::Field(of, ..) => base(of),
        ExprKind::Index(i) => base(&i.base),
        ExprKind::Subslice(s) => base(&s.base),
        ExprKind::Reference(and, ..) => and.span(),
        ExprKind::Deref(star, _) => star.span(),
        ExprKind::Method(m) => m.name.span(),
        ExprKind::Call(c) => c.path.span(),
        ExprKind::CallParam(c) => c.name.span(),
        ExprKind::If(i) => i.token.span(),
        ExprKind::Match(m) => m.token.span(),
        ExprKind::Let(token, ..) => token.span(),
        ExprKind::Block(Some((_, label)), _) => label.span(),
        ExprKind::Block(None, block) => block.brace.span.open(),
        ExprKind::Unsafe(token, _) => token.span(),
        ExprKind::While(l, token, _) => label_or(l, token),
        ExprKind::Loop(l, token) => label_or(l, token),
        ExprKind::For(f) => label_or(&f.head, f.token),
        ExprKind::ForEach(f) => label_or(&f.head, f.token),
        ExprKind::Consume(c) => c.name.span(),
        ExprKind::Closure(c) => c.open.span(),
        ExprKind::Function(f) => f.span(),
        ExprKind::CallClosure(c) => c.name.span(),
        ExprKind::Break(_, token, ..) => token.span(),
        ExprKind::Continue(_, token, _) => token.span(),
        ExprKind::Return(token, _) => token.span(),
        ExprKind::Panic(p) => p.at,
        ExprKind::Barrier(call) | ExprKind::LocalArray(call, _) | ExprKind::Uniform(call, _) => {
            call.path.span()
        }
        ExprKind::Together(t) => t.path.span(),
        ExprKind::Subgroup(s) => s.call.path.span(),
    }
}

/// The place of an operator that may be a user's function, which stands in a group of its own.
pub(super) fn overloadable(e: &Expr) -> Span {
    match &e.kind {
        ExprKind::Binary(_, token, ..) | ExprKind::AssignOp(_, token, ..) => token.span(),
        _ => start(e),
    }
}

/// The span with which the emission of something begins whose elements are taken.
pub(super) fn base(e: &Expr) -> Span {
    match e.path() {
        Some(path) => path.name.span(),
        None => start(e),
    }
}

fn label_or(l: &Loop, token: impl ToTokens) -> Span {
    match &l.label {
        Some(label) => label.span(),
        None => token.span(),
    }
}
