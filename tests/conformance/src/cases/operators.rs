//! Every operator, and its assigning form, on every type that has it.

#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "the operators are the point")]

use crate::case::Suite;
use crate::elements::elements;
use gridfn::prelude::*;

/// An assigning form: a variable that starts as the first, changed by the second.
macro_rules! assign {
    ($a:ident $op:tt $b:expr) => {{
        let mut v = $a;
        v $op $b;
        v
    }};
}

macro_rules! integers {
    ($($t:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn arithmetic(a: $t, b: $t); {
                    add: $t = a + b, a.wrapping_add(b);
                    sub: $t = a - b, a.wrapping_sub(b);
                    mul: $t = a * b, a.wrapping_mul(b);
                    and: $t = a & b, a & b;
                    or: $t = a | b, a | b;
                    xor: $t = a ^ b, a ^ b;
                    not: $t = !a, !a;
                    mixed: $t = (a + b) * (a - b) ^ !(b | a) & a,
                        a.wrapping_add(b).wrapping_mul(a.wrapping_sub(b)) ^ (!(b | a) & a);
                }
                fn arithmetic_assign(a: $t, b: $t); {
                    add: $t = { let mut v = a; v += b; v }, a.wrapping_add(b);
                    sub: $t = { let mut v = a; v -= b; v }, a.wrapping_sub(b);
                    mul: $t = { let mut v = a; v *= b; v }, a.wrapping_mul(b);
                    and: $t = { let mut v = a; v &= b; v }, assign!(a &= b);
                    or: $t = { let mut v = a; v |= b; v }, assign!(a |= b);
                    xor: $t = { let mut v = a; v ^= b; v }, assign!(a ^= b);
                }
                fn division(a: $t, b: $t) if a.checked_div(b).is_some(); {
                    div: $t = a / b, a / b;
                    rem: $t = a % b, a % b;
                    div_assign: $t = { let mut v = a; v /= b; v }, assign!(a /= b);
                    rem_assign: $t = { let mut v = a; v %= b; v }, assign!(a %= b);
                    by_three: $t = a / 3, a / 3;
                    below_ten: $t = a % 10, a % 10;
                }
                fn comparisons(a: $t, b: $t); {
                    eq: bool = a == b, a == b;
                    ne: bool = a != b, a != b;
                    lt: bool = a < b, a < b;
                    le: bool = a <= b, a <= b;
                    gt: bool = a > b, a > b;
                    ge: bool = a >= b, a >= b;
                }
                fn shifts(a: $t, n: u32); {
                    shl: $t = a << n, a.wrapping_shl(n);
                    shr: $t = a >> n, a.wrapping_shr(n);
                    shl_assign: $t = { let mut v = a; v <<= n; v }, a.wrapping_shl(n);
                    shr_assign: $t = { let mut v = a; v >>= n; v }, a.wrapping_shr(n);
                }
                // Of the other types only the low bits count, whatever the sign and however huge.
                fn shifts_by_itself(a: $t, n: $t); {
                    shl: $t = a << n, a.wrapping_shl(n as u32);
                    shr: $t = a >> n, a.wrapping_shr(n as u32);
                    shl_assign: $t = { let mut v = a; v <<= n; v }, a.wrapping_shl(n as u32);
                    shr_assign: $t = { let mut v = a; v >>= n; v }, a.wrapping_shr(n as u32);
                }
                fn shifts_by_i8(a: $t, n: i8); {
                    shl: $t = a << n, a.wrapping_shl(n as u32);
                    shr: $t = a >> n, a.wrapping_shr(n as u32);
                }
                fn shifts_by_u64(a: $t, n: u64); {
                    shl: $t = a << n, a.wrapping_shl(n as u32);
                    shr: $t = a >> n, a.wrapping_shr(n as u32);
                }
            }
        }
    )*};
}
integers! {
    i8 in of_i8;
    i16 in of_i16;
    i32 in of_i32;
    i64 in of_i64;
    isize in of_isize;
    u8 in of_u8;
    u16 in of_u16;
    u32 in of_u32;
    u64 in of_u64;
    usize in of_usize;
}

macro_rules! signed {
    ($($t:ident $name:ident;)*) => {
        mod negation {
            use super::*;
            elements! {$(
                fn $name(a: $t); {
                    neg: $t = -a, a.wrapping_neg();
                    twice: $t = -(-a), a;
                    of_sum: $t = -(a + 1), a.wrapping_add(1).wrapping_neg();
                }
            )*}
        }
    };
}
signed! { i8 of_i8; i16 of_i16; i32 of_i32; i64 of_i64; isize of_isize; }

macro_rules! floats {
    ($($t:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn arithmetic(a: $t, b: $t); {
                    add: $t = a + b, a + b;
                    sub: $t = a - b, a - b;
                    mul: $t = a * b, a * b;
                    div: $t = a / b, a / b;
                    rem: $t = a % b, a % b;
                    neg: $t = -a, -a;
                    // Contracted to one operation, these would differ in the last bit.
                    mul_then_add: $t = a * b + a, a * b + a;
                    mul_then_sub: $t = a - b * b, a - b * b;
                    // Reordered, it would be `a`.
                    sum: $t = a + b - b, (a + b) - b;
                }
                fn arithmetic_assign(a: $t, b: $t); {
                    add: $t = { let mut v = a; v += b; v }, a + b;
                    sub: $t = { let mut v = a; v -= b; v }, a - b;
                    mul: $t = { let mut v = a; v *= b; v }, a * b;
                    div: $t = { let mut v = a; v /= b; v }, a / b;
                    rem: $t = { let mut v = a; v %= b; v }, a % b;
                }
                fn comparisons(a: $t, b: $t); {
                    eq: bool = a == b, a == b;
                    ne: bool = a != b, a != b;
                    lt: bool = a < b, a < b;
                    le: bool = a <= b, a <= b;
                    gt: bool = a > b, a > b;
                    ge: bool = a >= b, a >= b;
                    not_lt: bool = !(a < b), !(a < b);
                }
            }
        }
    )*};
}
floats! { f32 in of_f32; f64 in of_f64; }

mod of_bool {
    use super::*;
    elements! {
        fn operators(a: bool, b: bool); {
            and: bool = a & b, a & b;
            or: bool = a | b, a | b;
            xor: bool = a ^ b, a ^ b;
            not: bool = !a, !a;
            lazy_and: bool = a && b, a && b;
            lazy_or: bool = a || b, a || b;
            and_assign: bool = { let mut v = a; v &= b; v }, assign!(a &= b);
            or_assign: bool = { let mut v = a; v |= b; v }, assign!(a |= b);
            xor_assign: bool = { let mut v = a; v ^= b; v }, assign!(a ^= b);
        }
        fn comparisons(a: bool, b: bool); {
            eq: bool = a == b, a == b;
            ne: bool = a != b, a != b;
            lt: bool = a < b, !a & b;
            le: bool = a <= b, a <= b;
            gt: bool = a > b, a & !b;
            ge: bool = a >= b, a >= b;
        }
    }
}

pub(super) fn add_to(suite: &mut Suite) {
    for add_to in [
        of_i8::add_to,
        of_i16::add_to,
        of_i32::add_to,
        of_i64::add_to,
        of_isize::add_to,
        of_u8::add_to,
        of_u16::add_to,
        of_u32::add_to,
        of_u64::add_to,
        of_usize::add_to,
        negation::add_to,
        of_f32::add_to,
        of_f64::add_to,
        of_bool::add_to,
    ] {
        add_to(suite);
    }
}
