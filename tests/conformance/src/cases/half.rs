//! `f16` and `bf16`: what the crate `half` computes.

#![allow(clippy::manual_contains, clippy::op_ref, reason = "odd forms are the point")]

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use crate::elements::{bodies, elements};
use gridfn::prelude::*;
use gridfn::{Device, bf16, f16};

macro_rules! halves {
    ($($t:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;

            pub(super) mod operators {
                use super::*;
                elements! {
                    fn arithmetic(a: $t, b: $t); {
                        sum: $t = a + b, a + b;
                        difference: $t = a - b, a - b;
                        product: $t = a * b, a * b;
                        quotient: $t = a / b, a / b;
                        remainder: $t = a % b, a % b;
                        negated: $t = -a, -a;
                        by_reference: $t = &a + b * &a, &a + b * &a;
                    }
                    fn comparisons(a: $t, b: $t); {
                        eq: bool = a == b, a == b;
                        ne: bool = a != b, a != b;
                        lt: bool = a < b, a < b;
                        le: bool = a <= b, a <= b;
                        gt: bool = a > b, a > b;
                        ge: bool = a >= b, a >= b;
                    }
                    fn in_steps(a: $t, b: $t, c: $t); {
                        rounded_twice: $t = a * b + c, a * b + c;
                        mixed: $t = (a - b) * (c + $t::ONE) / $t::PI, (a - b) * (c + $t::ONE) / $t::PI;
                    }
                }
            }

            pub(super) mod methods {
                use super::*;
                elements! {
                    fn classes(a: $t); {
                        is_nan: bool = a.is_nan(), a.is_nan();
                        is_infinite: bool = a.is_infinite(), a.is_infinite();
                        is_finite: bool = a.is_finite(), a.is_finite();
                        is_normal: bool = a.is_normal(), a.is_normal();
                        is_sign_positive: bool = a.is_sign_positive(), a.is_sign_positive();
                        is_sign_negative: bool = a.is_sign_negative(), a.is_sign_negative();
                        signum: $t = a.signum(), a.signum();
                    }
                    fn choices(a: $t, b: $t); {
                        min: $t = a.min(b), a.min(b);
                        max: $t = a.max(b), a.max(b);
                        copysign: $t = a.copysign(b), a.copysign(b);
                        by_path: $t = $t::max(a, $t::ZERO), $t::max(a, $t::ZERO);
                    }
                    fn clamp(a: $t, b: $t, c: $t) if b <= c; {
                        between: $t = a.clamp(b, c), a.clamp(b, c);
                    }
                    fn conversions(a: $t, b: f32, c: u16); {
                        to_f32: f32 = a.to_f32(), a.to_f32();
                        to_bits: u16 = a.to_bits(), a.to_bits();
                        from_f32: $t = $t::from_f32(b), $t::from_f32(b);
                        from_bits: $t = $t::from_bits(c), $t::from_bits(c);
                        by_path: f32 = $t::to_f32(a), $t::to_f32(a);
                        by_alias: $t = Alias::from_f32(Alias::to_f32(a) * b), $t::from_f32(a.to_f32() * b);
                    }
                    fn to_f64(a: $t, b: f64); {
                        wide: f64 = a.to_f64(), a.to_f64();
                        by_path: f64 = $t::to_f64(a) + b, a.to_f64() + b;
                    }
                }
                type Alias = $t;
            }

            pub(super) mod places {
                use super::*;

                const TABLE: [$t; 5] = [$t::ONE, $t::E, $t::PI, $t::MAX, $t::NEG_INFINITY];

                #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
                struct Pair {
                    first: $t,
                    flag: bool,
                    others: [$t; 3],
                }

                #[device]
                impl Pair {
                    fn sum(self) -> $t {
                        self.first + self.others[0] + self.others[1] + self.others[2]
                    }
                }

                #[device]
                fn lerp(a: $t, b: $t, at: f32) -> $t {
                    $t::from_f32(a.to_f32() + (b.to_f32() - a.to_f32()) * at)
                }

                bodies! {
                    /// Variables, arrays, tables, structs and loops.
                    fn variables(a: $t, b: $t) -> $t {
                        let mut sum = $t::ZERO;
                        let array = [a, b, a + b, -a];
                        for (i, x) in array.iter().enumerate() {
                            sum += *x * TABLE[i];
                            sum -= b;
                        }
                        sum *= a;
                        sum /= b;
                        sum %= $t::MAX;
                        let pair = Pair { first: a, flag: a < b, others: [b, sum, $t::ONE] };
                        let other = Pair { first: b, ..pair };
                        let chosen = if pair.flag { pair } else { other };
                        let r = &mut sum;
                        *r = *r + chosen.sum();
                        match (a.is_nan(), b > a) {
                            (true, _) => $t::ONE,
                            (_, true) => sum,
                            _ => lerp(sum, a, 0.25),
                        }
                    }
                    /// A sum and a product are rounded once.
                    fn folds(a: $t, b: $t) -> $t {
                        let array = [a, b, $t::ONE, $t::EPSILON, $t::from_f32(0.1), a, b];
                        let sum: $t = array.iter().sum();
                        let product: $t = array.iter().skip(2).take(3).copied().product();
                        let stepwise = array.iter().fold($t::ZERO, |s, x| s + *x);
                        let found = if array.contains(&$t::ZERO) { $t::ONE } else { $t::ZERO };
                        sum + product * stepwise + found
                    }
                }

                #[kernel]
                fn axpy<T: Scalar>(a: T, x: &[T], y: &mut [T]) {
                    let i = global_id(0);
                    y[i] += a * x[i] + T::ONE;
                }

                #[kernel]
                fn pairs(scale: $t, extra: [$t; 2], x: &[Pair], y: &mut [Pair]) {
                    let i = global_id(0);
                    let mut pair = x[i];
                    pair.first = pair.sum() * scale;
                    pair.others[1] = extra[i % 2];
                    y[i] = pair;
                    y[i].others[2] += $t::ONE;
                }

                pub(in super::super) fn whole(device: &Device) -> Outcome {
                    let queue = device.queue()?;
                    let numbers: Vec<$t> = (0..100).map(|n| $t::from_f32(n as f32 * 0.37 - 11.0)).collect();
                    let a = $t::from_f32(0.3);
                    let x = queue.upload(&numbers)?;
                    let mut y = queue.zeros::<$t>(100)?;
                    launch!(queue, axpy(a, &x, &mut y), global = 100)?;
                    launch!(queue, |i| y[i] = y[i] * a - x[i], global = 100)?;
                    let expected: Vec<$t> = numbers.iter().map(|x| ($t::ZERO + (a * *x + $t::ONE)) * a - *x).collect();
                    check_eq!(queue.download(&y)?, expected);

                    let pair = |n: usize| Pair {
                        first: numbers[n],
                        flag: n % 3 == 0,
                        others: [numbers[n + 1], numbers[n + 2], numbers[n + 3]],
                    };
                    let values: Vec<Pair> = (0..90).map(pair).collect();
                    let (x, mut y) = (queue.upload(&values)?, queue.upload(&values)?);
                    let extra = [$t::E, $t::MIN_POSITIVE_SUBNORMAL];
                    launch!(queue, pairs(a, extra, &x, &mut y), global = 90)?;
                    let expected = values.iter().enumerate().map(|(n, pair)| {
                        let [first, _, third] = pair.others;
                        Pair { first: pair.sum() * a, flag: pair.flag, others: [first, extra[n % 2], third + $t::ONE] }
                    });
                    check_eq!(queue.download(&y)?, expected.collect::<Vec<_>>());
                    Ok(())
                }
            }

            #[kernel]
            fn widen(x: &[u16], y: &mut [f32]) {
                let i = global_id(0);
                y[i] = $t::from_bits(x[i]).to_f32();
            }

            #[kernel]
            fn narrow(x: &[f32], y: &mut [$t]) {
                let i = global_id(0);
                y[i] = $t::from_f32(x[i]);
            }

            /// Every number to `f32`; and to it what lies between each two neighbours, where rounding decides.
            pub(super) fn every_number(device: &Device) -> Outcome {
                let queue = device.queue()?;
                let all: Vec<u16> = (0..=u16::MAX).collect();
                let x = queue.upload(&all)?;
                let mut y = queue.zeros::<f32>(all.len())?;
                launch!(queue, widen(&x, &mut y), global = all.len())?;
                for (bits, found) in all.iter().zip(queue.download(&y)?) {
                    let expected = $t::from_bits(*bits).to_f32();
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    check_eq!(same, true, "{bits:#06x}: {found:?}, not {expected:?}");
                }
                let between = all.iter().filter(|bits| **bits & 0x7FFF < $t::INFINITY.to_bits()).flat_map(|bits| {
                    let [low, high] = [*bits, bits + 1].map(|bits| $t::from_bits(bits).to_f32());
                    // The infinity stands where the next number would.
                    let high = if high.is_infinite() { low + (low - $t::from_bits(bits - 1).to_f32()) } else { high };
                    let middle = low + (high - low) / 2.0;
                    [low, middle.next_down(), middle, middle.next_up()]
                });
                let between: Vec<f32> = between.chain([f32::INFINITY, f32::MAX, f32::MIN, f32::NAN, 1e-30]).collect();
                let x = queue.upload(&between)?;
                let mut y = queue.zeros::<$t>(between.len())?;
                launch!(queue, narrow(&x, &mut y), global = between.len())?;
                for (x, found) in between.iter().zip(queue.download(&y)?) {
                    let expected = $t::from_f32(*x);
                    let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                    check_eq!(same, true, "{x:?}: {found:?}, not {expected:?}");
                }
                Ok(())
            }

            pub(super) fn add_to(suite: &mut Suite) {
                operators::add_to(suite);
                methods::add_to(suite);
                places::add_to(suite);
                suite.case(case_path!("whole"), &[], places::whole);
                suite.case(case_path!("every_number"), &[], every_number);
            }
        }
    )*};
}
halves! { f16 in of_f16; bf16 in of_bf16; }

