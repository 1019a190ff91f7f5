//! `erf`, `erfc`.
//!
//! Up to 1, erf is an odd polynomial, of which the first term is a pair. Beyond, erfc is e^(−x²) times what changes little:
//! a polynomial in (x − K) / (x + K) over 1 + 2x.

use crate::exponential::{exp_pair, exp_pair_f32};
use crate::pair::{
    ordered_sum_error, ordered_sum_error_f32, product_error, product_error_f32, tiny_product_f32,
};
use gridfn_macros::device;

/// 2/√π, and what its `f64` lacks.
const SLOPE: f64 = std::f64::consts::FRAC_2_SQRT_PI;
const SLOPE_LOW: f64 = 1.533545961316588e-17;
/// The same as `f32`s.
const SLOPE_F32: f32 = std::f32::consts::FRAC_2_SQRT_PI;
const SLOPE_F32_LOW: f32 = -5.8635383e-08;

/// The coefficient of x³, −2/3√π, likewise.
const CUBE: f64 = -0.37612638903183754;
const CUBE_LOW: f64 = 1.3391897206030649e-17;
const CUBE_F32: f32 = -0.37612638;
const CUBE_F32_LOW: f32 = -1.0257194e-08;

/// 2 to the −100.
const TWO_TO_M100: f64 = 7.888609052210118e-31;
/// 2 to the −40.
const TWO_TO_M40: f32 = 1.0 / 1099511627776.0;

/// What the error function of |x| ≤ 1 has beyond `x` times [`SLOPE`], rounded to `head`.
#[device]
fn erf_tail(x: f64, head: f64) -> f64 {
    let z = x * x;
    // (erf x / x − 2/√π) / z for z = x² ≤ 1; relative to erf x / x, what it multiplies is 2^-56.8 off at most.
    let rest = 6.174097221305255e-11f64
        .mul_add(z, -1.1500357159785296e-09)
        .mul_add(z, 1.4692484859133263e-08)
        .mul_add(z, -1.6355118610877705e-07)
        .mul_add(z, 1.6461446656928561e-06)
        .mul_add(z, -1.4925622504489842e-05)
        .mul_add(z, 0.00012055332214716276)
        .mul_add(z, -0.0008548327010033328)
        .mul_add(z, 0.005223977625303518)
        .mul_add(z, -0.026866170645123838)
        .mul_add(z, 0.11283791670955111);
    let cubic = CUBE + z * rest;
    let cubic_low = ordered_sum_error(CUBE, z * rest, cubic) + CUBE_LOW;
    let cube = x * z;
    let cube_low = product_error(x, z, cube) + x * product_error(x, x, z);
    let lost = product_error(x, SLOPE, head) + x * SLOPE_LOW;
    cube.mul_add(cubic, cube_low.mul_add(cubic, cube.mul_add(cubic_low, lost)))
}

/// erfc of x from 0.5 to 27.3.
#[device]
fn erfc_beyond(x: f64) -> f64 {
    let square = x * x;
    // Up to there, so that no factor is subnormal.
    let power = exp_pair(-square, -product_error(x, x, square), 100.0);
    let t = (x - 3.0) / (x + 3.0);
    // (1 + 2x) e^(x²) erfc x for x from 0.5 to 27.3; relative to it, 2^-54.3 off at most.
    let scaled = (-1.525003185997634e-08f64)
        .mul_add(t, 2.2812055732459082e-08)
        .mul_add(t, 1.1133566989316784e-07)
        .mul_add(t, -1.2140240349691923e-07)
        .mul_add(t, -6.29393457896962e-07)
        .mul_add(t, 3.4450616209463116e-07)
        .mul_add(t, 3.4813408032432953e-06)
        .mul_add(t, -7.268660538086061e-07)
        .mul_add(t, -2.0104312171114753e-05)
        .mul_add(t, 4.948382232961931e-06)
        .mul_add(t, 0.00012510033565038369)
        .mul_add(t, -0.00010515963609280746)
        .mul_add(t, -0.0007798324336425877)
        .mul_add(t, 0.0018886903443845538)
        .mul_add(t, 0.0025293918320448477)
        .mul_add(t, -0.02377051491786196)
        .mul_add(t, 0.06830802734310616)
        .mul_add(t, -0.11927366341533124)
        .mul_add(t, 0.12964515870278256)
        .mul_add(t, -0.04756229435345047)
        .mul_add(t, -0.13562110612458134)
        .mul_add(t, 1.2530080582697296);
    power * (scaled / (1.0 + 2.0 * x)) * TWO_TO_M100
}

