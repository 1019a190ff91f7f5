//! `#[kernel]`: the kernel's type, the builder of its calls, and its instance.

use super::local::Local;
use super::regions::{group_name, regions};
use super::root::{path, rooted};
use super::signature::*;
use super::tree::tree;
use crate::check::{Proof, Uniformity, ownership, uniformity};
use crate::diagnostic::with_fallback;
use crate::parse;
use crate::parse::ast::*;
use gridfn_ir::Access;
use gridfn_ir::tree::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Item, ItemFn, Type};

/// Expands `#[kernel]`.
pub(crate) fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let f = match function(item, "kernel") {
        Ok(f) => f,
        Err(e) => return e.into_compile_error(),
    };
    let options = match options(attribute) {
        Ok(options) => options,
        Err(e) => return with_fallback(e, fallback(&f)),
    };
    let expansion = parse::kernel(&f).and_then(|function| {
        let proof = ownership(&function)?;
        let uniformity = uniformity(&function)?;
        expand(&function, proof, &uniformity, &options)
    });
    let expansion = expansion.unwrap_or_else(|e| with_fallback(e, fallback(&f)));
    rooted(expansion, options.root.as_ref())
}

/// The item as a function.
pub(super) fn function(item: TokenStream, attribute: &str) -> syn::Result<ItemFn> {
    match syn::parse2(item)? {
        Item::Fn(f) => Ok(f),
        other => Err(Error::new_spanned(
            other,
            format!("`#[{attribute}]` goes on a free `fn`"),
        )),
    }
}

/// What stands in the attribute's parentheses.
struct Options {
    /// `#[kernel(aot)]`: a kernel that cannot be compiled ahead of time is an error.
    ahead: Option<Ident>,
    /// `#[kernel(local = [16, 16])]`: the size of its work-groups.
    local: Option<Local>,
    /// `#[kernel(crate = path)]`: where gridfn is.
    root: Option<syn::Path>,
}

fn options(attribute: TokenStream) -> syn::Result<Options> {
    let mut options = Options {
        ahead: None,
        local: None,
        root: None,
    };
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("aot") {
            options.ahead = meta.path.get_ident().cloned();
            return Ok(());
        }
        if meta.path.is_ident("local") {
            options.local = Some(meta.value()?.call(Local::parse)?);
            return Ok(());
        }
        if meta.path.is_ident("crate") {
            options.root = Some(meta.value()?.call(path)?);
            return Ok(());
        }
        Err(meta
            .error("unknown option of `#[kernel]`; there are `aot`, `local = [x, y, z]` and `crate = path`"))
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    Ok(options)
}

/// What a kernel with a mistake is to the rest of the program: its type, and a builder that takes anything the
/// signature says, so that its launches are not errors too.
fn fallback(f: &ItemFn) -> TokenStream {
    if f.sig.receiver().is_some() {
        // A method stands where no type can.
        return TokenStream::new();
    }
    let (vis, name) = (&f.vis, &f.sig.ident);
    let params: Vec<_> = f
        .sig
        .inputs
        .iter()
        .enumerate()
        .map(|(n, _)| format_ident!("P{n}"))
        .collect();
    let args: Vec<_> = (0..params.len()).map(|n| format_ident!("_p{n}")).collect();
    let unsafety = matches!(f.sig.safety, syn::Safety::Unsafe(_)).then(|| quote!(unsafe));
    quote! {
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}
        #[allow(non_snake_case, dead_code, clippy::too_many_arguments, clippy::missing_safety_doc)]
        #vis #unsafety fn #name<#(#params),*>(#(#args: #params),*) -> ::gridfn::__private::NoCall {
            ::gridfn::__private::NoCall
        }
    }
}

