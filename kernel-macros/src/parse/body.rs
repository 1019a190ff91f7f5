//! Expressions.

use super::ast::*;
use super::capture::{Captures, is_place};
use super::literal::{Suffix, literal_under};
use crate::diagnostic::{Errors, nearest};
use gridfn_ir::tree::{BinaryOp, LazyOp, UnaryOp};
use gridfn_ir::{Access, DEVICE_MATH, Method as BuiltIn, Scalar};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{BinOp, Lifetime, Lit, Path, Type, UnOp};

/// The names that mean index functions in kernels, and whether each takes a dimension.
const INDEX_FUNCTIONS: &[(&str, bool)] = &[
    ("global_id", true),
    ("local_id", true),
    ("group_id", true),
    ("global_size", true),
    ("local_size", true),
    ("num_groups", true),
    ("global_linear_id", false),
    ("local_linear_id", false),
];

/// The proof that an error was noted.
#[derive(Debug)]
pub(super) struct Refused;
pub(super) type Parsed<T> = Result<T, Refused>;

/// Reads one body.
#[derive(Default)]
pub(super) struct Parser {
    pub(super) errors: Errors,
    pub(super) holes: Holes,
    pub(super) items: Vec<syn::Item>,
    pub(super) annotations: Vec<(u16, Type)>,
    /// What a closure captures; a function captures nothing.
    pub(super) captures: Option<Captures>,
    /// The parameters that are functions.
    pub(super) functions: HashMap<u16, Signature>,
    pub(super) locals: Vec<Local>,
    scopes: Vec<HashMap<String, u16>>,
    pub(super) labels: Vec<Target>,
    pub(super) label_count: u16,
}

/// A parameter or variable.
pub(super) struct Local {
    pub(super) kind: LocalKind,
    /// Where its name is bound, and in which hygiene.
    span: Span,
}

/// What a name of the body stands for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LocalKind {
    Value,
    Slice(Access),
    /// A parameter whose type only rustc knows: it may have parts and elements.
    Argument,
}

/// What `break` and `continue` may name.
pub(super) struct Target {
    pub(super) label: Option<Lifetime>,
    pub(super) number: u16,
    pub(super) kind: LabelKind,
}

/// What a label is on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum LabelKind {
    Loop,
    Block,
}

impl Parser {
    /// Notes an error at `at`.
    pub(super) fn refuse<T>(&mut self, at: impl ToTokens, message: impl std::fmt::Display) -> Parsed<T> {
        self.errors.at(at, message);
        Err(Refused)
    }

