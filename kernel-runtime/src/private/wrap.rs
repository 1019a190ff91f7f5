//! Arithmetic that wraps in every build, with rustc's typing and the user's token.
//!
//! `a + b` becomes `add(a, b, |a, b| a + b)`: rustc types the closure, and reports in it, as it would the operator.
//! For integers the closure is never called; the branch is on a constant. A compound assignment takes its right
//! side first, as Rust evaluates it for built-in types.
//!
//! Every operator goes through here, also those of the user's own types, which keep the closure's meaning.
//!
//! [`clamp`], [`step`], [`quotient`] and [`remainder`] are here because std panics for them at places of its own, which
//! tell users nothing.

use crate::element::DeviceCopy;
use crate::host::fault;
use gridfn_ir::Type;
use gridfn_ir::typed::FaultKind;

/// What an operator takes: a value of a kernel, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a kernel",
    label = "this has the type `{Self}`",
    note = "kernels hold integers of 8 to 64 bits, `usize`, `isize`, `f32`, `f64`, `bool`, and arrays, tuples, structs \
            and enums of these; if this is a struct or enum of yours, derive it: `#[derive(Clone, Copy, DeviceCopy)]`"
)]
pub trait Operand {
    /// The value's type.
    type Value: DeviceCopy;
    /// The value.
    fn value(self) -> Self::Value;
}

#[diagnostic::do_not_recommend]
impl<T: DeviceCopy> Operand for &T {
    type Value = T;
    #[inline(always)]
    fn value(self) -> T {
        *self
    }
}

/// Whether the operator on these is one of rustc's own for integers, of which the result has the left side's type, as has
/// the right side. An operator that the user defines has an operand of the user's own type.
const fn are_integers<L: Operand, R: Operand>() -> bool {
    <L::Value as DeviceCopy>::INTEGER && <R::Value as DeviceCopy>::INTEGER
}

/// `value` as `U`, which is the same type: the caller knows, rustc does not.
#[inline(always)]
fn same<T, U: Copy>(value: T) -> U {
    assert!(size_of::<T>() == size_of::<U>());
    // SAFETY: both are the same scalar type, which needs no drop: see `are_integers`; of rustc's own methods likewise,
    // or the closure would not have been typed.
    unsafe { std::mem::transmute_copy(&value) }
}

macro_rules! binary {
    ($($name:ident $assign:ident $wrapping:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub fn $name<L: Operand, R: Operand, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
            if are_integers::<L, R>() {
                same(l.value().$wrapping(same(r.value())))
            } else {
                op(l, r)
            }
        }
        #[doc = concat!("`", stringify!($assign), "`")]
        #[inline(always)]
        pub fn $assign<L: DeviceCopy, R: Operand>(r: R, l: &mut L, op: impl FnOnce(&mut L, R)) {
            if are_integers::<L, R>() { *l = l.$wrapping(same(r.value())) } else { op(l, r) }
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
        pub fn $name<L: Operand, R: Operand, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
            if are_integers::<L, R>() {
                same(l.value().$wrapping(r.value().__low()))
            } else {
                op(l, r)
            }
        }
        #[doc = concat!("`", stringify!($assign), "`")]
        #[inline(always)]
        pub fn $assign<L: DeviceCopy, R: Operand>(r: R, l: &mut L, op: impl FnOnce(&mut L, R)) {
            if are_integers::<L, R>() { *l = l.$wrapping(r.value().__low()) } else { op(l, r) }
        }
    )*};
}
shifts! {
    shl shl_assign __shl;
    shr shr_assign __shr;
}

/// `-a`
#[inline(always)]
pub fn neg<L: Operand, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if are_integers::<L, L>() {
        same(l.value().__neg())
    } else {
        op(l)
    }
}

/// `a.abs()`, which overflows for `MIN` in Rust's debug builds.
#[inline(always)]
pub fn abs<L: Operand, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if are_integers::<L, L>() {
        same(l.value().__abs())
    } else {
        op(l)
    }
}

/// `a.pow(e)`, which overflows in Rust's debug builds.
#[inline(always)]
pub fn pow<L: Operand, R, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if are_integers::<L, L>() {
        same(l.value().__pow(same(r)))
    } else {
        op(l, r)
    }
}

/// `a.next_power_of_two()`, which overflows in Rust's debug builds.
#[inline(always)]
pub fn next_power_of_two<L: Operand, O: Copy>(l: L, op: impl FnOnce(L) -> O) -> O {
    if are_integers::<L, L>() {
        same(l.value().__next_power_of_two())
    } else {
        op(l)
    }
}

/// `a.next_multiple_of(b)`, which overflows in Rust's debug builds; the fault is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn next_multiple_of<L: Operand, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::RemainderByZero, [0; 2]);
    }
    if are_integers::<L, R>() {
        same(l.value().__next_multiple_of(same(r)))
    } else {
        op(l, r)
    }
}

/// `a.wrapping_div(b)` and kin; the fault of a divisor of zero is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn quotient<L, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::DivideByZero, [0; 2]);
    }
    op(l, r)
}

/// `a.wrapping_rem(b)` and kin; the fault of a divisor of zero is at the caller's place.
#[inline(always)]
#[track_caller]
pub fn remainder<L, R: DeviceCopy, O: Copy>(l: L, r: R, op: impl FnOnce(L, R) -> O) -> O {
    if r.__is_zero() {
        fault(FaultKind::RemainderByZero, [0; 2]);
    }
    op(l, r)
}

/// `a.clamp(min, max)`; the fault is at the caller's place. Of a type of the user's own, it is whatever the user says.
#[inline(always)]
#[track_caller]
pub fn clamp<L: Operand, A: Copy, B: Copy, O: Copy>(
    l: L,
    min: A,
    max: B,
    op: impl FnOnce(L, A, B) -> O,
) -> O {
    let number = const { matches!(<L::Value as DeviceCopy>::TYPE, Type::Scalar(_)) };
    if number && let Some((kind, values)) = <L::Value as DeviceCopy>::__unordered(same(min), same(max)) {
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
