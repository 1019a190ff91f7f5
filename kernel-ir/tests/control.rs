//! Order of evaluation, branches, loops, jumps, faults and inlined functions behave as in Rust.

mod eval;
mod source;

use eval::{Argument, Fault, Item};
use gridfn_ir::tree::*;
use gridfn_ir::typed::FaultKind;
use gridfn_ir::{Body, IndexFunction, Link, Scalar, Type};
use source::*;
use std::sync::LazyLock;

const I32: Scalar = Scalar::I32;

fn i32_(value: i64) -> Expr {
    int(value, I32)
}
fn out(value: Expr) -> Statement {
    assign(at(1, usize(0)), value)
}
/// `fn k(a: i32, out: &mut [i32])`, run with `a`.
fn run(statements: impl Into<Vec<Statement>>, a: i32) -> Result<i32, Fault> {
    source(statements).result(&[a as u32 as u64])
}
fn source(statements: impl Into<Vec<Statement>>) -> Source {
    Source::kernel(&[("a", scalar(I32)), ("out", slice_mut(I32))], stmts(statements))
}
fn break_(label: u16, value: Option<Expr>) -> Expr {
    Expr::Break(label, value.map(Box::new))
}
fn return_(value: Option<Expr>) -> Expr {
    Expr::Return(value.map(Box::new))
}
/// `{ variable = variable * 10 + digit; value }`: takes down the order in which operands run.
fn note(digit: i64, value: Expr) -> Expr {
    let shifted = binary(BinaryOp::Mul, local(9), i32_(10));
    Expr::Block(
        None,
        block([set(9, binary(BinaryOp::Add, shifted, i32_(digit)))], value),
    )
}

#[test]
fn operands_are_read_at_their_turn() {
    // let mut m = 1; let x = m; out = m + { m = 5; m } * 10 + x * 100
    let sum = binary(
        BinaryOp::Add,
        binary(
            BinaryOp::Add,
            local(9),
            binary(
                BinaryOp::Mul,
                Expr::Block(None, block([set(9, i32_(5))], local(9))),
                i32_(10),
            ),
        ),
        binary(BinaryOp::Mul, local(8), i32_(100)),
    );
    let body = [let_mut(9, "m", i32_(1)), let_(8, "x", local(9)), out(sum)];
    assert_eq!(run(body, 0), Ok(151));
}

#[test]
fn an_assignment_evaluates_its_value_before_its_place() {
    let index = |digit| note(digit, usize(0));
    let plain = [
        let_mut(9, "order", i32_(0)),
        assign(at(1, index(2)), note(1, i32_(7))),
        out(local(9)),
    ];
    assert_eq!(run(plain, 0), Ok(12));
    let op = [
        let_mut(9, "order", i32_(0)),
        assign_op(BinaryOp::Add, at(1, index(2)), note(1, i32_(7))),
        out(local(9)),
    ];
    assert_eq!(run(op, 0), Ok(12));
    // m += { m = 5; 1 } adds to the 5.
    let local_ = [
        let_mut(9, "m", i32_(1)),
        assign_op(
            BinaryOp::Add,
            local(9),
            Expr::Block(None, block([set(9, i32_(5))], i32_(1))),
        ),
        out(local(9)),
    ];
    assert_eq!(run(local_, 0), Ok(6));
}

#[test]
fn the_first_fault_is_that_of_rusts_order() {
    let by_zero = || binary(BinaryOp::Div, i32_(1), local(0));
    let outside = || index(1, usize(5));
    let kind = |statement: Statement| run([statement], 0).expect_err("a fault").site.kind;
    let sum = |a, b| binary(BinaryOp::Add, a, b);
    assert_eq!(kind(out(sum(by_zero(), outside()))), FaultKind::DivideByZero);
    assert_eq!(kind(out(sum(outside(), by_zero()))), FaultKind::Index);
    // The value comes before the place, and of `place /= 0` the place before the division.
    assert_eq!(kind(assign(at(1, usize(5)), by_zero())), FaultKind::DivideByZero);
    assert_eq!(
        kind(assign_op(BinaryOp::Div, at(1, usize(5)), local(0))),
        FaultKind::Index
    );
    assert_eq!(
        kind(assign_op(BinaryOp::Div, at(1, usize(0)), local(0))),
        FaultKind::DivideByZero
    );
}

