//! Tables of constants: variables of the module that nothing writes.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Table, TableId};
use rspirv::spirv::Word;

impl Generator<'_> {
    /// A pointer to a table.
    pub(super) fn table(&mut self, id: TableId) -> Word {
        if self.tables[id.index()] == 0 {
            let Table { name, ty, bits } = &self.kernel.tables[id];
            // A `bool` in memory is a byte.
            let held = if *ty == Scalar::Bool { Scalar::U8 } else { *ty };
            let elements = bits.iter().map(|bits| self.module.constant(held, *bits));
            let elements = elements.collect();
            let table = self.module.table(held, elements);
            if let Some(name) = name {
                // Drivers may make a symbol of it, which must not be the kernel's.
                self.module.name(
                    table,
                    &format!("{}.{}", self.kernel.name, name.trim_start_matches("r#")),
                );
            }
            self.tables[id.index()] = table;
        }
        self.tables[id.index()]
    }
}
