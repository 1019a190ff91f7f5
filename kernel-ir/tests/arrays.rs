//! Array parameters in typed IR: their layout, their text and their elements.

mod eval;

use eval::{Argument, Item};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{Kernel, ParamKind, Stmt};
use gridfn_ir::{IndexFunction, Scalar, layout};

fn array(element: Scalar, len: usize) -> ParamKind {
    ParamKind::Array { element, len }
}

/// The offsets and the size of the block of a kernel with these parameters.
fn layout_of(kinds: &[ParamKind]) -> (Vec<usize>, usize) {
    let mut b = Builder::new("k");
    for kind in kinds {
        b.param("p", *kind);
    }
    let layout::Layout { offsets, size } = layout::of(&b.finish());
    (offsets, size)
}

#[test]
fn an_array_takes_its_elements_at_their_alignment() {
    let kinds = [
        array(Scalar::Bool, 3),
        ParamKind::Scalar(Scalar::U64),
        array(Scalar::I8, 1),
        array(Scalar::I16, 3),
        array(Scalar::F32, 3),
        array(Scalar::F64, 1000),
        ParamKind::Scalar(Scalar::U8),
        array(Scalar::F32, 1),
    ];
    let at = layout::PARAMS;
    let offsets = [0, 8, 16, 18, 24, 40, 8040, 8044].map(|offset| at + offset);
    assert_eq!(layout_of(&kinds), (offsets.into(), at + 8048));
}

#[test]
fn an_array_without_elements_takes_nothing() {
    let byte = ParamKind::Scalar(Scalar::U8);
    let at = layout::PARAMS;
    let expected = (vec![at, at + 1, at + 1], at + 8);
    assert_eq!(layout_of(&[byte, array(Scalar::F64, 0), byte]), expected);
    assert_eq!(layout_of(&[array(Scalar::F64, 0)]), (vec![at], at));
}

/// `out[i] = t[i]`
fn copy(element: Scalar, len: usize) -> Kernel {
    let mut b = Builder::new("copy");
    let t = b.param("t", array(element, len));
    let writable = true;
    let out = b.param("out", ParamKind::Slice { element, writable });
    let i = b.index(IndexFunction::GlobalId, 0);
    let value = b.element(element, t, i);
    b.push(Stmt::Store(out, i, value));
    b.finish()
}

#[test]
fn elements_are_printed_with_their_array() {
    let expected = "\
kernel copy(t: [f32; 4], out: &mut [f32]) {
    %0: usize = GlobalId(0)
    %1: f32 = element t[%0]
    store out[%0] = %1
}
";
    assert_eq!(copy(Scalar::F32, 4).to_string(), expected);
}

#[test]
fn an_element_is_the_one_at_the_index() {
    let kernel = copy(Scalar::I16, 3);
    let mut arguments = [Argument::Array(vec![7, 8, 9]), Argument::Slice(vec![0; 3])];
    for x in 0..3 {
        let item = Item {
            global_id: [x, 0, 0],
            ..Item::default()
        };
        assert_eq!(eval::run(&kernel, &mut arguments, &item), Ok(()));
    }
    assert_eq!(arguments[1], Argument::Slice(vec![7, 8, 9]));
}
