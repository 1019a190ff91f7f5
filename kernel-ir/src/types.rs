//! The types that kernels compute with, in a form that a `const` can hold.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::num::FpCategory;

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
    /// `half::f16`: 16 bits in memory, computed with as `f32`.
    F16,
    /// `half::bf16`: the upper half of an `f32`, computed with as `f32`.
    Bf16,
}

impl Scalar {
    /// Every scalar of Rust's own, in declaration order.
    pub const PRIMITIVES: [Scalar; 13] = [
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

    /// The floats of 16 bits, which are types of the crate `half`.
    pub const HALVES: [Scalar; 2] = [Scalar::F16, Scalar::Bf16];

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
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
        }
    }

    /// The scalar of Rust's own that is called `name`: of `f16` and `bf16` only rustc can tell.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::PRIMITIVES.into_iter().find(|s| s.name() == name)
    }

    /// Size and alignment in bytes; for scalars they are equal.
    pub const fn bytes(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
        }
    }

    /// Width in bits. `bool` counts 8, as in memory.
    pub const fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }

    /// `f32` and `f64`: what kernels compute with. See [`Scalar::is_half`].
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `f16` and `bf16`: what is stored, moved and cast only.
    pub const fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
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
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => Scalar::U16,
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
    /// `&[T]`, `&mut [T]`
    Slice {
        /// The type of one element.
        element: &'static Type,
        /// Which of the two.
        access: Access,
    },
    /// An atomic integer or float: a place that is only ever behind a reference.
    Atomic(Scalar),
    /// `[T; N]`
    Array {
        /// The type of one element.
        element: &'static Type,
        /// The number of elements.
        len: usize,
    },
    /// A struct or tuple: of values, or, as a parameter, of slices too.
    Struct(&'static Struct),
    /// An enum of values.
    Enum(&'static Enum),
    /// `&T`, `&mut T`, where `T` is no slice.
    Reference {
        /// `T`
        target: &'static Type,
        /// Which of the two.
        access: Access,
    },
}

/// A struct or tuple.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Struct {
    /// Its name without path and arguments; of a tuple, empty.
    pub name: &'static str,
    /// Its fields, in the order of the source.
    pub fields: &'static [Field],
    /// Its size in bytes; 0 where it holds slices and so is never in memory itself.
    pub size: usize,
    /// Its alignment in bytes: that of every value of it in memory.
    pub align: usize,
}

/// A named part of a struct, or a numbered one of a tuple.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name; of a tuple, `0`, `1`, ….
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// Where it stands in the struct, in bytes; 0 where that is never in memory itself.
    pub offset: usize,
}

/// An enum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Enum {
    /// Its name without path and arguments.
    pub name: &'static str,
    /// Its variants, in the order of the source.
    pub variants: &'static [Variant],
    /// The type of the discriminant. In memory it stands first, unless the enum has no size.
    pub tag: Scalar,
    /// Its size in bytes; `None` where its layout is rustc's own, so that it is never in memory that devices see.
    pub size: Option<usize>,
    /// Of a constant whose layout is rustc's own, what finds its fields.
    pub locate: Option<Locate>,
}

/// Finds the fields of an enum whose layout is rustc's own: given a value, it tells the number of the variant, and then the
/// offset of each of its fields.
#[derive(Clone, Copy, Debug)]
pub struct Locate(
    /// # Safety
    ///
    /// The pointer leads to the bytes of a value of the enum, at whatever alignment.
    pub unsafe fn(*const u8, &mut dyn FnMut(usize)),
);

// It follows from the type, which the enum's other parts tell.
impl PartialEq for Locate {
    fn eq(&self, _: &Locate) -> bool {
        true
    }
}
impl Eq for Locate {}
impl std::hash::Hash for Locate {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// A variant of an enum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    /// The discriminant's bits, cut to the tag's width.
    pub discriminant: u64,
    /// Its fields; their offsets count from the start of the enum.
    pub fields: &'static [Field],
}

impl Scalar {
    /// The scalar as a type that others can point to.
    pub const fn ty(self) -> &'static Type {
        match self {
            Scalar::Bool => &Type::Scalar(Scalar::Bool),
            Scalar::I8 => &Type::Scalar(Scalar::I8),
            Scalar::I16 => &Type::Scalar(Scalar::I16),
            Scalar::I32 => &Type::Scalar(Scalar::I32),
            Scalar::I64 => &Type::Scalar(Scalar::I64),
            Scalar::Isize => &Type::Scalar(Scalar::Isize),
            Scalar::U8 => &Type::Scalar(Scalar::U8),
            Scalar::U16 => &Type::Scalar(Scalar::U16),
            Scalar::U32 => &Type::Scalar(Scalar::U32),
            Scalar::U64 => &Type::Scalar(Scalar::U64),
            Scalar::Usize => &Type::Scalar(Scalar::Usize),
            Scalar::F32 => &Type::Scalar(Scalar::F32),
            Scalar::F64 => &Type::Scalar(Scalar::F64),
            Scalar::F16 => &Type::Scalar(Scalar::F16),
            Scalar::Bf16 => &Type::Scalar(Scalar::Bf16),
        }
    }
}

