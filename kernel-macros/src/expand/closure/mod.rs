//! The closure of a body: host version and type source at once.
//!
//! The user's code is emitted once more, so that rustc types it; beside it, holes catch the types that lowering needs.
//! What is added must not change what the code means, and every error must stay at the user's token. The rules that
//! make it so are in the README beside this file.

mod call;
mod group;
mod iterator;
mod operator;
mod panic;
mod pattern;
mod place;

pub(super) use call::owner;
pub(super) use operator::wrapping;

use super::regions::{Layout, Regions};
use super::{group, mixed};
use crate::check::waits_in_block;
use crate::parse::ast::*;
use gridfn_ir::Access;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
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

/// Emits the closure's body; of a kernel that runs by groups, split into regions.
pub(super) fn closure(f: &Function, regions: Option<Regions>) -> Closure {
    let mut emit = Emit {
        function: f,
        methods: vec![],
        others: vec![],
        fallbacks: vec![],
        values: BTreeMap::new(),
        parts: HashSet::new(),
        closures: HashSet::new(),
        unindexed: false,
        layout: None,
        hoisted: HashMap::new(),
        waits: waits_in_block(&f.body),
    };
    for name in &f.numbers {
        let span = mixed(name.span());
        emit.others
            .push(quote_spanned!(span=> ::gridfn::__private::operators::number::<#name>();));
    }
    let body = match regions {
        Some(regions) => regions.emit(&mut emit, f),
        None => emit.block(&f.body),
    };
    let Emit {
        methods,
        others,
        fallbacks,
        values,
        ..
    } = emit;
    let values = values.into_values();
    let values = (values.len() > 0).then(|| quote!(if false { #(#values)* }));
    let fallbacks = fallbacks.iter().map(call::fallback);
    // Each closure has its own scope: the fallbacks' methods must not be candidates for calls by path.
    let methods = (!methods.is_empty()).then(|| quote!(let _ = move || { #(#fallbacks)* #(#methods)* };));
    let others = (!others.is_empty()).then(|| quote!(let _ = move || { #(#others)* };));
    Closure {
        body: quote!(#values #body),
        probes: quote!(#methods #others),
    }
}

pub(super) struct Emit<'f> {
    pub(super) function: &'f Function,
    /// Probes of method calls.
    methods: Vec<TokenStream>,
    /// Probes of other calls.
    others: Vec<TokenStream>,
    /// The names of the methods that are called.
    fallbacks: Vec<Ident>,
    /// Parameters and their fields that are used as more than slices, by their text: each must be a value. A view of a
    /// buffer in another variable would be outside of what is proven about the parameter.
    values: BTreeMap<String, TokenStream>,
    /// Variables that a part of a `&mut [T]` is bound to.
    parts: HashSet<u16>,
    /// Variables that a closure is bound to.
    closures: HashSet<u16>,
    /// Whether what is emitted is a place once more, for its type alone: what it is indexed by is left out then, for that
    /// may have closures in it, and no two closures are of one type.
    unindexed: bool,
    /// Of a kernel that runs by groups: where the variables of its items are.
    pub(super) layout: Option<Rc<Layout>>,
    /// The values of `uniform` that were found before the region that uses them, by the address of the call's node.
    pub(super) hoisted: HashMap<*const GroupCall, Ident>,
    /// Whether it is a kernel whose items wait for each other.
    waits: bool,
}

impl Emit<'_> {
    fn block(&mut self, block: &Block) -> TokenStream {
        let mut out = TokenStream::new();
        for statement in &block.statements {
            out.extend(self.statement(statement));
        }
        if let Some(e) = &block.tail {
            out.extend(self.expr(e));
        }
        out
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Let(l) => self.let_(l),
            Statement::Expr(e, semi) => {
                let e = self.expr(e);
                quote!(#e #semi)
            }
        }
    }

    fn braced(&mut self, block: &Block) -> TokenStream {
        let inner = self.block(block);
        quote_spanned!(block.brace.span.join()=> { #inner })
    }

    pub(super) fn let_(&mut self, l: &Let) -> TokenStream {
        self.let_with(l, None)
    }

    /// A `let`, with this behind its `else` if it is given.
    pub(super) fn let_with(&mut self, l: &Let, otherwise: Option<TokenStream>) -> TokenStream {
        let Let {
            attrs,
            token,
            pattern,
            semi,
            ..
        } = l;
        let ty = l.ty.as_ref().map(|(colon, ty)| quote!(#colon #ty));
        let Some((eq, init)) = &l.init else {
            let (Some(hole), Some(Binding { name, mutability, .. })) = (l.hole, pattern.as_name()) else {
                unreachable!("a `let` without initialiser binds a name");
            };
            let hole = type_hole(hole, name.span());
            // The assignment ties the type and can never be reached twice, so the binding may stay immutable.
            return quote!(
                #(#attrs)* #token #mutability #name #ty #semi if false { #name = #hole.never(); loop {} }
            );
        };
        let name = pattern.as_name();
        if let Some(name) = name
            && init.is_unique_part()
        {
            self.parts.insert(name.local);
        }
        if let Some(name) = name
            && let ExprKind::Closure(_) = init.bare().kind
        {
            self.closures.insert(name.local);
        }
        // On the host a part of a `&mut [T]` may be a value, whose elements are written only if it is `mut`.
        let mutability = match name {
            Some(name) if name.mutability.is_none() && init.is_unique_part() => {
                Some(syn::Token![mut](mixed(name.name.span())))
            }
            _ => None,
        };
        let init = match name {
            Some(_) => self.expr(init),
            None => self.matched(init, std::iter::once(pattern)),
        };
        let pattern = self.pattern(pattern);
        let otherwise = l.otherwise.as_ref().map(|(token, block)| {
            let block = otherwise.unwrap_or_else(|| self.braced(block));
            quote!(#token #block)
        });
        quote!(#(#attrs)* #token #mutability #pattern #ty #eq #init #otherwise #semi)
    }

    fn args(&mut self, args: &[Expr]) -> Vec<TokenStream> {
        args.iter().map(|a| self.expr(a)).collect()
    }

    pub(super) fn expr(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Literal(l) => literal(l),
            ExprKind::Unit(paren) => group(paren.span.join(), TokenStream::new()),
            ExprKind::Local(..)
            | ExprKind::Constant(..)
            | ExprKind::Field(..)
            | ExprKind::Index(_)
            | ExprKind::Subslice(_)
            | ExprKind::Deref(..) => self.place(e, Access::Shared),
            ExprKind::Paren(paren, e) => group(paren.span.join(), self.expr(e)),
            ExprKind::Binary(op, token, a, b) => self.binary(*op, token, a, b),
            ExprKind::Lazy(_, token, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                quote!(#a #token #b)
            }
            ExprKind::Unary(op, token, a) => self.unary(*op, token, a),
            ExprKind::Cast(c) => self.cast(c),
            ExprKind::Assign(place, eq, value) => {
                let (place, value) = (self.place(place, Access::Unique), self.expr(value));
                quote!(#place #eq #value)
            }
            ExprKind::Discard(discard, eq, value) => {
                let value = self.place(value, Access::Shared);
                quote!(#discard #eq #value)
            }
            ExprKind::AssignOp(op, token, place, value) => self.assign_op(*op, token, place, value),
            ExprKind::Overloadable(link, e) => self.overloadable(*link, e),
            ExprKind::Tuple(paren, all) => {
                let all = self.args(all);
                group(paren.span.join(), quote!(#(#all,)*))
            }
            ExprKind::Array(bracket, all) => {
                let all = self.args(all);
                bracketed(bracket.span.join(), quote!(#(#all),*))
            }
            ExprKind::Repeat(r) => {
                let (value, semi, len, span) = (self.expr(&r.value), &r.semi, &r.len, r.bracket.span.open());
                tie(
                    r.hole,
                    span,
                    bracketed(r.bracket.span.join(), quote!(#value #semi #len)),
                )
            }
            ExprKind::Construct(c) => self.construct(c),
            ExprKind::Reference(and, mutability, place) => self.reference(and, mutability.as_ref(), place),
            ExprKind::Method(m) => self.method(m),
            ExprKind::Call(c) => self.call(c),
            ExprKind::CallParam(c) => self.call_param(c),
            ExprKind::If(i) => self.if_(i),
            ExprKind::Match(m) => self.match_(m),
            ExprKind::Let(token, pattern, eq, value) => {
                let value = self.matched(value, std::iter::once(pattern));
                let pattern = self.pattern(pattern);
                quote!(#token #pattern #eq #value)
            }
            ExprKind::Try(e, question) => {
                let e = self.expr(e);
                quote!(#e #question)
            }
            ExprKind::Block(_, block) | ExprKind::Unsafe(_, block) => {
                let (head, block) = (self.head(e), self.braced(block));
                quote!(#head #block)
            }
            ExprKind::While(l, ..) | ExprKind::Loop(l, _) => {
                let (head, body) = (self.head(e), self.braced(&l.body));
                quote!(#head #body)
            }
            ExprKind::For(f) => {
                let (head, body) = (self.head(e), self.braced(&f.head.body));
                quote!(#head #body)
            }
            ExprKind::ForEach(f) => {
                let (head, body) = (self.head(e), self.braced(&f.head.body));
                quote!(#head #body)
            }
            ExprKind::Consume(c) => self.consume(c),
            ExprKind::Closure(c) => self.closure(c),
            ExprKind::Function(f) => self.function_value(f),
            ExprKind::CallClosure(c) => self.call_closure(c),
            ExprKind::Break(_, token, label, value) => {
                let value = value.as_ref().map(|v| self.expr(v));
                quote!(#token #label #value)
            }
            ExprKind::Continue(_, token, label) => quote!(#token #label),
            ExprKind::Panic(p) => self.panic(p),
            ExprKind::Barrier(call) => {
                self.is_ours(call, "barrier");
                group(call.path.span(), TokenStream::new())
            }
            ExprKind::LocalArray(call, hole) => self.local_array(call, *hole),
            ExprKind::Uniform(call, value) => self.uniform(call, value),
            // The `let` that it stands in is a piece of its own.
            ExprKind::Together(_) => TokenStream::new(),
            ExprKind::Subgroup(s) => self.subgroup(s),
            ExprKind::Return(token, value) => {
                let value = value.as_ref().map(|v| self.expr(v));
                quote!(#token #value)
            }
        }
    }

    fn cast(&mut self, c: &Cast) -> TokenStream {
        let (operand, token, ty) = (self.expr(&c.operand), &c.token, &c.ty);
        let cast = group(ty.span(), quote!(#operand #token #ty));
        match &self.function.holes.types[c.hole as usize] {
            TypeHole::Inferred(span) => tie(c.hole, *span, cast),
            TypeHole::Written(_) | TypeHole::Param(_) | TypeHole::Result | TypeHole::LocalArray(_) => cast,
        }
    }

    fn if_(&mut self, i: &If) -> TokenStream {
        let (token, condition, then) = (&i.token, self.expr(&i.condition), self.braced(&i.then));
        let otherwise = i.otherwise.as_ref().map(|(token, e)| {
            let e = self.expr(e);
            quote!(#token #e)
        });
        quote!(#token #condition #then #otherwise)
    }

    /// What stands before the braces of a loop or block.
    pub(super) fn head(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Block(Some((_, label)), _) => quote!(#label),
            ExprKind::Unsafe(token, _) => quote!(#token),
            ExprKind::While(l, token, condition) => {
                let (label, condition) = (&l.label, self.expr(condition));
                quote!(#label #token #condition)
            }
            ExprKind::Loop(l, token) => {
                let label = &l.label;
                quote!(#label #token)
            }
            ExprKind::For(f) => self.for_(f),
            ExprKind::ForEach(f) => self.for_each(f),
            _ => TokenStream::new(),
        }
    }

    fn for_(&mut self, f: &For) -> TokenStream {
        let (label, token, in_token, limits) = (&f.head.label, &f.token, &f.in_token, &f.limits);
        let (start, end) = (self.expr(&f.start), self.expr(&f.end));
        let pattern = self.pattern(&f.pattern);
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
        quote!(#label #token #pattern #in_token #range)
    }
}

/// How a place is used whose parts are written, or not.
fn access(unique: bool) -> Access {
    if unique { Access::Unique } else { Access::Shared }
}

/// Arguments in the user's own parentheses, at which rustc tells that one is missing.
fn arguments(paren: syn::token::Paren, args: &[TokenStream]) -> TokenStream {
    group(paren.span.join(), quote!(#(#args),*))
}

fn bracketed(span: Span, tokens: TokenStream) -> TokenStream {
    let mut group = Group::new(Delimiter::Bracket, tokens);
    group.set_span(span);
    group.into_token_stream()
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