    /// Binds a name in the innermost scope.
    pub(super) fn bind(&mut self, name: &Ident, kind: LocalKind) -> u16 {
        let local = self.declare(name.span(), kind);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), local);
        }
        local
    }

    /// A local that no name of a scope leads to.
    pub(super) fn declare(&mut self, span: Span, kind: LocalKind) -> u16 {
        self.locals.push(Local { kind, span });
        self.locals.len() as u16 - 1
    }

    /// Runs `f` with a new innermost scope.
    pub(super) fn scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let value = f(self);
        self.scopes.pop();
        value
    }

    /// The local that `name` means, and the name with its binding's hygiene.
    ///
    /// Spans cannot be compared, so names are resolved by their text; a `macro_rules!` can write two names of one text
    /// that rustc keeps apart. With the binding's hygiene rustc resolves each use to the binding that was found here, and
    /// the proofs on this tree hold for the host version too.
    pub(super) fn resolve(&self, name: &Ident) -> Option<(u16, Ident)> {
        let text = name.to_string();
        let local = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(&text).copied())?;
        Some((local, bound(name, self.locals[local as usize].span)))
    }

    pub(super) fn type_hole(&mut self, hole: TypeHole) -> u16 {
        self.holes.types.push(hole);
        self.holes.types.len() as u16 - 1
    }

    pub(super) fn link(&mut self, link: LinkHole) -> u16 {
        self.holes.links.push(link);
        self.holes.links.len() as u16 - 1
    }

    pub(super) fn boxed(&mut self, e: &syn::Expr) -> Parsed<Box<Expr>> {
        self.expr(e).map(Box::new)
    }

    /// An expression.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let span = e.span();
        let kind = match e {
            syn::Expr::Lit(e) => ExprKind::Literal(self.literal(&e.lit, None, Suffix::Inferred)?),
            syn::Expr::Path(e) => self.path(e)?,
            syn::Expr::Paren(e) => ExprKind::Paren(e.paren_token, self.boxed(&e.expr)?),
            // What a `macro_rules!` took as one expression stays one, as if it stood in parentheses.
            syn::Expr::Group(e) => ExprKind::Paren(Paren(e.group_token.span), self.boxed(&e.expr)?),
            syn::Expr::Tuple(e) if e.elems.is_empty() => ExprKind::Unit(e.paren_token),
            syn::Expr::Binary(e) => self.binary(e)?,
            syn::Expr::Unary(e) => self.unary(e)?,
            syn::Expr::Cast(e) => self.cast(e)?,
            syn::Expr::Assign(e) => {
                let place = self.place(&e.left);
                let value = self.boxed(&e.right);
                ExprKind::Assign(place?, e.eq_token, value?)
            }
            syn::Expr::Index(e) => ExprKind::Index(self.index(e, Mode::Shared)?),
            syn::Expr::Field(e) => self.field(e)?,
            syn::Expr::MethodCall(e) => self.method(e)?,
            syn::Expr::Call(e) => self.call(e)?,
            other => return self.control(other),
        };
        Ok(Expr { kind, span })
    }

    pub(super) fn path(&mut self, e: &syn::ExprPath) -> Parsed<ExprKind> {
        if let Some(q) = &e.qself {
            return self.refuse(
                q.lt_token,
                "qualified paths are not supported in kernels: name it in a `const`",
            );
        }
        if let Some(name) = e.path.get_ident()
            && let Some((local, name)) = self.resolve(name)
        {
            return self.local(local, name);
        }
        if self.captures.is_some() {
            let (local, name) = self.capture(&syn::Expr::Path(e.clone()), Mode::Value);
            return self.local(local, name);
        }
        self.holes.constants.push(e.path.clone());
        Ok(ExprKind::Constant(
            self.holes.constants.len() as u16 - 1,
            e.path.clone(),
        ))
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> Parsed<ExprKind> {
        let op = match operator(&e.op) {
            Some(op) => op,
            None => return self.refuse(e.op, "this operator is not supported in kernels"),
        };
        if let Operator::Assign(op) = op {
            let place = self.place(&e.left);
            let value = self.boxed(&e.right);
            return Ok(ExprKind::AssignOp(op, e.op, place?, value?));
        }
        let left = self.boxed(&e.left);
        let right = self.boxed(&e.right);
        let (left, right) = (left?, right?);
        Ok(match op {
            Operator::Lazy(op) => ExprKind::Lazy(op, e.op, left, right),
            Operator::Value(op) | Operator::Assign(op) => ExprKind::Binary(op, e.op, left, right),
        })
    }

    fn unary(&mut self, e: &syn::ExprUnary) -> Parsed<ExprKind> {
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
            UnOp::Deref(_)
                if self.captures.is_some() && is_place(&e.expr) && self.root(&e.expr).is_none() =>
            {
                let (local, name) = self.capture(&syn::Expr::Unary(e.clone()), Mode::Value);
                return self.local(local, name);
            }
            UnOp::Deref(star) => {
                return self.refuse(
                    star,
                    "references to values are not supported in kernels: use the value",
                );
            }
            other => return self.refuse(other, "this operator is not supported in kernels"),
        };
        Ok(ExprKind::Unary(op, e.op, self.boxed(&e.expr)?))
    }

    fn cast(&mut self, e: &syn::ExprCast) -> Parsed<ExprKind> {
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

    fn method(&mut self, e: &syn::ExprMethodCall) -> Parsed<ExprKind> {
        if let Some(turbofish) = &e.turbofish {
            return self.refuse(
                turbofish,
                "methods with type arguments are not supported in kernels",
            );
        }
        let receiver = self.receiver(e);
        let args: Vec<_> = e.args.iter().map(|a| self.expr(a)).collect();
        let link = self.link(LinkHole::Method(e.method.clone()));
        let args = args.into_iter().collect::<Parsed<_>>()?;
        Ok(ExprKind::Method(Method {
            receiver: receiver?,
            dot: e.dot_token,
            name: e.method.clone(),
            paren: e.paren_token,
            args,
            link,
        }))
    }

    fn call(&mut self, e: &syn::ExprCall) -> Parsed<ExprKind> {
        let path = match bare(&e.func) {
            syn::Expr::Path(p) if p.qself.is_none() => p.path.clone(),
            syn::Expr::Closure(c) => {
                return self.refuse(
                    c.inputs_begin,
                    "closures are not supported in kernels yet: write a `#[device]` fn",
                );
            }
            f => return self.refuse(f, "kernels call functions by their names only"),
        };
        if let Some(name) = path.get_ident()
            && let Some((local, name)) = self.resolve(name)
        {
            if let Some(signature) = self.functions.get(&local).cloned() {
                let args: Vec<_> = e.args.iter().map(|a| self.expr(a)).collect();
                return Ok(ExprKind::CallParam(CallParam {
                    local,
                    name,
                    paren: e.paren_token,
                    args: args.into_iter().collect::<Parsed<_>>()?,
                    link: self.link(LinkHole::Parameter(signature)),
                }));
            }
            return self.refuse(
                &name,
                format!("`{name}` is a variable: kernels call functions by their names only"),
            );
        }
        let args: Vec<_> = e.args.iter().map(|a| self.expr(a)).collect();
        let link = match self.callee(&path, e)? {
            Some(link) => link,
            None => LinkHole::Function(path.span()),
        };
        let link = self.link(link);
        Ok(ExprKind::Call(Call {
            path,
            paren: e.paren_token,
            args: args.into_iter().collect::<Parsed<_>>()?,
            link,
        }))
    }

    /// The callee, where its name tells it: an index function, or a method of the table called by its path.
    fn callee(&mut self, path: &Path, e: &syn::ExprCall) -> Parsed<Option<LinkHole>> {
        let Some(last) = path.segments.last() else {
            return Ok(None);
        };
        let name = last.ident.to_string();
        if let Some((_, takes_dimension)) = INDEX_FUNCTIONS.iter().find(|f| f.0 == name) {
            if *takes_dimension {
                self.dimension(&name, e)?;
            }
            return Ok(Some(LinkHole::Index(last.ident.clone())));
        }
        let on_type = path.segments.len() > 1 && {
            let owner = path.segments[path.segments.len() - 2].ident.to_string();
            Scalar::from_name(&owner).is_some() || owner.starts_with(char::is_uppercase)
        };
        if !on_type {
            return Ok(None);
        }
        if BuiltIn::NAMES.contains(&name.as_str()) || DEVICE_MATH.contains(&name.as_str()) {
            return Ok(Some(LinkHole::Path(path.clone())));
        }
        let help =
            nearest(&name, BuiltIn::NAMES).map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        let help =
            format!("`{name}` of a type cannot be called in kernels yet: write a `#[device]` fn{help}");
        self.refuse(&last.ident, help)
    }

    /// An index function takes its dimension as a literal, so that every code form can name it.
    fn dimension(&mut self, name: &str, e: &syn::ExprCall) -> Parsed<()> {
        match e.args.first() {
            // The wrong number of arguments is rustc's to report.
            None => Ok(()),
            Some(syn::Expr::Lit(l)) if matches!(&l.lit, Lit::Int(i) if matches!(i.base10_parse::<u64>(), Ok(0..=2))) => {
                Ok(())
            }
            Some(other) => self.refuse(
                other,
                format!("the dimension of `{name}` is a literal: 0, 1 or 2"),
            ),
        }
    }

    /// Whether a name of the body is taken by a hoisted item.
    pub(super) fn hoist(&mut self, item: &syn::Item, name: Option<&Ident>) -> Parsed<()> {
        let taken = |i: &syn::Item| matches!(i, syn::Item::Const(c) if Some(&c.ident) == name);
        if let Some(name) = name
            && self.items.iter().any(taken)
        {
            return self.refuse(
                name,
                format!("a kernel has one `const {name}` only: give the second its own name"),
            );
        }
        self.items.push(item.clone());
        Ok(())
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

/// The expression inside parentheses and invisible groups.
pub(super) fn bare(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(e) => bare(&e.expr),
        syn::Expr::Group(e) => bare(&e.expr),
        e => e,
    }
}

/// `name` with the hygiene of its binding.
pub(super) fn bound(name: &Ident, binding: Span) -> Ident {
    let mut name = name.clone();
    name.set_span(name.span().resolved_at(binding));
    name
}

/// The span of a whole statement or expression, for nodes that `syn` gives none.
pub(super) fn span_of(tokens: impl ToTokens) -> Span {
    tokens.to_token_stream().span()
}
