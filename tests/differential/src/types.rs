//! The types of random code.

use gridfn_ir::Scalar;

/// Every built-in type, and the floats of 16 bits.
pub fn scalars() -> impl Iterator<Item = Scalar> {
    Scalar::PRIMITIVES.into_iter().chain(Scalar::HALVES)
}

/// A type of the generated language.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A built-in type.
    Scalar(Scalar),
    /// The type parameter of a generic function or kernel.
    T(Bound),
}

/// What is known of a type parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// `T: Scalar`
    Scalar,
    /// `T: Int`
    Int,
    /// `T: Float`
    Float,
}

impl Bound {
    /// All bounds.
    pub const ALL: [Bound; 3] = [Bound::Scalar, Bound::Int, Bound::Float];

    /// The trait's name.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Scalar => "Scalar",
            Bound::Int => "Int",
            Bound::Float => "Float",
        }
    }

    /// Whether `scalar` keeps it.
    pub fn has(self, scalar: Scalar) -> bool {
        match self {
            Bound::Scalar => scalar != Scalar::Bool,
            Bound::Int => scalar.is_integer(),
            Bound::Float => scalar.is_float(),
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

impl Type {
    /// Its name in Rust.
    pub fn name(&self) -> String {
        match self {
            Type::Scalar(scalar) => scalar.name().into(),
            Type::T(_) => "T".into(),
        }
    }

    /// The built-in type, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            Type::T(_) => None,
        }
    }

    /// Whether it is a built-in type that `keep` holds for.
    pub fn is(&self, keep: impl Fn(Scalar) -> bool) -> bool {
        self.scalar().is_some_and(keep)
    }

    /// Whether its values can be added.
    pub fn is_number(&self) -> bool {
        !matches!(self, Type::Scalar(Scalar::Bool))
    }

    /// Whether it has the bits of an integer to work on.
    pub fn is_integer(&self) -> bool {
        match self {
            Type::Scalar(scalar) => scalar.is_integer(),
            Type::T(bound) => *bound == Bound::Int,
        }
    }

    /// The shortest expression of this type: what a shrunk kernel has in place of what does not matter.
    pub fn least(&self) -> String {
        match self {
            Type::Scalar(Scalar::Bool) => "false".into(),
            Type::Scalar(scalar) if scalar.is_float() => format!("1.0{}", scalar.name()),
            Type::Scalar(scalar) if scalar.is_half() => format!("{}::ONE", scalar.name()),
            Type::Scalar(scalar) => format!("1{}", scalar.name()),
            Type::T(_) => "T::ONE".into(),
        }
    }
}
