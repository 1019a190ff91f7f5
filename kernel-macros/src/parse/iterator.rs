//! Closures and iterators.
//!
//! An iterator is no value in a kernel: it is used up where it is made, by a `for` or by a method such as `sum`. What it
//! begins with is a range, or the elements of a slice or array; what is done to it in between are the adaptors below.

use super::ast::*;
use super::body::{Parsed, Parser, bare};
use super::pattern::Names;
use crate::diagnostic::nearest;
use gridfn_ir::Access;
use proc_macro2::Ident;
use syn::{ExprMethodCall, Pat};

const SOURCES: &[&str] = &["iter", "iter_mut", "chunks_exact", "chunks_exact_mut", "windows"];

/// How a method that begins an iterator uses the elements of a slice.
pub(super) fn source(name: &str) -> Option<Access> {
    SOURCES.contains(&name).then(|| match name.ends_with("_mut") {
        true => Access::Unique,
        false => Access::Shared,
    })
}

const ADAPTORS: &[&str] = &[
    "rev",
    "enumerate",
    "copied",
    "cloned",
    "step_by",
    "skip",
    "take",
    "map",
    "filter",
    "zip",
];
const CONSUMERS: &[&str] = &[
    "sum", "product", "count", "min", "max", "last", "fold", "any", "all", "find", "position", "for_each",
];
/// Methods of iterators that kernels do not have, and what to write.
const OTHERS: &[(&str, &str)] = &[
    (
        "collect",
        "kernels cannot allocate: write the elements to an array or a `&mut [T]`",
    ),
    ("chain", "write two loops"),
    ("flat_map", "write a loop in a loop"),
    ("flatten", "write a loop in a loop"),
    ("filter_map", "use `filter` and `map`"),
    ("take_while", "write a `for` with a `break`"),
    ("skip_while", "write a `for` with an `if`"),
    ("map_while", "write a `for` with a `break`"),
    ("scan", "write a `for` with a variable"),
    ("inspect", "write a `for`"),
    ("peekable", "index the slice"),
    ("cycle", "index the slice with `%`"),
    ("nth", "index the slice"),
    ("reduce", "use `fold`"),
    ("find_map", "write a `for` with a `break`"),
    ("try_fold", "write a `for` with a `break`"),
    ("rposition", "write a `for` with a `break`"),
    ("rfind", "use `rev` and `find`"),
    ("rfold", "use `rev` and `fold`"),
    ("unzip", "write a `for`"),
    ("partition", "write a `for` with an `if`"),
    ("min_by", "use `fold`"),
    ("max_by", "use `fold`"),
    ("min_by_key", "use `fold`"),
    ("max_by_key", "use `fold`"),
    ("chunks", "use `chunks_exact`, and index what is left"),
    ("split", "write a `for` with an `if`"),
    ("into_iter", "write `iter()`"),
];

/// Whether `e` is syntactically an iterator: it begins with a range or with the elements of a slice.
pub(crate) fn is_iterator(e: &syn::Expr) -> bool {
    match bare(e) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(m) => {
            let name = m.method.to_string();
            SOURCES.contains(&name.as_str())
                || (ADAPTORS.contains(&name.as_str()) || OTHERS.iter().any(|(n, _)| *n == name))
                    && is_iterator(&m.receiver)
        }
        _ => false,
    }
}

