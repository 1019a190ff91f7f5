//! `sinpi`, `cospi`: sine and cosine of angles in half turns.
//!
//! x = q/2 + r with |r| ≤ 1/4, exactly. What comes after is as for radians, with π r in a pair.

use crate::pair::{ordered_sum_error_f32, product_error, product_error_f32, tiny_product_f32};
use crate::trigonometric::{cosine_head, cosine_tail, sine_tail};
use gridfn_macros::device;
use std::f64::consts::PI;

/// π less its `f64`.
const PI_LOW: f64 = 1.2246467991473532e-16;
/// π as two `f32`s.
const PI_F32: f32 = std::f32::consts::PI;
const PI_F32_LOW: f32 = -8.742278e-08;

/// The sine of π x, or the cosine, for 0 ≤ x < ∞; 0 is positive.
#[device]
fn half_turns(x: f64, cosine: bool) -> f64 {
    // From 2^53 on every number is even.
    let x = if x < 9007199254740992.0 { x } else { 0.0 };
    let n = (x + x).round_ties_even();
    let rest = 0.5f64.mul_add(-n, x);
    let r = rest * PI;
    let low = product_error(rest, PI, r) + rest * PI_LOW;
    let quarter = n as u64 + if cosine { 1 } else { 0 };
    let value = if quarter & 1 == 1 {
        cosine_head(r) + cosine_tail(r, low)
    } else {
        r + sine_tail(r, low)
    };
    if quarter & 2 == 2 && value != 0.0 {
        -value
    } else {
        value
    }
}

/// The sine of π x.
#[device]
pub fn sinpi_f64(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let sine = half_turns(x.abs(), false);
    if x.is_sign_negative() { -sine } else { sine }
}

/// The cosine of π x.
#[device]
pub fn cospi_f64(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    half_turns(x.abs(), true)
}

/// What the sine of `r + low` has beyond `r`.
#[device]
fn sine_tail_f32(r: f32, low: f32) -> f32 {
    let z = r * r;
    // (sin r / r − 1) / z for z = r² ≤ 0.61691; relative to r, what it multiplies is 2^-28.3 off at most.
    let cubic = 2.7249896e-06f32
        .mul_add(z, -0.00019840087)
        .mul_add(z, 0.008333332)
        .mul_add(z, -0.16666667);
    (r * z).mul_add(cubic, low.mul_add(-0.5 * z, low))
}

/// The cosine of `r + low`.
#[device]
fn cosine_f32(r: f32, low: f32) -> f32 {
    let half = 0.5 * r * r;
    let head = 1.0 - half;
    let lost = ordered_sum_error_f32(1.0, -half, head) - product_error_f32(0.5 * r, r, half);
    let z = r * r;
    // (cos r − 1 + z/2) / z² for z = r² ≤ 0.61691; what it multiplies is 2^-30.7 off at most.
    let quartic = 2.4547917e-05f32.mul_add(z, -0.0013888302).mul_add(z, 0.041666664);
    head + (z * z).mul_add(quartic, r.mul_add(-low, lost))
}

/// As [`half_turns`].
#[device]
fn half_turns_f32(x: f32, cosine: bool) -> f32 {
    if x < 1.0e-20 && !cosine {
        return tiny_product_f32(x, PI_F32, PI_F32_LOW);
    }
    // From 2^24 on every number is even.
    let x = if x < 16777216.0 { x } else { 0.0 };
    let n = (x + x).round_ties_even();
    let rest = 0.5f32.mul_add(-n, x);
    let r = rest * PI_F32;
    let low = product_error_f32(rest, PI_F32, r) + rest * PI_F32_LOW;
    let quarter = n as u32 + if cosine { 1 } else { 0 };
    let value = if quarter & 1 == 1 {
        cosine_f32(r, low)
    } else {
        r + sine_tail_f32(r, low)
    };
    if quarter & 2 == 2 && value != 0.0 {
        -value
    } else {
        value
    }
}

/// The sine of π x.
#[device]
pub fn sinpi_f32(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let sine = half_turns_f32(x.abs(), false);
    if x.is_sign_negative() { -sine } else { sine }
}

/// The cosine of π x.
#[device]
pub fn cospi_f32(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    half_turns_f32(x.abs(), true)
}
