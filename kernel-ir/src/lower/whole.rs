//! How a group ends in which an item has failed.
//!
//! An item that fails must not keep the others waiting: for it at a barrier, or for what it would have written. So it
//! records its fault, does nothing more for itself, and goes on to the next barrier, behind which all items of the group
//! return. What all items run alike fails for all of them at once, and they return at once.
//!
//! That an item has failed stands in memory that the group shares, in one of two cells, which take turns from barrier to
//! barrier: while an item is still reading the one, another that is ahead may fail and write the other. None is ever
//! cleared, since the group ends behind the next barrier.

use super::group::{Group, is_alive};
use crate::Scalar;
use crate::body::IndexFunction;
use crate::build::Builder;
use crate::typed::{BinaryOp, Block, CompareOp, Kernel, Label, LocalId, SiteId, Stmt, ValueId};

/// Finishes a kernel whose items wait for each other.
pub(super) fn finish(mut builder: Builder, group: &Group) -> Kernel {
    if builder.kernel().sites.is_empty() {
        return builder.finish();
    }
    let body = builder.enter();
    let ending = Ending::new(&mut builder, group);
    let body = ending.block(&mut builder, body, None);
    builder.append(body);
    builder.finish()
}

struct Ending<'g> {
    group: &'g Group,
    /// The cells that say whether an item has failed.
    failed: LocalId,
    /// Which of them the item looks at next.
    cell: LocalId,
}

impl<'g> Ending<'g> {
    fn new(b: &mut Builder, group: &'g Group) -> Ending<'g> {
        let zero = b.constant(Scalar::Usize, 0);
        let no = b.constant(Scalar::U32, 0);
        let failed = b.shared_array(Some("failed"), Scalar::U32, 2);
        let cell = b.local_of(Some("cell"), zero);
        let [mut first, y, z] = [0, 1, 2].map(|d| {
            let item = b.index(IndexFunction::LocalId, d);
            b.compare(CompareOp::Eq, item, zero)
        });
        for next in [y, z] {
            first = b.binary(BinaryOp::And, first, next);
        }
        let (clear, ()) = b.block(|b| {
            for n in 0..2 {
                let index = b.constant(Scalar::Usize, n);
                b.push(Stmt::SetElement(failed, index, no));
            }
        });
        b.push(Stmt::If(first, clear, vec![]));
        b.push(Stmt::Barrier);
        Ending { group, failed, cell }
    }

    /// A block with what items do that fail in it. `guard` is the block that such an item leaves.
    fn block(&self, b: &mut Builder, block: Block, guard: Option<Label>) -> Block {
        let outer = b.enter();
        for stmt in block {
            match stmt {
                Stmt::Barrier => self.barrier(b),
                Stmt::Fault(site, values) => self.fault(b, site, values, guard),
                Stmt::If(condition, yes, no) => {
                    let (yes, no) = (self.block(b, yes, guard), self.block(b, no, guard));
                    b.push(Stmt::If(condition, yes, no));
                }
                Stmt::Loop { label, body, next } => {
                    let body = self.block(b, body, guard);
                    b.push(Stmt::Loop { label, body, next });
                }
                Stmt::Block { label, body } => {
                    let guard = if self.group.guards.contains(&label) {
                        Some(label)
                    } else {
                        guard
                    };
                    let body = self.block(b, body, guard);
                    b.push(Stmt::Block { label, body });
                }
                Stmt::Def(_)
                | Stmt::Declare(_)
                | Stmt::Set(..)
                | Stmt::SetElement(..)
                | Stmt::Store(..)
                | Stmt::LoadVector(..)
                | Stmt::StoreVector(..)
                | Stmt::Atomic(_)
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return
                | Stmt::Record(..) => b.push(stmt),
            }
        }
        b.leave(outer)
    }

    /// A barrier, behind which a group returns in which an item has failed.
    fn barrier(&self, b: &mut Builder) {
        b.push(Stmt::Barrier);
        let cell = b.read(self.cell);
        let failed = b.read_element(self.failed, cell);
        let no = b.constant(Scalar::U32, 0);
        let failed = b.compare(CompareOp::Ne, failed, no);
        b.push(Stmt::If(failed, vec![Stmt::Return], vec![]));
        let one = b.constant(Scalar::Usize, 1);
        let other = b.binary(BinaryOp::Xor, cell, one);
        b.push(Stmt::Set(self.cell, other));
    }

    /// A fault of one item, which is alive here, or of all at once.
    fn fault(&self, b: &mut Builder, site: SiteId, values: Vec<ValueId>, guard: Option<Label>) {
        match guard {
            Some(guard) => {
                b.push(Stmt::Record(site, values));
                let (cell, no, yes) = (
                    b.read(self.cell),
                    b.constant(Scalar::U32, 0),
                    b.constant(Scalar::U32, 1),
                );
                b.push(Stmt::Set(self.group.alive, no));
                b.push(Stmt::SetElement(self.failed, cell, yes));
                b.push(Stmt::Break(guard));
            }
            None => {
                let alive = is_alive(b, self.group.alive);
                b.push(Stmt::If(alive, vec![Stmt::Record(site, values)], vec![]));
                b.push(Stmt::Return);
            }
        }
    }
}