#[test]
fn a_fault_carries_its_place_and_values_and_ends_the_item() {
    let body = [
        out(i32_(3)),
        do_(index(1, cast(local(0), Scalar::Usize))),
        out(i32_(4)),
    ];
    let source = source(body);
    // The first index outside, and one further out.
    for index in [1, 7] {
        let mut arguments = [Argument::Scalar(index), Argument::Slice(vec![0])];
        let fault = source.run(&mut arguments).expect_err("a fault");
        assert_eq!(
            (fault.site.file.as_str(), fault.site.line, fault.site.column),
            (FILE, 12, 9)
        );
        assert_eq!(
            fault.site.kind.message(&fault.values),
            format!("index out of bounds: the len is 1 but the index is {index}")
        );
        assert_eq!(
            arguments[1],
            Argument::Slice(vec![3]),
            "what was stored before stays"
        );
    }
}

#[test]
fn lazy_operators_skip_their_right_side() {
    let lazy = |op, a, b| Expr::Lazy(op, Box::new(a), Box::new(b));
    let is = |n| binary(BinaryOp::Eq, local(0), i32_(n));
    let effect = |value| note(1, Expr::Bool(value));
    for (op, a, expected) in [
        (LazyOp::And, 0, (0, 0)),
        (LazyOp::And, 1, (1, 1)),
        (LazyOp::Or, 0, (1, 1)),
        (LazyOp::Or, 1, (1, 0)),
    ] {
        for right in [effect(true), note(1, is(a))] {
            let value = cast(lazy(op, is(1), right), I32);
            let body = [
                let_mut(9, "order", i32_(0)),
                let_(8, "v", value),
                out(binary(
                    BinaryOp::Add,
                    binary(BinaryOp::Mul, local(8), i32_(10)),
                    local(9),
                )),
            ];
            assert_eq!(
                run(body, a as i32),
                Ok(expected.0 * 10 + expected.1),
                "{op:?} {a}"
            );
        }
        // Cheap, so both sides run, and the value is the same.
        let body = [out(cast(lazy(op, is(1), Expr::Bool(true)), I32))];
        assert_eq!(run(body, a as i32), Ok(expected.0));
        // A right side that leaves.
        let body = [out(i32_(5)), out(cast(lazy(op, is(1), return_(None)), I32))];
        let left = if (op == LazyOp::And) == (a == 1) {
            5
        } else {
            i32::from(a == 1)
        };
        assert_eq!(run(body, a as i32), Ok(left));
    }
    // The guard of an index holds.
    let guarded = lazy(
        LazyOp::And,
        binary(BinaryOp::Lt, local(0), i32_(1)),
        binary(BinaryOp::Eq, index(1, cast(local(0), Scalar::Usize)), i32_(0)),
    );
    assert_eq!(run([out(cast(guarded, I32))], 1), Ok(0));
}

#[test]
fn branches_give_their_values_and_may_leave() {
    let is_one = || binary(BinaryOp::Eq, local(0), i32_(1));
    let heavy = |n| binary(BinaryOp::Add, index(1, usize(0)), i32_(n));
    for (a, expected) in [(1, 10), (2, 20)] {
        let cheap = if_(is_one(), tail(i32_(10)), Some(tail(i32_(20))));
        assert_eq!(run([out(cheap)], a), Ok(expected));
        let branches = if_(is_one(), tail(heavy(10)), Some(tail(heavy(20))));
        assert_eq!(run([out(branches)], a), Ok(expected));
        let leaves = if_(is_one(), tail(heavy(10)), Some(tail(return_(None))));
        assert_eq!(
            run([out(i32_(20)), out(binary(BinaryOp::Sub, leaves, i32_(20)))], a),
            Ok(match a {
                1 => 10,
                _ => 20,
            })
        );
        let leaves = if_(
            is_one(),
            stmts([out(i32_(10)), do_(return_(None))]),
            Some(tail(heavy(20))),
        );
        assert_eq!(run([out(leaves)], a), Ok(expected));
        let both = if_(
            is_one(),
            stmts([out(i32_(10)), do_(return_(None))]),
            Some(stmts([out(i32_(20)), do_(return_(None))])),
        );
        assert_eq!(run([do_(both), out(i32_(99))], a), Ok(expected));
    }
}

