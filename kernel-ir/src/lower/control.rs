//! Branches, loops, jumps, and calls of `#[device]` functions.

use super::{Exit, Frame, Lowered, Lowering, Operand, Slice, Stop};
use crate::body::Body;
use crate::tree::{self, Expr, LabelId, LazyOp};
use crate::typed::{self, BinaryOp, Op, Stmt, ValueId};
use crate::{Access, Scalar, Type};

/// The most operations that a kernel may have before another call is inlined into it.
const MAX_VALUES: usize = 200_000;
/// The most calls that may be under way at once.
const MAX_DEPTH: usize = 100;

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
    fn is_cheap(&self, block: &typed::Block) -> bool {
        block.len() <= 4
            && block.iter().all(|stmt| match stmt {
                Stmt::Def(value) => match self.builder.kernel().values[*value].op {
                    Op::Const(_) | Op::Param(_) | Op::Len(_) | Op::Index(..) | Op::Read(_) => true,
                    Op::Unary(..) | Op::Compare(..) | Op::Cast(_) | Op::Bits(_) | Op::Select(..) => true,
                    Op::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
                    Op::Load(..) | Op::Element(..) | Op::ReadElement(..) | Op::Lookup(..) => false,
                    Op::Math1(..) | Op::Math2(..) | Op::MulAdd(..) => false,
                },
                Stmt::Declare(_)
                | Stmt::Set(..)
                | Stmt::SetElement(..)
                | Stmt::Store(..)
                | Stmt::If(..)
                | Stmt::Loop { .. }
                | Stmt::Block { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return
                | Stmt::Fault(..) => false,
            })
    }

    /// `if condition { … } else …`
    pub(super) fn if_(
        &mut self,
        condition: &Expr,
        then: &tree::Block,
        otherwise: Option<&Expr>,
    ) -> Lowered<Operand> {
        let condition = self.condition(condition)?;
        let (mut yes, a) = self.nested(|s| s.block(then))?;
        let (mut no, b) = match otherwise {
            Some(expr) => self.nested(|s| s.expr(expr))?,
            None => (vec![], Some(Operand::Unit)),
        };
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
            (Some(Operand::Unit), Some(Operand::Unit)) => {
                self.builder.push(Stmt::If(condition, yes, no));
                Ok(Operand::Unit)
            }
            (Some(Operand::Value(a)), Some(Operand::Value(b))) => {
                let ty = self.builder.ty(a);
                self.expect_scalar("the `else` of an `if`", b, ty)?;
                if self.is_cheap(&yes) && self.is_cheap(&no) {
                    self.builder.append(yes);
                    self.builder.append(no);
                    return Ok(Operand::Value(self.builder.select(condition, a, b)));
                }
                let result = self.builder.local(None, ty);
                yes.push(Stmt::Set(result, a));
                no.push(Stmt::Set(result, b));
                self.builder.push(Stmt::If(condition, yes, no));
                Ok(Operand::Value(self.builder.read(result)))
            }
            (Some(a), Some(b)) => {
                let (a, b) = (self.describe(a), self.describe(b));
                Err(self.bug(format_args!("the branches of an `if` are {a} and {b}")))
            }
        }
    }

    /// A new exit, for a loop, a labelled block or an inlined function.
    fn exit(&mut self) -> Exit {
        Exit {
            label: self.builder.label(),
            taken: false,
            result: None,
        }
    }

    /// The exit of a loop or block of the source.
    fn label(&self, label: LabelId) -> Lowered<Exit> {
        let exit = self.frame.labels.get(&label).copied();
        exit.ok_or_else(|| self.bug(format_args!("label {label} is not around its use")))
    }

    /// Gives a loop or block of the source its label.
    pub(super) fn open_label(&mut self, label: LabelId) -> typed::Label {
        let exit = self.exit();
        self.frame.labels.insert(label, exit);
        exit.label
    }

    /// Ends the scope of a label.
    pub(super) fn close_label(&mut self, label: LabelId) -> Lowered<Exit> {
        let exit = self.label(label)?;
        self.frame.labels.remove(&label);
        Ok(exit)
    }

    /// Leaves by `exit` and takes `operand` along.
    fn leave(&mut self, mut exit: Exit, operand: Operand) -> Lowered<Exit> {
        match (operand, exit.result) {
            (Operand::Unit, None) => {}
            (Operand::Value(value), result) if result.is_some() || !exit.taken => {
                let ty = self.builder.ty(value);
                let result = result.unwrap_or_else(|| self.builder.undeclared_local(None, ty));
                let expected = self.builder.kernel().locals[result].ty;
                self.expect_scalar("what a `break` or `return` takes along", value, expected)?;
                self.builder.push(Stmt::Set(result, value));
                exit.result = Some(result);
            }
            (Operand::Slice(_) | Operand::Array(_) | Operand::Struct(_), _) => {
                return Err(self.bug("a `break` or `return` takes a slice, array or struct along"));
            }
            (Operand::Unit | Operand::Value(_), _) => {
                return Err(self.bug("only some of the breaks of a loop or block have a value"));
            }
        }
        exit.taken = true;
        self.builder.push(Stmt::Break(exit.label));
        Ok(exit)
    }

    /// What stands after `stmt`, a statement that is left by `exit` alone.
    fn after(&mut self, stmt: Stmt, exit: Exit) -> Lowered<Operand> {
        if let Some(result) = exit.result {
            self.builder.push(Stmt::Declare(result));
        }
        self.builder.push(stmt);
        match exit {
            Exit { taken: false, .. } => Err(Stop::Never),
            Exit {
                result: Some(result), ..
            } => Ok(Operand::Value(self.builder.read(result))),
            Exit { result: None, .. } => Ok(Operand::Unit),
        }
    }

    /// What a labelled block or an inlined body gives: `body` runs once, and control gets to its end with `end`
    /// or leaves it by `exit`. If it never does the latter, it needs no block of its own.
    fn close_block(&mut self, mut body: typed::Block, end: Option<Operand>, exit: Exit) -> Lowered<Operand> {
        if !exit.taken {
            self.builder.append(body);
            return end.ok_or(Stop::Never);
        }
        match (end, exit.result) {
            (None, _) | (Some(Operand::Unit), None) => {}
            (Some(Operand::Value(value)), Some(result)) => {
                let ty = self.builder.kernel().locals[result].ty;
                self.expect_scalar("the end of a block", value, ty)?;
                body.push(Stmt::Set(result, value));
            }
            (
                Some(
                    Operand::Unit
                    | Operand::Value(_)
                    | Operand::Slice(_)
                    | Operand::Array(_)
                    | Operand::Struct(_),
                ),
                _,
            ) => {
                return Err(self.bug("a block gives a value only at some of its ends"));
            }
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
            let condition = s.condition(condition)?;
            s.break_unless(condition, id);
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
        match self.frame.exit {
            Some(exit) => self.frame.exit = Some(self.leave(exit, operand)?),
            None => self.builder.push(Stmt::Return),
        }
        Err(Stop::Never)
    }
}

