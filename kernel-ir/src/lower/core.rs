//! Methods whose receiver or result is no scalar: one arm for each line of [`crate::core_methods`].

use super::atomic::Action;
use super::operand::{Operand, Place, Slice};
use super::{Lowered, Lowering};
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math1, Stmt, Update, ValueId};
use crate::{Access, ByteOrder, CoreMethod, Scalar};

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
        self.core_method_of(method, places, at)
    }

    /// The same of places.
    pub(super) fn core_method_of(
        &mut self,
        method: CoreMethod,
        places: Vec<Place>,
        at: Position,
    ) -> Lowered<Operand> {
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
            Core::OptionIsSome
            | Core::OptionIsNone
            | Core::OptionUnwrap
            | Core::OptionUnwrapOr
            | Core::OptionUnwrapOrElse
            | Core::OptionCopied
            | Core::OptionMap
            | Core::OptionMapOr
            | Core::OptionAndThen
            | Core::OptionFilter
            | Core::OptionIsSomeAnd
            | Core::OptionOr
            | Core::OptionOkOr => self.option_method(method, &receiver, &places[1..], at),
            Core::ResultIsOk
            | Core::ResultIsErr
            | Core::ResultOk
            | Core::ResultErr
            | Core::ResultMap
            | Core::ResultMapErr
            | Core::ResultUnwrapOr
            | Core::ResultUnwrapOrElse => self.result_method(method, &receiver, &places[1..]),
            Core::OrderingIsEq
            | Core::OrderingIsNe
            | Core::OrderingIsLt
            | Core::OrderingIsGt
            | Core::OrderingIsLe
            | Core::OrderingIsGe
            | Core::OrderingReverse
            | Core::OrderingThen => self.ordering_method(method, &receiver, &places[1..]),
            Core::PlainEq => {
                let tags = [self.tag_of_plain(&receiver)?, self.tag_of_plain(&argument(1))?];
                Ok(Operand::Value(self.builder.compare(
                    CompareOp::Eq,
                    tags[0],
                    tags[1],
                )))
            }
            Core::IntCmp | Core::IntPartialCmp | Core::FloatPartialCmp | Core::FloatTotalCmp => {
                let (a, b) = (self.scalar_in(receiver)?, self.scalar_in(argument(1))?);
                self.comparison(method, a, b)
            }
            Core::FloatClassify => {
                let x = self.scalar_in(receiver)?;
                Ok(self.category(x))
            }
            Core::IntToLeBytes | Core::IntToNeBytes | Core::FloatToLeBytes | Core::FloatToNeBytes => {
                self.bytes_of(receiver, ByteOrder::Little)
            }
            Core::IntToBeBytes | Core::FloatToBeBytes => self.bytes_of(receiver, ByteOrder::Big),
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
            | Core::IntCheckedPow
            | Core::IntCheckedDivEuclid
            | Core::IntCheckedRemEuclid
            | Core::IntCheckedAddSigned
            | Core::IntCheckedSubSigned
            | Core::IntCheckedAddUnsigned
            | Core::IntCheckedSubUnsigned
            | Core::IntCheckedNextPowerOfTwo
            | Core::IntCheckedNextMultipleOf
            | Core::IntCheckedIlog
            | Core::IntCheckedIlog2
            | Core::IntCheckedIlog10
            | Core::IntCheckedIsqrt => {
                let [result, overflows] = self.overflowing(method, &places, at)?;
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
            | Core::IntOverflowingPow
            | Core::IntOverflowingAddSigned
            | Core::IntOverflowingSubSigned
            | Core::IntOverflowingAddUnsigned
            | Core::IntOverflowingSubUnsigned => {
                let both = self.overflowing(method, &places, at)?;
                Ok(Operand::tuple(both.map(Operand::Value).into()))
            }
            Core::BoolThenSome => {
                let some = self.scalar_in(receiver)?;
                let value = self.load(&argument(1))?;
                Ok(self.option(some, value))
            }
            Core::BoolThen => {
                let condition = self.scalar_in(receiver)?;
                let function = self.function_in(&argument(1))?;
                self.choose(
                    condition,
                    |s| {
                        let value = s.call_function(&function, vec![])?;
                        Ok(s.some(value))
                    },
                    |s| Ok(s.none()),
                )
            }
            Core::ViewShape => self.shape_of_view(receiver),
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
}
