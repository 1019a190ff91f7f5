//! `ldexp` and `frexp`.
//!
//! Powers of two that leave the range are two or three factors, of which only the last can round: the others end where
//! the number is still normal.

use gridfn_macros::device;

/// 2^1023, and 2^−969: the smallest normal number times 2^53.
const UP: f64 = 8.98846567431158e307;
const DOWN: f64 = f64::MIN_POSITIVE * 9007199254740992.0;

/// x times 2 to the n, rounded once.
#[device]
pub fn ldexp_f64(x: f64, n: i32) -> f64 {
    let mut y = x;
    let mut n = n.clamp(-3000, 3000);
    if n > 1023 {
        y *= UP;
        n -= 1023;
        if n > 1023 {
            y *= UP;
            n = (n - 1023).min(1023);
        }
    }
    if n < -1022 {
        y *= DOWN;
        n += 969;
        if n < -1022 {
            y *= DOWN;
            n = (n + 969).max(-1022);
        }
    }
    y * f64::from_bits(((n as i64 + 1023) << 52) as u64)
}

/// 2^127, and 2^−102: the smallest normal number times 2^24.
const UP_F32: f32 = 1.7014118e38;
const DOWN_F32: f32 = f32::MIN_POSITIVE * 16777216.0;

/// x times 2 to the n, rounded once.
#[device]
pub fn ldexp_f32(x: f32, n: i32) -> f32 {
    let mut y = x;
    let mut n = n.clamp(-500, 500);
    if n > 127 {
        y *= UP_F32;
        n -= 127;
        if n > 127 {
            y *= UP_F32;
            n = (n - 127).min(127);
        }
    }
    if n < -126 {
        y *= DOWN_F32;
        n += 102;
        if n < -126 {
            y *= DOWN_F32;
            n = (n + 102).max(-126);
        }
    }
    y * f32::from_bits(((n + 127) << 23) as u32)
}

/// x as a number from 1/2 to 1 times 2 to the n. By its bits, because a device may take a subnormal number for 0.
#[device]
pub fn frexp_f64(x: f64) -> (f64, i32) {
    let magnitude = x.to_bits() & 0x7fff_ffff_ffff_ffff;
    if magnitude == 0 || magnitude >= 0x7ff0_0000_0000_0000 {
        return (x, 0);
    }
    let mut exponent = (magnitude >> 52) as i32;
    let mut fraction = magnitude;
    if exponent == 0 {
        let shift = magnitude.leading_zeros() - 11;
        fraction = magnitude << shift;
        exponent = 1 - shift as i32;
    }
    let sign = x.to_bits() ^ magnitude;
    let half_to_one = sign | 1022 << 52 | fraction & 0x000f_ffff_ffff_ffff;
    (f64::from_bits(half_to_one), exponent - 1022)
}

/// x as a number from 1/2 to 1 times 2 to the n. By its bits, because a device may take a subnormal number for 0.
#[device]
pub fn frexp_f32(x: f32) -> (f32, i32) {
    let magnitude = x.to_bits() & 0x7fff_ffff;
    if magnitude == 0 || magnitude >= 0x7f80_0000 {
        return (x, 0);
    }
    let mut exponent = (magnitude >> 23) as i32;
    let mut fraction = magnitude;
    if exponent == 0 {
        let shift = magnitude.leading_zeros() - 8;
        fraction = magnitude << shift;
        exponent = 1 - shift as i32;
    }
    let sign = x.to_bits() ^ magnitude;
    let half_to_one = sign | 126 << 23 | fraction & 0x007f_ffff;
    (f32::from_bits(half_to_one), exponent - 126)
}
