//! A safe kernel's work-items do not meet.
//!
//! A `fn` kernel may touch an element of a `&mut [T]` only at the item's own index: `global_id(0)` (the launch is then
//! refused in more than one dimension) or `global_linear_id()`, the same one for all accesses of that slice. Of a
//! `ViewMut<T, D>` some of the indices are the item's own ([`super::own`]). An own index is the call itself or an immutable
//! variable that is bound to it, without a conversion. That the name means gridfn's function, rustc confirms in the
//! instance (`expand::closure` emits the probe). Everything else is an `unsafe fn`, whose caller promises what the proof
//! would have shown.
//!
//! An element is a place, which may be borrowed, matched and handed on like any other: whoever gets it has no more than
//! that element. The slice itself is none: besides its elements, a safe kernel asks it for its length only. What only
//! rustc knows to be a slice, a field of an argument, is under the same rules once it is written somewhere; that it goes
//! nowhere else as a whole, rustc confirms too.
//!
//! Atomics are where items may meet: a `&[AtomicU32]` is used at any index, as it is on the host.

use super::own::{Indices, MOST_DIMENSIONS, Own};
use crate::diagnostic::Errors;
use crate::parse::ast::*;
use gridfn_ir::{Access, CoreMethod};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};

/// What the proof asks of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Proof {
    /// The dimensions that the grid has at most.
    pub dimensions: usize,
}

/// Proves that the items of a safe kernel do not meet.
pub(crate) fn ownership(f: &Function) -> syn::Result<Proof> {
    if f.unsafety.is_some() {
        return Ok(Proof {
            dimensions: MOST_DIMENSIONS,
        });
    }
    let remedy = "write `unsafe fn` if you know that no two work-items meet";
    prove(f, 1, remedy)
}

/// Proves that the items of a closure meet nowhere in a grid of its `dimensions`.
pub(crate) fn ownership_of_closure(f: &Function, dimensions: usize) -> syn::Result<()> {
    let remedy = "write `unsafe { |i| … }` around the closure if you know that no two work-items meet";
    prove(f, dimensions, remedy).map(|_| ())
}

fn prove(function: &Function, dimensions: usize, remedy: &'static str) -> syn::Result<Proof> {
    let mut walk = Walk {
        function,
        dimensions,
        remedy,
        own: HashMap::new(),
        written: HashSet::new(),
        used: HashMap::new(),
        errors: Errors::default(),
    };
    // The first walk finds what is written at all, the second asks for the indices.
    walk.statements(&function.body);
    let _of_the_first = std::mem::take(&mut walk.errors).check();
    walk.used.clear();
    walk.statements(&function.body);
    let dimensions = walk.used.values().map(Indices::dimensions).min();
    walk.errors.check()?;
    Ok(Proof {
        dimensions: dimensions.unwrap_or(MOST_DIMENSIONS),
    })
}

struct Walk<'f> {
    function: &'f Function,
    /// Those that the grid has at least.
    dimensions: usize,
    /// What the user may write instead.
    remedy: &'static str,
    /// Immutable variables that hold own indices.
    own: HashMap<u16, Indices>,
    /// The slices that are written somewhere.
    written: HashSet<String>,
    /// By which own indices each of them was accessed so far.
    used: HashMap<String, Indices>,
    errors: Errors,
}

/// What is done to a place.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Read,
    /// It is written, or borrowed so that it may be.
    Write,
}

fn use_by(pattern: &Pattern) -> Use {
    if pattern.borrows_uniquely() {
        Use::Write
    } else {
        Use::Read
    }
}

/// What the syntax tells of a parameter, or of a field of one.
enum View {
    /// A `&mut [T]`
    Unique,
    /// Nothing that could be written.
    Harmless,
    /// Only rustc knows.
    Unknown,
}

impl Visit for Walk<'_> {
    fn expr(&mut self, e: &Expr) {
        self.value(e);
    }

    fn block(&mut self, block: &Block) {
        self.statements(block);
    }
}