#[test]
fn a_late_initialiser_is_a_place() {
    let late = Statement::Let {
        pattern: name(8, "x", true),
        ty: Some(TypeRef::Known(I32)),
        init: None,
        otherwise: None,
    };
    let choose = if_(
        binary(BinaryOp::Lt, local(0), i32_(0)),
        stmts([set(8, i32_(-1))]),
        Some(stmts([set(8, i32_(1))])),
    );
    let body = [late, do_(choose), out(local(8))];
    assert_eq!(run(body.clone(), -5), Ok(-1));
    assert_eq!(run(body, 5), Ok(1));
}

#[test]
fn jumps_name_their_loop() {
    // 'a: loop { sum += 1; while true { if sum < a { continue 'a } break 'a sum * 2 } }
    let inner = Expr::While(
        1,
        Expr::Bool(true).into(),
        stmts([
            do_(if_(
                binary(BinaryOp::Lt, local(9), local(0)),
                stmts([do_(Expr::Continue(0))]),
                None,
            )),
            do_(break_(0, Some(binary(BinaryOp::Mul, local(9), i32_(2))))),
        ]),
    );
    let outer = Expr::Loop(
        0,
        stmts([assign_op(BinaryOp::Add, local(9), i32_(1)), do_(inner)]),
    );
    let body = [let_mut(9, "sum", i32_(0)), out(outer)];
    assert_eq!(run(body, 4), Ok(8));
}

#[test]
fn a_while_tests_before_each_round() {
    // while { order = order * 10 + 1; order < a } { order = order * 10 + 2; }
    let while_ = Expr::While(
        0,
        note(1, binary(BinaryOp::Lt, local(9), local(0))).into(),
        stmts([do_(note(2, Expr::Unit))]),
    );
    let body = [let_mut(9, "order", i32_(0)), do_(while_), out(local(9))];
    assert_eq!(run(body.clone(), 0), Ok(1));
    assert_eq!(run(body, 2), Ok(121));
}

#[test]
fn a_labelled_block_is_left_with_a_value() {
    let block_ = Expr::Block(
        Some(0),
        block(
            [do_(if_(
                binary(BinaryOp::Eq, local(0), i32_(1)),
                stmts([do_(break_(0, Some(i32_(10))))]),
                None,
            ))],
            i32_(20),
        ),
    );
    assert_eq!(run([out(block_.clone())], 1), Ok(10));
    assert_eq!(run([out(block_)], 2), Ok(20));
}

#[test]
fn a_variable_of_a_loop_begins_anew_each_round() {
    // for _ in 0..3 { let mut x = 0; x += 1; sum += x; }
    let for_ = Expr::For {
        label: 0,
        pattern: Pattern::Wild,
        start: i32_(0).into(),
        end: i32_(3).into(),
        inclusive: false,
        ops: vec![],
        body: stmts([
            let_mut(8, "x", i32_(0)),
            assign_op(BinaryOp::Add, local(8), i32_(1)),
            assign_op(BinaryOp::Add, local(9), local(8)),
        ]),
    };
    assert_eq!(
        run([let_mut(9, "sum", i32_(0)), do_(for_), out(local(9))], 0),
        Ok(3)
    );
}

#[test]
fn what_comes_after_a_loop_without_end_is_not_emitted() {
    let endless = Expr::Loop(0, stmts([do_(return_(None))]));
    let kernel = source([do_(endless), out(i32_(1))]).lower().expect("it lowers");
    assert!(kernel.sites.is_empty());
}

/// `fn sign(x: i32) -> i32 { if x < 0 { return -1 } if x > 0 { return 1 } 0 }`
static SIGN: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let test = |op, n| {
        do_(if_(
            binary(op, local(0), i32_(0)),
            stmts([do_(return_(Some(i32_(n))))]),
            None,
        ))
    };
    let body = block([test(BinaryOp::Lt, -1), test(BinaryOp::Gt, 1)], i32_(0));
    Source::device("sign", &[("x", scalar(I32))], scalar(I32), body).leak()
});

