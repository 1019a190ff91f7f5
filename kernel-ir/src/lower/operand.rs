//! What expressions give, and the places that they name.
//!
//! Typed IR knows scalars only, so everything else is a tree of them that exists while a kernel is lowered: a struct is
//! its fields, an enum its tag and the fields of all its variants, a reference the place that it refers to. Only arrays
//! live in variables, because their elements are found by an index.

use super::{Lowered, Lowering};
use crate::body::Body;
use crate::tree;
use crate::typed::{ParamId, ValueId};
use crate::{Access, Enum, Scalar, Type};
use std::fmt::Display;
use std::rc::Rc;

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    Unit,
    Value(ValueId),
    Struct(Rc<Struct>),
    Enum(Rc<EnumValue>),
    /// An array in a variable that nothing writes while this operand is in use.
    Array(Array),
    /// `&[T]`, `&mut [T]`
    Slice(Slice),
    /// `&T`, `&mut T`
    Reference(Rc<Place>),
    /// What can be called.
    Function(Rc<Function>),
    /// A field of a variant that the enum is not: it is never read.
    Undefined,
}

/// A struct or tuple: its fields by their names, which of a tuple are `0`, `1`, ….
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) fields: Vec<(String, Operand)>,
}

/// An enum: the tag, and the fields of each variant. Those of the others are anything.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EnumValue {
    pub(super) def: &'static Enum,
    pub(super) tag: ValueId,
    pub(super) variants: Vec<Vec<Operand>>,
}

/// A function as a value: it is known while a kernel is lowered, so a call of it is its body.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Function {
    /// A closure, and how many calls were under way where it stands: that call's variables are what it sees.
    Closure(tree::Closure, usize),
    /// A function, and what it captured, which is the first argument of its calls.
    Device(Callee, Option<Operand>),
}

/// A function's instance, by its address.
#[derive(Clone, Copy)]
pub(super) struct Callee(pub(super) &'static Body<'static>);

impl PartialEq for Callee {
    fn eq(&self, other: &Callee) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl std::fmt::Debug for Callee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.0.file, self.0.line)
    }
}

/// See [`Operand::Array`].
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub(super) place: Rc<Place>,
    /// Nothing else knows the variable, so that it can become the variable of a `let mut`.
    pub(super) fresh: bool,
}

/// Elements one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slice {
    /// What holds them: a place of an array's type, or all of a slice parameter.
    pub(super) base: Rc<Place>,
    /// Where the slice begins in it; `None` for its start.
    pub(super) start: Option<ValueId>,
    pub(super) len: Length,
    pub(super) writable: bool,
}

/// The number of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Length {
    Constant(usize),
    Param(ParamId),
    Value(ValueId),
}

/// Where a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// In no variable: it can be read only.
    Value(Operand),
    /// In a variable, or a part of one.
    Variable(Variable),
    /// In the memory of a slice parameter.
    Memory(Memory),
    /// At the first place if the value, a `bool`, is true, else at the second.
    Choice(ValueId, Rc<Place>, Rc<Place>),
}

/// A variable, or a part of one: inside arrays, that of one element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) storage: Rc<super::storage::Storage>,
    /// The index of the element among all that the storage holds; `None` outside arrays.
    pub(super) index: Option<ValueId>,
}

/// A part of an element of a slice parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memory {
    pub(super) param: ParamId,
    pub(super) writable: bool,
    pub(super) ty: Type,
    /// The indices on the way, each with the distance in bytes from one index to the next.
    pub(super) terms: Vec<(ValueId, usize)>,
    /// Bytes besides.
    pub(super) offset: usize,
}

impl Operand {
    /// A tuple.
    pub(super) fn tuple(fields: Vec<Operand>) -> Operand {
        let fields = fields.into_iter().enumerate();
        Operand::Struct(Rc::new(Struct {
            name: String::new(),
            fields: fields.map(|(n, field)| (n.to_string(), field)).collect(),
        }))
    }

