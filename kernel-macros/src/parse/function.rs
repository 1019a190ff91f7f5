//! Signatures.

use super::ast::*;
use super::body::{LocalKind, Parser};
use gridfn_ir::{Access, Scalar};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    AttrStyle, Attribute, FnArg, GenericParam, Generics, ItemFn, Pat, PathArguments, ReturnType, Safety,
    Token, Type, TypeParamBound,
};

/// Reads a kernel.
pub(crate) fn kernel(item: &ItemFn) -> syn::Result<Function> {
    let mut parser = Parser::default();
    if let ReturnType::Type(_, ty) = &item.sig.output {
        let help = "a kernel returns nothing: write results to a `&mut [T]` parameter";
        parser.errors.at(ty, help);
    }
    function(parser, item, true)
}

/// Reads a device function.
pub(crate) fn device(item: &ItemFn) -> syn::Result<Function> {
    let mut parser = Parser::default();
    if let ReturnType::Type(_, ty) = &item.sig.output {
        refuse_bounds(&mut parser, ty);
    }
    function(parser, item, false)
}

fn function(mut parser: Parser, item: &ItemFn, kernel: bool) -> syn::Result<Function> {
    let sig = &item.sig;
    let what = if kernel { "a kernel" } else { "a device function" };
    if let Some(token) = &sig.constness {
        parser.errors.at(token, format!("{what} cannot be `const`"));
    }
    if let Some(token) = &sig.asyncness {
        parser.errors.at(token, format!("{what} cannot be `async`"));
    }
    if let Some(abi) = &sig.abi {
        parser.errors.at(abi, format!("{what} has Rust's own ABI"));
    }
    if let Some(variadic) = &sig.variadic {
        parser
            .errors
            .at(variadic, format!("{what} has a fixed number of parameters"));
    }
    let unsafety = match sig.safety {
        Safety::Unsafe(token) if !kernel => {
            parser
                .errors
                .at(token, "`unsafe` device functions are not supported yet");
            None
        }
        Safety::Unsafe(token) => Some(token),
        Safety::Safe(_) | Safety::Default => None,
    };
    let (generics, functions) = generics(&mut parser, item, what, kernel);
    // The parameters' scope is around the body's, so that a `let` may shadow a parameter.
    let (params, body) = parser.scope(|p| {
        let params: Vec<Param> = sig
            .inputs
            .iter()
            .filter_map(|arg| param(p, arg, what, kernel, &generics, &functions))
            .collect();
        for n in 0..params.len() {
            p.type_hole(TypeHole::Param(n));
        }
        p.type_hole(TypeHole::Result);
        (params, p.block(&item.block))
    });
    let Parser {
        errors,
        holes,
        items,
        annotations,
        ..
    } = parser;
    errors.check()?;
    // A body is refused only with an error, which has ended the stage just now.
    let body =
        body.map_err(|_| syn::Error::new_spanned(&sig.ident, "the body was refused without a reason"))?;
    let result = match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    Ok(Function {
        attrs: item.attrs.iter().map(outer).collect(),
        vis: item.vis.clone(),
        unsafety,
        name: sig.ident.clone(),
        generics,
        params,
        result,
        body,
        holes,
        annotations,
        items,
        environment: None,
    })
}

/// The attribute as it stands before an item: `syn` puts those at the beginning of the body among the others.
fn outer(attribute: &Attribute) -> Attribute {
    Attribute {
        style: AttrStyle::Outer,
        ..attribute.clone()
    }
}

/// The generics, and the type parameters of them that are functions. Their bounds `Fn(A) -> R` become that of a
/// function for kernels.
fn generics(parser: &mut Parser, item: &ItemFn, what: &str, kernel: bool) -> (Generics, Vec<Signature>) {
    let mut generics = item.sig.generics.clone();
    let mut functions = vec![];
    for param in &mut generics.params {
        match param {
            GenericParam::Type(t) => function_bounds(parser, &t.ident, &mut t.bounds, kernel, &mut functions),
            GenericParam::Lifetime(l) => {
                parser
                    .errors
                    .at(l, format!("{what} needs no lifetimes: leave them out"));
            }
            GenericParam::Const(c) => {
                parser.errors.at(
                    c.const_token,
                    format!("const parameters of {what} are not supported yet"),
                );
            }
        }
    }
    for predicate in generics.where_clause.iter_mut().flat_map(|w| &mut w.predicates) {
        if let syn::WherePredicate::Type(t) = predicate
            && let Type::Path(p) = &t.bounded_ty
            && let Some(name) = p.path.get_ident().cloned()
        {
            function_bounds(parser, &name, &mut t.bounds, kernel, &mut functions);
        }
    }
    (generics, functions)
}

fn function_bounds(
    parser: &mut Parser,
    name: &Ident,
    bounds: &mut Punctuated<TypeParamBound, Token![+]>,
    kernel: bool,
    functions: &mut Vec<Signature>,
) {
    for bound in bounds {
        let TypeParamBound::Trait(t) = bound else { continue };
        let Some(last) = t.path.segments.last() else {
            continue;
        };
        let PathArguments::Parenthesized(f) = &last.arguments else {
            continue;
        };
        if !kernel {
            let help = "functions as arguments of device functions are not supported yet";
            parser.errors.at(&t.path, help);
            continue;
        }
        if last.ident != "Fn" {
            let help = "a kernel takes functions that are `Fn`: its work-items call them at once";
            parser.errors.at(&last.ident, help);
            continue;
        }
        let ReturnType::Type(_, result) = &f.output else {
            let help = "a function that a kernel takes returns a value: `Fn(T) -> T`";
            parser.errors.at(&t.path, help);
            continue;
        };
        let (arguments, result): (Vec<Type>, Type) = (
            f.inputs.iter().map(|a| a.ty.clone()).collect(),
            (**result).clone(),
        );
        functions.push(Signature {
            name: name.clone(),
            arguments: arguments.clone(),
            result: result.clone(),
        });
        let span = proc_macro2::Span::mixed_site().located_at(t.path.span());
        *bound = syn::parse_quote_spanned!(span=>
            ::gridfn::__private::DeviceFn<(#(#arguments,)*), Output = #result>);
    }
}

/// Whether the type is the type parameter `name`.
fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(p) if p.qself.is_none() && p.path.get_ident() == Some(name))
}

