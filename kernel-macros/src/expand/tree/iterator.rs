//! Closures and iterators in the tree.

use super::Walk;
use crate::parse::ast::*;
use gridfn_ir::tree;

impl Walk<'_> {
    pub(super) fn closure(&self, c: &ClosureExpr) -> tree::Closure {
        tree::Closure {
            params: c
                .inputs
                .iter()
                .map(|(pattern, _)| self.pattern(pattern))
                .collect(),
            body: self.boxed(&c.body),
        }
    }

    pub(super) fn call_closure(&self, c: &CallClosure) -> tree::Expr {
        let args = c.args.iter().map(|a| self.expr(a)).collect();
        tree::Expr::CallClosure(self.number(c.local), args)
    }

    pub(super) fn for_each(&self, f: &ForEach) -> tree::Expr {
        tree::Expr::ForEach {
            label: f.head.number,
            pattern: self.pattern(&f.pattern),
            iterator: self.iterator(&f.iterator),
            body: self.block(&f.head.body),
        }
    }

    pub(super) fn consume(&self, c: &Consume) -> tree::Expr {
        let consumer = match &c.consumer {
            Consumer::Sum(hole) => tree::Consumer::Sum(tree::TypeRef::Hole(*hole)),
            Consumer::Product(hole) => tree::Consumer::Product(tree::TypeRef::Hole(*hole)),
            Consumer::Count => tree::Consumer::Count,
            Consumer::Min => tree::Consumer::Min,
            Consumer::Max => tree::Consumer::Max,
            Consumer::Last => tree::Consumer::Last,
            Consumer::Fold(init, f) => tree::Consumer::Fold(self.expr(init), self.closure(f)),
            Consumer::Any(f) => tree::Consumer::Any(self.closure(f)),
            Consumer::All(f) => tree::Consumer::All(self.closure(f)),
            Consumer::Find(f) => tree::Consumer::Find(self.closure(f)),
            Consumer::Position(f) => tree::Consumer::Position(self.closure(f)),
            Consumer::ForEach(f) => tree::Consumer::ForEach(self.closure(f)),
        };
        tree::Expr::Consume(Box::new(self.iterator(&c.iterator)), Box::new(consumer))
    }

    fn iterator(&self, i: &Iteration) -> tree::Iterator {
        let source = match &i.source {
            Source::Range {
                start, limits, end, ..
            } => tree::Iterator::Range {
                start: self.boxed(start),
                end: self.boxed(end),
                inclusive: matches!(limits, syn::RangeLimits::Closed(_)),
            },
            Source::Elements(r) => tree::Iterator::Elements(self.boxed(&r.of)),
            Source::Borrowed(_, _, of) => tree::Iterator::Elements(self.boxed(of)),
            Source::Whole(array) => tree::Iterator::Whole(self.boxed(array)),
            Source::Chunks(r, n) => {
                tree::Iterator::ChunksExact(self.boxed(&r.of), self.boxed(n), self.position(r.name.span()))
            }
            Source::Windows(r, n) => {
                tree::Iterator::Windows(self.boxed(&r.of), self.boxed(n), self.position(r.name.span()))
            }
        };
        i.steps.iter().fold(source, |inner, step| {
            let adaptor = match &step.adaptor {
                Adaptor::Zip(other) => {
                    return tree::Iterator::Zip(Box::new(inner), Box::new(self.iterator(other)));
                }
                Adaptor::Rev => tree::Adaptor::Rev,
                Adaptor::Enumerate => tree::Adaptor::Enumerate,
                Adaptor::Copied => tree::Adaptor::Copied,
                Adaptor::StepBy(n) => tree::Adaptor::StepBy(self.expr(n), self.position(step.name.span())),
                Adaptor::Skip(n) => tree::Adaptor::Skip(self.expr(n)),
                Adaptor::Take(n) => tree::Adaptor::Take(self.expr(n)),
                Adaptor::Map(f) => tree::Adaptor::Map(self.closure(f)),
                Adaptor::Filter(f) => tree::Adaptor::Filter(self.closure(f)),
            };
            tree::Iterator::Adapted(Box::new(inner), Box::new(adaptor))
        })
    }
}
