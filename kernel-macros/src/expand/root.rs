//! Where the crate `gridfn` is: `::gridfn`, unless `crate = path` says otherwise.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{DeriveInput, Path};

/// `#[name(crate = path)]` on the item of a derive.
pub(super) fn root(input: &DeriveInput, name: &str) -> syn::Result<Option<Path>> {
    let mut root = None;
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident(name)) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") {
                root = Some(meta.value()?.call(Path::parse_mod_style)?);
                return Ok(());
            }
            Err(meta.error(format!("unknown option of `{name}`; there is `crate = path`")))
        })?;
    }
    Ok(root)
}

/// The tokens with `root` in the place of every `::gridfn` of ours. A path of the user's that begins so means the same
/// crate.
pub(super) fn rooted(tokens: TokenStream, root: Option<&Path>) -> TokenStream {
    let Some(root) = root else { return tokens };
    replaced(tokens, &root.to_token_stream())
}

fn replaced(tokens: TokenStream, root: &TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out = TokenStream::new();
    let mut n = 0;
    while n < tokens.len() {
        let begins =
            n == 0 || !matches!(&tokens[n - 1], TokenTree::Ident(name) if !is_keyword(&name.to_string()));
        if begins && is_root(&tokens[n..]) {
            // Without a group of its own, because a path cannot begin with one.
            out.extend(root.clone());
            n += 3;
            continue;
        }
        out.extend([match &tokens[n] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), root));
                inner.set_span(match group.delimiter() {
                    Delimiter::None => group.span_open(),
                    _ => group.span(),
                });
                TokenTree::Group(inner)
            }
            other => other.clone(),
        }]);
        n += 1;
    }
    out
}

/// `::gridfn`
fn is_root(tokens: &[TokenTree]) -> bool {
    match tokens {
        [
            TokenTree::Punct(a),
            TokenTree::Punct(b),
            TokenTree::Ident(name),
            ..,
        ] => a.as_char() == ':' && a.spacing() == Spacing::Joint && b.as_char() == ':' && *name == "gridfn",
        _ => false,
    }
}

/// Whether a path may stand right behind the word.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "as" | "break"
            | "const"
            | "dyn"
            | "else"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "match"
            | "move"
            | "mut"
            | "return"
            | "unsafe"
            | "use"
            | "where"
            | "while"
    )
}

#[cfg(test)]
mod tests {
    use super::rooted;
    use quote::quote;

    #[test]
    fn only_what_begins_at_the_root_is_replaced() {
        let root = syn::parse_quote!(crate::inner::gpu);
        let tokens = quote!(use ::gridfn::a; (x::gridfn::b, ::gridfn::c::<::gridfn::D>(gridfn::e)); impl ::gridfn::F for G);
        let expected = quote!(
            use crate::inner::gpu::a; (x::gridfn::b, crate::inner::gpu::c::<crate::inner::gpu::D>(gridfn::e));
            impl crate::inner::gpu::F for G
        );
        assert_eq!(rooted(tokens, Some(&root)).to_string(), expected.to_string());
    }
}
