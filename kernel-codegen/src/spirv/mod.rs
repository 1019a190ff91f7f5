//! SPIR-V for OpenCL: version 1.0, or 1.3 for kernels of sub-groups.
//!
//! * `types`: the module around the function: types, constants, built-in variables, names;
//! * `function`: the blocks of the one function, and its instructions;
//! * `prologue`: parameters, the test for items outside the grid, and the end of items that fault;
//! * `values`, `casts`, `math`, `tables`: expressions;
//! * `atomics`: atomic operations; `subgroups`: what the items of a sub-group do together;
//! * `control`: statements.
//!
//! Kernels need no structured control flow in OpenCL, so that blocks end in plain branches.

use crate::{GenerateError, Options};
use gridfn_ir::typed::{Kernel, Label};
use rspirv::binary::{Assemble, Disassemble};
use rspirv::spirv::Word;
use std::collections::BTreeMap;

mod atomics;
mod casts;
mod control;
mod function;
mod math;
mod prologue;
mod subgroups;
mod tables;
mod types;
mod values;

/// Generates a SPIR-V module. Its function takes the parameter block by value, then a pointer for each slice, then
/// the fault record if the kernel can fault.
///
/// # Errors
///
/// None yet: SPIR-V can say all of typed IR. Sub-groups need version 1.3.
pub fn generate(kernel: &Kernel, options: Options) -> Result<Vec<u32>, GenerateError> {
    let mut generator = Generator {
        kernel,
        options,
        module: types::Module::new(),
        function: function::Function::default(),
        params: prologue::Params::default(),
        values: vec![0; kernel.values.len()],
        locals: vec![0; kernel.locals.len()],
        tables: vec![0; kernel.tables.len()],
        targets: BTreeMap::new(),
        faults: prologue::Faults::default(),
    };
    let entry = generator.begin();
    generator.block(&kernel.body);
    generator.end();
    let Generator { module, function, .. } = generator;
    Ok(module
        .finish(&kernel.name, kernel.local, entry, function)
        .assemble())
}

/// The module as text, for people.
pub fn disassemble(words: &[u32]) -> String {
    match rspirv::dr::load_words(words) {
        Ok(module) => module.disassemble() + "\n",
        Err(error) => format!("; not SPIR-V: {error}\n"),
    }
}

/// A module under construction.
struct Generator<'k> {
    kernel: &'k Kernel,
    options: Options,
    module: types::Module,
    function: function::Function,
    params: prologue::Params,
    /// The id of each value computed so far, and 0 for the others.
    values: Vec<Word>,
    /// The variable of each local declared so far, and 0 for the others.
    locals: Vec<Word>,
    /// The variable of each table used so far, and 0 for the others.
    tables: Vec<Word>,
    /// Where `Break` and `Continue` go.
    targets: BTreeMap<Label, control::Target>,
    /// The faults so far, and where they end.
    faults: prologue::Faults,
}
