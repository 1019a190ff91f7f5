//! What kernels are fed with: the edge values of each type, and random values with a fixed seed.

use crate::case::Need;
use crate::compare::Compare;
use gridfn::{DeviceCopy, bf16, f16};

/// Random numbers: Steele's SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence that belongs to a name.
    pub(crate) fn of(name: &str) -> Random {
        Random(
            name.bytes()
                .fold(0, |seed, byte| seed * 31 % (1 << 48) + u64::from(byte)),
        )
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

/// A type of kernel values.
pub(crate) trait Value: DeviceCopy + Compare {
    /// What a device must have for it.
    const NEED: Option<Need> = None;
    /// What stands behind the elements that a kernel may write.
    const GUARD: Self;

    /// The values where things go wrong.
    fn edges() -> Vec<Self>;

    /// Any value: small ones and huge ones are about as likely.
    fn random(random: &mut Random) -> Self;
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Value for $t {
            const GUARD: $t = 0x55;
            fn edges() -> Vec<$t> {
                let half = (1 as $t) << ($t::BITS / 2);
                let mut edges = vec![
                    0, 1, 2, 3, 7, 10, 100, $t::BITS as $t - 1, $t::BITS as $t, half, half.wrapping_neg(), $t::MAX,
                    $t::MAX - 1, $t::MIN, $t::MIN + 1, (0 as $t).wrapping_sub(1), (0 as $t).wrapping_sub(2),
                ];
                edges.sort();
                edges.dedup();
                edges
            }
            fn random(random: &mut Random) -> $t {
                let shift = random.below($t::BITS.into());
                (random.bits() as $t) >> shift
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl Value for bool {
    const GUARD: bool = true;
    fn edges() -> Vec<bool> {
        vec![false, true]
    }
    fn random(random: &mut Random) -> bool {
        random.below(2) == 1
    }
}

macro_rules! floats {
    ($($t:ident $bits:ident $need:expr;)*) => {$(
        impl Value for $t {
            const NEED: Option<Need> = $need;
            const GUARD: $t = -777.25;
            fn edges() -> Vec<$t> {
                let next = |x: $t| $t::from_bits(x.to_bits() + 1);
                let positive = [
                    0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 0.1, 1.0 / 3.0, 10.0, 127.5, 255.9, 65535.5, 1e-5, 1e10,
                    next(1.0), $t::EPSILON, $t::MIN_POSITIVE, $t::MIN_POSITIVE * 8.0, $t::MAX, $t::INFINITY,
                    // Where halves and odd numbers end, and where the integer types do.
                    1.0 / $t::EPSILON - 0.5, 1.0 / $t::EPSILON + 1.0, 2147483648.0, 4294967296.0,
                    9223372036854775808.0, 18446744073709551616.0,
                ];
                let negative = positive.map(|x| -x);
                positive.into_iter().chain(negative).chain([$t::NAN]).collect()
            }
            fn random(random: &mut Random) -> $t {
                let any = $t::from_bits(random.bits() as $bits);
                if random.below(4) == 0 && !any.is_subnormal() {
                    return any;
                }
                // A number between 1/64 and 64, or its opposite.
                let size = 2.0 as $t;
                let scale = size.powi(random.below(12) as i32 - 6);
                let mantissa = 1.0 + (random.bits() >> 11) as $t / (1u64 << 53) as $t;
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                sign * mantissa * scale
            }
        }
    )*};
}
floats! {
    f32 u32 None;
    f64 u64 Some(Need::Float64);
}

macro_rules! halves {
    ($($t:ident)*) => {$(
        impl Value for $t {
            const GUARD: $t = $t::PI;
            fn edges() -> Vec<$t> {
                let next = |x: $t| $t::from_bits(x.to_bits() + 1);
                let positive = [
                    $t::ZERO, $t::ONE, next($t::ONE), $t::EPSILON, $t::MIN_POSITIVE, next($t::MIN_POSITIVE), $t::MAX,
                    $t::INFINITY, $t::E, $t::FRAC_1_PI, $t::from_f32(0.5), $t::from_f32(1.5), $t::from_f32(2.5),
                    $t::from_f32(3.0), $t::from_f32(0.1), $t::from_f32(255.9), $t::from_f32(1025.0),
                    $t::from_f32(40000.0),
                ];
                let negative = positive.map(|x| -x);
                positive.into_iter().chain(negative).chain([$t::NAN]).collect()
            }
            fn random(random: &mut Random) -> $t {
                match random.below(4) {
                    0 => $t::from_bits(random.bits() as u16),
                    _ => $t::from_f32(f32::random(random)),
                }
            }
        }
    )*};
}
halves! { f16 bf16 }

/// The inputs of one work-item.
pub(crate) trait Row: Copy {
    /// Rows as one column per input.
    type Columns;

    /// Rows for a kernel: edges in all combinations, or most of them, and random values.
    fn rows(random: &mut Random) -> Vec<Self>;

    /// Turns rows into columns.
    fn columns(rows: &[Self]) -> Self::Columns;
}

impl<A: Value> Row for (A,) {
    type Columns = (Vec<A>,);
    fn rows(random: &mut Random) -> Vec<(A,)> {
        let edges = A::edges().into_iter();
        let others: Vec<A> = (0..300).map(|_| A::random(random)).collect();
        edges.chain(others).map(|a| (a,)).collect()
    }
    fn columns(rows: &[(A,)]) -> Self::Columns {
        (rows.iter().map(|row| row.0).collect(),)
    }
}

impl<A: Value, B: Value> Row for (A, B) {
    type Columns = (Vec<A>, Vec<B>);
    fn rows(random: &mut Random) -> Vec<(A, B)> {
        let (edges, others) = (A::edges(), B::edges());
        let pairs = edges.iter().flat_map(|a| others.iter().map(|b| (*a, *b)));
        let mut rows: Vec<(A, B)> = pairs.collect();
        rows.extend((0..400).map(|_| (pick(&edges, random), pick(&others, random))));
        rows
    }
    fn columns(rows: &[(A, B)]) -> Self::Columns {
        rows.iter().copied().unzip()
    }
}

impl<A: Value, B: Value, C: Value> Row for (A, B, C) {
    type Columns = (Vec<A>, Vec<B>, Vec<C>);
    fn rows(random: &mut Random) -> Vec<(A, B, C)> {
        let (a, b, c) = (A::edges(), B::edges(), C::edges());
        let row = |_| (pick(&a, random), pick(&b, random), pick(&c, random));
        (0..2000).map(row).collect()
    }
    fn columns(rows: &[(A, B, C)]) -> Self::Columns {
        let column = |row: &(A, B, C)| *row;
        rows.iter().map(column).collect()
    }
}

/// An edge value, or any other.
fn pick<T: Value>(edges: &[T], random: &mut Random) -> T {
    match random.below(3) {
        0 => T::random(random),
        _ => edges[random.below(edges.len() as u64) as usize],
    }
}

/// The rows of a kernel that keep its condition.
pub(crate) fn rows<R: Row>(name: &str, keep: impl Fn(&R) -> bool) -> Vec<R> {
    let mut rows = R::rows(&mut Random::of(name));
    rows.retain(keep);
    rows
}
