//! Literals.

use super::ast::*;
use super::body::{Parsed, Parser, bare};
use super::wide;
use gridfn_ir::Scalar;
use syn::{Lit, UnOp};

/// How a literal without a suffix gets its type.
#[derive(Clone, Copy)]
pub(super) enum Suffix {
    Inferred,
    Cast,
}

impl Parser {
    /// A literal, perhaps with a `-` before it.
    pub(super) fn literal(
        &mut self,
        lit: &Lit,
        minus: Option<syn::Token![-]>,
        suffix: Suffix,
    ) -> Parsed<Literal> {
        let (value, known) = match lit {
            Lit::Bool(b) => (LiteralValue::Bool(b.value), Some(Scalar::Bool)),
            Lit::Byte(b) => (LiteralValue::Int(u64::from(b.value())), Some(Scalar::U8)),
            Lit::Int(i) => {
                let value = match i.base10_parse::<u64>() {
                    Ok(value) => value,
                    Err(_) => return self.refuse(i, "integer literals in kernels have at most 64 bits"),
                };
                (LiteralValue::Int(value), self.suffix(i.suffix(), lit)?)
            }
            Lit::Float(f) => {
                let known = self.suffix(f.suffix(), lit)?;
                match (f.base10_parse::<f32>(), f.base10_parse::<f64>()) {
                    (Ok(single), Ok(double)) => (LiteralValue::Float { single, double }, known),
                    _ => return self.refuse(f, "this float literal cannot be read"),
                }
            }
            other => {
                return self.refuse(other, "kernels have literals of numbers and `bool` only");
            }
        };
        let ty = match (known, suffix) {
            (Some(scalar), _) => LiteralType::Known(scalar),
            (None, Suffix::Cast) => LiteralType::Cast,
            (None, Suffix::Inferred) => LiteralType::Hole(self.type_hole(TypeHole::Inferred(lit.span()))),
        };
        Ok(Literal {
            minus,
            token: lit.clone(),
            value,
            ty,
        })
    }

    fn suffix(&mut self, suffix: &str, at: &Lit) -> Parsed<Option<Scalar>> {
        match suffix {
            "" => Ok(None),
            "i128" | "u128" => self.refuse(at, wide::HELP),
            // A suffix that is none is rustc's to report.
            s => Ok(Scalar::from_name(s)),
        }
    }
}

/// A literal, perhaps negative, perhaps in parentheses.
pub(super) fn literal_under(e: &syn::Expr) -> Option<(Option<syn::Token![-]>, &Lit)> {
    match bare(e) {
        syn::Expr::Lit(l) => Some((None, &l.lit)),
        syn::Expr::Unary(syn::ExprUnary {
            op: UnOp::Neg(minus),
            expr,
            ..
        }) => match bare(expr) {
            syn::Expr::Lit(l) => Some((Some(*minus), &l.lit)),
            _ => None,
        },
        _ => None,
    }
}
