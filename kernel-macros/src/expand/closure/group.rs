//! Calls of the functions of work-groups.

use super::{Emit, arguments};
use crate::expand::{group, mixed};
use crate::parse::ast::GroupCall;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

impl Emit<'_> {
    /// The call as it was written. The name must be gridfn's function itself: that all items reach it is proven by it.
    pub(super) fn group_call(
        &mut self,
        call: &GroupCall,
        name: &str,
        value: Option<TokenStream>,
    ) -> TokenStream {
        let (path, span) = (&call.path, call.path.span());
        let mix = mixed(span);
        let name = Ident::new(name, mix);
        let function = group(
            span,
            quote_spanned!(mix=> ::gridfn::__private::Function(::gridfn::__private::workgroup::#name).same(#path)),
        );
        let args = arguments(call.paren, value.as_slice());
        group(span, quote!(#function #args))
    }
}
