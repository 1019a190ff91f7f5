//! Barriers that come out of branches.

use gridfn_ir::build::Builder;
use gridfn_ir::straight::straightened;
use gridfn_ir::typed::{CompareOp, Kernel, Op, ParamKind, Stmt, any};
use gridfn_ir::verify::verify;
use gridfn_ir::{IndexFunction, Scalar};

/// A kernel of whole groups with one slice `y`, of what `body` builds.
fn kernel(body: impl FnOnce(&mut Builder)) -> Kernel {
    let mut b = Builder::new("k");
    let kind = ParamKind::Slice {
        element: Scalar::U32,
        writable: true,
    };
    b.param("y", kind);
    b.run_whole_groups();
    b.wait_in_branches();
    body(&mut b);
    let kernel = b.finish();
    assert_eq!(verify(&kernel), Ok(()));
    kernel
}

/// Whether a barrier stands in a branch, or in a block that can be left.
fn in_a_branch(kernel: &Kernel) -> bool {
    let waits = |stmt: &Stmt| matches!(stmt, Stmt::Barrier);
    any(&kernel.body, &|stmt| match stmt {
        Stmt::If(_, yes, no) => any(yes, &waits) || any(no, &waits),
        Stmt::Block { body, .. } => any(body, &waits),
        _ => false,
    })
}

fn check(kernel: Kernel) {
    assert!(in_a_branch(&kernel));
    let straight = straightened(kernel);
    assert_eq!(verify(&straight), Ok(()));
    assert!(!in_a_branch(&straight) && !straight.waits_in_branches);
}

#[test]
fn a_side_of_an_if_whose_values_are_used_behind_the_barrier() {
    check(kernel(|b| {
        let y = b.kernel().params.iter().next().expect("y").0;
        let (one, group) = (b.constant(Scalar::Usize, 1), b.index(IndexFunction::GroupId, 0));
        let first = b.compare(CompareOp::Lt, group, one);
        let (yes, ()) = b.block(|b| {
            let loaded = b.def(Scalar::U32, Op::Load(y, one));
            b.push(Stmt::Barrier);
            let (inner, ()) = b.block(|b| b.push(Stmt::Barrier));
            let again = b.compare(CompareOp::Ne, loaded, loaded);
            b.push(Stmt::If(again, inner, vec![]));
            b.push(Stmt::Store(y, group, loaded));
        });
        let (no, ()) = b.block(|b| {
            let local = b.local_of(None, one);
            b.push(Stmt::Barrier);
            let read = b.read(local);
            let array = b.shared_array(None, Scalar::Usize, 4);
            b.push(Stmt::SetElement(array, read, one));
        });
        b.push(Stmt::If(first, yes, no));
    }));
}

#[test]
fn a_block_that_is_left_from_inside_a_loop() {
    check(kernel(|b| {
        let (one, group) = (b.constant(Scalar::Usize, 1), b.index(IndexFunction::GroupId, 0));
        let first = b.compare(CompareOp::Lt, group, one);
        let [block, rounds] = [b.label(), b.label()];
        let body = vec![
            Stmt::If(first, vec![Stmt::Break(block)], vec![]),
            Stmt::Barrier,
            Stmt::Break(rounds),
        ];
        let rounds = Stmt::Loop {
            label: rounds,
            body,
            next: vec![],
        };
        b.push(Stmt::Block {
            label: block,
            body: vec![
                Stmt::If(first, vec![Stmt::Break(block)], vec![]),
                rounds,
                Stmt::Barrier,
            ],
        });
    }));
}
