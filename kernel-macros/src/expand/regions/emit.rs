//! The pieces of a body as Rust.

use super::bounds::bounds;
use super::facts::{Facts, Variable};
use super::layout::{First, first};
use super::plan::{Piece, Region, Step};
use super::together::calls;
use super::{Layout, Regions, subgroup};
use crate::expand::closure::{Emit, item, link_hole, type_hole};
use crate::expand::{group, mixed};
use crate::parse::ast::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;

/// The name of the closure's parameter for the work-group.
pub(in crate::expand) fn group_name(span: Span) -> Ident {
    Ident::new("__group", mixed(span))
}

/// The name of the parameter for the results of a group function.
pub(in crate::expand) fn result_name(span: Span) -> Ident {
    Ident::new("__results", mixed(span))
}

/// The name of a group function's parameter for what each item passes.
pub(in crate::expand) fn passed_name(local: u16, span: Span) -> Ident {
    Ident::new(&format!("__p{local}"), mixed(span))
}

/// The hole of the values that a variable's slot holds.
fn slot_hole(local: u16, span: Span) -> Ident {
    Ident::new(&format!("__s{local}"), mixed(span))
}

pub(super) fn slot_name(local: u16, span: Span) -> Ident {
    Ident::new(&format!("__v{local}"), mixed(span))
}

/// The closure that computes a variable again.
fn again_name(local: u16, span: Span) -> Ident {
    Ident::new(&format!("__r{local}"), mixed(span))
}

fn array_name(hole: u16, span: Span) -> Ident {
    Ident::new(&format!("__a{hole}"), mixed(span))
}

/// What the expansion of a kernel needs besides the closure.
pub(in crate::expand) struct Memory {
    /// The holes of slots, declared before the closure.
    pub holes: TokenStream,
    /// The memory that a group takes.
    pub need: TokenStream,
}

