//! Blocks and statements.

use super::ast::*;
use super::body::{Parsed, Parser, Refused};
use super::primitive::Known;
use super::together::out_of_order;
use proc_macro2::{Ident, Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Item, Pat, Stmt, Token};

impl Parser {
    /// A block, in a scope of its own. Every statement is read, so that all mistakes are told at once.
    pub(super) fn block(&mut self, block: &syn::Block) -> Parsed<Block> {
        self.scope(|p| p.statements(block))
    }

    fn statements(&mut self, block: &syn::Block) -> Parsed<Block> {
        let mut out = Block {
            brace: block.brace_token,
            statements: vec![],
            tail: None,
        };
        let mut refused = false;
        for (n, stmt) in block.stmts.iter().enumerate() {
            let last = n + 1 == block.stmts.len();
            match self.with_before(|p| p.statement(stmt), out_of_order) {
                Ok((before, statement)) => {
                    out.statements.extend(before);
                    match statement {
                        Some(Statement::Expr(e, None)) if last => out.tail = Some(Box::new(e)),
                        Some(Statement::Let(mut l)) => {
                            bind_call(&mut out.statements, &mut l);
                            out.statements.push(Statement::Let(l));
                        }
                        Some(statement) => out.statements.push(statement),
                        None => {}
                    }
                }
                Err(Refused) => refused = true,
            }
        }
        if refused { Err(Refused) } else { Ok(out) }
    }

    fn statement(&mut self, stmt: &Stmt) -> Parsed<Option<Statement>> {
        // An item is hoisted with its attributes, and rustc drops it as it would have.
        if !matches!(stmt, Stmt::Item(_)) {
            self.unconditional(stmt)?;
        }
        match stmt {
            Stmt::Local(local) => self.let_(local).map(|l| Some(Statement::Let(l))),
            // A `;` alone.
            Stmt::Expr(syn::Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => Ok(None),
            Stmt::Expr(e, semi) => Ok(Some(Statement::Expr(self.expr(e)?, *semi))),
            Stmt::Item(item @ Item::Const(c)) => self.hoist(item, Some(&c.ident)).map(|()| None),
            Stmt::Item(item @ Item::Static(s)) if matches!(s.mutability, syn::StaticMutability::None) => {
                self.hoist(item, Some(&s.ident)).map(|()| None)
            }
            Stmt::Item(item @ Item::Use(_)) => self.hoist(item, None).map(|()| None),
            Stmt::Item(Item::Fn(f)) => {
                let help = "functions inside a kernel are not supported: move it out and mark it `#[device]`";
                self.refuse(f.sig.fn_token, help)
            }
            Stmt::Item(item) => self.refuse(
                item,
                "items other than `const`, `static` and `use` are not supported inside a kernel: move it out",
            ),
            Stmt::Macro(m) => {
                let kind = self.macro_(&m.mac)?;
                if m.semi_token.is_some() && m.mac.path.is_ident("group") {
                    // The call stands before this statement, which would be its value.
                    return Ok(None);
                }
                let span = m.mac.path.span();
                Ok(Some(Statement::Expr(Expr { kind, span }, m.semi_token)))
            }
        }
    }

    /// Refuses `cfg` in front of a statement or parameter: rustc evaluates it after this macro, so the tree would hold
    /// what the program does not.
    pub(super) fn unconditional(&mut self, tokens: impl ToTokens) -> Parsed<()> {
        let mut tokens = tokens.to_token_stream().into_iter();
        while let (Some(TokenTree::Punct(hash)), Some(TokenTree::Group(attribute))) =
            (tokens.next(), tokens.next())
        {
            if hash.as_char() != '#' {
                break;
            }
            let name = attribute.stream().into_iter().next();
            if name.is_some_and(|name| matches!(name.to_string().as_str(), "cfg" | "cfg_attr")) {
                return self.refuse(
                    attribute,
                    "`cfg` inside a kernel is not supported: put it on the kernel",
                );
            }
        }
        Ok(())
    }

    /// What takes parameters apart whose patterns are no names: `let pattern = name;`.
    pub(super) fn taken_apart<'p>(
        &mut self,
        params: impl Iterator<Item = (&'p Ident, &'p Pat)>,
    ) -> Parsed<Vec<Statement>> {
        let all: Vec<_> = params
            .map(|(name, pat)| {
                let (pattern, names) = self.pattern(pat)?;
                let Some((local, name)) = self.resolve(name) else {
                    unreachable!("the parameter was bound just now");
                };
                self.enter(names);
                if let Some(known) = self.known.get(&local).cloned() {
                    self.note(&pattern, known);
                }
                let (kind, span) = (ExprKind::Local(local, name), pat.span());
                let mixed = Span::mixed_site().located_at(span);
                Ok(Statement::Let(Let {
                    attrs: vec![],
                    token: Token![let](mixed),
                    pattern,
                    ty: None,
                    init: Some((Token![=](mixed), Expr { kind, span })),
                    otherwise: None,
                    hole: None,
                    semi: Token![;](mixed),
                }))
            })
            .collect();
        all.into_iter().collect()
    }

