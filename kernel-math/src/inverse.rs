//! `asin`, `acos`, `atan`, `atan2`.
//!
//! All are the angle of a point (x, y) in the first quadrant. The point is turned back by the nearest of five known
//! angles, whose tangents are 0, 1/2, 1, 2 and ∞; the tangent t of what remains is at most 0.236, and its angle a
//! polynomial.

use crate::pair::{ordered_sum_error, product_error, quotient_error, root_error, sum_error};
use gridfn_macros::device;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// What of each constant the `f64` leaves out.
const PI_LOW: f64 = 1.2246467991473532e-16;
const FRAC_PI_2_LOW: f64 = 6.123233995736766e-17;
const FRAC_PI_4_LOW: f64 = 3.061616997868383e-17;
/// arctan ½, and what that leaves out.
const ATAN_HALF: f64 = 0.4636476090008061;
const ATAN_HALF_LOW: f64 = 2.2698777452961687e-17;
/// arctan 2, and what that leaves out.
const ATAN_2: f64 = 1.1071487177940904;
const ATAN_2_LOW: f64 = 9.40447137356638e-17;
const THREE_PI_4: f64 = 2.356194490192345;

/// The tangents of the angles halfway between the five known ones.
const HALFWAY_1: f64 = 0.2360679774997897;
const HALFWAY_2: f64 = 0.7207592200561265;
const HALFWAY_3: f64 = 1.387425886722793;
const HALFWAY_4: f64 = 4.23606797749979;

/// `start + sign` times the angle of (x, y), where both and `start` are pairs, `x` and `y` not negative and not both
/// zero, and `sign` is 1 or −1.
#[device]
#[allow(clippy::too_many_arguments)]
fn angle(y: f64, y_low: f64, x: f64, x_low: f64, start: f64, start_low: f64, sign: f64) -> f64 {
    // The point is turned back by the angle of (a, b).
    let mut a = 1.0;
    let mut b = 0.0;
    let mut known = 0.0;
    let mut known_low = 0.0;
    if y > HALFWAY_1 * x {
        a = 2.0;
        b = 1.0;
        known = ATAN_HALF;
        known_low = ATAN_HALF_LOW;
    }
    if y > HALFWAY_2 * x {
        a = 1.0;
        known = FRAC_PI_4;
        known_low = FRAC_PI_4_LOW;
    }
    if y > HALFWAY_3 * x {
        b = 2.0;
        known = ATAN_2;
        known_low = ATAN_2_LOW;
    }
    if y > HALFWAY_4 * x {
        a = 0.0;
        b = 1.0;
        known = FRAC_PI_2;
        known_low = FRAC_PI_2_LOW;
    }
    let n = a * y - b * x;
    let n_low = sum_error(a * y, -b * x, n) + (a * y_low - b * x_low);
    let d = a * x + b * y;
    let d_low = sum_error(a * x, b * y, d) + (a * x_low + b * y_low);
    let t = n / d;
    let t_low = quotient_error(n, n_low, d, d_low, t);
    let z = t * t;
    // (arctan t / t − 1) / z for z = t² ≤ 0.05575; relative to t, what it multiplies is 2^-59.7 off at most.
    let cubic = (-0.04213127066822793f64)
        .mul_add(z, 0.057773300405364804)
        .mul_add(z, -0.06660873487888572)
        .mul_add(z, 0.07692119736499117)
        .mul_add(z, -0.09090905491981763)
        .mul_add(z, 0.11111111072293367)
        .mul_add(z, -0.14285714285504159)
        .mul_add(z, 0.19999999999999563)
        .mul_add(z, -0.3333333333333333);
    let tail = (t * z).mul_add(cubic, t_low.mul_add(-z, t_low));
    let base = start + sign * known;
    let base_low = sum_error(start, sign * known, base) + (start_low + sign * known_low);
    let sum = base + sign * t;
    sum + (sum_error(base, sign * t, sum) + (base_low + sign * tail))
}

/// √(1 − x²), the first part of the pair.
#[device]
fn other_side(x: f64) -> f64 {
    let square = x * x;
    let rest = 1.0 - square;
    (rest + (ordered_sum_error(1.0, -square, rest) - product_error(x, x, square))).sqrt()
}

/// √(1 − x²), the second part of the pair.
#[device]
fn other_side_low(x: f64) -> f64 {
    let square = x * x;
    let rest = 1.0 - square;
    let rest_low = ordered_sum_error(1.0, -square, rest) - product_error(x, x, square);
    let sum = rest + rest_low;
    root_error(sum, ordered_sum_error(rest, rest_low, sum), sum.sqrt())
}

/// The inverse sine.
#[device]
pub fn asin_f64(x: f64) -> f64 {
    let positive = x.abs();
    // From here on down arcsin x is x, rounded; a square could vanish.
    if positive < 7.0e-9 {
        return x;
    }
    if positive == 1.0 {
        return FRAC_PI_2.copysign(x);
    }
    let side = other_side(positive);
    angle(positive, 0.0, side, other_side_low(positive), 0.0, 0.0, 1.0).copysign(x)
}

