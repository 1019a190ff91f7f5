//! A machine that runs PTX, one work-item at a time: the part of the ISA that our generator emits.
//!
//! It is written from the ISA's rules and knows nothing of the generator, so that the two can disagree. It is strict
//! where an assembler or a device would not tell: a register that was never written, an access outside its buffer
//! or unaligned, a store to a buffer that is read through the non-coherent path, a missing rounding modifier. What
//! it does not know is a panic.

mod decode;
mod execute;
mod memory;
mod parse;

pub(super) use memory::Memory;

/// A module.
pub(super) struct Program {
    functions: Vec<Function>,
    /// The tables in the state space of constants, as bytes.
    constants: Vec<Vec<u8>>,
}

/// An entry or a function.
#[derive(Default)]
struct Function {
    name: String,
    is_entry: bool,
    /// Names of an entry's parameters, in order.
    parameters: Vec<String>,
    /// The size in bytes and the alignment of each variable in the local state space.
    locals: Vec<(usize, usize)>,
    /// Registers of a function's arguments and results.
    arguments: Vec<usize>,
    results: Vec<usize>,
    /// The width in bits of each register; 1 for predicates.
    registers: Vec<u32>,
    code: Vec<decode::Instruction>,
}

/// How many groups there are, and of what size.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) groups: [u32; 3],
    pub(super) local: [u32; 3],
}

/// Where an item is.
#[derive(Clone, Copy)]
struct Item {
    grid: Grid,
    group: [u32; 3],
    local: [u32; 3],
}

impl Program {
    /// Reads a module.
    pub(super) fn parse(text: &str) -> Program {
        parse::program(text)
    }

    /// Runs every item of a grid with these parameters.
    pub(super) fn launch(&self, entry: &str, grid: Grid, parameters: &[Vec<u8>], memory: &mut Memory) {
        let entry = self
            .functions
            .iter()
            .find(|f| f.is_entry && f.name == entry)
            .expect("an entry of that name");
        assert_eq!(entry.parameters.len(), parameters.len(), "number of parameters");
        for group in points(grid.groups) {
            for local in points(grid.local) {
                let item = Item { grid, group, local };
                execute::item(self, entry, item, parameters, memory);
            }
        }
    }
}

/// Every point of a box, x fastest.
fn points(size: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..size[2]).flat_map(move |z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y, z])))
}
