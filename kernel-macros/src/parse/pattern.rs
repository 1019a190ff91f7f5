//! Patterns.

use super::aggregate::{Naming, is_unit, naming};
use super::ast::*;
use super::body::{LocalKind, Parsed, Parser, bound};
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{ExprPath, Lit, Pat};

/// The names that a pattern binds, which its user puts into a scope. The alternatives of an or-pattern bind the same.
#[derive(Default)]
pub(super) struct Names(Vec<(Ident, u16)>);

impl Parser {
    /// A pattern that may not match.
    pub(super) fn pattern(&mut self, pat: &Pat) -> Parsed<(Pattern, Names)> {
        let mut names = Names::default();
        let pattern = self.part(pat, &mut names)?;
        Ok((pattern, names))
    }

    /// A pattern that always matches. If it is a name, that binds, whatever its letters.
    pub(super) fn irrefutable(&mut self, pat: &Pat) -> Parsed<(Pattern, Names)> {
        match pat {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let mut names = Names::default();
                let mut binding = self.binding(p, &mut names);
                binding.plain = true;
                Ok((Pattern::Bind(binding, None), names))
            }
            pat => self.pattern(pat),
        }
    }

    /// Puts names into the innermost scope.
    pub(super) fn enter(&mut self, names: Names) {
        for (name, local) in names.0 {
            self.name(&name, local);
        }
    }

    fn parts<'p>(
        &mut self,
        all: impl IntoIterator<Item = &'p Pat>,
        names: &mut Names,
    ) -> Parsed<Vec<Pattern>> {
        let all: Vec<_> = all.into_iter().map(|p| self.part(p, names)).collect();
        all.into_iter().collect()
    }

    fn part(&mut self, pat: &Pat, names: &mut Names) -> Parsed<Pattern> {
        Ok(match pat {
            Pat::Wild(p) => Pattern::Wild(p.underscore_token),
            Pat::Rest(p) => Pattern::Rest(p.dot2_token),
            Pat::Ident(p) => self.identifier(p, names)?,
            Pat::Lit(p) => Pattern::Value(self.pattern_literal(&p.lit)?),
            Pat::Path(p) => {
                if is_unit(&p.path) {
                    self.unqualified(p.qself.as_ref())?;
                    Pattern::Unit(p.path.clone())
                } else {
                    Pattern::Value(self.pattern_constant(p))
                }
            }
            Pat::Range(p) => Pattern::Range {
                start: p.start.as_deref().map(|e| self.bound(e)).transpose()?,
                limits: p.limits,
                end: p.end.as_deref().map(|e| self.bound(e)).transpose()?,
            },
            Pat::Paren(p) => Pattern::Paren(p.paren_token, Box::new(self.part(&p.pat, names)?)),
            Pat::Tuple(p) => Pattern::Tuple(p.paren_token, self.parts(&p.elems, names)?),
            Pat::Slice(p) => Pattern::Array(p.bracket_token, self.parts(&p.elems, names)?),
            Pat::TupleStruct(p) => {
                self.unqualified(p.qself.as_ref())?;
                Pattern::TupleStruct(p.path.clone(), p.paren_token, self.parts(&p.elems, names)?)
            }
            Pat::Struct(p) => {
                self.unqualified(p.qself.as_ref())?;
                Pattern::Struct {
                    path: p.path.clone(),
                    brace: p.brace_token,
                    fields: self.fields(&p.fields, names)?,
                    rest: p.rest.as_ref().map(|r| r.dot2_token),
                }
            }
            Pat::Reference(p) => {
                Pattern::Reference(p.and_token, p.mutability, Box::new(self.part(&p.pat, names)?))
            }
            Pat::Or(p) => Pattern::Or(self.parts(&p.cases, names)?),
            Pat::Macro(p) => {
                return self.refuse(
                    &p.mac.path,
                    "macros in patterns are not supported in kernels: write the pattern",
                );
            }
            Pat::Const(p) => {
                return self.refuse(
                    p.const_token,
                    "`const` blocks are not supported in kernels: name the constant",
                );
            }
            Pat::Type(p) => {
                return self.refuse(p.colon_token, "a type stands only behind the pattern of a `let`");
            }
            other => return self.refuse(other, "this pattern is not supported in kernels"),
        })
    }

    fn fields(
        &mut self,
        all: &Punctuated<syn::FieldPat, syn::Token![,]>,
        names: &mut Names,
    ) -> Parsed<Vec<(syn::Member, Pattern)>> {
        let all: Vec<_> = all
            .iter()
            .map(|f| {
                self.unconditional(f)?;
                Ok((f.member.clone(), self.part(&f.pat, names)?))
            })
            .collect();
        all.into_iter().collect()
    }

    fn identifier(&mut self, p: &syn::PatIdent, names: &mut Names) -> Parsed<Pattern> {
        if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() {
            match naming(&p.ident) {
                Naming::Variable => {}
                Naming::Type => return Ok(Pattern::Unit(p.ident.clone().into())),
                Naming::Constant => {
                    let path = ExprPath {
                        attrs: vec![],
                        qself: None,
                        path: p.ident.clone().into(),
                    };
                    return Ok(Pattern::Value(self.pattern_constant(&path)));
                }
            }
        }
        let binding = self.binding(p, names);
        let inner = match &p.subpat {
            Some((at, inner)) => Some((*at, Box::new(self.part(inner, names)?))),
            None => None,
        };
        Ok(Pattern::Bind(binding, inner))
    }

    fn binding(&mut self, p: &syn::PatIdent, names: &mut Names) -> Binding {
        let known = names.0.iter().find(|(name, _)| *name == p.ident);
        let (local, name) = match known {
            Some((first, local)) => (*local, bound(&p.ident, first.span())),
            None => {
                let local = self.declare(p.ident.span(), LocalKind::Value);
                names.0.push((p.ident.clone(), local));
                (local, p.ident.clone())
            }
        };
        Binding {
            local,
            name,
            by_reference: p.by_ref,
            mutability: p.mutability,
            plain: false,
        }
    }

    fn pattern_constant(&mut self, path: &ExprPath) -> PatternValue {
        PatternValue::Constant(self.constant(path), path.clone())
    }

    /// An end of a range.
    fn bound(&mut self, e: &syn::Expr) -> Parsed<PatternValue> {
        match e {
            syn::Expr::Lit(e) => self.pattern_literal(&e.lit),
            syn::Expr::Path(e) => Ok(self.pattern_constant(e)),
            e => self.refuse(e, "the ends of a range are literals or constants"),
        }
    }

    /// A literal, which a pattern holds with its sign.
    fn pattern_literal(&mut self, lit: &Lit) -> Parsed<PatternValue> {
        let digits = match lit {
            Lit::Int(i) => i.base10_digits(),
            Lit::Float(f) => f.base10_digits(),
            _ => "",
        };
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, digits),
        };
        let value = match lit {
            Lit::Bool(b) => LiteralValue::Bool(b.value),
            Lit::Byte(b) => LiteralValue::Int(u64::from(b.value())),
            Lit::Int(i) => match digits.parse() {
                Ok(value) => LiteralValue::Int(value),
                Err(_) => return self.refuse(i, "integer literals in kernels have at most 64 bits"),
            },
            Lit::Float(f) => match (digits.parse(), digits.parse()) {
                (Ok(single), Ok(double)) => LiteralValue::Float { single, double },
                _ => return self.refuse(f, "this float literal cannot be read"),
            },
            other => return self.refuse(other, "kernels have literals of numbers and `bool` only"),
        };
        Ok(PatternValue::Literal {
            token: lit.clone(),
            value,
            negative,
        })
    }
}
