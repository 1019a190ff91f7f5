//! Calls, and the probes that tell which function rustc chose.

use super::super::{group, mixed};
use super::{Emit, arguments, item, link_hole, type_hole};
use crate::parse::ast::*;
use crate::parse::is_ordering;
use gridfn_ir::{Access, Class, CoreMethod, Method as BuiltIn};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// A trait with the twin of a method that has no twin of ours: a method of the user's own that is not for devices. It
/// is found last of all, and tells so: a probe calls the twin of `&v`, all real twins take `&self`, and this one takes
/// `&mut` of that reference.
pub(super) fn fallback(name: &Ident) -> TokenStream {
    let span = mixed(name.span());
    let twin = twin(name);
    let (bound, found) = (
        format_ident!("Device_{}", name, span = span),
        format_ident!("Found_{}", name, span = span),
    );
    let message = format!("`{name}` of `{{Self}}` cannot be called in a kernel");
    quote_spanned! {span=>
        #[diagnostic::on_unimplemented(message = #message, label = "not a method that devices have")]
        trait #bound {}
        trait #found {
            type Of;
            fn #twin(&mut self) -> ::gridfn::__private::NoMethod where Self::Of: #bound { loop {} }
        }
        impl<T: ::gridfn::__private::DeviceCopy> #found for &T { type Of = T; }
    }
}

fn twin(name: &Ident) -> Ident {
    format_ident!("{name}__device", span = name.span())
}

/// Whether every method of the table that is called so takes its receiver as a value.
fn takes_value(name: &Ident) -> bool {
    let mut named = BuiltIn::ALL.iter().filter(|m| name == m.name()).peekable();
    named.peek().is_some() && named.all(|m| m.class() != Class::Slice)
}

