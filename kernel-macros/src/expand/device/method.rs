//! A method or associated function: its instance, and the hidden functions by which calls of it find the instance.
//!
//! The function itself stays as it is; calls in kernels are calls of it. For `v.area()` a probe calls `v.area__device()`,
//! and for `Square::area(v)` it calls `Square::area__path(Square::area)`, which rustc resolves as it did the call. The
//! result's type is a marker, generic over `Self` and the function's own parameters, whose link leads to the instance.
//! An instance is a `const` of a trait of its own that `Self` implements, so that `Self` means the same in the body.

use crate::diagnostic::Errors;
use crate::expand::kernel::encode;
use crate::expand::mixed;
use crate::expand::signature::*;
use crate::parse;
use crate::parse::ast::{LinkHole, ParamKind};
use gridfn_ir::Access;
use gridfn_ir::tree::Kind;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Error, FnArg, Generics, ItemFn, Path, ReceiverKind, ReturnType, Signature, Token, Type,
    parse_quote, parse_quote_spanned,
};

/// What is around a method.
pub(super) struct Scope {
    /// The parameters of the `impl` or trait.
    pub generics: Generics,
    /// What `Self` is.
    pub this: Type,
    /// The trait.
    pub of: Option<Path>,
    /// The types that an `impl` of a trait gives names to.
    pub types: Vec<(Ident, Type)>,
}

/// A method or associated function.
pub(super) struct Method<'m> {
    pub scope: &'m Scope,
    pub sig: &'m Signature,
    /// The marker's name.
    pub marker: Ident,
}

