//! Atomic operations.
//!
//! From compute capability 7.0 on, instructions say their order, for the whole device (`.gpu`). A `SeqCst` is a `fence.sc` in
//! front of one that acquires, as NVIDIA maps C++'s: the fence releases. Before 7.0 instructions order nothing; there
//! `membar.gl` does, in front of what releases and behind what acquires.

use super::Entry;
use super::types::{computed, moved};
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Atomic, AtomicOp, Order, Update};

impl Entry<'_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic) {
        let Some(ty) = atomic.ty(self.kernel) else {
            return;
        };
        let address = self.address(atomic.slice, ty, atomic.index);
        let operands: Vec<_> = atomic.op.operands().map(|value| self.register(value)).collect();
        let (bits, order) = (moved(ty), atomic.order);
        let value = match (atomic.op, operands.as_slice()) {
            // There is no instruction that subtracts; the negative wraps as the difference does.
            (AtomicOp::Update(Update::Sub, _), [value]) => {
                let negative = self.temporary(ty);
                self.line(format_args!("neg.s{} {negative}, {value}", ty.bits()));
                negative.to_string()
            }
            (_, operands) => operands.join(", "),
        };
        self.before(order);
        let to = atomic.before.map(|before| self.register(before));
        match (atomic.op, to) {
            (AtomicOp::Store(_), _) => {
                let how = self.how("st", order);
                self.line(format_args!("{how}.{bits} [{address}], {value}"));
            }
            (AtomicOp::Load, Some(to)) => {
                let how = self.how("ld", order);
                self.line(format_args!("{how}.{bits} {to}, [{address}]"));
            }
            (op, Some(to)) => {
                let (how, operation) = (self.how("atom", order), operation(op, ty));
                self.line(format_args!("{how}.{operation} {to}, [{address}], {value}"));
            }
            (_, None) => {}
        }
        self.behind(order);
    }

    /// The fence in front of an operation.
    fn before(&mut self, order: Order) {
        match self.says_orders() {
            true if order == Order::SeqCst => self.line("fence.sc.gpu"),
            false if order.releases() => self.line("membar.gl"),
            true | false => {}
        }
    }

    /// The fence behind an operation.
    fn behind(&mut self, order: Order) {
        if !self.says_orders() && order.acquires() {
            self.line("membar.gl");
        }
    }

    /// The instruction, with its order.
    fn how(&self, instruction: &str, order: Order) -> String {
        if !self.says_orders() {
            return match instruction {
                "atom" => "atom.global".into(),
                instruction => format!("{instruction}.volatile.global"),
            };
        }
        let order = match (order, instruction) {
            (Order::Relaxed, _) | (Order::SeqCst, "st") => "relaxed",
            (Order::Acquire | Order::SeqCst, _) => "acquire",
            (Order::Release, _) => "release",
            (Order::AcqRel, _) => "acq_rel",
        };
        format!("{instruction}.{order}.gpu.global")
    }

    fn says_orders(&self) -> bool {
        self.sm >= 70
    }
}

/// The operation and its type. What does not look at the sign is of bits, or unsigned.
fn operation(op: AtomicOp, ty: Scalar) -> String {
    let bits = moved(ty);
    let update = match op {
        AtomicOp::CompareExchange { .. } => return format!("cas.{bits}"),
        AtomicOp::Load | AtomicOp::Store(_) | AtomicOp::Swap(_) => return format!("exch.{bits}"),
        AtomicOp::Update(update, _) => update,
    };
    match update {
        Update::Add if ty.is_float() => format!("add.{bits}"),
        Update::Add | Update::Sub => format!("add.u{}", ty.bits()),
        Update::And => format!("and.{bits}"),
        Update::Or => format!("or.{bits}"),
        Update::Xor => format!("xor.{bits}"),
        Update::Min => format!("min.{}", computed(ty)),
        Update::Max => format!("max.{}", computed(ty)),
    }
}
