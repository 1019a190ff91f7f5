//! What is a matter of cases (zeros, infinities, NaN, signs, the ends of the range) is so as in the standard library.

use gridfn_math::{exponential::*, hyperbolic::*, inverse::*, logarithm::*, power::*, trigonometric::*};

const OPERANDS: [f64; 31] = [
    0.0,
    5e-324,
    1e-310,
    f64::MIN_POSITIVE,
    1e-45,
    1e-40,
    1.1754943508222875e-38,
    1e-20,
    1e-8,
    0.25,
    0.5,
    1.0 - f64::EPSILON / 2.0,
    1.0,
    1.0 + f64::EPSILON,
    1.5,
    2.0,
    3.0,
    4.0,
    22.0,
    127.0,
    1023.5,
    8388607.0,
    16777217.0,
    9007199254740991.0,
    9007199254740992.0,
    1e30,
    3.4028234663852886e38,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

fn operands() -> impl Iterator<Item = f64> + Clone {
    OPERANDS.into_iter().flat_map(|x| [x, -x])
}

/// Whether a result is the standard library's, or near it where it is an ordinary number: that library's `atanh` is some
/// percent off near −1, and how far off we are is another test's.
macro_rules! same {
    ($ours:expr, $std:expr) => {{
        let (ours, std) = ($ours, $std);
        let close = ours.is_finite()
            && std.is_finite()
            && std != 0.0
            && ours.is_sign_positive() == std.is_sign_positive()
            && (ours - std).abs() <= std.abs() / 32.0;
        ours.to_bits() == std.to_bits() || (ours.is_nan() && std.is_nan()) || close
    }};
}

/// The test of the functions of one operand.
macro_rules! one {
    ($($name:ident $single:ident $double:ident;)*) => {
        #[test]
        fn of_one_operand() {
            // The standard library's `asinh` and `acosh` overflow there.
            for x in operands().filter(|x| x.abs() != f64::MAX) {
                $(
                    let (name, narrow) = (stringify!($name), x as f32);
                    let (ours, std) = ($double(x), x.$name());
                    assert!(same!(ours, std), "{name} of {x:e}f64: {ours:e}, not {std:e}");
                    let (ours, std) = ($single(narrow), f64::from(narrow).$name() as f32);
                    assert!(same!(ours, std), "{name} of {narrow:e}f32: {ours:e}, not {std:e}");
                )*
            }
        }
    };
}

one! {
    exp exp_f32 exp_f64;
    exp2 exp2_f32 exp2_f64;
    exp_m1 exp_m1_f32 exp_m1_f64;
    ln ln_f32 ln_f64;
    log2 log2_f32 log2_f64;
    log10 log10_f32 log10_f64;
    ln_1p ln_1p_f32 ln_1p_f64;
    sin sin_f32 sin_f64;
    cos cos_f32 cos_f64;
    tan tan_f32 tan_f64;
    asin asin_f32 asin_f64;
    acos acos_f32 acos_f64;
    atan atan_f32 atan_f64;
    sinh sinh_f32 sinh_f64;
    cosh cosh_f32 cosh_f64;
    tanh tanh_f32 tanh_f64;
    asinh asinh_f32 asinh_f64;
    acosh acosh_f32 acosh_f64;
    atanh atanh_f32 atanh_f64;
    cbrt cbrt_f32 cbrt_f64;
}

/// The test of the functions of two operands.
macro_rules! two {
    ($($name:ident $single:ident $double:ident;)*) => {
        #[test]
        fn of_two_operands() {
            for (x, y) in operands().flat_map(|x| operands().map(move |y| (x, y))) {
                $(
                    let name = stringify!($name);
                    let (ours, std) = ($double(x, y), x.$name(y));
                    assert!(same!(ours, std), "{name} of {x:e}, {y:e}: {ours:e}, not {std:e}");
                    let (a, b) = (x as f32, y as f32);
                    let (ours, std) = ($single(a, b), f64::from(a).$name(b.into()) as f32);
                    assert!(same!(ours, std), "{name} of {a:e}f32, {b:e}f32: {ours:e}, not {std:e}");
                )*
            }
        }
    };
}

two! {
    powf powf_f32 powf_f64;
    atan2 atan2_f32 atan2_f64;
    hypot hypot_f32 hypot_f64;
}

#[test]
fn powers_that_are_exact() {
    for n in -1074..=1023 {
        let power = exp2_f64(f64::from(n));
        assert_eq!(log2_f64(power), f64::from(n));
        assert_eq!(powf_f64(2.0, f64::from(n)), power);
        if n % 3 == 0 {
            assert_eq!(cbrt_f64(power), exp2_f64(f64::from(n / 3)), "cube root of 2^{n}");
        }
    }
    for n in 0..=22 {
        assert_eq!(log10_f64(10f64.powi(n)), f64::from(n));
    }
    for n in -149..=127 {
        assert_eq!(log2_f32(exp2_f32(n as f32)), n as f32);
    }
    for n in 1..2000 {
        let n = f64::from(n);
        assert_eq!(cbrt_f64(n * n * n), n);
        assert_eq!(hypot_f64(3.0 * n, 4.0 * n), 5.0 * n);
        assert_eq!(powf_f64(n, 3.0), n * n * n);
    }
}
