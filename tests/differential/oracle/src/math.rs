//! What plain Rust has in place of `DeviceMath`: the crate `libm`'s functions, and std's.

pub use libm::{erf, erfc, exp10, frexp, ldexp, lgamma, tgamma};

/// 1 over the square root.
pub fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// The sine of π times `x`: what is left of `x` beside the nearest integer is exact, and near 0 so is its sine.
pub fn sinpi(x: f64) -> f64 {
    let nearest = x.round();
    let sign = if nearest % 2.0 == 0.0 { 1.0 } else { -1.0 };
    sign * (std::f64::consts::PI * (x - nearest)).sin()
}

/// The cosine of π times `x`, which is a sine where that is near 0.
pub fn cospi(x: f64) -> f64 {
    let x = x.abs() % 2.0;
    let nearest = x.round();
    let sign = if nearest % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let rest = (x - nearest).abs();
    if rest > 0.25 {
        sign * sinpi(0.5 - rest)
    } else {
        sign * (std::f64::consts::PI * rest).cos()
    }
}
