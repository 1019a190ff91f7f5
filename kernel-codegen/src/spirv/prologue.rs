//! What surrounds a kernel's body: its parameters, the test for items outside the grid, and the end of items that
//! fault.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::layout::FAULT_VALUES;
use gridfn_ir::typed::{ParamKind, SiteId, ValueId};
use rspirv::dr::Operand;
use rspirv::spirv::{
    BuiltIn, Decoration, FunctionParameterAttribute, MemorySemantics, Op, Scope, StorageClass, Word,
};

// The members of the parameter block, by number; see `gridfn_ir::layout`.
const SIZE: u32 = 0;
const OFFSET: u32 = 1;
const TAG: u32 = 2;
const PARAMS: u32 = 3;

// The members of the fault record, by number.
const COUNT: u32 = 0;
const SITE: u32 = 1;
const RECORD_TAG: u32 = 2;
const ID: u32 = 3;
const VALUES: u32 = 4;

/// The function's parameters.
#[derive(Default)]
pub(super) struct Params {
    /// Pointer to the parameter block.
    block: Word,
    /// Pointer to the fault record; 0 where the kernel can't fault.
    record: Word,
    /// The value of each scalar, a pointer to each array in the block, and the length of each slice. An array without
    /// elements is not in the block and has 0.
    pub(super) members: Vec<Word>,
    /// The memory of each slice, and 0 for a scalar and an array.
    pub(super) memory: Vec<Word>,
}

/// The block in which all items that fault end, and what comes there.
#[derive(Default)]
pub(super) struct Faults {
    /// The block's label.
    ending: Word,
    branches: Vec<Fault>,
}

/// A branch to the block in which items that fault end.
struct Fault {
    /// The block that the branch ends.
    from: Word,
    site: Word,
    values: Vec<Word>,
}

