//! `tgamma`, `lgamma`.
//!
//! x is n + v with a whole n and |v| ≤ 1/2. 1/Γ(1 + v) is a polynomial, as it has no poles; Γ(x) is that, and a product of
//! the numbers between, each of which is exact, in pairs. The logarithm of large ones comes from Stirling's series.

use crate::half_turns::sinpi_f64;
use crate::logarithm::{ln_1p_f64, ln_f64};
use crate::pair::{
    ordered_sum_error, ordered_sum_error_f32, product_error, product_error_f32, quotient_error,
    quotient_error_f32, sum_error,
};
use gridfn_macros::device;
use std::f64::consts::PI;

/// Euler's γ, and what its `f64` lacks.
const EULER: f64 = 0.5772156649015329;
const EULER_LOW: f64 = -4.942915152430645e-18;
/// The same as `f32`s.
const EULER_F32: f32 = 0.5772157;
const EULER_F32_LOW: f32 = -6.637774e-09;

/// Powers of two, by which products are kept in the range.
const TWO_TO_64: f64 = 18446744073709551616.0;
const TWO_TO_M64: f64 = 1.0 / TWO_TO_64;
const TWO_TO_M128: f64 = TWO_TO_M64 / TWO_TO_64;
const TWO_TO_16_F32: f32 = 65536.0;
const TWO_TO_M16_F32: f32 = 1.0 / TWO_TO_16_F32;
const TWO_TO_M60_F32: f32 = 1.0 / 1152921504606846976.0;

/// Γ(x).
#[device]
pub fn tgamma_f64(x: f64) -> f64 {
    let n = x.round();
    if x.abs() < 5.5e-17 {
        // It is 1/x − 0.58.
        return 1.0 / x;
    }
    if x > 171.7 {
        return f64::INFINITY;
    }
    if x < 0.0 && n == x || x.is_nan() {
        return f64::NAN;
    }
    if x < -184.0 {
        return if (x.floor() as i64) & 1 == 0 { 0.0 } else { -0.0 };
    }
    let v = x - n;
    // ((1/Γ(1 + v) − 1) / v − γ) / v for |v| ≤ 1/2; relative to 1/Γ, what it multiplies is 2^-56.5 off at most.
    let square = 5.097874745539672e-09f64
        .mul_add(v, 5.012871942505546e-09)
        .mul_add(v, -2.056695518394077e-07)
        .mul_add(v, 1.1334404156830634e-06)
        .mul_add(v, -1.2504866846051673e-06)
        .mul_add(v, -2.0134933638703093e-05)
        .mul_add(v, 0.00012805028169418273)
        .mul_add(v, -0.00021524166605274466)
        .mul_add(v, -0.0011651675918226728)
        .mul_add(v, 0.007218943246239921)
        .mul_add(v, -0.009621971527877816)
        .mul_add(v, -0.04219773455553454)
        .mul_add(v, 0.1665386113822915)
        .mul_add(v, -0.0420026350340953)
        .mul_add(v, -0.6558780715202539);
    let slope = EULER + v * square;
    let slope_low = ordered_sum_error(EULER, v * square, slope) + EULER_LOW;
    let rise = v * slope;
    let rise_low = product_error(v, slope, rise) + v * slope_low;
    let inverse = 1.0 + rise;
    let inverse_low = ordered_sum_error(1.0, rise, inverse) + rise_low;
    if n >= 1.0 {
        // Γ(x) = (x − 1) (x − 2) … (1 + v) Γ(1 + v). Every factor is exact.
        let mut product = TWO_TO_M64;
        let mut low = 0.0;
        let mut k = 1.0;
        while k < n {
            let factor = x - k;
            let next = product * factor;
            low = low * factor + product_error(product, factor, next);
            product = next;
            k += 1.0;
        }
        let quotient = product / inverse;
        return (quotient + quotient_error(product, low, inverse, inverse_low, quotient)) * TWO_TO_64;
    }
    // Γ(x) x (x + 1) … v = Γ(1 + v), which is divided by what could overflow, but for the scale.
    let scale = if n < -100.0 { TWO_TO_M128 } else { 1.0 };
    let mut product = inverse * scale;
    let mut low = inverse_low * scale;
    let mut k = 0.0;
    while k <= -n {
        let factor = x + k;
        let next = product * factor;
        low = low * factor + product_error(product, factor, next);
        product = next;
        k += 1.0;
    }
    let quotient = 1.0 / product;
    (quotient + quotient_error(1.0, 0.0, product, low, quotient)) * scale
}

