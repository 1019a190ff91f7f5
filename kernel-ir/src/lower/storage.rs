//! Variables: what holds an operand that changes, or that is found by an index.
//!
//! A variable of a struct is one variable of typed IR for each scalar in it, and an array of structs is one array for
//! each: so a code generator sees scalars and arrays of scalars, and an optimiser sees which of them are independent.

use super::operand::{Array, EnumValue, Length, Operand, Place, Slice, Struct, Variable};
use super::{Lowered, Lowering};
use crate::typed::{LocalId, ParamId, Stmt, TableId, ValueId};
use crate::{Enum, Scalar, Type};
use std::rc::Rc;

/// The most elements that are copied one by one, and not in a loop.
const UNROLLED: usize = 8;

/// What a variable consists of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Storage {
    Unit,
    Scalar(Scalar, Leaf),
    Struct(String, Vec<(String, Rc<Storage>)>),
    Enum {
        def: &'static Enum,
        tag: Leaf,
        variants: Vec<Vec<Rc<Storage>>>,
    },
    /// An array of any dimensions: the leaves of the element hold the scalars of all elements.
    Array(Rc<Storage>, usize),
    /// A variable that refers to something: what changes are the values in it.
    Pointer(Operand, Vec<LocalId>),
    /// A field of a variant that this enum never is.
    Undefined,
}

/// Where the scalars of a storage are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Leaf {
    /// A variable; of arrays, one with a length.
    Local(LocalId),
    /// An array in the parameter block.
    Param(ParamId),
    Table(TableId),
    /// An array without elements.
    Nothing,
}

impl Storage {
    /// Of an array, the element and the number of elements.
    pub(super) fn array(&self) -> Option<(&Rc<Storage>, usize)> {
        match self {
            Storage::Array(element, len) => Some((element, *len)),
            _ => None,
        }
    }

    /// Whether this is a variable of the type.
    pub(super) fn fits(&self, ty: Type) -> bool {
        match (self, ty) {
            (Storage::Unit, Type::Unit) | (Storage::Undefined | Storage::Pointer(..), _) => true,
            (Storage::Scalar(found, _), Type::Scalar(expected)) => *found == expected,
            (Storage::Struct(_, found), Type::Struct(expected)) => {
                found.len() == expected.fields.len()
                    && expected.fields.iter().all(|field| {
                        let found = found.iter().find(|(name, _)| name == field.name);
                        found.is_some_and(|(_, found)| found.fits(field.ty))
                    })
            }
            (Storage::Enum { def, .. }, Type::Enum(expected)) => Type::Enum(def).same(Type::Enum(expected)),
            (Storage::Array(found, n), Type::Array { element, len }) => *n == len && found.fits(*element),
            (
                Storage::Unit
                | Storage::Scalar(..)
                | Storage::Struct(..)
                | Storage::Enum { .. }
                | Storage::Array(..),
                _,
            ) => false,
        }
    }
}

/// Makes variables, and notes those that are not declared yet.
pub(super) struct Maker<'n> {
    /// The name in the source.
    pub(super) name: Option<&'n str>,
    /// How many elements each leaf has; `None` outside arrays.
    count: Option<usize>,
    pub(super) made: Vec<LocalId>,
    /// Whether it makes arrays that a work-group shares, which nothing declares.
    shared: bool,
}

