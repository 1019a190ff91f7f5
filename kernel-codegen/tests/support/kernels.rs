//! Kernels larger than one operation, built by hand.

use super::{aggregates, arrays, atomics};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{
    BinaryOp, CompareOp, FaultKind, Kernel, LocalId, Math1, Op, ParamId, ParamKind, Site, Stmt, ValueId,
};
use gridfn_ir::{IndexFunction, Scalar};

/// Every kernel here; their names differ.
pub fn all() -> Vec<Kernel> {
    vec![
        saxpy(),
        control(),
        bytes(),
        mixed(),
        arrays::mixed(),
        aggregates::bodies(),
        aggregates::payloads(Scalar::F64),
        aggregates::fields(Scalar::F32),
        aggregates::table(Scalar::F32),
        aggregates::vectors(Scalar::F32, 4),
        aggregates::vectors(Scalar::U8, 2),
        aggregates::variables(Scalar::Bool),
        atomics::each(Scalar::I32),
        atomics::counts(),
        indices(),
        groups(),
        precise(),
        dead_ends(),
        nothing(),
    ]
}

/// Items of a group put values in memory that they share, wait, and read those of others; outside the grid they only wait.
fn groups() -> Kernel {
    let mut b = Builder::new("groups");
    b.run_whole_groups();
    let x = b.param("x", slice(Scalar::F32));
    let y = b.param("y", output(Scalar::F32));
    let tile = b.shared_array(Some("tile"), Scalar::F32, 16);
    let flags = b.shared_array(None, Scalar::Bool, 4);
    let i = b.index(IndexFunction::GlobalId, 0);
    let size = b.index(IndexFunction::GlobalSize, 0);
    let inside = b.compare(CompareOp::Lt, i, size);
    let item = b.index(IndexFunction::LocalId, 0);
    let (put, ()) = b.block(|b| {
        let value = b.def(Scalar::F32, Op::Load(x, i));
        b.push(Stmt::SetElement(tile, item, value));
        let zero = b.constant(Scalar::Usize, 0);
        b.push(Stmt::SetElement(flags, zero, inside));
    });
    b.push(Stmt::If(inside, put, vec![]));
    b.push(Stmt::Barrier);
    let (take, ()) = b.block(|b| {
        let one = b.constant(Scalar::Usize, 1);
        let other = b.binary(BinaryOp::Xor, item, one);
        // What is read before a barrier is not read behind it.
        let before = b.read_element(tile, other);
        let zero = b.constant(Scalar::Usize, 0);
        let flag = b.read_element(flags, zero);
        let nothing = b.number(Scalar::F32, 0);
        let before = b.select(flag, before, nothing);
        b.push(Stmt::Barrier);
        b.push(Stmt::SetElement(tile, item, before));
        b.push(Stmt::Barrier);
        let after = b.read_element(tile, other);
        let sum = b.binary(BinaryOp::Add, before, after);
        b.push(Stmt::Store(y, i, sum));
    });
    b.append(take);
    b.finish()
}

/// A slice that nobody writes.
pub fn slice(element: Scalar) -> ParamKind {
    let writable = false;
    ParamKind::Slice { element, writable }
}

/// A slice that the kernel writes.
pub fn output(element: Scalar) -> ParamKind {
    let writable = true;
    ParamKind::Slice { element, writable }
}

/// A check of a slice's index, as lowering puts it before an access.
fn check_in(b: &mut Builder, slice: ParamId, index: ValueId, line: u32) {
    let length = b.def(Scalar::Usize, Op::Len(slice));
    check(b, index, length, line);
}

/// A check that an index is below a length.
pub fn check(b: &mut Builder, index: ValueId, length: ValueId, line: u32) {
    let site = b.site(Site {
        kind: FaultKind::Index,
        file: "examples/kernels.rs".into(),
        line,
        column: 5,
    });
    let outside = b.compare(CompareOp::Ge, index, length);
    b.fault_if(outside, site, [index, length]);
}

/// `y[i] += a * x[i]`, with checked indices.
pub fn saxpy() -> Kernel {
    let mut b = Builder::new("saxpy");
    let a = b.param("a", ParamKind::Scalar(Scalar::F32));
    let x = b.param("x", slice(Scalar::F32));
    let y = b.param("y", output(Scalar::F32));
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");
    let a = b.def(Scalar::F32, Op::Param(a));
    check_in(&mut b, x, i, 4);
    let x = b.def(Scalar::F32, Op::Load(x, i));
    let product = b.binary(BinaryOp::Mul, a, x);
    check_in(&mut b, y, i, 5);
    let old = b.def(Scalar::F32, Op::Load(y, i));
    let sum = b.binary(BinaryOp::Add, old, product);
    b.push(Stmt::Store(y, i, sum));
    b.finish()
}

/// `place op= operand`
fn update(b: &mut Builder, place: LocalId, op: BinaryOp, operand: ValueId) {
    let old = b.read(place);
    let new = b.binary(op, old, operand);
    b.push(Stmt::Set(place, new));
}

