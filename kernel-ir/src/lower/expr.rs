//! Expressions, places and statements.

use super::operand::Operand;
use super::storage::Maker;
use super::{Binding, Lowered, Lowering, Stop};
use crate::Scalar;
use crate::body::{IndexFunction, Link};
use crate::tree::{self, BinaryOp, Expr, Operator, Pattern, Position, Statement, TypeRef, UnaryOp};
use crate::typed::{self, ValueId};
use std::rc::Rc;

impl<'a> Lowering<'a> {
    /// Statements and a value.
    pub(super) fn block(&mut self, block: &tree::Block) -> Lowered<Operand> {
        for statement in &block.statements {
            self.statement(statement)?;
        }
        match &block.tail {
            Some(expr) => self.expr(expr),
            None => Ok(Operand::Unit),
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Lowered<()> {
        match statement {
            Statement::Let {
                pattern,
                ty,
                init,
                otherwise,
            } => self.let_(pattern, *ty, init.as_ref(), otherwise.as_ref()),
            Statement::Expr(expr) => self.effect(expr),
            Statement::PerItem(statement) => self.per_item(statement),
        }
    }

    /// An expression whose value is dropped: a place is not read for it.
    fn effect(&mut self, expr: &Expr) -> Lowered<()> {
        self.place(expr).map(|_| ())
    }

    fn let_(
        &mut self,
        pattern: &Pattern,
        ty: Option<TypeRef>,
        init: Option<&Expr>,
        otherwise: Option<&tree::Block>,
    ) -> Lowered<()> {
        let ty = ty.map(|ty| self.resolve(ty)).transpose()?;
        match (pattern, init) {
            (Pattern::Bind(binding, None), Some(Expr::LocalArray(array))) => {
                let operand = self.local_array(Some(&binding.name), *array)?;
                self.bind(binding.local, &binding.name, binding.mutable, operand)
            }
            (Pattern::Bind(binding, None), Some(init)) if binding.by_reference.is_none() => {
                let operand = self.expr(init)?;
                if let Some(ty) = ty {
                    self.expect(format_args!("`{}`", binding.name), &operand, ty)?;
                }
                self.bind(binding.local, &binding.name, binding.mutable, operand)
            }
            (pattern, Some(init)) => {
                let place = self.place(init)?;
                if let Some(block) = otherwise
                    && let Some(matches) = self.test(pattern, &place)?
                {
                    let (block, end) = self.nested(|s| s.block(block))?;
                    if end.is_some() {
                        return Err(self.bug("the `else` of a `let` gets to its end"));
                    }
                    self.builder.push(typed::Stmt::If(matches, vec![], block));
                }
                self.bind_pattern(pattern, &place, false)
            }
            (Pattern::Bind(binding, None), None) => {
                let Some(ty) = ty else {
                    return Err(self.bug(format_args!("`{}` has no type", binding.name)));
                };
                let mut maker = Maker::new(Some(&binding.name));
                let storage = self.storage_of_type(&mut maker, ty);
                match self.group {
                    Some(_) => self.declare_cleared(maker.made),
                    None => self.declare(maker),
                }
                self.frame
                    .bindings
                    .insert(binding.local, Binding::Variable(Rc::new(storage)));
                Ok(())
            }
            (_, None) => Err(self.bug("a pattern without a value")),
        }
    }

    /// An expression, with all that it does.
    pub(super) fn expr(&mut self, expr: &Expr) -> Lowered<Operand> {
        let value = match expr {
            Expr::Int { value, negative, ty } => self.int_literal(*value, *negative, *ty)?,
            Expr::Float { single, double, ty } => self.float_literal(*single, *double, *ty)?,
            Expr::Bool(value) => self.builder.constant(Scalar::Bool, u64::from(*value)),
            Expr::Unit => return Ok(Operand::Unit),
            Expr::Local(_) | Expr::Field(..) | Expr::Index(..) | Expr::Deref(_) | Expr::Subslice { .. } => {
                let place = self.place(expr)?;
                return self.load(&place);
            }
            Expr::Constant(hole) => return self.constant_of(*hole),
            Expr::Tuple(fields) => return self.tuple(fields),
            Expr::Array(elements) => return self.array(elements),
            Expr::Repeat(value, ty) => return self.repeated(value, *ty),
            Expr::Construct {
                ty,
                name,
                fields,
                base,
            } => return self.construct(*ty, name, fields, base.as_deref()),
            Expr::Reference(access, place) => {
                let place = self.place(place)?;
                return self.reference_to(place, *access);
            }
            Expr::Operator(operator, link, operands, at) => {
                return self.operator(*operator, *link, operands, *at);
            }
            Expr::Match(value, arms) => return self.match_(value, arms),
            Expr::Let(..) => return Err(self.bug("a `let` that is no condition")),
            Expr::Try(value) => return self.try_(value),
            Expr::Closure(closure) => return Ok(self.closure(closure)),
            Expr::Function(hole, captures) => return self.function(*hole, captures.as_deref()),
            Expr::CallClosure(local, arguments) => {
                let places = arguments.iter().map(|argument| self.place(argument));
                let places = places.collect::<Lowered<Vec<_>>>()?;
                let Binding::Operand(Operand::Function(function)) = self.binding(*local)? else {
                    return Err(self.bug("what is no function is called"));
                };
                return self.call_function(&function, places);
            }
            Expr::ForEach {
                label,
                pattern,
                iterator,
                body,
            } => return self.for_each(*label, pattern, iterator, body),
            Expr::Consume(iterator, consumer) => return self.consume(iterator, consumer),
            Expr::Binary(op, a, b, at) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                self.binary(*op, a, b, *at)?
            }
            Expr::Lazy(op, a, b) => self.lazy(*op, a, b)?,
            Expr::Unary(op, a) => {
                let a = self.value(a)?;
                self.unary(*op, a)?
            }
            Expr::Cast(a, ty) => {
                let a = self.number(a)?;
                let ty = self.scalar(*ty)?;
                if ty == Scalar::Bool {
                    self.expect_scalar("what is cast to bool", a, ty)?;
                }
                self.builder.cast(a, ty)
            }
            Expr::Assign(place, value) => {
                let value = self.expr(value)?;
                let place = self.place(place)?;
                self.store(&place, &value)?;
                return Ok(Operand::Unit);
            }
            Expr::AssignOp(op, place, value, at) => {
                self.assign_op(*op, place, value, *at)?;
                return Ok(Operand::Unit);
            }
            Expr::Call(hole, arguments, at) => {
                self.frame.at = *at;
                match self.link(*hole)? {
                    Link::Method(method) => self.method(method, arguments, *at)?,
                    Link::Core(method) => return self.core_method(method, arguments, *at),
                    Link::FromBytes(ty, order) => return self.number_of_bytes(ty, order, arguments),
                    Link::Index(function) => self.index_function(function, arguments)?,
                    Link::Function(callee) => return self.inline(callee, arguments),
                    Link::Passed(callee) => return self.inline(callee, arguments.get(1..).unwrap_or(&[])),
                    Link::Words(_) => return Err(self.bug("a call that is a panic")),
                }
            }
            Expr::If(condition, then, otherwise) => {
                return self.if_(condition, then, otherwise.as_deref());
            }
            Expr::Block(None, block) => return self.block(block),
            Expr::Block(Some(label), block) => return self.labelled_block(*label, block),
            Expr::While(label, condition, body) => return self.while_(*label, condition, body),
            Expr::Loop(label, body) => return self.loop_(*label, body),
            Expr::For {
                label,
                pattern,
                start,
                end,
                inclusive,
                ops,
                body,
            } => return self.for_(*label, pattern, start, end, *inclusive, ops, body),
            Expr::Break(label, value) => return self.break_(*label, value.as_deref()),
            Expr::Continue(label) => return self.continue_(*label),
            Expr::Return(value) => return self.return_(value.as_deref()),
            Expr::Barrier => {
                self.builder.push(typed::Stmt::Barrier);
                return Ok(Operand::Unit);
            }
            Expr::LocalArray(ty) => return self.local_array(None, *ty),
            Expr::Uniform(value) => return self.uniform(value),
            Expr::Subgroup(function, arguments) => return self.subgroup(*function, arguments),
            Expr::Panic(words, shown, at) => return self.panic(*words, shown, *at),
            Expr::Print(words, shown) => return self.print(*words, shown),
        };
        Ok(Operand::Value(value))
    }

    /// An expression that is a scalar, or refers to one.
    pub(super) fn value(&mut self, expr: &Expr) -> Lowered<ValueId> {
        match self.loaded(expr)? {
            Operand::Value(value) => Ok(value),
            other => Err(self.no_value(&other)),
        }
    }

    /// What `as` takes: of an enum, the discriminant.
    fn number(&mut self, expr: &Expr) -> Lowered<ValueId> {
        match self.loaded(expr)? {
            Operand::Value(value) => Ok(value),
            Operand::Enum(e) => Ok(e.tag),
            other => Err(self.no_value(&other)),
        }
    }

    fn loaded(&mut self, expr: &Expr) -> Lowered<Operand> {
        let place = self.place(expr)?;
        let place = self.referent(place)?;
        self.load(&place)
    }

    fn no_value(&self, found: &Operand) -> Stop {
        self.bug(format_args!("an operand of type {}", self.describe(found)))
    }

    /// An expression of type `bool`.
    pub(super) fn condition(&mut self, expr: &Expr) -> Lowered<ValueId> {
        let value = self.value(expr)?;
        self.expect_scalar("a condition", value, Scalar::Bool)?;
        Ok(value)
    }

    pub(super) fn link(&self, hole: tree::LinkHole) -> Lowered<Link> {
        let link = self.frame.body.links.get(usize::from(hole)).copied();
        let link = link.ok_or_else(|| self.bug(format_args!("link hole {hole} is not filled")))?;
        Ok(link())
    }

    /// A constant of the body.
    pub(super) fn constant_of(&mut self, hole: tree::ConstantHole) -> Lowered<Operand> {
        let constant = self.frame.body.constants.get(usize::from(hole)).copied();
        let constant =
            constant.ok_or_else(|| self.bug(format_args!("constant hole {hole} is not filled")))?;
        self.constant(&constant)
    }

    /// An operator: the built-in one of scalars, or the user's.
    fn operator(
        &mut self,
        operator: Operator,
        link: tree::LinkHole,
        operands: &[Expr],
        at: Position,
    ) -> Lowered<Operand> {
        self.frame.at = at;
        let mut places = Vec::with_capacity(operands.len());
        // What is assigned is evaluated before the place, if both are built in; of users' types it is the other way.
        for operand in operands {
            places.push(self.place(operand)?);
        }
        let mut scalars = vec![];
        for place in &places {
            let referent = self.referent(place.clone())?;
            if self.is_scalar(&referent) {
                scalars.push(referent);
            }
        }
        if scalars.len() < places.len() {
            return match self.link(link)? {
                Link::Function(callee) | Link::Passed(callee) => self.inline_places(callee, places),
                Link::Core(method) => self.core_method_of(method, places, at),
                Link::Method(_) | Link::FromBytes(..) | Link::Index(_) | Link::Words(_) => {
                    Err(self.bug("an operator that is a method"))
                }
            };
        }
        let mut values = vec![];
        for place in &scalars {
            match self.load(place)? {
                Operand::Value(value) => values.push(value),
                _ => return Err(self.bug("an operand that is no value")),
            }
        }
        Ok(match (operator, values.as_slice()) {
            (Operator::Binary(op), &[a, b]) => Operand::Value(self.binary(op, a, b, at)?),
            (Operator::Unary(op), &[a]) => Operand::Value(self.unary(op, a)?),
            (Operator::Assign(op), &[a, b]) => {
                let new = self.binary(op, a, b, at)?;
                self.store(&scalars[0], &Operand::Value(new))?;
                Operand::Unit
            }
            (Operator::Binary(_) | Operator::Unary(_) | Operator::Assign(_), _) => {
                return Err(self.bug("an operator with the wrong number of operands"));
            }
        })
    }

    fn int_literal(&mut self, value: u64, negative: bool, ty: TypeRef) -> Lowered<ValueId> {
        let ty = self.scalar(ty)?;
        self.int_of(value, negative, ty)
    }

    /// An integer literal as a value of any number's type.
    pub(super) fn int_of(&mut self, value: u64, negative: bool, ty: Scalar) -> Lowered<ValueId> {
        let bits = match ty {
            Scalar::F32 if negative => (-(value as f32)).to_bits().into(),
            Scalar::F32 => (value as f32).to_bits().into(),
            Scalar::F64 if negative => (-(value as f64)).to_bits(),
            Scalar::F64 => (value as f64).to_bits(),
            Scalar::Bool | Scalar::F16 | Scalar::Bf16 => {
                return Err(self.bug(format_args!("a number of type {ty}")));
            }
            Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::Isize
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize => {
                if negative {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
        };
        Ok(self.builder.constant(ty, bits))
    }

    fn float_literal(&mut self, single: f32, double: f64, ty: TypeRef) -> Lowered<ValueId> {
        let ty = self.scalar(ty)?;
        self.float_of(single, double, ty)
    }

    /// A float literal as a value of a float's type.
    pub(super) fn float_of(&mut self, single: f32, double: f64, ty: Scalar) -> Lowered<ValueId> {
        let bits = if ty == Scalar::F64 {
            double.to_bits()
        } else {
            if ty != Scalar::F32 {
                return Err(self.bug(format_args!("a float literal is {ty}")));
            }
            single.to_bits().into()
        };
        Ok(self.builder.constant(ty, bits))
    }

    fn unary(&mut self, op: UnaryOp, a: ValueId) -> Lowered<ValueId> {
        let ty = self.builder.ty(a);
        if let (UnaryOp::Neg, true) = (op, ty.is_half()) {
            return Ok(self.half_neg(a));
        }
        let (op, fits) = match op {
            UnaryOp::Neg => (typed::UnaryOp::Neg, ty.is_signed() || ty.is_float()),
            UnaryOp::Not => (typed::UnaryOp::Not, ty == Scalar::Bool || ty.is_integer()),
        };
        if fits {
            Ok(self.builder.unary(op, a))
        } else {
            Err(self.bug(format_args!("{op:?} of {ty}")))
        }
    }

    /// `place op= value`. Of built-in types, Rust evaluates the value first, then the place.
    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr, at: Position) -> Lowered<()> {
        #[cfg(feature = "planted-bugs")]
        if let Some(swapped) = crate::planted::swapped(op, place, value, at) {
            return self.expr(&swapped).map(drop);
        }
        let value = self.value(value)?;
        let place = self.place(place)?;
        let place = self.referent(place)?;
        let Operand::Value(old) = self.load(&place)? else {
            return Err(self.bug("an operator is assigned to what is no value"));
        };
        let new = self.binary(op, old, value, at)?;
        self.store(&place, &Operand::Value(new))
    }

    fn index_function(&mut self, function: IndexFunction, arguments: &[Expr]) -> Lowered<ValueId> {
        if self.frame.in_method {
            // On the host a method is an ordinary function, which knows of no work-item.
            return Err(self.error(format_args!(
                "`{}` calls `{}`, and is called by a method, which has no place in the grid: pass the index as an argument",
                self.frame.name,
                function.name()
            )));
        }
        if function.is_of_subgroups() {
            return Ok(self.builder.index(function, 0));
        }
        if !function.takes_dimension() {
            return Ok(self.linear_id(function));
        }
        match arguments {
            [
                Expr::Int {
                    value: d @ 0..=2,
                    negative: false,
                    ..
                },
            ] => Ok(self.in_grid(function, *d as u8)),
            _ => Err(self.error("the dimension of an index function must be the literal 0, 1 or 2")),
        }
    }

    /// Where the item is, or how large the grid is, in a dimension; a constant where the kernel fixes it.
    pub(super) fn in_grid(&mut self, function: IndexFunction, d: u8) -> ValueId {
        match (function, self.builder.kernel().local) {
            (IndexFunction::LocalSize, Some(size)) => {
                let size = size[usize::from(d)] as u64;
                self.builder.constant(Scalar::Usize, size)
            }
            _ => self.builder.index(function, d),
        }
    }

    /// An item's number in the grid or in its group, x fastest.
    pub(super) fn linear_id(&mut self, function: IndexFunction) -> ValueId {
        let grid = function == IndexFunction::GlobalLinearId;
        let size = if grid {
            IndexFunction::GlobalSize
        } else {
            IndexFunction::LocalSize
        };
        let mut linear = self.raw_id(grid, 2);
        for d in [1, 0] {
            let size = self.in_grid(size, d);
            let outer = self.builder.binary(typed::BinaryOp::Mul, linear, size);
            let inner = self.raw_id(grid, d);
            linear = self.builder.binary(typed::BinaryOp::Add, outer, inner);
        }
        linear
    }

    /// An item's index in its group or in the grid. In the grid it counts from 0 whatever the range's start, so it
    /// is built from the group's index and not from `GlobalId`, which includes that start. Groups are always whole.
    pub(super) fn raw_id(&mut self, grid: bool, d: u8) -> ValueId {
        let local = self.in_grid(IndexFunction::LocalId, d);
        if !grid {
            return local;
        }
        let group = self.in_grid(IndexFunction::GroupId, d);
        let size = self.in_grid(IndexFunction::LocalSize, d);
        let first = self.builder.binary(typed::BinaryOp::Mul, group, size);
        self.builder.binary(typed::BinaryOp::Add, first, local)
    }
}