impl Parser {
    /// A method call that uses an iterator up, if it is one.
    pub(super) fn consume(&mut self, e: &ExprMethodCall) -> Parsed<Option<Consume>> {
        let name = e.method.to_string();
        if SOURCES.contains(&name.as_str()) || ADAPTORS.contains(&name.as_str()) && is_iterator(&e.receiver) {
            return self.refuse(
                &e.method,
                "in a kernel an iterator is used up where it is made: `for v in x.iter()` or `x.iter().sum()`",
            );
        }
        if !is_iterator(&e.receiver) {
            return Ok(None);
        }
        if !CONSUMERS.contains(&name.as_str()) {
            return self.no_iterator_method(&e.method);
        }
        let iterator = self.iterator(&e.receiver)?;
        let consumer = match (name.as_str(), arguments(e).as_slice()) {
            ("sum", []) => Consumer::Sum(self.type_hole(TypeHole::Inferred(e.method.span()))),
            ("product", []) => Consumer::Product(self.type_hole(TypeHole::Inferred(e.method.span()))),
            ("count", []) => Consumer::Count,
            ("min", []) => Consumer::Min,
            ("max", []) => Consumer::Max,
            ("last", []) => Consumer::Last,
            ("fold", [init, f]) => {
                let init = self.boxed(init)?;
                Consumer::Fold(init, self.closure_argument(f)?)
            }
            ("any", [f]) => Consumer::Any(self.closure_argument(f)?),
            ("all", [f]) => Consumer::All(self.closure_argument(f)?),
            ("find", [f]) => Consumer::Find(self.closure_argument(f)?),
            ("position", [f]) => Consumer::Position(self.closure_argument(f)?),
            ("for_each", [f]) => Consumer::ForEach(self.closure_argument(f)?),
            _ => return self.wrong_arguments(&e.method),
        };
        let turbofish = e.turbofish.clone();
        if let (Some(turbofish), false) = (&turbofish, matches!(name.as_str(), "sum" | "product")) {
            return self.refuse(turbofish, format!("`{name}` in a kernel takes no type arguments"));
        }
        Ok(Some(Consume {
            iterator,
            dot: e.dot_token,
            name: e.method.clone(),
            turbofish,
            paren: e.paren_token,
            consumer,
        }))
    }

