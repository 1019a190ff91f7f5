//! What is the same for all items of a work-group.
//!
//! A barrier is reached by all items of a group or by none, so what decides whether it is reached is *uniform*: literals,
//! scalar parameters, lengths and shapes, the index of the group and the sizes of the grid, elements of a `&[T]` at uniform indices,
//! variables that are assigned only from these under uniform conditions, and `uniform(value)`. All else differs from item
//! to item, as far as this module knows, and it tells by which chain.
//!
//! One walk ([`marks`]) finds the variables that differ; it is repeated until it finds no more. What an expression is,
//! follows from that ([`Uniformity::value`]), and so does who runs a statement ([`Uniformity::is_common`]): the tree of
//! devices and the host version ask for it while they are emitted. [`rules`] refuses what would leave items waiting.
//!
//! A *common* statement is run by all items of a group alike, those outside the grid too. It stands in the kernel's own
//! block, or in one of a common branch or loop. Everything else each item does for itself.

#![allow(dead_code, reason = "WIP: the host version asks")]

mod arrays;
mod marks;
mod rules;
mod together;

use crate::parse::ast::*;
use gridfn_ir::{Access, CoreMethod};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::spanned::Spanned;

/// Why something differs from item to item.
#[derive(Clone, Debug)]
pub(crate) struct Why {
    /// The token of the expression that does.
    pub at: Span,
    /// The chain, as a sentence without an end.
    pub text: Rc<str>,
}

impl Why {
    fn new(at: Span, text: impl Into<Rc<str>>) -> Why {
        Why {
            at,
            text: text.into(),
        }
    }
}

/// What is known of a kernel's body.
pub(crate) struct Uniformity<'f> {
    function: &'f Function,
    /// The variables that differ.
    differs: HashMap<u16, Rc<str>>,
    /// The variables that are local arrays.
    arrays: HashSet<u16>,
    /// The loops and labelled blocks that single items leave, or whose rounds they end, and where.
    left: HashMap<u16, Why>,
    /// Where single items return, and in which statement of the kernel's block.
    returns: Vec<(Why, usize)>,
    /// Whether items wait for each other.
    waits: bool,
}

/// Proves that all items of a group reach its barriers.
pub(crate) fn uniformity(f: &Function) -> syn::Result<Uniformity<'_>> {
    let mut uniformity = Uniformity {
        function: f,
        differs: HashMap::new(),
        arrays: HashSet::new(),
        left: HashMap::new(),
        returns: vec![],
        // The callers of a group function have waited for it.
        waits: f.group.is_some() || waits_in_block(&f.body),
    };
    together::arguments_differ(&mut uniformity);
    marks::mark(&mut uniformity);
    rules::check(&uniformity)?;
    arrays::check(&uniformity)?;
    Ok(uniformity)
}

/// Whether the expression holds a barrier, or what has one in it.
pub(crate) fn waits_in(e: &Expr) -> bool {
    waiting_in(e).is_some()
}

/// Whether the block holds a barrier, or what has one in it.
pub(crate) fn waits_in_block(block: &Block) -> bool {
    waiting_in_block(block).is_some()
}

/// What all items of a group reach together, in the expression.
fn waiting_in(e: &Expr) -> Option<&'static str> {
    let mut found = Found(None);
    found.expr(e);
    found.0
}

/// What all items of a group reach together, in the block.
fn waiting_in_block(block: &Block) -> Option<&'static str> {
    let mut found = Found(None);
    found.block(block);
    found.0
}

