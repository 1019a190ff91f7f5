//! `for` over ranges visits what Rust's iterators give, at the limits of every type too.

mod eval;
mod source;

use eval::{Argument, Number};
use gridfn_ir::Scalar;
use gridfn_ir::tree::{BinaryOp, Expr, Pattern, RangeOp};
use gridfn_ir::typed::FaultKind;
use source::*;

/// What is done to a range.
#[derive(Debug, Clone, Copy)]
enum Then {
    Rev,
    Step(usize),
}
use Then::{Rev, Step};

/// The most values that a loop here takes down before it breaks.
const MOST: usize = 300;

/// `for v in start..end { out[n] = v; n += 1; if n == MOST { break } }`, and what it has written.
fn visited<T: Number>(start: T, end: T, inclusive: bool, then: &[Then], constants: bool) -> Vec<T> {
    let (start_, end_) = if constants {
        (literal(start), literal(end))
    } else {
        (local(0), local(1))
    };
    let mut steps = Vec::new();
    let mut ops = Vec::new();
    for (at, op) in (4..).zip(then) {
        ops.push(match op {
            Rev => RangeOp::Rev,
            Step(n) if constants => RangeOp::StepBy(usize(*n as u64), pos(4, 4)),
            Step(_) => RangeOp::StepBy(local(at), pos(4, 4)),
        });
        steps.push(match op {
            Rev => 0,
            Step(n) => *n as u64,
        });
    }
    let (n, v) = (20, 21);
    let body = stmts([
        assign(at(2, local(n)), local(v)),
        assign_op(BinaryOp::Add, local(n), usize(1)),
        do_(if_(
            binary(BinaryOp::Eq, local(n), usize(MOST as u64)),
            stmts([do_(Expr::Break(0, None))]),
            None,
        )),
    ]);
    let for_ = Expr::For {
        label: 0,
        pattern: name(v, "v", false),
        start: start_.into(),
        end: end_.into(),
        inclusive,
        ops,
        body,
    };
    let mut params = vec![
        ("start", scalar(T::TYPE)),
        ("end", scalar(T::TYPE)),
        ("out", slice_mut(T::TYPE)),
        ("count", slice_mut(Scalar::Usize)),
    ];
    params.extend(
        ["s", "t", "u"]
            .map(|name| (name, scalar(Scalar::Usize)))
            .iter()
            .take(then.len()),
    );
    let source = Source::kernel(
        &params,
        stmts([
            let_mut(n, "n", usize(0)),
            do_(for_),
            assign(at(3, usize(0)), local(n)),
        ]),
    );
    let mut arguments = vec![
        Argument::Scalar(start.bits()),
        Argument::Scalar(end.bits()),
        Argument::Slice(vec![0; MOST]),
        Argument::Slice(vec![0]),
    ];
    arguments.extend(steps.into_iter().map(Argument::Scalar));
    source.run(&mut arguments).expect("no fault");
    match &arguments[2..4] {
        [Argument::Slice(out), Argument::Slice(count)] => out[..count[0] as usize]
            .iter()
            .map(|bits| T::from_bits(*bits))
            .collect(),
        other => panic!("{other:?}"),
    }
}

fn expected<T>(
    range: impl DoubleEndedIterator<Item = T> + ExactSizeIterator + 'static,
    then: &[Then],
) -> Vec<T>
where
    T: 'static,
{
    trait Both<T>: DoubleEndedIterator<Item = T> + ExactSizeIterator {}
    impl<T, I: DoubleEndedIterator<Item = T> + ExactSizeIterator> Both<T> for I {}
    let mut iterator: Box<dyn Both<T>> = Box::new(range);
    for op in then {
        iterator = match op {
            Rev => Box::new(iterator.rev()),
            Step(n) => Box::new(iterator.step_by(*n)),
        };
    }
    iterator.take(MOST).collect()
}

const CHAINS: [&[Then]; 11] = [
    &[],
    &[Rev],
    &[Rev, Rev],
    &[Step(1)],
    &[Step(3)],
    &[Step(300)],
    &[Step(3), Rev],
    &[Rev, Step(3)],
    &[Step(2), Step(3)],
    &[Step(3), Rev, Step(2)],
    &[Rev, Step(usize::MAX), Rev],
];

