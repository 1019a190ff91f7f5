//! What the items of a sub-group do together: functions of `cl_khr_subgroups` and of the extensions to it.

use super::Function;
use super::expr::Expr;
use crate::GenerateError;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Subgroup, SubgroupOp};

/// The extensions that the code needs.
pub const EXTENSIONS: [&str; 3] = [
    "cl_khr_subgroups",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_shuffle",
];

impl Function<'_> {
    /// What is given gets a variable: its place decides who takes part.
    pub(super) fn subgroup(&mut self, subgroup: &Subgroup) -> Result<(), GenerateError> {
        let call = match subgroup.op {
            SubgroupOp::Ballot(value) => {
                let value = self.operand(value)?;
                let words = Expr::call("sub_group_ballot", [value]);
                Expr::primary(format!("as_ulong({}.xy)", words.text()))
            }
            SubgroupOp::Shuffle(value, item) => {
                let arguments = [value, item].map(|v| self.operand(v));
                let [value, item] = arguments;
                Expr::call(
                    "sub_group_shuffle",
                    [value?.exactly(Scalar::U32), item?.exactly(Scalar::U32)],
                )
            }
        };
        self.settle(|_| true);
        self.give_variable(subgroup.given, &call);
        Ok(())
    }
}