    fn let_(&mut self, local: &syn::Local) -> Parsed<Let> {
        let (pat, ty) = match &local.pat {
            Pat::Type(p) => (&*p.pat, Some((p.colon_token, (*p.ty).clone()))),
            p => (p, None),
        };
        let diverges = local.init.as_ref().is_some_and(|init| init.diverge.is_some());
        let pattern = if diverges {
            self.pattern(pat)
        } else {
            self.irrefutable(pat)
        };
        let init = match &local.init {
            Some(init) => {
                let name = matches!(&pattern, Ok((p, _)) if p.as_name().is_some());
                let value = match &pattern {
                    Ok((pattern, _)) if !name => self.matched(&init.expr, pattern),
                    _ => self.expr(&init.expr),
                };
                Some((init.eq_token, value?))
            }
            None => None,
        };
        let otherwise = match local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            Some((token, e)) => match &**e {
                syn::Expr::Block(b) if b.label.is_none() => Some((*token, self.block(&b.block)?)),
                e => return self.refuse(e, "a block stands behind the `else` of a `let`"),
            },
            None => None,
        };
        let (pattern, names) = pattern?;
        self.enter(names);
        let known = match (&ty, &init) {
            (Some((_, ty)), _) => self.known_type(ty),
            (None, Some((_, init))) => self.known(init),
            (None, None) => Known::Nothing,
        };
        self.note(&pattern, known);
        if let (Some(binding), Some((_, ty))) = (pattern.as_name(), &ty) {
            self.annotations.push((binding.local, ty.clone()));
        }
        if let (Some(binding), Some((_, init))) = (pattern.as_name(), &init)
            && binding.mutability.is_none()
            && init.is_unique_part()
        {
            self.parts.insert(binding.local);
        }
        let hole = match (&init, pattern.as_name()) {
            (Some(_), _) => None,
            (None, Some(binding)) => Some(self.type_hole(TypeHole::Inferred(binding.name.span()))),
            (None, None) => {
                return self.refuse(&local.pat, "a `let` without a value binds a plain name");
            }
        };
        Ok(Let {
            attrs: local.attrs.clone(),
            token: local.let_token,
            pattern,
            ty,
            init,
            otherwise,
            hole,
            semi: local.semi_token,
        })
    }
}

/// `let name = group!(…)` binds the call's value by its own name.
fn bind_call(before: &mut Vec<Statement>, l: &mut Let) {
    let (Some((_, init)), Some(_), None) = (&mut l.init, l.pattern.as_name(), &l.otherwise) else {
        return;
    };
    let ExprKind::Local(local, _) = &init.bare().kind else {
        return;
    };
    let is_call = matches!(
        before.last(),
        Some(Statement::Let(Let {
            pattern: Pattern::Bind(binding, None),
            init: Some((_, Expr { kind: ExprKind::Together(_), .. })),
            ..
        })) if binding.local == *local
    );
    if is_call
        && let Some(Statement::Let(Let {
            init: Some((_, call)),
            ..
        })) = before.pop()
    {
        *init = call;
    }
}
