//! `#[derive(DeviceCopy)]`: the layout of a struct or enum as devices see it.
//!
//! Structs are laid out by rustc as it likes, and `offset_of!` tells how. So are enums whose fields have no `#[repr]`,
//! but there nothing tells: such an enum says that it has no layout for devices. The other enums are laid out as the
//! reference fixes it ([`gridfn_runtime::private::layout`](../../../kernel-runtime/src/private/layout.rs)), and the
//! expansion asserts what it can of that.

use super::root::{root, rooted};
use super::{mixed, signature};
use crate::diagnostic::{Errors, with_fallback};
use crate::parse;
use gridfn_ir::Scalar;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, GenericParam, Generics, Ident, Meta, Token, Type};

/// Expands the derive.
pub(crate) fn device_copy(input: TokenStream) -> TokenStream {
    let expansion = syn::parse2::<DeriveInput>(input).and_then(|input| {
        let root = root(&input, "device_copy")?;
        let expansion = match expand(&input) {
            Ok(tokens) => tokens,
            // A type that has lifetimes cannot be one for kernels, whatever is emitted.
            Err(error) if input.generics.lifetimes().next().is_some() => error.into_compile_error(),
            // The type exists for kernels, so that there is one error and not one for each use.
            Err(error) => with_fallback(error, emit(&input, quote!(::gridfn::__private::Type::Unit))),
        };
        Ok(rooted(expansion, root.as_ref()))
    });
    expansion.unwrap_or_else(Error::into_compile_error)
}

fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    for param in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            let help = "what kernels hold has no lifetimes: a buffer is a parameter `&[T]`, or a field of a struct with \
                        `#[derive(KernelArg)]`";
            errors.at(lifetime, help);
        }
    }
    let repr = Repr::of(input, &mut errors);
    let ty = match &input.data {
        Data::Struct(data) => {
            let name = text(&input.ident);
            refuse_fields(&data.fields, &mut errors);
            let fields = fields(&data.fields, |_, member| {
                quote!(::core::mem::offset_of!(Self, #member))
            });
            quote!(::gridfn::__private::Type::Struct(&::gridfn::__private::Struct {
                name: #name,
                fields: &[#(#fields),*],
                size: ::core::mem::size_of::<Self>(),
                align: ::core::mem::align_of::<Self>(),
            }))
        }
        Data::Enum(data) => enumeration(&input.ident, data, &repr, &mut errors),
        Data::Union(data) => {
            let help = "kernels hold no unions: an enum with `#[repr(u8)]` says which field is there";
            errors.at(data.union_token, help);
            TokenStream::new()
        }
    };
    errors.check()?;
    Ok(emit(input, ty))
}

/// The impls, for a type that devices see as `ty`.
fn emit(input: &DeriveInput, ty: TokenStream) -> TokenStream {
    let name = &input.ident;
    let generics = bounded(&input.generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let allow = signature::allow();
    // rustc tells at this name that the type is not `Copy`.
    let device_copy = quote_spanned!(mixed(name.span())=> ::gridfn::__private::DeviceCopy);
    // That the type is not `Copy`, the impl of `DeviceCopy` tells. A bound of every lifetime is one that rustc does not
    // check by itself.
    let mut copied = generics.clone();
    copied
        .make_where_clause()
        .predicates
        .push(syn::parse_quote_spanned!(mixed(name.span())=> for<'__any> #name #type_generics: ::core::marker::Copy));
    let copied = &copied.where_clause;
    // What is unsafe in it: the type is as the fields' own types, `offset_of!`, `size_of` and the reference say.
    quote! {
        #allow
        const _: () = {
            unsafe impl #impl_generics #device_copy for #name #type_generics #where_clause {
                const TYPE: ::gridfn::__private::Type = #ty;
            }
            impl #impl_generics ::gridfn::__private::KernelArg for #name #type_generics #where_clause {
                type Parameter = ::gridfn::__private::ByValue<Self>;
            }
            impl #impl_generics ::gridfn::__private::CaptureValue for #name #type_generics #where_clause {
                type Parameter = ::gridfn::__private::ByValue<Self>;
            }
            impl #impl_generics ::gridfn::__private::Operand for #name #type_generics #copied {
                type Value = Self;
                #[inline(always)]
                fn value(self) -> Self {
                    self
                }
            }
        };
    }
}

/// What `#[repr(…)]` says, as far as it matters here.
#[derive(Default)]
struct Repr {
    c: bool,
    /// The integer type, by its name.
    integer: Option<Ident>,
    align: Option<Span>,
}

impl Repr {
    fn of(input: &DeriveInput, errors: &mut Errors) -> Repr {
        let mut repr = Repr::default();
        for attribute in input.attrs.iter().filter(|a| a.path().is_ident("repr")) {
            // What is no list of these is rustc's to refuse.
            let _ = attribute.parse_args_with(|tokens: syn::parse::ParseStream<'_>| {
                for meta in tokens.parse_terminated(Meta::parse, Token![,])? {
                    repr.note(&meta, errors);
                }
                Ok(())
            });
        }
        repr
    }

    fn note(&mut self, meta: &Meta, errors: &mut Errors) {
        let Some(name) = meta.path().get_ident() else {
            return;
        };
        match name.to_string().as_str() {
            "C" => self.c = true,
            "align" => self.align = Some(meta.span()),
            "packed" => {
                let help = "kernels hold no packed structs: devices read each field at its alignment";
                errors.at(meta, help);
            }
            "i128" | "u128" => errors.at(meta, "kernels know integers of 8 to 64 bits"),
            text if Scalar::from_name(text).is_some_and(Scalar::is_integer) => {
                self.integer = Some(name.clone())
            }
            // `transparent` changes nothing, and what is no representation is rustc's to refuse.
            _ => {}
        }
    }
}

