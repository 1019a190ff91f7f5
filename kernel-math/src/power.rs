//! `powf`, `cbrt`, `hypot`, `rsqrt`.

use crate::exponential::{LN_2_LOW, exp_pair, exp_short};
use crate::logarithm::{TWO_TO_54, artanh_tail, exponent, mantissa};
use crate::pair::{
    ordered_sum_error, power_of_two, product_error, product_error_f32, quotient_error, root_error, sum_error,
};
use gridfn_macros::device;
use std::f64::consts::LN_2;

/// Whether `y`, which is finite, is whole.
#[device]
fn is_whole(y: f64) -> bool {
    y.trunc() == y
}

/// Whether `y` is odd. From 2^53 on every number is even.
#[device]
fn is_odd(y: f64) -> bool {
    is_whole(y) && y.abs() < 9007199254740992.0 && (y as i64) & 1 == 1
}

/// Whether `x` to the `y` is a matter of cases.
#[device]
fn is_special(x: f64, y: f64) -> bool {
    let size = x.abs();
    y == 0.0 || size == 0.0 || size == 1.0 || !x.is_finite() || !y.is_finite() || (x < 0.0 && !is_whole(y))
}

/// The power of what [`is_special`].
#[device]
fn special(x: f64, y: f64) -> f64 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let size = x.abs();
    if y.is_infinite() {
        if size == 1.0 {
            return 1.0;
        }
        return if (size > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
    }
    let negative = x.is_sign_negative() && is_odd(y);
    if size == 0.0 || size == f64::INFINITY {
        let power = if (size > 1.0) == (y > 0.0) {
            f64::INFINITY
        } else {
            0.0
        };
        return if negative { -power } else { power };
    }
    if !is_whole(y) {
        return f64::NAN;
    }
    if negative { -1.0 } else { 1.0 }
}

/// 1/3 and 1/5 less their `f64`s.
const THIRD_LOW: f64 = 1.850371707708594e-17;
const FIFTH_LOW: f64 = -1.1102230246251566e-17;

/// x to the y: e^(y ln x), with a logarithm good to some 2^-68 of itself, as it may be multiplied by 745.
#[device]
pub fn powf_f64(x: f64, y: f64) -> f64 {
    if is_special(x, y) {
        return special(x, y);
    }
    let mut normal = x.abs();
    let mut e = 0;
    if normal < f64::MIN_POSITIVE {
        normal *= TWO_TO_54;
        e = -54;
    }
    let k = exponent(normal);
    // ln m = 2s (1 + g) as in `logarithm`, with g = z (1/3 + z (1/5 + z …)) in pairs.
    let f = mantissa(normal, k) - 1.0;
    let d = 2.0 + f;
    let s = f / d;
    let s_low = quotient_error(f, 0.0, d, ordered_sum_error(2.0, f, d), s);
    let z = s * s;
    let z_low = product_error(s, s, z) + 2.0 * s * s_low;
    // (artanh s / s − 1 − z/3 − z²/5) / z³ for z = s² ≤ 0.02944; relative to s, what it multiplies is 2^-72 off.
    let sevenths = 0.05308572170586171f64
        .mul_add(z, 0.05236447707177386)
        .mul_add(z, 0.058830251424610534)
        .mul_add(z, 0.06666657336287023)
        .mul_add(z, 0.07692307762474186)
        .mul_add(z, 0.09090909090650334)
        .mul_add(z, 0.11111111111111474)
        .mul_add(z, 0.14285714285714285);
    let fifths = 0.2 + z * sevenths;
    let fifths_low = ordered_sum_error(0.2, z * sevenths, fifths) + FIFTH_LOW;
    let product = z * fifths;
    let product_low = product_error(z, fifths, product) + (z * fifths_low + z_low * fifths);
    let thirds = THIRD + product;
    let thirds_low = ordered_sum_error(THIRD, product, thirds) + (THIRD_LOW + product_low);
    let g = z * thirds;
    let g_low = product_error(z, thirds, g) + (z * thirds_low + z_low * thirds);
    let twice = s + s;
    let twice_low = s_low + s_low;
    let more = twice * g;
    let more_low = product_error(twice, g, more) + (twice * g_low + twice_low * g);
    let ln_m = twice + more;
    let ln_m_low = ordered_sum_error(twice, more, ln_m) + (twice_low + more_low);
    let n = (k + e) as f64;
    let whole = n * LN_2;
    let whole_low = product_error(n, LN_2, whole) + n * LN_2_LOW;
    let sum = whole + ln_m;
    let sum_low = sum_error(whole, ln_m, sum) + (whole_low + ln_m_low);
    let ln = sum + sum_low;
    let ln_low = ordered_sum_error(sum, sum_low, ln);

    let exponent = y * ln;
    let power = exp_pair(exponent, product_error(y, ln, exponent) + y * ln_low, 0.0);
    if x < 0.0 && is_odd(y) { -power } else { power }
}

/// 1/3.
const THIRD: f64 = 1.0 / 3.0;

