//! What a part of a body uses, declares and changes.

use crate::parse::ast::*;
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What a part of a body has to do with what is around it. What stands in a `uniform(…)` is apart, because that is
/// evaluated before.
#[derive(Default)]
pub(super) struct Facts {
    /// The variables that it names, those of `uniform` left out.
    pub mentions: BTreeSet<u16>,
    /// The variables that it declares.
    pub declares: BTreeSet<u16>,
    /// The variables that it assigns, or borrows such that they may be written.
    pub assigns: BTreeSet<u16>,
    /// The names of all these variables: of two with one name, the second hides the first.
    pub names: HashSet<String>,
    /// Whether items wait in it for each other.
    pub waits: bool,
    /// Whether it may return from the kernel.
    pub returns: bool,
    /// Loops and blocks that it jumps to the end or the head of.
    jumps: BTreeSet<u16>,
    /// Loops and blocks in it.
    inner: BTreeSet<u16>,
    /// What `uniform` is called with.
    pub uniforms: Vec<Uniform>,
    /// Whether blocks are left out.
    without_blocks: bool,
}

/// A call of `uniform`: its node, by its address, and what its argument uses.
pub(super) struct Uniform {
    pub call: *const GroupCall,
    pub mentions: BTreeSet<u16>,
}

impl Facts {
    pub(super) fn of_statement(s: &Statement) -> Facts {
        let mut facts = Facts::default();
        facts.statement(s);
        facts
    }

    pub(super) fn of_expr(e: &Expr) -> Facts {
        let mut facts = Facts::default();
        facts.expr(e);
        facts
    }

    /// What decides how the bodies of a branch or loop run; of other expressions, nothing.
    pub(super) fn of_head(e: &Expr) -> Option<Facts> {
        Some(match &e.kind {
            ExprKind::If(i) => Facts::of_expr(&i.condition),
            ExprKind::Match(m) => Facts::of_expr(&m.value),
            ExprKind::While(_, _, condition) => Facts::of_expr(condition),
            ExprKind::For(_) | ExprKind::ForEach(_) => {
                let mut facts = Facts {
                    without_blocks: true,
                    ..Facts::default()
                };
                facts.expr(e);
                facts
            }
            _ => return None,
        })
    }

    /// What it and `other` do.
    pub(super) fn add(&mut self, other: Facts) {
        self.mentions.extend(other.mentions);
        self.declares.extend(other.declares);
        self.assigns.extend(other.assigns);
        self.names.extend(other.names);
        self.waits |= other.waits;
        self.returns |= other.returns;
        self.jumps.extend(other.jumps);
        self.inner.extend(other.inner);
        self.uniforms.extend(other.uniforms);
    }

    /// Whether it jumps to the end or head of something around it.
    pub(super) fn leaves(&self) -> bool {
        !self.jumps.is_subset(&self.inner)
    }

    /// All variables that it names.
    pub(super) fn all_mentions(&self) -> impl Iterator<Item = u16> {
        let uniforms = self.uniforms.iter().flat_map(|u| &u.mentions);
        self.mentions.iter().chain(uniforms).copied()
    }

    /// The variables that it changes and does not declare.
    pub(super) fn changes(&self) -> impl Iterator<Item = u16> {
        self.assigns.difference(&self.declares).copied()
    }

    fn named(&mut self, local: u16, name: &Ident) {
        self.mentions.insert(local);
        self.names.insert(name.to_string());
    }

    fn bind(&mut self, pattern: &Pattern) {
        pattern.each_binding(&mut |b| {
            self.declares.insert(b.local);
            self.names.insert(b.name.to_string());
        });
    }

    /// What is matched by a pattern that may borrow it.
    fn matched(&mut self, pattern: &Pattern, value: &Expr) {
        if pattern.borrows_uniquely() {
            self.written(value);
        }
        self.bind(pattern);
    }

    fn written(&mut self, place: &Expr) {
        self.assigns.extend(root(place));
    }

    fn iteration(&mut self, i: &Iteration) {
        match &i.source {
            Source::Elements(r) | Source::Chunks(r, _) | Source::Windows(r, _) if r.is_unique() => {
                self.written(&r.of);
            }
            Source::Borrowed(_, Some(_), of) => self.written(of),
            Source::Range { .. }
            | Source::Elements(_)
            | Source::Borrowed(..)
            | Source::Whole(_)
            | Source::Chunks(..)
            | Source::Windows(..) => {}
        }
        for step in &i.steps {
            if let Adaptor::Zip(other) = &step.adaptor {
                self.iteration(other);
            }
        }
    }
}

