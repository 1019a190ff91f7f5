//! One kernel for each operation and type.

use gridfn_codegen::Target;
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{BinaryOp, CompareOp, Kernel, Math1, Math2, Op, ParamKind, Stmt, UnaryOp, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

/// What a case computes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Compare(CompareOp),
    Cast,
    Bits,
    Select,
    Math1(Math1),
    Math2(Math2),
    MulAdd,
    /// `a * b + c` in two operations, which must stay two.
    MulThenAdd,
}

/// An operation on operands of given types.
#[derive(Clone, Debug)]
pub struct Case {
    pub operation: Operation,
    pub operands: Vec<Scalar>,
    pub result: Scalar,
}

const ARITHMETIC: [BinaryOp; 5] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
];
const LOGIC: [BinaryOp; 3] = [BinaryOp::And, BinaryOp::Or, BinaryOp::Xor];
const SHIFTS: [BinaryOp; 2] = [BinaryOp::Shl, BinaryOp::Shr];
const COMPARISONS: [CompareOp; 6] = [
    CompareOp::Eq,
    CompareOp::Ne,
    CompareOp::Lt,
    CompareOp::Le,
    CompareOp::Gt,
    CompareOp::Ge,
];
const INTEGER_MATH1: [Math1; 4] = [
    Math1::CountOnes,
    Math1::LeadingZeros,
    Math1::TrailingZeros,
    Math1::ReverseBits,
];
const FLOAT_MATH1: [Math1; 27] = [
    Math1::Abs,
    Math1::Sqrt,
    Math1::Floor,
    Math1::Ceil,
    Math1::Round,
    Math1::RoundTiesEven,
    Math1::Trunc,
    Math1::Exp,
    Math1::Exp2,
    Math1::ExpM1,
    Math1::Ln,
    Math1::Log2,
    Math1::Log10,
    Math1::Ln1p,
    Math1::Sin,
    Math1::Cos,
    Math1::Tan,
    Math1::Asin,
    Math1::Acos,
    Math1::Atan,
    Math1::Sinh,
    Math1::Cosh,
    Math1::Tanh,
    Math1::Asinh,
    Math1::Acosh,
    Math1::Atanh,
    Math1::Cbrt,
];
const INTEGER_MATH2: [Math2; 5] = [
    Math2::Min,
    Math2::Max,
    Math2::SaturatingAdd,
    Math2::SaturatingSub,
    Math2::MulHigh,
];
const FLOAT_MATH2: [Math2; 6] = [
    Math2::Min,
    Math2::Max,
    Math2::CopySign,
    Math2::Powf,
    Math2::Atan2,
    Math2::Hypot,
];

