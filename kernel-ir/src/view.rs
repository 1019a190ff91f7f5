//! What a view of a buffer, `View<T, D>` or `ViewMut<T, D>`, is to a kernel: a struct.
//!
//! So it is flattened like every struct of arguments, and typed IR, code forms and back ends see a slice and some `usize`s.
//! Lowering knows a view by the name of its first field, which no struct of Rust's can have. The element at the indices
//! `i` is the one at `start + i[0] * strides[0] + … + i[D - 1]` of the slice: the last index is the fastest, and its stride
//! is 1. Whoever makes a view has made sure that all indices below the shape lead into the slice.

use crate::{Field, Scalar, Struct, Type};

/// The field with the elements of the whole buffer.
pub const ELEMENTS: &str = "[]";
/// The field with the place of the view's first element among them.
pub const START: &str = "start";
/// The field with the lengths of all dimensions, a tuple.
pub const SHAPE: &str = "shape";
/// The field with the distances between neighbours in all dimensions but the last, a tuple.
pub const STRIDES: &str = "strides";

/// The fields of a view of `dimensions` dimensions over a slice of type `elements`.
///
/// # Panics
///
/// If it has more than three dimensions, or none.
pub const fn fields(elements: Type, dimensions: usize) -> [Field; 4] {
    assert!(
        0 < dimensions && dimensions <= 3,
        "a view has one to three dimensions"
    );
    [
        field(ELEMENTS, elements),
        field(START, Type::Scalar(Scalar::Usize)),
        field(SHAPE, tuple(dimensions)),
        field(STRIDES, tuple(dimensions - 1)),
    ]
}

/// A tuple of up to three `usize`s.
const fn tuple(len: usize) -> Type {
    const SIZE: Type = Type::Scalar(Scalar::Usize);
    const FIELDS: &[Field] = &[field("0", SIZE), field("1", SIZE), field("2", SIZE)];
    const TUPLES: [&Struct; 4] = [
        &of(FIELDS.split_at(0).0),
        &of(FIELDS.split_at(1).0),
        &of(FIELDS.split_at(2).0),
        &of(FIELDS),
    ];
    Type::Struct(TUPLES[len])
}

const fn of(fields: &'static [Field]) -> Struct {
    Struct {
        name: "",
        fields,
        size: 0,
        align: 1,
    }
}

const fn field(name: &'static str, ty: Type) -> Field {
    Field { name, ty, offset: 0 }
}
