//! Atomics: what their methods are lowered to, what that means, and what is refused.

mod eval;
mod source;

use eval::{Argument, Item};
use gridfn_ir::tree::{Block, Expr, TypeRef};
use gridfn_ir::typed::{AtomicOp, Kernel, Order, Update};
use gridfn_ir::verify::verify;
use gridfn_ir::{Access, CoreMethod, Enum, Library, Link, Scalar, Type, Variant, lower_with};
use source::*;

/// Every scalar that has an atomic type, as that.
const fn atomic(ty: Scalar) -> &'static Type {
    match ty {
        Scalar::I32 => &Type::Atomic(Scalar::I32),
        Scalar::U64 => &Type::Atomic(Scalar::U64),
        Scalar::F32 => &Type::Atomic(Scalar::F32),
        Scalar::F64 => &Type::Atomic(Scalar::F64),
        _ => &Type::Atomic(Scalar::U32),
    }
}

fn atomics(ty: Scalar) -> Type {
    let access = Access::Shared;
    Type::Slice {
        element: atomic(ty),
        access,
    }
}

macro_rules! variants {
    ($($name:ident)*) => {
        &[$(Variant {
            name: stringify!($name),
            discriminant: Order::$name as u64,
            fields: &[],
        }),*]
    };
}

static ORDERING: Enum = Enum {
    name: "Ordering",
    variants: variants!(Relaxed Acquire Release AcqRel SeqCst),
    tag: Scalar::U8,
    size: Some(1),
    locate: None,
};

/// The hole of `Ordering` in [`kernel`].
const ORDERING_HOLE: u16 = 3;

fn order(order: Order) -> Expr {
    Expr::Construct {
        ty: TypeRef::Hole(ORDERING_HOLE),
        name: order.name().into(),
        fields: vec![],
        base: None,
    }
}

/// `fn k(cells: &[A], out: &mut [T]) { body }`, where the links are the methods, in their order.
fn kernel(ty: Scalar, methods: &[fn() -> Link], body: Block) -> Source {
    let mut source = Source::kernel(&[("cells", atomics(ty)), ("out", slice_mut(ty))], body).links(methods);
    source.types.push(Type::Enum(&ORDERING));
    source
}

/// `out[0] = cells[0].method(value, order);`
fn one(method: CoreMethod, ty: Scalar, value: Expr, with: Order) -> Source {
    let call = call(0, vec![at(0, usize(0)), value, order(with)]);
    kernel(ty, &[method.link()], stmts([assign(at(1, usize(0)), call)]))
}

fn number(ty: Scalar) -> Expr {
    match ty {
        Scalar::F32 | Scalar::F64 => Expr::Float {
            single: 2.5,
            double: 2.5,
            ty: TypeRef::Known(ty),
        },
        ty => int(6, ty),
    }
}

fn lowered(source: &Source) -> Kernel {
    source.lower().unwrap_or_else(|error| panic!("{error}"))
}

/// Runs it on a cell; gives the cell and the output.
fn run(source: &Source, cell: u64) -> [u64; 2] {
    let mut arguments = [Argument::Slice(vec![cell]), Argument::Slice(vec![0])];
    eval::run(&lowered(source), &mut arguments, &Item::default()).expect("no fault");
    arguments.map(|argument| match argument {
        Argument::Slice(slice) => slice[0],
        other => panic!("{other:?} is a slice"),
    })
}

#[test]
fn methods_of_integers_are_one_operation() {
    let min = (-9i32) as u32 as u64;
    for (method, expected, after) in [
        (CoreMethod::AtomicFetchAdd, Update::Add, (-3i32) as u32 as u64),
        (CoreMethod::AtomicFetchSub, Update::Sub, (-15i32) as u32 as u64),
        (CoreMethod::AtomicFetchAnd, Update::And, (-9i32 & 6) as u32 as u64),
        (CoreMethod::AtomicFetchOr, Update::Or, (-9i32 | 6) as u32 as u64),
        (CoreMethod::AtomicFetchXor, Update::Xor, (-9i32 ^ 6) as u32 as u64),
        (CoreMethod::AtomicFetchMin, Update::Min, min),
        (CoreMethod::AtomicFetchMax, Update::Max, 6),
    ] {
        let source = one(method, Scalar::I32, int(6, Scalar::I32), Order::AcqRel);
        let kernel = lowered(&source);
        let [only] = kernel.atomics()[..] else {
            panic!("{kernel}");
        };
        assert!(matches!(only.op, AtomicOp::Update(update, _) if update == expected));
        assert_eq!(only.order, Order::AcqRel);
        assert_eq!(run(&source, min), [after, min], "{method:?}");
    }
}

#[test]
fn what_devices_lack_is_a_loop_around_a_compare_exchange() {
    let bits = |x: f32| u64::from(x.to_bits());
    for (method, after) in [
        (CoreMethod::AtomicFetchSub, bits(-1.5)),
        (CoreMethod::AtomicFetchMin, bits(1.0)),
        (CoreMethod::AtomicFetchMax, bits(2.5)),
    ] {
        let source = one(method, Scalar::F32, number(Scalar::F32), Order::Release);
        let kernel = lowered(&source);
        let [load, exchange] = kernel.atomics()[..] else {
            panic!("{kernel}");
        };
        assert_eq!((load.op, load.order), (AtomicOp::Load, Order::Relaxed));
        assert!(matches!(
            exchange.op,
            AtomicOp::CompareExchange {
                failure: Order::Relaxed,
                ..
            }
        ));
        assert_eq!(exchange.order, Order::Release);
        assert_eq!(exchange.ty(&kernel), Some(Scalar::U32));
        assert_eq!(run(&source, bits(1.0)), [after, bits(1.0)], "{method:?}");
    }
    let nand = one(
        CoreMethod::AtomicFetchNand,
        Scalar::U32,
        int(6, Scalar::U32),
        Order::SeqCst,
    );
    assert_eq!(run(&nand, 3), [u64::from(!2u32), 3]);
}

