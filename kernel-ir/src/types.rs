//! The types that kernels compute with, in a form that a `const` can hold.

use serde::{Deserialize, Serialize};

/// A built-in type of one value.
///
/// `usize` and `isize` have 64 bits in every kernel, as on the 64-bit hosts that gridfn runs on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// `bool`: one byte in memory, 0 or 1.
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// Every scalar, in declaration order.
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::Isize,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Usize,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The type's name in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::Isize => "isize",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar that Rust calls `name`.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Size and alignment in bytes; for scalars they are equal.
    pub const fn bytes(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
        }
    }

    /// Width in bits. `bool` counts 8, as in memory.
    pub const fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }

    /// `f32` and `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `i8` to `i64` and `isize`.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize
        )
    }

    /// Every integer type; `bool` is none.
    pub const fn is_integer(self) -> bool {
        self.is_signed()
            || matches!(
                self,
                Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize
            )
    }

    /// The unsigned integer of the same width; for a float, that of its bits.
    pub const fn unsigned(self) -> Scalar {
        match self {
            Scalar::Bool => Scalar::Bool,
            Scalar::I8 | Scalar::U8 => Scalar::U8,
            Scalar::I16 | Scalar::U16 => Scalar::U16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => Scalar::U32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => Scalar::U64,
            Scalar::Isize | Scalar::Usize => Scalar::Usize,
        }
    }

    /// The signed integer of an unsigned one's width; other types are their own.
    pub const fn signed(self) -> Scalar {
        match self {
            Scalar::U8 => Scalar::I8,
            Scalar::U16 => Scalar::I16,
            Scalar::U32 => Scalar::I32,
            Scalar::U64 => Scalar::I64,
            Scalar::Usize => Scalar::Isize,
            other => other,
        }
    }

    /// The smallest value of a signed integer type, as the low bits of a word. Zero for the others.
    pub const fn min_bits(self) -> u64 {
        if self.is_signed() {
            1 << (self.bits() - 1)
        } else {
            0
        }
    }

    /// `bits` cut to this type's width.
    pub const fn truncate(self, bits: u64) -> u64 {
        match self.bytes() {
            1 => bits as u8 as u64,
            2 => bits as u16 as u64,
            4 => bits as u32 as u64,
            _ => bits,
        }
    }
}

/// How a kernel may use a slice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Access {
    /// `&[T]`
    Shared,
    /// `&mut [T]`
    Unique,
}

/// The type of a parameter, a local or an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `()`
    Unit,
    /// One built-in value.
    Scalar(Scalar),
    /// A slice of built-in values in the device's global memory.
    Slice {
        /// The type of one element.
        element: Scalar,
        /// `&[T]` or `&mut [T]`.
        access: Access,
    },
    /// An array of built-in values, passed by value.
    Array {
        /// The type of one element.
        element: Scalar,
        /// The number of elements.
        len: usize,
    },
    /// A struct or tuple of parameters: each of its parts is one.
    Struct(&'static [Field]),
}

/// A named part of a struct, or a numbered one of a tuple.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name; of a tuple, `0`, `1`, ….
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
}

impl Type {
    /// Equality that a `const` can use.
    pub const fn same(self, other: Type) -> bool {
        match (self, other) {
            (Type::Unit, Type::Unit) => true,
            (Type::Scalar(a), Type::Scalar(b)) => a as u8 == b as u8,
            (
                Type::Slice {
                    element: a,
                    access: x,
                },
                Type::Slice {
                    element: b,
                    access: y,
                },
            ) => a as u8 == b as u8 && x as u8 == y as u8,
            (Type::Array { element: a, len: n }, Type::Array { element: b, len: m }) => {
                a as u8 == b as u8 && n == m
            }
            (Type::Struct(a), Type::Struct(b)) => {
                let mut n = 0;
                while n < a.len() && n < b.len() {
                    if !same_name(a[n].name.as_bytes(), b[n].name.as_bytes()) || !a[n].ty.same(b[n].ty) {
                        return false;
                    }
                    n += 1;
                }
                a.len() == b.len()
            }
            (Type::Unit | Type::Scalar(_) | Type::Slice { .. } | Type::Array { .. } | Type::Struct(_), _) => {
                false
            }
        }
    }
}

const fn same_name(a: &[u8], b: &[u8]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    a.len() == b.len()
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Unit => f.write_str("()"),
            Type::Scalar(s) => s.fmt(f),
            Type::Slice {
                element,
                access: Access::Shared,
            } => write!(f, "&[{element}]"),
            Type::Slice {
                element,
                access: Access::Unique,
            } => write!(f, "&mut [{element}]"),
            Type::Array { element, len } => write!(f, "[{element}; {len}]"),
            Type::Struct(fields) => {
                f.write_str("{")?;
                for field in *fields {
                    write!(f, " {}: {},", field.name, field.ty)?;
                }
                f.write_str(" }")
            }
        }
    }
}
