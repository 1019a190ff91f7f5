//! Where the items' own variables are, of those that more than one region uses.
//!
//! What is computed of ids by pure operators is computed again where it is used. Everything else that lives across
//! regions has a slot: a region reads it from there when it begins, and writes it back when it ends.

use super::bounds::called_local_id;
use super::facts::{Facts, Variable, variables};
use super::plan::{Piece, Plan, Region, Step};
use crate::check::Uniformity;
use crate::parse::ast::*;
use gridfn_ir::tree::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

/// How the variables of a kernel are kept.
pub(in crate::expand) struct Layout {
    pub(super) variables: BTreeMap<u16, Variable>,
    /// Variables that have a slot.
    pub(super) slots: BTreeSet<u16>,
    /// Variables that are computed again.
    pub(super) again: BTreeSet<u16>,
    /// Parameters of a group function that its caller keeps.
    pub(super) passed: BTreeSet<u16>,
    /// Variables that each item has for itself.
    own: BTreeSet<u16>,
    /// Variables that lead to memory which the items share.
    shared: BTreeSet<u16>,
    /// Variables that are a local id, by its dimension.
    pub(super) local_ids: BTreeMap<u16, usize>,
}

impl Layout {
    /// Whether the variable is one for all items of a group.
    pub(super) fn is_common(&self, local: u16) -> bool {
        !self.own.contains(&local) && !self.shared.contains(&local)
    }
}

/// Finds a place for each variable.
pub(super) fn layout(f: &Function, uniformity: &Uniformity, plan: &Plan) -> Layout {
    let variables = variables(f);
    let own = variables.keys().copied().filter(|local| plan.is_own(*local));
    let own: BTreeSet<u16> = own.collect();
    let mut uses = Uses::default();
    uses.pieces(&plan.pieces);
    uses.kept.extend(f.group_result());
    // The caller keeps the arguments of a group function.
    let passed = |local: &u16| {
        let param = f.params.get(usize::from(*local));
        f.group.is_some() && param.is_some_and(|p| p.mutability.is_none())
    };
    let params = 0..f.params.len() as u16;
    let across = own.iter().copied().filter(|local| {
        params.contains(local) || uses.regions.get(local).is_some_and(|regions| regions.len() > 1)
    });
    let across: BTreeSet<u16> = across.filter(|local| !passed(local)).collect();
    let kept = own.iter().copied().filter(|local| uses.kept.contains(local));
    let (mut again, mut slots) = (BTreeSet::new(), kept.collect::<BTreeSet<u16>>());
    let mut pure = Pure {
        function: f,
        uniformity,
        variables: &variables,
        own: &own,
        changed: &uses.changed,
        lets: &uses.lets,
    };
    for local in across.into_iter().filter(|local| !uses.kept.contains(local)) {
        let mut needs = BTreeSet::new();
        if pure.local(local, &mut needs) {
            again.append(&mut needs);
        } else {
            slots.insert(local);
        }
    }
    slots.retain(|local| !again.contains(local));
    let passed = own.iter().copied().filter(passed).collect();
    let shared = variables.keys().copied();
    let shared = shared.filter(|local| uniformity.is_memory(*local)).collect();
    let local_ids = uses.lets.iter().filter_map(|(local, l)| {
        let stays = variables.get(local).is_some_and(|v| !v.mutable) && !uses.changed.contains(local);
        let (_, init) = l.init.as_ref().filter(|_| stays)?;
        Some((*local, called_local_id(f, init)?))
    });
    let local_ids = local_ids.collect();
    Layout {
        local_ids,
        variables,
        slots,
        again,
        passed,
        own,
        shared,
    }
}

/// Which regions use which variables.
#[derive(Default)]
struct Uses<'p> {
    count: usize,
    regions: BTreeMap<u16, BTreeSet<usize>>,
    /// What each item assigns or may write.
    changed: BTreeSet<u16>,
    /// The arguments and results of calls that all items make together.
    kept: BTreeSet<u16>,
    /// The `let`s that stand in regions themselves.
    lets: BTreeMap<u16, &'p Let>,
}

