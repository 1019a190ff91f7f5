//! Every rule of the verifier, broken.

use gridfn_ir::build::Builder;
use gridfn_ir::typed::*;
use gridfn_ir::verify::verify;
use gridfn_ir::{IndexFunction, Scalar};

/// A builder whose kernel has a shared slice 0, a writable slice 1 (of `f32`), a scalar 2 (`u32`), an array 3 (of
/// `f32`), and a table (of `f32`).
fn builder() -> Builder {
    let mut b = Builder::new("k");
    for (name, writable) in [("x", false), ("y", true)] {
        let element = Scalar::F32;
        b.param(name, ParamKind::Slice { element, writable });
    }
    b.param("n", ParamKind::Scalar(Scalar::U32));
    let (element, len) = (Scalar::F32, 4);
    b.param("t", ParamKind::Array { element, len });
    b.table(Some("c"), Scalar::F32, vec![0, 1]);
    b
}

/// The table of [`builder`].
fn table(b: &Builder) -> TableId {
    let (id, _) = b.kernel().tables.iter().next().expect("there is one");
    id
}

fn param(b: &Builder, index: usize) -> ParamId {
    let (id, _) = b.kernel().params.iter().nth(index).expect("there are four");
    id
}

/// The rules that the kernel breaks.
fn broken<T>(build: impl FnOnce(&mut Builder) -> T) -> Vec<u8> {
    let mut b = builder();
    build(&mut b);
    rules(&b.finish())
}

fn rules(kernel: &Kernel) -> Vec<u8> {
    match verify(kernel) {
        Ok(()) => vec![],
        Err(errors) => errors.iter().map(|error| error.rule).collect(),
    }
}

fn site(b: &mut Builder) -> SiteId {
    b.site(Site {
        kind: FaultKind::Index,
        file: "src/k.rs".into(),
        line: 1,
        column: 1,
    })
}

/// Handles of another kernel that are out of range in any of ours.
fn foreign() -> (ValueId, LocalId, ParamId, SiteId, TableId) {
    let mut b = builder();
    for _ in 0..50 {
        b.number(Scalar::I32, 0);
        b.local(None, Scalar::I32);
        b.param("p", ParamKind::Scalar(Scalar::I32));
        site(&mut b);
        b.table(None, Scalar::I32, vec![0]);
    }
    (
        b.number(Scalar::I32, 0),
        b.local(None, Scalar::I32),
        b.param("p", ParamKind::Scalar(Scalar::I32)),
        site(&mut b),
        b.table(None, Scalar::I32, vec![0]),
    )
}

#[test]
fn a_sound_kernel_breaks_no_rule() {
    let rules = broken(|b| {
        let (x, y, n) = (param(b, 0), param(b, 1), param(b, 2));
        let index = b.index(IndexFunction::GlobalId, 0);
        let len = b.def(Scalar::Usize, Op::Len(x));
        let outside = b.compare(CompareOp::Ge, index, len);
        let site = site(b);
        b.fault_if(outside, site, [index, len]);
        let value = b.def(Scalar::F32, Op::Load(x, index));
        b.push(Stmt::Store(y, index, value));
        let value = b.element(Scalar::F32, param(b, 3), index);
        b.push(Stmt::Store(y, index, value));
        let array = b.array(Some("array"), Scalar::F32, 2);
        let value = b.lookup(table(b), index);
        b.push(Stmt::SetElement(array, index, value));
        let value = b.read_element(array, index);
        b.push(Stmt::Store(y, index, value));
        let byte = b.def(Scalar::U8, Op::Load(x, index));
        b.push(Stmt::Store(y, index, byte));
        let n = b.def(Scalar::U32, Op::Param(n));
        let sum = b.local_of(Some("sum"), n);
        let label = b.label();
        let (body, ()) = b.block(|b| {
            let old = b.read(sum);
            let zero = b.number(Scalar::U32, 0);
            let done = b.compare(CompareOp::Eq, old, zero);
            b.push(Stmt::If(
                done,
                vec![Stmt::Break(label)],
                vec![Stmt::Continue(label)],
            ));
        });
        let (next, ()) = b.block(|b| b.push(Stmt::Set(sum, n)));
        b.push(Stmt::Loop { label, body, next });
    });
    assert_eq!(rules, []);
}

