//! `sinh`, `cosh`, `tanh` from e^x − 1, and `asinh`, `acosh`, `atanh` from the logarithm, all as pairs.

use crate::exponential::{exp_m1_high, exp_m1_low, exp_m1_short, exp_pair, exp_short};
use crate::logarithm::{ln_1p_short, ln_pair, log_pair};
use crate::pair::{ordered_sum_error, product_error, quotient_error, root_error, sum_error};
use gridfn_macros::device;
use std::f64::consts::LN_2;

/// Below, the functions that are x near 0 are x and three terms.
const NEAR_ZERO: f64 = 0.001953125;
/// Above, the smaller of e^x and e^-x is nothing beside the other.
const LARGE: f64 = 22.0;

/// The hyperbolic sine.
#[device]
pub fn sinh_f64(x: f64) -> f64 {
    let positive = x.abs();
    // From here on down sinh x is x, rounded.
    if positive < 7.0e-9 {
        return x;
    }
    if positive > LARGE {
        return exp_pair(positive, 0.0, -1.0).copysign(x);
    }
    // With u = e^x − 1 it is (u + u / (u + 1)) / 2.
    let high = exp_m1_high(positive);
    let least = exp_m1_low(positive);
    let u = high + least;
    let u_low = ordered_sum_error(high, least, u);
    let d = u + 1.0;
    let d_low = sum_error(u, 1.0, d) + u_low;
    let quotient = u / d;
    let lost = quotient_error(u, u_low, d, d_low, quotient);
    let sum = u + quotient;
    let sum_low = ordered_sum_error(u, quotient, sum) + (u_low + lost);
    (0.5 * (sum + sum_low)).copysign(x)
}

/// The hyperbolic cosine.
#[device]
pub fn cosh_f64(x: f64) -> f64 {
    let positive = x.abs();
    if positive > LARGE {
        return exp_pair(positive, 0.0, -1.0);
    }
    // With e = e^x it is (e + 1 / e) / 2.
    let high = exp_m1_high(positive);
    let least = exp_m1_low(positive);
    let u = high + least;
    let u_low = ordered_sum_error(high, least, u);
    let e = u + 1.0;
    let e_low = sum_error(u, 1.0, e) + u_low;
    let quotient = 1.0 / e;
    let lost = quotient_error(1.0, 0.0, e, e_low, quotient);
    let sum = e + quotient;
    0.5 * (sum + (ordered_sum_error(e, quotient, sum) + (e_low + lost)))
}

/// The hyperbolic tangent.
#[device]
pub fn tanh_f64(x: f64) -> f64 {
    let positive = x.abs();
    // From here on down tanh x is x, rounded.
    if positive < 7.0e-9 {
        return x;
    }
    if positive > LARGE {
        return 1f64.copysign(x);
    }
    // With u = e^2x − 1 it is u / (u + 2).
    let high = exp_m1_high(2.0 * positive);
    let least = exp_m1_low(2.0 * positive);
    let u = high + least;
    let u_low = ordered_sum_error(high, least, u);
    let d = u + 2.0;
    let d_low = sum_error(u, 2.0, d) + u_low;
    let quotient = u / d;
    (quotient + quotient_error(u, u_low, d, d_low, quotient)).copysign(x)
}

/// The inverse hyperbolic sine.
#[device]
pub fn asinh_f64(x: f64) -> f64 {
    let positive = x.abs();
    if positive < NEAR_ZERO {
        // The next term is below 2^-77 of x.
        let z = x * x;
        let tail = 0.030381944444444444f64
            .mul_add(z, -0.044642857142857144)
            .mul_add(z, 0.075)
            .mul_add(z, -0.16666666666666666);
        return (x * z).mul_add(tail, x).copysign(x);
    }
    if !x.is_finite() {
        return x;
    }
    // Far out, ln(x + √(x² + 1)) is ln 2x.
    if positive > 1.0e9 {
        return ln_pair(positive, 0.0, 1).copysign(x);
    }
    let square = positive * positive;
    let square_low = product_error(positive, positive, square);
    let under = square + 1.0;
    let under_low = sum_error(square, 1.0, under) + square_low;
    let root = under.sqrt();
    let sum = root + positive;
    let lost = ordered_sum_error(root, positive, sum) + root_error(under, under_low, root);
    ln_pair(sum, lost, 0).copysign(x)
}

