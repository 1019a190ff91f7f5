//! Constants: of modules, types, traits and of the body itself.

use crate::elements::bodies;
use gridfn::prelude::*;
use std::f32::consts::PI;

const LIMIT: u32 = 1000;
const NEGATIVE: i64 = -5_000_000_000;
const FLAG: bool = true;

mod inner {
    pub(super) const SHIFT: u32 = super::LIMIT / 500;
    pub(super) struct Settings;
    impl Settings {
        pub(super) const WIDTH: usize = 1 << 33;
    }
}
use inner::Settings;

#[device]
trait Limited: Copy {
    const LIMIT: u32;
    const WEIGHTS: [u32; 3] = [1, 2, Self::LIMIT];
}
#[derive(Clone, Copy, DeviceCopy)]
struct Bounded;
#[device]
impl Limited for Bounded {
    const LIMIT: u32 = 3;
}
#[device]
impl Limited for u8 {
    const LIMIT: u32 = 5;
}

#[device]
fn of_generic<T: Limited>(a: u32) -> u32 {
    (a % <T as Limited>::LIMIT) ^ T::LIMIT ^ <T as Limited>::WEIGHTS[(a % 3) as usize]
}

bodies! {
    /// Of this module.
    fn of_the_module(a: u32) -> u32 {
        if a > LIMIT && FLAG { LIMIT } else { a }
    }
    /// Of another module, by its path.
    fn by_path(a: i64) -> i64 {
        (a >> inner::SHIFT) ^ NEGATIVE
    }
    /// Associated to a type of the user's.
    fn of_a_type(a: usize) -> usize {
        a ^ Settings::WIDTH
    }
    /// Of a trait, by qualified paths and by the type's name.
    fn of_a_trait(a: u32) -> u32 {
        match a {
            <Bounded as Limited>::LIMIT => 1,
            <u8 as Limited>::LIMIT..=9 => 2,
            a => of_generic::<u8>(a) ^ <Settings>::WIDTH as u32,
        }
    }
    /// Of the built-in integers.
    fn of_integers(a: u32) -> u64 {
        (u32::MAX - a) as u64 ^ (i8::MIN as u64) ^ u64::MAX ^ (i32::BITS as u64) << 5 ^ (usize::MAX as u64)
    }
    /// Of floats.
    fn of_floats(a: f32) -> f32 {
        if a > f32::MAX * 0.5 { f32::INFINITY } else { a * PI + std::f32::consts::E - f32::EPSILON }
    }
    /// Of `f64`.
    fn of_doubles(a: f64) -> f64 {
        if a.is_nan() { f64::NEG_INFINITY } else { a + std::f64::consts::TAU }
    }
    /// Of the body, one from another.
    fn of_the_body(a: i32) -> i32 {
        const BASE: i32 = 40;
        const NEXT: i32 = BASE + 2;
        (a & 0xff) * NEXT
    }
    /// Through a `use` of the body.
    fn through_a_use(a: u32) -> u32 {
        use inner::SHIFT as BITS;
        (a >> 8) << BITS
    }
    /// As bounds and as steps.
    fn in_ranges(a: u32) -> u32 {
        let mut sum = a & 1;
        for i in (0..LIMIT).step_by(97) {
            sum += i;
        }
        sum
    }
}