#[test]
fn rule_1_handles_are_the_kernels() {
    let (value, local, param_, site_, table_) = foreign();
    assert_eq!(broken(|b| b.push(Stmt::Def(value))), [1]);
    assert_eq!(broken(|b| b.push(Stmt::Declare(local))), [1]);
    assert_eq!(broken(|b| b.def(Scalar::Usize, Op::Len(param_))), [1]);
    let element = |b: &mut Builder| {
        let index = b.number(Scalar::Usize, 0);
        b.element(Scalar::F32, param_, index);
    };
    assert_eq!(broken(element), [1]);
    let lookup = |b: &mut Builder| {
        let index = b.number(Scalar::Usize, 0);
        b.def(Scalar::F32, Op::Lookup(table_, index));
    };
    assert_eq!(broken(lookup), [1]);
    let elements = |b: &mut Builder| {
        let index = b.number(Scalar::Usize, 0);
        let value = b.def(Scalar::F32, Op::ReadElement(local, index));
        b.push(Stmt::SetElement(local, index, value));
    };
    assert_eq!(broken(elements), [1, 1]);
    assert_eq!(
        broken(|b| b.def(Scalar::I32, Op::Unary(UnaryOp::Neg, value))),
        [1]
    );
    assert_eq!(broken(|b| b.push(Stmt::If(value, vec![], vec![]))), [1]);
    let fault = |b: &mut Builder| {
        let zero = b.number(Scalar::U64, 0);
        b.push(Stmt::Fault(site_, vec![zero, zero]));
    };
    assert_eq!(broken(fault), [1]);
}

#[test]
fn rule_2_values_are_defined_once_and_before_their_use() {
    assert_eq!(
        broken(|b| {
            let value = b.number(Scalar::I32, 0);
            b.push(Stmt::Def(value));
        }),
        [2]
    );
    // Defined in a block that has ended.
    assert_eq!(
        broken(|b| {
            let condition = b.number(Scalar::Bool, 0);
            let (block, inner) = b.block(|b| b.number(Scalar::I32, 0));
            b.push(Stmt::If(condition, block, vec![]));
            b.unary(UnaryOp::Neg, inner);
        }),
        [2]
    );
    // Defined in the body of a loop, used in its `next`.
    assert_eq!(
        broken(|b| {
            let label = b.label();
            let (mut body, inner) = b.block(|b| b.number(Scalar::I32, 0));
            body.push(Stmt::Break(label));
            let (next, _) = b.block(|b| b.unary(UnaryOp::Neg, inner));
            b.push(Stmt::Loop { label, body, next });
        }),
        [2]
    );
    // Not defined at all.
    assert_eq!(
        broken(|b| {
            let (_, value) = b.block(|b| b.number(Scalar::I32, 0));
            b.unary(UnaryOp::Neg, value);
        }),
        [2]
    );
}

#[test]
fn rule_3_locals_are_declared_once_and_before_their_use() {
    assert_eq!(
        broken(|b| {
            let local = b.local(None, Scalar::I32);
            b.push(Stmt::Declare(local));
        }),
        [3]
    );
    assert_eq!(
        broken(|b| {
            let local = b.undeclared_local(None, Scalar::I32);
            let value = b.read(local);
            b.push(Stmt::Set(local, value));
        }),
        [3, 3]
    );
    assert_eq!(
        broken(|b| {
            let label = b.label();
            let (body, local) = b.block(|b| b.local(None, Scalar::I32));
            b.push(Stmt::Block { label, body });
            b.read(local);
        }),
        [3]
    );
    // Arrays too.
    assert_eq!(
        broken(|b| {
            let label = b.label();
            let (body, array) = b.block(|b| b.array(None, Scalar::I32, 1));
            let index = b.number(Scalar::Usize, 0);
            let early = b.read_element(array, index);
            b.push(Stmt::Block { label, body });
            b.push(Stmt::SetElement(array, index, early));
        }),
        [3, 3]
    );
}