/// The inverse cosine.
#[device]
pub fn acos_f64(x: f64) -> f64 {
    if x == 1.0 {
        return 0.0;
    }
    if x == -1.0 {
        return PI;
    }
    let positive = x.abs();
    let mut start = 0.0;
    let mut start_low = 0.0;
    let mut sign = 1.0;
    if x < 0.0 {
        start = PI;
        start_low = PI_LOW;
        sign = -1.0;
    }
    let side = other_side(positive);
    angle(
        side,
        other_side_low(positive),
        positive,
        0.0,
        start,
        start_low,
        sign,
    )
}

/// The inverse tangent.
#[device]
pub fn atan_f64(x: f64) -> f64 {
    let positive = x.abs();
    // From here on down arctan x is x, rounded; a square could vanish.
    if positive < 7.0e-9 {
        return x;
    }
    if positive > 1.0e18 {
        return FRAC_PI_2.copysign(x);
    }
    angle(positive, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0).copysign(x)
}

/// Whether the angle of (x, y) is a matter of cases.
#[device]
fn is_special(y: f64, x: f64) -> bool {
    y == 0.0 || x == 0.0 || !y.is_finite() || !x.is_finite()
}

/// The angle of what [`is_special`].
#[device]
fn special(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    let left = x.is_sign_negative();
    let mut angle = FRAC_PI_2;
    if y == 0.0 || (x.is_infinite() && !y.is_infinite()) {
        angle = if left { PI } else { 0.0 };
    } else if x.is_infinite() {
        angle = if left { THREE_PI_4 } else { FRAC_PI_4 };
    }
    angle.copysign(y)
}

/// The angle of (x, y).
#[device]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    if is_special(y, x) {
        return special(y, x);
    }
    let up = y.abs();
    let across = x.abs();
    // Beyond a ratio of 2^60 the smaller one only counts where it is the result.
    if up > across * 1152921504606846976.0 {
        return FRAC_PI_2.copysign(y);
    }
    if across > up * 1152921504606846976.0 {
        return if x > 0.0 { y / x } else { PI.copysign(y) };
    }
    // 2^±600, so that no product leaves the range.
    let mut scale = 1.0;
    if up.max(across) > 1.0e150 {
        scale = 2.409919865102884e-181;
    }
    if up.max(across) < 1.0e-150 {
        scale = 4.149515568880993e180;
    }
    let mut start = 0.0;
    let mut start_low = 0.0;
    let mut sign = 1.0;
    if x < 0.0 {
        start = PI;
        start_low = PI_LOW;
        sign = -1.0;
    }
    angle(up * scale, 0.0, across * scale, 0.0, start, start_low, sign).copysign(y)
}

/// The angle of (x, y) in the first quadrant, good for `f32`.
#[device]
fn angle_short(y: f64, x: f64) -> f64 {
    let mut a = 1.0;
    let mut b = 0.0;
    let mut known = 0.0;
    if y > HALFWAY_1 * x {
        a = 2.0;
        b = 1.0;
        known = ATAN_HALF;
    }
    if y > HALFWAY_2 * x {
        a = 1.0;
        known = FRAC_PI_4;
    }
    if y > HALFWAY_3 * x {
        b = 2.0;
        known = ATAN_2;
    }
    if y > HALFWAY_4 * x {
        a = 0.0;
        b = 1.0;
        known = FRAC_PI_2;
    }
    let t = (a * y - b * x) / (a * x + b * y);
    let z = t * t;
    // As in `angle`, 2^-37.9 off at most.
    let cubic = (-0.08097801148680901f64)
        .mul_add(z, 0.11063859791361379)
        .mul_add(z, -0.14284784006785578)
        .mul_add(z, 0.19999993550376627)
        .mul_add(z, -0.333333333261496);
    known + (t * z).mul_add(cubic, t)
}

/// The inverse sine.
#[device]
pub fn asin_f32(x: f32) -> f32 {
    let positive = x.abs() as f64;
    let side = ((1.0 - positive) * (1.0 + positive)).sqrt();
    (angle_short(positive, side) as f32).copysign(x)
}

/// The inverse cosine.
#[device]
pub fn acos_f32(x: f32) -> f32 {
    let positive = x.abs() as f64;
    let side = ((1.0 - positive) * (1.0 + positive)).sqrt();
    if positive == 1.0 {
        return if x < 0.0 { PI as f32 } else { 0.0 };
    }
    let angle = angle_short(side, positive);
    if x < 0.0 {
        (PI - angle) as f32
    } else {
        angle as f32
    }
}

/// The inverse tangent.
#[device]
pub fn atan_f32(x: f32) -> f32 {
    let positive = (x.abs() as f64).clamp(0.0, 1.0e30);
    (angle_short(positive, 1.0) as f32).copysign(x)
}

/// The angle of (x, y).
#[device]
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    let up = y as f64;
    let across = x as f64;
    if is_special(up, across) {
        return special(up, across) as f32;
    }
    let angle = angle_short(up.abs(), across.abs());
    let angle = if x < 0.0 { PI - angle } else { angle };
    (angle as f32).copysign(y)
}
