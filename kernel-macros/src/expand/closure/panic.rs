//! `panic!` and kin, and `println!`: the values, and a closure that makes words of them.

use super::{Emit, link_hole};
use crate::expand::{group, mixed};
use crate::parse::ast::*;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    pub(super) fn panic(&mut self, p: &Panic) -> TokenStream {
        let (at, mix) = (p.at, mixed(p.at));
        let (mut values, mut pattern, mut arguments) = (quote!(()), quote!(()), vec![]);
        for (n, (name, shown)) in p.shown.iter().enumerate().rev() {
            let value = self.shown(shown);
            let shown = Ident::new(&format!("__shown{n}"), mix);
            values = quote_spanned!(mix=> (#value, #values));
            pattern = quote_spanned!(mix=> (#shown, #pattern));
            let name = name.as_ref().map(|name| quote!(#name =));
            arguments.push(quote!(, #name #shown));
        }
        let arguments = arguments.iter().rev();
        let (hole, format) = (link_hole(p.link, at), &p.format);
        let panics = Ident::new(if p.prints { "prints" } else { "panics" }, at);
        let given = quote_spanned!(mix=> #values, |#pattern| ::std::format!(#format #(#arguments)*));
        // The place of the fault is joined of the method's name and the parentheses.
        let given = group(at, given);
        group(at, quote_spanned!(mix=> #hole.#panics #given))
    }

    /// A value that is shown; of a reference what it refers to. A literal is no reference, and has no type yet of which
    /// a method could be looked up.
    fn shown(&mut self, e: &Expr) -> TokenStream {
        let value = self.expr(e);
        if let ExprKind::Literal(_) = e.bare().kind {
            return value;
        }
        let value = group(e.span, value);
        quote_spanned!(e.span=> #value.shown_by_a_message())
    }
}
