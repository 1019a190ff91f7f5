//! A safe kernel's work-items do not meet.
//!
//! A `fn` kernel may touch an element of a `&mut [T]` only at the item's own index: `global_id(0)` (the launch is then
//! refused in more than one dimension) or `global_linear_id()`, the same one for all accesses of that slice. The
//! index is the call itself or an immutable variable that is bound to it, without a conversion. That the name means
//! gridfn's function, rustc confirms in the instance (`expand::closure` emits the probe). Everything else is an
//! `unsafe fn`, whose caller promises what the proof would have shown.

use crate::diagnostic::Errors;
use crate::parse::ast::*;
use gridfn_ir::Access;
use std::collections::{HashMap, HashSet};

/// What the proof asks of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Proof {
    /// The grid has one dimension at most.
    pub one_dimensional: bool,
}

/// An index that is one item's own.
#[derive(Clone, Copy, PartialEq)]
enum Own {
    Global0,
    Linear,
}

/// Proves that the items of a safe kernel do not meet.
pub(crate) fn ownership(f: &Function) -> syn::Result<Proof> {
    if f.unsafety.is_some() {
        return Ok(Proof::default());
    }
    let remedy = "write `unsafe fn` if you know that no two work-items meet";
    prove(f, 1, remedy)
}

/// Proves that the items of a closure meet nowhere in a grid of its `dimensions`.
pub(crate) fn ownership_of_closure(f: &Function, dimensions: usize) -> syn::Result<()> {
    let remedy = "write `unsafe { |i| … }` around the closure if you know that no two work-items meet";
    prove(f, dimensions, remedy).map(|_| ())
}

fn prove(function: &Function, dimensions: usize, remedy: &'static str) -> syn::Result<Proof> {
    let mut walk = Walk {
        function,
        dimensions,
        remedy,
        own: HashMap::new(),
        written: HashSet::new(),
        used: HashMap::new(),
        errors: Errors::default(),
    };
    // The first walk finds what is written at all, the second asks for the indices.
    walk.block(&function.body);
    let _of_the_first = std::mem::take(&mut walk.errors).check();
    walk.used.clear();
    walk.block(&function.body);
    let one_dimensional = walk.used.values().any(|own| *own == Own::Global0);
    walk.errors.check()?;
    Ok(Proof { one_dimensional })
}

struct Walk<'f> {
    function: &'f Function,
    /// Those of the grid, as far as the launch is checked.
    dimensions: usize,
    /// What the user may write instead.
    remedy: &'static str,
    /// Immutable variables that hold an own index.
    own: HashMap<u16, Own>,
    /// The slices that are written somewhere.
    written: HashSet<String>,
    /// By which index each of them was accessed first.
    used: HashMap<String, Own>,
    errors: Errors,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let(l) => {
                    let Some((_, init)) = &l.init else { continue };
                    self.expr(init);
                    if let (Some((local, _)), None, Some(own)) =
                        (&l.binding, l.mutability, self.own_index(init))
                    {
                        self.own.insert(*local, own);
                    }
                }
                Statement::Expr(e, _) => self.expr(e),
            }
        }
        if let Some(e) = &block.tail {
            self.expr(e);
        }
    }

    /// Whether `e` is an item's own index.
    fn own_index(&self, e: &Expr) -> Option<Own> {
        match &e.bare().kind {
            ExprKind::Local(local, _) => self.own.get(local).copied(),
            ExprKind::Call(call) => {
                let LinkHole::Index(name) = &self.function.holes.links[call.link as usize] else {
                    return None;
                };
                match name.to_string().as_str() {
                    "global_id" => {
                        (self.dimensions == 1 && dimension_zero(&call.args)).then_some(Own::Global0)
                    }
                    "global_linear_id" => Some(Own::Linear),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn access(&mut self, index: &Index) {
        self.expr(&index.index);
        let name = index.base.text();
        let params = &self.function.params;
        let kind = params.get(usize::from(index.base.local)).map(|p| &p.kind);
        // Nobody writes a slice but through its own name, because callers borrow it uniquely.
        let may_be_written = match kind
            .and_then(|kind| kind.part(&index.base.fields))
            .and_then(ParamKind::access)
        {
            Some(Access::Unique) => true,
            Some(Access::Shared) => false,
            None => self.written.contains(&name),
        };
        if !may_be_written {
            return;
        }
        let remedy = self.remedy;
        match (self.own_index(&index.index), self.used.get(&name)) {
            (Some(own), None) => {
                self.used.insert(name, own);
            }
            (Some(own), Some(first)) if own == *first => {}
            (Some(_), Some(_)) => self.errors.at(
                &index.source,
                format!(
                    "`{name}` is accessed at `global_id(0)` and at `global_linear_id()`, which are different \
                     elements when a range has a start: use one of them for all of `{name}`"
                ),
            ),
            (None, _) => self.errors.at(
                &index.source,
                format!(
                    "this element of `{name}` may be another work-item's: a safe kernel accesses a `&mut [T]` at \
                     `global_id(0)` or `global_linear_id()`, or at a `let` without `mut` that is bound to one of them; \
                     {remedy}"
                ),
            ),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Unit(_) | ExprKind::Local(..) | ExprKind::Constant(..) => {}
            ExprKind::Continue(..) => {}
            ExprKind::Paren(_, e) | ExprKind::Unary(_, _, e) => self.expr(e),
            ExprKind::Binary(_, _, a, b) | ExprKind::Lazy(_, _, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cast(c) => self.expr(&c.operand),
            ExprKind::Assign(place, _, value) | ExprKind::AssignOp(_, _, place, value) => {
                self.expr(value);
                if let Place::Index(index) = place {
                    self.written.insert(index.base.text());
                    self.access(index);
                }
            }
            ExprKind::Index(index) => self.access(index),
            ExprKind::Field(_) => {}
            ExprKind::Method(m) => {
                self.expr(&m.receiver);
                m.args.iter().for_each(|a| self.expr(a));
            }
            ExprKind::Call(c) => c.args.iter().for_each(|a| self.expr(a)),
            ExprKind::CallParam(c) => c.args.iter().for_each(|a| self.expr(a)),
            ExprKind::If(i) => {
                self.expr(&i.condition);
                self.block(&i.then);
                if let Some((_, e)) = &i.otherwise {
                    self.expr(e);
                }
            }
            ExprKind::Block(_, b) | ExprKind::Unsafe(_, b) => self.block(b),
            ExprKind::While(l, _, condition) => {
                self.expr(condition);
                self.block(&l.body);
            }
            ExprKind::Loop(l, _) => self.block(&l.body),
            ExprKind::For(f) => {
                self.expr(&f.start);
                self.expr(&f.end);
                for op in &f.ops {
                    if let RangeOp::StepBy(_, _, step) = op {
                        self.expr(step);
                    }
                }
                self.block(&f.head.body);
            }
            ExprKind::Break(_, _, _, value) | ExprKind::Return(_, value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
        }
    }
}

/// Whether the arguments are the literal 0.
fn dimension_zero(args: &[Expr]) -> bool {
    let [
        Expr {
            kind: ExprKind::Literal(l),
            ..
        },
    ] = args
    else {
        return false;
    };
    matches!(l.value, LiteralValue::Int(0)) && l.minus.is_none()
}
