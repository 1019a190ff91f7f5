//! Kernels that only the PTX tests need.

use super::support::cases::{Case, Operation};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, Kernel, Op, ParamId, ParamKind, Stmt, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

fn slice(b: &mut Builder, name: &str, element: Scalar, writable: bool) -> ParamId {
    b.param(name, ParamKind::Slice { element, writable })
}

/// Writes a scalar parameter of each type.
pub(super) fn scalars() -> Kernel {
    let mut b = Builder::new("scalars");
    let scalars = Scalar::PRIMITIVES.map(|ty| b.param(ty.name(), ParamKind::Scalar(ty)));
    let slices = Scalar::PRIMITIVES.map(|ty| slice(&mut b, &format!("to_{ty}"), ty, true));
    let zero = b.constant(Scalar::Usize, 0);
    for ((ty, scalar), slice) in Scalar::PRIMITIVES.into_iter().zip(scalars).zip(slices) {
        let value = b.def(ty, Op::Param(scalar));
        b.push(Stmt::Store(slice, zero, value));
    }
    b.finish()
}

/// A kernel with that many `u64` parameters, of which it uses the last.
pub(super) fn with_scalars(n: usize) -> Kernel {
    let mut b = Builder::new("with_scalars");
    let params: Vec<_> = (0..n)
        .map(|i| b.param(format!("p{i}"), ParamKind::Scalar(Scalar::U64)))
        .collect();
    if let Some(last) = params.last() {
        b.def(Scalar::U64, Op::Param(*last));
    }
    b.finish()
}

/// A kernel with an array of that many `u64`s, of which it uses the last.
pub(super) fn with_array(len: usize) -> Kernel {
    let mut b = Builder::new("with_array");
    let element = Scalar::U64;
    let array = b.param("array", ParamKind::Array { element, len });
    let last = b.constant(Scalar::Usize, len as u64 - 1);
    b.element(element, array, last);
    b.finish()
}

/// A kernel with tables of that many elements, which it looks up.
pub(super) fn with_tables(tables: &[(Scalar, usize)]) -> Kernel {
    let mut b = Builder::new("with_tables");
    let i = b.index(IndexFunction::GlobalId, 0);
    for (ty, len) in tables {
        let out = slice(&mut b, &format!("out_{ty}"), *ty, true);
        let table = b.table(None, *ty, (0..*len as u64).collect());
        let element = b.lookup(table, i);
        b.push(Stmt::Store(out, i, element));
    }
    b.finish()
}

/// Names that mean something else in PTX, that it cannot spell, that meet, and a kernel called like an instruction.
pub(super) fn names() -> Kernel {
    let mut b = Builder::new("add");
    let names = [
        "tid", "r1", "p1", "params", "fault", "loop_0", "add", "r#type", "größe", "gr__e", "_", "tid",
    ];
    let out = slice(&mut b, "slice0", Scalar::U32, true);
    let zero = b.constant(Scalar::Usize, 0);
    let mut sum = b.constant(Scalar::U32, 1);
    for name in names {
        sum = b.binary(BinaryOp::Add, sum, sum);
        b.name(sum, name);
    }
    b.push(Stmt::Store(out, zero, sum));
    b.finish()
}

fn op(operation: Operation, b: &mut Builder, operands: &[ValueId]) -> Op {
    match (operation, operands) {
        (Operation::Unary(op), [x]) => Op::Unary(op, *x),
        (Operation::Binary(op), [x, y]) => Op::Binary(op, *x, *y),
        (Operation::Compare(op), [x, y]) => Op::Compare(op, *x, *y),
        (Operation::Cast, [x]) => Op::Cast(*x),
        (Operation::Bits, [x]) => Op::Bits(*x),
        (Operation::Select, [x, y, z]) => Op::Select(*x, *y, *z),
        (Operation::Math1(f), [x]) => Op::Math1(f, *x),
        (Operation::Math2(f), [x, y]) => Op::Math2(f, *x, *y),
        (Operation::MulAdd, [x, y, z]) => Op::MulAdd(*x, *y, *z),
        (Operation::MulThenAdd, [x, y, z]) => {
            let product = b.binary(BinaryOp::Mul, *x, *y);
            Op::Binary(BinaryOp::Add, product, *z)
        }
        (other, operands) => panic!("{other:?} of {} operands", operands.len()),
    }
}

