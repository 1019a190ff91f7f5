//! Statements: structured control as labels and branches.

use super::Entry;
use super::types::{self, memory};
use crate::GenerateError;
use gridfn_ir::typed::{Block, SiteId, Stmt, ValueId};

impl Entry<'_> {
    /// Statements in their order.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), GenerateError> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), GenerateError> {
        match stmt {
            Stmt::Def(value) => self.def(*value)?,
            // Its register or its memory is declared at the top, as all are.
            Stmt::Declare(_) => {}
            Stmt::Set(local, value) => {
                let ty = types::moved(self.kernel.locals[*local].ty);
                let value = self.operand(*value);
                let local = self.locals[local.index()].clone();
                self.line(format_args!("mov.{ty} {local}, {value}"));
            }
            Stmt::SetElement(local, index, value) => {
                let ty = self.kernel.locals[*local].ty;
                let array = self.locals[local.index()].clone();
                let address = self.address_in(Some(array), ty, *index);
                let value = self.stored(*value);
                let space = self.space_of(*local);
                self.line(format_args!("st.{space}.{} [{address}], {value}", memory(ty)));
            }
            Stmt::Store(param, index, value) => {
                let ty = self.kernel.values[*value].ty;
                let address = self.address(*param, ty, *index);
                let value = self.stored(*value);
                self.line(format_args!("st.global.{} [{address}], {value}", memory(ty)));
            }
            Stmt::LoadVector(param, index, values) => self.load_vector(*param, *index, values),
            Stmt::StoreVector(param, index, values) => self.store_vector(*param, *index, values),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::Subgroup(subgroup) => self.subgroup(subgroup),
            // It orders memory of all kinds too.
            Stmt::Barrier => self.line("bar.sync 0"),
            Stmt::If(condition, then, otherwise) => self.branch(*condition, then, otherwise)?,
            Stmt::Loop { label, body, next } => {
                self.label(format_args!("loop_{label}"));
                self.block(body)?;
                self.label(format_args!("next_{label}"));
                self.block(next)?;
                self.line(format_args!("bra loop_{label}"));
                self.label(format_args!("end_{label}"));
            }
            Stmt::Block { label, body } => {
                self.block(body)?;
                self.label(format_args!("end_{label}"));
            }
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return => {
                if let Some(jump) = jump(stmt) {
                    self.line(jump);
                }
            }
            Stmt::Fault(site, values) => {
                self.told(*site, values);
                self.line("bra fault");
            }
            Stmt::Record(site, values) => {
                self.told(*site, values);
                let end = format!("recorded_{}", self.labels);
                self.labels += 1;
                self.record(&format!("bra {end}"));
                self.label(end);
            }
        }
        Ok(())
    }

    fn branch(&mut self, condition: ValueId, then: &Block, otherwise: &Block) -> Result<(), GenerateError> {
        let condition = self.register(condition);
        if let ([stmt], []) = (then.as_slice(), otherwise.as_slice())
            && let Some(jump) = jump(stmt)
        {
            self.line(format_args!("@{condition} {jump}"));
            return Ok(());
        }
        let n = self.labels;
        self.labels += 1;
        if otherwise.is_empty() {
            self.line(format_args!("@!{condition} bra endif_{n}"));
            self.block(then)?;
        } else {
            self.line(format_args!("@!{condition} bra else_{n}"));
            self.block(then)?;
            if !then.last().is_some_and(ends_block) {
                self.line(format_args!("bra endif_{n}"));
            }
            self.label(format_args!("else_{n}"));
            self.block(otherwise)?;
        }
        self.label(format_args!("endif_{n}"));
        Ok(())
    }

    /// Puts what is told of a fault where the record is made of it.
    fn told(&mut self, site: SiteId, values: &[ValueId]) {
        let values: Vec<_> = values.iter().map(|v| self.operand(*v)).collect();
        let Some(fault) = &self.fault else {
            return;
        };
        let (to, told) = (fault.site.clone(), fault.values.clone());
        let place = &self.kernel.sites[site];
        // PTX is ASCII, and a file's name may be anything.
        let place = format!("{}:{}:{}", place.file.escape_default(), place.line, place.column);
        self.line_with(format_args!("mov.u32 {to}, {}", site.index()), place);
        for (n, to) in told.iter().enumerate() {
            match values.get(n) {
                Some(value) => self.line(format_args!("mov.b64 {to}, {value}")),
                None => self.line(format_args!("mov.b64 {to}, 0")),
            }
        }
    }
}

/// Whether nothing runs on behind a statement.
fn ends_block(stmt: &Stmt) -> bool {
    jump(stmt).is_some() || matches!(stmt, Stmt::Fault(..))
}

/// The one instruction that is a jump, if the statement is one.
fn jump(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::Break(label) => Some(format!("bra end_{label}")),
        Stmt::Continue(label) => Some(format!("bra next_{label}")),
        Stmt::Return => Some("ret".into()),
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
        | Stmt::If(..)
        | Stmt::Loop { .. }
        | Stmt::Block { .. }
        | Stmt::Fault(..)
        | Stmt::Record(..) => None,
    }
}
