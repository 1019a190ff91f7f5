//! A guard that is all of a region becomes the bounds of its loop.
//!
//! `if local_id(0) < n { … }` does nothing for most items in the last rounds of a reduction. The condition stays in the
//! loop, where it is always true then; so nothing depends on it that this is right about what it bounds.

use super::layout::Layout;
use super::plan::{Region, Step};
use crate::expand::mixed;
use crate::parse::ast::*;
use gridfn_ir::tree::{BinaryOp, LazyOp};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

/// The dimension and the range of local ids for which a region does anything, if its guard tells.
pub(super) fn bounds(f: &Function, layout: &Layout, region: &Region) -> Option<TokenStream> {
    let [Step::Statement(Statement::Expr(e, _)) | Step::Effect(e)] = region.steps[..] else {
        return None;
    };
    let ExprKind::If(If {
        condition,
        otherwise: None,
        ..
    }) = &e.bare().kind
    else {
        return None;
    };
    let (dimension, op, bound) = comparison(f, layout, first(condition))?;
    let bound = value(layout, bound)?;
    Some(match op {
        BinaryOp::Lt => quote!(#dimension, 0..#bound),
        _ => quote!(#dimension, #bound..#bound.saturating_add(1)),
    })
}

/// What is asked first: the rest is asked only where it holds.
fn first(condition: &Expr) -> &Expr {
    match &condition.bare().kind {
        ExprKind::Lazy(LazyOp::And, _, a, _) => first(a),
        _ => condition.bare(),
    }
}

/// `id < bound`, `bound > id` or `id == bound`, where `id` is the local id of this dimension.
fn comparison<'e>(f: &Function, layout: &Layout, e: &'e Expr) -> Option<(usize, BinaryOp, &'e Expr)> {
    let ExprKind::Binary(op, _, a, b) = &e.kind else {
        return None;
    };
    match op {
        BinaryOp::Lt => Some((local_id(f, layout, a)?, BinaryOp::Lt, b)),
        BinaryOp::Gt => Some((local_id(f, layout, b)?, BinaryOp::Lt, a)),
        BinaryOp::Eq => Some((local_id(f, layout, a)?, BinaryOp::Eq, b)),
        _ => None,
    }
}

/// The dimension, if it is a local id.
fn local_id(f: &Function, layout: &Layout, e: &Expr) -> Option<usize> {
    match &e.bare().kind {
        ExprKind::Local(local, _) => layout.local_ids.get(local).copied(),
        _ => called_local_id(f, e),
    }
}

/// The dimension, if it is a call of `local_id` with a literal.
pub(super) fn called_local_id(f: &Function, e: &Expr) -> Option<usize> {
    let ExprKind::Call(call) = &e.bare().kind else {
        return None;
    };
    let LinkHole::Index(name) = &f.holes.links[usize::from(call.link)] else {
        return None;
    };
    let [argument] = &call.args[..] else { return None };
    let ExprKind::Literal(l) = &argument.bare().kind else {
        return None;
    };
    match l.value {
        LiteralValue::Int(d @ 0..3) if name == "local_id" && l.minus.is_none() => Some(d as usize),
        _ => None,
    }
}

/// The bound, if it is a literal or a variable that is the same for all items.
fn value(layout: &Layout, e: &Expr) -> Option<TokenStream> {
    match &e.bare().kind {
        ExprKind::Literal(l) => match l.value {
            LiteralValue::Int(n) if l.minus.is_none() => {
                let n = usize::try_from(n).ok()?;
                Some(quote!(#n))
            }
            _ => None,
        },
        ExprKind::Local(local, name) if layout.is_common(*local) => {
            Some(quote_spanned!(mixed(name.span())=> ::gridfn::__private::bound(&#name)))
        }
        _ => None,
    }
}
