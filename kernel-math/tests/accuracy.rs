//! The errors of all functions, in units of the last place, with the bounds that the README states.
//!
//! `f32` is compared with the standard library's `f64`; `f64` with results of `dashu-float`. `GRIDFN_MATH_SAMPLES` is
//! the number of operands for each function; `--nocapture` shows the largest errors.

#[path = "support/error.rs"]
mod error;
mod support;

use dashu_float::ops::CubicRoot;
use error::*;
use gridfn_math::{exponential::*, hyperbolic::*, inverse::*, logarithm::*, power::*, trigonometric::*};
use support::Random;

struct Function {
    name: &'static str,
    ours: fn(f64) -> f64,
    exact: fn(f64) -> Real,
    /// Where the result is finite and not 0, or overflows or vanishes by rounding.
    domain: fn(f64) -> bool,
    bound: f64,
}

macro_rules! function {
    ($name:literal, $ours:ident, $exact:expr, $domain:expr, $bound:expr) => {
        Function {
            name: $name,
            ours: $ours,
            exact: $exact,
            domain: $domain,
            bound: $bound,
        }
    };
}

static F64: &[Function] = &[
    function!("exp", exp_f64, |x| real(x).exp(), |x| x.abs() < 2000.0, 0.76),
    function!(
        "exp2",
        exp2_f64,
        |x| (real(x) * ln(2.0)).exp(),
        |x| x.abs() < 2000.0,
        0.76
    ),
    function!("exp_m1", exp_m1_f64, |x| real(x).exp_m1(), |x| x < 2000.0, 0.6),
    function!("ln", ln_f64, ln, |x| x > 0.0, 0.6),
    function!("log2", log2_f64, |x| ln(x) / ln(2.0), |x| x > 0.0, 0.6),
    function!("log10", log10_f64, |x| ln(x) / ln(10.0), |x| x > 0.0, 0.6),
    function!("ln_1p", ln_1p_f64, |x| real(x).ln_1p(), |x| x > -1.0, 0.6),
    function!("sin", sin_f64, |x| real(x).sin(), |_| true, 0.75),
    function!("cos", cos_f64, |x| real(x).cos(), |_| true, 0.75),
    function!("tan", tan_f64, |x| real(x).tan(), |_| true, 0.9),
    function!("asin", asin_f64, |x| real(x).asin(), |x| x.abs() <= 1.0, 0.6),
    function!("acos", acos_f64, |x| real(x).acos(), |x| x.abs() <= 1.0, 0.6),
    function!("atan", atan_f64, |x| real(x).atan(), |_| true, 0.6),
    function!("sinh", sinh_f64, |x| real(x).sinh(), |x| x.abs() < 2000.0, 0.6),
    function!("cosh", cosh_f64, |x| real(x).cosh(), |x| x.abs() < 2000.0, 0.6),
    function!("tanh", tanh_f64, |x| real(x).tanh(), |_| true, 0.6),
    function!("asinh", asinh_f64, |x| real(x).asinh(), |_| true, 0.6),
    function!("acosh", acosh_f64, |x| real(x).acosh(), |x| x >= 1.0, 0.6),
    function!("atanh", atanh_f64, |x| real(x).atanh(), |x| x.abs() < 1.0, 0.6),
    function!("cbrt", cbrt_f64, |x| real(x).cbrt(), |_| true, 0.6),
];

#[test]
fn f64_of_one_operand() {
    let n = samples(1000);
    let all: Vec<_> = F64
        .iter()
        .map(|f| {
            let mut worst = Worst::new(f.name, f.bound);
            let mut random = Random::new(1);
            for _ in 0..n {
                let x = random.operand();
                if (f.domain)(x) {
                    let result = (f.ours)(x);
                    worst.see(error_f64(result, &(f.exact)(x)), || format!("{x:e}: {result:e}"));
                }
            }
            worst
        })
        .collect();
    check(&all);
}

/// The numbers that are closest to a multiple of π/2, beside their size.
#[test]
fn hardest_angles() {
    let x = 6381956970095103.0 * 2f64.powi(797);
    for f in F64.iter().filter(|f| ["sin", "cos", "tan"].contains(&f.name)) {
        let error = error_f64((f.ours)(x), &(f.exact)(x));
        assert!(error <= f.bound, "{}: {error}", f.name);
    }
    let x = 16367173.0 * 2f32.powi(72);
    for (name, ours, exact) in F32.iter().filter(|f| ["sin", "cos", "tan"].contains(&f.0)) {
        let error = error_f32(ours(x), exact(x.into()));
        assert!(error <= BOUND_F32, "{name}: {error}");
    }
}

