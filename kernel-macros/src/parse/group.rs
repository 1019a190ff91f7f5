//! What the items of a work-group do together: `barrier()`, `local_array::<T, N>()`, `uniform(value)`.
//!
//! Kernels know these functions by their names; rustc confirms them.

use super::ast::*;
use super::body::{Parsed, Parser};
use super::primitive::Known;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments};

/// A function of work-groups.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum GroupFunction {
    Barrier,
    LocalArray,
    Uniform,
}

impl GroupFunction {
    /// The function of that name.
    pub(super) fn of(name: &Ident) -> Option<GroupFunction> {
        Some(match name.to_string().as_str() {
            "barrier" => GroupFunction::Barrier,
            "local_array" => GroupFunction::LocalArray,
            "uniform" => GroupFunction::Uniform,
            _ => return None,
        })
    }

    /// How it is called.
    fn form(self) -> &'static str {
        match self {
            GroupFunction::Barrier => "barrier()",
            GroupFunction::LocalArray => "local_array::<T, N>()",
            GroupFunction::Uniform => "uniform(value)",
        }
    }
}

impl Parser {
    pub(super) fn group_call(
        &mut self,
        function: GroupFunction,
        path: Path,
        e: &syn::ExprCall,
    ) -> Parsed<ExprKind> {
        let form = function.form();
        if !self.in_kernel {
            let (what, remedy) = match self.captures {
                Some(_) => ("a closure has no", "write a `#[kernel]` fn"),
                None => (
                    "a device function that each item calls for itself has no",
                    "mark it `#[device(group)]`, and call it as `group!(f(…))`",
                ),
            };
            return self.refuse(&path, format!("{what} `{form}`: {remedy}"));
        }
        let args = self.list(&e.args)?;
        let call = GroupCall {
            path,
            paren: e.paren_token,
        };
        let mut args = args.into_iter();
        let kind = match (function, args.next()) {
            (GroupFunction::Barrier, None) => ExprKind::Barrier(call),
            (GroupFunction::LocalArray, None) => {
                let hole = self.type_hole(TypeHole::LocalArray(call.path.span()));
                ExprKind::LocalArray(call, hole)
            }
            (GroupFunction::Uniform, Some(value)) => ExprKind::Uniform(call, Box::new(value)),
            (GroupFunction::Barrier | GroupFunction::LocalArray, Some(_))
            | (GroupFunction::Uniform, None) => {
                return self.refuse(&e.func, format!("it is called as `{form}`"));
            }
        };
        match args.next() {
            None => Ok(kind),
            Some(_) => self.refuse(&e.func, format!("it is called as `{form}`")),
        }
    }

    /// What the turbofish of `local_array` tells.
    pub(super) fn known_local_array(&self, path: &Path) -> Known {
        let Some(PathArguments::AngleBracketed(arguments)) = path.segments.last().map(|s| &s.arguments)
        else {
            return Known::Nothing;
        };
        match arguments.args.first() {
            Some(GenericArgument::Type(element)) => Known::List(Box::new(self.known_type(element))),
            _ => Known::Nothing,
        }
    }
}
