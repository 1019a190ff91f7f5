//! erf, Γ and angles in half turns, to more bits than two `f64`s have.

use crate::error::Real;

/// Enough for what cancels.
const BITS: usize = 256;

fn wide(x: f64) -> Real {
    Real::try_from(x)
        .expect("a finite number")
        .with_precision(BITS)
        .value()
}

fn pi() -> Real {
    wide(1.0).atan() << 2
}

/// Whether adding `term` changes nothing any more.
fn is_negligible(term: &Real, sum: &Real) -> bool {
    let size = |x: &Real| x.repr().exponent() + x.repr().digits() as isize;
    *term == Real::ZERO || size(term) < size(sum) - BITS as isize
}

/// The series of erf, of which all terms are positive.
fn erf_series(x: &Real) -> Real {
    let square = x * x;
    let twice = square.clone() << 1;
    let (mut term, mut sum, mut n) = (x.clone(), x.clone(), 1.0);
    while !is_negligible(&term, &sum) {
        n += 2.0;
        term = term * &twice / wide(n);
        sum += &term;
    }
    (sum << 1) / pi().sqrt() * (-square).exp()
}

/// The continued fraction of erfc for x ≥ 2.
fn erfc_fraction(x: &Real) -> Real {
    let mut rest = x.clone();
    for n in (1..1200).rev() {
        rest = x + wide(f64::from(n) / 2.0) / rest;
    }
    (-(x * x)).exp() / (rest * pi().sqrt())
}

pub(crate) fn erf(x: f64) -> Real {
    if x.abs() > 10.0 {
        return wide(x.signum());
    }
    erf_series(&wide(x))
}

pub(crate) fn erfc(x: f64) -> Real {
    if x < -10.0 {
        return wide(2.0);
    }
    if x >= 2.0 {
        return erfc_fraction(&wide(x));
    }
    wide(1.0) - erf_series(&wide(x))
}

/// B_2k / (2k (2k − 1)) for k from 1 on.
fn stirling() -> &'static [Real] {
    static ALL: std::sync::OnceLock<Vec<Real>> = std::sync::OnceLock::new();
    ALL.get_or_init(|| {
        let bits = |x: f64| {
            Real::try_from(x)
                .expect("a finite number")
                .with_precision(1000)
                .value()
        };
        let mut bernoulli = vec![bits(1.0)];
        for m in 1..=80usize {
            // Σ C(m + 1, k) B_k over k ≤ m is 0.
            let (mut sum, mut binomial) = (bits(0.0), bits(1.0));
            for (k, b) in bernoulli.iter().enumerate() {
                sum += &binomial * b;
                binomial = binomial * bits((m + 1 - k) as f64) / bits((k + 1) as f64);
            }
            bernoulli.push(-sum / bits((m + 1) as f64));
        }
        (1..=40)
            .map(|k| &bernoulli[2 * k] / bits((2 * k * (2 * k - 1)) as f64))
            .collect()
    })
}

/// ln |Γ(x)|, and whether Γ(x) is negative.
fn ln_gamma_and_sign(x: f64) -> (Real, bool) {
    // Up to 64 and more, where the series is good to more than 256 bits.
    let mut z = wide(x);
    let mut product = wide(1.0);
    for _ in 0..(65.0 - x.floor()).max(0.0) as usize {
        product *= &z;
        z += wide(1.0);
    }
    let inverse = wide(1.0) / &z;
    let square = &inverse * &inverse;
    let mut power = inverse;
    let mut series = wide(0.0);
    for term in stirling() {
        series += (term * &power).with_precision(BITS).value();
        power *= &square;
    }
    let half = wide(0.5);
    let ln = (&z - &half) * z.ln() - &z + (pi() << 1).ln() * half + series;
    let negative = product < Real::ZERO;
    let size = if negative { -product } else { product };
    (ln - size.ln(), negative)
}

pub(crate) fn ln_gamma(x: f64) -> Real {
    ln_gamma_and_sign(x).0
}

pub(crate) fn gamma(x: f64) -> Real {
    let (ln, negative) = ln_gamma_and_sign(x);
    let size = ln.exp();
    if negative { -size } else { size }
}

pub(crate) fn sinpi(x: f64) -> Real {
    // The remainder is exact.
    (wide(x % 2.0) * pi()).sin()
}

pub(crate) fn cospi(x: f64) -> Real {
    (wide(x % 2.0) * pi()).cos()
}
