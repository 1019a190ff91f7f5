//! Options and results, and the methods that do one thing with what they hold and another without.

use super::operand::{EnumValue, Function, Operand, Place};
use super::{Lowered, Lowering};
use crate::tree::Position;
use crate::typed::{CompareOp, FaultKind, UnaryOp, ValueId};
use crate::{Access, CoreMethod, Enum, Field, Scalar, Type, Variant};
use std::rc::Rc;

/// A field that is known by what it holds, and not by its type.
const FIELD: Field = Field {
    name: "0",
    ty: Type::Unit,
    offset: 0,
};

/// An `Option` of anything.
pub(super) static OPTION: Enum = Enum::option(&[Variant::NONE, Variant::some(&[FIELD])], None);

/// A `Result` of anything.
static RESULT: Enum = Enum::result(&[Variant::ok(&[FIELD]), Variant::err(&[FIELD])], None);

/// The number of `Some` among the variants of `Option`.
const SOME: usize = 1;
/// The number of `Ok` among the variants of `Result`.
const OK: usize = 0;
/// The number of `Err` among the variants of `Result`.
const ERR: usize = 1;

impl Lowering<'_> {
    /// An `Option`.
    pub(super) fn option(&mut self, some: ValueId, value: Operand) -> Operand {
        let tag = self.builder.cast(some, OPTION.tag);
        Operand::Enum(Rc::new(EnumValue {
            def: &OPTION,
            tag,
            variants: vec![vec![], vec![value]],
        }))
    }

    /// `Some(value)`
    pub(super) fn some(&mut self, value: Operand) -> Operand {
        let yes = self.builder.constant(Scalar::Bool, 1);
        self.option(yes, value)
    }

    /// `None`
    pub(super) fn none(&mut self) -> Operand {
        let no = self.builder.constant(Scalar::Bool, 0);
        self.option(no, Operand::Undefined)
    }

    /// A `Result`.
    pub(super) fn result(&mut self, failed: ValueId, value: Operand, error: Operand) -> Operand {
        let tag = self.builder.cast(failed, RESULT.tag);
        Operand::Enum(Rc::new(EnumValue {
            def: &RESULT,
            tag,
            variants: vec![vec![value], vec![error]],
        }))
    }

    /// A function among the arguments of a method.
    pub(super) fn function_in(&mut self, place: &Place) -> Lowered<Rc<Function>> {
        match self.load(place)? {
            Operand::Function(function) => Ok(function),
            other => {
                let found = self.describe(&other);
                Err(self.bug(format_args!("{found} is called")))
            }
        }
    }

    /// The methods of an `Option`. Arguments that are no functions are evaluated already, as in Rust.
    pub(super) fn option_method(
        &mut self,
        method: CoreMethod,
        receiver: &Place,
        arguments: &[Place],
        at: Position,
    ) -> Lowered<Operand> {
        let some = self.is_variant(receiver, SOME)?;
        let value = |s: &mut Self| s.inner(receiver, SOME);
        let argument = |n: usize| arguments.get(n).cloned().unwrap_or(Place::Value(Operand::Unit));
        use CoreMethod as Core;
        match method {
            Core::OptionIsSome => Ok(Operand::Value(some)),
            Core::OptionIsNone => Ok(Operand::Value(self.builder.unary(UnaryOp::Not, some))),
            Core::OptionUnwrap => {
                let none = self.builder.unary(UnaryOp::Not, some);
                self.fault_if(none, FaultKind::UnwrapNone, at);
                value(self)
            }
            Core::OptionUnwrapOr => self.choose(some, value, |s| s.load(&argument(0))),
            Core::OptionUnwrapOrElse => {
                let otherwise = self.function_in(&argument(0))?;
                self.choose(some, value, |s| s.call_function(&otherwise, vec![]))
            }
            // An element that is not there cannot be read.
            Core::OptionCopied => self.choose(
                some,
                |s| {
                    let reference = value(s)?;
                    let place = s.referent(Place::Value(reference))?;
                    let value = s.load(&place)?;
                    Ok(s.some(value))
                },
                |s| Ok(s.none()),
            ),
            Core::OptionMap => {
                let f = self.function_in(&argument(0))?;
                self.choose(
                    some,
                    |s| {
                        let value = value(s)?;
                        let value = s.call_function(&f, vec![Place::Value(value)])?;
                        Ok(s.some(value))
                    },
                    |s| Ok(s.none()),
                )
            }
            Core::OptionMapOr => {
                let f = self.function_in(&argument(1))?;
                self.choose(
                    some,
                    |s| {
                        let value = value(s)?;
                        s.call_function(&f, vec![Place::Value(value)])
                    },
                    |s| s.load(&argument(0)),
                )
            }
            Core::OptionAndThen => {
                let f = self.function_in(&argument(0))?;
                self.choose(
                    some,
                    |s| {
                        let value = value(s)?;
                        let value = s.call_function(&f, vec![Place::Value(value)])?;
                        s.any_option(&Place::Value(value))
                    },
                    |s| Ok(s.none()),
                )
            }
            Core::OptionIsSomeAnd => self.option_passes(some, receiver, &argument(0), false),
            Core::OptionFilter => {
                let Operand::Value(passes) = self.option_passes(some, receiver, &argument(0), true)? else {
                    return Err(self.bug("a condition that is no `bool`"));
                };
                let value = value(self)?;
                Ok(self.option(passes, value))
            }
            Core::OptionOr => self.choose(
                some,
                |s| {
                    let value = value(s)?;
                    Ok(s.some(value))
                },
                |s| s.any_option(&argument(0)),
            ),
            Core::OptionOkOr => {
                let none = self.builder.unary(UnaryOp::Not, some);
                let (value, error) = (value(self)?, self.load(&argument(0))?);
                Ok(self.result(none, value, error))
            }
            method => Err(self.bug(format_args!("`{}` of an `Option`", method.name()))),
        }
    }

    /// The methods of a `Result`.
    pub(super) fn result_method(
        &mut self,
        method: CoreMethod,
        receiver: &Place,
        arguments: &[Place],
    ) -> Lowered<Operand> {
        let ok = self.is_variant(receiver, OK)?;
        let value = |s: &mut Self| s.inner(receiver, OK);
        let error = |s: &mut Self| s.inner(receiver, ERR);
        let argument = arguments.first().cloned().unwrap_or(Place::Value(Operand::Unit));
        use CoreMethod as Core;
        match method {
            Core::ResultIsOk => Ok(Operand::Value(ok)),
            Core::ResultIsErr => Ok(Operand::Value(self.builder.unary(UnaryOp::Not, ok))),
            Core::ResultOk => {
                let value = value(self)?;
                Ok(self.option(ok, value))
            }
            Core::ResultErr => {
                let failed = self.builder.unary(UnaryOp::Not, ok);
                let error = error(self)?;
                Ok(self.option(failed, error))
            }
            Core::ResultUnwrapOr => self.choose(ok, value, |s| s.load(&argument)),
            Core::ResultUnwrapOrElse => {
                let otherwise = self.function_in(&argument)?;
                self.choose(ok, value, |s| {
                    let error = error(s)?;
                    s.call_function(&otherwise, vec![Place::Value(error)])
                })
            }
            Core::ResultMap | Core::ResultMapErr => {
                let f = self.function_in(&argument)?;
                let [no, yes] = [0, 1].map(|failed| self.builder.constant(Scalar::Bool, failed));
                let changes_value = method == Core::ResultMap;
                self.choose(
                    ok,
                    |s| {
                        let mut value = value(s)?;
                        if changes_value {
                            value = s.call_function(&f, vec![Place::Value(value)])?;
                        }
                        Ok(s.result(no, value, Operand::Undefined))
                    },
                    |s| {
                        let mut error = error(s)?;
                        if !changes_value {
                            error = s.call_function(&f, vec![Place::Value(error)])?;
                        }
                        Ok(s.result(yes, Operand::Undefined, error))
                    },
                )
            }
            method => Err(self.bug(format_args!("`{}` of a `Result`", method.name()))),
        }
    }

    /// Whether an option holds a value that a function takes for good: the value itself, or a reference to it.
    fn option_passes(
        &mut self,
        some: ValueId,
        receiver: &Place,
        function: &Place,
        by_reference: bool,
    ) -> Lowered<Operand> {
        let function = self.function_in(function)?;
        self.choose(
            some,
            |s| {
                let mut value = s.inner(receiver, SOME)?;
                if by_reference {
                    value = s.reference_to(Place::Value(value), Access::Shared)?;
                }
                s.call_function(&function, vec![Place::Value(value)])
            },
            |s| Ok(Operand::Value(s.builder.constant(Scalar::Bool, 0))),
        )
    }

    /// An option, without what is known of its type.
    fn any_option(&mut self, option: &Place) -> Lowered<Operand> {
        let (some, value) = (self.is_variant(option, SOME)?, self.inner(option, SOME)?);
        Ok(self.option(some, value))
    }

    /// Whether an `Option` or `Result` is a variant, told by its number.
    fn is_variant(&mut self, value: &Place, variant: usize) -> Lowered<ValueId> {
        let value = self.referent(value.clone())?;
        let Some((def, tag)) = self.enum_at(&value)? else {
            return Err(self.bug("a method of `Option` or `Result` on what is none"));
        };
        let Some(discriminant) = def.variants.get(variant).map(|v| v.discriminant) else {
            return Err(self.bug("an `Option` or `Result` without that variant"));
        };
        let discriminant = self.builder.constant(def.tag, discriminant);
        Ok(self.builder.compare(CompareOp::Eq, tag, discriminant))
    }

    /// The one field of a variant.
    fn inner(&mut self, value: &Place, variant: usize) -> Lowered<Operand> {
        let value = self.referent(value.clone())?;
        let inner = self.variant_field(&value, variant, 0)?;
        self.load(&inner)
    }
}
