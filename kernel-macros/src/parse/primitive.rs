//! Which expressions are scalars for sure, as far as the source tells.
//!
//! An operator on two scalars is built in. On anything else it may be a user's function, and rustc is asked which: that
//! takes time, which kernels that only compute with numbers must not pay.

use super::ast::*;
use super::body::Parser;
use gridfn_ir::Method as BuiltIn;
use gridfn_ir::tree::BinaryOp;
use gridfn_ir::{Class, CoreMethod, Scalar};
use syn::{Generics, Path, Type, TypeParamBound, WherePredicate};

/// What is known of a type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Nothing,
    /// A scalar, or a reference to one.
    Scalar,
    /// A slice or array, or a reference to one.
    List(Box<Known>),
    Tuple(Vec<Known>),
}

impl Known {
    fn element(self) -> Known {
        match self {
            Known::List(element) => *element,
            _ => Known::Nothing,
        }
    }

    /// What is known if it is one of two.
    fn or(self, other: Known) -> Known {
        if self == other { self } else { Known::Nothing }
    }
}

/// The type parameters that are numbers, by the names of their bounds. rustc confirms that these are ours.
pub(super) fn numbers(generics: &Generics) -> Vec<syn::Ident> {
    let ours = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(t) => t.path.segments.last().is_some_and(|s| {
            s.arguments.is_empty() && matches!(s.ident.to_string().as_str(), "Scalar" | "Int" | "Float")
        }),
        _ => false,
    };
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let bounded: Vec<_> = predicates
        .filter_map(|p| match p {
            WherePredicate::Type(t) if t.bounds.iter().any(ours) => match &t.bounded_ty {
                Type::Path(p) => p.path.get_ident(),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let params = generics.type_params();
    params
        .filter(|p| p.bounds.iter().any(ours) || bounded.contains(&&p.ident))
        .map(|p| p.ident.clone())
        .collect()
}

impl Parser {
    /// What a type says.
    pub(super) fn known_type(&self, ty: &Type) -> Known {
        match ty {
            Type::Paren(t) => self.known_type(&t.elem),
            Type::Group(t) => self.known_type(&t.elem),
            Type::Reference(t) => self.known_type(&t.elem),
            Type::Slice(t) => Known::List(Box::new(self.known_type(&t.elem))),
            Type::Array(t) => Known::List(Box::new(self.known_type(&t.elem))),
            Type::Tuple(t) => Known::Tuple(t.elems.iter().map(|ty| self.known_type(ty)).collect()),
            Type::Path(p) if p.qself.is_none() => match p.path.get_ident() {
                Some(name)
                    if Scalar::from_name(&name.to_string()).is_some() || self.numbers.contains(name) =>
                {
                    Known::Scalar
                }
                _ => Known::Nothing,
            },
            _ => Known::Nothing,
        }
    }

    /// Notes what is known of the names that a pattern binds.
    pub(super) fn note(&mut self, pattern: &Pattern, known: Known) {
        match (pattern, known) {
            (Pattern::Paren(_, inner) | Pattern::Reference(_, _, inner), known) => self.note(inner, known),
            (Pattern::Bind(binding, None), known) => {
                self.known.insert(binding.local, known);
            }
            (Pattern::Tuple(_, all), Known::Tuple(parts))
                if !all.iter().any(|p| matches!(p, Pattern::Rest(_))) =>
            {
                all.iter()
                    .zip(parts)
                    .for_each(|(pattern, known)| self.note(pattern, known));
            }
            (Pattern::Array(_, all), Known::List(element)) => {
                all.iter()
                    .for_each(|pattern| self.note(pattern, (*element).clone()));
            }
            _ => {}
        }
    }

    /// Whether an expression is a scalar, or a reference to one.
    pub(super) fn is_scalar(&self, e: &Expr) -> bool {
        self.known(e) == Known::Scalar
    }

    /// What the source tells of an expression's type.
    pub(super) fn known(&self, e: &Expr) -> Known {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Cast(_) | ExprKind::Lazy(..) => Known::Scalar,
            ExprKind::Local(local, _) => self.known.get(local).cloned().unwrap_or(Known::Nothing),
            ExprKind::Constant(_, path) => self.known_constant(&path.path),
            ExprKind::Paren(_, e) | ExprKind::Reference(_, _, e) | ExprKind::Deref(_, e) => self.known(e),
            ExprKind::Binary(op, _, a, b) => match op {
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    Known::Scalar
                }
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::Shr => self.known(a).or(self.known(b)),
            },
            ExprKind::Unary(_, _, e) => self.known(e),
            // A comparison gives a `bool`, whatever it compares.
            ExprKind::Overloadable(_, e) => match &e.kind {
                ExprKind::Binary(
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
                    ..,
                ) => Known::Scalar,
                _ => Known::Nothing,
            },
            ExprKind::Tuple(_, all) => Known::Tuple(all.iter().map(|e| self.known(e)).collect()),
            ExprKind::Array(_, all) => match all.first() {
                Some(first) => Known::List(Box::new(self.known(first))),
                None => Known::Nothing,
            },
            ExprKind::Repeat(r) => Known::List(Box::new(self.known(&r.value))),
            ExprKind::Field(base, _, syn::Member::Unnamed(n)) => match self.known(base) {
                Known::Tuple(mut parts) if (n.index as usize) < parts.len() => {
                    parts.swap_remove(n.index as usize)
                }
                _ => Known::Nothing,
            },
            ExprKind::Index(i) => self.known(&i.base).element(),
            ExprKind::Subslice(s) => self.known(&s.base),
            ExprKind::Method(m) => self.known_method(m),
            ExprKind::Call(c) => match &self.holes.links[usize::from(c.link)] {
                LinkHole::Index(_) => Known::Scalar,
                LinkHole::Path(path) if of_scalar(path) => Known::Scalar,
                _ => Known::Nothing,
            },
            ExprKind::LocalArray(call, _) => self.known_local_array(&call.path),
            ExprKind::Uniform(_, value) => self.known(value),
            ExprKind::Subgroup(s) if s.function.votes() => Known::Scalar,
            ExprKind::Subgroup(s) => match s.args.first() {
                Some(value) => self.known(value),
                None => Known::Nothing,
            },
            ExprKind::CallParam(c) => match &self.holes.links[usize::from(c.link)] {
                LinkHole::Parameter(signature) => self.known_type(&signature.result),
                _ => Known::Nothing,
            },
            ExprKind::CallClosure(c) => self.results.get(&c.local).cloned().unwrap_or(Known::Nothing),
            ExprKind::If(i) => match (&i.then.tail, &i.otherwise) {
                (Some(then), Some((_, otherwise))) => self.known(then).or(self.known(otherwise)),
                _ => Known::Nothing,
            },
            ExprKind::Block(None, block) | ExprKind::Unsafe(_, block) => match &block.tail {
                Some(e) => self.known(e),
                None => Known::Nothing,
            },
            _ => Known::Nothing,
        }
    }

    /// Of a scalar, every method of the table gives a scalar; of a slice, its length is one.
    fn known_method(&self, m: &Method) -> Known {
        let named = |class: fn(Class) -> bool| {
            BuiltIn::ALL
                .iter()
                .any(|known| m.name == known.name() && class(known.class()))
        };
        match self.known(&m.receiver) {
            Known::Scalar if named(|class| class != Class::Slice) => Known::Scalar,
            Known::List(_) if named(|class| class == Class::Slice) => Known::Scalar,
            _ => Known::Nothing,
        }
    }

    /// `f32::MAX`, `std::f32::consts::PI`, `T::ZERO`
    fn known_constant(&self, path: &Path) -> Known {
        let owners = path.segments.iter().rev().skip(1);
        let number = matches!(path.segments.first(), Some(first) if path.segments.len() == 2 && self.numbers.contains(&first.ident));
        if number
            || owners
                .into_iter()
                .any(|s| Scalar::from_name(&s.ident.to_string()).is_some())
        {
            Known::Scalar
        } else {
            Known::Nothing
        }
    }
}

/// `f32::max`, and not `u32::checked_add`, which gives no scalar.
fn of_scalar(path: &Path) -> bool {
    let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
    match (names.next(), names.next()) {
        (Some(name), Some(owner)) => Scalar::from_name(&owner).is_some() && !CoreMethod::is_of_numbers(&name),
        _ => false,
    }
}