/// The type of an enum.
fn enumeration(name: &Ident, data: &DataEnum, repr: &Repr, errors: &mut Errors) -> TokenStream {
    if data.variants.is_empty() {
        errors.at(
            name,
            "an enum without variants has no values that a kernel could hold",
        );
    }
    data.variants
        .iter()
        .for_each(|v| refuse_fields(&v.fields, errors));
    let has_fields = data.variants.iter().any(|v| !v.fields.is_empty());
    if let Some(at) = repr.align
        && repr.integer.is_none()
        && !repr.c
        && !has_fields
    {
        let help = "rustc alone knows where the discriminant of this enum is: give it an integer type, such as \
                    `#[repr(u8, align(16))]`";
        errors.push(Error::new(at, help));
    }
    let discriminants = Discriminants::of(data, repr);
    let (before, names) = (&discriminants.before, &discriminants.names);
    let (tag, has_layout) = match (&repr.integer, repr.c, has_fields) {
        (Some(integer), ..) => (scalar(integer), true),
        (None, true, _) => (
            quote!(::gridfn::__private::layout::tag_of_c(&[#(#names),*])),
            true,
        ),
        (None, false, false) => (
            quote!(::gridfn::__private::layout::tag::<Self>(&[#(#names),*])),
            true,
        ),
        (None, false, true) => (quote!(::gridfn::__private::ScalarType::U32), false),
    };
    let is_c = repr.c;
    let sizes = data.variants.iter().map(|variant| {
        let types = variant.fields.iter().map(|f| &f.ty);
        quote!(&[#(::gridfn::__private::layout::field::<#types>()),*])
    });
    let layout = (has_layout && has_fields).then(|| {
        quote! {
            let __layout = ::gridfn::__private::layout::Enum {
                tag: __tag,
                c: #is_c,
                variants: &[#(#sizes),*],
            };
        }
    });
    let variants = data.variants.iter().enumerate().map(|(v, variant)| {
        let (ident, name, constant) = (&variant.ident, text(&variant.ident), &names[v]);
        let discriminant = match (has_layout, has_fields) {
            (false, _) => quote!(#v as u64),
            (true, true) => quote!(__tag.truncate(#constant as i64 as u64)),
            (true, false) => quote!(::gridfn::__private::layout::discriminant(
                Self::#ident {}, __tag, #constant as i64,
            )),
        };
        let fields = fields(&variant.fields, |n, _| match has_layout {
            true => quote!(__layout.offset(#v, #n)),
            false => quote!(0),
        });
        quote!(::gridfn::__private::Variant {
            name: #name,
            discriminant: #discriminant,
            fields: &[#(#fields),*],
        })
    });
    let size = match (has_layout, has_fields) {
        (false, _) => quote!(::core::option::Option::None),
        (true, true) => quote!(__layout.size::<Self>()),
        (true, false) => quote!(::core::option::Option::Some(::core::mem::size_of::<Self>())),
    };
    let locate = if has_layout {
        quote!(::core::option::Option::None)
    } else {
        locate(data)
    };
    let name = text(name);
    quote!({
        #(#before)*
        let __tag = #tag;
        #layout
        ::gridfn::__private::Type::Enum(&::gridfn::__private::Enum {
            name: #name,
            variants: &[#(#variants),*],
            tag: __tag,
            size: #size,
            locate: #locate,
        })
    })
}

/// What finds the fields of a value whose layout is rustc's own, so that kernels can have constants of it.
fn locate(data: &DataEnum) -> TokenStream {
    let arms = data.variants.iter().enumerate().map(|(v, variant)| {
        let ident = &variant.ident;
        let members = variant.fields.members();
        let names: Vec<Ident> = (0..variant.fields.len())
            .map(|n| format_ident!("__field_{n}", span = Span::mixed_site()))
            .collect();
        quote! {
            Self::#ident { #(#members: #names),* } => {
                __tell(#v);
                #(__tell(::core::ptr::from_ref(#names).addr() - __start);)*
            }
        }
    });
    quote!(::core::option::Option::Some(::gridfn::__private::Locate(|__value, __tell| {
        let __value = unsafe { __value.cast::<Self>().read_unaligned() };
        let __start = ::core::ptr::from_ref(&__value).addr();
        match &__value {
            #(#arms)*
        }
    })))
}

/// A constant for the discriminant of each variant, which counts on from the one before, as Rust does.
struct Discriminants {
    before: Vec<TokenStream>,
    names: Vec<Ident>,
}

impl Discriminants {
    fn of(data: &DataEnum, repr: &Repr) -> Discriminants {
        let ty = match &repr.integer {
            Some(integer) => quote!(#integer),
            None => quote!(isize),
        };
        let count = 0..data.variants.len();
        let names: Vec<Ident> = count.map(|n| format_ident!("__DISCRIMINANT_{n}")).collect();
        let before = data.variants.iter().enumerate().map(|(n, variant)| {
            let value = match (&variant.discriminant, n.checked_sub(1)) {
                (Some((_, value)), _) => quote!(#value),
                (None, None) => quote!(0),
                (None, Some(before)) => {
                    let before = &names[before];
                    quote!(#before + 1)
                }
            };
            let name = &names[n];
            quote!(const #name: #ty = #value;)
        });
        Discriminants {
            before: before.collect(),
            names,
        }
    }
}

/// The scalar of an integer type. What is none, rustc refuses where it stands.
fn scalar(name: &Ident) -> TokenStream {
    let scalar = gridfn_ir::Scalar::from_name(&name.to_string()).unwrap_or(gridfn_ir::Scalar::U8);
    let scalar = format_ident!("{scalar:?}");
    quote!(::gridfn::__private::ScalarType::#scalar)
}

/// The list of fields. rustc tells at a field's type that kernels cannot hold it.
fn fields(fields: &Fields, offset: impl Fn(usize, TokenStream) -> TokenStream) -> Vec<TokenStream> {
    let fields = fields.iter().enumerate().map(|(n, field)| {
        let (name, member) = match &field.ident {
            Some(name) => (text(name), quote!(#name)),
            None => {
                let index = syn::Index::from(n);
                (n.to_string(), quote!(#index))
            }
        };
        let (ty, offset) = (&field.ty, offset(n, member));
        let ty = quote_spanned!(mixed(ty.span())=> <#ty as ::gridfn::__private::DeviceCopy>::TYPE);
        quote!(::gridfn::__private::Field { name: #name, ty: #ty, offset: #offset })
    });
    fields.collect()
}

/// References are told by what they are, not as one more type that kernels cannot hold; and a field has a name, which syn
/// does not ask.
fn refuse_fields(fields: &Fields, errors: &mut Errors) {
    let names = fields.iter().filter_map(|field| field.ident.as_ref());
    names
        .filter(|name| *name == "_")
        .for_each(|name| errors.at(name, "a field has a name"));
    struct References<'e>(&'e mut Errors);
    impl Visit<'_> for References<'_> {
        fn visit_type_reference(&mut self, ty: &syn::TypeReference) {
            let help = "what kernels hold has no references: a buffer is a parameter `&[T]`, or a field of a struct with \
                        `#[derive(KernelArg)]`";
            self.0.at(ty, help);
        }
        fn visit_type(&mut self, ty: &Type) {
            visit::visit_type(self, ty);
        }
    }
    for field in fields {
        if !parse::refuse_bounds(errors, &field.ty) {
            References(errors).visit_type(&field.ty);
        }
    }
}

/// An identifier as Rust's own messages write it.
fn text(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_string()
}

/// The generics, with what the types of a value's parts must be.
fn bounded(generics: &Generics) -> Generics {
    let mut out = generics.clone();
    let types: Vec<Ident> = generics.type_params().map(|p| p.ident.clone()).collect();
    if !types.is_empty() {
        let predicates = &mut out.make_where_clause().predicates;
        for ty in types {
            predicates
                .push(syn::parse_quote_spanned!(mixed(ty.span())=> (#ty): ::gridfn::__private::DeviceCopy));
        }
    }
    out
}
