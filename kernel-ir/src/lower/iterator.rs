//! Iterators.
//!
//! An iterator is never a value: what gives its elements is known while it is lowered, so it becomes a loop that counts.
//! Up to the first `filter` each element is found by its number, which makes `rev`, `zip` and their kin arithmetic on
//! numbers; what follows a `filter` is done to the elements that pass.

use super::operand::{EnumValue, Length, Operand, Place, Slice};
use super::option::OPTION;
use super::storage::{Maker, Storage, variable};
use super::{Lowered, Lowering, Stop};
use crate::tree::{self, Adaptor, Closure, Consumer, Expr, Iterator as Source, LabelId, Pattern, Position};
use crate::typed::{self, BinaryOp, CompareOp, FaultKind, Local, LocalId, Stmt, ValueId};
use crate::{Access, Scalar};
use std::rc::Rc;

/// What finds an element by its number.
enum Chain {
    /// From a first value on.
    Range(ValueId),
    Elements(Slice),
    /// Parts of a slice: the distance from one to the next, and the length of each.
    Parts(Slice, ValueId, ValueId),
    Rev(Box<Chain>, ValueId),
    Enumerate(Box<Chain>),
    Zip(Box<Chain>, Box<Chain>),
    StepBy(Box<Chain>, ValueId),
    Skip(Box<Chain>, ValueId),
    Copied(Box<Chain>),
    Map(Box<Chain>, Closure),
}

/// What is done to each element from the first `filter` on.
enum Then {
    Filter(Closure),
    Map(Closure),
    Copied,
    /// Counts in a variable.
    Enumerate(LocalId),
}

/// An iterator: its elements by number, how many numbers there are, and what is done to each.
struct Stream {
    chain: Chain,
    len: ValueId,
    then: Vec<Then>,
}

impl<'a> Lowering<'a> {
    fn stream(&mut self, source: &Source) -> Lowered<Stream> {
        let (chain, len) = match source {
            Source::Range {
                start,
                end,
                inclusive,
            } => {
                let start = self.value(start)?;
                let end = self.value(end)?;
                self.expect_scalar("the end of a range", end, self.builder.ty(start))?;
                (Chain::Range(start), self.range_len(start, end, *inclusive))
            }
            Source::Elements(slice) => {
                let place = self.place(slice)?;
                let slice = self.slice_at(place)?;
                let len = self.len_of(&slice);
                (Chain::Elements(slice), len)
            }
            Source::Whole(all) => {
                let place = self.place(all)?;
                let is_array = self.array_len(&place).is_some();
                let slice = self.slice_at(place)?;
                let len = self.len_of(&slice);
                let elements = Chain::Elements(slice);
                let chain = if is_array {
                    Chain::Copied(Box::new(elements))
                } else {
                    elements
                };
                (chain, len)
            }
            Source::ChunksExact(slice, size, at) => {
                let (slice, size) = self.parts(slice, size, FaultKind::ChunkSizeZero, *at)?;
                let len = self.len_of(&slice);
                let count = self.builder.binary(BinaryOp::Div, len, size);
                (Chain::Parts(slice, size, size), count)
            }
            Source::Windows(slice, size, at) => {
                let (slice, size) = self.parts(slice, size, FaultKind::WindowSizeZero, *at)?;
                let len = self.len_of(&slice);
                let b = &mut self.builder;
                let some = b.compare(CompareOp::Le, size, len);
                let rest = b.binary(BinaryOp::Sub, len, size);
                let one = b.constant(Scalar::Usize, 1);
                let count = b.binary(BinaryOp::Add, rest, one);
                let zero = b.constant(Scalar::Usize, 0);
                let count = b.select(some, count, zero);
                (Chain::Parts(slice, one, size), count)
            }
            Source::Zip(a, b) => {
                let (a, b) = (self.stream(a)?, self.stream(b)?);
                self.unfiltered(&a, "zip")?;
                self.unfiltered(&b, "zip")?;
                let len = self.builder.math2(typed::Math2::Min, a.len, b.len);
                // From the end, a longer one gives what pairs with the last of the shorter one.
                (Chain::Zip(Box::new(a.chain), Box::new(b.chain)), len)
            }
            Source::Adapted(inner, adaptor) => {
                let stream = self.stream(inner)?;
                return self.adapt(stream, adaptor);
            }
        };
        let then = vec![];
        Ok(Stream { chain, len, then })
    }

