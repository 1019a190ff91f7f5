//! Atomic operations of typed IR.
//!
//! An [`Atomic`] happens at once for all work-items of the device, and for the host's threads where it runs kernels.
//! [`Order`] is that of Rust. What hardware lacks, such as the smaller of two floats, lowering has made a loop around
//! [`AtomicOp::CompareExchange`].

use crate::Scalar;
use crate::typed::{Kernel, ParamId, Stmt, ValueId, visit};

/// The atomic types that kernels know by their names, and what each holds: those of `core::sync::atomic`, and gridfn's own
/// of floats.
pub const ATOMICS: [(&str, Scalar); 8] = [
    ("AtomicI32", Scalar::I32),
    ("AtomicI64", Scalar::I64),
    ("AtomicIsize", Scalar::Isize),
    ("AtomicU32", Scalar::U32),
    ("AtomicU64", Scalar::U64),
    ("AtomicUsize", Scalar::Usize),
    ("AtomicF32", Scalar::F32),
    ("AtomicF64", Scalar::F64),
];

/// An atomic operation on a value in the memory of a writable slice.
///
/// The value is an integer of 32 or 64 bits, or, of [`Update::Add`], a float. No other statement touches the same bytes
/// while the kernel runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Atomic {
    /// What is done.
    pub op: AtomicOp,
    /// Whose memory it is.
    pub slice: ParamId,
    /// The value's place: the index is `usize` and counts values of its type.
    pub index: ValueId,
    /// How other accesses are ordered around it; of a `CompareExchange`, at least as its failure says.
    pub order: Order,
    /// What the memory held before, which is a [`Component`](crate::typed::Op::Component); a store gives nothing.
    pub before: Option<ValueId>,
}

/// What an [`Atomic`] does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AtomicOp {
    /// Nothing but to tell what is there.
    Load,
    /// Puts the value there.
    Store(ValueId),
    /// Puts the value there, and tells what it replaces.
    Swap(ValueId),
    /// Puts `new` there if `expected` is there. It never fails otherwise.
    CompareExchange {
        /// What should be there.
        expected: ValueId,
        /// What replaces it.
        new: ValueId,
        /// The order where something else is there.
        failure: Order,
    },
    /// Puts there what the function makes of what is there and the value.
    Update(Update, ValueId),
}

/// What [`AtomicOp::Update`] computes: as the operations of these names do, so that integers wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Update {
    /// `+`, of floats too.
    Add,
    /// `-`
    Sub,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

/// Rust's `Ordering`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// Nothing but the atomic itself is ordered.
    Relaxed,
    /// What comes after stays behind it.
    Acquire,
    /// What comes before stays in front of it.
    Release,
    /// Both.
    AcqRel,
    /// Both, and all operations of this order have one order among them.
    SeqCst,
}

impl Order {
    /// Every order, the weaker ones first.
    pub const ALL: [Order; 5] = [
        Order::Relaxed,
        Order::Acquire,
        Order::Release,
        Order::AcqRel,
        Order::SeqCst,
    ];

    /// Its name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Relaxed => "Relaxed",
            Order::Acquire => "Acquire",
            Order::Release => "Release",
            Order::AcqRel => "AcqRel",
            Order::SeqCst => "SeqCst",
        }
    }

    /// Whether what comes after stays behind it.
    pub const fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }

    /// Whether what comes before stays in front of it.
    pub const fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }

    /// The weakest order that is at least this one and the other.
    pub const fn with(self, other: Order) -> Order {
        let acquires = self.acquires() || other.acquires();
        let releases = self.releases() || other.releases();
        match (self, other) {
            (Order::SeqCst, _) | (_, Order::SeqCst) => Order::SeqCst,
            _ => match (acquires, releases) {
                (true, true) => Order::AcqRel,
                (true, false) => Order::Acquire,
                (false, true) => Order::Release,
                (false, false) => Order::Relaxed,
            },
        }
    }
}

impl AtomicOp {
    /// The values that it takes, all of its own type.
    pub fn operands(self) -> impl Iterator<Item = ValueId> {
        let operands = match self {
            AtomicOp::Load => [None, None],
            AtomicOp::Store(value) | AtomicOp::Swap(value) | AtomicOp::Update(_, value) => {
                [Some(value), None]
            }
            AtomicOp::CompareExchange { expected, new, .. } => [Some(expected), Some(new)],
        };
        operands.into_iter().flatten()
    }
}

impl Atomic {
    /// The values that it takes: the index, then the operands.
    pub fn uses(&self) -> impl Iterator<Item = ValueId> {
        std::iter::once(self.index).chain(self.op.operands())
    }

    /// The type of the value in memory.
    pub fn ty(&self, kernel: &Kernel) -> Option<Scalar> {
        let value = self.before.or_else(|| self.op.operands().next())?;
        kernel.values.contains(value).then(|| kernel.values[value].ty)
    }
}

impl Kernel {
    /// Every atomic operation, in the order of the statements.
    pub fn atomics(&self) -> Vec<&Atomic> {
        let mut atomics = vec![];
        visit(&self.body, &mut |stmt| {
            if let Stmt::Atomic(atomic) = stmt {
                atomics.push(atomic);
            }
        });
        atomics
    }

    /// Whether the kernel needs a device with atomic operations on 64 bits.
    pub fn uses_atomics_of_64_bits(&self) -> bool {
        let atomics = self.atomics().into_iter();
        atomics
            .filter_map(|atomic| atomic.ty(self))
            .any(|ty| ty.bits() == 64)
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn two_orders_make_the_weakest_that_is_both() {
        for a in Order::ALL {
            assert_eq!(a.with(a), a);
            assert_eq!(a.with(Order::Relaxed), a);
            assert_eq!(Order::SeqCst.with(a), Order::SeqCst);
            for b in Order::ALL {
                assert_eq!(a.with(b), b.with(a));
                assert_eq!(a.with(b).acquires(), a.acquires() || b.acquires());
                assert_eq!(a.with(b).releases(), a.releases() || b.releases());
            }
        }
        assert_eq!(Order::Release.with(Order::Acquire), Order::AcqRel);
    }
}
