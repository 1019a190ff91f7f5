//! `#[device] trait`: hidden functions by which generic code finds the links of the functions of its type.
//!
//! Each function `area` has a hidden `area__link`, which the attribute on an `impl` fills in, or which leads to the default
//! body. One more, without a default, has a name that says what is missing if an `impl` lacks the attribute.

use super::method::{Method, Scope, check};
use super::ordinary::ordinary;
use crate::expand::mixed;
use crate::expand::signature::*;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Error, GenericParam, ItemTrait, TraitItem, parse_quote};

/// The hidden function without a default.
pub(super) const MARKED: &str = "this_impl_needs_the_attribute_device";

/// Expands a trait.
pub(super) fn expand(item: &ItemTrait) -> syn::Result<TokenStream> {
    let name = &item.ident;
    let scope = scope(item);
    let mut host = item.clone();
    host.generics = bounded(&item.generics);
    host.attrs
        .push(parse_quote!(#[allow(clippy::multiple_bound_locations)]));
    host.colon_token.get_or_insert_default();
    host.supertraits
        .push(parse_quote!(::gridfn::__private::DeviceCopy));
    let (mut errors, mut markers) = (TokenStream::new(), TokenStream::new());
    let mut hidden: Vec<TokenStream> = vec![];
    if let Some(unsafety) = &item.unsafety {
        return Err(Error::new_spanned(
            unsafety,
            "`unsafe` device code is not supported yet",
        ));
    }
    let allow = allow();
    for item in &mut host.items {
        let f = match item {
            TraitItem::Fn(f) => f,
            TraitItem::Const(_) | TraitItem::Type(_) => continue,
            other => {
                let help = "a trait for devices has functions, types and constants";
                errors.extend(Error::new_spanned(other, help).into_compile_error());
                continue;
            }
        };
        let sig = f.sig.clone();
        let method = Method {
            scope: &scope,
            sig: &sig,
            marker: format_ident!("{name}__{}", sig.ident, span = mixed(sig.ident.span())),
        };
        let body = check(&sig, &scope).and_then(|()| match &f.default {
            Some(block) => {
                let (instance, link) = (method.instance(block)?, method.link(quote!(Self)));
                Ok(quote!({ #instance #link }))
            }
            None => Ok(quote!({
                ::core::unreachable!("the attribute on the `impl` gives the link")
            })),
        });
        let body = body.unwrap_or_else(|e| {
            errors.extend(e.into_compile_error());
            quote!({ ::core::unreachable!("a function with a mistake is not compiled") })
        });
        f.sig.generics = bounded(&sig.generics);
        if let Some(block) = &mut f.default {
            ordinary(block);
        }
        hidden.push(hidden_link(&method, quote!(#allow), body));
        let probes = method.probes(quote!());
        hidden.push(quote!(#probes));
        let (link, of, this) = (method.link_name(), &scope.of, &scope.this);
        let own = arguments(&sig.generics);
        let link = quote!(<#this as #of>::#link::<#(#own),*>);
        markers.extend(method.marker(&host.vis, link));
    }
    let marked = Ident::new(MARKED, mixed(name.span()));
    hidden.push(quote_spanned!(mixed(name.span())=> #[doc(hidden)] fn #marked() where Self: Sized;));
    host.items.extend(hidden.into_iter().map(TraitItem::Verbatim));
    Ok(quote! {
        #errors
        #[allow(non_snake_case)]
        #host
        #markers
    })
}

/// In a trait `Self` is anything that has it.
fn scope(item: &ItemTrait) -> Scope {
    let (name, arguments) = (&item.ident, arguments(&item.generics));
    let of: syn::Path = if arguments.is_empty() {
        parse_quote!(#name)
    } else {
        parse_quote!(#name<#(#arguments),*>)
    };
    let mut generics = item.generics.clone();
    for param in &mut generics.params {
        match param {
            GenericParam::Type(t) => t.default = None,
            GenericParam::Const(c) => c.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics.params.push(parse_quote!(__Self: #of));
    Scope {
        generics,
        this: parse_quote!(__Self),
        of: Some(of),
        types: vec![],
    }
}

/// The hidden function that gives the link of a function.
pub(super) fn hidden_link(method: &Method, attributes: impl ToTokens, body: TokenStream) -> TokenStream {
    let name = method.link_name();
    let own = bounded(&method.sig.generics);
    let (params, predicates) = (declared(&own), predicates(&own));
    quote_spanned! {name.span()=>
        #[doc(hidden)]
        #attributes
        fn #name<#(#params),*>() -> ::gridfn::__private::Link where #(#predicates),* #body
    }
}
