//! Errors, collected: all mistakes of a kernel are told at once, each at its own token.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors of one stage. Dropping them unreported panics in tests.
#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
    reported: bool,
}

impl Errors {
    /// Notes an error at the tokens of `at`.
    pub(crate) fn at(&mut self, at: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(at, message));
    }

    /// Notes an error.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// The barrier between two stages.
    pub(crate) fn check(mut self) -> syn::Result<()> {
        self.reported = true;
        let mut all = std::mem::take(&mut self.all).into_iter();
        let Some(mut first) = all.next() else {
            return Ok(());
        };
        all.for_each(|e| first.combine(e));
        Err(first)
    }
}

#[cfg(test)]
impl Drop for Errors {
    fn drop(&mut self) {
        if !self.reported && !std::thread::panicking() {
            panic!("errors were collected, but never checked");
        }
    }
}

/// `error` as `compile_error!`, and `instead`, so that the names of the item exist and the user sees one error, not
/// one for each use.
pub(crate) fn with_fallback(error: syn::Error, instead: TokenStream) -> TokenStream {
    let mut out = error.into_compile_error();
    out.extend(instead);
    out
}

/// The one of `names` that `name` was most likely meant to be.
pub(crate) fn nearest<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let best = names.iter().map(|n| (distance(name, n), *n)).min()?;
    (best.0 <= 1 + name.len() / 4).then_some(best.1)
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("sqrtt", &["abs", "sqrt", "sin"]), Some("sqrt"));
        assert_eq!(nearest("gloabl", &["local", "global", "groups"]), Some("global"));
        assert_eq!(nearest("frobnicate", &["abs", "sqrt"]), None);
    }
}
