//! Casts between `f32` and floats of 16 bits give what the crate `half` gives.

use gridfn_math::half::*;
use half::{bf16, f16};

/// Whether two results are the same bits, or NaN both.
fn same(found: f32, expected: f32) -> bool {
    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
}

#[test]
fn every_half_is_widened() {
    for bits in 0..=u16::MAX {
        let (found, expected) = (f16_to_f32(bits), f16::from_bits(bits).to_f32());
        assert!(
            same(found, expected),
            "f16 {bits:#06x}: {found:?}, not {expected:?}"
        );
        let (found, expected) = (bf16_to_f32(bits), bf16::from_bits(bits).to_f32());
        assert!(
            same(found, expected),
            "bf16 {bits:#06x}: {found:?}, not {expected:?}"
        );
    }
}

fn check_narrow(x: f32) {
    let (found, expected) = (f32_to_f16(x), f16::from_f32(x).to_bits());
    assert_eq!(found, expected, "{x:?} ({:#010x}) to f16", x.to_bits());
    let (found, expected) = (f32_to_bf16(x), bf16::from_f32(x).to_bits());
    assert_eq!(found, expected, "{x:?} ({:#010x}) to bf16", x.to_bits());
}

/// Both neighbours of each place where another result begins, and numbers of every exponent. NaNs keep their digits.
#[test]
fn what_lies_between_is_rounded() {
    for bits in 0..=u16::MAX {
        // Of `bf16` the places are in the middle between two upper halves; of `f16` in the middle between two numbers.
        let of_bf16 = u32::from(bits) << 16 | 0x8000;
        let low = f16::from_bits(bits).to_f32();
        let high = f16::from_bits(bits.wrapping_add(1)).to_f32();
        let of_f16 = (low + (high - low) / 2.0).to_bits();
        for middle in [of_bf16, of_f16] {
            for offset in [-1, 0, 1] {
                check_narrow(f32::from_bits(middle.wrapping_add_signed(offset)));
            }
        }
    }
    let mut bits = 1u32;
    for _ in 0..1_000_000 {
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        check_narrow(f32::from_bits(bits));
    }
}