/// Sums of floats are one operation where the code form has it.
#[test]
fn sums_of_floats_ask_the_code_form() {
    let source = one(
        CoreMethod::AtomicFetchAdd,
        Scalar::F64,
        number(Scalar::F64),
        Order::Relaxed,
    );
    let with = |atomic_add| {
        let library = Library {
            atomic_add,
            ..Library::NONE
        };
        let kernel = lower_with(source.clone().leak(), &library).unwrap_or_else(|error| panic!("{error}"));
        let mut arguments = [Argument::Slice(vec![1f64.to_bits()]), Argument::Slice(vec![0])];
        eval::run(&kernel, &mut arguments, &Item::default()).expect("no fault");
        assert_eq!(arguments[0], Argument::Slice(vec![3.5f64.to_bits()]));
        (kernel.atomics().len(), kernel.uses_atomics_of_64_bits())
    };
    assert_eq!(with(|_| true), (1, true));
    assert_eq!(with(|_| false), (2, true));
}

/// `let result = cells[0].compare_exchange(6, 8, …); out[0] = result.unwrap_or(40) + result.is_err() as u32;`
fn exchange(success: Order, failure: Order) -> Source {
    let arguments = vec![
        at(0, usize(0)),
        int(6, Scalar::U32),
        int(8, Scalar::U32),
        order(success),
        order(failure),
    ];
    let value = call(1, vec![local(2), int(40, Scalar::U32)]);
    let failed = cast(call(2, vec![local(2)]), Scalar::U32);
    let sum = binary(gridfn_ir::tree::BinaryOp::Add, value, failed);
    let body = stmts([
        let_(2, "result", call(0, arguments)),
        assign(at(1, usize(0)), sum),
    ]);
    let methods = [
        CoreMethod::AtomicCompareExchange.link(),
        CoreMethod::ResultUnwrapOr.link(),
        CoreMethod::ResultIsErr.link(),
    ];
    kernel(Scalar::U32, &methods, body)
}

#[test]
fn a_compare_exchange_gives_a_result() {
    let source = exchange(Order::SeqCst, Order::Acquire);
    assert_eq!(run(&source, 6), [8, 6]);
    assert_eq!(run(&source, 7), [7, 41]);
}

/// Rust lets a failure be ordered more strongly than the success; devices do not.
#[test]
fn a_failure_makes_the_success_as_strong() {
    for (success, failure, expected) in [
        (Order::Relaxed, Order::SeqCst, Order::SeqCst),
        (Order::Release, Order::Acquire, Order::AcqRel),
        (Order::Acquire, Order::Relaxed, Order::Acquire),
    ] {
        let kernel = lowered(&exchange(success, failure));
        assert_eq!(kernel.atomics()[0].order, expected);
        assert_eq!(verify(&kernel), Ok(()));
    }
}

#[test]
fn orders_that_do_not_exist_are_refused() {
    let load = |order_of| {
        let call = call(0, vec![at(0, usize(0)), order(order_of)]);
        kernel(Scalar::U32, &[CoreMethod::AtomicLoad.link()], stmts([do_(call)]))
    };
    let store = |order| one(CoreMethod::AtomicStore, Scalar::U32, int(6, Scalar::U32), order);
    for (source, expected) in [
        (load(Order::Release), "a load with `Ordering::Release`"),
        (load(Order::AcqRel), "a load with `Ordering::AcqRel`"),
        (store(Order::Acquire), "a store with `Ordering::Acquire`"),
        (
            exchange(Order::SeqCst, Order::Release),
            "a failure with `Ordering::Release`",
        ),
    ] {
        let error = source.lower().expect_err(expected).message;
        assert_eq!(
            error,
            format!("there is no such thing as {expected} (src/k.rs:13:7)")
        );
    }
}

/// A variable that changes is not known; one that is bound to an order is.
#[test]
fn an_order_is_known() {
    for (mutable, is_known) in [(false, true), (true, false)] {
        let bind = if mutable { let_mut } else { let_ };
        let read = call(0, vec![at(0, usize(0)), local(2)]);
        let body = stmts([bind(2, "order", order(Order::Relaxed)), do_(read)]);
        let result = kernel(Scalar::U32, &[CoreMethod::AtomicLoad.link()], body).lower();
        assert_eq!(result.is_ok(), is_known);
        if let Err(error) = result {
            let expected = "the ordering of an atomic operation is known when a kernel is compiled";
            assert!(error.message.starts_with(expected), "{error}");
        }
    }
}

#[test]
fn the_memory_of_atomics_is_written() {
    let source = one(
        CoreMethod::AtomicSwap,
        Scalar::U64,
        int(6, Scalar::U64),
        Order::Relaxed,
    );
    let text = lowered(&source).to_string();
    assert!(
        text.starts_with("kernel k(cells: &mut [u64], out: &mut [u64])"),
        "{text}"
    );
    assert!(text.contains("u64 = atomic Swap cells["), "{text}");
}
