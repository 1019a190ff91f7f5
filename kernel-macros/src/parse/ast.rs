//! The body as we understood it, with the user's tokens still at hand.
//!
//! Two things are made from it: the tokens of the closure (`expand/closure`) and the tree that devices compile
//! (`expand/tree`). Both walk the same nodes, so they cannot disagree about what was written.

#![expect(
    clippy::large_enum_variant,
    reason = "a tree is small, and lives for one expansion"
)]

mod expr;
mod iterator;
mod pattern;
mod visit;

pub(crate) use expr::*;
pub(crate) use iterator::*;
pub(crate) use pattern::*;
pub(crate) use visit::*;

use gridfn_ir::Access;
use proc_macro2::{Ident, Span};
use syn::{Attribute, ExprPath, Generics, Member, Path, Token, Type, Visibility};

/// A kernel or device function.
pub(crate) struct Function {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub unsafety: Option<Token![unsafe]>,
    pub name: Ident,
    pub generics: Generics,
    pub params: Vec<Param>,
    /// The type of the result; `None` for `()`.
    pub result: Option<Type>,
    pub body: Block,
    pub holes: Holes,
    /// The type parameters that are taken for numbers.
    pub numbers: Vec<Ident>,
    /// The types of annotated `let`s.
    #[cfg_attr(
        not(feature = "aot"),
        expect(dead_code, reason = "rustc reads them; only filling ahead needs them")
    )]
    pub annotations: Vec<(u16, Type)>,
    /// `const`, `static` and `use` items of the body, which the constants of the instance may need.
    pub items: Vec<syn::Item>,
    /// Of a closure that is passed to a kernel: how many of its parameters, the first ones, are captures. To the
    /// kernel they are one, a struct.
    pub environment: Option<usize>,
    /// Of a function that all items of a work-group call together.
    pub group: Option<GroupPart>,
}

/// What a group function has besides.
#[derive(Clone, Copy)]
pub(crate) struct GroupPart {
    /// The variable that holds each item's result, if there are results; its `let` is the body's first statement.
    pub result: Option<u16>,
}

impl Function {
    /// The variable that holds each item's result of a group function.
    pub(crate) fn group_result(&self) -> Option<u16> {
        self.group.and_then(|group| group.result)
    }
}

/// A parameter.
pub(crate) struct Param {
    pub name: Ident,
    pub mutability: Option<Token![mut]>,
    pub kind: ParamKind,
    /// As written.
    pub ty: Type,
    /// `#[uniform]`: of a group function, a value that is the same for all items.
    pub uniform: bool,
}

impl Param {
    /// Its name in messages and in code for people.
    pub(crate) fn shown(&self) -> String {
        let name = self.name.to_string();
        match self.kind {
            ParamKind::Capture(_) => name.strip_prefix(super::PREFIX).unwrap_or(&name).to_string(),
            ParamKind::Value
            | ParamKind::Slice { .. }
            | ParamKind::Atomics { .. }
            | ParamKind::Reference { .. }
            | ParamKind::Argument
            | ParamKind::Tuple(_)
            | ParamKind::Callable
            | ParamKind::Function(_) => name,
        }
    }
}

/// What a parameter is, as far as its syntax tells.
pub(crate) enum ParamKind {
    /// A built-in type or a type parameter; of a device function, any type but a reference.
    Value,
    /// `&[T]`, `&mut [T]`
    Slice { element: Type, access: Access },
    /// `&[AtomicU32]` and its kin.
    Atomics { element: Type },
    /// `&T`, `&mut T`, which only device functions take.
    Reference { target: Type, access: Access },
    /// A type that only rustc knows: a struct of arguments, an array, an alias.
    Argument,
    /// `(A, B, …)`, of which each part is passed as if it were a parameter.
    Tuple(Vec<Part>),
    /// What a closure captured.
    Capture(Mode),
    /// A function: its type parameter, its bound's arguments and result.
    Function(Signature),
    /// A function that a device function takes: whatever Rust can call so, or a reference to it.
    Callable,
}

