//! Control flow, and what kernels do not have.

use super::ast::*;
use super::body::{LabelKind, LocalKind, Parsed, Parser, Target, bound, span_of};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Label, Lifetime, Pat};

impl Parser {
    /// An expression that is control flow, or that kernels do not have.
    pub(super) fn control(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let kind = match e {
            syn::Expr::If(e) => ExprKind::If(self.if_(e)?),
            syn::Expr::Block(e) => {
                let label = e
                    .label
                    .as_ref()
                    .map(|l| (self.enter(Some(l), LabelKind::Block), l.clone()));
                let block = self.block(&e.block);
                if label.is_some() {
                    self.labels.pop();
                }
                ExprKind::Block(label, block?)
            }
            syn::Expr::Unsafe(e) => ExprKind::Unsafe(e.unsafe_token, self.block(&e.block)?),
            syn::Expr::While(e) => {
                if let syn::Expr::Let(l) = &*e.cond {
                    return self.refuse(l, "`while let` is not supported in kernels yet");
                }
                let condition = self.boxed(&e.cond);
                let head = self.loop_(e.label.as_ref(), &e.body);
                ExprKind::While(head?, e.while_token, condition?)
            }
            syn::Expr::Loop(e) => ExprKind::Loop(self.loop_(e.label.as_ref(), &e.body)?, e.loop_token),
            syn::Expr::ForLoop(e) => ExprKind::For(Box::new(self.for_(e)?)),
            syn::Expr::Break(e) => {
                let (target, label) = self.target(e.label.as_ref(), e.break_token)?;
                let value = e.expr.as_ref().map(|v| self.boxed(v)).transpose()?;
                ExprKind::Break(target, e.break_token, label, value)
            }
            syn::Expr::Continue(e) => {
                let (target, label) = self.target(e.label.as_ref(), e.continue_token)?;
                ExprKind::Continue(target, e.continue_token, label)
            }
            syn::Expr::Return(e) => {
                let value = e.expr.as_ref().map(|v| self.boxed(v)).transpose()?;
                ExprKind::Return(e.return_token, value)
            }
            other => return self.unsupported(other),
        };
        Ok(Expr { kind, span: e.span() })
    }

    fn if_(&mut self, e: &syn::ExprIf) -> Parsed<If> {
        if let syn::Expr::Let(l) = &*e.cond {
            return self.refuse(l, "`if let` is not supported in kernels yet: compare with `if`");
        }
        let condition = self.boxed(&e.cond);
        let then = self.block(&e.then_branch);
        let otherwise = e
            .else_branch
            .as_ref()
            .map(|(token, e)| Ok((*token, self.boxed(e)?)))
            .transpose();
        Ok(If {
            token: e.if_token,
            condition: condition?,
            then: then?,
            otherwise: otherwise?,
        })
    }

    /// Numbers a label; the caller takes it off again.
    fn enter(&mut self, label: Option<&Label>, kind: LabelKind) -> u16 {
        let number = self.label_count;
        self.label_count += 1;
        self.labels.push(Target {
            label: label.map(|l| l.name.clone()),
            number,
            kind,
        });
        number
    }

    fn loop_(&mut self, label: Option<&Label>, body: &syn::Block) -> Parsed<Loop> {
        let number = self.enter(label, LabelKind::Loop);
        let body = self.block(body);
        self.labels.pop();
        Ok(Loop {
            number,
            label: label.cloned(),
            body: body?,
        })
    }

    /// Where `break` or `continue` goes, and its label with the hygiene of the one that was found.
    fn target(
        &mut self,
        label: Option<&Lifetime>,
        at: impl quote::ToTokens,
    ) -> Parsed<(u16, Option<Lifetime>)> {
        let Some(label) = label else {
            return match self.labels.iter().rev().find(|t| t.kind == LabelKind::Loop) {
                Some(target) => Ok((target.number, None)),
                None => self.refuse(at, "this stands outside a loop"),
            };
        };
        let found = self
            .labels
            .iter()
            .rev()
            .find_map(|t| Some((t.number, t.label.as_ref().filter(|l| **l == *label)?)));
        match found {
            Some((number, binding)) => {
                let mut label = label.clone();
                label.ident = bound(&label.ident, binding.ident.span());
                Ok((number, Some(label)))
            }
            None => self.refuse(
                label,
                format!("there is no loop or block labelled `{label}` here"),
            ),
        }
    }