    /// The number of values of a range.
    fn range_len(&mut self, start: ValueId, end: ValueId, inclusive: bool) -> ValueId {
        let b = &mut self.builder;
        let order = if inclusive { CompareOp::Le } else { CompareOp::Lt };
        let some = b.compare(order, start, end);
        let (low, high) = (b.cast(start, Scalar::Usize), b.cast(end, Scalar::Usize));
        let mut len = b.binary(BinaryOp::Sub, high, low);
        if inclusive {
            // All values of a type of 64 bits are one more than can be counted, and more than are ever reached.
            let one = b.constant(Scalar::Usize, 1);
            len = b.math2(typed::Math2::SaturatingAdd, len, one);
        }
        let zero = b.constant(Scalar::Usize, 0);
        b.select(some, len, zero)
    }

    fn parts(
        &mut self,
        slice: &Expr,
        size: &Expr,
        zero: FaultKind,
        at: Position,
    ) -> Lowered<(Slice, ValueId)> {
        let place = self.place(slice)?;
        let slice = self.slice_at(place)?;
        let size = self.value(size)?;
        self.frame.at = at;
        self.expect_scalar("a size", size, Scalar::Usize)?;
        self.fault_if_zero(size, zero, at);
        Ok((slice, size))
    }

    fn fault_if_zero(&mut self, value: ValueId, kind: FaultKind, at: Position) {
        if self.builder.constant_bits(value).is_none_or(|bits| bits == 0) {
            let zero = self.builder.constant(Scalar::Usize, 0);
            let is_zero = self.builder.compare(CompareOp::Eq, value, zero);
            self.fault_if(is_zero, kind, at);
        }
    }

    fn unfiltered(&self, stream: &Stream, adaptor: &str) -> Lowered<()> {
        if stream.then.is_empty() {
            return Ok(());
        }
        Err(self.error(format_args!(
            "`{adaptor}` after `filter` is not supported in kernels: write a `for` with an `if`"
        )))
    }

    fn adapt(&mut self, mut stream: Stream, adaptor: &Adaptor) -> Lowered<Stream> {
        let filtered = !stream.then.is_empty();
        match adaptor {
            Adaptor::Rev => stream.chain = Chain::Rev(Box::new(stream.chain), stream.len),
            Adaptor::Filter(closure) => stream.then.push(Then::Filter(closure.clone())),
            Adaptor::Map(closure) if filtered => stream.then.push(Then::Map(closure.clone())),
            Adaptor::Map(closure) => stream.chain = Chain::Map(Box::new(stream.chain), closure.clone()),
            Adaptor::Copied if filtered => stream.then.push(Then::Copied),
            Adaptor::Copied => stream.chain = Chain::Copied(Box::new(stream.chain)),
            Adaptor::Enumerate if filtered => {
                let zero = self.builder.constant(Scalar::Usize, 0);
                let count = self.builder.local_of(None, zero);
                stream.then.push(Then::Enumerate(count));
            }
            Adaptor::Enumerate => stream.chain = Chain::Enumerate(Box::new(stream.chain)),
            Adaptor::StepBy(step, at) => {
                self.unfiltered(&stream, "step_by")?;
                let step = self.value(step)?;
                self.fault_if_zero(step, FaultKind::StepByZero, *at);
                let b = &mut self.builder;
                // The number of steps, rounded up without overflow.
                let zero = b.constant(Scalar::Usize, 0);
                let one = b.constant(Scalar::Usize, 1);
                let some = b.compare(CompareOp::Ne, stream.len, zero);
                let last = b.binary(BinaryOp::Sub, stream.len, one);
                let steps = b.binary(BinaryOp::Div, last, step);
                let count = b.binary(BinaryOp::Add, steps, one);
                stream.len = b.select(some, count, zero);
                stream.chain = Chain::StepBy(Box::new(stream.chain), step);
            }
            Adaptor::Skip(count) => {
                self.unfiltered(&stream, "skip")?;
                let count = self.value(count)?;
                stream.len = self.builder.math2(typed::Math2::SaturatingSub, stream.len, count);
                stream.chain = Chain::Skip(Box::new(stream.chain), count);
            }
            Adaptor::Take(count) => {
                self.unfiltered(&stream, "take")?;
                let count = self.value(count)?;
                stream.len = self.builder.math2(typed::Math2::Min, stream.len, count);
            }
        }
        Ok(stream)
    }

