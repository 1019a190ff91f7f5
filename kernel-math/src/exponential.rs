//! `exp`, `exp2`, `exp_m1`, `exp10`.
//!
//! The argument is taken apart into k ln 2 + r with a whole k and |r| ≤ ln 2 / 2. Then e^x = 2^k (1 + p), where
//! p = e^r − 1 comes from a polynomial: for `f64` as a pair, whose first part is r + r²/2 rounded.

use crate::pair::{
    ordered_sum_error, ordered_sum_error_f32, power_of_two, product_error, product_error_f32, scaled,
    scaled_f32, sum_error,
};
use gridfn_macros::device;
use std::f64::consts::{LN_2, LN_10, LOG2_E};

/// ln 2 less [`LN_2`].
pub(crate) const LN_2_LOW: f64 = 2.3190468138462996e-17;

/// The whole number of times that ln 2 goes into `x`, rounded to nearest.
#[device]
fn whole(x: f64) -> f64 {
    (x * LOG2_E).round_ties_even()
}

/// `x - k ln 2`, the first part of the pair. What `mul_add` takes off is exact.
#[device]
fn rest(x: f64, k: f64) -> f64 {
    k.mul_add(-LN_2, x) - k * LN_2_LOW
}

/// `x - k ln 2`, the second part of the pair.
#[device]
fn rest_low(x: f64, k: f64) -> f64 {
    let most = k.mul_add(-LN_2, x);
    let less = k * LN_2_LOW;
    sum_error(most, -less, most - less) - product_error(k, LN_2_LOW, less)
}

/// e^(r + low) − 1, the first part of the pair.
#[device]
fn grown(r: f64) -> f64 {
    let square = 0.5 * r * r;
    r + square
}

/// e^(r + low) − 1, the second part of the pair.
#[device]
fn grown_low(r: f64, low: f64) -> f64 {
    let square = 0.5 * r * r;
    let lost = ordered_sum_error(r, square, r + square) + product_error(0.5 * r, r, square);
    // (e^r − 1 − r − r²/2) / r³ for |r| ≤ 0.34658; relative to r, what it multiplies is 2^-58.7 off at most.
    let cubic = 2.091123100592285e-9f64
        .mul_add(r, 2.5100377619606372e-8)
        .mul_add(r, 2.75572829813734e-7)
        .mul_add(r, 2.7557268476553695e-6)
        .mul_add(r, 2.4801587317136892e-5)
        .mul_add(r, 0.00019841269863042963)
        .mul_add(r, 0.0013888888888886554)
        .mul_add(r, 0.008333333333330063)
        .mul_add(r, 0.041666666666666664)
        .mul_add(r, 0.16666666666666669);
    lost + (low.mul_add(r, low) + r * r * r * cubic)
}

/// 2^k e^(r + low), for |r| ≤ 0.34658.
#[device]
fn power(r: f64, low: f64, k: f64) -> f64 {
    let p = grown(r);
    let sum = 1.0 + p;
    let rest = ordered_sum_error(1.0, p, sum) + grown_low(r, low);
    scaled(sum + rest, k as i64)
}

/// 2^e e^(x + low), for a small e.
#[device]
pub(crate) fn exp_pair(x: f64, low: f64, e: f64) -> f64 {
    if x > 1000.0 {
        return f64::INFINITY;
    }
    if x < -1000.0 {
        return 0.0;
    }
    let k = whole(x);
    // `low` is no more than x rounds to, which can be much beside r.
    let most = rest(x, k);
    let least = rest_low(x, k) + low;
    let r = most + least;
    power(r, sum_error(most, least, r), k + e)
}

/// e to the x.
#[device]
pub fn exp_f64(x: f64) -> f64 {
    exp_pair(x, 0.0, 0.0)
}

/// 2 to the x.
#[device]
pub fn exp2_f64(x: f64) -> f64 {
    if x > 1100.0 {
        return f64::INFINITY;
    }
    if x < -1100.0 {
        return 0.0;
    }
    let k = x.round_ties_even();
    let fraction = x - k;
    let r = fraction * LN_2;
    let low = product_error(fraction, LN_2, r) + fraction * LN_2_LOW;
    power(r, low, k)
}

/// e^x − 1, the first part of the pair, for |x| ≤ 45.
#[device]
pub(crate) fn exp_m1_high(x: f64) -> f64 {
    let k = whole(x);
    let power = power_of_two(k as i64);
    let least = power - 1.0;
    least + power * grown(rest(x, k))
}

