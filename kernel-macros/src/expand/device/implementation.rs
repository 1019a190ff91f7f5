//! `#[device] impl`: of a type, of a user's trait for a type, and of an operator for a type.

use super::method::{Method, Scope, check};
use super::ordinary::ordinary;
use super::trait_::{MARKED, hidden_link};
use crate::diagnostic::Errors;
use crate::expand::mixed;
use crate::expand::signature::*;
use crate::parse;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Error, GenericArgument, ImplItem, ImplItemFn, ItemImpl, Path, PathArguments, Type, TypeParamBound,
    parse_quote, parse_quote_spanned,
};

/// Expands an `impl`.
pub(super) fn expand(item: &ItemImpl) -> syn::Result<TokenStream> {
    if let Some(unsafety) = &item.unsafety {
        return Err(Error::new_spanned(
            unsafety,
            "`unsafe` device code is not supported yet",
        ));
    }
    if let Type::Never(_) = &*item.self_ty {
        let help = "kernels hold no values of `!`: an `impl` for devices is for a struct or an enum";
        return Err(Error::new_spanned(&item.self_ty, help));
    }
    let mut errors = Errors::default();
    parse::refuse_bounds(&mut errors, &item.self_ty);
    errors.check()?;
    match &item.trait_ {
        None => inherent(item),
        Some((path, _)) => match operator(path) {
            Some(method) => of_operator(item, path, method),
            None => of_trait(item, path),
        },
    }
}

/// The operators of `core::ops`, and the function of each.
const OPERATORS: &[(&str, &str)] = &[
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("BitAnd", "bitand"),
    ("BitOr", "bitor"),
    ("BitXor", "bitxor"),
    ("Shl", "shl"),
    ("Shr", "shr"),
    ("Neg", "neg"),
    ("Not", "not"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("RemAssign", "rem_assign"),
    ("BitAndAssign", "bitand_assign"),
    ("BitOrAssign", "bitor_assign"),
    ("BitXorAssign", "bitxor_assign"),
    ("ShlAssign", "shl_assign"),
    ("ShrAssign", "shr_assign"),
    ("PartialEq", "eq"),
];

/// The function of the operator that a trait is.
fn operator(path: &Path) -> Option<&'static str> {
    let name = path.segments.last()?.ident.to_string();
    OPERATORS.iter().find(|o| o.0 == name).map(|o| o.1)
}

fn scope(item: &ItemImpl) -> Scope {
    let types = item.items.iter().filter_map(|i| match i {
        ImplItem::Type(t) => Some((t.ident.clone(), t.ty.clone())),
        _ => None,
    });
    Scope {
        generics: item.generics.clone(),
        this: (*item.self_ty).clone(),
        of: item.trait_.as_ref().map(|(path, _)| path.clone()),
        types: types.collect(),
    }
}

