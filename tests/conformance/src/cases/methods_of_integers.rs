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
                    saturating_mul: $t = a.saturating_mul(b), a.saturating_mul(b);
                    midpoint: $t = a.midpoint(b), a.midpoint(b);
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
                    to_be: $t = a.to_be(), a.to_be();
                    to_le: $t = a.to_le(), a.to_le();
                    from_be: $t = $t::from_be(a), $t::from_be(a);
                    from_le: $t = $t::from_le(a), $t::from_le(a);
                }
                fn positive(a: $t, b: $t) if a > 0 && b > 1; {
                    isqrt: $t = a.isqrt(), a.isqrt();
                    ilog2: u32 = a.ilog2(), a.ilog2();
                    ilog10: u32 = a.ilog10(), a.ilog10();
                    ilog: u32 = a.ilog(b), a.ilog(b);
                    ilog3: u32 = a.ilog(3), a.ilog(3);
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
                    unbounded_shl: $t = a.unbounded_shl(n), a.unbounded_shl(n);
                    unbounded_shr: $t = a.unbounded_shr(n), a.unbounded_shr(n);
                    saturating_pow: $t = a.saturating_pow(n), a.saturating_pow(n);
                    saturating_cube: $t = a.saturating_pow(3), a.saturating_pow(3);
                }
                fn euclid(a: $t, b: $t) if a.checked_div_euclid(b).is_some(); {
                    div_euclid: $t = a.div_euclid(b), a.div_euclid(b);
                    rem_euclid: $t = a.rem_euclid(b), a.rem_euclid(b);
                }
                fn divisions(a: $t, b: $t) if b != 0; {
                    wrapping_div: $t = a.wrapping_div(b), a.wrapping_div(b);
                    wrapping_rem: $t = a.wrapping_rem(b), a.wrapping_rem(b);
                    wrapping_div_euclid: $t = a.wrapping_div_euclid(b), a.wrapping_div_euclid(b);
                    wrapping_rem_euclid: $t = a.wrapping_rem_euclid(b), a.wrapping_rem_euclid(b);
                    saturating_div: $t = a.saturating_div(b), a.saturating_div(b);
                    by_seven: $t = a.wrapping_div(7).saturating_div(3), a.wrapping_div(7).saturating_div(3);
                }
                fn strict_sums(a: $t, b: $t) if a.checked_add(b).is_some() && b.checked_sub(a).is_some(); {
                    strict_add: $t = a.strict_add(b), a.wrapping_add(b);
                    strict_sub: $t = b.strict_sub(a), b.wrapping_sub(a);
                }
                fn strict_products(a: $t, b: $t) if a.checked_mul(b).is_some(); {
                    strict_mul: $t = a.strict_mul(b), a.wrapping_mul(b);
                }
                fn strict_with_u32(a: $t, n: u32) if a.checked_pow(n).is_some() && n < $t::BITS; {
                    strict_pow: $t = a.strict_pow(n), a.wrapping_pow(n);
                    strict_shl: $t = a.strict_shl(n), a.wrapping_shl(n);
                    strict_shr: $t = a.strict_shr(n), a.wrapping_shr(n);
                }
                fn strict_divisions(a: $t, b: $t) if a.checked_div(b).is_some(); {
                    strict_div: $t = a.strict_div(b), a / b;
                    strict_rem: $t = a.strict_rem(b), a % b;
                    strict_div_euclid: $t = a.strict_div_euclid(b), a.div_euclid(b);
                    strict_rem_euclid: $t = a.strict_rem_euclid(b), a.rem_euclid(b);
                }
                fn strict_neg(a: $t) if a.checked_neg().is_some(); {
                    negated: $t = a.strict_neg(), a.wrapping_neg();
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
    ($($t:ident $unsigned:ident $name:ident $sums:ident $added:ident $taken:ident $strict_abs:ident;)*) => {
        mod signed {
            use super::*;
            elements! {$(
                fn $name(a: $t); {
                    saturating_neg: $t = a.saturating_neg(), a.saturating_neg();
                    saturating_abs: $t = a.saturating_abs(), a.saturating_abs();
                    cast_unsigned: $unsigned = a.cast_unsigned(), a.cast_unsigned();
                    abs: $t = a.abs(), a.wrapping_abs();
                    abs_by_path: $t = $t::abs(a), a.wrapping_abs();
                    wrapping_abs: $t = a.wrapping_abs(), a.wrapping_abs();
                    unsigned_abs: $unsigned = a.unsigned_abs(), a.unsigned_abs();
                    signum: $t = a.signum(), a.signum();
                    is_positive: bool = a.is_positive(), a.is_positive();
                    is_negative: bool = a.is_negative(), a.is_negative();
                }
                fn $sums(a: $t, b: $unsigned); {
                    wrapping_add_unsigned: $t = a.wrapping_add_unsigned(b), a.wrapping_add_unsigned(b);
                    wrapping_sub_unsigned: $t = a.wrapping_sub_unsigned(b), a.wrapping_sub_unsigned(b);
                    saturating_add_unsigned: $t = a.saturating_add_unsigned(b), a.saturating_add_unsigned(b);
                    saturating_sub_unsigned: $t = a.saturating_sub_unsigned(b), a.saturating_sub_unsigned(b);
                }
                fn $added(a: $t, b: $unsigned) if a.checked_add_unsigned(b).is_some(); {
                    strict_add_unsigned: $t = a.strict_add_unsigned(b), a.wrapping_add_unsigned(b);
                }
                fn $taken(a: $t, b: $unsigned) if a.checked_sub_unsigned(b).is_some(); {
                    strict_sub_unsigned: $t = a.strict_sub_unsigned(b), a.wrapping_sub_unsigned(b);
                }
                fn $strict_abs(a: $t) if a != $t::MIN; {
                    strict_abs: $t = a.strict_abs(), a.abs();
                }
            )*}
        }
    };
}
signed! {
    i8 u8 of_i8 sums_of_i8 strict_sum_of_i8 strict_difference_of_i8 strict_abs_of_i8;
    i16 u16 of_i16 sums_of_i16 strict_sum_of_i16 strict_difference_of_i16 strict_abs_of_i16;
    i32 u32 of_i32 sums_of_i32 strict_sum_of_i32 strict_difference_of_i32 strict_abs_of_i32;
    i64 u64 of_i64 sums_of_i64 strict_sum_of_i64 strict_difference_of_i64 strict_abs_of_i64;
    isize usize of_isize sums_of_isize strict_sum_of_isize strict_difference_of_isize strict_abs_of_isize;
}

