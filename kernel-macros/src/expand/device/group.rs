//! `#[device(group)]`: a function that all items of a work-group call together.
//!
//! On the host it runs once for a group, as a kernel whose items wait for each other does: the same split into regions. A
//! caller passes values of each item by where they stand, and results go into the caller's slots.

use super::function::Slices;
use crate::check::uniformity;
use crate::diagnostic::Errors;
use crate::expand::kernel::encode_with;
use crate::expand::mixed;
use crate::expand::regions::{group_name, passed_name, regions, result_name};
use crate::expand::signature::*;
use crate::parse;
use crate::parse::ast::{Expr, ExprKind, Function, Param, ParamKind, Visit, walk_expr};
use gridfn_ir::Access;
use gridfn_ir::tree::Kind;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{FnArg, Item, ItemFn, Lifetime, Type};

/// Expands a group function.
pub(super) fn expand(f: &ItemFn) -> syn::Result<TokenStream> {
    let function = parse::group_function(f)?;
    recursion(&function)?;
    let uniformity = uniformity(&function)?;
    let encoded = encode_with(&function, Kind::Device, Some(&uniformity))?;
    let Instance {
        before,
        closure,
        probes,
        body,
        need,
        ..
    } = instance_of(&function, &encoded, regions(&function, &uniformity));
    let (vis, name) = (&function.vis, &function.name);
    let generics = bounded(&function.generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let (declared, bare, arguments, names) = (
        declared(&generics),
        unbounded(&generics),
        arguments(&generics),
        names(&generics),
    );
    let (erased, allow, twins) = (erased(&generics), allow(), twins());
    let types: Vec<_> = function.params.iter().map(|p| &p.ty).collect();
    let slices = Slices::of(&function.params);
    let Slices {
        parameters,
        lifetimes,
        names: slice_names,
        taken,
        passed,
    } = &slices;
    let args: Vec<_> = function.params.iter().map(|p| &p.name).collect();
    let (group, results) = (group_name(name.span()), result_name(name.span()));
    let sides: Vec<Side> = (0..).zip(&function.params).map(|(n, p)| side(n, p)).collect();
    let patterns: Vec<_> = sides.iter().map(|s| &s.pattern).collect();
    let host_types: Vec<_> = sides.iter().map(|s| &s.host).collect();
    let references: Vec<_> = sides.iter().filter_map(|s| s.lifetime.as_ref()).collect();
    let called: Vec<_> = sides
        .iter()
        .zip(taken)
        .map(|(s, taken)| s.called.clone().unwrap_or(taken.clone()))
        .collect();
    let made: Vec<_> = sides.iter().map(|s| &s.made).collect();
    let (each_names, each_bounds): (Vec<_>, Vec<_>) = sides.iter().map(|s| (&s.each, &s.bound)).unzip();
    let handed: Vec<_> = sides.iter().map(|s| &s.handed).collect();
    let result = function
        .result
        .as_ref()
        .map_or_else(|| quote!(()), |ty| quote!(#ty));
    let signature =
        quote!(Fn(&::gridfn::__private::Group<'_> #(, #host_types)*, ::gridfn::__private::Slot<'_, #result>));
    let entry =
        quote!(fn(&::gridfn::__private::Group<'_> #(, #host_types)*, ::gridfn::__private::Slot<'_, #result>));
    let instantiated = arguments.is_empty().then(|| {
        quote!(
            const _: () = {
                let _ = __Marker::PARTS;
            };
        )
    });
    let original = outside(f);
    Ok(quote! {
        #[allow(clippy::multiple_bound_locations)]
        #original

        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}

        #allow
        const _: () = {
            #twins
            pub struct __Marker<#(#bare),*>(::core::marker::PhantomData<(#(#names,)*)>);
            impl #impl_generics __Marker #type_generics #where_clause {
                const PARTS: (::gridfn::__private::Body<'static>, #entry, ::gridfn::__private::Need) = {
                    #before
                    const fn __signature<#(#declared,)* __F: #signature + Copy>(body: __F) -> __F #where_clause {
                        body
                    }
                    const fn __entry<#(#declared,)* __F: #signature + Copy>(_: &__F) -> #entry #where_clause {
                        #[inline(always)]
                        fn run<#(#declared,)* __F: #signature + Copy>(
                            group: &::gridfn::__private::Group<'_> #(, #args: #host_types)*,
                            results: ::gridfn::__private::Slot<'_, #result>,
                        ) #where_clause {
                            ::gridfn::__private::conjure::<__F>()(group #(, #args)*, results)
                        }
                        run::<#(#arguments,)* __F>
                    }
                    let __host = __signature::<#(#arguments,)* _>(
                        move |#group: &::gridfn::__private::Group<'_> #(, #patterns: #host_types)*,
                            #results: ::gridfn::__private::Slot<'_, #result>| { #closure }
                    );
                    #probes
                    (#body, __entry::<#(#arguments,)* _>(&__host), #need)
                };
                const BODY: ::gridfn::__private::Body<'static> = Self::PARTS.0;
                /// What a call without `group!` finds, and is refused by.
                pub fn __at<'i, #(#lifetimes,)* #(#parameters),*>(
                    &self,
                    _: &'i ::gridfn::__private::Item,
                ) -> impl Fn(#(#taken),*) -> #result + ::core::marker::Copy + use<'i, #(#lifetimes,)* #(#arguments,)* #(#slice_names),*> {
                    move |#(#args),*| unreachable!()
                }
                pub fn __called(&self) -> ::gridfn::__private::NoMethod {
                    ::gridfn::__private::NoMethod
                }
                /// The marker of what devices call.
                #[inline(always)]
                pub fn __group_called(&self) -> __Marker<#(#erased),*> {
                    __Marker(::core::marker::PhantomData)
                }
                /// The arguments, as the user wrote them, where those of each item are the first item's.
                #[inline(always)]
                pub fn __group_call<#(#lifetimes,)* #(#references,)* #(#parameters),*>(
                    &self,
                    (#(#args,)*): (#(#called,)*),
                ) -> (#(#made,)*) {
                    (#(#passed,)*)
                }
                /// A result, for its type.
                pub fn __group_result(&self) -> #result {
                    unreachable!()
                }
                /// Runs the function for a group.
                #[inline(always)]
                pub unsafe fn __group_run<'__g, #(#references,)* #(#lifetimes,)* #(#each_bounds,)* __R>(
                    &self,
                    group: &::gridfn::__private::Group<'__g>,
                    (#(#args,)*): (#(#made,)*),
                    (#(#each_names,)*): (#(#each_names,)*),
                    results: ::gridfn::__private::Slot<'__g, __R>,
                ) {
                    (const { Self::PARTS.1 })(group #(, #handed)*, unsafe { results.of() })
                }
            }
            impl #impl_generics ::gridfn::__private::HasLink for __Marker #type_generics #where_clause {
                const LINK: fn() -> ::gridfn::__private::Link =
                    || ::gridfn::__private::Link::Function(const { &<__Marker #type_generics>::BODY });
            }
            impl #impl_generics ::gridfn::__private::together::GroupFunction for __Marker #type_generics #where_clause {
                const NEED: ::gridfn::__private::Need = Self::PARTS.2;
            }
            impl #name {
                #[doc(hidden)]
                #[inline(always)]
                pub fn __link #impl_generics(_: impl ::gridfn::__private::together::AllItems) -> __Marker #type_generics #where_clause {
                    __Marker(::core::marker::PhantomData)
                }
                #[doc(hidden)]
                #[inline(always)]
                pub const fn __group_link #impl_generics(_: fn(#(#types),*) -> #result) -> __Marker #type_generics #where_clause {
                    __Marker(::core::marker::PhantomData)
                }
            }
            #instantiated
        };
    })
}