/// The `impl` as code outside of kernels sees it, and its functions. Type parameters are types of kernels there too, so
/// that what is generic wraps like all else.
fn split(item: &ItemImpl, errors: &mut TokenStream) -> (ItemImpl, Vec<ImplItemFn>) {
    let mut host = item.clone();
    host.generics = bounded(&item.generics);
    host.attrs
        .push(parse_quote!(#[allow(clippy::multiple_bound_locations)]));
    let mut functions = vec![];
    for item in &mut host.items {
        match item {
            ImplItem::Fn(f) => {
                functions.push(f.clone());
                errors.extend(host_form(f).map_err(Error::into_compile_error).err());
            }
            ImplItem::Const(_) | ImplItem::Type(_) => {}
            other => errors.extend(
                Error::new_spanned(other, "an `impl` for devices has functions, types and constants")
                    .into_compile_error(),
            ),
        }
    }
    (host, functions)
}

/// Changes a function to what code outside of kernels, and the host version of kernels, call.
fn host_form(f: &mut ImplItemFn) -> syn::Result<()> {
    f.sig.generics = bounded(&f.sig.generics);
    let written = f.block.clone();
    ordinary(&mut f.block);
    if let Some(constness) = &f.sig.constness
        && f.block != written
    {
        let help = "a `const` device method has no operators that may overflow: leave `const` out";
        f.block = written;
        return Err(Error::new_spanned(constness, help));
    }
    if !f.attrs.iter().any(|a| a.path().is_ident("inline")) {
        f.attrs.push(parse_quote!(#[inline]));
    }
    Ok(())
}

fn inherent(item: &ItemImpl) -> syn::Result<TokenStream> {
    let scope = scope(item);
    let mut errors = TokenStream::new();
    let (host, functions) = split(item, &mut errors);
    let (mut hidden, mut probes) = (TokenStream::new(), TokenStream::new());
    for f in &functions {
        let method = Method {
            scope: &scope,
            sig: &f.sig,
            marker: format_ident!("{}__marker", f.sig.ident, span = mixed(f.sig.ident.span())),
        };
        let made = check(&f.sig, &scope).and_then(|()| method.instance(&f.block));
        match made {
            Ok(instance) => {
                let link = method.link(&scope.this);
                let marker = method.marker(quote!(pub), quote!(|| #link));
                hidden.extend(quote!(#instance #marker));
                probes.extend(method.probes(quote!(pub)));
            }
            Err(e) => errors.extend(e.into_compile_error()),
        }
    }
    let (allow, this, generics) = (allow(), &scope.this, bounded(&item.generics));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #errors
        #host
        #allow
        const _: () = {
            #hidden
            impl #impl_generics #this #where_clause { #probes }
        };
    })
}

/// Of a trait that is marked: its hidden functions are filled in.
fn of_trait(item: &ItemImpl, path: &Path) -> syn::Result<TokenStream> {
    let scope = scope(item);
    let mut errors = TokenStream::new();
    let (mut host, functions) = split(item, &mut errors);
    let allow = allow();
    let marked = Ident::new(MARKED, mixed(path.span()));
    host.items
        .push(parse_quote_spanned!(mixed(path.span())=> #[doc(hidden)] fn #marked() {}));
    for f in &functions {
        let method = Method {
            scope: &scope,
            sig: &f.sig,
            marker: f.sig.ident.clone(),
        };
        let made = check(&f.sig, &scope).and_then(|()| method.instance(&f.block));
        match made {
            Ok(instance) => {
                let link = method.link(quote!(Self));
                host.items.push(ImplItem::Verbatim(hidden_link(
                    &method,
                    quote!(#allow),
                    quote!({ #instance #link }),
                )));
            }
            Err(e) => errors.extend(e.into_compile_error()),
        }
    }
    Ok(quote!(#errors #host))
}

fn of_operator(item: &ItemImpl, path: &Path, name: &str) -> syn::Result<TokenStream> {
    let scope = scope(item);
    let mut errors = TokenStream::new();
    let (host, functions) = split(item, &mut errors);
    let Some(f) = functions.iter().find(|f| f.sig.ident == name) else {
        // rustc tells what is missing.
        return Ok(quote!(#errors #host));
    };
    if let Some(other) = functions.iter().find(|f| f.sig.ident != name) {
        errors.extend(
            Error::new_spanned(
                &other.sig.ident,
                "kernels know of `==` only what `eq` says: leave this out",
            )
            .into_compile_error(),
        );
    }
    let method = Method {
        scope: &scope,
        sig: &f.sig,
        marker: Ident::new("__Marker", Span::mixed_site()),
    };
    let instance = match check(&f.sig, &scope).and_then(|()| method.instance(&f.block)) {
        Ok(instance) => instance,
        Err(e) => {
            errors.extend(e.into_compile_error());
            return Ok(quote!(#errors #host));
        }
    };
    let (link, this, allow) = (method.link(&scope.this), &scope.this, allow());
    let marker = method.marker(quote!(pub), quote!(|| #link));
    let generics = bounded(&item.generics);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let device = device_operator(path, this);
    Ok(quote! {
        #errors
        #host
        #allow
        const _: () = {
            #instance
            #marker
            // The impl of the operator itself is listed, where it helps.
            #[diagnostic::do_not_recommend]
            impl #impl_generics #device for #this #where_clause {
                type Marker = __Marker<#this>;
            }
        };
    })
}

/// The trait that says which function is behind the operator in kernels: `DeviceMul<R>` for `Mul<R>`.
fn device_operator(path: &Path, this: &Type) -> TokenStream {
    let Some(last) = path.segments.last() else {
        return TokenStream::new();
    };
    let span = mixed(last.ident.span());
    let name = format_ident!("Device{}", last.ident, span = span);
    let written = match &last.arguments {
        PathArguments::AngleBracketed(a) => a.args.iter().find_map(|a| match a {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    };
    let operand = match (last.ident.to_string().as_str(), written) {
        ("Neg" | "Not", _) => None,
        (_, Some(Type::Path(p))) if p.path.is_ident("Self") => Some(this),
        (_, written) => Some(written.unwrap_or(this)),
    };
    let operand = operand.map(|ty| quote!(<#ty>));
    quote_spanned!(span=> ::gridfn::__private::operators::#name #operand)
}

/// What a bound says of operators in kernels: `DeviceAdd<R>` for `Add<R>`.
pub(in crate::expand) fn operator_in_kernels(bounded: &Type, bound: &TypeParamBound) -> Option<TokenStream> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    operator(&bound.path)?;
    Some(device_operator(&bound.path, bounded))
}
