//! Methods of atomics.
//!
//! Typed IR has the operations that all devices have. What only some have, or none, is a loop around a compare-exchange:
//! all arithmetic of floats, but their sum where the code form adds as exactly as `+`, and `fetch_nand`. Floats are
//! compared and exchanged by their bits.

use super::operand::{Operand, Place};
use super::{Lowered, Lowering};
use crate::typed::{
    AtomicOp, BinaryOp, CompareOp, Math2, Op, Order, ParamId, Stmt, UnaryOp, Update, ValueId,
};
use crate::{Scalar, Type};

/// The place of one atomic.
struct Cell {
    slice: ParamId,
    /// What it holds.
    ty: Scalar,
    /// Its index, counted in values of its size.
    index: ValueId,
}

/// What a method of an atomic does.
#[derive(Clone, Copy)]
pub(super) enum Action {
    Load,
    Store,
    Swap,
    /// `compare_exchange`, and the weak one, which need not fail.
    Exchange,
    /// `fetch_add` and kin.
    Update(Update),
    /// `fetch_nand`
    Nand,
}

impl Lowering<'_> {
    /// A method of the atomic at a place, with its arguments.
    pub(super) fn atomic_method(
        &mut self,
        action: Action,
        receiver: Place,
        arguments: &[Place],
    ) -> Lowered<Operand> {
        match self.referent(receiver)? {
            Place::Choice(which, yes, no) => {
                let (yes, a) = self.nested(|s| s.atomic_method(action, (*yes).clone(), arguments))?;
                let (no, b) = self.nested(|s| s.atomic_method(action, (*no).clone(), arguments))?;
                match (a, b) {
                    (Some(a), Some(b)) => self.join(which, (yes, a), (no, b)),
                    _ => Err(self.bug("an atomic that cannot be reached")),
                }
            }
            Place::Memory(memory) => {
                let Type::Atomic(ty) = memory.ty else {
                    return Err(self.bug(format_args!("a method of an atomic on {}", memory.ty)));
                };
                let index = self.index_of(&memory, ty);
                let slice = memory.param;
                self.operation(action, &Cell { slice, ty, index }, arguments)
            }
            Place::Value(_) | Place::Variable(_) => {
                Err(self.error("kernels know atomics that are elements of a `&[AtomicU32]` and its kin only"))
            }
        }
    }

    fn operation(&mut self, action: Action, cell: &Cell, arguments: &[Place]) -> Lowered<Operand> {
        let (mut values, mut orders) = (vec![], vec![]);
        for argument in arguments {
            let place = self.referent(argument.clone())?;
            if self.enum_at(&place)?.is_some() {
                orders.push(self.order(&place)?);
            } else {
                let value = self.scalar_in(place)?;
                self.expect_scalar("the value", value, cell.ty)?;
                values.push(value);
            }
        }
        let before = match (action, &values[..], &orders[..]) {
            (Action::Load, [], &[order]) => {
                if matches!(order, Order::Release | Order::AcqRel) {
                    return Err(self.no_such("a load", order));
                }
                self.exchange(cell, AtomicOp::Load, order)
            }
            (Action::Store, &[value], &[order]) => {
                if matches!(order, Order::Acquire | Order::AcqRel) {
                    return Err(self.no_such("a store", order));
                }
                let bits = self.bits(cell.ty, value);
                self.builder.atomic_store(cell.slice, cell.index, bits, order);
                return Ok(Operand::Unit);
            }
            (Action::Swap, &[value], &[order]) => {
                let bits = self.bits(cell.ty, value);
                self.exchange(cell, AtomicOp::Swap(bits), order)
            }
            (Action::Exchange, &[expected, new], &[success, failure]) => {
                return self.compare_exchange(cell, [expected, new], success, failure);
            }
            (Action::Update(update), &[value], &[order]) => self.update(cell, update, value, order)?,
            (Action::Nand, &[value], &[order]) => self.repeated_exchange(cell, order, |s, old| {
                let both = s.builder.binary(BinaryOp::And, old, value);
                Ok(s.builder.unary(UnaryOp::Not, both))
            })?,
            (
                Action::Load
                | Action::Store
                | Action::Swap
                | Action::Exchange
                | Action::Update(_)
                | Action::Nand,
                _,
                _,
            ) => return Err(self.bug("a method of an atomic with other arguments")),
        };
        Ok(Operand::Value(before))
    }

    /// `fetch_add` and kin: one operation where all devices have it, and a loop for floats.
    fn update(&mut self, cell: &Cell, update: Update, value: ValueId, order: Order) -> Lowered<ValueId> {
        let adds = update == Update::Add && (self.library.atomic_add)(cell.ty);
        if !cell.ty.is_float() || adds {
            return Ok(self.atomic(cell, cell.ty, AtomicOp::Update(update, value), order));
        }
        self.repeated_exchange(cell, order, |s, old| {
            Ok(match update {
                Update::Add => s.builder.binary(BinaryOp::Add, old, value),
                Update::Sub => s.builder.binary(BinaryOp::Sub, old, value),
                Update::Min => s.builder.math2(Math2::Min, old, value),
                Update::Max => s.builder.math2(Math2::Max, old, value),
                Update::And | Update::Or | Update::Xor => return Err(s.bug("bits of an atomic float")),
            })
        })
    }

    /// An ordering, which is known when the kernel is lowered.
    fn order(&mut self, place: &Place) -> Lowered<Order> {
        let Some((def, tag)) = self.enum_at(place)? else {
            return Err(self.bug("an ordering that is none"));
        };
        let known = self.builder.constant_bits(tag);
        let variant = known.and_then(|bits| def.variants.iter().find(|v| v.discriminant == bits));
        let order = variant.and_then(|v| Order::ALL.into_iter().find(|order| order.name() == v.name));
        order.ok_or_else(|| {
            self.error(
                "the ordering of an atomic operation is known when a kernel is compiled: write `Ordering::Relaxed`, or \
                 another, in its place",
            )
        })
    }

    /// What Rust's own methods panic of.
    fn no_such(&self, what: &str, order: Order) -> super::Stop {
        self.error(format_args!(
            "there is no such thing as {what} with `Ordering::{}`",
            order.name()
        ))
    }

    fn compare_exchange(
        &mut self,
        cell: &Cell,
        [expected, new]: [ValueId; 2],
        success: Order,
        failure: Order,
    ) -> Lowered<Operand> {
        if matches!(failure, Order::Release | Order::AcqRel) {
            return Err(self.no_such("a failure", failure));
        }
        let (expected, new) = (self.bits(cell.ty, expected), self.bits(cell.ty, new));
        let exchange = AtomicOp::CompareExchange {
            expected,
            new,
            failure,
        };
        let before = self.atomic(cell, bits_of(cell.ty), exchange, success.with(failure));
        let failed = self.builder.compare(CompareOp::Ne, before, expected);
        let before = Operand::Value(self.of_bits(cell.ty, before));
        Ok(self.result(failed, before.clone(), before))
    }

    /// An operation of the value's bits; gives the value that was there before.
    fn exchange(&mut self, cell: &Cell, op: AtomicOp, order: Order) -> ValueId {
        let before = self.atomic(cell, bits_of(cell.ty), op, order);
        self.of_bits(cell.ty, before)
    }

    fn atomic(&mut self, cell: &Cell, ty: Scalar, op: AtomicOp, order: Order) -> ValueId {
        self.builder.atomic(ty, cell.slice, cell.index, op, order)
    }

    /// Puts what `f` makes of the value in its place, as often as someone else was faster; gives what was there before.
    fn repeated_exchange(
        &mut self,
        cell: &Cell,
        order: Order,
        f: impl FnOnce(&mut Self, ValueId) -> Lowered<ValueId>,
    ) -> Lowered<ValueId> {
        let bits = bits_of(cell.ty);
        let first = self.atomic(cell, bits, AtomicOp::Load, Order::Relaxed);
        let held = self.builder.local_of(None, first);
        let label = self.builder.label();
        let (body, _) = self.nested(|s| {
            let expected = s.builder.read(held);
            let old = s.of_bits(cell.ty, expected);
            let new = f(s, old)?;
            let new = s.bits(cell.ty, new);
            let exchange = AtomicOp::CompareExchange {
                expected,
                new,
                failure: Order::Relaxed,
            };
            let before = s.atomic(cell, bits, exchange, order);
            let differs = s.builder.compare(CompareOp::Ne, before, expected);
            s.break_unless(differs, label);
            s.builder.push(Stmt::Set(held, before));
            Ok(())
        })?;
        let next = vec![];
        self.builder.push(Stmt::Loop { label, body, next });
        let before = self.builder.read(held);
        Ok(self.of_bits(cell.ty, before))
    }

    /// A value as it is compared and exchanged.
    fn bits(&mut self, ty: Scalar, value: ValueId) -> ValueId {
        match bits_of(ty) {
            bits if bits == ty => value,
            bits => self.builder.def(bits, Op::Bits(value)),
        }
    }

    /// What was compared and exchanged, as a value.
    fn of_bits(&mut self, ty: Scalar, bits: ValueId) -> ValueId {
        match bits_of(ty) {
            same if same == ty => bits,
            _ => self.builder.def(ty, Op::Bits(bits)),
        }
    }
}

/// The integer that is compared and exchanged for a value.
fn bits_of(ty: Scalar) -> Scalar {
    if ty.is_float() { ty.unsigned() } else { ty }
}
