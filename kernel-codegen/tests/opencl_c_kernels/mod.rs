//! Kernels in which a generator of C can go wrong, and what they store.

// Each test program uses a part of this, and nothing outside it can.
#![allow(dead_code, unreachable_pub)]

use gridfn_ir::build::Builder;
use gridfn_ir::typed::{
    BinaryOp, CompareOp, Kernel, LocalId, Math1, Math2, Op, ParamId, ParamKind, Stmt, UnaryOp, ValueId,
};
use gridfn_ir::{IndexFunction, Scalar};

/// Every kernel here.
pub fn all() -> Vec<Kernel> {
    vec![
        order().0,
        shapes().0,
        wrapping().0,
        narrow().0,
        constants(),
        names(),
        helpers(),
    ]
}

fn slice(b: &mut Builder, name: &str, element: Scalar, writable: bool) -> ParamId {
    b.param(name, ParamKind::Slice { element, writable })
}

fn number(b: &mut Builder, n: i64) -> ValueId {
    b.constant(Scalar::I32, n as u64)
}

fn at(b: &mut Builder, index: u64) -> ValueId {
    b.constant(Scalar::Usize, index)
}

fn add(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
    b.binary(BinaryOp::Add, x, y)
}

fn declare(b: &mut Builder, name: &str, first: i64) -> LocalId {
    let local = b.local(Some(name), Scalar::I32);
    let first = number(b, first);
    b.push(Stmt::Set(local, first));
    local
}

/// Values that are computed before something changes what they were computed from, and used after it. All items store
/// the same.
pub fn order() -> (Kernel, Vec<i32>) {
    let mut b = Builder::new("order");
    let out = slice(&mut b, "out", Scalar::I32, true);
    let [one, ten] = [1, 10].map(|n| number(&mut b, n));
    let places = [0, 1, 2, 3, 4, 5].map(|n| at(&mut b, n));
    let x = declare(&mut b, "x", 5);

    // `x` is read, then changed; the old value is used.
    let old = b.read(x);
    b.push(Stmt::Set(x, ten));
    b.push(Stmt::Store(out, places[0], old));

    // The same with an expression around it, and the change under a condition that reads it.
    let read = b.read(x);
    let sum = add(&mut b, read, one);
    let read = b.read(x);
    let is_ten = b.compare(CompareOp::Eq, read, ten);
    b.push(Stmt::If(is_ten, vec![Stmt::Set(x, one)], vec![]));
    b.push(Stmt::Store(out, places[1], sum));

    // An element is loaded, then stored to; in between only the old value counts.
    let element = b.def(Scalar::I32, Op::Load(out, places[0]));
    b.push(Stmt::Store(out, places[0], ten));
    let sum = add(&mut b, element, one);
    b.push(Stmt::Store(out, places[2], sum));

    // Two values wait for one use; only one of them is changed before it.
    let y = declare(&mut b, "y", 7);
    let (read_x, read_y) = (b.read(x), b.read(y));
    b.push(Stmt::Set(y, ten));
    let sum = add(&mut b, read_x, read_y);
    b.push(Stmt::Store(out, places[3], sum));

    // A value from before a loop that changes it, used after it.
    let before = b.read(x);
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let now = b.read(x);
        let ends = b.compare(CompareOp::Ge, now, ten);
        b.push(Stmt::If(ends, vec![Stmt::Break(label)], vec![]));
        // The value from the round's start is used after the change.
        let start = b.read(x);
        let next = add(b, start, ten);
        b.push(Stmt::Set(x, next));
        b.push(Stmt::Store(out, places[4], start));
    });
    b.push(Stmt::Loop {
        label,
        body,
        next: vec![],
    });
    let after = b.read(x);
    let sum = add(&mut b, before, after);
    b.push(Stmt::Store(out, places[5], sum));
    (b.finish(), vec![10, 11, 6, 8, 1, 12])
}