/// The first that is found, in words.
struct Found(Option<&'static str>);

impl Visit for Found {
    fn expr(&mut self, e: &Expr) {
        if self.0.is_some() {
            return;
        }
        match e.kind {
            ExprKind::Barrier(_) | ExprKind::Uniform(..) | ExprKind::Together(_) => {
                self.0 = Some("a barrier")
            }
            ExprKind::Subgroup(_) => self.0 = Some("an operation of sub-groups"),
            _ => walk_expr(self, e),
        }
    }
}

impl Uniformity<'_> {
    /// Whether items of a group wait for each other: only then are there common statements.
    pub(crate) fn waits(&self) -> bool {
        self.waits
    }

    /// Whether the items of a group share memory.
    pub(crate) fn shares(&self) -> bool {
        !self.arrays.is_empty()
    }

    /// Whether the local is a local array.
    pub(crate) fn is_local_array(&self, local: u16) -> bool {
        self.arrays.contains(&local)
    }

    /// Why a variable differs from item to item, if it does.
    pub(crate) fn local(&self, local: u16) -> Option<&str> {
        self.differs.get(&local).map(|why| &**why)
    }

    /// Why the value of an expression differs, if it does. What does more than to give a value counts as that, since
    /// each item does it for itself.
    pub(crate) fn value(&self, e: &Expr) -> Option<Why> {
        match &e.kind {
            ExprKind::Literal(_)
            | ExprKind::Unit(_)
            | ExprKind::Constant(..)
            | ExprKind::Function(_)
            | ExprKind::LocalArray(..)
            | ExprKind::Uniform(..) => None,
            ExprKind::Subgroup(s) => Some(Why::new(
                s.call.path.span(),
                format!(
                    "`subgroup::{}` differs from sub-group to sub-group",
                    s.function.name()
                ),
            )),
            ExprKind::Local(local, name) => self.variable(*local, name),
            ExprKind::Paren(_, e)
            | ExprKind::Unary(_, _, e)
            | ExprKind::Overloadable(_, e)
            | ExprKind::Deref(_, e)
            | ExprKind::Try(e, _)
            | ExprKind::Let(_, _, _, e)
            | ExprKind::Reference(_, None, e) => self.value(e),
            ExprKind::Field(base, ..) => match e.path() {
                Some(path) if self.is_param(path.local) && !self.differs.contains_key(&path.local) => None,
                _ => self.value(base),
            },
            ExprKind::Binary(_, _, a, b) | ExprKind::Lazy(_, _, a, b) => {
                self.value(a).or_else(|| self.value(b))
            }
            ExprKind::Cast(c) => self.value(&c.operand),
            ExprKind::Tuple(_, all) | ExprKind::Array(_, all) => self.any(all),
            ExprKind::Repeat(r) => self.value(&r.value),
            ExprKind::Construct(c) => match &c.form {
                Form::Fields { fields, base, .. } => {
                    let mut all = fields
                        .iter()
                        .map(|(_, e)| e)
                        .chain(base.iter().map(|(_, e)| &**e));
                    all.find_map(|e| self.value(e))
                }
                Form::Call(_, args) => self.any(args),
                Form::Unit => None,
            },
            ExprKind::Index(i) => self.memory(&i.base).or_else(|| self.value(&i.index)),
            ExprKind::Subslice(s) => {
                let mut bounds = s.start.iter().chain(&s.end);
                self.memory(&s.base)
                    .or_else(|| bounds.find_map(|e| self.value(e)))
            }
            ExprKind::Reference(and, Some(_), _) => Some(Why::new(
                and.span(),
                "what is written through a `&mut` differs from item to item",
            )),
            ExprKind::Method(m) => self.method(m),
            ExprKind::Call(c) => self.call(c),
            ExprKind::Together(t) => Some(Why::new(
                t.path.span(),
                "each item has its own result of a group function",
            )),
            ExprKind::CallParam(c) => Some(called(&c.name)),
            ExprKind::CallClosure(c) => Some(called(&c.name)),
            ExprKind::If(i) => {
                let otherwise = i.otherwise.as_ref().map(|(_, e)| e);
                let condition = self.value(&i.condition);
                condition
                    .or_else(|| self.block_value(&i.then))
                    .or_else(|| otherwise.and_then(|e| self.value(e)))
            }
            ExprKind::Match(m) => {
                let mut arms = m.arms.iter();
                self.value(&m.value).or_else(|| {
                    arms.find_map(|arm| {
                        let guard = arm.guard.as_ref().and_then(|(_, e)| self.value(e));
                        guard.or_else(|| self.value(&arm.body))
                    })
                })
            }
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => self.block_value(block),
            ExprKind::Block(Some(_), _)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::For(_)
            | ExprKind::ForEach(_)
            | ExprKind::Consume(_)
            | ExprKind::Closure(_)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::Discard(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(..)
            | ExprKind::Return(..)
            | ExprKind::Panic(_)
            | ExprKind::Barrier(_) => Some(Why::new(e.span, "each item does this for itself")),
        }
    }

    fn any<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> Option<Why> {
        all.into_iter().find_map(|e| self.value(e))
    }

    /// A block inside an expression: what its statements do, each item does for itself.
    fn block_value(&self, block: &Block) -> Option<Why> {
        match (block.statements.is_empty(), &block.tail) {
            (true, Some(e)) => self.value(e),
            (true, None) => None,
            (false, _) => Some(Why::new(
                block.brace.span.open(),
                "each item runs the statements of this block for itself",
            )),
        }
    }

    fn is_param(&self, local: u16) -> bool {
        usize::from(local) < self.function.params.len()
    }

    fn variable(&self, local: u16, name: &syn::Ident) -> Option<Why> {
        if let Some(param) = self.function.params.get(usize::from(local))
            && param.kind.access() == Some(Access::Unique)
        {
            return Some(written(name.span(), name));
        }
        if self.arrays.contains(&local) {
            return Some(shared(name.span(), name));
        }
        let why = self.differs.get(&local)?;
        Some(Why::new(name.span(), why.clone()))
    }

    /// Why the elements of a place differ, if they do.
    fn memory(&self, base: &Expr) -> Option<Why> {
        let Some(path) = base.path() else {
            return match &base.bare().kind {
                ExprKind::Index(i) => self.memory(&i.base).or_else(|| self.value(&i.index)),
                ExprKind::Field(base, ..) | ExprKind::Deref(_, base) => self.memory(base),
                _ => self.value(base),
            };
        };
        let Some(param) = self.function.params.get(usize::from(path.local)) else {
            return self.variable(path.local, path.name);
        };
        if self.differs.contains_key(&path.local) {
            return self.variable(path.local, path.name);
        }
        let at = path.name.span();
        if self.function.group.is_some() && !is_value(param) {
            // It may be a local array.
            return Some(written(at, path.text()));
        }
        match param.kind.part(&path.fields) {
            Some(ParamKind::Slice {
                access: Access::Shared,
                ..
            }) => None,
            Some(ParamKind::Slice {
                access: Access::Unique,
                ..
            }) => Some(written(at, path.text())),
            Some(ParamKind::Atomics { .. }) => Some(written(at, path.text())),
            // What is passed by value is an array.
            Some(ParamKind::Value) => None,
            Some(ParamKind::Argument) if path.fields.is_empty() && is_array(&param.ty) => None,
            Some(
                ParamKind::Argument
                | ParamKind::Tuple(_)
                | ParamKind::Reference { .. }
                | ParamKind::Capture(_)
                | ParamKind::Function(_)
                | ParamKind::Callable,
            )
            | None => Some(written(at, path.text())),
        }
    }

    /// A method of the tables whose receiver and arguments are uniform. Those only read: rustc confirms it, since what
    /// they are called on is handed to them as a value or behind a `&`.
    fn method(&self, m: &Method) -> Option<Why> {
        if CoreMethod::asks_for_size(&m.name.to_string())
            && let Some(path) = m.receiver.path()
        {
            // Of a variable of the user's own type it may be the user's method.
            let why = self.differs.get(&path.local);
            return why.map(|why| Why::new(path.name.span(), why.clone()));
        }
        if !m.is_believed_to_read() {
            return Some(called(&m.name));
        }
        self.memory(&m.receiver).or_else(|| self.any(&m.args))
    }

    fn call(&self, c: &Call) -> Option<Why> {
        let name = c.path.segments.last().map(|s| &s.ident);
        match (&self.function.holes.links[usize::from(c.link)], name) {
            (LinkHole::Index(name), _) => match name.to_string().as_str() {
                "group_id" | "global_size" | "local_size" | "num_groups" => None,
                "subgroup_size" | "subgroup_count" => None,
                "subgroup_id" => Some(Why::new(
                    c.path.span(),
                    "`subgroup::id` differs from sub-group to sub-group",
                )),
                "subgroup_local_id" => Some(Why::new(
                    c.path.span(),
                    "`subgroup::local_id` differs from item to item",
                )),
                text => Some(Why::new(
                    c.path.span(),
                    format!("`{text}` differs from item to item"),
                )),
            },
            (LinkHole::Path(_), _) => self.any(&c.args),
            (
                LinkHole::Method(_)
                | LinkHole::Associated(_)
                | LinkHole::Operator(_)
                | LinkHole::Function(_)
                | LinkHole::Parameter(_)
                | LinkHole::Words(_),
                Some(name),
            ) => Some(called(name)),
            (_, None) => Some(Why::new(c.path.span(), "each item calls this for itself")),
        }
    }

    /// Why an iterator differs, or what it gives, if it does.
    fn iteration(&self, i: &Iteration) -> Option<Why> {
        let source = match &i.source {
            Source::Range { start, end, .. } => self.value(start).or_else(|| self.value(end)),
            Source::Elements(r) if r.is_unique() => Some(called(&r.name)),
            Source::Elements(r) => self.memory(&r.of),
            Source::Borrowed(and, Some(_), _) => Some(Why::new(
                and.span(),
                "what is written through a `&mut` differs from item to item",
            )),
            Source::Borrowed(_, None, of) | Source::Whole(of) => self.memory(of),
            Source::Chunks(r, _) | Source::Windows(r, _) if r.is_unique() => Some(called(&r.name)),
            Source::Chunks(r, n) | Source::Windows(r, n) => self.memory(&r.of).or_else(|| self.value(n)),
        };
        let mut steps = i.steps.iter();
        source.or_else(|| {
            steps.find_map(|step| match &step.adaptor {
                Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => None,
                Adaptor::StepBy(n) | Adaptor::Skip(n) | Adaptor::Take(n) => self.value(n),
                Adaptor::Map(_) | Adaptor::Filter(_) => Some(called(&step.name)),
                Adaptor::Zip(other) => self.iteration(other),
            })
        })
    }

    /// Why the rounds of a counted loop differ, if they do.
    fn range(&self, f: &For) -> Option<Why> {
        let mut ops = f.ops.iter();
        self.value(&f.start).or_else(|| self.value(&f.end)).or_else(|| {
            ops.find_map(|op| match op {
                RangeOp::Rev(..) => None,
                RangeOp::StepBy(_, _, step) => self.value(step),
            })
        })
    }

    /// Why the items of a group do not all run what stands in a branch or loop, if so; of what is neither, nothing.
    pub(crate) fn condition(&self, e: &Expr) -> Option<Why> {
        match &e.kind {
            ExprKind::Paren(_, e) => self.condition(e),
            ExprKind::If(i) => self.value(&i.condition),
            ExprKind::Match(m) => {
                let mut guards = m.arms.iter().filter_map(|arm| arm.guard.as_ref());
                let value = match m.value.path() {
                    Some(_) => self.memory(&m.value),
                    None => self.value(&m.value),
                };
                value.or_else(|| guards.find_map(|(_, e)| self.value(e)))
            }
            ExprKind::While(l, _, condition) => self.value(condition).or_else(|| self.leaves(l.number)),
            ExprKind::Loop(l, _) => self.leaves(l.number),
            ExprKind::For(f) => self.range(f).or_else(|| self.leaves(f.head.number)),
            ExprKind::ForEach(f) => self.iteration(&f.iterator).or_else(|| self.leaves(f.head.number)),
            ExprKind::Block(Some((label, _)), _) => self.leaves(*label),
            _ => None,
        }
    }

    /// Where single items leave a loop or block, if they do.
    fn leaves(&self, label: u16) -> Option<Why> {
        self.left.get(&label).cloned()
    }

    /// Whether all items of a group run the statement alike, those outside the grid too; else each runs it for itself.
    /// It stands in the kernel's block or in that of a common statement.
    pub(crate) fn is_common(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Let(l) => self.is_common_let(l),
            Statement::Expr(e, _) => self.is_common_expr(e, &mut vec![]),
        }
    }

    /// The same of an expression without a value, which stands where a statement does.
    pub(crate) fn is_common_effect(&self, e: &Expr) -> bool {
        self.is_common_expr(e, &mut vec![])
    }

    /// Whether something in a block of a common statement is common too, so that it concerns all items; else each runs all
    /// of the block for itself.
    pub(crate) fn holds_common(&self, block: &Block) -> bool {
        self.is_common_block(block, &mut vec![])
    }

    fn is_common_let(&self, l: &Let) -> bool {
        let Some((_, init)) = &l.init else { return true };
        if let ExprKind::LocalArray(..) | ExprKind::Together(_) = init.bare().kind {
            return true;
        }
        let (mut binds, mut differs) = (false, false);
        l.pattern.each_binding(&mut |binding| {
            binds = true;
            differs |= self.differs.contains_key(&binding.local);
        });
        binds && !differs && self.value(init).is_none()
    }

    /// `inner` are the loops and blocks on the way here.
    fn is_common_expr(&self, e: &Expr, inner: &mut Vec<u16>) -> bool {
        match &e.kind {
            ExprKind::Paren(_, e) | ExprKind::Overloadable(_, e) => self.is_common_expr(e, inner),
            ExprKind::Barrier(_) => true,
            ExprKind::Uniform(..) => true,
            ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
                self.is_common_place(place) && self.value(value).is_none()
            }
            ExprKind::Break(label, ..) | ExprKind::Continue(label, ..) => !inner.contains(label),
            ExprKind::Return(..) => true,
            ExprKind::If(i) if self.condition(e).is_none() => {
                let otherwise = i.otherwise.as_ref();
                self.is_common_block(&i.then, inner)
                    || otherwise.is_some_and(|(_, e)| waits_in(e) || self.is_common_expr(e, inner))
            }
            ExprKind::Match(m) if self.condition(e).is_none() => {
                let mut arms = m.arms.iter().map(|arm| &arm.body);
                arms.any(|e| waits_in(e) || self.is_common_expr(e, inner))
            }
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => self.is_common_block(block, inner),
            ExprKind::While(l, _, condition) if self.condition(e).is_none() => {
                waits_in(condition) || self.is_common_body(l.number, &l.body, inner)
            }
            ExprKind::Loop(l, _) if self.condition(e).is_none() => {
                self.is_common_body(l.number, &l.body, inner)
            }
            ExprKind::For(f) if self.condition(e).is_none() => {
                self.is_common_body(f.head.number, &f.head.body, inner)
            }
            ExprKind::ForEach(f) if self.condition(e).is_none() => {
                self.is_common_body(f.head.number, &f.head.body, inner)
            }
            ExprKind::Block(Some((label, _)), block) if self.condition(e).is_none() => {
                self.is_common_body(*label, block, inner)
            }
            _ => false,
        }
    }

    fn is_common_body(&self, label: u16, block: &Block, inner: &mut Vec<u16>) -> bool {
        inner.push(label);
        let common = self.is_common_block(block, inner);
        inner.pop();
        common
    }

    /// Whether something in the block is for all items. A `let` in it is for what is in the block.
    fn is_common_block(&self, block: &Block, inner: &mut Vec<u16>) -> bool {
        let mut statements = block.statements.iter();
        statements.any(|s| match s {
            Statement::Let(l) => {
                let jumps = l.otherwise.as_ref();
                l.init.as_ref().is_some_and(|(_, e)| waits_in(e))
                    || self.is_common(s) && jumps.is_some_and(|(_, block)| self.is_common_block(block, inner))
            }
            Statement::Expr(e, _) => waits_in(e) || self.is_common_expr(e, inner),
        }) || block
            .tail
            .as_ref()
            .is_some_and(|e| waits_in(e) || self.is_common_expr(e, inner))
    }

    /// Whether what is assigned is a variable that is the same for all items.
    fn is_common_place(&self, place: &Expr) -> bool {
        root(place).is_some_and(|(local, _)| {
            !self.is_memory(local) && !self.differs.contains_key(&local) && !leads_away(place)
        })
    }

    /// Whether single items may return from the kernel in this statement of its own block.
    pub(crate) fn single_items_return(&self, statement: usize) -> bool {
        self.returns.iter().any(|(_, n)| *n == statement)
    }

    /// Whether the local is what leads to memory of others.
    pub(crate) fn is_memory(&self, local: u16) -> bool {
        let param = self.function.params.get(usize::from(local));
        self.arrays.contains(&local) || param.is_some_and(|p| !is_value(p))
    }
}

