//! The module around the function: types, constants, built-in variables and names.

use super::function::Function;
use gridfn_ir::Scalar;
use rspirv::dr::{self, Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel,
    SourceLanguage, StorageClass, Word,
};
use std::collections::{BTreeMap, BTreeSet};

/// The module, without its function's body.
pub(super) struct Module {
    builder: Builder,
    /// The import of OpenCL's functions.
    opencl: Word,
    constants: BTreeMap<(Word, u64), Word>,
    inputs: BTreeMap<BuiltIn, Word>,
    /// What has a name, or must not get one.
    named: BTreeSet<Word>,
    has_f64: bool,
    has_atomics_of_64_bits: bool,
    /// The capabilities of sub-groups that it declares.
    subgroups: BTreeSet<Capability>,
}

impl Module {
    pub(super) fn new() -> Module {
        let mut builder = Builder::new();
        builder.set_version(1, 0);
        for capability in [
            Capability::Kernel,
            Capability::Addresses,
            Capability::Int64,
            Capability::Int16,
            Capability::Int8,
        ] {
            builder.capability(capability);
        }
        let opencl = builder.ext_inst_import("OpenCL.std");
        builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        // Without a source language, Intel's runtime runs items outside the global size.
        builder.source(SourceLanguage::OpenCL_C, 200_000, None, None::<String>);
        Module {
            builder,
            opencl,
            constants: BTreeMap::new(),
            inputs: BTreeMap::new(),
            named: BTreeSet::new(),
            has_f64: false,
            has_atomics_of_64_bits: false,
            subgroups: BTreeSet::new(),
        }
    }

    /// The finished module; `entry` is the id of its function, called `name`, whose work-groups have the size `local`.
    pub(super) fn finish(
        mut self,
        name: &str,
        local: Option<[usize; 3]>,
        entry: Word,
        function: Function,
    ) -> dr::Module {
        let interface: Vec<Word> = self.inputs.values().copied().collect();
        self.builder
            .entry_point(ExecutionModel::Kernel, entry, name, interface);
        self.builder
            .execution_mode(entry, ExecutionMode::ContractionOff, []);
        if let Some(local) = local {
            let size = local.map(|n| n as Word);
            self.builder.execution_mode(entry, ExecutionMode::LocalSize, size);
        }
        let mut module = self.builder.module();
        module.functions.push(function.finish());
        module
    }

    pub(super) fn id(&mut self) -> Word {
        self.builder.id()
    }

    pub(super) fn opencl(&self) -> Word {
        self.opencl
    }

    /// Names `id` for people, unless it has a name already or is a constant.
    pub(super) fn name(&mut self, id: Word, name: &str) {
        if self.named.insert(id) {
            self.builder.name(id, name);
        }
    }

    pub(super) fn decorate(&mut self, id: Word, decoration: Decoration, operands: Vec<Operand>) {
        self.builder.decorate(id, decoration, operands);
    }

    pub(super) fn void(&mut self) -> Word {
        self.builder.type_void()
    }

    pub(super) fn function_type(&mut self, params: Vec<Word>) -> Word {
        let void = self.void();
        self.builder.type_function(void, params)
    }

    pub(super) fn u32(&mut self) -> Word {
        self.ty(Scalar::U32)
    }

    pub(super) fn u64(&mut self) -> Word {
        self.ty(Scalar::U64)
    }

    pub(super) fn bool(&mut self) -> Word {
        self.ty(Scalar::Bool)
    }

    /// Declares that there are atomic operations on 64 bits.
    pub(super) fn use_atomics_of_64_bits(&mut self) {
        if !self.has_atomics_of_64_bits {
            self.has_atomics_of_64_bits = true;
            self.builder.capability(Capability::Int64Atomics);
        }
    }

    /// Declares that the items of a sub-group do something together.
    pub(super) fn use_subgroups(&mut self, capability: Capability) {
        self.builder.set_version(1, 3);
        for capability in [Capability::GroupNonUniform, capability] {
            if self.subgroups.insert(capability) {
                self.builder.capability(capability);
            }
        }
    }

    /// The type of values of a scalar. OpenCL wants integers without a sign: the instructions have it.
    pub(super) fn ty(&mut self, scalar: Scalar) -> Word {
        if scalar == Scalar::Bool {
            self.builder.type_bool()
        } else if scalar.is_float() {
            if scalar == Scalar::F64 && !self.has_f64 {
                self.has_f64 = true;
                self.builder.capability(Capability::Float64);
            }
            self.builder.type_float(scalar.bits(), None)
        } else {
            self.builder.type_int(scalar.bits(), 0)
        }
    }