#[test]
fn rule_4_constants_are_cut() {
    assert_eq!(broken(|b| b.def(Scalar::U8, Op::Const(256))), [4]);
    assert_eq!(broken(|b| b.def(Scalar::I8, Op::Const(-1i64 as u64))), [4]);
    assert_eq!(broken(|b| b.def(Scalar::Bool, Op::Const(2))), [4]);
    assert_eq!(broken(|b| b.def(Scalar::I8, Op::Const(255))), []);

    // In a table too.
    let table = |ty, bits| {
        let mut kernel = builder().finish();
        let name = None;
        kernel.tables.push(Table { name, ty, bits });
        rules(&kernel)
    };
    assert_eq!(table(Scalar::U8, vec![0, 256]), [4]);
    assert_eq!(table(Scalar::Bool, vec![2]), [4]);
    assert_eq!(table(Scalar::I8, vec![255]), []);
    assert_eq!(
        broken(|b| b.table(None, Scalar::I8, vec![-1i64 as u64])),
        [],
        "cut by the builder"
    );
}

#[test]
fn rule_13_vectors() {
    let vector = |ty: Scalar, n: usize| {
        broken(|b| {
            let at = b.number(Scalar::Usize, 0);
            let slice = b.param(
                "x",
                ParamKind::Slice {
                    element: Scalar::F64,
                    writable: true,
                },
            );
            let values = b.load_vector(slice, ty, at, n);
            b.push(Stmt::StoreVector(slice, at, values));
        })
    };
    assert_eq!(vector(Scalar::F32, 4), []);
    assert_eq!(vector(Scalar::F64, 2), []);
    assert_eq!(vector(Scalar::U8, 2), []);
    assert_eq!(vector(Scalar::F32, 3), [13, 13]);
    assert_eq!(vector(Scalar::F64, 4), [13, 13]);
    assert_eq!(vector(Scalar::Bool, 2), [13, 13]);
    assert_eq!(broken(|b| b.def(Scalar::F32, Op::Component)), [13]);
    let stored = |values: fn(&mut Builder) -> Vec<ValueId>| {
        broken(|b| {
            let at = b.number(Scalar::Usize, 0);
            let slice = b.param(
                "x",
                ParamKind::Slice {
                    element: Scalar::U32,
                    writable: false,
                },
            );
            let values = values(b);
            b.push(Stmt::StoreVector(slice, at, values));
        })
    };
    assert_eq!(
        stored(|b| vec![b.number(Scalar::U32, 1), b.number(Scalar::U32, 2)]),
        [10]
    );
    assert_eq!(
        stored(|b| vec![b.number(Scalar::U32, 1), b.number(Scalar::I32, 2)]),
        [10, 13]
    );
}

