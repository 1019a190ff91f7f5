//! Calls that all items of a group make together.

use super::emit::{group_name, load, slot_name};
use super::plan::Piece;
use crate::expand::closure::{Emit, item, link_hole, owner};
use crate::expand::{group, mixed};
use crate::parse::ast::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The links of the calls that all items make together.
pub(super) fn calls(pieces: &[Piece]) -> Vec<(u16, Span)> {
    let all = pieces.iter().flat_map(|piece| match piece {
        Piece::Call(_, call, _) => vec![(call.link, call.path.span())],
        Piece::Split(_, bodies) => bodies.iter().flat_map(|body| calls(body)).collect(),
        Piece::Else(_, body) => calls(body),
        Piece::Once(..) | Piece::Barrier(_) | Piece::Region(_) => vec![],
    });
    all.collect()
}

impl Emit<'_> {
    /// `let name = group!(f(x));`
    pub(super) fn together(&mut self, l: &Let, t: &Together) -> TokenStream {
        let layout = self.known();
        let (path, span) = (&t.path, t.path.span());
        let (mix, hole, group_name, item) =
            (mixed(span), link_hole(t.link, span), group_name(span), item(span));
        let (mut loads, mut each) = (TokenStream::new(), TokenStream::new());
        let args: Vec<_> = t
            .args
            .iter()
            .map(|argument| match argument {
                Argument::Value(local, name) => {
                    loads.extend(load(&layout, *local));
                    // At the argument's place, as the user's own.
                    let at = name.span().resolved_at(span);
                    let passed = if layout.slots.contains(local) {
                        let slot = slot_name(*local, name.span());
                        quote_spanned!(at=> ::gridfn::__private::together::Each(#slot))
                    } else {
                        quote_spanned!(at=> ::gridfn::__private::together::Same(&#name))
                    };
                    let passed = group(at, passed);
                    each.extend(quote!(#passed,));
                    quote!(#name)
                }
                Argument::Shared(e) | Argument::Function(e) => {
                    each.extend(quote!((),));
                    self.argument(e)
                }
            })
            .collect();
        let each = group(t.paren.span.join(), each);
        let args = group(t.paren.span.join(), quote!(#(#args,)*));
        let (owner, turbofish) = owner(path);
        let (m, c) = (Ident::new("__m", span), Ident::new("__c", mix));
        let Some(binding) = l.pattern.as_name() else {
            return TokenStream::new();
        };
        let (name, slot) = (&binding.name, slot_name(binding.local, binding.name.span()));
        let ty = l.ty.as_ref().map(|(colon, ty)| quote!(#colon #ty));
        let link = quote_spanned!(mix=> <#owner>::__group_link #turbofish (#path));
        let call = Ident::new("__group_call", span);
        let run = Ident::new("__group_run", span);
        quote_spanned! {mix=> {
            #loads
            let #m = #link;
            #hole.see(&#m.__group_called());
            let #c = #m.#call(#args);
            if false {
                let #name #ty = #m.__group_result();
                #[allow(unused_unsafe)] unsafe { #slot.put(#item, #name) };
            }
            #[allow(unused_unsafe)]
            unsafe { #m.#run(&#group_name.nested(), #c, #each, #slot) };
        }}
    }
}