/// `fn add_at(mut n: i32, y: &mut [i32]) { n += sign(n) * 10; y[0] += n; }`
static ADD_AT: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let ten = binary(BinaryOp::Mul, call(0, vec![local(0)]), i32_(10));
    let body = stmts([
        assign_op(BinaryOp::Add, local(0), ten),
        assign_op(BinaryOp::Add, at(1, usize(0)), local(0)),
    ]);
    let mut source = Source::device(
        "add_at",
        &[("n", scalar(I32)), ("y", slice_mut(I32))],
        Type::Unit,
        body,
    );
    source.tree.params[0].mutable = true;
    source.links(&[|| Link::Function(*SIGN)]).leak()
});

/// `fn first(y: &[i32]) -> i32 { y[0] }`
static FIRST: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let body = tail(index(0, usize(0)));
    Source::device("first", &[("y", slice(I32))], scalar(I32), body).leak()
});

#[test]
fn device_functions_return_early_and_take_slices() {
    let links: [fn() -> Link; 3] = [
        || Link::Function(*ADD_AT),
        || Link::Function(*SIGN),
        || Link::Function(*FIRST),
    ];
    let body = [
        do_(call(0, vec![local(0), local(1)])),
        do_(call(0, vec![local(0), local(1)])),
        assign_op(
            BinaryOp::Mul,
            at(1, usize(0)),
            binary(BinaryOp::Add, call(2, vec![local(1)]), call(1, vec![local(0)])),
        ),
    ];
    let source = source(body).links(&links);
    for (a, expected) in [(3, 26 * 27), (0, 0), (-1, 22 * 23)] {
        assert_eq!(source.result::<i32>(&[a as u32 as u64]), Ok(expected), "{a}");
    }
    // A place that is inlined twice is one site.
    let kernel = source.lower().expect("it lowers");
    let mut sites: Vec<_> = kernel.sites.iter().map(|(_, site)| site.clone()).collect();
    let len = sites.len();
    sites.dedup();
    assert_eq!(
        (len, sites.len()),
        (1, 1),
        "all index sites here have one position: {sites:?}"
    );
}

/// `fn stop(x: i32) -> i32 { loop { return x } }`: control never gets to its end.
static STOP: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let body = tail(Expr::Loop(0, stmts([do_(return_(Some(local(0))))])));
    Source::device("stop", &[("x", scalar(I32))], scalar(I32), body).leak()
});

#[test]
fn a_return_in_a_device_function_ends_that_function_only() {
    let body = [out(binary(BinaryOp::Add, call(0, vec![local(0)]), i32_(1)))];
    let source = source(body).links(&[|| Link::Function(*STOP)]);
    assert_eq!(source.result::<i32>(&[41]), Ok(42));
}

#[test]
fn linear_ids_count_items_with_x_fastest_and_from_zero() {
    let source = Source::kernel(
        &[("out", slice_mut(Scalar::Usize))],
        stmts([
            assign(at(0, usize(0)), call(0, vec![])),
            assign(at(0, usize(1)), call(1, vec![])),
            assign(at(0, usize(2)), call(2, vec![int(1, I32)])),
        ]),
    )
    .links(&[
        || Link::Index(IndexFunction::GlobalLinearId),
        || Link::Index(IndexFunction::LocalLinearId),
        GLOBAL_ID,
    ]);
    let item = Item {
        // The range starts at (100, 200, 300).
        global_id: [109, 207, 305],
        local_id: [1, 3, 1],
        group_id: [2, 1, 2],
        global_size: [10, 20, 30],
        local_size: [4, 4, 2],
        num_groups: [3, 5, 15],
    };
    let kernel = source.lower().expect("it lowers");
    let mut arguments = [Argument::Slice(vec![0; 3])];
    eval::run(&kernel, &mut arguments, &item).expect("no fault");
    let global = (5 * 20 + 7) * 10 + 9;
    let local = (4 + 3) * 4 + 1;
    assert_eq!(arguments, [Argument::Slice(vec![global, local, 207])]);
}
