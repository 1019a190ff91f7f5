//! How a body is split: what runs once for a group, and what each item runs for itself.

use super::facts::Facts;
use crate::check::Uniformity;
use crate::parse::ast::*;
use std::collections::BTreeSet;

/// A statement, or an expression in the place of one.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Statement(&'a Statement),
    Effect(&'a Expr),
}

impl<'a> Step<'a> {
    pub(super) fn facts(self) -> Facts {
        match self {
            Step::Statement(s) => Facts::of_statement(s),
            Step::Effect(e) => Facts::of_expr(e),
        }
    }

    /// The expression, if it is no `let`.
    fn effect(self) -> Option<&'a Expr> {
        match self {
            Step::Statement(Statement::Let(_)) => None,
            Step::Statement(Statement::Expr(e, _)) | Step::Effect(e) => Some(e),
        }
    }

    pub(super) fn as_let(self) -> Option<&'a Let> {
        match self {
            Step::Statement(Statement::Let(l)) => Some(l),
            Step::Statement(Statement::Expr(..)) | Step::Effect(_) => None,
        }
    }
}

/// A part of a body at the level of the group.
pub(super) enum Piece<'a> {
    /// Runs once for the group, as the user wrote it.
    Once(Step<'a>, Facts),
    Barrier(&'a GroupCall),
    Region(Region<'a>),
    /// Its condition is the same for all items, and its bodies are split; each is a branch, in the order of the source.
    Split(&'a Expr, Vec<Vec<Piece<'a>>>),
    /// A call that all items make together, and what its result is bound to.
    Call(&'a Let, &'a Together, Facts),
    /// A `let` whose `else` is split.
    Else(&'a Let, Vec<Piece<'a>>),
}

/// A loop over the items of the group.
pub(super) struct Region<'a> {
    pub steps: Vec<Step<'a>>,
    pub facts: Facts,
}

/// Splits a kernel's body.
pub(super) fn plan<'a>(f: &'a Function, uniformity: &'a Uniformity<'a>) -> Plan<'a> {
    let mut plan = Plan {
        uniformity,
        own: BTreeSet::new(),
        needed: BTreeSet::new(),
        pieces: vec![],
    };
    plan.find_needed(f);
    loop {
        let before = plan.own.len();
        plan.pieces = plan.list(&f.body, true);
        if plan.own.len() == before {
            return plan;
        }
    }
}

pub(super) struct Plan<'a> {
    uniformity: &'a Uniformity<'a>,
    /// Variables that are the same for all items, but of which each has its own.
    own: BTreeSet<u16>,
    /// Variables on whose values it depends where items wait.
    needed: BTreeSet<u16>,
    pub pieces: Vec<Piece<'a>>,
}

impl<'a> Plan<'a> {
    /// Whether each item has a variable of its own.
    pub(super) fn is_own(&self, local: u16) -> bool {
        self.own.contains(&local) || self.uniformity.local(local).is_some()
    }

