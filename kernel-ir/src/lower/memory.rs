//! Memory of slices: reading and writing values there, scalar by scalar, or several at once.
//!
//! Scalars of one type that stand side by side are one access where the alignment of the struct around them allows it: a
//! vector of two or four, as every code form has them.

use super::operand::{EnumValue, Memory, Operand, Place, Struct};
use super::{Lowered, Lowering};
use crate::typed::{CompareOp, Op, Stmt, ValueId};
use crate::{Enum, Scalar, Type};
use std::rc::Rc;

/// The most bytes of one access: what hardware reads at once.
const WIDEST: usize = 16;

/// Scalars that are read or written at once.
#[derive(Debug, PartialEq)]
struct Vector {
    ty: Scalar,
    /// Where the first stands in the value.
    offset: usize,
    len: usize,
}

/// The vectors of a value in memory. It stands at a multiple of its type's alignment, as every value in Rust does.
fn vectors(ty: Type) -> Vec<Vector> {
    let Type::Struct(s) = ty else {
        return vec![];
    };
    let mut scalars = vec![];
    scalars_of(ty, 0, &mut scalars);
    scalars.sort_by_key(|(offset, _)| *offset);
    let mut vectors = vec![];
    let mut rest = scalars.as_slice();
    while let [(offset, ty), ..] = *rest {
        let fits = |len: usize| {
            let (bytes, size) = (ty.bytes(), ty.bytes() * len);
            let aligned = size <= WIDEST && s.align.is_multiple_of(size) && offset.is_multiple_of(size);
            let side_by_side = |n: usize| rest.get(n) == Some(&(offset + n * bytes, ty));
            aligned && ty != Scalar::Bool && (0..len).all(side_by_side)
        };
        let len = [4, 2].into_iter().find(|len| fits(*len));
        if let Some(len) = len {
            vectors.push(Vector { ty, offset, len });
        }
        rest = &rest[len.unwrap_or(1)..];
    }
    vectors
}

/// The scalars of a value that are always there, and not found by an index.
fn scalars_of(ty: Type, offset: usize, scalars: &mut Vec<(usize, Scalar)>) {
    match ty {
        Type::Scalar(scalar) => scalars.push((offset, scalar)),
        Type::Struct(s) => {
            for field in s.fields {
                scalars_of(field.ty, offset + field.offset, scalars);
            }
        }
        Type::Unit
        | Type::Enum(_)
        | Type::Array { .. }
        | Type::Atomic(_)
        | Type::Slice { .. }
        | Type::Reference { .. } => {}
    }
}

/// The scalar that stands at an offset of a struct.
fn scalar_at(ty: Type, operand: &Operand, at: usize) -> Option<ValueId> {
    match (ty, operand) {
        (Type::Scalar(_), Operand::Value(value)) if at == 0 => Some(*value),
        (Type::Struct(s), Operand::Struct(value)) => s.fields.iter().find_map(|field| {
            let (_, operand) = value.fields.iter().find(|(name, _)| name == field.name)?;
            scalar_at(field.ty, operand, at.checked_sub(field.offset)?)
        }),
        _ => None,
    }
}

