//! Numbers in two parts, and powers of two.
//!
//! A pair is a rounded result and what the rounding lost, so that their sum is good to twice the bits. The kernel
//! language has no type for it: the two parts are two variables, and where a function gives a pair it is two
//! functions, one for each part. After inlining, the work that they share is the same operations on the same values,
//! of which a device's compiler keeps one.

use gridfn_macros::device;

/// What `sum`, which is `a + b` rounded, lacks.
#[device]
pub(crate) fn sum_error(a: f64, b: f64, sum: f64) -> f64 {
    let b_part = sum - a;
    (a - (sum - b_part)) + (b - b_part)
}

/// What `sum`, which is `a + b` rounded, lacks; `a` is 0 or no smaller than `b`.
#[device]
pub(crate) fn ordered_sum_error(a: f64, b: f64, sum: f64) -> f64 {
    b - (sum - a)
}

/// What `product`, which is `a * b` rounded, lacks.
#[device]
pub(crate) fn product_error(a: f64, b: f64, product: f64) -> f64 {
    a.mul_add(b, -product)
}

/// What is to be added to `quotient`, which is `a / b` rounded, for the pairs `a + a_low` and `b + b_low`.
#[device]
pub(crate) fn quotient_error(a: f64, a_low: f64, b: f64, b_low: f64, quotient: f64) -> f64 {
    let rest = quotient.mul_add(-b, a) + quotient.mul_add(-b_low, a_low);
    rest / b
}

/// What is to be added to `root`, which is the square root of `x` rounded, for the pair `x + low`.
#[device]
pub(crate) fn root_error(x: f64, low: f64, root: f64) -> f64 {
    let rest = root.mul_add(-root, x) + low;
    rest / (root + root)
}

/// 2 to the k, from −1022 to 1023.
#[device]
pub(crate) fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023) << 52) as u64)
}

/// `x` times 2 to the k, for `x` near 1 and k from −2000 to 2000. Of the two factors only the last can round.
#[device]
pub(crate) fn scaled(x: f64, k: i64) -> f64 {
    let half = k >> 1;
    x * power_of_two(half) * power_of_two(k - half)
}

/// [`ordered_sum_error`] of `f32`s.
#[device]
pub(crate) fn ordered_sum_error_f32(a: f32, b: f32, sum: f32) -> f32 {
    b - (sum - a)
}

/// [`product_error`] of `f32`s.
#[device]
pub(crate) fn product_error_f32(a: f32, b: f32, product: f32) -> f32 {
    a.mul_add(b, -product)
}

/// [`quotient_error`] of `f32`s.
#[device]
pub(crate) fn quotient_error_f32(a: f32, a_low: f32, b: f32, b_low: f32, quotient: f32) -> f32 {
    let rest = quotient.mul_add(-b, a) + quotient.mul_add(-b_low, a_low);
    rest / b
}

/// 2 to the k, from −126 to 127.
#[device]
pub(crate) fn power_of_two_f32(k: i32) -> f32 {
    f32::from_bits(((k + 127) << 23) as u32)
}

/// `x` times 2 to the k, for `x` near 1 and k from −250 to 250. Of the two factors only the last can round.
#[device]
pub(crate) fn scaled_f32(x: f32, k: i32) -> f32 {
    let half = k >> 1;
    x * power_of_two_f32(half) * power_of_two_f32(k - half)
}

/// 2^60.
const FAR_UP: f32 = 1152921504606846976.0;

/// `x` times the pair `c + c_low`, for a tiny `x`: computed further up, because what a rounding loses could be subnormal,
/// which there are devices that take for 0.
#[device]
pub(crate) fn tiny_product_f32(x: f32, c: f32, c_low: f32) -> f32 {
    let up = x * FAR_UP;
    let product = up * c;
    let sum = product + (product_error_f32(up, c, product) + up * c_low);
    (sum * (1.0 / FAR_UP)).copysign(x)
}
