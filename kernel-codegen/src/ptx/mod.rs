//! PTX, NVIDIA's virtual instruction set.
//!
//! A kernel becomes one `.entry`. Its parameters are the parameter block ([`gridfn_ir::layout`]) as bytes, a 64-bit
//! pointer for each slice in their order and, where the kernel can fault, a pointer to the fault record.
//!
//! How values are held (`types`): integers of 8, 16 and 32 bits in 32-bit registers, narrow ones always extended by
//! their own sign, so that comparisons, divisions, right shifts and conversions need no care; `bool` in predicates.

mod atomics;
mod casts;
mod control;
mod fmod;
mod math;
mod prologue;
mod registers;
mod subgroups;
mod tables;
mod types;
mod values;
mod version;

use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::layout::{self, Layout};
use gridfn_ir::typed::{Kernel, ValueId};
use registers::{Reg, Registers};
use std::collections::BTreeSet;
use std::fmt::{Display, Write};

/// Generates PTX for one compute capability.
///
/// # Errors
///
/// If the kernel uses what our PTX cannot say yet, or the compute capability is none that we know.
pub fn generate(kernel: &Kernel, sm: u32) -> Result<String, GenerateError> {
    let layout = layout::of(kernel);
    tables::check_size(kernel)?;
    let version = version::of(sm, prologue::parameter_bytes(kernel, &layout))?;
    let mut entry = Entry::new(kernel, layout, sm);
    entry.prologue();
    entry.subgroup_prologue()?;
    entry.comment("The body.");
    entry.block(&kernel.body)?;
    entry.line("ret");
    if !kernel.sites.is_empty() && !kernel.whole_groups {
        entry.fault_record();
    }

    let mut text = String::new();
    text.push_str(&format!(
        ".version {version}\n.target sm_{sm}\n.address_size 64\n"
    ));
    for (table, constants) in kernel.tables.iter() {
        text.push('\n');
        text.push_str(&tables::definition(table, constants));
    }
    for width in &entry.fmod {
        text.push('\n');
        text.push_str(&fmod::function(*width));
    }
    text.push('\n');
    text.push_str(&entry.finish());
    Ok(text)
}

/// The error for something that our PTX cannot say.
fn unsupported(what: impl Into<String>) -> GenerateError {
    GenerateError::Unsupported {
        what: what.into(),
        form: "PTX",
    }
}

/// An entry under construction.
struct Entry<'k> {
    kernel: &'k Kernel,
    /// The compute capability.
    sm: u32,
    layout: Layout,
    registers: Registers,
    values: Vec<Held>,
    /// What each scalar local holds, and the address of each array variable in the local state space.
    locals: Vec<Reg>,
    /// The address of each table in the state space of constants.
    tables: Vec<Reg>,
    /// The address of each array parameter in the state space of parameters.
    arrays: Vec<Option<Reg>>,
    /// The base address of each slice in the global state space, and the type of its elements.
    slices: Vec<Option<(Reg, Scalar)>>,
    /// The item's index in each dimension, before the range's start is added.
    raw: [Reg; 3],
    fault: Option<prologue::FaultRegisters>,
    /// The widths for which the remainder function is needed.
    fmod: BTreeSet<fmod::Width>,
    /// Of a kernel of sub-groups.
    warp: Option<subgroups::Warp>,
    /// How many labels of our own making there are.
    labels: u32,
    text: String,
}

impl Entry<'_> {
    /// Adds an instruction.
    fn line(&mut self, instruction: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {instruction};");
    }

    /// Adds an instruction and what a reader may want to know of it.
    fn line_with(&mut self, instruction: impl Display, comment: impl Display) {
        let _ = writeln!(self.text, "    {instruction}; // {comment}");
    }

    /// Adds a line for the reader.
    fn comment(&mut self, comment: &str) {
        let _ = writeln!(self.text, "    // {comment}");
    }

    /// Adds a label.
    fn label(&mut self, label: impl Display) {
        let _ = writeln!(self.text, "{label}:");
    }

    /// A value as an operand: its register, or the literal that it is. Most instructions take either.
    fn operand(&mut self, value: ValueId) -> Reg {
        if let Held::Constant(bits) = self.values[value.index()]
            && let Some(literal) = types::literal(self.kernel.values[value].ty, bits)
        {
            return literal.into();
        }
        self.register(value)
    }

    /// A value in a register, for the instructions that take no literal there.
    fn register(&mut self, value: ValueId) -> Reg {
        let bits = match &self.values[value.index()] {
            Held::Register(register) => return register.clone(),
            Held::Constant(bits) => *bits,
        };
        let ty = self.kernel.values[value].ty;
        let register = self.registers.temporary(types::Class::of(ty));
        match types::literal(ty, bits) {
            Some(literal) => self.line(format_args!("mov.{} {register}, {literal}", types::moved(ty))),
            None => self.line(format_args!("mov.pred {register}, {}", bits & 1)),
        }
        register
    }
}

/// Where a value is.
enum Held {
    Register(Reg),
    /// Nowhere: it stands as a literal where it is used.
    Constant(u64),
}