    /// The type of a scalar in memory, where a `bool` is a byte.
    pub(super) fn stored(&mut self, scalar: Scalar) -> Word {
        self.ty(if scalar == Scalar::Bool {
            Scalar::U8
        } else {
            scalar
        })
    }

    pub(super) fn pointer(&mut self, class: StorageClass, to: Word) -> Word {
        self.builder.type_pointer(None, class, to)
    }

    /// An array in memory.
    pub(super) fn array(&mut self, element: Scalar, length: usize) -> Word {
        let element = self.stored(element);
        let length = self.constant(Scalar::U64, length as u64);
        self.builder.type_array(element, length)
    }

    /// A struct with named members, laid out as C does.
    pub(super) fn record(&mut self, name: &str, members: &[(&str, Word)]) -> Word {
        let id = self.builder.type_struct(members.iter().map(|m| m.1));
        self.name(id, name);
        for (at, (name, _)) in members.iter().enumerate() {
            self.builder.member_name(id, at as u32, *name);
        }
        id
    }

    /// A constant, from the low bits of `bits`; a `bool` from the lowest.
    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64) -> Word {
        let is_bool = scalar == Scalar::Bool;
        let bits = if is_bool { bits & 1 } else { scalar.truncate(bits) };
        let ty = self.ty(scalar);
        if let Some(id) = self.constants.get(&(ty, bits)) {
            return *id;
        }
        let id = if is_bool && bits == 1 {
            self.builder.constant_true(ty)
        } else if is_bool {
            self.builder.constant_false(ty)
        } else if scalar.bytes() == 8 {
            self.builder.constant_bit64(ty, bits)
        } else {
            self.builder.constant_bit32(ty, bits as u32)
        };
        self.constants.insert((ty, bits), id);
        // It is shared, so that the name that one use gives it would be wrong at the others.
        self.named.insert(id);
        id
    }

    /// A variable that holds these constants of type `scalar`, and that nothing writes.
    pub(super) fn table(&mut self, scalar: Scalar, elements: Vec<Word>) -> Word {
        let ty = self.array(scalar, elements.len());
        let held = self.builder.constant_composite(ty, elements);
        let class = StorageClass::UniformConstant;
        let pointer = self.pointer(class, ty);
        // The builder has no open block, so that this is a variable of the module.
        let id = self.builder.variable(pointer, None, class, Some(held));
        self.decorate(id, Decoration::Constant, vec![]);
        id
    }

    /// An array of elements of type `scalar` in the memory of a work-group.
    pub(super) fn shared(&mut self, scalar: Scalar, len: usize) -> Word {
        let ty = self.array(scalar, len);
        let class = StorageClass::Workgroup;
        let pointer = self.pointer(class, ty);
        // The builder has no open block, so that this is a variable of the module.
        self.builder.variable(pointer, None, class, None)
    }

    /// The type of `n` values of a scalar.
    pub(super) fn vector(&mut self, scalar: Scalar, n: usize) -> Word {
        let component = self.ty(scalar);
        self.builder.type_vector(component, n as u32)
    }

    /// The type of the built-in variables that have three dimensions.
    pub(super) fn vec3(&mut self) -> Word {
        let u64 = self.u64();
        self.builder.type_vector(u64, 3)
    }

    /// A built-in variable with three dimensions.
    pub(super) fn input(&mut self, built_in: BuiltIn) -> Word {
        let vec3 = self.vec3();
        self.input_of(built_in, vec3)
    }

    /// A built-in variable that is a number of 32 bits.
    pub(super) fn scalar_input(&mut self, built_in: BuiltIn) -> Word {
        let u32 = self.u32();
        self.input_of(built_in, u32)
    }

    fn input_of(&mut self, built_in: BuiltIn, ty: Word) -> Word {
        if let Some(id) = self.inputs.get(&built_in) {
            return *id;
        }
        let pointer = self.pointer(StorageClass::Input, ty);
        // The builder has no open block, so that this is a variable of the module.
        let id = self.builder.variable(pointer, None, StorageClass::Input, None);
        self.decorate(id, Decoration::BuiltIn, vec![Operand::BuiltIn(built_in)]);
        self.decorate(id, Decoration::Constant, vec![]);
        self.name(id, &format!("{built_in:?}"));
        self.inputs.insert(built_in, id);
        id
    }
}