#[test]
fn rule_5_operations_have_their_types() {
    type Case = fn(&mut Builder, ValueId, ValueId, ValueId) -> (Scalar, Op);
    let cases: [Case; 26] = [
        |_, i, f, _| (Scalar::I32, Op::Binary(BinaryOp::Add, i, f)),
        |_, i, _, _| (Scalar::U32, Op::Binary(BinaryOp::Add, i, i)),
        |_, _, _, c| (Scalar::Bool, Op::Binary(BinaryOp::Add, c, c)),
        |_, _, f, _| (Scalar::F32, Op::Binary(BinaryOp::Xor, f, f)),
        |_, _, _, c| (Scalar::Bool, Op::Binary(BinaryOp::Shl, c, c)),
        |_, _, f, _| (Scalar::F32, Op::Unary(UnaryOp::Not, f)),
        |_, _, _, c| (Scalar::Bool, Op::Unary(UnaryOp::Neg, c)),
        |_, i, f, _| (Scalar::Bool, Op::Compare(CompareOp::Lt, i, f)),
        |_, i, _, _| (Scalar::U32, Op::Compare(CompareOp::Lt, i, i)),
        |_, i, _, _| (Scalar::Bool, Op::Cast(i)),
        |_, _, _, c| (Scalar::F32, Op::Cast(c)),
        |_, i, _, _| (Scalar::F64, Op::Bits(i)),
        |_, _, _, c| (Scalar::U8, Op::Bits(c)),
        |_, i, f, c| (Scalar::I32, Op::Select(c, i, f)),
        |_, i, _, _| (Scalar::I32, Op::Select(i, i, i)),
        |_, i, _, _| (Scalar::I32, Op::Math1(Math1::Sqrt, i)),
        |_, i, _, _| (Scalar::U32, Op::Math1(Math1::CountOnes, i)),
        |_, _, f, _| (Scalar::F32, Op::Math2(Math2::MulHigh, f, f)),
        |_, i, _, _| (Scalar::I32, Op::Math2(Math2::Powf, i, i)),
        |_, i, _, _| (Scalar::I32, Op::MulAdd(i, i, i)),
        |b, _, _, _| (Scalar::I32, Op::Param(param(b, 2))),
        |b, _, _, _| (Scalar::F32, Op::Param(param(b, 0))),
        |b, _, _, _| (Scalar::U64, Op::Len(param(b, 0))),
        |b, _, _, _| (Scalar::Usize, Op::Len(param(b, 2))),
        |b, _, _, _| (Scalar::F32, Op::Param(param(b, 3))),
        |b, _, _, _| (Scalar::Usize, Op::Len(param(b, 3))),
    ];
    for (n, case) in cases.into_iter().enumerate() {
        let mut rules = broken(|b| {
            let i = b.number(Scalar::I32, 1);
            let f = b.number(Scalar::F32, 1);
            let c = b.number(Scalar::Bool, 1);
            let (ty, op) = case(b, i, f, c);
            b.def(ty, op);
        });
        // One operation can be wrong in two ways.
        rules.dedup();
        assert_eq!(rules, [5], "case {n}");
    }
    // Floats of 16 bits are cast from and to `f32`, and not computed with.
    let half = |op: fn(ValueId) -> (Scalar, Op)| {
        broken(|b| {
            let h = b.constant(Scalar::F16, 0x3C00);
            let (ty, op) = op(h);
            b.def(ty, op);
        })
    };
    assert_eq!(half(|h| (Scalar::F32, Op::Cast(h))), []);
    assert_eq!(half(|h| (Scalar::U16, Op::Bits(h))), []);
    assert_eq!(half(|h| (Scalar::F64, Op::Cast(h))), [5]);
    assert_eq!(half(|h| (Scalar::Bf16, Op::Cast(h))), [5]);
    assert_eq!(half(|h| (Scalar::F16, Op::Binary(BinaryOp::Add, h, h))), [5]);
    assert_eq!(half(|h| (Scalar::F16, Op::Unary(UnaryOp::Neg, h))), [5]);
    assert_eq!(half(|h| (Scalar::Bool, Op::Compare(CompareOp::Eq, h, h))), [5]);
    assert_eq!(
        broken(|b| {
            let local = b.local(None, Scalar::I32);
            b.def(Scalar::U32, Op::Read(local));
        }),
        [5]
    );
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::Usize, 0);
            b.def(Scalar::F64, Op::Load(param(b, 0), index));
        }),
        [5]
    );
    // A slice's memory may be read as any type that is no larger than its element.
    for (ty, expected) in [
        (Scalar::Bool, vec![]),
        (Scalar::I32, vec![]),
        (Scalar::U64, vec![5]),
    ] {
        let load = |b: &mut Builder| {
            let index = b.number(Scalar::Usize, 0);
            b.def(ty, Op::Load(param(b, 0), index));
        };
        assert_eq!(broken(load), expected, "{ty}");
    }
    // The elements of array variables and of tables have their type.
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::Usize, 0);
            let array = b.array(None, Scalar::I32, 1);
            b.def(Scalar::U32, Op::ReadElement(array, index));
            b.def(Scalar::U32, Op::Lookup(table(b), index));
        }),
        [5, 5]
    );
    // Scalars are read and set as a whole, arrays by their elements.
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::Usize, 0);
            let (scalar, array) = (b.local(None, Scalar::I32), b.array(None, Scalar::I32, 1));
            let element = b.read_element(scalar, index);
            b.push(Stmt::SetElement(scalar, index, element));
            let whole = b.read(array);
            b.push(Stmt::Set(array, whole));
        }),
        [5; 4]
    );
    // An array's elements have its type; what is no array has none, and an array is no slice.
    for (ty, index) in [(Scalar::F64, 3), (Scalar::F32, 0), (Scalar::U32, 2)] {
        let element = |b: &mut Builder| {
            let at = b.number(Scalar::Usize, 0);
            b.element(ty, param(b, index), at);
        };
        assert_eq!(broken(element), [5], "parameter {index}");
    }
    assert_eq!(
        broken(|b| {
            let at = b.number(Scalar::Usize, 0);
            let value = b.def(Scalar::F32, Op::Load(param(b, 3), at));
            b.push(Stmt::Store(param(b, 3), at, value));
        }),
        [5, 5]
    );
}

