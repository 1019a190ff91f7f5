//! What the items of a work-group do together.
//!
//! In a kernel whose items wait for each other, all items of a group run the body, so that each gets to every barrier:
//! those outside the grid too, and those that have failed. What an item does for itself, the tree says, stands under the
//! test that it is *alive*: inside the grid, and not failed. What can do no harm needs no test.

use super::operand::{Array, Operand, Place, Variable};
use super::storage::{Maker, Storage, variable};
use super::{Binding, Lowered, Lowering};
use crate::body::IndexFunction;
use crate::build::Builder;
use crate::tree::{self, Expr, Pattern, Statement, TypeRef};
use crate::typed::{BinaryOp, Block, CompareOp, Label, LocalId, Stmt, ValueId};
use crate::{Scalar, Type};
use std::collections::HashSet;
use std::rc::Rc;

/// A kernel whose items wait for each other.
pub(super) struct Group {
    /// Whether the item does what items do for themselves: 1 or 0, because PoCL 3.1 mixes up what items hold of a `bool`
    /// that lives across barriers.
    pub(super) alive: LocalId,
    /// The blocks that an item leaves when it ends.
    pub(super) guards: HashSet<Label>,
    /// The conditions under which items do what they do for themselves.
    pub(super) tests: HashSet<ValueId>,
}

impl Lowering<'_> {
    /// Begins a kernel whose items wait for each other.
    pub(super) fn open_group(&mut self) {
        self.builder.run_whole_groups();
        let [mut inside, y, z] = [0, 1, 2].map(|d| {
            let raw = self.raw_id(true, d);
            let size = self.in_grid(IndexFunction::GlobalSize, d);
            self.builder.compare(CompareOp::Lt, raw, size)
        });
        for next in [y, z] {
            inside = self.builder.binary(BinaryOp::And, inside, next);
        }
        let [no, yes] = [0, 1].map(|n| self.builder.constant(Scalar::U32, n));
        let inside = self.builder.select(inside, yes, no);
        let alive = self.builder.local_of(Some("alive"), inside);
        self.group = Some(Group {
            alive,
            guards: HashSet::new(),
            tests: HashSet::new(),
        });
    }

    /// A statement that each item runs for itself. What it binds, later statements may use.
    pub(super) fn per_item(&mut self, statement: &Statement) -> Lowered<()> {
        let (mut block, _) = self.nested(|s| s.statement(statement))?;
        if self.is_harmless(&block) {
            self.builder.append(block);
            return Ok(());
        }
        // An item that does not run the block finds zeros, so that what it makes of them is nothing undefined.
        let mut declared = vec![];
        block.retain(|stmt| match stmt {
            Stmt::Declare(local) => {
                declared.push(*local);
                false
            }
            _ => true,
        });
        if let Statement::Let { pattern, .. } = statement {
            let mut names = vec![];
            names_of(pattern, &mut names);
            for (local, name) in names {
                self.outlive(local, name, &mut block, &mut declared)?;
            }
        }
        self.declare_cleared(declared);
        self.guard(block)
    }

    /// Declares variables; scalars hold zeros.
    pub(super) fn declare_cleared(&mut self, made: Vec<LocalId>) {
        for local in made {
            self.builder.declare_cleared(local);
        }
    }

    /// What `block` has bound gets variables, which the code behind the block can read.
    fn outlive(
        &mut self,
        local: tree::LocalId,
        name: &str,
        block: &mut Block,
        declared: &mut Vec<LocalId>,
    ) -> Lowered<()> {
        let Some(Binding::Operand(operand)) = self.frame.bindings.get(&local).cloned() else {
            return Ok(());
        };
        match &operand {
            Operand::Unit | Operand::Function(_) => return Ok(()),
            // It is in a variable already.
            Operand::Array(Array { place, .. })
                if matches!(**place, Place::Variable(Variable { index: None, .. })) =>
            {
                return Ok(());
            }
            Operand::Value(_)
            | Operand::Struct(_)
            | Operand::Enum(_)
            | Operand::Array(_)
            | Operand::Slice(_)
            | Operand::Reference(_)
            | Operand::Undefined => {}
        }
        let mut maker = Maker::new(Some(name));
        let (mut store, storage) = self.nested(|s| {
            let storage = s.storage_of(&mut maker, &operand)?;
            s.store(&variable(&storage), &operand)?;
            Ok(storage)
        })?;
        block.append(&mut store);
        declared.append(&mut maker.made);
        if let Some(storage) = storage {
            self.frame
                .bindings
                .insert(local, Binding::Variable(Rc::new(storage)));
        }
        Ok(())
    }

    /// Whether an item may run a block that has no business there: it touches nothing but the item's own scalars, and ends.
    pub(super) fn is_harmless(&self, block: &Block) -> bool {
        block.iter().all(|stmt| match stmt {
            Stmt::Def(value) => self.builder.kernel().values[*value].op.is_harmless(),
            Stmt::Declare(_) | Stmt::Set(..) => true,
            Stmt::SetElement(..)
            | Stmt::Store(..)
            | Stmt::LoadVector(..)
            | Stmt::StoreVector(..)
            | Stmt::Atomic(_)
            | Stmt::Subgroup(_)
            | Stmt::Barrier
            | Stmt::If(..)
            | Stmt::Loop { .. }
            | Stmt::Block { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return
            | Stmt::Fault(..)
            | Stmt::Record(..) => false,
        })
    }

    /// A block for items that are alive.
    pub(super) fn guard(&mut self, block: Block) -> Lowered<()> {
        let ends = may_end(&block);
        let label = self.builder.label();
        let Some(group) = &mut self.group else {
            return Err(self.bug("a statement of single items where no items wait for each other"));
        };
        let alive = group.alive;
        if block.is_empty() {
            return Ok(());
        }
        let (mut body, test) = self.builder.block(|b| {
            let test = is_alive(b, alive);
            b.push(Stmt::If(test, block, vec![]));
            test
        });
        group.tests.insert(test);
        if ends {
            group.guards.insert(label);
            body = vec![Stmt::Block { label, body }];
        }
        self.builder.append(body);
        Ok(())
    }

    /// `uniform(value)`: the group's first item, which is in the grid always, puts its value where all find it.
    pub(super) fn uniform(&mut self, value: &Expr) -> Lowered<Operand> {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let (mut block, operand) = self.nested(|s| s.expr(value))?;
        let Some(operand) = operand else {
            return Err(self.error("no item gets to the end of this value"));
        };
        let mut cell = Maker::shared(Some("uniform"));
        let storage = cell.within(1, |cell| self.storage_of(cell, &operand))?;
        let place = Place::Variable(Variable {
            storage: Rc::new(storage),
            index: Some(zero),
        });
        let (mut put, _) = self.nested(|s| {
            let item = s.linear_id(IndexFunction::LocalLinearId);
            let first = s.builder.compare(CompareOp::Eq, item, zero);
            let (put, _) = s.nested(|s| s.store(&place, &operand))?;
            s.builder.push(Stmt::If(first, put, vec![]));
            Ok(())
        })?;
        block.append(&mut put);
        self.guard(block)?;
        self.builder.push(Stmt::Barrier);
        let value = self.load(&place)?;
        // Only then may the first item come here again.
        self.builder.push(Stmt::Barrier);
        Ok(value)
    }

    /// `local_array::<T, N>()`: a place that all items of a group have. Each place in the source is one array, also where
    /// its function is called more than once.
    pub(super) fn local_array(&mut self, name: Option<&str>, ty: TypeRef) -> Lowered<Operand> {
        let Type::Array { element, len } = self.resolve(ty)? else {
            return Err(self.bug("a local array that is no array"));
        };
        let key = (std::ptr::from_ref(self.frame.body).cast(), ty);
        if let Some(storage) = self.arrays.get(&key) {
            return Ok(Operand::Reference(Rc::new(variable(storage))));
        }
        let mut maker = Maker::shared(name);
        let element = maker.within(len, |maker| self.storage_of_type(maker, *element));
        let storage = Storage::Array(Rc::new(element), len);
        let place = Operand::Reference(Rc::new(variable(&storage)));
        self.arrays.insert(key, Rc::new(storage));
        Ok(place)
    }
}

