//! Pieces that kernels and device functions share: generics and the code around a body.

use super::closure::{Closure, closure, item, link_hole, type_hole};
use super::device::operator_in_kernels;
use super::mixed;
use super::regions::Regions;
use crate::parse::ast::*;
use crate::parse::is_atomic;
use gridfn_ir::Access;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{
    GenericParam, Generics, Lifetime, PathArguments, PathSegment, Type, TypeParamBound, WherePredicate,
    parse_quote, parse_quote_spanned,
};

/// What is not worth a warning in expansions.
pub(crate) fn allow() -> TokenStream {
    quote!(#[allow(
        unused_parens, unused_braces, unused_mut, unreachable_code, unused_variables, dead_code, unused_imports,
        non_camel_case_types, non_snake_case, non_upper_case_globals, missing_docs, unreachable_pub,
        unstable_name_collisions, clippy::all, clippy::pedantic, clippy::undocumented_unsafe_blocks,
    )])
}

/// The traits of the twins and of parts of slices, without their names: what the user calls by these stays the user's.
pub(crate) fn twins() -> TokenStream {
    quote!(
        use ::gridfn::__private::twins::{
            Bf16Methods as _, ByteMethods as _, F16Methods as _, FloatMethods as _, FromBits as _,
            HalfMethods as _, HalfPaths as _, IntegerMethods as _, SignedMethods as _, SliceMethods as _,
            UnsignedMethods as _,
        };
        use ::gridfn::__private::core_twins::{
            CoreAtomic as _, CoreBool as _, CoreFloat as _, CoreInteger as _, CoreOption as _,
            CoreOrdering as _, CorePlain as _, CoreResult as _, CoreSlice as _, CoreSliceMut as _,
            CoreView as _, FromBytes as _,
        };
        use ::gridfn::__private::ordering::{MayVary as _, MustBeKnown as _};
        use ::gridfn::__private::slice::Subslice as _;
        use ::gridfn::__private::Shown as _;
        use ::gridfn::__private::together::Ordinary as _;
    )
}

