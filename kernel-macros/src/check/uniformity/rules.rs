//! What would leave items waiting is refused.

use super::{Uniformity, Why, waiting_in, waiting_in_block, waits_in, waits_in_block};
use crate::diagnostic::Errors;
use crate::parse::ast::*;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// Refuses barriers that only some items would reach.
pub(super) fn check(uniformity: &Uniformity) -> syn::Result<()> {
    let mut rules = Rules {
        of: uniformity,
        errors: Errors::default(),
    };
    let body = &uniformity.function.body;
    rules.block(body);
    rules.returns(body);
    rules.errors.check()
}

struct Rules<'u> {
    of: &'u Uniformity<'u>,
    errors: Errors,
}

impl Rules<'_> {
    fn error(&mut self, at: Span, message: String) {
        self.errors.push(syn::Error::new(at, message));
    }

    /// A block that all items of a group run, if it is theirs.
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(e) = &block.tail {
            self.effect(e);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let l = match statement {
            Statement::Let(l) => l,
            Statement::Expr(e, _) => return self.effect(e),
        };
        if let Some((_, init)) = &l.init {
            match (&init.bare().kind, l.pattern.as_name()) {
                (ExprKind::LocalArray(..), Some(_)) => {}
                (ExprKind::Together(t), Some(_)) => self.together(t),
                _ => self.expr(init),
            }
        }
        if let Some((_, otherwise)) = &l.otherwise {
            let why = l.init.as_ref().and_then(|(_, init)| self.of.value(init));
            if !self.refused(why, waiting_in_block(otherwise)) {
                self.block(otherwise);
            }
        }
    }

    /// What the items share, all of them pass alike.
    fn together(&mut self, t: &Together) {
        for argument in &t.args {
            match argument {
                Argument::Value(..) => {}
                Argument::Shared(e) => {
                    self.expr(e);
                    if let Some(why) = self.of.shared(e) {
                        let message = format!(
                            "a group function takes by reference what all items of a work-group share, a slice or a local \
                             array: {}; pass a value",
                            why.text
                        );
                        self.error(why.at, message);
                    }
                }
                Argument::Function(e) => {
                    self.expr(e);
                    if let Some(why) = self.of.captured(e) {
                        let message = format!(
                            "a closure that is passed to a group function uses only what is the same for all items of a \
                             work-group: {}",
                            why.text
                        );
                        self.error(why.at, message);
                    }
                }
            }
        }
    }

    /// Refuses barriers under a condition that differs; says whether it did.
    fn refused(&mut self, why: Option<Why>, waits: Option<&str>) -> bool {
        let (Some(Why { at, text }), Some(what)) = (why, waits) else {
            return false;
        };
        self.error(
            at,
            format!(
                "{what} stands under a condition that is not the same for all items of a work-group, and would wait for \
                 ever: {text}; move {} out, or make the condition the same with `uniform(…)`",
                if what == "a barrier" { "the barrier" } else { "it" }
            ),
        );
        true
    }

    /// An expression that is a statement.
    fn effect(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Paren(_, e) => self.effect(e),
            ExprKind::Barrier(_) => {}
            ExprKind::If(i) => {
                self.expr(&i.condition);
                let otherwise = i.otherwise.as_ref();
                let waits = waiting_in_block(&i.then).or_else(|| waiting_in(&otherwise?.1));
                if !self.refused(self.of.condition(e), waits) {
                    self.block(&i.then);
                    i.otherwise.iter().for_each(|(_, e)| self.effect(e));
                }
            }
            ExprKind::Match(m) => {
                self.expr(&m.value);
                for (_, guard) in m.arms.iter().filter_map(|arm| arm.guard.as_ref()) {
                    self.unconditional(guard, "in the guard of a `match`");
                }
                let waits = m.arms.iter().find_map(|arm| waiting_in(&arm.body));
                if !self.refused(self.of.condition(e), waits) {
                    m.arms.iter().for_each(|arm| self.effect(&arm.body));
                }
            }
            ExprKind::While(l, _, condition) => {
                self.expr(condition);
                self.looped(e, &l.body, waiting_in(condition));
            }
            ExprKind::Loop(l, _) => self.looped(e, &l.body, None),
            ExprKind::Block(Some(_), block) => self.looped(e, block, None),
            ExprKind::For(f) => {
                self.expr(&f.start);
                self.expr(&f.end);
                self.looped(e, &f.head.body, None);
            }
            ExprKind::ForEach(f) => self.looped(e, &f.head.body, None),
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => self.block(block),
            _ => self.expr(e),
        }
    }

    fn looped(&mut self, e: &Expr, body: &Block, waits: Option<&str>) {
        let waits = waits.or_else(|| waiting_in_block(body));
        if !self.refused(self.of.condition(e), waits) {
            self.block(body);
        }
    }

    /// An expression that is no statement.
    fn expr(&mut self, e: &Expr) {
        Inside {
            rules: self,
            conditional: None,
            effect: false,
        }
        .expr(e);
    }

    /// An expression in which `uniform` may not stand.
    fn unconditional(&mut self, e: &Expr, place: &'static str) {
        Inside {
            rules: self,
            conditional: Some(place),
            effect: false,
        }
        .expr(e);
    }

    /// Single items return only behind the last barrier, in the kernel's own block.
    fn returns(&mut self, body: &Block) {
        if self.of.function.group.is_some() {
            for (why, _) in &self.of.returns {
                let message = format!(
                    "single items may not return from a group function: {}; put what they skip under an `if`",
                    why.text
                );
                self.errors.push(syn::Error::new(why.at, message));
            }
            return;
        }
        let waits = |n: &usize| match body.statements.get(*n) {
            Some(Statement::Let(l)) => {
                l.init.as_ref().is_some_and(|(_, e)| waits_in(e))
                    || l.otherwise
                        .as_ref()
                        .is_some_and(|(_, block)| waits_in_block(block))
            }
            Some(Statement::Expr(e, _)) => waits_in(e),
            None => body.tail.as_ref().is_some_and(|e| waits_in(e)),
        };
        let last = (0..=body.statements.len()).rev().find(waits);
        let of = self.of;
        for (why, statement) in &of.returns {
            if last.is_some_and(|last| *statement <= last) {
                self.error(
                    why.at,
                    format!(
                        "single items return here, and a barrier behind it would wait for them for ever: {}; put what they \
                         skip under an `if`, or return behind the last barrier",
                        why.text
                    ),
                );
            }
        }
    }
}

