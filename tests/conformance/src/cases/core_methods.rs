//! Methods of core whose result is no number: orderings, options and results with functions, bytes, what overflows.

#![allow(
    clippy::manual_map,
    clippy::bind_instead_of_map,
    clippy::manual_filter,
    clippy::unnecessary_lazy_evaluations,
    clippy::comparison_chain,
    clippy::unnecessary_literal_unwrap,
    clippy::option_map_or_none,
    clippy::host_endian_bytes,
    clippy::redundant_closure,
    clippy::or_then_unwrap,
    reason = "odd forms are the point"
)]

use crate::elements::bodies;
use gridfn::prelude::*;
use std::cmp::Ordering;
use std::num::FpCategory;

#[device]
fn rank(order: Ordering) -> u32 {
    match order {
        Ordering::Less => 3,
        Ordering::Equal => 5,
        Ordering::Greater => 7,
    }
}

#[device]
fn even(v: u32) -> Option<u32> {
    if v % 2 == 0 { Some(v / 2) } else { None }
}

#[device]
fn quotient(a: u32, b: u32) -> Result<u32, u32> {
    even(a).map(|half| half ^ b).ok_or(a.wrapping_add(b))
}

#[device]
fn code(category: FpCategory) -> u32 {
    match category {
        FpCategory::Nan => 1,
        FpCategory::Infinite => 2,
        FpCategory::Zero => 4,
        FpCategory::Subnormal => 8,
        FpCategory::Normal => 16,
    }
}

