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
        clamp "order" i32: [1 9, -3 -7, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = -3, max = -7";
        clamp_unsigned "order" u8: [1 9, 200 100, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = 200, max = 100";
        clamp_float "order" f32: [0.0 9.0, 1.5 -7.0, 3.0 3.0, 4.0 5.0, 5.0 6.0, 0.0 1.0] [1],
            "min > max, or either was NaN. min = 1.5, max = -7.0";
    }
}
