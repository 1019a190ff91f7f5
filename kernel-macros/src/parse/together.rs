//! Functions that all items of a work-group call together: `group!(f(x))`, and what their bodies have besides.
//!
//! A call stands in a `let` of its own, and its values in variables of their own, so that what follows has one form to
//! deal with. Where the user writes it inside an expression, it goes before the statement that it stands in.

use super::ast::*;
use super::body::{LocalKind, Parsed, Parser, bare};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::{Macro, Token};

impl Parser {
    /// `group!(f(x))`
    pub(super) fn together(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        let form = "it is called as `group!(function(arguments))`";
        if !self.in_kernel {
            let help = match self.captures {
                Some(_) => "a closure has no `group!`: write a `#[kernel]` fn",
                None => "only kernels and group functions have `group!`: mark this one `#[device(group)]`",
            };
            return self.refuse(&mac.path, help);
        }
        let call = match mac.parse_body::<syn::Expr>() {
            Ok(syn::Expr::Call(call)) => call,
            Ok(other) => return self.refuse(other, form),
            Err(e) => return self.refuse_with(e),
        };
        let path = match bare(&call.func) {
            syn::Expr::Path(p) if p.qself.is_none() => p.path.clone(),
            other => return self.refuse(other, "a group function is called by its name"),
        };
        if self.before.is_none() {
            return self.refuse(
                &mac.path,
                "`group!` is reached by all items of a work-group, and may not stand under a condition inside an \
                 expression: bind its value with a `let` before, or put it into braces of its own",
            );
        }
        let args: Vec<_> = call.args.iter().map(|e| self.group_argument(e)).collect();
        let args = args.into_iter().collect::<Parsed<_>>()?;
        let link = self.link(LinkHole::Function(path.span()));
        let span = path.span();
        let together = Expr {
            kind: ExprKind::Together(Together {
                path,
                paren: call.paren_token,
                args,
                link,
            }),
            span,
        };
        let (local, name) = self.before("__g", together);
        Ok(ExprKind::Local(local, name))
    }

    fn group_argument(&mut self, e: &syn::Expr) -> Parsed<Argument> {
        let value = self.argument(e)?;
        let shared = match &value.bare().kind {
            ExprKind::Closure(_) | ExprKind::Function(_) => return Ok(Argument::Function(value)),
            ExprKind::Reference(_, _, of) if matches!(of.bare().kind, ExprKind::Function(_)) => {
                return Ok(Argument::Function(value));
            }
            ExprKind::Reference(..) => true,
            ExprKind::Local(local, _) => match self.locals[usize::from(*local)].kind {
                LocalKind::Slice(_) => true,
                LocalKind::Value | LocalKind::Argument => false,
            },
            _ => false,
        };
        if shared {
            return Ok(Argument::Shared(value));
        }
        if let Some(at) = effect(&value) {
            self.errors.push(syn::Error::new(
                at,
                "an argument of `group!` is evaluated before the statement that it stands in, and this does more than to \
                 give a value: bind it with a `let` before",
            ));
        }
        let known = self.known(&value);
        let (local, name) = self.before("__a", value);
        self.known.insert(local, known);
        Ok(Argument::Value(local, name))
    }

    /// Puts `let name = value;` before the statement that is read.
    fn before(&mut self, prefix: &str, value: Expr) -> (u16, Ident) {
        let span = value.span;
        let mixed = Span::mixed_site().located_at(span);
        let local = self.declare(mixed, LocalKind::Value);
        let name = format_ident!("{prefix}{local}", span = mixed);
        if let Some(before) = &mut self.before {
            before.push(Statement::Let(Let {
                init: Some((Token![=](mixed), value)),
                ..binding(local, name.clone(), mixed)
            }));
        }
        (local, name)
    }