    fn no_iterator_method<T>(&mut self, name: &Ident) -> Parsed<T> {
        let text = name.to_string();
        let known: Vec<&str> = ADAPTORS.iter().chain(CONSUMERS).copied().collect();
        let help = match OTHERS.iter().find(|(n, _)| *n == text) {
            Some((_, help)) => help.to_string(),
            None => match nearest(&text, &known) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "write a `for`".to_string(),
            },
        };
        self.refuse(
            name,
            format!("`{text}` of an iterator is not supported in kernels: {help}"),
        )
    }

    fn wrong_arguments<T>(&mut self, name: &Ident) -> Parsed<T> {
        self.refuse(
            name,
            format!("`{name}` of an iterator is not called so: a kernel needs its closure written here"),
        )
    }

    /// What a `for` runs over, if it is no plain range.
    pub(super) fn for_iterator(&mut self, e: &syn::Expr) -> Parsed<Iteration> {
        match bare(e) {
            syn::Expr::Reference(r) => Ok(Iteration {
                source: Source::Borrowed(r.and_token, r.mutability, self.boxed(&r.expr)?),
                steps: vec![],
            }),
            syn::Expr::MethodCall(_) | syn::Expr::Range(_) => self.iterator(e),
            _ => Ok(Iteration {
                source: Source::Whole(self.boxed(e)?),
                steps: vec![],
            }),
        }
    }

    fn iterator(&mut self, e: &syn::Expr) -> Parsed<Iteration> {
        match bare(e) {
            syn::Expr::Range(r) => {
                let (Some(start), Some(end)) = (&r.start, &r.end) else {
                    return self.refuse(r, "a range that a kernel runs over has both ends: `a..b` or `a..=b`");
                };
                let (start, end) = (self.boxed(start), self.boxed(end));
                let source = Source::Range {
                    start: start?,
                    limits: r.limits,
                    end: end?,
                };
                Ok(Iteration { source, steps: vec![] })
            }
            syn::Expr::MethodCall(m) if SOURCES.contains(&m.method.to_string().as_str()) => {
                let source = self.source(m)?;
                Ok(Iteration { source, steps: vec![] })
            }
            syn::Expr::MethodCall(m) if is_iterator(&m.receiver) => {
                let mut iterator = self.iterator(&m.receiver)?;
                if let Some(turbofish) = &m.turbofish {
                    return self.refuse(turbofish, "methods with type arguments are not supported in kernels");
                }
                let adaptor = match (m.method.to_string().as_str(), arguments(m).as_slice()) {
                    ("rev", []) => Adaptor::Rev,
                    ("enumerate", []) => Adaptor::Enumerate,
                    ("copied" | "cloned", []) => Adaptor::Copied,
                    ("step_by", [n]) => Adaptor::StepBy(self.expr(n)?),
                    ("skip", [n]) => Adaptor::Skip(self.expr(n)?),
                    ("take", [n]) => Adaptor::Take(self.expr(n)?),
                    ("map", [f]) => Adaptor::Map(self.closure_argument(f)?),
                    ("filter", [f]) => Adaptor::Filter(self.closure_argument(f)?),
                    ("zip", [other]) => Adaptor::Zip(Box::new(self.for_iterator(other)?)),
                    (name, _) if ADAPTORS.contains(&name) => return self.wrong_arguments(&m.method),
                    _ => return self.no_iterator_method(&m.method),
                };
                let filtered = iterator.steps.iter().any(|s| matches!(s.adaptor, Adaptor::Filter(_)));
                if filtered && matches!(adaptor, Adaptor::StepBy(_) | Adaptor::Skip(_) | Adaptor::Take(_) | Adaptor::Zip(_)) {
                    let message = format!(
                        "`{}` after `filter` is not supported in kernels: write a `for` with an `if`",
                        m.method
                    );
                    return self.refuse(&m.method, message);
                }
                iterator.steps.push(Step {
                    dot: m.dot_token,
                    name: m.method.clone(),
                    paren: m.paren_token,
                    adaptor,
                });
                Ok(iterator)
            }
            e => self.refuse(
                e,
                "kernels run over a range, `a..b`, or the elements of a slice or array, `x.iter()`, with what `map`, `zip` \
                 and their kin make of these",
            ),
        }
    }

    fn source(&mut self, m: &ExprMethodCall) -> Parsed<Source> {
        let of = self.receiver(m)?;
        let receiver = Receiver {
            of,
            dot: m.dot_token,
            name: m.method.clone(),
            paren: m.paren_token,
        };
        match (m.method.to_string().as_str(), arguments(m).as_slice()) {
            ("iter" | "iter_mut", []) => Ok(Source::Elements(receiver)),
            ("chunks_exact" | "chunks_exact_mut", [n]) => Ok(Source::Chunks(receiver, self.boxed(n)?)),
            ("windows", [n]) => Ok(Source::Windows(receiver, self.boxed(n)?)),
            _ => self.wrong_arguments(&m.method),
        }
    }

    /// A closure where one must be written.
    fn closure_argument(&mut self, e: &syn::Expr) -> Parsed<ClosureExpr> {
        match bare(e) {
            syn::Expr::Closure(c) => self.closure(c),
            e => self.refuse(e, "a kernel needs the closure written here: `|v| …`"),
        }
    }

    /// A closure, whose body is read like the function's own.
    pub(super) fn closure(&mut self, c: &syn::ExprClosure) -> Parsed<ClosureExpr> {
        if let Some(token) = &c.capture {
            return self.refuse(
                token,
                "a closure in a kernel sees its variables as they are: leave `move` out",
            );
        }
        if let Some(token) = &c.asyncness {
            return self.refuse(token, "`async` is not supported in kernels");
        }
        if let Some(token) = &c.constness {
            return self.refuse(token, "`const` closures are not supported in kernels");
        }
        let inputs: Vec<Parsed<(Pattern, Names, Option<_>)>> = c
            .inputs
            .iter()
            .map(|input| {
                let (pat, ty) = match input {
                    Pat::Type(p) => (&*p.pat, Some((p.colon_token, (*p.ty).clone()))),
                    p => (p, None),
                };
                let (pattern, names) = self.irrefutable(pat)?;
                Ok((pattern, names, ty))
            })
            .collect();
        let inputs: Vec<_> = inputs.into_iter().collect::<Parsed<_>>()?;
        self.scope(|p| {
            let mut params = Vec::with_capacity(inputs.len());
            for (pattern, names, ty) in inputs {
                p.enter(names);
                params.push((pattern, ty));
            }
            let output = match &c.output {
                syn::ReturnType::Default => None,
                syn::ReturnType::Type(arrow, ty) => Some((*arrow, (**ty).clone())),
            };
            Ok(ClosureExpr {
                open: c.inputs_begin,
                inputs: params,
                close: c.inputs_end,
                output,
                body: p.conditional(|p| p.boxed(&c.body))?,
            })
        })
    }
}

fn arguments(m: &ExprMethodCall) -> Vec<&syn::Expr> {
    m.args.iter().collect()
}
