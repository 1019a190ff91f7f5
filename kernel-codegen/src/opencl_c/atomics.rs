//! Atomic operations.
//!
//! OpenCL C 1.2 has functions on integers that are atomic for all of a device, and order nothing else. Its `mem_fence` orders
//! a work-item's accesses to global memory in front of it before those behind it, so one in front of an operation makes it
//! release, and one behind makes it acquire; between any two that are `SeqCst` there is one. 1.2 does not say for whom;
//! versions from 2.0 on say that it is for the work-group. There C11's fences are for the device, but we compile none of
//! these versions yet: of a GPU without SPIR-V, items of different groups see each other's other memory in order only as far
//! as its driver takes `mem_fence`.
//!
//! There is no function that only loads or stores: `or` with 0 does the one, an exchange the other.

use super::Function;
use super::expr::Expr;
use super::print::CStmt;
use super::types;
use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Atomic, AtomicOp, ParamKind, Update};

impl Function<'_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic) -> Result<(), GenerateError> {
        let Some(ty) = atomic.ty(self.kernel) else {
            return Ok(());
        };
        let index = self.operand(atomic.index)?;
        let mut arguments = vec![];
        for operand in atomic.op.operands() {
            arguments.push(self.operand(operand)?.exactly(ty));
        }
        if let AtomicOp::Load = atomic.op {
            arguments.push(types::literal(ty, 0));
        }
        self.settle(|expr| expr.dependences.memory);
        let place = match self.kernel.params[atomic.slice].kind {
            // What is exchanged of a float are its bits.
            ParamKind::Slice { element, .. } if types::name(element) != types::name(ty) => {
                let pointer = &self.parameters.pointers[atomic.slice.index()];
                index.element_of(&format!("((volatile global {} *){pointer})", types::name(ty)))
            }
            ParamKind::Slice { .. } | ParamKind::Array { .. } | ParamKind::Scalar(_) => {
                self.in_memory(atomic.slice, ty, &index)
            }
        };
        let arguments: String = arguments.iter().map(|a| format!(", {}", a.text())).collect();
        let call = format!("{}(&{place}{arguments})", function(ty, atomic.op));
        if atomic.order.releases() {
            self.fence();
        }
        match atomic.before {
            Some(before) if self.uses[before.index()] > 0 || self.kernel.values[before].name.is_some() => {
                self.give_variable(before, &Expr::primary(call));
            }
            Some(_) | None => self.out.push(CStmt::Expression(call)),
        }
        if atomic.order.acquires() {
            self.fence();
        }
        Ok(())
    }

    fn fence(&mut self) {
        if self.options.atomics_are_fenced {
            return;
        }
        self.out
            .push(CStmt::Expression("mem_fence(CLK_GLOBAL_MEM_FENCE)".into()));
    }
}

/// The function of OpenCL C: those of 64 bits are of extensions, and have other names.
fn function(ty: Scalar, op: AtomicOp) -> String {
    let prefix = if ty.bits() == 64 { "atom" } else { "atomic" };
    let name = match op {
        AtomicOp::Load => "or",
        AtomicOp::Store(_) | AtomicOp::Swap(_) => "xchg",
        AtomicOp::CompareExchange { .. } => "cmpxchg",
        AtomicOp::Update(update, _) => match update {
            Update::Add => "add",
            Update::Sub => "sub",
            Update::And => "and",
            Update::Or => "or",
            Update::Xor => "xor",
            Update::Min => "min",
            Update::Max => "max",
        },
    };
    format!("{prefix}_{name}")
}
