//! Signatures.

use super::ast::*;
use super::atomic::is_atomic;
use super::body::{LocalKind, Parser};
use super::primitive::numbers;
use super::view::with_lifetimes;
use crate::diagnostic::Errors;
use gridfn_ir::{Access, Scalar};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    AttrStyle, Attribute, FnArg, GenericParam, Generics, ItemFn, Pat, PathArguments, ReturnType, Safety,
    Token, Type, TypeParamBound,
};

/// Reads a kernel.
pub(crate) fn kernel(item: &ItemFn) -> syn::Result<Function> {
    let mut parser = Parser::default();
    parser.in_kernel = true;
    if let ReturnType::Type(_, ty) = &item.sig.output {
        let help = "a kernel returns nothing: write results to a `&mut [T]` parameter";
        parser.errors.at(ty, help);
    }
    function(parser, item, true)
}

/// Reads a device function.
pub(crate) fn device(item: &ItemFn) -> syn::Result<Function> {
    let mut parser = Parser::default();
    parser.returns = true;
    if let ReturnType::Type(_, ty) = &item.sig.output {
        refuse_type(&mut parser, ty, false);
        if holds_reference(ty) {
            let help = "a device function returns values, and no references: return the value, or its index";
            parser.errors.at(ty, help);
        }
    }
    function(parser, item, false)
}

/// Reads a function that all items of a work-group call together.
pub(crate) fn group_function(item: &ItemFn) -> syn::Result<Function> {
    let mut parser = Parser::default();
    parser.in_kernel = true;
    parser.group = Some(None);
    if let ReturnType::Type(_, ty) = &item.sig.output {
        refuse_type(&mut parser, ty, false);
        if holds_reference(ty) {
            let help = "a group function returns values, and no references: return the value, or its index";
            parser.errors.at(ty, help);
        }
    }
    function(parser, item, false)
}

fn function(mut parser: Parser, item: &ItemFn, kernel: bool) -> syn::Result<Function> {
    let sig = &item.sig;
    let what = match (kernel, &parser.group) {
        (true, _) => "a kernel",
        (false, None) => "a device function",
        (false, Some(_)) => "a group function",
    };
    parser.refuse_wide(sig);
    parser.refuse_wide(&item.block);
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
    parser.numbers = numbers(&generics);
    // The parameters' scope is around the body's, so that a `let` may shadow a parameter.
    let (params, body) = parser.scope(|p| {
        let mut patterns = vec![];
        let mut params: Vec<Param> = vec![];
        for arg in &sig.inputs {
            let Some((param, pattern)) = param(p, arg, kernel, params.len(), &generics, &functions) else {
                continue;
            };
            patterns.extend(pattern.map(|pattern| (param.name.clone(), pattern)));
            params.push(param);
        }
        for n in 0..params.len() {
            p.type_hole(TypeHole::Param(n));
        }
        p.type_hole(TypeHole::Result);
        let taken_apart = p.taken_apart(patterns.iter().map(|(name, pattern)| (name, *pattern)));
        let result = p.declare_result(&sig.output);
        let body = p.block(&item.block).and_then(|mut body| {
            p.result_of_group(&mut body);
            body.statements.splice(0..0, taken_apart?);
            body.statements.splice(0..0, result);
            Ok(body)
        });
        (params, body)
    });
    let Parser {
        errors,
        holes,
        items,
        annotations,
        numbers,
        group,
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
        numbers,
        annotations,
        items,
        environment: None,
        group: group.map(|result| GroupPart {
            result: result.map(|(local, _)| local),
        }),
    })
}

/// The attribute as it stands before an item: `syn` puts those at the beginning of the body among the others.
fn outer(attribute: &Attribute) -> Attribute {
    Attribute {
        style: AttrStyle::Outer,
        ..attribute.clone()
    }
}

/// The generics, and the type parameters of them that are functions. Of a kernel, their bounds `Fn(A) -> R` become that
/// of a function for kernels.
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
            GenericParam::Const(_) => {}
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
        let arguments: Vec<Type> = f.inputs.iter().map(|a| a.ty.clone()).collect();
        let result = match &f.output {
            ReturnType::Type(_, result) => (**result).clone(),
            ReturnType::Default if kernel => {
                let help = "a function that a kernel takes returns a value: `Fn(T) -> T`";
                parser.errors.at(&t.path, help);
                continue;
            }
            ReturnType::Default => syn::parse_quote!(()),
        };
        functions.push(Signature {
            name: name.clone(),
            arguments: arguments.clone(),
            result: result.clone(),
        });
        if !kernel {
            for argument in &arguments {
                if let Some((_, Access::Unique)) = slice(argument) {
                    let help = "a function that is passed on takes no `&mut [T]` in kernels: pass elements or an array";
                    parser.errors.at(argument, help);
                }
            }
            continue;
        }
        if last.ident != "Fn" {
            let help = "a kernel takes functions that are `Fn`: its work-items call them at once";
            parser.errors.at(&last.ident, help);
            continue;
        }
        let span = proc_macro2::Span::mixed_site().located_at(t.path.span());
        *bound = syn::parse_quote_spanned!(span=>
            ::gridfn::__private::DeviceFn<(#(#arguments,)*), Output = #result>);
    }
}

