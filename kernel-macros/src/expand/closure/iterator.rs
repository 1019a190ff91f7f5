//! Closures and iterators. They are emitted as the user wrote them; that each method is core's own, rustc confirms by the
//! type of the whole iterator, which tells what it was made of.

use super::super::{group, mixed};
use super::{Emit, arguments, tie};
use crate::parse::ast::*;
use gridfn_ir::Access;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

impl Emit<'_> {
    pub(super) fn closure(&mut self, c: &ClosureExpr) -> TokenStream {
        let ClosureExpr { open, close, .. } = c;
        let inputs: Vec<_> = c
            .inputs
            .iter()
            .map(|(pattern, ty)| {
                let pattern = self.pattern(pattern);
                let ty = ty.as_ref().map(|(colon, ty)| quote!(#colon #ty));
                quote!(#pattern #ty)
            })
            .collect();
        let output = c.output.as_ref().map(|(arrow, ty)| quote!(#arrow #ty));
        let body = self.expr(&c.body);
        quote!(#open #(#inputs),* #close #output #body)
    }

    pub(super) fn call_closure(&mut self, c: &CallClosure) -> TokenStream {
        let (name, args) = (&c.name, self.args(&c.args));
        let args = arguments(c.paren, &args);
        group(name.span(), quote!(#name #args))
    }

    pub(super) fn for_each(&mut self, f: &ForEach) -> TokenStream {
        let (label, token, in_token) = (&f.head.label, &f.token, &f.in_token);
        let iterator = self.iterator(&f.iterator);
        let pattern = self.pattern(&f.pattern);
        quote!(#label #token #pattern #in_token #iterator)
    }

    pub(super) fn consume(&mut self, c: &Consume) -> TokenStream {
        let iterator = self.iterator(&c.iterator);
        let (dot, name, span) = (&c.dot, &c.name, c.name.span());
        let call = |args: &[TokenStream]| {
            let args = arguments(c.paren, args);
            quote!(#iterator #dot #name #args)
        };
        let call = match &c.consumer {
            Consumer::Sum(hole) | Consumer::Product(hole) => {
                let written = c.turbofish.as_ref().filter(|t| !t.args.is_empty());
                let turbofish = written.map(|t| {
                    let args = t.args.iter();
                    quote!(::<#(#args,)* _>)
                });
                let sum =
                    quote_spanned!(mixed(span)=> ::gridfn::__private::iterator::#name #turbofish (#iterator));
                return tie(*hole, span, sum);
            }
            Consumer::Count | Consumer::Min | Consumer::Max | Consumer::Last => call(&[]),
            Consumer::Fold(init, f) => {
                let args = [self.expr(init), self.closure(f)];
                let args = arguments(c.paren, &args);
                quote!(#iterator #dot #name #args)
            }
            Consumer::Any(f)
            | Consumer::All(f)
            | Consumer::Find(f)
            | Consumer::Position(f)
            | Consumer::ForEach(f) => {
                let args = arguments(c.paren, &[self.closure(f)]);
                quote!(#iterator #dot #name #args)
            }
        };
        group(span, call)
    }

    fn iterator(&mut self, i: &Iteration) -> TokenStream {
        let (span, made) = self.source(&i.source);
        let mut made = made;
        for step in &i.steps {
            let (dot, name) = (&step.dot, &step.name);
            let args: Vec<TokenStream> = match &step.adaptor {
                Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => vec![],
                Adaptor::StepBy(n) => {
                    let n = self.expr(n);
                    // The call's own span is the user's, because it is the place of a fault.
                    vec![quote_spanned!(name.span()=> ::gridfn::__private::wrap::step(#n))]
                }
                Adaptor::Skip(n) | Adaptor::Take(n) => vec![self.expr(n)],
                Adaptor::Map(f) | Adaptor::Filter(f) => vec![self.closure(f)],
                Adaptor::Zip(other) => vec![self.iterator(other)],
            };
            let args = arguments(step.paren, &args);
            made = quote!(#made #dot #name #args);
        }
        let shape = shape(i);
        group(
            span,
            quote_spanned!(mixed(span)=> ::gridfn::__private::iterator::of::<#shape, _>(#made)),
        )
    }

    fn source(&mut self, source: &Source) -> (Span, TokenStream) {
        match source {
            Source::Range {
                start, limits, end, ..
            } => {
                let span = limits.span();
                let (start, end) = (self.expr(start), self.expr(end));
                (span, group(span, quote!(#start #limits #end)))
            }
            Source::Elements(r) => self.call_source(r, &[]),
            Source::Chunks(r, n) | Source::Windows(r, n) => {
                let n = self.expr(n);
                self.call_source(r, &[n])
            }
            Source::Borrowed(and, mutability, of) => {
                let access = if mutability.is_some() {
                    Access::Unique
                } else {
                    Access::Shared
                };
                let borrowed = match &of.bare().kind {
                    // A part that is read is a reference by itself; one that is written is a view.
                    ExprKind::Subslice(part) if mutability.is_none() => self.subslice(part, access),
                    _ => {
                        let of = self.base(of, access);
                        quote!(#and #mutability #of)
                    }
                };
                let span = and.span();
                let into = quote_spanned!(mixed(span)=> ::core::iter::IntoIterator::into_iter);
                (span, quote!(#into(#borrowed)))
            }
            Source::Whole(array) => {
                let span = array.span;
                let array = self.expr(array);
                (
                    span,
                    quote_spanned!(mixed(span)=> ::core::iter::IntoIterator::into_iter(#array)),
                )
            }
        }
    }

    fn call_source(&mut self, r: &Receiver, args: &[TokenStream]) -> (Span, TokenStream) {
        let access = if r.is_unique() {
            Access::Unique
        } else {
            Access::Shared
        };
        let of = self.base(&r.of, access);
        let (dot, name, args) = (&r.dot, &r.name, arguments(r.paren, args));
        (r.name.span(), quote!(#of #dot #name #args))
    }
}

/// What an iterator is made of, as a type.
fn shape(i: &Iteration) -> TokenStream {
    let root = quote!(::gridfn::__private::iterator);
    let mut shape = match &i.source {
        Source::Range { .. } => quote!(#root::Range),
        Source::Elements(_) | Source::Borrowed(..) => quote!(#root::Elements),
        Source::Whole(_) => quote!(#root::Whole),
        Source::Chunks(..) => quote!(#root::Chunks),
        Source::Windows(..) => quote!(#root::Windows),
    };
    for step in &i.steps {
        shape = match &step.adaptor {
            Adaptor::Rev => quote!(#root::Rev<#shape>),
            Adaptor::Enumerate => quote!(#root::Enumerate<#shape>),
            Adaptor::Copied => quote!(#root::Copied<#shape>),
            Adaptor::StepBy(_) => quote!(#root::StepBy<#shape>),
            Adaptor::Skip(_) => quote!(#root::Skip<#shape>),
            Adaptor::Take(_) => quote!(#root::Take<#shape>),
            Adaptor::Map(_) => quote!(#root::Map<#shape>),
            Adaptor::Filter(_) => quote!(#root::Filter<#shape>),
            Adaptor::Zip(other) => {
                let other = self::shape(other);
                quote!(#root::Zip<#shape, #other>)
            }
        };
    }
    shape
}
