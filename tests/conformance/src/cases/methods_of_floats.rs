//! Every method of the table that floats have, on both float types.
//!
//! Those of the first group give the same bits on every device. The others are as close to the exact result as
//! OpenCL's table of the full profile asks; plain Rust's value, computed in `f64`, stands for the exact one.

use crate::case::Suite;
use crate::compare::Within::{AnyZero, Ulps};
use crate::elements::elements;
use gridfn::prelude::*;

macro_rules! floats {
    ($($t:ident $bits:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn exact(a: $t); {
                    abs: $t = a.abs(), a.abs();
                    signum: $t = a.signum(), a.signum();
                    recip: $t = a.recip(), 1.0 / a;
                    sqrt: $t = a.sqrt(), a.sqrt();
                    floor: $t = a.floor(), a.floor();
                    ceil: $t = a.ceil(), a.ceil();
                    round: $t = a.round(), a.round();
                    round_ties_even: $t = a.round_ties_even(), a.round_ties_even();
                    trunc: $t = a.trunc(), a.trunc();
                    fract: $t = a.fract(), a.fract();
                    next_up: $t = a.next_up(), a.next_up();
                    next_down: $t = a.next_down(), a.next_down();
                    to_degrees: $t = a.to_degrees(), a.to_degrees();
                    to_radians: $t = a.to_radians(), a.to_radians();
                }
                fn tests(a: $t); {
                    is_nan: bool = a.is_nan(), a.is_nan();
                    is_infinite: bool = a.is_infinite(), a.is_infinite();
                    is_finite: bool = a.is_finite(), a.is_finite();
                    is_normal: bool = a.is_normal(), a.is_normal();
                    is_subnormal: bool = a.next_down().is_subnormal(), a.next_down().is_subnormal();
                    // The sign of a NaN is not promised.
                    is_sign_positive: bool = a.is_nan() || a.is_sign_positive(), a.is_nan() || a.is_sign_positive();
                    is_sign_negative: bool = !a.is_nan() && a.is_sign_negative(), !a.is_nan() && a.is_sign_negative();
                }
                fn bits_of(a: $t) if !a.is_nan(); {
                    to_bits: $bits = a.to_bits(), a.to_bits();
                    from_bits: $t = $t::from_bits(a.to_bits() ^ 1), $t::from_bits(a.to_bits() ^ 1);
                }
                fn exact_pairs(a: $t, b: $t); {
                    min: $t = a.min(b), a.min(b), within AnyZero;
                    max: $t = a.max(b), a.max(b), within AnyZero;
                    copysign: $t = a.copysign(1.0), a.copysign(1.0);
                    copysign_of: $t = if b.is_nan() { 0.0 } else { a.copysign(b) },
                        if b.is_nan() { 0.0 } else { a.copysign(b) };
                    midpoint: $t = a.midpoint(b), a.midpoint(b);
                    rem_euclid: $t = a.rem_euclid(b), a.rem_euclid(b);
                    div_euclid: $t = a.div_euclid(b), a.div_euclid(b);
                    by_path: $t = $t::sqrt($t::abs(a)), a.abs().sqrt();
                }
                fn mul_add(a: $t, b: $t, c: $t); {
                    fused: $t = a.mul_add(b, c), a.mul_add(b, c);
                }
                fn clamp(a: $t, low: $t, high: $t) if low <= high; {
                    between: $t = a.clamp(low, high), a.clamp(low, high), within AnyZero;
                }
                fn exponentials(a: $t); {
                    exp: $t = a.exp(), (a as f64).exp() as $t, within Ulps(3);
                    exp2: $t = a.exp2(), (a as f64).exp2() as $t, within Ulps(3);
                    exp_m1: $t = a.exp_m1(), (a as f64).exp_m1() as $t, within Ulps(3);
                    sinh: $t = a.sinh(), (a as f64).sinh() as $t, within Ulps(4);
                    cosh: $t = a.cosh(), (a as f64).cosh() as $t, within Ulps(4);
                    tanh: $t = a.tanh(), (a as f64).tanh() as $t, within Ulps(5);
                }
                fn logarithms(a: $t); {
                    ln: $t = a.ln(), (a as f64).ln() as $t, within Ulps(3);
                    log2: $t = a.log2(), (a as f64).log2() as $t, within Ulps(3);
                    log10: $t = a.log10(), (a as f64).log10() as $t, within Ulps(3);
                    ln_1p: $t = a.ln_1p(), (a as f64).ln_1p() as $t, within Ulps(2);
                    asinh: $t = if a.abs() < $t::MAX / 4.0 { a.asinh() } else { 0.0 },
                        if a.abs() < $t::MAX / 4.0 { plain_asinh(a as f64) as $t } else { 0.0 }, within Ulps(4);
                    acosh: $t = if a > 2.0 && a < $t::MAX / 4.0 { a.acosh() } else { 0.0 },
                        if a > 2.0 && a < $t::MAX / 4.0 { plain_acosh(a as f64) as $t } else { 0.0 }, within Ulps(4);
                    atanh: $t = a.atanh(), plain_atanh(a as f64) as $t, within Ulps(5);
                    cbrt: $t = a.cbrt(), (a as f64).cbrt() as $t, within Ulps(2);
                }
                fn angles(a: $t); {
                    sin: $t = a.sin(), (a as f64).sin() as $t, within Ulps(4);
                    cos: $t = a.cos(), (a as f64).cos() as $t, within Ulps(4);
                    tan: $t = a.tan(), (a as f64).tan() as $t, within Ulps(5);
                    asin: $t = a.asin(), (a as f64).asin() as $t, within Ulps(4);
                    acos: $t = a.acos(), (a as f64).acos() as $t, within Ulps(4);
                    atan: $t = a.atan(), (a as f64).atan() as $t, within Ulps(5);
                }
                fn inexact_pairs(a: $t, b: $t); {
                    atan2: $t = a.atan2(b), (a as f64).atan2(b as f64) as $t, within Ulps(6);
                    hypot: $t = a.hypot(b), (a as f64).hypot(b as f64) as $t, within Ulps(4);
                    powf: $t = a.powf(b), (a as f64).powf(b as f64) as $t, within Ulps(16);
                }
                // The quotient of two logarithms, each within 3 ulps.
                fn logarithms_to_a_base(a: $t, b: $t); {
                    log: $t = a.log(b), ((a as f64).ln() / (b as f64).ln()) as $t, within Ulps(14);
                }
                // By repeated multiplication: where the power itself leaves the normal range, its reciprocal is lost.
                fn integer_powers(a: $t, n: i32) if in_range(a as f64, n % 16, $t::MAX as f64); {
                    powi: $t = a.powi(n % 16), (a as f64).powi(n % 16) as $t, within Ulps(16);
                    square: $t = a.powi(2), (a as f64).powi(2) as $t, within Ulps(1);
                }
            }
        }
    )*};
}
floats! { f32 u32 in of_f32; f64 u64 in of_f64; }

