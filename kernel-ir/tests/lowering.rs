//! What lowering makes of small kernels, as text: `lowering.txt`, one case under each heading.
//!
//! `GRIDFN_BLESS=1 cargo test -p gridfn-ir --test lowering` writes the file anew; read the difference.

mod eval;
mod source;

use gridfn_ir::tree::*;
use gridfn_ir::{Body, IndexFunction, Link, Method, Scalar};
use source::*;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

const I32: Scalar = Scalar::I32;
const F32: Scalar = Scalar::F32;

fn i32_(value: i64) -> Expr {
    int(value, I32)
}

/// `fn clip(x: f32, y: &[f32]) -> f32 { if x < 0.0 { return y[0] } x }`
static CLIP: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let test = if_(
        binary(BinaryOp::Lt, local(0), int(0, F32)),
        stmts([do_(Expr::Return(Some(index(1, usize(0)).into())))]),
        None,
    );
    let body = block([do_(test)], local(0));
    Source::device(
        "clip",
        &[("x", scalar(F32)), ("y", slice(F32))],
        scalar(F32),
        body,
    )
    .leak()
});

/// `fn twice(x: f32) -> f32 { x + x }`
static TWICE: LazyLock<&Body<'static>> = LazyLock::new(|| {
    let body = tail(binary(BinaryOp::Add, local(0), local(0)));
    Source::device("twice", &[("x", scalar(F32))], scalar(F32), body).leak()
});

fn cases() -> Vec<(&'static str, Source)> {
    let vector = [("a", scalar(F32)), ("x", slice(F32)), ("y", slice_mut(F32))];
    let ints = [("a", scalar(I32)), ("b", scalar(I32)), ("out", slice_mut(I32))];
    let with_ints = |statements: Vec<Statement>| Source::kernel(&ints, stmts(statements));
    let out = |value| assign(at(2, usize(0)), value);
    let for_ = |inclusive, ops| Expr::For {
        label: 0,
        pattern: name(5, "i", false),
        start: local(0).into(),
        end: local(1).into(),
        inclusive,
        ops,
        body: stmts([out(local(5))]),
    };
    vec![
        (
            "saxpy: let i = global_id(0); y[i] += a * x[i];",
            Source::kernel(
                &vector,
                stmts([
                    let_(3, "i", call(0, vec![int(0, Scalar::Usize)])),
                    assign_op(
                        BinaryOp::Add,
                        at(2, local(3)),
                        binary(BinaryOp::Mul, local(0), index(1, local(3))),
                    ),
                ]),
            )
            .links(&[GLOBAL_ID]),
        ),
        (
            "a division is checked: out[0] = a / b;",
            with_ints(vec![out(binary(BinaryOp::Div, local(0), local(1)))]),
        ),
        (
            "constants prove a division: a / 3; a % -1; 7 / b;",
            with_ints(vec![
                do_(binary(BinaryOp::Div, local(0), i32_(3))),
                do_(binary(BinaryOp::Rem, local(0), i32_(-1))),
                do_(binary(BinaryOp::Div, i32_(7), local(1))),
            ]),
        ),
        (
            "shift amounts are masked: a << b; a >> 35; a >> -1i8;",
            with_ints(vec![
                do_(binary(BinaryOp::Shl, local(0), local(1))),
                do_(binary(BinaryOp::Shr, local(0), usize(35))),
                do_(binary(BinaryOp::Shr, local(0), int(-1, Scalar::I8))),
            ]),
        ),
        (
            "cheap branches are a select: if a < b { a } else { b }; a < b && b < 3;",
            with_ints(vec![
                let_(
                    3,
                    "least",
                    if_(
                        binary(BinaryOp::Lt, local(0), local(1)),
                        tail(local(0)),
                        Some(tail(local(1))),
                    ),
                ),
                do_(Expr::Lazy(
                    LazyOp::And,
                    binary(BinaryOp::Lt, local(0), local(1)).into(),
                    binary(BinaryOp::Lt, local(1), i32_(3)).into(),
                )),
            ]),
        ),
        (
            "others use a variable: a == 0 || out[0] == a; if a == 0 { out[0] } else { a }",
            with_ints(vec![
                do_(Expr::Lazy(
                    LazyOp::Or,
                    binary(BinaryOp::Eq, local(0), i32_(0)).into(),
                    binary(BinaryOp::Eq, index(2, usize(0)), local(0)).into(),
                )),
                do_(if_(
                    binary(BinaryOp::Eq, local(0), i32_(0)),
                    tail(index(2, usize(0))),
                    Some(tail(local(0))),
                )),
            ]),
        ),
        (
            "what follows a branch that leaves: let x = if a < 0 { return } else { a }; out[0] = x;",
            with_ints(vec![
                let_(
                    3,
                    "x",
                    if_(
                        binary(BinaryOp::Lt, local(0), i32_(0)),
                        tail(Expr::Return(None)),
                        Some(tail(local(0))),
                    ),
                ),
                out(local(3)),
            ]),
        ),
        (
            "a plain range: for i in a..b { out[0] = i; }",
            with_ints(vec![do_(for_(false, vec![]))]),
        ),
        (
            "any other range: for i in (a..=b).rev().step_by(2) { out[0] = i; }",
            with_ints(vec![do_(for_(
                true,
                vec![RangeOp::Rev, RangeOp::StepBy(usize(2), pos(4, 20))],
            ))]),
        ),
        (
            "a loop with a value: let mut n = a; let r = loop { n *= 2; if n > b { break n } };",
            with_ints(vec![
                let_mut(3, "n", local(0)),
                let_(
                    4,
                    "r",
                    Expr::Loop(
                        0,
                        stmts([
                            assign_op(BinaryOp::Mul, local(3), i32_(2)),
                            do_(if_(
                                binary(BinaryOp::Gt, local(3), local(1)),
                                stmts([do_(Expr::Break(0, Some(local(3).into())))]),
                                None,
                            )),
                        ]),
                    ),
                ),
            ]),
        ),
        (
            "inlining: y[0] = clip(twice(a), x);",
            Source::kernel(
                &vector,
                stmts([assign(
                    at(2, usize(0)),
                    call(0, vec![call(1, vec![local(0)]), local(1)]),
                )]),
            )
            .links(&[|| Link::Function(*CLIP), || Link::Function(*TWICE)]),
        ),
        (
            "linear ids: global_linear_id();",
            Source::kernel(&[], stmts([do_(call(0, vec![]))]))
                .links(&[|| Link::Index(IndexFunction::GlobalLinearId)]),
        ),
        (
            "a clamp between constants: a.clamp(-1, 1);",
            with_ints(vec![do_(call(0, vec![local(0), i32_(-1), i32_(1)]))])
                .links(&[method_link(Method::IntClamp)]),
        ),
        (
            "a power by a constant: a.pow(5);",
            with_ints(vec![do_(call(0, vec![local(0), int(5, Scalar::U32)]))])
                .links(&[method_link(Method::IntPow)]),
        ),
        (
            "() is nothing: let u = (); u",
            Source::kernel(&[], block([let_(0, "u", Expr::Unit)], local(0))),
        ),
    ]
}

#[test]
fn text() {
    let mut text = String::new();
    for (name, source) in cases() {
        let kernel = source.lower().unwrap_or_else(|error| panic!("{name}: {error}"));
        writeln!(text, "== {name}\n{kernel}").expect("a string takes all");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowering.txt");
    if std::env::var_os("GRIDFN_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the file can be read");
    for (found, expected) in text.split("== ").zip(expected.split("== ")) {
        assert_eq!(found, expected);
    }
    assert_eq!(text.len(), expected.len(), "a case is missing");
}
