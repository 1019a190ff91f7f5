//! Whether results are right.

use gridfn::{bf16, f16};
use std::fmt::Debug;

/// Values that can be compared.
pub trait Compare: Copy + Debug {
    /// Whether it is what was expected: the same bits, any NaN for a NaN; or that many units in the last place off.
    fn is(self, expected: Self, ulps: Option<u32>) -> bool;
}

macro_rules! equal {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, _: Option<u32>) -> bool {
                self == expected
            }
        }
    )*};
}
equal! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, ulps: Option<u32>) -> bool {
                if self.to_bits() == expected.to_bits() || self.is_nan() && expected.is_nan() {
                    return true;
                }
                let Some(most) = ulps else { return false };
                // A result below the normal numbers may be flushed to zero.
                if self == expected || self == 0.0 && expected.is_subnormal() {
                    return true;
                }
                // Where the result leaves the range, rounding decides whether it is still in it.
                let [a, b] = [self, expected].map(|x| x.clamp($t::MIN, $t::MAX));
                let large = a.abs().max(b.abs());
                let ulp = (large - $t::from_bits(large.to_bits() - 1)).max($t::from_bits(1));
                // The expected value is itself rounded.
                (a - b).abs() <= (most as $t + 1.0) * ulp
            }
        }
    )*};
}
floats! { f32 f64 }

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, _: Option<u32>) -> bool {
                self.to_bits() == expected.to_bits() || self.is_nan() && expected.is_nan()
            }
        }
    )*};
}
halves! { f16 bf16 }

macro_rules! tuples {
    ($($t:ident $n:tt)*) => {
        impl<$($t: Compare),*> Compare for ($($t,)*) {
            fn is(self, _expected: Self, _ulps: Option<u32>) -> bool {
                true $(&& self.$n.is(_expected.$n, _ulps))*
            }
        }
    };
}
tuples! {}
tuples! { A 0 }
tuples! { A 0 B 1 }
tuples! { A 0 B 1 C 2 }
tuples! { A 0 B 1 C 2 D 3 E 4 }

impl<T: Compare, const N: usize> Compare for [T; N] {
    fn is(self, expected: Self, ulps: Option<u32>) -> bool {
        self.into_iter().zip(expected).all(|(a, b)| a.is(b, ulps))
    }
}

/// What is wrong with an output, if anything.
pub fn differs<T: Compare>(name: &str, expected: &[T], found: &[T], ulps: Option<u32>) -> Option<String> {
    let mut wrong = (0..expected.len()).filter(|n| !found[*n].is(expected[*n], ulps));
    let first = wrong.next()?;
    let more = wrong.count();
    let (expected, found) = (expected[first], found[first]);
    Some(format!(
        "`{name}[{first}]`: expected {expected:?}, found {found:?} ({more} more are wrong)"
    ))
}