/// e^x − 1, the second part of the pair, for |x| ≤ 45.
#[device]
pub(crate) fn exp_m1_low(x: f64) -> f64 {
    let k = whole(x);
    let power = power_of_two(k as i64);
    let least = power - 1.0;
    let r = rest(x, k);
    let more = power * grown(r);
    let lost = sum_error(power, -1.0, least) + sum_error(least, more, least + more);
    lost + power * grown_low(r, rest_low(x, k))
}

/// e to the x, minus 1.
#[device]
pub fn exp_m1_f64(x: f64) -> f64 {
    if x > 40.0 {
        return exp_f64(x) - 1.0;
    }
    if x < -40.0 {
        return -1.0;
    }
    // From here on down e^x − 1 is x, rounded.
    if x.abs() < 5.5e-17 {
        return x;
    }
    exp_m1_high(x) + exp_m1_low(x)
}

/// (e^r − 1 − r) / r² for |r| ≤ 0.34658; relative to r, what it multiplies is 2^-36.6 off at most.
#[device]
fn quadratic(r: f64) -> f64 {
    2.4859580370116966e-5f64
        .mul_add(r, 0.00019899276107118009)
        .mul_add(r, 0.0013888854047035496)
        .mul_add(r, 0.00833329848117442)
        .mul_add(r, 0.04166666671898665)
        .mul_add(r, 0.1666666671900332)
        .mul_add(r, 0.5)
}

/// e to the x, good for `f32`. What overflows or vanishes there does so here.
#[device]
pub(crate) fn exp_short(x: f64) -> f64 {
    let x = x.clamp(-200.0, 200.0);
    let k = whole(x);
    let r = k.mul_add(-LN_2, x);
    let p = (r * r).mul_add(quadratic(r), r);
    (1.0 + p) * power_of_two(k as i64)
}

/// e to the x, minus 1, good for `f32`.
#[device]
pub(crate) fn exp_m1_short(x: f64) -> f64 {
    if x.abs() < 0.34658 {
        return (x * x).mul_add(quadratic(x), x);
    }
    exp_short(x) - 1.0
}

/// e to the x.
#[device]
pub fn exp_f32(x: f32) -> f32 {
    exp_short(x as f64) as f32
}

/// 2 to the x.
#[device]
pub fn exp2_f32(x: f32) -> f32 {
    let x = (x as f64).clamp(-200.0, 200.0);
    let k = x.round_ties_even();
    let r = (x - k) * LN_2;
    let p = (r * r).mul_add(quadratic(r), r);
    ((1.0 + p) * power_of_two(k as i64)) as f32
}

/// e to the x, minus 1.
#[device]
pub fn exp_m1_f32(x: f32) -> f32 {
    (exp_m1_short(x as f64) as f32).copysign(x)
}

/// ln 10 less [`LN_10`].
const LN_10_LOW: f64 = -2.1707562233822494e-16;

/// 10 to the x.
#[device]
pub fn exp10_f64(x: f64) -> f64 {
    let power = x * LN_10;
    exp_pair(power, product_error(x, LN_10, power) + x * LN_10_LOW, 0.0)
}

/// The constants as two `f32`s.
const LN_2_F32: f32 = std::f32::consts::LN_2;
const LN_2_F32_LOW: f32 = -1.9046542e-09;
const LN_10_F32: f32 = std::f32::consts::LN_10;
const LN_10_F32_LOW: f32 = -3.1975436e-08;

/// 2^e e^(x + low) in `f32` alone, for a small e.
#[device]
pub(crate) fn exp_pair_f32(x: f32, low: f32, e: i32) -> f32 {
    if x > 120.0 {
        return f32::INFINITY;
    }
    if x < -120.0 {
        return 0.0;
    }
    let k = (x * std::f32::consts::LOG2_E).round_ties_even();
    let most = k.mul_add(-LN_2_F32, x);
    let least = k.mul_add(-LN_2_F32_LOW, low);
    let r = most + least;
    let r_low = (most - r) + least;
    // (e^r − 1 − r) / r² for |r| ≤ 0.34658; what it multiplies is 2^-30.9 off at most.
    let square = 0.00019890982f32
        .mul_add(r, 0.0013933643)
        .mul_add(r, 0.0083333105)
        .mul_add(r, 0.041666467)
        .mul_add(r, 0.16666667)
        .mul_add(r, 0.5);
    let sum = 1.0 + r;
    let rest = ordered_sum_error_f32(1.0, r, sum) + (r * r).mul_add(square, r_low);
    scaled_f32(sum + rest, k as i32 + e)
}

/// 10 to the x.
#[device]
pub fn exp10_f32(x: f32) -> f32 {
    let power = x * LN_10_F32;
    exp_pair_f32(
        power,
        product_error_f32(x, LN_10_F32, power) + x * LN_10_F32_LOW,
        0,
    )
}