impl Generator<'_> {
    /// Defines the function up to where the kernel's body begins. Returns the function's id.
    pub(super) fn begin(&mut self) -> Word {
        let (entry, first) = (self.module.id(), self.module.id());
        self.faults.ending = self.module.id();
        self.define(entry);
        self.shared();
        self.function.begin(first);
        if !self.kernel.whole_groups {
            self.mask();
        }
        self.load_params();
        entry
    }

    /// The arrays that the items of a group share.
    fn shared(&mut self) {
        for (id, local) in self.kernel.locals.iter().filter(|(_, local)| local.shared) {
            let variable = self.module.shared(local.ty, local.len.unwrap_or(1));
            if let Some(name) = &local.name {
                self.module.name(variable, name);
            }
            self.locals[id.index()] = variable;
        }
    }

    /// The function's type, parameters and name.
    fn define(&mut self, entry: Word) {
        let block = self.block_type();
        let block = self.module.pointer(StorageClass::Function, block);
        let mut params = vec![(self.module.id(), block)];
        self.params.block = params[0].0;
        self.module.name(self.params.block, "block");
        self.attribute(self.params.block, FunctionParameterAttribute::ByVal);
        self.module.decorate(
            self.params.block,
            Decoration::Alignment,
            vec![Operand::LiteralBit32(8)],
        );

        for (_, param) in self.kernel.params.iter() {
            let memory = match param.kind {
                ParamKind::Scalar(_) | ParamKind::Array { .. } => 0,
                ParamKind::Slice { element, writable } => {
                    let element = self.module.stored(element);
                    let ty = self.module.pointer(StorageClass::CrossWorkgroup, element);
                    let id = self.module.id();
                    self.module.name(id, &param.name);
                    // Overlapping slices are read-only, and memory that nobody writes has no aliases that matter.
                    self.attribute(id, FunctionParameterAttribute::NoAlias);
                    if !writable {
                        self.attribute(id, FunctionParameterAttribute::NoWrite);
                    }
                    params.push((id, ty));
                    id
                }
            };
            self.params.memory.push(memory);
        }

        if !self.kernel.sites.is_empty() {
            let record = self.record_type();
            let ty = self.module.pointer(StorageClass::CrossWorkgroup, record);
            self.params.record = self.module.id();
            self.module.name(self.params.record, "fault");
            self.attribute(self.params.record, FunctionParameterAttribute::NoAlias);
            params.push((self.params.record, ty));
        }

        let void = self.module.void();
        let ty = self.module.function_type(params.iter().map(|p| p.1).collect());
        self.module.name(entry, &self.kernel.name);
        self.function.define(entry, void, ty);
        for (id, ty) in params {
            self.function.param(id, ty);
        }
    }

    fn attribute(&mut self, param: Word, attribute: FunctionParameterAttribute) {
        let operand = Operand::FunctionParameterAttribute(attribute);
        self.module
            .decorate(param, Decoration::FuncParamAttr, vec![operand]);
    }

    fn block_type(&mut self) -> Word {
        let (triple, u64) = (self.module.array(Scalar::U64, 3), self.module.u64());
        let mut members = vec![("size", triple), ("offset", triple), ("tag", u64)];
        for (_, param) in self.kernel.params.iter() {
            let ty = match param.kind {
                ParamKind::Scalar(scalar) => self.module.stored(scalar),
                // There are no arrays without elements, and the layout has no place for them.
                ParamKind::Array { len: 0, .. } => continue,
                ParamKind::Array { element, len } => self.module.array(element, len),
                ParamKind::Slice { .. } => u64,
            };
            members.push((&param.name, ty));
        }
        self.module.record("Block", &members)
    }

    fn record_type(&mut self) -> Word {
        let (u32, u64) = (self.module.u32(), self.module.u64());
        let (triple, values) = (
            self.module.array(Scalar::U64, 3),
            self.module.array(Scalar::U64, FAULT_VALUES),
        );
        self.module.record(
            "FaultRecord",
            &[
                ("count", u32),
                ("site", u32),
                ("tag", u64),
                ("id", triple),
                ("values", values),
            ],
        )
    }

    /// Ends items outside the launch's exact size. The id is the raw one: launches pass the driver no offset.
    fn mask(&mut self) {
        let bool = self.module.bool();
        let raw = self.load_input(BuiltIn::GlobalInvocationId);
        let [mut inside, y, z] = [0, 1, 2].map(|d| {
            let id = self.dimension(raw, d);
            let size = self.global_size(d);
            self.op(Op::ULessThan, bool, &[id, size])
        });
        for next in [y, z] {
            inside = self.op(Op::LogicalAnd, bool, &[inside, next]);
        }
        let (body, outside) = (self.module.id(), self.module.id());
        self.function.branch_if(inside, body, outside);
        self.function.begin(outside);
        self.function.ret();
        self.function.begin(body);
    }

    fn load_params(&mut self) {
        let mut at = PARAMS;
        for (_, param) in self.kernel.params.iter() {
            let (member, name) = match param.kind {
                ParamKind::Scalar(scalar) => (self.block_member(scalar, &[at]), param.name.clone()),
                ParamKind::Array { len: 0, .. } => {
                    self.params.members.push(0);
                    continue;
                }
                ParamKind::Array { element, len } => {
                    let ty = self.module.array(element, len);
                    let pointer = self.member(StorageClass::Function, ty, self.params.block, &[at]);
                    (pointer, param.name.clone())
                }
                ParamKind::Slice { .. } => {
                    let length = self.block_member(Scalar::U64, &[at]);
                    (length, format!("{}.len", param.name))
                }
            };
            self.module.name(member, &name);
            self.params.members.push(member);
            at += 1;
        }
    }

    fn block_member(&mut self, scalar: Scalar, path: &[u32]) -> Word {
        let ty = self.module.stored(scalar);
        let pointer = self.member(StorageClass::Function, ty, self.params.block, path);
        self.load(scalar, pointer)
    }

    /// The three dimensions of a built-in variable, as a vector.
    fn load_input(&mut self, built_in: BuiltIn) -> Word {
        let variable = self.module.input(built_in);
        let vec3 = self.module.vec3();
        // OpenCL aligns vectors of three as vectors of four.
        self.load_raw(vec3, variable, 32)
    }

    fn dimension(&mut self, vector: Word, d: u8) -> Word {
        let u64 = self.module.u64();
        self.component(u64, vector, u32::from(d))
    }

    /// One dimension of a built-in variable.
    pub(super) fn input(&mut self, built_in: BuiltIn, d: u8) -> Word {
        let vector = self.load_input(built_in);
        self.dimension(vector, d)
    }

    /// The launch's exact size.
    pub(super) fn global_size(&mut self, d: u8) -> Word {
        self.block_member(Scalar::U64, &[SIZE, u32::from(d)])
    }

    /// The item's index in the grid.
    pub(super) fn global_id(&mut self, d: u8) -> Word {
        let u64 = self.module.u64();
        let raw = self.input(BuiltIn::GlobalInvocationId, d);
        let offset = self.block_member(Scalar::U64, &[OFFSET, u32::from(d)]);
        self.op(Op::IAdd, u64, &[raw, offset])
    }

    /// Ends the item with a fault.
    pub(super) fn fault(&mut self, site: SiteId, values: &[ValueId]) {
        if let Some(from) = self.function.label() {
            let (site, values) = self.told(site, values);
            self.faults.branches.push(Fault { from, site, values });
            self.function.branch(self.faults.ending);
        }
    }

    /// What is told of a fault: the site's number, and as many values as a record of this kernel has.
    pub(super) fn told(&mut self, site: SiteId, values: &[ValueId]) -> (Word, Vec<Word>) {
        let site = self.module.constant(Scalar::U32, site.index() as u64);
        let zero = self.module.constant(Scalar::U64, 0);
        let mut values: Vec<_> = values.iter().map(|v| self.values[v.index()]).collect();
        values.resize(self.kernel.fault_values(), zero);
        (site, values)
    }

    /// Ends the body, and the function.
    pub(super) fn end(&mut self) {
        if self.function.is_open() {
            self.function.ret();
        }
        self.function.begin_if_reached(self.faults.ending);
        if self.function.is_open() {
            self.record_fault();
        }
    }

    /// The block in which items that fault end.
    fn record_fault(&mut self) {
        let (u32, u64) = (self.module.u32(), self.module.u64());
        let branches = std::mem::take(&mut self.faults.branches);
        let arriving = |of: &dyn Fn(&Fault) -> Word| -> Vec<Word> {
            branches.iter().flat_map(|b| [of(b), b.from]).collect()
        };
        // Phis stand before all else in a block.
        let site = self.op(Op::Phi, u32, &arriving(&|b| b.site));
        let values: Vec<_> = (0..self.kernel.fault_values())
            .map(|n| self.op(Op::Phi, u64, &arriving(&|b| b.values[n])))
            .collect();
        self.record(site, &values);
        self.function.ret();
    }

    /// An item that faults counts itself, and the first tells more.
    pub(super) fn record(&mut self, site: Word, values: &[Word]) {
        let (u32, bool) = (self.module.u32(), self.module.bool());
        let count = self.record_member(u32, &[COUNT]);
        let device = self.module.constant(Scalar::U32, Scope::Device as u64);
        let relaxed = self
            .module
            .constant(Scalar::U32, u64::from(MemorySemantics::RELAXED.bits()));
        let before = self.op(Op::AtomicIIncrement, u32, &[count, device, relaxed]);
        let zero = self.module.constant(Scalar::U32, 0);
        let is_first = self.op(Op::IEqual, bool, &[before, zero]);
        let (first, done) = (self.module.id(), self.module.id());
        self.function.branch_if(is_first, first, done);

        self.function.begin(first);
        let to = self.record_member(u32, &[SITE]);
        self.store_raw(to, site, 4);
        let tag = self.block_member(Scalar::U64, &[TAG]);
        self.record_word(&[RECORD_TAG], tag);
        for d in 0..3 {
            let id = self.global_id(d);
            self.record_word(&[ID, u32::from(d)], id);
        }
        for (at, value) in (0..).zip(values) {
            self.record_word(&[VALUES, at], *value);
        }
        self.function.branch(done);
        self.function.begin(done);
    }

    fn record_member(&mut self, ty: Word, path: &[u32]) -> Word {
        self.member(StorageClass::CrossWorkgroup, ty, self.params.record, path)
    }

    fn record_word(&mut self, path: &[u32], value: Word) {
        let u64 = self.module.u64();
        let to = self.record_member(u64, path);
        self.store_raw(to, value, 8);
    }
}
