//! What must come out of a case: Rust's own results, bit for bit where the operation is exact, and within OpenCL's
//! table of errors otherwise.

use super::cases::{Case, Operation};
use gridfn_ir::Scalar;
use gridfn_ir::typed::{BinaryOp, CompareOp, Math1, Math2, UnaryOp};
use half::{bf16, f16};
use std::f64::consts::LN_2;

/// Checks one result; the operands and it are the low bits of words.
///
/// # Errors
///
/// What is wrong with it.
pub fn check(case: &Case, operands: &[u64], got: u64) -> Result<(), String> {
    let right = match tolerance(case) {
        Some(ulps) => {
            let reference = inexact(case, operands);
            let right = is_close(case.result, reference, float(case.result, got), ulps);
            (right, format!("{reference:?} within {ulps} ulps"))
        }
        None => {
            let expected = exact(case, operands);
            (is_same(case, expected, got), show(case.result, expected))
        }
    };
    if right.0 {
        return Ok(());
    }
    let operands: Vec<_> = case
        .operands
        .iter()
        .zip(operands)
        .map(|(ty, bits)| show(*ty, *bits))
        .collect();
    let (got, expected) = (show(case.result, got), right.1);
    Err(format!(
        "{}: of {} is {got}, not {expected}",
        case.name(),
        operands.join(", ")
    ))
}

/// Whether an operand or the result is a subnormal `f32`, which a device may take for zero.
pub fn is_subnormal(case: &Case, operands: &[u64]) -> bool {
    let subnormal = |ty, bits: u64| ty == Scalar::F32 && f32::from_bits(bits as u32).is_subnormal();
    let result = match tolerance(case) {
        Some(_) => (inexact(case, operands) as f32).to_bits().into(),
        None => exact(case, operands),
    };
    subnormal(case.result, result)
        || case
            .operands
            .iter()
            .zip(operands)
            .any(|(ty, bits)| subnormal(*ty, *bits))
}

fn show(ty: Scalar, bits: u64) -> String {
    match ty {
        Scalar::Bool => format!("{:?}", bits != 0),
        Scalar::F32 | Scalar::F64 => format!("{:?} ({bits:#x})", float(ty, bits)),
        integer => integer_value(integer, bits).to_string(),
    }
}

/// The same bits; any NaN is as good as another, and `min` and `max` may take either zero.
fn is_same(case: &Case, expected: u64, got: u64) -> bool {
    if expected == got {
        return true;
    }
    let is_nan = |bits: u64| match case.result {
        Scalar::F16 => f16::from_bits(bits as u16).is_nan(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).is_nan(),
        _ => false,
    };
    if case.operation == Operation::Cast && is_nan(expected) && is_nan(got) {
        return true;
    }
    if !case.result.is_float() || matches!(case.operation, Operation::Bits | Operation::Select) {
        return false;
    }
    let (a, b) = (float(case.result, expected), float(case.result, got));
    let picks = matches!(case.operation, Operation::Math2(Math2::Min | Math2::Max));
    (a.is_nan() && b.is_nan()) || (picks && a == 0.0 && b == 0.0)
}

/// The error in units of the last place that OpenCL allows, of inexact functions.
fn tolerance(case: &Case) -> Option<f64> {
    let ulps = match case.operation {
        Operation::Math1(f) => match f {
            Math1::CountOnes | Math1::LeadingZeros | Math1::TrailingZeros | Math1::ReverseBits => {
                return None;
            }
            Math1::Abs | Math1::Sqrt | Math1::Floor | Math1::Ceil => return None,
            Math1::Round | Math1::RoundTiesEven | Math1::Trunc => return None,
            Math1::Ln1p | Math1::Cbrt => 2.0,
            Math1::Exp | Math1::Exp2 | Math1::ExpM1 | Math1::Ln | Math1::Log2 | Math1::Log10 => 3.0,
            Math1::Sin | Math1::Cos | Math1::Asin | Math1::Acos => 4.0,
            Math1::Sinh | Math1::Cosh | Math1::Asinh | Math1::Acosh => 4.0,
            Math1::Tan | Math1::Atan | Math1::Tanh | Math1::Atanh => 5.0,
        },
        Operation::Math2(f) => match f {
            Math2::Min | Math2::Max | Math2::CopySign => return None,
            Math2::SaturatingAdd | Math2::SaturatingSub | Math2::MulHigh => return None,
            Math2::Hypot => 4.0,
            Math2::Atan2 => 6.0,
            Math2::Powf => 16.0,
        },
        Operation::Unary(_) | Operation::Binary(_) | Operation::Compare(_) => return None,
        Operation::Cast | Operation::Bits | Operation::Select => return None,
        Operation::MulAdd | Operation::MulThenAdd => return None,
    };
    // The reference is computed in f64, and has itself an error there.
    Some(if case.result == Scalar::F64 {
        ulps + 1.0
    } else {
        ulps
    })
}

