//! `for` over every form of a range, at the limits of its type.

#![allow(
    clippy::reversed_empty_ranges,
    clippy::explicit_counter_loop,
    clippy::mut_range_bound,
    clippy::never_loop,
    clippy::manual_memcpy,
    unused_variables,
    unused_assignments,
    unused_mut,
    reason = "odd forms are the point"
)]

use crate::elements::bodies;
use gridfn::prelude::*;

/// A sum that notes the order too.
#[device]
fn note(sum: u32, value: u32) -> u32 {
    sum.wrapping_mul(31).wrapping_add(value)
}

bodies! {
    /// `a..b`
    fn half_open(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in (a & 15)..(b & 31) {
            sum = note(sum, i);
        }
        sum
    }
    /// `a..=b`
    fn inclusive(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in (a & 15)..=(b & 31) {
            sum = note(sum, i);
        }
        sum
    }
    /// Every value of a type: the end can't be stepped over.
    fn whole_type(a: u8) -> u32 {
        let mut sum = a as u32;
        for i in 0..=255u8 {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// The same of a signed type.
    fn whole_signed_type(a: i8) -> u32 {
        let mut sum = a as u32;
        for i in -128..=127i8 {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// Up to the largest value.
    fn to_the_maximum(a: i64) -> u32 {
        let mut sum = 0;
        for i in (i64::MAX - (a & 7))..=i64::MAX {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// From the smallest value, in negative numbers.
    fn from_the_minimum(a: i32) -> u32 {
        let mut sum = 0;
        for i in i32::MIN..(i32::MIN + (a & 7)) {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// From a value to itself, and backwards: nothing, or one.
    fn empty(a: u16) -> u32 {
        let mut sum = 1;
        for i in a..a {
            sum = note(sum, i as u32);
        }
        for i in a..=a {
            sum = note(sum, i as u32);
        }
        for i in 5..3u16 {
            sum = note(sum, i as u32);
        }
        for i in 5..=4u16 {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// `.rev()`
    fn reversed(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in ((a & 15)..(b & 31)).rev() {
            sum = note(sum, i);
        }
        for i in (0..=(a & 7)).rev() {
            sum = note(sum, i);
        }
        sum
    }
    /// `.rev()` over a whole type, down to 0.
    fn reversed_whole_type(a: u8) -> u32 {
        let mut sum = a as u32;
        for i in (0..=255u8).rev() {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// `.step_by(n)`
    fn stepped(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in ((a & 15)..(b & 63)).step_by((b & 7) as usize + 1) {
            sum = note(sum, i);
        }
        for i in (0..=(b & 63)).step_by(5) {
            sum = note(sum, i);
        }
        sum
    }
    /// A step past the largest value ends the loop.
    fn stepped_past_the_maximum(a: u8) -> u32 {
        let mut sum = 0;
        for i in (a..=255).step_by(100) {
            sum = note(sum, i as u32);
        }
        for i in (a..255).step_by(1000) {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// A step that is larger than the type.
    fn stepped_by_more_than_there_is(a: i8) -> u32 {
        let mut sum = 0;
        for i in (a..=127).step_by(usize::MAX) {
            sum = note(sum, i as u32);
        }
        for i in (-128..=a).step_by(70) {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// `.rev().step_by(n)` counts from the end.
    fn reversed_then_stepped(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in ((a & 15)..(b & 63)).rev().step_by((a & 3) as usize + 1) {
            sum = note(sum, i);
        }
        for i in (0..=(a & 63)).rev().step_by(7) {
            sum = note(sum, i);
        }
        sum
    }
    /// `.step_by(n).rev()` counts from the start, and begins with the last of these.
    fn stepped_then_reversed(a: u32, b: u32) -> u32 {
        let mut sum = 7;
        for i in ((a & 15)..(b & 63)).step_by((a & 3) as usize + 1).rev() {
            sum = note(sum, i);
        }
        for i in (0..=(a & 63) as u16).step_by(7).rev() {
            sum = note(sum, i as u32);
        }
        sum
    }
    /// The bounds are evaluated once, before the loop.
    fn bounds_are_evaluated_once(a: u32) -> u32 {
        let mut n = a & 7;
        let mut sum = 0;
        for i in n..n + 5 {
            n += 100;
            sum = note(sum, i);
        }
        sum.wrapping_add(n)
    }
    /// The variable may be changed, which changes nothing for the next round.
    fn mutable_variable(a: u32) -> u32 {
        let mut sum = 0;
        for mut i in 0..(a & 15) {
            i *= 2;
            sum = note(sum, i);
        }
        sum
    }
    /// No variable.
    fn without_a_variable(a: u32) -> u32 {
        let mut sum = 1;
        for _ in 0..(a & 15) {
            sum = note(sum, 1);
        }
        sum
    }
    /// `break` and `continue` go on with the next value, in every form.
    fn jumps(a: u32, b: u32) -> u32 {
        let mut sum = 0;
        'outer: for i in (0..(a & 31)).rev() {
            if i % 3 == 0 {
                continue;
            }
            for j in (0..=20u32).step_by(3) {
                if j == (b & 31) {
                    break 'outer;
                }
                if j > i {
                    continue 'outer;
                }
                if (i + j) % 5 == 2 {
                    continue;
                }
                sum = note(sum, i * 32 + j);
            }
        }
        sum
    }
    /// Loops in loops, the inner bounds from the outer variable.
    fn triangle(a: u32) -> u32 {
        let mut sum = 0;
        for i in 0..(a & 15) {
            for j in i..=i * 2 {
                sum = note(sum, i ^ j);
            }
        }
        sum
    }
    /// Bounds whose type comes from the body.
    fn inferred_bounds(a: u64) -> u64 {
        let mut sum = a;
        for i in 0..10 {
            sum ^= i << 40;
        }
        sum
    }
}
