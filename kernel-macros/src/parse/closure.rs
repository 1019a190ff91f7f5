//! Closures that are kernels, and closures that are passed to kernels.

use super::ast::*;
use super::body::{LocalKind, Parser};
use super::capture::{Capture, Captures};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::token::{Brace, Paren};
use syn::{Error, ExprClosure, Generics, Pat, Stmt, Token, Type, Visibility};

/// A closure: its body as a function whose parameters are the captures.
pub(crate) struct Closure {
    pub function: Function,
    pub captures: Vec<Capture>,
    /// `move`
    pub owned: bool,
    /// The number of indices.
    pub dimensions: usize,
}

/// Reads a closure that is a kernel. `unsafety` is the `unsafe` of a block around it.
pub(crate) fn closure(c: &ExprClosure, unsafety: Option<Token![unsafe]>) -> syn::Result<Closure> {
    if let Some(token) = &c.asyncness {
        return Err(Error::new_spanned(token, "an `async` closure is no kernel"));
    }
    if let Some(lifetimes) = &c.lifetimes {
        return Err(Error::new_spanned(
            lifetimes,
            "a closure kernel needs no lifetimes",
        ));
    }
    let patterns = indices(c)?;
    // The first reading finds the captures, the second has them as parameters.
    let found = read(c, &patterns, Captures::default());
    let mut captures = found.parser.captures.unwrap_or_default();
    let _told_by_the_second = found.parser.errors.check();
    captures.bound = captures.all.len();
    let Reading {
        parser:
            Parser {
                errors,
                holes,
                items,
                annotations,
                captures,
                ..
            },
        body,
    } = read(c, &patterns, captures);
    errors.check()?;
    let Some(body) = body else {
        return Err(Error::new_spanned(c, "the body was refused without a reason"));
    };
    let captures = captures.unwrap_or_default().all;
    let params = captures.iter().map(param).collect();
    let function = Function {
        attrs: vec![],
        vis: Visibility::Inherited,
        unsafety,
        name: Ident::new("closure", c.inputs_begin.span),
        generics: Generics::default(),
        params,
        result: None,
        body,
        holes,
        annotations,
        items,
        environment: None,
    };
    Ok(Closure {
        function,
        captures,
        owned: c.capture.is_some(),
        dimensions: patterns.len(),
    })
}

/// A closure that is passed to a kernel: a function whose first parameters are the captures.
pub(crate) struct Passed {
    pub function: Function,
    pub captures: Vec<Capture>,
    /// `move`
    pub owned: bool,
    /// The types that are written behind the closure's own parameters.
    pub types: Vec<Option<Type>>,
}

/// Reads a closure that is passed to a kernel.
pub(crate) fn passed(c: &ExprClosure) -> syn::Result<Passed> {
    if let Some(token) = &c.asyncness {
        return Err(Error::new_spanned(
            token,
            "an `async` closure cannot be passed to a kernel",
        ));
    }
    let mut patterns = vec![];
    let mut types = vec![];
    for input in &c.inputs {
        let (pattern, ty) = match input {
            Pat::Type(t) => (&*t.pat, Some((*t.ty).clone())),
            pattern => (pattern, None),
        };
        match pattern {
            Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                patterns.push((p.ident.clone(), p.mutability));
            }
            Pat::Wild(wild) => {
                let span = Span::mixed_site().located_at(wild.span());
                patterns.push((Ident::new(&format!("_unused{}", patterns.len()), span), None));
            }
            other => {
                let help = "the parameters of a closure that is passed to a kernel are plain names";
                return Err(Error::new_spanned(other, help));
            }
        }
        types.push(ty);
    }
    let found = read_passed(c, &patterns, Captures::default());
    let mut captures = found.parser.captures.unwrap_or_default();
    let _told_by_the_second = found.parser.errors.check();
    captures.bound = captures.all.len();
    let Reading {
        parser:
            Parser {
                mut errors,
                holes,
                items,
                annotations,
                captures,
                ..
            },
        body,
    } = read_passed(c, &patterns, captures);
    let captures = captures.unwrap_or_default().all;
    for capture in captures.iter().filter(|c| c.mode == Mode::Unique) {
        let help = "a closure that is passed to a kernel only reads what it captured: its calls may meet; write in the \
                    kernel itself";
        errors.at(&capture.place, help);
    }
    errors.check()?;
    let Some(body) = body else {
        return Err(Error::new_spanned(c, "the body was refused without a reason"));
    };
    let own = patterns.iter().map(|(name, mutability)| Param {
        name: name.clone(),
        mutability: *mutability,
        kind: ParamKind::Value,
        ty: syn::parse_quote!(_),
    });
    let params: Vec<Param> = captures.iter().map(param).chain(own).collect();
    let function = Function {
        attrs: vec![],
        vis: Visibility::Inherited,
        unsafety: None,
        name: Ident::new("closure", c.inputs_begin.span),
        generics: Generics::default(),
        params,
        result: None,
        body,
        holes,
        annotations,
        items,
        environment: Some(captures.len()),
    };
    Ok(Passed {
        function,
        captures,
        owned: c.capture.is_some(),
        types,
    })
}

fn read_passed(c: &ExprClosure, patterns: &[(Ident, Option<Token![mut]>)], captures: Captures) -> Reading {
    let mut parser = Parser::default();
    parser.captures = Some(captures);
    let body = parser.scope(|p| {
        p.declare_captures(c.inputs_begin.span);
        // To the tree, the captures are one parameter; then come the closure's own, and its result.
        p.type_hole(TypeHole::Param(0));
        for (name, _) in patterns {
            p.type_hole(TypeHole::Inferred(name.span()));
            p.bind(name, LocalKind::Value);
        }
        p.type_hole(TypeHole::Inferred(c.body.span()));
        p.scope(|p| match &*c.body {
            syn::Expr::Block(b) if b.label.is_none() => p.block(&b.block),
            e => p.block(&syn::Block {
                brace_token: Brace(e.span()),
                stmts: vec![Stmt::Expr(e.clone(), None)],
            }),
        })
    });
    Reading {
        parser,
        body: body.ok(),
    }
}