/// The error function.
#[device]
pub fn erf_f64(x: f64) -> f64 {
    let size = x.abs();
    if size <= 1.0 {
        let head = x * SLOPE;
        return (head + erf_tail(x, head)).copysign(x);
    }
    if size < 6.0 {
        return (1.0 - erfc_beyond(size)).copysign(x);
    }
    if x.is_nan() { x } else { 1f64.copysign(x) }
}

/// 1 less the error function.
#[device]
pub fn erfc_f64(x: f64) -> f64 {
    if x.abs() <= 1.0 && x < 0.5 {
        let head = x * SLOPE;
        let most = 1.0 - head;
        return most + (ordered_sum_error(1.0, -head, most) - erf_tail(x, head));
    }
    if x > 27.3 {
        return 0.0;
    }
    if x < -6.0 {
        return 2.0;
    }
    if x.is_nan() {
        return x;
    }
    let beyond = erfc_beyond(x.abs());
    if x < 0.0 { 2.0 - beyond } else { beyond }
}

/// As [`erf_tail`].
#[device]
fn erf_tail_f32(x: f32, head: f32) -> f32 {
    let z = x * x;
    // As there, 2^-26.1 off at most.
    let rest = 8.379755e-05f32
        .mul_add(z, -0.00081619865)
        .mul_add(z, 0.005204579)
        .mul_add(z, -0.0268617)
        .mul_add(z, 0.11283754);
    let cubic = CUBE_F32 + z * rest;
    let cubic_low = ordered_sum_error_f32(CUBE_F32, z * rest, cubic) + CUBE_F32_LOW;
    let cube = x * z;
    let cube_low = product_error_f32(x, z, cube) + x * product_error_f32(x, x, z);
    let lost = product_error_f32(x, SLOPE_F32, head) + x * SLOPE_F32_LOW;
    cube.mul_add(cubic, cube_low.mul_add(cubic, cube.mul_add(cubic_low, lost)))
}

/// erfc of x from 0.5 to 10.1.
#[device]
fn erfc_beyond_f32(x: f32) -> f32 {
    let square = x * x;
    let power = exp_pair_f32(-square, -product_error_f32(x, x, square), 40);
    let t = (x - 2.0) / (x + 2.0);
    // As in `erfc_beyond`, up to 10.1, 2^-26.0 off at most.
    let scaled = (-0.00025033043f32)
        .mul_add(t, -0.0012586409)
        .mul_add(t, 0.0011681333)
        .mul_add(t, 0.008654272)
        .mul_add(t, -0.008012014)
        .mul_add(t, -0.05421019)
        .mul_add(t, 0.16404943)
        .mul_add(t, -0.1660309)
        .mul_add(t, -0.09276378)
        .mul_add(t, 1.2769784);
    power * (scaled / (1.0 + 2.0 * x)) * TWO_TO_M40
}

/// The error function.
#[device]
pub fn erf_f32(x: f32) -> f32 {
    let size = x.abs();
    if size < 1.0e-20 {
        return tiny_product_f32(x, SLOPE_F32, SLOPE_F32_LOW);
    }
    if size <= 1.0 {
        let head = x * SLOPE_F32;
        return (head + erf_tail_f32(x, head)).copysign(x);
    }
    if size < 4.0 {
        return (1.0 - erfc_beyond_f32(size)).copysign(x);
    }
    if x.is_nan() { x } else { 1f32.copysign(x) }
}

/// 1 less the error function.
#[device]
pub fn erfc_f32(x: f32) -> f32 {
    if x.abs() <= 1.0 && x < 0.5 {
        let head = x * SLOPE_F32;
        let most = 1.0 - head;
        return most + (ordered_sum_error_f32(1.0, -head, most) - erf_tail_f32(x, head));
    }
    if x > 10.1 {
        return 0.0;
    }
    if x < -4.0 {
        return 2.0;
    }
    if x.is_nan() {
        return x;
    }
    let beyond = erfc_beyond_f32(x.abs());
    if x < 0.0 { 2.0 - beyond } else { beyond }
}
