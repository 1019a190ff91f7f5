//! The closure of a body: host version and type source at once.
//!
//! The user's code is emitted once more, so that rustc types it; beside it, holes catch the types that lowering needs.
//! What is added must not change what the code means, and every error must stay at the user's token. The rules that
//! make it so are in the README beside this file.

use super::{group, mixed};
use crate::parse::ast::*;
use gridfn_ir::Access;
use gridfn_ir::tree::{BinaryOp, UnaryOp};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// What the closure consists of.
pub(crate) struct Closure {
    /// The statements of the body.
    pub body: TokenStream,
    /// Code that never runs: it resolves callees.
    pub probes: TokenStream,
}

/// The name of the closure's parameter for the work-item.
pub(crate) fn item(span: Span) -> Ident {
    Ident::new("__item", mixed(span))
}

/// The name of a type hole.
pub(crate) fn type_hole(n: u16, span: Span) -> Ident {
    Ident::new(&format!("__t{n}"), mixed(span))
}

/// The name of a link's hole.
pub(crate) fn link_hole(n: u16, span: Span) -> Ident {
    Ident::new(&format!("__l{n}"), mixed(span))
}

/// Emits the closure's body.
pub(crate) fn closure(f: &Function) -> Closure {
    let mut emit = Emit {
        function: f,
        methods: vec![],
        others: vec![],
        fallbacks: vec![],
    };
    let body = emit.block(&f.body);
    let Emit {
        methods,
        others,
        fallbacks,
        ..
    } = emit;
    let fallbacks = fallbacks.iter().map(fallback);
    // Each closure has its own scope: the fallbacks' methods must not be candidates for calls by path.
    let methods = (!methods.is_empty()).then(|| quote!(let _ = move || { #(#fallbacks)* #(#methods)* };));
    let others = (!others.is_empty()).then(|| quote!(let _ = move || { #(#others)* };));
    Closure {
        body,
        probes: quote!(#methods #others),
    }
}

/// A trait with the twin of a method that has no twin of ours: a method of the user's own that is not for devices. It
/// is found last of all, and tells so.
fn fallback(name: &Ident) -> TokenStream {
    let span = mixed(name.span());
    let twin = twin(name);
    let (bound, found) = (
        format_ident!("Device_{name}", span = span),
        format_ident!("Found_{name}", span = span),
    );
    let message = format!("`{name}` of `{{Self}}` cannot be called in a kernel");
    quote_spanned! {span=>
        #[diagnostic::on_unimplemented(message = #message, label = "not a method that devices have")]
        trait #bound {}
        trait #found {
            fn #twin(&mut self) -> ::gridfn::__private::NoMethod where Self: #bound { loop {} }
        }
        impl<T: ::gridfn::__private::DeviceCopy> #found for T {}
    }
}

fn twin(name: &Ident) -> Ident {
    format_ident!("{name}__device", span = name.span())
}

struct Emit<'f> {
    function: &'f Function,
    /// Probes of method calls.
    methods: Vec<TokenStream>,
    /// Probes of other calls.
    others: Vec<TokenStream>,
    /// The names of the methods that are called.
    fallbacks: Vec<Ident>,
}

impl Emit<'_> {
    fn block(&mut self, block: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        for statement in &block.statements {
            match statement {
                Statement::Let(l) => out.extend(self.let_(l)),
                Statement::Expr(e, semi) => {
                    out.extend(self.expr(e));
                    semi.to_tokens(&mut out);
                }
            }
        }
        if let Some(e) = &block.tail {
            out.extend(self.expr(e));
        }
        out
    }

    fn braced(&mut self, block: &Block) -> TokenStream {
        let inner = self.block(block);
        quote_spanned!(block.brace.span.join()=> { #inner })
    }

    fn let_(&mut self, l: &Let) -> TokenStream {
        let Let {
            attrs,
            token,
            mutability,
            semi,
            ..
        } = l;
        let ty = l.ty.as_ref().map(|(colon, ty)| quote!(#colon #ty));
        let name = match &l.binding {
            Some((_, name)) => quote!(#name),
            None => quote!(_),
        };
        match (&l.init, l.hole) {
            (Some((eq, init)), _) => {
                let init = self.expr(init);
                quote!(#(#attrs)* #token #mutability #name #ty #eq #init #semi)
            }
            (None, Some(hole)) => {
                let hole = type_hole(hole, name.span());
                // The assignment ties the type and can never be reached twice, so the binding may stay immutable.
                quote!(#(#attrs)* #token #mutability #name #ty #semi if false { #name = #hole.never(); loop {} })
            }
            (None, None) => quote!(#(#attrs)* #token #mutability #name #ty #semi),
        }
    }

    fn args(&mut self, args: &[Expr]) -> Vec<TokenStream> {
        args.iter().map(|a| self.expr(a)).collect()
    }

    fn expr(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Literal(l) => literal(l),
            ExprKind::Unit(paren) => group(paren.span.join(), TokenStream::new()),
            ExprKind::Local(_, name) => quote!(#name),
            ExprKind::Constant(_, path) => quote!(#path),
            ExprKind::Paren(paren, e) => group(paren.span.join(), self.expr(e)),
            ExprKind::Binary(op, token, a, b) => self.binary(*op, token, a, b),
            ExprKind::Lazy(_, token, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                quote!(#a #token #b)
            }
            ExprKind::Unary(op, token, a) => self.unary(*op, token, a),
            ExprKind::Cast(c) => self.cast(c),
            ExprKind::Assign(place, eq, value) => {
                let (place, value) = (self.place(place), self.expr(value));
                quote!(#place #eq #value)
            }
            ExprKind::AssignOp(op, token, place, value) => self.assign_op(*op, token, place, value),
            ExprKind::Index(index) => self.index(index),
            ExprKind::Field(place) => {
                let path = path(place);
                group(e.span, quote_spanned!(e.span=> ::gridfn::__private::part(#path)))
            }
            ExprKind::Method(m) => self.method(m),
            ExprKind::Call(c) => self.call(c),
            ExprKind::CallParam(c) => self.call_param(c),
            ExprKind::If(i) => self.if_(i),
            ExprKind::Block(label, block) => {
                let label = label.as_ref().map(|(_, l)| l);
                let block = self.braced(block);
                quote!(#label #block)
            }
            ExprKind::Unsafe(token, block) => {
                let block = self.braced(block);
                quote!(#token #block)
            }
            ExprKind::While(l, token, condition) => {
                let (label, condition, body) = (&l.label, self.expr(condition), self.braced(&l.body));
                quote!(#label #token #condition #body)
            }
            ExprKind::Loop(l, token) => {
                let (label, body) = (&l.label, self.braced(&l.body));
                quote!(#label #token #body)
            }
            ExprKind::For(f) => self.for_(f),
            ExprKind::Break(_, token, label, value) => {
                let value = value.as_ref().map(|v| self.expr(v));
                quote!(#token #label #value)
            }
            ExprKind::Continue(_, token, label) => quote!(#token #label),
            ExprKind::Return(token, value) => {
                let value = value.as_ref().map(|v| self.expr(v));
                quote!(#token #value)
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, token: &syn::BinOp, a: &Expr, b: &Expr) -> TokenStream {
        let (at, bt) = (self.expr(a), self.expr(b));
        let Some(wrap) = wrapping(op) else {
            return quote!(#at #token #bt);
        };
        let span = mixed(token.span());
        let wrap = Ident::new(wrap, span);
        let (l, r) = (Ident::new("__l", a.span), Ident::new("__r", b.span));
        let call = quote_spanned!(span=> ::gridfn::__private::wrap::#wrap(#at, #bt, |#l, #r| #l #token #r));
        group(token.span(), call)
    }

    fn assign_op(&mut self, op: BinaryOp, token: &syn::BinOp, place: &Place, value: &Expr) -> TokenStream {
        let (at, bt) = (self.place(place), self.expr(value));
        let span = mixed(token.span());
        let (l, r) = (Ident::new("__l", at.span()), Ident::new("__r", value.span));
        let Some(wrap) = wrapping(op) else {
            return match (place, &value.bare().kind) {
                // Of a type parameter, Rust borrows the element first, and then the value could not read its view.
                (Place::Index(_), kind) if !matches!(kind, ExprKind::Literal(_) | ExprKind::Local(..)) => {
                    quote_spanned!(span=> match #bt { #r => #at #token #r })
                }
                (Place::Index(_) | Place::Local(..) | Place::Discard(_), _) => quote!(#at #token #bt),
            };
        };
        let wrap = format_ident!("{wrap}_assign", span = span);
        quote_spanned!(span=> ::gridfn::__private::wrap::#wrap(#bt, &mut #at, |#l, #r| *#l #token #r))
    }

    fn unary(&mut self, op: UnaryOp, token: &syn::UnOp, a: &Expr) -> TokenStream {
        let at = self.expr(a);
        match op {
            UnaryOp::Not => quote!(#token #at),
            UnaryOp::Neg => {
                let span = mixed(token.span());
                let v = Ident::new("__v", a.span);
                group(
                    token.span(),
                    quote_spanned!(span=> ::gridfn::__private::wrap::neg(#at, |#v| #token #v)),
                )
            }
        }
    }

    fn cast(&mut self, c: &Cast) -> TokenStream {
        let (operand, token, ty) = (self.expr(&c.operand), &c.token, &c.ty);
        let cast = group(ty.span(), quote!(#operand #token #ty));
        match &self.function.holes.types[c.hole as usize] {
            TypeHole::Inferred(span) => tie(c.hole, *span, cast),
            TypeHole::Written(_) | TypeHole::Param(_) | TypeHole::Result => cast,
        }
    }

    fn place(&mut self, place: &Place) -> TokenStream {
        match place {
            Place::Local(_, name) => quote!(#name),
            Place::Index(index) => self.index(index),
            Place::Discard(token) => quote!(#token),
        }
    }

    fn index(&mut self, index: &Index) -> TokenStream {
        let (base, inner) = (path(&index.base), self.expr(&index.index));
        let mut bracket = Group::new(Delimiter::Bracket, inner);
        let kind = &self.function.params[index.base.local as usize].kind;
        let shared = index.base.fields.is_empty() && kind.access() == Some(Access::Shared);
        // The place of a slice's fault is where the expression begins, but that of an overloaded index, which a
        // unique slice has on the host, is its bracket.
        bracket.set_span(if shared {
            index.bracket.span.join()
        } else {
            index.base.name.span()
        });
        quote!(#base #bracket)
    }

    fn method(&mut self, m: &Method) -> TokenStream {
        let span = m.name.span();
        let mix = mixed(span);
        let hole = link_hole(m.link, span);
        let twin = twin(&m.name);
        if !self.fallbacks.contains(&m.name) {
            self.fallbacks.push(m.name.clone());
        }
        let v = Ident::new("__v", span);
        self.methods
            .push(quote_spanned!(mix=> { let mut #v = #hole.probe(); #hole.found(&#v.#twin()); }));
        // A name stays a place, which a method may borrow; a value passes through.
        let (receiver, place) = match &m.receiver.bare().kind {
            ExprKind::Local(_, name) => (quote!(#name), true),
            ExprKind::Field(field) => (path(field), true),
            _ => (self.expr(&m.receiver), false),
        };
        let (args, dot, name) = (self.args(&m.args), &m.dot, &m.name);
        let (seen, receiver) = if place {
            (
                quote_spanned!(mix=> if false { #hole.receives(&#receiver); }),
                receiver,
            )
        } else {
            (quote!(), quote_spanned!(mix=> #hole.receiver(#receiver)))
        };
        let values: Vec<TokenStream> = [&receiver].into_iter().chain(&args).cloned().collect();
        let call = guarded(name, &values, |v, args| quote!(#v #dot #name(#(#args),*)));
        let call = call.unwrap_or_else(|| {
            let args = arguments(m.paren, &args);
            quote!(#receiver #dot #name #args)
        });
        group(
            span,
            quote_spanned!(mix=> { #seen match #call { #v => { #hole.results(&#v); #v } } }),
        )
    }

    fn call(&mut self, c: &Call) -> TokenStream {
        let (path, span) = (&c.path, c.path.span());
        let values = self.args(&c.args);
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
                let call =
                    name.and_then(|name| guarded(name, &values, |v, args| quote!(#path(#v #(, #args)*))));
                group(span, call.unwrap_or_else(|| quote!(#path #args)))
            }
            LinkHole::Function(_) => {
                let hole = link_hole(c.link, span);
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
                let m = Ident::new("__m", mix);
                let link = quote_spanned!(mix=> <#owner>::__link #turbofish (#path));
                group(
                    span,
                    quote_spanned!(mix=> { let #m = #link; #hole.see(&#m); (#m.__at(#item)) #args }),
                )
            }
            // Methods and calls of parameters are nodes of their own.
            LinkHole::Method(_) | LinkHole::Parameter(_) => quote!(#path #args),
        }
    }

    fn call_param(&mut self, c: &CallParam) -> TokenStream {
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

    fn if_(&mut self, i: &If) -> TokenStream {
        let (token, condition, then) = (&i.token, self.expr(&i.condition), self.braced(&i.then));
        let otherwise = i.otherwise.as_ref().map(|(token, e)| {
            let e = self.expr(e);
            quote!(#token #e)
        });
        quote!(#token #condition #then #otherwise)
    }

    fn for_(&mut self, f: &For) -> TokenStream {
        let (label, token, in_token, limits) = (&f.head.label, &f.token, &f.in_token, &f.limits);
        let (start, end) = (self.expr(&f.start), self.expr(&f.end));
        let variable = match &f.variable {
            Variable::Named { name, mutability, .. } => quote!(#mutability #name),
            Variable::Wild(token) => quote!(#token),
        };
        let mut range = quote!(#start #limits #end);
        if !f.ops.is_empty() {
            range = quote!((#range));
        }
        for op in &f.ops {
            range = match op {
                RangeOp::Rev(dot, name) => quote!(#range #dot #name()),
                RangeOp::StepBy(dot, name, step) => {
                    let step = self.expr(step);
                    let step = quote_spanned!(name.span()=> ::gridfn::__private::wrap::step(#step));
                    quote!(#range #dot #name(#step))
                }
            };
        }
        let body = self.braced(&f.head.body);
        quote!(#label #token #variable #in_token #range #body)
    }
}

/// A parameter, or a part of one, as the user wrote it.
fn path(place: &PlacePath) -> TokenStream {
    let name = &place.name;
    let fields = place.fields.iter().map(|(dot, member)| quote!(#dot #member));
    quote!(#name #(#fields)*)
}

/// Arguments in the user's own parentheses, at which rustc tells that one is missing.
fn arguments(paren: syn::token::Paren, args: &[TokenStream]) -> TokenStream {
    group(paren.span.join(), quote!(#(#args),*))
}

/// `tokens`, whose type fills a hole.
fn tie(hole: u16, span: Span, tokens: TokenStream) -> TokenStream {
    let name = type_hole(hole, span);
    group(span, quote_spanned!(mixed(span)=> #name.tie(#tokens)))
}

fn literal(l: &Literal) -> TokenStream {
    let (minus, token) = (&l.minus, &l.token);
    match l.ty {
        LiteralType::Known(_) if minus.is_some() => group(token.span(), quote!(#minus #token)),
        LiteralType::Known(_) | LiteralType::Cast => quote!(#minus #token),
        LiteralType::Hole(hole) => tie(hole, token.span(), quote!(#minus #token)),
    }
}

/// A call of what would overflow in Rust's debug builds, or fault elsewhere than at the user's token: by way of
/// `private::wrap`, which gets `values`, and `call`, the call of names.
fn guarded(
    name: &Ident,
    values: &[TokenStream],
    call: impl Fn(&Ident, &[Ident]) -> TokenStream,
) -> Option<TokenStream> {
    // The span of a call that may fault is the user's, because it is the place of the fault.
    let span = match (name.to_string().as_str(), values.len()) {
        ("abs", 1) | ("pow", 2) => mixed(name.span()),
        ("clamp", 3) => name.span(),
        _ => return None,
    };
    let names: Vec<Ident> = (0..values.len())
        .map(|n| format_ident!("__v{n}", span = name.span()))
        .collect();
    let call = call(&names[0], &names[1..]);
    Some(quote_spanned!(span=> ::gridfn::__private::wrap::#name(#(#values,)* |#(#names),*| #call)))
}

/// The function of `private::wrap` for an operator that can overflow.
fn wrapping(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Add => Some("add"),
        BinaryOp::Sub => Some("sub"),
        BinaryOp::Mul => Some("mul"),
        BinaryOp::Shl => Some("shl"),
        BinaryOp::Shr => Some("shr"),
        BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => None,
    }
}
