//! The one function of a module: its blocks and their instructions.

use super::Generator;
use gridfn_ir::Scalar;
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{self, FunctionControl, MemoryAccess, OpenclStd100Op as OpenCl, StorageClass, Word};
use std::collections::BTreeSet;

/// A function under construction.
///
/// Instructions go to the end of the open block. Where none is open, control can't get there, and nothing may be
/// emitted.
#[derive(Default)]
pub(super) struct Function {
    function: dr::Function,
    open: Option<dr::Block>,
    /// Blocks that some branch goes to.
    reached: BTreeSet<Word>,
    /// SPIR-V wants all variables at the start of the first block.
    variables: Vec<Instruction>,
}

impl Function {
    pub(super) fn define(&mut self, id: Word, void: Word, ty: Word) {
        let operands = vec![
            Operand::FunctionControl(FunctionControl::NONE),
            Operand::IdRef(ty),
        ];
        self.function.def = Some(Instruction::new(
            spirv::Op::Function,
            Some(void),
            Some(id),
            operands,
        ));
    }

    pub(super) fn param(&mut self, id: Word, ty: Word) {
        let param = Instruction::new(spirv::Op::FunctionParameter, Some(ty), Some(id), vec![]);
        self.function.parameters.push(param);
    }

    /// Opens the block `label`.
    pub(super) fn begin(&mut self, label: Word) {
        self.open = Some(dr::Block {
            label: Some(Instruction::new(spirv::Op::Label, None, Some(label), vec![])),
            instructions: vec![],
        });
    }

    /// Opens the block `label` if some branch goes there; otherwise no block is open afterwards.
    pub(super) fn begin_if_reached(&mut self, label: Word) {
        if self.reached.contains(&label) {
            self.begin(label);
        }
    }

    /// Whether control gets to the place where the next instruction goes.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The label of the open block.
    pub(super) fn label(&self) -> Option<Word> {
        self.open.as_ref()?.label_id()
    }

    fn push(&mut self, instruction: Instruction) {
        if let Some(block) = &mut self.open {
            block.instructions.push(instruction);
        }
    }

    fn terminate(&mut self, op: spirv::Op, operands: Vec<Operand>) {
        self.push(Instruction::new(op, None, None, operands));
        self.function.blocks.extend(self.open.take());
    }

    /// Ends the open block; control goes to `to`.
    pub(super) fn branch(&mut self, to: Word) {
        if self.is_open() {
            self.reached.insert(to);
            self.terminate(spirv::Op::Branch, vec![Operand::IdRef(to)]);
        }
    }

    /// Ends the open block; control goes to `yes` or `no`.
    pub(super) fn branch_if(&mut self, condition: Word, yes: Word, no: Word) {
        self.reached.extend([yes, no]);
        let operands = [condition, yes, no].map(Operand::IdRef);
        self.terminate(spirv::Op::BranchConditional, operands.to_vec());
    }

    /// Ends the open block and the work-item.
    pub(super) fn ret(&mut self) {
        self.terminate(spirv::Op::Return, vec![]);
    }

    pub(super) fn finish(self) -> dr::Function {
        let mut function = self.function;
        if let Some(first) = function.blocks.first_mut() {
            first.instructions.splice(0..0, self.variables);
        }
        function.end = Some(Instruction::new(spirv::Op::FunctionEnd, None, None, vec![]));
        function
    }
}

impl Generator<'_> {
    /// An instruction that gives something.
    pub(super) fn emit(&mut self, op: spirv::Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.module.id();
        self.function
            .push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    /// An instruction that gives nothing.
    pub(super) fn push(&mut self, op: spirv::Op, operands: Vec<Operand>) {
        self.function.push(Instruction::new(op, None, None, operands));
    }

    /// An instruction all of whose operands are ids.
    pub(super) fn op(&mut self, op: spirv::Op, ty: Word, operands: &[Word]) -> Word {
        self.emit(op, ty, operands.iter().copied().map(Operand::IdRef).collect())
    }

    /// One of OpenCL's functions.
    pub(super) fn call(&mut self, function: OpenCl, ty: Word, operands: &[Word]) -> Word {
        let mut all = vec![
            Operand::IdRef(self.module.opencl()),
            Operand::LiteralExtInstInteger(function as u32),
        ];
        all.extend(operands.iter().copied().map(Operand::IdRef));
        self.emit(spirv::Op::ExtInst, ty, all)
    }

    /// One component of a vector.
    pub(super) fn component(&mut self, ty: Word, vector: Word, at: u32) -> Word {
        let operands = vec![Operand::IdRef(vector), Operand::LiteralBit32(at)];
        self.emit(spirv::Op::CompositeExtract, ty, operands)
    }

    /// A variable of the function, of type `ty`.
    pub(super) fn variable(&mut self, ty: Word) -> Word {
        let pointer = self.module.pointer(StorageClass::Function, ty);
        let id = self.module.id();
        let operands = vec![Operand::StorageClass(StorageClass::Function)];
        self.function.variables.push(Instruction::new(
            spirv::Op::Variable,
            Some(pointer),
            Some(id),
            operands,
        ));
        id
    }

    /// A pointer to an element or member of what `base` points to. `ty` is the type of what it points to.
    pub(super) fn member(&mut self, class: StorageClass, ty: Word, base: Word, path: &[u32]) -> Word {
        let pointer = self.module.pointer(class, ty);
        let mut operands = vec![base];
        for at in path {
            operands.push(self.module.constant(Scalar::U32, u64::from(*at)));
        }
        self.op(spirv::Op::InBoundsAccessChain, pointer, &operands)
    }

    /// Loads without a change of form. `bytes` is the pointer's alignment.
    pub(super) fn load_raw(&mut self, ty: Word, pointer: Word, bytes: usize) -> Word {
        let mut operands = vec![Operand::IdRef(pointer)];
        operands.extend(aligned(bytes));
        self.emit(spirv::Op::Load, ty, operands)
    }

    /// Stores without a change of form. `bytes` is the pointer's alignment.
    pub(super) fn store_raw(&mut self, pointer: Word, value: Word, bytes: usize) {
        let mut operands = vec![Operand::IdRef(pointer), Operand::IdRef(value)];
        operands.extend(aligned(bytes));
        self.push(spirv::Op::Store, operands);
    }

    /// Loads a scalar.
    pub(super) fn load(&mut self, scalar: Scalar, pointer: Word) -> Word {
        let ty = self.module.stored(scalar);
        let loaded = self.load_raw(ty, pointer, scalar.bytes());
        if scalar == Scalar::Bool {
            self.as_bool(loaded)
        } else {
            loaded
        }
    }

    /// Stores a scalar.
    pub(super) fn store(&mut self, scalar: Scalar, pointer: Word, value: Word) {
        let value = if scalar == Scalar::Bool {
            self.bool_as(Scalar::U8, value)
        } else {
            value
        };
        self.store_raw(pointer, value, scalar.bytes());
    }
}

/// A memory access of that alignment. Without it, drivers may take an alignment of 1.
fn aligned(bytes: usize) -> [Operand; 2] {
    [
        Operand::MemoryAccess(MemoryAccess::ALIGNED),
        Operand::LiteralBit32(bytes as u32),
    ]
}