/// Loops and blocks with labels:
///
/// ```text
/// if i % 7 == 3 { return; }
/// let (mut sum, mut j) = (0, 0);
/// 'outer: for j in 0.. {
///     if j >= limit { break; }
///     let mut k = 0;
///     loop {
///         if k > j { continue 'outer; }
///         if sum > 1000 { break 'outer; }
///         if k & 1 == 1 { sum ^= i } else { sum += k }
///         k += 1;
///     }
/// }
/// 'early: { if sum < 100 { break 'early; } sum -= 100; }
/// out[i] = sum;
/// ```
pub fn control() -> Kernel {
    let mut b = Builder::new("control");
    let limit = b.param("limit", ParamKind::Scalar(Scalar::U32));
    let out = b.param("out", output(Scalar::U32));
    let ty = Scalar::U32;
    let [zero, one, three, seven, hundred, thousand] = [0, 1, 3, 7, 100, 1000].map(|n| b.constant(ty, n));
    let limit = b.def(ty, Op::Param(limit));
    let at = b.index(IndexFunction::GlobalId, 0);
    let i = b.cast(at, ty);
    b.name(i, "i");

    let remainder = b.binary(BinaryOp::Rem, i, seven);
    let skips = b.compare(CompareOp::Eq, remainder, three);
    b.push(Stmt::If(skips, vec![Stmt::Return], vec![]));

    let (sum, j) = (b.local(Some("sum"), ty), b.local(Some("j"), ty));
    b.push(Stmt::Set(sum, zero));
    b.push(Stmt::Set(j, zero));
    let (outer, inner, early) = (b.label(), b.label(), b.label());

    let (body, ()) = b.block(|b| {
        let now = b.read(j);
        let ends = b.compare(CompareOp::Ge, now, limit);
        b.push(Stmt::If(ends, vec![Stmt::Break(outer)], vec![]));
        let k = b.local(Some("k"), ty);
        b.push(Stmt::Set(k, zero));
        let (body, ()) = b.block(|b| {
            let (k_now, j_now) = (b.read(k), b.read(j));
            let above = b.compare(CompareOp::Gt, k_now, j_now);
            b.push(Stmt::If(above, vec![Stmt::Continue(outer)], vec![]));
            let sum_now = b.read(sum);
            let enough = b.compare(CompareOp::Gt, sum_now, thousand);
            b.push(Stmt::If(enough, vec![Stmt::Break(outer)], vec![]));
            let lowest = b.binary(BinaryOp::And, k_now, one);
            let odd = b.compare(CompareOp::Eq, lowest, one);
            let (yes, ()) = b.block(|b| update(b, sum, BinaryOp::Xor, i));
            let (no, ()) = b.block(|b| update(b, sum, BinaryOp::Add, k_now));
            b.push(Stmt::If(odd, yes, no));
            update(b, k, BinaryOp::Add, one);
        });
        let (label, next) = (inner, vec![]);
        b.push(Stmt::Loop { label, body, next });
    });
    let (next, ()) = b.block(|b| update(b, j, BinaryOp::Add, one));
    b.push(Stmt::Loop {
        label: outer,
        body,
        next,
    });

    let (body, ()) = b.block(|b| {
        let now = b.read(sum);
        let small = b.compare(CompareOp::Lt, now, hundred);
        b.push(Stmt::If(small, vec![Stmt::Break(early)], vec![]));
        update(b, sum, BinaryOp::Sub, hundred);
    });
    b.push(Stmt::Block { label: early, body });

    let result = b.read(sum);
    b.push(Stmt::Store(out, at, result));
    b.finish()
}

/// What [`control`] stores for an item, or nothing.
pub fn control_on_host(i: u32, limit: u32) -> Option<u32> {
    if i % 7 == 3 {
        return None;
    }
    let mut sum = 0u32;
    'outer: for j in 0..limit {
        let mut k = 0;
        loop {
            if k > j {
                continue 'outer;
            }
            if sum > 1000 {
                break 'outer;
            }
            if k & 1 == 1 {
                sum ^= i
            } else {
                sum += k
            }
            k += 1;
        }
    }
    Some(if sum < 100 { sum } else { sum - 100 })
}

/// `bool`s and bytes in parameters, memory and locals: `out[i] = flag ^ (flags[i] & (small[i] < low))`
pub fn bytes() -> Kernel {
    let mut b = Builder::new("bytes");
    let flag = b.param("flag", ParamKind::Scalar(Scalar::Bool));
    let low = b.param("low", ParamKind::Scalar(Scalar::I8));
    let flags = b.param("flags", slice(Scalar::Bool));
    let small = b.param("small", slice(Scalar::I8));
    let out = b.param("out", output(Scalar::Bool));
    let i = b.index(IndexFunction::GlobalId, 0);
    let low = b.def(Scalar::I8, Op::Param(low));
    let flag = b.def(Scalar::Bool, Op::Param(flag));
    let flagged = b.def(Scalar::Bool, Op::Load(flags, i));
    let small = b.def(Scalar::I8, Op::Load(small, i));
    let below = b.compare(CompareOp::Lt, small, low);
    let both = b.binary(BinaryOp::And, flagged, below);
    let local = b.local(Some("both"), Scalar::Bool);
    b.push(Stmt::Set(local, both));
    update(&mut b, local, BinaryOp::Xor, flag);
    let result = b.read(local);
    b.push(Stmt::Store(out, i, result));
    b.finish()
}

