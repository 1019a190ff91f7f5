//! `match`, `let` in conditions, and `?`.

use super::operand::Operand;
use super::{Exit, Lowered, Lowering, Stop};
use crate::Type;
use crate::tree::{self, Arm, Expr, LazyOp};
use crate::typed::{self, CompareOp, Stmt};

impl Lowering<'_> {
    /// `match value { … }`: a block that the first arm which matches leaves.
    pub(super) fn match_(&mut self, value: &Expr, arms: &[Arm]) -> Lowered<Operand> {
        let place = self.place(value)?;
        let exit = self.exit();
        let mut exit = Some(exit);
        let (body, end) = self.nested(|s| {
            for (n, arm) in arms.iter().enumerate() {
                let last = n + 1 == arms.len();
                let test = match (last, &arm.guard) {
                    // Nothing else is left.
                    (true, None) => None,
                    _ => s.test(&arm.pattern, &place)?,
                };
                match (test, &arm.guard) {
                    (None, None) => {
                        s.bind_pattern(&arm.pattern, &place, false)?;
                        return s.expr(&arm.body);
                    }
                    (test, guard) => {
                        let (block, _) = s.nested(|s| {
                            s.bind_pattern(&arm.pattern, &place, false)?;
                            match guard {
                                None => s.arm(&arm.body, &mut exit),
                                Some(guard) => s.guarded(guard, &arm.body, &mut exit),
                            }
                        })?;
                        match test {
                            Some(test) => s.builder.push(Stmt::If(test, block, vec![])),
                            None => s.builder.append(block),
                        }
                    }
                }
            }
            // Rust knows that an arm has matched.
            Err(Stop::Never)
        })?;
        match exit {
            Some(exit) => self.close_block(body, end, exit),
            None => Err(self.bug("a match without a way out")),
        }
    }

    /// The value of an arm, and the way out.
    fn arm(&mut self, body: &Expr, exit: &mut Option<Exit>) -> Lowered<()> {
        let operand = self.expr(body)?;
        if let Some(open) = exit.take() {
            *exit = Some(self.leave(open, operand)?);
        }
        Err(Stop::Never)
    }

    /// An arm with a guard, which may let the next arm have it.
    fn guarded(&mut self, guard: &Expr, body: &Expr, exit: &mut Option<Exit>) -> Lowered<()> {
        if !holds_let(guard) {
            let condition = self.condition(guard)?;
            let (block, _) = self.nested(|s| s.arm(body, exit))?;
            self.builder.push(Stmt::If(condition, block, vec![]));
            return Ok(());
        }
        let label = self.builder.label();
        let (block, _) = self.nested(|s| {
            s.pass(guard, label)?;
            s.arm(body, exit)
        })?;
        self.builder.push(Stmt::Block { label, body: block });
        Ok(())
    }

    /// `if let … { … } else …`, where the condition may be a chain.
    pub(super) fn if_let(
        &mut self,
        condition: &Expr,
        then: &tree::Block,
        otherwise: Option<&Expr>,
    ) -> Lowered<Operand> {
        let mut exit = Some(self.exit());
        let (body, end) = self.nested(|s| {
            let label = s.builder.label();
            let (block, _) = s.nested(|s| {
                s.pass(condition, label)?;
                let operand = s.block(then)?;
                if let Some(open) = exit.take() {
                    exit = Some(s.leave(open, operand)?);
                }
                Err::<(), _>(Stop::Never)
            })?;
            s.builder.push(Stmt::Block { label, body: block });
            match otherwise {
                Some(otherwise) => s.expr(otherwise),
                None => Ok(Operand::Unit),
            }
        })?;
        match exit {
            Some(exit) => self.close_block(body, end, exit),
            None => Err(self.bug("an `if let` without a way out")),
        }
    }

    /// Goes on if the condition holds, with the names that it binds; else leaves the loop or block of that label.
    pub(super) fn pass(&mut self, condition: &Expr, label: typed::Label) -> Lowered<()> {
        match condition {
            Expr::Lazy(LazyOp::And, a, b) if holds_let(condition) => {
                self.pass(a, label)?;
                self.pass(b, label)
            }
            Expr::Let(pattern, value) => {
                let place = self.place(value)?;
                if let Some(matches) = self.test(pattern, &place)? {
                    self.break_unless(matches, label);
                }
                self.bind_pattern(pattern, &place, false)
            }
            condition => {
                let condition = self.condition(condition)?;
                self.break_unless(condition, label);
                Ok(())
            }
        }
    }

    /// `value?`: the value of a `Some`, or the end of the function with a `None`.
    pub(super) fn try_(&mut self, value: &Expr) -> Lowered<Operand> {
        let place = self.place(value)?;
        let Some((def, tag)) = self.enum_at(&place)? else {
            return Err(self.bug("`?` of what is no `Option`"));
        };
        let numbers = ["None", "Some"].map(|name| def.variants.iter().position(|v| v.name == name));
        let [Some(none), Some(some)] = numbers else {
            return Err(self.error("`?` in a kernel is for `Option`"));
        };
        let discriminant = self.builder.constant(def.tag, def.variants[none].discriminant);
        let is_none = self.builder.compare(CompareOp::Eq, tag, discriminant);
        let (block, _) = self.nested(|s| {
            let Type::Enum(result) = s.frame.result else {
                return Err(s.bug("`?` in a function that gives no `Option`"));
            };
            let Some(none) = result.variants.iter().position(|v| v.name == "None") else {
                return Err(s.bug("`?` in a function that gives no `Option`"));
            };
            let none = s.variant(result, none, vec![])?;
            if let Some(exit) = s.frame.exit.take() {
                s.frame.exit = Some(s.leave(exit, none)?);
            }
            Err::<(), _>(Stop::Never)
        })?;
        self.builder.push(Stmt::If(is_none, block, vec![]));
        let inner = self.variant_field(&place, some, 0)?;
        self.load(&inner)
    }
}

/// Whether a condition has a `let` in it.
pub(super) fn holds_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(..) => true,
        Expr::Lazy(LazyOp::And, a, b) => holds_let(a) || holds_let(b),
        _ => false,
    }
}