#[test]
fn rule_6_index_functions_have_a_dimension() {
    assert_eq!(broken(|b| b.index(IndexFunction::GlobalId, 3)), [6]);
    assert_eq!(broken(|b| b.index(IndexFunction::GlobalLinearId, 0)), [6]);
}

#[test]
fn rule_7_labels_stand_once_and_around_their_use() {
    let block = |label, body| Stmt::Block { label, body };
    let endless = |label, body| Stmt::Loop {
        label,
        body,
        next: vec![],
    };
    assert_eq!(
        broken(|b| [0, 0].into_iter().for_each(|l| b.push(block(l, vec![])))),
        [7]
    );
    assert_eq!(broken(|b| b.push(Stmt::Break(0))), [7]);
    assert_eq!(broken(|b| b.push(block(0, vec![Stmt::Continue(0)]))), [7]);
    assert_eq!(broken(|b| b.push(endless(0, vec![Stmt::Continue(0)]))), []);
    assert_eq!(
        broken(|b| b.push(endless(0, vec![block(1, vec![Stmt::Break(0)])]))),
        []
    );
    assert_eq!(
        broken(|b| b.push(endless(0, vec![block(1, vec![Stmt::Break(2)])]))),
        [7]
    );
}

#[test]
fn rule_8_next_does_not_jump_out() {
    let with = |next: Vec<Stmt>| {
        broken(|b| {
            let label = 0;
            let body = vec![Stmt::Break(label)];
            b.push(Stmt::Loop { label, body, next });
        })
    };
    assert_eq!(with(vec![Stmt::Break(0)]), [8]);
    assert_eq!(with(vec![Stmt::Continue(0)]), [8]);
    assert_eq!(with(vec![Stmt::Return]), [8]);
    let label = 1;
    let body = vec![Stmt::Break(1)];
    assert_eq!(with(vec![Stmt::Block { label, body }]), []);
    assert_eq!(
        broken(|b| {
            let zero = b.number(Scalar::U64, 0);
            let site = site(b);
            b.push(Stmt::Loop {
                label: 0,
                body: vec![Stmt::Break(0)],
                next: vec![Stmt::Fault(site, vec![zero, zero])],
            });
        }),
        [8]
    );
}

#[test]
fn rule_9_nothing_stands_after_a_jump() {
    assert_eq!(
        broken(|b| [Stmt::Return, Stmt::Return].into_iter().for_each(|s| b.push(s))),
        [9]
    );
    assert_eq!(
        broken(|b| {
            let body = vec![Stmt::Break(0), Stmt::Break(0)];
            b.push(Stmt::Block { label: 0, body });
        }),
        [9]
    );
}

