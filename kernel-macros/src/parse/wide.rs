//! Integers of 128 bits, which kernels have not: refused wherever their names stand.

use super::body::Parser;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// What is said of them.
pub(super) const HELP: &str = "128-bit integers are not supported in kernels: use two of 64 bits";

impl Parser {
    /// Refuses each mention of them in some source.
    pub(super) fn refuse_wide(&mut self, source: impl ToTokens) {
        self.refuse_wide_in(source.to_token_stream());
    }

    fn refuse_wide_in(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) if name == "u128" || name == "i128" => self.errors.at(name, HELP),
                TokenTree::Group(group) => self.refuse_wide_in(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}