/// Looks for calls that all items reach together, inside an expression.
struct Inside<'r, 'u> {
    rules: &'r mut Rules<'u>,
    /// Under what an expression stands that is not evaluated in any case.
    conditional: Option<&'static str>,
    /// Whether something was done before, whose order `uniform` would change.
    effect: bool,
}

impl Inside<'_, '_> {
    fn under(&mut self, place: &'static str, f: impl FnOnce(&mut Self)) {
        let outer = self.conditional;
        self.conditional = outer.or(Some(place));
        f(self);
        self.conditional = outer;
    }
}

impl Inside<'_, '_> {
    fn subgroup(&mut self, s: &SubgroupCall) {
        let (at, name) = (s.call.path.span(), s.function.name());
        let before = std::mem::replace(&mut self.effect, false);
        if let Some(place) = self.conditional {
            let message = format!(
                "`subgroup::{name}` is reached by all items of a work-group, and may not stand {place}: bind its value with a \
                 `let` before"
            );
            self.rules.error(at, message);
        } else if before {
            let message = format!(
                "what stands before it in this expression does more than to give a value: bind the value of \
                 `subgroup::{name}` with a `let` before"
            );
            self.rules.error(at, message);
        }
        s.args.iter().for_each(|e| self.expr(e));
        if std::mem::replace(&mut self.effect, before) {
            let message = format!(
                "what `subgroup::{name}` takes may do more than to give a value: bind it with a `let` before, and pass that"
            );
            self.rules.error(at, message);
        }
    }
}

const CONDITION: &str = "under a condition inside an expression";

impl Visit for Inside<'_, '_> {
    fn closure(&mut self, closure: &ClosureExpr) {
        self.under("in a closure", |s| s.expr(&closure.body));
    }

    fn block(&mut self, block: &Block) {
        self.under("in a block inside an expression", |s| walk_block(s, block));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Barrier(call) => self.rules.error(
                call.path.span(),
                "`barrier()` is a statement of its own, and here it stands inside an expression".into(),
            ),
            ExprKind::Together(t) => {
                let place = self.conditional.unwrap_or("inside an expression");
                let message = format!(
                    "`group!` is reached by all items of a work-group, and may not stand {place}: bind its value with a \
                     `let` before"
                );
                self.rules.error(t.path.span(), message);
            }
            ExprKind::LocalArray(call, _) => self.rules.error(
                call.path.span(),
                "a local array is the value of a `let` of its own: `let mut tile = local_array::<f32, 256>();`".into(),
            ),
            ExprKind::Uniform(call, value) => {
                let at = call.path.span();
                if let Some(place) = self.conditional {
                    let message = format!(
                        "`uniform` is reached by all items of a work-group, and may not stand {place}: bind its value \
                         with a `let` before"
                    );
                    self.rules.error(at, message);
                } else if self.effect {
                    let message = "what stands before it in this expression does more than to give a value: bind the value \
                                   of `uniform` with a `let` before";
                    self.rules.error(at, message.into());
                }
                self.under("in another `uniform`", |s| s.expr(value));
            }
            ExprKind::Subgroup(s) => self.subgroup(s),
            ExprKind::Lazy(_, _, a, b) => {
                self.expr(a);
                self.under(CONDITION, |s| s.expr(b));
            }
            ExprKind::If(i) => {
                self.expr(&i.condition);
                self.under(CONDITION, |s| {
                    walk_block(s, &i.then);
                    i.otherwise.iter().for_each(|(_, e)| s.expr(e));
                });
            }
            ExprKind::Match(m) => {
                self.expr(&m.value);
                self.under(CONDITION, |s| {
                    for arm in &m.arms {
                        arm.guard.iter().for_each(|(_, e)| s.expr(e));
                        s.expr(&arm.body);
                    }
                });
            }
            ExprKind::While(..) | ExprKind::Loop(..) | ExprKind::For(_) | ExprKind::ForEach(_) => {
                self.under("in a loop inside an expression", |s| walk_expr(s, e));
            }
            _ => walk_expr(self, e),
        }
        self.effect |= match &e.kind {
            ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::Reference(_, Some(_), _) => true,
            ExprKind::Method(m) => !m.is_believed_to_read(),
            _ => false,
        };
    }
}