    /// Whether an array is in it.
    pub(super) fn holds_array(&self) -> bool {
        match self {
            Operand::Array(_) => true,
            Operand::Struct(s) => s.fields.iter().any(|(_, field)| field.holds_array()),
            Operand::Enum(e) => e.variants.iter().flatten().any(Operand::holds_array),
            Operand::Unit
            | Operand::Value(_)
            | Operand::Slice(_)
            | Operand::Reference(_)
            | Operand::Function(_)
            | Operand::Undefined => false,
        }
    }

    /// Gives every value in it to `f`, always in the same order, and puts what `f` gives in its place. What remains the
    /// same is the operand's *frame*: two operands that differ in values only can be one operand behind a branch.
    pub(super) fn map(&self, f: &mut impl FnMut(ValueId) -> ValueId) -> Operand {
        match self {
            Operand::Unit => Operand::Unit,
            Operand::Undefined => Operand::Undefined,
            Operand::Function(function) => Operand::Function(function.clone()),
            Operand::Value(value) => Operand::Value(f(*value)),
            Operand::Struct(s) => Operand::Struct(Rc::new(Struct {
                name: s.name.clone(),
                fields: s
                    .fields
                    .iter()
                    .map(|(n, field)| (n.clone(), field.map(f)))
                    .collect(),
            })),
            Operand::Enum(e) => Operand::Enum(Rc::new(EnumValue {
                def: e.def,
                tag: f(e.tag),
                variants: e
                    .variants
                    .iter()
                    .map(|fields| fields.iter().map(|field| field.map(f)).collect())
                    .collect(),
            })),
            Operand::Array(array) => Operand::Array(Array {
                place: Rc::new(array.place.map(f)),
                fresh: array.fresh,
            }),
            Operand::Slice(slice) => Operand::Slice(slice.map(f)),
            Operand::Reference(place) => Operand::Reference(Rc::new(place.map(f))),
        }
    }
}

impl Slice {
    fn map(&self, f: &mut impl FnMut(ValueId) -> ValueId) -> Slice {
        Slice {
            base: Rc::new(self.base.map(f)),
            start: self.start.map(&mut *f),
            len: match self.len {
                Length::Value(value) => Length::Value(f(value)),
                Length::Constant(_) | Length::Param(_) => self.len,
            },
            writable: self.writable,
        }
    }
}

impl Place {
    fn map(&self, f: &mut impl FnMut(ValueId) -> ValueId) -> Place {
        match self {
            Place::Value(operand) => Place::Value(operand.map(f)),
            Place::Variable(Variable { storage, index }) => Place::Variable(Variable {
                storage: storage.clone(),
                index: index.map(f),
            }),
            Place::Choice(which, yes, no) => {
                Place::Choice(f(*which), Rc::new(yes.map(f)), Rc::new(no.map(f)))
            }
            Place::Memory(memory) => Place::Memory(Memory {
                terms: memory
                    .terms
                    .iter()
                    .map(|(index, stride)| (f(*index), *stride))
                    .collect(),
                ..memory.clone()
            }),
        }
    }
}