/// Whether the type is the type parameter `name`.
fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(p) if p.qself.is_none() && p.path.get_ident() == Some(name))
}

/// A parameter, and the pattern that takes it apart.
fn param<'f>(
    parser: &mut Parser,
    arg: &'f FnArg,
    kernel: bool,
    n: usize,
    type_parameters: &Generics,
    functions: &[Signature],
) -> Option<(Param, Option<&'f Pat>)> {
    let what = if kernel { "a kernel" } else { "a device function" };
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
    let (name, mutability, pattern) = match &*arg.pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => (p.ident.clone(), p.mutability, None),
        p if kernel => {
            parser.errors.at(
                p,
                "the parameters of a kernel are plain names: take them apart with `let`",
            );
            return None;
        }
        p => (unnamed(n, p.span()), None, Some(p)),
    };
    let ty = match kernel {
        true => with_lifetimes(&arg.ty),
        false => (*arg.ty).clone(),
    };
    let kind = if kernel {
        kernel_param(parser, &ty, type_parameters, functions)?
    } else {
        device_param(parser, &arg.ty, functions)?
    };
    let local = parser.bind(
        &name,
        match kind {
            ParamKind::Slice { access, .. } => LocalKind::Slice(access),
            ParamKind::Atomics { .. } => LocalKind::Slice(Access::Shared),
            ParamKind::Value | ParamKind::Reference { .. } | ParamKind::Callable | ParamKind::Capture(_) => {
                LocalKind::Value
            }
            ParamKind::Argument | ParamKind::Tuple(_) | ParamKind::Function(_) => LocalKind::Argument,
        },
    );
    parser.locals[usize::from(local)].mutable = mutability.is_some();
    let known = parser.known_type(&arg.ty);
    parser.known.insert(local, known);
    if let ParamKind::Function(signature) = &kind {
        parser.functions.insert(local, signature.clone());
    }
    if let ParamKind::Callable = kind
        && let Some(signature) = functions.iter().find(|f| is_callable(&arg.ty, &f.name))
    {
        let known = parser.known_type(&signature.result);
        parser.results.insert(local, known);
    }
    let uniform = arg.attrs.iter().find(|a| a.path().is_ident("uniform"));
    if let Some(attribute) = uniform {
        match (&parser.group, &kind) {
            (None, _) => parser.errors.at(
                attribute,
                "only parameters of group functions are `#[uniform]`: those of a kernel are the same for all items anyway",
            ),
            (Some(_), ParamKind::Value) => {}
            (Some(_), _) => parser.errors.at(
                attribute,
                "only values are `#[uniform]`: slices, references and functions are the same for all items anyway",
            ),
        }
    }
    let param = Param {
        name,
        mutability,
        kind,
        ty,
        uniform: uniform.is_some(),
    };
    Some((param, pattern))
}

/// The name of a parameter that has none.
pub(super) fn unnamed(n: usize, at: Span) -> Ident {
    Ident::new(&format!("__unnamed{n}"), Span::mixed_site().located_at(at))
}

fn kernel_param(
    parser: &mut Parser,
    ty: &Type,
    type_parameters: &Generics,
    functions: &[Signature],
) -> Option<ParamKind> {
    if let Some(kind) = slice_param(parser, ty) {
        return Some(kind);
    }
    if let Type::Reference(r) = ty {
        if refuse_bounds(&mut parser.errors, &r.elem) {
            return None;
        }
        let help = "the reference parameters of a kernel are slices: `&[T]` or `&mut [T]`";
        parser.errors.at(r, help);
        return None;
    }
    Some(match functions.iter().find(|f| is_named(ty, &f.name)) {
        Some(signature) => ParamKind::Function(signature.clone()),
        None => argument(parser, ty, type_parameters),
    })
}

