//! Iterators and closures in bodies, and the methods of slices and `Option`.

#![allow(
    clippy::needless_range_loop,
    clippy::unnecessary_fold,
    clippy::manual_contains,
    clippy::get_first,
    clippy::map_clone,
    clippy::redundant_closure_call,
    clippy::manual_memcpy,
    clippy::needless_borrow,
    clippy::unnecessary_literal_unwrap,
    clippy::manual_slice_fill,
    clippy::iter_skip_zero,
    clippy::search_is_some,
    clippy::obfuscated_if_else,
    reason = "odd forms are the point"
)]

use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::elements::bodies;
use gridfn::Device;
use gridfn::prelude::*;

const PRIMES: [u32; 7] = [2, 3, 5, 7, 11, 13, 17];

bodies! {
    /// Loops over elements, by reference and by value.
    fn loops(a: u32, b: u32) -> u32 {
        let array = [a, b, a ^ b, 7];
        let mut sum = 0u32;
        for v in array.iter() {
            sum = sum.rotate_left(3) ^ *v;
        }
        for v in &array {
            sum = sum.rotate_left(3) ^ v;
        }
        for v in array {
            sum = sum.rotate_left(3) ^ v;
        }
        for (i, v) in PRIMES.iter().enumerate() {
            sum = sum.rotate_left(i as u32) ^ v;
        }
        sum
    }
    /// Elements are written through the iterator.
    fn writes(a: u32) -> u32 {
        let mut array = [1u32; 6];
        for (i, v) in array.iter_mut().enumerate() {
            *v = a.rotate_left(i as u32);
        }
        for v in &mut array {
            *v ^= 5;
        }
        for pair in array.chunks_exact_mut(2) {
            pair.swap(0, 1);
            pair[0] ^= 1;
        }
        array.iter_mut().rev().skip(1).for_each(|v| *v = v.rotate_right(7));
        array.iter().fold(17, |h, v| h.wrapping_mul(31) ^ *v)
    }
    /// `break`, `continue` and labels in loops over iterators.
    fn jumps(a: u32) -> u32 {
        let mut sum = 0;
        'outer: for p in PRIMES.iter() {
            for (i, q) in PRIMES.iter().enumerate().rev() {
                if i as u32 == a % 5 { continue 'outer; }
                if q * p > 100 { continue; }
                if sum > 1000 { break 'outer; }
                sum += q * p;
            }
            sum += 1;
        }
        sum
    }
    /// Sums, products and counts, which wrap.
    fn sums(a: u32, b: i32) -> i64 {
        let array = [a, a ^ 1, a ^ 2];
        let signed = [b, b, 1];
        let sum = array.iter().map(|v| *v as u64).sum::<u64>();
        let product: i32 = signed.iter().map(|v| v & 0xff).product();
        let squares: u32 = (1..=10u32).map(|i| i * i).sum();
        let count = (0..20u32).filter(|i| i % 3 == a % 3).count();
        sum as i64 ^ product as i64 ^ (squares as i64) << 32 ^ (count as i64) << 40
    }
    /// Sums of floats, in their order; that of nothing is -0.
    fn sums_of_floats(a: f32, b: f32) -> f32 {
        let array = [a, b, 0.5, -a];
        let nothing: f32 = array.iter().take(0).sum();
        let sum: f32 = array.iter().copied().sum();
        let products: f32 = array.iter().zip(array.iter().rev()).map(|(x, y)| x * y).sum();
        let total = sum + products * array.iter().product::<f32>();
        if nothing.is_sign_negative() { total } else { -total }
    }
    /// `zip`, `rev`, `skip`, `take` and `step_by` in all orders.
    fn adaptors(a: u32) -> u32 {
        let n = (a % 7) as usize;
        let mut h = a;
        for (x, y) in PRIMES.iter().zip(PRIMES[1..].iter().rev()) {
            h = h.wrapping_mul(31) ^ (x + y * 3);
        }
        for v in PRIMES.iter().skip(n).step_by(2) {
            h = h.wrapping_mul(31) ^ v;
        }
        for v in PRIMES.iter().take(n).rev().copied() {
            h = h.wrapping_mul(31) ^ v;
        }
        for (i, (j, v)) in PRIMES.iter().enumerate().rev().enumerate().step_by(3) {
            h = h.wrapping_mul(31) ^ (i + 8 * j) as u32 ^ v;
        }
        for (i, v) in (0..n).rev().zip(&PRIMES) {
            h = h.wrapping_mul(31) ^ i as u32 ^ v;
        }
        h
    }
    /// Borrowed parts.
    fn borrowed_parts(a: u32, b: u32) -> u32 {
        let array = [a, b, 3, 4, a ^ b, 6, 7];
        let n = (a % 7) as usize;
        let mut h = b;
        for v in &array[..n] {
            h = h.wrapping_mul(31) ^ v;
        }
        for (v, p) in (&array[1..6]).iter().zip(&PRIMES[n..]) {
            h = h.wrapping_mul(31) ^ v ^ p;
        }
        for (i, p) in (0..n).zip(&PRIMES[n / 2..=n]) {
            h = h.wrapping_mul(31) ^ i as u32 ^ p;
        }
        h
    }
    /// What follows a `filter`.
    fn filters(a: u32) -> u32 {
        let odd = PRIMES.iter().filter(|p| *p & 1 == a & 1).map(|p| p * 3).sum::<u32>();
        let mut h = odd;
        for (i, v) in PRIMES.iter().copied().filter(|p| p % 4 == 3).enumerate() {
            h = h.wrapping_mul(31) ^ v ^ i as u32;
        }
        h ^ (0..a % 50).filter(|i| i % 7 == 2).map(|i| i * i).filter(|s| s & 2 == 0).fold(1u32, |x, y| x.wrapping_mul(5) ^ y)
    }
    /// Chunks and windows.
    fn parts(a: u32, b: u32) -> u32 {
        let array = [a, b, 3, 4, a ^ b, 6, 7];
        let mut h = 0u32;
        for c in array.chunks_exact(3) {
            h = h.wrapping_mul(31) ^ c[0] ^ c[2] ^ c.len() as u32;
        }
        for w in array.windows(2).rev() {
            h = h.wrapping_mul(31) ^ (w[0] & w[1]);
        }
        h ^ array.windows(8).count() as u32 ^ array.windows(3).map(|w| (w[0] & 0xff) + w[2] % 9).fold(0, |x, y| x ^ y)
    }
    /// `any`, `all`, `find` and `position` stop where they have found.
    fn searches(a: u32) -> u32 {
        let wanted = a % 20;
        let mut seen = 0;
        let any = PRIMES.iter().any(|p| { seen += 1; *p == wanted });
        let all = PRIMES.iter().all(|p| p % 19 != wanted);
        let at = PRIMES.iter().position(|p| *p >= wanted);
        let found = PRIMES.iter().find(|p| **p > wanted);
        let n = match at { Some(i) => i as u32, None => 99 };
        let m = if let Some(v) = found { *v } else { 77 };
        n ^ m << 8 ^ (any as u32) << 16 ^ (all as u32) << 17 ^ seen << 20
    }
    /// `min`, `max` and `last`.
    fn extremes(a: u32, b: i32) -> i64 {
        let array = [b, 3, !b, 3];
        let least = array.iter().min();
        let most = array.iter().copied().max().unwrap_or(0);
        let last = (0..a % 9).last();
        let none = array.iter().skip(9).max().is_none();
        least.copied().unwrap() as i64 ^ (most as i64) << 8 ^ last.unwrap_or(5) as i64 ^ (none as i64) << 62
    }
    /// Closures, which see their variables as they are.
    fn closures(a: u32, b: u32) -> u32 {
        let square = |x: u32| x * x;
        let k = b & 7;
        let scaled = |x: u32, y: u32| -> u32 {
            if x > y { return k; }
            square(x) * k + y
        };
        let mut n = 1;
        let mut count = |by: u32| n += by;
        count(a & 3);
        count(2);
        let f = scaled;
        f(a & 0xff, b & 0xff) ^ scaled(1, 2) ^ n
    }
    /// Methods of slices.
    fn slices(a: u32, b: u32) -> u32 {
        let mut array = [a, b, 3, 4, 5];
        array.swap(0, (a % 5) as usize);
        array[1..4].reverse();
        let (left, right) = array.split_at(2);
        let first = *left.first().unwrap() ^ right.last().copied().unwrap_or(1);
        let got = match array.get((b % 8) as usize) { Some(v) => *v, None => 1000 };
        let zero = if let Some(0) = array.get((b % 8) as usize) { 1 } else { 0 };
        let mut other = [9; 3];
        other.copy_from_slice(&array[2..]);
        if let Some(v) = other.get_mut(1) { *v ^= 0xf0; }
        if let Some(v) = other.last_mut() { *v += 1; }
        array[..2].fill(b);
        first ^ got ^ other[1] ^ other[2] ^ zero ^ array.contains(&a) as u32 ^ array[0]
    }
    /// The first or last element and the rest.
    fn split_ends(a: u32, b: u32) -> u32 {
        let mut array = [a, b, 3, 4];
        let k = (b % 5) as usize;
        let first = match array[k..].split_first() {
            Some((first, rest)) => first ^ rest.iter().fold(0u32, |x, v| x.rotate_left(3) ^ v),
            None => 7,
        };
        let (last, rest) = array[..4 - k / 2].split_last().unwrap();
        let mut all = first ^ last ^ (rest.len() as u32) << 9;
        if let Some((first, rest)) = array[k..].split_first_mut() {
            *first ^= 0xf0;
            rest.fill(*first);
        }
        if let Some((last, rest)) = array.split_last_mut() { rest[k % 3] ^= *last; }
        for v in &array { all = all.rotate_left(5) ^ v; }
        all
    }
    /// An option by a condition: the closure runs only where it holds.
    fn then(a: u32, b: u32) -> u32 {
        let array = [a, b, 3];
        let k = (b % 6) as usize;
        let element = (k < array.len()).then(|| array[k]);
        let quotient = (b != 0).then(|| { let v = a / b; v ^ 1 }).unwrap_or(9);
        let two = (a > b).then_some((a, 5u8));
        let mut calls = 0;
        let never = (a < b).then(|| calls += 1).is_none();
        let chosen = match two { Some((x, y)) => x ^ y as u32, None => 11 };
        element.unwrap_or(77) ^ quotient ^ chosen ^ calls << 8 ^ (never as u32) << 9
    }
    /// A function that takes a slice does with it as a whole what it can do with an array.
    fn whole_slices(a: u32, b: u32) -> u32 {
        let mut array = [a, b, 3, 4, 5, 6, a ^ b];
        let k = (b % 3) as usize;
        let x = whole(&mut array, a);
        let y = whole(&mut array[k..k + 4], b);
        let z = ends(&mut array[..k * 3]);
        array.iter().fold(x ^ y ^ z, |x, v| x.rotate_left(7) ^ v)
    }
    /// Methods of `Option`, and what overflows.
    fn options(a: i32, b: i32) -> i32 {
        let sum = a.checked_add(b);
        let (difference, borrow) = a.overflowing_sub(b);
        let product = a.checked_mul(b).unwrap_or(-1);
        let total = if sum.is_some() && !sum.is_none() { sum.unwrap() } else { 12 };
        let (wrapped, over) = a.overflowing_mul(b);
        total ^ difference ^ product ^ wrapped ^ borrow as i32 ^ (over as i32) << 4
    }
    /// Options of what has no result, or one that overflows.
    fn checked(a: i32, b: i32) -> i32 {
        let (small, bits) = (b % 7, (b & 63) as u32);
        let (power, over) = a.overflowing_pow(small as u32 & 7);
        let (shifted, far) = a.overflowing_shl(bits);
        let (opposite, least) = a.overflowing_neg();
        let mut all = a.checked_div(b).unwrap_or(1) ^ a.checked_rem(small).unwrap_or(2);
        all ^= a.checked_shl(bits).unwrap_or(3) ^ a.checked_shr(bits).unwrap_or(4);
        all ^= a.checked_neg().unwrap_or(5) ^ b.checked_abs().unwrap_or(6);
        all ^= small.checked_pow(bits).unwrap_or(7) ^ a.overflowing_shr(bits).0;
        all ^ power ^ shifted ^ opposite ^ over as i32 ^ (far as i32) << 1 ^ (least as i32) << 2
    }
    /// The same of unsigned and small types, at their limits.
    fn checked_at_limits(a: u32, b: u32) -> u32 {
        let (x, y) = (a as i8, b as i8 % 3 - 1);
        let (u, v) = (a as u8, b as u8 % 4);
        let mut all = x.checked_div(y).unwrap_or(11) as u32 ^ (x.checked_rem(y).unwrap_or(12) as u32) << 8;
        all ^= (i8::MIN.checked_div(y).unwrap_or(13) as u32) << 4 ^ (x.checked_neg().is_none() as u32) << 9;
        all ^= (u.checked_div(v).unwrap_or(14) as u32) << 3 ^ (u.checked_neg().unwrap_or(15) as u32) << 5;
        all ^= (u.checked_pow(v as u32).unwrap_or(16) as u32) << 12 ^ (x.overflowing_pow(v as u32).0 as u32) << 7;
        all ^= (i8::MIN.overflowing_abs().0 as u32) << 2 ^ (x.overflowing_abs().1 as u32) << 21;
        all ^ (u.overflowing_neg().0 as u32) << 11 ^ (i16::MIN.checked_abs().is_none() as u32) << 30
    }
    /// The same of unsigned and small types.
    fn overflows(a: u8, b: u8) -> u32 {
        let (s, so) = a.overflowing_add(b);
        let (d, d0) = a.overflowing_sub(b);
        let m = a.checked_mul(b).is_some() as u32;
        let i = (a as i8).checked_sub(b as i8).unwrap_or(3);
        let j = (a as i16 * 100).overflowing_mul(b as i16 & 3);
        s as u32 ^ (d as u32) << 8 ^ (so as u32) << 16 ^ (d0 as u32) << 17 ^ m << 18 ^ i as u32 ^ (j.0 as u32) << 3 ^ j.1 as u32
    }
}

#[device]
fn whole(y: &mut [u32], with: u32) -> u32 {
    for (n, v) in y.iter_mut().enumerate() {
        *v ^= with.wrapping_add(n as u32);
    }
    for pair in y.chunks_exact_mut(2) {
        pair.swap(0, 1);
        pair[0] = pair[0].wrapping_add(1);
    }
    for v in &mut *y {
        *v = v.rotate_left(1);
    }
    y.swap(0, 2);
    y.reverse();
    if let Some(first) = y.first_mut() {
        *first ^= 0x55;
    }
    if let Some(second) = y.get_mut(1) {
        *second ^= 0xaa;
    }
    let (low, high) = y.split_at_mut(2);
    low[0] ^= high[0];
    high.fill(low[1]);
    let rest = y.len() - 3;
    y[3..].copy_from_slice(&[9; 20][..rest]);
    let sum = y
        .iter()
        .zip(y.windows(2))
        .fold(0, |sum, (v, w)| sum ^ v.rotate_left(w[1] % 32));
    sum ^ y.contains(&with) as u32
}

/// By patterns.
#[device]
fn ends(y: &mut [u32]) -> u32 {
    if let [first, .., last] = &mut *y {
        let before = *first;
        *first = *last ^ 1;
        *last = before;
    }
    match y {
        [] => 5,
        [one] => *one,
        [a, 0..=9, rest @ ..] => *a ^ rest.len() as u32,
        [.., b, c] => *b ^ *c << 1,
    }
}

/// Iterators over slices of buffers.
#[kernel]
fn rows(n: usize, x: &[f32], y: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    let row = &x[i * n..(i + 1) * n];
    out[i] = row.iter().zip(y).map(|(a, b)| a * b).sum();
}

/// The whole of a buffer, by each item.
#[kernel]
fn below(x: &[u32], limit: u32, out: &mut [u32]) {
    let i = global_id(0);
    let offset = i as u32;
    out[i] = x.iter().filter(|v| **v + offset < limit).count() as u32;
    for c in x.chunks_exact(4).skip(i).take(1) {
        out[i] += c.iter().max().copied().unwrap_or(0) << 16;
    }
}

fn buffers(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x: Vec<f32> = (0..60).map(|v| v as f32 * 0.25).collect();
    let y: Vec<f32> = (0..6).map(|v| 2.0 - v as f32).collect();
    let (xb, yb) = (queue.upload(&x)?, queue.upload(&y)?);
    let mut out = queue.zeros::<f32>(10)?;
    launch!(queue, rows(6, &xb, &yb, &mut out), global = 10)?;
    let expected: Vec<f32> = x
        .chunks_exact(6)
        .map(|row| row.iter().zip(&y).map(|(a, b)| a * b).sum())
        .collect();
    check_eq!(queue.download(&out)?, expected);

    let x: Vec<u32> = (0..37).map(|v| v * 7 % 37).collect();
    let (xb, mut out) = (queue.upload(&x)?, queue.zeros::<u32>(12)?);
    launch!(queue, below(&xb, 30, &mut out), global = 12)?;
    let expected: Vec<u32> = (0..12)
        .map(|i| {
            let few = x.iter().filter(|v| **v + (i as u32) < 30).count() as u32;
            few + x
                .chunks_exact(4)
                .nth(i)
                .map_or(0, |c| c.iter().max().unwrap() << 16)
        })
        .collect();
    check_eq!(queue.download(&out)?, expected);
    Ok(())
}

/// A closure kernel that runs over what it captured.
fn captures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x = queue.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    let weights = [0.5f32, 0.25, 2.0];
    let mut y = queue.zeros::<f32>(4)?;
    launch!(
        queue,
        |i| y[i] = x
            .iter()
            .skip(i)
            .zip(weights.iter())
            .map(|(a, w)| a * w)
            .sum::<f32>(),
        global = 4
    )?;
    check_eq!(queue.download(&y)?, [7.0, 9.75, 12.5, 3.25]);
    Ok(())
}

pub(super) fn all(suite: &mut Suite) {
    add_to(suite);
    suite.kernel::<rows>();
    suite.kernel::<below>();
    suite.case(case_path!("buffers"), &[], buffers);
    suite.case(case_path!("captures"), &[], captures);
}
