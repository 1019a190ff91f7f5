//! `DeviceMath`: functions of floats that the standard library lacks, as methods.

#![allow(
    non_snake_case,
    reason = "twins are named after methods, with `__device` behind"
)]

use crate::error_function::*;
use crate::exponential::*;
use crate::gamma::*;
use crate::half_turns::*;
use crate::power::*;
use crate::scaling::*;
use gridfn::__private::HasLink;
use gridfn::Float;

/// Declares the trait. A method's twin gives the marker of the device function that the method calls, so that lowering
/// inlines it, for every code form.
macro_rules! device_math {
    ($($(#[$doc:meta])* $name:ident $twin:ident ($($arg:ident: $ty:ty)?) $single:ident $double:ident -> $result:ty;)*) => {
        /// Functions of `f32` and `f64` that the standard library lacks, on the host and in kernels.
        ///
        /// Each is one function of ours, built from exactly rounded operations, so it gives the same bits everywhere.
        ///
        /// | | largest error, `f32` | `f64`, in units of the last place |
        /// |---|---|---|
        /// | `erf` | 0.9 | 0.9 |
        /// | `erfc` | 3 | 3 |
        /// | `tgamma` | 1 | 1 |
        /// | `lgamma` | 0.51 | 4; of negative numbers 9, beside ln Γ(−x) |
        /// | `rsqrt` | 0.51 | 0.51 |
        /// | `sinpi`, `cospi` | 0.76 | 0.76 |
        /// | `exp10` | 0.76 | 0.76 |
        /// | `ldexp` | 0.5 | 0.5 |
        /// | `frexp` | 0 | 0 |
        ///
        /// The standard library has unstable methods `erf` and `erfc`, of which rustc warns where these are called
        /// outside kernels: `#![allow(unstable_name_collisions)]` tells it that they are meant.
        ///
        /// ```
        /// use gridfn_math::DeviceMath;
        ///
        /// assert_eq!(5f64.tgamma(), 24.0);
        /// assert_eq!(3f32.exp10(), 1000.0);
        /// assert_eq!(0.5f32.cospi(), 0.0);
        /// assert_eq!(3f64.ldexp(-1), 1.5);
        /// assert_eq!(6f32.frexp(), (0.75, 3));
        /// ```
        pub trait DeviceMath: Float {
            $(
                $(#[$doc])*
                fn $name(self $(, $arg: $ty)?) -> $result;
                #[doc(hidden)]
                fn $twin(&self) -> impl HasLink + use<Self>;
            )*
        }
        device_math!(@implement f32 $($name $twin ($($arg: $ty)?) $single -> $result;)*);
        device_math!(@implement f64 $($name $twin ($($arg: $ty)?) $double -> $result;)*);

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
    (@implement $float:ident $($name:ident $twin:ident ($($arg:ident: $ty:ty)?) $function:ident -> $result:ty;)*) => {
        impl DeviceMath for $float {
            $(
                #[inline]
                fn $name(self $(, $arg: $ty)?) -> $result {
                    $function(self $(, $arg)?)
                }
                fn $twin(&self) -> impl HasLink + use<> {
                    $function::__link($function)
                }
            )*
        }
    };
}
device_math! {
    /// The error function: 2/√π times the integral of e^(−t²) from 0 to `self`.
    erf erf__device () erf_f32 erf_f64 -> Self;
    /// 1 less the error function, to full precision where that is near 1.
    erfc erfc__device () erfc_f32 erfc_f64 -> Self;
    /// The gamma function: `(n + 1.0).tgamma()` is n!. A negative integer gives NaN, a zero the infinity of its sign.
    tgamma tgamma__device () tgamma_f32 tgamma_f64 -> Self;
    /// The natural logarithm of the absolute value of the gamma function. For `f32` it is computed in `f64`, which the
    /// device must have.
    lgamma lgamma__device () lgamma_f32 lgamma_f64 -> Self;
    /// 1 over the square root.
    rsqrt rsqrt__device () rsqrt_f32 rsqrt_f64 -> Self;
    /// The sine of π times `self`, exact where that is 0, 1 or −1.
    sinpi sinpi__device () sinpi_f32 sinpi_f64 -> Self;
    /// The cosine of π times `self`, exact where that is 0, 1 or −1.
    cospi cospi__device () cospi_f32 cospi_f64 -> Self;
    /// 10 to the power of `self`, exact where that is.
    exp10 exp10__device () exp10_f32 exp10_f64 -> Self;
    /// `self` times 2 to the power of `exponent`, rounded once.
    ldexp ldexp__device (exponent: i32) ldexp_f32 ldexp_f64 -> Self;
    /// A number whose magnitude is at least 1/2 and less than 1, and the power of 2 that it is to be multiplied by. A
    /// zero, an infinity and NaN are themselves, with the power 0.
    frexp frexp__device () frexp_f32 frexp_f64 -> (Self, i32);
}

#[cfg(test)]
mod tests {
    #[test]
    fn kernels_know_every_name() {
        assert_eq!(super::NAMES, gridfn_ir::DEVICE_MATH);
    }
}