/// Γ(x).
#[device]
pub fn tgamma_f32(x: f32) -> f32 {
    let n = x.round();
    if x.abs() < 2.0e-8 {
        // It is 1/x − 0.58.
        return 1.0 / x;
    }
    if x > 35.1 {
        return f32::INFINITY;
    }
    if x < 0.0 && n == x || x.is_nan() {
        return f32::NAN;
    }
    if x < -43.0 {
        return if (x.floor() as i64) & 1 == 0 { 0.0 } else { -0.0 };
    }
    let v = x - n;
    // ((1/Γ(1 + v) − 1) / v − γ) / v for |v| ≤ 1/2; relative to 1/Γ, what it multiplies is 2^-27.9 off at most.
    let square = (-0.00022511407f32)
        .mul_add(v, -0.0011013678)
        .mul_add(v, 0.0072204764)
        .mul_add(v, -0.009631929)
        .mul_add(v, -0.042197812)
        .mul_add(v, 0.1665391)
        .mul_add(v, -0.042002633)
        .mul_add(v, -0.65587807);
    let slope = EULER_F32 + v * square;
    let slope_low = ordered_sum_error_f32(EULER_F32, v * square, slope) + EULER_F32_LOW;
    let rise = v * slope;
    let rise_low = product_error_f32(v, slope, rise) + v * slope_low;
    let inverse = 1.0 + rise;
    let inverse_low = ordered_sum_error_f32(1.0, rise, inverse) + rise_low;
    if n >= 1.0 {
        // Γ(x) = (x − 1) (x − 2) … (1 + v) Γ(1 + v). Every factor is exact.
        let mut product = TWO_TO_M16_F32;
        let mut low = 0.0;
        let mut k = 1.0;
        while k < n {
            let factor = x - k;
            let next = product * factor;
            low = low * factor + product_error_f32(product, factor, next);
            product = next;
            k += 1.0;
        }
        let quotient = product / inverse;
        return (quotient + quotient_error_f32(product, low, inverse, inverse_low, quotient)) * TWO_TO_16_F32;
    }
    // Γ(x) x (x + 1) … v = Γ(1 + v), which is divided by what could overflow, but for the scale.
    let scale = if n < -20.0 { TWO_TO_M60_F32 } else { 1.0 };
    let mut product = inverse * scale;
    let mut low = inverse_low * scale;
    let mut k = 0.0;
    while k <= -n {
        let factor = x + k;
        let next = product * factor;
        low = low * factor + product_error_f32(product, factor, next);
        product = next;
        k += 1.0;
    }
    let quotient = 1.0 / product;
    (quotient + quotient_error_f32(1.0, 0.0, product, low, quotient)) * scale
}

/// ln Γ(2 + t) for t from −3/4 to 1/2.
#[device]
fn near_two(t: f64) -> f64 {
    // (ln Γ(2 + t) / t − (1 − γ)) / t; relative to ln Γ, what it multiplies is 2^-52.9 off at most.
    let square = 6.918089214735233e-08f64
        .mul_add(t, 3.732236885170391e-08)
        .mul_add(t, 7.85165058158358e-09)
        .mul_add(t, -1.7461125792201517e-07)
        .mul_add(t, 2.1323780060312942e-07)
        .mul_add(t, -4.122967031376519e-07)
        .mul_add(t, 9.619013594026037e-07)
        .mul_add(t, -2.049183202162451e-06)
        .mul_add(t, 4.372100397999367e-06)
        .mul_add(t, -9.437889212948125e-06)
        .mul_add(t, 2.05077347503934e-05)
        .mul_add(t, -4.492639344809151e-05)
        .mul_add(t, 9.945745909419076e-05)
        .mul_add(t, -0.00022315474920905716)
        .mul_add(t, 0.0005096695277448327)
        .mul_add(t, -0.001192753912011645)
        .mul_add(t, 0.002890510330658988)
        .mul_add(t, -0.007385551028669005)
        .mul_add(t, 0.020580808427785407)
        .mul_add(t, -0.06735230105319812)
        .mul_add(t, 0.3224670334241132);
    t * (t.mul_add(square, -EULER_LOW) + (1.0 - EULER))
}

/// ln |Γ(x)| for x ≥ −1/2.
#[device]
fn ln_gamma(x: f64) -> f64 {
    if x < 0.5 {
        // Γ(x) x (x + 1) = Γ(x + 2)
        return (near_two(x) - ln_1p_f64(x)) - ln_f64(x.abs());
    }
    if x < 1.25 {
        return near_two(x - 1.0) - ln_1p_f64(x - 1.0);
    }
    if x < 8.0 {
        let n = x.round().max(2.0);
        let mut product = 1.0;
        let mut k = 1.0;
        while k < n - 1.0 {
            product *= x - k;
            k += 1.0;
        }
        return near_two(x - n) + ln_f64(product);
    }
    // Stirling's series is (x − 1/2) (ln x − 1) + ln √(2π/e) + 1/12x − …
    let z = 1.0 / (x * x);
    // What stands behind the logarithm, times x, for z ≤ 1/64; relative to ln Γ, 2^-63.8 off at most.
    let series = 0.005065905360156132f64
        .mul_add(z, -0.001890382993887715)
        .mul_add(z, 0.0008414700852503147)
        .mul_add(z, -0.0005952365845057049)
        .mul_add(z, 0.0007936507897524059)
        .mul_add(z, -0.002777777777773988)
        .mul_add(z, 0.08333333333333333);
    let ln = ln_f64(x);
    let less = ln - 1.0;
    let half = x - 0.5;
    let most = half * less;
    if most > 1.0e300 {
        return most;
    }
    let lost = product_error(half, less, most) + half * sum_error(ln, -1.0, less);
    most + (lost + (0.4189385332046727 + series / x))
}

/// ln |Γ(x)|.
#[device]
pub fn lgamma_f64(x: f64) -> f64 {
    if !x.is_finite() {
        return x.abs();
    }
    if x >= -0.5 {
        return ln_gamma(x);
    }
    if x.trunc() == x {
        return f64::INFINITY;
    }
    // Γ(x) Γ(−x) x sin(πx) = −π
    let size = -x;
    ln_f64(PI / (size * sinpi_f64(size).abs())) - ln_gamma(size)
}

/// ln |Γ(x)|, by way of `f64`.
#[device]
pub fn lgamma_f32(x: f32) -> f32 {
    lgamma_f64(x as f64) as f32
}
