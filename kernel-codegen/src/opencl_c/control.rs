//! Statements.

use super::Function;
use super::print::CStmt;
use super::{types, uses};
use crate::GenerateError;
use gridfn_ir::typed::{Block, Label, Local, LocalId, Op, ParamId, Stmt, ValueId};

/// A loop or block around the current place.
pub(super) struct Scope {
    label: Label,
    is_loop: bool,
    /// Whether C's own `continue` runs what stands between two rounds.
    plain_continue: bool,
    /// Whether something jumps behind the scope by its label.
    end_used: bool,
    /// Whether something jumps to the end of the round by its label.
    next_used: bool,
}

impl Scope {
    fn new(label: Label, is_loop: bool, plain_continue: bool) -> Scope {
        Scope {
            label,
            is_loop,
            plain_continue,
            end_used: false,
            next_used: false,
        }
    }
}

impl Function<'_> {
    /// The statements of a block in C.
    pub(super) fn block(&mut self, block: &Block) -> Result<Vec<CStmt>, GenerateError> {
        let outer = std::mem::take(&mut self.out);
        for (at, statement) in block.iter().enumerate() {
            self.statement(statement, &block[at + 1..])?;
        }
        Ok(std::mem::replace(&mut self.out, outer))
    }

    fn statement(&mut self, statement: &Stmt, rest: &[Stmt]) -> Result<(), GenerateError> {
        match statement {
            Stmt::Def(value) => self.define(*value, rest)?,
            Stmt::Declare(local) => {
                if gets_first_value(self, *local, rest) {
                    self.undeclared.insert(*local);
                } else {
                    let declaration = self.declaration(*local);
                    self.out.push(CStmt::Declaration(declaration));
                }
            }
            Stmt::Set(local, value) => {
                let value = self.operand(*value)?;
                self.settle(|expr| expr.dependences.locals.contains(local));
                self.out.push(if self.undeclared.remove(local) {
                    CStmt::Variable(*local, format!("{} = {}", self.declaration(*local), value.text()))
                } else {
                    CStmt::Expression(format!("{} = {}", self.local_names[local.index()], value.text()))
                });
            }
            Stmt::SetElement(local, index, value) => {
                let (index, value) = (self.operand(*index)?, self.operand(*value)?);
                self.settle(|expr| expr.dependences.locals.contains(local));
                let element = index.element_of(&self.local_names[local.index()]);
                self.out
                    .push(CStmt::Expression(format!("{element} = {}", value.text())));
            }
            Stmt::Store(slice, index, value) => {
                let ty = self.kernel.values[*value].ty;
                let (index, value) = (self.operand(*index)?, self.operand(*value)?);
                self.settle(|expr| expr.dependences.memory);
                let element = self.in_memory(*slice, ty, &index);
                self.out
                    .push(CStmt::Expression(format!("{element} = {}", value.text())));
            }
            Stmt::LoadVector(slice, index, values) => self.load_vector(*slice, *index, values)?,
            Stmt::StoreVector(slice, index, values) => {
                let Some(&first) = values.first() else {
                    return Ok(());
                };
                let (ty, n) = (self.kernel.values[first].ty, values.len());
                let index = self.operand(*index)?;
                let mut parts = Vec::with_capacity(n);
                for value in values {
                    parts.push(self.operand(*value)?.exactly(ty).text().to_string());
                }
                self.settle(|expr| expr.dependences.memory);
                let place = self.vector_in_memory(*slice, ty, &index, n);
                let vector = format!("({}{n})({})", types::name(ty), parts.join(", "));
                self.out.push(CStmt::Expression(format!("{place} = {vector}")));
            }
            Stmt::Atomic(atomic) => self.atomic(atomic)?,
            Stmt::Subgroup(subgroup) => self.subgroup(subgroup)?,
            Stmt::Barrier => {
                let kernel = self.kernel;
                let shared = |local: &LocalId| kernel.locals[*local].shared;
                self.settle(|expr| expr.dependences.memory || expr.dependences.locals.iter().any(shared));
                let barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
                self.out.push(CStmt::Expression(barrier.into()));
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.operand(*condition)?;
                self.settle(|_| true);
                let (then, otherwise) = (self.block(then)?, self.block(otherwise)?);
                self.out.push(if then.is_empty() && !otherwise.is_empty() {
                    CStmt::If {
                        condition: condition.opposite(),
                        then: otherwise,
                        otherwise: then,
                    }
                } else {
                    CStmt::If {
                        condition,
                        then,
                        otherwise,
                    }
                });
            }
            Stmt::Loop { label, body, next } => self.looped(*label, body, next)?,
            Stmt::Block { label, body } => {
                self.settle(|_| true);
                self.scopes.push(Scope::new(*label, false, false));
                let body = self.block(body)?;
                self.out.push(CStmt::Scope(body));
                self.leave_scope(*label);
            }
            Stmt::Break(label) => {
                let jump = self.break_to(*label);
                self.out.push(CStmt::Jump(jump));
            }
            Stmt::Continue(label) => {
                let jump = self.continue_to(*label);
                self.out.push(CStmt::Jump(jump));
            }
            Stmt::Return => self.out.push(CStmt::Jump("return".into())),
            Stmt::Fault(site, values) | Stmt::Record(site, values) => {
                let mut call = format!("record_fault(fault, &block, {}", site.index());
                for n in 0..self.kernel.fault_values() {
                    call += ", ";
                    match values.get(n) {
                        Some(value) => call += self.operand(*value)?.text(),
                        None => call += "0",
                    }
                }
                self.out.push(CStmt::Expression(call + ")"));
                if let Stmt::Fault(..) = statement {
                    self.out.push(CStmt::Jump("return".into()));
                }
            }
        }
        Ok(())
    }

    /// Declares a vector; the values are its components.
    fn load_vector(
        &mut self,
        slice: ParamId,
        index: ValueId,
        values: &[ValueId],
    ) -> Result<(), GenerateError> {
        let Some(&first) = values.first() else {
            return Ok(());
        };
        let (ty, n) = (self.kernel.values[first].ty, values.len());
        let index = self.operand(index)?;
        let place = self.vector_in_memory(slice, ty, &index, n);
        let name = self.variables.claim(&self.kernel.params[slice].name);
        let ty = types::name(ty);
        self.out
            .push(CStmt::Declaration(format!("const {ty}{n} {name} = {place}")));
        for (value, component) in values.iter().zip(["x", "y", "z", "w"]) {
            self.value_names[value.index()] = Some(format!("{name}.{component}"));
        }
        Ok(())
    }

    fn looped(&mut self, label: Label, body: &Block, next: &Block) -> Result<(), GenerateError> {
        let counter = self.take_counter(body, next);
        self.settle(|_| true);

        let next = self.block(next)?;
        let step = as_step(&next);
        self.scopes.push(Scope::new(label, true, step.is_some()));
        let mut body = self.block(body)?;
        let condition = take_condition(&mut body);
        if self.scopes.last().is_some_and(|scope| scope.next_used) {
            body.push(CStmt::Label(next_label(label)));
        }
        if step.is_none() {
            body.extend(next);
        }
        let step = step.unwrap_or_default();
        let first = match counter {
            Some((_, text)) if !step.is_empty() => text,
            Some((local, text)) => {
                self.out.push(CStmt::Variable(local, text));
                String::new()
            }
            None => String::new(),
        };
        self.out.push(CStmt::Loop {
            first,
            condition,
            step,
            body,
        });
        self.leave_scope(label);
        Ok(())
    }

    /// The declaration right in front of a loop, if only the loop uses the variable: it then belongs in its head.
    fn take_counter(&mut self, body: &Block, next: &Block) -> Option<(LocalId, String)> {
        let Some(CStmt::Variable(local, _)) = self.out.last() else {
            return None;
        };
        let in_loop: usize = [body, next]
            .into_iter()
            .map(|block| uses::of_local(self.kernel, block, *local))
            .sum();
        let everywhere = uses::of_local(self.kernel, &self.kernel.body, *local);
        let first_value = 1;
        if in_loop == 0 || everywhere != in_loop + first_value {
            return None;
        }
        match self.out.pop() {
            Some(CStmt::Variable(local, text)) => Some((local, text)),
            _other => None,
        }
    }

    /// Leaves the innermost scope, and sets the label behind it if something jumps there.
    fn leave_scope(&mut self, label: Label) {
        if self.scopes.pop().is_some_and(|scope| scope.end_used) {
            self.out.push(CStmt::Label(end_label(label)));
        }
    }

    fn break_to(&mut self, label: Label) -> String {
        let innermost_loop = self.scopes.iter().rposition(|scope| scope.is_loop);
        match self.scopes.iter().rposition(|scope| scope.label == label) {
            Some(at) if Some(at) == innermost_loop => "break".into(),
            Some(at) => {
                self.scopes[at].end_used = true;
                format!("goto {}", end_label(label))
            }
            None => "return".into(), // Verified code does not get here.
        }
    }

    fn continue_to(&mut self, label: Label) -> String {
        let innermost_loop = self.scopes.iter().rposition(|scope| scope.is_loop);
        match self.scopes.iter().rposition(|scope| scope.label == label) {
            Some(at) if Some(at) == innermost_loop && self.scopes[at].plain_continue => "continue".into(),
            Some(at) => {
                self.scopes[at].next_used = true;
                format!("goto {}", next_label(label))
            }
            None => "return".into(), // Verified code does not get here.
        }
    }

    /// The declaration of a local. Elements are held as in memory, since the size of `bool` is open.
    pub(super) fn declaration(&self, local: LocalId) -> String {
        let Local { ty, len, .. } = self.kernel.locals[local];
        let name = &self.local_names[local.index()];
        match len {
            Some(len) => format!("{} {name}[{len}]", types::memory_name(ty)),
            None => format!("{} {name}", types::name(ty)),
        }
    }
}

