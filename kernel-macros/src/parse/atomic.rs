//! Atomics, which kernels know by their names; rustc confirms them.

use gridfn_ir::ATOMICS;
use gridfn_ir::typed::Order;
use syn::{Expr, Path, Type};

/// Whether the type is called as an atomic is.
pub(crate) fn is_atomic(ty: &Type) -> bool {
    match ty {
        Type::Paren(t) => is_atomic(&t.elem),
        Type::Group(t) => is_atomic(&t.elem),
        Type::Path(p) => {
            let last = p.path.segments.last();
            p.qself.is_none() && last.is_some_and(|s| ATOMICS.iter().any(|(name, _)| s.ident == name))
        }
        _ => false,
    }
}

/// Whether the path is called as an ordering is.
pub(crate) fn is_ordering(path: &Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| Order::ALL.iter().any(|order| s.ident == order.name()))
}

/// Whether the last argument is called as an ordering is, by which `swap` of an atomic is told from that of a slice.
pub(super) fn end_in_ordering<'a>(args: impl IntoIterator<Item = &'a Expr>) -> bool {
    matches!(args.into_iter().last().map(super::body::bare), Some(Expr::Path(p)) if is_ordering(&p.path))
}
