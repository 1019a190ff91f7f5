//! Views of buffers: elements at several indices, and the shape. What a view is, [`crate::view`] says.

use super::operand::{Operand, Place, Slice};
use super::storage::Storage;
use super::{Lowered, Lowering};
use crate::Scalar;
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, ValueId};
use crate::view::{ELEMENTS, SHAPE, START, STRIDES};

/// The parts of a view.
pub(super) struct View {
    elements: Slice,
    start: ValueId,
    shape: Vec<ValueId>,
    strides: Vec<ValueId>,
}

impl Lowering<'_> {
    /// Whether a place, which is no reference, holds a view.
    pub(super) fn is_view(&self, place: &Place) -> bool {
        let first = match place {
            Place::Value(Operand::Struct(s)) => s.fields.first().map(|(name, _)| name),
            Place::Variable(v) => match &*v.storage {
                Storage::Struct(_, fields) => fields.first().map(|(name, _)| name),
                _ => None,
            },
            Place::Choice(_, yes, _) => return self.is_view(yes),
            Place::Value(_) | Place::Memory(_) => None,
        };
        first.is_some_and(|name| name == ELEMENTS)
    }

    /// The view at a place.
    pub(super) fn view_at(&mut self, place: &Place) -> Lowered<View> {
        let elements = self.field_of(place, ELEMENTS)?;
        let start = self.field_of(place, START)?;
        Ok(View {
            elements: self.slice_at(elements)?,
            start: self.scalar_in(start)?,
            shape: self.sizes_at(place, SHAPE)?,
            strides: self.sizes_at(place, STRIDES)?,
        })
    }

    /// The tuple of sizes in a field.
    fn sizes_at(&mut self, place: &Place, field: &str) -> Lowered<Vec<ValueId>> {
        let tuple = self.field_of(place, field)?;
        let Operand::Struct(tuple) = self.load(&tuple)? else {
            return Err(self.bug("the sizes of a view are no tuple"));
        };
        let sizes = tuple.fields.iter().map(|(_, size)| match size {
            Operand::Value(size) => Ok(*size),
            _ => Err(self.bug("a size of a view is no number")),
        });
        sizes.collect()
    }

    /// `view[indices]`: each index is checked by the length of its dimension.
    pub(super) fn element_of_view(&mut self, view: &View, indices: &Expr, at: Position) -> Lowered<Place> {
        let indices = self.indices(indices, view.shape.len())?;
        self.frame.at = at;
        let site = self.site(FaultKind::Index, at);
        for (&index, &len) in indices.iter().zip(&view.shape) {
            self.expect_scalar("an index", index, Scalar::Usize)?;
            let outside = self.builder.compare(CompareOp::Ge, index, len);
            self.builder.fault_if(outside, site, [index, len]);
        }
        let mut element = view.start;
        for (n, &index) in indices.iter().enumerate() {
            let distance = match view.strides.get(n) {
                Some(&stride) => self.builder.binary(BinaryOp::Mul, index, stride),
                None => index,
            };
            element = self.builder.binary(BinaryOp::Add, element, distance);
        }
        self.element_of_slice(&view.elements, element)
    }

    /// The elements of an array of indices. One that is written out needs no variable.
    fn indices(&mut self, indices: &Expr, dimensions: usize) -> Lowered<Vec<ValueId>> {
        let indices = match indices {
            Expr::Array(all) => all
                .iter()
                .map(|index| self.value(index))
                .collect::<Lowered<Vec<_>>>()?,
            other => {
                let array = self.place(other)?;
                let array = self.slice_at(array)?;
                let indices = (0..dimensions).map(|n| {
                    let n = self.builder.constant(Scalar::Usize, n as u64);
                    let index = self.element_of_slice(&array, n)?;
                    self.scalar_in(index)
                });
                indices.collect::<Lowered<Vec<_>>>()?
            }
        };
        if indices.len() != dimensions {
            let found = indices.len();
            return Err(self.bug(format_args!(
                "a view of {dimensions} dimensions has {found} indices"
            )));
        }
        Ok(indices)
    }

    /// `view.shape()`
    pub(super) fn shape_of_view(&mut self, place: Place) -> Lowered<Operand> {
        let place = self.referent(place)?;
        let view = self.view_at(&place)?;
        let shape: Vec<Operand> = view.shape.into_iter().map(Operand::Value).collect();
        self.array_of_operands(&shape)
    }

    /// The number of elements of a view.
    pub(super) fn len_of_view(&mut self, view: &View) -> ValueId {
        let mut len = self.builder.constant(Scalar::Usize, 1);
        for &size in &view.shape {
            len = self.builder.binary(BinaryOp::Mul, len, size);
        }
        len
    }
}