// Rust's own overflow for large arguments, and lose digits where the result is small: the kernels are not asked there,
// because the host gives what Rust gives.

fn plain_asinh(x: f64) -> f64 {
    let a = x.abs();
    let log = if a > 1e150 {
        a.ln() + std::f64::consts::LN_2
    } else {
        (a + a * a / (1.0 + (a * a + 1.0).sqrt())).ln_1p()
    };
    log.copysign(x)
}

fn plain_acosh(x: f64) -> f64 {
    if x > 1e150 {
        return x.ln() + std::f64::consts::LN_2;
    }
    let t = x - 1.0;
    (t + (2.0 * t + t * t).sqrt()).ln_1p()
}

fn plain_atanh(x: f64) -> f64 {
    0.5 * (2.0 * x / (1.0 - x)).ln_1p()
}

/// Whether the power of the positive exponent, and so its reciprocal, is a normal number.
fn in_range(x: f64, n: i32, max: f64) -> bool {
    let power = x.powi(n.abs());
    !power.is_finite() && !x.is_finite()
        || power == 0.0 && x == 0.0
        || power.abs() < max / 4.0 && power.abs() > 4.0 / max
}

pub(super) fn add_to(suite: &mut Suite) {
    of_f32::add_to(suite);
    of_f64::add_to(suite);
}
