//! Lowered operators, literals and casts compute what Rust computes.

mod eval;
mod source;

use eval::{Fault, Number};
use gridfn_ir::Scalar;
use gridfn_ir::tree::{BinaryOp, Expr, TypeRef, UnaryOp};
use gridfn_ir::typed::FaultKind;
use source::*;

const ROUNDS: usize = 200;

/// Runs `a op b` on random operands and as constants, and compares with what Rust says.
fn check<A: Number, B: Number, R: Number>(op: BinaryOp, rust: impl Fn(A, B) -> Result<R, FaultKind>) {
    let with = |a, b| store_result(&[A::TYPE, B::TYPE], R::TYPE, binary(op, a, b));
    let kernel = with(local(0), local(1)).lower().expect("it lowers");
    let mut random = Random(0x5eed + op as u64 + ((A::TYPE as u64) << 8));
    for round in 0..ROUNDS {
        let (a, b): (A, B) = (random.number(), random.number());
        let expected = rust(a, b).map(R::bits);
        let found = |result: Result<R, Fault>| result.map(R::bits).map_err(|fault| fault.site.kind);
        let result_ = found(result(&kernel, &[a.bits(), b.bits()]));
        assert_eq!(result_, expected, "{a:?} {op:?} {b:?} of {}", A::TYPE);
        if round % 8 == 0 && A::TYPE.is_integer() {
            // A constant on either side, where checks are left out.
            for source in [with(local(0), literal(b)), with(literal(a), local(1))] {
                let result = found(source.result(&[a.bits(), b.bits()]));
                assert_eq!(
                    result,
                    expected,
                    "{a:?} {op:?} {b:?} of {} with a constant",
                    A::TYPE
                );
            }
        }
    }
}

macro_rules! for_integers {
    ($macro:ident) => {
        $macro!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize)
    };
}

#[test]
fn integer_arithmetic_wraps_and_faults_as_in_rust() {
    macro_rules! test {
        ($($t:ident)*) => {$(
            check::<$t, $t, $t>(BinaryOp::Add, |a, b| Ok(a.wrapping_add(b)));
            check::<$t, $t, $t>(BinaryOp::Sub, |a, b| Ok(a.wrapping_sub(b)));
            check::<$t, $t, $t>(BinaryOp::Mul, |a, b| Ok(a.wrapping_mul(b)));
            check::<$t, $t, $t>(BinaryOp::And, |a, b| Ok(a & b));
            check::<$t, $t, $t>(BinaryOp::Or, |a, b| Ok(a | b));
            check::<$t, $t, $t>(BinaryOp::Xor, |a, b| Ok(a ^ b));
            check::<$t, $t, $t>(BinaryOp::Div, |a, b| match b {
                0 => Err(FaultKind::DivideByZero),
                _ => a.checked_div(b).ok_or(FaultKind::DivideOverflow),
            });
            check::<$t, $t, $t>(BinaryOp::Rem, |a, b| match b {
                0 => Err(FaultKind::RemainderByZero),
                _ => a.checked_rem(b).ok_or(FaultKind::RemainderOverflow),
            });
        )*};
    }
    for_integers!(test);
}

#[test]
fn shifts_take_their_amount_modulo_the_width_whatever_its_type() {
    macro_rules! pair {
        ($a:ident: $($b:ident)*) => {$(
            check::<$a, $b, $a>(BinaryOp::Shl, |a, b| Ok(a.wrapping_shl(b as u32)));
            check::<$a, $b, $a>(BinaryOp::Shr, |a, b| Ok(a.wrapping_shr(b as u32)));
        )*};
    }
    macro_rules! test {
        ($($t:ident)*) => {$( pair!($t: i8 u8 i16 u32 i64 usize); )*};
    }
    for_integers!(test);
}

#[test]
fn comparisons_are_those_of_the_type() {
    macro_rules! test {
        ($($t:ident)*) => {$(
            check::<$t, $t, bool>(BinaryOp::Eq, |a, b| Ok(a == b));
            check::<$t, $t, bool>(BinaryOp::Ne, |a, b| Ok(a != b));
            check::<$t, $t, bool>(BinaryOp::Lt, |a, b| Ok(a < b));
            check::<$t, $t, bool>(BinaryOp::Le, |a, b| Ok(a <= b));
            check::<$t, $t, bool>(BinaryOp::Gt, |a, b| Ok(a > b));
            check::<$t, $t, bool>(BinaryOp::Ge, |a, b| Ok(a >= b));
        )*};
    }
    for_integers!(test);
    test!(f32 f64 bool);
}

/// A float as text, in which every NaN is the same: Rust leaves its payload open.
fn text(bits: u64, ty: Scalar) -> String {
    match ty {
        Scalar::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        _ => format!("{:?}", f64::from_bits(bits)),
    }
}