impl Struct {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

impl Enum {
    /// The variant of that name.
    pub fn variant(&self, name: &str) -> Option<&'static Variant> {
        self.variants.iter().find(|v| v.name == name)
    }

    /// An `Option` with these variants, `None` and `Some`. Its layout is rustc's own; `locate` finds the fields of a constant.
    pub const fn option(variants: &'static [Variant; 2], locate: Option<Locate>) -> Enum {
        Enum {
            name: "Option",
            variants,
            tag: Scalar::U8,
            size: None,
            locate,
        }
    }

    /// A `Result` with these variants, `Ok` and `Err`. Its layout is rustc's own; `locate` finds the fields of a constant.
    pub const fn result(variants: &'static [Variant; 2], locate: Option<Locate>) -> Enum {
        Enum {
            name: "Result",
            variants,
            tag: Scalar::U8,
            size: None,
            locate,
        }
    }

    /// `core::cmp::Ordering`
    pub const ORDERING: Enum = Enum::plain(
        "Ordering",
        Scalar::I8,
        &[
            Variant::plain("Less", Ordering::Less as i8 as u8 as u64),
            Variant::plain("Equal", Ordering::Equal as u64),
            Variant::plain("Greater", Ordering::Greater as u64),
        ],
    );

    /// `core::num::FpCategory`
    pub const FP_CATEGORY: Enum = Enum::plain(
        "FpCategory",
        Scalar::U8,
        &[
            Variant::plain("Nan", FpCategory::Nan as u64),
            Variant::plain("Infinite", FpCategory::Infinite as u64),
            Variant::plain("Zero", FpCategory::Zero as u64),
            Variant::plain("Subnormal", FpCategory::Subnormal as u64),
            Variant::plain("Normal", FpCategory::Normal as u64),
        ],
    );

    /// An enum without fields, which is its discriminant in memory.
    pub const fn plain(name: &'static str, tag: Scalar, variants: &'static [Variant]) -> Enum {
        Enum {
            name,
            variants,
            tag,
            size: Type::Scalar(tag).size(),
            locate: None,
        }
    }

    /// Whether no variant has fields, so that the tag is all there is.
    pub const fn is_plain(&self) -> bool {
        let mut n = 0;
        while n < self.variants.len() {
            if !self.variants[n].fields.is_empty() {
                return false;
            }
            n += 1;
        }
        true
    }
}

impl Variant {
    /// A variant without fields.
    pub const fn plain(name: &'static str, discriminant: u64) -> Variant {
        Variant {
            name,
            discriminant,
            fields: &[],
        }
    }

    /// `None`
    pub const NONE: Variant = Variant {
        name: "None",
        discriminant: 0,
        fields: &[],
    };

    /// `Some`, with its one field.
    pub const fn some(field: &'static [Field; 1]) -> Variant {
        Variant {
            name: "Some",
            discriminant: 1,
            fields: field,
        }
    }

    /// `Ok`, with its one field.
    pub const fn ok(field: &'static [Field; 1]) -> Variant {
        Variant {
            name: "Ok",
            discriminant: 0,
            fields: field,
        }
    }

    /// `Err`, with its one field.
    pub const fn err(field: &'static [Field; 1]) -> Variant {
        Variant {
            name: "Err",
            discriminant: 1,
            fields: field,
        }
    }
}

impl Type {
    /// The size in the memory of buffers; `None` for what is never there.
    pub const fn size(self) -> Option<usize> {
        match self {
            Type::Unit => Some(0),
            Type::Scalar(scalar) | Type::Atomic(scalar) => Some(scalar.bytes()),
            Type::Array { element, len } => match element.size() {
                Some(size) => Some(size * len),
                None => None,
            },
            Type::Struct(s) => {
                let mut n = 0;
                while n < s.fields.len() {
                    if s.fields[n].ty.size().is_none() {
                        return None;
                    }
                    n += 1;
                }
                Some(s.size)
            }
            Type::Enum(e) => e.size,
            Type::Slice { .. } | Type::Reference { .. } => None,
        }
    }

