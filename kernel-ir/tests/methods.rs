//! Lowered methods compute what Rust's compute.

mod eval;
mod source;

use eval::{Fault, Number};
use gridfn_ir::Method;
use gridfn_ir::tree::Expr;
use gridfn_ir::typed::{FaultKind, Kernel};
use source::*;

const ROUNDS: usize = 150;

/// What a call gave: the value as text, or the message of the fault.
type Outcome = Result<String, String>;

fn outcome<R: Number>(result: Result<R, Fault>) -> Outcome {
    // Rust leaves the payload and sign of a NaN open; its text is the same for all of them.
    result
        .map(|value| format!("{value:?}"))
        .map_err(|fault| fault.site.kind.message(&fault.values))
}

/// What Rust's method gives or panics with. `None` stands for a fault of that kind.
fn expected<R: Number>(value: Result<R, FaultKind>, values: [u64; 2]) -> Outcome {
    value
        .map(|value| format!("{value:?}"))
        .map_err(|kind| kind.message(&values))
}

fn lower<A: Number, R: Number>(method: Method, others: &[gridfn_ir::Scalar]) -> Kernel {
    let operands: Vec<_> = [A::TYPE].into_iter().chain(others.iter().copied()).collect();
    let source = call_method(method_link(method), &operands, R::TYPE);
    source
        .lower()
        .unwrap_or_else(|error| panic!("{method:?}: {error}"))
}

fn check1<A: Number, R: Number>(method: Method, rust: impl Fn(A) -> R) {
    check1_or(method, |a| Ok(rust(a)));
}

fn check1_or<A: Number, R: Number>(method: Method, rust: impl Fn(A) -> Result<R, FaultKind>) {
    let kernel = lower::<A, R>(method, &[]);
    let mut random = Random(3 + method as u64);
    for _ in 0..ROUNDS {
        let a: A = random.number();
        let found = outcome::<R>(result(&kernel, &[a.bits()]));
        assert_eq!(
            found,
            expected(rust(a), [0; 2]),
            "{a:?}.{}() of {}",
            method.name(),
            A::TYPE
        );
    }
}

fn check2<A: Number, B: Number, R: Number>(method: Method, rust: impl Fn(A, B) -> Result<R, FaultKind>) {
    let kernel = lower::<A, R>(method, &[B::TYPE]);
    let constant = |b: B| {
        let call = call(0, vec![local(0), literal(b)]);
        store_result(&[A::TYPE], R::TYPE, call).links(&[method_link(method)])
    };
    let mut random = Random(5 + method as u64);
    for round in 0..ROUNDS {
        let (a, b): (A, B) = (random.number(), random.number());
        let expected = expected(rust(a, b), [0; 2]);
        let name = format!("{a:?}.{}({b:?}) of {}", method.name(), A::TYPE);
        assert_eq!(
            outcome::<R>(result(&kernel, &[a.bits(), b.bits()])),
            expected,
            "{name}"
        );
        if round % 4 == 0 && B::TYPE.is_integer() {
            let found = outcome::<R>(constant(b).result(&[a.bits()]));
            assert_eq!(found, expected, "{name}, a constant");
        }
    }
}

macro_rules! for_types {
    ($macro:ident: $($t:ident)*) => {$( $macro!($t); )*};
}

