//! Closures that are kernels, and closures that are passed to kernels.

use super::ast::*;
use super::body::{LocalKind, Parsed, Parser};
use super::capture::{Capture, Captures};
use super::function::unnamed;
use super::primitive::Known;
use proc_macro2::{Delimiter, Ident, Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::token::{Brace, Paren};
use syn::{Error, ExprClosure, Generics, Pat, Stmt, Token, Type, Visibility};

/// A name of the closure's own.
type Name = (Ident, Option<Token![mut]>);

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
    let indices = indices(c)?;
    let (parser, body) = read(c, |p| kernel_body(p, c, &indices));
    let (mut function, captures) = function(c, parser, body)?;
    function.unsafety = unsafety;
    Ok(Closure {
        function,
        captures,
        owned: c.capture.is_some(),
        dimensions: indices.len(),
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
    let mut inputs: Vec<(Name, Option<&Pat>)> = vec![];
    let mut types = vec![];
    for input in &c.inputs {
        let (pattern, ty) = match input {
            Pat::Type(t) => (&*t.pat, Some((*t.ty).clone())),
            pattern => (pattern, None),
        };
        inputs.push(match name(pattern, inputs.len()) {
            Some(name) => (name, None),
            None => ((unnamed(inputs.len(), pattern.span()), None), Some(pattern)),
        });
        types.push(ty);
    }
    let (mut parser, body) = read(c, |p| passed_body(p, c, &inputs));
    for capture in parser.captures.iter().flat_map(|c| &c.all) {
        if capture.mode == Mode::Unique {
            let help = "a closure that is passed to a kernel only reads what it captured: its calls may meet; write in \
                        the kernel itself";
            parser.errors.at(&capture.place, help);
        }
    }
    let (mut function, captures) = function(c, parser, body)?;
    function.environment = Some(captures.len());
    function
        .params
        .extend(inputs.into_iter().map(|((name, mutability), _)| Param {
            name,
            mutability,
            kind: ParamKind::Value,
            ty: syn::parse_quote!(_),
            uniform: false,
        }));
    Ok(Passed {
        function,
        captures,
        owned: c.capture.is_some(),
        types,
    })
}

/// Reads a body twice: the first reading finds the captures, the second has them as parameters.
fn read(c: &ExprClosure, body: impl Fn(&mut Parser) -> Parsed<Block>) -> (Parser, Option<Block>) {
    let reading = |captures| {
        let mut parser = Parser::default();
        parser.captures = Some(captures);
        parser.refuse_wide(c);
        let body = parser.scope(|p| {
            p.declare_captures(c.inputs_begin.span);
            body(p)
        });
        (parser, body.ok())
    };
    let (first, _) = reading(Captures::default());
    let mut captures = first.captures.unwrap_or_default();
    let _told_by_the_second = first.errors.check();
    captures.bound = captures.all.len();
    reading(captures)
}

/// What was read as a function whose parameters are the captures.
fn function(c: &ExprClosure, parser: Parser, body: Option<Block>) -> syn::Result<(Function, Vec<Capture>)> {
    let Parser {
        errors,
        holes,
        items,
        annotations,
        captures,
        ..
    } = parser;
    errors.check()?;
    // A body is refused only with an error, which has ended the stage just now.
    let body = body.ok_or_else(|| Error::new_spanned(c, "the body was refused without a reason"))?;
    let captures = captures.unwrap_or_default().all;
    let span = c.inputs_begin.span;
    let function = Function {
        attrs: vec![],
        vis: Visibility::Inherited,
        unsafety: None,
        name: Ident::new("closure", span),
        generics: Generics::default(),
        params: captures.iter().map(|capture| param(capture, span)).collect(),
        result: None,
        body,
        holes,
        numbers: vec![],
        annotations,
        items,
        environment: None,
        group: None,
    };
    Ok((function, captures))
}

/// The body of a kernel, behind its indices.
fn kernel_body(p: &mut Parser, c: &ExprClosure, indices: &[Name]) -> Parsed<Block> {
    for n in 0..p.captures.as_ref().map_or(0, |c| c.bound) {
        p.type_hole(TypeHole::Param(n));
    }
    p.type_hole(TypeHole::Result);
    let statements = (0..)
        .zip(indices)
        .map(|(d, name)| p.index_of_item(d, name))
        .collect();
    let body = block(p, c)?;
    let brace = body.brace;
    let tail = match body {
        // A body without a block is not wrapped in one, so that its place is its own.
        Block {
            statements,
            tail: Some(tail),
            ..
        } if statements.is_empty() => tail,
        body => Box::new(Expr {
            span: brace.span.join(),
            kind: ExprKind::Block(None, body),
        }),
    };
    Ok(Block {
        brace,
        statements,
        tail: Some(tail),
    })
}

/// The body of a closure that is passed to a kernel.
fn passed_body(p: &mut Parser, c: &ExprClosure, inputs: &[(Name, Option<&Pat>)]) -> Parsed<Block> {
    p.returns = true;
    // To the tree, the captures are one parameter; then come the closure's own, and its result.
    p.type_hole(TypeHole::Param(0));
    for ((name, _), _) in inputs {
        p.type_hole(TypeHole::Inferred(name.span()));
        p.bind(name, LocalKind::Value);
    }
    p.type_hole(TypeHole::Inferred(c.body.span()));
    let patterns = inputs
        .iter()
        .filter_map(|((name, _), pattern)| Some((name, (*pattern)?)));
    let taken_apart = p.taken_apart(patterns);
    let mut body = block(p, c)?;
    body.statements.splice(0..0, taken_apart?);
    Ok(body)
}

/// What stands behind the closure's parameters, in a scope of its own.
fn block(p: &mut Parser, c: &ExprClosure) -> Parsed<Block> {
    p.scope(|p| match &*c.body {
        syn::Expr::Block(b) if b.label.is_none() => p.block(&b.block),
        e => p.block(&syn::Block {
            brace_token: Brace(e.span()),
            stmts: vec![Stmt::Expr(as_statement(e), None)],
        }),
    })
}

/// The expression as it may stand in a block: a statement ends behind its first braces, where `{ a } == b` does not.
fn as_statement(e: &syn::Expr) -> syn::Expr {
    let is_longer = matches!(
        e,
        syn::Expr::Assign(_)
            | syn::Expr::Binary(_)
            | syn::Expr::Call(_)
            | syn::Expr::Cast(_)
            | syn::Expr::Field(_)
            | syn::Expr::Index(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Range(_)
            | syn::Expr::Try(_)
    );
    let begins_with_braces = match e.to_token_stream().into_iter().next() {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        Some(TokenTree::Ident(word)) => ["for", "if", "loop", "match", "unsafe", "while"]
            .iter()
            .any(|w| word == w),
        // A label.
        Some(TokenTree::Punct(quote)) => quote.as_char() == '\'',
        _ => false,
    };
    if is_longer && begins_with_braces {
        return syn::Expr::Paren(syn::ExprParen {
            attrs: vec![],
            paren_token: Paren(e.span()),
            expr: Box::new(e.clone()),
        });
    }
    e.clone()
}

impl Parser {
    /// `let i = global_id(d);`, which is what an index parameter means.
    fn index_of_item(&mut self, d: u8, (name, mutability): &Name) -> Statement {
        let span = name.span();
        let mixed = Span::mixed_site().located_at(span);
        let link = self.link(LinkHole::Index(Ident::new("global_id", mixed)));
        let local = self.bind(name, LocalKind::Value);
        self.known.insert(local, Known::Scalar);
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
            pattern: Pattern::Bind(
                Binding {
                    local,
                    name: name.clone(),
                    by_reference: None,
                    mutability: *mutability,
                    plain: true,
                },
                None,
            ),
            ty: None,
            init: Some((Token![=](mixed), call)),
            otherwise: None,
            hole: None,
            semi: Token![;](mixed),
        })
    }
}

/// The names in `|i|`, `|[x, y]|` and `|[x, y, z]|`.
fn indices(c: &ExprClosure) -> syn::Result<Vec<Name>> {
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

fn index(pattern: &Pat, help: &str) -> syn::Result<Name> {
    match pattern {
        Pat::Type(t) => match &*t.ty {
            syn::Type::Path(ty) if ty.path.is_ident("usize") => index(&t.pat, help),
            ty => Err(Error::new_spanned(
                ty,
                "an index is a `usize`; the type may be left out",
            )),
        },
        pattern => name(pattern, 0).ok_or_else(|| Error::new_spanned(pattern, help)),
    }
}

/// The name that a pattern is, if it is one; `_` is one that nothing leads to.
fn name(pattern: &Pat, n: usize) -> Option<Name> {
    match pattern {
        Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => Some((p.ident.clone(), p.mutability)),
        Pat::Wild(wild) => Some((unnamed(n, wild.span()), None)),
        _ => None,
    }
}

/// The parameter of a capture, bound at `at`: not where it is captured, or rustc would tell of it there.
fn param(capture: &Capture, at: Span) -> Param {
    let place = &capture.place;
    Param {
        name: capture.parameter(at),
        mutability: None,
        kind: ParamKind::Capture(capture.mode),
        // Only rustc knows it. The place stands for it in messages.
        ty: syn::Type::Verbatim(quote::quote!(#place)),
        uniform: false,
    }
}