/// Loops as lowering makes them: a `for` over a range, a `while`, an `if` as a value, and a `continue` past a step
/// that has no place in a loop's head.
pub fn shapes() -> (Kernel, Vec<i32>) {
    let mut b = Builder::new("shapes");
    let out = slice(&mut b, "out", Scalar::I32, true);
    let [zero, one, two, five, hundred] = [0, 1, 2, 5, 100].map(|n| number(&mut b, n));
    let places = [0, 1, 2].map(|n| at(&mut b, n));

    // for i in 0..5 { if i == 2 { continue; } sum += i }
    let sum = declare(&mut b, "sum", 0);
    let counter = b.local(None, Scalar::I32);
    b.push(Stmt::Set(counter, zero));
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let i = b.read(counter);
        b.name(i, "i");
        let inside = b.compare(CompareOp::Lt, i, five);
        b.push(Stmt::If(inside, vec![], vec![Stmt::Break(label)]));
        let skipped = b.compare(CompareOp::Eq, i, two);
        b.push(Stmt::If(skipped, vec![Stmt::Continue(label)], vec![]));
        let now = b.read(sum);
        let next = add(b, now, i);
        b.push(Stmt::Set(sum, next));
    });
    let (next, ()) = b.block(|b| {
        let now = b.read(counter);
        let next = add(b, now, one);
        b.push(Stmt::Set(counter, next));
    });
    b.push(Stmt::Loop { label, body, next });
    let total = b.read(sum);
    b.push(Stmt::Store(out, places[0], total));

    // let half = if sum > 5 { sum / 2 } else { sum }; while sum < 100 { sum += half }
    let result = b.local(None, Scalar::I32);
    let now = b.read(sum);
    let large = b.compare(CompareOp::Gt, now, five);
    let (then, ()) = b.block(|b| {
        let halved = b.binary(BinaryOp::Div, now, two);
        b.push(Stmt::Set(result, halved));
    });
    b.push(Stmt::If(large, then, vec![Stmt::Set(result, now)]));
    let half = b.read(result);
    b.name(half, "half");
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let now = b.read(sum);
        let below = b.compare(CompareOp::Lt, now, hundred);
        let (then, ()) = b.block(|b| {
            let now = b.read(sum);
            let next = add(b, now, half);
            b.push(Stmt::Set(sum, next));
        });
        b.push(Stmt::If(below, then, vec![Stmt::Break(label)]));
    });
    b.push(Stmt::Loop {
        label,
        body,
        next: vec![],
    });
    let total = b.read(sum);
    b.push(Stmt::Store(out, places[1], total));

    // A step with an `if` in it; odd values are skipped.
    let (j, even) = (declare(&mut b, "j", 0), declare(&mut b, "even", 0));
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let now = b.read(j);
        let ends = b.compare(CompareOp::Ge, now, hundred);
        b.push(Stmt::If(ends, vec![Stmt::Break(label)], vec![]));
        let lowest = b.binary(BinaryOp::And, now, one);
        let odd = b.compare(CompareOp::Ne, lowest, zero);
        b.push(Stmt::If(odd, vec![Stmt::Continue(label)], vec![]));
        let count = b.read(even);
        let next = add(b, count, one);
        b.push(Stmt::Set(even, next));
    });
    let (next, ()) = b.block(|b| {
        let now = b.read(j);
        let next = add(b, now, one);
        let small = b.compare(CompareOp::Lt, now, five);
        let far = add(b, now, five);
        b.push(Stmt::If(small, vec![Stmt::Set(j, next)], vec![Stmt::Set(j, far)]));
    });
    b.push(Stmt::Loop { label, body, next });
    let count = b.read(even);
    b.push(Stmt::Store(out, places[2], count));

    let (mut j, mut even) = (0, 0);
    while j < 100 {
        even += i32::from(j % 2 == 0);
        j += if j < 5 { 1 } else { 5 };
    }
    (b.finish(), vec![8, 100, even])
}