    /// The element of a number below the length.
    fn element(&mut self, chain: &Chain, number: ValueId) -> Lowered<Operand> {
        match chain {
            Chain::Range(start) => {
                let ty = self.builder.ty(*start);
                let distance = self.builder.cast(number, ty);
                Ok(Operand::Value(self.builder.binary(
                    BinaryOp::Add,
                    *start,
                    distance,
                )))
            }
            Chain::Elements(slice) => {
                let place = self.element_of_slice(slice, number)?;
                self.reference_to(place, Access::Unique)
            }
            Chain::Parts(slice, distance, len) => {
                let start = self.builder.binary(BinaryOp::Mul, number, *distance);
                let end = self.builder.binary(BinaryOp::Add, start, *len);
                let part = self.part_of(slice, start, end);
                Ok(Operand::Slice(Slice {
                    len: Length::Value(*len),
                    ..part
                }))
            }
            Chain::Rev(inner, len) => {
                let one = self.builder.constant(Scalar::Usize, 1);
                let last = self.builder.binary(BinaryOp::Sub, *len, one);
                let number = self.builder.binary(BinaryOp::Sub, last, number);
                self.element(inner, number)
            }
            Chain::Enumerate(inner) => {
                let element = self.element(inner, number)?;
                Ok(Operand::tuple(vec![Operand::Value(number), element]))
            }
            Chain::Zip(a, b) => {
                let a = self.element(a, number)?;
                let b = self.element(b, number)?;
                Ok(Operand::tuple(vec![a, b]))
            }
            Chain::StepBy(inner, step) => {
                let number = self.builder.binary(BinaryOp::Mul, number, *step);
                self.element(inner, number)
            }
            Chain::Skip(inner, count) => {
                let number = self.builder.binary(BinaryOp::Add, number, *count);
                self.element(inner, number)
            }
            Chain::Copied(inner) => {
                let element = self.element(inner, number)?;
                self.copied(element)
            }
            Chain::Map(inner, closure) => {
                let element = self.element(inner, number)?;
                self.call_closure(closure, &[Place::Value(element)])
            }
        }
    }

    fn copied(&mut self, element: Operand) -> Lowered<Operand> {
        let place = self.referent(Place::Value(element))?;
        self.load(&place)
    }

