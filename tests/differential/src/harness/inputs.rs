//! What kernels are fed with: edge values, small ones, and any.

use crate::random::Random;
use gridfn::{bf16, f16};

/// Random inputs.
pub struct Inputs(Random);

impl Inputs {
    /// Those of a seed.
    pub fn new(seed: u64) -> Inputs {
        Inputs(Random::new(!seed))
    }
}

/// A value that can be an argument or an element.
pub trait Value: Copy {
    /// Some value.
    fn any(inputs: &mut Inputs) -> Self;
}

impl Inputs {
    /// That many values. Never inlined: the program of a batch would have it hundreds of times.
    #[inline(never)]
    pub fn many<T: Value>(&mut self, len: usize) -> Vec<T> {
        (0..len).map(|_| T::any(self)).collect()
    }
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Value for $t {
            fn any(Inputs(random): &mut Inputs) -> $t {
                match random.below(4) {
                    0 => {
                        let bits = $t::BITS as $t;
                        *random.pick(&[0, 1, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, bits, bits - 1])
                    }
                    1 => random.below(20) as $t,
                    2 => (0 as $t).wrapping_sub(random.below(20) as $t),
                    _ => (random.bits() as $t) >> random.below($t::BITS as usize),
                }
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl Value for bool {
    fn any(Inputs(random): &mut Inputs) -> bool {
        random.chance(50)
    }
}

macro_rules! floats {
    ($($t:ident $bits:ident)*) => {$(
        impl Value for $t {
            fn any(Inputs(random): &mut Inputs) -> $t {
                let edges = [
                    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, $t::MAX, $t::MIN, $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
                    $t::MIN_POSITIVE, $t::EPSILON, 255.5, 2147483648.0, 4294967296.0, -9223372036854775808.0,
                    18446744073709551616.0,
                ];
                match random.below(4) {
                    0 => *random.pick(&edges),
                    1 => $t::from_bits(random.bits() as $bits),
                    2 => random.below(41) as $t - 20.0,
                    _ => (random.below(1 << 20) as $t - 524288.0) / 1000.0,
                }
            }
        }
    )*};
}
floats! { f32 u32 f64 u64 }

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Value for $t {
            fn any(inputs: &mut Inputs) -> $t {
                let edges = [
                    $t::ZERO, $t::NEG_ZERO, $t::ONE, $t::MAX, $t::MIN, $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
                    $t::MIN_POSITIVE, $t::MIN_POSITIVE_SUBNORMAL, $t::EPSILON, $t::PI,
                ];
                match inputs.0.below(4) {
                    0 => *inputs.0.pick(&edges),
                    1 => $t::from_bits(inputs.0.bits() as u16),
                    _ => $t::from_f32(f32::any(inputs)),
                }
            }
        }
    )*};
}
halves! { f16 bf16 }

impl Value for () {
    fn any(_: &mut Inputs) {}
}

macro_rules! tuples {
    ($($t:ident)*) => {
        impl<$($t: Value),*> Value for ($($t,)*) {
            fn any(inputs: &mut Inputs) -> Self {
                ($($t::any(inputs),)*)
            }
        }
    };
}
tuples! { A }
tuples! { A B }
tuples! { A B C }
tuples! { A B C D E }

impl<T: Value, const N: usize> Value for [T; N] {
    fn any(inputs: &mut Inputs) -> [T; N] {
        [(); N].map(|()| T::any(inputs))
    }
}