#[test]
fn f64_of_two_operands() {
    let n = samples(1000);
    let mut random = Random::new(2);
    let mut powf = Worst::new("powf", 0.76);
    let mut atan2 = Worst::new("atan2", 0.6);
    let mut hypot = Worst::new("hypot", 0.76);
    for _ in 0..n {
        let [x, y] = random.power();
        let exponent = y * x.log2();
        if exponent.abs() < 2000.0 && x != 1.0 {
            let result = powf_f64(x, y);
            let exact = (ln(x) * real(y)).exp();
            powf.see(error_f64(result, &exact), || format!("{x:e}, {y:e}: {result:e}"));
        }
        let [x, y] = random.point();
        if x != 0.0 && y != 0.0 {
            let result = atan2_f64(y, x);
            atan2.see(error_f64(result, &real(y).atan2(&real(x))), || {
                format!("{y:e}, {x:e}: {result:e}")
            });
            let result = hypot_f64(x, y);
            hypot.see(error_f64(result, &real(x).hypot(&real(y))), || {
                format!("{x:e}, {y:e}: {result:e}")
            });
        }
    }
    check(&[powf, atan2, hypot]);
}

type One = (&'static str, fn(f32) -> f32, fn(f64) -> f64);
type Two = (&'static str, fn(f32, f32) -> f32, fn(f64, f64) -> f64);

static F32: &[One] = &[
    ("exp", exp_f32, f64::exp),
    ("exp2", exp2_f32, f64::exp2),
    ("exp_m1", exp_m1_f32, f64::exp_m1),
    ("ln", ln_f32, f64::ln),
    ("log2", log2_f32, f64::log2),
    ("log10", log10_f32, f64::log10),
    ("ln_1p", ln_1p_f32, f64::ln_1p),
    ("sin", sin_f32, f64::sin),
    ("cos", cos_f32, f64::cos),
    ("tan", tan_f32, f64::tan),
    ("asin", asin_f32, f64::asin),
    ("acos", acos_f32, f64::acos),
    ("atan", atan_f32, f64::atan),
    ("sinh", sinh_f32, f64::sinh),
    ("cosh", cosh_f32, f64::cosh),
    ("tanh", tanh_f32, f64::tanh),
    ("asinh", asinh_f32, f64::asinh),
    ("acosh", acosh_f32, f64::acosh),
    ("atanh", atanh_f32, f64::atanh),
    ("cbrt", cbrt_f32, f64::cbrt),
];

static F32_OF_TWO: &[Two] = &[
    ("powf", powf_f32, f64::powf),
    ("atan2", atan2_f32, f64::atan2),
    ("hypot", hypot_f32, f64::hypot),
];

/// All `f32`s are computed in `f64`, and rounded once.
const BOUND_F32: f64 = 0.51;

#[test]
fn f32_of_one_operand() {
    let n = samples(20_000);
    let all: Vec<_> = F32
        .iter()
        .map(|&(name, ours, exact)| {
            let mut worst = Worst::new(name, BOUND_F32);
            let mut random = Random::new(5);
            for _ in 0..n {
                let x = random.operand_f32();
                let result = ours(x);
                worst.see(error_f32(result, exact(x.into())), || {
                    format!("{x:e}: {result:e}")
                });
            }
            worst
        })
        .collect();
    check(&all);
}

#[test]
fn f32_of_two_operands() {
    let n = samples(20_000);
    let all: Vec<_> = F32_OF_TWO
        .iter()
        .map(|&(name, ours, exact)| {
            let mut worst = Worst::new(name, BOUND_F32);
            let mut random = Random::new(6);
            for i in 0..n {
                let x = random.operand_f32();
                let y = match i % 3 {
                    0 => random.operand_f32(),
                    // Near the end of what powers reach; whole exponents.
                    1 => (random.between(-155.0, 155.0) / f64::from(x.abs()).log2()) as f32,
                    _ => random.between(-20.0, 20.0).round() as f32,
                };
                let result = ours(x, y);
                worst.see(error_f32(result, exact(x.into(), y.into())), || {
                    format!("{x:e}, {y:e}: {result:e}")
                });
            }
            worst
        })
        .collect();
    check(&all);
}