/// x to the y. The logarithm is good to some 2^-50, as it may be multiplied by 104.
#[device]
pub fn powf_f32(x: f32, y: f32) -> f32 {
    let base = x as f64;
    let y = y as f64;
    if is_special(base, y) {
        return special(base, y) as f32;
    }
    let k = exponent(base.abs());
    let f = mantissa(base.abs(), k) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let twice = s + s;
    let ln = (k as f64).mul_add(LN_2, (twice * z).mul_add(artanh_tail(z), twice));
    let power = exp_short(y * ln);
    if base < 0.0 && is_odd(y) {
        -power as f32
    } else {
        power as f32
    }
}

/// The cube roots of 2 and 4.
const ROOT_OF_2: f64 = 1.2599210498948732;
const ROOT_OF_4: f64 = 1.5874010519681996;

/// A third of the exponent of a normal positive `x`, rounded down.
#[device]
fn third(x: f64) -> i64 {
    // Added is a multiple of 3, so that what is divided is not negative.
    ((x.to_bits() >> 52) as i64 - 1023 + 1200) / 3 - 400
}

/// The cube root of `x`, from 1 to 8, to some 2^-38.
#[device]
fn root_near(x: f64) -> f64 {
    let bits = x.to_bits();
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    let power = bits >> 52;
    let factor = if power == 1024 {
        ROOT_OF_2
    } else {
        if power == 1025 { ROOT_OF_4 } else { 1.0 }
    };
    // The cube root for m from 1 to 2; relative to it, 2^-13.2 off at most.
    let near = 0.022148699208245196f64
        .mul_add(m, -0.1586624600531909)
        .mul_add(m, 0.5808263911380952)
        .mul_add(m, 0.5557909602691388);
    let root = near * factor;
    // Halley's iteration, by which an error of d becomes one of 2/3 d³.
    let cube = root * root * root;
    root * (cube + 2.0 * x) / (2.0 * cube + x)
}

/// The cube root.
#[device]
pub fn cbrt_f64(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let mut normal = x.abs();
    let mut e = 0;
    if normal < f64::MIN_POSITIVE {
        normal *= TWO_TO_54;
        e = -18;
    }
    let k = third(normal);
    let scaled = f64::from_bits(normal.to_bits().wrapping_sub(((3 * k) << 52) as u64));
    let root = root_near(scaled);
    // One step of Newton's, with the cube as a pair.
    let square = root * root;
    let cube = square * root;
    let cube_low = product_error(square, root, cube) + product_error(root, root, square) * root;
    let rest = (scaled - cube) - cube_low;
    let root = root + rest / (3.0 * square);
    (root * power_of_two(k + e)).copysign(x)
}

/// The cube root.
#[device]
pub fn cbrt_f32(x: f32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let wide = x.abs() as f64;
    let k = third(wide);
    let scaled = f64::from_bits(wide.to_bits().wrapping_sub(((3 * k) << 52) as u64));
    ((root_near(scaled) * power_of_two(k)) as f32).copysign(x)
}

/// The length of (x, y).
#[device]
pub fn hypot_f64(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let long = x.abs().max(y.abs());
    let short = x.abs().min(y.abs());
    // Beyond a ratio of 2^60 the shorter one does not count.
    if long >= short * 1152921504606846976.0 {
        return long;
    }
    // 2^±600, so that no square leaves the range.
    let mut scale = 1.0;
    let mut back = 1.0;
    if long > 1.0e150 {
        scale = 2.409919865102884e-181;
        back = 4.149515568880993e180;
    }
    if long < 1.0e-120 {
        scale = 4.149515568880993e180;
        back = 2.409919865102884e-181;
    }
    let a = long * scale;
    let b = short * scale;
    let a_square = a * a;
    let b_square = b * b;
    let sum = a_square + b_square;
    let sum_low = ordered_sum_error(a_square, b_square, sum)
        + (product_error(a, a, a_square) + product_error(b, b, b_square));
    let root = sum.sqrt();
    (root + root_error(sum, sum_low, root)) * back
}

/// The length of (x, y). In `f64` the squares are exact, and none leaves the range.
#[device]
pub fn hypot_f32(x: f32, y: f32) -> f32 {
    if x.is_infinite() || y.is_infinite() {
        return f32::INFINITY;
    }
    let x = x as f64;
    let y = y as f64;
    (x * x + y * y).sqrt() as f32
}

/// 1 over the square root.
#[device]
pub fn rsqrt_f64(x: f64) -> f64 {
    let near = 1.0 / x.sqrt();
    if !(x > 0.0 && x < f64::INFINITY) {
        return near;
    }
    // One step of Newton's, with the product as a pair.
    let product = x * near;
    let rest = product.mul_add(-near, 1.0) - product_error(x, near, product) * near;
    (0.5 * near).mul_add(rest, near)
}

/// 1 over the square root.
#[device]
pub fn rsqrt_f32(x: f32) -> f32 {
    let near = 1.0 / x.sqrt();
    if !(x > 0.0 && x < f32::INFINITY) {
        return near;
    }
    let product = x * near;
    let rest = product.mul_add(-near, 1.0) - product_error_f32(x, near, product) * near;
    (0.5 * near).mul_add(rest, near)
}
