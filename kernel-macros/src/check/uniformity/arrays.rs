//! A local array stays where it is declared.
//!
//! A declaration in a loop is the same array in each round. So that there is one name for its memory at a time, a local
//! array is used by its elements and parts, by methods, and by references: never as a value, which could be moved out of
//! the round.

use super::Uniformity;
use crate::diagnostic::Errors;
use crate::parse::ast::*;
use std::collections::HashSet;

/// Refuses local arrays that are used as values.
pub(super) fn check(uniformity: &Uniformity) -> syn::Result<()> {
    let mut places = Places::default();
    places.block(&uniformity.function.body);
    let mut values = Values {
        of: uniformity,
        places: places.0,
        errors: Errors::default(),
    };
    values.block(&uniformity.function.body);
    values.errors.check()
}

/// The expressions that are used as places, by their addresses.
#[derive(Default)]
struct Places(HashSet<*const Expr>);

impl Places {
    fn place(&mut self, e: &Expr) {
        self.0.insert(e.bare());
    }

    fn iteration(&mut self, i: &Iteration) {
        match &i.source {
            Source::Elements(r) | Source::Chunks(r, _) | Source::Windows(r, _) => self.place(&r.of),
            Source::Borrowed(_, _, of) => self.place(of),
            Source::Range { .. } | Source::Whole(_) => {}
        }
        for step in &i.steps {
            if let Adaptor::Zip(other) = &step.adaptor {
                self.iteration(other);
            }
        }
    }
}

impl Visit for Places {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Index(i) => self.place(&i.base),
            ExprKind::Subslice(s) => self.place(&s.base),
            ExprKind::Method(m) => self.place(&m.receiver),
            // What is assigned is refused as the value that it is.
            ExprKind::Reference(_, _, of) | ExprKind::Assign(of, ..) => self.place(of),
            ExprKind::ForEach(f) => self.iteration(&f.iterator),
            ExprKind::Consume(c) => self.iteration(&c.iterator),
            _ => {}
        }
        walk_expr(self, e);
    }
}

struct Values<'u> {
    of: &'u Uniformity<'u>,
    places: HashSet<*const Expr>,
    errors: Errors,
}

impl Visit for Values<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Local(local, name) = &e.kind
            && self.of.is_local_array(*local)
            && !self.places.contains(&std::ptr::from_ref(e))
        {
            let message = format!(
                "a local array stays where it is declared: use its elements, `{name}[i]`, or a reference, `&{name}`"
            );
            self.errors.at(name, message);
        }
        walk_expr(self, e);
    }
}