impl<'n> Maker<'n> {
    pub(super) fn new(name: Option<&'n str>) -> Maker<'n> {
        Maker {
            name,
            count: None,
            made: Vec::new(),
            shared: false,
        }
    }

    /// Makes what a work-group shares.
    pub(super) fn shared(name: Option<&'n str>) -> Maker<'n> {
        Maker {
            shared: true,
            ..Maker::new(name)
        }
    }

    /// Makes what is one element of an array of `len`.
    pub(super) fn within<T>(&mut self, len: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.count;
        self.count = Some(outer.unwrap_or(1) * len);
        let made = make(self);
        self.count = outer;
        made
    }
}

impl Lowering<'_> {
    fn leaf(&mut self, maker: &mut Maker<'_>, ty: Scalar) -> Leaf {
        if maker.count == Some(0) {
            return Leaf::Nothing;
        }
        let local = self.builder.undeclared_local(maker.name, ty);
        self.builder.set_len(local, maker.count);
        if maker.shared {
            self.builder.share(local);
        } else {
            maker.made.push(local);
        }
        Leaf::Local(local)
    }

    /// A variable of a type.
    pub(super) fn storage_of_type(&mut self, maker: &mut Maker<'_>, ty: Type) -> Storage {
        match ty {
            Type::Unit => Storage::Unit,
            Type::Scalar(scalar) => Storage::Scalar(scalar, self.leaf(maker, scalar)),
            Type::Struct(s) => {
                let fields = s.fields.iter().map(|field| {
                    let storage = self.storage_of_type(maker, field.ty);
                    (field.name.to_string(), Rc::new(storage))
                });
                Storage::Struct(s.name.into(), fields.collect())
            }
            Type::Enum(def) => {
                let tag = self.leaf(maker, def.tag);
                let variants = def.variants.iter().map(|variant| {
                    let fields = variant.fields.iter();
                    fields
                        .map(|field| Rc::new(self.storage_of_type(maker, field.ty)))
                        .collect()
                });
                Storage::Enum {
                    def,
                    tag,
                    variants: variants.collect(),
                }
            }
            Type::Array { element, len } => {
                let element = maker.within(len, |maker| self.storage_of_type(maker, *element));
                Storage::Array(Rc::new(element), len)
            }
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => Storage::Undefined,
        }
    }

    /// A variable that can hold the operand, and others of its type.
    pub(super) fn storage_of(&mut self, maker: &mut Maker<'_>, operand: &Operand) -> Lowered<Storage> {
        Ok(match operand {
            Operand::Unit => Storage::Unit,
            Operand::Undefined => Storage::Undefined,
            Operand::Value(value) => {
                let ty = self.builder.ty(*value);
                Storage::Scalar(ty, self.leaf(maker, ty))
            }
            Operand::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for (name, field) in &s.fields {
                    fields.push((name.clone(), Rc::new(self.storage_of(maker, field)?)));
                }
                Storage::Struct(s.name.clone(), fields)
            }
            Operand::Enum(e) => {
                let tag = self.leaf(maker, e.def.tag);
                let mut variants = Vec::with_capacity(e.variants.len());
                for fields in &e.variants {
                    let fields: Lowered<Vec<_>> = fields
                        .iter()
                        .map(|field| Ok(Rc::new(self.storage_of(maker, field)?)))
                        .collect();
                    variants.push(fields?);
                }
                let def = e.def;
                Storage::Enum { def, tag, variants }
            }
            Operand::Array(array) => self.storage_like(maker, &array.place)?,
            Operand::Function(_) => {
                return Err(self.error(
                    "a variable that is one function or another is not supported in kernels: branch around its calls",
                ));
            }
            Operand::Slice(_) | Operand::Reference(_) => {
                if maker.count.is_some() {
                    return Err(self.error(
                        "an array of references or slices is not supported in kernels: keep their indices instead",
                    ));
                }
                let operand = self.movable(operand);
                let mut locals = vec![];
                operand.map(&mut |value| {
                    let ty = self.builder.ty(value);
                    let local = self.builder.undeclared_local(None, ty);
                    locals.push(local);
                    value
                });
                maker.made.extend(&locals);
                Storage::Pointer(operand, locals)
            }
        })
    }

    /// A slice as variables hold it: with values for its start and its length, so that it can become any part of what it
    /// is a part of. Other operands are as they were.
    fn movable(&mut self, operand: &Operand) -> Operand {
        let Operand::Slice(slice) = operand else {
            return operand.clone();
        };
        let start = slice
            .start
            .unwrap_or_else(|| self.builder.constant(Scalar::Usize, 0));
        Operand::Slice(Slice {
            start: Some(start),
            len: Length::Value(self.len_of(slice)),
            ..slice.clone()
        })
    }

