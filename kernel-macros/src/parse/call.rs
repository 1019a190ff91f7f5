//! Calls.

use super::aggregate::is_constructor;
use super::ast::*;
use super::body::{Parsed, Parser, bare};
use crate::diagnostic::nearest;
use gridfn_ir::{DEVICE_MATH, Method as BuiltIn, Scalar};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ExprPath, Lit, Path};

/// The names that mean index functions in kernels, and whether each takes a dimension.
const INDEX_FUNCTIONS: &[(&str, bool)] = &[
    ("global_id", true),
    ("local_id", true),
    ("group_id", true),
    ("global_size", true),
    ("local_size", true),
    ("num_groups", true),
    ("global_linear_id", false),
    ("local_linear_id", false),
];

impl Parser {
    pub(super) fn method(&mut self, e: &syn::ExprMethodCall) -> Parsed<ExprKind> {
        if let Some(consume) = self.consume(e)? {
            return Ok(ExprKind::Consume(Box::new(consume)));
        }
        if let Some(turbofish) = &e.turbofish {
            return self.refuse(
                turbofish,
                "methods with type arguments are not supported in kernels",
            );
        }
        let receiver = self.receiver(e);
        let args = self.list(&e.args);
        let link = self.link(LinkHole::Method(e.method.clone()));
        Ok(ExprKind::Method(Method {
            receiver: receiver?,
            dot: e.dot_token,
            name: e.method.clone(),
            paren: e.paren_token,
            args: args?,
            link,
        }))
    }

    pub(super) fn call(&mut self, e: &syn::ExprCall) -> Parsed<ExprKind> {
        let path = match bare(&e.func) {
            syn::Expr::Path(p) if p.qself.is_some() => return self.associated(p, e),
            syn::Expr::Path(p) => p.path.clone(),
            syn::Expr::Closure(c) => {
                return self.refuse(
                    c.inputs_begin,
                    "closures are not supported in kernels yet: write a `#[device]` fn",
                );
            }
            f => return self.refuse(f, "kernels call functions by their names only"),
        };
        if let Some(name) = path.get_ident()
            && let Some((local, name)) = self.resolve(name)
        {
            if let Some(signature) = self.functions.get(&local).cloned() {
                let args = self.list(&e.args)?;
                return Ok(ExprKind::CallParam(CallParam {
                    local,
                    name,
                    paren: e.paren_token,
                    args,
                    link: self.link(LinkHole::Parameter(signature)),
                }));
            }
            let args = self.list(&e.args)?;
            let paren = e.paren_token;
            return Ok(ExprKind::CallClosure(CallClosure {
                local,
                name,
                paren,
                args,
            }));
        }
        if path.segments.last().is_some_and(|s| is_constructor(&s.ident)) {
            let args = self.list(&e.args)?;
            return Ok(self.construct(path, Form::Call(e.paren_token, args)));
        }
        let args = self.list(&e.args);
        let link = match self.callee(&path, e)? {
            Some(link) => link,
            None => LinkHole::Function(path.span()),
        };
        let link = self.link(link);
        Ok(ExprKind::Call(Call {
            path,
            paren: e.paren_token,
            args: args?,
            link,
        }))
    }

    /// `<Type as Trait>::name(…)`
    fn associated(&mut self, path: &ExprPath, e: &syn::ExprCall) -> Parsed<ExprKind> {
        let args = self.list(&e.args)?;
        let link = self.link(LinkHole::Associated(path.clone()));
        Ok(ExprKind::Call(Call {
            path: path.path.clone(),
            paren: e.paren_token,
            args,
            link,
        }))
    }

    /// The callee, where its name tells it: an index function, or a function of a type, which is a method of the table or
    /// a user's.
    fn callee(&mut self, path: &Path, e: &syn::ExprCall) -> Parsed<Option<LinkHole>> {
        let Some(last) = path.segments.last() else {
            return Ok(None);
        };
        let name = last.ident.to_string();
        if let Some((_, takes_dimension)) = INDEX_FUNCTIONS.iter().find(|f| f.0 == name) {
            if *takes_dimension {
                self.dimension(&name, e)?;
            }
            return Ok(Some(LinkHole::Index(last.ident.clone())));
        }
        let Some(owner) = path.segments.iter().rev().nth(1) else {
            return Ok(None);
        };
        let owner = owner.ident.unraw().to_string();
        let of_scalar = Scalar::from_name(&owner).is_some();
        if !of_scalar && !owner.starts_with(char::is_uppercase) {
            return Ok(None);
        }
        if BuiltIn::NAMES.contains(&name.as_str()) || DEVICE_MATH.contains(&name.as_str()) {
            return Ok(Some(LinkHole::Path(path.clone())));
        }
        if of_scalar {
            let help =
                nearest(&name, BuiltIn::NAMES).map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
            let help = format!("`{name}` of `{owner}` cannot be called in kernels{help}");
            return self.refuse(&last.ident, help);
        }
        Ok(Some(LinkHole::Associated(ExprPath {
            attrs: vec![],
            qself: None,
            path: path.clone(),
        })))
    }

    /// An index function takes its dimension as a literal, so that every code form can name it.
    fn dimension(&mut self, name: &str, e: &syn::ExprCall) -> Parsed<()> {
        match e.args.first() {
            // The wrong number of arguments is rustc's to report.
            None => Ok(()),
            Some(syn::Expr::Lit(l)) if matches!(&l.lit, Lit::Int(i) if matches!(i.base10_parse::<u64>(), Ok(0..=2))) => {
                Ok(())
            }
            Some(other) => self.refuse(
                other,
                format!("the dimension of `{name}` is a literal: 0, 1 or 2"),
            ),
        }
    }
}
