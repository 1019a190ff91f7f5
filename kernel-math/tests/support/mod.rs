//! Random operands, where functions are hard to compute.

use std::f64::consts::FRAC_PI_2;

/// A generator of random numbers, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Positive, with an exponent of base 2 from `low` to `high`.
    pub(crate) fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(1.0, 2.0) * self.between(low, high).floor().exp2()
    }

    fn sign(&mut self) -> f64 {
        if self.bits() & 1 == 0 { 1.0 } else { -1.0 }
    }

    /// An operand: of any scale, near 0, near 1, near the multiples of π/2, tiny, huge, or where powers end.
    pub(crate) fn operand(&mut self) -> f64 {
        let positive = match self.bits() % 10 {
            0 => self.scale(-1022.0, 1024.0),
            1 => self.scale(-30.0, 30.0),
            2 => self.between(0.0, 20.0),
            3 => self.between(0.0, 1.0),
            4 => self.between(0.0, 1100.0),
            5 => 1.0 + self.sign() * self.scale(-52.0, -1.0),
            6 => {
                let multiple = FRAC_PI_2 * self.scale(0.0, 40.0).floor();
                multiple + self.sign() * multiple * self.scale(-53.0, -20.0)
            }
            7 => f64::from_bits(self.bits() >> 12 >> (self.bits() % 52)),
            8 => self.between(0.5, 2.0),
            _ => self.scale(30.0, 1024.0),
        };
        self.sign() * positive
    }

    /// The same for `f32`.
    pub(crate) fn operand_f32(&mut self) -> f32 {
        let x = match self.bits() % 10 {
            0 => self.sign() * self.scale(-126.0, 128.0),
            4 => self.sign() * self.between(0.0, 160.0),
            5 => self.sign() * (1.0 + self.sign() * self.scale(-23.0, -1.0)),
            7 => {
                let bits = self.bits() as u32;
                return f32::from_bits(bits >> 9 >> (self.bits() % 23)) * self.sign() as f32;
            }
            9 => self.sign() * self.scale(20.0, 128.0),
            _ => self.operand(),
        };
        x as f32
    }

    /// Operands of a power that mostly stays within the range.
    pub(crate) fn power(&mut self) -> [f64; 2] {
        let x = self.operand().abs();
        let y = match self.bits() % 4 {
            0 => self.operand(),
            1 => self.between(-50.0, 50.0).round(),
            2 => self.between(-2.0, 2.0),
            _ => self.between(-1080.0, 1080.0) / x.log2(),
        };
        [x, y]
    }

    /// Two operands of about the same scale.
    pub(crate) fn point(&mut self) -> [f64; 2] {
        let scale = match self.bits() % 4 {
            0 => self.scale(-1074.0, 1023.0),
            _ => 1.0,
        };
        let range = if self.bits() & 1 == 0 { 2.0 } else { 64.0 };
        let x = self.scale(-range, 1.0) * scale;
        let y = self.scale(-range, 1.0) * scale;
        let [x, y] = if self.bits() & 1 == 0 { [x, y] } else { [y, x] };
        [self.sign() * x, self.sign() * y]
    }
}
