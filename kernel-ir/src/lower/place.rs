//! Places: variables, fields, elements, and what references refer to.

use super::operand::{Array, EnumValue, Length, Operand, Place, Slice, Variable};
use super::storage::Storage;
use super::{Binding, Lowered, Lowering};
use crate::tree::{Expr, Position};
use crate::typed::{BinaryOp, CompareOp, FaultKind, Math2, Op, Stmt, ValueId};
use crate::{Access, Enum, Scalar, Type};
use std::rc::Rc;

impl Lowering<'_> {
    /// The place that an expression names; what names none is its value.
    pub(super) fn place(&mut self, expr: &Expr) -> Lowered<Place> {
        Ok(match expr {
            Expr::Local(local) => match self.binding(*local)? {
                Binding::Operand(operand) => Place::Value(operand),
                Binding::Variable(storage) => Place::Variable(Variable { storage, index: None }),
            },
            Expr::Field(base, name) => {
                let base = self.place(base)?;
                self.field_of(&base, name)?
            }
            Expr::Index(base, index, at) => self.indexed(base, index, *at)?,
            Expr::Deref(reference) => {
                let reference = self.place(reference)?;
                self.referent(reference)?
            }
            Expr::Subslice {
                base,
                start,
                end,
                inclusive,
                at,
            } => {
                let ends = [start.as_deref(), end.as_deref()];
                Place::Value(Operand::Slice(self.subslice(base, ends, *inclusive, *at)?))
            }
            expr => Place::Value(self.expr(expr)?),
        })
    }

    /// What a place refers to, through every reference; another place is itself.
    pub(super) fn referent(&mut self, mut place: Place) -> Lowered<Place> {
        loop {
            place = match place {
                Place::Value(Operand::Reference(inner)) => (*inner).clone(),
                Place::Variable(Variable { ref storage, .. })
                    if matches!(**storage, Storage::Pointer(..)) =>
                {
                    let operand = self.load(&place)?;
                    match operand {
                        Operand::Reference(inner) => (*inner).clone(),
                        other => return Ok(Place::Value(other)),
                    }
                }
                other => return Ok(other),
            };
        }
    }

    /// Whether a place is of a scalar.
    pub(super) fn is_scalar(&self, place: &Place) -> bool {
        match place {
            Place::Value(operand) => matches!(operand, Operand::Value(_)),
            Place::Variable(v) => matches!(*v.storage, Storage::Scalar(..)),
            Place::Memory(memory) => matches!(memory.ty, Type::Scalar(_)),
            Place::Choice(_, yes, _) => self.is_scalar(yes),
        }
    }

    /// Whether a place holds a reference, so that what is found in it is found by reference.
    pub(super) fn is_reference(&self, place: &Place) -> bool {
        match place {
            Place::Value(Operand::Reference(_)) => true,
            Place::Variable(v) => matches!(*v.storage, Storage::Pointer(Operand::Reference(_), _)),
            Place::Choice(_, yes, _) => self.is_reference(yes),
            Place::Value(_) | Place::Memory(_) => false,
        }
    }

    /// `place.name`
    pub(super) fn field_of(&mut self, place: &Place, name: &str) -> Lowered<Place> {
        let place = self.referent(place.clone())?;
        let found = match &place {
            Place::Choice(which, yes, no) => {
                let (yes, no) = (self.field_of(yes, name)?, self.field_of(no, name)?);
                Some(Place::Choice(*which, Rc::new(yes), Rc::new(no)))
            }
            Place::Value(Operand::Struct(s)) => {
                let field = s.fields.iter().find(|(n, _)| n == name);
                field.map(|(_, operand)| Place::Value(operand.clone()))
            }
            Place::Variable(v) => match &*v.storage {
                Storage::Struct(_, fields) => fields.iter().find(|(n, _)| n == name).map(|(_, storage)| {
                    Place::Variable(Variable {
                        storage: storage.clone(),
                        index: v.index,
                    })
                }),
                _ => None,
            },
            Place::Memory(memory) => match memory.ty {
                Type::Struct(s) => s
                    .field(name)
                    .map(|field| Place::Memory(memory.part(field.offset, field.ty))),
                _ => None,
            },
            Place::Value(_) => None,
        };
        found.ok_or_else(|| self.bug(format_args!("there is no field `{name}`")))
    }

    /// The enum at a place: its type and its tag.
    pub(super) fn enum_at(&mut self, place: &Place) -> Lowered<Option<(&'static Enum, ValueId)>> {
        Ok(match place {
            Place::Value(Operand::Enum(e)) => Some((e.def, e.tag)),
            Place::Choice(which, yes, no) => match (self.enum_at(yes)?, self.enum_at(no)?) {
                (Some((def, a)), Some((_, b))) => Some((def, self.builder.select(*which, a, b))),
                _ => None,
            },
            Place::Variable(v) => match &*v.storage {
                Storage::Enum { def, tag, .. } => {
                    let tag = self.read_leaf(def.tag, *tag, v.index);
                    Some((*def, tag))
                }
                _ => None,
            },
            Place::Memory(memory) => match memory.ty {
                Type::Enum(def) => Some((def, self.tag_in_memory(memory, def))),
                _ => None,
            },
            Place::Value(_) => None,
        })
    }

    /// A field of a variant of the enum at a place.
    pub(super) fn variant_field(&self, place: &Place, variant: usize, field: usize) -> Lowered<Place> {
        let found = match place {
            Place::Choice(which, yes, no) => {
                let yes = self.variant_field(yes, variant, field)?;
                let no = self.variant_field(no, variant, field)?;
                Some(Place::Choice(*which, Rc::new(yes), Rc::new(no)))
            }
            Place::Value(Operand::Enum(e)) => {
                let EnumValue { variants, .. } = &**e;
                let operand = variants.get(variant).and_then(|fields| fields.get(field));
                operand.map(|operand| Place::Value(operand.clone()))
            }
            Place::Variable(v) => match &*v.storage {
                Storage::Enum { variants, .. } => {
                    let storage = variants.get(variant).and_then(|fields| fields.get(field));
                    storage.map(|storage| {
                        Place::Variable(Variable {
                            storage: storage.clone(),
                            index: v.index,
                        })
                    })
                }
                _ => None,
            },
            Place::Memory(memory) => match memory.ty {
                Type::Enum(def) => {
                    let field = def.variants.get(variant).and_then(|v| v.fields.get(field));
                    field.map(|field| Place::Memory(memory.part(field.offset, field.ty)))
                }
                _ => None,
            },
            Place::Value(_) => None,
        };
        found.ok_or_else(|| self.bug("a variant has no such field"))
    }

    /// The number of elements of the array at a place.
    pub(super) fn array_len(&self, place: &Place) -> Option<usize> {
        match place {
            Place::Value(Operand::Array(array)) => self.array_len(&array.place),
            Place::Choice(_, yes, _) => self.array_len(yes),
            Place::Variable(v) => v.storage.array().map(|(_, len)| len),
            Place::Memory(memory) => match memory.ty {
                Type::Array { len, .. } => Some(len),
                _ => None,
            },
            Place::Value(_) => None,
        }
    }

    /// The element at `index`, which is below the length, of an array's place or of all of a slice parameter.
    pub(super) fn element_of(&mut self, place: &Place, index: ValueId) -> Lowered<Place> {
        match place {
            Place::Value(Operand::Array(array)) => {
                let place = array.place.clone();
                self.element_of(&place, index)
            }
            Place::Choice(which, yes, no) => {
                let (yes, no) = (self.element_of(yes, index)?, self.element_of(no, index)?);
                Ok(Place::Choice(*which, Rc::new(yes), Rc::new(no)))
            }
            Place::Variable(v) => match &*v.storage {
                Storage::Array(element, len) => {
                    let index = match v.index {
                        None => index,
                        Some(outer) => {
                            let len = self.builder.constant(Scalar::Usize, *len as u64);
                            let first = self.builder.binary(BinaryOp::Mul, outer, len);
                            self.builder.binary(BinaryOp::Add, first, index)
                        }
                    };
                    Ok(Place::Variable(Variable {
                        storage: element.clone(),
                        index: Some(index),
                    }))
                }
                _ => Err(self.bug("what is no array is indexed")),
            },
            Place::Memory(memory) => match memory.ty {
                Type::Array { element, .. } | Type::Slice { element, .. } => {
                    let Some(stride) = element.size() else {
                        return Err(self.bug(format_args!("elements of type {element} in memory")));
                    };
                    let mut memory = memory.clone();
                    memory.ty = *element;
                    memory.terms.push((index, stride));
                    Ok(Place::Memory(memory))
                }
                _ => Err(self.bug("what is no array is indexed")),
            },
            Place::Value(operand) => {
                let found = self.describe(operand);
                Err(self.bug(format_args!("{found} is indexed")))
            }
        }
    }

    /// A place as a slice of all its elements; a slice is itself.
    pub(super) fn slice_at(&mut self, place: Place) -> Lowered<Slice> {
        let place = self.referent(place)?;
        if let Some(len) = self.array_len(&place) {
            let (base, writable) = match place {
                Place::Value(Operand::Array(Array { place, .. })) => (place, false),
                Place::Memory(ref memory) => {
                    let writable = memory.writable;
                    (Rc::new(place), writable)
                }
                place => (Rc::new(place), true),
            };
            return Ok(Slice {
                base,
                start: None,
                len: Length::Constant(len),
                writable,
            });
        }
        match self.load(&place)? {
            Operand::Slice(slice) => Ok(slice),
            other => {
                let found = self.describe(&other);
                Err(self.bug(format_args!("{found} is used as a slice")))
            }
        }
    }

    /// The number of elements.
    pub(super) fn len_of(&mut self, slice: &Slice) -> ValueId {
        match slice.len {
            Length::Constant(len) => self.builder.constant(Scalar::Usize, len as u64),
            Length::Param(param) => self.builder.def(Scalar::Usize, Op::Len(param)),
            Length::Value(len) => len,
        }
    }

    /// The element at `index` of a slice, which is below its length.
    pub(super) fn element_of_slice(&mut self, slice: &Slice, index: ValueId) -> Lowered<Place> {
        let index = match slice.start {
            None => index,
            Some(start) => self.builder.binary(BinaryOp::Add, start, index),
        };
        let mut place = self.element_of(&slice.base.clone(), index)?;
        if let (Place::Memory(memory), false) = (&mut place, slice.writable) {
            memory.writable = false;
        }
        Ok(place)
    }

    /// `base[index]`: the base, the index, and the check.
    fn indexed(&mut self, base: &Expr, index: &Expr, at: Position) -> Lowered<Place> {
        self.frame.at = at;
        let base = self.place(base)?;
        let base = self.referent(base)?;
        if self.is_view(&base) {
            let view = self.view_at(&base)?;
            return self.element_of_view(&view, index, at);
        }
        let slice = self.slice_at(base)?;
        let index = self.value(index)?;
        self.frame.at = at;
        self.expect_scalar("an index", index, Scalar::Usize)?;
        self.checked_element(&slice, index, at)
    }

    /// The element at an index that is checked here.
    pub(super) fn checked_element(&mut self, slice: &Slice, index: ValueId, at: Position) -> Lowered<Place> {
        let known = match (slice.len, self.builder.constant_bits(index)) {
            (Length::Constant(len), Some(index)) => (index as usize) < len,
            _ => false,
        };
        if !known {
            let len = self.len_of(slice);
            let outside = self.builder.compare(CompareOp::Ge, index, len);
            let site = self.site(FaultKind::Index, at);
            self.builder.fault_if(outside, site, [index, len]);
        }
        self.element_of_slice(slice, index)
    }

    /// `base[start..end]`
    fn subslice(
        &mut self,
        base: &Expr,
        [start, end]: [Option<&Expr>; 2],
        inclusive: bool,
        at: Position,
    ) -> Lowered<Slice> {
        self.frame.at = at;
        let base = self.place(base)?;
        let base = self.slice_at(base)?;
        let start = start.map(|e| self.value(e)).transpose()?;
        let end = end.map(|e| self.value(e)).transpose()?;
        self.frame.at = at;
        for bound in [start, end].into_iter().flatten() {
            self.expect_scalar("a bound of a range", bound, Scalar::Usize)?;
        }
        let len = self.len_of(&base);
        // The checks stand in the order in which Rust looks at them.
        if let Some(start) = start {
            self.range_fault(FaultKind::RangeStart, start, [start, len], len, at);
        }
        let end = match end {
            None => None,
            Some(named) => {
                // No slice has as many elements that the end behind the last index would be a real one.
                let end = if inclusive {
                    let one = self.builder.constant(Scalar::Usize, 1);
                    self.builder.math2(Math2::SaturatingAdd, named, one)
                } else {
                    named
                };
                self.range_fault(FaultKind::RangeEnd, end, [named, len], len, at);
                Some(end)
            }
        };
        Ok(match (start, end) {
            (None, None) => base,
            (Some(start), None) => self.part_of(&base, start, len),
            (None, Some(end)) => Slice {
                len: Length::Value(end),
                ..base
            },
            (Some(start), Some(end)) => {
                self.range_fault(FaultKind::RangeOrder, start, [start, end], end, at);
                self.part_of(&base, start, end)
            }
        })
    }

    /// A fault if `value` is above `limit`, with the values of its message.
    fn range_fault(
        &mut self,
        kind: FaultKind,
        value: ValueId,
        values: [ValueId; 2],
        limit: ValueId,
        at: Position,
    ) {
        let outside = self.builder.compare(CompareOp::Gt, value, limit);
        let site = self.site(kind, at);
        self.builder.fault_if(outside, site, values);
    }

    /// The elements from `start` to before `end`, which are in order and inside.
    pub(super) fn part_of(&mut self, slice: &Slice, start: ValueId, end: ValueId) -> Slice {
        let len = self.builder.binary(BinaryOp::Sub, end, start);
        let start = match slice.start {
            None => start,
            Some(first) => self.builder.binary(BinaryOp::Add, first, start),
        };
        Slice {
            base: slice.base.clone(),
            start: Some(start),
            len: Length::Value(len),
            writable: slice.writable,
        }
    }

    /// `&place`, `&mut place`: of a slice, the slice.
    pub(super) fn reference_to(&mut self, place: Place, access: Access) -> Lowered<Operand> {
        let slice = match &place {
            Place::Value(Operand::Slice(slice)) => Some(slice.clone()),
            Place::Variable(v) if matches!(*v.storage, Storage::Pointer(Operand::Slice(_), _)) => None,
            Place::Value(_) | Place::Variable(_) | Place::Memory(_) | Place::Choice(..) => None,
        };
        Ok(match slice {
            Some(mut slice) => {
                slice.writable &= access == Access::Unique;
                Operand::Slice(slice)
            }
            None => match place {
                // A reference to a function is called like the function.
                Place::Value(function @ Operand::Function(_)) => function,
                place => Operand::Reference(Rc::new(place)),
            },
        })
    }

    /// Runs `f` for each index below `end`.
    pub(super) fn repeat(
        &mut self,
        end: ValueId,
        f: impl FnOnce(&mut Self, ValueId) -> Lowered<()>,
    ) -> Lowered<()> {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let current = self.builder.local_of(None, zero);
        let label = self.builder.label();
        let (body, _) = self.nested(|s| {
            let index = s.builder.read(current);
            let inside = s.builder.compare(CompareOp::Lt, index, end);
            s.break_unless(inside, label);
            f(s, index)
        })?;
        let (next, ()) = self.builder.block(|b| {
            let old = b.read(current);
            let one = b.constant(Scalar::Usize, 1);
            let new = b.binary(BinaryOp::Add, old, one);
            b.push(Stmt::Set(current, new));
        });
        self.builder.push(Stmt::Loop { label, body, next });
        Ok(())
    }
}
