//! What lowering refuses, in its words.

mod eval;
mod source;

use gridfn_ir::tree::*;
use gridfn_ir::{Body, Link, Method, Scalar, Type};
use source::*;
use std::sync::LazyLock;

const BUG: &str = "this is a bug in gridfn, please report it";

fn error(source: &Source) -> String {
    source.lower().expect_err("it is refused").message
}

static F: LazyLock<&Body<'static>> = LazyLock::new(|| calls("f", || Link::Function(*G), 1));
static G: LazyLock<&Body<'static>> = LazyLock::new(|| calls("g", || Link::Function(*F), 1));

/// `fn name() { callee(); … }` with that many calls.
fn calls(name: &str, callee: fn() -> Link, times: usize) -> &'static Body<'static> {
    let body = stmts(vec![do_(call(0, vec![])); times]);
    Source::device(name, &[], Type::Unit, body)
        .links(&[callee])
        .leak()
}

/// A kernel that calls one function.
fn kernel(callee: fn() -> Link, arguments: Vec<Expr>) -> Source {
    Source::kernel(&[], stmts([do_(call(0, arguments))])).links(&[callee])
}

#[test]
fn recursion_is_refused_with_its_chain() {
    assert_eq!(
        error(&kernel(|| Link::Function(*F), vec![])),
        "`f` calls itself: f -> g -> f; kernels cannot recurse (src/k.rs:13:7)"
    );
}

/// A function whose every call is another instance, as if types grew from call to call.
fn growing() -> &'static Body<'static> {
    calls("grow", || Link::Function(growing()), 1)
}

#[test]
fn endless_instances_are_refused_before_the_stack_ends() {
    assert_eq!(
        error(&kernel(|| Link::Function(growing()), vec![])),
        "the call of `grow` is nested more than 100 calls deep (src/k.rs:13:7)"
    );
}

macro_rules! doubling {
    ($($name:ident calls $callee:ident $times:literal;)*) => {
        $(static $name: LazyLock<&Body<'static>> =
            LazyLock::new(|| calls(stringify!($name), || Link::Function(*$callee), $times));)*
    };
}
doubling! {
    D8 calls D7 10;
    D7 calls D6 10;
    D6 calls D5 10;
    D5 calls D4 10;
    D4 calls D3 10;
    D3 calls D2 10;
    D2 calls D1 10;
}
static D1: LazyLock<&Body<'static>> =
    LazyLock::new(|| Source::device("D1", &[], Type::Unit, stmts([])).leak());

#[test]
fn what_grows_beyond_measure_is_refused() {
    assert_eq!(
        error(&kernel(|| Link::Function(*D8), vec![])),
        "the kernel is too large: with its device functions inlined it has more than 200000 operations \
         (src/k.rs:13:7)"
    );
}

#[test]
fn a_dimension_must_be_a_literal() {
    let message = "the dimension of an index function must be the literal 0, 1 or 2 (src/k.rs:13:7)";
    assert_eq!(error(&kernel(GLOBAL_ID, vec![int(3, Scalar::U32)])), message);
    assert_eq!(error(&kernel(GLOBAL_ID, vec![int(-1, Scalar::I32)])), message);
    let sum = binary(BinaryOp::Add, usize(0), usize(1));
    assert_eq!(error(&kernel(GLOBAL_ID, vec![sum])), message);
}

#[test]
fn contradictions_are_bugs_and_say_where() {
    let params = [
        ("x", slice(Scalar::F32)),
        ("y", slice_mut(Scalar::F32)),
        ("n", scalar(Scalar::U32)),
    ];
    let kernel = |statement| Source::kernel(&params, stmts([statement]));
    let one = || int(1, Scalar::F32);
    let abs = || method_link(Method::SignedAbs);
    for (source, expected) in [
        (
            kernel(do_(binary(BinaryOp::Add, one(), local(2)))),
            "the right side of Add is u32 and not f32",
        ),
        (
            kernel(do_(binary(BinaryOp::Xor, one(), one()))),
            "Xor of f32 and f32",
        ),
        (
            kernel(do_(Expr::Unary(UnaryOp::Neg, local(2).into()))),
            "Neg of u32",
        ),
        (
            kernel(do_(if_(local(2), stmts([]), None))),
            "a condition is u32 and not bool",
        ),
        (kernel(do_(index(0, local(2)))), "an index is u32 and not usize"),
        (
            kernel(assign(at(0, usize(0)), one())),
            "an element is written to of what can only be read",
        ),
        (
            kernel(assign(at(1, usize(0)), local(2))),
            "what is assigned is u32 and not f32",
        ),
        (kernel(set(2, local(2))), "what is assigned to is not mutable"),
        (kernel(do_(local(7))), "local 7 is used before it is bound"),
        (
            kernel(do_(binary(BinaryOp::Add, local(0), one()))),
            "an operand of type a slice",
        ),
        (kernel(do_(index(2, usize(0)))), "u32 is used as a slice"),
        (kernel(do_(Expr::Continue(0))), "label 0 is not around its use"),
        (kernel(do_(Expr::Constant(0))), "constant hole 0 is not filled"),
        (
            kernel(do_(cast(local(2), Scalar::Bool))),
            "what is cast to bool is u32 and not bool",
        ),
        (
            kernel(do_(Expr::Cast(local(2).into(), TypeRef::Hole(9)))),
            "type hole 9 is not filled",
        ),
        (kernel(do_(call(0, vec![]))), "link hole 0 is not filled"),
        (
            kernel(do_(call(0, vec![local(2)]))).links(&[abs()]),
            "`abs` of u32 with 0 arguments",
        ),
        (
            kernel(do_(call(0, vec![]))).links(&[abs()]),
            "`abs` without a receiver",
        ),
        (Source::kernel(&params, tail(local(2))), "a kernel with a result"),
    ] {
        let message = error(&source);
        let rest = message.strip_prefix(&format!("in `k`: {expected}; {BUG} (src/k.rs:1"));
        let rest = rest.unwrap_or_else(|| panic!("{expected}: {message}"));
        assert!(rest.ends_with(')'), "{message}");
    }
}

#[test]
fn a_tree_that_is_no_tree_is_an_error() {
    let body = Body {
        tree: &[0xff; 3],
        types: &[],
        links: &[],
        constants: &[],
        file: FILE,
        line: 1,
        local: None,
    };
    let message = gridfn_ir::lower(&body).expect_err("it is refused").message;
    assert!(message.contains("the function's tree can't be read"), "{message}");
    assert!(message.contains(BUG), "{message}");
}
