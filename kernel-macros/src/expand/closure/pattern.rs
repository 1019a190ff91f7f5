//! Patterns, and what matches them.

use super::super::mixed;
use super::Emit;
use crate::parse::ast::*;
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

impl Emit<'_> {
    pub(super) fn match_(&mut self, m: &Match) -> TokenStream {
        self.match_with(m, |emit, n| emit.expr(&m.arms[n].body))
    }

    /// A `match`, with what `body` gives behind the arrow of each arm.
    pub(in crate::expand) fn match_with(
        &mut self,
        m: &Match,
        mut body: impl FnMut(&mut Self, usize) -> TokenStream,
    ) -> TokenStream {
        let (token, value) = (
            &m.token,
            self.matched(&m.value, m.arms.iter().map(|arm| &arm.pattern)),
        );
        let arms: TokenStream = m
            .arms
            .iter()
            .enumerate()
            .map(|(n, arm)| {
                let pattern = self.pattern(&arm.pattern);
                let guard = arm.guard.as_ref().map(|(token, e)| {
                    let e = self.expr(e);
                    quote!(#token #e)
                });
                let (arrow, body) = (&arm.arrow, body(self, n));
                quote!(#pattern #guard #arrow #body,)
            })
            .collect();
        quote_spanned!(m.brace.span.join()=> #token #value { #arms })
    }

    /// A pattern as the user wrote it, but that a name that binds cannot be a constant's, and that of a unit struct or
    /// variant must be one.
    pub(super) fn pattern(&self, pattern: &Pattern) -> TokenStream {
        let list = |all: &[Pattern]| {
            let all = all.iter().map(|p| self.pattern(p));
            quote!(#(#all,)*)
        };
        match pattern {
            Pattern::Wild(token) => token.to_token_stream(),
            Pattern::Rest(token) => token.to_token_stream(),
            Pattern::Bind(binding, inner) => {
                let Binding {
                    name,
                    by_reference,
                    mutability,
                    ..
                } = binding;
                let inner = match inner {
                    Some((at, inner)) => {
                        let inner = self.pattern(inner);
                        Some(quote!(#at #inner))
                    }
                    None if binding.plain => None,
                    None => Some(quote_spanned!(mixed(name.span())=> @ _)),
                };
                quote!(#by_reference #mutability #name #inner)
            }
            Pattern::Value(value) => self::value(value),
            Pattern::Range { start, limits, end } => {
                let (start, end) = (start.as_ref().map(value), end.as_ref().map(value));
                quote!(#start #limits #end)
            }
            Pattern::Paren(paren, inner) => {
                delimited(Delimiter::Parenthesis, paren.span.join(), self.pattern(inner))
            }
            Pattern::Tuple(paren, all) => delimited(Delimiter::Parenthesis, paren.span.join(), list(all)),
            Pattern::Array(bracket, all) => delimited(Delimiter::Bracket, bracket.span.join(), list(all)),
            Pattern::TupleStruct(path, paren, all) => {
                let all = delimited(Delimiter::Parenthesis, paren.span.join(), list(all));
                quote!(#path #all)
            }
            Pattern::Struct {
                path,
                brace,
                fields,
                rest,
            } => {
                let fields = fields.iter().map(|(member, pattern)| {
                    let pattern = self.pattern(pattern);
                    quote!(#member: #pattern,)
                });
                let fields = delimited(Delimiter::Brace, brace.span.join(), quote!(#(#fields)* #rest));
                quote!(#path #fields)
            }
            Pattern::Unit(path) => quote_spanned!(mixed(path.span())=> #path {}),
            Pattern::Reference(and, mutability, inner) => {
                let inner = self.pattern(inner);
                quote!(#and #mutability #inner)
            }
            Pattern::Or(all) => {
                // A bar before the only one allows what may not stand alone, such as `| 0..` in a slice.
                if let [only] = all.as_slice() {
                    let only = self.pattern(only);
                    return quote!(| #only);
                }
                let all = all.iter().map(|p| self.pattern(p));
                quote!(#(#all)|*)
            }
        }
    }
}

fn value(value: &PatternValue) -> TokenStream {
    match value {
        PatternValue::Literal { token, .. } => token.to_token_stream(),
        PatternValue::Constant(_, path) => path.to_token_stream(),
    }
}

fn delimited(delimiter: Delimiter, span: Span, tokens: TokenStream) -> TokenStream {
    let mut group = Group::new(delimiter, tokens);
    group.set_span(span);
    group.into_token_stream()
}