    /// Runs `f` for each element, in a loop of that label. What `f` gives to its last argument stands before the loop.
    fn each(
        &mut self,
        stream: &Stream,
        label: typed::Label,
        f: impl FnOnce(&mut Self, Operand, &mut Vec<Stmt>) -> Lowered<()>,
    ) -> Lowered<()> {
        let zero = self.builder.constant(Scalar::Usize, 0);
        let current = self.builder.local_of(None, zero);
        let mut before = vec![];
        let (body, _) = self.nested(|s| {
            let number = s.builder.read(current);
            let inside = s.builder.compare(CompareOp::Lt, number, stream.len);
            s.break_unless(inside, label);
            let mut element = s.element(&stream.chain, number)?;
            for then in &stream.then {
                element = match then {
                    Then::Filter(closure) => {
                        let place = Rc::new(Place::Value(element.clone()));
                        let reference = Place::Value(Operand::Reference(place));
                        let Operand::Value(passes) = s.call_closure(closure, &[reference])? else {
                            return Err(s.bug("a filter that gives no bool"));
                        };
                        let stmt = Stmt::If(passes, vec![], vec![Stmt::Continue(label)]);
                        s.builder.push(stmt);
                        element
                    }
                    Then::Map(closure) => s.call_closure(closure, &[Place::Value(element)])?,
                    Then::Copied => s.copied(element)?,
                    Then::Enumerate(count) => {
                        let number = s.builder.read(*count);
                        let one = s.builder.constant(Scalar::Usize, 1);
                        let next = s.builder.binary(BinaryOp::Add, number, one);
                        s.builder.push(Stmt::Set(*count, next));
                        Operand::tuple(vec![Operand::Value(number), element])
                    }
                };
            }
            f(s, element, &mut before)
        })?;
        let (next, ()) = self.builder.block(|b| {
            let old = b.read(current);
            let one = b.constant(Scalar::Usize, 1);
            let new = b.binary(BinaryOp::Add, old, one);
            b.push(Stmt::Set(current, new));
        });
        self.builder.append(before);
        self.builder.push(Stmt::Loop { label, body, next });
        Ok(())
    }

    /// `for pattern in iterator { … }`
    pub(super) fn for_each(
        &mut self,
        label: LabelId,
        pattern: &Pattern,
        iterator: &Source,
        body: &tree::Block,
    ) -> Lowered<Operand> {
        let stream = self.stream(iterator)?;
        let id = self.open_label(label);
        self.each(&stream, id, |s, element, _| {
            s.bind_pattern(pattern, &Place::Value(element), false)?;
            s.block(body).map(|_| ())
        })?;
        self.close_label(label)?;
        Ok(Operand::Unit)
    }

    /// An iterator that is used up.
    pub(super) fn consume(&mut self, iterator: &Source, consumer: &Consumer) -> Lowered<Operand> {
        let stream = self.stream(iterator)?;
        match consumer {
            Consumer::Sum(ty) => {
                let ty = self.scalar(*ty)?;
                let wide = accumulated(ty);
                // Of floats, Rust's sum begins with -0, to which everything can be added.
                let start = if wide.is_float() {
                    let zero = self.builder.number(wide, 0);
                    self.builder.unary(typed::UnaryOp::Neg, zero)
                } else {
                    self.builder.number(wide, 0)
                };
                self.accumulate(&stream, ty, start, BinaryOp::Add)
            }
            Consumer::Product(ty) => {
                let ty = self.scalar(*ty)?;
                let start = self.builder.number(accumulated(ty), 1);
                self.accumulate(&stream, ty, start, BinaryOp::Mul)
            }
            Consumer::Count => {
                let zero = self.builder.constant(Scalar::Usize, 0);
                let count = self.builder.local_of(None, zero);
                let label = self.builder.label();
                self.each(&stream, label, |s, _, _| {
                    s.count_up(count);
                    Ok(())
                })?;
                Ok(Operand::Value(self.builder.read(count)))
            }
            Consumer::Fold(init, closure) => {
                let init = self.expr(init)?;
                let accumulator = self.variable_of(None, &init)?;
                let place = variable(&accumulator);
                let label = self.builder.label();
                self.each(&stream, label, |s, element, _| {
                    let old = s.load(&place)?;
                    let new = s.call_closure(closure, &[Place::Value(old), Place::Value(element)])?;
                    s.store(&place, &new)
                })?;
                self.load(&place)
            }
            Consumer::ForEach(closure) => {
                let label = self.builder.label();
                self.each(&stream, label, |s, element, _| {
                    s.call_closure(closure, &[Place::Value(element)]).map(|_| ())
                })?;
                Ok(Operand::Unit)
            }
            Consumer::Any(closure) => self.decide(&stream, closure, true),
            Consumer::All(closure) => self.decide(&stream, closure, false),
            Consumer::Find(closure) => self.first(&stream, |s, element| {
                let reference = Operand::Reference(Rc::new(Place::Value(element.clone())));
                let found = s.call_closure(closure, &[Place::Value(reference)])?;
                Ok((found, element))
            }),
            Consumer::Position(closure) => {
                let zero = self.builder.constant(Scalar::Usize, 0);
                let count = self.builder.local_of(None, zero);
                self.first(&stream, |s, element| {
                    let number = s.builder.read(count);
                    let found = s.call_closure(closure, &[Place::Value(element)])?;
                    s.count_up(count);
                    Ok((found, Operand::Value(number)))
                })
            }
            Consumer::Min => self.best(&stream, Some(CompareOp::Lt)),
            // Of equal ones Rust gives the last.
            Consumer::Max => self.best(&stream, Some(CompareOp::Ge)),
            Consumer::Last => self.best(&stream, None),
        }
    }

