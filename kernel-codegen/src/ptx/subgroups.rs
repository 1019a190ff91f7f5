//! What the items of a sub-group, which NVIDIA calls a warp, do together.
//!
//! From compute capability 7.0 on, the items that take part are named by a mask: those that the warp has. The last warp
//! of a group may have fewer than 32.

use super::registers::Reg;
use super::types::Class;
use super::{Entry, unsupported};
use crate::GenerateError;
use gridfn_ir::IndexFunction;
use gridfn_ir::typed::{Subgroup, SubgroupOp};

impl Entry<'_> {
    /// Computes which items the warp has.
    pub(super) fn subgroup_prologue(&mut self) -> Result<(), GenerateError> {
        if !self.kernel.uses_subgroups() {
            return Ok(());
        }
        if self.sm < 70 {
            return Err(unsupported("sub-groups before compute capability 7.0"));
        }
        self.comment("The item's number in its group, the size of the group, and the items of the warp.");
        let sizes = ["x", "y", "z"].map(|axis| self.special(&format!("ntid.{axis}")));
        let ids = ["x", "y", "z"].map(|axis| self.special(&format!("tid.{axis}")));
        let temporary = |s: &mut Self| s.registers.temporary(Class::B32);
        let (row, linear, plane, size) = (temporary(self), temporary(self), temporary(self), temporary(self));
        self.line(format_args!(
            "mad.lo.u32 {row}, {}, {}, {}",
            ids[2], sizes[1], ids[1]
        ));
        self.line(format_args!(
            "mad.lo.u32 {linear}, {row}, {}, {}",
            sizes[0], ids[0]
        ));
        self.line(format_args!("mul.lo.u32 {plane}, {}, {}", sizes[0], sizes[1]));
        self.line(format_args!("mul.lo.u32 {size}, {plane}, {}", sizes[2]));
        let (first, left, absent, all) = (temporary(self), temporary(self), temporary(self), temporary(self));
        let members = self.registers.named("members", Class::B32);
        self.line(format_args!("and.b32 {first}, {linear}, -32"));
        self.line(format_args!("sub.u32 {left}, {size}, {first}"));
        self.line(format_args!("min.u32 {left}, {left}, 32"));
        self.line(format_args!("sub.u32 {absent}, 32, {left}"));
        self.line(format_args!("mov.u32 {all}, -1"));
        self.line(format_args!("shr.u32 {members}, {all}, {absent}"));
        self.warp = Some(Warp {
            linear,
            size,
            members,
        });
        Ok(())
    }

    /// Where the item is in its warp, or the warp in its group.
    pub(super) fn subgroup_index(&mut self, to: &Reg, function: IndexFunction) {
        let Some(Warp { linear, size, .. }) = &self.warp else {
            return;
        };
        let (linear, size) = (linear.clone(), size.clone());
        let word = self.registers.temporary(Class::B32);
        match function {
            IndexFunction::SubgroupLocalId => self.line(format_args!("and.b32 {word}, {linear}, 31")),
            IndexFunction::SubgroupId => self.line(format_args!("shr.u32 {word}, {linear}, 5")),
            IndexFunction::SubgroupCount => {
                self.line(format_args!("add.u32 {word}, {size}, 31"));
                self.line(format_args!("shr.u32 {word}, {word}, 5"));
            }
            IndexFunction::SubgroupSize
            | IndexFunction::GlobalId
            | IndexFunction::LocalId
            | IndexFunction::GroupId
            | IndexFunction::GlobalSize
            | IndexFunction::LocalSize
            | IndexFunction::NumGroups
            | IndexFunction::GlobalLinearId
            | IndexFunction::LocalLinearId => self.line(format_args!("mov.u32 {word}, 32")),
        }
        self.line(format_args!("cvt.u64.u32 {to}, {word}"));
    }

    pub(super) fn subgroup(&mut self, subgroup: &Subgroup) {
        let Some(warp) = &self.warp else { return };
        let members = warp.members.clone();
        let to = self.register(subgroup.given);
        match subgroup.op {
            SubgroupOp::Ballot(value) => {
                let value = self.register(value);
                let word = self.registers.temporary(Class::B32);
                self.line(format_args!("vote.sync.ballot.b32 {word}, {value}, {members}"));
                self.line(format_args!("cvt.u64.u32 {to}, {word}"));
            }
            SubgroupOp::Shuffle(value, item) => {
                let [value, item] = [value, item].map(|v| self.register(v));
                self.line(format_args!(
                    "shfl.sync.idx.b32 {to}, {value}, {item}, 31, {members}"
                ));
            }
        }
    }
}

/// What is known of an item's warp.
pub(super) struct Warp {
    /// The item's number in its group.
    pub(super) linear: Reg,
    /// The number of items in the group.
    pub(super) size: Reg,
    /// The items that the warp has, as bits.
    members: Reg,
}