fn param(
    parser: &mut Parser,
    arg: &FnArg,
    what: &str,
    kernel: bool,
    type_parameters: &Generics,
    functions: &[Signature],
) -> Option<Param> {
    let arg = match arg {
        FnArg::Receiver(r) => {
            parser
                .errors
                .at(r, format!("{what} is a free function: it has no `self`"));
            return None;
        }
        FnArg::Typed(arg) => arg,
    };
    parser.unconditional(arg).ok()?;
    let (name, mutability) = match &*arg.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability),
        p => {
            parser
                .errors
                .at(p, format!("the parameters of {what} are plain names"));
            return None;
        }
    };
    let kind = match slice(&arg.ty) {
        Some((element, access)) if kernel => ParamKind::Slice { element, access },
        Some(_) => {
            parser.errors.at(
                &arg.ty,
                "slices as parameters of device functions are not supported yet: pass elements",
            );
            return None;
        }
        None => {
            if let Type::Reference(r) = &*arg.ty {
                let help = format!("the reference parameters of {what} are slices: `&[T]` or `&mut [T]`");
                parser.errors.at(
                    r,
                    if kernel {
                        help
                    } else {
                        "device functions take values".to_string()
                    },
                );
                return None;
            }
            if kernel {
                match functions.iter().find(|f| is_named(&arg.ty, &f.name)) {
                    Some(signature) => ParamKind::Function(signature.clone()),
                    None => argument(parser, &arg.ty, type_parameters),
                }
            } else {
                refuse_type(parser, &arg.ty);
                refuse_bounds(parser, &arg.ty);
                ParamKind::Value
            }
        }
    };
    let local = parser.bind(
        &name,
        match kind {
            ParamKind::Slice { access, .. } => LocalKind::Slice(access),
            ParamKind::Value | ParamKind::Capture(_) => LocalKind::Value,
            ParamKind::Argument | ParamKind::Tuple(_) | ParamKind::Function(_) => LocalKind::Argument,
        },
    );
    if let ParamKind::Function(signature) = &kind {
        parser.functions.insert(local, signature.clone());
    }
    Some(Param {
        name,
        mutability,
        kind,
        ty: (*arg.ty).clone(),
    })
}

/// What a parameter of a kernel is that is no slice.
fn argument(parser: &mut Parser, ty: &Type, generics: &Generics) -> ParamKind {
    match ty {
        Type::Paren(t) => argument(parser, &t.elem, generics),
        Type::Group(t) => argument(parser, &t.elem, generics),
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|ty| Part {
                ty: ty.clone(),
                kind: match slice(ty) {
                    Some((element, access)) => ParamKind::Slice { element, access },
                    None => argument(parser, ty, generics),
                },
            });
            ParamKind::Tuple(parts.collect())
        }
        Type::Path(p) if p.qself.is_none() => {
            refuse_type(parser, ty);
            let known = |name: &proc_macro2::Ident| {
                Scalar::from_name(&name.to_string()).is_some()
                    || generics.type_params().any(|t| t.ident == *name)
            };
            match p.path.get_ident() {
                Some(name) if known(name) => ParamKind::Value,
                _ => ParamKind::Argument,
            }
        }
        Type::Array(_) | Type::Path(_) => ParamKind::Argument,
        ty => {
            let help = "a kernel takes numbers, `bool`, `&[T]`, `&mut [T]`, arrays of numbers, tuples of these, and \
                        structs with `#[derive(KernelArg)]`";
            parser.errors.at(ty, help);
            ParamKind::Argument
        }
    }
}

/// `&[T]` or `&mut [T]`
fn slice(ty: &Type) -> Option<(Type, Access)> {
    let Type::Reference(r) = ty else { return None };
    let Type::Slice(s) = &*r.elem else { return None };
    let access = if r.mutability.is_some() {
        Access::Unique
    } else {
        Access::Shared
    };
    Some(((*s.elem).clone(), access))
}

/// Types that are never right, by their names; the others are rustc's to judge.
fn refuse_type(parser: &mut Parser, ty: &Type) {
    let name = ty.to_token_stream().to_string();
    let name = name.split(' ').next().unwrap_or_default();
    let help = match name {
        "u128" | "i128" => "128-bit integers are not supported in kernels: use two of 64 bits",
        "Vec" | "Buffer" => "a kernel takes slices: `&[T]` or `&mut [T]`, for which callers pass buffers",
        "String" | "Box" | "Rc" | "Arc" | "Option" => "kernels take numbers, `bool`, `&[T]` and `&mut [T]`",
        _ => return,
    };
    parser.errors.at(ty, help);
}

/// Bounds in the place of a type: also `f32 +` is read as such.
fn refuse_bounds(parser: &mut Parser, ty: &Type) {
    if let Type::TraitObject(_) | Type::ImplTrait(_) = ty {
        parser
            .errors
            .at(ty, "device functions take and return numbers and `bool`");
    }
}