/// Whether a parameter is a value, of which each item has its own. What only rustc knows is one if it is declared `mut`:
/// what it leads to can be written without that.
fn is_value(param: &Param) -> bool {
    match param.kind {
        ParamKind::Value => true,
        ParamKind::Argument | ParamKind::Tuple(_) => param.mutability.is_some(),
        ParamKind::Slice { .. }
        | ParamKind::Atomics { .. }
        | ParamKind::Reference { .. }
        | ParamKind::Capture(_)
        | ParamKind::Function(_)
        | ParamKind::Callable => false,
    }
}

/// The variable that a place is, or is a part of.
fn root(place: &Expr) -> Option<(u16, &syn::Ident)> {
    match &place.bare().kind {
        ExprKind::Local(local, name) => Some((*local, name)),
        ExprKind::Field(base, ..) | ExprKind::Deref(_, base) => root(base),
        ExprKind::Index(i) => root(&i.base),
        ExprKind::Subslice(s) => root(&s.base),
        _ => None,
    }
}

/// Whether a place is behind a reference.
fn leads_away(place: &Expr) -> bool {
    match &place.bare().kind {
        ExprKind::Deref(..) => true,
        ExprKind::Field(base, ..) => leads_away(base),
        ExprKind::Index(i) => leads_away(&i.base),
        _ => false,
    }
}

fn is_array(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Paren(t) => is_array(&t.elem),
        syn::Type::Group(t) => is_array(&t.elem),
        syn::Type::Array(_) => true,
        _ => false,
    }
}

fn written(at: Span, name: impl std::fmt::Display) -> Why {
    Why::new(at, format!("`{name}` may be written by other items meanwhile"))
}

fn shared(at: Span, name: impl std::fmt::Display) -> Why {
    Why::new(
        at,
        format!("`{name}` is in local memory, which other items may write meanwhile"),
    )
}

fn called(name: &syn::Ident) -> Why {
    Why::new(
        name.span(),
        format!("each item calls `{}` for itself", name.to_token_stream()),
    )
}
