//! Views of buffers, `View<T, D>` and `ViewMut<T, D>`, as far as their syntax tells. What they are, rustc knows.

use syn::visit_mut::{VisitMut, visit_path_segment_mut};
use syn::{GenericArgument, Lifetime, PathArguments, PathSegment, Type};

/// The type, with `'_` in each view that has no lifetime: an expansion names the lifetimes of arguments, and a view without
/// one would stand there without.
pub(super) fn with_lifetimes(ty: &Type) -> Type {
    struct Elided;
    impl VisitMut for Elided {
        fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
            if segment.ident == "View" || segment.ident == "ViewMut" {
                elide(segment);
            }
            visit_path_segment_mut(self, segment);
        }
    }
    let mut ty = ty.clone();
    Elided.visit_type_mut(&mut ty);
    ty
}

fn elide(view: &mut PathSegment) {
    let PathArguments::AngleBracketed(arguments) = &mut view.arguments else {
        return;
    };
    let mut all = arguments.args.iter();
    if all.any(|argument| matches!(argument, GenericArgument::Lifetime(_))) {
        return;
    }
    let elided = Lifetime::new("'_", view.ident.span());
    arguments.args.insert(0, GenericArgument::Lifetime(elided));
}
