//! Operators, casts and assignments.

use super::ast::*;
use super::body::{Parsed, Parser, bare};
use super::literal::{Suffix, literal_under};
use gridfn_ir::tree::{BinaryOp, LazyOp, UnaryOp};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{BinOp, Type, UnOp};

impl Parser {
    pub(super) fn binary(&mut self, e: &syn::ExprBinary) -> Parsed<ExprKind> {
        let op = match operator(&e.op) {
            Some(op) => op,
            None => return self.refuse(e.op, "this operator is not supported in kernels"),
        };
        if let Operator::Assign(op) = op {
            let place = self.unique(&e.left);
            let value = self.boxed(&e.right);
            let (place, value) = (place?, value?);
            let built_in = self.is_scalar(&place) && self.is_scalar(&value);
            let kind = ExprKind::AssignOp(op, e.op, Box::new(place), value);
            return Ok(self.operator(kind, built_in, e.op.span(), e.span()));
        }
        let left = self.boxed(&e.left);
        let right = match op {
            Operator::Lazy(_) => self.conditional(|p| p.boxed(&e.right)),
            Operator::Value(_) | Operator::Assign(_) => self.boxed(&e.right),
        };
        let (left, right) = (left?, right?);
        Ok(match op {
            Operator::Lazy(op) => ExprKind::Lazy(op, e.op, left, right),
            Operator::Value(op) | Operator::Assign(op) => {
                let built_in = self.is_scalar(&left) && self.is_scalar(&right);
                let kind = ExprKind::Binary(op, e.op, left, right);
                self.operator(kind, built_in, e.op.span(), e.span())
            }
        })
    }

    pub(super) fn unary(&mut self, e: &syn::ExprUnary) -> Parsed<ExprKind> {
        let op = match e.op {
            UnOp::Neg(minus) => {
                if let syn::Expr::Lit(literal) = &*e.expr {
                    return self
                        .literal(&literal.lit, Some(minus), Suffix::Inferred)
                        .map(ExprKind::Literal);
                }
                UnaryOp::Neg
            }
            UnOp::Not(_) => UnaryOp::Not,
            other => return self.refuse(other, "this operator is not supported in kernels"),
        };
        let operand = self.boxed(&e.expr)?;
        let built_in = self.is_scalar(&operand);
        let kind = ExprKind::Unary(op, e.op, operand);
        Ok(self.operator(kind, built_in, e.op.span(), e.span()))
    }

    /// An operator, which is a user's function unless it is built in.
    fn operator(&mut self, kind: ExprKind, built_in: bool, token: Span, span: Span) -> ExprKind {
        if built_in {
            return kind;
        }
        let link = self.link(LinkHole::Operator(token));
        ExprKind::Overloadable(link, Box::new(Expr { kind, span }))
    }

    pub(super) fn cast(&mut self, e: &syn::ExprCast) -> Parsed<ExprKind> {
        let operand = match literal_under(&e.expr) {
            // rustc types a literal right under `as` by the cast, so nothing may come between them.
            Some((minus, lit)) => {
                let value = self.literal(lit, minus, Suffix::Cast)?;
                Box::new(Expr {
                    kind: ExprKind::Literal(value),
                    span: e.expr.span(),
                })
            }
            None => self.boxed(&e.expr)?,
        };
        let hole = match &*e.ty {
            Type::Infer(_) => TypeHole::Inferred(e.ty.span()),
            ty => TypeHole::Written(ty.clone()),
        };
        let hole = self.type_hole(hole);
        Ok(ExprKind::Cast(Cast {
            operand,
            token: e.as_token,
            ty: (*e.ty).clone(),
            hole,
        }))
    }

    pub(super) fn assign(&mut self, e: &syn::ExprAssign) -> Parsed<ExprKind> {
        match bare(&e.left) {
            syn::Expr::Infer(discard) => {
                // As in `let _ = place;`, the value is neither copied nor moved.
                let value = self.place(&e.right, Mode::Value)?;
                Ok(ExprKind::Discard(
                    discard.underscore_token,
                    e.eq_token,
                    Box::new(value),
                ))
            }
            left
            @ (syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Struct(_) | syn::Expr::Call(_)) => self
                .refuse(
                    left,
                    "a kernel assigns to one place at a time: bind the parts with `let` first",
                ),
            // With its parentheses: `({})` can be assigned to as far as the syntax goes, and `{}` is a statement.
            left => {
                let place = self.unique(&e.left);
                let value = self.boxed(&e.right);
                let place = place?;
                if let ExprKind::Local(local, name) = &place.bare().kind
                    && self.parts.contains(local)
                {
                    let message = format!("`{name}` is assigned twice: declare it `let mut`");
                    return self.refuse(left, message);
                }
                Ok(ExprKind::Assign(Box::new(place), e.eq_token, value?))
            }
        }
    }
}

enum Operator {
    Value(BinaryOp),
    Assign(BinaryOp),
    Lazy(LazyOp),
}

fn operator(op: &BinOp) -> Option<Operator> {
    use Operator::{Assign, Lazy, Value};
    Some(match op {
        BinOp::Add(_) => Value(BinaryOp::Add),
        BinOp::Sub(_) => Value(BinaryOp::Sub),
        BinOp::Mul(_) => Value(BinaryOp::Mul),
        BinOp::Div(_) => Value(BinaryOp::Div),
        BinOp::Rem(_) => Value(BinaryOp::Rem),
        BinOp::BitAnd(_) => Value(BinaryOp::And),
        BinOp::BitOr(_) => Value(BinaryOp::Or),
        BinOp::BitXor(_) => Value(BinaryOp::Xor),
        BinOp::Shl(_) => Value(BinaryOp::Shl),
        BinOp::Shr(_) => Value(BinaryOp::Shr),
        BinOp::Eq(_) => Value(BinaryOp::Eq),
        BinOp::Ne(_) => Value(BinaryOp::Ne),
        BinOp::Lt(_) => Value(BinaryOp::Lt),
        BinOp::Le(_) => Value(BinaryOp::Le),
        BinOp::Gt(_) => Value(BinaryOp::Gt),
        BinOp::Ge(_) => Value(BinaryOp::Ge),
        BinOp::And(_) => Lazy(LazyOp::And),
        BinOp::Or(_) => Lazy(LazyOp::Or),
        BinOp::AddAssign(_) => Assign(BinaryOp::Add),
        BinOp::SubAssign(_) => Assign(BinaryOp::Sub),
        BinOp::MulAssign(_) => Assign(BinaryOp::Mul),
        BinOp::DivAssign(_) => Assign(BinaryOp::Div),
        BinOp::RemAssign(_) => Assign(BinaryOp::Rem),
        BinOp::BitAndAssign(_) => Assign(BinaryOp::And),
        BinOp::BitOrAssign(_) => Assign(BinaryOp::Or),
        BinOp::BitXorAssign(_) => Assign(BinaryOp::Xor),
        BinOp::ShlAssign(_) => Assign(BinaryOp::Shl),
        BinOp::ShrAssign(_) => Assign(BinaryOp::Shr),
        _ => return None,
    })
}