impl Regions<'_> {
    /// The memory of a group, as the instance sums it up.
    pub(in crate::expand) fn memory(&self, f: &Function) -> Memory {
        let (mut holes, mut need) = (TokenStream::new(), quote!(::gridfn::__private::Need::NOTHING));
        for (hole, span) in arrays(f) {
            let hole = type_hole(hole, span);
            need.extend(quote_spanned!(mixed(span)=> .array(#hole)));
        }
        for (link, span) in calls(&self.pieces) {
            let hole = link_hole(link, span);
            need.extend(quote_spanned!(mixed(span)=> .call(#hole)));
        }
        let result = f.group_result();
        for local in self.layout.slots.iter().filter(|local| Some(**local) != result) {
            let span = self.layout.variables[local].name.span();
            let hole = slot_hole(*local, span);
            holes.extend(crate::expand::signature::new_hole(&hole, span));
            need.extend(quote_spanned!(mixed(span)=> .slot(#hole)));
        }
        for (n, span) in f.holes.subgroups.iter().enumerate() {
            let (hole, span) = (subgroup::hole(n, *span), *span);
            holes.extend(crate::expand::signature::new_hole(&hole, span));
            need.extend(quote_spanned!(mixed(span)=> .slot(#hole)));
        }
        Memory { holes, need }
    }

    /// Emits the body.
    pub(in crate::expand) fn emit(self, emit: &mut Emit, f: &Function) -> TokenStream {
        let span = f.name.span();
        let (group, item) = (group_name(span), item(span));
        let mut out = quote!(let #item = &#group.first(););
        for (hole, span) in arrays(f) {
            let name = array_name(hole, span);
            out.extend(quote!(let #name = #group.array();));
        }
        for local in &self.layout.slots {
            let span = self.layout.variables[local].name.span();
            let (hole, name) = (slot_hole(*local, span), slot_name(*local, span));
            if f.group_result() == Some(*local) {
                let result = result_name(f.name.span());
                out.extend(quote_spanned!(mixed(span)=> let #name = #result;));
                continue;
            }
            out.extend(quote_spanned!(mixed(span)=> let #name = #group.slot(#hole);));
        }
        for (n, span) in f.holes.subgroups.iter().enumerate() {
            let (hole, name, span) = (subgroup::hole(n, *span), subgroup::name(n, *span), *span);
            out.extend(quote_spanned!(mixed(span)=> let #name = #group.exchange(#hole);));
        }
        // Each item has its own of a parameter that it changes.
        let params = f.params.iter().zip(0..);
        let own = params.filter(|(_, local)| self.layout.slots.contains(local));
        let puts: Vec<_> = own
            .map(|(param, local)| {
                let load = f.group.is_some().then(|| passed(local, &param.name, false));
                let put = put(local, &param.name);
                quote!(#load #put)
            })
            .collect();
        if !puts.is_empty() {
            out.extend(quote!(#group.each(|#item| { #(#puts)* });));
        }
        let result = f.group_result().map(|local| {
            // rustc tells where a body ends without a result.
            let set = initialised(
                &self.layout.variables[&local],
                self.layout.variables[&local].name.span(),
            );
            quote!(let () = #set;)
        });
        emit.layout = Some(Rc::new(self.layout));
        out.extend(emit.pieces(&self.pieces));
        out.extend(result);
        out
    }
}

/// The holes of the kernel's local arrays.
fn arrays(f: &Function) -> impl Iterator<Item = (u16, Span)> {
    f.holes.types.iter().zip(0..).filter_map(|(hole, n)| match hole {
        TypeHole::LocalArray(span) => Some((n, *span)),
        TypeHole::Param(_) | TypeHole::Result | TypeHole::Written(_) | TypeHole::Inferred(_) => None,
    })
}

/// The value of a group function's parameter that the item was passed.
fn passed(local: u16, name: &Ident, mutable: bool) -> TokenStream {
    let span = name.span();
    let (passed, item) = (passed_name(local, span), item(span));
    let mutability = mutable.then(|| quote!(mut));
    quote_spanned!(mixed(span)=> #[allow(unused_unsafe)] let #mutability #name = unsafe { #passed.get(#item) };)
}

fn put(local: u16, name: &Ident) -> TokenStream {
    let span = name.span();
    let (slot, item) = (slot_name(local, span), item(span));
    quote_spanned!(mixed(span)=> #[allow(unused_unsafe)] unsafe { #slot.put(#item, #name) };)
}

impl Emit<'_> {
    pub(super) fn known(&self) -> Rc<Layout> {
        match &self.layout {
            Some(layout) => layout.clone(),
            None => unreachable!("only a kernel that runs by groups has regions"),
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) -> TokenStream {
        pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&mut self, piece: &Piece) -> TokenStream {
        match piece {
            Piece::Once(step, _) => self.step(*step),
            Piece::Barrier(call) => {
                self.is_ours(call, "barrier");
                TokenStream::new()
            }
            Piece::Region(region) => self.region(region),
            Piece::Call(l, call, _) => self.together(l, call),
            Piece::Split(e, bodies) => self.split(e, bodies),
            Piece::Else(l, body) => {
                let body = self.pieces(body);
                self.let_with(l, Some(quote!({ #body })))
            }
        }
    }

    fn step(&mut self, step: Step) -> TokenStream {
        match step {
            Step::Statement(s) => self.statement(s),
            Step::Effect(e) => {
                let e = self.expr(e);
                quote!(#e;)
            }
        }
    }

    fn split(&mut self, e: &Expr, bodies: &[Vec<Piece>]) -> TokenStream {
        match &e.kind {
            ExprKind::If(i) => {
                let (token, condition) = (&i.token, self.expr(&i.condition));
                let mut bodies = bodies.iter().map(|body| self.pieces(body));
                let then = bodies.next();
                let otherwise = i.otherwise.as_ref().map(|(token, _)| {
                    let body = bodies.next();
                    quote!(#token { #body })
                });
                quote!(#token #condition { #then } #otherwise)
            }
            ExprKind::Match(m) => self.match_with(m, |emit, n| {
                let body = emit.pieces(&bodies[n]);
                quote!({ #body })
            }),
            _ => {
                let head = self.head(e);
                let body: TokenStream = bodies.iter().map(|body| self.pieces(body)).collect();
                quote!(#head { #body })
            }
        }
    }

    /// A loop over the items.
    fn region(&mut self, region: &Region) -> TokenStream {
        let layout = self.known();
        let span = region.steps.first().map_or_else(Span::call_site, |s| s.span());
        let (group, item) = (group_name(span), item(span));
        let facts = &region.facts;
        let (mut before, mut body, mut after) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        before.extend(self.uniforms(region));
        for step in &region.steps {
            before.extend(self.again(*step));
        }
        for local in &facts.mentions {
            if facts.declares.contains(local) {
                continue;
            }
            let Some(variable) = layout.variables.get(local) else {
                continue;
            };
            let assigned = facts.assigns.contains(local);
            if variable.deferred && layout.slots.contains(local) {
                let (check, load) = deferred(*local, variable, &region.steps, span);
                before.extend(check);
                body.extend(load);
            } else if assigned && layout.is_common(*local) {
                // Behind the last barrier, what is the same for all is each item's own where it changes.
                let name = &variable.name;
                body.extend(quote!(let mut #name = #name;));
            } else {
                body.extend(load(&layout, *local));
            }
        }
        let mut dirty: BTreeSet<u16> = facts
            .assigns
            .union(&facts.declares)
            .filter(|local| layout.slots.contains(local))
            .copied()
            .collect();
        for step in &region.steps {
            if let Some(l) = step.as_let() {
                l.pattern.each_binding(&mut |b| {
                    let hidden = |local: &u16| *local != b.local && layout.variables[local].name == b.name;
                    let hidden: Vec<u16> = dirty.iter().copied().filter(hidden).collect();
                    for local in hidden {
                        // A slot whose variable is declared further on, in the place of this one, is not hidden by it.
                        if facts.mentions.contains(&local) && !declared_behind(&region.steps, *step, local) {
                            dirty.remove(&local);
                            body.extend(put(local, &layout.variables[&local].name));
                        }
                    }
                });
            }
            body.extend(self.own_step(*step, &layout, &mut before));
        }
        for local in dirty {
            let variable = &layout.variables[&local];
            let name = &variable.name;
            if variable.deferred {
                if first(&region.steps, local) == First::Nothing {
                    continue;
                }
                let set = initialised(variable, span);
                after.extend(quote_spanned!(mixed(span)=> #set = ();));
            }
            body.extend(put(local, name));
        }
        let each = match bounds(self.function, &layout, region) {
            Some(bounds) => quote_spanned!(mixed(span)=> #group.each_in(#bounds, |#item| { #body });),
            None => quote_spanned!(mixed(span)=> #group.each(|#item| { #body });),
        };
        quote!(#before #each #after)
    }

    /// A step of a region. What is computed again is so here too.
    fn own_step(&mut self, step: Step, layout: &Layout, before: &mut TokenStream) -> TokenStream {
        let Some((l, binding)) = step.as_let().and_then(|l| Some((l, l.pattern.as_name()?))) else {
            return self.step(step);
        };
        let (local, name) = (binding.local, &binding.name);
        if layout.again.contains(&local) {
            return load(layout, local);
        }
        let declared = self.step(step);
        let Some(hole) = l.hole.filter(|_| layout.slots.contains(&local)) else {
            return declared;
        };
        let variable = &layout.variables[&local];
        let (set, mutability) = (
            initialised(variable, name.span()),
            variable.mutable.then(|| quote!(mut)),
        );
        before.extend(quote!(let #mutability #set: ();));
        let (slot, item) = (slot_name(local, name.span()), item(name.span()));
        let hole = type_hole(hole, name.span());
        quote!(#declared if false { #[allow(unused_unsafe)] unsafe { #slot.put(#item, #hole.never()) }; })
    }

    /// The closure that computes a variable again.
    fn again(&mut self, step: Step) -> TokenStream {
        let layout = self.known();
        let Some((l, binding)) = step.as_let().and_then(|l| Some((l, l.pattern.as_name()?))) else {
            return TokenStream::new();
        };
        if !layout.again.contains(&binding.local) {
            return TokenStream::new();
        }
        let name = &binding.name;
        let span = name.span();
        let (closure, item) = (again_name(binding.local, span), item(span));
        let mentions = l.init.as_ref().map(|(_, init)| Facts::of_expr(init).mentions);
        let loads: TokenStream = mentions
            .iter()
            .flatten()
            .map(|local| load(&layout, *local))
            .collect();
        let declared = self.let_(l);
        quote_spanned!(mixed(span)=> let #closure = |#item: &::gridfn::__private::Item| { #loads #declared #name };)
    }

    /// The values of `uniform` that a region's steps use, before it.
    fn uniforms(&mut self, region: &Region) -> TokenStream {
        let wanted: Vec<*const GroupCall> = region.facts.uniforms.iter().map(|u| u.call).collect();
        if wanted.is_empty() {
            return TokenStream::new();
        }
        let mut found = Calls {
            wanted: &wanted,
            emit: self,
            out: TokenStream::new(),
        };
        for step in &region.steps {
            match step {
                Step::Statement(s) => found.statement(s),
                Step::Effect(e) => found.expr(e),
            }
        }
        found.out
    }

    /// `uniform(value)`: in a region, what was found before it; in uniform code, the value itself.
    pub(in crate::expand) fn uniform(&mut self, call: &GroupCall, value: &Expr) -> TokenStream {
        if let Some(name) = self.hoisted.get(&std::ptr::from_ref(call)) {
            return quote!(#name);
        }
        let layout = self.known();
        let span = call.path.span();
        let (group_name, item, mix) = (group_name(span), item(span), mixed(span));
        let loads: TokenStream = Facts::of_expr(value)
            .mentions
            .iter()
            .map(|local| load(&layout, *local))
            .collect();
        let (function, value) = (self.ours(call, "uniform"), self.expr(value));
        let uniform = Ident::new("uniform", span);
        let arguments = group(
            call.paren.span.join(),
            quote_spanned!(mix=> #function, |#item: &::gridfn::__private::Item| { #loads #value }),
        );
        group(span, quote_spanned!(mix=> #group_name.#uniform #arguments))
    }

    /// `local_array::<T, N>()`
    pub(in crate::expand) fn local_array(&mut self, call: &GroupCall, hole: u16) -> TokenStream {
        let span = call.path.span();
        let (place, function) = (array_name(hole, span), self.ours(call, "local_array"));
        let hole = type_hole(hole, span);
        group(
            span,
            quote_spanned!(mixed(span)=> #hole.tie(#place.open(#function))),
        )
    }
}

impl Step<'_> {
    fn span(self) -> Span {
        match self {
            Step::Statement(Statement::Let(l)) => l.token.span,
            Step::Statement(Statement::Expr(e, _)) | Step::Effect(e) => e.span,
        }
    }
}

/// Whether a step behind this one declares the variable.
fn declared_behind(steps: &[Step], step: Step, local: u16) -> bool {
    let here = |s: &&Step| match (s.as_let(), step.as_let()) {
        (Some(a), Some(b)) => std::ptr::eq(a, b),
        _ => false,
    };
    let at = steps.iter().position(|s| here(&s)).unwrap_or(0);
    steps[at..].iter().any(|s| s.facts().declares.contains(&local))
}

/// The variable's value, at the beginning of a region.
pub(super) fn load(layout: &Layout, local: u16) -> TokenStream {
    let Some(variable) = layout.variables.get(&local) else {
        return TokenStream::new();
    };
    let name = &variable.name;
    let (span, item) = (name.span(), item(name.span()));
    let mutability = variable.mutable.then(|| quote!(mut));
    if layout.again.contains(&local) {
        let closure = again_name(local, span);
        return quote_spanned!(mixed(span)=> let #name = #closure(#item););
    }
    if layout.passed.contains(&local) {
        return passed(local, name, variable.mutable);
    }
    if layout.slots.contains(&local) {
        let slot = slot_name(local, span);
        return quote_spanned!(mixed(span)=> #[allow(unused_unsafe)] let #mutability #name = unsafe { #slot.get(#item) };);
    }
    TokenStream::new()
}

/// A variable without bytes that has a value when the user's has, which rustc follows at the level of the group; used at
/// `at`.
fn initialised(variable: &Variable, at: Span) -> Ident {
    format_ident!("{}", variable.name, span = mixed(at))
}

/// What a region does first with a variable that was declared without a value: the check that it has one, and how it
/// begins.
fn deferred(local: u16, variable: &Variable, steps: &[Step], at: Span) -> (TokenStream, TokenStream) {
    let name = &variable.name;
    let span = name.span();
    match first(steps, local) {
        First::Read => {
            let set = initialised(variable, at);
            let (slot, item) = (slot_name(local, span), item(span));
            (
                quote_spanned!(mixed(at)=> let () = #set;),
                quote_spanned!(mixed(span)=> #[allow(unused_unsafe)] let mut #name = unsafe { #slot.get(#item) };),
            )
        }
        First::Assigned | First::Nothing => {
            let mutability = variable.mutable.then(|| quote!(mut));
            (TokenStream::new(), quote!(let #mutability #name;))
        }
    }
}

/// Finds the calls of `uniform` in a region, in order.
struct Calls<'c, 'e, 'f> {
    wanted: &'c [*const GroupCall],
    emit: &'e mut Emit<'f>,
    out: TokenStream,
}

impl Visit for Calls<'_, '_, '_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Uniform(call, value) if self.wanted.contains(&std::ptr::from_ref(call)) => {
                let made = self.emit.uniform(call, value);
                let name = format_ident!("__u{}", self.emit.hoisted.len(), span = mixed(call.path.span()));
                self.out.extend(quote!(let #name = #made;));
                self.emit.hoisted.insert(call, name);
            }
            ExprKind::Subgroup(s) if self.wanted.contains(&std::ptr::from_ref(&s.call)) => {
                walk_expr(self, e);
                let made = self.emit.subgroup_exchange(s);
                self.out.extend(made);
            }
            _ => walk_expr(self, e),
        }
    }
}
