//! `#[derive(KernelArg)]`: a struct that stands for several arguments.
//!
//! On the kernel's side each field is a parameter of its own; the struct there is a view. What the derive emits for it
//! is generic over the fields' parameters, so that each field's type is asked for its parameter in one place only: a
//! type that kernels cannot hold is told once, at the field.

use super::mixed;
use super::root::{root, rooted};
use super::signature::with_every_lifetime;
use crate::diagnostic::Errors;
use crate::parse;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DataStruct, DeriveInput, Error, Fields, Generics, Type, TypeParamBound, parse_quote};

/// Expands the derive.
pub(crate) fn kernel_arg(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2::<DeriveInput>(input).and_then(|input| {
        let root = root(&input, "kernel_arg")?;
        expand(&input).map(|tokens| rooted(tokens, root.as_ref()))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let fields = match &input.data {
        Data::Struct(DataStruct {
            fields: Fields::Named(fields),
            ..
        }) => &fields.named,
        _ => {
            let help = "`KernelArg` is for structs with named fields; a tuple is an argument by itself";
            return Err(Error::new_spanned(&input.ident, help));
        }
    };
    if let Some(constant) = input.generics.const_params().next() {
        let help = "const parameters of a `KernelArg` are not supported yet";
        return Err(Error::new_spanned(constant, help));
    }
    if let Some(unnamed) = fields
        .iter()
        .find(|f| f.ident.as_ref().is_some_and(|name| name == "_"))
    {
        return Err(Error::new_spanned(&unnamed.ident, "a field has a name"));
    }
    let mut errors = Errors::default();
    for field in fields {
        parse::refuse_bounds(&mut errors, &field.ty);
    }
    errors.check()?;
    let (name, name_text) = (&input.ident, input.ident.to_string());
    let generics = bounded(&input.generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let names: Vec<_> = fields.iter().filter_map(|f| f.ident.as_ref()).collect();
    let texts = names.iter().map(|name| {
        let name = name.to_string();
        name.strip_prefix("r#").unwrap_or(&name).to_string()
    });
    let visibilities = fields.iter().map(|f| &f.vis);
    let parts: Vec<_> = (0..names.len()).map(|n| format_ident!("__P{n}")).collect();
    // The one place that asks whether a kernel can hold the field's type.
    let parameters = fields.iter().map(|f| {
        let ty = with_every_lifetime(&f.ty, "'static");
        quote_spanned!(f.ty.span()=> <#ty as ::gridfn::__private::KernelArg>::Parameter)
    });
    // rustc tells at the whole type that one of its parts cannot be, so that stands where such a part does.
    let asked = fields.iter().find(|f| !is_known(&f.ty));
    let at = asked.map_or_else(proc_macro2::Span::call_site, |f| f.ty.span());
    let all = quote_spanned!(at=> __Parts<#(#parameters),*>);
    let mut on_backend = generics.clone();
    on_backend
        .params
        .push(parse_quote!(__B: ::gridfn::__private::Backend));
    let predicates = &mut on_backend.make_where_clause().predicates;
    for field in fields {
        let ty = &field.ty;
        // In parentheses, because `where <u32>::T` reads as parameters of the clause.
        predicates.push(syn::parse_quote_spanned!(mixed(ty.span())=> (#ty): ::gridfn::__private::Put<__B>));
    }
    let (backend_generics, _, backend_where) = on_backend.split_for_impl();
    let allow = super::signature::allow();
    Ok(quote! {
        #allow
        const _: () = {
            /// What the kernel sees.
            pub struct __View<'v, #(#parts: ::gridfn::__private::Parameter),*> {
                #(#visibilities #names: <#parts as ::gridfn::__private::Parameter>::View<'v>,)*
                __of: ::core::marker::PhantomData<&'v ()>,
            }
            impl<#(#parts: ::gridfn::__private::Parameter),*> ::core::clone::Clone for __View<'_, #(#parts),*> {
                #[inline(always)]
                fn clone(&self) -> Self {
                    *self
                }
            }
            impl<#(#parts: ::gridfn::__private::Parameter),*> ::core::marker::Copy for __View<'_, #(#parts),*> {}
            /// The parameters that the struct stands for.
            pub struct __Parts<#(#parts),*>(::core::marker::PhantomData<(#(#parts,)*)>);
            unsafe impl<#(#parts: ::gridfn::__private::Parameter + 'static),*> ::gridfn::__private::Parameter
                for __Parts<#(#parts),*>
            {
                const TYPE: ::gridfn::__private::Type =
                    ::gridfn::__private::Type::Struct(&::gridfn::__private::Struct {
                        name: #name_text,
                        fields: &[#(::gridfn::__private::Field {
                            name: #texts,
                            ty: <#parts as ::gridfn::__private::Parameter>::TYPE,
                            offset: 0,
                        }),*],
                        size: 0,
                        align: 1,
                    });
                type View<'v> = __View<'v, #(#parts),*>;
                #[inline(always)]
                unsafe fn read<'v>(reader: &mut ::gridfn::__private::Reader<'v>) -> Self::View<'v> {
                    unsafe {
                        __View {
                            #(#names: <#parts as ::gridfn::__private::Parameter>::read(reader),)*
                            __of: ::core::marker::PhantomData,
                        }
                    }
                }
            }
            impl #impl_generics ::gridfn::__private::KernelArg for #name #type_generics #where_clause {
                type Parameter = #all;
            }
            impl #backend_generics ::gridfn::__private::Put<__B> for #name #type_generics #backend_where {
                #[inline(always)]
                fn put<__S: ::gridfn::__private::Slots<__B>>(&self, slots: &mut __S) -> ::gridfn::__private::Result<()> {
                    #(::gridfn::__private::Put::<__B>::put(&self.#names, slots)?;)*
                    Ok(())
                }
            }
        };
    })
}

/// Whether a kernel can hold the type, as far as its syntax tells.
fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) | Type::Array(_) => true,
        Type::Path(p) => p
            .path
            .get_ident()
            .is_some_and(|name| gridfn_ir::Scalar::from_name(&name.to_string()).is_some()),
        _ => false,
    }
}

/// The generics, with what the elements of buffers must be. A back end is no element.
fn bounded(generics: &Generics) -> Generics {
    let mut out = generics.clone();
    let elements: Vec<Ident> = generics
        .type_params()
        .filter(|p| {
            !p.bounds.iter().any(|bound| match bound {
                TypeParamBound::Trait(t) => t.path.segments.last().is_some_and(|s| s.ident == "Backend"),
                _ => false,
            })
        })
        .map(|p| p.ident.clone())
        .collect();
    for ty in elements {
        let predicates = &mut out.make_where_clause().predicates;
        predicates.push(syn::parse_quote_spanned!(mixed(ty.span())=> (#ty): ::gridfn::__private::DeviceCopy));
    }
    out
}