fn is_close(ty: Scalar, reference: f64, got: f64, ulps: f64) -> bool {
    if reference.is_nan() || got.is_nan() {
        return reference.is_nan() && got.is_nan();
    }
    if reference == got {
        return true;
    }
    let (bits, min_exponent, max) = match ty {
        Scalar::F32 => (23, -126, f64::from(f32::MAX)),
        _ => (52, -1022, f64::MAX),
    };
    // An infinity counts as the float that would come after the largest.
    let limit = max * (1.0 + 2f64.powi(-bits - 1));
    let (reference, got) = (reference.clamp(-limit, limit), got.clamp(-limit, limit));
    let exponent = ((reference.abs().to_bits() >> 52) as i32 - 1023).max(min_exponent);
    (reference - got).abs() / 2f64.powi(exponent) * 2f64.powi(bits) <= ulps
}

fn float(ty: Scalar, bits: u64) -> f64 {
    match ty {
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// An integer or `bool`, with its type's sign.
fn integer_value(ty: Scalar, bits: u64) -> i128 {
    let unused = 64 - ty.bits();
    if ty.is_signed() {
        (((bits << unused) as i64) >> unused).into()
    } else {
        bits.into()
    }
}

/// The results of inexact functions, in `f64`.
fn inexact(case: &Case, operands: &[u64]) -> f64 {
    let operand = |at: usize| float(case.operands[at], operands[at]);
    match case.operation {
        Operation::Math1(f) => math1(f, operand(0)),
        Operation::Math2(f) => math2(f, operand(0), operand(1)),
        other => unreachable!("{other:?} is exact"),
    }
}

fn math1(f: Math1, x: f64) -> f64 {
    match f {
        Math1::Exp => x.exp(),
        Math1::Exp2 => x.exp2(),
        Math1::ExpM1 => x.exp_m1(),
        Math1::Ln => x.ln(),
        Math1::Log2 => x.log2(),
        Math1::Log10 => x.log10(),
        Math1::Ln1p => x.ln_1p(),
        Math1::Sin => x.sin(),
        Math1::Cos => x.cos(),
        Math1::Tan => x.tan(),
        Math1::Asin => x.asin(),
        Math1::Acos => x.acos(),
        Math1::Atan => x.atan(),
        Math1::Sinh => x.sinh(),
        Math1::Cosh => x.cosh(),
        Math1::Tanh => x.tanh(),
        // The standard library's next three are not accurate: where they overflow, near 1, and near -1.
        Math1::Acosh if x < 1.0 => f64::NAN,
        Math1::Asinh | Math1::Acosh if x > 1e10 => x.ln() + LN_2,
        Math1::Asinh if x < -1e10 => -math1(f, -x),
        Math1::Asinh => x.asinh(),
        Math1::Acosh => {
            let above = x - 1.0;
            (above + (above * (x + 1.0)).sqrt()).ln_1p()
        }
        Math1::Atanh => x.abs().atanh().copysign(x),
        Math1::Cbrt => x.cbrt(),
        exact => unreachable!("{exact:?} is exact"),
    }
}

fn math2(f: Math2, x: f64, y: f64) -> f64 {
    match f {
        Math2::Powf => x.powf(y),
        Math2::Atan2 => x.atan2(y),
        Math2::Hypot => x.hypot(y),
        exact => unreachable!("{exact:?} is exact"),
    }
}

/// The results of exact operations.
fn exact(case: &Case, operands: &[u64]) -> u64 {
    let ty = case.operands[0];
    match case.operation {
        Operation::Cast => cast(ty, case.result, operands[0]),
        Operation::Bits => operands[0],
        Operation::Select if operands[0] != 0 => operands[1],
        Operation::Select => operands[2],
        operation => match ty {
            Scalar::F32 => {
                let operands: Vec<_> = operands.iter().map(|bits| f32::from_bits(*bits as u32)).collect();
                exact_f32(operation, &operands)
            }
            Scalar::F64 => {
                let operands: Vec<_> = operands.iter().map(|bits| f64::from_bits(*bits)).collect();
                exact_f64(operation, &operands)
            }
            integer => exact_integer(operation, integer, operands),
        },
    }
}

fn cast(from: Scalar, to: Scalar, bits: u64) -> u64 {
    macro_rules! to {
        ($value:expr) => {
            match to {
                Scalar::Bool => unreachable!("nothing is cast to bool"),
                Scalar::I8 => $value as i8 as u8 as u64,
                Scalar::I16 => $value as i16 as u16 as u64,
                Scalar::I32 => $value as i32 as u32 as u64,
                Scalar::I64 | Scalar::Isize => $value as i64 as u64,
                Scalar::U8 => $value as u8 as u64,
                Scalar::U16 => $value as u16 as u64,
                Scalar::U32 => $value as u32 as u64,
                Scalar::U64 | Scalar::Usize => $value as u64,
                Scalar::F32 => ($value as f32).to_bits() as u64,
                Scalar::F64 => ($value as f64).to_bits(),
                Scalar::F16 => f16::from_f32($value as f32).to_bits().into(),
                Scalar::Bf16 => bf16::from_f32($value as f32).to_bits().into(),
            }
        };
    }
    match from {
        Scalar::F32 => to!(f32::from_bits(bits as u32)),
        Scalar::F64 => to!(f64::from_bits(bits)),
        Scalar::F16 => to!(f16::from_bits(bits as u16).to_f32()),
        Scalar::Bf16 => to!(bf16::from_bits(bits as u16).to_f32()),
        integer => to!(integer_value(integer, bits)),
    }
}

fn compare<T: PartialOrd>(op: CompareOp, a: T, b: T) -> u64 {
    u64::from(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    })
}

/// Integers and `bool`s, computed in more bits than they have.
fn exact_integer(operation: Operation, ty: Scalar, operands: &[u64]) -> u64 {
    let operand = |at: usize| integer_value(ty, operands[at]);
    let a = operand(0);
    let unused = 64 - ty.bits();
    let (min, max) = match ty.is_signed() {
        true => (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1),
        false => (0, (1 << ty.bits()) - 1),
    };
    let result = match operation {
        Operation::Compare(op) => return compare(op, a, operand(1)),
        Operation::Unary(UnaryOp::Neg) => -a,
        Operation::Unary(UnaryOp::Not) if ty == Scalar::Bool => return operands[0] ^ 1,
        Operation::Unary(UnaryOp::Not) => !a,
        Operation::Binary(op) => match op {
            BinaryOp::Add => a + operand(1),
            BinaryOp::Sub => a - operand(1),
            BinaryOp::Mul => a.wrapping_mul(operand(1)),
            BinaryOp::Div => a / operand(1),
            BinaryOp::Rem => a % operand(1),
            BinaryOp::And => a & operand(1),
            BinaryOp::Or => a | operand(1),
            BinaryOp::Xor => a ^ operand(1),
            BinaryOp::Shl => a << operand(1),
            BinaryOp::Shr => a >> operand(1),
        },
        Operation::Math1(f) => {
            let bits = operands[0];
            i128::from(match f {
                Math1::CountOnes => bits.count_ones().into(),
                Math1::LeadingZeros => u64::from(bits.leading_zeros() - unused),
                Math1::TrailingZeros => bits.trailing_zeros().min(ty.bits()).into(),
                Math1::ReverseBits => bits.reverse_bits() >> unused,
                float => unreachable!("{float:?} is for floats"),
            })
        }
        Operation::Math2(f) => match f {
            Math2::Min => a.min(operand(1)),
            Math2::Max => a.max(operand(1)),
            Math2::SaturatingAdd => (a + operand(1)).clamp(min, max),
            Math2::SaturatingSub => (a - operand(1)).clamp(min, max),
            Math2::MulHigh if ty.is_signed() => (a * operand(1)) >> ty.bits(),
            Math2::MulHigh => ((a as u128 * operand(1) as u128) >> ty.bits()) as i128,
            float => unreachable!("{float:?} is for floats"),
        },
        other => unreachable!("{other:?} is for floats or handled before"),
    };
    ty.truncate(result as u64)
}

macro_rules! exact_float {
    ($name:ident, $float:ident) => {
        fn $name(operation: Operation, operands: &[$float]) -> u64 {
            let a = operands[0];
            let result = match operation {
                Operation::Compare(op) => return compare(op, a, operands[1]),
                Operation::Unary(UnaryOp::Neg) => -a,
                Operation::Binary(op) => match op {
                    BinaryOp::Add => a + operands[1],
                    BinaryOp::Sub => a - operands[1],
                    BinaryOp::Mul => a * operands[1],
                    BinaryOp::Div => a / operands[1],
                    BinaryOp::Rem => a % operands[1],
                    other => unreachable!("{other:?} is for integers"),
                },
                Operation::Math1(f) => match f {
                    Math1::Abs => a.abs(),
                    Math1::Sqrt => a.sqrt(),
                    Math1::Floor => a.floor(),
                    Math1::Ceil => a.ceil(),
                    Math1::Round => a.round(),
                    Math1::RoundTiesEven => a.round_ties_even(),
                    Math1::Trunc => a.trunc(),
                    other => unreachable!("{other:?} is inexact or for integers"),
                },
                Operation::Math2(f) => match f {
                    Math2::Min => a.min(operands[1]),
                    Math2::Max => a.max(operands[1]),
                    Math2::CopySign => a.copysign(operands[1]),
                    other => unreachable!("{other:?} is inexact or for integers"),
                },
                Operation::MulAdd => a.mul_add(operands[1], operands[2]),
                Operation::MulThenAdd => a * operands[1] + operands[2],
                other => unreachable!("{other:?} is for integers or handled before"),
            };
            result.to_bits().into()
        }
    };
}
exact_float!(exact_f32, f32);
exact_float!(exact_f64, f64);
