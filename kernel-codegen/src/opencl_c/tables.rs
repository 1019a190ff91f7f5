//! Tables of constants, in the program's scope.

use super::expr::{self, Expr};
use super::names::Names;
use super::{Function, entry_name, types};
use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Kernel, Table, TableId, ValueId};

/// Names for the tables, which begin with the kernel's, so that they are not it. They share a name space with its
/// variables, which would hide them.
pub(super) fn names(kernel: &Kernel, variables: &mut Names) -> Vec<String> {
    let entry = entry_name(kernel);
    let name = |table: &Table| {
        let name = table.name.as_deref().unwrap_or("table");
        format!("{entry}_{}", name.trim_start_matches("r#"))
    };
    let tables = kernel.tables.iter();
    tables.map(|(_, table)| variables.claim(&name(table))).collect()
}

/// The type in which a table's elements are held. Infinity and NaN have no constant expression in OpenCL C that keeps
/// their bits, so a table with any holds the bits of all.
fn held(table: &Table) -> Scalar {
    let is_finite = |bits: &u64| match table.ty {
        Scalar::F32 => f32::from_bits(*bits as u32).is_finite(),
        Scalar::F64 => f64::from_bits(*bits).is_finite(),
        Scalar::Bool
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::Isize
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize
        | Scalar::F16
        | Scalar::Bf16 => true,
    };
    if table.bits.iter().all(is_finite) {
        table.ty
    } else {
        table.ty.unsigned()
    }
}

/// A table's definition.
pub(super) fn definition(table: &Table, name: &str) -> String {
    let ty = held(table);
    let mut text = format!(
        "constant {} {name}[{}] = {{",
        types::memory_name(ty),
        table.bits.len()
    );
    let mut line = String::new();
    for bits in &table.bits {
        let element = types::literal(ty, *bits);
        if line.is_empty() || line.len() + element.text().len() > LINE {
            text += &line;
            line = String::from("\n   ");
        }
        line += &format!(" {},", element.text());
    }
    text + &line + "\n};\n"
}

/// The length from which on a line of elements is broken.
const LINE: usize = 100;

impl Function<'_> {
    /// An element of a table.
    pub(super) fn lookup(&mut self, table: TableId, at: ValueId) -> Result<Expr, GenerateError> {
        let at = self.operand(at)?;
        let element = expr::load(at.element_of(&self.table_names[table.index()]), &at, false);
        let table = &self.kernel.tables[table];
        Ok(if held(table) == table.ty {
            element
        } else {
            Expr::call(&format!("as_{}", types::name(table.ty)), [element])
        })
    }
}
