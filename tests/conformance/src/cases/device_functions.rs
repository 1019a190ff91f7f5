//! `#[device]` functions: on the host they stay the functions that they are, and that is what they are compared with.

#![allow(
    clippy::needless_return,
    clippy::never_loop,
    reason = "odd forms are the point"
)]

use crate::case::{Suite, case_path, check_eq};
use crate::elements::bodies;
use gridfn::prelude::*;

/// The plain form.
#[device]
fn square(x: u32) -> u32 {
    x.wrapping_mul(x)
}

/// A function that calls another, twice.
#[device]
fn fourth_power(x: u32) -> u32 {
    let y = square(x);
    square(y).wrapping_add(square(x) & 1)
}

/// Several returns, one of them out of a loop.
#[expect(clippy::manual_is_multiple_of, reason = "kernels have no such method")]
#[device]
fn first_divisor(n: u32) -> u32 {
    if n < 2 {
        return 0;
    }
    for d in 2..100 {
        if d * d > n {
            return n;
        }
        if n % d == 0 {
            return d;
        }
    }
    return 1;
}

/// A return of the middle of an expression.
#[device]
fn bail(n: i32) -> i32 {
    let doubled = 2 * if n > 1000 { return -1 } else { n % 1000 };
    doubled + 1
}

/// No result, and parameters that it changes for itself.
#[device]
fn nothing(mut n: u32, _unused: bool) {
    while n > 3 {
        n /= 2;
    }
}

/// No parameters.
#[device]
fn seven() -> i64 {
    7
}

/// All types at once.
#[device]
fn many(a: i8, b: u16, c: bool, d: f32, e: u64) -> f32 {
    if c {
        a as f32 + d
    } else {
        b as f32 * 0.5 + (e & 0xff) as f32
    }
}

/// Generic over numbers.
#[device]
fn larger<T: Scalar>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// Generic, and calls a generic one.
#[device]
fn spread<T: Scalar>(a: T, b: T) -> T {
    larger(a, b) - larger(T::ZERO, T::ONE) + larger::<T>(b, a)
}

/// A result that only the caller's type tells.
#[device]
fn two<T: Scalar>() -> T {
    T::ONE + T::ONE
}

/// Faults in this file, for a kernel of another.
#[device]
pub(super) fn remainder(a: u32, b: u32) -> u32 {
    a % b
}
/// The line of its operator.
pub(super) const REMAINDER_LINE: u32 = line!() - 3;

mod elsewhere {
    use gridfn::prelude::*;

    /// From another module.
    #[device]
    pub(super) fn mix(a: u64, b: u64) -> u64 {
        (a ^ b.rotate_left(17)).wrapping_mul(super::FACTOR)
    }
}
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

bodies! {
    /// A call.
    fn call(a: u32) -> u32 {
        square(a)
    }
    /// Calls in calls.
    fn nested(a: u32, b: u32) -> u32 {
        fourth_power(square(a) ^ fourth_power(b))
    }
    /// A function of several returns, called in a loop.
    fn several_returns(a: u32) -> u32 {
        let mut n = a % 5000;
        let mut sum = 0;
        while n > 1 {
            let d = first_divisor(n);
            sum = sum * 3 + d;
            n /= d;
            if sum > 100_000 {
                break;
            }
        }
        sum
    }
    /// Returns in the middle of an expression end the function and not the kernel.
    fn return_in_the_middle(a: i32) -> i32 {
        bail(a % 5000) + bail(3)
    }
    /// Functions without a result or without parameters.
    fn nothing_and_seven(a: u32) -> i64 {
        nothing(a, true);
        seven() * 2 + a as i64
    }
    /// Arguments of all types, evaluated from left to right.
    fn many_types(a: i32, b: f32) -> f32 {
        let mut n = a & 0xff;
        many(a as i8, { n += 1; n as u16 }, n & 1 == 0, b, n as u64)
    }
    /// Generic functions of several types.
    fn generic(a: i32, b: i32) -> i64 {
        let x = larger(a, b) as i64;
        let y = larger((a & 0xff) as u8, 7);
        let z = spread((a % 1000) as i64, (b % 1000) as i64);
        let w: i64 = two();
        x + y as i64 + z * w
    }
    /// Through a path.
    fn by_path(a: u64, b: u64) -> u64 {
        elsewhere::mix(a, b) ^ self::elsewhere::mix(b, a)
    }
    /// As an operand of everything.
    fn as_operands(a: u32, b: u32) -> u32 {
        let mut x = square(a) & 0xffff;
        x += square(2);
        if square(x) > square(b) || square(a) == 0 {
            x ^= square(x + 1);
        }
        for i in 0..square(3) {
            x ^= i << square(2);
        }
        x
    }
}

/// Index functions in a function of the user's.
#[device]
fn place(scale: usize) -> usize {
    global_id(0) * scale + group_id(0) * local_size(0) + local_id(0)
}

/// One level further down.
#[device]
fn place_twice() -> usize {
    place(10) + place(1000)
}

#[kernel]
fn index_functions(out: &mut [u64]) {
    let i = global_id(0);
    out[i] = place_twice() as u64 + global_size(0) as u64;
}

fn add_index_functions(suite: &mut Suite) {
    suite.kernel::<index_functions>();
    suite.case(case_path!("index_functions"), &[], |device| {
        let queue = device.queue()?;
        let mut out = queue.zeros::<u64>(100)?;
        launch!(queue, index_functions(&mut out), global = 100, local = 16)?;
        let expected: Vec<u64> = (0..100).map(|i| (i * 10 + i) + (i * 1000 + i) + 100).collect();
        check_eq!(queue.download(&out)?, expected);
        Ok(())
    });
}

/// Adds the cases.
pub(super) fn all(suite: &mut Suite) {
    add_to(suite);
    add_index_functions(suite);
}
