//! The errors of the functions of `DeviceMath`, as `accuracy` has those of the others, and their cases.

#[path = "support/error.rs"]
mod error;
#[path = "support/exact.rs"]
mod exact;
#[allow(dead_code, reason = "what the tests of the other functions need")]
mod support;

use error::*;
use gridfn_math::DeviceMath;
use support::Random;

struct Function {
    name: &'static str,
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
    exact: fn(f64) -> Real,
    domain: fn(f64) -> bool,
    /// Of the two types.
    bounds: [f64; 2],
}

macro_rules! function {
    ($name:ident, $exact:expr, $domain:expr, $bounds:expr) => {
        Function {
            name: stringify!($name),
            single: DeviceMath::$name,
            double: DeviceMath::$name,
            exact: $exact,
            domain: $domain,
            bounds: $bounds,
        }
    };
}

static FUNCTIONS: &[Function] = &[
    function!(erf, exact::erf, |x| x != 0.0, [0.9, 0.9]),
    function!(erfc, exact::erfc, |x| x < 50.0, [3.0, 3.0]),
    function!(
        tgamma,
        exact::gamma,
        |x| x.trunc() != x && x > -400.0 || x > 0.0 && x < 200.0,
        [1.0, 1.0]
    ),
    function!(
        lgamma,
        exact::ln_gamma,
        |x| x > 0.0 && x < 1e300 && x != 1.0 && x != 2.0,
        [0.51, 4.0]
    ),
    function!(rsqrt, |x| real(1.0) / real(x).sqrt(), |x| x > 0.0, [0.51, 0.51]),
    function!(sinpi, exact::sinpi, |x| (x % 1.0) != 0.0, [0.76, 0.76]),
    function!(
        cospi,
        exact::cospi,
        |x| ((x.abs() - 0.5) % 1.0) != 0.0,
        [0.76, 0.76]
    ),
    function!(
        exp10,
        |x| (real(x) * ln(10.0)).exp(),
        |x| x.abs() < 700.0,
        [0.76, 0.76]
    ),
];

/// An operand: one of `accuracy`'s, or one of the scale at which these functions are interesting.
fn operand(random: &mut Random) -> f64 {
    match random.bits() % 4 {
        0 => random.operand(),
        1 => random.between(-30.0, 30.0),
        2 => random.between(-3.0, 3.0),
        _ => random.between(-200.0, 330.0),
    }
}

#[test]
fn errors_of_f64() {
    let n = samples(400);
    let all: Vec<_> = FUNCTIONS
        .iter()
        .map(|f| {
            let mut worst = Worst::new(f.name, f.bounds[1]);
            let mut random = Random::new(11);
            for _ in 0..n {
                let x = operand(&mut random);
                if (f.domain)(x) {
                    let result = (f.double)(x);
                    worst.see(error_f64(result, &(f.exact)(x)), || format!("{x:e}: {result:e}"));
                }
            }
            worst
        })
        .collect();
    check(&all);
}

#[test]
fn errors_of_f32() {
    let n = samples(400);
    let all: Vec<_> = FUNCTIONS
        .iter()
        .map(|f| {
            let mut worst = Worst::new(f.name, f.bounds[0]);
            let mut random = Random::new(12);
            for n in 0..n {
                let x = match n % 2 {
                    0 => random.operand_f32(),
                    _ => operand(&mut random) as f32,
                };
                if x.is_finite() && (f.domain)(x.into()) {
                    let (result, exact) = ((f.single)(x), (f.exact)(x.into()).to_f64().value());
                    worst.see(error_f32(result, exact), || format!("{x:e}: {result:e}"));
                }
            }
            worst
        })
        .collect();
    check(&all);
}

/// Of negative numbers ln |Γ| has zeros, near which the error is small beside ln Γ(−x).
#[test]
fn errors_of_lgamma_of_negative_numbers() {
    let mut worst = Worst::new("lgamma", 9.0);
    let mut random = Random::new(13);
    for n in 0..samples(400) {
        let x = -match n % 3 {
            0 => random.between(0.0, 6.0),
            1 => random.between(0.0, 200.0),
            _ => random.scale(-300.0, 9.0),
        };
        if x.trunc() != x {
            let result = x.lgamma();
            let exact = exact::ln_gamma(x);
            let beside = result.abs().max((-x).lgamma().abs());
            let unit = beside - f64::from_bits(beside.to_bits() - 1);
            let error = (real(result) - exact).to_f64().value().abs() / unit;
            worst.see(error, || format!("{x:e}: {result:e}"));
        }
    }
    check(&[worst]);
}

#[test]
fn ldexp_is_rounded_once() {
    let mut random = Random::new(14);
    for _ in 0..samples(20_000) {
        let (x, n) = (random.operand(), random.between(-2200.0, 2200.0) as i32);
        let exact = real(x) << n as isize;
        assert!(error_f64(x.ldexp(n), &exact) <= 0.5, "{x:e}, {n}");
        let (x, n) = (random.operand_f32(), n / 7);
        let exact = f64::from(x) * f64::from(n).exp2();
        assert_eq!(x.ldexp(n), exact as f32, "{x:e}, {n}");
    }
    for n in [i32::MIN, i32::MAX] {
        assert_eq!(1f64.ldexp(n), if n < 0 { 0.0 } else { f64::INFINITY });
        assert_eq!((-1f32).ldexp(n), if n < 0 { -0.0 } else { f32::NEG_INFINITY });
        assert_eq!((-0f64).ldexp(n).to_bits(), (-0f64).to_bits());
    }
    // From the smallest number to the largest power of two, and back.
    assert_eq!(5e-324f64.ldexp(2097), 2f64.powi(1023));
    assert_eq!(1f64.ldexp(-1075), 0.0);
    assert_eq!(1.5f64.ldexp(-1075), 5e-324);
    assert_eq!(1f32.ldexp(-150), 0.0);
}