/// Whether `local` is set in `rest` before anything could read it or run twice, so that it can be declared there. An
/// array never is: its elements are set one by one.
fn gets_first_value(function: &Function<'_>, local: LocalId, rest: &[Stmt]) -> bool {
    for statement in rest {
        match statement {
            Stmt::Set(set, _) if *set == local => return true,
            Stmt::Def(value) if function.kernel.values[*value].op == Op::Read(local) => return false,
            Stmt::Def(_)
            | Stmt::Declare(_)
            | Stmt::Set(..)
            | Stmt::SetElement(..)
            | Stmt::Store(..)
            | Stmt::LoadVector(..)
            | Stmt::StoreVector(..)
            | Stmt::Atomic(_)
            | Stmt::Subgroup(_)
            | Stmt::Barrier => {}
            Stmt::If(..)
            | Stmt::Loop { .. }
            | Stmt::Block { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return
            | Stmt::Fault(..)
            | Stmt::Record(..) => return false,
        }
    }
    false
}

/// What stands between two rounds, if it is short and simple enough for the loop's head.
fn as_step(next: &[CStmt]) -> Option<String> {
    let mut step = Vec::new();
    for statement in next {
        match statement {
            CStmt::Expression(text) => step.push(text.as_str()),
            CStmt::Declaration(_)
            | CStmt::Variable(..)
            | CStmt::Jump(_)
            | CStmt::If { .. }
            | CStmt::Loop { .. }
            | CStmt::Scope(_)
            | CStmt::Label(_) => return None,
        }
    }
    Some(step.join(", ")).filter(|step| step.len() <= super::LONG)
}

/// Takes the condition for another round from a body that begins with `if (…) break`; empty where there is none.
fn take_condition(body: &mut Vec<CStmt>) -> String {
    match body.first() {
        Some(CStmt::If {
            condition,
            then,
            otherwise,
        }) if is_break(then) => {
            let (condition, otherwise) = (condition.clone().opposite(), otherwise.clone());
            body.splice(..1, otherwise);
            condition.text().into()
        }
        Some(CStmt::If {
            condition,
            then,
            otherwise,
        }) if is_break(otherwise) => {
            let (condition, then) = (condition.clone(), then.clone());
            body.splice(..1, then);
            condition.text().into()
        }
        _ => String::new(),
    }
}

fn is_break(block: &[CStmt]) -> bool {
    matches!(block, [only] if only.is_break())
}

fn end_label(label: Label) -> String {
    format!("end_{label}")
}

fn next_label(label: Label) -> String {
    format!("next_{label}")
}
