//! Control flow, and what kernels do not have.

use super::ast::*;
use super::body::{LabelKind, Parsed, Parser, Target, bound};
use super::pattern::Names;
use super::primitive::Known;
use gridfn_ir::tree::LazyOp;
use syn::spanned::Spanned;
use syn::{BinOp, Label, Lifetime, Pat};

impl Parser {
    /// An expression that is control flow, or that kernels do not have.
    pub(super) fn control(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let kind = match e {
            syn::Expr::If(e) => ExprKind::If(self.if_(e)?),
            syn::Expr::Block(e) => {
                let label = e
                    .label
                    .as_ref()
                    .map(|l| (self.target_of(Some(l), LabelKind::Block), l.clone()));
                let block = self.block(&e.block);
                if label.is_some() {
                    self.labels.pop();
                }
                ExprKind::Block(label, block?)
            }
            syn::Expr::Unsafe(e) => ExprKind::Unsafe(e.unsafe_token, self.block(&e.block)?),
            syn::Expr::While(e) => {
                // What the condition binds, the body sees.
                let (condition, head) = self.scope(|p| {
                    let condition = p.conditional(|p| p.boxed_condition(&e.cond));
                    (condition, p.loop_(e.label.as_ref(), &e.body))
                });
                ExprKind::While(head?, e.while_token, condition?)
            }
            syn::Expr::Loop(e) => ExprKind::Loop(self.loop_(e.label.as_ref(), &e.body)?, e.loop_token),
            syn::Expr::ForLoop(e) if is_counted(&e.expr) => ExprKind::For(Box::new(self.for_(e)?)),
            syn::Expr::ForLoop(e) => ExprKind::ForEach(Box::new(self.for_each(e)?)),
            syn::Expr::Closure(c) => ExprKind::Closure(self.closure(c)?),
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
                self.return_(e.return_token, value)
            }
            syn::Expr::Match(e) => ExprKind::Match(self.match_(e)?),
            syn::Expr::Let(e) => {
                let help = "a `let` without `;` is a condition of an `if` or a `while`, alone or beside `&&`";
                return self.refuse(e.let_token, help);
            }
            syn::Expr::Try(e) if self.returns => ExprKind::Try(self.boxed(&e.expr)?, e.question_token),
            syn::Expr::Macro(e) => self.macro_(&e.mac)?,
            other => return self.unsupported(other),
        };
        Ok(Expr { kind, span: e.span() })
    }

    /// A condition: what may be a `let`, or hold some beside `&&`.
    pub(super) fn condition(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let span = e.span();
        let kind = match e {
            syn::Expr::Let(e) => {
                let (pattern, names) = self.pattern(&e.pat)?;
                let value = self.matched(&e.expr, &pattern)?;
                self.enter(names);
                ExprKind::Let(e.let_token, pattern, e.eq_token, Box::new(value))
            }
            syn::Expr::Binary(e) if matches!(e.op, BinOp::And(_)) => {
                let left = self.boxed_condition(&e.left);
                let right = self.conditional(|p| p.boxed_condition(&e.right));
                ExprKind::Lazy(LazyOp::And, e.op, left?, right?)
            }
            e => return self.expr(e),
        };
        Ok(Expr { kind, span })
    }

    fn boxed_condition(&mut self, e: &syn::Expr) -> Parsed<Box<Expr>> {
        self.condition(e).map(Box::new)
    }

    fn if_(&mut self, e: &syn::ExprIf) -> Parsed<If> {
        // What the condition binds, the first branch sees, and the second does not.
        let (condition, then) = self.scope(|p| (p.boxed_condition(&e.cond), p.block(&e.then_branch)));
        let otherwise = e
            .else_branch
            .as_ref()
            .map(|(token, e)| Ok((*token, self.conditional(|p| p.boxed(e))?)))
            .transpose();
        Ok(If {
            token: e.if_token,
            condition: condition?,
            then: then?,
            otherwise: otherwise?,
        })
    }

    pub(super) fn match_(&mut self, e: &syn::ExprMatch) -> Parsed<Match> {
        let patterns: Vec<_> = e
            .arms
            .iter()
            .map(|arm| {
                self.unconditional(arm)?;
                let (pattern, guard) = match &arm.pat {
                    Pat::Guard(g) => (&*g.pat, Some((g.if_token, &*g.guard))),
                    pattern => (pattern, None),
                };
                Ok((self.pattern(pattern)?, guard))
            })
            .collect();
        let unique = patterns.iter().flatten().any(|((p, _), _)| p.borrows_uniquely());
        let value = if unique {
            self.unique(&e.expr)
        } else {
            self.place(&e.expr, Mode::Value)
        };
        let arms: Vec<_> = patterns
            .into_iter()
            .zip(&e.arms)
            .map(|(pattern, arm)| {
                let ((pattern, names), guard) = pattern?;
                self.arm(pattern, names, guard, arm.fat_arrow_token, &arm.body)
            })
            .collect();
        Ok(Match {
            token: e.match_token,
            value: Box::new(value?),
            brace: e.brace_token,
            arms: arms.into_iter().collect::<Parsed<_>>()?,
        })
    }

    pub(super) fn arm(
        &mut self,
        pattern: Pattern,
        names: Names,
        guard: Option<(syn::Token![if], &syn::Expr)>,
        arrow: syn::Token![=>],
        body: &syn::Expr,
    ) -> Parsed<Arm> {
        self.scope(|p| {
            p.enter(names);
            let guard = guard
                .map(|(token, e)| Ok((token, p.conditional(|p| p.condition(e))?)))
                .transpose();
            let body = p.conditional(|p| p.expr(body));
            Ok(Arm {
                pattern,
                guard: guard?,
                arrow,
                body: body?,
            })
        })
    }

    /// Numbers a label; the caller takes it off again.
    fn target_of(&mut self, label: Option<&Label>, kind: LabelKind) -> u16 {
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
        let number = self.target_of(label, LabelKind::Loop);
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
    fn for_each(&mut self, e: &syn::ExprForLoop) -> Parsed<ForEach> {
        let iterator = self.for_iterator(&e.expr);
        let (pattern, head) = self.scope(|p| {
            let pattern = p.irrefutable(&e.pat).map(|(pattern, names)| {
                p.enter(names);
                pattern
            });
            (pattern, p.loop_(e.label.as_ref(), &e.body))
        });
        Ok(ForEach {
            head: head?,
            token: e.for_token,
            pattern: pattern?,
            in_token: e.in_token,
            iterator: iterator?,
        })
    }

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
            unreachable!("only what counts is read so");
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
        let (pattern, head) = self.scope(|p| {
            let pattern = p.irrefutable(&e.pat).map(|(pattern, names)| {
                p.enter(names);
                // Rust's ranges run over integers only.
                p.note(&pattern, Known::Scalar);
                pattern
            });
            (pattern, p.loop_(e.label.as_ref(), &e.body))
        });
        Ok(For {
            head: head?,
            token: e.for_token,
            pattern: pattern?,
            in_token: e.in_token,
            start: start?,
            limits: r.limits,
            end: end?,
            ops: ops.into_iter().collect::<Parsed<_>>()?,
        })
    }

    fn unsupported<T>(&mut self, e: &syn::Expr) -> Parsed<T> {
        match e {
            syn::Expr::Try(t) if self.group.is_some() => self.refuse(
                t.question_token,
                "single items may not return from a group function, so it has no `?`: write a `match`",
            ),
            syn::Expr::Try(t) => self.refuse(
                t.question_token,
                "a kernel returns nothing, so it has no `?`: write a `#[device]` fn that returns an `Option`",
            ),
            syn::Expr::RawAddr(r) => self.refuse(
                r.and_token,
                "raw pointers are not supported in kernels: use references",
            ),
            syn::Expr::Range(r) => self.refuse(
                r,
                "in a kernel a range stands only behind `for … in` and as an index",
            ),
            syn::Expr::Async(a) => self.refuse(a.async_token, "`async` is not supported in kernels"),
            syn::Expr::Await(a) => self.refuse(a.await_token, "`await` is not supported in kernels"),
            e => self.refuse(e, "this expression is not supported in kernels"),
        }
    }
}

/// Whether a `for` runs over a range, perhaps backwards and in steps: that is a loop of its own.
fn is_counted(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Paren(p) => is_counted(&p.expr),
        syn::Expr::Group(p) => is_counted(&p.expr),
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => {
            let adapts = m.method == "rev" && m.args.is_empty() || m.method == "step_by" && m.args.len() == 1;
            adapts && is_counted(&m.receiver)
        }
        _ => false,
    }
}
