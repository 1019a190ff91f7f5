//! Operations of sub-groups on the host: what each item gives goes to a slot, before the region that uses what it gets.

use super::emit::{group_name, load};
use super::facts::Facts;
use crate::expand::closure::{Emit, item};
use crate::expand::{group, mixed};
use crate::parse::ast::*;
use gridfn_ir::SubgroupFunction;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;

/// The hole of what a call's slot holds, by the call's number.
pub(super) fn hole(number: usize, span: Span) -> Ident {
    format_ident!("__h{number}", span = mixed(span))
}

/// The slot of a call.
pub(super) fn name(number: usize, span: Span) -> Ident {
    format_ident!("__x{number}", span = mixed(span))
}

fn slot(s: &SubgroupCall) -> Ident {
    name(usize::from(s.number), s.call.path.span())
}

impl Emit<'_> {
    /// Where the items of a group exchange what they give.
    pub(super) fn subgroup_exchange(&mut self, s: &SubgroupCall) -> TokenStream {
        let span = s.call.path.span();
        let (slot, mix, item, group_name) = (slot(s), mixed(span), item(span), group_name(span));
        let function = self.ours_of("subgroup", &s.call, s.function.name());
        let method = Ident::new(s.function.name(), span);
        let (values, operator) = s.parts();
        let loads = self.loads(values);
        let values: Vec<_> = values.iter().map(|e| self.expr(e)).collect();
        let given = quote_spanned!(mix=> |#item: &::gridfn::__private::Item| { #loads (#(#values,)*) });
        let arguments = match operator {
            None => quote_spanned!(mix=> &#group_name, #function, #given),
            Some(operator) => {
                let loads = self.loads(std::slice::from_ref(operator));
                let operator = self.expr(operator);
                let turn = Ident::new("__turn", mix);
                let combine = quote_spanned!(mix=>
                    |#item: &::gridfn::__private::Item, #turn| { #loads #turn.#method(#function, #operator) }
                );
                quote_spanned!(mix=> &#group_name, #given, #combine)
            }
        };
        let arguments = group(s.call.paren.span.join(), arguments);
        quote_spanned!(mix=> #slot.#method #arguments;)
    }

    /// What the item gets.
    pub(in crate::expand) fn subgroup(&mut self, s: &SubgroupCall) -> TokenStream {
        let span = s.call.path.span();
        let (slot, item) = (slot(s), item(span));
        let get = match s.function {
            SubgroupFunction::Any | SubgroupFunction::All => "yes",
            SubgroupFunction::Ballot => "votes",
            SubgroupFunction::Broadcast
            | SubgroupFunction::Shuffle
            | SubgroupFunction::ShuffleUp
            | SubgroupFunction::ShuffleDown
            | SubgroupFunction::ShuffleXor
            | SubgroupFunction::ShuffleWithin
            | SubgroupFunction::ShuffleUpWithin
            | SubgroupFunction::ShuffleDownWithin
            | SubgroupFunction::ShuffleXorWithin => "value",
            SubgroupFunction::Reduce | SubgroupFunction::InclusiveScan | SubgroupFunction::ExclusiveScan => {
                "combined"
            }
        };
        let get = Ident::new(get, mixed(span));
        group(span, quote_spanned!(mixed(span)=> #slot.#get(#item)))
    }

    /// The variables that expressions use.
    fn loads(&mut self, all: &[Expr]) -> TokenStream {
        let layout = self.known();
        let mut facts = Facts::default();
        all.iter().for_each(|e| facts.expr(e));
        let outside = facts.mentions.difference(&facts.declares);
        outside.map(|local| load(&layout, *local)).collect()
    }
}