    /// A variable of the type of what is at `place`.
    pub(super) fn storage_like(&mut self, maker: &mut Maker<'_>, place: &Place) -> Lowered<Storage> {
        match place {
            Place::Value(operand) => self.storage_of(maker, operand),
            Place::Memory(memory) => Ok(self.storage_of_type(maker, memory.ty)),
            Place::Variable(variable) => self.storage_like_storage(maker, &variable.storage),
            Place::Choice(_, yes, _) => self.storage_like(maker, yes),
        }
    }

    pub(super) fn storage_like_storage(
        &mut self,
        maker: &mut Maker<'_>,
        storage: &Storage,
    ) -> Lowered<Storage> {
        Ok(match storage {
            Storage::Unit => Storage::Unit,
            Storage::Undefined => Storage::Undefined,
            Storage::Scalar(ty, _) => Storage::Scalar(*ty, self.leaf(maker, *ty)),
            Storage::Struct(name, fields) => {
                let mut out = Vec::with_capacity(fields.len());
                for (name, field) in fields {
                    out.push((name.clone(), Rc::new(self.storage_like_storage(maker, field)?)));
                }
                Storage::Struct(name.clone(), out)
            }
            Storage::Enum { def, variants, .. } => {
                let tag = self.leaf(maker, def.tag);
                let mut out = Vec::with_capacity(variants.len());
                for fields in variants {
                    let fields: Lowered<Vec<_>> = fields
                        .iter()
                        .map(|field| Ok(Rc::new(self.storage_like_storage(maker, field)?)))
                        .collect();
                    out.push(fields?);
                }
                Storage::Enum {
                    def,
                    tag,
                    variants: out,
                }
            }
            Storage::Array(element, len) => {
                let element = maker.within(*len, |maker| self.storage_like_storage(maker, element));
                Storage::Array(Rc::new(element?), *len)
            }
            Storage::Pointer(operand, _) => {
                let operand = operand.clone();
                self.storage_of(maker, &operand)?
            }
        })
    }

    /// Declares what `maker` has made.
    pub(super) fn declare(&mut self, maker: Maker<'_>) {
        for local in maker.made {
            self.builder.push(Stmt::Declare(local));
        }
    }

    /// A new variable, declared here, that holds the operand.
    pub(super) fn variable_of(&mut self, name: Option<&str>, operand: &Operand) -> Lowered<Storage> {
        let mut maker = Maker::new(name);
        let storage = self.storage_of(&mut maker, operand)?;
        self.declare(maker);
        self.store(&variable(&storage), operand)?;
        Ok(storage)
    }

    /// A variable for what a `let mut` binds: that of a fresh array is taken over.
    pub(super) fn owned_variable(&mut self, name: &str, operand: &Operand) -> Lowered<Storage> {
        if let Operand::Array(Array { place, fresh: true }) = operand
            && let Place::Variable(Variable { storage, index: None }) = &**place
        {
            return Ok((**storage).clone());
        }
        self.variable_of(Some(name), operand)
    }

    pub(super) fn read_leaf(&mut self, ty: Scalar, leaf: Leaf, index: Option<ValueId>) -> ValueId {
        match (leaf, index) {
            (Leaf::Local(local), None) => self.builder.read(local),
            (Leaf::Local(local), Some(index)) => self.builder.read_element(local, index),
            (Leaf::Param(param), Some(index)) => self.builder.element(ty, param, index),
            (Leaf::Table(table), Some(index)) => self.builder.lookup(table, index),
            // Control never gets here: any index of an empty array is a fault.
            (Leaf::Nothing | Leaf::Param(_) | Leaf::Table(_), _) => self.builder.number(ty, 0),
        }
    }

    fn write_leaf(&mut self, leaf: Leaf, index: Option<ValueId>, value: ValueId) -> Lowered<()> {
        match (leaf, index) {
            (Leaf::Local(local), None) => {
                let ty = self.builder.kernel().locals[local].ty;
                self.expect_scalar("what is assigned", value, ty)?;
                self.builder.push(Stmt::Set(local, value));
            }
            (Leaf::Local(local), Some(index)) => {
                let ty = self.builder.kernel().locals[local].ty;
                self.expect_scalar("what is assigned", value, ty)?;
                self.builder.push(Stmt::SetElement(local, index, value));
            }
            (Leaf::Nothing, _) => {}
            (Leaf::Param(_) | Leaf::Table(_), _) => {
                return Err(self.bug("what can only be read is assigned to"));
            }
        }
        Ok(())
    }

