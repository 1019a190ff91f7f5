//! Macro calls.

use super::ast::*;
use super::body::{Parsed, Parser};
use gridfn_ir::Scalar;
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::{LitBool, Macro, Pat, Token};

impl Parser {
    /// A macro call.
    pub(super) fn macro_(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        if is_matches(&mac.path) {
            return self.matches(mac);
        }
        let last = mac.path.segments.last();
        let name = last.map_or_else(String::new, |s| s.ident.to_string());
        let help = match name.as_str() {
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
            guard.map(|(token, e)| Ok((token, p.expr(&e)?))).transpose()
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
        Ok(ExprKind::Match(Match {
            token: Token![match](span),
            value: Box::new(value),
            brace: Brace(span),
            arms,
        }))
    }
}

/// Whether the path is that of Rust's own macro.
fn is_matches(path: &syn::Path) -> bool {
    let names: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["matches"] => path.leading_colon.is_none(),
        ["core" | "std", "matches"] => true,
        _ => false,
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
