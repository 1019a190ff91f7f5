//! Tuples, arrays and structs.

use super::ast::*;
use super::body::{Parsed, Parser};
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ExprPath, Path};

/// What a name is, as Rust's conventions have it. The emitted code makes rustc confirm it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Naming {
    /// `name`
    Variable,
    /// `Name`
    Type,
    /// `NAME`
    Constant,
}

pub(super) fn naming(name: &Ident) -> Naming {
    let name = name.unraw().to_string();
    if !name.chars().find(|c| *c != '_').is_some_and(char::is_uppercase) {
        Naming::Variable
    } else if name.chars().any(char::is_lowercase) {
        Naming::Type
    } else {
        Naming::Constant
    }
}

/// Whether the function of that name makes a struct or variant.
pub(super) fn is_constructor(name: &Ident) -> bool {
    naming(name) != Naming::Variable
}

/// Whether the path is that of a unit struct or variant.
pub(super) fn is_unit(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|s| naming(&s.ident) == Naming::Type)
}

impl Parser {
    pub(super) fn tuple(&mut self, e: &syn::ExprTuple) -> Parsed<ExprKind> {
        if e.elems.is_empty() {
            return Ok(ExprKind::Unit(e.paren_token));
        }
        Ok(ExprKind::Tuple(e.paren_token, self.list(&e.elems)?))
    }

    pub(super) fn repeat(&mut self, e: &syn::ExprRepeat) -> Parsed<ExprKind> {
        Ok(ExprKind::Repeat(Repeat {
            bracket: e.bracket_token,
            value: self.boxed(&e.expr)?,
            semi: e.semi_token,
            len: (*e.len).clone(),
            hole: self.type_hole(TypeHole::Inferred(e.bracket_token.span.open())),
        }))
    }

    pub(super) fn struct_(&mut self, e: &syn::ExprStruct) -> Parsed<ExprKind> {
        self.unqualified(e.qself.as_ref())?;
        let fields: Vec<_> = e
            .fields
            .iter()
            .map(|f| {
                self.unconditional(f)?;
                Ok((f.member.clone(), self.expr(&f.expr)?))
            })
            .collect();
        let base = match (&e.dot2_token, &e.rest) {
            (Some(dots), Some(base)) => {
                let base = self.place(base, Mode::Value)?;
                Some((*dots, Box::new(base)))
            }
            (Some(dots), None) => return self.refuse(dots, "a base expression is missing behind the `..`"),
            (None, _) => None,
        };
        let form = Form::Fields {
            brace: e.brace_token,
            fields: fields.into_iter().collect::<Parsed<_>>()?,
            base,
        };
        Ok(self.construct(e.path.clone(), form))
    }

    pub(super) fn construct(&mut self, path: Path, form: Form) -> ExprKind {
        let hole = self.type_hole(TypeHole::Inferred(path.span()));
        ExprKind::Construct(Construct { path, form, hole })
    }

    pub(super) fn constant(&mut self, path: &ExprPath) -> u16 {
        self.holes.constants.push(path.clone());
        self.holes.constants.len() as u16 - 1
    }

    pub(super) fn unqualified(&mut self, qself: Option<&syn::QSelf>) -> Parsed<()> {
        match qself {
            Some(q) => self.refuse(
                q.lt_token,
                "a qualified path is that of a constant or function in kernels: name the type by a `type`",
            ),
            None => Ok(()),
        }
    }
}
