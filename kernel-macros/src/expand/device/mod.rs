//! `#[device]`: code that kernels may call, and that stays the ordinary code that it is.

mod function;
mod group;
mod implementation;
mod method;
mod ordinary;
mod trait_;

pub(super) use implementation::operator_in_kernels;

use super::root::{path, rooted};
use crate::diagnostic::with_fallback;
use proc_macro2::TokenStream;
use syn::{Error, Item, Path};

/// Expands `#[device]`.
pub(crate) fn device(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let original = item.clone();
    let mut refused = None;
    let expansion = syn::parse2(item).and_then(|item: Item| {
        refused = group::refused(&item);
        let options = options(attribute)?;
        if let (Item::Fn(f), Some(_)) = (&item, &options.group) {
            refused = Some(group::outside(f));
        }
        let tokens = match (&item, &options.group) {
            (Item::Fn(f), Some(_)) => group::expand(f),
            (_, Some(group)) => Err(Error::new_spanned(
                group,
                "`#[device(group)]` goes on a free `fn`",
            )),
            (Item::Fn(f), None) => function::expand(f),
            (Item::Impl(i), None) => implementation::expand(i),
            (Item::Trait(t), None) => trait_::expand(t),
            (other, None) => Err(Error::new_spanned(
                other,
                "`#[device]` goes on a free `fn`, an `impl` or a `trait`",
            )),
        };
        tokens.map(|tokens| rooted(tokens, options.root.as_ref()))
    });
    // The item itself stays in any case, so that its other users see no error.
    expansion.unwrap_or_else(|e| with_fallback(e, refused.unwrap_or(original)))
}

/// What stands in the attribute's parentheses.
#[derive(Default)]
struct Options {
    /// `#[device(group)]`: all items of a work-group call it together.
    group: Option<Path>,
    /// `#[device(crate = path)]`: where gridfn is.
    root: Option<Path>,
}

fn options(attribute: TokenStream) -> syn::Result<Options> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("group") {
            options.group = Some(meta.path);
            return Ok(());
        }
        if meta.path.is_ident("crate") {
            options.root = Some(meta.value()?.call(path)?);
            return Ok(());
        }
        Err(meta.error("unknown option of `#[device]`; there are `group` and `crate = path`"))
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    Ok(options)
}
