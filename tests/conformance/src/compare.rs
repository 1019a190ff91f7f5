//! Whether a result is right.

use crate::case::Outcome;
use crate::elements::GUARDS;
use crate::samples::Value;
use gridfn::{bf16, f16};
use std::fmt::Debug;

/// How close a result must be to the expected one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Within {
    /// The same bits; any NaN is as good as another.
    Bits,
    /// The same bits, but 0 is as good as -0: from `min` and `max` the sign of a zero is not promised.
    AnyZero,
    /// As many units in the last place, in floats; OpenCL's table of functions counts so.
    Ulps(u32),
}

/// Values that can be compared.
pub(crate) trait Compare: Copy + Debug {
    /// Whether `self` is as close to `expected` as it must be.
    fn is(self, expected: Self, within: Within) -> bool;
}

macro_rules! equal {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, _: Within) -> bool {
                self == expected
            }
        }
    )*};
}
equal! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! floats {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, within: Within) -> bool {
                if self.is_nan() || expected.is_nan() {
                    return self.is_nan() && expected.is_nan();
                }
                match within {
                    Within::Bits => self.to_bits() == expected.to_bits(),
                    Within::AnyZero => self == expected,
                    Within::Ulps(most) => {
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
            }
        }
    )*};
}
floats! { f32 f64 }

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Compare for $t {
            fn is(self, expected: $t, _: Within) -> bool {
                if self.is_nan() || expected.is_nan() {
                    return self.is_nan() && expected.is_nan();
                }
                self.to_bits() == expected.to_bits()
            }
        }
    )*};
}
halves! { f16 bf16 }

/// Compares a column of results with what is expected, and that what stands behind them is untouched.
pub(crate) fn column<R: Debug, T: Value>(
    name: &str,
    rows: &[R],
    found: &[T],
    expected: impl Fn(&R) -> T,
    within: Within,
) -> Outcome {
    let wrong: Vec<_> = rows
        .iter()
        .zip(found)
        .enumerate()
        .map(|(n, (row, found))| (n, row, *found, expected(row)))
        .filter(|(_, _, found, expected)| !found.is(*expected, within))
        .collect();
    if let Some((n, row, found, expected)) = wrong.first() {
        let (count, all) = (wrong.len(), rows.len());
        return Err(format!(
            "`{name}` of {row:?} (item {n}): expected {expected:?}, found {found:?}; wrong in {count} of {all} items"
        )
        .into());
    }
    let guards = found.get(rows.len()..).unwrap_or_default();
    if guards.len() != GUARDS || guards.iter().any(|guard| !guard.is(T::GUARD, Within::Bits)) {
        return Err(format!("`{name}`: an item outside the grid wrote: {guards:?}").into());
    }
    Ok(())
}
