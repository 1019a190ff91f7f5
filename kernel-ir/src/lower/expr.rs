//! Expressions, places and statements.

use super::{Array, Binding, Lowered, Lowering, Operand, Slice};
use crate::body::{IndexFunction, Link};
use crate::tree::{self, BinaryOp, Expr, Place, Position, Statement, TypeRef, UnaryOp};
use crate::typed::{self, FaultKind, Op, Stmt, ValueId};
use crate::{Scalar, Type};

/// A place whose index has been evaluated and checked.
enum Target {
    /// `_`, or a variable of type `()`.
    Nothing,
    Local(typed::LocalId),
    Element(Slice, ValueId),
}

/// What is indexed.
#[derive(Clone, Copy)]
enum Indexed {
    Slice(Slice),
    Array(Array),
}

impl Lowering<'_> {
    /// Statements and a value.
    pub(super) fn block(&mut self, block: &tree::Block) -> Lowered<Operand> {
        for statement in &block.statements {
            match statement {
                Statement::Let {
                    local,
                    name,
                    mutable,
                    ty,
                    init,
                } => self.let_(*local, name, *mutable, *ty, init.as_ref())?,
                Statement::Expr(expr) => {
                    self.expr(expr)?;
                }
            }
        }
        match &block.tail {
            Some(expr) => self.expr(expr),
            None => Ok(Operand::Unit),
        }
    }

    fn let_(
        &mut self,
        local: tree::LocalId,
        name: &str,
        mutable: bool,
        ty: Option<TypeRef>,
        init: Option<&Expr>,
    ) -> Lowered<()> {
        let ty = ty.map(|ty| self.resolve(ty)).transpose()?;
        match (init, ty) {
            (Some(init), ty) => {
                let operand = self.expr(init)?;
                if let Some(ty) = ty {
                    self.expect(format_args!("`{name}`"), operand, ty)?;
                }
                if mutable
                    && matches!(
                        operand,
                        Operand::Slice(_) | Operand::Array(_) | Operand::Struct(_)
                    )
                {
                    return Err(self.bug(format_args!("`{name}` is a mutable variable of no scalar type")));
                }
                self.bind(local, name, mutable, operand);
            }
            (None, Some(Type::Scalar(ty))) => {
                let place = self.builder.local(Some(name), ty);
                self.frame.bindings.insert(local, Binding::Local(place));
            }
            (None, Some(Type::Unit)) => self.bind(local, name, false, Operand::Unit),
            (None, Some(Type::Slice { .. } | Type::Array { .. } | Type::Struct(_)) | None) => {
                return Err(self.bug(format_args!("`{name}` has no initialiser and no scalar type")));
            }
        }
        Ok(())
    }

    /// An expression, with all that it does.
    pub(super) fn expr(&mut self, expr: &Expr) -> Lowered<Operand> {
        let value = match expr {
            Expr::Int { value, negative, ty } => self.int_literal(*value, *negative, *ty)?,
            Expr::Float { single, double, ty } => self.float_literal(*single, *double, *ty)?,
            Expr::Bool(value) => self.builder.constant(Scalar::Bool, u64::from(*value)),
            Expr::Unit => return Ok(Operand::Unit),
            Expr::Local(local) => return self.read(*local),
            Expr::Constant(hole) => {
                let constant = self.frame.body.constants.get(usize::from(*hole)).copied();
                let constant =
                    constant.ok_or_else(|| self.bug(format_args!("constant hole {hole} is not filled")))?;
                self.builder.constant(constant.scalar, constant.bits)
            }
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
                let a = self.value(a)?;
                let ty = self.scalar(*ty)?;
                if ty == Scalar::Bool {
                    self.expect_scalar("what is cast to bool", a, ty)?;
                }
                self.builder.cast(a, ty)
            }
            Expr::Assign(place, value) => {
                let value = self.expr(value)?;
                let target = self.place(place)?;
                self.write(&target, value)?;
                return Ok(Operand::Unit);
            }
            Expr::AssignOp(op, place, value, at) => {
                self.assign_op(*op, place, value, *at)?;
                return Ok(Operand::Unit);
            }
            Expr::Index(base, index, at) => match self.element(base, index, *at)? {
                (Indexed::Slice(slice), index) => {
                    self.builder.def(slice.element, Op::Load(slice.param, index))
                }
                (Indexed::Array(array), index) => {
                    self.builder.def(array.element, Op::Element(array.param, index))
                }
            },
            Expr::Field(base, name) => return self.field(base, name),
            Expr::Call(hole, arguments, at) => {
                self.frame.at = *at;
                let link = self.frame.body.links.get(usize::from(*hole)).copied();
                let link = link.ok_or_else(|| self.bug(format_args!("link hole {hole} is not filled")))?;
                match link() {
                    Link::Method(method) => self.method(method, arguments, *at)?,
                    Link::Index(function) => self.index_function(function, arguments)?,
                    Link::Function(callee) => return self.inline(callee, arguments),
                    Link::Passed(callee) => return self.inline(callee, arguments.get(1..).unwrap_or(&[])),
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
                variable,
                mutable,
                start,
                end,
                inclusive,
                ops,
                body,
            } => {
                let variable = variable.as_ref().map(|(local, name)| super::range::Variable {
                    local: *local,
                    name,
                    mutable: *mutable,
                });
                return self.for_(*label, variable, start, end, *inclusive, ops, body);
            }
            Expr::Break(label, value) => return self.break_(*label, value.as_deref()),
            Expr::Continue(label) => return self.continue_(*label),
            Expr::Return(value) => return self.return_(value.as_deref()),
        };
        Ok(Operand::Value(value))
    }

    /// An expression that has a value.
    pub(super) fn value(&mut self, expr: &Expr) -> Lowered<ValueId> {
        match self.expr(expr)? {
            Operand::Value(value) => Ok(value),
            other @ (Operand::Unit | Operand::Slice(_) | Operand::Array(_) | Operand::Struct(_)) => {
                let found = self.describe(other);
                Err(self.bug(format_args!("an operand of type {found}")))
            }
        }
    }

    /// An expression of type `bool`.
    pub(super) fn condition(&mut self, expr: &Expr) -> Lowered<ValueId> {
        let value = self.value(expr)?;
        self.expect_scalar("a condition", value, Scalar::Bool)?;
        Ok(value)
    }

    fn int_literal(&mut self, value: u64, negative: bool, ty: TypeRef) -> Lowered<ValueId> {
        let ty = self.scalar(ty)?;
        let bits = match ty {
            Scalar::F32 if negative => (-(value as f32)).to_bits().into(),
            Scalar::F32 => (value as f32).to_bits().into(),
            Scalar::F64 if negative => (-(value as f64)).to_bits(),
            Scalar::F64 => (value as f64).to_bits(),
            Scalar::Bool => return Err(self.bug("a number of type bool")),
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

    /// What a variable holds now.
    fn read(&mut self, local: tree::LocalId) -> Lowered<Operand> {
        Ok(match self.binding(local)? {
            Binding::Operand(operand) => operand,
            Binding::Local(place) => Operand::Value(self.builder.read(place)),
        })
    }

    /// `base.name`
    fn field(&mut self, base: &Expr, name: &str) -> Lowered<Operand> {
        let member = match self.expr(base)? {
            Operand::Struct(members) => self.structs[members].iter().find(|(n, _)| n == name),
            Operand::Unit | Operand::Value(_) | Operand::Slice(_) | Operand::Array(_) => None,
        };
        member
            .map(|(_, operand)| *operand)
            .ok_or_else(|| self.bug(format_args!("there is no field `{name}`")))
    }

    fn unary(&mut self, op: UnaryOp, a: ValueId) -> Lowered<ValueId> {
        let ty = self.builder.ty(a);
        let (op, fits) = match op {
            UnaryOp::Neg => (typed::UnaryOp::Neg, ty.is_signed() || ty.is_float()),
            UnaryOp::Not => (typed::UnaryOp::Not, !ty.is_float()),
        };
        if fits {
            Ok(self.builder.unary(op, a))
        } else {
            Err(self.bug(format_args!("{op:?} of {ty}")))
        }
    }

    /// `base[index]`: the index, evaluated and checked.
    fn element(&mut self, base: &Expr, index: &Expr, at: Position) -> Lowered<(Indexed, ValueId)> {
        self.frame.at = at;
        let base = match self.expr(base)? {
            Operand::Slice(slice) => Indexed::Slice(slice),
            Operand::Array(array) => Indexed::Array(array),
            other @ (Operand::Unit | Operand::Value(_) | Operand::Struct(_)) => {
                let found = self.describe(other);
                return Err(self.bug(format_args!("{found} is indexed")));
            }
        };
        let index = self.value(index)?;
        self.frame.at = at;
        self.expect_scalar("an index", index, Scalar::Usize)?;
        let len = match base {
            Indexed::Slice(slice) => self.builder.def(Scalar::Usize, Op::Len(slice.param)),
            Indexed::Array(array) => self.builder.constant(Scalar::Usize, array.len as u64),
        };
        let outside = self.builder.compare(typed::CompareOp::Ge, index, len);
        let site = self.site(FaultKind::Index, at);
        self.builder.fault_if(outside, site, [index, len]);
        Ok((base, index))
    }

    fn place(&mut self, place: &Place) -> Lowered<Target> {
        match place {
            Place::Discard => Ok(Target::Nothing),
            Place::Local(local) => match self.binding(*local)? {
                Binding::Operand(Operand::Unit) => Ok(Target::Nothing),
                Binding::Local(place) => Ok(Target::Local(place)),
                Binding::Operand(_) => {
                    Err(self.bug(format_args!("local {local} is assigned to and not mutable")))
                }
            },
            Place::Index(base, index, at) => match self.element(base, index, *at)? {
                (Indexed::Slice(slice), index) if slice.writable => Ok(Target::Element(slice, index)),
                (Indexed::Slice(_) | Indexed::Array(_), _) => {
                    Err(self.bug("an element is written to of what can only be read"))
                }
            },
        }
    }

    fn write(&mut self, target: &Target, operand: Operand) -> Lowered<()> {
        let (stmt, value, ty) = match (target, operand) {
            (Target::Nothing, _) => return Ok(()),
            (
                Target::Local(_) | Target::Element(..),
                Operand::Unit | Operand::Slice(_) | Operand::Array(_) | Operand::Struct(_),
            ) => {
                return Err(self.bug("what is no value is assigned to a scalar place"));
            }
            (Target::Local(local), Operand::Value(value)) => {
                let ty = self.builder.kernel().locals[*local].ty;
                (Stmt::Set(*local, value), value, ty)
            }
            (Target::Element(slice, index), Operand::Value(value)) => {
                (Stmt::Store(slice.param, *index, value), value, slice.element)
            }
        };
        self.expect_scalar("what is assigned", value, ty)?;
        self.builder.push(stmt);
        Ok(())
    }

    /// `place op= value`. Of built-in types, Rust evaluates the value first, then the place.
    fn assign_op(&mut self, op: BinaryOp, place: &Place, value: &Expr, at: Position) -> Lowered<()> {
        #[cfg(feature = "planted-bugs")]
        if let Some(swapped) = crate::planted::swapped(op, place, value, at) {
            return self.expr(&swapped).map(drop);
        }
        let value = self.value(value)?;
        let target = self.place(place)?;
        let old = match target {
            Target::Nothing => return Err(self.bug("an operator is assigned to nothing")),
            Target::Local(local) => self.builder.read(local),
            Target::Element(slice, index) => self.builder.def(slice.element, Op::Load(slice.param, index)),
        };
        let new = self.binary(op, old, value, at)?;
        self.write(&target, Operand::Value(new))
    }

    fn index_function(&mut self, function: IndexFunction, arguments: &[Expr]) -> Lowered<ValueId> {
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
            ] => Ok(self.builder.index(function, *d as u8)),
            _ => Err(self.error("the dimension of an index function must be the literal 0, 1 or 2")),
        }
    }

    /// An item's number in the grid or in its group, x fastest.
    fn linear_id(&mut self, function: IndexFunction) -> ValueId {
        let grid = function == IndexFunction::GlobalLinearId;
        let size = if grid {
            IndexFunction::GlobalSize
        } else {
            IndexFunction::LocalSize
        };
        let mut linear = self.raw_id(grid, 2);
        for d in [1, 0] {
            let size = self.builder.index(size, d);
            let outer = self.builder.binary(typed::BinaryOp::Mul, linear, size);
            let inner = self.raw_id(grid, d);
            linear = self.builder.binary(typed::BinaryOp::Add, outer, inner);
        }
        linear
    }

    /// An item's index in its group or in the grid. In the grid it counts from 0 whatever the range's start, so it
    /// is built from the group's index and not from `GlobalId`, which includes that start. Groups are always whole.
    fn raw_id(&mut self, grid: bool, d: u8) -> ValueId {
        let b = &mut self.builder;
        let local = b.index(IndexFunction::LocalId, d);
        if !grid {
            return local;
        }
        let group = b.index(IndexFunction::GroupId, d);
        let size = b.index(IndexFunction::LocalSize, d);
        let first = b.binary(typed::BinaryOp::Mul, group, size);
        b.binary(typed::BinaryOp::Add, first, local)
    }
}
