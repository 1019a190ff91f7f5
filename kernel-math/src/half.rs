//! Casts between `f32` and the floats of 16 bits, in integer arithmetic: for code forms whose own need a capability of the
//! device, or are not exact on all.
//!
//! The bits of a float of 16 bits are a `u16`. What is rounded is rounded to nearest even; a NaN stays one, and keeps its
//! sign and upper digits. What is not normal is behind one branch, which neighbours hardly ever take: on CPUs this was
//! measured to be twice as fast as to compute all cases and choose.

use gridfn_macros::device;

/// The number behind an `f16`'s bits.
#[device]
pub fn f16_to_f32(bits: u16) -> f32 {
    let sign = (bits as u32 & 0x8000) << 16;
    let abs = bits as u32 & 0x7FFF;
    // The exponent counts from 15, and in an `f32` from 127.
    let mut wide = (abs << 13) + ((127 - 15) << 23);
    let is_normal = abs.wrapping_sub(0x0400) < 0x7C00 - 0x0400;
    if !is_normal {
        if abs < 0x0400 {
            // Zero and subnormal numbers are multiples of 2^-24.
            wide = (abs as f32 * f32::from_bits((127 - 24) << 23)).to_bits();
        } else if abs == 0x7C00 {
            wide = 0x7F80_0000;
        } else {
            wide |= 0x7FC0_0000;
        }
    }
    f32::from_bits(sign | wide)
}

/// The bits of the nearest `f16`.
#[device]
pub fn f32_to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let abs = bits & 0x7FFF_FFFF;
    // A carry goes on into the exponent, and from the largest number to infinity.
    let odd = (abs >> 13) & 1;
    let mut narrow = (abs + 0x0FFF + odd).wrapping_sub((127 - 15) << 23) >> 13;
    let is_normal = abs.wrapping_sub(0x3880_0000) < 0x4780_0000 - 0x3880_0000;
    if !is_normal {
        if abs < 0x3880_0000 {
            // Below the normal numbers: in a sum with 1/2 the last digit stands for 2^-24.
            narrow = (f32::from_bits(abs) + 0.5).to_bits() - 0x3F00_0000;
        } else if abs <= 0x7F80_0000 {
            narrow = 0x7C00;
        } else {
            narrow = 0x7E00 | ((abs >> 13) & 0x03FF);
        }
    }
    (sign | narrow) as u16
}

/// The number behind a `bf16`'s bits.
#[device]
pub fn bf16_to_f32(bits: u16) -> f32 {
    let quiet = if bits & 0x7FFF > 0x7F80 { 0x0040 } else { 0 };
    f32::from_bits((bits as u32 | quiet) << 16)
}

/// The bits of the nearest `bf16`.
#[device]
pub fn f32_to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let odd = (bits >> 16) & 1;
    let number = bits.wrapping_add(0x7FFF + odd) >> 16;
    let nan = (bits >> 16) | 0x0040;
    (if bits & 0x7FFF_FFFF > 0x7F80_0000 {
        nan
    } else {
        number
    }) as u16
}
