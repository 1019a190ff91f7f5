//! From our tree to Rust.

mod closure;
mod closure_kernel;
mod device;
mod device_copy;
mod kernel;
mod kernel_arg;
mod launch;
mod local;
mod position;
mod regions;
mod root;
mod signature;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use device::device;
pub(crate) use device_copy::device_copy;
pub(crate) use kernel::kernel;
pub(crate) use kernel_arg::kernel_arg;
pub(crate) use launch::{closure, launch};

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::ToTokens;

/// Structural tokens: names of ours resolve where the macro is defined, and errors point at the user's code.
fn mixed(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// Parentheses with the user's own span. rustc joins spans of one context only; without these, the place of a fault,
/// which is `Location::caller()`, would be the attribute's line.
fn group(span: Span, tokens: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group.into_token_stream()
}
