//! Branches, loops and jumps.

use super::operand::{Length, Operand, Place, Slice};
use super::storage::{Maker, Storage, variable};
use super::{Exit, Lowered, Lowering, Stop};
use crate::Scalar;
use crate::tree::{self, Expr, LabelId, LazyOp};
use crate::typed::{self, BinaryOp, Op, Stmt, ValueId};
use std::rc::Rc;

impl Lowering<'_> {
    /// `a && b`, `a || b`
    pub(super) fn lazy(&mut self, op: LazyOp, a: &Expr, b: &Expr) -> Lowered<ValueId> {
        let a = self.condition(a)?;
        let (mut block, b) = self.nested(|s| s.condition(b))?;
        let (eager, decided) = match op {
            LazyOp::And => (BinaryOp::And, false),
            LazyOp::Or => (BinaryOp::Or, true),
        };
        // `decided` is what `a` is when `b` is skipped.
        let branch = |block| match op {
            LazyOp::And => Stmt::If(a, block, vec![]),
            LazyOp::Or => Stmt::If(a, vec![], block),
        };
        match b {
            Some(b) if self.is_cheap(&block) => {
                self.builder.append(block);
                Ok(self.builder.binary(eager, a, b))
            }
            Some(b) => {
                let result = self.builder.local_of(None, a);
                block.push(Stmt::Set(result, b));
                self.builder.push(branch(block));
                Ok(self.builder.read(result))
            }
            None => {
                self.builder.push(branch(block));
                Ok(self.builder.constant(Scalar::Bool, u64::from(decided)))
            }
        }
    }

    /// Whether it is better to run `block` always than to branch around it: it changes nothing, can't fault and
    /// costs next to nothing.
    pub(super) fn is_cheap(&self, block: &typed::Block) -> bool {
        block.len() <= 4
            && block.iter().all(|stmt| match stmt {
                Stmt::Def(value) => match self.builder.kernel().values[*value].op {
                    Op::Const(_) | Op::Param(_) | Op::Len(_) | Op::Index(..) | Op::Read(_) => true,
                    Op::Unary(..) | Op::Compare(..) | Op::Cast(_) | Op::Bits(_) | Op::Select(..) => true,
                    Op::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
                    Op::Load(..) | Op::Component | Op::Element(..) | Op::ReadElement(..) | Op::Lookup(..) => {
                        false
                    }
                    Op::Math1(..) | Op::Math2(..) | Op::MulAdd(..) => false,
                },
                Stmt::Declare(_)
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
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return
                | Stmt::Fault(..)
                | Stmt::Record(..) => false,
            })
    }

    /// `if condition { … } else …`
    pub(super) fn if_(
        &mut self,
        condition: &Expr,
        then: &tree::Block,
        otherwise: Option<&Expr>,
    ) -> Lowered<Operand> {
        if super::matching::holds_let(condition) {
            return self.if_let(condition, then, otherwise);
        }
        let condition = self.condition(condition)?;
        let yes = self.nested(|s| s.block(then))?;
        let no = match otherwise {
            Some(expr) => self.nested(|s| s.expr(expr))?,
            None => (vec![], Some(Operand::Unit)),
        };
        self.branches(condition, yes, no)
    }

    /// One thing if a condition holds, else another.
    pub(super) fn choose(
        &mut self,
        condition: ValueId,
        yes: impl FnOnce(&mut Self) -> Lowered<Operand>,
        no: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        let (yes, no) = (self.nested(yes)?, self.nested(no)?);
        self.branches(condition, yes, no)
    }

    /// What two branches give, of which those without an operand do not get to their ends.
    fn branches(
        &mut self,
        condition: ValueId,
        (yes, a): (typed::Block, Option<Operand>),
        (no, b): (typed::Block, Option<Operand>),
    ) -> Lowered<Operand> {
        match (a, b) {
            (None, None) => {
                self.builder.push(Stmt::If(condition, yes, no));
                Err(Stop::Never)
            }
            // One branch never gets to its end, so what follows the `if` belongs to the other.
            (Some(operand), None) => {
                self.builder.push(Stmt::If(condition, vec![], no));
                self.builder.append(yes);
                Ok(operand)
            }
            (None, Some(operand)) => {
                self.builder.push(Stmt::If(condition, yes, vec![]));
                self.builder.append(no);
                Ok(operand)
            }
            (Some(a), Some(b)) => self.join(condition, (yes, a), (no, b)),
        }
    }

    /// What two branches give, both of which get to their ends.
    pub(super) fn join(
        &mut self,
        condition: ValueId,
        (mut yes, a): (typed::Block, Operand),
        (mut no, b): (typed::Block, Operand),
    ) -> Lowered<Operand> {
        if a == Operand::Unit && b == Operand::Unit {
            self.builder.push(Stmt::If(condition, yes, no));
            return Ok(Operand::Unit);
        }
        if self.is_cheap(&yes)
            && self.is_cheap(&no)
            && let Some(values) = self.values_alike(&a, &b)?
        {
            self.builder.append(yes);
            self.builder.append(no);
            let mut values = values.into_iter();
            return Ok(a.map(&mut |a| match values.next() {
                Some(b) if a == b => a,
                Some(b) => self.builder.select(condition, a, b),
                None => a,
            }));
        }
        if self.is_cheap(&yes)
            && self.is_cheap(&no)
            && matches!(
                (&a, &b),
                (Operand::Reference(_), Operand::Reference(_)) | (Operand::Slice(_), Operand::Slice(_))
            )
        {
            self.builder.append(yes);
            self.builder.append(no);
            return self.choice(condition, a, b);
        }
        let mut maker = Maker::new(None);
        let storage = self.storage_of(&mut maker, &a)?;
        let (storage, b) = self.completed(&mut maker, storage, b)?;
        self.declare(maker);
        let place = variable(&storage);
        let (mut set, _) = self.nested(|s| s.store(&place, &a))?;
        yes.append(&mut set);
        let (mut set, _) = self.nested(|s| s.store(&place, &b))?;
        no.append(&mut set);
        self.builder.push(Stmt::If(condition, yes, no));
        self.load(&place)
    }

    /// References to, or slices of, different things: which one it is the kernel finds out at each use.
    fn choice(&mut self, condition: ValueId, a: Operand, b: Operand) -> Lowered<Operand> {
        match (a, b) {
            (Operand::Reference(a), Operand::Reference(b)) => {
                Ok(Operand::Reference(Rc::new(Place::Choice(condition, a, b))))
            }
            (Operand::Slice(a), Operand::Slice(b)) => {
                let len = [self.len_of(&a), self.len_of(&b)];
                let zero = self.builder.constant(Scalar::Usize, 0);
                let start = [a.start.unwrap_or(zero), b.start.unwrap_or(zero)];
                Ok(Operand::Slice(Slice {
                    writable: a.writable && b.writable,
                    base: Rc::new(Place::Choice(condition, a.base, b.base)),
                    start: Some(self.builder.select(condition, start[0], start[1])),
                    len: Length::Value(self.builder.select(condition, len[0], len[1])),
                }))
            }
            _ => Err(self.bug("a choice between what is no reference")),
        }
    }

    /// The values of `b`, if it differs from `a` in values only and they have the same types. Arrays are no values.
    fn values_alike(&mut self, a: &Operand, b: &Operand) -> Lowered<Option<Vec<ValueId>>> {
        if a.holds_array() || b.holds_array() {
            return Ok(None);
        }
        let (mut firsts, mut seconds) = (vec![], vec![]);
        a.map(&mut |value| {
            firsts.push(value);
            value
        });
        b.map(&mut |value| {
            seconds.push(value);
            value
        });
        let mut of_a = firsts.iter().copied();
        let alike = b.map(&mut |value| of_a.next().unwrap_or(value)) == *a && firsts.len() == seconds.len();
        if !alike {
            return Ok(None);
        }
        for (a, b) in firsts.iter().zip(&seconds) {
            self.expect_scalar("the `else` of an `if`", *b, self.builder.ty(*a))?;
        }
        Ok(Some(seconds))
    }

    /// The storage with what only a second operand tells of it: what an enum holds in a variant that the first was not.
    fn completed(
        &mut self,
        maker: &mut Maker<'_>,
        storage: Storage,
        operand: Operand,
    ) -> Lowered<(Storage, Operand)> {
        let storage = match (storage, &operand) {
            (Storage::Undefined, operand) => self.storage_of(maker, operand)?,
            (Storage::Struct(name, fields), Operand::Struct(s)) => {
                let mut out = Vec::with_capacity(fields.len());
                for (name, field) in fields {
                    let value = s.fields.iter().find(|(n, _)| *n == name);
                    let field = match value {
                        Some((_, value)) => {
                            Rc::new(self.completed(maker, (*field).clone(), value.clone())?.0)
                        }
                        None => field,
                    };
                    out.push((name, field));
                }
                Storage::Struct(name, out)
            }
            (Storage::Enum { def, tag, variants }, Operand::Enum(e)) => {
                let mut out = Vec::with_capacity(variants.len());
                for (fields, values) in variants.into_iter().zip(&e.variants) {
                    let mut completed = Vec::with_capacity(fields.len());
                    for (field, value) in fields.into_iter().zip(values) {
                        completed.push(Rc::new(self.completed(maker, (*field).clone(), value.clone())?.0));
                    }
                    out.push(completed);
                }
                Storage::Enum {
                    def,
                    tag,
                    variants: out,
                }
            }
            (storage, _) => storage,
        };
        Ok((storage, operand))
    }

    /// A new exit, for a loop, a labelled block or an inlined function.
    pub(super) fn exit(&mut self) -> Exit {
        Exit {
            label: self.builder.label(),
            taken: false,
            result: None,
            made: vec![],
        }
    }

    /// The exit of a loop or block of the source.
    fn label(&self, label: LabelId) -> Lowered<Exit> {
        let exit = self.frame.labels.get(&label).cloned();
        exit.ok_or_else(|| self.bug(format_args!("label {label} is not around its use")))
    }

    /// Gives a loop or block of the source its label.
    pub(super) fn open_label(&mut self, label: LabelId) -> typed::Label {
        let exit = self.exit();
        let id = exit.label;
        self.frame.labels.insert(label, exit);
        id
    }

    /// Ends the scope of a label.
    pub(super) fn close_label(&mut self, label: LabelId) -> Lowered<Exit> {
        let exit = self.label(label)?;
        self.frame.labels.remove(&label);
        Ok(exit)
    }

    /// Leaves by `exit` and takes `operand` along.
    pub(super) fn leave(&mut self, mut exit: Exit, operand: Operand) -> Lowered<Exit> {
        self.bring(&mut exit, operand)?;
        exit.taken = true;
        self.builder.push(Stmt::Break(exit.label));
        Ok(exit)
    }

    /// Stores what is taken along. What the first one brings tells what all of them do.
    fn bring(&mut self, exit: &mut Exit, operand: Operand) -> Lowered<()> {
        if exit.taken && exit.result.is_none() != (operand == Operand::Unit) {
            return Err(self.bug("only some of the breaks of a loop or block have a value"));
        }
        if operand == Operand::Unit && exit.result.is_none() {
            return Ok(());
        }
        let mut maker = Maker::new(None);
        let (storage, operand) = match &exit.result {
            None => (self.storage_of(&mut maker, &operand)?, operand),
            Some(known) => self.completed(&mut maker, (**known).clone(), operand)?,
        };
        exit.made.append(&mut maker.made);
        self.store(&variable(&storage), &operand)?;
        exit.result = Some(Rc::new(storage));
        Ok(())
    }

    /// What stands after `stmt`, a statement that is left by `exit` alone.
    fn after(&mut self, stmt: Stmt, exit: Exit) -> Lowered<Operand> {
        for local in exit.made {
            self.builder.push(Stmt::Declare(local));
        }
        self.builder.push(stmt);
        match exit.result {
            _ if !exit.taken => Err(Stop::Never),
            Some(result) => self.load(&variable(&result)),
            None => Ok(Operand::Unit),
        }
    }

    /// What a labelled block or an inlined body gives: `body` runs once, and control gets to its end with `end`
    /// or leaves it by `exit`. If it never does the latter, it needs no block of its own.
    pub(super) fn close_block(
        &mut self,
        mut body: typed::Block,
        end: Option<Operand>,
        mut exit: Exit,
    ) -> Lowered<Operand> {
        if !exit.taken {
            self.builder.append(body);
            return end.ok_or(Stop::Never);
        }
        if let Some(end) = end {
            let (mut set, _) = self.nested(|s| s.bring(&mut exit, end))?;
            body.append(&mut set);
        }
        let label = exit.label;
        self.after(Stmt::Block { label, body }, exit)
    }

    /// `'label: { … }`
    pub(super) fn labelled_block(&mut self, label: LabelId, block: &tree::Block) -> Lowered<Operand> {
        self.open_label(label);
        let (body, end) = self.nested(|s| s.block(block))?;
        let exit = self.close_label(label)?;
        self.close_block(body, end, exit)
    }

    /// `loop { … }`
    pub(super) fn loop_(&mut self, label: LabelId, block: &tree::Block) -> Lowered<Operand> {
        let id = self.open_label(label);
        let (body, _) = self.nested(|s| s.block(block))?;
        let exit = self.close_label(label)?;
        let next = vec![];
        let stmt = Stmt::Loop {
            label: id,
            body,
            next,
        };
        self.after(stmt, exit)
    }

    /// `while condition { … }`
    pub(super) fn while_(
        &mut self,
        label: LabelId,
        condition: &Expr,
        block: &tree::Block,
    ) -> Lowered<Operand> {
        let id = self.open_label(label);
        let mut tested = false;
        let (body, _) = self.nested(|s| {
            s.pass(condition, id)?;
            tested = true;
            s.block(block)
        })?;
        let mut exit = self.close_label(label)?;
        exit.taken |= tested;
        let next = vec![];
        let stmt = Stmt::Loop {
            label: id,
            body,
            next,
        };
        self.after(stmt, exit)
    }

    /// Leaves a loop if `condition` is false.
    pub(super) fn break_unless(&mut self, condition: ValueId, label: typed::Label) {
        let stmt = Stmt::If(condition, vec![], vec![Stmt::Break(label)]);
        self.builder.push(stmt);
    }

    /// An expression after `break` or `return`.
    fn jump_value(&mut self, value: Option<&Expr>) -> Lowered<Operand> {
        value.map_or(Ok(Operand::Unit), |value| self.expr(value))
    }

    /// `break 'label value`
    pub(super) fn break_(&mut self, label: LabelId, value: Option<&Expr>) -> Lowered<Operand> {
        let operand = self.jump_value(value)?;
        let exit = self.label(label)?;
        let exit = self.leave(exit, operand)?;
        self.frame.labels.insert(label, exit);
        Err(Stop::Never)
    }

    /// `continue 'label`
    pub(super) fn continue_(&mut self, label: LabelId) -> Lowered<Operand> {
        let exit = self.label(label)?;
        self.builder.push(Stmt::Continue(exit.label));
        Err(Stop::Never)
    }

    /// `return value`
    pub(super) fn return_(&mut self, value: Option<&Expr>) -> Lowered<Operand> {
        let operand = self.jump_value(value)?;
        match self.frame.exit.clone() {
            Some(exit) => self.frame.exit = Some(self.leave(exit, operand)?),
            None => self.builder.push(Stmt::Return),
        }
        Err(Stop::Never)
    }
}
