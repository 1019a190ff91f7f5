//! Every method of the table that integers have, on every integer type.

use crate::case::Suite;
use crate::elements::elements;
use gridfn::prelude::*;

macro_rules! integers {
    ($($t:ident $unsigned:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn pairs(a: $t, b: $t); {
                    min: $t = a.min(b), a.min(b);
                    max: $t = a.max(b), a.max(b);
                    wrapping_add: $t = a.wrapping_add(b), a.wrapping_add(b);
                    wrapping_sub: $t = a.wrapping_sub(b), a.wrapping_sub(b);
                    wrapping_mul: $t = a.wrapping_mul(b), a.wrapping_mul(b);
                    saturating_add: $t = a.saturating_add(b), a.saturating_add(b);
                    saturating_sub: $t = a.saturating_sub(b), a.saturating_sub(b);
                    abs_diff: $unsigned = a.abs_diff(b), a.abs_diff(b);
                    by_path: $t = $t::max($t::wrapping_add(a, b), 5), a.wrapping_add(b).max(5);
                }
                fn bits(a: $t); {
                    count_ones: u32 = a.count_ones(), a.count_ones();
                    count_zeros: u32 = a.count_zeros(), a.count_zeros();
                    leading_zeros: u32 = a.leading_zeros(), a.leading_zeros();
                    trailing_zeros: u32 = a.trailing_zeros(), a.trailing_zeros();
                    leading_ones: u32 = a.leading_ones(), a.leading_ones();
                    trailing_ones: u32 = a.trailing_ones(), a.trailing_ones();
                    swap_bytes: $t = a.swap_bytes(), a.swap_bytes();
                    reverse_bits: $t = a.reverse_bits(), a.reverse_bits();
                    wrapping_neg: $t = a.wrapping_neg(), a.wrapping_neg();
                }
                fn with_u32(a: $t, n: u32); {
                    wrapping_shl: $t = a.wrapping_shl(n), a.wrapping_shl(n);
                    wrapping_shr: $t = a.wrapping_shr(n), a.wrapping_shr(n);
                    rotate_left: $t = a.rotate_left(n), a.rotate_left(n);
                    rotate_right: $t = a.rotate_right(n), a.rotate_right(n);
                    pow: $t = a.pow(n), a.wrapping_pow(n);
                    pow_by_path: $t = $t::pow(a, n), a.wrapping_pow(n);
                    wrapping_pow: $t = a.wrapping_pow(n), a.wrapping_pow(n);
                    cube: $t = a.pow(3), a.wrapping_pow(3);
                }
                fn euclid(a: $t, b: $t) if a.checked_div_euclid(b).is_some(); {
                    div_euclid: $t = a.div_euclid(b), a.div_euclid(b);
                    rem_euclid: $t = a.rem_euclid(b), a.rem_euclid(b);
                }
                fn clamp(a: $t, low: $t, high: $t) if low <= high; {
                    between: $t = a.clamp(low, high), a.clamp(low, high);
                    literals: $t = a.clamp(3, 100), a.clamp(3, 100);
                }
            }
        }
    )*};
}
integers! {
    i8 u8 in of_i8;
    i16 u16 in of_i16;
    i32 u32 in of_i32;
    i64 u64 in of_i64;
    isize usize in of_isize;
    u8 u8 in of_u8;
    u16 u16 in of_u16;
    u32 u32 in of_u32;
    u64 u64 in of_u64;
    usize usize in of_usize;
}

macro_rules! signed {
    ($($t:ident $unsigned:ident $name:ident;)*) => {
        mod signed {
            use super::*;
            elements! {$(
                fn $name(a: $t); {
                    abs: $t = a.abs(), a.wrapping_abs();
                    abs_by_path: $t = $t::abs(a), a.wrapping_abs();
                    wrapping_abs: $t = a.wrapping_abs(), a.wrapping_abs();
                    unsigned_abs: $unsigned = a.unsigned_abs(), a.unsigned_abs();
                    signum: $t = a.signum(), a.signum();
                    is_positive: bool = a.is_positive(), a.is_positive();
                    is_negative: bool = a.is_negative(), a.is_negative();
                }
            )*}
        }
    };
}
signed! { i8 u8 of_i8; i16 u16 of_i16; i32 u32 of_i32; i64 u64 of_i64; isize usize of_isize; }

macro_rules! unsigned {
    ($($t:ident $name:ident;)*) => {
        mod unsigned {
            use super::*;
            elements! {$(
                fn $name(a: $t, b: $t) if b != 0; {
                    div_ceil: $t = a.div_ceil(b), a.div_ceil(b);
                    is_power_of_two: bool = a.is_power_of_two(), a.is_power_of_two();
                }
            )*}
        }
    };
}
unsigned! { u8 of_u8; u16 of_u16; u32 of_u32; u64 of_u64; usize of_usize; }

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
        signed::add_to,
        unsigned::add_to,
    ] {
        add_to(suite);
    }
}
