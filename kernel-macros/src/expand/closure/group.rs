//! The functions of work-groups: that the names mean ours.

use super::Emit;
use crate::expand::{group, mixed};
use crate::parse::ast::GroupCall;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

impl Emit<'_> {
    /// The function, as the user wrote it. The name must be gridfn's function itself: that all items reach it is proven by
    /// it.
    pub(in crate::expand) fn ours(&self, call: &GroupCall, name: &str) -> TokenStream {
        self.ours_of("workgroup", call, name)
    }

    /// A function of another of gridfn's modules.
    pub(in crate::expand) fn ours_of(&self, module: &str, call: &GroupCall, name: &str) -> TokenStream {
        let (path, span) = (&call.path, call.path.span());
        let mix = mixed(span);
        let (module, name) = (Ident::new(module, mix), Ident::new(name, mix));
        group(
            span,
            quote_spanned!(mix=> ::gridfn::__private::Function(::gridfn::__private::#module::#name).same(#path)),
        )
    }

    /// Confirms the name, where nothing is called.
    pub(in crate::expand) fn is_ours(&mut self, call: &GroupCall, name: &str) {
        let function = self.ours(call, name);
        self.others
            .push(quote_spanned!(mixed(call.path.span())=> #function;));
    }
}