    /// What is at `place` now, as a value that does not change with it.
    pub(super) fn load(&mut self, place: &Place) -> Lowered<Operand> {
        match place {
            // The array has another name, by which it may be read again.
            Place::Value(Operand::Array(Array { place, .. })) => Ok(Operand::Array(Array {
                place: place.clone(),
                fresh: false,
            })),
            Place::Value(operand) => Ok(operand.clone()),
            Place::Variable(variable) => self.load_variable(variable),
            Place::Memory(memory) => self.load_memory(memory),
            Place::Choice(which, yes, no) => {
                let (yes, a) = self.nested(|s| s.load(yes))?;
                let (no, b) = self.nested(|s| s.load(no))?;
                match (a, b) {
                    (Some(a), Some(b)) => self.join(*which, (yes, a), (no, b)),
                    _ => Err(self.bug("a place that cannot be read")),
                }
            }
        }
    }

    fn load_variable(&mut self, variable: &Variable) -> Lowered<Operand> {
        let index = variable.index;
        let part = |storage: &Rc<Storage>| Variable {
            storage: storage.clone(),
            index,
        };
        Ok(match &*variable.storage {
            Storage::Unit => Operand::Unit,
            Storage::Undefined => Operand::Undefined,
            Storage::Scalar(ty, leaf) => Operand::Value(self.read_leaf(*ty, *leaf, index)),
            Storage::Struct(name, fields) => {
                let mut loaded = Vec::with_capacity(fields.len());
                for (name, field) in fields {
                    loaded.push((name.clone(), self.load_variable(&part(field))?));
                }
                let name = name.clone();
                Operand::Struct(Rc::new(Struct { name, fields: loaded }))
            }
            Storage::Enum { def, tag, variants } => {
                let tag = self.read_leaf(def.tag, *tag, index);
                let mut loaded = Vec::with_capacity(variants.len());
                for fields in variants {
                    let fields: Lowered<Vec<_>> = fields
                        .iter()
                        .map(|field| self.load_variable(&part(field)))
                        .collect();
                    loaded.push(fields?);
                }
                Operand::Enum(Rc::new(EnumValue {
                    def,
                    tag,
                    variants: loaded,
                }))
            }
            Storage::Array(..) => self.copy_of_array(&Place::Variable(variable.clone()))?,
            Storage::Pointer(operand, locals) => {
                let mut locals = locals.iter();
                operand.map(&mut |value| match locals.next() {
                    Some(local) => self.builder.read(*local),
                    None => value,
                })
            }
        })
    }

    /// An array in a variable of its own.
    pub(super) fn copy_of_array(&mut self, place: &Place) -> Lowered<Operand> {
        let mut maker = Maker::new(None);
        let storage = self.storage_like(&mut maker, place)?;
        self.declare(maker);
        let copy = variable(&storage);
        self.copy(&copy, place)?;
        Ok(Operand::Array(Array {
            place: Rc::new(copy),
            fresh: true,
        }))
    }

    /// Stores the operand to `place`.
    pub(super) fn store(&mut self, place: &Place, operand: &Operand) -> Lowered<()> {
        if let Operand::Array(array) = operand {
            return self.copy(place, &array.place);
        }
        match place {
            Place::Value(Operand::Unit) => Ok(()),
            Place::Value(_) => Err(self.bug("what is assigned to is not mutable")),
            Place::Variable(variable) => self.store_variable(variable, operand),
            Place::Memory(memory) => self.store_memory(memory, operand),
            Place::Choice(which, yes, no) => {
                let (yes, _) = self.nested(|s| s.store(yes, operand))?;
                let (no, _) = self.nested(|s| s.store(no, operand))?;
                self.builder.push(Stmt::If(*which, yes, no));
                Ok(())
            }
        }
    }