/// Whether the type is the type parameter `name`, or a reference to it.
fn is_callable(ty: &Type, name: &Ident) -> bool {
    match ty {
        Type::Reference(r) => is_named(&r.elem, name),
        ty => is_named(ty, name),
    }
}

fn device_param(parser: &mut Parser, ty: &Type, functions: &[Signature]) -> Option<ParamKind> {
    if functions.iter().any(|f| is_callable(ty, &f.name)) {
        return Some(ParamKind::Callable);
    }
    if let Type::ImplTrait(i) = ty {
        let help = "a device function names its type parameters: write `fn name<T: Trait>(value: T)`";
        parser.errors.at(i, help);
        return None;
    }
    if let Some(kind) = slice_param(parser, ty) {
        return Some(kind);
    }
    let (target, kind) = match ty {
        Type::Reference(r) => {
            let kind = ParamKind::Reference {
                target: (*r.elem).clone(),
                access: access(r),
            };
            (&*r.elem, kind)
        }
        ty => (ty, ParamKind::Value),
    };
    if holds_reference(target) {
        let help =
            "references inside of other types are not supported in kernels: take each reference by itself";
        parser.errors.at(target, help);
        return None;
    }
    if !parser.refuse_atomic(target) {
        refuse_type(parser, target, false);
    }
    Some(kind)
}

/// Whether a type has a reference somewhere, as far as its syntax tells.
fn holds_reference(ty: &Type) -> bool {
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// What a parameter of a kernel is that is no slice.
fn argument(parser: &mut Parser, ty: &Type, generics: &Generics) -> ParamKind {
    match ty {
        Type::Paren(t) => argument(parser, &t.elem, generics),
        Type::Group(t) => argument(parser, &t.elem, generics),
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|ty| Part {
                ty: ty.clone(),
                kind: slice_param(parser, ty).unwrap_or_else(|| argument(parser, ty, generics)),
            });
            ParamKind::Tuple(parts.collect())
        }
        Type::Path(p) if p.qself.is_none() => {
            refuse_type(parser, ty, true);
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

/// A parameter that is a slice.
fn slice_param(parser: &mut Parser, ty: &Type) -> Option<ParamKind> {
    let (element, access) = slice(ty)?;
    if !is_atomic(&element) {
        parser.refuse_atomic(&element);
        return Some(ParamKind::Slice { element, access });
    }
    if access == Access::Unique {
        let name = element.to_token_stream();
        let help =
            format!("work-items share atomics: take `&[{name}]`, for which callers pass a `&mut Buffer`");
        parser.errors.at(ty, help);
    }
    Some(ParamKind::Atomics { element })
}

/// `&[T]` or `&mut [T]`
fn slice(ty: &Type) -> Option<(Type, Access)> {
    let Type::Reference(r) = ty else { return None };
    let Type::Slice(s) = &*r.elem else { return None };
    Some(((*s.elem).clone(), access(r)))
}

fn access(r: &syn::TypeReference) -> Access {
    if r.mutability.is_some() {
        Access::Unique
    } else {
        Access::Shared
    }
}

/// Types that are never right, by their names; the others are rustc's to judge.
fn refuse_type(parser: &mut Parser, ty: &Type, kernel: bool) {
    if refuse_bounds(&mut parser.errors, ty) {
        return;
    }
    let name = ty.to_token_stream().to_string();
    let name = name.split(' ').next().unwrap_or_default();
    let help = match name {
        "Vec" | "Buffer" if kernel => {
            "a kernel takes slices: `&[T]` or `&mut [T]`, for which callers pass buffers"
        }
        "Vec" | "Buffer" => "kernels cannot allocate: take a slice, `&[T]` or `&mut [T]`, or return an array",
        "Option" if !kernel => return,
        "View" | "ViewMut" if !kernel => {
            "a device function takes no views: take elements, or read them in the kernel"
        }
        "String" | "Box" | "Rc" | "Arc" | "Option" if kernel => {
            "kernels take numbers, `bool`, `&[T]` and `&mut [T]`"
        }
        "String" | "Box" | "Rc" | "Arc" => "kernels cannot allocate: use values, arrays and slices",
        _ => return,
    };
    parser.errors.at(ty, help);
}

/// Refuses bounds in the place of a type, as which also `f32 +` is read; says whether it did.
pub(crate) fn refuse_bounds(errors: &mut Errors, ty: &Type) -> bool {
    let is_bounds = matches!(ty, Type::TraitObject(_) | Type::ImplTrait(_));
    if is_bounds {
        let help = "kernels know each type when they are compiled: take a type parameter, `T: Trait`";
        errors.at(ty, help);
    }
    is_bounds
}