#[test]
fn small_types_with_all_that_can_be_done_to_a_range() {
    macro_rules! test {
        ($($t:ident)*) => {$(
            let limits = [$t::MIN, $t::MIN + 1, $t::MIN + 7, $t::MAX / 2, $t::MAX - 4, $t::MAX - 1, $t::MAX];
            for start in limits {
                for end in limits {
                    for then in CHAINS {
                        for constants in [false, true] {
                            let name = format!("{start}..{end} of {} {then:?}", $t::TYPE);
                            let found = visited(start, end, false, then, constants);
                            assert_eq!(found, expected(start..end, then), "{name}");
                            let found = visited(start, end, true, then, constants);
                            assert_eq!(found, expected(start..=end, then), "inclusive {name}");
                        }
                    }
                }
            }
        )*};
    }
    test!(u8 i8 i16);
}

#[test]
fn wide_types_at_their_limits() {
    macro_rules! test {
        ($($t:ident)*) => {$(
            for (start, end) in [
                ($t::MIN, $t::MAX),
                ($t::MAX - 3, $t::MAX),
                ($t::MAX, $t::MAX),
                ($t::MAX, $t::MIN),
                ($t::MIN, $t::MIN),
                ($t::MIN, $t::MIN + 2),
            ] {
                let name = format!("{start}..{end} of {}", $t::TYPE);
                let plain: Vec<$t> = (start..end).take(MOST).collect();
                assert_eq!(visited(start, end, false, &[], false), plain, "{name}");
                let inclusive: Vec<$t> = (start..=end).take(MOST).collect();
                assert_eq!(visited(start, end, true, &[], false), inclusive, "inclusive {name}");
                let back: Vec<$t> = (start..=end).rev().take(MOST).collect();
                assert_eq!(visited(start, end, true, &[Rev], false), back, "back {name}");
                let step = usize::MAX / 5;
                let steps: Vec<$t> = (start..=end).step_by(step).take(MOST).collect();
                assert_eq!(visited(start, end, true, &[Step(step)], false), steps, "steps {name}");
                let steps: Vec<$t> = (start..end).rev().step_by(step).take(MOST).collect();
                assert_eq!(visited(start, end, false, &[Rev, Step(step)], false), steps, "steps back {name}");
            }
        )*};
    }
    test!(i32 u32 i64 u64 isize usize);
}

#[test]
fn a_step_of_zero_is_a_fault_where_it_stands() {
    let for_ = |ops| Expr::For {
        label: 0,
        pattern: Pattern::Wild,
        start: local(0).into(),
        end: local(0).into(),
        inclusive: false,
        ops,
        body: stmts([]),
    };
    let source = |step| {
        Source::kernel(
            &[("n", scalar(Scalar::Usize))],
            stmts([do_(for_(vec![RangeOp::StepBy(step, pos(6, 17))]))]),
        )
    };
    for step in [local(0), usize(0)] {
        // The range is empty: Rust's `step_by` panics all the same.
        let fault = source(step).run(&mut [Argument::Scalar(0)]).expect_err("a fault");
        assert_eq!(fault.site.kind, FaultKind::StepByZero);
        assert_eq!((fault.site.line, fault.site.column), (16, 17));
    }
    let kernel = source(usize(2)).lower().expect("it lowers");
    assert!(kernel.sites.is_empty(), "a constant step needs no test");
}

#[test]
fn a_mutable_variable_does_not_steer_the_loop() {
    // for mut v in 0..n { v *= 2; sum += v; if v == 4 { continue } }
    for inclusive in [false, true] {
        let (sum, v) = (2, 3);
        let for_ = Expr::For {
            label: 0,
            pattern: name(v, "v", true),
            start: int(0, Scalar::I32).into(),
            end: local(0).into(),
            inclusive,
            ops: vec![],
            body: stmts([
                assign_op(BinaryOp::Mul, local(v), int(2, Scalar::I32)),
                do_(if_(
                    binary(BinaryOp::Eq, local(v), int(4, Scalar::I32)),
                    stmts([do_(Expr::Continue(0))]),
                    None,
                )),
                assign_op(BinaryOp::Add, local(sum), local(v)),
            ]),
        };
        let source = Source::kernel(
            &[("n", scalar(Scalar::I32)), ("out", slice_mut(Scalar::I32))],
            stmts([
                let_mut(sum, "sum", int(0, Scalar::I32)),
                do_(for_),
                assign(at(1, usize(0)), local(sum)),
            ]),
        );
        // 0 + 2 + (4 is skipped) + 6, and 8 if the end belongs to it.
        let expected = if inclusive { 16 } else { 8 };
        assert_eq!(source.result::<i32>(&[4]), Ok(expected));
    }
}
