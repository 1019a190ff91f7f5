//! Errors in units of the last place, beside results that have more bits than two `f64`s.

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;

pub(crate) type Real = FBig<HalfEven, 2>;

/// More than the bits of two `f64`s.
pub(crate) const PRECISION: usize = 128;

pub(crate) fn samples(normally: usize) -> usize {
    let set = std::env::var("GRIDFN_MATH_SAMPLES").ok();
    set.map_or(normally, |n| n.parse().expect("a number"))
}

pub(crate) fn real(x: f64) -> Real {
    Real::try_from(x)
        .expect("a finite number")
        .with_precision(PRECISION)
        .value()
}

pub(crate) fn ln(x: f64) -> Real {
    real(x).ln()
}

/// How far `result` is from `exact`, in units of the last place of a type with that many bits after the point and that
/// least and largest exponent. An infinity is right where the exact result is rounded to one.
pub(crate) fn error(result: f64, exact: &Real, bits: isize, least: isize, largest: isize) -> f64 {
    if *exact == Real::ZERO {
        return if result == 0.0 { 0.0 } else { f64::INFINITY };
    }
    let repr = exact.repr();
    let exponent = repr.exponent() + repr.digits() as isize - 1;
    if result.is_nan() {
        return f64::INFINITY;
    }
    if exponent > largest {
        return if result.is_infinite() { 0.0 } else { f64::INFINITY };
    }
    let unit = exponent.max(least) - bits;
    let result = if result.is_infinite() {
        real(result.signum()) << (largest + 1)
    } else {
        real(result)
    };
    ((result - exact) >> unit).to_f64().value().abs()
}

pub(crate) fn error_f64(result: f64, exact: &Real) -> f64 {
    error(result, exact, 52, -1022, 1023)
}

/// The largest error of a function, and where.
pub(crate) struct Worst {
    pub(crate) name: &'static str,
    pub(crate) bound: f64,
    pub(crate) error: f64,
    pub(crate) at: String,
}

impl Worst {
    pub(crate) fn new(name: &'static str, bound: f64) -> Worst {
        Worst {
            name,
            bound,
            error: 0.0,
            at: String::new(),
        }
    }

    pub(crate) fn see(&mut self, error: f64, at: impl FnOnce() -> String) {
        if error > self.error {
            self.error = error;
            self.at = at();
        }
    }
}

pub(crate) fn check(all: &[Worst]) {
    for worst in all {
        println!("{:8} {:.4} at {}", worst.name, worst.error, worst.at);
    }
    for worst in all {
        let Worst {
            name,
            bound,
            error,
            at,
        } = worst;
        assert!(error <= bound, "{name}: {error} at {at}, more than {bound}");
    }
}

pub(crate) fn error_f32(result: f32, exact: f64) -> f64 {
    if exact.is_nan() || result.is_nan() {
        return if exact.is_nan() && result.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let largest = 2f64.powi(128);
    let result = f64::from(result).clamp(-largest, largest);
    // Beyond the largest `f32` and half a unit every result is the infinity.
    if exact.abs() >= largest - 2f64.powi(103) && result.abs() == largest {
        return if result.signum() == exact.signum() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let exponent = ((exact.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    (result - exact).abs() / 2f64.powi(exponent.clamp(-126, 127) - 23)
}
