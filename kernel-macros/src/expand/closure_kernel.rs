//! Closures as kernels: what `launch!` and `closure!` make of a closure.
//!
//! The body is emitted as in a function kernel, with one difference: the types of captures cannot be named here, so
//! captures and holes are passed as lists of values, whose types rustc infers, and the `Body` is an associated `const`
//! of an impl that is generic over them all.

use super::closure::{link_hole, type_hole};
use super::kernel::encode;
use super::signature::*;
use super::{group, mixed};
use crate::check::ownership_of_closure;
use crate::parse;
use crate::parse::Capture;
use crate::parse::ast::*;
use gridfn_ir::tree::Kind;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, Token};

/// A closure kernel, as the statements that make one and its name.
pub(crate) struct ClosureKernel {
    pub setup: TokenStream,
    pub name: Ident,
    /// The number of its indices.
    pub dimensions: usize,
}

/// Expands a closure; `unsafety` is the `unsafe` of a block around it.
pub(crate) fn closure_kernel(
    c: &ExprClosure,
    unsafety: Option<Token![unsafe]>,
) -> syn::Result<ClosureKernel> {
    let parse::Closure {
        mut function,
        captures,
        owned,
        dimensions,
    } = parse::closure(c, unsafety)?;
    // As around any code that needs none, rustc warns of an `unsafe` that promises nothing.
    let promise = match unsafety {
        None => {
            ownership_of_closure(&function, dimensions)?;
            None
        }
        Some(token) => {
            let needed = ownership_of_closure(&function, dimensions).is_err();
            let promise = needed.then(|| quote!(::gridfn::__private::items_do_not_meet()));
            Some(quote!(#token { #promise }))
        }
    };
    written_casts_are_inferred(&mut function);
    let encoded = encode(&function, Kind::Kernel)?;
    let Instance {
        before,
        item,
        closure,
        probes,
        ..
    } = instance(&function, &encoded);
    let source_name = format_ident!("__Source");
    let source = source(&function, &encoded, captures.len(), dimensions, &source_name);
    let wrapped = list(captures.iter().map(|c| capture(c, owned)));
    let views = list(function.params.iter().map(pattern));
    let holes = tuple(holes(&function).map(|(name, _)| name));
    let span = c.inputs_begin.span;
    let host = |holes| quote_spanned!(mixed(span)=> move |#item, #views| { #holes #closure });
    let (first, second) = (host(TokenStream::new()), host(holes_of_the_copy(&function)));
    let (allow, twins) = (allow(), twins());
    let name = Ident::new("__closure", mixed(span));
    let make = quote_spanned!(mixed(span)=> ::gridfn::__private::closure::closure);
    // What is captured is borrowed by the value alone; the second copy of the body captures nothing either.
    let setup = quote! {
        #promise
        #allow
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        let mut #name = {
            #twins
            use ::gridfn::__private::closure::UniqueFallback as _;
            #source
            #before
            let __value = #make(#source_name, #wrapped, #holes, #first, #second);
            #probes
            __value
        };
        #allow
        #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
        let mut #name = {
            #twins
            use ::gridfn::__private::closure::UniqueFallback as _;
            #source
            #before
            let __value = #make(#source_name, #wrapped, #holes, #first, |_, _| {});
            #probes
            __value
        };
    };
    Ok(ClosureKernel {
        setup,
        name,
        dimensions,
    })
}

/// Holes of its own for the messages of the body's second copy: a closure that makes words has another type wherever it
/// is written, and one hole takes one type. The others are filled by the probes too, which stand there once.
fn holes_of_the_copy(f: &Function) -> TokenStream {
    let links = f.holes.links.iter().enumerate();
    let messages = links.filter_map(|(n, hole)| {
        let LinkHole::Words(span) = *hole else { return None };
        Some(new_hole(&link_hole(n as u16, span), span))
    });
    messages.collect()
}

/// A closure that is passed to a kernel.
pub(crate) struct PassedClosure {
    /// Items and holes, for the block around the call.
    pub setup: TokenStream,
    /// Code that never runs.
    pub probes: TokenStream,
    /// What the closure is but for its host version.
    pub unbound: TokenStream,
    /// The host version.
    pub host: TokenStream,
}

/// Expands a closure that is passed to a kernel as its argument `n`.
pub(crate) fn passed_closure(c: &ExprClosure, n: usize) -> syn::Result<PassedClosure> {
    let parse::Passed {
        mut function,
        captures,
        owned,
        types,
    } = parse::passed(c)?;
    written_casts_are_inferred(&mut function);
    let encoded = encode(&function, Kind::Device)?;
    let Instance {
        before,
        item,
        closure,
        probes,
        ..
    } = instance(&function, &encoded);
    let name = format_ident!("__Source{n}");
    let source = source(&function, &encoded, captures.len(), 1, &name);
    let wrapped = list(captures.iter().map(|c| capture(c, owned)));
    let (captured, own) = function.params.split_at(captures.len());
    let views = list(captured.iter().map(pattern));
    let holes = tuple(holes(&function).map(|(name, _)| name));
    let span = c.inputs_begin.span;
    let patterns = own.iter().map(pattern);
    let types = types.iter().map(|ty| match ty {
        Some(ty) => quote!(#ty),
        None => quote!(_),
    });
    let seen = own.iter().enumerate().map(|(n, param)| {
        let (name, span) = (&param.name, mixed(param.name.span()));
        let hole = type_hole(n as u16 + 1, param.name.span());
        quote_spanned!(span=> #hole.see(&#name);)
    });
    let result = type_hole(own.len() as u16 + 1, c.body.span());
    let output = &c.output;
    // `return` in the body returns from a closure of its own, whose result is seen like any other.
    let host = quote_spanned!(mixed(span)=>
        move |#item: &::gridfn::__private::Item, #views, (#(#patterns,)*): (#(#types,)*)| {
            #(#seen)*
            let __result = (move || #output { #closure })();
            #result.see(&__result);
            __result
        }
    );
    let make = quote_spanned!(mixed(span)=> ::gridfn::__private::function::unbound);
    // The closures of one call share a scope, so each has holes of its own.
    let own_holes = |tokens| renumbered(tokens, n);
    let holes = own_holes(holes);
    Ok(PassedClosure {
        setup: quote!(#source #before),
        probes,
        unbound: quote!(#make(#name, #wrapped, #holes)),
        host,
    }
    .map(own_holes))
}

impl PassedClosure {
    /// Changes everything but what is captured.
    fn map(self, f: impl Fn(TokenStream) -> TokenStream) -> PassedClosure {
        PassedClosure {
            setup: f(self.setup),
            probes: f(self.probes),
            host: f(self.host),
            ..self
        }
    }
}

/// The names of holes, `__t0`, `__l0` and so on, with the closure's number behind.
fn renumbered(tokens: TokenStream, closure: usize) -> TokenStream {
    let is_hole = |name: &str| {
        let number = name.strip_prefix("__t").or_else(|| name.strip_prefix("__l"));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if is_hole(&name.to_string()) => {
            TokenTree::Ident(format_ident!("{name}_{closure}", span = name.span()))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), renumbered(group.stream(), closure));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        other => other,
    });
    tokens.collect()
}

/// A type behind `as` may be a parameter of the function around the closure, which an item cannot name; so rustc
/// fills it in, like every type that is not written.
fn written_casts_are_inferred(function: &mut Function) {
    for hole in &mut function.holes.types {
        if let TypeHole::Written(ty) = hole {
            *hole = TypeHole::Inferred(ty.span());
        }
    }
}

/// `(first, (second, (…, ())))`
fn list(items: impl DoubleEndedIterator<Item = TokenStream>) -> TokenStream {
    items.rev().fold(quote!(()), |rest, item| quote!((#item, #rest)))
}

/// `(first, second, …,)`. rustc follows a [`list`] only so far, and a body has as many holes as it has operators.
fn tuple(items: impl IntoIterator<Item = impl ToTokens>) -> TokenStream {
    let items = items.into_iter();
    quote!((#(#items,)*))
}

/// The holes that rustc fills, types first; and the type of each, with the parameter that stands for what is wanted.
fn holes(f: &Function) -> impl DoubleEndedIterator<Item = (Ident, HoleKind)> + '_ {
    let types = f
        .holes
        .types
        .iter()
        .enumerate()
        .filter_map(|(n, hole)| match hole {
            TypeHole::Inferred(span) | TypeHole::LocalArray(span) => {
                Some((type_hole(n as u16, *span), HoleKind::Type(n)))
            }
            TypeHole::Param(_) | TypeHole::Result | TypeHole::Written(_) => None,
        });
    let links = f
        .holes
        .links
        .iter()
        .enumerate()
        .filter_map(|(n, hole)| match hole {
            LinkHole::Method(name) => Some((link_hole(n as u16, name.span()), HoleKind::Method(n))),
            LinkHole::Operator(span) => Some((link_hole(n as u16, *span), HoleKind::Method(n))),
            LinkHole::Path(path) => Some((link_hole(n as u16, path.span()), HoleKind::Link(n))),
            LinkHole::Associated(path) => {
                Some((link_hole(n as u16, path.path.span()), HoleKind::Associated(n)))
            }
            LinkHole::Function(span) | LinkHole::Words(span) => {
                Some((link_hole(n as u16, *span), HoleKind::Link(n)))
            }
            LinkHole::Index(_) | LinkHole::Parameter(_) => None,
        });
    types.chain(links)
}

/// What a hole holds, and its number among its kind.
enum HoleKind {
    Type(usize),
    Link(usize),
    Method(usize),
    Associated(usize),
}

/// The `Source` of the closure: its body for all types of captures and holes.
fn source(f: &Function, tree: &[u8], captures: usize, dimensions: usize, name: &Ident) -> TokenStream {
    let captures: Vec<_> = (0..captures).map(|n| format_ident!("__C{n}")).collect();
    let (mut generics, mut predicates, mut hole_types) = (vec![], vec![], vec![]);
    for capture in &captures {
        generics.push(capture.clone());
        predicates.push(quote!(#capture: ::gridfn::__private::closure::Captured<__B>));
    }
    for (_, kind) in holes(f) {
        match kind {
            HoleKind::Type(n) => {
                let ty = format_ident!("__T{n}");
                predicates.push(quote!(#ty: ::gridfn::__private::DeviceCopy));
                hole_types.push(quote!(::gridfn::__private::Hole<#ty>));
                generics.push(ty);
            }
            HoleKind::Link(n) => {
                let link = format_ident!("__L{n}");
                predicates.push(quote!(#link: ::gridfn::__private::HasLink));
                hole_types.push(quote!(::gridfn::__private::Hole<#link>));
                generics.push(link);
            }
            HoleKind::Associated(n) => {
                let (link, function) = (format_ident!("__L{n}"), format_ident!("__F{n}"));
                predicates.push(quote!(#link: ::gridfn::__private::HasLink));
                hole_types.push(quote!(::gridfn::__private::Hole<(#function, #link)>));
                generics.extend([function, link]);
            }
            HoleKind::Method(n) => {
                let (link, receiver, result) = (
                    format_ident!("__L{n}"),
                    format_ident!("__R{n}"),
                    format_ident!("__O{n}"),
                );
                predicates.push(quote!(#link: ::gridfn::__private::HasLink));
                hole_types.push(quote!(::gridfn::__private::Hole<(#receiver, #result, #link)>));
                generics.extend([receiver, result, link]);
            }
        }
    }
    let environment = parameters(
        captures
            .iter()
            .map(|capture| quote!(<#capture as ::gridfn::__private::closure::Captured<__B>>::TYPE)),
    );
    let types = f.holes.types.iter().enumerate().map(|(n, hole)| match hole {
        TypeHole::Param(_) if f.environment.is_some() => environment.clone(),
        TypeHole::Param(n) => {
            let capture = &captures[*n];
            quote!(<#capture as ::gridfn::__private::closure::Captured<__B>>::TYPE)
        }
        // A closure has no local arrays.
        TypeHole::Inferred(_) | TypeHole::Written(_) | TypeHole::LocalArray(_) => {
            let ty = format_ident!("__T{n}");
            quote!(<#ty as ::gridfn::__private::DeviceCopy>::TYPE)
        }
        TypeHole::Result => quote!(::gridfn::__private::Type::Unit),
    });
    let links = f.holes.links.iter().enumerate().map(|(n, hole)| match hole {
        LinkHole::Index(name) => {
            let name = Ident::new(&name.to_string(), Span::call_site());
            quote!(<::gridfn::__private::index::markers::#name as ::gridfn::__private::HasLink>::LINK)
        }
        LinkHole::Method(_)
        | LinkHole::Operator(_)
        | LinkHole::Path(_)
        | LinkHole::Associated(_)
        | LinkHole::Function(_)
        | LinkHole::Words(_)
        | LinkHole::Parameter(_) => {
            let link = format_ident!("__L{n}");
            quote!(<#link as ::gridfn::__private::HasLink>::LINK)
        }
    });
    let (capture_list, hole_list) = (
        list(captures.iter().map(ToTokens::to_token_stream)),
        tuple(hole_types),
    );
    let constants = constants(f);
    let tree = proc_macro2::Literal::byte_string(tree);
    let at = f.name.span();
    let (file, line) = (
        quote_spanned!(at=> ::core::file!()),
        quote_spanned!(at=> ::core::line!()),
    );
    let allow = allow();
    quote! {
        #allow
        struct #name;
        #allow
        impl<#(#generics,)* __B: ::gridfn::__private::Backend>
            ::gridfn::__private::closure::Source<#capture_list, #hole_list, __B> for #name
        where #(#predicates),*
        {
            const BODY: ::gridfn::__private::Body<'static> = ::gridfn::__private::Body {
                tree: #tree,
                types: &[#(#types),*],
                links: &[#(#links),*],
                constants: &[#(#constants),*],
                file: #file,
                line: #line,
                local: ::core::option::Option::None,
            };
            const ENVIRONMENT: ::gridfn::__private::Type = #environment;
            const DIMENSIONS: usize = #dimensions;
            const CACHE: &'static ::gridfn::__private::Cache = {
                static CACHE: ::gridfn::__private::Cache = ::gridfn::__private::Cache::new();
                &CACHE
            };
        }
    }
}

/// What is captured, wrapped by how the body uses it. The reference has the user's span, where rustc tells that a
/// kernel cannot capture it.
fn capture(c: &Capture, owned: bool) -> TokenStream {
    let (place, span) = (&c.place, c.place.span());
    let mix = mixed(span);
    let borrowed = group(span, quote_spanned!(span=> &#place));
    match (c.mode, owned) {
        (Mode::Value, _) => quote_spanned!(mix=> ::gridfn::__private::closure::value(#borrowed)),
        (Mode::Shared, false) => quote_spanned!(mix=> ::gridfn::__private::closure::shared(#borrowed)),
        (Mode::Shared, true) => {
            let moved = moved(place);
            quote_spanned!(mix=> ::gridfn::__private::closure::owned(#moved))
        }
        (Mode::Unique, false) => {
            let place = group(span, quote!(#place));
            quote_spanned!(mix=> #place.__unique())
        }
        (Mode::Unique, true) => {
            let moved = moved(place);
            quote_spanned!(mix=> ::gridfn::__private::closure::owned_unique(#moved))
        }
    }
}

/// What `move` moves: of `*r` the reference, as in Rust.
fn moved(place: &Expr) -> &Expr {
    match place {
        Expr::Unary(e) => moved(&e.expr),
        Expr::Paren(e) => moved(&e.expr),
        Expr::Group(e) => moved(&e.expr),
        e => e,
    }
}
