//! Calls.

use super::aggregate::is_constructor;
use super::ast::*;
use super::atomic::end_in_ordering;
use super::body::{Parsed, Parser, bare};
use super::group::GroupFunction;
use super::subgroup::of_subgroups;
use crate::diagnostic::nearest;
use gridfn_ir::{Access, CoreMethod, DEVICE_MATH, FROM_BYTES, Method as BuiltIn, Scalar};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{ExprPath, Lit, LitStr, Path, Token};

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
        // A `$crate` that is misplaced comes as a name that no name can be made from.
        if e.method == "$crate" {
            return self.refuse(&e.method, "expected the name of a method");
        }
        if let Some(message) = expected(e) {
            return self.expect(e, message);
        }
        let receiver = self.receiver(e);
        let args = if CoreMethod::takes_function(&e.method.to_string()) {
            self.arguments(&e.args)
        } else {
            self.list(&e.args)
        };
        let link = self.link(LinkHole::Method(e.method.clone()));
        Ok(ExprKind::Method(Method {
            receiver: receiver?,
            dot: e.dot_token,
            name: e.method.clone(),
            paren: e.paren_token,
            args: args?,
            link,
            of_slices: of_slices(e),
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
        if let Some(name) = of_subgroups(&path) {
            return self.subgroup_call(&name, path, e);
        }
        if let Some(function) = path.segments.last().and_then(|s| GroupFunction::of(&s.ident)) {
            return self.group_call(function, path, e);
        }
        let args = self.arguments(&e.args);
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
        let args = self.arguments(&e.args)?;
        let link = self.link(LinkHole::Associated(path.clone()));
        Ok(ExprKind::Call(Call {
            path: path.path.clone(),
            paren: e.paren_token,
            args,
            link,
        }))
    }

    /// The arguments of a function, among which functions may be.
    fn arguments(&mut self, args: &Punctuated<syn::Expr, Token![,]>) -> Parsed<Vec<Expr>> {
        let all: Vec<_> = args.iter().map(|e| self.argument(e)).collect();
        all.into_iter().collect()
    }

    pub(super) fn argument(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        if let syn::Expr::Reference(r) = e
            && let Some(of) = self.passed_on(&r.expr)?
        {
            let function = Box::new(self.function_value(of, r.expr.span()));
            let kind = ExprKind::Reference(r.and_token, r.mutability, function);
            return Ok(Expr { kind, span: e.span() });
        }
        match self.passed_on(e)? {
            Some(of) => Ok(self.function_value(of, e.span())),
            None => self.expr(e),
        }
    }

    fn function_value(&mut self, of: PassedOn, span: Span) -> Expr {
        let link = match &of {
            PassedOn::Device(path) => LinkHole::Function(path.span()),
            PassedOn::Parameter(local, _) => LinkHole::Parameter(self.functions[local].clone()),
        };
        let link = self.link(link);
        let kind = ExprKind::Function(FunctionValue { of, link });
        Expr { kind, span }
    }

    /// The function that an argument names: one that the kernel takes, or a `#[device]` function. A constant has another
    /// name, and a variable is known.
    fn passed_on(&mut self, e: &syn::Expr) -> Parsed<Option<PassedOn>> {
        let syn::Expr::Path(ExprPath {
            path, qself: None, ..
        }) = bare(e)
        else {
            return Ok(None);
        };
        if let Some(name) = path.get_ident() {
            if let Some((local, name)) = self.resolve(name) {
                let known = self.functions.contains_key(&local);
                return Ok(known.then_some(PassedOn::Parameter(local, name)));
            }
            // To a closure it may be a variable, which is captured.
            if self.captures.is_some() {
                return Ok(None);
            }
        }
        let mut names = path.segments.iter().rev().map(|s| s.ident.unraw().to_string());
        if !names
            .next()
            .is_some_and(|name| name.starts_with(char::is_lowercase))
        {
            return Ok(None);
        }
        match names.next() {
            Some(owner) if Scalar::from_name(&owner).is_some() || owner.starts_with(char::is_uppercase) => {
                self.refuse(
                    path,
                    "a method as an argument is not supported in kernels: write a closure that calls it",
                )
            }
            _ => Ok(Some(PassedOn::Device(path.clone()))),
        }
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
        // Types of the crate `half`, or others of that name: rustc tells.
        let of_half = Scalar::HALVES.iter().any(|s| s.name() == owner);
        if !of_scalar && !of_half && !owner.starts_with(char::is_uppercase) {
            return Ok(None);
        }
        let of_core = CoreMethod::is_of_numbers(&name) || FROM_BYTES.iter().any(|f| f.0 == name);
        if BuiltIn::is_of_primitives(&name) || DEVICE_MATH.contains(&name.as_str()) || (of_scalar && of_core)
        {
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

/// How a method uses the elements of what it is called on, if it is one of core's methods of slices.
pub(super) fn of_slices(e: &syn::ExprMethodCall) -> Option<Access> {
    if end_in_ordering(&e.args) {
        return None;
    }
    CoreMethod::of_slices(&e.method.to_string())
}

/// The message of `expect`.
fn expected(e: &syn::ExprMethodCall) -> Option<&LitStr> {
    match (e.method == "expect", e.args.first()) {
        (
            true,
            Some(syn::Expr::Lit(syn::ExprLit {
                lit: Lit::Str(message),
                ..
            })),
        ) if e.args.len() == 1 => Some(message),
        _ => None,
    }
}