struct Reading {
    parser: Parser,
    body: Option<Block>,
}

fn read(c: &ExprClosure, patterns: &[(Ident, Option<Token![mut]>)], captures: Captures) -> Reading {
    let mut parser = Parser::default();
    parser.captures = Some(captures);
    let body = parser.scope(|p| {
        for n in 0..p.declare_captures(c.inputs_begin.span) {
            p.type_hole(TypeHole::Param(n));
        }
        p.type_hole(TypeHole::Result);
        let indices: Vec<_> = (0..)
            .zip(patterns)
            .map(|(d, pattern)| p.index_of_item(d, pattern))
            .collect();
        let body = p.scope(|p| match &*c.body {
            syn::Expr::Block(b) if b.label.is_none() => p.block(&b.block),
            e => p.block(&syn::Block {
                brace_token: Brace(e.span()),
                stmts: vec![Stmt::Expr(e.clone(), None)],
            }),
        });
        let body = body?;
        let brace = body.brace;
        let mut statements = indices;
        statements.push(match body {
            // A body without a block is not wrapped in one, so that its place is its own.
            Block {
                statements,
                tail: Some(tail),
                ..
            } if statements.is_empty() => Statement::Expr(*tail, None),
            body => Statement::Expr(
                Expr {
                    span: brace.span.join(),
                    kind: ExprKind::Block(None, body),
                },
                None,
            ),
        });
        let tail = match statements.pop() {
            Some(Statement::Expr(e, None)) => Some(Box::new(e)),
            _ => None,
        };
        Ok::<_, super::body::Refused>(Block {
            brace,
            statements,
            tail,
        })
    });
    Reading {
        parser,
        body: body.ok(),
    }
}

impl Parser {
    /// `let i = global_id(d);`, which is what an index parameter means.
    fn index_of_item(&mut self, d: u8, (name, mutability): &(Ident, Option<Token![mut]>)) -> Statement {
        let span = name.span();
        let mixed = Span::mixed_site().located_at(span);
        let link = self.link(LinkHole::Index(Ident::new("global_id", mixed)));
        let zero = Expr {
            kind: ExprKind::Literal(Literal {
                minus: None,
                token: syn::Lit::Int(syn::LitInt::new(&format!("{d}usize"), mixed)),
                value: LiteralValue::Int(d.into()),
                ty: LiteralType::Known(gridfn_ir::Scalar::Usize),
            }),
            span,
        };
        let call = Expr {
            kind: ExprKind::Call(Call {
                path: syn::parse_quote_spanned!(mixed=> ::gridfn::__private::index::global_id),
                paren: Paren(mixed),
                args: vec![zero],
                link,
            }),
            span,
        };
        Statement::Let(Let {
            attrs: vec![],
            token: Token![let](mixed),
            mutability: *mutability,
            binding: Some((self.bind(name, LocalKind::Value), name.clone())),
            ty: None,
            init: Some((Token![=](mixed), call)),
            hole: None,
            semi: Token![;](mixed),
        })
    }
}

/// The names in `|i|`, `|[x, y]|` and `|[x, y, z]|`.
fn indices(c: &ExprClosure) -> syn::Result<Vec<(Ident, Option<Token![mut]>)>> {
    let help = "a closure kernel takes its index: `|i|`, `|[x, y]|` or `|[x, y, z]|`";
    if let syn::ReturnType::Type(_, ty) = &c.output {
        let help = "a closure kernel returns nothing: write results to a buffer";
        return Err(Error::new_spanned(ty, help));
    }
    let mut inputs = c.inputs.iter();
    let Some(input) = inputs.next() else {
        return Err(Error::new(c.inputs_end.span, help));
    };
    if let Some(second) = inputs.next() {
        return Err(Error::new_spanned(second, help));
    }
    match input {
        Pat::Slice(slice) if slice.elems.is_empty() || slice.elems.len() > 3 => {
            Err(Error::new_spanned(slice, help))
        }
        Pat::Slice(slice) => slice.elems.iter().map(|p| index(p, help)).collect(),
        pattern => Ok(vec![index(pattern, help)?]),
    }
}

fn index(pattern: &Pat, help: &str) -> syn::Result<(Ident, Option<Token![mut]>)> {
    match pattern {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Ok((p.ident.clone(), p.mutability)),
        Pat::Wild(wild) => Ok((
            Ident::new("_unused", Span::mixed_site().located_at(wild.span())),
            None,
        )),
        Pat::Type(t) => match &*t.ty {
            syn::Type::Path(ty) if ty.path.is_ident("usize") => index(&t.pat, help),
            ty => Err(Error::new_spanned(
                ty,
                "an index is a `usize`; the type may be left out",
            )),
        },
        other => Err(Error::new_spanned(other, help)),
    }
}

/// The parameter of a capture.
fn param(capture: &Capture) -> Param {
    let span = capture.place.span();
    let place = &capture.place;
    Param {
        name: capture.parameter(span),
        mutability: None,
        kind: ParamKind::Capture(capture.mode),
        // Only rustc knows it. The place stands for it in messages.
        ty: syn::Type::Verbatim(quote::quote!(#place)),
    }
}
