//! Arithmetic that wraps in every build, with rustc's typing and the user's token.
//!
//! `a + b` becomes `add(a, b, |a, b| a + b)`: rustc types the closure, and reports in it, as it would the operator.
//! For integers the closure is never called; the branch is on a constant. A compound assignment takes its right
//! side first, as Rust evaluates it for built-in types.
//!
//! [`clamp`], [`step`], [`quotient`] and [`remainder`] are here because std panics for them at places of its own, which
//! tell users nothing.

use crate::element::DeviceCopy;
use crate::host::fault;
use gridfn_ir::typed::FaultKind;

/// `value` as `U`, which is the same type: the caller knows, rustc does not.
#[inline(always)]
fn same<T: Copy, U: Copy>(value: T) -> U {
    assert!(size_of::<T>() == size_of::<U>());
    // SAFETY: both are the same scalar type. rustc's own impls of the operators for integers have no others: the
    // right side and the result are of the left side's type, or the closure would not have been typed.
    unsafe { std::mem::transmute_copy(&value) }
}

macro_rules! binary {
    ($($name:ident $assign:ident $wrapping:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub fn $name<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
            if L::INTEGER { same(l.$wrapping(same(r))) } else { op(l, r) }
        }
        #[doc = concat!("`", stringify!($assign), "`")]
        #[inline(always)]
        pub fn $assign<L: DeviceCopy, R: DeviceCopy>(r: R, l: &mut L, op: impl FnOnce(&mut L, R)) {
            if L::INTEGER { *l = l.$wrapping(same(r)) } else { op(l, r) }
        }
    )*};
}
binary! {
    add add_assign __add;
    sub sub_assign __sub;
    mul mul_assign __mul;
}

macro_rules! shifts {
    ($($name:ident $assign:ident $wrapping:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub fn $name<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
            if L::INTEGER { same(l.$wrapping(r.__low())) } else { op(l, r) }
        }
        #[doc = concat!("`", stringify!($assign), "`")]
        #[inline(always)]
        pub fn $assign<L: DeviceCopy, R: DeviceCopy>(r: R, l: &mut L, op: impl FnOnce(&mut L, R)) {
            if L::INTEGER { *l = l.$wrapping(r.__low()) } else { op(l, r) }
        }
    )*};
}
shifts! {
    shl shl_assign __shl;
    shr shr_assign __shr;
}

/// `-a`
#[inline(always)]
pub fn neg<L: DeviceCopy, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if L::INTEGER { same(l.__neg()) } else { op(l) }
}

/// `a.abs()`, which overflows for `MIN` in Rust's debug builds.
#[inline(always)]
pub fn abs<L: DeviceCopy, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if L::INTEGER { same(l.__abs()) } else { op(l) }
}

/// `a.pow(e)`, which overflows in Rust's debug builds.
#[inline(always)]
pub fn pow<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if L::INTEGER {
        same(l.__pow(r.__low()))
    } else {
        op(l, r)
    }
}

/// `a.next_power_of_two()`, which overflows in Rust's debug builds.
#[inline(always)]
pub fn next_power_of_two<L: DeviceCopy, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if L::INTEGER {
        same(l.__next_power_of_two())
    } else {
        op(l)
    }
}

/// `a.next_multiple_of(b)`, which overflows in Rust's debug builds; the fault is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn next_multiple_of<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::RemainderByZero, [0; 2]);
    }
    if L::INTEGER {
        same(l.__next_multiple_of(same(r)))
    } else {
        op(l, r)
    }
}

/// `a.wrapping_div(b)` and kin; the fault of a divisor of zero is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn quotient<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::DivideByZero, [0; 2]);
    }
    op(l, r)
}

/// `a.wrapping_rem(b)` and kin; the fault of a divisor of zero is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn remainder<L: DeviceCopy, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::RemainderByZero, [0; 2]);
    }
    op(l, r)
}

/// `a.clamp(min, max)`; the fault is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn clamp<L: DeviceCopy, A: DeviceCopy, B: DeviceCopy, O: Copy>(
    l: L,
    min: A,
    max: B,
    op: impl FnOnce(L, A, B) -> O,
) -> O {
    if let Some((kind, values)) = A::__unordered(min, same(max)) {
        fault(kind, values);
    }
    op(l, min, max)
}

/// The `n` of `step_by(n)`; the fault is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn step(n: usize) -> usize {
    if n == 0 {
        fault(FaultKind::StepByZero, [0; 2]);
    }
    n
}