/// Signed arithmetic that wraps, in chains.
pub fn wrapping() -> (Kernel, Vec<i32>) {
    let mut b = Builder::new("wrapping");
    let out = slice(&mut b, "out", Scalar::I32, true);
    let param = b.param("largest", ParamKind::Scalar(Scalar::I32));
    let places = [0, 1, 2, 3].map(|n| at(&mut b, n));
    let [two, minus_three, min] = [2, -3, i64::from(i32::MIN)].map(|n| number(&mut b, n));
    let m = b.def(Scalar::I32, Op::Param(param));

    let product = b.binary(BinaryOp::Mul, m, two);
    let sum = add(&mut b, product, minus_three);
    let negative = b.def(Scalar::I32, Op::Unary(UnaryOp::Neg, sum));
    b.push(Stmt::Store(out, places[0], negative));

    let sum = add(&mut b, m, two);
    let unsigned = b.cast(sum, Scalar::U32);
    let one = b.constant(Scalar::U32, 1);
    let shifted = b.binary(BinaryOp::Shr, unsigned, one);
    let signed = b.cast(shifted, Scalar::I32);
    b.push(Stmt::Store(out, places[1], signed));

    let difference = b.binary(BinaryOp::Sub, min, m);
    let inner = b.binary(BinaryOp::Sub, m, difference);
    let outer = b.binary(BinaryOp::Sub, inner, minus_three);
    b.push(Stmt::Store(out, places[2], outer));

    let negative = b.def(Scalar::I32, Op::Unary(UnaryOp::Neg, min));
    let twice = b.def(Scalar::I32, Op::Unary(UnaryOp::Neg, negative));
    let below = b.compare(CompareOp::Lt, twice, m);
    let not = b.def(Scalar::Bool, Op::Unary(UnaryOp::Not, below));
    let chosen = b.def(Scalar::I32, Op::Select(not, m, twice));
    b.push(Stmt::Store(out, places[3], chosen));

    let m = i32::MAX;
    let expected = vec![
        m.wrapping_mul(2).wrapping_add(-3).wrapping_neg(),
        (m.wrapping_add(2) as u32 >> 1) as i32,
        m.wrapping_sub(i32::MIN.wrapping_sub(m)).wrapping_sub(-3),
        i32::MIN,
    ];
    (b.finish(), expected)
}

/// Eight and sixteen bits in expressions, where C computes in `int`.
pub fn narrow() -> (Kernel, Vec<i32>) {
    let mut b = Builder::new("narrow");
    let out = slice(&mut b, "out", Scalar::I32, true);
    let (x, y) = (
        b.param("x", ParamKind::Scalar(Scalar::U8)),
        b.param("y", ParamKind::Scalar(Scalar::U16)),
    );
    let (x, y) = (b.def(Scalar::U8, Op::Param(x)), b.def(Scalar::U16, Op::Param(y)));
    let hundred = b.constant(Scalar::U8, 100);
    let three = b.constant(Scalar::U8, 3);
    let mut results = Vec::new();

    let sum = add(&mut b, x, hundred);
    results.push((
        b.binary(BinaryOp::Div, sum, three),
        200u8.wrapping_add(100) as i32 / 3,
    ));
    let inverted = b.def(Scalar::U8, Op::Unary(UnaryOp::Not, x));
    results.push((b.binary(BinaryOp::Shr, inverted, three), i32::from(!200u8 >> 3)));
    let mixed = b.binary(BinaryOp::Xor, x, three);
    let smaller = b.def(Scalar::U8, Op::Math2(Math2::Min, mixed, hundred));
    results.push((b.def(Scalar::U8, Op::Math1(Math1::LeadingZeros, smaller)), 1));
    let product = b.binary(BinaryOp::Mul, y, y);
    let eight = b.constant(Scalar::U16, 8);
    let shifted = b.binary(BinaryOp::Shl, product, eight);
    results.push((shifted, i32::from(65535u16.wrapping_mul(65535) << 8)));
    let signed = b.cast(x, Scalar::I8);
    let negative = b.def(Scalar::I8, Op::Unary(UnaryOp::Neg, signed));
    let two = b.constant(Scalar::I8, 2);
    let doubled = b.binary(BinaryOp::Mul, negative, two);
    results.push((b.binary(BinaryOp::Shl, doubled, two), i32::from((56i8 * 2) << 2)));

    let mut expected = Vec::new();
    for (n, (value, result)) in (0..).zip(results) {
        let (place, value) = (at(&mut b, n), b.cast(value, Scalar::I32));
        b.push(Stmt::Store(out, place, value));
        expected.push(result);
    }
    (b.finish(), expected)
}

