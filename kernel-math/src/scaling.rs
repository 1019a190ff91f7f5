//! `ldexp`.
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
