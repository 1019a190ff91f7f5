//! Operands to run the cases on: edges and random ones, the same in every run.

use super::cases::{Case, Operation};
use gridfn_ir::Scalar;
use gridfn_ir::typed::BinaryOp;

/// How many random rows each case gets.
const RANDOM_ROWS: usize = 4096;

/// Rows of operands of a case, as the low bits of words. All keep the operation's preconditions.
pub fn rows(case: &Case) -> Vec<Vec<u64>> {
    let mut rows: Vec<Vec<u64>> = match *case.operands.as_slice() {
        [a] => edges(a).into_iter().map(|a| vec![a]).collect(),
        [a, b] => edges(a)
            .into_iter()
            .flat_map(|a| edges(b).into_iter().map(move |b| vec![a, b]))
            .collect(),
        // All triples of edges would be too many; the random rows hold some.
        _ => Vec::new(),
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..RANDOM_ROWS {
        rows.push(case.operands.iter().map(|ty| random.operand(*ty)).collect());
    }
    for row in &mut rows {
        keep_preconditions(case, row);
    }
    rows
}

fn keep_preconditions(case: &Case, row: &mut [u64]) {
    let ty = case.operands[0];
    if ty.is_float() {
        return;
    }
    match case.operation {
        Operation::Binary(BinaryOp::Shl | BinaryOp::Shr) => row[1] %= u64::from(ty.bits()),
        Operation::Binary(BinaryOp::Div | BinaryOp::Rem) => {
            let overflows = ty.is_signed() && row[0] == ty.min_bits() && row[1] == ty.truncate(u64::MAX);
            if row[1] == 0 || overflows {
                row[1] = 1;
            }
        }
        _ => {}
    }
}

/// Operands at which things go wrong.
fn edges(ty: Scalar) -> Vec<u64> {
    match ty {
        Scalar::Bool => vec![0, 1],
        Scalar::F32 => float_edges()
            .map(|x| x as f32)
            .flat_map(|x| [x.next_down(), x, x.next_up()])
            .chain([
                f32::MIN_POSITIVE,
                f32::MAX,
                f32::from_bits(1),
                f32::INFINITY,
                f32::NAN,
            ])
            .flat_map(|x| [x.to_bits().into(), (-x).to_bits().into()])
            .collect(),
        Scalar::F64 => float_edges()
            .flat_map(|x| [x.next_down(), x, x.next_up()])
            .chain([
                f64::MIN_POSITIVE,
                f64::MAX,
                f64::from_bits(1),
                f64::INFINITY,
                f64::NAN,
            ])
            // Where a conversion to f32 overflows, and where it becomes subnormal.
            .chain([
                f32::MAX.into(),
                f32::MIN_POSITIVE.into(),
                3.402_823_567_797_336_6e38,
            ])
            .flat_map(|x| [x.to_bits(), (-x).to_bits()])
            .collect(),
        integer => (0..integer.bits())
            .filter(|n| integer.bits() <= 16 || matches!(n % 8, 0 | 7))
            .flat_map(|n| [(1 << n) - 1, 1 << n, (1 << n) + 1])
            .flat_map(|bits: u64| [integer.truncate(bits), integer.truncate(bits.wrapping_neg())])
            .collect(),
    }
}

/// The floats whose neighbours matter too; their negatives are added.
fn float_edges() -> impl Iterator<Item = f64> {
    let halves = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
    // Around the limits of the integer types, and where floats end to tell integers apart.
    let powers = [7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64].map(|n| 2f64.powi(n));
    halves.into_iter().chain(powers)
}

/// A splitmix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A random operand: in equal parts of any bits, of any magnitude, and an edge.
    fn operand(&mut self, ty: Scalar) -> u64 {
        let (bits, choice) = (self.next(), self.next());
        match choice % 3 {
            0 => match ty {
                Scalar::Bool => bits & 1,
                other => other.truncate(bits),
            },
            1 => {
                let edges = edges(ty);
                edges[bits as usize % edges.len()]
            }
            _ => match ty {
                Scalar::Bool => bits & 1,
                Scalar::F32 => moderate(bits).to_bits().into(),
                Scalar::F64 => f64::from(moderate(bits)).to_bits() | (choice >> 40),
                integer => integer.truncate(bits) >> ((choice >> 32) % u64::from(integer.bits())),
            },
        }
    }
}

/// A float between -16 and 16, with as many small as large ones in size.
fn moderate(bits: u64) -> f32 {
    let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
    let fraction = (bits >> 40) as f32 / (1 << 24) as f32;
    let exponent = (bits >> 8) % 16;
    sign * (1.0 + fraction) * 2f32.powi(exponent as i32 - 12)
}