impl Lowering<'_> {
    /// Whether an operand is of a type.
    fn fits(&self, found: &Operand, expected: Type) -> bool {
        match (found, expected) {
            (Operand::Undefined, _) | (Operand::Unit, Type::Unit) => true,
            (Operand::Value(value), Type::Scalar(ty)) => self.builder.ty(*value) == ty,
            (Operand::Struct(found), Type::Struct(expected)) => {
                found.fields.len() == expected.fields.len()
                    && expected.fields.iter().all(|field| {
                        let found = found.fields.iter().find(|(name, _)| name == field.name);
                        found.is_some_and(|(_, found)| self.fits(found, field.ty))
                    })
            }
            (Operand::Enum(found), Type::Enum(expected)) => self.is_enum(found, expected),
            (Operand::Array(found), Type::Array { element, len }) => {
                self.is_array(&found.place, element, len)
            }
            // A slice that may be written is also one that may be read.
            (Operand::Slice(slice), Type::Slice { element, access }) => {
                (slice.writable || access == Access::Shared) && self.has_elements(&slice.base, element)
            }
            (Operand::Reference(place), Type::Reference { target, .. }) => self.is_at(place, *target),
            (
                Operand::Unit
                | Operand::Value(_)
                | Operand::Struct(_)
                | Operand::Enum(_)
                | Operand::Array(_)
                | Operand::Slice(_)
                | Operand::Reference(_)
                | Operand::Function(_),
                _,
            ) => false,
        }
    }

    /// Whether an enum is of a type: an `Option` that lowering made knows its type by its fields alone.
    fn is_enum(&self, found: &EnumValue, expected: &Enum) -> bool {
        found.def.name == expected.name
            && found.variants.len() == expected.variants.len()
            && found
                .variants
                .iter()
                .zip(expected.variants)
                .all(|(fields, variant)| {
                    fields.len() == variant.fields.len()
                        && fields
                            .iter()
                            .zip(variant.fields)
                            .all(|(found, field)| self.fits(found, field.ty))
                })
    }

    /// Whether a value of a type is at a place.
    fn is_at(&self, place: &Place, ty: Type) -> bool {
        match place {
            Place::Value(value) => self.fits(value, ty),
            Place::Memory(memory) => memory.ty.same(ty),
            Place::Variable(variable) => variable.storage.fits(ty),
            Place::Choice(_, yes, no) => self.is_at(yes, ty) && self.is_at(no, ty),
        }
    }

    fn is_array(&self, place: &Place, element: &Type, len: usize) -> bool {
        match place {
            Place::Variable(v) => v
                .storage
                .array()
                .is_some_and(|(e, n)| n == len && e.fits(*element)),
            Place::Memory(m) => {
                matches!(m.ty, Type::Array { element: e, len: n } if n == len && e.same(*element))
            }
            Place::Value(Operand::Array(array)) => self.is_array(&array.place, element, len),
            Place::Choice(_, yes, no) => self.is_array(yes, element, len) && self.is_array(no, element, len),
            Place::Value(_) => false,
        }
    }

    fn has_elements(&self, base: &Place, element: &Type) -> bool {
        match base {
            Place::Variable(v) => v.storage.array().is_some_and(|(e, _)| e.fits(*element)),
            Place::Memory(m) => match m.ty {
                Type::Array { element: e, .. } | Type::Slice { element: e, .. } => e.same(*element),
                _ => false,
            },
            Place::Value(Operand::Array(array)) => self.has_elements(&array.place, element),
            Place::Choice(_, yes, no) => self.has_elements(yes, element) && self.has_elements(no, element),
            Place::Value(_) => false,
        }
    }

    /// Checks what an expression gave.
    pub(super) fn expect(&self, what: impl Display, found: &Operand, expected: Type) -> Lowered<()> {
        if self.fits(found, expected) {
            return Ok(());
        }
        let found = self.describe(found);
        Err(self.bug(format_args!("{what} is {found} and not {expected}")))
    }

    pub(super) fn expect_scalar(&self, what: impl Display, value: ValueId, expected: Scalar) -> Lowered<()> {
        let found = self.builder.ty(value);
        if found == expected {
            return Ok(());
        }
        Err(self.bug(format_args!("{what} is {found} and not {expected}")))
    }

    /// The type of what an expression gave, for messages.
    pub(super) fn describe(&self, operand: &Operand) -> String {
        match operand {
            Operand::Unit => Type::Unit.to_string(),
            Operand::Value(value) => self.builder.ty(*value).to_string(),
            Operand::Struct(s) if s.name.is_empty() => "a tuple".into(),
            Operand::Struct(s) => format!("the struct `{}`", s.name),
            Operand::Enum(e) => format!("the enum `{}`", e.def.name),
            Operand::Array(_) => "an array".into(),
            Operand::Slice(_) => "a slice".into(),
            Operand::Reference(_) => "a reference".into(),
            Operand::Function(_) => "a function".into(),
            Operand::Undefined => "nothing".into(),
        }
    }
}
