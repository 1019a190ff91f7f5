//! Angles as quarter turns: x = q π/2 + r with |r| ≤ π/4, for however large an x.
//!
//! x is a whole number M times a power of two, so of 2/π, written in binary, the digits before some place only give
//! whole turns, and those after some other place next to nothing. What lies between, times M, is the angle in whole
//! numbers, whose uppermost two bits are q (Payne and Hanek). The digits are selected by arithmetic: the kernel language
//! has no tables.

use gridfn_macros::device;

/// The lower half of a word.
const HALF: u64 = 0xffff_ffff;

/// The n-th 64 binary digits of 2/π, up to the fourth; those before its point are 0.
#[device]
fn first_digits(n: i64) -> u64 {
    let mut word = 0;
    word = if n == 1 { 0xa2f9_836e_4e44_1529 } else { word };
    word = if n == 2 { 0xfc27_57d1_f534_ddc0 } else { word };
    word = if n == 3 { 0xdb62_9599_3c43_9041 } else { word };
    word = if n == 4 { 0xfe51_63ab_debb_c561 } else { word };
    word
}

/// The n-th 64 binary digits of 2/π, up to the last that an `f64` needs.
#[device]
fn digits(n: i64) -> u64 {
    let mut word = first_digits(n);
    word = if n == 5 { 0xb724_6e3a_424d_d2e0 } else { word };
    word = if n == 6 { 0x0649_2eea_09d1_921c } else { word };
    word = if n == 7 { 0xfe1d_eb1c_b129_a73e } else { word };
    word = if n == 8 { 0xe882_35f5_2ebb_4484 } else { word };
    word = if n == 9 { 0xe99c_7026_b45f_7e41 } else { word };
    word = if n == 10 { 0x3991_d639_8353_39f4 } else { word };
    word = if n == 11 { 0x9c84_5f8b_bdf9_283b } else { word };
    word = if n == 12 { 0x1ff8_97ff_de05_980f } else { word };
    word = if n == 13 { 0xef2f_118b_5a0a_6d1f } else { word };
    word = if n == 14 { 0x6d36_7ecf_27cb_09b7 } else { word };
    word = if n == 15 { 0x4f46_3f66_9e5f_ea2d } else { word };
    word = if n == 16 { 0x7527_bac7_ebe5_f17b } else { word };
    word = if n == 17 { 0x3d07_39f7_8a52_92ea } else { word };
    word = if n == 18 { 0x6bfb_5fb1_1f8d_5d08 } else { word };
    word = if n == 19 { 0x5603_3046_fc7b_6bab } else { word };
    word
}

/// The upper 64 of the 64 + `shift` digits that two words hold, less the first `shift`.
#[device]
fn joined(high: u64, low: u64, shift: i64) -> u64 {
    (high << shift) | ((low >> 1) >> (63 - shift))
}

/// The upper half of a product.
#[device]
fn upper_product(a: u64, b: u64) -> u64 {
    let a_low = a & HALF;
    let b_low = b & HALF;
    let a_high = a >> 32;
    let b_high = b >> 32;
    let middle = a_high * b_low + ((a_low * b_low) >> 32);
    let other = a_low * b_high + (middle & HALF);
    a_high * b_high + (middle >> 32) + (other >> 32)
}

/// A quarter turn in fixed point.
const QUARTER: u64 = 1 << 62;

/// The number of quarter turns, rounded to nearest, of an angle in fixed point.
#[device]
pub(crate) fn quarters(angle: u64) -> u64 {
    angle.wrapping_add(QUARTER / 2) >> 62
}

/// What `angle` is beyond its [`quarters`].
#[device]
pub(crate) fn beyond(angle: u64) -> i64 {
    angle.wrapping_sub(quarters(angle) << 62) as i64
}

/// An angle in fixed point, modulo one turn, for 2^-30 ≤ x < ∞: its upper word, or its lower one.
#[device]
pub(crate) fn fixed_angle(x: f64, lower: bool) -> u64 {
    let bits = x.to_bits();
    let m = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // M 2^e times the digit at place p of 2/π is a multiple of four quarters where p < e − 1. There are 64 zeros in front.
    let place = (bits >> 52) as i64 - 1075 - 2 + 64;
    let n = place >> 6;
    let shift = place & 63;
    let second = digits(n + 1);
    let third = digits(n + 2);
    let upper = joined(digits(n), second, shift);
    let middle = joined(second, third, shift);
    let lowest = joined(third, digits(n + 3), shift);
    let low = m.wrapping_mul(middle);
    let sum = low.wrapping_add(upper_product(m, lowest));
    if lower {
        return sum;
    }
    let carry = if sum < low { 1 } else { 0 };
    m.wrapping_mul(upper)
        .wrapping_add(upper_product(m, middle))
        .wrapping_add(carry)
}

/// An angle in fixed point, modulo one turn, for 2^-30 ≤ x < ∞.
#[device]
pub(crate) fn fixed_angle_short(x: f32) -> u64 {
    let bits = x.to_bits();
    let m = ((bits & 0x007f_ffff) | 0x0080_0000) as u64;
    let place = (bits >> 23) as i64 - 150 - 2 + 64;
    let n = place >> 6;
    let shift = place & 63;
    let second = first_digits(n + 1);
    let upper = joined(first_digits(n), second, shift);
    let lower = joined(second, first_digits(n + 2), shift);
    m.wrapping_mul(upper).wrapping_add((m * (lower >> 32)) >> 32)
}
