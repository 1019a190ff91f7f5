//! What the items of a sub-group do together.
//!
//! Each item puts what it gives into variables of its own; then all of them, those outside the grid too, exchange what
//! stands there. Hardware has two operations for that, who gives `true` and 32 bits of another item, and everything is
//! made of them: values go word by word, and a scan combines what is ever further apart. Who is *here*, a ballot tells:
//! items that are outside the grid, or have failed, take no part, and nobody reads what they hold.

use super::group::is_alive;
use super::operand::{Function, Operand, Place};
use super::storage::{Leaf, Maker, Storage, variable};
use super::{Lowered, Lowering};
use crate::Scalar;
use crate::body::IndexFunction;
use crate::subgroup::SubgroupFunction;
use crate::tree::Expr;
use crate::typed::{BinaryOp, Block, CompareOp, LocalId, Math1, Math2, Op, Stmt, UnaryOp, ValueId};
use std::rc::Rc;

/// More items than a sub-group can have: the bits of a ballot.
const MOST: u64 = 64;

impl Lowering<'_> {
    /// A call of a function of `gridfn::subgroup`.
    pub(super) fn subgroup(&mut self, function: SubgroupFunction, arguments: &[Expr]) -> Lowered<Operand> {
        let (arguments, operator) = match arguments {
            [values @ .., operator] if function.takes_operator() => {
                (values, Some(self.operator_of(operator)?))
            }
            all => (all, None),
        };
        let given = self.given(arguments)?;
        let Some(group) = &self.group else {
            return Err(self.bug("sub-groups where no items wait for each other"));
        };
        let alive = group.alive;
        let alive = is_alive(&mut self.builder, alive);
        let here = self.builder.ballot(alive);
        match (function, given.as_slice(), operator) {
            (SubgroupFunction::Any, [condition], None) => {
                let votes = self.ballot(condition, alive, false)?;
                self.is_zero(CompareOp::Ne, votes)
            }
            (SubgroupFunction::All, [condition], None) => {
                let votes = self.ballot(condition, alive, true)?;
                self.is_zero(CompareOp::Eq, votes)
            }
            (SubgroupFunction::Ballot, [condition], None) => {
                Ok(Operand::Value(self.ballot(condition, alive, false)?))
            }
            (SubgroupFunction::Reduce, [value], Some(operator)) => {
                self.scan(value, here, &operator)?;
                let last = self.highest(here);
                let last = self.item_or_own(here, last);
                self.shuffled_value(value, last)
            }
            (SubgroupFunction::InclusiveScan, [value], Some(operator)) => {
                self.scan(value, here, &operator)?;
                self.load(&variable(value))
            }
            (SubgroupFunction::ExclusiveScan, [value, identity], Some(operator)) => {
                self.scan(value, here, &operator)?;
                self.value_before(value, identity, here)
            }
            (
                SubgroupFunction::Broadcast
                | SubgroupFunction::Shuffle
                | SubgroupFunction::ShuffleUp
                | SubgroupFunction::ShuffleDown
                | SubgroupFunction::ShuffleXor
                | SubgroupFunction::ShuffleWithin
                | SubgroupFunction::ShuffleUpWithin
                | SubgroupFunction::ShuffleDownWithin
                | SubgroupFunction::ShuffleXorWithin,
                [value, by, within @ ..],
                None,
            ) => {
                let by = self.number_in(by)?;
                let within = match within {
                    [] => None,
                    [width, ..] => Some(self.number_in(width)?),
                };
                let item = self.source(function, by, within);
                let item = self.item_or_own(here, item);
                self.shuffled_value(value, item)
            }
            _ => Err(self.bug(format_args!(
                "`subgroup::{}` with other arguments",
                function.name()
            ))),
        }
    }

    fn operator_of(&mut self, operator: &Expr) -> Lowered<Rc<Function>> {
        match self.expr(operator)? {
            Operand::Function(function) => Ok(function),
            other => Err(self.bug(format_args!("{} as an operator", self.describe(&other)))),
        }
    }

    /// What each item gives, in variables; those of items that are not alive hold anything.
    fn given(&mut self, arguments: &[Expr]) -> Lowered<Vec<Rc<Storage>>> {
        let mut maker = Maker::new(None);
        let (block, given) = self.nested(|s| {
            let operands: Lowered<Vec<_>> = arguments.iter().map(|e| s.expr(e)).collect();
            let mut given = vec![];
            for operand in operands? {
                let storage = s.storage_of(&mut maker, &operand)?;
                s.store(&variable(&storage), &operand)?;
                given.push(Rc::new(storage));
            }
            Ok(given)
        })?;
        let Some(given) = given else {
            return Err(self.error("no item gets to the end of this value"));
        };
        self.declare_cleared(maker.made);
        if self.is_harmless(&block) {
            self.builder.append(block);
        } else {
            self.guard(block)?;
        }
        Ok(given)
    }

    fn number_in(&mut self, storage: &Rc<Storage>) -> Lowered<ValueId> {
        match self.load(&variable(storage))? {
            Operand::Value(value) => Ok(value),
            other => Err(self.bug(format_args!("{} as a number", self.describe(&other)))),
        }
    }

    /// Which of the items here give `true`, or `false` if `opposite`.
    fn ballot(&mut self, condition: &Rc<Storage>, alive: ValueId, opposite: bool) -> Lowered<ValueId> {
        let mut condition = self.number_in(condition)?;
        if opposite {
            condition = self.builder.unary(UnaryOp::Not, condition);
        }
        let votes = self.builder.binary(BinaryOp::And, alive, condition);
        Ok(self.builder.ballot(votes))
    }

    fn is_zero(&mut self, op: CompareOp, bits: ValueId) -> Lowered<Operand> {
        let zero = self.builder.constant(Scalar::U64, 0);
        Ok(Operand::Value(self.builder.compare(op, bits, zero)))
    }

    /// The item's number in its sub-group.
    fn own(&mut self) -> ValueId {
        self.builder.index(IndexFunction::SubgroupLocalId, 0)
    }

    /// The number of the item from which a shuffle takes, or one that no item has.
    fn source(&mut self, function: SubgroupFunction, by: ValueId, width: Option<ValueId>) -> ValueId {
        let own = self.own();
        let b = &mut self.builder;
        let most = b.constant(Scalar::Usize, MOST);
        let zero = b.constant(Scalar::Usize, 0);
        let (start, place, width) = match width {
            None => (zero, own, most),
            Some(width) => {
                let one = b.constant(Scalar::Usize, 1);
                let width = b.math2(Math2::Max, width, one);
                let place = b.binary(BinaryOp::Rem, own, width);
                (b.binary(BinaryOp::Sub, own, place), place, width)
            }
        };
        let (within, item) = match function {
            SubgroupFunction::ShuffleUp | SubgroupFunction::ShuffleUpWithin => (
                b.compare(CompareOp::Le, by, place),
                b.binary(BinaryOp::Sub, own, by),
            ),
            SubgroupFunction::ShuffleDown | SubgroupFunction::ShuffleDownWithin => {
                let left = b.binary(BinaryOp::Sub, width, place);
                (
                    b.compare(CompareOp::Lt, by, left),
                    b.binary(BinaryOp::Add, own, by),
                )
            }
            SubgroupFunction::ShuffleXor | SubgroupFunction::ShuffleXorWithin => {
                let other = b.binary(BinaryOp::Xor, place, by);
                (
                    b.compare(CompareOp::Lt, other, width),
                    b.binary(BinaryOp::Add, start, other),
                )
            }
            SubgroupFunction::Any
            | SubgroupFunction::All
            | SubgroupFunction::Ballot
            | SubgroupFunction::Broadcast
            | SubgroupFunction::Shuffle
            | SubgroupFunction::ShuffleWithin
            | SubgroupFunction::Reduce
            | SubgroupFunction::InclusiveScan
            | SubgroupFunction::ExclusiveScan => (
                b.compare(CompareOp::Lt, by, width),
                b.binary(BinaryOp::Add, start, by),
            ),
        };
        b.select(within, item, most)
    }

    /// The number of an item, a `usize`, if it is here, else the item's own: as a `u32`.
    fn item_or_own(&mut self, here: ValueId, item: ValueId) -> ValueId {
        let own = self.own();
        let b = &mut self.builder;
        let (most, last) = (
            b.constant(Scalar::Usize, MOST),
            b.constant(Scalar::Usize, MOST - 1),
        );
        let known = b.compare(CompareOp::Lt, item, most);
        let bit = b.binary(BinaryOp::And, item, last);
        let bit = b.cast(bit, Scalar::U64);
        let bits = b.binary(BinaryOp::Shr, here, bit);
        let one = b.constant(Scalar::U64, 1);
        let bit = b.binary(BinaryOp::And, bits, one);
        let there = b.compare(CompareOp::Eq, bit, one);
        let there = b.binary(BinaryOp::And, known, there);
        let item = b.select(there, item, own);
        b.cast(item, Scalar::U32)
    }

    /// The number of the highest bit, as a `usize`; without any, one that no item has.
    fn highest(&mut self, bits: ValueId) -> ValueId {
        let b = &mut self.builder;
        let zeros = b.math1(Math1::LeadingZeros, bits);
        let last = b.constant(Scalar::U64, MOST - 1);
        let highest = b.binary(BinaryOp::Sub, last, zeros);
        b.cast(highest, Scalar::Usize)
    }

    /// The number of the last item here before the own, as a `usize`; without any, one that no item has.
    fn before(&mut self, here: ValueId) -> ValueId {
        let own = self.own();
        let b = &mut self.builder;
        let own = b.cast(own, Scalar::U64);
        let one = b.constant(Scalar::U64, 1);
        let bit = b.binary(BinaryOp::Shl, one, own);
        let lower = b.binary(BinaryOp::Sub, bit, one);
        let lower = b.binary(BinaryOp::And, here, lower);
        self.highest(lower)
    }

    /// Each item's value becomes all those combined of the items here up to it, in their order. In each round an item
    /// takes what the one has that is before all that it has combined so far.
    fn scan(&mut self, value: &Rc<Storage>, here: ValueId, operator: &Function) -> Lowered<()> {
        let first = self.before(here);
        let previous = self.builder.local_of(Some("previous"), first);
        let one = self.builder.constant(Scalar::Usize, 1);
        let distance = self.builder.local_of(Some("distance"), one);
        let label = self.builder.label();
        let (body, _) = self.nested(|s| {
            let b = &mut s.builder;
            let so_far = b.read(distance);
            let size = b.index(IndexFunction::SubgroupSize, 0);
            let done = b.compare(CompareOp::Ge, so_far, size);
            b.push(Stmt::If(done, vec![Stmt::Break(label)], vec![]));
            let further = b.binary(BinaryOp::Add, so_far, so_far);
            b.push(Stmt::Set(distance, further));
            let item = b.read(previous);
            let most = b.constant(Scalar::Usize, MOST);
            let has = b.compare(CompareOp::Lt, item, most);
            let from = s.item_or_own(here, item);
            let other = s.shuffled(value, from)?;
            let next = s.shuffled_scalar(item, from);
            let (combine, _) = s.nested(|s| {
                let (a, b) = (s.load(&variable(&other))?, s.load(&variable(value))?);
                let combined = s.call_function(operator, vec![Place::Value(a), Place::Value(b)])?;
                s.store(&variable(value), &combined)?;
                s.builder.push(Stmt::Set(previous, next));
                Ok(())
            })?;
            let (combine, _) = s.nested(|s| {
                s.single(has, combine);
                Ok(())
            })?;
            s.guard(combine)
        })?;
        let next = vec![];
        self.builder.push(Stmt::Loop { label, body, next });
        Ok(())
    }

    /// The value of the item here before the own; the first has `identity`.
    fn value_before(
        &mut self,
        value: &Rc<Storage>,
        identity: &Rc<Storage>,
        here: ValueId,
    ) -> Lowered<Operand> {
        let before = self.before(here);
        let most = self.builder.constant(Scalar::Usize, MOST);
        let has = self.builder.compare(CompareOp::Lt, before, most);
        let from = self.item_or_own(here, before);
        let other = self.shuffled_value(value, from)?;
        let (put, _) = self.nested(|s| s.store(&variable(identity), &other))?;
        self.single(has, put);
        self.load(&variable(identity))
    }

    /// What only the items do of which the condition is true.
    fn single(&mut self, condition: ValueId, block: Block) {
        if let Some(group) = &mut self.group {
            group.tests.insert(condition);
        }
        self.builder.push(Stmt::If(condition, block, vec![]));
    }

    fn shuffled_value(&mut self, from: &Rc<Storage>, item: ValueId) -> Lowered<Operand> {
        let storage = self.shuffled(from, item)?;
        self.load(&variable(&storage))
    }

    /// What another item has in these variables, in variables.
    fn shuffled(&mut self, from: &Rc<Storage>, item: ValueId) -> Lowered<Storage> {
        let mut maker = Maker::new(None);
        let to = self.storage_like_storage(&mut maker, from)?;
        self.declare(maker);
        let (mut sources, mut targets) = (vec![], vec![]);
        leaves(from, &mut sources);
        leaves(&to, &mut targets);
        for (from, to) in sources.into_iter().zip(targets) {
            match self.builder.kernel().locals[from].len {
                None => {
                    let value = self.builder.read(from);
                    let value = self.shuffled_scalar(value, item);
                    self.builder.push(Stmt::Set(to, value));
                }
                Some(len) => {
                    for n in 0..len {
                        let at = self.builder.constant(Scalar::Usize, n as u64);
                        let value = self.builder.read_element(from, at);
                        let value = self.shuffled_scalar(value, item);
                        self.builder.push(Stmt::SetElement(to, at, value));
                    }
                }
            }
        }
        Ok(to)
    }

    /// A scalar of another item, by words of 32 bits.
    fn shuffled_scalar(&mut self, value: ValueId, item: ValueId) -> ValueId {
        let b = &mut self.builder;
        let ty = b.ty(value);
        match ty {
            Scalar::Bool => {
                let [no, yes] = [0, 1].map(|n| b.constant(Scalar::U32, n));
                let word = b.select(value, yes, no);
                let word = b.shuffle(word, item);
                b.compare(CompareOp::Ne, word, no)
            }
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::U8 | Scalar::U16 => {
                let word = b.cast(value, Scalar::U32);
                let word = b.shuffle(word, item);
                b.cast(word, ty)
            }
            Scalar::U32 => b.shuffle(value, item),
            Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64 => {
                let bits = match ty.bytes() {
                    2 => Scalar::U16,
                    4 => Scalar::U32,
                    _ => Scalar::U64,
                };
                let value = b.def(bits, Op::Bits(value));
                let value = self.shuffled_scalar(value, item);
                self.builder.def(ty, Op::Bits(value))
            }
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize => {
                let half = b.constant(Scalar::U64, 32);
                let value = b.cast(value, Scalar::U64);
                let high = b.binary(BinaryOp::Shr, value, half);
                let [low, high] = [value, high].map(|part| {
                    let word = b.cast(part, Scalar::U32);
                    let word = b.shuffle(word, item);
                    b.cast(word, Scalar::U64)
                });
                let high = b.binary(BinaryOp::Shl, high, half);
                let value = b.binary(BinaryOp::Or, high, low);
                b.cast(value, ty)
            }
        }
    }
}

/// The scalars of a storage that is made of variables, in order.
fn leaves(storage: &Storage, all: &mut Vec<LocalId>) {
    let mut leaf = |leaf: &Leaf| match leaf {
        Leaf::Local(local) => all.push(*local),
        Leaf::Param(_) | Leaf::Table(_) | Leaf::Nothing => {}
    };
    match storage {
        Storage::Unit | Storage::Undefined | Storage::Pointer(..) => {}
        Storage::Scalar(_, at) => leaf(at),
        Storage::Struct(_, fields) => fields.iter().for_each(|(_, field)| leaves(field, all)),
        Storage::Enum { tag, variants, .. } => {
            leaf(tag);
            variants.iter().flatten().for_each(|field| leaves(field, all));
        }
        Storage::Array(element, _) => leaves(element, all),
    }
}
