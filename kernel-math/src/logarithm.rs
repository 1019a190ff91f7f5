//! `ln`, `log2`, `log10`, `ln_1p`.
//!
//! The argument is taken apart into 2^k m with m from √½ to √2. With s = (m − 1) / (m + 1), ln m = 2 artanh s, an odd
//! series in s, of which everything but the first term is small: for `f64` only that one is a pair.

use crate::exponential::LN_2_LOW;
use crate::pair::{ordered_sum_error, power_of_two, product_error, quotient_error, sum_error};
use gridfn_macros::device;
use std::f64::consts::{LN_2, LOG2_E, LOG10_2, LOG10_E};

/// log₂ e less [`LOG2_E`].
const LOG2_E_LOW: f64 = 2.0355273740931033e-17;
/// log₁₀ e less [`LOG10_E`].
const LOG10_E_LOW: f64 = 1.098319650216765e-17;
/// log₁₀ 2 less [`LOG10_2`].
const LOG10_2_LOW: f64 = -2.8037281277851704e-18;

/// The bits of √½.
const ROOT_OF_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();

/// What makes every subnormal number normal.
pub(crate) const TWO_TO_54: f64 = 18014398509481984.0;

/// The k of x = 2^k m, for a normal positive `x`.
#[device]
pub(crate) fn exponent(x: f64) -> i64 {
    (x.to_bits().wrapping_sub(ROOT_OF_HALF) as i64) >> 52
}

/// The m of x = 2^k m.
#[device]
pub(crate) fn mantissa(x: f64, k: i64) -> f64 {
    f64::from_bits(x.to_bits().wrapping_sub((k << 52) as u64))
}

/// (2 artanh s − 2s) / 2s³ for z = s² ≤ 0.02944; relative to s, what it multiplies is 2^-60.6 off at most.
#[device]
pub(crate) fn artanh_tail(z: f64) -> f64 {
    0.06543383504974087f64
        .mul_add(z, 0.06634379834280306)
        .mul_add(z, 0.07693120102906739)
        .mul_add(z, 0.09090897815442377)
        .mul_add(z, 0.11111111195900235)
        .mul_add(z, 0.14285714285401616)
        .mul_add(z, 0.2000000000000044)
        .mul_add(z, 0.3333333333333333)
}

/// The logarithm of 2^e (x + low), for a normal positive `x`. Its base is told by the pairs `c`, the logarithm of e,
/// and `unit`, that of 2.
///
/// `low` may be large beside x − 1. It is 0, or `x` is less than 2^1000.
#[device]
#[allow(clippy::too_many_arguments)]
pub(crate) fn log_pair(x: f64, low: f64, e: i64, c: f64, c_low: f64, unit: f64, unit_low: f64) -> f64 {
    let k = exponent(x);
    let most = mantissa(x, k) - 1.0;
    let least = low * power_of_two((-k).max(-1000));
    let f = most + least;
    let f_low = sum_error(most, least, f);
    let d = 2.0 + f;
    let d_low = ordered_sum_error(2.0, f, d) + f_low;
    let s = f / d;
    let s_low = quotient_error(f, f_low, d, d_low, s);
    let z = s * s;
    let twice = s + s;
    let tail = (s_low + s_low) + twice * z * artanh_tail(z);
    let ln = twice + tail;
    let ln_low = ordered_sum_error(twice, tail, ln);
    let log = ln * c;
    let log_low = product_error(ln, c, log) + (ln * c_low + ln_low * c);
    let n = (k + e) as f64;
    let whole = n * unit;
    let whole_low = product_error(n, unit, whole) + n * unit_low;
    let sum = whole + log;
    sum + (sum_error(whole, log, sum) + (whole_low + log_low))
}

/// Whether `x` has no logarithm, or an infinite one.
#[device]
fn is_special(x: f64) -> bool {
    !(x > 0.0 && x < f64::INFINITY)
}

