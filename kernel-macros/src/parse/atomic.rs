//! Atomics, which kernels know by their names; rustc confirms them.

use super::body::{Parser, bare};
use gridfn_ir::ATOMICS;
use gridfn_ir::typed::Order;
use proc_macro2::Ident;
use syn::{Expr, Path, Type};

/// The atomics of std that devices lack.
const LACKING: [&str; 6] = [
    "AtomicBool",
    "AtomicI8",
    "AtomicI16",
    "AtomicPtr",
    "AtomicU8",
    "AtomicU16",
];

/// Whether the type is called as an atomic is.
pub(crate) fn is_atomic(ty: &Type) -> bool {
    name(ty).is_some_and(|ty| ATOMICS.iter().any(|(name, _)| ty == name))
}

impl Parser {
    /// Refuses an atomic of std that devices lack; says whether it did.
    pub(super) fn refuse_atomic(&mut self, ty: &Type) -> bool {
        let is_lacking = name(ty).is_some_and(|ty| LACKING.iter().any(|name| ty == name));
        if is_lacking {
            let help = "kernels have atomics of 32 and 64 bits, such as `AtomicU32`";
            self.errors.at(ty, help);
        }
        is_lacking
    }
}

/// The last name of a type that is a path.
fn name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Paren(t) => name(&t.elem),
        Type::Group(t) => name(&t.elem),
        Type::Path(p) if p.qself.is_none() => p.path.segments.last().map(|s| &s.ident),
        _ => None,
    }
}

/// Whether the path is called as an ordering is.
pub(crate) fn is_ordering(path: &Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| Order::ALL.iter().any(|order| s.ident == order.name()))
}

/// Whether the last argument is called as an ordering is, by which `swap` of an atomic is told from that of a slice.
pub(super) fn end_in_ordering<'a>(args: impl IntoIterator<Item = &'a Expr>) -> bool {
    matches!(args.into_iter().last().map(bare), Some(Expr::Path(p)) if is_ordering(&p.path))
}