impl Method<'_> {
    fn named(&self, suffix: &str) -> Ident {
        let name = &self.sig.ident;
        format_ident!("{name}__{suffix}", span = mixed(name.span()))
    }

    /// The name of the hidden function that gives the link, where a trait has it.
    pub(super) fn link_name(&self) -> Ident {
        self.named("link")
    }

    /// The trait whose `const` is the instance.
    fn instance_name(&self) -> Ident {
        self.named("instance")
    }

    /// The function's own parameters, with what they must be in kernels.
    fn own(&self) -> Generics {
        bounded(&self.sig.generics)
    }

    /// The parameters of all that is around the body.
    pub(super) fn generics(&self) -> Generics {
        let mut all = self.scope.generics.clone();
        all.params.extend(self.sig.generics.params.iter().cloned());
        if let Some(own) = &self.sig.generics.where_clause {
            all.make_where_clause()
                .predicates
                .extend(own.predicates.iter().cloned());
        }
        all
    }

    /// The type of the marker for a `Self`, whatever functions are passed.
    fn marker_of(&self, this: impl ToTokens) -> TokenStream {
        let (marker, arguments) = (&self.marker, erased(&self.sig.generics));
        quote!(#marker<#this #(, #arguments)*>)
    }

    /// The trait of the instance and its `impl`, whose `const` is the body as devices compile it.
    pub(super) fn instance(&self, block: &Block) -> syn::Result<TokenStream> {
        let function = parse::device(&self.free(block)?)?;
        for link in &function.holes.links {
            if let LinkHole::Index(name) = link {
                let help = format!(
                    "a method has no place in the grid: call `{name}` in the kernel, and pass the index as an argument"
                );
                return Err(Error::new_spanned(name, help));
            }
        }
        for param in &function.params {
            if let ParamKind::Slice {
                access: Access::Unique,
                ..
            } = param.kind
            {
                let help = "a method takes no `&mut [T]` in kernels: write a free `#[device]` fn";
                return Err(Error::new_spanned(&param.ty, help));
            }
        }
        let encoded = encode(&function, Kind::Method)?;
        let Instance {
            before,
            item,
            closure,
            probes,
            body,
            ..
        } = instance(&function, &encoded);
        let generics = bounded(&function.generics);
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (name, this, twins) = (self.instance_name(), &self.scope.this, twins());
        let (own, arguments) = (unbounded(&self.sig.generics), arguments(&self.sig.generics));
        let patterns: Vec<_> = function.params.iter().map(pattern).collect();
        let types = function.params.iter().map(|p| &p.ty);
        let result = function
            .result
            .as_ref()
            .map_or_else(|| quote!(()), |ty| quote!(#ty));
        // Without parameters the body is looked at whether or not it is called.
        let instantiated = generics
            .params
            .is_empty()
            .then(|| quote!(const _: () = { let _ = &<#this as #name>::BODY; };));
        Ok(quote! {
            pub trait #name<#(#own),*> {
                const BODY: ::gridfn::__private::Body<'static>;
            }
            impl #impl_generics #name<#(#arguments),*> for #this #where_clause {
                const BODY: ::gridfn::__private::Body<'static> = {
                    #twins
                    #before
                    let _ = move |#item: &::gridfn::__private::Item #(, #patterns: #types)*| -> #result { #closure };
                    #probes
                    #body
                };
            }
            #instantiated
        })
    }

    /// The link of the instance of `this`, as an expression.
    pub(super) fn link(&self, this: impl ToTokens) -> TokenStream {
        let (name, arguments) = (self.instance_name(), arguments(&self.sig.generics));
        quote!(::gridfn::__private::Link::Function(const { &<#this as #name<#(#arguments),*>>::BODY }))
    }

    /// The marker, with a link that is `link`, a function.
    pub(super) fn marker(&self, vis: impl ToTokens, link: TokenStream) -> TokenStream {
        let (marker, this) = (&self.marker, &self.scope.this);
        let (own, arguments) = (unbounded(&self.sig.generics), arguments(&self.sig.generics));
        let types = self.sig.generics.type_params().map(|p| &p.ident);
        let generics = bounded(&self.generics());
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, missing_docs, dead_code)]
            #vis struct #marker<__This: ?Sized #(, #own)*>(
                ::core::marker::PhantomData<fn() -> (*const __This, #(*const #types,)*)>
            );
            impl #impl_generics ::gridfn::__private::HasLink for #marker<#this #(, #arguments)*> #where_clause {
                const LINK: fn() -> ::gridfn::__private::Link = #link;
            }
        }
    }

    /// The hidden functions that probes call.
    pub(super) fn probes(&self, vis: impl ToTokens) -> TokenStream {
        let span = mixed(self.sig.ident.span());
        let own = self.own();
        let (params, predicates) = (declared(&own), predicates(&own));
        let marker = self.marker_of(quote!(Self));
        let (inputs, output) = (self.types(), &self.sig.output);
        let path = self.named("path");
        let by_path = quote_spanned! {span=>
            #[doc(hidden)]
            #vis fn #path<#(#params),*>(_: fn(#(#inputs),*) #output) -> #marker
            where Self: Sized, #(#predicates),*
            {
                loop {}
            }
        };
        // As all twins, it takes `&self`: `&mut self` would come last, together with the method that tells of a mistake.
        let by_receiver = self.sig.receiver().map(|_| {
            let device = self.named("device");
            let found = if arguments(&own).iter().all(|name| is_function(&own, name)) {
                marker
            } else {
                quote!(::gridfn::__private::hole::CalledByPath)
            };
            quote_spanned! {span=>
                #[doc(hidden)]
                #vis fn #device(&self) -> #found where Self: Sized {
                    loop {}
                }
            }
        });
        quote!(#by_path #by_receiver)
    }

    /// The types of all parameters.
    fn types(&self) -> Vec<Type> {
        let inputs = self.sig.inputs.iter();
        inputs
            .map(|arg| match arg {
                FnArg::Receiver(r) => receiver_type(r),
                FnArg::Typed(arg) => (*arg.ty).clone(),
            })
            .collect()
    }

    /// The method as a free function, whose first parameter is the receiver.
    fn free(&self, block: &Block) -> syn::Result<ItemFn> {
        let mut sig = self.sig.clone();
        sig.generics = self.generics();
        sig.constness = None;
        let this = Ident::new("__self", mixed(sig.ident.span()));
        for arg in &mut sig.inputs {
            if let FnArg::Receiver(r) = arg {
                if let ReceiverKind::Typed(_, ty) = &r.kind {
                    let help = "the receiver of a device method is `self`, `&self` or `&mut self`";
                    return Err(Error::new_spanned(ty, help));
                }
                let (mutability, ty) = (r.mutability, receiver_type(r));
                *arg = parse_quote!(#mutability #this: #ty);
            }
        }
        let mut f = ItemFn {
            attrs: vec![],
            vis: syn::Visibility::Inherited,
            modifiers: Default::default(),
            sig,
            block: Box::new(block.clone()),
        };
        Free {
            this: &this,
            scope: self.scope,
        }
        .visit_item_fn_mut(&mut f);
        Ok(f)
    }
}

fn receiver_type(receiver: &syn::Receiver) -> Type {
    let span = receiver.self_token.span;
    match &receiver.kind {
        ReceiverKind::Reference(and, _, mutability) => parse_quote_spanned!(span=> #and #mutability Self),
        ReceiverKind::Typed(_, ty) => (**ty).clone(),
        _ => parse_quote_spanned!(span=> Self),
    }
}

/// Makes a method's body one that can stand outside the `impl`.
struct Free<'s> {
    /// The name of the receiver.
    this: &'s Ident,
    scope: &'s Scope,
}

impl Free<'_> {
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut out: Vec<TokenTree> = vec![];
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            out.push(match token {
                TokenTree::Ident(name)
                    if name == "self"
                        && !matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':') =>
                {
                    TokenTree::Ident(self.named(&name))
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    TokenTree::Group(inner)
                }
                token => token,
            });
        }
        out.into_iter().collect()
    }

    fn named(&self, written: &Ident) -> Ident {
        Ident::new(
            &self.this.to_string(),
            self.this.span().located_at(written.span()),
        )
    }

    /// `Self::Name`, where the `impl` says what that is.
    fn assigned(&self, path: &Path) -> Option<&Type> {
        let mut segments = path.segments.iter();
        let (first, second) = (segments.next()?, segments.next()?);
        let types = &self.scope.types;
        let (_, ty) = types
            .iter()
            .find(|(name, _)| first.ident == "Self" && *name == second.ident)?;
        segments.next().is_none().then_some(ty)
    }

    /// The path of a struct literal or pattern.
    fn constructor(&self, path: &mut Path) {
        if let Some(Type::Path(ty)) = self.assigned(path)
            && ty.qself.is_none()
        {
            *path = ty.path.clone();
            for segment in &mut path.segments {
                if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    arguments.colon2_token = Some(Token![::](arguments.lt_token.span));
                }
            }
        }
    }
}

