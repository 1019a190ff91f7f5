//! Methods whose receiver or result is no scalar: one arm for each line of [`crate::core_methods`].

use super::atomic::Action;
use super::operand::{EnumValue, Operand, Place, Slice};
use super::{Lowered, Lowering};
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Stmt, Update, ValueId};
use crate::{Access, CoreMethod, Enum, Field, Scalar, Type, Variant};
use std::rc::Rc;

/// An `Option` whose field is known by what it holds, and not by its type.
pub(super) static OPTION: Enum = Enum::option(
    &[
        Variant::NONE,
        Variant::some(&[Field {
            name: "0",
            ty: Type::Unit,
            offset: 0,
        }]),
    ],
    None,
);

/// The number of `Some` among the variants of `Option`.
const SOME: usize = 1;
/// The number of `Ok` among the variants of `Result`.
const OK: usize = 0;
/// The number of `Err` among the variants of `Result`.
const ERR: usize = 1;

impl Lowering<'_> {
    /// A call, with the receiver as the first argument.
    pub(super) fn core_method(
        &mut self,
        method: CoreMethod,
        arguments: &[Expr],
        at: Position,
    ) -> Lowered<Operand> {
        let places = arguments.iter().map(|argument| self.place(argument));
        let places = places.collect::<Lowered<Vec<_>>>()?;
        self.frame.at = at;
        let Some(receiver) = places.first().cloned() else {
            return Err(self.bug(format_args!("`{}` without a receiver", method.name())));
        };
        let argument = |n: usize| places.get(n).cloned().unwrap_or(Place::Value(Operand::Unit));
        let atomic = |s: &mut Self, action| s.atomic_method(action, receiver.clone(), &places[1..]);
        use CoreMethod as Core;
        match method {
            Core::SliceFirst | Core::SliceFirstMut => {
                let slice = self.slice_at(receiver)?;
                let zero = self.builder.constant(Scalar::Usize, 0);
                self.element_if(&slice, zero)
            }
            Core::SliceLast | Core::SliceLastMut => {
                let slice = self.slice_at(receiver)?;
                let len = self.len_of(&slice);
                let one = self.builder.constant(Scalar::Usize, 1);
                // Of no element it is an index that no slice has.
                let last = self.builder.binary(BinaryOp::Sub, len, one);
                self.element_if(&slice, last)
            }
            Core::SliceGet | Core::SliceGetMut => {
                let slice = self.slice_at(receiver)?;
                let index = self.scalar_in(argument(1))?;
                self.element_if(&slice, index)
            }
            Core::SliceSplitAt | Core::SliceSplitAtMut => {
                let slice = self.slice_at(receiver)?;
                let middle = self.scalar_in(argument(1))?;
                let len = self.len_of(&slice);
                let outside = self.builder.compare(CompareOp::Gt, middle, len);
                self.fault_if(outside, FaultKind::SplitAt, at);
                let zero = self.builder.constant(Scalar::Usize, 0);
                let parts = [(zero, middle), (middle, len)];
                let parts = parts.map(|(start, end)| Operand::Slice(self.part_of(&slice, start, end)));
                Ok(Operand::tuple(parts.into()))
            }
            Core::SliceSplitFirst | Core::SliceSplitFirstMut => {
                let slice = self.slice_at(receiver)?;
                let len = self.len_of(&slice);
                let [zero, one] = [0, 1].map(|n| self.builder.constant(Scalar::Usize, n));
                self.split_if(&slice, zero, (one, len))
            }
            Core::SliceSplitLast | Core::SliceSplitLastMut => {
                let slice = self.slice_at(receiver)?;
                let len = self.len_of(&slice);
                let [zero, one] = [0, 1].map(|n| self.builder.constant(Scalar::Usize, n));
                let last = self.builder.binary(BinaryOp::Sub, len, one);
                self.split_if(&slice, last, (zero, last))
            }
            Core::SliceContains => {
                let slice = self.slice_at(receiver)?;
                let wanted = self.scalar_in(argument(1))?;
                let wanted = self.widened(wanted)?;
                let no = self.builder.constant(Scalar::Bool, 0);
                let found = self.builder.local_of(None, no);
                let len = self.len_of(&slice);
                self.repeat(len, |s, index| {
                    let element = s.element_of_slice(&slice, index)?;
                    let element = s.scalar_in(element)?;
                    let element = s.widened(element)?;
                    let same = s.builder.compare(CompareOp::Eq, element, wanted);
                    let old = s.builder.read(found);
                    let new = s.builder.binary(BinaryOp::Or, old, same);
                    s.builder.push(Stmt::Set(found, new));
                    Ok(())
                })?;
                Ok(Operand::Value(self.builder.read(found)))
            }
            Core::SliceSwap => {
                let slice = self.slice_at(receiver)?;
                let (a, b) = (self.scalar_in(argument(1))?, self.scalar_in(argument(2))?);
                let a = self.checked_element(&slice, a, at)?;
                let b = self.checked_element(&slice, b, at)?;
                let (x, y) = (self.load(&a)?, self.load(&b)?);
                self.store(&a, &y)?;
                self.store(&b, &x)?;
                Ok(Operand::Unit)
            }
            Core::SliceReverse => {
                let slice = self.slice_at(receiver)?;
                let len = self.len_of(&slice);
                let two = self.builder.constant(Scalar::Usize, 2);
                let half = self.builder.binary(BinaryOp::Div, len, two);
                self.repeat(half, |s, index| {
                    let one = s.builder.constant(Scalar::Usize, 1);
                    let last = s.builder.binary(BinaryOp::Sub, len, one);
                    let other = s.builder.binary(BinaryOp::Sub, last, index);
                    let a = s.element_of_slice(&slice, index)?;
                    let b = s.element_of_slice(&slice, other)?;
                    let (x, y) = (s.load(&a)?, s.load(&b)?);
                    s.store(&a, &y)?;
                    s.store(&b, &x)
                })?;
                Ok(Operand::Unit)
            }
            Core::SliceFill => {
                let slice = self.slice_at(receiver)?;
                let value = self.load(&argument(1))?;
                let len = self.len_of(&slice);
                self.repeat(len, |s, index| {
                    let element = s.element_of_slice(&slice, index)?;
                    s.store(&element, &value)
                })?;
                Ok(Operand::Unit)
            }
            Core::SliceCopyFromSlice => {
                let to = self.slice_at(receiver)?;
                let from = self.slice_at(argument(1))?;
                let (from_len, to_len) = (self.len_of(&from), self.len_of(&to));
                let differ = self.builder.compare(CompareOp::Ne, from_len, to_len);
                let site = self.site(FaultKind::CopyFromSlice, at);
                self.builder.fault_if(differ, site, [from_len, to_len]);
                self.repeat(to_len, |s, index| {
                    let element = s.element_of_slice(&from, index)?;
                    let value = s.load(&element)?;
                    let element = s.element_of_slice(&to, index)?;
                    s.store(&element, &value)
                })?;
                Ok(Operand::Unit)
            }
            Core::OptionIsSome => self.is_variant(&receiver, SOME).map(Operand::Value),
            Core::OptionIsNone => {
                let some = self.is_variant(&receiver, SOME)?;
                Ok(Operand::Value(
                    self.builder.unary(crate::typed::UnaryOp::Not, some),
                ))
            }
            Core::OptionUnwrap => {
                let some = self.is_variant(&receiver, SOME)?;
                let none = self.builder.unary(crate::typed::UnaryOp::Not, some);
                self.fault_if(none, FaultKind::UnwrapNone, at);
                self.inner(&receiver, SOME)
            }
            Core::OptionUnwrapOr => {
                let some = self.is_variant(&receiver, SOME)?;
                let value = self.inner(&receiver, SOME)?;
                let other = self.load(&argument(1))?;
                self.join(some, (vec![], value), (vec![], other))
            }
            Core::OptionCopied => {
                let some = self.is_variant(&receiver, SOME)?;
                // An element that is not there cannot be read.
                let (block, value) = self.nested(|s| {
                    let inner = s.inner(&receiver, SOME)?;
                    let place = s.referent(Place::Value(inner))?;
                    s.load(&place)
                })?;
                let Some(value) = value else {
                    return Err(self.bug("a copy that does not end"));
                };
                let nothing = self.zero_like(&value)?;
                let value = self.join(some, (block, value), (vec![], nothing))?;
                Ok(self.option(some, value))
            }
            Core::ResultIsOk => self.is_variant(&receiver, OK).map(Operand::Value),
            Core::ResultIsErr => self.is_variant(&receiver, ERR).map(Operand::Value),
            Core::ResultOk | Core::ResultErr => {
                let variant = if method == Core::ResultOk { OK } else { ERR };
                let is = self.is_variant(&receiver, variant)?;
                let value = self.inner(&receiver, variant)?;
                Ok(self.option(is, value))
            }
            Core::ResultUnwrapOr => {
                let ok = self.is_variant(&receiver, OK)?;
                let value = self.inner(&receiver, OK)?;
                let other = self.load(&argument(1))?;
                self.join(ok, (vec![], value), (vec![], other))
            }
            Core::AtomicLoad => atomic(self, Action::Load),
            Core::AtomicStore => atomic(self, Action::Store),
            Core::AtomicSwap => atomic(self, Action::Swap),
            Core::AtomicCompareExchange | Core::AtomicCompareExchangeWeak => atomic(self, Action::Exchange),
            Core::AtomicFetchAdd => atomic(self, Action::Update(Update::Add)),
            Core::AtomicFetchSub => atomic(self, Action::Update(Update::Sub)),
            Core::AtomicFetchAnd => atomic(self, Action::Update(Update::And)),
            Core::AtomicFetchNand => atomic(self, Action::Nand),
            Core::AtomicFetchOr => atomic(self, Action::Update(Update::Or)),
            Core::AtomicFetchXor => atomic(self, Action::Update(Update::Xor)),
            Core::AtomicFetchMin => atomic(self, Action::Update(Update::Min)),
            Core::AtomicFetchMax => atomic(self, Action::Update(Update::Max)),
            Core::IntCheckedAdd
            | Core::IntCheckedSub
            | Core::IntCheckedMul
            | Core::IntCheckedDiv
            | Core::IntCheckedRem
            | Core::IntCheckedAbs
            | Core::IntCheckedNeg
            | Core::IntCheckedShl
            | Core::IntCheckedShr
            | Core::IntCheckedPow => {
                let [result, overflows] = self.overflowing(method, &places)?;
                let fits = self.builder.unary(crate::typed::UnaryOp::Not, overflows);
                Ok(self.option(fits, Operand::Value(result)))
            }
            Core::IntOverflowingAdd
            | Core::IntOverflowingSub
            | Core::IntOverflowingMul
            | Core::IntOverflowingAbs
            | Core::IntOverflowingNeg
            | Core::IntOverflowingShl
            | Core::IntOverflowingShr
            | Core::IntOverflowingPow => {
                let both = self.overflowing(method, &places)?;
                Ok(Operand::tuple(both.map(Operand::Value).into()))
            }
            Core::BoolThenSome => {
                let some = self.scalar_in(receiver)?;
                let value = self.load(&argument(1))?;
                Ok(self.option(some, value))
            }
            Core::BoolThen => {
                let condition = self.scalar_in(receiver)?;
                let Operand::Function(function) = self.load(&argument(1))? else {
                    return Err(self.bug("`then` of what is no function"));
                };
                let (block, value) = self.nested(|s| s.call_function(&function, vec![]))?;
                let [no, yes] = [0, 1].map(|tag| self.builder.constant(Scalar::Bool, tag));
                let none = self.option(no, Operand::Undefined);
                let Some(value) = value else {
                    self.builder.push(Stmt::If(condition, block, vec![]));
                    return Ok(none);
                };
                let some = self.option(yes, value);
                self.join(condition, (block, some), (vec![], none))
            }
            Core::FloatSinCos => {
                let x = self.scalar_in(receiver)?;
                let both = [self.math1(Math1::Sin, x)?, self.math1(Math1::Cos, x)?];
                Ok(Operand::tuple(both.map(Operand::Value).into()))
            }
        }
    }

    pub(super) fn scalar_in(&mut self, place: Place) -> Lowered<ValueId> {
        let place = self.referent(place)?;
        match self.load(&place)? {
            Operand::Value(value) => Ok(value),
            other => {
                let found = self.describe(&other);
                Err(self.error(format_args!("{found} is used where kernels can use numbers only")))
            }
        }
    }

    /// `Some` of a reference to an element, if the slice has that index.
    fn element_if(&mut self, slice: &Slice, index: ValueId) -> Lowered<Operand> {
        let len = self.len_of(slice);
        let inside = self.builder.compare(CompareOp::Lt, index, len);
        let element = self.element_of_slice(slice, index)?;
        let reference = self.reference_to(element, Access::Unique)?;
        Ok(self.option(inside, reference))
    }

    /// `Some` of a reference to an element and of the rest, if the slice has an element.
    fn split_if(
        &mut self,
        slice: &Slice,
        index: ValueId,
        (start, end): (ValueId, ValueId),
    ) -> Lowered<Operand> {
        let len = self.len_of(slice);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let some = self.builder.compare(CompareOp::Ne, len, zero);
        let element = self.element_of_slice(slice, index)?;
        let reference = self.reference_to(element, Access::Unique)?;
        let rest = Operand::Slice(self.part_of(slice, start, end));
        Ok(self.option(some, Operand::tuple(vec![reference, rest])))
    }

    /// An `Option`.
    fn option(&mut self, some: ValueId, value: Operand) -> Operand {
        let tag = self.builder.cast(some, OPTION.tag);
        Operand::Enum(Rc::new(EnumValue {
            def: &OPTION,
            tag,
            variants: vec![vec![], vec![value]],
        }))
    }

    /// Whether an `Option` or `Result` is a variant, told by its number.
    fn is_variant(&mut self, value: &Place, variant: usize) -> Lowered<ValueId> {
        let value = self.referent(value.clone())?;
        let Some((def, tag)) = self.enum_at(&value)? else {
            return Err(self.bug("a method of `Option` or `Result` on what is none"));
        };
        let Some(discriminant) = def.variants.get(variant).map(|v| v.discriminant) else {
            return Err(self.bug("an `Option` or `Result` without that variant"));
        };
        let discriminant = self.builder.constant(def.tag, discriminant);
        Ok(self.builder.compare(CompareOp::Eq, tag, discriminant))
    }

    /// The one field of a variant.
    fn inner(&mut self, value: &Place, variant: usize) -> Lowered<Operand> {
        let value = self.referent(value.clone())?;
        let inner = self.variant_field(&value, variant, 0)?;
        self.load(&inner)
    }

    /// A value of the same type as another, that is never looked at.
    fn zero_like(&mut self, operand: &Operand) -> Lowered<Operand> {
        if operand.holds_array() {
            return Err(
                self.error("`copied` of an `Option` of arrays is not supported in kernels: use `match`")
            );
        }
        Ok(operand.map(&mut |value| {
            let ty = self.builder.ty(value);
            self.builder.number(ty, 0)
        }))
    }
}