    /// The pieces of a block. The outermost is the kernel's own, where single items may return behind the last barrier.
    fn list(&mut self, block: &'a Block, outermost: bool) -> Vec<Piece<'a>> {
        let statements = block.statements.iter().map(Step::Statement);
        let tail = block.tail.iter().map(|e| Step::Effect(e));
        let mut split = Split::default();
        for (n, step) in statements.chain(tail).enumerate() {
            split.left |= outermost && self.uniformity.single_items_return(n);
            self.step(step, &mut split);
        }
        split.flush();
        split.pieces
    }

    fn effect(&mut self, e: &'a Expr) -> Vec<Piece<'a>> {
        let mut split = Split::default();
        self.step(Step::Effect(e), &mut split);
        split.flush();
        split.pieces
    }

    fn step(&mut self, step: Step<'a>, split: &mut Split<'a>) {
        let facts = step.facts();
        if !split.left && self.is_common(step, &facts) {
            return self.common(step, facts, split);
        }
        // What each item runs is done to its own variables. Behind the last barrier these are copies.
        if !split.left {
            let changed = facts.changes().chain(facts.declares.iter().copied());
            self.own
                .extend(changed.filter(|local| !self.uniformity.is_memory(*local)));
        }
        split.each(step, facts);
    }

    fn is_common(&self, step: Step<'a>, facts: &Facts) -> bool {
        let common = match step {
            Step::Statement(s) => self.uniformity.is_common(s),
            Step::Effect(e) => self.uniformity.is_common_effect(e),
        };
        if !common {
            return false;
        }
        if step.as_let().is_some_and(|l| l.calls_together().is_some()) {
            return true;
        }
        match step.effect() {
            Some(e) if !is_simple(e) => {
                // All items would do the same to a variable that is needed nowhere else, but better in rounds of their
                // own than in a region for each round.
                facts.waits
                    || facts.returns
                    || facts.leaves()
                    || self.runs_once(step, facts)
                    || facts.changes().any(|local| self.needed.contains(&local))
            }
            Some(_) => !facts.mentions.iter().any(|local| self.is_own(*local)),
            None => {
                let mut all = facts.mentions.iter().chain(&facts.declares);
                !all.any(|local| self.is_own(*local))
            }
        }
    }

    /// Whether a common statement has nothing in it that each item does for itself.
    fn runs_once(&self, step: Step<'a>, facts: &Facts) -> bool {
        if facts
            .all_mentions()
            .chain(facts.declares.iter().copied())
            .any(|l| self.own.contains(&l))
        {
            return false;
        }
        match step.effect() {
            None => true,
            Some(e) => self.once_expr(e),
        }
    }

    fn once_block(&self, block: &'a Block) -> bool {
        let mut statements = block.statements.iter();
        statements.all(|s| self.once(Step::Statement(s)))
            && block.tail.as_ref().is_none_or(|e| self.once(Step::Effect(e)))
    }

    fn once(&self, step: Step<'a>) -> bool {
        let common = match step {
            Step::Statement(Statement::Expr(e, _)) | Step::Effect(e) => self.once_expr(e),
            Step::Statement(s @ Statement::Let(l)) => {
                l.calls_together().is_none() && self.uniformity.is_common(s)
            }
        };
        common
            && !matches!(step.as_let(), Some(Let { otherwise: Some((_, block)), .. }) if !self.once_block(block))
    }

    fn once_expr(&self, e: &'a Expr) -> bool {
        match &e.kind {
            ExprKind::Paren(_, e) | ExprKind::Overloadable(_, e) => self.once_expr(e),
            ExprKind::Barrier(_) | ExprKind::Together(_) => false,
            ExprKind::If(i) => {
                self.uniformity.condition(e).is_none()
                    && self.once_block(&i.then)
                    && i.otherwise.as_ref().is_none_or(|(_, e)| self.once_expr(e))
            }
            ExprKind::Match(m) => {
                self.uniformity.condition(e).is_none() && m.arms.iter().all(|arm| self.once_expr(&arm.body))
            }
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => self.once_block(block),
            ExprKind::Block(Some(_), block) => {
                self.uniformity.condition(e).is_none() && self.once_block(block)
            }
            ExprKind::While(l, ..) | ExprKind::Loop(l, _) => {
                self.uniformity.condition(e).is_none() && self.once_block(&l.body)
            }
            ExprKind::For(f) => self.uniformity.condition(e).is_none() && self.once_block(&f.head.body),
            ExprKind::ForEach(f) => self.uniformity.condition(e).is_none() && self.once_block(&f.head.body),
            ExprKind::Break(_, _, _, None) | ExprKind::Continue(..) | ExprKind::Return(_, None) => true,
            ExprKind::Assign(..) | ExprKind::AssignOp(..) => self.uniformity.is_common_effect(e),
            _ => self.uniformity.value(e).is_none(),
        }
    }

    /// What all items run alike.
    fn common(&mut self, step: Step<'a>, facts: Facts, split: &mut Split<'a>) {
        if let Some((l, call)) = step.as_let().and_then(|l| Some((l, l.calls_together()?))) {
            split.flush();
            return split.pieces.push(Piece::Call(l, call, facts));
        }
        let Some(e) = step.effect() else {
            return match step.as_let() {
                Some(
                    l @ Let {
                        otherwise: Some((_, block)),
                        ..
                    },
                ) if !self.once_block(block) => {
                    split.flush();
                    let pieces = self.list(block, false);
                    split.pieces.push(Piece::Else(l, pieces));
                }
                _ => split.once(step, facts),
            };
        };
        if let ExprKind::Barrier(call) = &e.bare().kind {
            split.flush();
            return split.pieces.push(Piece::Barrier(call));
        }
        if is_simple(e) || self.runs_once(step, &facts) {
            return split.once(step, facts);
        }
        split.flush();
        let e = e.bare();
        let bodies = match &e.kind {
            ExprKind::If(i) => {
                let mut bodies = vec![self.list(&i.then, false)];
                bodies.extend(i.otherwise.iter().map(|(_, e)| self.branch(e)));
                bodies
            }
            ExprKind::Match(m) => m.arms.iter().map(|arm| self.branch(&arm.body)).collect(),
            ExprKind::Block(_, block) | ExprKind::Unsafe(_, block) => vec![self.list(block, false)],
            ExprKind::While(l, ..) | ExprKind::Loop(l, _) => vec![self.list(&l.body, false)],
            ExprKind::For(f) => vec![self.list(&f.head.body, false)],
            ExprKind::ForEach(f) => vec![self.list(&f.head.body, false)],
            _ => unreachable!("simple expressions are not split"),
        };
        split.pieces.push(Piece::Split(e, bodies));
    }

    /// What stands behind `else` or `=>`.
    fn branch(&mut self, e: &'a Expr) -> Vec<Piece<'a>> {
        match &e.kind {
            ExprKind::Block(None, block) => self.list(block, false),
            _ => self.effect(e),
        }
    }

    /// Finds the variables on which it depends where items wait: those of conditions over a barrier, and all that these
    /// are computed from.
    fn find_needed(&mut self, f: &Function) {
        loop {
            let before = self.needed.len();
            Needed {
                needed: &mut self.needed,
                together: BTreeSet::new(),
                conditions: vec![],
            }
            .block(&f.body);
            if self.needed.len() == before {
                return;
            }
        }
    }
}

/// Whether an expression has no statements in it.
fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Paren(_, e) => is_simple(e),
        ExprKind::If(_)
        | ExprKind::Match(_)
        | ExprKind::Block(..)
        | ExprKind::Unsafe(..)
        | ExprKind::While(..)
        | ExprKind::Loop(..)
        | ExprKind::For(_)
        | ExprKind::ForEach(_) => false,
        _ => true,
    }
}

struct Needed<'n> {
    needed: &'n mut BTreeSet<u16>,
    /// Loops and blocks that all items leave together: because they wait in there, or change what is needed.
    together: BTreeSet<u16>,
    /// What the conditions around a statement mention.
    conditions: Vec<u16>,
}

