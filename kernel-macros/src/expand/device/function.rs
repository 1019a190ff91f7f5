//! A free function: as it is, and the form of it that kernels call.

use super::ordinary::ordinary;
use crate::expand::kernel::encode;
use crate::expand::mixed;
use crate::expand::signature::*;
use crate::parse;
use crate::parse::ast::{Param, ParamKind};
use gridfn_ir::Access;
use gridfn_ir::tree::Kind;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Ident, ItemFn, Lifetime, Type};

/// Expands a function.
pub(super) fn expand(f: &ItemFn) -> syn::Result<TokenStream> {
    let function = parse::device(f)?;
    let encoded = encode(&function, Kind::Device)?;
    let Instance {
        before,
        item,
        closure,
        probes,
        body,
        ..
    } = instance(&function, &encoded);
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
    let host_types: Vec<_> = function.params.iter().map(host_type).collect();
    let slices = Slices::of(&function.params);
    let Slices {
        parameters,
        lifetimes,
        names: slice_names,
        taken,
        passed,
    } = &slices;
    let args: Vec<_> = function.params.iter().map(|p| &p.name).collect();
    let patterns: Vec<_> = function.params.iter().map(pattern).collect();
    let result = function
        .result
        .as_ref()
        .map_or_else(|| quote!(()), |ty| quote!(#ty));
    // A parameter that no argument's type has cannot be told from the arguments.
    let told = |name: &&syn::Ident| types.iter().any(|ty| mentions(ty, name));
    // A function that takes references is no argument either.
    let values = function.params.iter().all(|p| matches!(p.kind, ParamKind::Value));
    let as_argument = (values && arguments.iter().all(told)).then(|| {
        quote! {
            impl ::gridfn::__private::KernelArg for #name {
                type Parameter = ::gridfn::__private::NoCaptures;
            }
            impl<__B: ::gridfn::__private::Backend> ::gridfn::__private::Put<__B> for #name {
                #[inline(always)]
                fn put<__S: ::gridfn::__private::Slots<__B>>(&self, _: &mut __S) -> ::gridfn::__private::Result<()> {
                    Ok(())
                }
            }
            impl #impl_generics ::gridfn::__private::DeviceFn<(#(#types,)*)> for #name #where_clause {
                type Output = #result;
                type This = Self;
                #[inline(always)]
                fn this(&self) -> &Self {
                    self
                }
                const LINK: fn() -> ::gridfn::__private::Link =
                    || ::gridfn::__private::Link::Passed(const { &<__Marker #type_generics>::BODY });
                #[inline(always)]
                fn call(
                    item: &::gridfn::__private::Item,
                    _: (),
                    (#(#args,)*): (#(#types,)*),
                ) -> #result {
                    // The function counts as used.
                    let _: fn(#(#types),*) -> #result = #name;
                    (const { __Marker::<#(#arguments),*>::PARTS.1 })(item #(, #args)*)
                }
            }
        }
    });
    let instantiated = arguments.is_empty().then(|| {
        quote!(
            const _: () = {
                let _ = __Marker::PARTS;
            };
        )
    });
    let original = original(f);
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
                const PARTS: (::gridfn::__private::Body<'static>, fn(&::gridfn::__private::Item #(, #host_types)*) -> #result) = {
                    #before
                    const fn __signature<#(#declared,)* __F: Fn(&::gridfn::__private::Item #(, #host_types)*) -> #result + Copy>(body: __F) -> __F
                        #where_clause
                    {
                        body
                    }
                    const fn __entry<#(#declared,)* __F: Fn(&::gridfn::__private::Item #(, #host_types)*) -> #result + Copy>(
                        _: &__F,
                    ) -> fn(&::gridfn::__private::Item #(, #host_types)*) -> #result
                        #where_clause
                    {
                        #[inline(always)]
                        fn run<#(#declared,)* __F: Fn(&::gridfn::__private::Item #(, #host_types)*) -> #result + Copy>(
                            item: &::gridfn::__private::Item #(, #args: #host_types)*
                        ) -> #result
                            #where_clause
                        {
                            ::gridfn::__private::conjure::<__F>()(item #(, #args)*)
                        }
                        run::<#(#arguments,)* __F>
                    }
                    let __host = __signature::<#(#arguments,)* _>(
                        move |#item: &::gridfn::__private::Item #(, #patterns: #host_types)*| -> #result { #closure }
                    );
                    #probes
                    (#body, __entry::<#(#arguments,)* _>(&__host))
                };
                const BODY: ::gridfn::__private::Body<'static> = Self::PARTS.0;
                /// The function as the item's kernel calls it: with the parameters that the user wrote, where for a
                /// slice stands what can be made one.
                #[inline(always)]
                pub fn __at<'i, #(#lifetimes,)* #(#parameters),*>(
                    &self,
                    item: &'i ::gridfn::__private::Item,
                ) -> impl Fn(#(#taken),*) -> #result + ::core::marker::Copy + use<'i, #(#lifetimes,)* #(#arguments,)* #(#slice_names),*> {
                    move |#(#args),*| (const { Self::PARTS.1 })(item #(, #passed)*)
                }
                /// The marker of what devices call.
                #[inline(always)]
                pub fn __called(&self) -> __Marker<#(#erased),*> {
                    __Marker(::core::marker::PhantomData)
                }
            }
            impl #impl_generics ::gridfn::__private::HasLink for __Marker #type_generics #where_clause {
                const LINK: fn() -> ::gridfn::__private::Link =
                    || ::gridfn::__private::Link::Function(const { &<__Marker #type_generics>::BODY });
            }
            impl #name {
                #[doc(hidden)]
                #[inline(always)]
                pub const fn __link #impl_generics(_: fn(#(#types),*) -> #result) -> __Marker #type_generics #where_clause {
                    __Marker(::core::marker::PhantomData)
                }
            }
            #as_argument
            #instantiated
        };
    })
}