    /// A statement, with what goes before it.
    pub(super) fn with_before<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Parsed<Option<T>>,
        check: impl FnOnce(&T, &[Statement]) -> Option<Span>,
    ) -> Parsed<(Vec<Statement>, Option<T>)> {
        let outer = self.before.replace(vec![]);
        let read = f(self);
        let before = std::mem::replace(&mut self.before, outer).unwrap_or_default();
        let statement = read?;
        if let Some(statement) = &statement
            && let Some(at) = check(statement, &before)
        {
            self.errors.push(syn::Error::new(
                at,
                "this `group!` would run before what stands in front of it in this expression, which reads memory or does \
                 more than to give a value: bind the value of `group!` with a `let` before",
            ));
        }
        Ok((before, statement))
    }

    /// `return value`. In a group function each item's result is in a variable.
    pub(super) fn return_(&mut self, token: Token![return], value: Option<Box<Expr>>) -> ExprKind {
        match (self.group.clone(), value) {
            (Some(Some(result)), Some(value)) => {
                let span = token.span;
                let kind = ExprKind::Return(token, None);
                let statements = vec![
                    Statement::Expr(assigned(&result, *value), Some(Token![;](span))),
                    Statement::Expr(Expr { kind, span }, Some(Token![;](span))),
                ];
                ExprKind::Block(
                    None,
                    Block {
                        brace: Brace(span),
                        statements,
                        tail: None,
                    },
                )
            }
            (_, value) => ExprKind::Return(token, value),
        }
    }

    /// `let result: R;`, for each item's result of a group function that has one.
    pub(super) fn declare_result(&mut self, output: &syn::ReturnType) -> Option<Statement> {
        let syn::ReturnType::Type(_, ty) = output else {
            return None;
        };
        if self.group.is_none() || matches!(&**ty, syn::Type::Tuple(t) if t.elems.is_empty()) {
            return None;
        }
        let mixed = Span::mixed_site().located_at(ty.span());
        let local = self.declare(mixed, LocalKind::Value);
        let name = Ident::new("__result", mixed);
        let hole = self.type_hole(TypeHole::Inferred(mixed));
        self.group = Some(Some((local, name.clone())));
        Some(Statement::Let(Let {
            ty: Some((Token![:](mixed), (**ty).clone())),
            hole: Some(hole),
            ..binding(local, name, mixed)
        }))
    }

    /// Makes the value of a group function's body that of the variable for results.
    pub(super) fn result_of_group(&mut self, body: &mut Block) {
        let Some(Some(result)) = &self.group else { return };
        if let Some(at) = without_value(body) {
            let message = "this group function returns a value, and its body may end here without one";
            self.errors.push(syn::Error::new(at, message));
        }
        assign_tail(body, result);
    }
}

/// `let name;`
fn binding(local: u16, name: Ident, span: Span) -> Let {
    Let {
        attrs: vec![],
        token: Token![let](span),
        pattern: Pattern::Bind(
            Binding {
                local,
                name,
                by_reference: None,
                mutability: None,
                plain: true,
            },
            None,
        ),
        ty: None,
        init: None,
        otherwise: None,
        hole: None,
        semi: Token![;](span),
    }
}

/// `result = value`
fn assigned((local, name): &(u16, Ident), value: Expr) -> Expr {
    let span = value.span;
    let place = Expr {
        kind: ExprKind::Local(*local, name.clone()),
        span,
    };
    let mixed = Span::mixed_site().located_at(span);
    Expr {
        kind: ExprKind::Assign(Box::new(place), Token![=](mixed), Box::new(value)),
        span,
    }
}

fn assign_tail(block: &mut Block, result: &(u16, Ident)) {
    if let Some(tail) = block.tail.take() {
        block.tail = Some(Box::new(assign(*tail, result)));
    }
}

