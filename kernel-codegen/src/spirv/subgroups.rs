//! What the items of a sub-group do together: instructions of SPIR-V 1.3.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Subgroup, SubgroupOp};
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Capability, Op, Scope, Word};

impl Generator<'_> {
    pub(super) fn subgroup(&mut self, subgroup: &Subgroup) {
        let scope = self.module.constant(Scalar::U32, Scope::Subgroup as u64);
        let id = |v: gridfn_ir::typed::ValueId| Operand::IdRef(self.values[v.index()]);
        let given = match subgroup.op {
            SubgroupOp::Ballot(value) => {
                let operands = vec![Operand::IdScope(scope), id(value)];
                self.module.use_subgroups(Capability::GroupNonUniformBallot);
                self.ballot(operands)
            }
            SubgroupOp::Shuffle(value, item) => {
                let operands = vec![Operand::IdScope(scope), id(value), id(item)];
                self.module.use_subgroups(Capability::GroupNonUniformShuffle);
                let u32 = self.module.u32();
                self.emit(Op::GroupNonUniformShuffle, u32, operands)
            }
        };
        self.values[subgroup.given.index()] = given;
    }

    /// The first two words of a ballot: no sub-group has more than 64 items.
    fn ballot(&mut self, operands: Vec<Operand>) -> Word {
        let (u32, u64) = (self.module.u32(), self.module.u64());
        let words = self.module.vector(Scalar::U32, 4);
        let ballot = self.emit(Op::GroupNonUniformBallot, words, operands);
        let [low, high] = [0, 1].map(|n| {
            let word = self.component(u32, ballot, n);
            self.op(Op::UConvert, u64, &[word])
        });
        let half = self.module.constant(Scalar::U64, 32);
        let high = self.op(Op::ShiftLeftLogical, u64, &[high, half]);
        self.op(Op::BitwiseOr, u64, &[high, low])
    }

    /// A built-in variable that tells of sub-groups.
    pub(super) fn subgroup_input(&mut self, built_in: BuiltIn) -> Word {
        let (u32, u64) = (self.module.u32(), self.module.u64());
        let variable = self.module.scalar_input(built_in);
        let value = self.load_raw(u32, variable, 4);
        self.op(Op::UConvert, u64, &[value])
    }
}