/// The generics, with what every type of a kernel must be.
pub(crate) fn bounded(generics: &Generics) -> Generics {
    let mut out = generics.clone();
    let types = generics
        .type_params()
        .filter(|p| !is_function(generics, &p.ident));
    let types: Vec<Ident> = types.map(|p| p.ident.clone()).collect();
    if !types.is_empty() {
        let predicates = &mut out.make_where_clause().predicates;
        for ty in types {
            predicates.push(parse_quote_spanned!(mixed(ty.span())=> (#ty): ::gridfn::__private::DeviceCopy));
        }
    }
    let operators = operators(generics);
    if !operators.is_empty() {
        out.make_where_clause().predicates.extend(operators);
    }
    out
}

/// What has an operator must have it in kernels too: for `T: Add`, `T: DeviceAdd`.
fn operators(generics: &Generics) -> Vec<WherePredicate> {
    let params = generics.type_params().map(|p| {
        let name = &p.ident;
        (parse_quote!(#name), &p.bounds)
    });
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let clauses = clauses.filter_map(|p| match p {
        WherePredicate::Type(t) if t.lifetimes.is_none() => Some((t.bounded_ty.clone(), &t.bounds)),
        _ => None,
    });
    let all = params.chain(clauses);
    all.flat_map(|(ty, bounds): (Type, _)| {
        let bounds = bounds.iter().filter_map(|bound| operator_in_kernels(&ty, bound));
        bounds.map(|bound| parse_quote!(#ty: #bound)).collect::<Vec<_>>()
    })
    .collect()
}

/// The generics without the bounds of functions, for what exists before it is known whether they are.
pub(crate) fn unbound(generics: &Generics) -> Generics {
    let mut out = generics.clone();
    for param in out.type_params_mut() {
        if is_function(generics, &param.ident) {
            param.bounds.clear();
            param.colon_token = None;
        }
    }
    if let Some(clause) = &mut out.where_clause {
        let predicates = std::mem::take(&mut clause.predicates);
        clause.predicates = predicates
            .into_iter()
            .filter(|p| match p {
                WherePredicate::Type(t) => match &t.bounded_ty {
                    Type::Path(p) => !p.path.get_ident().is_some_and(|name| is_function(generics, name)),
                    _ => true,
                },
                _ => true,
            })
            .collect();
    }
    out
}

/// Whether a type parameter is a function.
pub(crate) fn is_function(generics: &Generics, name: &Ident) -> bool {
    bounds(generics, name)
        .any(|s| s.ident == "DeviceFn" || matches!(s.arguments, PathArguments::Parenthesized(_)))
}

/// The traits that a type parameter has.
fn bounds<'g>(generics: &'g Generics, name: &'g Ident) -> impl Iterator<Item = &'g PathSegment> {
    let declared = generics.type_params().filter(move |p| p.ident == *name);
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let clauses = predicates.filter_map(move |p| match p {
        WherePredicate::Type(t) => match &t.bounded_ty {
            Type::Path(p) if p.path.get_ident() == Some(name) => Some(&t.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = declared.map(|p| &p.bounds).chain(clauses);
    all.flatten().filter_map(|bound| match bound {
        TypeParamBound::Trait(t) => t.path.segments.last(),
        _ => None,
    })
}

/// The parameters as arguments, with a pointer in the place of each function: one body serves all functions that are
/// passed, since lowering knows them by their code. A closure's own type could not leave the body that it stands in.
pub(crate) fn erased(generics: &Generics) -> Vec<TokenStream> {
    let pointer = |name: &Ident| {
        bounds(generics, name).find_map(|s| match &s.arguments {
            PathArguments::Parenthesized(f) => {
                let (inputs, output) = (&f.inputs, &f.output);
                Some(quote!(fn(#inputs) #output))
            }
            _ => None,
        })
    };
    let all = arguments(generics).into_iter();
    all.map(|name| pointer(name).unwrap_or_else(|| quote!(#name)))
        .collect()
}

/// The parameters of generics as they are declared, without defaults.
pub(crate) fn declared(generics: &Generics) -> Vec<GenericParam> {
    let mut params: Vec<GenericParam> = generics.params.iter().cloned().collect();
    for param in &mut params {
        if let GenericParam::Type(ty) = param {
            ty.default = None;
        }
    }
    params
}

/// The parameters without bounds, as a struct or trait declares them that asks for nothing.
pub(crate) fn unbounded(generics: &Generics) -> Vec<TokenStream> {
    let params = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(t) => Some(t.ident.to_token_stream()),
        GenericParam::Const(c) => {
            let (name, ty) = (&c.ident, &c.ty);
            Some(quote!(const #name: #ty))
        }
        GenericParam::Lifetime(_) => None,
    });
    params.collect()
}

/// The parameters without bounds, each with a default: so the name of a generic kernel is a type by itself.
pub(crate) fn defaulted(generics: &Generics) -> Vec<TokenStream> {
    let params = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(t) => {
            let name = &t.ident;
            Some(quote!(#name = ()))
        }
        GenericParam::Const(c) => {
            let (name, ty) = (&c.ident, &c.ty);
            let default = match ty {
                Type::Path(p) if p.path.is_ident("bool") => quote!(false),
                Type::Path(p) if p.path.is_ident("char") => quote!('0'),
                _ => quote_spanned!(mixed(ty.span())=> 0),
            };
            Some(quote!(const #name: #ty = #default))
        }
        GenericParam::Lifetime(_) => None,
    });
    params.collect()
}

/// The parameters as arguments.
pub(crate) fn arguments(generics: &Generics) -> Vec<&Ident> {
    let params = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(t) => Some(&t.ident),
        GenericParam::Const(c) => Some(&c.ident),
        GenericParam::Lifetime(_) => None,
    });
    params.collect()
}

/// The names of the type parameters.
pub(crate) fn names(generics: &Generics) -> Vec<&Ident> {
    generics.type_params().map(|p| &p.ident).collect()
}

/// The predicates of a `where` clause.
pub(crate) fn predicates(generics: &Generics) -> Vec<&syn::WherePredicate> {
    generics.where_clause.iter().flat_map(|w| &w.predicates).collect()
}

/// The type of a parameter, as a body's list of types holds it.
fn parameter(kind: &ParamKind, ty: &Type) -> TokenStream {
    let span = mixed(ty.span());
    match kind {
        ParamKind::Value => quote_spanned!(span=> <#ty as ::gridfn::__private::DeviceCopy>::TYPE),
        ParamKind::Slice { element, access } => {
            let access = access_name(*access);
            quote_spanned!(mixed(element.span())=>
                ::gridfn::__private::slice_of::<#element>(::gridfn::__private::Access::#access))
        }
        ParamKind::Atomics { element } => {
            quote_spanned!(mixed(element.span())=> ::gridfn::__private::atomics_of::<#element>())
        }
        ParamKind::Reference { target, access } => {
            let access = access_name(*access);
            let what = match is_atomic(target) {
                true => quote!(Atomic),
                false => quote!(DeviceCopy),
            };
            quote_spanned!(mixed(target.span())=> ::gridfn::__private::Type::Reference {
                target: &<#target as ::gridfn::__private::#what>::TYPE,
                access: ::gridfn::__private::Access::#access,
            })
        }
        ParamKind::Argument | ParamKind::Function(_) => {
            let parameter = parameter_of(ty);
            quote_spanned!(ty.span()=> <#parameter as ::gridfn::__private::Parameter>::TYPE)
        }
        ParamKind::Tuple(parts) => parameters(parts.iter().map(|part| parameter(&part.kind, &part.ty))),
        // What is called has a body, and no type that devices know.
        ParamKind::Callable => quote!(::gridfn::__private::Type::Unit),
        // A closure's source is generic over the types of its captures, in their order.
        ParamKind::Capture(_) => quote!(()),
    }
}

/// The kernel's side of an argument whose type only rustc knows.
///
/// Wherever it stands it is the same text at the same place, without a bound of a function of ours: rustc tells equal
/// errors once, so a type that is no argument is one error.
pub(crate) fn parameter_of(ty: &Type) -> TokenStream {
    let (ty, span) = (with_lifetime(ty, "'static"), ty.span());
    quote_spanned!(span=> <#ty as ::gridfn::__private::KernelArg>::Parameter)
}

/// The type of several parameters in one, which are never in memory together.
pub(crate) fn parameters(types: impl Iterator<Item = TokenStream>) -> TokenStream {
    let fields = types.enumerate().map(|(n, ty)| {
        let name = n.to_string();
        quote!(::gridfn::__private::Field { name: #name, ty: #ty, offset: 0 })
    });
    quote!(::gridfn::__private::Type::Struct(&::gridfn::__private::Struct {
        name: "",
        fields: &[#(#fields),*],
        size: 0,
        align: 1,
    }))
}

fn access_name(access: Access) -> TokenStream {
    match access {
        Access::Shared => quote!(Shared),
        Access::Unique => quote!(Unique),
    }
}

/// A type with `lifetime` where it has `'_`.
pub(crate) fn with_lifetime(ty: &Type, lifetime: &str) -> Type {
    replaced(ty, lifetime, |l| l.ident == "_")
}

/// A type with `lifetime` in the place of all others.
pub(crate) fn with_every_lifetime(ty: &Type, lifetime: &str) -> Type {
    replaced(ty, lifetime, |_| true)
}

fn replaced(ty: &Type, lifetime: &str, which: fn(&Lifetime) -> bool) -> Type {
    struct Replace<'l>(&'l str, fn(&Lifetime) -> bool);
    impl VisitMut for Replace<'_> {
        fn visit_lifetime_mut(&mut self, l: &mut Lifetime) {
            if (self.1)(l) {
                *l = Lifetime::new(self.0, l.span());
            }
        }
    }
    let mut ty = ty.clone();
    Replace(lifetime, which).visit_type_mut(&mut ty);
    ty
}

/// The pattern by which the closure takes a parameter. A view of a unique slice is a value whose `IndexMut` needs
/// `mut`.
pub(crate) fn pattern(p: &Param) -> TokenStream {
    let (name, mutability) = (&p.name, &p.mutability);
    match &p.kind {
        ParamKind::Slice {
            access: Access::Unique,
            ..
        }
        | ParamKind::Argument
        | ParamKind::Function(_)
        | ParamKind::Tuple(_)
        | ParamKind::Capture(Mode::Unique) => {
            let mutability = syn::Token![mut](mixed(name.span()));
            quote!(#mutability #name)
        }
        ParamKind::Value
        | ParamKind::Reference { .. }
        | ParamKind::Callable
        | ParamKind::Slice {
            access: Access::Shared,
            ..
        }
        | ParamKind::Atomics { .. }
        | ParamKind::Capture(Mode::Value | Mode::Shared) => quote!(#mutability #name),
    }
}

/// A body with everything around it: what goes before the closure, the closure's parts, and the `Body`.
pub(crate) struct Instance {
    /// Items and holes, declared before the closure.
    pub before: TokenStream,
    /// The name of the closure's first parameter.
    pub item: Ident,
    /// The closure's statements.
    pub closure: TokenStream,
    /// What follows the closure: code that never runs.
    pub probes: TokenStream,
    /// The expression of the `Body`.
    pub body: TokenStream,
    /// The callees' numbers, which code that was compiled ahead of time is checked by.
    pub codes: Vec<TokenStream>,
    /// Of a kernel that runs by groups on the host: the memory that a group takes.
    pub need: Option<TokenStream>,
}

/// Emits the parts of an instance. `tree` is the tree in postcard's encoding.
pub(crate) fn instance(f: &Function, tree: &[u8]) -> Instance {
    instance_of(f, tree, None)
}

/// The same of a kernel, with its regions if it runs by groups on the host.
pub(super) fn instance_of(f: &Function, tree: &[u8], regions: Option<Regions>) -> Instance {
    let memory = regions.as_ref().map(|r| r.memory(f));
    let (slots, need) = memory.map(|m| (m.holes, m.need)).unzip();
    let Closure {
        body: closure,
        probes,
    } = closure(f, regions);
    let items = &f.items;
    let holes = f
        .holes
        .types
        .iter()
        .enumerate()
        .filter_map(|(n, hole)| match hole {
            TypeHole::Inferred(span) | TypeHole::LocalArray(span) => {
                Some((type_hole(n as u16, *span), *span))
            }
            TypeHole::Param(_) | TypeHole::Result | TypeHole::Written(_) => None,
        });
    let links = f.holes.links.iter().enumerate().filter_map(|(n, link)| {
        let span = match link {
            LinkHole::Method(name) => name.span(),
            LinkHole::Path(path) => path.span(),
            LinkHole::Associated(path) => path.path.span(),
            LinkHole::Function(span) | LinkHole::Operator(span) | LinkHole::Words(span) => *span,
            LinkHole::Index(_) | LinkHole::Parameter(_) => return None,
        };
        Some((link_hole(n as u16, span), span))
    });
    let holes = holes.chain(links).map(|(name, span)| new_hole(&name, span));
    let before = quote!(#(#items)* #(#holes)* #slots);
    let (types, (links, codes), constants) = (types(f), link_list(f), constants(f));
    let tree = proc_macro2::Literal::byte_string(tree);
    let at = f.name.span();
    let (file, line) = (
        quote_spanned!(at=> ::core::file!()),
        quote_spanned!(at=> ::core::line!()),
    );
    let body = quote! {
        ::gridfn::__private::Body {
            tree: #tree,
            types: &[#(#types),*],
            links: &[#(#links),*],
            constants: &[#(#constants),*],
            file: #file,
            line: #line,
            local: ::core::option::Option::None,
        }
    };
    Instance {
        before,
        item: item(f.name.span()),
        closure,
        probes,
        body,
        codes,
        need,
    }
}

/// A hole that nothing has filled yet.
pub(crate) fn new_hole(name: &Ident, span: Span) -> TokenStream {
    quote_spanned!(mixed(span)=> let #name = ::gridfn::__private::Hole::new();)
}

fn types(f: &Function) -> Vec<TokenStream> {
    let types = f.holes.types.iter().enumerate();
    types
        .map(|(n, hole)| match hole {
            TypeHole::Param(n) => match f.params.get(*n) {
                Some(param) => parameter(&param.kind, &param.ty),
                // A closure's captures are one parameter to the tree, also where it captures nothing.
                None => parameters(std::iter::empty()),
            },
            TypeHole::Result => match &f.result {
                Some(ty) => quote_spanned!(mixed(ty.span())=> <#ty as ::gridfn::__private::DeviceCopy>::TYPE),
                None => quote!(::gridfn::__private::Type::Unit),
            },
            TypeHole::Written(ty) => {
                quote_spanned!(mixed(ty.span())=> <#ty as ::gridfn::__private::DeviceCopy>::TYPE)
            }
            TypeHole::Inferred(span) => {
                let name = type_hole(n as u16, *span);
                quote_spanned!(mixed(*span)=> #name.ty())
            }
            TypeHole::LocalArray(span) => {
                let name = type_hole(n as u16, *span);
                quote_spanned!(mixed(*span)=> #name.local_array())
            }
        })
        .collect()
}

/// The callee of each link, and its number.
fn link_list(f: &Function) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let links = f.holes.links.iter().enumerate().map(|(n, link)| {
        let n = n as u16;
        let hole = |span| (link_hole(n, span), mixed(span));
        match link {
            LinkHole::Method(name) => {
                let (hole, span) = hole(name.span());
                (
                    quote_spanned!(span=> #hole.method()),
                    quote_spanned!(span=> #hole.method_code()),
                )
            }
            LinkHole::Path(path) => {
                let (hole, span) = hole(path.span());
                (
                    quote_spanned!(span=> #hole.link()),
                    quote_spanned!(span=> #hole.code()),
                )
            }
            LinkHole::Function(span) | LinkHole::Words(span) => {
                let (hole, span) = hole(*span);
                (
                    quote_spanned!(span=> #hole.link()),
                    quote_spanned!(span=> #hole.code()),
                )
            }
            LinkHole::Operator(span) => {
                let (hole, span) = hole(*span);
                (
                    quote_spanned!(span=> #hole.method()),
                    quote_spanned!(span=> #hole.method_code()),
                )
            }
            LinkHole::Associated(path) => {
                let (hole, span) = hole(path.path.span());
                (quote_spanned!(span=> #hole.associated()), quote!(u16::MAX))
            }
            LinkHole::Parameter(signature) => {
                let (name, types) = (&signature.name, &signature.arguments);
                let link = quote!(<#name as ::gridfn::__private::DeviceFn<(#(#types,)*)>>::LINK);
                (link, quote!(u16::MAX))
            }
            LinkHole::Index(name) => {
                let marker = quote!(::gridfn::__private::index::markers::#name);
                let marker = quote!(<#marker as ::gridfn::__private::HasLink>);
                (quote!(#marker::LINK), quote!(#marker::CODE))
            }
        }
    });
    links.unzip()
}

/// The constants that the body names, as a body's list holds them.
pub(crate) fn constants(f: &Function) -> Vec<TokenStream> {
    let constants = f.holes.constants.iter();
    constants
        .map(|path| quote_spanned!(mixed(path.span())=> ::gridfn::__private::constant(|| #path)))
        .collect()
}