#[test]
fn methods_of_all_integers() {
    macro_rules! test {
        ($t:ident) => {
            check2::<$t, $t, $t>(Method::IntMin, |a, b| Ok(a.min(b)));
            check2::<$t, $t, $t>(Method::IntMax, |a, b| Ok(a.max(b)));
            check2::<$t, u32, $t>(Method::IntPow, |a, b| Ok(a.wrapping_pow(b)));
            check2::<$t, $t, $t>(Method::IntWrappingAdd, |a, b| Ok(a.wrapping_add(b)));
            check2::<$t, $t, $t>(Method::IntWrappingSub, |a, b| Ok(a.wrapping_sub(b)));
            check2::<$t, $t, $t>(Method::IntWrappingMul, |a, b| Ok(a.wrapping_mul(b)));
            check1::<$t, $t>(Method::IntWrappingNeg, |a| a.wrapping_neg());
            check2::<$t, u32, $t>(Method::IntWrappingShl, |a, b| Ok(a.wrapping_shl(b)));
            check2::<$t, u32, $t>(Method::IntWrappingShr, |a, b| Ok(a.wrapping_shr(b)));
            check2::<$t, u32, $t>(Method::IntWrappingPow, |a, b| Ok(a.wrapping_pow(b)));
            check2::<$t, $t, $t>(Method::IntSaturatingAdd, |a, b| Ok(a.saturating_add(b)));
            check2::<$t, $t, $t>(Method::IntSaturatingSub, |a, b| Ok(a.saturating_sub(b)));
            check2::<$t, $t, _>(Method::IntAbsDiff, |a, b| Ok(a.abs_diff(b)));
            check2::<$t, $t, $t>(Method::IntRemEuclid, |a, b| match b {
                0 => Err(FaultKind::RemainderByZero),
                _ => a.checked_rem_euclid(b).ok_or(FaultKind::RemainderOverflow),
            });
            check2::<$t, $t, $t>(Method::IntDivEuclid, |a, b| match b {
                0 => Err(FaultKind::DivideByZero),
                _ => a.checked_div_euclid(b).ok_or(FaultKind::DivideOverflow),
            });
            check1::<$t, u32>(Method::IntCountOnes, |a| a.count_ones());
            check1::<$t, u32>(Method::IntCountZeros, |a| a.count_zeros());
            check1::<$t, u32>(Method::IntLeadingZeros, |a| a.leading_zeros());
            check1::<$t, u32>(Method::IntTrailingZeros, |a| a.trailing_zeros());
            check1::<$t, u32>(Method::IntLeadingOnes, |a| a.leading_ones());
            check1::<$t, u32>(Method::IntTrailingOnes, |a| a.trailing_ones());
            check2::<$t, u32, $t>(
                Method::IntRotateLeft,
                |a, b| Ok(a.rotate_left(b % $t::BITS)),
            );
            check2::<$t, u32, $t>(Method::IntRotateRight, |a, b| {
                Ok(a.rotate_right(b % $t::BITS))
            });
            check1::<$t, $t>(Method::IntSwapBytes, |a| a.swap_bytes());
            check1::<$t, $t>(Method::IntReverseBits, |a| a.reverse_bits());
            check2::<$t, u32, $t>(Method::IntUnboundedShl, |a, b| Ok(a.unbounded_shl(b)));
            check2::<$t, u32, $t>(Method::IntUnboundedShr, |a, b| Ok(a.unbounded_shr(b)));
            check2::<$t, $t, $t>(Method::IntSaturatingMul, |a, b| Ok(a.saturating_mul(b)));
            check2::<$t, u32, $t>(Method::IntSaturatingPow, |a, b| Ok(a.saturating_pow(b)));
            check2::<$t, $t, $t>(Method::IntMidpoint, |a, b| Ok(a.midpoint(b)));
            check1::<$t, $t>(Method::IntToBe, |a| a.to_be());
            check1::<$t, $t>(Method::IntToLe, |a| a.to_le());
            check1::<$t, $t>(Method::IntFromBe, |a| $t::from_be(a));
            check1::<$t, $t>(Method::IntFromLe, |a| $t::from_le(a));
        };
    }
    for_types!(test: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
}

#[test]
fn divisions_of_all_integers() {
    macro_rules! test {
        ($t:ident) => {
            check2::<$t, $t, $t>(Method::IntWrappingDiv, |a, b| {
                only_if(b != 0, FaultKind::DivideByZero, || a.wrapping_div(b))
            });
            check2::<$t, $t, $t>(Method::IntWrappingRem, |a, b| {
                only_if(b != 0, FaultKind::RemainderByZero, || a.wrapping_rem(b))
            });
            check2::<$t, $t, $t>(Method::IntWrappingDivEuclid, |a, b| {
                only_if(b != 0, FaultKind::DivideByZero, || a.wrapping_div_euclid(b))
            });
            check2::<$t, $t, $t>(Method::IntWrappingRemEuclid, |a, b| {
                only_if(b != 0, FaultKind::RemainderByZero, || {
                    a.wrapping_rem_euclid(b)
                })
            });
            check2::<$t, $t, $t>(Method::IntSaturatingDiv, |a, b| {
                only_if(b != 0, FaultKind::DivideByZero, || a.saturating_div(b))
            });
        };
    }
    for_types!(test: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
}

/// A result that is there only under a condition.
fn only_if<R>(condition: bool, otherwise: FaultKind, result: impl Fn() -> R) -> Result<R, FaultKind> {
    if condition { Ok(result()) } else { Err(otherwise) }
}

#[test]
fn strict_methods_of_all_integers() {
    use FaultKind::*;
    macro_rules! test {
        ($t:ident) => {
            check2::<$t, $t, $t>(Method::IntStrictAdd, |a, b| {
                a.checked_add(b).ok_or(AddOverflow)
            });
            check2::<$t, $t, $t>(Method::IntStrictSub, |a, b| {
                a.checked_sub(b).ok_or(SubtractOverflow)
            });
            check2::<$t, $t, $t>(Method::IntStrictMul, |a, b| {
                a.checked_mul(b).ok_or(MultiplyOverflow)
            });
            check2::<$t, u32, $t>(Method::IntStrictPow, |a, b| {
                a.checked_pow(b).ok_or(MultiplyOverflow)
            });
            check2::<$t, u32, $t>(Method::IntStrictShl, |a, b| {
                a.checked_shl(b).ok_or(ShiftLeftOverflow)
            });
            check2::<$t, u32, $t>(Method::IntStrictShr, |a, b| {
                a.checked_shr(b).ok_or(ShiftRightOverflow)
            });
            check2::<$t, $t, $t>(Method::IntStrictDiv, |a, b| match b {
                0 => Err(DivideByZero),
                _ => a.checked_div(b).ok_or(DivideOverflow),
            });
            check2::<$t, $t, $t>(Method::IntStrictRem, |a, b| match b {
                0 => Err(RemainderByZero),
                _ => a.checked_rem(b).ok_or(RemainderOverflow),
            });
            check2::<$t, $t, $t>(Method::IntStrictDivEuclid, |a, b| match b {
                0 => Err(DivideByZero),
                _ => a.checked_div_euclid(b).ok_or(DivideOverflow),
            });
            check2::<$t, $t, $t>(Method::IntStrictRemEuclid, |a, b| match b {
                0 => Err(RemainderByZero),
                _ => a.checked_rem_euclid(b).ok_or(RemainderOverflow),
            });
            check1_or::<$t, $t>(Method::IntStrictNeg, |a| {
                a.checked_neg().ok_or(NegateOverflow)
            });
        };
    }
    for_types!(test: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
}

/// Products and powers of a byte, all of them: also those that overflow to exactly the bound of the type.
#[test]
fn every_product_and_power_of_bytes() {
    macro_rules! test {
        ($t:ident) => {
            let mul = lower::<$t, $t>(Method::IntStrictMul, &[$t::TYPE]);
            let held = lower::<$t, $t>(Method::IntSaturatingMul, &[$t::TYPE]);
            let pow = lower::<$t, $t>(Method::IntStrictPow, &[u32::TYPE]);
            let held_pow = lower::<$t, $t>(Method::IntSaturatingPow, &[u32::TYPE]);
            for a in $t::MIN..=$t::MAX {
                for b in $t::MIN..=$t::MAX {
                    let found = result::<$t>(&mul, &[a.bits(), b.bits()]).ok();
                    assert_eq!(found, a.checked_mul(b), "{a} * {b}");
                    let found = result(&held, &[a.bits(), b.bits()]);
                    assert_eq!(found, Ok(a.saturating_mul(b)), "{a} * {b}");
                }
                for e in 0..20u32 {
                    let found = result::<$t>(&pow, &[a.bits(), e.bits()]).ok();
                    assert_eq!(found, a.checked_pow(e), "{a} to the {e}");
                    let found = result(&held_pow, &[a.bits(), e.bits()]);
                    assert_eq!(found, Ok(a.saturating_pow(e)), "{a} to the {e}");
                }
            }
        };
    }
    test!(u8);
    test!(i8);
}

#[test]
fn roots_and_logarithms_of_all_integers() {
    macro_rules! test {
        ($t:ident $negative:expr) => {
            check1_or::<$t, $t>(Method::IntIsqrt, |a| {
                only_if(!$negative(a), FaultKind::SquareRootOfNegative, || a.isqrt())
            });
            let none = FaultKind::LogarithmOfNonPositive;
            check1_or::<$t, u32>(Method::IntIlog2, |a| a.checked_ilog2().ok_or(none));
            check1_or::<$t, u32>(Method::IntIlog10, |a| a.checked_ilog10().ok_or(none));
            check2::<$t, $t, u32>(Method::IntIlog, |a, b| match b {
                2.. => a.checked_ilog(b).ok_or(none),
                _ => Err(FaultKind::LogarithmBase),
            });
            // Around every power of ten and every square of a power of two.
            let ilog10 = lower::<$t, u32>(Method::IntIlog10, &[]);
            let isqrt = lower::<$t, $t>(Method::IntIsqrt, &[]);
            let powers = (0..20).filter_map(|n| (10 as $t).checked_pow(n));
            let squares = (0..64).filter_map(|n| (4 as $t).checked_pow(n));
            for power in powers.chain(squares).chain([$t::MAX]) {
                for a in [power - 1, power, power.saturating_add(1)] {
                    assert_eq!(result(&ilog10, &[a.bits()]).ok(), a.checked_ilog10(), "{a}");
                    assert_eq!(result(&isqrt, &[a.bits()]), Ok(a.isqrt()), "{a}");
                }
            }
        };
    }
    macro_rules! signed {
        ($t:ident) => { test!($t |a: $t| a < 0); };
    }
    macro_rules! unsigned {
        ($t:ident) => { test!($t |_: $t| false); };
    }
    for_types!(signed: i8 i16 i32 i64 isize);
    for_types!(unsigned: u8 u16 u32 u64 usize);
}

#[test]
fn methods_of_bytes() {
    type Test = fn(u8) -> bool;
    let all: [(Method, Test); 11] = [
        (Method::ByteIsAscii, |a| a.is_ascii()),
        (Method::ByteIsAsciiAlphabetic, |a| a.is_ascii_alphabetic()),
        (Method::ByteIsAsciiAlphanumeric, |a| a.is_ascii_alphanumeric()),
        (Method::ByteIsAsciiControl, |a| a.is_ascii_control()),
        (Method::ByteIsAsciiDigit, |a| a.is_ascii_digit()),
        (Method::ByteIsAsciiGraphic, |a| a.is_ascii_graphic()),
        (Method::ByteIsAsciiHexdigit, |a| a.is_ascii_hexdigit()),
        (Method::ByteIsAsciiLowercase, |a| a.is_ascii_lowercase()),
        (Method::ByteIsAsciiPunctuation, |a| a.is_ascii_punctuation()),
        (Method::ByteIsAsciiUppercase, |a| a.is_ascii_uppercase()),
        (Method::ByteIsAsciiWhitespace, |a| a.is_ascii_whitespace()),
    ];
    for (method, rust) in all {
        let kernel = lower::<u8, bool>(method, &[]);
        for a in 0..=255u8 {
            assert_eq!(
                result(&kernel, &[a.bits()]),
                Ok(rust(a)),
                "{a}.{}()",
                method.name()
            );
        }
    }
    let small = lower::<u8, u8>(Method::ByteToAsciiLowercase, &[]);
    let capital = lower::<u8, u8>(Method::ByteToAsciiUppercase, &[]);
    for a in 0..=255u8 {
        assert_eq!(result(&small, &[a.bits()]), Ok(a.to_ascii_lowercase()), "{a}");
        assert_eq!(result(&capital, &[a.bits()]), Ok(a.to_ascii_uppercase()), "{a}");
    }
}

#[test]
fn rotations_by_nothing_and_by_all() {
    for bits in [0, 1, 7, 8, 9, 16, 255, u32::MAX] {
        let kernel = lower::<u8, u8>(Method::IntRotateLeft, &[u32::TYPE]);
        let expected = 0b1001_0110u8.rotate_left(bits);
        assert_eq!(
            result(&kernel, &[0b1001_0110, bits.into()]),
            Ok(expected),
            "{bits}"
        );
    }
}

#[test]
fn methods_of_signed_integers() {
    macro_rules! test {
        ($t:ident) => {
            check1::<$t, $t>(Method::SignedAbs, |a| a.wrapping_abs());
            check1::<$t, $t>(Method::SignedWrappingAbs, |a| a.wrapping_abs());
            check1::<$t, _>(Method::SignedUnsignedAbs, |a| a.unsigned_abs());
            check1::<$t, $t>(Method::SignedSignum, |a| a.signum());
            check1::<$t, bool>(Method::SignedIsPositive, |a| a.is_positive());
            check1::<$t, bool>(Method::SignedIsNegative, |a| a.is_negative());
            check1::<$t, $t>(Method::SignedSaturatingNeg, |a| a.saturating_neg());
            check1::<$t, $t>(Method::SignedSaturatingAbs, |a| a.saturating_abs());
            check1_or::<$t, $t>(Method::SignedStrictAbs, |a| {
                a.checked_abs().ok_or(FaultKind::NegateOverflow)
            });
            check1::<$t, _>(Method::SignedCastUnsigned, |a| a.cast_unsigned());
        };
    }
    for_types!(test: i8 i16 i32 i64 isize);
}

#[test]
fn methods_of_unsigned_integers() {
    macro_rules! test {
        ($t:ident) => {
            check2::<$t, $t, $t>(Method::UnsignedDivCeil, |a, b| match b {
                0 => Err(FaultKind::DivideByZero),
                _ => Ok(a.div_ceil(b)),
            });
            check1::<$t, bool>(Method::UnsignedIsPowerOfTwo, |a| a.is_power_of_two());
            check1::<$t, $t>(Method::UnsignedNextPowerOfTwo, |a| {
                a.checked_next_power_of_two().unwrap_or(0)
            });
            check2::<$t, $t, bool>(Method::UnsignedIsMultipleOf, |a, b| Ok(a.is_multiple_of(b)));
            check2::<$t, $t, $t>(Method::UnsignedNextMultipleOf, |a, b| match b {
                0 => Err(FaultKind::RemainderByZero),
                _ => Ok(a.div_ceil(b).wrapping_mul(b)),
            });
            check1::<$t, _>(Method::UnsignedCastSigned, |a| a.cast_signed());
        };
    }
    for_types!(test: u8 u16 u32 u64 usize);
}

#[test]
fn sums_of_integers_of_different_signs() {
    use FaultKind::*;
    macro_rules! test {
        ($($i:ident $u:ident)*) => {$(
            check2::<$i, $u, $i>(Method::SignedWrappingAddUnsigned, |a, b| Ok(a.wrapping_add_unsigned(b)));
            check2::<$i, $u, $i>(Method::SignedWrappingSubUnsigned, |a, b| Ok(a.wrapping_sub_unsigned(b)));
            check2::<$i, $u, $i>(Method::SignedSaturatingAddUnsigned, |a, b| Ok(a.saturating_add_unsigned(b)));
            check2::<$i, $u, $i>(Method::SignedSaturatingSubUnsigned, |a, b| Ok(a.saturating_sub_unsigned(b)));
            check2::<$i, $u, $i>(Method::SignedStrictAddUnsigned, |a, b| {
                a.checked_add_unsigned(b).ok_or(AddOverflow)
            });
            check2::<$i, $u, $i>(Method::SignedStrictSubUnsigned, |a, b| {
                a.checked_sub_unsigned(b).ok_or(SubtractOverflow)
            });
            check2::<$u, $i, $u>(Method::UnsignedWrappingAddSigned, |a, b| Ok(a.wrapping_add_signed(b)));
            check2::<$u, $i, $u>(Method::UnsignedWrappingSubSigned, |a, b| Ok(a.wrapping_sub_signed(b)));
            check2::<$u, $i, $u>(Method::UnsignedSaturatingAddSigned, |a, b| Ok(a.saturating_add_signed(b)));
            check2::<$u, $i, $u>(Method::UnsignedSaturatingSubSigned, |a, b| Ok(a.saturating_sub_signed(b)));
            check2::<$u, $i, $u>(Method::UnsignedStrictAddSigned, |a, b| {
                a.checked_add_signed(b).ok_or(AddOverflow)
            });
            check2::<$u, $i, $u>(Method::UnsignedStrictSubSigned, |a, b| {
                a.checked_sub_signed(b).ok_or(SubtractOverflow)
            });
        )*};
    }
    test!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);
}

#[test]
fn methods_of_floats() {
    macro_rules! test {
        ($t:ident $bits:ident) => {
            check1::<$t, $t>(Method::FloatAbs, |a| a.abs());
            check1::<$t, $t>(Method::FloatSignum, |a| a.signum());
            check2::<$t, $t, $t>(Method::FloatCopysign, |a, b| Ok(a.copysign(b)));
            check1::<$t, $t>(Method::FloatRecip, |a| a.recip());
            check1::<$t, $t>(Method::FloatSqrt, |a| a.sqrt());
            check1::<$t, $t>(Method::FloatFloor, |a| a.floor());
            check1::<$t, $t>(Method::FloatCeil, |a| a.ceil());
            check1::<$t, $t>(Method::FloatRound, |a| a.round());
            check1::<$t, $t>(Method::FloatRoundTiesEven, |a| a.round_ties_even());
            check1::<$t, $t>(Method::FloatTrunc, |a| a.trunc());
            check1::<$t, $t>(Method::FloatFract, |a| a.fract());
            check2::<$t, $t, $t>(Method::FloatRemEuclid, |a, b| Ok(a.rem_euclid(b)));
            check2::<$t, $t, $t>(Method::FloatDivEuclid, |a, b| Ok(a.div_euclid(b)));
            check1::<$t, $t>(Method::FloatToDegrees, |a| a.to_degrees());
            check1::<$t, $t>(Method::FloatToRadians, |a| a.to_radians());
            check1::<$t, bool>(Method::FloatIsNan, |a| a.is_nan());
            check1::<$t, bool>(Method::FloatIsInfinite, |a| a.is_infinite());
            check1::<$t, bool>(Method::FloatIsFinite, |a| a.is_finite());
            check1::<$t, bool>(Method::FloatIsNormal, |a| a.is_normal());
            check1::<$t, bool>(Method::FloatIsSubnormal, |a| a.is_subnormal());
            check1::<$t, $t>(Method::FloatNextUp, |a| a.next_up());
            check1::<$t, $t>(Method::FloatNextDown, |a| a.next_down());
            check2::<$t, $t, $t>(Method::FloatMidpoint, |a, b| Ok(a.midpoint(b)));
            check1::<$t, bool>(Method::FloatIsSignPositive, |a| a.is_sign_positive());
            check1::<$t, bool>(Method::FloatIsSignNegative, |a| a.is_sign_negative());
            check1::<$t, $bits>(Method::FloatToBits, |a| a.to_bits());
            check1::<$bits, $t>(Method::FloatFromBits, |a| $t::from_bits(a));
            check1::<$t, $t>(Method::FloatExp, |a| a.exp());
            check1::<$t, $t>(Method::FloatExp2, |a| a.exp2());
            check1::<$t, $t>(Method::FloatExpM1, |a| a.exp_m1());
            check1::<$t, $t>(Method::FloatLn, |a| a.ln());
            check1::<$t, $t>(Method::FloatLog2, |a| a.log2());
            check1::<$t, $t>(Method::FloatLog10, |a| a.log10());
            check1::<$t, $t>(Method::FloatLn1p, |a| a.ln_1p());
            check2::<$t, $t, $t>(Method::FloatLog, |a, b| Ok(a.log(b)));
            check1::<$t, $t>(Method::FloatSin, |a| a.sin());
            check1::<$t, $t>(Method::FloatCos, |a| a.cos());
            check1::<$t, $t>(Method::FloatTan, |a| a.tan());
            check1::<$t, $t>(Method::FloatAsin, |a| a.asin());
            check1::<$t, $t>(Method::FloatAcos, |a| a.acos());
            check1::<$t, $t>(Method::FloatAtan, |a| a.atan());
            check2::<$t, $t, $t>(Method::FloatAtan2, |a, b| Ok(a.atan2(b)));
            check1::<$t, $t>(Method::FloatSinh, |a| a.sinh());
            check1::<$t, $t>(Method::FloatCosh, |a| a.cosh());
            check1::<$t, $t>(Method::FloatTanh, |a| a.tanh());
            check1::<$t, $t>(Method::FloatAsinh, |a| a.asinh());
            check1::<$t, $t>(Method::FloatAcosh, |a| a.acosh());
            check1::<$t, $t>(Method::FloatAtanh, |a| a.atanh());
            check1::<$t, $t>(Method::FloatCbrt, |a| a.cbrt());
            check2::<$t, $t, $t>(Method::FloatHypot, |a, b| Ok(a.hypot(b)));
            check2::<$t, $t, $t>(Method::FloatPowf, |a, b| Ok(a.powf(b)));
            check2::<$t, $t, $t>(Method::FloatMin, |a, b| Ok(a.min(b)));
            check2::<$t, $t, $t>(Method::FloatMax, |a, b| Ok(a.max(b)));
        };
    }
    test!(f32 u32);
    test!(f64 u64);
}

#[test]
fn mul_add_takes_its_operands_in_order() {
    let kernel = lower::<f32, f32>(Method::FloatMulAdd, &[f32::TYPE, f32::TYPE]);
    let found = result::<f32>(&kernel, &[3f32.bits(), 5f32.bits(), 7f32.bits()]);
    assert_eq!(found, Ok(22.0));
}

#[test]
fn powi_is_within_rounding_of_powf() {
    for n in [
        -1030,
        -7,
        -2,
        -1,
        0,
        1,
        2,
        3,
        10,
        31,
        64,
        1023,
        i32::MIN,
        i32::MAX,
    ] {
        let kernel = lower::<f64, f64>(Method::FloatPowi, &[i32::TYPE]);
        let constant = store_result(&[f64::TYPE], f64::TYPE, call(0, vec![local(0), literal(n)]));
        let constant = constant.links(&[method_link(Method::FloatPowi)]);
        for x in [0.5, 1.0, -1.0, 1.25, -3.0, 0.0, f64::INFINITY, f64::NAN] {
            let found: f64 = result(&kernel, &[x.bits(), n.bits()]).expect("no fault");
            let expected = x.powf(n.into());
            let close = (found - expected).abs() <= expected.abs() * 1e-12;
            assert!(
                close
                    || found.to_bits() == expected.to_bits()
                    || found.is_nan() && expected.is_nan()
                    || found == expected,
                "{x}.powi({n}) is {expected} and not {found}"
            );
            let folded: f64 = constant.result(&[x.bits()]).expect("no fault");
            assert_eq!(
                format!("{folded:?}"),
                format!("{found:?}"),
                "{x}.powi({n}), a constant"
            );
        }
    }
}

#[test]
fn clamp_is_that_of_rust_with_its_message() {
    fn check<T: Number + PartialOrd>(method: Method, clamp: fn(T, T, T) -> T, message: fn(T, T) -> String) {
        let kernel = lower::<T, T>(method, &[T::TYPE; 2]);
        let mut random = Random(17);
        for _ in 0..4 * ROUNDS {
            let (x, min, max): (T, T, T) = (random.number(), random.number(), random.number());
            let expected = if min <= max {
                Ok(format!("{:?}", clamp(x, min, max)))
            } else {
                Err(message(min, max))
            };
            let found = outcome::<T>(result(&kernel, &[x.bits(), min.bits(), max.bits()]));
            assert_eq!(found, expected, "{x:?}.clamp({min:?}, {max:?})");
        }
    }
    macro_rules! integer {
        ($t:ident) => {
            check::<$t>(Method::IntClamp, Ord::clamp, |min, max| {
                format!("min > max. min = {min}, max = {max}")
            });
        };
    }
    for_types!(integer: i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    macro_rules! float {
        ($t:ident) => {
            check::<$t>(Method::FloatClamp, $t::clamp, |min, max| {
                format!("min > max, or either was NaN. min = {min:?}, max = {max:?}")
            });
        };
    }
    for_types!(float: f32 f64);
}

#[test]
fn clamp_between_ordered_constants_cannot_fault() {
    fn kinds<T: Number>(method: Method, min: T, max: T) -> Vec<FaultKind> {
        let value = call(0, vec![local(0), Expr::Constant(0), Expr::Constant(1)]);
        let mut source = store_result(&[T::TYPE], T::TYPE, value).links(&[method_link(method)]);
        source.constants = [min, max].map(constant).to_vec();
        let kernel = source.lower().expect("it lowers");
        kernel
            .sites
            .iter()
            .map(|(_, site)| site.kind)
            .filter(|kind| *kind != FaultKind::Index)
            .collect()
    }
    assert_eq!(kinds(Method::IntClamp, -5i8, 5), []);
    assert_eq!(kinds(Method::IntClamp, 5i8, -5), [FaultKind::ClampSigned]);
    assert_eq!(kinds(Method::IntClamp, 5u8, 251), []);
    assert_eq!(kinds(Method::FloatClamp, -1.0f32, 1.0), []);
    assert_eq!(kinds(Method::FloatClamp, -1.0f64, 1.0), []);
    assert_eq!(kinds(Method::FloatClamp, f32::NAN, 1.0), [FaultKind::ClampF32]);
}

#[test]
fn a_slice_tells_its_length() {
    use eval::Argument;
    use gridfn_ir::Scalar;
    for (len, is_empty) in [(0, 1), (3, 0)] {
        let source = Source::kernel(
            &[
                ("x", slice(Scalar::F32)),
                ("out", slice_mut(Scalar::Usize)),
                ("empty", slice_mut(Scalar::Bool)),
            ],
            stmts([
                assign(at(1, usize(0)), call(0, vec![local(0)])),
                assign(at(2, usize(0)), call(1, vec![local(0)])),
            ]),
        )
        .links(&[method_link(Method::SliceLen), method_link(Method::SliceIsEmpty)]);
        let mut arguments = [vec![0; len], vec![9], vec![9]].map(Argument::Slice);
        source.run(&mut arguments).expect("no fault");
        assert_eq!(
            arguments[1..],
            [vec![len as u64], vec![is_empty]].map(Argument::Slice)
        );
    }
}