impl Needed<'_> {
    /// Variables of this expression decide how what is in `f` runs.
    fn under(&mut self, condition: &Facts, f: impl FnOnce(&mut Self)) {
        let before = self.conditions.len();
        self.conditions.extend(condition.all_mentions());
        f(self);
        self.conditions.truncate(before);
    }

    /// A statement that sets variables from others.
    fn sets(&mut self, facts: &Facts) {
        let sets = |local: &u16| self.needed.contains(local);
        if facts.assigns.iter().chain(&facts.declares).any(sets) {
            self.needed.extend(facts.all_mentions());
            self.needed.extend(self.conditions.iter().copied());
        }
    }
}

impl Visit for Needed<'_> {
    fn statement(&mut self, s: &Statement) {
        if let Statement::Let(l) = s {
            self.sets(&Facts::of_statement(s));
            if let (Some((_, init)), Some((_, block))) = (&l.init, &l.otherwise) {
                return self.under(&Facts::of_expr(init), |n| n.block(block));
            }
        }
        walk_statement(self, s);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(..) | ExprKind::AssignOp(..) => self.sets(&Facts::of_expr(e)),
            ExprKind::Break(label, ..) | ExprKind::Continue(label, ..) if !self.together.contains(label) => {}
            ExprKind::Together(t) => {
                // What a parameter that is uniform gets, the group has once.
                self.needed.extend(t.args.iter().filter_map(Argument::value));
                self.needed.extend(self.conditions.iter().copied());
            }
            ExprKind::Barrier(_)
            | ExprKind::Uniform(..)
            | ExprKind::Subgroup(_)
            | ExprKind::Break(..)
            | ExprKind::Continue(..)
            | ExprKind::Return(..) => self.needed.extend(self.conditions.iter().copied()),
            _ => {}
        }
        if let Some(label) = label(e) {
            let facts = Facts::of_expr(e);
            if facts.waits || facts.changes().any(|local| self.needed.contains(&local)) {
                self.together.insert(label);
            }
        }
        match Facts::of_head(e) {
            Some(condition) => self.under(&condition, |n| walk_expr(n, e)),
            None => walk_expr(self, e),
        }
    }
}

/// The number of a loop or labelled block.
fn label(e: &Expr) -> Option<u16> {
    match &e.kind {
        ExprKind::While(l, ..) | ExprKind::Loop(l, _) => Some(l.number),
        ExprKind::For(f) => Some(f.head.number),
        ExprKind::ForEach(f) => Some(f.head.number),
        ExprKind::Block(Some((number, _)), _) => Some(*number),
        _ => None,
    }
}

/// A list that is being split.
#[derive(Default)]
struct Split<'a> {
    pieces: Vec<Piece<'a>>,
    /// What each item runs, since the last piece.
    pending: Option<Region<'a>>,
    /// Whether single items may have returned: then each runs all of the rest.
    left: bool,
}

impl<'a> Split<'a> {
    fn flush(&mut self) {
        self.pieces.extend(self.pending.take().map(Piece::Region));
    }

    fn each(&mut self, step: Step<'a>, facts: Facts) {
        if facts.waits {
            self.flush();
        }
        match &mut self.pending {
            Some(region) => {
                region.steps.push(step);
                region.facts.add(facts);
            }
            None => {
                self.pending = Some(Region {
                    steps: vec![step],
                    facts,
                });
            }
        }
    }

    /// What runs once goes before what each item runs, if nothing there asks for what it sets, or has its name.
    fn once(&mut self, step: Step<'a>, facts: Facts) {
        let mut names = vec![];
        if let Some(l) = step.as_let() {
            l.pattern.each_binding(&mut |b| names.push(b.name.to_string()));
        }
        let stays = facts.waits || facts.returns || facts.leaves();
        let apart = |region: &Region| {
            let mut sets = facts.assigns.iter().chain(&facts.declares);
            !stays
                && sets.all(|local| !region.facts.mentions.contains(local))
                && names.iter().all(|name| !region.facts.names.contains(name))
        };
        if !self.pending.as_ref().is_none_or(apart) {
            self.flush();
        }
        self.pieces.push(Piece::Once(step, facts));
    }
}
