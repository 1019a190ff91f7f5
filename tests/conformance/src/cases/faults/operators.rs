//! Faults of operators and methods of two numbers.

use super::{Expected, Source, check_fault, check_usable};
use crate::case::{Suite, case_path, check_eq};
use gridfn::prelude::*;

const HERE: Source = Source {
    file: "cases/faults/operators.rs",
    text: include_str!("operators.rs"),
};

/// A kernel of two inputs whose body may fault; where it does, the output stays 99.
macro_rules! pairs {
    ($(fn $name:ident($a:ident: $t:ident, $b:ident) $body:block)+) => {$(
        #[kernel]
        fn $name(x: &[$t], y: &[$t], out: &mut [$t]) {
            let i = global_id(0);
            let $a = x[i];
            let $b = y[i];
            out[i] = 99 as $t;
            out[i] = $body;
        }
    )+};
}
pairs! {
    fn div(a: i32, b) { /*@div*/ a / b }
    fn rem(a: i32, b) { /*@rem*/ a % b }
    fn div_i8(a: i8, b) { 1 + /*@div_i8*/ a / b - 1 }
    fn rem_i64(a: i64, b) { /*@rem_i64*/ (a % b) * 2 }
    fn div_u64(a: u64, b) { /*@div_u64*/ a / b }
    fn rem_u16(a: u16, b) { /*@rem_u16*/ a % b }
    fn div_assign(a: i16, b) { let mut v = a; /*@div_assign*/ v /= b; v }
    fn rem_assign(a: isize, b) { let mut v = a; /*@rem_assign*/ v %= b; v }
    fn div_euclid(a: i32, b) { a./*@div_euclid*/ div_euclid(b) }
    fn rem_euclid(a: i64, b) { a./*@rem_euclid*/ rem_euclid(b) }
    fn div_ceil(a: u32, b) { a./*@div_ceil*/ div_ceil(b) }
    fn wrapping_div(a: i32, b) { a./*@wrapping_div*/ wrapping_div(b) }
    fn wrapping_rem(a: i64, b) { a./*@wrapping_rem*/ wrapping_rem(b) }
    fn wrapping_div_euclid(a: i8, b) { a./*@wrapping_div_euclid*/ wrapping_div_euclid(b) }
    fn wrapping_rem_euclid(a: i16, b) { a./*@wrapping_rem_euclid*/ wrapping_rem_euclid(b) }
    fn saturating_div(a: isize, b) { a./*@saturating_div*/ saturating_div(b) }
    fn strict_div(a: i32, b) { a./*@strict_div*/ strict_div(b) }
    fn strict_rem(a: i32, b) { a./*@strict_rem*/ strict_rem(b) }
    fn strict_div_euclid(a: i16, b) { a./*@strict_div_euclid*/ strict_div_euclid(b) }
    fn strict_rem_euclid(a: i64, b) { a./*@strict_rem_euclid*/ strict_rem_euclid(b) }
    fn next_multiple_of(a: u32, b) { a./*@next_multiple_of*/ next_multiple_of(b) }
    fn strict_add(a: i32, b) { a./*@strict_add*/ strict_add(b) }
    fn strict_sub(a: u8, b) { a./*@strict_sub*/ strict_sub(b) }
    fn strict_mul(a: u64, b) { a./*@strict_mul*/ strict_mul(b) }
    fn ilog(a: i32, b) { a./*@ilog*/ ilog(b) as i32 }
    fn wrapping_div_unsigned(a: u16, b) { a./*@wrapping_div_unsigned*/ wrapping_div(b) }
    fn strict_pow(a: u32, b) { a./*@strict_pow*/ strict_pow(b) }
    fn strict_shl(a: u32, b) { a./*@strict_shl*/ strict_shl(b) }
    fn strict_shr(a: u32, b) { a./*@strict_shr*/ strict_shr(b) }
    fn strict_neg(a: i64, b) { (a + b)./*@strict_neg*/ strict_neg() }
    fn strict_abs(a: i8, b) { (a + b)./*@strict_abs*/ strict_abs() }
    fn strict_add_signed(a: u32, b) { a./*@strict_add_signed*/ strict_add_signed(b as i32) }
    fn strict_sub_unsigned(a: i32, b) { a./*@strict_sub_unsigned*/ strict_sub_unsigned(b as u32) }
    fn isqrt(a: i32, b) { (a * b)./*@isqrt*/ isqrt() }
    fn ilog2(a: u32, b) { (a * b)./*@ilog2*/ ilog2() }
    fn ilog10(a: i64, b) { (a * b)./*@ilog10*/ ilog10() as i64 }
    fn clamp(a: i32, b) { 5i32./*@clamp*/ clamp(a, b) }
    fn clamp_unsigned(a: u8, b) { 5u8./*@clamp_unsigned*/ clamp(a, b) }
    fn clamp_float(a: f32, b) { 0.5f32./*@clamp_float*/ clamp(a, b) }
}

