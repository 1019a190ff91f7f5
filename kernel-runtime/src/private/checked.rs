//! Arithmetic of `#[device]` functions where they are called as the functions that they also are: it wraps while a kernel
//! runs on this thread, as in kernels, and elsewhere is the user's operator, which panics where the build checks it.
//!
//! In builds that do not check, both are one instruction, and what asks for the kernel is optimised away.

use super::iterator;
use super::wrap::{self, Operand};
use crate::element::DeviceCopy;
use crate::host::running;
use std::borrow::Borrow;
use std::iter::{Product, Sum};

macro_rules! binary {
    ($($name:ident $assign:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub fn $name<L: Operand, R: Operand, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
            if running() { wrap::$name(l, r, op) } else { op(l, r) }
        }
        #[doc = concat!("`", stringify!($assign), "`")]
        #[inline(always)]
        pub fn $assign<L: DeviceCopy, R: Operand>(r: R, l: &mut L, op: impl FnOnce(&mut L, R)) {
            if running() { wrap::$assign(r, l, op) } else { op(l, r) }
        }
    )*};
}
binary! {
    add add_assign;
    sub sub_assign;
    mul mul_assign;
    shl shl_assign;
    shr shr_assign;
}

macro_rules! unary {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub fn $name<L: Operand, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
            if running() { wrap::$name(l, op) } else { op(l) }
        }
    )*};
}
unary!(neg abs next_power_of_two);

/// `pow`
#[inline(always)]
pub fn pow<L: Operand, R, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if running() { wrap::pow(l, r, op) } else { op(l, r) }
}

/// `next_multiple_of`
#[inline(always)]
#[track_caller]
pub fn next_multiple_of<L: Operand, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if running() {
        wrap::next_multiple_of(l, r, op)
    } else {
        op(l, r)
    }
}

macro_rules! totals {
    ($($name:ident $trait:ident;)*) => {$(
        #[doc = concat!("`iterator.", stringify!($name), "()`")]
        #[inline(always)]
        pub fn $name<I: Iterator, S: DeviceCopy + $trait<I::Item>>(iterator: I, op: impl FnOnce(I) -> S) -> S
        where
            I::Item: Borrow<S>,
        {
            if running() { iterator::$name(iterator) } else { op(iterator) }
        }
    )*};
}
totals! {
    sum Sum;
    product Product;
}
