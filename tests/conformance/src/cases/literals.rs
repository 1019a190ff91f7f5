//! Literals, and what their types are inferred from.

#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    clippy::zero_prefixed_literal,
    clippy::neg_multiply,
    clippy::identity_op,
    clippy::needless_late_init,
    clippy::unnecessary_cast,
    clippy::let_and_return,
    clippy::bool_comparison,
    clippy::needless_bool,
    clippy::needless_bool_assign,
    reason = "the literals are the point"
)]

use crate::elements::bodies;
use gridfn::prelude::*;

bodies! {
    /// Suffixes tell the type.
    fn with_suffix(a: u32) -> u64 {
        let small = 200u8;
        let wide = 0xffff_ffff_ffffu64;
        let octal = 0o17i64;
        let binary = 0b1010_1010u16;
        let byte = b'a';
        let place = 3usize;
        (small as u64) ^ wide ^ (octal as u64) ^ (binary as u64) << 8 ^ (byte as u64) << 16 ^ (place as u64) ^ a as u64
    }
    /// Without a suffix the other operand tells it.
    fn from_the_other_operand(a: u8) -> u8 {
        (a & 0x7f) | 0x80
    }
    /// A literal that only fits the inferred type.
    fn huge(a: u64) -> u64 {
        a ^ 0xffff_ffff_0000_0001
    }
    /// With nothing else to tell, an integer is an `i32` and a float an `f64`, as in Rust.
    fn by_default(a: i32) -> i64 {
        let quarter = -7 / 2;
        (quarter as i64) * 1000 + a as i64
    }
    /// The smallest values, which are one negative literal and not the negative of one.
    fn smallest_i8(a: i8) -> i8 {
        if a == -128 { 1 } else { -128 }
    }
    /// The smallest `i64`.
    fn smallest_i64(a: i64) -> i64 {
        if a == -9223372036854775808 { -1 } else { -9_223_372_036_854_775_808 }
    }
    /// Negative literals in arithmetic.
    fn negative(a: i32) -> i32 {
        (a % 1000) * -3 + -4 - -5
    }
    /// The smallest `i16`, with a suffix.
    fn smallest_i16(a: i16) -> i16 {
        (a & 1) | -32768i16
    }
    /// A literal right under `as` has the type of the cast.
    fn under_as(a: u64) -> u64 {
        let all = 18446744073709551615 as u64;
        let one = -1 as i64 as u64;
        let float = 3 as f32 as u64;
        let minus = (-1) as i8 as u8 as u64;
        (a & 1) + (all ^ one) + float + minus
    }
    /// Floats are rounded once, from their digits.
    fn floats(a: f32) -> f32 {
        let x = 0.1;
        let y = 1.00000005960464477540;
        let z = 3.402_823_5e38f32;
        a * 0.1 + x + y + 1e-3 + (z * 0.5) * 0.0 + 2.
    }
    /// Likewise of `f64`.
    fn doubles(a: f64) -> f64 {
        a * 0.1 + 1.000000000000000111 + 1e-300 + 5e2f64 + 7f64
    }
    /// A `-` before a float.
    fn negative_floats(a: f32) -> f32 {
        if a > 0.0 { -0.0 } else { -1.5e-3 }
    }
    /// `bool` has two.
    fn bools(a: bool) -> bool {
        if a == true { false } else { true }
    }
    /// A choice of literals beside a `u32`: both arms are `u32`.
    fn choice_beside_u32(a: u32, c: bool) -> u32 {
        let lim = if c { 3 } else { 7 };
        if a > lim { a - lim } else { 4294967295 }
    }
    /// A variable of literals beside a `usize`.
    fn half_of_a_literal(a: usize) -> usize {
        let mut step = 256 / 2;
        let mut sum = 0;
        while step > 0 {
            sum += (a & 1023) / step;
            step /= 2;
        }
        sum
    }
    /// The type comes from a later use.
    fn from_a_later_use(a: u8) -> u8 {
        let mut k = 250;
        k |= 1;
        let x = k;
        x ^ a
    }
    /// The type comes from an annotation.
    fn annotated(a: i64) -> i64 {
        let k: i64 = 5_000_000_000;
        let f: f32 = 1.0;
        (a & 0xff) + k + f as i64
    }
    /// A condition counts, though an arm is a literal.
    fn condition_beside_a_literal(a: i32) -> i32 {
        let x = if a > 0 { 1 } else { a };
        let y = if a < -5 { a } else { 0 };
        x ^ y
    }
    /// A literal as the receiver of a method.
    fn receiver(a: u32) -> u32 {
        40u32.max(a).min(1_000) + 7i32.count_ones()
    }
}