#[test]
fn floats_have_the_operators_of_rust_and_never_fault() {
    macro_rules! test {
        ($($t:ident)*) => {$(
            for (op, rust) in [
                (BinaryOp::Add, (|a, b| a + b) as fn($t, $t) -> $t),
                (BinaryOp::Sub, |a, b| a - b),
                (BinaryOp::Mul, |a, b| a * b),
                (BinaryOp::Div, |a, b| a / b),
                (BinaryOp::Rem, |a, b| a % b),
            ] {
                let source = store_result(&[$t::TYPE; 2], $t::TYPE, binary(op, local(0), local(1)));
                let kernel = source.lower().expect("it lowers");
                assert!(kernel.sites.iter().all(|(_, site)| site.kind == FaultKind::Index));
                let mut random = Random(7);
                for _ in 0..ROUNDS {
                    let (a, b): ($t, $t) = (random.number(), random.number());
                    let found = result::<$t>(&kernel, &[a.bits(), b.bits()]).map(|r| text(r.bits(), $t::TYPE));
                    assert_eq!(found, Ok(text(rust(a, b).bits(), $t::TYPE)), "{a:?} {op:?} {b:?}");
                }
            }
        )*};
    }
    test!(f32 f64);
}

#[test]
fn bools_have_the_eager_operators() {
    check::<bool, bool, bool>(BinaryOp::And, |a, b| Ok(a & b));
    check::<bool, bool, bool>(BinaryOp::Or, |a, b| Ok(a | b));
    check::<bool, bool, bool>(BinaryOp::Xor, |a, b| Ok(a ^ b));
}

#[test]
fn one_operand_operators_are_those_of_the_type() {
    fn check<T: Number>(op: UnaryOp, rust: fn(T) -> T) {
        let source = store_result(&[T::TYPE], T::TYPE, Expr::Unary(op, local(0).into()));
        let kernel = source.lower().expect("it lowers");
        let mut random = Random(11);
        for _ in 0..ROUNDS {
            let a: T = random.number();
            assert_eq!(
                result(&kernel, &[a.bits()]).map(T::bits),
                Ok(rust(a).bits()),
                "{op:?} {a:?}"
            );
        }
    }
    macro_rules! signed {
        ($($t:ident)*) => {$( check::<$t>(UnaryOp::Neg, $t::wrapping_neg); )*};
    }
    macro_rules! not {
        ($($t:ident)*) => {$( check::<$t>(UnaryOp::Not, |a| !a); )*};
    }
    signed!(i8 i16 i32 i64 isize);
    for_integers!(not);
    not!(bool);
    check::<f32>(UnaryOp::Neg, |a| -a);
    check::<f64>(UnaryOp::Neg, |a| -a);
}

#[test]
fn casts_are_those_of_rust() {
    fn check<A: Number, B: Number>(rust: fn(A) -> B) {
        let source = store_result(&[A::TYPE], B::TYPE, cast(local(0), B::TYPE));
        let kernel = source.lower().expect("it lowers");
        let mut random = Random(13);
        for _ in 0..ROUNDS {
            let a: A = random.number();
            let found = result::<B>(&kernel, &[a.bits()]).map(|b| format!("{b:?}"));
            assert_eq!(found, Ok(format!("{:?}", rust(a))), "{a:?} as {}", B::TYPE);
        }
    }
    macro_rules! from {
        ($a:ident: $($b:ident)*) => {$( check::<$a, $b>(|a| a as $b); )*};
    }
    macro_rules! test {
        ($($t:ident)*) => {$( from!($t: i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64); )*};
    }
    for_integers!(test);
    test!(f32 f64);
    from!(bool: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
}

#[test]
fn literals_are_rounded_and_negated_in_their_own_type() {
    let ty = TypeRef::Known;
    let int = |value, negative, ty| Expr::Int { value, negative, ty };
    let float = |ty| Expr::Float {
        single: -0.1,
        double: -0.1,
        ty,
    };
    for (literal, scalar, bits) in [
        (int(200, false, ty(Scalar::U8)), Scalar::U8, 200),
        (int(128, true, ty(Scalar::I8)), Scalar::I8, 0x80),
        (int(1 << 63, true, ty(Scalar::I64)), Scalar::I64, i64::MIN as u64),
        (int(u64::MAX, false, ty(Scalar::U64)), Scalar::U64, u64::MAX),
        (int(1, true, ty(Scalar::I16)), Scalar::I16, 0xffff),
        (
            int(16_777_217, false, ty(Scalar::F32)),
            Scalar::F32,
            16_777_216f32.bits(),
        ),
        (int(0, true, ty(Scalar::F64)), Scalar::F64, (-0f64).bits()),
        (float(ty(Scalar::F32)), Scalar::F32, (-0.1f32).bits()),
        (float(ty(Scalar::F64)), Scalar::F64, (-0.1f64).bits()),
        (Expr::Bool(true), Scalar::Bool, 1),
    ] {
        let name = format!("{literal:?}");
        let source = store_result(&[], scalar, literal);
        let found = match scalar {
            Scalar::U8 => source.result::<u8>(&[]).map(u8::bits),
            Scalar::F32 => source.result::<f32>(&[]).map(f32::bits),
            _ => source.result::<u64>(&[]),
        };
        assert_eq!(found, Ok(bits), "{name}");
    }
}