#[test]
fn frexp_takes_numbers_apart() {
    let mut random = Random::new(15);
    for _ in 0..samples(20_000) {
        let x = random.operand();
        let (fraction, exponent) = x.frexp();
        assert!(
            x == 0.0 || !x.is_finite() || (0.5..1.0).contains(&fraction.abs()),
            "{x:e}"
        );
        assert_eq!(fraction.ldexp(exponent).to_bits(), x.to_bits(), "{x:e}");
        let x = random.operand_f32();
        let (fraction, exponent) = x.frexp();
        assert!(
            x == 0.0 || !x.is_finite() || (0.5..1.0).contains(&fraction.abs()),
            "{x:e}"
        );
        assert_eq!(fraction.ldexp(exponent).to_bits(), x.to_bits(), "{x:e}");
    }
    assert_eq!(1f64.frexp(), (0.5, 1));
    assert_eq!(f64::MAX.frexp().1, 1024);
    assert_eq!(5e-324f64.frexp(), (0.5, -1073));
    assert_eq!(1e-45f32.frexp(), (0.5, -148));
    assert_eq!(f32::NEG_INFINITY.frexp(), (f32::NEG_INFINITY, 0));
    assert_eq!((-0f64).frexp().0.to_bits(), (-0f64).to_bits());
    assert!(f32::NAN.frexp().0.is_nan());
}

macro_rules! cases {
    ($t:ident) => {{
        const INFINITY: $t = $t::INFINITY;
        let same = |name: &str, x: $t, found: $t, expected: $t| {
            let right = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(right, "{name} of {x:e}: {found:e}, not {expected:e}");
        };
        macro_rules! check {
            ($name:ident: $x:expr => $expected:expr) => {
                same(stringify!($name), $x, DeviceMath::$name($x), $expected)
            };
        }
        check!(erf: 0.0 => 0.0);
        check!(erf: -0.0 => -0.0);
        check!(erf: INFINITY => 1.0);
        check!(erf: -INFINITY => -1.0);
        check!(erf: 1e30 => 1.0);
        check!(erf: $t::NAN => $t::NAN);
        check!(erfc: 0.0 => 1.0);
        check!(erfc: -0.0 => 1.0);
        check!(erfc: INFINITY => 0.0);
        check!(erfc: -INFINITY => 2.0);
        check!(erfc: 1e-30 => 1.0);
        check!(erfc: 1e30 => 0.0);
        check!(erfc: $t::NAN => $t::NAN);
        check!(tgamma: 0.0 => INFINITY);
        check!(tgamma: -0.0 => -INFINITY);
        check!(tgamma: -1.0 => $t::NAN);
        check!(tgamma: -1e30 => $t::NAN);
        check!(tgamma: INFINITY => INFINITY);
        check!(tgamma: -INFINITY => $t::NAN);
        check!(tgamma: $t::NAN => $t::NAN);
        check!(tgamma: 1000.5 => INFINITY);
        check!(tgamma: -1000.5 => -0.0);
        check!(tgamma: -999.5 => 0.0);
        let mut factorial = 1.0;
        for n in 0..18 {
            check!(tgamma: n as $t + 1.0 => factorial as $t);
            factorial *= n as f64 + 1.0;
        }
        check!(lgamma: 1.0 => 0.0);
        check!(lgamma: 2.0 => 0.0);
        check!(lgamma: 0.0 => INFINITY);
        check!(lgamma: -0.0 => INFINITY);
        check!(lgamma: -3.0 => INFINITY);
        check!(lgamma: -1e30 => INFINITY);
        check!(lgamma: INFINITY => INFINITY);
        check!(lgamma: -INFINITY => INFINITY);
        check!(lgamma: $t::MAX => INFINITY);
        check!(lgamma: $t::NAN => $t::NAN);
        check!(rsqrt: 0.0 => INFINITY);
        check!(rsqrt: -0.0 => -INFINITY);
        check!(rsqrt: INFINITY => 0.0);
        check!(rsqrt: -1.0 => $t::NAN);
        check!(rsqrt: $t::NAN => $t::NAN);
        check!(rsqrt: 0.25 => 2.0);
        for whole in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 1e30, $t::MAX] {
            check!(sinpi: whole => 0.0);
            check!(sinpi: -whole => -0.0);
            let even = whole % 2.0 == 0.0;
            check!(cospi: whole => if even { 1.0 } else { -1.0 });
            check!(cospi: -whole => if even { 1.0 } else { -1.0 });
        }
        for half in [0.5, 1.5, 2.5, 3.5, 1000.5, 1001.5] {
            let sine = if half % 2.0 == 0.5 { 1.0 } else { -1.0 };
            check!(sinpi: half => sine);
            check!(sinpi: -half => -sine);
            check!(cospi: half => 0.0);
            check!(cospi: -half => 0.0);
        }
        check!(sinpi: INFINITY => $t::NAN);
        check!(cospi: -INFINITY => $t::NAN);
        check!(sinpi: $t::NAN => $t::NAN);
        check!(cospi: $t::NAN => $t::NAN);
        for n in 0..=10 {
            check!(exp10: n as $t => (10 as $t).powi(n));
        }
        check!(exp10: 400.0 => INFINITY);
        check!(exp10: -400.0 => 0.0);
        check!(exp10: INFINITY => INFINITY);
        check!(exp10: -INFINITY => 0.0);
        check!(exp10: $t::NAN => $t::NAN);
    }};
}

#[test]
#[allow(clippy::excessive_precision)]
fn cases_of_f64() {
    cases!(f64);
}

#[test]
fn cases_of_f32() {
    cases!(f32);
}
