//! The parts of expressions, in the order in which they are evaluated.

use crate::parse::ast::*;

/// A part of an expression.
pub(super) enum Node<'a> {
    Expr(&'a Expr),
    /// A place, and what is done to it besides reading it.
    Written(&'a Expr),
    Block(&'a Block),
    Pattern(&'a Pattern),
}

/// Calls `f` for each direct part of `e`.
pub(super) fn parts<'a>(e: &'a Expr, f: &mut dyn FnMut(Node<'a>)) {
    match &e.kind {
        ExprKind::Literal(_)
        | ExprKind::Unit(_)
        | ExprKind::Local(..)
        | ExprKind::Constant(..)
        | ExprKind::Function(_)
        | ExprKind::Barrier(_)
        | ExprKind::LocalArray(..)
        | ExprKind::Continue(..) => {}
        ExprKind::Paren(_, e)
        | ExprKind::Unary(_, _, e)
        | ExprKind::Overloadable(_, e)
        | ExprKind::Try(e, _)
        | ExprKind::Field(e, ..)
        | ExprKind::Deref(_, e)
        | ExprKind::Discard(_, _, e)
        | ExprKind::Uniform(_, e)
        | ExprKind::Reference(_, None, e) => f(Node::Expr(e)),
        ExprKind::Reference(_, Some(_), e) => f(Node::Written(e)),
        ExprKind::Binary(_, _, a, b) | ExprKind::Lazy(_, _, a, b) => {
            f(Node::Expr(a));
            f(Node::Expr(b));
        }
        ExprKind::Cast(c) => f(Node::Expr(&c.operand)),
        ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
            f(Node::Expr(value));
            f(Node::Written(place));
        }
        ExprKind::Tuple(_, all) | ExprKind::Array(_, all) => all.iter().for_each(|e| f(Node::Expr(e))),
        ExprKind::Repeat(r) => f(Node::Expr(&r.value)),
        ExprKind::Construct(c) => match &c.form {
            Form::Fields { fields, base, .. } => {
                fields.iter().for_each(|(_, e)| f(Node::Expr(e)));
                if let Some((_, base)) = base {
                    f(Node::Expr(base));
                }
            }
            Form::Call(_, args) => args.iter().for_each(|e| f(Node::Expr(e))),
            Form::Unit => {}
        },
        ExprKind::Index(i) => {
            f(Node::Expr(&i.base));
            f(Node::Expr(&i.index));
        }
        ExprKind::Subslice(s) => {
            f(Node::Expr(&s.base));
            s.start.iter().chain(&s.end).for_each(|e| f(Node::Expr(e)));
        }
        ExprKind::Method(m) => {
            f(if m.is_believed_to_read() {
                Node::Expr(&m.receiver)
            } else {
                Node::Written(&m.receiver)
            });
            m.args.iter().for_each(|e| f(Node::Expr(e)));
        }
        ExprKind::Call(c) => c.args.iter().for_each(|e| f(Node::Expr(e))),
        ExprKind::CallParam(c) => c.args.iter().for_each(|e| f(Node::Expr(e))),
        ExprKind::CallClosure(c) => c.args.iter().for_each(|e| f(Node::Expr(e))),
        ExprKind::If(i) => {
            f(Node::Expr(&i.condition));
            f(Node::Block(&i.then));
            if let Some((_, e)) = &i.otherwise {
                f(Node::Expr(e));
            }
        }
        ExprKind::Match(m) => {
            let written = m.arms.iter().any(|arm| arm.pattern.borrows_uniquely());
            f(used(written, &m.value));
            for arm in &m.arms {
                f(Node::Pattern(&arm.pattern));
                if let Some((_, guard)) = &arm.guard {
                    f(Node::Expr(guard));
                }
                f(Node::Expr(&arm.body));
            }
        }
        ExprKind::Let(_, pattern, _, value) => {
            f(used(pattern.borrows_uniquely(), value));
            f(Node::Pattern(pattern));
        }
        ExprKind::Block(_, b) | ExprKind::Unsafe(_, b) => f(Node::Block(b)),
        ExprKind::While(l, _, condition) => {
            f(Node::Expr(condition));
            f(Node::Block(&l.body));
        }
        ExprKind::Loop(l, _) => f(Node::Block(&l.body)),
        ExprKind::For(l) => {
            f(Node::Expr(&l.start));
            f(Node::Expr(&l.end));
            for op in &l.ops {
                if let RangeOp::StepBy(_, _, step) = op {
                    f(Node::Expr(step));
                }
            }
            f(Node::Pattern(&l.pattern));
            f(Node::Block(&l.head.body));
        }
        ExprKind::ForEach(l) => {
            iteration(&l.iterator, f);
            f(Node::Pattern(&l.pattern));
            f(Node::Block(&l.head.body));
        }
        ExprKind::Consume(c) => {
            iteration(&c.iterator, f);
            match &c.consumer {
                Consumer::Sum(_)
                | Consumer::Product(_)
                | Consumer::Count
                | Consumer::Min
                | Consumer::Max
                | Consumer::Last => {}
                Consumer::Fold(init, c) => {
                    f(Node::Expr(init));
                    closure(c, f);
                }
                Consumer::Any(c)
                | Consumer::All(c)
                | Consumer::Find(c)
                | Consumer::Position(c)
                | Consumer::ForEach(c) => closure(c, f),
            }
        }
        ExprKind::Closure(c) => closure(c, f),
        ExprKind::Panic(p) => p.shown.iter().for_each(|(_, e)| f(Node::Expr(e))),
        ExprKind::Break(_, _, _, value) | ExprKind::Return(_, value) => {
            if let Some(value) = value {
                f(Node::Expr(value));
            }
        }
    }
}

fn used(written: bool, e: &Expr) -> Node<'_> {
    if written { Node::Written(e) } else { Node::Expr(e) }
}

fn closure<'a>(c: &'a ClosureExpr, f: &mut dyn FnMut(Node<'a>)) {
    c.inputs.iter().for_each(|(pattern, _)| f(Node::Pattern(pattern)));
    f(Node::Expr(&c.body));
}

fn iteration<'a>(i: &'a Iteration, f: &mut dyn FnMut(Node<'a>)) {
    match &i.source {
        Source::Range { start, end, .. } => {
            f(Node::Expr(start));
            f(Node::Expr(end));
        }
        Source::Elements(r) => f(used(r.is_unique(), &r.of)),
        Source::Borrowed(_, mutability, of) => f(used(mutability.is_some(), of)),
        Source::Whole(all) => f(Node::Expr(all)),
        Source::Chunks(r, n) | Source::Windows(r, n) => {
            f(used(r.is_unique(), &r.of));
            f(Node::Expr(n));
        }
    }
    for step in &i.steps {
        match &step.adaptor {
            Adaptor::Rev | Adaptor::Enumerate | Adaptor::Copied => {}
            Adaptor::StepBy(n) | Adaptor::Skip(n) | Adaptor::Take(n) => f(Node::Expr(n)),
            Adaptor::Map(c) | Adaptor::Filter(c) => closure(c, f),
            Adaptor::Zip(other) => iteration(other, f),
        }
    }
}

/// The parts of a statement.
pub(super) fn statement<'a>(s: &'a Statement, f: &mut dyn FnMut(Node<'a>)) {
    match s {
        Statement::Let(l) => {
            if let Some((_, init)) = &l.init {
                f(used(l.pattern.borrows_uniquely(), init));
            }
            if let Some((_, block)) = &l.otherwise {
                f(Node::Block(block));
            }
            f(Node::Pattern(&l.pattern));
        }
        Statement::Expr(e, _) => f(Node::Expr(e)),
    }
}

/// The parts of a block.
pub(super) fn block<'a>(b: &'a Block, f: &mut dyn FnMut(Node<'a>)) {
    b.statements.iter().for_each(|s| statement(s, f));
    if let Some(tail) = &b.tail {
        f(Node::Expr(tail));
    }
}

/// The names that a pattern binds.
pub(super) fn bindings<'a>(pattern: &'a Pattern, f: &mut dyn FnMut(&'a Binding)) {
    match pattern {
        Pattern::Bind(binding, inner) => {
            f(binding);
            if let Some((_, inner)) = inner {
                bindings(inner, f);
            }
        }
        Pattern::Wild(_)
        | Pattern::Rest(_)
        | Pattern::Value(_)
        | Pattern::Range { .. }
        | Pattern::Unit(_) => {}
        Pattern::Paren(_, inner) | Pattern::Reference(_, _, inner) => bindings(inner, f),
        Pattern::Tuple(_, all)
        | Pattern::Array(_, all)
        | Pattern::TupleStruct(_, _, all)
        | Pattern::Or(all) => all.iter().for_each(|p| bindings(p, f)),
        Pattern::Struct { fields, .. } => fields.iter().for_each(|(_, p)| bindings(p, f)),
    }
}

/// The local whose memory a place is in, as far as the syntax tells.
pub(super) fn root(place: &Expr) -> Option<u16> {
    match &place.bare().kind {
        ExprKind::Local(local, _) => Some(*local),
        ExprKind::Field(e, ..) | ExprKind::Deref(_, e) => root(e),
        ExprKind::Index(i) => root(&i.base),
        ExprKind::Subslice(s) => root(&s.base),
        _ => None,
    }
}
