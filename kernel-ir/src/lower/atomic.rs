//! Methods of atomics.
//!
//! Typed IR has the operations that all devices have. What only some have, or none, is a loop around a compare-exchange:
//! all arithmetic of floats, but their sum where the code form adds as exactly as `+`, and `fetch_nand`. Floats are
//! compared and exchanged by their bits.

use super::operand::{EnumValue, Memory, Operand, Place};
use super::{Lowered, Lowering};
use crate::typed::{AtomicOp, BinaryOp, CompareOp, Math2, Op, Order, Stmt, UnaryOp, Update, ValueId};
use crate::{CoreMethod, Enum, Field, Scalar, Type, Variant};
use std::rc::Rc;

const FIELD: Field = Field {
    name: "0",
    ty: Type::Unit,
    offset: 0,
};

/// A `Result` whose fields are known by what they hold, and not by their types.
static RESULT: Enum = Enum::result(&[Variant::ok(&[FIELD]), Variant::err(&[FIELD])]);

/// The memory of one atomic.
struct Cell<'m> {
    memory: &'m Memory,
    /// What it holds.
    ty: Scalar,
    /// Its index, counted in values of its size.
    index: ValueId,
}

impl Lowering<'_> {
    /// A method of the atomic at a place, with its arguments.
    pub(super) fn atomic_method(
        &mut self,
        method: CoreMethod,
        receiver: Place,
        arguments: &[Place],
    ) -> Lowered<Operand> {
        match self.referent(receiver)? {
            Place::Choice(which, yes, no) => {
                let (yes, a) = self.nested(|s| s.atomic_method(method, (*yes).clone(), arguments))?;
                let (no, b) = self.nested(|s| s.atomic_method(method, (*no).clone(), arguments))?;
                match (a, b) {
                    (Some(a), Some(b)) => self.join(which, (yes, a), (no, b)),
                    _ => Err(self.bug("an atomic that cannot be reached")),
                }
            }
            Place::Memory(memory) => {
                let Type::Atomic(ty) = memory.ty else {
                    return Err(self.bug(format_args!("`{}` of {}", method.name(), memory.ty)));
                };
                let index = self.index_of(&memory, ty);
                let memory = &memory;
                self.operation(method, &Cell { memory, ty, index }, arguments)
            }
            Place::Value(_) | Place::Variable(_) => {
                Err(self.error("kernels know atomics that are elements of a `&[AtomicU32]` and its kin only"))
            }
        }
    }

    fn operation(&mut self, method: CoreMethod, cell: &Cell<'_>, arguments: &[Place]) -> Lowered<Operand> {
        let wanted = match CoreMethod::orderings(method.name()) {
            _ if method == CoreMethod::AtomicLoad => 1,
            1 => 2,
            n => 2 + n,
        };
        if arguments.len() != wanted {
            return Err(self.bug(format_args!(
                "`{}` has {} arguments",
                method.name(),
                arguments.len()
            )));
        }
        let last = wanted - 1;
        let order = self.order(&arguments[last])?;
        let value = match wanted {
            1 => None,
            _ => {
                let value = self.scalar_in(arguments[0].clone())?;
                self.expect_scalar("the value", value, cell.ty)?;
                Some(value)
            }
        };
        let before = match (method, value) {
            (CoreMethod::AtomicLoad, None) => {
                if matches!(order, Order::Release | Order::AcqRel) {
                    return Err(self.no_such("a load", order));
                }
                self.exchange(cell, AtomicOp::Load, order)
            }
            (CoreMethod::AtomicStore, Some(value)) => {
                if matches!(order, Order::Acquire | Order::AcqRel) {
                    return Err(self.no_such("a store", order));
                }
                let bits = self.bits(cell.ty, value);
                self.builder
                    .atomic_store(cell.memory.param, cell.index, bits, order);
                return Ok(Operand::Unit);
            }
            (CoreMethod::AtomicSwap, Some(value)) => {
                let bits = self.bits(cell.ty, value);
                self.exchange(cell, AtomicOp::Swap(bits), order)
            }
            (CoreMethod::AtomicCompareExchange | CoreMethod::AtomicCompareExchangeWeak, Some(expected)) => {
                let new = self.scalar_in(arguments[1].clone())?;
                self.expect_scalar("the value", new, cell.ty)?;
                let success = self.order(&arguments[2])?;
                return self.compare_exchange(cell, expected, new, success, order);
            }
            (CoreMethod::AtomicFetchAdd, Some(value)) if cell.ty.is_float() => {
                if (self.library.atomic_add)(cell.ty) {
                    self.atomic(cell, cell.ty, AtomicOp::Update(Update::Add, value), order)
                } else {
                    self.update(cell, order, |s, old| s.builder.binary(BinaryOp::Add, old, value))?
                }
            }
            (CoreMethod::AtomicFetchSub, Some(value)) if cell.ty.is_float() => {
                self.update(cell, order, |s, old| s.builder.binary(BinaryOp::Sub, old, value))?
            }
            (CoreMethod::AtomicFetchMin, Some(value)) if cell.ty.is_float() => {
                self.update(cell, order, |s, old| s.builder.math2(Math2::Min, old, value))?
            }
            (CoreMethod::AtomicFetchMax, Some(value)) if cell.ty.is_float() => {
                self.update(cell, order, |s, old| s.builder.math2(Math2::Max, old, value))?
            }
            (CoreMethod::AtomicFetchNand, Some(value)) => self.update(cell, order, |s, old| {
                let both = s.builder.binary(BinaryOp::And, old, value);
                s.builder.unary(UnaryOp::Not, both)
            })?,
            (method, Some(value)) => {
                let Some(update) = update_of(method) else {
                    return Err(self.bug(format_args!("`{}` of an atomic", method.name())));
                };
                self.atomic(cell, cell.ty, AtomicOp::Update(update, value), order)
            }
            (method, None) => {
                return Err(self.bug(format_args!("`{}` without a value", method.name())));
            }
        };
        Ok(Operand::Value(before))
    }

    /// An ordering, which is known when the kernel is lowered.
    fn order(&mut self, place: &Place) -> Lowered<Order> {
        let place = self.referent(place.clone())?;
        let Some((def, tag)) = self.enum_at(&place)? else {
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
        cell: &Cell<'_>,
        expected: ValueId,
        new: ValueId,
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
        let tag = self.builder.cast(failed, RESULT.tag);
        let before = Operand::Value(self.of_bits(cell.ty, before));
        Ok(Operand::Enum(Rc::new(EnumValue {
            def: &RESULT,
            tag,
            variants: vec![vec![before.clone()], vec![before]],
        })))
    }

    /// An operation of the value's bits; gives the value that was there before.
    fn exchange(&mut self, cell: &Cell<'_>, op: AtomicOp, order: Order) -> ValueId {
        let before = self.atomic(cell, bits_of(cell.ty), op, order);
        self.of_bits(cell.ty, before)
    }

    fn atomic(&mut self, cell: &Cell<'_>, ty: Scalar, op: AtomicOp, order: Order) -> ValueId {
        self.builder.atomic(ty, cell.memory.param, cell.index, op, order)
    }

    /// Puts what `f` makes of the value in its place, as often as someone else was faster; gives what was there before.
    fn update(
        &mut self,
        cell: &Cell<'_>,
        order: Order,
        f: impl FnOnce(&mut Self, ValueId) -> ValueId,
    ) -> Lowered<ValueId> {
        let bits = bits_of(cell.ty);
        let first = self.atomic(cell, bits, AtomicOp::Load, Order::Relaxed);
        let held = self.builder.local_of(None, first);
        let label = self.builder.label();
        let (body, _) = self.nested(|s| {
            let expected = s.builder.read(held);
            let old = s.of_bits(cell.ty, expected);
            let new = f(s, old);
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

/// What every device has for integers.
fn update_of(method: CoreMethod) -> Option<Update> {
    Some(match method {
        CoreMethod::AtomicFetchAdd => Update::Add,
        CoreMethod::AtomicFetchSub => Update::Sub,
        CoreMethod::AtomicFetchAnd => Update::And,
        CoreMethod::AtomicFetchOr => Update::Or,
        CoreMethod::AtomicFetchXor => Update::Xor,
        CoreMethod::AtomicFetchMin => Update::Min,
        CoreMethod::AtomicFetchMax => Update::Max,
        _ => return None,
    })
}