/// The type that stands beside a device function, and the turbofish behind the function's name.
pub(in crate::expand) fn owner(path: &syn::Path) -> (syn::Path, TokenStream) {
    let mut owner = path.clone();
    let turbofish = owner
        .segments
        .last_mut()
        .map(|s| std::mem::take(&mut s.arguments));
    let turbofish = match turbofish {
        Some(syn::PathArguments::AngleBracketed(a)) => {
            let args = &a.args;
            quote!(::<#args>)
        }
        _ => quote!(),
    };
    (owner, turbofish)
}

impl Emit<'_> {
    pub(super) fn method(&mut self, m: &Method) -> TokenStream {
        let span = m.name.span();
        let mix = mixed(span);
        let hole = link_hole(m.link, span);
        let twin = twin(&m.name);
        if !self.fallbacks.contains(&m.name) {
            self.fallbacks.push(m.name.clone());
        }
        let v = Ident::new("__v", span);
        let shared = group(span, quote_spanned!(span=> &#v));
        self.methods
            .push(quote_spanned!(mix=> { let #v = #hole.probe(); #hole.found(&#shared.#twin()); }));
        // A place stays one, which a method may borrow; a value passes through. An element is taken as a value where the
        // method takes it so: rustc need not read the index twice.
        let place = match m.receiver.path() {
            Some(_) => !(self.waits && takes_value(&m.name)),
            None => m.receiver.is_place() && !takes_value(&m.name),
        };
        let receiver = self.receiver(m, place);
        let (args, dot, name) = (self.arguments_of(m), &m.dot, &m.name);
        let (seen, receiver) = if place {
            let again = self.place_again(|emit| emit.receiver(m, place));
            (
                quote_spanned!(mix=> if false { #hole.receives(&#again); }),
                receiver,
            )
        } else {
            (quote!(), quote_spanned!(mix=> #hole.receiver(#receiver)))
        };
        let values: Vec<_> = std::iter::once(&receiver).chain(&args).cloned().collect();
        let call = wrapped(
            name,
            &values,
            |at, v, own| quote_spanned!(at=> #v #dot #name(#(#own),*)),
        );
        let call = call.unwrap_or_else(|| {
            let args = arguments(m.paren, &args);
            quote!(#receiver #dot #name #args)
        });
        group(
            span,
            quote_spanned!(mix=> { #seen match #call { #v => { #hole.results(&#v); #v } } }),
        )
    }

    /// The receiver of a method, which may be a place.
    fn receiver(&mut self, m: &Method, place: bool) -> TokenStream {
        let receiver = match m.receiver.path() {
            // The host's form of a buffer has these too.
            Some(_) if CoreMethod::asks_for_size(&m.name.to_string()) => self.path(&m.receiver),
            _ => match m.of_slices {
                // What reads a slice may read a view.
                Some(Access::Shared) => self.base(&m.receiver, Access::Shared),
                Some(Access::Unique) => self.place(&m.receiver, Access::Unique),
                None => self.place(&m.receiver, Access::Shared),
            },
        };
        // That a method of such a name only reads, the proofs of ownership and uniformity have believed.
        if place && (self.must_be_read(m) || self.is_followed(m)) {
            let span = m.name.span();
            group(span, quote_spanned!(mixed(span)=> &#receiver))
        } else {
            receiver
        }
    }

    /// Whether a method, by its name one of core's that read, is called in a safe kernel on an element of what may be a
    /// view. A user's method of that name may write to an element, which may be another item's.
    fn must_be_read(&self, m: &Method) -> bool {
        self.function.unsafety.is_none()
            && m.is_believed_to_read()
            && m.receiver.indexed().is_some_and(|path| {
                let param = self.function.params.get(usize::from(path.local));
                param.is_some_and(|p| p.kind.may_be_view(&path.fields))
            })
    }

    /// Whether a method, by its name one of core's that read, is called on a variable of a kernel whose items wait for each
    /// other. A user's method of that name may write to it, so that it would not be the same for all items any more.
    fn is_followed(&self, m: &Method) -> bool {
        self.waits
            && m.is_believed_to_read()
            && m.receiver.path().is_some_and(|path| {
                let param = self.function.params.get(usize::from(path.local));
                param.is_none_or(|p| matches!(p.kind, ParamKind::Value))
            })
    }

    /// The arguments of a method, of which the last may be orderings.
    fn arguments_of(&mut self, m: &Method) -> Vec<TokenStream> {
        let orderings = CoreMethod::orderings(&m.name.to_string());
        let (values, last) = m.args.split_at(m.args.len().saturating_sub(orderings));
        let mut args = self.args(values);
        args.extend(last.iter().map(|e| self.perhaps_ordering(e)));
        args
    }

    /// What is an ordering if the method is an atomic's. rustc looks at the path itself to tell of a load that releases,
    /// so that stays as it is; anything else must not be one, for devices know it when the kernel is compiled.
    fn perhaps_ordering(&mut self, e: &Expr) -> TokenStream {
        let mix = mixed(e.span);
        match &e.bare().kind {
            ExprKind::Construct(Construct {
                path,
                form: Form::Unit,
                hole,
            }) if is_ordering(path) => {
                let hole = type_hole(*hole, path.span());
                self.others
                    .push(quote_spanned!(mix=> match #hole.never() { #path {} => {} #[allow(unreachable_patterns)] _ => {} }));
                quote!(#path)
            }
            ExprKind::Constant(..) | ExprKind::Literal(_) => self.expr(e),
            _ => {
                let v = Ident::new("__v", mix);
                let value = self.expr(e);
                let known = group(e.span, quote_spanned!(e.span=> &#v));
                group(
                    e.span,
                    quote_spanned!(mix=> match #value { #v => { if false { ::gridfn::__private::ordering::of(#known).__ordering(); } #v } }),
                )
            }
        }
    }

    pub(super) fn call(&mut self, c: &Call) -> TokenStream {
        let (path, span) = (&c.path, c.path.span());
        let values: Vec<_> = c.args.iter().map(|a| self.argument(a)).collect();
        let args = arguments(c.paren, &values);
        let mix = mixed(span);
        let item = item(span);
        match &self.function.holes.links[c.link as usize] {
            LinkHole::Index(name) => {
                // The name must be gridfn's function itself: ownership is proven by it.
                self.others.push(quote_spanned!(mix=>
                    ::gridfn::__private::Function(::gridfn::__private::index::#name).is(#path);
                ));
                group(span, quote_spanned!(span=> #item.#name #args))
            }
            LinkHole::Path(path) => {
                let hole = link_hole(c.link, span);
                let mut marker = path.clone();
                if let Some(last) = marker.segments.last_mut() {
                    last.ident = twin(&last.ident);
                }
                self.others
                    .push(quote_spanned!(mix=> #hole.see(&#marker(loop {}));));
                let name = path.segments.last().map(|s| &s.ident);
                let call = name.and_then(|name| {
                    wrapped(
                        name,
                        &values,
                        |at, v, own| quote_spanned!(at=> #path(#v #(, #own)*)),
                    )
                });
                group(span, call.unwrap_or_else(|| quote!(#path #args)))
            }
            LinkHole::Associated(path) => {
                let hole = link_hole(c.link, span);
                let mut twin = path.clone();
                if let Some(last) = twin.path.segments.last_mut() {
                    last.ident = format_ident!("{}__path", last.ident, span = last.ident.span());
                }
                if c.args.iter().any(|a| self.is_function(a)) {
                    // The function's own type has that of a closure in it, which cannot leave this body.
                    let f = Ident::new("__f", mix);
                    return group(
                        span,
                        quote_spanned!(mix=> { let #f = #path; if false { #hole.marks_at_once(&#twin(#f)); } #f #args }),
                    );
                }
                self.others
                    .push(quote_spanned!(mix=> #hole.marks(&#twin(#hole.item()));));
                group(span, quote_spanned!(mix=> #hole.function(#path) #args))
            }
            LinkHole::Function(_) => {
                let function = self.device(path, c.link);
                group(span, quote_spanned!(mix=> #function #args))
            }
            // Methods and calls of parameters are nodes of their own.
            LinkHole::Method(_) | LinkHole::Operator(_) | LinkHole::Parameter(_) | LinkHole::Words(_) => {
                quote!(#path #args)
            }
        }
    }

    /// The form of a device function that kernels call, as a value.
    fn device(&self, path: &syn::Path, link: u16) -> TokenStream {
        let span = path.span();
        let (mix, hole, item) = (mixed(span), link_hole(link, span), item(span));
        let (owner, turbofish) = owner(path);
        let m = Ident::new("__m", span);
        let link = quote_spanned!(mix=> <#owner>::__link #turbofish (#path));
        // Where an argument is no function that the callee takes, rustc finds it by the callee's name and by `__at`: at one
        // place it tells so once.
        let at = quote_spanned!(span=> #m.__at(#item));
        quote_spanned!(mix=> ({ let #m = #link; #hole.see(&#m.__called()); #at }))
    }

    /// A function that is passed on: to Rust, too, something that can be called.
    pub(super) fn function_value(&self, f: &FunctionValue) -> TokenStream {
        let (name, span) = match &f.of {
            PassedOn::Device(path) => return group(path.span(), self.device(path, f.link)),
            PassedOn::Parameter(_, name) => (name, name.span()),
        };
        let LinkHole::Parameter(signature) = &self.function.holes.links[f.link as usize] else {
            unreachable!("the link of a parameter that is passed on is that parameter's");
        };
        let (function, types, item) = (&signature.name, &signature.arguments, item(span));
        let own: Vec<_> = (0..types.len())
            .map(|n| Ident::new(&format!("__a{n}"), mixed(span)))
            .collect();
        group(
            span,
            quote_spanned!(mixed(span)=> move |#(#own: #types),*|
                <#function as ::gridfn::__private::DeviceFn<(#(#types,)*)>>::call(#item, #name, (#(#own,)*))),
        )
    }

    /// Whether an argument is a function for sure.
    fn is_function(&self, e: &Expr) -> bool {
        match &e.bare().kind {
            ExprKind::Closure(_) | ExprKind::Function(_) => true,
            ExprKind::Local(local, _) => self.closures.contains(local),
            ExprKind::Reference(_, _, e) => self.is_function(e),
            _ => false,
        }
    }

    /// An argument. Of a variable that is a part of a `&mut [T]`, Rust hands on a reborrow; so does this, where the
    /// function takes what can be made a slice of.
    pub(in crate::expand) fn argument(&mut self, e: &Expr) -> TokenStream {
        match &e.bare().kind {
            ExprKind::Local(local, name) if self.parts.contains(local) => {
                let span = name.span();
                quote_spanned!(span=> #name.__unique_part(..))
            }
            _ => self.expr(e),
        }
    }

    pub(super) fn call_param(&mut self, c: &CallParam) -> TokenStream {
        let (name, span) = (&c.name, c.name.span());
        let args = self.args(&c.args);
        let LinkHole::Parameter(signature) = &self.function.holes.links[c.link as usize] else {
            unreachable!("the link of a call of a parameter is that parameter's");
        };
        let (function, types, item) = (&signature.name, &signature.arguments, item(span));
        // rustc sees the user's own call of a function of that many arguments.
        let tuple = group(c.paren.span.join(), quote!(#(#args,)*));
        group(
            span,
            quote_spanned!(mixed(span)=>
                <#function as ::gridfn::__private::DeviceFn<(#(#types,)*)>>::call(#item, #name, #tuple)),
        )
    }

    /// A struct or variant. That a path by itself, or one that is called, means one of these and no constant or
    /// function, rustc confirms: only then is it a pattern.
    pub(super) fn construct(&mut self, c: &Construct) -> TokenStream {
        let (path, span) = (&c.path, c.path.span());
        let mix = mixed(span);
        let hole = type_hole(c.hole, span);
        let (made, pattern) = match &c.form {
            Form::Fields { brace, fields, base } => {
                let fields = fields.iter().map(|(member, value)| {
                    let value = self.expr(value);
                    quote!(#member: #value,)
                });
                let fields: TokenStream = fields.collect();
                let base = base.as_ref().map(|(dots, base)| {
                    let base = self.place(base, Access::Shared);
                    quote!(#dots #base)
                });
                (quote_spanned!(brace.span.join()=> #path { #fields #base }), None)
            }
            Form::Call(paren, args) => {
                let args = arguments(*paren, &self.args(args));
                (quote!(#path #args), Some(quote_spanned!(mix=> #path(..))))
            }
            Form::Unit => (quote!(#path), Some(quote_spanned!(mix=> #path {}))),
        };
        self.others.extend(pattern.map(|pattern| {
            quote_spanned!(mix=> match #hole.never() { #pattern => {} #[allow(unreachable_patterns)] _ => {} })
        }));
        super::tie(c.hole, span, made)
    }
}

/// A call of a method that must go by way of `private::wrap`, which gets the receiver and the arguments, and `call`, the
/// call of names in their place with parentheses at a span.
fn wrapped(
    name: &Ident,
    values: &[TokenStream],
    call: impl FnOnce(Span, &Ident, &[Ident]) -> TokenStream,
) -> Option<TokenStream> {
    let (wrap, faults) = wrapper(&name.to_string(), values.len().checked_sub(1)?)?;
    // Where it may fault, its span is the user's, because that is the fault's place.
    let at = if faults { name.span() } else { mixed(name.span()) };
    let wrap = Ident::new(wrap, at);
    let names: Vec<Ident> = (0..values.len())
        .map(|n| format_ident!("__v{n}", span = name.span()))
        .collect();
    let call = call(at, &names[0], &names[1..]);
    Some(quote_spanned!(at=> ::gridfn::__private::wrap::#wrap(#(#values,)* |#(#names),*| #call)))
}

/// The function of `private::wrap` for a method that can overflow in debug builds, or whose fault std places in itself;
/// and whether it can fault.
fn wrapper(method: &str, arguments: usize) -> Option<(&'static str, bool)> {
    Some(match (method, arguments) {
        ("abs", 0) => ("abs", false),
        ("pow", 1) => ("pow", false),
        ("next_power_of_two", 0) => ("next_power_of_two", false),
        ("next_multiple_of", 1) => ("next_multiple_of", true),
        (
            "wrapping_div" | "wrapping_div_euclid" | "saturating_div" | "strict_div" | "strict_div_euclid",
            1,
        ) => ("quotient", true),
        ("wrapping_rem" | "wrapping_rem_euclid" | "strict_rem" | "strict_rem_euclid", 1) => {
            ("remainder", true)
        }
        ("clamp", 2) => ("clamp", true),
        _ => return None,
    })
}
