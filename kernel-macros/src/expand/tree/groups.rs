//! Statements of kernels whose items wait for each other: what all run alike, and what each runs for itself.

use super::Walk;
use crate::check::Uniformity;
use crate::parse::ast::*;
use gridfn_ir::tree;
use std::cell::{Cell, RefCell};
use syn::spanned::Spanned;

pub(super) struct Groups<'u> {
    uniformity: &'u Uniformity<'u>,
    /// Whether what is walked through is run by all items alike.
    common: Cell<bool>,
    /// What goes before the statement that is walked through.
    before: RefCell<Vec<tree::Statement>>,
    /// The last number that was given to a variable of ours; they count down.
    last: Cell<u16>,
}

impl<'u> Groups<'u> {
    pub(super) fn new(uniformity: &'u Uniformity<'u>) -> Groups<'u> {
        Groups {
            uniformity,
            common: Cell::new(true),
            before: RefCell::default(),
            last: Cell::new(u16::MAX),
        }
    }
}

impl Walk<'_> {
    /// Where all items of a group run the same.
    pub(super) fn common(&self) -> Option<&Groups<'_>> {
        self.groups.as_ref().filter(|groups| groups.common.get())
    }

    /// A block whose statements all items of a group run, or each for itself.
    pub(super) fn common_block(&self, groups: &Groups, block: &Block) -> tree::Block {
        let mut statements = vec![];
        if groups.uniformity.holds_common(block) {
            block
                .statements
                .iter()
                .for_each(|s| self.common_statement(groups, s, &mut statements));
            if let Some(e) = &block.tail {
                self.common_effect(groups, e, &mut statements);
            }
        } else if !block.statements.is_empty() || block.tail.is_some() {
            let all = || tree::Statement::Expr(tree::Expr::Block(None, self.plain_block(block)));
            self.per_item(groups, all, &mut statements);
        }
        tree::Block {
            statements,
            tail: None,
        }
    }

    fn common_statement(&self, groups: &Groups, s: &Statement, statements: &mut Vec<tree::Statement>) {
        if groups.uniformity.is_common(s) {
            statements.push(self.statement(s));
        } else {
            self.per_item(groups, || self.statement(s), statements);
        }
    }

    /// An expression without a value.
    fn common_effect(&self, groups: &Groups, e: &Expr, statements: &mut Vec<tree::Statement>) {
        let statement = || tree::Statement::Expr(self.expr(e));
        if groups.uniformity.is_common_effect(e) {
            statements.push(statement());
        } else {
            self.per_item(groups, statement, statements);
        }
    }

    fn per_item(
        &self,
        groups: &Groups,
        statement: impl FnOnce() -> tree::Statement,
        statements: &mut Vec<tree::Statement>,
    ) {
        groups.common.set(false);
        let statement = statement();
        groups.common.set(true);
        statements.append(&mut groups.before.borrow_mut());
        statements.push(tree::Statement::PerItem(Box::new(statement)));
    }

    /// The `else` of an `if`, or what stands behind `=>`.
    pub(super) fn branch(&self, e: &Expr) -> tree::Expr {
        match self.common() {
            None => self.expr(e),
            Some(groups) => {
                let mut statements = vec![];
                self.common_effect(groups, e, &mut statements);
                tree::Expr::Block(
                    None,
                    tree::Block {
                        statements,
                        tail: None,
                    },
                )
            }
        }
    }

    /// The body of a function that all items of a group call together.
    pub(super) fn body_of_group(&self, f: &Function, group: GroupPart) -> tree::Block {
        let mut statements = vec![];
        let (result, rest) = match (group.result, f.body.statements.split_first()) {
            (Some(_), Some((result, rest))) => (Some(result), rest),
            (_, _) => (None, &f.body.statements[..]),
        };
        statements.extend(result.map(|s| self.statement(s)));
        if self
            .groups
            .as_ref()
            .is_some_and(|groups| groups.uniformity.shares())
        {
            // Items may still be using the arrays in the call before.
            statements.push(tree::Statement::Expr(tree::Expr::Barrier));
        }
        if let Some(groups) = self.common() {
            for s in rest {
                self.common_statement(groups, s, &mut statements);
            }
            if let Some(e) = &f.body.tail {
                self.common_effect(groups, e, &mut statements);
            }
        }
        let tail = group.result.map(|local| Box::new(tree::Expr::Local(local)));
        tree::Block { statements, tail }
    }

    /// `group!(f(x))`
    pub(super) fn together(&self, t: &Together) -> tree::Expr {
        let args = t.args.iter().map(|argument| match argument {
            Argument::Value(local, _) => tree::Expr::Local(*local),
            Argument::Shared(e) => self.expr(e),
            Argument::Function(e) => {
                // Each item calls it for itself.
                let common = self.groups.as_ref().map(|groups| groups.common.replace(false));
                let function = self.expr(e);
                if let (Some(groups), Some(common)) = (&self.groups, common) {
                    groups.common.set(common);
                }
                function
            }
        });
        tree::Expr::Call(t.link, args.collect(), self.position(t.path.span()))
    }

    /// `uniform(value)`
    pub(super) fn uniform(&self, value: &Expr) -> tree::Expr {
        self.hoisted(tree::Expr::Uniform(self.boxed(value)), "uniform")
    }

    /// What all items do together: inside what each item runs for itself, its value stands in a variable from before.
    pub(super) fn hoisted(&self, together: tree::Expr, name: &str) -> tree::Expr {
        match &self.groups {
            Some(groups) if !groups.common.get() => {
                let local = groups.last.get();
                groups.last.set(local - 1);
                let binding = tree::Binding {
                    local,
                    name: name.into(),
                    mutable: false,
                    by_reference: None,
                };
                groups.before.borrow_mut().push(tree::Statement::Let {
                    pattern: tree::Pattern::Bind(binding, None),
                    ty: None,
                    init: Some(together),
                    otherwise: None,
                });
                tree::Expr::Local(local)
            }
            _ => together,
        }
    }
}
