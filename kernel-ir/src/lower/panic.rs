//! `panic!` and kin.

use super::operand::{Array, Operand};
use super::{Lowered, Lowering, Stop};
use crate::body::Link;
use crate::tree::{Expr, LinkHole, Position};
use crate::typed::{FaultKind, Op, Stmt, ValueId, Words};
use crate::{Scalar, Type};

impl Lowering<'_> {
    /// Ends the work-item with a message that shows some values.
    pub(super) fn panic(&mut self, words: LinkHole, shown: &Expr, at: Position) -> Lowered<Operand> {
        let (words, values) = self.message(words, shown)?;
        let site = self.site(FaultKind::Words(words), at);
        self.builder.push(Stmt::Fault(site, values));
        Err(Stop::Never)
    }

    /// What makes a message, and the values that it shows.
    pub(super) fn message(&mut self, words: LinkHole, shown: &Expr) -> Lowered<(Words, Vec<ValueId>)> {
        let Link::Words(words) = self.link(words)? else {
            return Err(self.bug("a message without words"));
        };
        let shown = self.expr(shown)?;
        let mut values = vec![];
        self.shown(&shown, &mut values)?;
        if values.len() != words.values {
            return Err(self.bug(format_args!(
                "a message of {} values that are {}",
                words.values,
                values.len()
            )));
        }
        Ok((words, values))
    }

    /// The scalars of what is shown, as the host puts them together again: in the order of the source, of an enum first
    /// the tag, then the fields of each variant in turn.
    fn shown(&mut self, operand: &Operand, values: &mut Vec<ValueId>) -> Lowered<()> {
        match operand {
            Operand::Unit => {}
            Operand::Value(value) => values.push(self.word(*value)),
            Operand::Struct(s) => {
                for (_, field) in &s.fields {
                    self.shown(field, values)?;
                }
            }
            Operand::Enum(e) => {
                values.push(self.word(e.tag));
                for (fields, variant) in e.variants.iter().zip(e.def.variants) {
                    for (field, known) in fields.iter().zip(variant.fields) {
                        match field {
                            Operand::Undefined => self.nothing(known.ty, values),
                            field => self.shown(field, values)?,
                        }
                    }
                }
            }
            Operand::Array(Array { place, .. }) => {
                for n in 0..self.array_len(place).unwrap_or(0) {
                    let index = self.builder.constant(Scalar::Usize, n as u64);
                    let element = self.element_of(place, index)?;
                    let element = self.load(&element)?;
                    self.shown(&element, values)?;
                }
            }
            Operand::Reference(place) => {
                let place = self.referent((**place).clone())?;
                let value = self.load(&place)?;
                self.shown(&value, values)?;
            }
            Operand::Slice(_) | Operand::Function(_) | Operand::Undefined => {
                return Err(self.bug("a message shows what is no value"));
            }
        }
        Ok(())
    }

    /// As many zeros as a type has scalars.
    fn nothing(&mut self, ty: Type, values: &mut Vec<ValueId>) {
        for _ in 0..ty.scalars() {
            values.push(self.builder.number(Scalar::U64, 0));
        }
    }

    /// A scalar's bits.
    fn word(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let bits = if ty.is_integer() || ty == Scalar::Bool {
            value
        } else {
            self.builder.def(ty.unsigned(), Op::Bits(value))
        };
        self.builder.cast(bits, Scalar::U64)
    }
}