impl Visit for Facts {
    fn block(&mut self, block: &Block) {
        if !self.without_blocks {
            walk_block(self, block);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
        if let Statement::Let(l) = statement {
            match &l.init {
                Some((_, init)) => self.matched(&l.pattern, init),
                None => self.bind(&l.pattern),
            }
        }
    }

    fn closure(&mut self, closure: &ClosureExpr) {
        closure.inputs.iter().for_each(|(pattern, _)| self.bind(pattern));
        self.expr(&closure.body);
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Uniform(call, value) = &e.kind {
            let value = Facts::of_expr(value);
            self.waits = true;
            self.names.extend(value.names);
            self.uniforms.push(Uniform {
                call,
                mentions: value.mentions,
            });
            return;
        }
        if let ExprKind::Subgroup(s) = &e.kind {
            let mut given = Facts::default();
            s.args.iter().for_each(|e| given.expr(e));
            self.waits = true;
            self.names.extend(given.names);
            // What stands in its arguments is found before.
            self.uniforms.append(&mut given.uniforms);
            given.declares.iter().for_each(|local| {
                given.mentions.remove(local);
            });
            self.uniforms.push(Uniform {
                call: &s.call,
                mentions: given.mentions,
            });
            return;
        }
        walk_expr(self, e);
        match &e.kind {
            ExprKind::Local(local, name) => self.named(*local, name),
            ExprKind::CallClosure(c) => self.named(c.local, &c.name),
            ExprKind::CallParam(c) => self.named(c.local, &c.name),
            ExprKind::Function(FunctionValue {
                of: PassedOn::Parameter(local, name),
                ..
            }) => self.named(*local, name),
            ExprKind::Assign(place, ..) | ExprKind::AssignOp(_, _, place, _) => self.written(place),
            ExprKind::Reference(_, Some(_), place) => self.written(place),
            ExprKind::Method(m) if !m.is_believed_to_read() => self.written(&m.receiver),
            ExprKind::Let(_, pattern, _, value) => self.matched(pattern, value),
            ExprKind::Match(m) => {
                m.arms.iter().for_each(|arm| self.matched(&arm.pattern, &m.value));
            }
            ExprKind::While(l, ..) | ExprKind::Loop(l, _) => {
                self.inner.insert(l.number);
            }
            ExprKind::Block(Some((number, _)), _) => {
                self.inner.insert(*number);
            }
            ExprKind::For(f) => {
                self.bind(&f.pattern);
                self.inner.insert(f.head.number);
            }
            ExprKind::ForEach(f) => {
                self.bind(&f.pattern);
                self.iteration(&f.iterator);
                self.inner.insert(f.head.number);
            }
            ExprKind::Consume(c) => self.iteration(&c.iterator),
            ExprKind::Break(number, ..) | ExprKind::Continue(number, ..) => {
                self.jumps.insert(*number);
            }
            ExprKind::Return(..) => self.returns = true,
            ExprKind::Barrier(_) => self.waits = true,
            ExprKind::Together(t) => {
                self.waits = true;
                for argument in &t.args {
                    if let Argument::Value(local, name) = argument {
                        self.named(*local, name);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The variable that a place is in, as far as the syntax tells.
fn root(place: &Expr) -> Option<u16> {
    match &place.bare().kind {
        ExprKind::Local(local, _) => Some(*local),
        ExprKind::Field(base, ..) | ExprKind::Deref(_, base) => root(base),
        ExprKind::Index(i) => root(&i.base),
        ExprKind::Subslice(s) => root(&s.base),
        _ => None,
    }
}

/// How a variable is declared.
pub(super) struct Variable {
    pub name: Ident,
    pub mutable: bool,
    /// Of one that gets its value later.
    pub deferred: bool,
}

/// All variables of a kernel, its parameters among them.
pub(super) fn variables(f: &Function) -> BTreeMap<u16, Variable> {
    let mut all = All(BTreeMap::new());
    for (n, param) in f.params.iter().enumerate() {
        let variable = Variable {
            name: param.name.clone(),
            mutable: param.mutability.is_some(),
            deferred: false,
        };
        all.0.insert(n as u16, variable);
    }
    all.block(&f.body);
    all.0
}

struct All(BTreeMap<u16, Variable>);

impl All {
    fn bind(&mut self, pattern: &Pattern, deferred: bool) {
        pattern.each_binding(&mut |b| {
            let variable = Variable {
                name: b.name.clone(),
                mutable: b.mutability.is_some() && b.by_reference.is_none(),
                deferred,
            };
            self.0.insert(b.local, variable);
        });
    }
}

impl Visit for All {
    fn statement(&mut self, statement: &Statement) {
        if let Statement::Let(l) = statement {
            self.bind(&l.pattern, l.init.is_none());
        }
        walk_statement(self, statement);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Let(_, pattern, ..) => self.bind(pattern, false),
            ExprKind::Match(m) => m.arms.iter().for_each(|arm| self.bind(&arm.pattern, false)),
            ExprKind::For(f) => self.bind(&f.pattern, false),
            ExprKind::ForEach(f) => self.bind(&f.pattern, false),
            _ => {}
        }
        walk_expr(self, e);
    }
}
