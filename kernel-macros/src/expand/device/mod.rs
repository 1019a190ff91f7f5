//! `#[device]`: code that kernels may call, and that stays the ordinary code that it is.

mod function;
mod implementation;
mod method;
mod ordinary;
mod trait_;

pub(super) use implementation::operator_in_kernels;

use super::root::rooted;
use crate::diagnostic::with_fallback;
use proc_macro2::TokenStream;
use syn::{Error, Item};

/// Expands `#[device]`.
pub(crate) fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let original = item.clone();
    let expansion = syn::parse2(item).and_then(|item: Item| {
        let root = root(attribute)?;
        let tokens = match &item {
            Item::Fn(f) => function::expand(f),
            Item::Impl(i) => implementation::expand(i),
            Item::Trait(t) => trait_::expand(t),
            other => Err(Error::new_spanned(
                other,
                "`#[device]` goes on a free `fn`, an `impl` or a `trait`",
            )),
        };
        tokens.map(|tokens| rooted(tokens, root.as_ref()))
    });
    // The item itself stays in any case, so that its other users see no error.
    expansion.unwrap_or_else(|e| with_fallback(e, original))
}

/// `crate = path`: where gridfn is.
fn root(attribute: TokenStream) -> syn::Result<Option<syn::Path>> {
    let mut root = None;
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("crate") {
            root = Some(meta.value()?.call(syn::Path::parse_mod_style)?);
            return Ok(());
        }
        Err(meta.error("unknown option of `#[device]`; there is `crate = path`"))
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    Ok(root)
}
