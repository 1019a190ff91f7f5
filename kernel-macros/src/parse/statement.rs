//! Blocks and statements.

use super::ast::*;
use super::body::{LocalKind, Parsed, Parser, Refused};
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{Item, Pat, Stmt};

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
            match self.statement(stmt) {
                Ok(Some(Statement::Expr(e, None))) if last => out.tail = Some(Box::new(e)),
                Ok(Some(statement)) => out.statements.push(statement),
                Ok(None) => {}
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
            Stmt::Item(item @ Item::Use(_)) => self.hoist(item, None).map(|()| None),
            Stmt::Item(Item::Fn(f)) => {
                let help = "functions inside a kernel are not supported: move it out and mark it `#[device]`";
                self.refuse(f.sig.fn_token, help)
            }
            Stmt::Item(item) => self.refuse(
                item,
                "items other than `const` and `use` are not supported inside a kernel: move it out",
            ),
            Stmt::Macro(m) => {
                let name = m
                    .mac
                    .path
                    .segments
                    .last()
                    .map_or_else(String::new, |s| s.ident.to_string());
                self.macro_(&m.mac.path, &name)
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

    fn let_(&mut self, local: &syn::Local) -> Parsed<Let> {
        let (pat, ty) = match &local.pat {
            Pat::Type(p) => (&*p.pat, Some((p.colon_token, (*p.ty).clone()))),
            p => (p, None),
        };
        let init = match &local.init {
            Some(init) => {
                if let Some((token, _)) = &init.diverge {
                    return self.refuse(token, "`let … else` is not supported in kernels yet");
                }
                Some((init.eq_token, self.expr(&init.expr)?))
            }
            None => None,
        };
        let (binding, mutability) = match pat {
            Pat::Wild(_) => (None, None),
            pat => {
                let (name, mutability) = self.plain_name(pat)?;
                (
                    Some((self.bind(name, LocalKind::Value), name.clone())),
                    mutability,
                )
            }
        };
        if let (Some((local, _)), Some((_, ty))) = (&binding, &ty) {
            self.annotations.push((*local, ty.clone()));
        }
        if init.is_none() && binding.is_none() {
            return self.refuse(local, "`let _;` does nothing");
        }
        let hole = match (&init, &binding) {
            (None, Some((_, name))) => Some(self.type_hole(TypeHole::Inferred(name.span()))),
            _ => None,
        };
        Ok(Let {
            attrs: local.attrs.clone(),
            token: local.let_token,
            mutability,
            binding,
            ty,
            init,
            hole,
            semi: local.semi_token,
        })
    }
}
