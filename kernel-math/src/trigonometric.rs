//! `sin`, `cos`, `tan`.
//!
//! Sine and cosine of |r| ≤ π/4 are polynomials; which of them, and with what sign, is the quarter that r is in.

use crate::pair::{ordered_sum_error, product_error, quotient_error, sum_error};
use crate::reduction::{beyond, fixed_angle, fixed_angle_short, quarters};
use gridfn_macros::device;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4};

/// π/2 less [`FRAC_PI_2`].
const FRAC_PI_2_LOW: f64 = 6.123233995736766e-17;
/// π/2 less both.
const FRAC_PI_2_LOWEST: f64 = -1.4973849048591698e-33;
/// 2 to the −32.
const TWO_TO_M32: f64 = 2.3283064365386963e-10;
/// 2 to the −62.
const TWO_TO_M62: f64 = 2.168404344971009e-19;

/// The functions; as numbers, sine and cosine are also the quarters by which they are ahead of the sine.
const SINE: u64 = 0;
const COSINE: u64 = 1;
const TANGENT: u64 = 2;

/// What the sine of `r + low` has beyond `r`.
#[device]
pub(crate) fn sine_tail(r: f64, low: f64) -> f64 {
    let z = r * r;
    // (sin r / r − 1) / z for z = r² ≤ 0.61691; relative to r, what it multiplies is 2^-57.2 off at most.
    let cubic = (-7.586691094197958e-13f64)
        .mul_add(z, 1.6058531516797758e-10)
        .mul_add(z, -2.5052106231802837e-8)
        .mul_add(z, 2.7557319219337312e-6)
        .mul_add(z, -0.00019841269841265063)
        .mul_add(z, 0.008333333333333331)
        .mul_add(z, -0.16666666666666666);
    (r * z).mul_add(cubic, low.mul_add(-0.5 * z, low))
}

/// The cosine of `r + low`, the first part of the pair.
#[device]
pub(crate) fn cosine_head(r: f64) -> f64 {
    1.0 - 0.5 * r * r
}

/// The cosine of `r + low`, the second part of the pair.
#[device]
pub(crate) fn cosine_tail(r: f64, low: f64) -> f64 {
    let half = 0.5 * r * r;
    let lost = ordered_sum_error(1.0, -half, cosine_head(r)) - product_error(0.5 * r, r, half);
    let z = r * r;
    // (cos r − 1 + z/2) / z² for z = r² ≤ 0.61691; what it multiplies is 2^-59.9 off at most.
    let quartic = (-1.1382623647474604e-11f64)
        .mul_add(z, 2.087614614655861e-9)
        .mul_add(z, -2.7557317271145144e-7)
        .mul_add(z, 2.480158729876456e-5)
        .mul_add(z, -0.0013888888888887398)
        .mul_add(z, 0.041666666666666664);
    (z * z).mul_add(quartic, r.mul_add(-low, lost))
}

/// The tangent of `r + low`, or of that and an odd number of quarters.
#[device]
fn tangent(r: f64, low: f64, odd: bool) -> f64 {
    let s_tail = sine_tail(r, low);
    let c_tail = cosine_tail(r, low);
    let s = r + s_tail;
    let s_low = ordered_sum_error(r, s_tail, s);
    let c = cosine_head(r) + c_tail;
    let c_low = ordered_sum_error(cosine_head(r), c_tail, c);
    let a = if odd { -c } else { s };
    let a_low = if odd { -c_low } else { s_low };
    let b = if odd { s } else { c };
    let b_low = if odd { s_low } else { c_low };
    let quotient = a / b;
    quotient + quotient_error(a, a_low, b, b_low, quotient)
}