impl Lowering<'_> {
    /// What is in memory now.
    pub(super) fn load_memory(&mut self, memory: &Memory) -> Lowered<Operand> {
        let mut loaded = vec![];
        for vector in vectors(memory.ty) {
            let first = memory.part(vector.offset, Type::Scalar(vector.ty));
            let index = self.index_of(&first, vector.ty);
            let values = self
                .builder
                .load_vector(memory.param, vector.ty, index, vector.len);
            let offsets = (0..).map(|n| first.offset + n * vector.ty.bytes());
            loaded.extend(offsets.zip(values));
        }
        self.load_part(memory, &loaded)
    }

    /// What is in memory; some scalars, told by their offsets, are loaded already.
    fn load_part(&mut self, memory: &Memory, loaded: &[(usize, ValueId)]) -> Lowered<Operand> {
        Ok(match memory.ty {
            Type::Unit => Operand::Unit,
            Type::Scalar(ty) => match loaded.iter().find(|(offset, _)| *offset == memory.offset) {
                Some((_, value)) => Operand::Value(*value),
                None => {
                    let index = self.index_of(memory, ty);
                    Operand::Value(self.builder.def(ty, Op::Load(memory.param, index)))
                }
            },
            Type::Struct(s) => {
                let mut fields = Vec::with_capacity(s.fields.len());
                for field in s.fields {
                    let part = memory.part(field.offset, field.ty);
                    fields.push((field.name.to_string(), self.load_part(&part, loaded)?));
                }
                let name = s.name.into();
                Operand::Struct(Rc::new(Struct { name, fields }))
            }
            Type::Enum(def) => {
                let tag = self.tag_in_memory(memory, def);
                let mut variants = Vec::with_capacity(def.variants.len());
                for variant in def.variants {
                    let fields: Lowered<Vec<_>> = variant
                        .fields
                        .iter()
                        .map(|field| self.load_memory(&memory.part(field.offset, field.ty)))
                        .collect();
                    variants.push(fields?);
                }
                Operand::Enum(Rc::new(EnumValue { def, tag, variants }))
            }
            Type::Array { .. } => self.copy_of_array(&Place::Memory(memory.clone()))?,
            Type::Atomic(_) | Type::Slice { .. } | Type::Reference { .. } => {
                return Err(self.bug(format_args!("a {} in memory", memory.ty)));
            }
        })
    }

    pub(super) fn tag_in_memory(&mut self, memory: &Memory, def: &'static Enum) -> ValueId {
        match (def.size, def.variants) {
            // An enum of one variant takes no memory.
            (Some(0), [only]) => self.builder.constant(def.tag, only.discriminant),
            _ => {
                let part = memory.part(0, Type::Scalar(def.tag));
                let index = self.index_of(&part, def.tag);
                self.builder.def(def.tag, Op::Load(memory.param, index))
            }
        }
    }

    /// The index of a scalar in memory, counted in scalars of its type. All distances are multiples of its size, because
    /// it is aligned to that.
    pub(super) fn index_of(&mut self, memory: &Memory, ty: Scalar) -> ValueId {
        let b = &mut self.builder;
        let mut sum = None;
        for &(index, stride) in &memory.terms {
            let term = match stride / ty.bytes() {
                1 => index,
                stride => {
                    let stride = b.constant(Scalar::Usize, stride as u64);
                    b.binary(crate::typed::BinaryOp::Mul, index, stride)
                }
            };
            sum = Some(match sum {
                None => term,
                Some(sum) => b.binary(crate::typed::BinaryOp::Add, sum, term),
            });
        }
        let offset = (memory.offset / ty.bytes()) as u64;
        match sum {
            None => b.constant(Scalar::Usize, offset),
            Some(sum) if offset == 0 => sum,
            Some(sum) => {
                let offset = b.constant(Scalar::Usize, offset);
                b.binary(crate::typed::BinaryOp::Add, sum, offset)
            }
        }
    }

    /// Stores to memory.
    pub(super) fn store_memory(&mut self, memory: &Memory, operand: &Operand) -> Lowered<()> {
        if !memory.writable {
            return Err(self.bug("an element is written to of what can only be read"));
        }
        let mut stored = vec![];
        for vector in vectors(memory.ty) {
            let first = memory.part(vector.offset, Type::Scalar(vector.ty));
            let offsets = (0..vector.len).map(|n| vector.offset + n * vector.ty.bytes());
            let values: Option<Vec<_>> = offsets
                .clone()
                .map(|at| scalar_at(memory.ty, operand, at))
                .collect();
            // A mistake is told where its scalar is stored.
            let Some(values) = values.filter(|v| v.iter().all(|v| self.builder.ty(*v) == vector.ty)) else {
                continue;
            };
            let index = self.index_of(&first, vector.ty);
            self.builder.push(Stmt::StoreVector(memory.param, index, values));
            stored.extend(offsets.map(|at| memory.offset + at));
        }
        self.store_part(memory, operand, &stored)
    }

    /// Stores to memory; some scalars, told by their offsets, are stored already.
    fn store_part(&mut self, memory: &Memory, operand: &Operand, stored: &[usize]) -> Lowered<()> {
        match (memory.ty, operand) {
            (Type::Unit, Operand::Unit) | (_, Operand::Undefined) => Ok(()),
            (Type::Scalar(_), _) if stored.contains(&memory.offset) => Ok(()),
            (Type::Scalar(ty), Operand::Value(value)) => {
                self.expect_scalar("what is assigned", *value, ty)?;
                let index = self.index_of(memory, ty);
                self.builder.push(Stmt::Store(memory.param, index, *value));
                Ok(())
            }
            (Type::Struct(s), Operand::Struct(value)) => {
                for field in s.fields {
                    let Some((_, value)) = value.fields.iter().find(|(n, _)| n == field.name) else {
                        return Err(self.bug(format_args!("there is no field `{}`", field.name)));
                    };
                    let part = memory.part(field.offset, field.ty);
                    match field.ty {
                        Type::Struct(_) | Type::Scalar(_) => self.store_part(&part, value, stored)?,
                        _ => self.store(&Place::Memory(part), value)?,
                    }
                }
                Ok(())
            }
            (Type::Enum(def), Operand::Enum(e)) => self.store_enum(memory, def, e),
            (ty, operand) => {
                let found = self.describe(operand);
                Err(self.bug(format_args!("{found} is assigned to a place of type {ty}")))
            }
        }
    }

    /// The variants share their memory, so only the fields of the right one are stored.
    fn store_enum(&mut self, memory: &Memory, def: &'static Enum, e: &EnumValue) -> Lowered<()> {
        if def.size != Some(0) {
            self.store_memory(&memory.part(0, Type::Scalar(def.tag)), &Operand::Value(e.tag))?;
        }
        let known = self.builder.constant_bits(e.tag);
        for (variant, values) in def.variants.iter().zip(&e.variants) {
            if values.is_empty() || known.is_some_and(|bits| bits != variant.discriminant) {
                continue;
            }
            let (block, _) = self.nested(|s| {
                for (field, value) in variant.fields.iter().zip(values) {
                    s.store(&Place::Memory(memory.part(field.offset, field.ty)), value)?;
                }
                Ok(())
            })?;
            if known.is_some() {
                self.builder.append(block);
            } else {
                let discriminant = self.builder.constant(def.tag, variant.discriminant);
                let is = self.builder.compare(CompareOp::Eq, e.tag, discriminant);
                self.builder.push(Stmt::If(is, block, vec![]));
            }
        }
        Ok(())
    }
}

impl Memory {
    /// The part at `offset`.
    pub(super) fn part(&self, offset: usize, ty: Type) -> Memory {
        Memory {
            ty,
            offset: self.offset + offset,
            ..self.clone()
        }
    }
}
