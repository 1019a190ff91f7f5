//! Which variables differ from item to item.

use super::{Uniformity, Why, root};
use crate::parse::ast::*;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Marks what differs, until there is no more.
pub(super) fn mark(uniformity: &mut Uniformity) {
    loop {
        let before = (uniformity.differs.len(), uniformity.left.len());
        uniformity.returns.clear();
        let function = uniformity.function;
        let mut marks = Marks {
            of: uniformity,
            statement: 0,
        };
        let block = &function.body;
        for (n, statement) in block.statements.iter().enumerate() {
            marks.statement = n;
            marks.common(statement, None);
        }
        marks.statement = block.statements.len();
        if let Some(e) = &block.tail {
            marks.effect(e, None);
        }
        if before == (uniformity.differs.len(), uniformity.left.len()) {
            return;
        }
    }
}

struct Marks<'u, 'f> {
    of: &'u mut Uniformity<'f>,
    /// The number of the statement in the kernel's block.
    statement: usize,
}

/// Under which condition something stands that differs, if it does.
type Control<'c> = Option<&'c Why>;

impl Marks<'_, '_> {
    /// Marks a variable.
    fn differs(&mut self, local: u16, text: String) {
        self.of.differs.entry(local).or_insert_with(|| text.into());
    }

    fn computed(&mut self, local: u16, name: &syn::Ident, why: &Why) {
        self.differs(
            local,
            format!("`{name}` is computed from what differs: {}", why.text),
        );
    }

    /// What a pattern binds differs if what is matched does.
    fn bind(&mut self, pattern: &Pattern, why: Option<&Why>) {
        let Some(why) = why else { return };
        pattern.each_binding(&mut |b| self.computed(b.local, &b.name, why));
    }

    /// What is matched, by a pattern that may borrow it.
    fn matched(&mut self, pattern: &Pattern, value: &Expr) {
        let why = match value.path() {
            Some(_) => self.of.memory(value),
            None => self.of.value(value),
        };
        self.bind(pattern, why.as_ref());
        if pattern.borrows_uniquely() {
            self.written(value);
        }
    }

    /// A place that is written by what nobody follows.
    fn written(&mut self, place: &Expr) {
        if let Some((local, name)) = root(place)
            && !self.of.is_memory(local)
        {
            self.differs(
                local,
                format!("`{name}` is written through a reference, by each item for itself"),
            );
        }
    }

    fn block(&mut self, block: &Block, control: Control) {
        for statement in &block.statements {
            self.common(statement, control);
        }
        if let Some(e) = &block.tail {
            self.effect(e, control);
        }
    }

    /// A statement that is common, if its conditions are.
    fn common(&mut self, statement: &Statement, control: Control) {
        let l = match statement {
            Statement::Let(l) => l,
            Statement::Expr(e, _) => return self.effect(e, control),
        };
        let Some((_, init)) = &l.init else { return };
        if let (Some(binding), ExprKind::Together(t)) = (l.pattern.as_name(), &init.bare().kind) {
            self.inside(init);
            let why = Why::new(t.path.span(), "each item has its own result of a group function");
            return self.computed(binding.local, &binding.name, &why);
        }
        if let (Some(binding), ExprKind::LocalArray(..)) = (l.pattern.as_name(), &init.bare().kind) {
            self.of.arrays.insert(binding.local);
            return;
        }
        self.inside(init);
        self.matched(&l.pattern, init);
        if let Some((_, otherwise)) = &l.otherwise {
            let why = self.of.value(init);
            self.block(otherwise, control.or(why.as_ref()));
        }
    }