/// A case's operation on constants; the result goes to the one element of the one slice.
pub(super) fn of_constants(case: &Case, row: &[u64]) -> Kernel {
    let mut b = Builder::new("of_constants");
    let out = slice(&mut b, "out", case.result, true);
    let zero = b.constant(Scalar::Usize, 0);
    let operands: Vec<_> = case
        .operands
        .iter()
        .zip(row)
        .map(|(ty, bits)| b.constant(*ty, *bits))
        .collect();
    let op = op(case.operation, &mut b, &operands);
    let result = b.def(case.result, op);
    b.push(Stmt::Store(out, zero, result));
    b.finish()
}

/// A case's operation on elements of slices; its result, an integer, is widened to 64 bits by its own sign.
pub(super) fn widened(case: &Case) -> Kernel {
    let mut b = Builder::new("widened");
    let inputs: Vec<_> = (case.operands.iter().zip(["a", "b", "c"]))
        .map(|(ty, name)| slice(&mut b, name, *ty, false))
        .collect();
    let out = slice(&mut b, "out", Scalar::I64, true);
    let i = b.index(IndexFunction::GlobalId, 0);
    let operands: Vec<_> = (case.operands.iter().zip(inputs))
        .map(|(ty, input)| b.def(*ty, Op::Load(input, i)))
        .collect();
    let op = op(case.operation, &mut b, &operands);
    let result = b.def(case.result, op);
    let wide = b.cast(result, Scalar::I64);
    b.push(Stmt::Store(out, i, wide));
    b.finish()
}

/// All cases in one kernel.
pub(super) fn everything(cases: &[Case]) -> Kernel {
    every_case("everything", cases, |b, ty, inputs, at, _| {
        let input = inputs[position(ty)];
        b.def(ty, Op::Load(input, at))
    })
}

/// All cases in one kernel, on small constants.
pub(super) fn everything_of_constants(cases: &[Case]) -> Kernel {
    every_case("everything_of_constants", cases, |b, ty, _, _, k| {
        let bits = match ty {
            Scalar::Bool => 1,
            Scalar::F32 => (k as f32 + 2.5).to_bits().into(),
            Scalar::F64 => (k as f64 + 2.5).to_bits(),
            // The largest, and then less than any width.
            _ if k == 0 => ty.truncate(u64::MAX) & !ty.min_bits(),
            _ => 2 + k as u64,
        };
        b.constant(ty, bits)
    })
}

/// The place of a type in a list of all.
fn position(ty: Scalar) -> usize {
    let mut all = Scalar::PRIMITIVES.iter().chain(&Scalar::HALVES);
    all.position(|s| *s == ty).expect("one of all")
}

fn every_case(
    name: &str,
    cases: &[Case],
    mut operand: impl FnMut(&mut Builder, Scalar, &[ParamId], ValueId, usize) -> ValueId,
) -> Kernel {
    let mut b = Builder::new(name);
    let all = || Scalar::PRIMITIVES.into_iter().chain(Scalar::HALVES);
    let inputs: Vec<_> = all()
        .map(|ty| slice(&mut b, &format!("in_{ty}"), ty, false))
        .collect();
    let outputs: Vec<_> = all()
        .map(|ty| slice(&mut b, &format!("out_{ty}"), ty, true))
        .collect();
    for (n, case) in cases.iter().enumerate() {
        let at = b.constant(Scalar::Usize, n as u64);
        let operands: Vec<_> = case
            .operands
            .iter()
            .enumerate()
            .map(|(k, ty)| operand(&mut b, *ty, &inputs, at, k))
            .collect();
        let op = op(case.operation, &mut b, &operands);
        let result = b.def(case.result, op);
        b.name(result, &case.name());
        let output = outputs[position(case.result)];
        b.push(Stmt::Store(output, at, result));
    }
    b.finish()
}
