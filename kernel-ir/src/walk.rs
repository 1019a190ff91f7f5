//! Walks through the statements of a kernel.

use crate::typed::{Block, Stmt};

impl Stmt {
    /// The blocks that stand in it, in their order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let blocks = match self {
            Stmt::If(_, first, second)
            | Stmt::Loop {
                body: first,
                next: second,
                ..
            } => [Some(first), Some(second)],
            Stmt::Block { body, .. } => [Some(body), None],
            Stmt::Def(_)
            | Stmt::Declare(_)
            | Stmt::Set(..)
            | Stmt::SetElement(..)
            | Stmt::Store(..)
            | Stmt::LoadVector(..)
            | Stmt::StoreVector(..)
            | Stmt::Atomic(_)
            | Stmt::Subgroup(_)
            | Stmt::Barrier
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return
            | Stmt::Fault(..)
            | Stmt::Record(..) => [None; 2],
        };
        blocks.into_iter().flatten()
    }
}

impl Stmt {
    /// The same statement, with what `f` makes of each block that stands in it, in their order.
    pub(crate) fn map_blocks(self, mut f: impl FnMut(Block) -> Block) -> Stmt {
        match self {
            Stmt::If(condition, yes, no) => Stmt::If(condition, f(yes), f(no)),
            Stmt::Loop { label, body, next } => Stmt::Loop {
                label,
                body: f(body),
                next: f(next),
            },
            Stmt::Block { label, body } => Stmt::Block { label, body: f(body) },
            Stmt::Def(_)
            | Stmt::Declare(_)
            | Stmt::Set(..)
            | Stmt::SetElement(..)
            | Stmt::Store(..)
            | Stmt::LoadVector(..)
            | Stmt::StoreVector(..)
            | Stmt::Atomic(_)
            | Stmt::Subgroup(_)
            | Stmt::Barrier
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return
            | Stmt::Fault(..)
            | Stmt::Record(..) => self,
        }
    }
}

/// Calls `f` for every statement in `block`, those inside others included, in their order.
pub fn visit<'a>(block: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in block {
        f(stmt);
        stmt.blocks().for_each(|block| visit(block, f));
    }
}

/// Whether `test` holds for any statement in `block`, those inside others included.
pub fn any(block: &[Stmt], test: &impl Fn(&Stmt) -> bool) -> bool {
    let mut all = block.iter();
    all.any(|stmt| test(stmt) || stmt.blocks().any(|block| any(block, test)))
}
