//! Atomic operations.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Atomic, AtomicOp, Order, Update};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, Word};

impl Generator<'_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic) {
        let Some(scalar) = atomic.ty(self.kernel) else {
            return;
        };
        if scalar.bits() == 64 {
            self.module.use_atomics_of_64_bits();
        }
        let pointer = self.in_memory(scalar, atomic.slice, atomic.index);
        let scope = self.module.constant(Scalar::U32, Scope::Device as u64);
        let order = self.semantics(atomic.order);
        let value = |v: gridfn_ir::typed::ValueId| Operand::IdRef(self.values[v.index()]);
        let mut operands = vec![
            Operand::IdRef(pointer),
            Operand::IdScope(scope),
            Operand::IdMemorySemantics(order),
        ];
        let op = match atomic.op {
            AtomicOp::Load => Op::AtomicLoad,
            AtomicOp::Store(new) => {
                operands.push(value(new));
                return self.push(Op::AtomicStore, operands);
            }
            AtomicOp::Swap(new) => {
                operands.push(value(new));
                Op::AtomicExchange
            }
            AtomicOp::CompareExchange {
                expected,
                new,
                failure,
            } => {
                let (new, expected) = (value(new), value(expected));
                operands.push(Operand::IdMemorySemantics(self.semantics(failure)));
                operands.extend([new, expected]);
                Op::AtomicCompareExchange
            }
            AtomicOp::Update(update, with) => {
                operands.push(value(with));
                instruction(update, scalar)
            }
        };
        let ty = self.module.ty(scalar);
        let id = self.emit(op, ty, operands);
        if let Some(before) = atomic.before {
            self.values[before.index()] = id;
            if let Some(name) = &self.kernel.values[before].name {
                self.module.name(id, name);
            }
        }
    }

    /// The order, of what is in global memory.
    fn semantics(&mut self, order: Order) -> Word {
        let order = match order {
            Order::Relaxed => MemorySemantics::RELAXED,
            Order::Acquire => MemorySemantics::ACQUIRE,
            Order::Release => MemorySemantics::RELEASE,
            Order::AcqRel => MemorySemantics::ACQUIRE_RELEASE,
            Order::SeqCst => MemorySemantics::SEQUENTIALLY_CONSISTENT,
        };
        let all = match order {
            MemorySemantics::RELAXED => order,
            order => order | MemorySemantics::CROSS_WORKGROUP_MEMORY,
        };
        self.module.constant(Scalar::U32, all.bits().into())
    }
}

fn instruction(update: Update, scalar: Scalar) -> Op {
    match update {
        Update::Add => Op::AtomicIAdd,
        Update::Sub => Op::AtomicISub,
        Update::And => Op::AtomicAnd,
        Update::Or => Op::AtomicOr,
        Update::Xor => Op::AtomicXor,
        Update::Min if scalar.is_signed() => Op::AtomicSMin,
        Update::Min => Op::AtomicUMin,
        Update::Max if scalar.is_signed() => Op::AtomicSMax,
        Update::Max => Op::AtomicUMax,
    }
}