    /// How many scalars it consists of; of an enum all variants' count.
    pub const fn scalars(self) -> usize {
        match self {
            Type::Unit => 0,
            Type::Scalar(_) | Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => 1,
            Type::Array { element, len } => element.scalars() * len,
            Type::Struct(s) => scalars(s.fields),
            Type::Enum(e) => {
                let (mut count, mut n) = (1, 0);
                while n < e.variants.len() {
                    count += scalars(e.variants[n].fields);
                    n += 1;
                }
                count
            }
        }
    }

    /// The scalar of the largest alignment in it, as which its memory is declared; `None` where it has no bytes.
    pub const fn widest(self) -> Option<Scalar> {
        match self {
            Type::Unit | Type::Slice { .. } | Type::Reference { .. } => None,
            Type::Scalar(scalar) | Type::Atomic(scalar) => Some(scalar),
            Type::Array { element, .. } => element.widest(),
            Type::Struct(s) => widest(s.fields, None),
            Type::Enum(e) => {
                let mut found = match e.size {
                    Some(0) => None,
                    Some(_) | None => Some(e.tag),
                };
                let mut n = 0;
                while n < e.variants.len() {
                    found = widest(e.variants[n].fields, found);
                    n += 1;
                }
                found
            }
        }
    }

    /// Equality that a `const` can use.
    pub const fn same(self, other: Type) -> bool {
        match (self, other) {
            (Type::Unit, Type::Unit) => true,
            (Type::Scalar(a), Type::Scalar(b)) | (Type::Atomic(a), Type::Atomic(b)) => a as u8 == b as u8,
            (
                Type::Slice {
                    element: a,
                    access: x,
                },
                Type::Slice {
                    element: b,
                    access: y,
                },
            )
            | (Type::Reference { target: a, access: x }, Type::Reference { target: b, access: y }) => {
                a.same(*b) && x as u8 == y as u8
            }
            (Type::Array { element: a, len: n }, Type::Array { element: b, len: m }) => a.same(*b) && n == m,
            (Type::Struct(a), Type::Struct(b)) => {
                same_name(a.name, b.name) && same_fields(a.fields, b.fields)
            }
            (Type::Enum(a), Type::Enum(b)) => {
                let mut n = 0;
                while n < a.variants.len() && n < b.variants.len() {
                    let (x, y) = (&a.variants[n], &b.variants[n]);
                    if !same_name(x.name, y.name) || !same_fields(x.fields, y.fields) {
                        return false;
                    }
                    n += 1;
                }
                a.variants.len() == b.variants.len() && same_name(a.name, b.name)
            }
            (
                Type::Unit
                | Type::Scalar(_)
                | Type::Atomic(_)
                | Type::Slice { .. }
                | Type::Array { .. }
                | Type::Struct(_)
                | Type::Enum(_)
                | Type::Reference { .. },
                _,
            ) => false,
        }
    }
}

const fn scalars(fields: &[Field]) -> usize {
    let (mut count, mut n) = (0, 0);
    while n < fields.len() {
        count += fields[n].ty.scalars();
        n += 1;
    }
    count
}

const fn widest(fields: &[Field], mut found: Option<Scalar>) -> Option<Scalar> {
    let mut n = 0;
    while n < fields.len() {
        found = match (found, fields[n].ty.widest()) {
            (Some(a), Some(b)) if b.bytes() > a.bytes() => Some(b),
            (None, other) => other,
            (some, _) => some,
        };
        n += 1;
    }
    found
}

const fn same_fields(a: &[Field], b: &[Field]) -> bool {
    let mut n = 0;
    while n < a.len() && n < b.len() {
        if !same_name(a[n].name, b[n].name) || !a[n].ty.same(b[n].ty) {
            return false;
        }
        n += 1;
    }
    a.len() == b.len()
}

const fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
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
            Type::Atomic(s) => write!(f, "an atomic {s}"),
            Type::Slice { element, access } => write!(f, "{access}[{element}]"),
            Type::Array { element, len } => write!(f, "[{element}; {len}]"),
            Type::Struct(s) if s.name.is_empty() => {
                f.write_str("(")?;
                for (n, field) in s.fields.iter().enumerate() {
                    let comma = if n == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", field.ty)?;
                }
                f.write_str(")")
            }
            Type::Struct(s) => f.write_str(s.name),
            Type::Enum(e) => f.write_str(e.name),
            Type::Reference { target, access } => write!(f, "{access}{target}"),
        }
    }
}

impl std::fmt::Display for Access {
    /// As it stands before a type.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Access::Shared => "&",
            Access::Unique => "&mut ",
        })
    }
}
