//! The OpenCL C of some kernels, kept in `tests/snapshots/opencl_c`.

use gridfn_codegen::{Options, Target, opencl_c};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, Kernel, Op, ParamKind, Stmt};
use gridfn_ir::verify::verify;
use gridfn_ir::{IndexFunction, Scalar};

mod support;
use support::{arrays, cases, kernels, snapshot};

mod opencl_c_kernels;

const DIRECT: Options = Options {
    f32_division_through_f64: false,
    arrays_are_copied: false,
    atomics_are_fenced: false,
    barriers_stand_alone: false,
};
const THROUGH_F64: Options = Options {
    f32_division_through_f64: true,
    arrays_are_copied: false,
    atomics_are_fenced: false,
    barriers_stand_alone: false,
};
const COPIED: Options = Options {
    f32_division_through_f64: false,
    arrays_are_copied: true,
    atomics_are_fenced: false,
    barriers_stand_alone: false,
};

fn generate(kernel: &Kernel, options: Options) -> String {
    opencl_c::generate(kernel, options).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
}

#[test]
fn kernels_keep_their_code() {
    for kernel in kernels::all().into_iter().chain(opencl_c_kernels::all()) {
        snapshot::check(
            &format!("opencl_c/{}.cl", kernel.name),
            &generate(&kernel, DIRECT),
        );
    }
    snapshot::check(
        "opencl_c/precise_through_f64.cl",
        &generate(&kernels::precise(), THROUGH_F64),
    );
    snapshot::check("opencl_c/arrays_copied.cl", &generate(&arrays::mixed(), COPIED));
}

/// Only where there is an array is there a copy, which takes no name from the user.
#[test]
fn the_block_is_copied_for_arrays() {
    let mut b = Builder::new("with_passed");
    let element = Scalar::U32;
    b.param("array", ParamKind::Array { element, len: 3 });
    let writable = true;
    let slice = b.param("passed", ParamKind::Slice { element, writable });
    let i = b.index(IndexFunction::GlobalId, 0);
    let one = b.constant(element, 1);
    b.push(Stmt::Store(slice, i, one));
    let kernel = b.finish();
    assert!(COPIED.change(&kernel));
    let text = generate(&kernel, COPIED);
    let copy =
        "(const struct Block passed_1, global uint *passed) {\n    const struct Block block = passed_1;\n";
    assert!(text.contains(copy), "{text}");

    let without = kernels::precise();
    assert!(!COPIED.change(&without));
    assert_eq!(generate(&without, COPIED), generate(&without, DIRECT));
}

/// A table's name is neither the kernel's nor one of the user's; the type for another access is none of the user's.
#[test]
fn tables_and_types_in_memory_take_no_name() {
    let mut b = Builder::new("k");
    let (element, writable) = (Scalar::U32, true);
    let out = b.param("aliased_uchar", ParamKind::Slice { element, writable });
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "k_table");
    for name in [None, Some("table"), Some("k")] {
        let table = b.table(name, Scalar::U8, vec![7]);
        let value = b.lookup(table, i);
        b.push(Stmt::Store(out, i, value));
    }
    let text = generate(&b.finish(), DIRECT);
    for expected in [
        "typedef uchar aliased_uchar __attribute__((may_alias));\n",
        "constant uchar k_table_1[1] = {\n    7,\n};\n",
        "constant uchar k_table_2[1]",
        "constant uchar k_k[1]",
        "global uint *aliased_uchar_",
        "const ulong k_table = ",
        "((global aliased_uchar *)aliased_uchar_)[k_table] = k_table_2[k_table];",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn every_operation_has_code() {
    for case in cases::all_of(Target::OpenClC) {
        let kernel = case.kernel();
        let head = format!("kernel void {}(", opencl_c::entry_name(&kernel));
        for options in [DIRECT, THROUGH_F64] {
            assert!(generate(&kernel, options).contains(&head));
        }
    }
}

#[test]
fn code_is_the_same_each_time() {
    for kernel in kernels::all().into_iter().chain(opencl_c_kernels::all()) {
        assert_eq!(generate(&kernel, DIRECT), generate(&kernel, DIRECT));
    }
}

#[test]
fn kernels_are_verified_ir() {
    for kernel in opencl_c_kernels::all() {
        assert_eq!(verify(&kernel), Ok(()), "{}", kernel.name);
    }
}

/// An expression of any size is cut into pieces that compilers can take, and quickly.
#[test]
fn large_expressions_are_cut() {
    let mut b = Builder::new("large");
    let element = Scalar::U8;
    let writable = true;
    let out = b.param("out", ParamKind::Slice { element, writable });
    let i = b.index(IndexFunction::GlobalId, 0);
    let mut value = b.def(element, Op::Load(out, i));
    for n in 0..10_000 {
        let n = b.constant(element, n);
        let right = b.binary(BinaryOp::Mul, value, n);
        value = b.binary(BinaryOp::Add, n, right);
    }
    b.push(Stmt::Store(out, i, value));
    let text = generate(&b.finish(), DIRECT);
    let longest = text.lines().map(str::len).max();
    assert!(longest < Some(200), "{longest:?}");
}
