//! Compiling plain kernels while the program is built.
use crate::parse::ast::Function;
use proc_macro2::TokenStream;

/// What was compiled.
pub(crate) struct Compiled {
    pub forms: Vec<TokenStream>,
    pub check: TokenStream,
}

/// Compiles a kernel, if every hole can be filled without rustc.
pub(crate) fn compile(_: &Function, _: &[u8]) -> Option<Compiled> {
    None
}