impl<'p> Uses<'p> {
    fn pieces(&mut self, pieces: &'p [Piece<'p>]) {
        for piece in pieces {
            match piece {
                Piece::Once(_, facts) => {
                    self.changed.extend(&facts.assigns);
                    self.uniforms(facts);
                }
                Piece::Barrier(_) => {}
                Piece::Call(l, call, facts) => {
                    self.kept.extend(call.args.iter().filter_map(Argument::value));
                    self.kept.extend(l.pattern.as_name().map(|b| b.local));
                    self.changed.extend(&facts.assigns);
                    self.uses(facts.mentions.union(&facts.declares).copied());
                }
                Piece::Region(region) => self.region(region),
                Piece::Split(e, bodies) => {
                    if let Some(head) = Facts::of_head(e) {
                        self.uniforms(&head);
                    }
                    bodies.iter().for_each(|body| self.pieces(body));
                }
                Piece::Else(l, body) => {
                    if let Some((_, init)) = &l.init {
                        self.uniforms(&Facts::of_expr(init));
                    }
                    self.pieces(body);
                }
            }
        }
    }

    fn uniforms(&mut self, facts: &Facts) {
        for uniform in &facts.uniforms {
            self.uses(uniform.mentions.iter().copied());
        }
    }

    fn uses(&mut self, locals: impl Iterator<Item = u16>) {
        for local in locals {
            self.regions.entry(local).or_default().insert(self.count);
        }
        self.count += 1;
    }

    fn region(&mut self, region: &'p Region<'p>) {
        let facts = &region.facts;
        self.uniforms(facts);
        self.changed.extend(&facts.assigns);
        self.uses(facts.mentions.union(&facts.declares).copied());
        for step in &region.steps {
            if let Some(l) = step.as_let()
                && let Some(binding) = l.pattern.as_name()
            {
                self.lets.insert(binding.local, l);
            }
        }
    }
}

/// What can be computed again: the value is the same, nothing else happens, and it costs next to nothing.
struct Pure<'l> {
    function: &'l Function,
    uniformity: &'l Uniformity<'l>,
    variables: &'l BTreeMap<u16, Variable>,
    own: &'l BTreeSet<u16>,
    changed: &'l BTreeSet<u16>,
    lets: &'l BTreeMap<u16, &'l Let>,
}

impl Pure<'_> {
    /// Whether a variable can; what it is computed from, and itself, is added to `needs`.
    fn local(&mut self, local: u16, needs: &mut BTreeSet<u16>) -> bool {
        let stays = self
            .variables
            .get(&local)
            .is_some_and(|v| !v.mutable && !v.deferred);
        if !stays || self.changed.contains(&local) || self.uniformity.is_memory(local) {
            return false;
        }
        if !self.own.contains(&local) {
            return true;
        }
        let Some(Let {
            init: Some((_, init)),
            otherwise: None,
            ..
        }) = self.lets.get(&local)
        else {
            return false;
        };
        needs.insert(local);
        self.expr(init, needs)
    }

    fn expr(&mut self, e: &Expr, needs: &mut BTreeSet<u16>) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Constant(..) => true,
            ExprKind::Local(local, _) => self.local(*local, needs),
            ExprKind::Paren(_, e) | ExprKind::Unary(_, _, e) => self.expr(e, needs),
            ExprKind::Cast(c) => self.expr(&c.operand, needs),
            ExprKind::Lazy(_, _, a, b) => self.expr(a, needs) && self.expr(b, needs),
            ExprKind::Binary(op, _, a, b) => {
                let faults = matches!(op, BinaryOp::Div | BinaryOp::Rem) && !is_positive(b);
                !faults && self.expr(a, needs) && self.expr(b, needs)
            }
            ExprKind::Call(c) => match &self.function.holes.links[usize::from(c.link)] {
                LinkHole::Index(_) => c.args.iter().all(is_dimension),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether it is a literal by which a division cannot fault.
fn is_positive(e: &Expr) -> bool {
    match &e.bare().kind {
        ExprKind::Literal(l) => l.minus.is_none() && !matches!(l.value, LiteralValue::Int(0)),
        _ => false,
    }
}

/// Whether an index function of this dimension cannot fault.
fn is_dimension(e: &Expr) -> bool {
    match &e.bare().kind {
        ExprKind::Literal(l) => l.minus.is_none() && matches!(l.value, LiteralValue::Int(0..3)),
        _ => false,
    }
}

/// What a region does first to a variable that has no value when it is declared.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum First {
    Nothing,
    /// It is assigned, before anything reads it.
    Assigned,
    /// It may be read, or be assigned under a condition.
    Read,
}