#[kernel]
fn clamp_between(x: &mut [f16], min: f16, max: f16) {
    let i = global_id(0);
    x[i] = x[i].clamp(min, max);
}

#[kernel]
fn asserted(x: &mut [f16], most: bf16) {
    let i = global_id(0);
    assert!(x[i].to_f32() < most.to_f32(), "{} of {most:?}", x[i]);
}

/// Messages show them.
fn words(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut x = queue.upload(&[f16::from_f32(-1.5), f16::from_f32(3.25)])?;
    launch!(queue, asserted(&mut x, bf16::from_f32(2.5)), global = 2)?;
    let message = queue.synchronize().map_err(|error| error.to_string());
    let told = message.as_ref().is_err_and(|m| m.contains("3.25 of 2.5"));
    check_eq!(told, true, "{message:?}");
    Ok(())
}

/// Bounds in the wrong order are a fault, in the words of the crate `half`.
fn fault(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut x = queue.zeros::<f16>(1)?;
    launch!(queue, clamp_between(&mut x, f16::ONE, f16::NEG_ONE), global = 1)?;
    let message = queue.synchronize().map_err(|error| error.to_string());
    let told = message
        .as_ref()
        .is_err_and(|m| m.contains("assertion failed: min <= max"));
    check_eq!(told, true, "{message:?}");
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    of_f16::add_to(suite);
    of_bf16::add_to(suite);
    let needs: &[Need] = &[];
    suite.case(case_path!("fault"), needs, fault);
    suite.case(case_path!("words"), needs, words);
}