    /// An expression that is a statement.
    fn effect(&mut self, e: &Expr, control: Control) {
        match &e.kind {
            ExprKind::Paren(_, e) | ExprKind::Overloadable(_, e) => self.effect(e, control),
            ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
                self.inside(value);
                self.inside(place);
                self.assigned(place, value, control);
            }
            ExprKind::If(i) => {
                self.inside(&i.condition);
                let why = self.of.condition(e);
                let control = control.or(why.as_ref());
                self.block(&i.then, control);
                if let Some((_, e)) = &i.otherwise {
                    self.effect(e, control);
                }
            }
            ExprKind::Match(m) => {
                self.inside(&m.value);
                for arm in &m.arms {
                    self.matched(&arm.pattern, &m.value);
                    arm.guard.iter().for_each(|(_, e)| self.inside(e));
                }
                let why = self.of.condition(e);
                let control = control.or(why.as_ref());
                m.arms.iter().for_each(|arm| self.effect(&arm.body, control));
            }
            ExprKind::While(l, _, condition) => {
                self.inside(condition);
                self.body(e, &l.body, control);
            }
            ExprKind::Loop(l, _) => self.body(e, &l.body, control),
            ExprKind::Block(Some(_), block) => self.body(e, block, control),
            ExprKind::For(f) => {
                self.inside(&f.start);
                self.inside(&f.end);
                for op in &f.ops {
                    if let RangeOp::StepBy(_, _, step) = op {
                        self.inside(step);
                    }
                }
                let why = self.of.range(f);
                self.bind(&f.pattern, why.as_ref());
                self.body(e, &f.head.body, control);
            }
            ExprKind::ForEach(f) => {
                let why = self.of.iteration(&f.iterator);
                Inside(self).iteration(&f.iterator);
                self.bind(&f.pattern, why.as_ref());
                self.body(e, &f.head.body, control);
            }
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => self.block(block, control),
            ExprKind::Break(label, token, _, value) => {
                value.iter().for_each(|e| self.inside(e));
                self.leaves(*label, token.span, control);
            }
            ExprKind::Continue(label, token, _) => self.leaves(*label, token.span, control),
            ExprKind::Return(token, _) => self.returns(token.span, control),
            _ => self.inside(e),
        }
    }

    /// The body of a loop or labelled block.
    fn body(&mut self, e: &Expr, block: &Block, control: Control) {
        let why = self.of.condition(e);
        self.block(block, control.or(why.as_ref()));
    }

    /// What is assigned at a place.
    fn assigned(&mut self, place: &Expr, value: &Expr, control: Control) {
        let Some((local, name)) = root(place) else { return };
        if self.of.is_memory(local) {
            return;
        }
        if let Some(why) = control {
            let text = format!(
                "`{name}` is assigned under a condition that differs: {}",
                why.text
            );
            return self.differs(local, text);
        }
        let why = self.of.value(value).or_else(|| self.index(place));
        if let Some(why) = why {
            self.computed(local, name, &why);
        }
    }

    /// Why the indices in a place differ, if they do.
    fn index(&self, place: &Expr) -> Option<Why> {
        match &place.bare().kind {
            ExprKind::Field(base, ..) | ExprKind::Deref(_, base) => self.index(base),
            ExprKind::Index(i) => self.of.value(&i.index).or_else(|| self.index(&i.base)),
            _ => None,
        }
    }

    /// A jump out of a loop or block, or to its next round.
    fn leaves(&mut self, label: u16, at: proc_macro2::Span, control: Control) {
        if let Some(why) = control {
            let text: Rc<str> = format!(
                "single items leave it, under a condition that differs: {}",
                why.text
            )
            .into();
            self.of.left.entry(label).or_insert(Why { at, text });
        }
    }

    fn returns(&mut self, at: proc_macro2::Span, control: Control) {
        if let Some(why) = control {
            let text = why.text.clone();
            self.of.returns.push((Why { at, text }, self.statement));
        }
    }

    /// An expression that is no statement: what it does besides giving a value, each item does for itself.
    fn inside(&mut self, e: &Expr) {
        Inside(self).expr(e);
    }
}

/// Looks for what is done inside expressions.
struct Inside<'m, 'u, 'f>(&'m mut Marks<'u, 'f>);

impl Inside<'_, '_, '_> {
    fn for_itself(&self, at: proc_macro2::Span) -> Why {
        Why::new(
            at,
            "it stands inside an expression, which each item runs for itself",
        )
    }

    fn iteration(&mut self, i: &Iteration) {
        match &i.source {
            Source::Elements(r) | Source::Chunks(r, _) | Source::Windows(r, _) if r.is_unique() => {
                self.0.written(&r.of);
            }
            Source::Borrowed(_, Some(_), of) => self.0.written(of),
            Source::Range { .. }
            | Source::Elements(_)
            | Source::Borrowed(..)
            | Source::Whole(_)
            | Source::Chunks(..)
            | Source::Windows(..) => {}
        }
        for step in &i.steps {
            match &step.adaptor {
                Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => {}
                Adaptor::StepBy(n) | Adaptor::Skip(n) | Adaptor::Take(n) => self.expr(n),
                Adaptor::Map(f) | Adaptor::Filter(f) => self.closure(f),
                Adaptor::Zip(other) => self.iteration(other),
            }
        }
    }
}

impl Visit for Inside<'_, '_, '_> {
    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
        if let Statement::Let(l) = statement
            && let Some((_, init)) = &l.init
        {
            self.0.matched(&l.pattern, init);
        }
    }

    fn closure(&mut self, closure: &ClosureExpr) {
        let why = Why::new(closure.open.span, "each call of a closure is an item's own");
        closure
            .inputs
            .iter()
            .for_each(|(p, _)| self.0.bind(p, Some(&why)));
        self.expr(&closure.body);
    }

    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
        let why = self.for_itself(e.span);
        match &e.kind {
            ExprKind::Assign(place, ..) | ExprKind::AssignOp(_, _, place, _) => {
                if let Some((local, name)) = root(place)
                    && !self.0.of.is_memory(local)
                {
                    let text =
                        format!("`{name}` is assigned inside an expression, which each item runs for itself");
                    self.0.differs(local, text);
                }
            }
            ExprKind::Reference(_, Some(_), place) => self.0.written(place),
            ExprKind::Method(m) if !m.is_believed_to_read() => self.0.written(&m.receiver),
            ExprKind::Let(_, pattern, _, value) => self.0.matched(pattern, value),
            ExprKind::Match(m) => m
                .arms
                .iter()
                .for_each(|arm| self.0.matched(&arm.pattern, &m.value)),
            ExprKind::For(f) => self.0.bind(&f.pattern, Some(&why)),
            ExprKind::ForEach(f) => {
                self.iteration(&f.iterator);
                self.0.bind(&f.pattern, Some(&why));
            }
            ExprKind::Consume(c) => self.iteration(&c.iterator),
            ExprKind::Break(label, ..) | ExprKind::Continue(label, ..) => {
                self.0.leaves(*label, e.span, Some(&why));
            }
            ExprKind::Return(..) => self.0.returns(e.span, Some(&why)),
            _ => {}
        }
    }
}