    /// `for name in (start..end).rev().step_by(n)`
    fn for_(&mut self, e: &syn::ExprForLoop) -> Parsed<For> {
        let mut ops = vec![];
        let mut range = &*e.expr;
        loop {
            range = match range {
                syn::Expr::Paren(p) => &p.expr,
                syn::Expr::Group(p) => &p.expr,
                syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
                    ops.push((m, None));
                    &m.receiver
                }
                syn::Expr::MethodCall(m) if m.method == "step_by" && m.args.len() == 1 => {
                    ops.push((m, m.args.first()));
                    &m.receiver
                }
                _ => break,
            };
        }
        let syn::Expr::Range(r) = range else {
            let help =
                "`for` in a kernel runs over a range, with `.rev()` and `.step_by(n)`: `for i in 0..x.len()`";
            return self.refuse(range, help);
        };
        let (Some(start), Some(end)) = (&r.start, &r.end) else {
            return self.refuse(
                r,
                "the range of a `for` in a kernel has both ends: `a..b` or `a..=b`",
            );
        };
        let (start, end) = (self.expr(start), self.expr(end));
        let ops: Vec<_> = ops
            .into_iter()
            .rev()
            .map(|(m, step)| match step {
                Some(step) => Ok(RangeOp::StepBy(m.dot_token, m.method.clone(), self.expr(step)?)),
                None => Ok(RangeOp::Rev(m.dot_token, m.method.clone())),
            })
            .collect();
        let (variable, head) = self.scope(|p| {
            let variable = p.variable(&e.pat);
            let head = p.loop_(e.label.as_ref(), &e.body);
            (variable, head)
        });
        Ok(For {
            head: head?,
            token: e.for_token,
            variable: variable?,
            in_token: e.in_token,
            start: start?,
            limits: r.limits,
            end: end?,
            ops: ops.into_iter().collect::<Parsed<_>>()?,
        })
    }

    fn variable(&mut self, pat: &Pat) -> Parsed<Variable> {
        match pat {
            Pat::Wild(w) => Ok(Variable::Wild(w.underscore_token)),
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let local = self.bind(&p.ident, LocalKind::Value);
                Ok(Variable::Named {
                    local,
                    name: p.ident.clone(),
                    mutability: p.mutability,
                })
            }
            p => self.refuse(p, "a loop variable is a plain name"),
        }
    }

    fn unsupported<T>(&mut self, e: &syn::Expr) -> Parsed<T> {
        match e {
            syn::Expr::Macro(m) => {
                let name = m
                    .mac
                    .path
                    .segments
                    .last()
                    .map_or_else(String::new, |s| s.ident.to_string());
                self.macro_(&m.mac.path, &name)
            }
            syn::Expr::Closure(c) => self.refuse(
                c.inputs_begin,
                "closures are not supported in kernels yet: write a `#[device]` fn",
            ),
            syn::Expr::Try(t) => self.refuse(t.question_token, "`?` is not supported in kernels"),
            syn::Expr::Match(m) => self.refuse(
                m.match_token,
                "`match` is not supported in kernels yet: write `if` and `else if`",
            ),
            syn::Expr::Array(a) => self.refuse(a, "arrays are not supported in kernels yet: use variables"),
            syn::Expr::Repeat(a) => self.refuse(a, "arrays are not supported in kernels yet: use variables"),
            syn::Expr::Tuple(t) => self.refuse(t, "tuples are not supported in kernels yet: use variables"),
            syn::Expr::Struct(s) => self.refuse(&s.path, "structs are not supported in kernels yet"),
            syn::Expr::Field(f) => self.refuse(&f.member, "fields are not supported in kernels yet"),
            syn::Expr::Reference(r) => self.refuse(
                r.and_token,
                "references are not supported in kernels yet: use the value",
            ),
            syn::Expr::Range(r) => self.refuse(r, "in a kernel a range stands only behind `for … in`"),
            syn::Expr::Async(a) => self.refuse(a.async_token, "`async` is not supported in kernels"),
            syn::Expr::Await(a) => self.refuse(a.await_token, "`await` is not supported in kernels"),
            syn::Expr::Let(l) => self.refuse(l, "`let` in a condition is not supported in kernels yet"),
            e => self.refuse(e, "this expression is not supported in kernels"),
        }
    }

    /// A macro call.
    pub(super) fn macro_<T>(&mut self, path: &syn::Path, name: &str) -> Parsed<T> {
        let help = match name {
            "println" | "print" | "eprintln" | "dbg" => {
                ": write what you want to see to a `&mut [T]` parameter"
            }
            "assert" | "assert_eq" | "panic" | "unreachable" => {
                ": write an error code to a `&mut [T]` parameter"
            }
            "vec" | "format" => ": kernels cannot allocate; take a slice as a parameter",
            _ => ": write what it expands to",
        };
        self.refuse(
            path,
            format!("the macro `{name}!` is not supported in kernels yet{help}"),
        )
    }

    /// A name in a `let`.
    pub(super) fn plain_name<'p>(&mut self, pat: &'p Pat) -> Parsed<(&'p Ident, Option<syn::Token![mut]>)> {
        match pat {
            Pat::Ident(p) => {
                if let Some(r) = &p.by_ref {
                    return self.refuse(
                        r,
                        "`ref` is not supported in kernels: a kernel's values are copied",
                    );
                }
                if let Some((at, _)) = &p.subpat {
                    return self.refuse(at, "patterns are not supported in kernels yet: bind a plain name");
                }
                Ok((&p.ident, p.mutability))
            }
            p => self.refuse(
                span_tokens(p),
                "patterns are not supported in kernels yet: bind a plain name",
            ),
        }
    }
}

/// The tokens of a pattern, at which an error can stand.
fn span_tokens(pat: &Pat) -> proc_macro2::TokenStream {
    let tokens = quote::ToTokens::to_token_stream(pat);
    if tokens.is_empty() {
        quote::quote_spanned!(span_of(pat)=> _)
    } else {
        tokens
    }
}