/// The least, the largest and other awkward constants: each is stored to the slice of its type.
pub fn constants() -> Kernel {
    let mut b = Builder::new("constants");
    for ty in Scalar::PRIMITIVES {
        let out = slice(&mut b, &format!("to_{ty}"), ty, true);
        for (n, bits) in (0..).zip(constants_of(ty)) {
            let (place, value) = (at(&mut b, n), b.constant(ty, bits));
            b.push(Stmt::Store(out, place, value));
        }
    }
    b.finish()
}

/// The constants of each type in [`constants`].
pub fn constants_of(ty: Scalar) -> Vec<u64> {
    match ty {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => [0.0, -0.0, 0.1, -2.5, 1e6, 1.5e-7, f32::MAX, f32::MIN_POSITIVE]
            .into_iter()
            .chain([f32::from_bits(1), f32::INFINITY, f32::NEG_INFINITY, f32::NAN])
            .map(|x| x.to_bits().into())
            .collect(),
        Scalar::F64 => [0.0, -0.0, 0.1, -2.5, 1e6, 1.5e-7, f64::MAX, f64::MIN_POSITIVE]
            .into_iter()
            .chain([f64::from_bits(1), f64::INFINITY, f64::NEG_INFINITY, f64::NAN])
            .map(f64::to_bits)
            .collect(),
        integer => {
            let max = integer.truncate(u64::MAX) >> u32::from(integer.is_signed());
            vec![integer.min_bits(), max, integer.truncate(u64::MAX), 0]
        }
    }
}

/// Names that C, OpenCL or the generator would stumble over.
pub fn names() -> Kernel {
    let mut b = Builder::new("kernel");
    let out = slice(&mut b, "global", Scalar::I32, true);
    let mut sum = number(&mut b, 0);
    for name in [
        "half", "block", "x_len", "r#struct", "größe", "__global", "float4", "size",
    ] {
        let param = b.param(name, ParamKind::Scalar(Scalar::I32));
        let param = b.def(Scalar::I32, Op::Param(param));
        sum = add(&mut b, sum, param);
    }
    slice(&mut b, "x", Scalar::I32, false);
    for name in [
        "max",
        "t",
        "x",
        "step",
        "x",
        "fault",
        "image2d_t",
        "M_PI",
        "as_uint",
        "get_global_id",
    ] {
        sum = add(&mut b, sum, sum);
        b.name(sum, name);
    }
    let i = b.index(IndexFunction::GlobalId, 0);
    let twice = b.binary(BinaryOp::Mul, i, i);
    let twice = b.binary(BinaryOp::Rem, twice, i);
    b.push(Stmt::Store(out, twice, sum));
    b.finish()
}

/// Everything that calls a helper function.
pub fn helpers() -> Kernel {
    let mut b = Builder::new("helpers");
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");
    for ty in [Scalar::U8, Scalar::I16, Scalar::U32, Scalar::I64] {
        let io = slice(&mut b, &format!("io_{ty}"), ty, true);
        let mut value = b.def(ty, Op::Load(io, i));
        for f in [Math1::TrailingZeros, Math1::ReverseBits] {
            value = b.def(ty, Op::Math1(f, value));
        }
        b.push(Stmt::Store(io, i, value));
        let floats = slice(&mut b, &format!("floats_{ty}"), Scalar::F32, false);
        let float = b.def(Scalar::F32, Op::Load(floats, i));
        let cast = b.cast(float, ty);
        b.push(Stmt::Store(io, i, cast));
        for f in [Math2::SaturatingAdd, Math2::SaturatingSub] {
            let result = b.def(ty, Op::Math2(f, value, cast));
            b.push(Stmt::Store(io, i, result));
        }
    }
    b.finish()
}