macro_rules! unsigned {
    ($($t:ident $signed:ident $name:ident $any:ident $sums:ident $added:ident $taken:ident;)*) => {
        mod unsigned {
            use super::*;
            elements! {$(
                fn $any(a: $t, b: $t); {
                    next_power_of_two: $t = a.next_power_of_two(), a.checked_next_power_of_two().unwrap_or(0);
                    is_multiple_of: bool = a.is_multiple_of(b), a.is_multiple_of(b);
                    cast_signed: $signed = a.cast_signed(), a.cast_signed();
                }
                fn $sums(a: $t, b: $signed); {
                    wrapping_add_signed: $t = a.wrapping_add_signed(b), a.wrapping_add_signed(b);
                    wrapping_sub_signed: $t = a.wrapping_sub_signed(b), a.wrapping_sub_signed(b);
                    saturating_add_signed: $t = a.saturating_add_signed(b), a.saturating_add_signed(b);
                    saturating_sub_signed: $t = a.saturating_sub_signed(b), a.saturating_sub_signed(b);
                }
                fn $added(a: $t, b: $signed) if a.checked_add_signed(b).is_some(); {
                    strict_add_signed: $t = a.strict_add_signed(b), a.wrapping_add_signed(b);
                }
                fn $taken(a: $t, b: $signed) if a.checked_sub_signed(b).is_some(); {
                    strict_sub_signed: $t = a.strict_sub_signed(b), a.wrapping_sub_signed(b);
                }
                fn $name(a: $t, b: $t) if b != 0; {
                    div_ceil: $t = a.div_ceil(b), a.div_ceil(b);
                    next_multiple_of: $t = a.next_multiple_of(b), a.div_ceil(b).wrapping_mul(b);
                    is_power_of_two: bool = a.is_power_of_two(), a.is_power_of_two();
                }
            )*}
        }
    };
}
unsigned! {
    u8 i8 of_u8 any_of_u8 sums_of_u8 strict_sum_of_u8 strict_difference_of_u8;
    u16 i16 of_u16 any_of_u16 sums_of_u16 strict_sum_of_u16 strict_difference_of_u16;
    u32 i32 of_u32 any_of_u32 sums_of_u32 strict_sum_of_u32 strict_difference_of_u32;
    u64 i64 of_u64 any_of_u64 sums_of_u64 strict_sum_of_u64 strict_difference_of_u64;
    usize isize of_usize any_of_usize sums_of_usize strict_sum_of_usize strict_difference_of_usize;
}

mod bytes {
    use super::*;
    elements! {
        fn of_ascii(a: u8); {
            is_ascii: bool = a.is_ascii(), a.is_ascii();
            is_ascii_alphabetic: bool = a.is_ascii_alphabetic(), a.is_ascii_alphabetic();
            is_ascii_alphanumeric: bool = a.is_ascii_alphanumeric(), a.is_ascii_alphanumeric();
            is_ascii_control: bool = a.is_ascii_control(), a.is_ascii_control();
            is_ascii_digit: bool = a.is_ascii_digit(), a.is_ascii_digit();
            is_ascii_graphic: bool = a.is_ascii_graphic(), a.is_ascii_graphic();
            is_ascii_hexdigit: bool = a.is_ascii_hexdigit(), a.is_ascii_hexdigit();
            is_ascii_lowercase: bool = a.is_ascii_lowercase(), a.is_ascii_lowercase();
            is_ascii_punctuation: bool = a.is_ascii_punctuation(), a.is_ascii_punctuation();
            is_ascii_uppercase: bool = a.is_ascii_uppercase(), a.is_ascii_uppercase();
            is_ascii_whitespace: bool = a.is_ascii_whitespace(), a.is_ascii_whitespace();
            to_ascii_lowercase: u8 = a.to_ascii_lowercase(), a.to_ascii_lowercase();
            to_ascii_uppercase: u8 = a.to_ascii_uppercase(), a.to_ascii_uppercase();
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
        signed::add_to,
        unsigned::add_to,
        bytes::add_to,
    ] {
        add_to(suite);
    }
}