/// The types of [`mixed`]'s scalars: small ones before large ones.
pub const MIXED: [Scalar; 9] = [
    Scalar::Bool,
    Scalar::I16,
    Scalar::U8,
    Scalar::F64,
    Scalar::I8,
    Scalar::F32,
    Scalar::U16,
    Scalar::I64,
    Scalar::U8,
];

/// Scalars of all sizes in the parameter block: `out[n] = n-th scalar as f64`
pub fn mixed() -> Kernel {
    let mut b = Builder::new("mixed");
    let params = MIXED.map(|ty| b.param(format!("p_{ty}"), ParamKind::Scalar(ty)));
    let out = b.param("out", output(Scalar::F64));
    for (at, (param, ty)) in (0..).zip(params.into_iter().zip(MIXED)) {
        let mut value = b.def(ty, Op::Param(param));
        if ty == Scalar::Bool {
            value = b.cast(value, Scalar::U8);
        }
        let value = b.cast(value, Scalar::F64);
        let at = b.constant(Scalar::Usize, at);
        b.push(Stmt::Store(out, at, value));
    }
    b.finish()
}

/// The index functions with a dimension, in the order of [`indices`].
pub const INDICES: [IndexFunction; 6] = [
    IndexFunction::GlobalId,
    IndexFunction::LocalId,
    IndexFunction::GroupId,
    IndexFunction::GlobalSize,
    IndexFunction::LocalSize,
    IndexFunction::NumGroups,
];

/// Every index function in every dimension: item (x, y, z) of the launch, from the start, has the 18 words from
/// `((z * 7 + y) * 9 + x) * 18`. The launch has at most 9 by 7 items in a plane, and starts at (10, 20, 30).
pub fn indices() -> Kernel {
    let mut b = Builder::new("indices");
    let out = b.param("out", output(Scalar::U64));
    let [x, y, z] = [(0, 10), (1, 20), (2, 30)].map(|(d, start)| {
        let id = b.index(IndexFunction::GlobalId, d);
        let start = b.constant(Scalar::Usize, start);
        b.binary(BinaryOp::Sub, id, start)
    });
    let mut place = z;
    for (factor, term) in [(7, y), (9, x)] {
        let factor = b.constant(Scalar::Usize, factor);
        place = b.binary(BinaryOp::Mul, place, factor);
        place = b.binary(BinaryOp::Add, place, term);
    }
    let words = b.constant(Scalar::Usize, 18);
    place = b.binary(BinaryOp::Mul, place, words);
    let one = b.constant(Scalar::Usize, 1);
    for function in INDICES {
        for d in 0..3 {
            let value = b.index(function, d);
            let value = b.cast(value, Scalar::U64);
            b.push(Stmt::Store(out, place, value));
            place = b.binary(BinaryOp::Add, place, one);
        }
    }
    b.finish()
}

/// What has to be rounded correctly in `f32`: `out[i] = (a[i] / b[i]).sqrt()`
pub fn precise() -> Kernel {
    let mut b = Builder::new("precise");
    let x = b.param("a", slice(Scalar::F32));
    let y = b.param("b", slice(Scalar::F32));
    let out = b.param("out", output(Scalar::F32));
    let i = b.index(IndexFunction::GlobalId, 0);
    let x = b.def(Scalar::F32, Op::Load(x, i));
    let y = b.def(Scalar::F32, Op::Load(y, i));
    let quotient = b.binary(BinaryOp::Div, x, y);
    let root = b.def(Scalar::F32, Op::Math1(Math1::Sqrt, quotient));
    b.push(Stmt::Store(out, i, root));
    b.finish()
}

/// Places to which control never gets: the end of an `if`, the rest of a loop, and what comes after it.
///
/// ```text
/// loop { if i & 1 == 1 { out[i] = 1; return; } else { out[i] = 2; return; } }
/// out[i] = 3;
/// ```
pub fn dead_ends() -> Kernel {
    let mut b = Builder::new("dead_ends");
    let out = b.param("out", output(Scalar::U32));
    let i = b.index(IndexFunction::GlobalId, 0);
    let [one, two, three] = [1, 2, 3].map(|n| b.constant(Scalar::U32, n));
    let label = b.label();
    let (body, ()) = b.block(|b| {
        let lowest = b.cast(i, Scalar::U32);
        let lowest = b.binary(BinaryOp::And, lowest, one);
        let odd = b.compare(CompareOp::Eq, lowest, one);
        let [yes, no] = [one, two].map(|n| vec![Stmt::Store(out, i, n), Stmt::Return]);
        b.push(Stmt::If(odd, yes, no));
    });
    let (next, ()) = b.block(|b| b.push(Stmt::Store(out, i, three)));
    b.push(Stmt::Loop { label, body, next });
    b.push(Stmt::Store(out, i, three));
    b.finish()
}

/// A kernel without parameters or statements.
pub fn nothing() -> Kernel {
    Builder::new("nothing").finish()
}