/// The logarithm of what [`is_special`].
#[device]
fn special(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x > 0.0 { x } else { f64::NAN }
}

/// The logarithm of any `x`.
#[device]
fn log(x: f64, c: f64, c_low: f64, unit: f64, unit_low: f64) -> f64 {
    if is_special(x) {
        return special(x);
    }
    let mut normal = x;
    let mut e = 0;
    if x < f64::MIN_POSITIVE {
        normal = x * TWO_TO_54;
        e = -54;
    }
    log_pair(normal, 0.0, e, c, c_low, unit, unit_low)
}

/// ln(x + low) + e ln 2.
#[device]
pub(crate) fn ln_pair(x: f64, low: f64, e: i64) -> f64 {
    log_pair(x, low, e, 1.0, 0.0, LN_2, LN_2_LOW)
}

/// The natural logarithm.
#[device]
pub fn ln_f64(x: f64) -> f64 {
    log(x, 1.0, 0.0, LN_2, LN_2_LOW)
}

/// The logarithm to base 2.
#[device]
pub fn log2_f64(x: f64) -> f64 {
    log(x, LOG2_E, LOG2_E_LOW, 1.0, 0.0)
}

/// The logarithm to base 10.
#[device]
pub fn log10_f64(x: f64) -> f64 {
    log(x, LOG10_E, LOG10_E_LOW, LOG10_2, LOG10_2_LOW)
}

/// The natural logarithm of 1 + x.
#[device]
pub fn ln_1p_f64(x: f64) -> f64 {
    if is_special(1.0 + x) {
        return special(1.0 + x);
    }
    // From here on down ln(1 + x) is x, rounded.
    if x.abs() < 5.5e-17 {
        return x;
    }
    let sum = 1.0 + x;
    ln_pair(sum, sum_error(1.0, x, sum), 0)
}

/// ln(1 + f) for f from √½ − 1 to √2 − 1, good for `f32`. The polynomial is [`artanh_tail`], 2^-35.7 off at most.
#[device]
fn ln_near_one(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let tail = 0.11665290969120946f64
        .mul_add(z, 0.14275408299855774)
        .mul_add(z, 0.20000060938486)
        .mul_add(z, 0.33333333277225824);
    let twice = s + s;
    (twice * z).mul_add(tail, twice)
}

/// The natural logarithm of a normal positive `x`, good for `f32`.
#[device]
fn ln_short(x: f64) -> f64 {
    let k = exponent(x);
    (k as f64).mul_add(LN_2, ln_near_one(mantissa(x, k) - 1.0))
}

/// ln(1 + f) for a finite f > −1, good for `f32`.
#[device]
pub(crate) fn ln_1p_short(f: f64) -> f64 {
    if f.abs() < 0.29 {
        return ln_near_one(f);
    }
    ln_short(1.0 + f)
}

/// The natural logarithm.
#[device]
pub fn ln_f32(x: f32) -> f32 {
    let x = x as f64;
    if is_special(x) {
        return special(x) as f32;
    }
    ln_short(x) as f32
}

/// The logarithm to base 2.
#[device]
pub fn log2_f32(x: f32) -> f32 {
    let x = x as f64;
    if is_special(x) {
        return special(x) as f32;
    }
    let k = exponent(x);
    ln_near_one(mantissa(x, k) - 1.0).mul_add(LOG2_E, k as f64) as f32
}

/// The logarithm to base 10.
#[device]
pub fn log10_f32(x: f32) -> f32 {
    let x = x as f64;
    if is_special(x) {
        return special(x) as f32;
    }
    (ln_short(x) * LOG10_E) as f32
}

/// The natural logarithm of 1 + x.
#[device]
pub fn ln_1p_f32(x: f32) -> f32 {
    let wide = x as f64;
    if is_special(1.0 + wide) {
        return special(1.0 + wide) as f32;
    }
    (ln_1p_short(wide) as f32).copysign(x)
}