impl Walk<'_> {
    fn statements(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(l) => self.let_(l),
                Statement::Expr(e, _) => self.value(e),
            }
        }
        if let Some(e) = &block.tail {
            self.value(e);
        }
    }

    fn let_(&mut self, l: &Let) {
        let Some((_, init)) = &l.init else { return };
        match l.pattern.as_name() {
            Some(_) => self.value(init),
            None => self.place(init, use_by(&l.pattern)),
        }
        self.names(&l.pattern, init);
        if let Some((_, block)) = &l.otherwise {
            self.statements(block);
        }
    }

    /// Notes what names are bound to: also by `let (x, y) = (global_id(0), global_id(1));`.
    fn names(&mut self, pattern: &Pattern, value: &Expr) {
        match (pattern.bare(), &value.bare().kind) {
            (Pattern::Tuple(_, patterns), ExprKind::Tuple(_, values))
            | (Pattern::Array(_, patterns), ExprKind::Array(_, values))
                if patterns.len() == values.len() =>
            {
                // A rest may stand for one value, which it names none of.
                patterns.iter().zip(values).for_each(|(p, e)| self.names(p, e));
            }
            (pattern, _) => {
                if let Some(binding) = pattern.as_name().filter(|b| b.mutability.is_none()) {
                    self.own.insert(binding.local, self.indices(value));
                }
            }
        }
    }

    /// The id that an index is, if it is an item's own.
    fn own_index(&self, e: &Expr) -> Option<Own> {
        match &e.bare().kind {
            ExprKind::Local(local, _) => match self.own.get(local) {
                Some(Indices::One(own)) => *own,
                Some(Indices::Several(_)) | None => None,
            },
            ExprKind::Call(call) => match &self.function.holes.links[call.link as usize] {
                LinkHole::Index(name) => Own::call(&name.to_string(), &call.args),
                _ => None,
            },
            _ => None,
        }
    }

    /// What is known of an index, or of an array of indices.
    fn indices(&self, e: &Expr) -> Indices {
        match &e.bare().kind {
            ExprKind::Array(_, all) => Indices::Several(all.iter().map(|e| self.own_index(e)).collect()),
            ExprKind::Local(local, _) => self.own.get(local).cloned().unwrap_or(Indices::One(None)),
            _ => Indices::One(self.own_index(e)),
        }
    }

    fn view(&self, path: &FieldPath) -> View {
        let Some(param) = self.function.params.get(usize::from(path.local)) else {
            return View::Harmless;
        };
        match param.kind.part(&path.fields) {
            Some(ParamKind::Slice { access, .. }) => match access {
                Access::Unique => View::Unique,
                Access::Shared => View::Harmless,
            },
            Some(ParamKind::Capture(Mode::Unique)) => View::Unique,
            Some(
                ParamKind::Value
                | ParamKind::Atomics { .. }
                | ParamKind::Reference { .. }
                | ParamKind::Callable
                | ParamKind::Capture(_),
            ) => View::Harmless,
            Some(ParamKind::Argument | ParamKind::Tuple(_) | ParamKind::Function(_)) | None => View::Unknown,
        }
    }

    /// `path[index]`
    fn element(&mut self, path: &FieldPath, index: &Index, how: Use) {
        let name = path.text();
        if how == Use::Write {
            self.written.insert(name.clone());
        }
        // Nobody writes a slice but through its own name, because callers borrow it uniquely.
        let may_be_written = match self.view(path) {
            View::Unique => true,
            View::Harmless => false,
            View::Unknown => self.written.contains(&name),
        };
        if !may_be_written {
            return;
        }
        let indices = self.indices(&index.index);
        let before = self.used.get(&name);
        let common = before.map_or_else(|| indices.clone(), |before| before.common(&indices));
        if common.dimensions() >= self.dimensions {
            self.used.insert(name, common);
            return;
        }
        let message = match (
            indices.dimensions() >= self.dimensions && before.is_some(),
            indices,
        ) {
            (true, Indices::One(_)) => format!(
                "`{name}` is accessed at `global_id(0)` and at `global_linear_id()`, which are different elements when a \
                 range has a start: use one of them for all of `{name}`"
            ),
            (true, Indices::Several(_)) => format!(
                "the item's own indices stand in other places here than where `{name}` is accessed before, so this may be \
                 another work-item's element: access all of `{name}` alike"
            ),
            (false, Indices::One(_)) => format!(
                "this element of `{name}` may be another work-item's: a safe kernel accesses a `&mut [T]` at \
                 `global_id(0)` or `global_linear_id()`, or at a `let` without `mut` that is bound to one of them; {}",
                self.remedy
            ),
            (false, Indices::Several(_)) => format!(
                "this element of `{name}` may be another work-item's: a safe kernel accesses a `ViewMut` at the item's own \
                 indices, such as `{name}[[global_id(1), global_id(0)]]`, or at `let`s without `mut` that are bound to \
                 them; {}",
                self.remedy
            ),
        };
        self.errors.at(&index.source, message);
    }

    /// A slice as a whole or in part.
    fn whole(&mut self, path: &FieldPath, at: impl ToTokens) {
        let name = path.text();
        let remedy = self.remedy;
        let may_be_written = match self.view(path) {
            View::Unique => true,
            View::Harmless => false,
            View::Unknown => self.written.contains(&name),
        };
        if may_be_written {
            self.errors.at(
                at,
                format!(
                    "this reaches elements of `{name}` that may be other work-items': a safe kernel uses a `&mut [T]` by \
                     its own element and its length, `{name}[i]` and `{name}.len()`; {remedy}"
                ),
            );
        }
    }

    /// A place, or a value in the place of one.
    fn place(&mut self, e: &Expr, how: Use) {
        if let Some(path) = e.path() {
            // Of what only rustc knows, it confirms that it is no view.
            if let View::Unique = self.view(&path) {
                self.whole(&path, path.name);
            }
            return;
        }
        match &e.kind {
            ExprKind::Paren(_, inner) | ExprKind::Field(inner, ..) | ExprKind::Deref(_, inner) => {
                self.place(inner, how);
            }
            ExprKind::Index(index) => {
                self.value(&index.index);
                match index.base.path() {
                    Some(path) => self.element(&path, index, how),
                    None => self.place(&index.base, how),
                }
            }
            ExprKind::Subslice(part) => {
                part.start.iter().chain(&part.end).for_each(|e| self.value(e));
                match part.base.path() {
                    Some(path) => {
                        // What is shared on the host may be written through such a part, if rustc takes it for one.
                        if let (Use::Write, View::Unknown) = (how, self.view(&path)) {
                            self.written.insert(path.text());
                        }
                        self.whole(&path, &part.source);
                    }
                    None => self.place(&part.base, how),
                }
            }
            _ => self.value(e),
        }
    }

    /// What a method is called on. Of a slice it may be one that asks for its length. All methods of numbers, and
    /// core's others but some of slices, only read their receiver; a user's may write to it.
    fn receiver(&mut self, m: &Method) {
        let name = m.name.to_string();
        let how = if m.is_believed_to_read() {
            Use::Read
        } else {
            Use::Write
        };
        if CoreMethod::asks_for_size(&name) && m.receiver.path().is_some() {
            return;
        }
        match CoreMethod::of_slices(&name) {
            // What rustc takes for a view is read without its index.
            Some(Access::Shared) => self.elements(&m.receiver, false),
            Some(Access::Unique) | None => self.place(&m.receiver, how),
        }
    }

    /// An expression that is used as a value.
    fn value(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Literal(_)
            | ExprKind::Unit(_)
            | ExprKind::Constant(..)
            | ExprKind::Function(_)
            | ExprKind::Barrier(_)
            | ExprKind::LocalArray(..)
            | ExprKind::Paren(..)
            | ExprKind::Unary(..)
            | ExprKind::Overloadable(..)
            | ExprKind::Try(..)
            | ExprKind::Binary(..)
            | ExprKind::Lazy(..)
            | ExprKind::Cast(_)
            | ExprKind::Tuple(..)
            | ExprKind::Array(..)
            | ExprKind::Repeat(_)
            | ExprKind::Call(_)
            | ExprKind::CallParam(_)
            | ExprKind::CallClosure(_)
            | ExprKind::Uniform(..)
            | ExprKind::Together(_)
            | ExprKind::Subgroup(_)
            | ExprKind::If(_)
            | ExprKind::Block(..)
            | ExprKind::Unsafe(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::For(_)
            | ExprKind::Closure(_)
            | ExprKind::Panic(_)
            | ExprKind::Break(..)
            | ExprKind::Continue(..)
            | ExprKind::Return(..) => walk_expr(self, e),
            ExprKind::Local(..)
            | ExprKind::Field(..)
            | ExprKind::Index(_)
            | ExprKind::Subslice(_)
            | ExprKind::Deref(..) => self.place(e, Use::Read),
            ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
                self.value(value);
                self.place(place, Use::Write);
            }
            ExprKind::Discard(_, _, value) => self.place(value, Use::Read),
            ExprKind::Construct(c) => match &c.form {
                Form::Fields { fields, base, .. } => {
                    fields.iter().for_each(|(_, e)| self.value(e));
                    if let Some((_, base)) = base {
                        self.place(base, Use::Read);
                    }
                }
                Form::Call(_, args) => self.all(args),
                Form::Unit => {}
            },
            ExprKind::Reference(_, Some(_), place) => self.place(place, Use::Write),
            ExprKind::Reference(_, None, place) => self.place(place, Use::Read),
            ExprKind::Method(m) => {
                self.receiver(m);
                self.all(&m.args);
            }
            ExprKind::Match(m) => {
                let written = m.arms.iter().any(|arm| arm.pattern.borrows_uniquely());
                self.place(&m.value, if written { Use::Write } else { Use::Read });
                for arm in &m.arms {
                    if let Some((_, guard)) = &arm.guard {
                        self.value(guard);
                    }
                    self.value(&arm.body);
                }
            }
            ExprKind::Let(_, pattern, _, value) => self.place(value, use_by(pattern)),
            ExprKind::ForEach(f) => {
                self.iterator(&f.iterator);
                self.statements(&f.head.body);
            }
            ExprKind::Consume(c) => {
                self.iterator(&c.iterator);
                match &c.consumer {
                    Consumer::Sum(_)
                    | Consumer::Product(_)
                    | Consumer::Count
                    | Consumer::Min
                    | Consumer::Max
                    | Consumer::Last => {}
                    Consumer::Fold(init, f) => {
                        self.value(init);
                        self.value(&f.body);
                    }
                    Consumer::Any(f)
                    | Consumer::All(f)
                    | Consumer::Find(f)
                    | Consumer::Position(f)
                    | Consumer::ForEach(f) => self.value(&f.body),
                }
            }
        }
    }

    fn iterator(&mut self, i: &Iteration) {
        match &i.source {
            Source::Range { start, end, .. } => {
                self.value(start);
                self.value(end);
            }
            Source::Elements(r) => self.elements(&r.of, r.is_unique()),
            Source::Borrowed(_, mutability, of) => self.elements(of, mutability.is_some()),
            Source::Whole(all) => self.elements(all, false),
            Source::Chunks(r, n) | Source::Windows(r, n) => {
                self.elements(&r.of, r.is_unique());
                self.value(n);
            }
        }
        for step in &i.steps {
            match &step.adaptor {
                Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => {}
                Adaptor::StepBy(n) | Adaptor::Skip(n) | Adaptor::Take(n) => self.value(n),
                Adaptor::Map(f) | Adaptor::Filter(f) => self.value(&f.body),
                Adaptor::Zip(other) => self.iterator(other),
            }
        }
    }

    /// All elements of a slice, one after the other.
    fn elements(&mut self, of: &Expr, unique: bool) {
        let how = if unique { Use::Write } else { Use::Read };
        match of.path() {
            Some(path) => {
                if let (Use::Write, View::Unknown) = (how, self.view(&path)) {
                    self.written.insert(path.text());
                }
                self.whole(&path, of.path().map(|p| p.name.clone()));
            }
            None => self.place(of, how),
        }
    }

    fn all(&mut self, all: &[Expr]) {
        all.iter().for_each(|e| self.value(e));
    }
}