/// Kernels of two inputs, some of whose items fault: the others have their results.
macro_rules! check_pairs {
    ($suite:ident $($name:ident $case:literal $t:ident: [$($a:literal $b:literal),+] $faulty:expr, $message:literal;)+) => {$(
        $suite.case(case_path!(concat!(stringify!($name), "::", $case)), &[], |device| {
            let queue = device.queue()?;
            let pairs: [($t, $t); 6] = [$(($a, $b)),+];
            let (x, y) = (queue.upload(&pairs.map(|p| p.0))?, queue.upload(&pairs.map(|p| p.1))?);
            let mut out = queue.upload(&[0 as $t; 10])?;
            launch!(queue, $name(&x, &y, &mut out), global = 6, local = 4)?;
            let name = stringify!($name);
            let expected = Expected { kernel: name, place: name, message: $message, items: &$faulty };
            check_fault(&HERE, queue.synchronize(), &expected)?;
            let out = queue.download(&out)?;
            for (i, out) in out[..6].iter().enumerate() {
                check_eq!(*out == 99 as $t, $faulty.contains(&i), "item {i} gave {out}");
            }
            check_eq!(out[6..], [0 as $t; 4]);
            check_usable(&queue)
        });
    )+};
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<div>();
    suite.kernel::<rem>();
    suite.kernel::<div_i8>();
    suite.kernel::<rem_i64>();
    suite.kernel::<div_u64>();
    suite.kernel::<rem_u16>();
    suite.kernel::<div_assign>();
    suite.kernel::<rem_assign>();
    suite.kernel::<div_euclid>();
    suite.kernel::<rem_euclid>();
    suite.kernel::<div_ceil>();
    suite.kernel::<wrapping_div>();
    suite.kernel::<wrapping_rem>();
    suite.kernel::<wrapping_div_euclid>();
    suite.kernel::<wrapping_rem_euclid>();
    suite.kernel::<saturating_div>();
    suite.kernel::<strict_div>();
    suite.kernel::<strict_rem>();
    suite.kernel::<strict_div_euclid>();
    suite.kernel::<strict_rem_euclid>();
    suite.kernel::<next_multiple_of>();
    suite.kernel::<strict_add>();
    suite.kernel::<strict_sub>();
    suite.kernel::<strict_mul>();
    suite.kernel::<ilog>();
    suite.kernel::<wrapping_div_unsigned>();
    suite.kernel::<strict_pow>();
    suite.kernel::<strict_shl>();
    suite.kernel::<strict_shr>();
    suite.kernel::<strict_neg>();
    suite.kernel::<strict_abs>();
    suite.kernel::<strict_add_signed>();
    suite.kernel::<strict_sub_unsigned>();
    suite.kernel::<isqrt>();
    suite.kernel::<ilog2>();
    suite.kernel::<ilog10>();
    suite.kernel::<clamp>();
    suite.kernel::<clamp_unsigned>();
    suite.kernel::<clamp_float>();
    check_pairs! {
        suite
        div "by_zero" i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3], "attempt to divide by zero";
        div "overflow" i32: [1 1, 2147483647 -1, -7 2, -2147483648 -1, 3 1, 9 4] [3], "attempt to divide with overflow";
        rem "by_zero" i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3],
            "attempt to calculate the remainder with a divisor of zero";
        rem "overflow" i32: [1 1, 5 1, -7 2, -2147483648 -1, 3 1, 9 4] [3],
            "attempt to calculate the remainder with overflow";
        div_i8 "overflow" i8: [1 1, -128 -1, -7 2, 1 2, 3 1, 9 4] [1], "attempt to divide with overflow";
        rem_i64 "overflow" i64: [1 1, -9223372036854775808 -1, -7 2, 1 2, 3 1, -9223372036854775808 -1] [1, 5],
            "attempt to calculate the remainder with overflow";
        div_u64 "by_zero" u64: [1 0, 2 0, 3 0, 4 0, 5 0, 6 0] [0, 1, 2, 3, 4, 5], "attempt to divide by zero";
        rem_u16 "by_zero" u16: [1 1, 2 2, 3 3, 4 4, 5 5, 6 0] [5],
            "attempt to calculate the remainder with a divisor of zero";
        div_assign "by_zero" i16: [0 0, 2 2, 3 3, 4 4, 5 5, 6 6] [0], "attempt to divide by zero";
        div_assign "overflow" i16: [0 1, 2 2, 3 3, 4 4, -32768 -1, 6 6] [4], "attempt to divide with overflow";
        rem_assign "by_zero" isize: [0 0, 2 2, 3 3, 4 0, 5 5, 6 6] [0, 3],
            "attempt to calculate the remainder with a divisor of zero";
        div_euclid "by_zero" i32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        div_euclid "overflow" i32: [1 1, -2147483648 -1, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide with overflow";
        rem_euclid "by_zero" i64: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1],
            "attempt to calculate the remainder with a divisor of zero";
        div_ceil "by_zero" u32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        wrapping_div "by_zero" i32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        wrapping_rem "by_zero" i64: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with a divisor of zero";
        wrapping_div_euclid "by_zero" i8: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        wrapping_rem_euclid "by_zero" i16: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with a divisor of zero";
        saturating_div "by_zero" isize: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        strict_div "by_zero" i32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        strict_rem "by_zero" i32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with a divisor of zero";
        strict_div_euclid "by_zero" i16: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        strict_rem_euclid "by_zero" i64: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with a divisor of zero";
        next_multiple_of "by_zero" u32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with a divisor of zero";
        strict_div "overflow" i32: [1 1, -2147483648 -1, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide with overflow";
        strict_rem_euclid "overflow" i64: [1 1, -9223372036854775808 -1, 3 3, 4 4, 5 5, 6 6] [1], "attempt to calculate the remainder with overflow";
        wrapping_div_unsigned "by_zero" u16: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        strict_add "overflow" i32: [1 1, 2147483647 1, -2147483648 -1, 4 4, 5 5, 6 6] [1, 2], "attempt to add with overflow";
        strict_sub "overflow" u8: [1 1, 2 3, 3 3, 4 4, 0 255, 6 6] [1, 4], "attempt to subtract with overflow";
        strict_mul "overflow" u64: [1 1, 4294967296 4294967296, 3 3, 18446744073709551615 1, 5 5, 6 6] [1], "attempt to multiply with overflow";
        strict_pow "overflow" u32: [1 1, 2 32, 2 31, 0 0, 5 13, 6 13] [1, 5], "attempt to multiply with overflow";
        strict_shl "overflow" u32: [1 1, 2 32, 2 31, 0 0, 5 13, 6 4294967295] [1, 5], "attempt to shift left with overflow";
        strict_shr "overflow" u32: [1 1, 2 32, 2 31, 0 0, 5 13, 6 4294967295] [1, 5], "attempt to shift right with overflow";
        strict_neg "overflow" i64: [1 1, -9223372036854775808 0, -9223372036854775808 1, 0 0, 5 13, 6 7] [1], "attempt to negate with overflow";
        strict_abs "overflow" i8: [1 1, -128 0, -128 1, 0 0, 5 13, 6 7] [1], "attempt to negate with overflow";
        strict_add_signed "overflow" u32: [1 1, 2 4294967293, 3 4294967293, 4294967295 1, 5 5, 6 6] [1, 3], "attempt to add with overflow";
        strict_sub_unsigned "overflow" i32: [1 1, -2147483648 1, 3 -1, 2147483647 -1, 5 5, 6 6] [1, 2], "attempt to subtract with overflow";
        isqrt "negative" i32: [1 1, -1 4, 3 3, 4 4, 0 0, 6 -6] [1, 5], "argument of integer square root cannot be negative";
        ilog2 "of_zero" u32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "argument of integer logarithm must be positive";
        ilog10 "of_negative" i64: [1 1, 2 -3, 3 0, 4 4, 5 5, 6 6] [1, 2], "argument of integer logarithm must be positive";
        ilog "of_zero" i32: [1 2, 0 2, 3 3, -4 4, 5 5, 6 6] [1, 3], "argument of integer logarithm must be positive";
        ilog "base" i32: [1 2, 0 1, 3 3, 4 -4, 5 5, 6 6] [1, 3], "base of integer logarithm must be at least 2";
        clamp "order" i32: [1 9, -3 -7, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = -3, max = -7";
        clamp_unsigned "order" u8: [1 9, 200 100, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = 200, max = 100";
        clamp_float "order" f32: [0.0 9.0, 1.5 -7.0, 3.0 3.0, 4.0 5.0, 5.0 6.0, 0.0 1.0] [1],
            "min > max, or either was NaN. min = 1.5, max = -7.0";
    }
}