/// Every operation on every type that it takes.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for ty in Scalar::PRIMITIVES {
        let mut add = |operation, operands: &[Scalar], result| {
            cases.push(Case {
                operation,
                operands: operands.to_vec(),
                result,
            });
        };
        let (float, integer) = (ty.is_float(), ty.is_integer());

        add(Operation::Select, &[Scalar::Bool, ty, ty], ty);
        for op in COMPARISONS {
            add(Operation::Compare(op), &[ty, ty], Scalar::Bool);
        }
        for to in Scalar::PRIMITIVES {
            if to != ty && to != Scalar::Bool && !(ty == Scalar::Bool && to.is_float()) {
                add(Operation::Cast, &[ty], to);
            }
            if to != ty && to != Scalar::Bool && ty != Scalar::Bool && to.bytes() == ty.bytes() {
                add(Operation::Bits, &[ty], to);
            }
        }
        if float || integer {
            add(Operation::Unary(UnaryOp::Neg), &[ty], ty);
            for op in ARITHMETIC {
                add(Operation::Binary(op), &[ty, ty], ty);
            }
        }
        if !float {
            add(Operation::Unary(UnaryOp::Not), &[ty], ty);
            for op in LOGIC {
                add(Operation::Binary(op), &[ty, ty], ty);
            }
        }
        if integer {
            for op in SHIFTS {
                add(Operation::Binary(op), &[ty, ty], ty);
            }
            for f in INTEGER_MATH1 {
                add(Operation::Math1(f), &[ty], ty);
            }
            for f in INTEGER_MATH2 {
                add(Operation::Math2(f), &[ty, ty], ty);
            }
        }
        if float {
            for f in FLOAT_MATH1 {
                add(Operation::Math1(f), &[ty], ty);
            }
            for f in FLOAT_MATH2 {
                add(Operation::Math2(f), &[ty, ty], ty);
            }
            add(Operation::MulAdd, &[ty, ty, ty], ty);
            add(Operation::MulThenAdd, &[ty, ty, ty], ty);
        }
    }
    for half in Scalar::HALVES {
        let mut add = |operation, operands: &[Scalar], result| {
            cases.push(Case {
                operation,
                operands: operands.to_vec(),
                result,
            });
        };
        add(Operation::Select, &[Scalar::Bool, half, half], half);
        add(Operation::Bits, &[half], Scalar::U16);
        add(Operation::Bits, &[Scalar::I16], half);
        add(Operation::Cast, &[half], Scalar::F32);
        add(Operation::Cast, &[Scalar::F32], half);
    }
    cases
}

/// Those that a code form can say without a library.
pub fn all_of(target: Target) -> Vec<Case> {
    let mut cases = all();
    cases.retain(|case| case.operation != Operation::Cast || target.has_cast(case.operands[0], case.result));
    cases
}

impl Case {
    /// A name for people, which is an identifier too: `Binary_Add_i32_to_i32`.
    pub fn name(&self) -> String {
        let operation = format!("{:?}", self.operation).replace('(', "_").replace(')', "");
        let operands: Vec<_> = self.operands.iter().map(|s| s.name()).collect();
        format!("{operation}_{}_to_{}", operands.join("_"), self.result)
    }

    /// `result[i] = operation(a[i], b[i], c[i])`, without checks of the index.
    pub fn kernel(&self) -> Kernel {
        let mut b = Builder::new(self.name());
        let params: Vec<_> = self
            .operands
            .iter()
            .zip(["a", "b", "c"])
            .map(|(&element, name)| {
                let writable = false;
                b.param(name, ParamKind::Slice { element, writable })
            })
            .collect();
        let (element, writable) = (self.result, true);
        let result = b.param("result", ParamKind::Slice { element, writable });

        let i = b.index(IndexFunction::GlobalId, 0);
        let operands: Vec<ValueId> = params
            .iter()
            .zip(&self.operands)
            .map(|(&param, &ty)| b.def(ty, Op::Load(param, i)))
            .collect();
        let value = self.compute(&mut b, &operands);
        b.push(Stmt::Store(result, i, value));
        b.finish()
    }

    fn compute(&self, builder: &mut Builder, operands: &[ValueId]) -> ValueId {
        let operand = |at: usize| operands[at];
        let op = match self.operation {
            Operation::Unary(op) => Op::Unary(op, operand(0)),
            Operation::Binary(op) => Op::Binary(op, operand(0), operand(1)),
            Operation::Compare(op) => Op::Compare(op, operand(0), operand(1)),
            Operation::Cast => Op::Cast(operand(0)),
            Operation::Bits => Op::Bits(operand(0)),
            Operation::Select => Op::Select(operand(0), operand(1), operand(2)),
            Operation::Math1(f) => Op::Math1(f, operand(0)),
            Operation::Math2(f) => Op::Math2(f, operand(0), operand(1)),
            Operation::MulAdd => Op::MulAdd(operand(0), operand(1), operand(2)),
            Operation::MulThenAdd => {
                let product = builder.binary(BinaryOp::Mul, operand(0), operand(1));
                Op::Binary(BinaryOp::Add, product, operand(2))
            }
        };
        builder.def(self.result, op)
    }
}