bodies! {
    /// Comparisons of integers, and what is asked of them.
    fn orders(a: i32, b: i32) -> u32 {
        let order = a.cmp(&b);
        let small = (a as i8).cmp(&(b as i8)).then((a % 5).cmp(&(b % 5)));
        let unsigned = (a as u32).partial_cmp(&(b as u32));
        let mut all = rank(order) ^ rank(order.reverse()) << 3 ^ rank(small) << 6;
        all ^= unsigned.map_or(1, |order| rank(order)) << 9;
        all ^= (order.is_lt() as u32) << 12 ^ (order.is_le() as u32) << 13 ^ (small.is_gt() as u32) << 14;
        all ^= (small.is_ge() as u32) << 15 ^ (small.is_eq() as u32) << 16 ^ (order.is_ne() as u32) << 17;
        if order != Ordering::Less {
            all |= 1 << 20;
        }
        if order == small { all } else { all | 1 << 21 }
    }
    /// Comparisons of floats, of all bits.
    fn orders_of_floats(a: u32, b: u32) -> u32 {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let (narrow, other) = (f32::from_bits(a & 0xffc0_0001), f32::from_bits(b & 0xffc0_0001));
        let mut all = rank(x.total_cmp(&y)) ^ rank(narrow.total_cmp(&other)) << 3;
        all ^= x.partial_cmp(&y).map_or(11, rank) << 6;
        all ^= match narrow.partial_cmp(&other) {
            Some(order) => rank(order) << 10,
            None => 1 << 14,
        };
        all
    }
    /// What kind of number a float is.
    fn categories(a: u32, b: u32) -> u32 {
        let all = code(f32::from_bits(a).classify()) ^ code(f32::from_bits(a & 0x807f_ffff).classify()) << 5;
        let zero = f32::from_bits(b & 0x8000_0000);
        let infinity = f32::from_bits(b & 0x8000_0000 | 0x7f80_0000);
        let nan = f32::from_bits(b | 0x7fc0_0000);
        let same = (f32::from_bits(a).classify() == f32::from_bits(b).classify()) as u32;
        all ^ same << 26 ^ code(zero.classify()) << 10 ^ code(infinity.classify()) << 15 ^ code(nan.classify()) << 20
    }
    /// Functions of what an option holds.
    fn options(a: u32, b: u32) -> u32 {
        let (x, y) = (even(a), even(b));
        let mut all = x.map(|v| v ^ b).unwrap_or(1);
        all ^= x.and_then(|v| even(v)).unwrap_or_else(|| a.rotate_left(3));
        all = all.rotate_left(5) ^ x.map_or(b, |v| v.wrapping_mul(3));
        all = all.rotate_left(5) ^ x.filter(|v| *v > b).unwrap_or(9);
        all = all.rotate_left(5) ^ x.or(y).or(Some(13)).unwrap();
        all = all.rotate_left(5) ^ y.is_some_and(|v| v < a) as u32;
        let none: Option<u32> = None;
        all ^= none.map(|v| v + 1).unwrap_or(17);
        let pair = x.map(|v| (v, v as f32 * 0.5));
        if let Some((v, half)) = pair {
            all ^= v ^ half as u32;
        }
        all
    }
    /// Functions of what a result holds.
    fn results(a: u32, b: u32) -> u32 {
        let r = quotient(a, b);
        let mut all = r.map(|v| v.rotate_left(7)).unwrap_or(3);
        all ^= r.map_err(|e| e ^ 0x5555).err().unwrap_or(5) << 1;
        all ^= r.unwrap_or_else(|e| e.wrapping_mul(7));
        match r.map(|v| v > b) {
            Ok(greater) => all ^ greater as u32,
            Err(e) => all ^ e,
        }
    }
    /// A function that ends the loop, or the kernel's helper, in one of two ways.
    fn functions_that_end(a: u32, b: u32) -> u32 {
        let mut all = 0u32;
        for n in 0..8u32 {
            let value = match even(a >> n).filter(|v| v % 3 != 0) {
                Some(v) => v,
                None => continue,
            };
            all = all.rotate_left(1) ^ value ^ b;
        }
        all
    }
    /// Numbers to bytes and back.
    fn bytes(a: u32, b: u32) -> u32 {
        let [p, q, r, s] = a.to_le_bytes();
        let big = b.to_be_bytes();
        let mut all = u32::from_le_bytes([s, r, q, p]) ^ u32::from_be_bytes([big[1], p, big[3], q]);
        all ^= (a as u16).to_be_bytes()[0] as u32 ^ i16::from_be_bytes([p, s]) as u32;
        let wide = (a as u64) << 32 | b as u64;
        let bytes = wide.to_be_bytes();
        let mut n = 0;
        while n < bytes.len() {
            all = all.rotate_left(3) ^ bytes[n] as u32;
            n += 1;
        }
        all ^= i64::from_le_bytes(bytes) as u32 ^ usize::from_be_bytes((wide as usize).to_ne_bytes()) as u32;
        all ^= f32::from_le_bytes(f32::from_bits(a & 0x3fff_ffff).to_be_bytes()).to_bits() >> 3 & 0xf;
        all ^ i8::from_ne_bytes([q]) as u32
    }
    /// What overflows, by paths too.
    fn checked(a: i32, b: i32) -> i32 {
        let mut all = a.checked_div_euclid(b % 9).unwrap_or(1) ^ a.checked_rem_euclid(b % 9).unwrap_or(2);
        all ^= a.checked_add_unsigned(b as u32).unwrap_or(3) ^ a.checked_sub_unsigned(b as u32).unwrap_or(4);
        let (sum, over) = a.overflowing_add_unsigned(b as u32);
        let (difference, under) = a.overflowing_sub_unsigned(b as u32);
        all ^= sum.rotate_left(1) ^ difference.rotate_left(2) ^ over as i32 ^ (under as i32) << 1;
        all ^= (a % 70_000).checked_isqrt().unwrap_or(5) ^ (i32::checked_ilog2(a).unwrap_or(6) << 8) as i32;
        all ^= (a.checked_ilog10().unwrap_or(7) << 12) as i32 ^ (a.checked_ilog(b % 11).unwrap_or(8) << 16) as i32;
        let edge = i32::MIN.checked_div_euclid(b % 2 - 1 + b % 3).unwrap_or(10);
        all ^ edge ^ i32::checked_add(a, b).unwrap_or(11) ^ i32::overflowing_mul(a, b).0
    }
    /// The same of unsigned numbers.
    fn checked_unsigned(a: u32, b: u32) -> u32 {
        let mut all = a.checked_add_signed(b as i32).unwrap_or(1) ^ a.overflowing_add_signed(b as i32).0 << 1;
        all ^= (a % 300).checked_add_signed(b as i32 % 300).unwrap_or(2) << 3;
        all ^= a.checked_next_power_of_two().unwrap_or(3) ^ a.checked_next_multiple_of(b % 13).unwrap_or(4);
        all ^= a.checked_next_multiple_of(b).unwrap_or(5).rotate_left(9) ^ (a % 7).checked_next_power_of_two().unwrap_or(6);
        all ^ a.checked_div_euclid(b % 5).unwrap_or(7) << 2 ^ a.checked_rem_euclid(b % 5).unwrap_or(8)
    }
}
