//! Operators: which function stands behind one whose operands may be of users' types.
//!
//! `a * b` in a kernel stays as it is, for rustc to resolve. In a closure that never runs, the expansion asks for
//! [`DeviceMul`] of the same operands: of scalars, and references to them, it is built in, and of a user's type the
//! `#[device] impl` of the operator says it. Where both operands are scalars for sure, nothing is asked.

use crate::private::{HasLink, Hole};
use gridfn_ir::Link;

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// What has rustc's own operators: a scalar, or a reference to one.
pub trait BuiltIn: sealed::Sealed {}
macro_rules! built_in {
    ($($ty:ident)*) => {$(
        impl sealed::Sealed for $ty {}
        impl BuiltIn for $ty {}
    )*};
}
built_in!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);
impl<T: BuiltIn> sealed::Sealed for &T {}
impl<T: BuiltIn> BuiltIn for &T {}

/// The marker of rustc's own operators. Lowering sees it by the operands, and never asks for the function.
pub struct Intrinsic;
impl HasLink for Intrinsic {
    const LINK: fn() -> Link = || unreachable!("an operator of rustc's own is no function");
}

/// Of a type parameter that is bounded by `Scalar`, `Int` or `Float`: these mean ours, of which only scalars are.
pub const fn number<T: Number>() {}

/// See [`number`].
#[diagnostic::on_unimplemented(
    message = "a bound of `{Self}` has the name of one of gridfn's traits of numbers, and is none",
    label = "a type parameter that kernels take for a number",
    note = "rename your trait: in kernels, `Scalar`, `Int` and `Float` are those of `gridfn::prelude`"
)]
pub trait Number {}
impl<T: crate::Scalar> Number for T {}

/// The hole of an operator: operands, result, and the marker of the function behind it. But for the operands it is as that
/// of a method.
impl<A, B, O, L> Hole<((A, B), O, L)> {
    /// The left operand; its type fills the hole.
    #[inline(always)]
    pub fn left(self, value: A) -> A {
        value
    }
    /// The place that a compound assignment changes.
    #[inline(always)]
    pub fn changed(self, place: &mut A) -> &mut A {
        place
    }
    /// The right operand.
    #[inline(always)]
    pub fn right(self, value: B) -> B {
        value
    }
}

/// The hole of an operator of one operand.
impl<A, O, L> Hole<((A,), O, L)> {
    /// The operand; its type fills the hole.
    #[inline(always)]
    pub fn operand(self, value: A) -> A {
        value
    }
}

/// A compound assignment. As of built-in types, the value was evaluated first.
#[inline(always)]
pub fn assign<A, B>(value: B, place: &mut A, op: impl FnOnce(&mut A, B)) {
    op(place, value);
}

macro_rules! binary {
    ($($trait:ident $probe:ident $text:literal $message:literal;)*) => {$(
        #[doc = concat!("What has `", $text, "` in kernels.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not an operator that devices have",
            note = "of a type of yours: mark the `impl` of the operator with `#[device]`"
        )]
        pub trait $trait<R> {
            /// The function behind it.
            type Marker: HasLink;
        }
        #[diagnostic::do_not_recommend]
        impl<A: BuiltIn, B: BuiltIn> $trait<B> for A {
            type Marker = Intrinsic;
        }
        #[doc = concat!("What stands behind `", $text, "` of these operands. Never runs.")]
        pub fn $probe<A: $trait<B>, B>(_: (A, B)) -> A::Marker {
            unreachable!("a probe never runs")
        }
    )*};
}
binary! {
    DeviceAdd add "+" "`{Self} + {R}` cannot be computed in a kernel";
    DeviceSub sub "-" "`{Self} - {R}` cannot be computed in a kernel";
    DeviceMul mul "*" "`{Self} * {R}` cannot be computed in a kernel";
    DeviceDiv div "/" "`{Self} / {R}` cannot be computed in a kernel";
    DeviceRem rem "%" "`{Self} % {R}` cannot be computed in a kernel";
    DeviceBitAnd bitand "&" "`{Self} & {R}` cannot be computed in a kernel";
    DeviceBitOr bitor "|" "`{Self} | {R}` cannot be computed in a kernel";
    DeviceBitXor bitxor "^" "`{Self} ^ {R}` cannot be computed in a kernel";
    DeviceShl shl "<<" "`{Self} << {R}` cannot be computed in a kernel";
    DeviceShr shr ">>" "`{Self} >> {R}` cannot be computed in a kernel";
    DeviceAddAssign add_assign "+=" "`{Self} += {R}` cannot be computed in a kernel";
    DeviceSubAssign sub_assign "-=" "`{Self} -= {R}` cannot be computed in a kernel";
    DeviceMulAssign mul_assign "*=" "`{Self} *= {R}` cannot be computed in a kernel";
    DeviceDivAssign div_assign "/=" "`{Self} /= {R}` cannot be computed in a kernel";
    DeviceRemAssign rem_assign "%=" "`{Self} %= {R}` cannot be computed in a kernel";
    DeviceBitAndAssign bitand_assign "&=" "`{Self} &= {R}` cannot be computed in a kernel";
    DeviceBitOrAssign bitor_assign "|=" "`{Self} |= {R}` cannot be computed in a kernel";
    DeviceBitXorAssign bitxor_assign "^=" "`{Self} ^= {R}` cannot be computed in a kernel";
    DeviceShlAssign shl_assign "<<=" "`{Self} <<= {R}` cannot be computed in a kernel";
    DeviceShrAssign shr_assign ">>=" "`{Self} >>= {R}` cannot be computed in a kernel";
    DevicePartialEq eq "==" "`{Self}` and `{R}` cannot be compared in a kernel";
}

macro_rules! unary {
    ($($trait:ident $probe:ident $text:literal $message:literal;)*) => {$(
        #[doc = concat!("What has `", $text, "` in kernels.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "not an operator that devices have",
            note = "of a type of yours: mark the `impl` of the operator with `#[device]`"
        )]
        pub trait $trait {
            /// The function behind it.
            type Marker: HasLink;
        }
        #[diagnostic::do_not_recommend]
        impl<A: BuiltIn> $trait for A {
            type Marker = Intrinsic;
        }
        #[doc = concat!("What stands behind `", $text, "` of this operand. Never runs.")]
        pub fn $probe<A: $trait>(_: (A,)) -> A::Marker {
            unreachable!("a probe never runs")
        }
    )*};
}
unary! {
    DeviceNeg neg "-" "`-{Self}` cannot be computed in a kernel";
    DeviceNot not "!" "`!{Self}` cannot be computed in a kernel";
}

/// Operands that are compared by their order: scalars only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{R}` cannot be compared by their order in a kernel",
    label = "not numbers",
    note = "compare fields, or call a method of your own that does"
)]
pub trait DevicePartialOrd<R> {
    /// The function behind it.
    type Marker: HasLink;
}
#[diagnostic::do_not_recommend]
impl<A: BuiltIn, B: BuiltIn> DevicePartialOrd<B> for A {
    type Marker = Intrinsic;
}
/// What stands behind `<` of these operands. Never runs.
pub fn order<A: DevicePartialOrd<B>, B>(_: (A, B)) -> A::Marker {
    unreachable!("a probe never runs")
}
