//! Macro calls.

use super::ast::*;
use super::body::{Parsed, Parser};
use gridfn_ir::Scalar;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::token::{Brace, Paren};
use syn::{LitBool, Macro, Pat, Token};

impl Parser {
    /// A macro call.
    pub(super) fn macro_(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        match of_std(&mac.path).as_deref() {
            Some("matches") => return self.matches(mac),
            Some("panic") => return self.panic(mac, "explicit panic", ""),
            Some("unreachable") => {
                let words = "internal error: entered unreachable code";
                return self.panic(mac, words, &format!("{words}: "));
            }
            Some("todo") => return self.panic(mac, "not yet implemented", "not yet implemented: "),
            Some("unimplemented") => return self.panic(mac, "not implemented", "not implemented: "),
            Some("println") => return self.print(mac),
            Some("group") => return self.together(mac),
            Some("assert") => return self.assert(mac),
            Some("assert_eq") => return self.assert_equal(mac, true),
            Some("assert_ne") => return self.assert_equal(mac, false),
            Some(_) | None => {}
        }
        let last = mac.path.segments.last();
        let name = last.map_or_else(String::new, |s| s.ident.to_string());
        let help = match name.as_str() {
            "print" | "eprint" | "eprintln" => {
                ": kernels print whole lines to one place, the queue's; write `println!`"
            }
            "dbg" => ": write `println!(\"{value:?}\")`",
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
                ": a kernel is the same in all builds; write it without `debug_`"
            }
            "vec" | "format" => ": kernels cannot allocate; take a slice as a parameter",
            _ => ": write what it expands to",
        };
        self.refuse(
            &mac.path,
            format!("the macro `{name}!` is not supported in kernels yet{help}"),
        )
    }

    /// `matches!(value, pattern if guard)`, as the `match` that it is.
    fn matches(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        let (value, pat, guard) = match mac.parse_body_with(arguments) {
            Ok(arguments) => arguments,
            Err(e) => return self.refuse_with(e),
        };
        let (pattern, names) = self.pattern(&pat)?;
        let value = self.matched(&value, &pattern)?;
        let span = Span::mixed_site().located_at(mac.path.span());
        // A brace behind `return` or the name of a struct would belong to these.
        let value = Expr {
            span: value.span,
            kind: ExprKind::Paren(Paren(value.span), Box::new(value)),
        };
        let literal = |value| Expr {
            kind: ExprKind::Literal(Literal {
                minus: None,
                token: syn::Lit::Bool(LitBool::new(value, span)),
                value: LiteralValue::Bool(value),
                ty: LiteralType::Known(Scalar::Bool),
            }),
            span,
        };
        let guard = self.scope(|p| {
            p.enter(names);
            guard.map(|(token, e)| Ok((token, p.condition(&e)?))).transpose()
        })?;
        let arms = vec![
            Arm {
                pattern,
                guard,
                arrow: Token![=>](span),
                body: literal(true),
            },
            Arm {
                pattern: Pattern::Wild(Token![_](span)),
                guard: None,
                arrow: Token![=>](span),
                body: literal(false),
            },
        ];
        let kind = ExprKind::Match(Match {
            token: Token![match](span),
            value: Box::new(value),
            brace: Brace(span),
            arms,
        });
        // A statement that begins with a `match` ends behind it; one that begins with a macro call need not.
        Ok(ExprKind::Paren(Paren(span), Box::new(Expr { kind, span })))
    }
}

/// The name of a macro of std's.
fn of_std(path: &syn::Path) -> Option<String> {
    let names: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.as_slice() {
        [name] if path.leading_colon.is_none() => Some(name.clone()),
        [root, name] if root == "core" || root == "std" => Some(name.clone()),
        _ => None,
    }
}

type Arguments = (syn::Expr, Pat, Option<(Token![if], syn::Expr)>);

fn arguments(input: ParseStream) -> syn::Result<Arguments> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    let pattern = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(token) => Some((token, input.parse()?)),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    Ok((value, pattern, guard))
}