fn expand(
    f: &Function,
    proof: Proof,
    uniformity: &Uniformity,
    options: &Options,
) -> syn::Result<TokenStream> {
    let encoded = encode_with(f, Kind::Kernel, Some(uniformity))?;
    let instance = instance_of(f, &encoded, regions(f, uniformity));
    let ahead = ahead(f, &encoded, options)?;
    let Instance {
        before,
        item,
        closure,
        probes,
        body,
        codes,
        need,
    } = &instance;
    let (vis, name, attrs, unsafety) = (&f.vis, &f.name, &f.attrs, &f.unsafety);
    let generics = bounded(&f.generics);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let (declared, predicates) = (declared(&generics), predicates(&generics));
    let (bare, defaulted, arguments, names) = (
        unbounded(&generics),
        defaulted(&generics),
        arguments(&generics),
        names(&generics),
    );
    let unbound = unbound(&generics);
    let (unbound_declared, unbound_where) = (self::declared(&unbound), &unbound.where_clause);
    let call = format_ident!("{name}__call", span = name.span());
    let fields: Vec<_> = f.params.iter().map(|p| argument(&p.kind, &p.ty)).collect();
    let patterns: Vec<_> = f.params.iter().map(pattern).collect();
    let args: Vec<&Ident> = f.params.iter().map(|p| &p.name).collect();
    let mut asked = vec![];
    let sides = f.params.iter().map(|p| {
        let name = &p.name;
        side(&p.kind, &p.ty, quote!(&self.#name), &mut asked)
    });
    let sides: Vec<Side> = sides.collect();
    let mut bounds: Vec<_> = predicates.iter().map(|p| quote!(#p)).collect();
    f.params
        .iter()
        .for_each(|p| accepted(&p.kind, &p.ty, &mut bounds));
    let (views, reads, puts): (Vec<_>, Vec<_>, Vec<_>) = (
        sides.iter().map(|s| &s.view).collect(),
        sides.iter().map(|s| &s.read).collect(),
        sides.iter().map(|s| &s.put).collect(),
    );
    // rustc tells also at the calls that one of their types cannot be, so these stand where such a type does.
    let at = asked
        .first()
        .map_or_else(proc_macro2::Span::call_site, |a| a.span());
    let parts: Vec<Ident> = (0..asked.len()).map(part).collect();
    let parameters = quote_spanned!(at=> __Parameters<#(#arguments,)* #(#asked),*>);
    // What the closure is called for, an item or a group, and what makes an entry of it.
    let (of, signature, entry, unit) = match need {
        None => (
            quote!(#item: &::gridfn::__private::Item),
            quote!(signature),
            quote!(entry),
            quote!(::gridfn::__private::Unit::Item),
        ),
        Some(need) => {
            let group = group_name(f.name.span());
            (
                quote!(#group: &::gridfn::__private::Group<'_>),
                quote!(signature_of_group),
                quote!(entry_of_group),
                quote!(::gridfn::__private::Unit::Group(#need)),
            )
        }
    };
    let fixed = need.as_ref().and(options.local.as_ref()).map(|local| {
        let (group, local) = (group_name(f.name.span()), local.tokens());
        quote!(let #group = &#group.fixed(const { #local.size });)
    });
    let host = quote!(move |#of, (#(#patterns,)*)| { #fixed #closure });
    let host = quote_spanned!(at=> ::gridfn::__private::#signature::<#parameters, _>(#host));
    // The type may come from a macro of the user's, where our names are not.
    let made = quote!(&__host);
    let entry = quote_spanned!(at=> ::gridfn::__private::#entry::<#parameters, __I, _>(#made));
    let (safe_dimensions, name_text) = (proof.dimensions, name.to_string());
    let (allow, twins) = (allow(), twins());
    let instantiated = arguments
        .is_empty()
        .then(|| quote!(const _: () = { let _ = <#name as ::gridfn::__private::KernelType>::KERNEL; };));
    let builders = builders(f, &generics, &call);
    let body_of_kernel = quote!(__Instance::<#(#arguments,)* ::gridfn::__private::Baseline>::PARTS.0);
    let body_of_kernel = match &options.local {
        Some(local) => {
            let local = local.tokens();
            quote!(::gridfn::__private::Body { local: Some(#local), ..#body_of_kernel })
        }
        None => body_of_kernel,
    };
    let ahead_forms = &ahead.forms;
    let ahead_check = ahead.check.as_ref();
    Ok(quote! {
        #(#attrs)*
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name<#(#defaulted),*> { __of: ::core::marker::PhantomData<(#(#names,)*)> }

        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, unreachable_pub, clippy::multiple_bound_locations)]
        #[must_use = "a call does nothing until `launch!` queues it"]
        #vis struct #call<'k, #(#unbound_declared,)* __B: ::gridfn::__private::Backend> #unbound_where {
            #(#args: #fields,)*
            __of: ::core::marker::PhantomData<(&'k __B, #(#names,)*)>,
        }

        #(#attrs)*
        #[inline]
        #[allow(
            dead_code, clippy::too_many_arguments, clippy::missing_safety_doc, clippy::multiple_bound_locations,
        )]
        #vis #unsafety fn #name<'k, #(#unbound_declared,)* __B: ::gridfn::__private::Backend>(
            #(#args: #fields),*
        ) -> #call<'k, #(#arguments,)* __B> #unbound_where {
            #call { #(#args,)* __of: ::core::marker::PhantomData }
        }

        #allow
        const _: () = {
            #twins
            struct __Parameters<#(#bare,)* #(#parts),*>(::core::marker::PhantomData<(#(#names,)* #(#parts,)*)>);
            unsafe impl<#(#declared,)* #(#parts: ::gridfn::__private::Parameter),*> ::gridfn::__private::Parameters
                for __Parameters<#(#arguments,)* #(#parts),*> where #(#predicates),*
            {
                type View<'v> = (#(#views,)*);
                #[inline(always)]
                unsafe fn read<'v>(reader: &mut ::gridfn::__private::Reader<'v>) -> Self::View<'v> {
                    unsafe { (#(#reads,)*) }
                }
            }
            impl<'k, #(#declared,)* __B: ::gridfn::__private::Backend> ::gridfn::__private::Fill<__B>
                for #call<'k, #(#arguments,)* __B> where #(#bounds),*
            {
                #[inline(always)]
                fn fill<__S: ::gridfn::__private::Slots<__B>>(&self, slots: &mut __S) -> ::gridfn::__private::Result<()> {
                    #(#puts)*
                    Ok(())
                }
            }
            impl<'k, #(#declared,)* __B: ::gridfn::__private::Backend> ::gridfn::__private::Call<__B>
                for #call<'k, #(#arguments,)* __B> where #(#bounds),*
            {
                type Kernel = #name #type_generics;
                #[inline(always)]
                fn kernel(&self) -> &'static ::gridfn::__private::Kernel {
                    <#name #type_generics as ::gridfn::__private::KernelType>::KERNEL
                }
            }
            static __CACHE: ::gridfn::__private::Cache = ::gridfn::__private::Cache::new();
            struct __Instance<#(#bare,)* __I>(::core::marker::PhantomData<(#(#names,)* __I)>);
            impl<#(#declared,)* __I: ::gridfn::__private::InstructionSet> __Instance<#(#arguments,)* __I> where #(#predicates),* {
                const PARTS: (
                    ::gridfn::__private::Body<'static>,
                    ::gridfn::__private::HostEntry,
                    &'static [u16],
                    ::gridfn::__private::Unit,
                ) = {
                    #before
                    let __host = #host;
                    #probes
                    (#body, #entry, &[#(#codes),*], #unit)
                };
            }
            impl #impl_generics ::gridfn::__private::KernelType for #name #type_generics #where_clause {
                const KERNEL: &'static ::gridfn::__private::Kernel = &::gridfn::__private::Kernel {
                    name: #name_text,
                    safe_dimensions: #safe_dimensions,
                    dimensions: ::core::option::Option::None,
                    body: #body_of_kernel,
                    host: ::gridfn::__private::HostCode {
                        baseline: __Instance::<#(#arguments,)* ::gridfn::__private::Baseline>::PARTS.1,
                        // Debug builds are for debugging: one copy keeps them quick.
                        avx2: if cfg!(all(target_arch = "x86_64", not(debug_assertions))) {
                            Some(__Instance::<#(#arguments,)* ::gridfn::__private::Avx2>::PARTS.1)
                        } else {
                            None
                        },
                        unit: __Instance::<#(#arguments,)* ::gridfn::__private::Baseline>::PARTS.3,
                    },
                    cache: &__CACHE,
                    ahead: &[#(#ahead_forms),*],
                };
            }
            impl #name {
                #builders

                /// Compiles the kernel for the queue's device, so that launches find it ready.
                ///
                /// # Errors
                ///
                /// If the device lacks a capability that the kernel needs, or a compiler refuses.
                pub fn prepare #impl_generics(
                    queue: &::gridfn::Queue,
                ) -> ::gridfn::Result<::gridfn::Prepared<#name #type_generics>> #where_clause {
                    ::gridfn::Prepared::new(queue, <#name #type_generics as ::gridfn::__private::KernelType>::KERNEL)
                }

                /// The kernel's code for a target, without a device.
                ///
                /// # Errors
                ///
                /// If the target has no form for something that the kernel uses.
                pub fn emit #impl_generics(target: ::gridfn::Target) -> ::gridfn::Result<::gridfn::Code> #where_clause {
                    ::gridfn::__private::emit(
                        <#name #type_generics as ::gridfn::__private::KernelType>::KERNEL,
                        target,
                    )
                }
            }
            #instantiated
            #ahead_check
        };
    })
}

/// Builders of calls with closures written among the arguments, one for each set of them.
///
/// rustc infers the types of a closure's parameters only where the closure stands directly against a bound that tells
/// them, so such a builder takes the closures' host versions last, when the other arguments have told all types.
fn builders(f: &Function, generics: &syn::Generics, call: &Ident) -> TokenStream {
    let functions: Vec<(usize, &Signature)> = f
        .params
        .iter()
        .enumerate()
        .filter_map(|(n, p)| match &p.kind {
            ParamKind::Function(signature) => Some((n, signature)),
            _ => None,
        })
        .collect();
    // Each set is a number whose bits are its members. More than 16 builders are worth nobody's time to compile.
    let sets = 1..1usize << functions.len().min(4);
    sets.map(|set| {
        let members = functions
            .iter()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1);
        let members: Vec<(usize, &Signature)> = members.map(|(_, member)| *member).collect();
        builder(f, generics, call, &members)
    })
    .collect()
}

/// The builder that takes closures for `members`, by the numbers of their parameters.
fn builder(
    f: &Function,
    generics: &syn::Generics,
    call: &Ident,
    members: &[(usize, &Signature)],
) -> TokenStream {
    let is_member = |name: &Ident| members.iter().any(|(_, s)| s.name == *name);
    let number = |name: &Ident| members.iter().find(|(_, s)| s.name == *name).map(|(n, _)| n);
    let mut name = String::from("__with");
    members.iter().for_each(|(n, _)| name.push_str(&format!("_{n}")));
    let name = Ident::new(&name, f.name.span());
    let (vis, unsafety) = (&f.vis, &f.unsafety);
    let unbound = unbound(generics);
    let declared = declared(&unbound).into_iter().filter(|p| match p {
        syn::GenericParam::Type(t) => !is_member(&t.ident),
        _ => true,
    });
    let predicates = predicates(&unbound);
    let arguments = arguments(generics).into_iter().map(|name| match number(name) {
        Some(n) => {
            let [s, c, h, f] = parts_of(*n);
            quote!(::gridfn::__private::function::Function<#s, #c, #h, #f, __B>)
        }
        None => quote!(#name),
    });
    let parts = members.iter().map(|(n, _)| {
        let [s, c, h, f] = parts_of(*n);
        quote!(#s, #c, #h, #f)
    });
    let bounds = members.iter().map(|(n, signature)| {
        let [_, c, _, f] = parts_of(*n);
        let (arguments, result) = (&signature.arguments, &signature.result);
        quote! {
            #c: ::gridfn::__private::closure::Views<__B>,
            #f: for<'v, 'i> ::core::ops::Fn(
                &'i ::gridfn::__private::Item,
                <#c as ::gridfn::__private::closure::Views<__B>>::Views<'v>,
                (#(#arguments,)*),
            ) -> #result + ::core::marker::Copy,
        }
    });
    let args = f.params.iter().enumerate().map(|(n, p)| {
        let name = &p.name;
        let ty = match &p.kind {
            ParamKind::Function(s) if is_member(&s.name) => {
                let [s, c, h, _] = parts_of(n);
                quote!(::gridfn::__private::function::Unbound<#s, #c, #h, __B>)
            }
            kind => argument(kind, &p.ty),
        };
        quote!(#name: #ty)
    });
    let hosts = members.iter().map(|(n, _)| {
        let (host, [.., f]) = (format_ident!("__host{n}"), parts_of(*n));
        quote!(#host: #f)
    });
    let fields = f.params.iter().enumerate().map(|(n, p)| {
        let name = &p.name;
        match &p.kind {
            ParamKind::Function(s) if is_member(&s.name) => {
                let host = format_ident!("__host{n}");
                quote!(#name: #name.bind(#host))
            }
            _ => quote!(#name),
        }
    });
    quote! {
        #[doc(hidden)]
        #[inline]
        #vis #unsafety fn #name<'k, #(#declared,)* __B: ::gridfn::__private::Backend, #(#parts,)*>(
            #(#args,)* #(#hosts,)*
        ) -> #call<'k, #(#arguments,)* __B>
        where #(#predicates,)* #(#bounds)*
        {
            #call { #(#fields,)* __of: ::core::marker::PhantomData }
        }
    }
}

/// The type parameters for a closure: source, captures, holes, host version.
fn parts_of(n: usize) -> [Ident; 4] {
    ["S", "C", "H", "F"].map(|part| format_ident!("__{part}{n}"))
}

/// The name of the kernel's side of the argument `n` among those whose types only rustc knows.
fn part(n: usize) -> Ident {
    format_ident!("__P{n}")
}

/// How a parameter is passed: what the host's closure gets, how it is read, and how it is put.
struct Side {
    view: TokenStream,
    read: TokenStream,
    put: TokenStream,
}

/// Nothing here asks what a built-in type is: that a kernel can hold it, the list of the instance's types asks, once,
/// at the user's token. `value` is a reference to the argument. To `asked` come the kernel's sides that only rustc knows.
fn side(kind: &ParamKind, ty: &Type, value: TokenStream, asked: &mut Vec<TokenStream>) -> Side {
    let put = |value| quote!(::gridfn::__private::Put::<__B>::put(#value, slots)?;);
    match kind {
        ParamKind::Slice {
            element,
            access: Access::Shared,
        } => Side {
            view: quote!(&'v [#element]),
            read: quote!(reader.shared::<#element>()),
            put: put(value),
        },
        ParamKind::Slice {
            element,
            access: Access::Unique,
        } => Side {
            view: quote!(::gridfn::__private::SliceMut<'v, #element>),
            read: quote!(reader.unique::<#element>()),
            put: put(value),
        },
        ParamKind::Atomics { element } => Side {
            view: quote!(&'v [#element]),
            read: quote!(reader.atomics::<#element>()),
            put: put(value),
        },
        ParamKind::Argument | ParamKind::Function(_) => {
            let value = match kind {
                ParamKind::Function(Signature { name, arguments, .. }) => quote!(
                    <#name as ::gridfn::__private::DeviceFn<(#(#arguments,)*)>>::this(#value)
                ),
                _ => value,
            };
            let part = part(asked.len());
            let part = quote!(<#part as ::gridfn::__private::Parameter>);
            asked.push(parameter_of(ty));
            Side {
                view: quote!(#part::View<'v>),
                read: quote!(#part::read(reader)),
                put: put(value),
            }
        }
        ParamKind::Tuple(parts) => {
            let names: Vec<_> = (0..parts.len()).map(|n| format_ident!("__part{n}")).collect();
            let sides = parts
                .iter()
                .zip(&names)
                .map(|(p, name)| side(&p.kind, &p.ty, quote!(#name), asked));
            let sides: Vec<Side> = sides.collect();
            let (views, reads, puts) = (
                sides.iter().map(|s| &s.view),
                sides.iter().map(|s| &s.read),
                sides.iter().map(|s| &s.put),
            );
            Side {
                view: quote!((#(#views,)*)),
                read: quote!((#(#reads,)*)),
                put: quote!({ let (#(#names,)*) = #value; #(#puts)* }),
            }
        }
        // What a type parameter stands for may have more than one scalar.
        ParamKind::Value if !is_scalar(ty) => Side {
            view: quote!(#ty),
            read: quote!(reader.scalar::<#ty>()),
            put: put(value),
        },
        // What a closure captured is passed by the capture's own wrapper.
        ParamKind::Value | ParamKind::Reference { .. } | ParamKind::Callable | ParamKind::Capture(_) => {
            Side {
                view: quote!(#ty),
                read: quote!(reader.scalar::<#ty>()),
                put: quote!(slots.scalar(*#value);),
            }
        }
    }
}

/// Whether the type is a built-in type of one value.
fn is_scalar(ty: &Type) -> bool {
    let name = match ty {
        Type::Path(p) => p.path.get_ident(),
        _ => None,
    };
    name.is_some_and(|name| gridfn_ir::Scalar::from_name(&name.to_string()).is_some())
}

/// The type of a parameter on the caller's side.
fn argument(kind: &ParamKind, ty: &Type) -> TokenStream {
    let span = super::mixed(ty.span());
    match kind {
        ParamKind::Slice {
            element,
            access: Access::Shared,
        } => {
            quote_spanned!(span=> &'k ::gridfn::__private::Buffer<#element, __B>)
        }
        ParamKind::Slice {
            element,
            access: Access::Unique,
        } => {
            quote_spanned!(span=> &'k mut ::gridfn::__private::Buffer<#element, __B>)
        }
        // Nothing else reads or writes the buffer meanwhile.
        ParamKind::Atomics { element } => {
            let value = quote_spanned!(element.span()=> <#element as ::gridfn::__private::Atomic>::Value);
            quote_spanned!(span=> &'k mut ::gridfn::__private::Buffer<#value, __B>)
        }
        ParamKind::Argument | ParamKind::Function(_) => {
            let ty = with_lifetime(ty, "'k");
            quote!(#ty)
        }
        ParamKind::Tuple(parts) => {
            let parts = parts.iter().map(|p| argument(&p.kind, &p.ty));
            quote!((#(#parts,)*))
        }
        ParamKind::Value | ParamKind::Reference { .. } | ParamKind::Callable | ParamKind::Capture(_) => {
            quote!(#ty)
        }
    }
}

/// What the back end must accept: the arguments of types that only rustc knows.
fn accepted(kind: &ParamKind, ty: &Type, bounds: &mut Vec<TokenStream>) {
    match kind {
        ParamKind::Argument => {
            let ty = with_lifetime(ty, "'k");
            // In parentheses: `where <T>::A: …` begins like a list of parameters.
            bounds.push(quote_spanned!(super::mixed(ty.span())=> (#ty): ::gridfn::__private::Put<__B>));
        }
        ParamKind::Function(Signature { name, arguments, .. }) => bounds.push(quote!(
            <#name as ::gridfn::__private::DeviceFn<(#(#arguments,)*)>>::This: ::gridfn::__private::Put<__B>
        )),
        ParamKind::Tuple(parts) => parts.iter().for_each(|p| accepted(&p.kind, &p.ty, bounds)),
        ParamKind::Value
        | ParamKind::Slice { .. }
        | ParamKind::Atomics { .. }
        | ParamKind::Reference { .. }
        | ParamKind::Callable
        | ParamKind::Capture(_) => {}
    }
}

/// The tree's bytes.
pub(super) fn encode(f: &Function, kind: Kind) -> syn::Result<Vec<u8>> {
    encode_with(f, kind, None)
}

/// The same; of a kernel, with what is known of its groups.
pub(super) fn encode_with(f: &Function, kind: Kind, uniformity: Option<&Uniformity>) -> syn::Result<Vec<u8>> {
    postcard::to_stdvec(&tree(f, kind, uniformity))
        .map_err(|e| Error::new_spanned(&f.name, format!("the kernel's tree could not be encoded: {e}")))
}

/// What was compiled ahead of time, and the check that rustc fills the holes alike.
#[derive(Default)]
struct AheadTokens {
    forms: Vec<TokenStream>,
    check: Option<TokenStream>,
}

#[cfg(feature = "aot")]
fn ahead(f: &Function, tree: &[u8], options: &Options) -> syn::Result<AheadTokens> {
    let refused = |why| match &options.ahead {
        Some(at) => Err(Error::new_spanned(at, why)),
        None => Ok(AheadTokens::default()),
    };
    let local = match &options.local {
        Some(local) => match local.literals() {
            Some(local) => Some(local),
            None => {
                return refused(
                    "this kernel cannot be compiled ahead of time: write the sizes of `local` as literals",
                );
            }
        },
        None => None,
    };
    let Some(compiled) = crate::ahead::compile(f, tree, local) else {
        return refused("this kernel cannot be compiled ahead of time: annotate its types");
    };
    Ok(AheadTokens {
        forms: compiled.forms,
        check: Some(compiled.check),
    })
}

#[cfg(not(feature = "aot"))]
fn ahead(_: &Function, _: &[u8], options: &Options) -> syn::Result<AheadTokens> {
    match &options.ahead {
        Some(at) => Err(Error::new_spanned(at, "`aot` needs the feature `aot` of gridfn")),
        None => Ok(AheadTokens::default()),
    }
}
