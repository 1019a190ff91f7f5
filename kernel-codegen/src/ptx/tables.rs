//! Tables of constants, in the state space of constants.

use super::{types, unsupported};
use crate::GenerateError;
use gridfn_ir::typed::{Kernel, Table, TableId};

/// How many bytes the state space has.
const MOST_BYTES: usize = 65_536;

/// Whether a kernel's tables fit.
pub(super) fn check_size(kernel: &Kernel) -> Result<(), GenerateError> {
    let mut size = 0usize;
    for (_, table) in kernel.tables.iter() {
        size = size.next_multiple_of(table.ty.bytes()) + table.ty.bytes() * table.bits.len();
    }
    if size > MOST_BYTES {
        return Err(unsupported(format!("{size} bytes of tables of constants")));
    }
    Ok(())
}

/// The name of a table, which no kernel can have: `$` stands in no Rust name.
pub(super) fn name(table: TableId) -> String {
    format!("table${}", table.index())
}

/// A table with its elements.
pub(super) fn definition(id: TableId, table: &Table) -> String {
    let Table { ty, bits, .. } = table;
    let mut text = format!(
        ".const .align {} .{} {}[{}] = {{",
        ty.bytes(),
        types::memory(*ty),
        name(id),
        bits.len()
    );
    let mut line = String::new();
    for bits in bits {
        // A `bool` has no literal; in memory it is a byte.
        let element = types::literal(*ty, *bits).unwrap_or_else(|| bits.to_string());
        if line.is_empty() || line.len() + element.len() > LINE {
            text += &line;
            line = String::from("\n   ");
        }
        line += &format!(" {element},");
    }
    text + line.trim_end_matches(',') + "\n};\n"
}

/// The length from which on a line of elements is broken.
const LINE: usize = 100;