    fn count_up(&mut self, count: LocalId) {
        let b = &mut self.builder;
        let old = b.read(count);
        let one = b.constant(Scalar::Usize, 1);
        let new = b.binary(BinaryOp::Add, old, one);
        b.push(Stmt::Set(count, new));
    }

    fn scalar_of(&mut self, element: Operand) -> Lowered<ValueId> {
        match self.copied(element)? {
            Operand::Value(value) => Ok(value),
            other => {
                let found = self.describe(&other);
                Err(self.error(format_args!(
                    "{found} is summed or compared, which kernels do with numbers only: use `fold`"
                )))
            }
        }
    }

    fn accumulate(&mut self, stream: &Stream, ty: Scalar, start: ValueId, op: BinaryOp) -> Lowered<Operand> {
        let sum = self.builder.local_of(None, start);
        let label = self.builder.label();
        self.each(stream, label, |s, element, _| {
            let value = s.scalar_of(element)?;
            s.expect_scalar("what is summed", value, ty)?;
            let value = s.widened(value)?;
            let old = s.builder.read(sum);
            let new = s.builder.binary(op, old, value);
            s.builder.push(Stmt::Set(sum, new));
            Ok(())
        })?;
        let sum = self.builder.read(sum);
        Ok(Operand::Value(self.narrowed(sum, ty)?))
    }

    /// `any` and `all`: the first element of which the closure says `decided` ends the loop.
    fn decide(&mut self, stream: &Stream, closure: &Closure, decided: bool) -> Lowered<Operand> {
        let start = self.builder.constant(Scalar::Bool, u64::from(!decided));
        let result = self.builder.local_of(None, start);
        let label = self.builder.label();
        self.each(stream, label, |s, element, _| {
            let Operand::Value(says) = s.call_closure(closure, &[Place::Value(element)])? else {
                return Err(s.bug("a condition that gives no bool"));
            };
            let (end, ()) = s.builder.block(|b| {
                let value = b.constant(Scalar::Bool, u64::from(decided));
                b.push(Stmt::Set(result, value));
                b.push(Stmt::Break(label));
            });
            let branches = if decided { (end, vec![]) } else { (vec![], end) };
            s.builder.push(Stmt::If(says, branches.0, branches.1));
            Ok(())
        })?;
        Ok(Operand::Value(self.builder.read(result)))
    }

    /// `find` and `position`: an `Option` of what the first element gives of which `test` is true.
    fn first(
        &mut self,
        stream: &Stream,
        test: impl FnOnce(&mut Self, Operand) -> Lowered<(Operand, Operand)>,
    ) -> Lowered<Operand> {
        self.optional(stream, |s, element, option, before| {
            let (found, value) = test(s, element)?;
            let Operand::Value(found) = found else {
                return Err(s.bug("a condition that gives no bool"));
            };
            let (block, _) = s.nested(|s| {
                s.keep(option, &value, before)?;
                s.builder.push(Stmt::Break(option.label));
                Err::<(), _>(Stop::Never)
            })?;
            s.builder.push(Stmt::If(found, block, vec![]));
            Ok(())
        })
    }