/// Whether the item is alive, here.
pub(super) fn is_alive(b: &mut Builder, alive: LocalId) -> ValueId {
    let alive = b.read(alive);
    let no = b.constant(Scalar::U32, 0);
    b.compare(CompareOp::Ne, alive, no)
}

/// Whether an item may end in the block.
fn may_end(block: &Block) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Fault(..) | Stmt::Record(..) | Stmt::Return => true,
        Stmt::If(_, yes, no) => may_end(yes) || may_end(no),
        Stmt::Loop { body, .. } | Stmt::Block { body, .. } => may_end(body),
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
        | Stmt::Continue(_) => false,
    })
}

/// The names that a pattern binds.
fn names_of<'p>(pattern: &'p Pattern, names: &mut Vec<(tree::LocalId, &'p str)>) {
    let mut elements = |all: &'p tree::Elements| {
        let rest = all.rest.iter().flatten();
        names.extend(rest.map(|b| (b.local, b.name.as_str())));
        all.before
            .iter()
            .chain(&all.after)
            .for_each(|p| names_of(p, names));
    };
    match pattern {
        Pattern::Wild | Pattern::Constant(_) | Pattern::Range { .. } => {}
        Pattern::Bind(binding, inner) => {
            names.push((binding.local, &binding.name));
            inner.iter().for_each(|p| names_of(p, names));
        }
        Pattern::Tuple(all) | Pattern::Array(all) | Pattern::TupleStruct(_, all) => elements(all),
        Pattern::Struct(_, fields) => fields.iter().for_each(|(_, p)| names_of(p, names)),
        Pattern::Reference(inner) => names_of(inner, names),
        Pattern::Or(all) => all.iter().for_each(|p| names_of(p, names)),
    }
}
