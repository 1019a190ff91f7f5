//! Operators: those that may overflow wrap, and those that may be a user's function have a probe that tells which.

use super::super::{group, mixed};
use super::{Emit, link_hole};
use crate::parse::ast::*;
use gridfn_ir::Access;
use gridfn_ir::tree::{BinaryOp, UnaryOp};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

impl Emit<'_> {
    pub(super) fn binary(&mut self, op: BinaryOp, token: &syn::BinOp, a: &Expr, b: &Expr) -> TokenStream {
        let (at, bt) = (self.expr(a), self.expr(b));
        let Some(wrap) = wrapping(op) else {
            return quote!(#at #token #bt);
        };
        let span = mixed(token.span());
        let wrap = Ident::new(wrap, span);
        let (l, r) = (Ident::new("__l", a.span), Ident::new("__r", b.span));
        let call = quote_spanned!(span=> ::gridfn::__private::wrap::#wrap(#at, #bt, |#l, #r| #l #token #r));
        group(token.span(), call)
    }

    pub(super) fn assign_op(
        &mut self,
        op: BinaryOp,
        token: &syn::BinOp,
        place: &Expr,
        value: &Expr,
    ) -> TokenStream {
        let (at, bt) = (self.place(place, Access::Unique), self.expr(value));
        let span = mixed(token.span());
        let (l, r) = (Ident::new("__l", at.span()), Ident::new("__r", value.span));
        let Some(wrap) = wrapping(op) else {
            return match (&place.bare().kind, &value.bare().kind) {
                // Of a type parameter, Rust borrows the element first, and then the value could not read its view.
                (ExprKind::Index(..), kind)
                    if !matches!(kind, ExprKind::Literal(_) | ExprKind::Local(..)) =>
                {
                    quote_spanned!(span=> match #bt { #r => #at #token #r })
                }
                _ => quote!(#at #token #bt),
            };
        };
        let wrap = format_ident!("{wrap}_assign", span = span);
        quote_spanned!(span=> ::gridfn::__private::wrap::#wrap(#bt, &mut #at, |#l, #r| *#l #token #r))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, token: &syn::UnOp, a: &Expr) -> TokenStream {
        let at = self.expr(a);
        match op {
            UnaryOp::Not => quote!(#token #at),
            UnaryOp::Neg => {
                let span = mixed(token.span());
                let v = Ident::new("__v", a.span);
                group(
                    token.span(),
                    quote_spanned!(span=> ::gridfn::__private::wrap::neg(#at, |#v| #token #v)),
                )
            }
        }
    }

    /// An operator that may be a user's function. Its operands pass through the hole, whose probe asks which it is.
    pub(super) fn overloadable(&mut self, link: u16, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Binary(op, token, a, b) => {
                let (span, mix) = (token.span(), mixed(token.span()));
                let hole = link_hole(link, span);
                self.probe(&hole, &Ident::new(probe(*op), mix));
                let (a, b) = (self.expr(a), self.expr(b));
                let (a, b) = (
                    quote_spanned!(mix=> #hole.left(#a)),
                    quote_spanned!(mix=> #hole.right(#b)),
                );
                let value = match wrapping(*op) {
                    None => {
                        let (a, b) = (group(span, a), group(span, b));
                        seen(&hole, quote!(#a #token #b))
                    }
                    Some(wrap) => {
                        let wrap = Ident::new(wrap, mix);
                        let (l, r) = (Ident::new("__l", span), Ident::new("__r", span));
                        let value = seen(&hole, quote!(#l #token #r));
                        quote_spanned!(mix=> ::gridfn::__private::wrap::#wrap(#a, #b, |#l, #r| #value))
                    }
                };
                group(span, value)
            }
            ExprKind::AssignOp(op, token, place, value) => {
                let (span, mix) = (token.span(), mixed(token.span()));
                let hole = link_hole(link, span);
                self.probe(&hole, &format_ident!("{}_assign", probe(*op), span = mix));
                let (place, value) = (self.place(place, Access::Unique), self.expr(value));
                let assign = match wrapping(*op) {
                    Some(wrap) => {
                        let wrap = format_ident!("{wrap}_assign", span = mix);
                        quote_spanned!(mix=> wrap::#wrap)
                    }
                    None => quote_spanned!(mix=> operators::assign),
                };
                let (l, r) = (Ident::new("__l", span), Ident::new("__r", span));
                let target = group(span, quote!(*#l));
                let assigned = seen(&hole, quote!(#target #token #r));
                quote_spanned!(mix=> ::gridfn::__private::#assign(
                    #hole.right(#value), #hole.changed(&mut #place), |#l, #r| #assigned))
            }
            ExprKind::Unary(op, token, a) => {
                let (span, mix) = (token.span(), mixed(token.span()));
                let hole = link_hole(link, span);
                let a = self.expr(a);
                let a = quote_spanned!(mix=> #hole.operand(#a));
                let (name, value) = match op {
                    UnaryOp::Not => ("not", seen(&hole, quote!(#token #a))),
                    UnaryOp::Neg => {
                        let v = Ident::new("__v", span);
                        let value = seen(&hole, quote!(#token #v));
                        (
                            "neg",
                            quote_spanned!(mix=> ::gridfn::__private::wrap::neg(#a, |#v| #value)),
                        )
                    }
                };
                self.probe(&hole, &Ident::new(name, mix));
                group(span, value)
            }
            _ => self.expr(e),
        }
    }

    fn probe(&mut self, hole: &Ident, name: &Ident) {
        let probe =
            quote_spanned!(name.span()=> #hole.found(&::gridfn::__private::operators::#name(#hole.probe())););
        self.others.push(probe);
    }
}

/// A value whose type the hole sees before anything is expected of it: of an error it sees nothing, and the probe is
/// silent.
fn seen(hole: &Ident, value: TokenStream) -> TokenStream {
    let mix = hole.span();
    let v = Ident::new("__v", mix);
    quote_spanned!(mix=> match #value { #v => { #hole.results(&#v); #v } })
}

/// The function of `private::operators` that asks what an operator is.
fn probe(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::And => "bitand",
        BinaryOp::Or => "bitor",
        BinaryOp::Xor => "bitxor",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
        BinaryOp::Eq | BinaryOp::Ne => "eq",
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => "order",
    }
}

/// The function of `private::wrap` for an operator that can overflow.
pub(in crate::expand) fn wrapping(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Add => Some("add"),
        BinaryOp::Sub => Some("sub"),
        BinaryOp::Mul => Some("mul"),
        BinaryOp::Shl => Some("shl"),
        BinaryOp::Shr => Some("shr"),
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => None,
    }
}
