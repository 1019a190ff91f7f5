//! Tuples, arrays, structs and enums made of their parts, and constants.

use super::operand::{Array, EnumValue, Operand, Struct};
use super::storage::{Leaf, Maker, Storage, variable};
use super::{Lowered, Lowering};
use crate::body::{Constant, ConstantValue};
use crate::tree::{Expr, TypeRef};
use crate::{Enum, Scalar, Type};
use std::rc::Rc;

impl Lowering<'_> {
    /// `(a, b)`
    pub(super) fn tuple(&mut self, fields: &[Expr]) -> Lowered<Operand> {
        let fields: Lowered<Vec<_>> = fields.iter().map(|field| self.expr(field)).collect();
        Ok(Operand::tuple(fields?))
    }

    /// `[a, b]`
    pub(super) fn array(&mut self, elements: &[Expr]) -> Lowered<Operand> {
        let elements: Lowered<Vec<_>> = elements.iter().map(|element| self.expr(element)).collect();
        self.array_of_operands(&elements?)
    }

    /// An array of what its elements are.
    pub(super) fn array_of_operands(&mut self, elements: &[Operand]) -> Lowered<Operand> {
        let Some(first) = elements.first() else {
            return Err(self.bug("an array without elements has no type"));
        };
        let mut maker = Maker::new(None);
        let element = maker.within(elements.len(), |maker| self.storage_of(maker, first))?;
        self.declare(maker);
        let place = variable(&Storage::Array(Rc::new(element), elements.len()));
        for (n, element) in elements.iter().enumerate() {
            let index = self.builder.constant(Scalar::Usize, n as u64);
            let at = self.element_of(&place, index)?;
            self.store(&at, element)?;
        }
        Ok(fresh(place))
    }

    /// `[value; N]`
    pub(super) fn repeated(&mut self, value: &Expr, ty: TypeRef) -> Lowered<Operand> {
        let value = self.expr(value)?;
        let ty = self.resolve(ty)?;
        let Type::Array { len, .. } = ty else {
            return Err(self.bug(format_args!("an array of type {ty}")));
        };
        self.filled(&value, len)
    }

    /// The first `len` elements of a slice, copied.
    pub(super) fn array_of(&mut self, slice: &super::operand::Slice, len: usize) -> Lowered<Operand> {
        let mut maker = Maker::new(None);
        let zero = self.builder.constant(Scalar::Usize, 0);
        let first = self.element_of_slice(slice, zero)?;
        let element = maker.within(len, |maker| self.storage_like(maker, &first))?;
        self.declare(maker);
        let place = variable(&Storage::Array(Rc::new(element), len));
        let end = self.builder.constant(Scalar::Usize, len as u64);
        self.repeat(end, |s, index| {
            let from = s.element_of_slice(slice, index)?;
            let value = s.load(&from)?;
            let to = s.element_of(&place, index)?;
            s.store(&to, &value)
        })?;
        Ok(fresh(place))
    }

    /// `Name { field: value, ..base }` and its kin.
    pub(super) fn construct(
        &mut self,
        ty: TypeRef,
        name: &str,
        fields: &[(String, Expr)],
        base: Option<&Expr>,
    ) -> Lowered<Operand> {
        let mut values = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            values.push((name.as_str(), self.expr(value)?));
        }
        let base = base.map(|base| self.place(base)).transpose()?;
        let find = |name: &str| {
            values
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| value.clone())
        };
        match self.resolve(ty)? {
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    let value = match (find(field.name), &base) {
                        (Some(value), _) => value,
                        (None, Some(base)) => {
                            let place = self.field_of(base, field.name)?;
                            self.load(&place)?
                        }
                        (None, None) => {
                            return Err(self.bug(format_args!("field `{}` is missing", field.name)));
                        }
                    };
                    self.expect(format_args!("`{}`", field.name), &value, field.ty)?;
                    fields.push((field.name.to_string(), value));
                }
                let name = s.name.into();
                Ok(Operand::Struct(Rc::new(Struct { name, fields })))
            }
            Type::Enum(def) => {
                let Some(number) = def.variants.iter().position(|v| v.name == name) else {
                    return Err(self.error(format_args!(
                        "`{}` has no variant of the name `{name}`: kernels call a variant by its own name",
                        def.name
                    )));
                };
                let mut given = Vec::new();
                for field in def.variants[number].fields {
                    let Some(value) = find(field.name) else {
                        return Err(self.bug(format_args!("field `{}` is missing", field.name)));
                    };
                    self.expect(format_args!("`{}`", field.name), &value, field.ty)?;
                    given.push(value);
                }
                self.variant(def, number, given)
            }
            other => Err(self.bug(format_args!("`{name}` of type {other}"))),
        }
    }

    /// A variant with its fields.
    pub(super) fn variant(
        &mut self,
        def: &'static Enum,
        number: usize,
        fields: Vec<Operand>,
    ) -> Lowered<Operand> {
        let tag = self.builder.constant(def.tag, def.variants[number].discriminant);
        let mut given = Some(fields);
        let mut variants = Vec::with_capacity(def.variants.len());
        for (n, variant) in def.variants.iter().enumerate() {
            variants.push(match given.take_if(|_| n == number) {
                Some(fields) => fields,
                None => {
                    let fields = variant.fields.iter();
                    fields
                        .map(|field| self.anything(field.ty))
                        .collect::<Lowered<_>>()?
                }
            });
        }
        Ok(Operand::Enum(Rc::new(EnumValue { def, tag, variants })))
    }

    /// A value of a type that is never looked at.
    fn anything(&mut self, ty: Type) -> Lowered<Operand> {
        Ok(match ty {
            Type::Unit => Operand::Unit,
            Type::Scalar(scalar) => Operand::Value(self.builder.number(scalar, 0)),
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    fields.push((field.name.to_string(), self.anything(field.ty)?));
                }
                let name = s.name.into();
                Operand::Struct(Rc::new(Struct { name, fields }))
            }
            Type::Enum(def) => {
                let tag = self.builder.number(def.tag, 0);
                let mut variants = Vec::with_capacity(def.variants.len());
                for variant in def.variants {
                    let fields: Lowered<Vec<_>> = variant
                        .fields
                        .iter()
                        .map(|field| self.anything(field.ty))
                        .collect();
                    variants.push(fields?);
                }
                Operand::Enum(Rc::new(EnumValue { def, tag, variants }))
            }
            Type::Array { element, len } => {
                let value = self.anything(*element)?;
                self.filled(&value, len)?
            }
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => Operand::Undefined,
        })
    }

    /// An array of one value.
    fn filled(&mut self, value: &Operand, len: usize) -> Lowered<Operand> {
        let mut maker = Maker::new(None);
        let element = maker.within(len, |maker| self.storage_of(maker, value))?;
        self.declare(maker);
        let place = variable(&Storage::Array(Rc::new(element), len));
        self.fill(&place, value)?;
        Ok(fresh(place))
    }

    /// A constant, evaluated by rustc.
    pub(super) fn constant(&mut self, constant: &Constant) -> Lowered<Operand> {
        self.constant_at(&constant.value(), constant.ty, 0)
    }

    fn constant_at(&mut self, value: &ConstantValue, ty: Type, at: usize) -> Lowered<Operand> {
        Ok(match ty {
            Type::Unit => Operand::Unit,
            Type::Scalar(scalar) => Operand::Value(self.builder.constant(scalar, value.bits(scalar, at))),
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    let part = self.constant_at(value, field.ty, at + field.offset)?;
                    fields.push((field.name.to_string(), part));
                }
                let name = s.name.into();
                Operand::Struct(Rc::new(Struct { name, fields }))
            }
            Type::Enum(def) => self.constant_enum(value, def, at)?,
            Type::Array { .. } => {
                let storage = self.table_of(value, ty, &[at])?;
                Operand::Array(Array {
                    place: Rc::new(variable(&storage)),
                    fresh: false,
                })
            }
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => {
                return Err(self.error(format_args!(
                    "a constant of type {ty} cannot be used in a kernel: make it an array"
                )));
            }
        })
    }

    fn constant_enum(&mut self, value: &ConstantValue, def: &'static Enum, at: usize) -> Lowered<Operand> {
        let laid_out = |number: usize| def.variants[number].fields.iter().map(|f| f.offset).collect();
        let (number, offsets): (usize, Vec<usize>) = match (def.size, def.locate) {
            (Some(0), _) => (0, laid_out(0)),
            (Some(_), _) => {
                let tag = value.bits(def.tag, at);
                let Some(number) = def.variants.iter().position(|v| v.discriminant == tag) else {
                    return Err(self.bug(format_args!("a constant that is no `{}`", def.name)));
                };
                (number, laid_out(number))
            }
            (None, Some(locate)) => value.locate(locate, at),
            (None, None) => {
                return Err(self.bug(format_args!("a constant of an `{}` of lowering's own", def.name)));
            }
        };
        let mut fields = Vec::new();
        for (field, offset) in def.variants[number].fields.iter().zip(offsets) {
            fields.push(self.constant_at(value, field.ty, at + offset)?);
        }
        self.variant(def, number, fields)
    }

    /// Tables for an array's scalars. `starts` are where the values of `ty` begin.
    fn table_of(&mut self, value: &ConstantValue, ty: Type, starts: &[usize]) -> Lowered<Storage> {
        let at =
            |starts: &[usize], offset: usize| starts.iter().map(|start| start + offset).collect::<Vec<_>>();
        Ok(match ty {
            Type::Unit => Storage::Unit,
            Type::Scalar(scalar) => Storage::Scalar(scalar, self.table(value, scalar, starts)),
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    let storage = self.table_of(value, field.ty, &at(starts, field.offset))?;
                    fields.push((field.name.to_string(), Rc::new(storage)));
                }
                Storage::Struct(s.name.into(), fields)
            }
            Type::Array { element, len } => {
                let Some(size) = element.size() else {
                    return Err(self.bug(format_args!("a table of {element}")));
                };
                let inner: Vec<usize> = starts
                    .iter()
                    .flat_map(|start| (0..len).map(move |n| start + n * size))
                    .collect();
                let element = self.table_of(value, *element, &inner)?;
                Storage::Array(Rc::new(element), len)
            }
            Type::Enum(def) if def.is_plain() && def.size != Some(0) => Storage::Enum {
                def,
                tag: self.table(value, def.tag, starts),
                variants: vec![vec![]; def.variants.len()],
            },
            Type::Enum(_) | Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => {
                return Err(self.error(format_args!(
                    "a constant array of {ty} is not supported in kernels: use numbers, plain enums and structs of these"
                )));
            }
        })
    }

    fn table(&mut self, value: &ConstantValue, ty: Scalar, starts: &[usize]) -> Leaf {
        if starts.is_empty() {
            return Leaf::Nothing;
        }
        let bits = starts.iter().map(|start| value.bits(ty, *start)).collect();
        Leaf::Table(self.builder.table(None, ty, bits))
    }
}

/// An array that nothing else knows.
fn fresh(place: super::operand::Place) -> Operand {
    Operand::Array(Array {
        place: Rc::new(place),
        fresh: true,
    })
}