impl VisitMut for Free<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        if path.is_ident("self") {
            let name = self.named(&path.segments[0].ident);
            path.segments[0].ident = name;
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_expr_struct_mut(&mut self, e: &mut syn::ExprStruct) {
        self.constructor(&mut e.path);
        visit_mut::visit_expr_struct_mut(self, e);
    }

    fn visit_pat_struct_mut(&mut self, p: &mut syn::PatStruct) {
        self.constructor(&mut p.path);
        visit_mut::visit_pat_struct_mut(self, p);
    }

    /// `Self::Output`, which is not a type of the trait of the instance.
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let (Type::Path(p), Some(of)) = (&*ty, &self.scope.of) else {
            return;
        };
        if p.qself.is_some() || p.path.segments.len() < 2 || p.path.segments[0].ident != "Self" {
            return;
        }
        let rest = p.path.segments.iter().skip(1);
        *ty = parse_quote_spanned!(p.path.span()=> <Self as #of>::#(#rest)::*);
    }
}

/// Refuses what no device method is, before its body is read.
pub(super) fn check(sig: &Signature, scope: &Scope) -> syn::Result<()> {
    if let Some(lifetime) = scope.generics.lifetimes().next() {
        let help = "types of kernels hold no references: an `impl` for devices has no lifetimes";
        return Err(Error::new_spanned(lifetime, help));
    }
    if let Some(ty) = sig.inputs.iter().find_map(|arg| match arg {
        FnArg::Typed(arg) if matches!(*arg.ty, Type::ImplTrait(_)) => Some(&arg.ty),
        _ => None,
    }) {
        let help = "a device method names its type parameters: write `fn name<T: Trait>(value: T)`";
        return Err(Error::new_spanned(ty, help));
    }
    // A method of a trait has no body whose reading would refuse these.
    let mut errors = Errors::default();
    for arg in &sig.inputs {
        if let FnArg::Typed(arg) = arg {
            parse::refuse_bounds(&mut errors, &arg.ty);
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output {
        parse::refuse_bounds(&mut errors, ty);
    }
    errors.check()
}