    fn store_variable(&mut self, place: &Variable, operand: &Operand) -> Lowered<()> {
        let index = place.index;
        let part = |storage: &Rc<Storage>| {
            Place::Variable(Variable {
                storage: storage.clone(),
                index,
            })
        };
        match (&*place.storage, operand) {
            (Storage::Unit, Operand::Unit) | (_, Operand::Undefined) => Ok(()),
            (Storage::Scalar(_, leaf), Operand::Value(value)) => self.write_leaf(*leaf, index, *value),
            (Storage::Struct(_, fields), Operand::Struct(s)) => {
                for (name, field) in fields {
                    let Some((_, value)) = s.fields.iter().find(|(n, _)| n == name) else {
                        return Err(self.bug(format_args!("there is no field `{name}`")));
                    };
                    self.store(&part(field), value)?;
                }
                Ok(())
            }
            (Storage::Enum { tag, variants, .. }, Operand::Enum(e)) => {
                self.write_leaf(*tag, index, e.tag)?;
                for (fields, values) in variants.iter().zip(&e.variants) {
                    for (field, value) in fields.iter().zip(values) {
                        self.store(&part(field), value)?;
                    }
                }
                Ok(())
            }
            (Storage::Pointer(frame, locals), operand) => {
                let operand = self.movable(operand);
                let mut values = vec![];
                let mut first = vec![];
                operand.map(&mut |value| {
                    values.push(value);
                    value
                });
                frame.map(&mut |value| {
                    first.push(value);
                    value
                });
                let mut firsts = first.iter();
                let reframed = operand.map(&mut |value| firsts.next().copied().unwrap_or(value));
                if reframed != *frame || values.len() != locals.len() {
                    return Err(self.error(
                        "a variable refers to parts of one slice or array only: here it would refer to another, which \
                         devices cannot do; write the branch around its uses",
                    ));
                }
                for (local, value) in locals.iter().zip(values) {
                    self.builder.push(Stmt::Set(*local, value));
                }
                Ok(())
            }
            (storage, operand) => {
                let found = self.describe(operand);
                let what = match storage {
                    Storage::Undefined => "a variable whose reference is not known yet".to_string(),
                    _ => "a variable of another type".to_string(),
                };
                Err(self.bug(format_args!("{found} is assigned to {what}")))
            }
        }
    }

    /// Copies an array, element by element.
    fn copy(&mut self, to: &Place, from: &Place) -> Lowered<()> {
        let Some(len) = self.array_len(from) else {
            return Err(self.bug("an array is copied from what is none"));
        };
        if len <= UNROLLED {
            for n in 0..len {
                let index = self.builder.constant(Scalar::Usize, n as u64);
                self.copy_element(to, from, index)?;
            }
            return Ok(());
        }
        let end = self.builder.constant(Scalar::Usize, len as u64);
        self.repeat(end, |s, index| s.copy_element(to, from, index))
    }

    fn copy_element(&mut self, to: &Place, from: &Place, index: ValueId) -> Lowered<()> {
        let (to, from) = (self.element_of(to, index)?, self.element_of(from, index)?);
        if self.array_len(&from).is_some() {
            return self.copy(&to, &from);
        }
        let value = self.load(&from)?;
        self.store(&to, &value)
    }

    /// Fills an array with one value.
    pub(super) fn fill(&mut self, to: &Place, value: &Operand) -> Lowered<()> {
        let Some(len) = self.array_len(to) else {
            return Err(self.bug("an array is made of what is none"));
        };
        let end = self.builder.constant(Scalar::Usize, len as u64);
        if len <= UNROLLED {
            for n in 0..len {
                let index = self.builder.constant(Scalar::Usize, n as u64);
                let element = self.element_of(to, index)?;
                self.store(&element, value)?;
            }
            return Ok(());
        }
        self.repeat(end, |s, index| {
            let element = s.element_of(to, index)?;
            s.store(&element, value)
        })
    }
}

/// The whole variable.
pub(super) fn variable(storage: &Storage) -> Place {
    Place::Variable(Variable {
        storage: Rc::new(storage.clone()),
        index: None,
    })
}
