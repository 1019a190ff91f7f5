//! Expressions: operators, memory and where the item is.

use super::Generator;
use gridfn_ir::typed::{BinaryOp, CompareOp, ParamId, ParamKind, UnaryOp, ValueId};
use gridfn_ir::{IndexFunction, Scalar, typed};
use rspirv::spirv::{BuiltIn, Op, OpenclStd100Op as OpenCl, StorageClass, Word};

impl Generator<'_> {
    /// Computes a value and names it.
    pub(super) fn define_value(&mut self, id: ValueId) {
        let value = &self.kernel.values[id];
        let computed = self.compute(value.ty, value.op);
        self.values[id.index()] = computed;
        if let Some(name) = &value.name {
            self.module.name(computed, name);
        }
    }

    fn compute(&mut self, scalar: Scalar, op: typed::Op) -> Word {
        let ty = self.module.ty(scalar);
        let id = |v: ValueId| self.values[v.index()];
        match op {
            typed::Op::Const(bits) => self.module.constant(scalar, bits),
            typed::Op::Param(param) | typed::Op::Len(param) => self.params.members[param.index()],
            typed::Op::Index(function, d) => self.index(function, d),
            typed::Op::Read(local) => self.load(scalar, self.locals[local.index()]),
            typed::Op::ReadElement(local, index) => {
                let array = self.locals[local.index()];
                let class = self.class_of(local);
                let pointer = self.element(class, scalar, array, index);
                self.load(scalar, pointer)
            }
            typed::Op::Lookup(table, index) => {
                let table = self.table(table);
                let pointer = self.element(StorageClass::UniformConstant, scalar, table, index);
                self.load(scalar, pointer)
            }
            // It is computed with the others of its vector.
            typed::Op::Component => self.values[0],
            typed::Op::Load(param, index) => {
                let pointer = self.in_memory(scalar, param, index);
                self.load(scalar, pointer)
            }
            typed::Op::Element(param, index) => match self.params.members[param.index()] {
                // Of an array without elements; control never gets here.
                0 => self.module.constant(scalar, 0),
                array => {
                    let pointer = self.element(StorageClass::Function, scalar, array, index);
                    self.load(scalar, pointer)
                }
            },
            typed::Op::Unary(op, a) => self.unary(op, scalar, id(a)),
            typed::Op::Binary(op, a, b) => self.binary(op, scalar, id(a), id(b)),
            typed::Op::Compare(op, a, b) => self.compare(op, self.kernel.values[a].ty, id(a), id(b)),
            typed::Op::Cast(a) => self.cast(self.kernel.values[a].ty, scalar, id(a)),
            typed::Op::Bits(a) => self.bits(self.kernel.values[a].ty, scalar, id(a)),
            typed::Op::Select(condition, a, b) => self.op(Op::Select, ty, &[id(condition), id(a), id(b)]),
            typed::Op::Math1(function, a) => self.math1(function, scalar, id(a)),
            typed::Op::Math2(function, a, b) => self.math2(function, scalar, id(a), id(b)),
            typed::Op::MulAdd(a, b, c) => self.call(OpenCl::fma, ty, &[id(a), id(b), id(c)]),
        }
    }

    /// Loads as many values as there are from a slice's memory at once.
    pub(super) fn load_vector(&mut self, param: ParamId, index: ValueId, values: &[ValueId]) {
        let Some((scalar, vector, pointer, bytes)) = self.vector_in_memory(param, index, values) else {
            return;
        };
        let loaded = self.load_raw(vector, pointer, bytes);
        let ty = self.module.ty(scalar);
        for (at, value) in (0..).zip(values) {
            let component = self.component(ty, loaded, at);
            self.values[value.index()] = component;
            if let Some(name) = &self.kernel.values[*value].name {
                self.module.name(component, name);
            }
        }
    }

    /// Stores values to a slice's memory at once.
    pub(super) fn store_vector(&mut self, param: ParamId, index: ValueId, values: &[ValueId]) {
        let Some((_, vector, pointer, bytes)) = self.vector_in_memory(param, index, values) else {
            return;
        };
        let parts: Vec<Word> = values.iter().map(|value| self.values[value.index()]).collect();
        let value = self.op(Op::CompositeConstruct, vector, &parts);
        self.store_raw(pointer, value, bytes);
    }

    /// The type of the values, that of their vector, a pointer to it, and its bytes.
    fn vector_in_memory(
        &mut self,
        param: ParamId,
        index: ValueId,
        values: &[ValueId],
    ) -> Option<(Scalar, Word, Word, usize)> {
        let scalar = self.kernel.values[*values.first()?].ty;
        let first = self.in_memory(scalar, param, index);
        let vector = self.module.vector(scalar, values.len());
        let ty = self.module.pointer(StorageClass::CrossWorkgroup, vector);
        let pointer = self.op(Op::Bitcast, ty, &[first]);
        Some((scalar, vector, pointer, scalar.bytes() * values.len()))
    }

    /// A pointer to an element, of type `scalar`, of what `array` points to.
    pub(super) fn element(
        &mut self,
        class: StorageClass,
        scalar: Scalar,
        array: Word,
        index: ValueId,
    ) -> Word {
        let stored = self.module.stored(scalar);
        let ty = self.module.pointer(class, stored);
        self.op(Op::InBoundsAccessChain, ty, &[array, self.values[index.index()]])
    }

    /// A pointer to the value of type `scalar` and number `index` in a slice's memory.
    pub(super) fn in_memory(&mut self, scalar: Scalar, param: ParamId, index: ValueId) -> Word {
        let stored = self.module.stored(scalar);
        let ty = self.module.pointer(StorageClass::CrossWorkgroup, stored);
        let mut memory = self.params.memory[param.index()];
        if let ParamKind::Slice { element, .. } = self.kernel.params[param].kind
            && self.module.stored(element) != stored
        {
            memory = self.op(Op::Bitcast, ty, &[memory]);
        }
        self.op(
            Op::InBoundsPtrAccessChain,
            ty,
            &[memory, self.values[index.index()]],
        )
    }

    fn index(&mut self, function: IndexFunction, d: u8) -> Word {
        match function {
            IndexFunction::GlobalId => self.global_id(d),
            IndexFunction::LocalId => self.input(BuiltIn::LocalInvocationId, d),
            IndexFunction::GroupId => self.input(BuiltIn::WorkgroupId, d),
            IndexFunction::GlobalSize => self.global_size(d),
            IndexFunction::LocalSize => self.input(BuiltIn::WorkgroupSize, d),
            IndexFunction::NumGroups => self.input(BuiltIn::NumWorkgroups, d),
            IndexFunction::GlobalLinearId => {
                let ids = [0, 1, 2].map(|d| self.input(BuiltIn::GlobalInvocationId, d));
                let sizes = [0, 1].map(|d| self.global_size(d));
                self.linear(ids, sizes)
            }
            IndexFunction::LocalLinearId => {
                let ids = [0, 1, 2].map(|d| self.input(BuiltIn::LocalInvocationId, d));
                let sizes = [0, 1].map(|d| self.input(BuiltIn::WorkgroupSize, d));
                self.linear(ids, sizes)
            }
            IndexFunction::SubgroupSize => self.subgroup_input(BuiltIn::SubgroupMaxSize),
            IndexFunction::SubgroupCount => self.subgroup_input(BuiltIn::NumSubgroups),
            IndexFunction::SubgroupId => self.subgroup_input(BuiltIn::SubgroupId),
            IndexFunction::SubgroupLocalId => self.subgroup_input(BuiltIn::SubgroupLocalInvocationId),
        }
    }

    /// A number for each id of three dimensions, x fastest.
    fn linear(&mut self, [x, y, z]: [Word; 3], [width, height]: [Word; 2]) -> Word {
        let u64 = self.module.u64();
        let plane = self.op(Op::IMul, u64, &[z, height]);
        let row = self.op(Op::IAdd, u64, &[plane, y]);
        let row = self.op(Op::IMul, u64, &[row, width]);
        self.op(Op::IAdd, u64, &[row, x])
    }

    fn unary(&mut self, op: UnaryOp, scalar: Scalar, a: Word) -> Word {
        let op = match op {
            UnaryOp::Neg if scalar.is_float() => Op::FNegate,
            UnaryOp::Neg => Op::SNegate,
            UnaryOp::Not if scalar == Scalar::Bool => Op::LogicalNot,
            UnaryOp::Not => Op::Not,
        };
        let ty = self.module.ty(scalar);
        self.op(op, ty, &[a])
    }

    fn binary(&mut self, op: BinaryOp, scalar: Scalar, a: Word, b: Word) -> Word {
        let (float, signed, bool) = (scalar.is_float(), scalar.is_signed(), scalar == Scalar::Bool);
        let op = match op {
            BinaryOp::Add if float => Op::FAdd,
            BinaryOp::Add => Op::IAdd,
            BinaryOp::Sub if float => Op::FSub,
            BinaryOp::Sub => Op::ISub,
            BinaryOp::Mul if float => Op::FMul,
            BinaryOp::Mul => Op::IMul,
            BinaryOp::Div if float => return self.divide(scalar, a, b),
            BinaryOp::Div if signed => Op::SDiv,
            BinaryOp::Div => Op::UDiv,
            BinaryOp::Rem if float => Op::FRem,
            BinaryOp::Rem if signed => Op::SRem,
            BinaryOp::Rem => Op::UMod,
            BinaryOp::And if bool => Op::LogicalAnd,
            BinaryOp::And => Op::BitwiseAnd,
            BinaryOp::Or if bool => Op::LogicalOr,
            BinaryOp::Or => Op::BitwiseOr,
            BinaryOp::Xor if bool => Op::LogicalNotEqual,
            BinaryOp::Xor => Op::BitwiseXor,
            BinaryOp::Shl => Op::ShiftLeftLogical,
            BinaryOp::Shr if signed => Op::ShiftRightArithmetic,
            BinaryOp::Shr => Op::ShiftRightLogical,
        };
        let ty = self.module.ty(scalar);
        self.op(op, ty, &[a, b])
    }

    /// Compares two values of a type.
    fn compare(&mut self, op: CompareOp, operands: Scalar, a: Word, b: Word) -> Word {
        // SPIR-V orders no `bool`s.
        if operands == Scalar::Bool {
            let (a, b) = (self.bool_as(Scalar::U8, a), self.bool_as(Scalar::U8, b));
            return self.compare(op, Scalar::U8, a, b);
        }
        let (float, signed) = (operands.is_float(), operands.is_signed());
        let op = match op {
            CompareOp::Eq if float => Op::FOrdEqual,
            CompareOp::Eq => Op::IEqual,
            CompareOp::Ne if float => Op::FUnordNotEqual,
            CompareOp::Ne => Op::INotEqual,
            CompareOp::Lt if float => Op::FOrdLessThan,
            CompareOp::Lt if signed => Op::SLessThan,
            CompareOp::Lt => Op::ULessThan,
            CompareOp::Le if float => Op::FOrdLessThanEqual,
            CompareOp::Le if signed => Op::SLessThanEqual,
            CompareOp::Le => Op::ULessThanEqual,
            CompareOp::Gt if float => Op::FOrdGreaterThan,
            CompareOp::Gt if signed => Op::SGreaterThan,
            CompareOp::Gt => Op::UGreaterThan,
            CompareOp::Ge if float => Op::FOrdGreaterThanEqual,
            CompareOp::Ge if signed => Op::SGreaterThanEqual,
            CompareOp::Ge => Op::UGreaterThanEqual,
        };
        let bool = self.module.bool();
        self.op(op, bool, &[a, b])
    }
}
