//! Group functions: what differs in them, and what callers may pass by reference.

use super::{Uniformity, Why, is_value};
use crate::parse::ast::*;
use std::collections::HashSet;

/// Of what a group function takes, each item passes its own, and gets its own result.
pub(super) fn arguments_differ(uniformity: &mut Uniformity) {
    let Some(group) = uniformity.function.group else {
        return;
    };
    let params = (0..).zip(&uniformity.function.params);
    for (local, param) in params.filter(|(_, p)| is_value(p) && !p.uniform) {
        let name = &param.name;
        let text =
            format!("`{name}` is an argument that each item passes for itself: declare it `#[uniform]`");
        uniformity.differs.insert(local, text.into());
    }
    if let Some(result) = group.result {
        let text = "each item has its own result of a group function";
        uniformity.differs.insert(result, text.into());
    }
}

impl Uniformity<'_> {
    /// Why what is passed to a group function by reference is not what all items share, if so.
    pub(super) fn shared(&self, e: &Expr) -> Option<Why> {
        match &e.bare().kind {
            ExprKind::Local(local, name) => self.place_shared(*local, name),
            ExprKind::Reference(_, _, place) => self.shared(place),
            ExprKind::Field(base, ..) => self.shared(base),
            ExprKind::Deref(_, base) => self.shared(base),
            ExprKind::Index(i) => self.shared(&i.base).or_else(|| self.value(&i.index)),
            ExprKind::Subslice(s) => {
                let mut bounds = s.start.iter().chain(&s.end);
                self.shared(&s.base)
                    .or_else(|| bounds.find_map(|e| self.value(e)))
            }
            _ => Some(Why::new(e.span, "this is a value of each item's own")),
        }
    }

    fn place_shared(&self, local: u16, name: &syn::Ident) -> Option<Why> {
        if self.is_memory(local) {
            return None;
        }
        let text = format!("`{name}` is a variable of each item's own");
        Some(Why::new(name.span(), text))
    }

    /// Why a function that is passed on differs from item to item, if it does.
    pub(super) fn captured(&self, e: &Expr) -> Option<Why> {
        let ExprKind::Closure(closure) = &e.bare().kind else {
            return None;
        };
        let mut captured = Captured {
            of: self,
            own: HashSet::new(),
            why: None,
        };
        captured.closure(closure);
        captured.why
    }
}

/// Looks for what differs in a closure that is not its own.
struct Captured<'u> {
    of: &'u Uniformity<'u>,
    own: HashSet<u16>,
    why: Option<Why>,
}

impl Captured<'_> {
    fn found(&mut self, why: Option<Why>) {
        if self.why.is_none() {
            self.why = why;
        }
    }
}

impl Visit for Captured<'_> {
    fn statement(&mut self, statement: &Statement) {
        if let Statement::Let(l) = statement {
            l.pattern.each_binding(&mut |b| {
                self.own.insert(b.local);
            });
        }
        walk_statement(self, statement);
    }

    fn closure(&mut self, closure: &ClosureExpr) {
        for (pattern, _) in &closure.inputs {
            pattern.each_binding(&mut |b| {
                self.own.insert(b.local);
            });
        }
        self.expr(&closure.body);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(local, name) if !self.own.contains(local) => {
                let why = self.of.variable(*local, name);
                self.found(why);
            }
            ExprKind::Let(_, pattern, ..) => pattern.each_binding(&mut |b| {
                self.own.insert(b.local);
            }),
            ExprKind::Match(m) => m.arms.iter().for_each(|arm| {
                arm.pattern.each_binding(&mut |b| {
                    self.own.insert(b.local);
                });
            }),
            ExprKind::For(f) => f.pattern.each_binding(&mut |b| {
                self.own.insert(b.local);
            }),
            ExprKind::ForEach(f) => f.pattern.each_binding(&mut |b| {
                self.own.insert(b.local);
            }),
            ExprKind::Call(c)
                if matches!(
                    self.of.function.holes.links[usize::from(c.link)],
                    LinkHole::Index(_)
                ) =>
            {
                let why = self.of.call(c);
                self.found(why);
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}