#[test]
fn rule_10_statements_have_their_types() {
    let store = |slice, index_type, value_type| {
        broken(|b| {
            let index = b.number(index_type, 0);
            let value = b.number(value_type, 0);
            b.push(Stmt::Store(param(b, slice), index, value));
        })
    };
    assert_eq!(store(1, Scalar::Usize, Scalar::F32), []);
    assert_eq!(store(0, Scalar::Usize, Scalar::F32), [10]);
    assert_eq!(store(1, Scalar::U64, Scalar::F32), [10]);
    assert_eq!(store(1, Scalar::Usize, Scalar::F64), [10]);
    assert_eq!(store(1, Scalar::Usize, Scalar::I16), []);
    let set = |index_type, value_type| {
        broken(|b| {
            let index = b.number(index_type, 0);
            let value = b.number(value_type, 0);
            let array = b.array(None, Scalar::F32, 1);
            b.push(Stmt::SetElement(array, index, value));
        })
    };
    assert_eq!(set(Scalar::Usize, Scalar::F32), []);
    assert_eq!(set(Scalar::U64, Scalar::F32), [10]);
    assert_eq!(set(Scalar::Usize, Scalar::U32), [10]);
    assert_eq!(
        broken(|b| {
            let local = b.local(None, Scalar::I32);
            let value = b.number(Scalar::U32, 0);
            b.push(Stmt::Set(local, value));
        }),
        [10]
    );
    assert_eq!(
        broken(|b| {
            let condition = b.number(Scalar::U8, 0);
            b.push(Stmt::If(condition, vec![], vec![]));
        }),
        [10]
    );
    assert_eq!(
        broken(|b| {
            let site = site(b);
            let (good, bad) = (b.number(Scalar::U64, 0), b.number(Scalar::U32, 0));
            b.push(Stmt::Fault(site, vec![good, bad]));
        }),
        [10]
    );
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::U32, 0);
            b.def(Scalar::F32, Op::Load(param(b, 0), index));
        }),
        [10]
    );
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::U32, 0);
            b.element(Scalar::F32, param(b, 3), index);
        }),
        [10]
    );
    assert_eq!(
        broken(|b| {
            let index = b.number(Scalar::U32, 0);
            b.lookup(table(b), index);
            let array = b.array(None, Scalar::F32, 1);
            b.read_element(array, index);
        }),
        [10, 10]
    );
}

#[test]
fn rule_11_the_name_is_an_identifier() {
    for (name, expected) in [
        ("k", vec![]),
        ("_k1", vec![]),
        ("", vec![11]),
        ("1k", vec![11]),
        ("é", vec![11]),
    ] {
        assert_eq!(rules(&Builder::new(name).finish()), expected, "{name}");
    }
}

#[test]
fn rule_12_arrays_and_tables_have_elements() {
    for (len, expected) in [(1, vec![]), (0, vec![12])] {
        assert_eq!(broken(|b| b.array(None, Scalar::I32, len)), expected);
        assert_eq!(broken(|b| b.table(None, Scalar::I32, vec![0; len])), expected);
    }
}

#[test]
fn all_errors_are_collected_and_say_their_rule() {
    let mut b = builder();
    b.def(Scalar::U8, Op::Const(256));
    b.push(Stmt::Break(3));
    let errors = verify(&b.finish()).expect_err("two rules are broken");
    let text: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "%0: u8 = Const(256) (rule 4)",
            "Break(3) names nothing around it (rule 7)"
        ]
    );
}

/// An atomic operation on the slice of that number, whose value is of type `ty`.
fn atomic(b: &mut Builder, slice: usize, ty: Scalar, op: impl FnOnce(ValueId) -> AtomicOp, order: Order) {
    let slice = param(b, slice);
    let index = b.constant(Scalar::Usize, 0);
    let value = b.number(ty, 1);
    let op = op(value);
    if let AtomicOp::Store(_) = op {
        b.atomic_store(slice, index, value, order);
    } else {
        b.atomic(ty, slice, index, op, order);
    }
}