/// The inverse hyperbolic cosine.
#[device]
pub fn acosh_f64(x: f64) -> f64 {
    if x.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if x == 1.0 {
        return 0.0;
    }
    if x == f64::INFINITY {
        return x;
    }
    // Far out, ln(x + √(x² − 1)) is ln 2x.
    if x > 1.0e9 {
        return ln_pair(x, 0.0, 1);
    }
    let square = x * x;
    let square_low = product_error(x, x, square);
    let less = square - 1.0;
    let less_low = ordered_sum_error(square, -1.0, less) + square_low;
    let under = less + less_low;
    let root = under.sqrt();
    let sum = x + root;
    let root_low = root_error(under, ordered_sum_error(less, less_low, under), root);
    ln_pair(sum, ordered_sum_error(x, root, sum) + root_low, 0)
}

/// The inverse hyperbolic tangent.
#[device]
pub fn atanh_f64(x: f64) -> f64 {
    let positive = x.abs();
    if positive < NEAR_ZERO {
        // The next term is below 2^-75 of x.
        let z = x * x;
        let tail = 0.1111111111111111f64
            .mul_add(z, 0.14285714285714285)
            .mul_add(z, 0.2)
            .mul_add(z, 0.3333333333333333);
        return (x * z).mul_add(tail, x);
    }
    if positive.is_nan() || positive > 1.0 {
        return f64::NAN;
    }
    if positive == 1.0 {
        return f64::INFINITY.copysign(x);
    }
    // Half the logarithm of (1 + x) / (1 − x).
    let n = 1.0 + positive;
    let n_low = ordered_sum_error(1.0, positive, n);
    let d = 1.0 - positive;
    let d_low = ordered_sum_error(1.0, -positive, d);
    let ratio = n / d;
    let lost = quotient_error(n, n_low, d, d_low, ratio);
    log_pair(ratio, lost, 0, 0.5, 0.0, HALF_LN_2, HALF_LN_2_LOW).copysign(x)
}

/// Half of ln 2.
const HALF_LN_2: f64 = 0.5 * LN_2;
/// Half of ln 2 less [`HALF_LN_2`].
const HALF_LN_2_LOW: f64 = 0.5 * crate::exponential::LN_2_LOW;

/// The hyperbolic sine.
#[device]
pub fn sinh_f32(x: f32) -> f32 {
    let u = exp_m1_short(x.abs() as f64);
    ((0.5 * (u + u / (u + 1.0))) as f32).copysign(x)
}

/// The hyperbolic cosine.
#[device]
pub fn cosh_f32(x: f32) -> f32 {
    let e = exp_short(x.abs() as f64);
    (0.5 * (e + 1.0 / e)) as f32
}

/// The hyperbolic tangent.
#[device]
pub fn tanh_f32(x: f32) -> f32 {
    let u = exp_m1_short(2.0 * x.abs() as f64);
    ((u / (u + 2.0)) as f32).copysign(x)
}

/// The inverse hyperbolic sine.
#[device]
pub fn asinh_f32(x: f32) -> f32 {
    if !x.is_finite() {
        return x;
    }
    let positive = x.abs() as f64;
    let square = positive * positive;
    (ln_1p_short(positive + square / (1.0 + (1.0 + square).sqrt())) as f32).copysign(x)
}

/// The inverse hyperbolic cosine.
#[device]
pub fn acosh_f32(x: f32) -> f32 {
    if x.is_nan() || x < 1.0 {
        return f32::NAN;
    }
    if x == f32::INFINITY {
        return x;
    }
    let beyond = x as f64 - 1.0;
    ln_1p_short(beyond + (beyond * (beyond + 2.0)).sqrt()) as f32
}

/// The inverse hyperbolic tangent.
#[device]
pub fn atanh_f32(x: f32) -> f32 {
    let positive = x.abs() as f64;
    if positive.is_nan() || positive > 1.0 {
        return f32::NAN;
    }
    if positive == 1.0 {
        return f32::INFINITY.copysign(x);
    }
    ((0.5 * ln_1p_short(2.0 * positive / (1.0 - positive))) as f32).copysign(x)
}