#[device]
fn circular(x: f64, function: u64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let positive = x.abs();
    let mut r = positive;
    let mut low = 0.0;
    let mut quarter = 0;
    if positive > FRAC_PI_4 {
        if positive < 1073741824.0 {
            // The product with the first part of π/2 is taken off exactly.
            let n = (positive * FRAC_2_PI).round_ties_even();
            let most = n.mul_add(-FRAC_PI_2, positive);
            let less = n * FRAC_PI_2_LOW;
            let rest = most - less;
            let lost = sum_error(most, -less, rest) - product_error(n, FRAC_PI_2_LOW, less);
            let rest_low = n.mul_add(-FRAC_PI_2_LOWEST, lost);
            r = rest + rest_low;
            low = ordered_sum_error(rest, rest_low, r);
            quarter = n as u64;
        } else {
            let upper = fixed_angle(positive, false);
            let lower = fixed_angle(positive, true);
            // Four parts, each exact, in units of 2^-62 of a quarter.
            let whole = beyond(upper);
            let first = whole as f64;
            let second = (whole - first as i64) as f64 + (lower >> 32) as f64 * TWO_TO_M32;
            let third = (lower & 0xffff_ffff) as f64 * (TWO_TO_M32 * TWO_TO_M32);
            let sum = first + second;
            let sum_low = sum_error(first, second, sum) + third;
            let angle = sum + sum_low;
            let angle_low = ordered_sum_error(sum, sum_low, angle);
            r = angle * (FRAC_PI_2 * TWO_TO_M62);
            low = product_error(angle, FRAC_PI_2 * TWO_TO_M62, r)
                + (angle * (FRAC_PI_2_LOW * TWO_TO_M62) + angle_low * (FRAC_PI_2 * TWO_TO_M62));
            quarter = quarters(upper);
        }
    }
    let negative = x.is_sign_negative();
    if function == TANGENT {
        let tangent = tangent(r, low, quarter & 1 == 1);
        return if negative { -tangent } else { tangent };
    }
    let quarter = quarter + function;
    let value = if quarter & 1 == 1 {
        cosine_head(r) + cosine_tail(r, low)
    } else {
        r + sine_tail(r, low)
    };
    let opposite = (quarter & 2 == 2) != (negative && function == SINE);
    if opposite { -value } else { value }
}

/// The sine of an angle in radians.
#[device]
pub fn sin_f64(x: f64) -> f64 {
    circular(x, SINE)
}

/// The cosine of an angle in radians.
#[device]
pub fn cos_f64(x: f64) -> f64 {
    circular(x, COSINE)
}

/// The tangent of an angle in radians.
#[device]
pub fn tan_f64(x: f64) -> f64 {
    circular(x, TANGENT)
}

/// The sine for |r| ≤ π/4, good for `f32`.
#[device]
fn sine_short(r: f64) -> f64 {
    let z = r * r;
    // As in `sine_tail`, 2^-35.7 off at most.
    let cubic = 2.7249895230611676e-6f64
        .mul_add(z, -0.000198400864995936)
        .mul_add(z, 0.008333331874273714)
        .mul_add(z, -0.16666666663854168);
    (r * z).mul_add(cubic, r)
}

/// The cosine for |r| ≤ π/4, good for `f32`.
#[device]
fn cosine_short(r: f64) -> f64 {
    let z = r * r;
    // As in `cosine_tail`, 2^-40 off at most.
    let quartic = (-2.7300933687212943e-7f64)
        .mul_add(z, 2.480060018036381e-5)
        .mul_add(z, -0.0013888887671652504)
        .mul_add(z, 0.041666666664320264);
    (z * z).mul_add(quartic, 1.0 - 0.5 * z)
}

#[device]
fn circular_short(x: f32, function: u64) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let positive = x.abs();
    let mut r = positive as f64;
    let mut quarter = 0;
    if r > FRAC_PI_4 {
        let angle = fixed_angle_short(positive);
        r = beyond(angle) as f64 * (FRAC_PI_2 * TWO_TO_M62);
        quarter = quarters(angle);
    }
    let negative = x.is_sign_negative();
    if function == TANGENT {
        let s = sine_short(r);
        let c = cosine_short(r);
        let tangent = if quarter & 1 == 1 { -c / s } else { s / c };
        return if negative { -tangent as f32 } else { tangent as f32 };
    }
    let quarter = quarter + function;
    let value = if quarter & 1 == 1 {
        cosine_short(r)
    } else {
        sine_short(r)
    };
    let opposite = (quarter & 2 == 2) != (negative && function == SINE);
    if opposite { -value as f32 } else { value as f32 }
}

/// The sine of an angle in radians.
#[device]
pub fn sin_f32(x: f32) -> f32 {
    circular_short(x, SINE)
}

/// The cosine of an angle in radians.
#[device]
pub fn cos_f32(x: f32) -> f32 {
    circular_short(x, COSINE)
}

/// The tangent of an angle in radians.
#[device]
pub fn tan_f32(x: f32) -> f32 {
    circular_short(x, TANGENT)
}
