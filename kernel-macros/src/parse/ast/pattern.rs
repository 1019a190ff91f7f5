//! Patterns.

use super::LiteralValue;
use proc_macro2::Ident;
use syn::token::{Brace, Bracket, Paren};
use syn::{ExprPath, Member, Path, RangeLimits, Token};

pub(crate) enum Pattern {
    Wild(Token![_]),
    /// `..` among the elements of a list.
    Rest(Token![..]),
    Bind(Binding, Option<(Token![@], Box<Pattern>)>),
    Value(PatternValue),
    Range {
        start: Option<PatternValue>,
        limits: RangeLimits,
        end: Option<PatternValue>,
    },
    Paren(Paren, Box<Pattern>),
    Tuple(Paren, Vec<Pattern>),
    Array(Bracket, Vec<Pattern>),
    TupleStruct(Path, Paren, Vec<Pattern>),
    Struct {
        path: Path,
        brace: Brace,
        fields: Vec<(Member, Pattern)>,
        rest: Option<Token![..]>,
    },
    /// A unit struct or variant, by its name alone.
    Unit(Path),
    Reference(Token![&], Option<Token![mut]>, Box<Pattern>),
    Or(Vec<Pattern>),
}

/// A name that a pattern binds.
pub(crate) struct Binding {
    pub local: u16,
    pub name: Ident,
    pub by_reference: Option<Token![ref]>,
    pub mutability: Option<Token![mut]>,
    /// Whether the name is all of an irrefutable pattern, which rustc itself does not let be a constant's.
    pub plain: bool,
}

/// What a pattern compares with.
pub(crate) enum PatternValue {
    Literal {
        /// As written, with a `-` where it has one.
        token: syn::Lit,
        value: LiteralValue,
        negative: bool,
    },
    Constant(u16, ExprPath),
}

impl Pattern {
    /// Whether what it matches is a slice or an array, as far as the syntax tells.
    pub(crate) fn takes_elements(&self) -> bool {
        match self {
            Pattern::Array(..) => true,
            Pattern::Paren(_, inner) | Pattern::Bind(_, Some((_, inner))) => inner.takes_elements(),
            Pattern::Or(all) => all.iter().any(Pattern::takes_elements),
            Pattern::Wild(_)
            | Pattern::Rest(_)
            | Pattern::Bind(_, None)
            | Pattern::Value(_)
            | Pattern::Range { .. }
            | Pattern::Tuple(..)
            | Pattern::TupleStruct(..)
            | Pattern::Struct { .. }
            | Pattern::Unit(_)
            | Pattern::Reference(..) => false,
        }
    }

    /// The pattern inside all parentheses.
    pub(crate) fn bare(&self) -> &Pattern {
        match self {
            Pattern::Paren(_, inner) => inner.bare(),
            pattern => pattern,
        }
    }

    /// Whether it is a name that takes the whole value, as a `let` mostly has.
    pub(crate) fn as_name(&self) -> Option<&Binding> {
        match self.bare() {
            Pattern::Bind(binding, None) if binding.by_reference.is_none() => Some(binding),
            _ => None,
        }
    }

    /// Whether some part of the value can be written through it.
    pub(crate) fn borrows_uniquely(&self) -> bool {
        match self {
            Pattern::Bind(binding, inner) => {
                binding.by_reference.is_some() && binding.mutability.is_some()
                    || inner.as_ref().is_some_and(|(_, inner)| inner.borrows_uniquely())
            }
            Pattern::Wild(_)
            | Pattern::Rest(_)
            | Pattern::Value(_)
            | Pattern::Range { .. }
            | Pattern::Unit(_) => false,
            Pattern::Paren(_, inner) | Pattern::Reference(_, _, inner) => inner.borrows_uniquely(),
            Pattern::Tuple(_, all)
            | Pattern::Array(_, all)
            | Pattern::TupleStruct(_, _, all)
            | Pattern::Or(all) => all.iter().any(Pattern::borrows_uniquely),
            Pattern::Struct { fields, .. } => fields.iter().any(|(_, p)| p.borrows_uniquely()),
        }
    }
}