#[test]
fn rule_14_atomics_are_operations_that_exist() {
    let add = |value| AtomicOp::Update(Update::Add, value);
    let relaxed = Order::Relaxed;
    assert_eq!(broken(|b| atomic(b, 1, Scalar::U32, add, relaxed)), []);
    assert_eq!(broken(|b| atomic(b, 1, Scalar::F32, add, relaxed)), []);
    assert_eq!(broken(|b| atomic(b, 0, Scalar::U32, add, relaxed)), [14]);
    assert_eq!(broken(|b| atomic(b, 2, Scalar::U32, add, relaxed)), [5]);
    assert_eq!(broken(|b| atomic(b, 1, Scalar::U16, add, relaxed)), [14]);
    assert_eq!(broken(|b| atomic(b, 1, Scalar::U64, add, relaxed)), [14]);
    assert_eq!(
        broken(|b| atomic(b, 1, Scalar::F32, AtomicOp::Swap, relaxed)),
        [14]
    );
    let min = |value| AtomicOp::Update(Update::Min, value);
    assert_eq!(broken(|b| atomic(b, 1, Scalar::F32, min, relaxed)), [14]);
    let load = |order| broken(|b| atomic(b, 1, Scalar::I32, |_| AtomicOp::Load, order));
    let store = |order| broken(|b| atomic(b, 1, Scalar::I32, AtomicOp::Store, order));
    let exchange = |order, failure| {
        let op = |value| AtomicOp::CompareExchange {
            expected: value,
            new: value,
            failure,
        };
        broken(|b| atomic(b, 1, Scalar::I32, op, order))
    };
    for order in Order::ALL {
        let [loads, stores] =
            [Order::Release, Order::Acquire].map(|not| order != not && order != Order::AcqRel);
        assert_eq!(load(order).is_empty(), loads, "{order:?}");
        assert_eq!(store(order).is_empty(), stores, "{order:?}");
        assert_eq!(exchange(order, order).is_empty(), loads, "{order:?}");
        assert_eq!(exchange(order, Order::Relaxed), []);
    }
    assert_eq!(exchange(Order::Release, Order::Acquire), [14]);

    // A value that is given twice, one of another type, and one that no statement gives.
    assert_eq!(
        broken(|b| {
            let (slice, index) = (param(b, 1), b.constant(Scalar::Usize, 0));
            let before = b.atomic(Scalar::U32, slice, index, AtomicOp::Load, relaxed);
            b.push(Stmt::Atomic(Atomic {
                op: AtomicOp::Load,
                slice,
                index,
                order: relaxed,
                before: Some(before),
            }));
        }),
        [2]
    );
    assert_eq!(
        broken(|b| {
            let (slice, index) = (param(b, 1), b.constant(Scalar::Usize, 0));
            let value = b.number(Scalar::I32, 1);
            b.atomic(Scalar::U32, slice, index, AtomicOp::Swap(value), relaxed);
        }),
        [14]
    );
}

#[test]
fn groups_wait_only_where_they_are_whole() {
    assert_eq!(broken(|b| b.push(Stmt::Barrier)), [15]);
    let whole = |b: &mut Builder| {
        b.run_whole_groups();
        b.push(Stmt::Barrier);
    };
    assert_eq!(broken(whole), []);
    // What items share is an array, is there from the start, and is not declared.
    let used = |b: &mut Builder| {
        let array = b.shared_array(Some("t"), Scalar::F32, 4);
        let index = b.constant(Scalar::Usize, 0);
        let value = b.read_element(array, index);
        b.push(Stmt::SetElement(array, index, value));
        array
    };
    assert_eq!(broken(used), []);
    assert_eq!(
        broken(|b| {
            let array = used(b);
            b.push(Stmt::Declare(array));
        }),
        [15]
    );
    assert_eq!(broken(|b| b.shared_array(None, Scalar::F32, 0)), [12]);
    // A barrier between two rounds of a loop.
    assert_eq!(
        broken(|b| {
            b.run_whole_groups();
            let label = b.label();
            b.push(Stmt::Loop {
                label,
                body: vec![Stmt::Break(label)],
                next: vec![Stmt::Barrier],
            });
        }),
        [8]
    );
}

#[test]
fn sub_groups_are_of_whole_groups_and_exchange_words() {
    assert_eq!(
        broken(|b| {
            let yes = b.constant(Scalar::Bool, 1);
            b.ballot(yes);
        }),
        [17]
    );
    let whole = |f: fn(&mut Builder)| {
        broken(|b| {
            b.run_whole_groups();
            f(b);
        })
    };
    assert_eq!(
        whole(|b| {
            let wide = b.constant(Scalar::U64, 1);
            let item = b.constant(Scalar::U32, 0);
            b.shuffle(wide, item);
            b.ballot(item);
        }),
        [17, 17]
    );
    assert_eq!(
        whole(|b| {
            b.def(Scalar::Usize, Op::Index(IndexFunction::SubgroupSize, 1));
        }),
        [6]
    );
}