/// Where a body ends without a value, as far as its last expression tells.
fn without_value(body: &Block) -> Option<Span> {
    let last = match (&body.tail, body.statements.last()) {
        (Some(tail), _) => &**tail,
        (None, Some(Statement::Expr(e, Some(_)))) => match &e.kind {
            // `return value;`
            ExprKind::Block(None, block) if matches!(block.statements.last(), Some(Statement::Expr(e, _)) if matches!(e.kind, ExprKind::Return(..))) =>
            {
                return None;
            }
            ExprKind::Loop(..) | ExprKind::Panic(_) => return None,
            _ => return Some(body.brace.span.close()),
        },
        (None, Some(Statement::Expr(e, None))) => e,
        (None, Some(Statement::Let(_)) | None) => return Some(body.brace.span.close()),
    };
    match &last.kind {
        ExprKind::If(If { otherwise: None, .. })
        | ExprKind::While(..)
        | ExprKind::For(_)
        | ExprKind::ForEach(_) => Some(last.span),
        _ => None,
    }
}

/// Branches assign in each of them, so that items may wait there.
fn assign(mut value: Expr, result: &(u16, Ident)) -> Expr {
    match &mut value.kind {
        ExprKind::If(i) if i.otherwise.is_some() => {
            assign_tail(&mut i.then, result);
            i.otherwise = i
                .otherwise
                .take()
                .map(|(token, e)| (token, Box::new(assign(*e, result))));
            value
        }
        ExprKind::Match(m) => {
            for arm in std::mem::take(&mut m.arms) {
                let body = assign(arm.body, result);
                m.arms.push(Arm { body, ..arm });
            }
            value
        }
        ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => {
            assign_tail(block, result);
            value
        }
        ExprKind::Panic(p) if !p.prints => value,
        ExprKind::Return(..) | ExprKind::Loop(..) => value,
        _ => assigned(result, value),
    }
}

/// Where an expression does more than to give a value, if it does.
fn effect(e: &Expr) -> Option<Span> {
    struct Search(Option<Span>);
    impl Visit for Search {
        fn expr(&mut self, e: &Expr) {
            let writes = match &e.kind {
                ExprKind::Assign(..) | ExprKind::AssignOp(..) | ExprKind::Reference(_, Some(_), _) => true,
                ExprKind::Method(m) => !m.is_believed_to_read() && m.receiver.path().is_some(),
                _ => false,
            };
            if writes {
                self.0.get_or_insert(e.span);
            }
            walk_expr(self, e);
        }
    }
    let mut search = Search(None);
    search.expr(e);
    search.0
}

/// Where a call that goes before the statement would be done before what stands in front of it.
pub(super) fn out_of_order(statement: &Statement, before: &[Statement]) -> Option<Span> {
    let calls = before.iter().filter_map(|s| match s {
        Statement::Let(Let {
            pattern: Pattern::Bind(binding, _),
            init: Some((_, init)),
            ..
        }) if matches!(init.kind, ExprKind::Together(_)) => Some((binding.local, init.span)),
        Statement::Let(_) | Statement::Expr(..) => None,
    });
    let mut order = Order {
        calls: calls.collect(),
        passed: false,
        found: None,
    };
    if !order.calls.is_empty() {
        order.statement(statement);
    }
    order.found
}

struct Order {
    calls: Vec<(u16, Span)>,
    /// Whether something was passed that may not be done after a call.
    passed: bool,
    found: Option<Span>,
}

impl Visit for Order {
    fn block(&mut self, _: &Block) {
        self.passed = true;
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Local(local, _) = &e.kind
            && let Some((_, at)) = self.calls.iter().find(|(call, _)| call == local)
            && self.passed
        {
            self.found.get_or_insert(*at);
        }
        walk_expr(self, e);
        self.passed |= match &e.kind {
            ExprKind::Index(_)
            | ExprKind::Subslice(_)
            | ExprKind::Deref(..)
            | ExprKind::Reference(..)
            | ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::Panic(_)
            | ExprKind::Consume(_) => true,
            ExprKind::Method(m) => !m.is_believed_to_read(),
            _ => false,
        };
    }
}
