//! Indices that are one item's own, of elements of slices and of views.
//!
//! Of the indices of an element some are a `global_id(d)`. Two items that differ in the `d` of one of them have different
//! elements, as long as all accesses of the buffer have the same ids at the same indices. So what counts is which ids
//! stand where in all of them, and how many dimensions a grid may have in which two items always differ in one of these.

use crate::parse::ast::{Expr, ExprKind, LiteralValue};

/// An id that an item has for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Own {
    /// `global_id(d)`, together with those of all other dimensions that the grid has.
    Global(u64),
    /// `global_linear_id()`
    Linear,
}

impl Own {
    /// What a call of an index function gives.
    pub(super) fn call(name: &str, args: &[Expr]) -> Option<Own> {
        match name {
            "global_id" => dimension(args).map(Own::Global),
            "global_linear_id" => Some(Own::Linear),
            _ => None,
        }
    }
}

/// What is known of an index, or of an array of indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Indices {
    /// Of a slice.
    One(Option<Own>),
    /// Of a view.
    Several(Vec<Option<Own>>),
}

impl Indices {
    fn all(&self) -> &[Option<Own>] {
        match self {
            Indices::One(own) => std::slice::from_ref(own),
            Indices::Several(all) => all,
        }
    }

    /// The ids that stand at the same indices in both.
    pub(super) fn common(&self, other: &Indices) -> Indices {
        let pairs = self.all().iter().zip(other.all());
        let mut common = pairs.map(|(a, b)| if a == b { *a } else { None });
        match self {
            Indices::One(_) => Indices::One(common.next().flatten()),
            Indices::Several(_) => Indices::Several(common.collect()),
        }
    }

    /// The dimensions that a grid may have, 0 to 3, so that no two items have the same.
    pub(super) fn dimensions(&self) -> usize {
        let has = |own| self.all().contains(&Some(own));
        if has(Own::Linear) {
            return MOST_DIMENSIONS;
        }
        (0..MOST_DIMENSIONS as u64)
            .take_while(|d| has(Own::Global(*d)))
            .count()
    }
}

/// Those of any grid.
pub(super) const MOST_DIMENSIONS: usize = 3;

/// The dimension, where it is a literal.
fn dimension(args: &[Expr]) -> Option<u64> {
    match args {
        [
            Expr {
                kind: ExprKind::Literal(l),
                ..
            },
        ] if l.minus.is_none() => match l.value {
            LiteralValue::Int(dimension) => Some(dimension),
            LiteralValue::Bool(_) | LiteralValue::Float { .. } => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: Option<Own> = Some(Own::Global(0));
    const Y: Option<Own> = Some(Own::Global(1));
    const Z: Option<Own> = Some(Own::Global(2));

    fn several<const D: usize>(all: [Option<Own>; D]) -> Indices {
        Indices::Several(all.into())
    }

    #[test]
    fn a_grid_has_no_more_dimensions_than_ids_are_there() {
        assert_eq!(Indices::One(X).dimensions(), 1);
        assert_eq!(Indices::One(Y).dimensions(), 0);
        assert_eq!(Indices::One(Some(Own::Linear)).dimensions(), 3);
        assert_eq!(several([Y, X]).dimensions(), 2);
        assert_eq!(several([X, X]).dimensions(), 1);
        assert_eq!(several([Z, X]).dimensions(), 1);
        assert_eq!(several([None, X]).dimensions(), 1);
        assert_eq!(several([X, Z, Y]).dimensions(), 3);
        assert_eq!(several([None, Some(Own::Linear)]).dimensions(), 3);
    }

    #[test]
    fn ids_count_where_all_accesses_have_them() {
        assert_eq!(several([Y, X]).common(&several([X, Y])).dimensions(), 0);
        assert_eq!(several([Y, X]).common(&several([None, X])).dimensions(), 1);
        assert_eq!(several([Y, X]).common(&several([Y, X])).dimensions(), 2);
        assert_eq!(
            Indices::One(X)
                .common(&Indices::One(Some(Own::Linear)))
                .dimensions(),
            0
        );
    }
}