    /// `min`, `max` and `last`: an `Option` of the element that stays.
    fn best(&mut self, stream: &Stream, better: Option<CompareOp>) -> Lowered<Operand> {
        self.optional(stream, |s, element, option, before| {
            let Some(better) = better else {
                return s.keep(option, &element, before);
            };
            let value = s.scalar_of(element.clone())?;
            let ty = s.builder.ty(value);
            let (mut declared, best) = s.builder.block(|b| {
                let zero = b.number(ty, 0);
                b.local_of(None, zero)
            });
            before.append(&mut declared);
            let tag = s.builder.read(option.tag);
            let none = s.builder.constant(OPTION.tag, 0);
            let is_first = s.builder.compare(CompareOp::Eq, tag, none);
            let old = s.builder.read(best);
            let is_better = s.builder.compare(better, value, old);
            let wins = s.builder.binary(BinaryOp::Or, is_first, is_better);
            let (block, _) = s.nested(|s| {
                s.builder.push(Stmt::Set(best, value));
                s.keep(option, &element, before)
            })?;
            s.builder.push(Stmt::If(wins, block, vec![]));
            Ok(())
        })
    }

    /// An `Option`, `None` at first; `f` gets each element, and keeps what becomes the `Some`.
    fn optional(
        &mut self,
        stream: &Stream,
        f: impl FnOnce(&mut Self, Operand, &mut Kept, &mut Vec<Stmt>) -> Lowered<()>,
    ) -> Lowered<Operand> {
        let none = self.builder.constant(OPTION.tag, 0);
        let mut option = Kept {
            tag: self.builder.local_of(None, none),
            label: self.builder.label(),
            value: None,
        };
        let label = option.label;
        self.each(stream, label, |s, element, before| {
            f(s, element, &mut option, before)
        })?;
        let value = match option.value {
            Some(storage) => self.load(&variable(&storage))?,
            // The loop never gets to an element.
            None => Operand::Undefined,
        };
        let tag = self.builder.read(option.tag);
        Ok(Operand::Enum(Rc::new(EnumValue {
            def: &OPTION,
            tag,
            variants: vec![vec![], vec![value]],
        })))
    }

    /// Makes a value the `Some`.
    fn keep(&mut self, option: &mut Kept, value: &Operand, before: &mut Vec<Stmt>) -> Lowered<()> {
        let storage = match &option.value {
            Some(storage) => storage.clone(),
            None => {
                let mut maker = Maker::new(None);
                let storage = self.storage_of(&mut maker, value)?;
                // What is read of a `None` is of no interest, but it must be something.
                let (mut declared, ()) = self.builder.block(|b| {
                    for local in maker.made {
                        b.push(Stmt::Declare(local));
                        let Local { ty, len, .. } = b.kernel().locals[local];
                        if len.is_none() {
                            let zero = b.number(ty, 0);
                            b.push(Stmt::Set(local, zero));
                        }
                    }
                });
                before.append(&mut declared);
                option.value.insert(storage).clone()
            }
        };
        self.store(&variable(&storage), value)?;
        let some = self.builder.constant(OPTION.tag, 1);
        self.builder.push(Stmt::Set(option.tag, some));
        Ok(())
    }
}

/// An `Option` in the making.
struct Kept {
    tag: LocalId,
    /// The loop's.
    label: typed::Label,
    value: Option<Storage>,
}

/// The type in which values of type `ty` are summed: `half` rounds a sum once, at its end.
fn accumulated(ty: Scalar) -> Scalar {
    if ty.is_half() { Scalar::F32 } else { ty }
}
