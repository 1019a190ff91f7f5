//! Patterns: the test whether a value matches, and what is bound when it does.
//!
//! A test reads the value and changes nothing. Rust has checked that a `match` leaves nothing out, so the last arm needs no test.

use super::operand::{Length, Operand, Place, Slice};
use super::storage::{Storage, variable};
use super::{Binding, Lowered, Lowering};
use crate::tree::{self, Elements, Pattern, PatternValue};
use crate::typed::{BinaryOp, CompareOp, Stmt, ValueId};
use crate::{Access, Scalar};
use std::rc::Rc;

/// The conditions under which a pattern matches; none if it always does.
type Test = Option<ValueId>;

impl Lowering<'_> {
    /// Tests whether what is at `place` matches.
    pub(super) fn test(&mut self, pattern: &Pattern, place: &Place) -> Lowered<Test> {
        match pattern {
            Pattern::Wild | Pattern::Bind(_, None) => Ok(None),
            Pattern::Bind(_, Some(inner)) => self.test(inner, place),
            Pattern::Reference(inner) => {
                let place = self.referent(place.clone())?;
                self.test(inner, &place)
            }
            Pattern::Constant(value) => self.equals(*value, place),
            Pattern::Range {
                start,
                end,
                inclusive,
            } => {
                let value = self.scalar_at(place)?;
                let mut test = None;
                if let Some(start) = start {
                    let start = self.pattern_scalar(*start, value)?;
                    test = Some(self.builder.compare(CompareOp::Ge, value, start));
                }
                if let Some(end) = end {
                    let end = self.pattern_scalar(*end, value)?;
                    let op = if *inclusive { CompareOp::Le } else { CompareOp::Lt };
                    let below = self.builder.compare(op, value, end);
                    test = self.both(test, Some(below));
                }
                Ok(test)
            }
            Pattern::Tuple(elements) => {
                let place = self.referent(place.clone())?;
                let fields = self.tuple_fields(&place, elements)?;
                self.test_all(&fields)
            }
            Pattern::Array(elements) => {
                let slice = self.slice_at(place.clone())?;
                let test = self.has_length_of(&slice, elements);
                self.if_so(test, |s| {
                    let fields = s.array_fields(&slice, elements)?;
                    s.test_all(&fields)
                })
            }
            Pattern::TupleStruct(name, elements) => {
                let place = self.referent(place.clone())?;
                match self.variant_at(&place, name)? {
                    Some((test, variant, count)) => {
                        let fields = self.variant_fields(&place, variant, count, elements)?;
                        self.if_so(test, |s| s.test_all(&fields))
                    }
                    None => {
                        let fields = self.tuple_fields(&place, elements)?;
                        self.test_all(&fields)
                    }
                }
            }
            Pattern::Struct(name, fields) => {
                let place = self.referent(place.clone())?;
                let (test, variant) = match self.variant_at(&place, name)? {
                    Some((test, variant, _)) => (test, Some(variant)),
                    None => (None, None),
                };
                self.if_so(test, |s| {
                    let mut test = None;
                    for (name, pattern) in fields {
                        let field = s.field_in(&place, variant, name)?;
                        let inner = s.test(pattern, &field)?;
                        test = s.both(test, inner);
                    }
                    Ok(test)
                })
            }
            Pattern::Or(alternatives) => {
                let mut any = None;
                for pattern in alternatives {
                    let Some(test) = self.test(pattern, place)? else {
                        return Ok(None);
                    };
                    any = Some(match any {
                        None => test,
                        Some(any) => self.builder.binary(BinaryOp::Or, any, test),
                    });
                }
                Ok(any)
            }
        }
    }

    fn test_all(&mut self, fields: &[(&Pattern, Place)]) -> Lowered<Test> {
        let mut test = None;
        for (pattern, place) in fields {
            let inner = self.test(pattern, place)?;
            test = self.both(test, inner);
        }
        Ok(test)
    }

    /// A test of what is in a variant, where a reference may lead nowhere if the value is not that variant.
    fn if_so(&mut self, test: Test, inner: impl FnOnce(&mut Self) -> Lowered<Test>) -> Lowered<Test> {
        let Some(condition) = test else {
            return inner(self);
        };
        let (mut block, inner) = self.nested(inner)?;
        let Some(Some(inner)) = inner else {
            self.builder.append(block);
            return Ok(test);
        };
        if self.is_cheap(&block) {
            self.builder.append(block);
            return Ok(self.both(test, Some(inner)));
        }
        let result = self.builder.local_of(None, condition);
        block.push(Stmt::Set(result, inner));
        self.builder.push(Stmt::If(condition, block, vec![]));
        Ok(Some(self.builder.read(result)))
    }

    fn both(&mut self, a: Test, b: Test) -> Test {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.builder.binary(BinaryOp::And, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// Binds the names of a pattern that matches. `by_reference` says that the value was reached through a reference, so
    /// that names are references into it.
    pub(super) fn bind_pattern(
        &mut self,
        pattern: &Pattern,
        place: &Place,
        by_reference: bool,
    ) -> Lowered<()> {
        match pattern {
            Pattern::Wild | Pattern::Constant(_) | Pattern::Range { .. } => Ok(()),
            Pattern::Bind(binding, inner) => {
                let operand = if by_reference || binding.by_reference.is_some() {
                    self.reference_to(place.clone(), Access::Unique)?
                } else {
                    self.load(place)?
                };
                self.bind(binding.local, &binding.name, binding.mutable, operand)?;
                match inner {
                    Some(inner) => self.bind_pattern(inner, place, by_reference),
                    None => Ok(()),
                }
            }
            Pattern::Reference(inner) => {
                let place = self.referent(place.clone())?;
                self.bind_pattern(inner, &place, false)
            }
            Pattern::Tuple(elements) => {
                let by_reference = by_reference || self.is_reference(place);
                let place = self.referent(place.clone())?;
                let fields = self.tuple_fields(&place, elements)?;
                self.bind_all(&fields, by_reference)
            }
            Pattern::Array(elements) => {
                let by_reference = by_reference || self.is_reference(place) || self.is_slice(place);
                let slice = self.slice_at(place.clone())?;
                let fields = self.array_fields(&slice, elements)?;
                self.bind_all(&fields, by_reference)?;
                match &elements.rest {
                    Some(Some(binding)) => self.bind_rest(binding, &slice, elements, by_reference),
                    Some(None) | None => Ok(()),
                }
            }
            Pattern::TupleStruct(name, elements) => {
                let by_reference = by_reference || self.is_reference(place);
                let place = self.referent(place.clone())?;
                let fields = match self.variant_at(&place, name)? {
                    Some((_, variant, count)) => self.variant_fields(&place, variant, count, elements)?,
                    None => self.tuple_fields(&place, elements)?,
                };
                self.bind_all(&fields, by_reference)
            }
            Pattern::Struct(name, fields) => {
                let by_reference = by_reference || self.is_reference(place);
                let place = self.referent(place.clone())?;
                let variant = self.variant_at(&place, name)?.map(|(_, variant, _)| variant);
                for (name, pattern) in fields {
                    let field = self.field_in(&place, variant, name)?;
                    self.bind_pattern(pattern, &field, by_reference)?;
                }
                Ok(())
            }
            Pattern::Or(alternatives) => self.bind_alternatives(alternatives, place, by_reference),
        }
    }

    fn bind_all(&mut self, fields: &[(&Pattern, Place)], by_reference: bool) -> Lowered<()> {
        for (pattern, place) in fields {
            self.bind_pattern(pattern, place, by_reference)?;
        }
        Ok(())
    }

    /// Every alternative binds the same names: each name is a variable that the alternative which matches sets.
    fn bind_alternatives(
        &mut self,
        alternatives: &[Pattern],
        place: &Place,
        by_reference: bool,
    ) -> Lowered<()> {
        let mut names = vec![];
        if let Some(first) = alternatives.first() {
            bindings(first, &mut names);
        }
        if names.is_empty() {
            return Ok(());
        }
        let mut variables: Vec<Option<Rc<Storage>>> = vec![None; names.len()];
        let mut arms = vec![];
        for pattern in alternatives {
            let test = self.test(pattern, place)?;
            let mut made = vec![];
            let (block, _) = self.nested(|s| {
                s.bind_pattern(pattern, place, by_reference)?;
                for (name, known) in names.iter().zip(&mut variables) {
                    let bound = s.place(&tree::Expr::Local(name.local))?;
                    let operand = s.load(&bound)?;
                    let operand = s.detached(operand)?;
                    let storage = match known {
                        Some(storage) => storage.clone(),
                        None => {
                            let mut maker = super::storage::Maker::new(Some(&name.name));
                            let storage = Rc::new(s.storage_of(&mut maker, &operand)?);
                            made.append(&mut maker.made);
                            known.insert(storage).clone()
                        }
                    };
                    s.store(&variable(&storage), &operand)?;
                }
                Ok(())
            })?;
            for local in made {
                self.builder.push(Stmt::Declare(local));
            }
            arms.push((test, block));
        }
        let mut chain = vec![];
        for (test, block) in arms.into_iter().rev() {
            chain = match test {
                None => block,
                // The last alternative matches if no other does.
                Some(_) if chain.is_empty() => block,
                Some(test) => vec![Stmt::If(test, block, chain)],
            };
        }
        self.builder.append(chain);
        for (name, storage) in names.iter().zip(variables) {
            let Some(storage) = storage else { continue };
            let operand = self.load(&variable(&storage))?;
            self.bind(name.local, &name.name, name.mutable, operand)?;
        }
        Ok(())
    }

    /// A reference as one to a copy: variants hold their fields at different places, so a name that is bound in several
    /// cannot refer to one.
    fn detached(&mut self, operand: Operand) -> Lowered<Operand> {
        match operand {
            Operand::Reference(place) => self.load(&place),
            other => Ok(other),
        }
    }

    fn is_slice(&self, place: &Place) -> bool {
        match place {
            Place::Value(Operand::Slice(_)) => true,
            Place::Variable(v) => matches!(*v.storage, Storage::Pointer(Operand::Slice(_), _)),
            Place::Choice(_, yes, _) => self.is_slice(yes),
            Place::Value(_) | Place::Memory(_) => false,
        }
    }

    /// The patterns of a tuple's fields, each with its place.
    fn tuple_fields<'p>(
        &mut self,
        place: &Place,
        elements: &'p Elements,
    ) -> Lowered<Vec<(&'p Pattern, Place)>> {
        let mut fields = vec![];
        for (n, pattern) in elements.before.iter().enumerate() {
            fields.push((pattern, self.field_of(place, &n.to_string())?));
        }
        let count = self.field_count(place)?;
        let first = count.saturating_sub(elements.after.len());
        for (n, pattern) in elements.after.iter().enumerate() {
            fields.push((pattern, self.field_of(place, &(first + n).to_string())?));
        }
        Ok(fields)
    }

    fn field_count(&self, place: &Place) -> Lowered<usize> {
        let count = match place {
            Place::Value(Operand::Unit) => Some(0),
            Place::Value(Operand::Struct(s)) => Some(s.fields.len()),
            Place::Variable(v) => match &*v.storage {
                Storage::Struct(_, fields) => Some(fields.len()),
                Storage::Unit => Some(0),
                _ => None,
            },
            Place::Memory(memory) => match memory.ty {
                crate::Type::Struct(s) => Some(s.fields.len()),
                crate::Type::Unit => Some(0),
                _ => None,
            },
            Place::Choice(_, yes, _) => return self.field_count(yes),
            Place::Value(_) => None,
        };
        count.ok_or_else(|| self.bug("a pattern of a tuple for what is none"))
    }

    fn variant_fields<'p>(
        &mut self,
        place: &Place,
        variant: usize,
        count: usize,
        elements: &'p Elements,
    ) -> Lowered<Vec<(&'p Pattern, Place)>> {
        let mut fields = vec![];
        for (n, pattern) in elements.before.iter().enumerate() {
            fields.push((pattern, self.variant_field(place, variant, n)?));
        }
        let first = count.saturating_sub(elements.after.len());
        for (n, pattern) in elements.after.iter().enumerate() {
            fields.push((pattern, self.variant_field(place, variant, first + n)?));
        }
        Ok(fields)
    }

    fn array_fields<'p>(
        &mut self,
        slice: &Slice,
        elements: &'p Elements,
    ) -> Lowered<Vec<(&'p Pattern, Place)>> {
        let mut fields = vec![];
        for (n, pattern) in elements.before.iter().enumerate() {
            let index = self.builder.constant(Scalar::Usize, n as u64);
            fields.push((pattern, self.element_of_slice(slice, index)?));
        }
        let len = self.len_of(slice);
        for (n, pattern) in elements.after.iter().enumerate() {
            let back = self
                .builder
                .constant(Scalar::Usize, (elements.after.len() - n) as u64);
            let index = self.builder.binary(BinaryOp::Sub, len, back);
            fields.push((pattern, self.element_of_slice(slice, index)?));
        }
        Ok(fields)
    }

    /// Whether a slice has as many elements as a pattern of its elements takes.
    fn has_length_of(&mut self, slice: &Slice, elements: &Elements) -> Test {
        let taken = elements.before.len() + elements.after.len();
        let op = match elements.rest {
            Some(_) if taken == 0 => return None,
            Some(_) => CompareOp::Ge,
            None => CompareOp::Eq,
        };
        // That of an array always fits; a slice of all of an array has a known length too.
        if let Length::Constant(len) = slice.len {
            let fits = len == taken || len > taken && elements.rest.is_some();
            return (!fits).then(|| self.builder.constant(Scalar::Bool, 0));
        }
        let len = self.len_of(slice);
        let taken = self.builder.constant(Scalar::Usize, taken as u64);
        Some(self.builder.compare(op, len, taken))
    }

    /// `rest @ ..`
    fn bind_rest(
        &mut self,
        binding: &tree::Binding,
        slice: &Slice,
        elements: &Elements,
        by_reference: bool,
    ) -> Lowered<()> {
        let start = self.builder.constant(Scalar::Usize, elements.before.len() as u64);
        let len = self.len_of(slice);
        let back = self.builder.constant(Scalar::Usize, elements.after.len() as u64);
        let end = self.builder.binary(BinaryOp::Sub, len, back);
        let rest = self.part_of(slice, start, end);
        let operand = if by_reference || binding.by_reference.is_some() {
            Operand::Slice(rest)
        } else {
            let known = match slice.len {
                Length::Constant(len) => len,
                Length::Param(_) | Length::Value(_) => 0,
            };
            let count = known.saturating_sub(elements.before.len() + elements.after.len());
            self.array_of(&rest, count)?
        };
        self.bind(binding.local, &binding.name, binding.mutable, operand)
    }

    /// Of an enum, the test for the variant of that name, its number and the number of its fields.
    fn variant_at(&mut self, place: &Place, name: &str) -> Lowered<Option<(Test, usize, usize)>> {
        let Some((def, tag)) = self.enum_at(place)? else {
            return Ok(None);
        };
        let Some(number) = def.variants.iter().position(|v| v.name == name) else {
            return Err(self.error(format_args!(
                "`{}` has no variant of the name `{name}`: kernels call a variant by its own name",
                def.name
            )));
        };
        let variant = &def.variants[number];
        let test = if def.variants.len() == 1 {
            None
        } else {
            let discriminant = self.builder.constant(def.tag, variant.discriminant);
            Some(self.builder.compare(CompareOp::Eq, tag, discriminant))
        };
        Ok(Some((test, number, variant.fields.len())))
    }

    /// A field by its name, of a struct or of a variant.
    fn field_in(&mut self, place: &Place, variant: Option<usize>, name: &str) -> Lowered<Place> {
        let Some(variant) = variant else {
            return self.field_of(place, name);
        };
        let fields = self.enum_at(place)?.map(|(def, _)| def.variants[variant].fields);
        let field = fields.and_then(|fields| fields.iter().position(|f| f.name == name));
        match field {
            Some(field) => self.variant_field(place, variant, field),
            None => Err(self.bug(format_args!("a variant has no field `{name}`"))),
        }
    }

    fn scalar_at(&mut self, place: &Place) -> Lowered<ValueId> {
        let place = self.referent(place.clone())?;
        match self.load(&place)? {
            Operand::Value(value) => Ok(value),
            other => {
                let found = self.describe(&other);
                Err(self.bug(format_args!("{found} is compared to a value")))
            }
        }
    }

    /// A value of a pattern as one of the type of what it is compared to.
    fn pattern_scalar(&mut self, value: PatternValue, like: ValueId) -> Lowered<ValueId> {
        let ty = self.builder.ty(like);
        let value = match value {
            PatternValue::Int { value, negative } => self.int_of(value, negative, ty)?,
            PatternValue::Float { single, double } => self.float_of(single, double, ty)?,
            PatternValue::Bool(value) => self.builder.constant(Scalar::Bool, value.into()),
            PatternValue::Constant(hole) => match self.constant_of(hole)? {
                Operand::Value(value) => value,
                other => {
                    let found = self.describe(&other);
                    return Err(self.bug(format_args!("a bound of a pattern is {found}")));
                }
            },
        };
        self.expect_scalar("a value in a pattern", value, ty)?;
        Ok(value)
    }

    /// Tests whether what is at `place` is a value.
    fn equals(&mut self, value: PatternValue, place: &Place) -> Lowered<Test> {
        if let PatternValue::Constant(hole) = value {
            let constant = self.constant_of(hole)?;
            let place = self.referent(place.clone())?;
            return self.same(&constant, &place);
        }
        let found = self.scalar_at(place)?;
        let value = self.pattern_scalar(value, found)?;
        Ok(Some(self.builder.compare(CompareOp::Eq, found, value)))
    }

    /// Tests whether what is at `place` equals a constant, part by part.
    fn same(&mut self, constant: &Operand, place: &Place) -> Lowered<Test> {
        match constant {
            Operand::Unit => Ok(None),
            Operand::Value(value) => {
                let found = self.scalar_at(place)?;
                self.expect_scalar("a constant in a pattern", *value, self.builder.ty(found))?;
                Ok(Some(self.builder.compare(CompareOp::Eq, found, *value)))
            }
            Operand::Struct(s) => {
                let mut test = None;
                for (name, constant) in &s.fields {
                    let field = self.field_of(place, name)?;
                    let inner = self.same(constant, &field)?;
                    test = self.both(test, inner);
                }
                Ok(test)
            }
            Operand::Enum(e) => {
                let Some((_, tag)) = self.enum_at(place)? else {
                    return Err(self.bug("an enum in a pattern of what is none"));
                };
                let mut test = Some(self.builder.compare(CompareOp::Eq, tag, e.tag));
                let known = self.builder.constant_bits(e.tag);
                let number = e.def.variants.iter().position(|v| Some(v.discriminant) == known);
                for (n, constant) in number.map_or(&[][..], |n| &e.variants[n]).iter().enumerate() {
                    let field = self.variant_field(place, number.unwrap_or(0), n)?;
                    let inner = self.same(constant, &field)?;
                    test = self.both(test, inner);
                }
                Ok(test)
            }
            Operand::Array(array) => {
                let mut test = None;
                let slice = self.slice_at(place.clone())?;
                for n in 0..self.array_len(&array.place).unwrap_or(0) {
                    let index = self.builder.constant(Scalar::Usize, n as u64);
                    let (constant, found) = (
                        self.element_of(&array.place, index)?,
                        self.element_of_slice(&slice, index)?,
                    );
                    let constant = self.load(&constant)?;
                    let inner = self.same(&constant, &found)?;
                    test = self.both(test, inner);
                }
                Ok(test)
            }
            Operand::Slice(_) | Operand::Reference(_) | Operand::Function(_) | Operand::Undefined => {
                Err(self.bug("a reference in a pattern"))
            }
        }
    }

    /// Gives the local of the source a meaning. A mutable one needs a variable, an immutable one is its value.
    pub(super) fn bind(
        &mut self,
        local: tree::LocalId,
        name: &str,
        mutable: bool,
        operand: Operand,
    ) -> Lowered<()> {
        let binding = if mutable {
            match operand {
                // What a closure changes are the variables around it.
                Operand::Unit | Operand::Function(_) => Binding::Operand(operand),
                operand => Binding::Variable(Rc::new(self.owned_variable(name, &operand)?)),
            }
        } else {
            if let Operand::Value(value) = operand {
                self.builder.name(value, name);
            }
            // From now on its name knows it too.
            Binding::Operand(match operand {
                Operand::Array(array) => Operand::Array(super::operand::Array {
                    fresh: false,
                    ..array
                }),
                other => other,
            })
        };
        self.frame.bindings.insert(local, binding);
        Ok(())
    }
}

/// The names that a pattern binds.
fn bindings<'p>(pattern: &'p Pattern, names: &mut Vec<&'p tree::Binding>) {
    let mut all = |elements: &'p Elements| {
        let patterns = elements.before.iter().chain(&elements.after);
        patterns.for_each(|pattern| bindings(pattern, names));
        names.extend(elements.rest.iter().flatten());
    };
    match pattern {
        Pattern::Wild | Pattern::Constant(_) | Pattern::Range { .. } => {}
        Pattern::Bind(binding, inner) => {
            names.push(binding);
            if let Some(inner) = inner {
                bindings(inner, names);
            }
        }
        Pattern::Tuple(elements) | Pattern::Array(elements) | Pattern::TupleStruct(_, elements) => {
            all(elements)
        }
        Pattern::Struct(_, fields) => fields.iter().for_each(|(_, pattern)| bindings(pattern, names)),
        Pattern::Reference(inner) => bindings(inner, names),
        // All alternatives bind the same names.
        Pattern::Or(alternatives) => {
            if let Some(first) = alternatives.first() {
                bindings(first, names);
            }
        }
    }
}
