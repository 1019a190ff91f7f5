//! Functions of `gridfn::subgroup`. Kernels know them by their names, behind `subgroup::`; rustc confirms them.

use super::ast::*;
use super::body::{Parsed, Parser, bare};
use crate::diagnostic::nearest;
use gridfn_ir::SubgroupFunction;
use proc_macro2::Ident;
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The functions that tell where an item is, and the index functions that they are.
const QUERIES: [(&str, &str); 4] = [
    ("size", "subgroup_size"),
    ("count", "subgroup_count"),
    ("id", "subgroup_id"),
    ("local_id", "subgroup_local_id"),
];

/// The name of the function, if the path is `subgroup::name`.
pub(super) fn of_subgroups(path: &Path) -> Option<Ident> {
    let mut names = path.segments.iter().rev().map(|s| s.ident.unraw());
    let name = names.next()?;
    names.next().filter(|module| module == "subgroup")?;
    Some(name)
}

impl Parser {
    pub(super) fn subgroup_call(&mut self, name: &Ident, path: Path, e: &syn::ExprCall) -> Parsed<ExprKind> {
        if let Some((_, index)) = QUERIES.iter().find(|(query, _)| name == query) {
            let args = self.list(&e.args)?;
            let link = self.link(LinkHole::Index(Ident::new(index, path.span())));
            return Ok(ExprKind::Call(Call {
                path,
                paren: e.paren_token,
                args,
                link,
            }));
        }
        let Some(function) = SubgroupFunction::from_name(&name.to_string()) else {
            let names = SubgroupFunction::ALL.map(SubgroupFunction::name);
            let nearest = nearest(&name.to_string(), &names);
            let help = nearest.map_or_else(String::new, |n| format!("; did you mean `subgroup::{n}`?"));
            return self.refuse(name, format!("there is no `subgroup::{name}`{help}"));
        };
        let form = format!("subgroup::{name}({})", function.arguments().join(", "));
        if !self.in_kernel {
            let message = match self.captures {
                Some(_) => format!("a closure has no `{form}`: write a `#[kernel]` fn"),
                None => format!(
                    "all items of a work-group reach a `subgroup::{name}` together, and a device function is called by each for \
                     itself: call it in the kernel, and pass what it gives"
                ),
            };
            return self.refuse(&path, message);
        }
        if self.group.is_some() {
            let message = format!(
                "a group function has no `subgroup::{name}` yet: call it in the kernel, and pass what it gives"
            );
            return self.refuse(&path, message);
        }
        if e.args.len() != function.arguments().len() {
            return self.refuse(&e.func, format!("it is called as `{form}`"));
        }
        let mut args = vec![];
        for (n, arg) in e.args.iter().enumerate() {
            if function.takes_operator() && n + 1 == e.args.len() {
                args.push(self.combiner(arg)?);
            } else {
                args.push(self.expr(arg)?);
            }
        }
        let number = self.holes.subgroups.len() as u16;
        self.holes.subgroups.push(path.span());
        let call = GroupCall {
            path,
            paren: e.paren_token,
        };
        Ok(ExprKind::Subgroup(SubgroupCall {
            call,
            function,
            args,
            number,
        }))
    }

    /// The function that combines two values.
    fn combiner(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let operator = match bare(e) {
            e @ syn::Expr::Closure(_) => self.expr(e)?,
            e => self.argument(e)?,
        };
        match operator.kind {
            ExprKind::Closure(_) | ExprKind::Function(_) => Ok(operator),
            _ => self.refuse(
                e,
                "a kernel needs the function that combines two values written here: `|a, b| …`, or the name of a `#[device]` fn",
            ),
        }
    }
}
