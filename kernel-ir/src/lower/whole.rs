//! How a group ends, and one in which an item has failed.
//!
//! An item that returns by itself goes on to the end of the body, and does nothing more: barriers wait for it. An item
//! that fails must not keep the others waiting either, nor for what it would have written. So it records its fault, and
//! behind the next barrier no item of its group does anything for itself any more; they leave all loops that hold barriers.
//! What all items run alike fails for all of them at once, and they return at once.
//!
//! That an item has failed stands in memory that the group shares, in one of two cells, which take turns from barrier to
//! barrier: while an item is still reading the one, another that is ahead may fail and write the other.
//!
//! Some barriers are there for PoCL 3.1, which takes the choice of a group's first item for that of all, where a condition of
//! single items ends right where common branches meet, or at the end of the body: there the items meet once more.

use super::group::{Group, is_alive};
use crate::Scalar;
use crate::body::IndexFunction;
use crate::build::Builder;
use crate::typed::{BinaryOp, Block, CompareOp, Kernel, Label, LocalId, SiteId, Stmt, ValueId, any};

/// Finishes a kernel whose items wait for each other.
pub(super) fn finish(mut builder: Builder, group: &Group) -> Kernel {
    let body = builder.enter();
    let cells = (!builder.kernel().sites.is_empty()).then(|| Cells::new(&mut builder));
    let ending = Ending { group, cells };
    let mut body = ending.block(&mut builder, body, Within::default());
    meet(&mut body);
    builder.append(body);
    builder.finish()
}

/// How items know that one of their group has failed.
struct Cells {
    /// The cells that say so.
    failed: LocalId,
    /// Which of them the item looks at next.
    cell: LocalId,
    /// Whether it has found that one has failed.
    stopped: LocalId,
}

impl Cells {
    fn new(b: &mut Builder) -> Cells {
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
        let stopped = b.local_of(Some("stopped"), no);
        Cells {
            failed,
            cell,
            stopped,
        }
    }
}

struct Ending<'g> {
    group: &'g Group,
    /// Of a kernel that can fault.
    cells: Option<Cells>,
}

/// What a block stands in.
#[derive(Clone, Copy, Default)]
struct Within {
    /// The block that an item leaves when it ends.
    guard: Option<Label>,
    /// Whether it is among what items do for themselves, where none waits for others.
    single: bool,
}

impl Ending<'_> {
    /// A block with what items do that fail in it.
    fn block(&self, b: &mut Builder, block: Block, within: Within) -> Block {
        let guard = within.guard;
        let outer = b.enter();
        for stmt in block {
            match stmt {
                Stmt::Barrier => self.barrier(b),
                Stmt::Fault(site, values) => self.fault(b, site, values, guard),
                Stmt::Return => self.leave(b, guard),
                Stmt::If(condition, yes, no) => {
                    let single = within.single || self.group.tests.contains(&condition);
                    let common = guard.is_none() && !single;
                    if waits(&yes) || waits(&no) {
                        b.wait_in_branches();
                    }
                    let [yes, no] = [yes, no].map(|block| {
                        let mut block = self.block(b, block, Within { guard, single });
                        if common {
                            meet(&mut block);
                        }
                        block
                    });
                    b.push(Stmt::If(condition, yes, no));
                }
                Stmt::Loop { label, body, next } => {
                    let waits = guard.is_none() && waits(&body);
                    let mut body = self.block(b, body, within);
                    if waits {
                        let (mut head, ()) = b.block(|b| self.stop(b, label));
                        head.append(&mut body);
                        body = head;
                        meet(&mut body);
                    }
                    b.push(Stmt::Loop { label, body, next });
                }
                Stmt::Block { label, body } => {
                    let guard = if self.group.guards.contains(&label) {
                        Some(label)
                    } else {
                        guard
                    };
                    let waits = guard.is_none() && waits(&body);
                    let mut body = self.block(b, body, Within { guard, ..within });
                    if waits {
                        meet(&mut body);
                    }
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
                | Stmt::Subgroup(_)
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Record(..) => b.push(stmt),
            }
        }
        b.leave(outer)
    }

    /// A barrier, behind which no item of a group does anything for itself any more in which one has failed.
    fn barrier(&self, b: &mut Builder) {
        b.push(Stmt::Barrier);
        let Some(cells) = &self.cells else { return };
        let cell = b.read(cells.cell);
        let failed = b.read_element(cells.failed, cell);
        let no = b.constant(Scalar::U32, 0);
        let failed = b.compare(CompareOp::Ne, failed, no);
        let alive = b.read(self.group.alive);
        let alive = b.select(failed, no, alive);
        b.push(Stmt::Set(self.group.alive, alive));
        let yes = b.constant(Scalar::U32, 1);
        let stopped = b.read(cells.stopped);
        let stopped = b.select(failed, yes, stopped);
        b.push(Stmt::Set(cells.stopped, stopped));
        let one = b.constant(Scalar::Usize, 1);
        let other = b.binary(BinaryOp::Xor, cell, one);
        b.push(Stmt::Set(cells.cell, other));
    }

    /// At the head of a round: a group in which an item has failed leaves the loop.
    fn stop(&self, b: &mut Builder, label: Label) {
        let Some(cells) = &self.cells else { return };
        let stopped = b.read(cells.stopped);
        let no = b.constant(Scalar::U32, 0);
        let stopped = b.compare(CompareOp::Ne, stopped, no);
        b.push(Stmt::If(stopped, vec![Stmt::Break(label)], vec![]));
    }

    /// One item, which is alive here, is at its end, or all are at once.
    fn leave(&self, b: &mut Builder, guard: Option<Label>) {
        match guard {
            Some(guard) => {
                let no = b.constant(Scalar::U32, 0);
                b.push(Stmt::Set(self.group.alive, no));
                b.push(Stmt::Break(guard));
            }
            None => {
                b.push(Stmt::Return);
            }
        }
    }

    /// A fault of one item, which is alive here, or of all at once.
    fn fault(&self, b: &mut Builder, site: SiteId, values: Vec<ValueId>, guard: Option<Label>) {
        let record = Stmt::Record(site, values);
        if guard.is_some() {
            b.push(record);
            if let Some(cells) = &self.cells {
                let (cell, yes) = (b.read(cells.cell), b.constant(Scalar::U32, 1));
                b.push(Stmt::SetElement(cells.failed, cell, yes));
            }
        } else {
            let alive = is_alive(b, self.group.alive);
            b.push(Stmt::If(alive, vec![record], vec![]));
        }
        self.leave(b, guard);
    }
}

/// Items meet where single ones may have gone other ways just before.
fn meet(block: &mut Block) {
    if block.last().is_some_and(ends_apart) {
        block.push(Stmt::Barrier);
    }
}

/// Whether a statement may end where items have gone different ways.
fn ends_apart(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If(..) | Stmt::Block { .. } | Stmt::Loop { .. })
}

/// Whether a barrier is in the block.
fn waits(block: &Block) -> bool {
    any(block, &|stmt| *stmt == Stmt::Barrier)
}
