//! `for` over ranges.
//!
//! A plain `a..b` is the loop that one writes by hand. Everything else (`..=`, `rev`, `step_by`, in any number and
//! order) is first reduced to four facts: whether it is empty, its first value, the distance from one value to the
//! next, and the index of its last value. All of them are right at the limits of every type: distances wrap, and an
//! index of a `u64` can number the 2⁶⁴ values of `0..=u64::MAX`, which a count could not.

use super::operand::{Operand, Place};
use super::{Lowered, Lowering};
use crate::Scalar;
use crate::tree::{self, Expr, LabelId, Pattern, Position, RangeOp};
use crate::typed::{BinaryOp, CompareOp, FaultKind, LocalId, Stmt, ValueId};

/// The values of a range and what is done to it: `first`, `first ± step`, `first ± 2 * step`, …
struct Sequence {
    /// Whether it has a value at all; the other members mean nothing if not.
    some: ValueId,
    first: ValueId,
    /// The distance between two values, a `u64`; `None` for 1.
    step: Option<ValueId>,
    /// Whether the values go down.
    down: bool,
    /// The index of the last value, a `u64`.
    last: ValueId,
}

impl Lowering<'_> {
    /// `for pattern in start..end { … }` and its kin.
    #[expect(clippy::too_many_arguments, reason = "the members of `Expr::For`")]
    pub(super) fn for_(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        start: &Expr,
        end: &Expr,
        inclusive: bool,
        ops: &[RangeOp],
        body: &tree::Block,
    ) -> Lowered<Operand> {
        let start = self.value(start)?;
        let end = self.value(end)?;
        let ty = self.builder.ty(start);
        self.expect_scalar("the end of a range", end, ty)?;
        if !ty.is_integer() {
            return Err(self.bug(format_args!("a range of {ty}")));
        }
        if !inclusive && ops.is_empty() {
            self.plain_for(label, pattern, start, end, body)?;
        } else {
            let sequence = self.sequence(start, end, inclusive, ops)?;
            self.counted_for(label, pattern, &sequence, body)?;
        }
        Ok(Operand::Unit)
    }

    /// `start..end`. The variable stays below `end`, so adding 1 to it never wraps.
    fn plain_for(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        start: ValueId,
        end: ValueId,
        body: &tree::Block,
    ) -> Lowered<()> {
        let current = self.builder.local_of(None, start);
        let id = self.open_label(label);
        let (body, _) = self.nested(|s| {
            let value = s.builder.read(current);
            let inside = s.builder.compare(CompareOp::Lt, value, end);
            s.break_unless(inside, id);
            s.bind_pattern(pattern, &Place::Value(Operand::Value(value)), false)?;
            s.block(body)
        })?;
        self.close_label(label)?;
        let (next, ()) = self.builder.block(|b| {
            let old = b.read(current);
            let one = b.number(b.ty(old), 1);
            let new = b.binary(BinaryOp::Add, old, one);
            b.push(Stmt::Set(current, new));
        });
        self.builder.push(Stmt::Loop {
            label: id,
            body,
            next,
        });
        Ok(())
    }

    /// The bounds and what is done to them, in order; each step is evaluated and checked at its turn.
    fn sequence(
        &mut self,
        start: ValueId,
        end: ValueId,
        inclusive: bool,
        ops: &[RangeOp],
    ) -> Lowered<Sequence> {
        let b = &mut self.builder;
        #[cfg(feature = "planted-bugs")]
        let (end, inclusive) = if inclusive && crate::planted::is("`..=` ends at the value after its last") {
            let one = b.number(b.ty(end), 1);
            (b.binary(BinaryOp::Add, end, one), false)
        } else {
            (end, inclusive)
        };
        let order = if inclusive { CompareOp::Le } else { CompareOp::Lt };
        let some = b.compare(order, start, end);
        let low = b.cast(start, Scalar::U64);
        let high = b.cast(end, Scalar::U64);
        let mut last = b.binary(BinaryOp::Sub, high, low);
        if !inclusive {
            let one = b.number(Scalar::U64, 1);
            last = b.binary(BinaryOp::Sub, last, one);
        }
        let mut sequence = Sequence {
            some,
            first: start,
            step: None,
            down: false,
            last,
        };
        for op in ops {
            match op {
                RangeOp::Rev => self.reverse(&mut sequence),
                RangeOp::StepBy(step, at) => self.step_by(&mut sequence, step, *at)?,
            }
        }
        Ok(sequence)
    }

    /// `.rev()`: begins with the last value and goes the other way.
    fn reverse(&mut self, sequence: &mut Sequence) {
        let b = &mut self.builder;
        let distance = match sequence.step {
            None => sequence.last,
            Some(step) => b.binary(BinaryOp::Mul, sequence.last, step),
        };
        let distance = b.cast(distance, b.ty(sequence.first));
        sequence.first = b.binary(sequence.forward(), sequence.first, distance);
        sequence.down = !sequence.down;
    }

    /// `.step_by(step)`: every `step`-th value, from the first.
    fn step_by(&mut self, sequence: &mut Sequence, step: &Expr, at: Position) -> Lowered<()> {
        let step = self.value(step)?;
        self.frame.at = at;
        self.expect_scalar("a step", step, Scalar::Usize)?;
        if self.builder.constant_bits(step).is_none_or(|bits| bits == 0) {
            let zero = self.builder.number(Scalar::Usize, 0);
            let is_zero = self.builder.compare(CompareOp::Eq, step, zero);
            self.fault_if(is_zero, FaultKind::StepByZero, at);
        }
        let b = &mut self.builder;
        let step = b.cast(step, Scalar::U64);
        sequence.last = b.binary(BinaryOp::Div, sequence.last, step);
        // The product wraps only where the sequence has no second value.
        sequence.step = Some(match sequence.step {
            None => step,
            Some(old) => b.binary(BinaryOp::Mul, old, step),
        });
        Ok(())
    }

    /// The loop over `sequence`. The test for the end stands between two rounds, because nothing can be added to
    /// the last value of a type.
    fn counted_for(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        sequence: &Sequence,
        body: &tree::Block,
    ) -> Lowered<()> {
        let more = self.builder.local_of(None, sequence.some);
        let left = self.builder.local_of(None, sequence.last);
        let current = self.builder.local_of(None, sequence.first);
        let id = self.open_label(label);
        let (body, _) = self.nested(|s| {
            let inside = s.builder.read(more);
            s.break_unless(inside, id);
            let value = s.builder.read(current);
            s.bind_pattern(pattern, &Place::Value(Operand::Value(value)), false)?;
            s.block(body)
        })?;
        self.close_label(label)?;
        let next = self.next_value(sequence, more, left, current);
        self.builder.push(Stmt::Loop {
            label: id,
            body,
            next,
        });
        Ok(())
    }

    fn next_value(
        &mut self,
        sequence: &Sequence,
        more: LocalId,
        left: LocalId,
        current: LocalId,
    ) -> Vec<Stmt> {
        let (next, ()) = self.builder.block(|b| {
            let old = b.read(left);
            let zero = b.number(Scalar::U64, 0);
            let not_last = b.compare(CompareOp::Ne, old, zero);
            b.push(Stmt::Set(more, not_last));
            let one = b.number(Scalar::U64, 1);
            let new = b.binary(BinaryOp::Sub, old, one);
            b.push(Stmt::Set(left, new));

            let old = b.read(current);
            let ty = b.ty(old);
            let step = match sequence.step {
                None => b.number(ty, 1),
                Some(step) => b.cast(step, ty),
            };
            let new = b.binary(sequence.forward(), old, step);
            b.push(Stmt::Set(current, new));
        });
        next
    }
}

impl Sequence {
    /// What goes from one value to the next.
    fn forward(&self) -> BinaryOp {
        if self.down { BinaryOp::Sub } else { BinaryOp::Add }
    }
}
