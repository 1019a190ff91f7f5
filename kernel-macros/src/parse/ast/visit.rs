//! Walks through a body, in the order of evaluation as far as a tree has one.

use super::*;

/// What looks at all of a body. By default each function goes on to what is inside.
pub(crate) trait Visit {
    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
    }

    fn block(&mut self, block: &Block) {
        walk_block(self, block);
    }

    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
    }

    fn closure(&mut self, closure: &ClosureExpr) {
        self.expr(&closure.body);
    }
}

pub(crate) fn walk_block<V: Visit + ?Sized>(v: &mut V, block: &Block) {
    block.statements.iter().for_each(|s| v.statement(s));
    block.tail.iter().for_each(|e| v.expr(e));
}

pub(crate) fn walk_statement<V: Visit + ?Sized>(v: &mut V, statement: &Statement) {
    match statement {
        Statement::Let(l) => {
            l.init.iter().for_each(|(_, e)| v.expr(e));
            l.otherwise.iter().for_each(|(_, block)| v.block(block));
        }
        Statement::Expr(e, _) => v.expr(e),
    }
}

pub(crate) fn walk_expr<V: Visit + ?Sized>(v: &mut V, e: &Expr) {
    match &e.kind {
        ExprKind::Literal(_)
        | ExprKind::Unit(_)
        | ExprKind::Local(..)
        | ExprKind::Constant(..)
        | ExprKind::Function(_)
        | ExprKind::Continue(..)
        | ExprKind::Barrier(_)
        | ExprKind::LocalArray(..) => {}
        ExprKind::Paren(_, e)
        | ExprKind::Unary(_, _, e)
        | ExprKind::Overloadable(_, e)
        | ExprKind::Field(e, ..)
        | ExprKind::Reference(_, _, e)
        | ExprKind::Deref(_, e)
        | ExprKind::Discard(_, _, e)
        | ExprKind::Let(_, _, _, e)
        | ExprKind::Try(e, _)
        | ExprKind::Uniform(_, e) => v.expr(e),
        ExprKind::Binary(_, _, a, b) | ExprKind::Lazy(_, _, a, b) => {
            v.expr(a);
            v.expr(b);
        }
        ExprKind::Cast(c) => v.expr(&c.operand),
        ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
            v.expr(value);
            v.expr(place);
        }
        ExprKind::Tuple(_, all) | ExprKind::Array(_, all) => all.iter().for_each(|e| v.expr(e)),
        ExprKind::Subgroup(s) => s.args.iter().for_each(|e| v.expr(e)),
        ExprKind::Repeat(r) => v.expr(&r.value),
        ExprKind::Construct(c) => match &c.form {
            Form::Fields { fields, base, .. } => {
                fields.iter().for_each(|(_, e)| v.expr(e));
                base.iter().for_each(|(_, e)| v.expr(e));
            }
            Form::Call(_, args) => args.iter().for_each(|e| v.expr(e)),
            Form::Unit => {}
        },
        ExprKind::Index(i) => {
            v.expr(&i.base);
            v.expr(&i.index);
        }
        ExprKind::Subslice(s) => {
            v.expr(&s.base);
            s.start.iter().chain(&s.end).for_each(|e| v.expr(e));
        }
        ExprKind::Method(m) => {
            v.expr(&m.receiver);
            m.args.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Together(t) => t.args.iter().for_each(|a| match a {
            Argument::Value(..) => {}
            Argument::Shared(e) | Argument::Function(e) => v.expr(e),
        }),
        ExprKind::Call(c) => c.args.iter().for_each(|e| v.expr(e)),
        ExprKind::CallParam(c) => c.args.iter().for_each(|e| v.expr(e)),
        ExprKind::CallClosure(c) => c.args.iter().for_each(|e| v.expr(e)),
        ExprKind::If(i) => {
            v.expr(&i.condition);
            v.block(&i.then);
            i.otherwise.iter().for_each(|(_, e)| v.expr(e));
        }
        ExprKind::Match(m) => {
            v.expr(&m.value);
            for arm in &m.arms {
                arm.guard.iter().for_each(|(_, e)| v.expr(e));
                v.expr(&arm.body);
            }
        }
        ExprKind::Block(_, block) | ExprKind::Unsafe(_, block) => v.block(block),
        ExprKind::While(l, _, condition) => {
            v.expr(condition);
            v.block(&l.body);
        }
        ExprKind::Loop(l, _) => v.block(&l.body),
        ExprKind::For(f) => {
            v.expr(&f.start);
            v.expr(&f.end);
            for op in &f.ops {
                if let RangeOp::StepBy(_, _, step) = op {
                    v.expr(step);
                }
            }
            v.block(&f.head.body);
        }
        ExprKind::ForEach(f) => {
            walk_iteration(v, &f.iterator);
            v.block(&f.head.body);
        }
        ExprKind::Consume(c) => {
            walk_iteration(v, &c.iterator);
            match &c.consumer {
                Consumer::Sum(_)
                | Consumer::Product(_)
                | Consumer::Count
                | Consumer::Min
                | Consumer::Max
                | Consumer::Last => {}
                Consumer::Fold(init, f) => {
                    v.expr(init);
                    v.closure(f);
                }
                Consumer::Any(f)
                | Consumer::All(f)
                | Consumer::Find(f)
                | Consumer::Position(f)
                | Consumer::ForEach(f) => v.closure(f),
            }
        }
        ExprKind::Closure(c) => v.closure(c),
        ExprKind::Break(_, _, _, value) | ExprKind::Return(_, value) => {
            value.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Panic(p) => p.shown.iter().for_each(|(_, e)| v.expr(e)),
    }
}

fn walk_iteration<V: Visit + ?Sized>(v: &mut V, i: &Iteration) {
    match &i.source {
        Source::Range { start, end, .. } => {
            v.expr(start);
            v.expr(end);
        }
        Source::Elements(r) => v.expr(&r.of),
        Source::Borrowed(_, _, of) | Source::Whole(of) => v.expr(of),
        Source::Chunks(r, n) | Source::Windows(r, n) => {
            v.expr(&r.of);
            v.expr(n);
        }
    }
    for step in &i.steps {
        match &step.adaptor {
            Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => {}
            Adaptor::StepBy(n) | Adaptor::Skip(n) | Adaptor::Take(n) => v.expr(n),
            Adaptor::Map(f) | Adaptor::Filter(f) => v.closure(f),
            Adaptor::Zip(other) => walk_iteration(v, other),
        }
    }
}

impl Pattern {
    /// Gives every name that it binds to `f`.
    pub(crate) fn each_binding(&self, f: &mut impl FnMut(&Binding)) {
        match self {
            Pattern::Wild(_)
            | Pattern::Rest(_)
            | Pattern::Value(_)
            | Pattern::Range { .. }
            | Pattern::Unit(_) => {}
            Pattern::Bind(binding, inner) => {
                f(binding);
                if let Some((_, inner)) = inner {
                    inner.each_binding(f);
                }
            }
            Pattern::Paren(_, inner) | Pattern::Reference(_, _, inner) => inner.each_binding(f),
            Pattern::Tuple(_, all)
            | Pattern::Array(_, all)
            | Pattern::TupleStruct(_, _, all)
            | Pattern::Or(all) => all.iter().for_each(|p| p.each_binding(f)),
            Pattern::Struct { fields, .. } => fields.iter().for_each(|(_, p)| p.each_binding(f)),
        }
    }
}