/// The type of a parameter in the kernel's form of the function.
fn host_type(p: &Param) -> TokenStream {
    match &p.kind {
        ParamKind::Slice {
            element,
            access: Access::Unique,
        } => quote_spanned!(mixed(element.span())=> ::gridfn::__private::SliceMut<'_, #element>),
        _ => {
            let ty = &p.ty;
            quote!(#ty)
        }
    }
}

/// How calls pass slices: each is a type parameter of the call, for which stands whatever can be made a slice of.
#[derive(Default)]
pub(super) struct Slices {
    pub(super) lifetimes: Vec<Lifetime>,
    pub(super) parameters: Vec<TokenStream>,
    pub(super) names: Vec<Ident>,
    /// The types of all parameters.
    pub(super) taken: Vec<TokenStream>,
    /// All arguments, for the kernel's form.
    pub(super) passed: Vec<TokenStream>,
}

impl Slices {
    pub(super) fn of(params: &[Param]) -> Slices {
        let mut slices = Slices::default();
        for (n, p) in params.iter().enumerate() {
            let (name, ty, span) = (&p.name, &p.ty, mixed(p.ty.span()));
            let (element, access) = match &p.kind {
                ParamKind::Slice { element, access } => (element, access),
                ParamKind::Atomics { element } => (element, &Access::Shared),
                _ => {
                    slices.taken.push(quote!(#ty));
                    slices.passed.push(quote!(#name));
                    continue;
                }
            };
            let (what, into) = match access {
                Access::Shared => ("IntoSlice", "into_slice"),
                Access::Unique => ("IntoSliceMut", "into_slice_mut"),
            };
            let (what, into) = (Ident::new(what, span), Ident::new(into, span));
            let (lifetime, parameter) = (
                Lifetime::new(&format!("'s{n}"), span),
                Ident::new(&format!("__S{n}"), span),
            );
            let bound = quote_spanned!(span=> ::gridfn::__private::slice::#what<#lifetime, #element>);
            slices.parameters.push(quote!(#parameter: #bound));
            slices.taken.push(quote!(#parameter));
            slices.passed.push(quote_spanned!(span=> <#parameter as ::gridfn::__private::slice::#what<#lifetime, #element>>::#into(#name)));
            slices.lifetimes.push(lifetime);
            slices.names.push(parameter);
        }
        slices
    }
}

/// The function as code outside of kernels, and methods, call it. Type parameters are types of kernels there too, so that
/// what is generic wraps like all else.
fn original(f: &ItemFn) -> ItemFn {
    let mut f = f.clone();
    f.sig.generics = bounded(&f.sig.generics);
    ordinary(&mut f.block);
    f
}

/// Whether a type names the parameter.
fn mentions(ty: &Type, name: &Ident) -> bool {
    struct Search<'n>(&'n Ident, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut search = Search(name, false);
    search.visit_type(ty);
    search.1
}
