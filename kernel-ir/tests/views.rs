//! Views of buffers: what they are flattened to, and what their elements are.

mod eval;
mod source;

use eval::{Argument, Item};
use gridfn_ir::tree::{Expr, Position};
use gridfn_ir::typed::{FaultKind, Kernel};
use gridfn_ir::{CoreMethod, Field, Method, Scalar, Struct, Type, view};
use source::*;

const FIELDS: &[Field] = &view::fields(slice_mut(Scalar::U32), 2);
const VIEW: Type = Type::Struct(&Struct {
    name: "ViewMut",
    fields: FIELDS,
    size: 0,
    align: 1,
});

/// `v[indices]`
fn element(indices: Expr) -> Expr {
    Expr::Index(
        Box::new(local(0)),
        Box::new(indices),
        Position { line: 3, column: 5 },
    )
}

/// `fn k(v: ViewMut<u32, 2>, row: usize, column: usize, out: &mut [usize]) {
///     v[[row, column]] = 9;
///     let at = [row, column];
///     out[0] = v[at] as usize; out[1] = v.shape()[1]; out[2] = v.len();
/// }`
fn kernel() -> Kernel {
    let sizes = [
        ("row", Type::Scalar(Scalar::Usize)),
        ("column", Type::Scalar(Scalar::Usize)),
    ];
    let both = || Expr::Array(vec![local(1), local(2)]);
    let shape = call(0, vec![local(0)]);
    let second = Expr::Index(
        Box::new(shape),
        Box::new(usize(1)),
        Position { line: 5, column: 5 },
    );
    let statements = [
        assign(element(both()), int(9, Scalar::U32)),
        let_(4, "at", both()),
        assign(at(3, usize(0)), cast(element(local(4)), Scalar::Usize)),
        assign(at(3, usize(1)), second),
        assign(at(3, usize(2)), call(1, vec![local(0)])),
    ];
    let out = ("out", slice_mut(Scalar::Usize));
    Source::kernel(&[("v", VIEW), sizes[0], sizes[1], out], stmts(statements))
        .links(&[CoreMethod::ViewShape.link(), Method::SliceLen.link()])
        .lower()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Elements 7, 8, 9, 12, 13 and 14 of 20, as 2 rows of 3.
fn run(row: u64, column: u64) -> Result<(Vec<u64>, Vec<u64>), eval::Fault> {
    let scalar = |n: u64| Argument::Scalar(n);
    let mut arguments = [
        Argument::Slice(vec![1; 20]),
        scalar(7),
        scalar(2),
        scalar(3),
        scalar(5),
        scalar(row),
        scalar(column),
        Argument::Slice(vec![0; 3]),
    ];
    eval::run(&kernel(), &mut arguments, &Item::default())?;
    let [Argument::Slice(v), .., Argument::Slice(out)] = arguments else {
        panic!("the first and the last are slices");
    };
    Ok((v, out))
}

#[test]
fn a_view_is_a_slice_and_sizes() {
    let kernel = kernel();
    let names: Vec<&str> = kernel.params.iter().map(|(_, p)| p.name.as_str()).collect();
    let expected = [
        "v",
        "v_start",
        "v_shape_0",
        "v_shape_1",
        "v_strides_0",
        "row",
        "column",
        "out",
    ];
    assert_eq!(names, expected);
}

#[test]
fn an_element_is_where_the_strides_lead() {
    for (row, column, place) in [(0, 0, 7), (0, 2, 9), (1, 0, 12), (1, 2, 14)] {
        let (v, out) = run(row, column).unwrap_or_else(|fault| panic!("{fault:?}"));
        let expected: Vec<u64> = (0..20).map(|n| if n == place { 9 } else { 1 }).collect();
        assert_eq!((v, out), (expected, vec![9, 3, 6]));
    }
}

#[test]
fn each_index_has_a_length_of_its_own() {
    for (row, column, values) in [(2, 0, [2, 2]), (0, 3, [3, 3]), (5, 9, [5, 2])] {
        let fault = run(row, column).expect_err("it is outside");
        assert_eq!((fault.site.kind, fault.site.column), (FaultKind::Index, 5));
        assert_eq!(fault.values, values);
    }
}

#[test]
fn a_view_has_one_to_three_dimensions() {
    let shapes = |n| match view::fields(slice(Scalar::U32), n)[2].ty {
        Type::Struct(shape) => shape.fields.len(),
        _ => 0,
    };
    assert_eq!([1, 2, 3].map(shapes), [1, 2, 3]);
    assert!(std::panic::catch_unwind(|| shapes(4)).is_err());
}