/// `F: Fn(A, B) -> R`
#[derive(Clone)]
pub(crate) struct Signature {
    pub name: Ident,
    pub arguments: Vec<Type>,
    pub result: Type,
}

/// A part of a tuple parameter.
pub(crate) struct Part {
    pub ty: Type,
    pub kind: ParamKind,
}

/// How a closure's body uses what it captured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mode {
    /// As a value.
    Value,
    /// Its elements or length.
    Shared,
    /// It writes elements.
    Unique,
}

impl ParamKind {
    /// The part of a tuple to which the fields lead, as far as the syntax tells.
    pub(crate) fn part(&self, fields: &[&Member]) -> Option<&ParamKind> {
        let Some((member, rest)) = fields.split_first() else {
            return Some(self);
        };
        match (self, member) {
            (ParamKind::Tuple(parts), Member::Unnamed(n)) => parts.get(n.index as usize)?.kind.part(rest),
            _ => None,
        }
    }

    /// How the body may use the elements, as far as the syntax tells.
    pub(crate) fn access(&self) -> Option<Access> {
        match self {
            ParamKind::Slice { access, .. } => Some(*access),
            ParamKind::Atomics { .. } | ParamKind::Capture(Mode::Shared) => Some(Access::Shared),
            ParamKind::Capture(Mode::Unique) => Some(Access::Unique),
            ParamKind::Value
            | ParamKind::Reference { .. }
            | ParamKind::Argument
            | ParamKind::Tuple(_)
            | ParamKind::Function(_)
            | ParamKind::Callable
            | ParamKind::Capture(Mode::Value) => None,
        }
    }

    /// Whether the part to which the fields lead may be more than a value: a view of a buffer, or of several.
    pub(crate) fn may_be_view(&self, fields: &[&Member]) -> bool {
        match (self, fields.split_first()) {
            (ParamKind::Argument | ParamKind::Function(_), _) | (ParamKind::Tuple(_), None) => true,
            (ParamKind::Tuple(parts), Some((Member::Unnamed(n), rest))) => {
                let part = parts.get(n.index as usize);
                part.is_some_and(|part| part.kind.may_be_view(rest))
            }
            (ParamKind::Tuple(_), Some((Member::Named(_), _))) => false,
            (
                ParamKind::Value
                | ParamKind::Slice { .. }
                | ParamKind::Atomics { .. }
                | ParamKind::Reference { .. }
                | ParamKind::Callable
                | ParamKind::Capture(_),
                _,
            ) => false,
        }
    }
}

/// Everything that rustc fills in.
#[derive(Default)]
pub(crate) struct Holes {
    pub types: Vec<TypeHole>,
    pub links: Vec<LinkHole>,
    pub constants: Vec<ExprPath>,
    /// What each operation of sub-groups gives and takes, at the operation.
    pub subgroups: Vec<Span>,
}

/// Where a type comes from.
pub(crate) enum TypeHole {
    /// The type of a parameter, by its number.
    Param(usize),
    /// The type of the result.
    Result,
    /// A type that is written out, as behind `as`.
    Written(Type),
    /// A type that only inference knows.
    Inferred(Span),
    /// The type of a local array, which only inference knows.
    LocalArray(Span),
}

/// Where a callee comes from.
pub(crate) enum LinkHole {
    /// `receiver.name(…)`; found by a probe.
    Method(Ident),
    /// `Type::name(…)`, a method of the table called by its path.
    Path(Path),
    /// `Type::name(…)`, a function of a user's type or trait.
    Associated(ExprPath),
    /// An operator; found by a probe.
    Operator(Span),
    /// An index function, called by its name.
    Index(Ident),
    /// A `#[device]` function, called or passed on.
    Function(Span),
    /// A function that the kernel takes as a parameter.
    Parameter(Signature),
    /// The words of a panic.
    Words(Span),
}
