//! Places, which are emitted as the user wrote them: a copy would change what is borrowed and written.

use super::super::{group, mixed, position};
use super::{Emit, bracketed};
use crate::parse::ast::*;
use gridfn_ir::Access;
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::Token;

impl Emit<'_> {
    /// An expression that may be a place; `access` is what is done to slices that it leads through.
    pub(super) fn place(&mut self, e: &Expr, access: Access) -> TokenStream {
        if let Some(path) = e.path() {
            self.is_value(&path, e);
        }
        match &e.kind {
            ExprKind::Local(_, name) => quote!(#name),
            ExprKind::Constant(_, path) => quote!(#path),
            ExprKind::Paren(paren, inner) => group(paren.span.join(), self.place(inner, access)),
            ExprKind::Field(base, dot, member) => {
                let base = match e.path() {
                    Some(_) => self.path(base),
                    None => self.place(base, access),
                };
                quote!(#base #dot #member)
            }
            ExprKind::Index(index) => {
                let base = self.base(&index.base, access);
                let inner = self.index(&index.index);
                // The place of a slice's fault is where the expression begins, but that of an overloaded index, which a
                // unique slice has on the host, is its bracket.
                let span = if self.is_shared_slice(&index.base) {
                    index.bracket.span.join()
                } else {
                    position::base(&index.base)
                };
                let bracket = bracketed(span, inner);
                quote!(#base #bracket)
            }
            ExprKind::Subslice(part) => self.subslice(part, access),
            ExprKind::Deref(star, inner) => {
                let inner = self.place(inner, access);
                quote!(#star #inner)
            }
            _ => self.expr(e),
        }
    }

    /// What a place is indexed by; where the place is there for its type alone, any index of that form.
    fn index(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Array(bracket, all) if self.unindexed => {
                let all: Vec<_> = all.iter().map(|e| self.index(e)).collect();
                bracketed(bracket.span.join(), quote!(#(#all),*))
            }
            _ if self.unindexed => quote_spanned!(mixed(e.span)=> ::gridfn::__private::somewhere()),
            _ => self.expr(e),
        }
    }

    /// A place once more, for its type alone.
    pub(super) fn place_again(&mut self, emit: impl FnOnce(&mut Self) -> TokenStream) -> TokenStream {
        let before = std::mem::replace(&mut self.unindexed, true);
        let place = emit(self);
        self.unindexed = before;
        place
    }

    /// What elements are taken of: a parameter that is a view may stand here.
    pub(super) fn base(&mut self, e: &Expr, access: Access) -> TokenStream {
        match e.path() {
            Some(_) => self.path(e),
            None => self.place(e, access),
        }
    }

    /// What is matched with patterns. The view of a `&mut [T]` has no elements to patterns; the slice that it leads to has.
    pub(super) fn matched<'p>(
        &mut self,
        e: &Expr,
        mut patterns: impl Iterator<Item = &'p Pattern> + Clone,
    ) -> TokenStream {
        let unique = patterns.clone().any(Pattern::borrows_uniquely);
        let place = self.place(e, super::access(unique));
        match &e.bare().kind {
            ExprKind::Local(local, _) if self.is_view(*local) && patterns.any(Pattern::takes_elements) => {
                group(e.span, quote_spanned!(e.span=> &mut *#place))
            }
            _ => place,
        }
    }

    /// Whether a variable is a view of a `&mut [T]` on the host.
    fn is_view(&self, local: u16) -> bool {
        let param = self.function.params.get(usize::from(local));
        self.parts.contains(&local)
            || param.is_some_and(|p| {
                matches!(
                    p.kind,
                    ParamKind::Slice {
                        access: Access::Unique,
                        ..
                    }
                )
            })
    }

    /// A parameter or local, or a field of one, as it is.
    pub(super) fn path(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Local(_, name) => quote!(#name),
            ExprKind::Paren(_, inner) => self.path(inner),
            ExprKind::Field(base, dot, member) => {
                let base = self.path(base);
                quote!(#base #dot #member)
            }
            _ => unreachable!("a path is made of fields of a local"),
        }
    }

    /// Notes that what may be a view of a buffer is used as a value. Where the caller has promised that no items meet, it
    /// may be a view.
    fn is_value(&mut self, path: &FieldPath, e: &Expr) {
        if self.function.unsafety.is_some() {
            return;
        }
        let param = self.function.params.get(usize::from(path.local));
        if param.is_some_and(|p| p.kind.may_be_view(&path.fields)) {
            let (tokens, span) = (self.path(e), e.span);
            let check = group(span, quote_spanned!(span=> ::gridfn::__private::part(#tokens)));
            self.values.entry(path.text()).or_insert(quote!(#check;));
        }
    }

    fn is_shared_slice(&self, e: &Expr) -> bool {
        let Some(path) = e.path() else { return false };
        let param = self.function.params.get(usize::from(path.local));
        path.fields.is_empty() && param.is_some_and(|p| p.kind.access() == Some(Access::Shared))
    }

    /// A part of a slice, as a reference to it or a view.
    pub(super) fn subslice(&mut self, part: &Subslice, access: Access) -> TokenStream {
        let (base, limits) = (self.base(&part.base, access), &part.limits);
        let start = part.start.as_ref().map(|e| self.index(e));
        let end = part.end.as_ref().map(|e| self.index(e));
        let span = position::base(&part.base);
        let method = match access {
            Access::Shared => "__shared_part",
            Access::Unique => "__unique_part",
        };
        // The method's own span is the user's, because it is the place of a fault.
        let method = Ident::new(method, span);
        let range = group(span, quote!(#start #limits #end));
        group(span, quote_spanned!(mixed(span)=> #base.#method #range))
    }

    pub(super) fn reference(
        &mut self,
        and: &Token![&],
        mutability: Option<&Token![mut]>,
        place: &Expr,
    ) -> TokenStream {
        let access = super::access(mutability.is_some());
        match &place.bare().kind {
            // A part of a slice is a reference or view by itself.
            ExprKind::Subslice(part) => self.subslice(part, access),
            _ => {
                let place = self.place(place, access);
                quote!(#and #mutability #place)
            }
        }
    }
}
