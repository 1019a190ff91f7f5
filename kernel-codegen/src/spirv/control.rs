//! Statements: blocks of the function, and the branches between them.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Block, Label, LocalId, Stmt, ValueId};
use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};

/// Where the branches go that name a label.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// The block after it.
    leave: Word,
    /// The block of a loop's `next`; for a block, the one after it.
    next: Word,
}

impl Generator<'_> {
    /// The statements of a block, as far as control gets: SPIR-V has no place for what comes after a branch.
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in block {
            if !self.function.is_open() {
                return;
            }
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Def(value) => self.define_value(*value),
            Stmt::Declare(local) => {
                let declared = &self.kernel.locals[*local];
                let ty = match declared.len {
                    Some(len) => self.module.array(declared.ty, len),
                    None => self.module.stored(declared.ty),
                };
                let variable = self.variable(ty);
                if let Some(name) = &declared.name {
                    self.module.name(variable, name);
                }
                self.locals[local.index()] = variable;
            }
            Stmt::Set(local, value) => {
                let ty = self.kernel.locals[*local].ty;
                self.store(ty, self.locals[local.index()], self.values[value.index()]);
            }
            Stmt::SetElement(local, index, value) => {
                let ty = self.kernel.locals[*local].ty;
                let array = self.locals[local.index()];
                let class = self.class_of(*local);
                let pointer = self.element(class, ty, array, *index);
                self.store(ty, pointer, self.values[value.index()]);
            }
            Stmt::Store(param, index, value) => {
                let ty = self.kernel.values[*value].ty;
                let pointer = self.in_memory(ty, *param, *index);
                self.store(ty, pointer, self.values[value.index()]);
            }
            Stmt::LoadVector(param, index, values) => self.load_vector(*param, *index, values),
            Stmt::StoreVector(param, index, values) => self.store_vector(*param, *index, values),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::Subgroup(subgroup) => self.subgroup(subgroup),
            Stmt::Barrier => self.barrier(),
            Stmt::If(condition, yes, no) => self.if_else(*condition, yes, no),
            Stmt::Loop { label, body, next } => self.repeat(*label, body, next),
            Stmt::Block { label, body } => {
                let leave = self.module.id();
                self.targets.insert(*label, Target { leave, next: leave });
                self.block(body);
                self.function.branch(leave);
                self.function.begin_if_reached(leave);
            }
            Stmt::Break(label) => {
                if let Some(target) = self.targets.get(label) {
                    self.function.branch(target.leave);
                }
            }
            Stmt::Continue(label) => {
                if let Some(target) = self.targets.get(label) {
                    self.function.branch(target.next);
                }
            }
            Stmt::Return => self.function.ret(),
            Stmt::Fault(site, values) => self.fault(*site, values),
            Stmt::Record(site, values) => {
                let (site, values) = self.told(*site, values);
                self.record(site, &values);
            }
        }
    }

    /// Where a local is.
    pub(super) fn class_of(&self, local: LocalId) -> StorageClass {
        if self.kernel.locals[local].shared {
            StorageClass::Workgroup
        } else {
            StorageClass::Function
        }
    }

    /// All items of the group meet, and see what the others wrote, as behind OpenCL C's `barrier`.
    fn barrier(&mut self) {
        let group = self.module.constant(Scalar::U32, Scope::Workgroup as u64);
        let semantics = MemorySemantics::SEQUENTIALLY_CONSISTENT
            | MemorySemantics::WORKGROUP_MEMORY
            | MemorySemantics::CROSS_WORKGROUP_MEMORY;
        let semantics = self.module.constant(Scalar::U32, semantics.bits().into());
        let operands = vec![
            Operand::IdScope(group),
            Operand::IdScope(group),
            Operand::IdMemorySemantics(semantics),
        ];
        self.push(Op::ControlBarrier, operands);
    }

    fn if_else(&mut self, condition: ValueId, yes: &Block, no: &Block) {
        let (then, after) = (self.module.id(), self.module.id());
        let otherwise = if no.is_empty() { after } else { self.module.id() };
        self.function
            .branch_if(self.values[condition.index()], then, otherwise);
        self.function.begin(then);
        self.block(yes);
        self.function.branch(after);
        if !no.is_empty() {
            self.function.begin(otherwise);
            self.block(no);
            self.function.branch(after);
        }
        self.function.begin_if_reached(after);
    }

    fn repeat(&mut self, label: Label, body: &Block, between: &Block) {
        let (head, next, leave) = (self.module.id(), self.module.id(), self.module.id());
        self.targets.insert(label, Target { leave, next });
        self.function.branch(head);
        self.function.begin(head);
        self.block(body);
        self.function.branch(next);
        self.function.begin_if_reached(next);
        self.block(between);
        self.function.branch(head);
        self.function.begin_if_reached(leave);
    }
}
