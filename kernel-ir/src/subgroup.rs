//! What the items of a sub-group do together.
//!
//! [`SubgroupFunction`] is what users call. Lowering makes all of it of two things that hardware has, and which are
//! [`Subgroup`] in typed IR: who gives `true`, and 32 bits of another item.

use crate::typed::{Kernel, Op, Stmt, ValueId, any};
use serde::{Deserialize, Serialize};

/// A function of `gridfn::subgroup` that all items of a group call together.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubgroupFunction {
    /// Whether one gives `true`.
    Any,
    /// Whether all give `true`.
    All,
    /// Who gives `true`, as bits.
    Ballot,
    /// The value of the item of that number.
    Broadcast,
    /// The value of the item of that number.
    Shuffle,
    /// The value of the item so many before.
    ShuffleUp,
    /// The value of the item so many behind.
    ShuffleDown,
    /// The value of the item whose number differs in these bits.
    ShuffleXor,
    /// [`SubgroupFunction::Shuffle`], among so many items.
    ShuffleWithin,
    /// [`SubgroupFunction::ShuffleUp`], among so many items.
    ShuffleUpWithin,
    /// [`SubgroupFunction::ShuffleDown`], among so many items.
    ShuffleDownWithin,
    /// [`SubgroupFunction::ShuffleXor`], among so many items.
    ShuffleXorWithin,
    /// All values, combined.
    Reduce,
    /// The values up to the item's own, combined.
    InclusiveScan,
    /// The values before the item's own, combined.
    ExclusiveScan,
}

impl SubgroupFunction {
    /// Every function.
    pub const ALL: [SubgroupFunction; 15] = [
        SubgroupFunction::Any,
        SubgroupFunction::All,
        SubgroupFunction::Ballot,
        SubgroupFunction::Broadcast,
        SubgroupFunction::Shuffle,
        SubgroupFunction::ShuffleUp,
        SubgroupFunction::ShuffleDown,
        SubgroupFunction::ShuffleXor,
        SubgroupFunction::ShuffleWithin,
        SubgroupFunction::ShuffleUpWithin,
        SubgroupFunction::ShuffleDownWithin,
        SubgroupFunction::ShuffleXorWithin,
        SubgroupFunction::Reduce,
        SubgroupFunction::InclusiveScan,
        SubgroupFunction::ExclusiveScan,
    ];

    /// Its name in `gridfn::subgroup`.
    pub const fn name(self) -> &'static str {
        match self {
            SubgroupFunction::Any => "any",
            SubgroupFunction::All => "all",
            SubgroupFunction::Ballot => "ballot",
            SubgroupFunction::Broadcast => "broadcast",
            SubgroupFunction::Shuffle => "shuffle",
            SubgroupFunction::ShuffleUp => "shuffle_up",
            SubgroupFunction::ShuffleDown => "shuffle_down",
            SubgroupFunction::ShuffleXor => "shuffle_xor",
            SubgroupFunction::ShuffleWithin => "shuffle_within",
            SubgroupFunction::ShuffleUpWithin => "shuffle_up_within",
            SubgroupFunction::ShuffleDownWithin => "shuffle_down_within",
            SubgroupFunction::ShuffleXorWithin => "shuffle_xor_within",
            SubgroupFunction::Reduce => "reduce",
            SubgroupFunction::InclusiveScan => "inclusive_scan",
            SubgroupFunction::ExclusiveScan => "exclusive_scan",
        }
    }

    /// How it is called, behind its name.
    pub const fn arguments(self) -> &'static [&'static str] {
        match self {
            SubgroupFunction::Any | SubgroupFunction::All | SubgroupFunction::Ballot => &["condition"],
            SubgroupFunction::Broadcast | SubgroupFunction::Shuffle => &["value", "item"],
            SubgroupFunction::ShuffleUp | SubgroupFunction::ShuffleDown => &["value", "distance"],
            SubgroupFunction::ShuffleXor => &["value", "mask"],
            SubgroupFunction::ShuffleWithin => &["value", "item", "width"],
            SubgroupFunction::ShuffleUpWithin | SubgroupFunction::ShuffleDownWithin => {
                &["value", "distance", "width"]
            }
            SubgroupFunction::ShuffleXorWithin => &["value", "mask", "width"],
            SubgroupFunction::Reduce | SubgroupFunction::InclusiveScan => &["value", "|a, b| …"],
            SubgroupFunction::ExclusiveScan => &["value", "identity", "|a, b| …"],
        }
    }

    /// Whether it takes a `bool` of each item.
    pub const fn votes(self) -> bool {
        matches!(
            self,
            SubgroupFunction::Any | SubgroupFunction::All | SubgroupFunction::Ballot
        )
    }

    /// Whether its last argument is a function.
    pub const fn takes_operator(self) -> bool {
        matches!(
            self,
            SubgroupFunction::Reduce | SubgroupFunction::InclusiveScan | SubgroupFunction::ExclusiveScan
        )
    }

    /// The function that is called `name`.
    pub fn from_name(name: &str) -> Option<SubgroupFunction> {
        SubgroupFunction::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// An operation of the items of a sub-group, which all of its items get to, those outside the grid too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subgroup {
    /// What is done.
    pub op: SubgroupOp,
    /// What it gives, which is a [`Component`](crate::typed::Op::Component).
    pub given: ValueId,
}

/// What a [`Subgroup`] does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SubgroupOp {
    /// Of a `bool`, a `u64`: the bit of each item's number says whether that item gives `true`. The bits of items that a
    /// sub-group does not have are 0.
    Ballot(ValueId),
    /// Of a `u32`, that of the item whose number is the second, a `u32`. The sub-group has that item.
    Shuffle(ValueId, ValueId),
}

impl SubgroupOp {
    /// The values that it takes.
    pub fn operands(self) -> impl Iterator<Item = ValueId> {
        let operands = match self {
            SubgroupOp::Ballot(value) => [Some(value), None],
            SubgroupOp::Shuffle(value, item) => [Some(value), Some(item)],
        };
        operands.into_iter().flatten()
    }
}

impl Kernel {
    /// Whether its items do something together as sub-groups.
    pub fn exchanges_in_subgroups(&self) -> bool {
        any(&self.body, &|stmt| matches!(stmt, Stmt::Subgroup(_)))
    }

    /// Whether the kernel needs a device with sub-groups.
    pub fn uses_subgroups(&self) -> bool {
        let asks = |op| matches!(op, Op::Index(function, _) if function.is_of_subgroups());
        self.values.iter().any(|(_, value)| asks(value.op)) || self.exchanges_in_subgroups()
    }
}

#[cfg(test)]
mod tests {
    use super::SubgroupFunction;

    #[test]
    fn names_are_unique() {
        for function in SubgroupFunction::ALL {
            assert_eq!(SubgroupFunction::from_name(function.name()), Some(function));
            let last = function.arguments().last().unwrap();
            assert_eq!(last.starts_with('|'), function.takes_operator());
        }
    }
}
