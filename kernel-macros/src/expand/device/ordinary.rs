//! The body of a device function as the ordinary function that it also is.
//!
//! It stays the user's, but for what may overflow: methods are called as they are by kernels too, where arithmetic wraps
//! in every build. So `a + b` becomes `checked::add(a, b, |a, b| a + b)`, which is the user's operator unless a kernel
//! is running.

use crate::expand::mixed;
use crate::parse::{assertion, is_iterator};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, GenericArgument, Item, Macro, Pat, Token, Type, UnOp};

/// Rewrites a body.
pub(super) fn ordinary(block: &mut Block) {
    Ordinary.visit_block_mut(block);
}

struct Ordinary;

impl VisitMut for Ordinary {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            // The length of an array is a constant.
            Expr::Repeat(r) => return self.visit_expr_mut(&mut r.expr),
            Expr::Const(_) => return,
            _ => visit_mut::visit_expr_mut(self, e),
        }
        if let Some(tokens) = checked(e) {
            *e = Expr::Verbatim(tokens);
        }
    }

    /// The arguments of what may panic, in which sums wrap too. An assertion tells its condition as it was written.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let name = mac.path.segments.last().map(|s| s.ident.to_string());
        let asserts = match name.as_deref() {
            Some("assert") => true,
            Some("assert_eq" | "assert_ne" | "panic" | "unreachable" | "todo" | "unimplemented") => false,
            Some(_) | None => return,
        };
        let Ok(mut arguments) = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) else {
            return;
        };
        let written = match arguments.first() {
            Some(condition) if asserts && arguments.len() == 1 => {
                let words = assertion(mac, condition);
                Some(quote!(, #words))
            }
            Some(_) | None => None,
        };
        arguments.iter_mut().for_each(|e| self.visit_expr_mut(e));
        mac.tokens = quote!(#arguments #written);
    }

    // Nothing in these runs.
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}
}

/// What stands in the place of an expression that may overflow.
fn checked(e: &Expr) -> Option<TokenStream> {
    match e {
        Expr::Binary(e) => {
            let (name, assigns) = name(&e.op)?;
            let (left, op, right) = (bare(&e.left), &e.op, bare(&e.right));
            let (span, mix) = (op.span(), mixed(op.span()));
            let (l, r) = (Ident::new("__l", span), Ident::new("__r", span));
            Some(if assigns {
                let name = format_ident!("{name}_assign", span = mix);
                quote_spanned!(mix=> ::gridfn::__private::checked::#name(#right, &mut #left, |#l, #r| *#l #op #r))
            } else {
                let name = Ident::new(name, mix);
                quote_spanned!(mix=> ::gridfn::__private::checked::#name(#left, #right, |#l, #r| #l #op #r))
            })
        }
        Expr::Unary(e) => {
            let UnOp::Neg(minus) = e.op else { return None };
            // With its sign, a literal is one value.
            if let Expr::Lit(_) = &*e.expr {
                return None;
            }
            let (operand, span) = (bare(&e.expr), minus.span());
            let v = Ident::new("__v", span);
            Some(quote_spanned!(mixed(span)=> ::gridfn::__private::checked::neg(#operand, |#v| #minus #v)))
        }
        Expr::MethodCall(e) => {
            let (receiver, dot, method, span) = (bare(&e.receiver), &e.dot_token, &e.method, e.method.span());
            let (turbofish, args) = (&e.turbofish, e.args.iter().collect::<Vec<_>>());
            let v = Ident::new("__v", span);
            match (method.to_string().as_str(), args.as_slice()) {
                (name @ ("abs" | "next_power_of_two"), []) => {
                    let name = Ident::new(name, mixed(span));
                    Some(quote_spanned!(mixed(span)=>
                        ::gridfn::__private::checked::#name(#receiver, |#v| #v #dot #method #turbofish())))
                }
                // The range of an iterator keeps its parentheses.
                (name @ ("sum" | "product"), []) if is_iterator(&e.receiver) => {
                    let (name, receiver) = (Ident::new(name, mixed(span)), &e.receiver);
                    Some(quote_spanned!(mixed(span)=>
                        ::gridfn::__private::checked::#name(#receiver, |#v| #v #dot #method #turbofish())))
                }
                (name @ ("pow" | "next_multiple_of"), [argument]) => {
                    let (name, a) = (Ident::new(name, mixed(span)), Ident::new("__a", span));
                    Some(quote_spanned!(mixed(span)=>
                        ::gridfn::__private::checked::#name(#receiver, #argument, |#v, #a| #v #dot #method #turbofish(#a))))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Without parentheses, which rustc finds unnecessary around an argument.
fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(e) => bare(&e.expr),
        e => e,
    }
}

/// The function of `private::checked` for an operator, and whether the operator assigns.
fn name(op: &BinOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("add", false),
        BinOp::Sub(_) => ("sub", false),
        BinOp::Mul(_) => ("mul", false),
        BinOp::Shl(_) => ("shl", false),
        BinOp::Shr(_) => ("shr", false),
        BinOp::AddAssign(_) => ("add", true),
        BinOp::SubAssign(_) => ("sub", true),
        BinOp::MulAssign(_) => ("mul", true),
        BinOp::ShlAssign(_) => ("shl", true),
        BinOp::ShrAssign(_) => ("shr", true),
        _ => return None,
    })
}