/// Refuses a call of the function itself. A longer way back is found by rustc, for which the memory that a group takes is a
/// constant.
fn recursion(f: &Function) -> syn::Result<()> {
    struct Search<'f>(&'f Function, Errors);
    impl Visit for Search<'_> {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Together(t) = &e.kind
                && t.path.is_ident(&self.0.name)
            {
                let name = &self.0.name;
                self.1
                    .at(&t.path, format!("`{name}` calls itself; kernels cannot recurse"));
            }
            walk_expr(self, e);
        }
    }
    let mut search = Search(f, Errors::default());
    search.block(&f.body);
    search.1.check()
}

/// How a parameter is passed.
struct Side {
    /// The pattern of the closure's parameter, and its type.
    pattern: TokenStream,
    host: TokenStream,
    /// A lifetime of a reference.
    lifetime: Option<Lifetime>,
    /// The type of the argument, where it is not that of a call of a device function.
    called: Option<TokenStream>,
    /// What is made of the argument.
    made: TokenStream,
    /// The type parameter for where the items' values stand, and its bound.
    each: syn::Ident,
    bound: TokenStream,
    /// The argument that the closure gets.
    handed: TokenStream,
}

fn side(n: usize, p: &Param) -> Side {
    let (name, ty, span) = (&p.name, &p.ty, mixed(syn::spanned::Spanned::span(&p.ty)));
    let each = format_ident!("__E{n}", span = mixed(name.span()));
    let side = Side {
        pattern: pattern(p),
        host: quote!(#ty),
        lifetime: None,
        called: None,
        made: quote!(#ty),
        bound: quote!(#each),
        each,
        handed: quote!(#name),
    };
    let each = &side.each;
    match &p.kind {
        ParamKind::Slice { element, access } => {
            let lifetime = Lifetime::new(&format!("'s{n}"), span);
            let (host, made) = match access {
                Access::Shared => (quote!(&[#element]), quote!(&#lifetime [#element])),
                Access::Unique => (
                    quote_spanned!(span=> ::gridfn::__private::SliceMut<'_, #element>),
                    quote_spanned!(span=> ::gridfn::__private::SliceMut<#lifetime, #element>),
                ),
            };
            Side { host, made, ..side }
        }
        ParamKind::Atomics { element } => {
            let lifetime = Lifetime::new(&format!("'s{n}"), span);
            let made = quote!(&#lifetime [#element]);
            Side { made, ..side }
        }
        ParamKind::Value if p.uniform => {
            let bound = quote_spanned!(span=> #each: ::gridfn::__private::together::SameForAll);
            Side { bound, ..side }
        }
        ParamKind::Value => Side {
            pattern: {
                let passed = passed_name(n as u16, name.span());
                quote!(#passed)
            },
            host: quote_spanned!(span=> ::gridfn::__private::together::PerItem<'_, #ty>),
            bound: quote_spanned!(span=> #each: ::gridfn::__private::together::Passed),
            handed: quote_spanned!(span=> unsafe { #each.per_item::<#ty>() }),
            ..side
        },
        _ => match ty {
            Type::Reference(r) => {
                let lifetime = Lifetime::new(&format!("'__r{n}"), span);
                let mut r = r.clone();
                r.lifetime = Some(lifetime.clone());
                Side {
                    lifetime: Some(lifetime),
                    called: Some(quote!(#r)),
                    made: quote!(#r),
                    ..side
                }
            }
            _ => side,
        },
    }
}

/// What stands for a function that `group!` was written in by mistake: that it has no place there has been told.
pub(super) fn refused(item: &Item) -> Option<TokenStream> {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.0 |= mac.path.is_ident("group");
        }
    }
    let Item::Fn(f) = item else { return None };
    let mut search = Search(false);
    syn::visit::Visit::visit_item_fn(&mut search, f);
    search.0.then(|| outside(f))
}

/// The function as code outside of kernels finds it: it cannot be called there.
pub(super) fn outside(f: &ItemFn) -> TokenStream {
    let mut f = f.clone();
    f.sig.generics = bounded(&f.sig.generics);
    for arg in &mut f.sig.inputs {
        if let FnArg::Typed(arg) = arg {
            arg.attrs.retain(|a| !a.path().is_ident("uniform"));
        }
    }
    let name = f.sig.ident.to_string();
    *f.block = syn::parse_quote!({ ::gridfn::__private::together::outside(#name) });
    quote!(#[allow(unused_variables, unused_mut)] #f)
}
