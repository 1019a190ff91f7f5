//! `DeviceMath`: functions of ours, whose every bit is the host's.

#![allow(unstable_name_collisions, reason = "std's own `erf` and `erfc` are unstable")]

use crate::case::Suite;
use crate::elements::elements;
use gridfn::prelude::*;

macro_rules! floats {
    ($($t:ident in $module:ident;)*) => {$(
        mod $module {
            use super::*;
            elements! {
                fn error_functions(a: $t); {
                    erf: $t = a.erf(), a.erf();
                    erfc: $t = a.erfc(), a.erfc();
                    by_path: $t = $t::erf(a - 1.0), (a - 1.0).erf();
                }
                fn gamma_functions(a: $t); {
                    tgamma: $t = a.tgamma(), a.tgamma();
                    scaled: $t = (a * 2.5).tgamma(), (a * 2.5).tgamma();
                    in_a_function: $t = half_of_rsqrt(a), a.rsqrt() * 0.5;
                }
                fn roots_and_powers(a: $t); {
                    rsqrt: $t = a.rsqrt(), a.rsqrt();
                    exp10: $t = a.exp10(), a.exp10();
                }
                fn half_turns(a: $t); {
                    sinpi: $t = a.sinpi(), a.sinpi();
                    cospi: $t = a.cospi(), a.cospi();
                }
                fn ldexp(a: $t, n: i32); {
                    any: $t = a.ldexp(n), a.ldexp(n);
                    near: $t = a.ldexp(n % 200), a.ldexp(n % 200);
                }
                fn frexp(a: $t); {
                    fraction: $t = a.frexp().0, a.frexp().0;
                    exponent: i32 = $t::frexp(a).1, a.frexp().1;
                    back: $t = { let (m, n) = a.frexp(); m.ldexp(n) }, a;
                }
            }
        }
    )*};
}
floats! { f32 in of_f32; f64 in of_f64; }

mod logarithms {
    use super::*;
    elements! {
        fn lgamma(a: f64); {
            any: f64 = a.lgamma(), a.lgamma();
            scaled: f64 = (a * 2.5).lgamma(), (a * 2.5).lgamma();
        }
        fn lgamma_of_f32(a: f32, wide: f64); {
            any: f32 = a.lgamma(), a.lgamma();
            other: f64 = wide, wide;
        }
    }
}

#[device]
fn half_of_rsqrt<T: DeviceMath>(x: T) -> T {
    x.rsqrt() / (T::ONE + T::ONE)
}

pub(super) fn add_to(suite: &mut Suite) {
    of_f32::add_to(suite);
    of_f64::add_to(suite);
    logarithms::add_to(suite);
}