impl<'a> Lowering<'a> {
    /// A call of a `#[device]` function: its body, here. A slice is passed by putting the kernel's parameter in the
    /// place of the function's.
    pub(super) fn inline(&mut self, callee: &'a Body<'a>, arguments: &[Expr]) -> Lowered<Operand> {
        let operands: Vec<_> = arguments.iter().map(|a| self.expr(a)).collect::<Lowered<_>>()?;
        self.inline_operands(callee, &operands)
    }

    /// A function of the library: its body, here.
    pub(super) fn inline_values(&mut self, callee: &'a Body<'a>, arguments: &[ValueId]) -> Lowered<ValueId> {
        let operands: Vec<_> = arguments.iter().copied().map(Operand::Value).collect();
        match self.inline_operands(callee, &operands)? {
            Operand::Value(value) => Ok(value),
            Operand::Unit | Operand::Slice(_) | Operand::Array(_) | Operand::Struct(_) => {
                Err(self.bug("a function of the library without a result"))
            }
        }
    }

    /// A function whose arguments are lowered already: its body, here.
    fn inline_operands(&mut self, callee: &'a Body<'a>, operands: &[Operand]) -> Lowered<Operand> {
        self.check_growth()?;
        let exit = self.exit();
        let caller = std::mem::replace(&mut self.frame, Frame::new(callee));
        self.frame.exit = Some(exit);
        self.frame.name.clone_from(&caller.name);
        self.callers.push(caller);

        let tree = self.tree()?;
        self.frame.name.clone_from(&tree.name);
        self.check_recursion()?;
        self.frame.result = self.resolve(tree.result)?;
        let (body, end) = self.nested(|s| {
            s.bind_arguments(&tree, operands)?;
            s.block(&tree.body)
        })?;
        let exit = self.frame.exit.unwrap_or(exit);
        let result = match self.close_block(body, end, exit) {
            Ok(operand) => {
                self.expect("its result", operand, self.frame.result)?;
                Ok(operand)
            }
            stop @ Err(_) => stop,
        };
        if let Some(caller) = self.callers.pop() {
            self.frame = caller;
        }
        result
    }

    fn bind_arguments(&mut self, tree: &tree::Tree, operands: &[Operand]) -> Lowered<()> {
        let (given, taken) = (operands.len(), tree.params.len());
        if given != taken {
            return Err(self.bug(format_args!("it has {taken} parameters and {given} arguments")));
        }
        for ((local, param), &operand) in (0..).zip(&tree.params).zip(operands) {
            let name = param.name.as_str();
            let ty = self.resolve(param.ty)?;
            self.expect(format_args!("`{name}`"), operand, ty)?;
            let operand = match (operand, ty) {
                (Operand::Slice(slice), Type::Slice { access, .. }) => Operand::Slice(Slice {
                    writable: access == Access::Unique,
                    ..slice
                }),
                (operand, _) => operand,
            };
            self.bind(local, name, param.mutable, operand);
        }
        Ok(())
    }

    /// Refuses what would grow beyond all measure: n functions of two lines can stand for 2ⁿ operations.
    fn check_growth(&mut self) -> Lowered<()> {
        self.calls += 1;
        if self.builder.kernel().values.len() + self.calls > MAX_VALUES {
            return Err(self.error(format_args!(
                "the kernel is too large: with its device functions inlined it has more than {MAX_VALUES} operations"
            )));
        }
        Ok(())
    }

    /// Refuses a function that is called while it runs. `frame` is the newest call.
    fn check_recursion(&self) -> Lowered<()> {
        let name = &self.frame.name;
        let first = self
            .callers
            .iter()
            .position(|f| std::ptr::eq(f.body, self.frame.body));
        if let Some(first) = first {
            let chain: Vec<&str> = self.callers[first..].iter().map(|f| f.name.as_str()).collect();
            return Err(self.error_at_call(format_args!(
                "`{name}` calls itself: {} -> {name}; kernels cannot recurse",
                chain.join(" -> ")
            )));
        }
        if self.callers.len() > MAX_DEPTH {
            return Err(self.error_at_call(format_args!(
                "the call of `{name}` is nested more than {MAX_DEPTH} calls deep"
            )));
        }
        Ok(())
    }

    fn error_at_call(&self, message: impl std::fmt::Display) -> Stop {
        match self.callers.last() {
            Some(caller) => caller.error(message),
            None => self.error(message),
        }
    }
}
