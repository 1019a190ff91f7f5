//! Bugs of lowering, planted so that differential testing shows that it finds them.
//!
//! The feature `planted-bugs` alone compiles this; `GRIDFN_PLANTED_BUG` chooses one. Most spoil what was lowered, as if it
//! had been lowered so.

use crate::Scalar;
use crate::tree::{BinaryOp as TreeOp, Expr, Position};
use crate::typed::{BinaryOp, Block, CompareOp, Kernel, Label, Op, Stmt, UnaryOp, Value, ValueId};
use std::sync::OnceLock;

/// Whether that bug is the chosen one.
pub(crate) fn is(bug: &str) -> bool {
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    CHOSEN
        .get_or_init(|| std::env::var("GRIDFN_PLANTED_BUG").ok())
        .as_deref()
        == Some(bug)
}

/// `compound assignment reads first`: `v op= e` as `v = v op e`.
pub(crate) fn swapped(op: TreeOp, place: &Expr, value: &Expr, at: Position) -> Option<Expr> {
    if !matches!(place, Expr::Local(_)) || !is("compound assignment reads first") {
        return None;
    }
    let sum = Expr::Binary(op, Box::new(place.clone()), Box::new(value.clone()), at);
    Some(Expr::Assign(Box::new(place.clone()), Box::new(sum)))
}

/// Spoils a kernel that was lowered.
pub(crate) fn spoil(kernel: &mut Kernel) {
    let body = std::mem::take(&mut kernel.body);
    kernel.body = block(kernel, body, &mut vec![]);
}

/// `around` are the labels of the loops and blocks around, innermost last.
fn block(kernel: &mut Kernel, statements: Block, around: &mut Vec<Label>) -> Block {
    let mut spoiled = Block::new();
    for stmt in statements {
        match stmt {
            Stmt::Def(value) => {
                define(kernel, value, &mut spoiled);
                spoiled.push(stmt);
            }
            Stmt::If(condition, yes, no) => {
                let (yes, no) = (block(kernel, yes, around), block(kernel, no, around));
                spoiled.push(Stmt::If(condition, yes, no));
            }
            Stmt::Loop { label, body, next } => {
                around.push(label);
                let (body, next) = (block(kernel, body, around), block(kernel, next, around));
                around.pop();
                spoiled.push(Stmt::Loop { label, body, next });
            }
            Stmt::Block { label, body } => {
                around.push(label);
                let body = block(kernel, body, around);
                around.pop();
                spoiled.push(Stmt::Block { label, body });
            }
            Stmt::Break(label) if is("break leaves the innermost loop") => {
                spoiled.push(Stmt::Break(around.last().copied().unwrap_or(label)));
            }
            other => spoiled.push(other),
        }
    }
    spoiled
}

/// Spoils the computation of a value; what it needs besides goes to `before`.
fn define(kernel: &mut Kernel, value: ValueId, before: &mut Block) {
    let ty = kernel.values[value].ty;
    let op = kernel.values[value].op;
    let of = |kernel: &Kernel, operand: ValueId| kernel.values[operand].ty;
    let mut def = |kernel: &mut Kernel, ty: Scalar, op: Op| {
        let id = kernel.values.push(Value { name: None, ty, op });
        before.push(Stmt::Def(id));
        id
    };
    let new = match op {
        Op::Binary(BinaryOp::Shr, a, b) if ty.is_signed() && is("`>>` of signed integers is logical") => {
            let [a, b] = [a, b].map(|x| def(kernel, ty.unsigned(), Op::Cast(x)));
            Op::Cast(def(kernel, ty.unsigned(), Op::Binary(BinaryOp::Shr, a, b)))
        }
        Op::Binary(op @ (BinaryOp::Shl | BinaryOp::Shr), a, b)
            if ty.bits() == 64 && is("shifts are masked as of 32 bits") =>
        {
            let mask = def(kernel, ty, Op::Const(31));
            Op::Binary(op, a, def(kernel, ty, Op::Binary(BinaryOp::And, b, mask)))
        }
        Op::Binary(BinaryOp::Rem, a, b) if ty.is_signed() && is("`%` has the sign of the divisor") => {
            let rem = def(kernel, ty, Op::Binary(BinaryOp::Rem, a, b));
            let sum = def(kernel, ty, Op::Binary(BinaryOp::Add, rem, b));
            Op::Binary(BinaryOp::Rem, sum, b)
        }
        Op::Cast(a) if is("`as` loses the sign of narrow integers") && of(kernel, a).is_signed() => {
            let narrow = of(kernel, a);
            if narrow.bits() >= 32 || ty.bits() <= narrow.bits() {
                return;
            }
            Op::Cast(def(kernel, narrow.unsigned(), Op::Cast(a)))
        }
        Op::Cast(a) if is("floats to narrow integers do not saturate") && of(kernel, a).is_float() => {
            if !ty.is_integer() || ty.bits() == 64 {
                return;
            }
            Op::Cast(def(kernel, Scalar::I64, Op::Cast(a)))
        }
        Op::Compare(op @ (CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge), a, b)
            if is("unsigned integers are compared as signed") =>
        {
            let signed = match of(kernel, a) {
                Scalar::U8 => Scalar::I8,
                Scalar::U16 => Scalar::I16,
                Scalar::U32 => Scalar::I32,
                Scalar::U64 => Scalar::I64,
                _ => return,
            };
            let [a, b] = [a, b].map(|x| def(kernel, signed, Op::Cast(x)));
            Op::Compare(op, a, b)
        }
        Op::Unary(UnaryOp::Neg, a)
            if ty.is_signed() && is("the negative of the smallest value saturates") =>
        {
            let min = def(kernel, ty, Op::Const(ty.min_bits()));
            let is_min = def(kernel, Scalar::Bool, Op::Compare(CompareOp::Eq, a, min));
            let max = def(kernel, ty, Op::Const(ty.truncate(!ty.min_bits())));
            let negative = def(kernel, ty, Op::Unary(UnaryOp::Neg, a));
            Op::Select(is_min, max, negative)
        }
        Op::Select(_, a, _) if ty == Scalar::F32 && is("`else` is lost in `f32`") => {
            Op::Select(def(kernel, Scalar::Bool, Op::Const(1)), a, a)
        }
        _ => return,
    };
    kernel.values[value].op = new;
}