/// What the steps do first to the variable.
pub(super) fn first(steps: &[Step], local: u16) -> First {
    let mut walk = Walk {
        local,
        first: First::Nothing,
    };
    for step in steps {
        match step {
            Step::Statement(s) => walk.statement(s),
            Step::Effect(e) => walk.expr(e),
        }
    }
    walk.first
}

struct Walk {
    local: u16,
    first: First,
}

impl Walk {
    fn of(&self, f: impl FnOnce(&mut Walk)) -> First {
        let mut walk = Walk {
            local: self.local,
            first: First::Nothing,
        };
        f(&mut walk);
        walk.first
    }

    /// What branches do, of which one runs.
    fn branches(&mut self, all: &[First]) {
        self.first = match all {
            [] => First::Nothing,
            [one, rest @ ..] if rest.iter().all(|f| f == one) => *one,
            _ => First::Read,
        };
    }
}

impl Visit for Walk {
    fn closure(&mut self, closure: &ClosureExpr) {
        if self.first == First::Nothing && self.of(|w| w.expr(&closure.body)) != First::Nothing {
            self.first = First::Read;
        }
    }

    fn expr(&mut self, e: &Expr) {
        if self.first != First::Nothing {
            return;
        }
        match &e.kind {
            ExprKind::Local(local, _) if *local == self.local => self.first = First::Read,
            ExprKind::Assign(place, _, value) => {
                self.expr(value);
                match &place.bare().kind {
                    ExprKind::Local(local, _) if *local == self.local => {
                        if self.first == First::Nothing {
                            self.first = First::Assigned;
                        }
                    }
                    _ => self.expr(place),
                }
            }
            ExprKind::If(i) => {
                self.expr(&i.condition);
                if self.first == First::Nothing {
                    let then = self.of(|w| w.block(&i.then));
                    let otherwise = self.of(|w| i.otherwise.iter().for_each(|(_, e)| w.expr(e)));
                    self.branches(&[then, otherwise]);
                }
            }
            ExprKind::Match(m) => {
                self.expr(&m.value);
                if self.first == First::Nothing {
                    let arms = m.arms.iter().map(|arm| {
                        self.of(|w| {
                            arm.guard.iter().for_each(|(_, e)| w.expr(e));
                            w.expr(&arm.body);
                        })
                    });
                    let arms: Vec<First> = arms.collect();
                    self.branches(&arms);
                }
            }
            ExprKind::Lazy(_, _, a, b) => {
                self.expr(a);
                if self.first == First::Nothing && self.of(|w| w.expr(b)) != First::Nothing {
                    self.first = First::Read;
                }
            }
            ExprKind::While(..) | ExprKind::For(_) | ExprKind::ForEach(_) => {
                if self.of(|w| walk_expr(w, e)) != First::Nothing {
                    self.first = First::Read;
                }
            }
            _ => walk_expr(self, e),
        }
    }
}
