//! `println!`: a line of the print buffer, whose layout [`crate::layout`] says.

use super::operand::Operand;
use super::{Lowered, Lowering};
use crate::Scalar;
use crate::layout::{LINE, LINES, LOST, PRINTED};
use crate::tree::{Expr, LinkHole};
use crate::typed::{
    AtomicOp, BinaryOp, CompareOp, Op, Order, ParamId, ParamKind, Prints, Stmt, Update, ValueId, Words,
};

impl Lowering<'_> {
    /// Prints a line that shows some values. What does not fit any more is counted.
    pub(super) fn print(&mut self, words: LinkHole, shown: &Expr) -> Lowered<Operand> {
        let (words, values) = self.message(words, shown)?;
        let (buffer, tag, line) = self.line(words);
        let content = self.content(tag, line, &values);
        let needed = content.len() as u64;
        let len = self.builder.def(Scalar::Usize, Op::Len(buffer));
        let room = self.builder.cast(len, Scalar::U32);
        let first = self.builder.constant(Scalar::U32, LINES as u64);
        let room = self.builder.binary(BinaryOp::Sub, room, first);
        // An item asks for no more words once there are none left, so that their number never wraps.
        let taken = self.tally(buffer, PRINTED, None);
        let may_fit = self.builder.compare(CompareOp::Lt, taken, room);
        let found = self.builder.local_of(None, may_fit);
        let (stored, _) = self.nested(|s| {
            let words = s.builder.constant(Scalar::U32, needed);
            let at = s.tally(buffer, PRINTED, Some(words));
            let end = s.builder.binary(BinaryOp::Add, at, words);
            let fits = s.builder.compare(CompareOp::Le, end, room);
            s.builder.push(Stmt::Set(found, fits));
            let (store, ()) = s.builder.block(|builder| {
                let at = builder.cast(at, Scalar::Usize);
                for (n, &word) in content.iter().enumerate() {
                    let place = builder.constant(Scalar::Usize, (LINES + n) as u64);
                    let place = builder.binary(BinaryOp::Add, at, place);
                    builder.push(Stmt::Store(buffer, place, word));
                }
            });
            s.builder.push(Stmt::If(fits, store, vec![]));
            Ok(())
        })?;
        self.builder.push(Stmt::If(may_fit, stored, vec![]));
        let found = self.builder.read(found);
        let (count, _) = self.nested(|s| {
            let one = s.builder.constant(Scalar::U32, 1);
            s.tally(buffer, LOST, Some(one));
            Ok(())
        })?;
        self.builder.push(Stmt::If(found, vec![], count));
        Ok(Operand::Unit)
    }

    /// The print buffer, the kernel's tag, and the number of a line with these words.
    fn line(&mut self, words: Words) -> (ParamId, ParamId, usize) {
        let (buffer, tag) = match &self.prints {
            Some(prints) => (prints.buffer, prints.tag),
            None => {
                let kind = ParamKind::Slice {
                    element: Scalar::U32,
                    writable: true,
                };
                let buffer = self.builder.param("print", kind);
                (
                    buffer,
                    self.builder.param("print_tag", ParamKind::Scalar(Scalar::U32)),
                )
            }
        };
        let prints = self.prints.get_or_insert_with(|| Prints {
            buffer,
            tag,
            lines: vec![],
        });
        let known = prints.lines.iter().position(|line| *line == words);
        let line = known.unwrap_or(prints.lines.len());
        if known.is_none() {
            prints.lines.push(words);
        }
        (buffer, tag, line)
    }

    /// The words of a line.
    fn content(&mut self, tag: ParamId, line: usize, values: &[ValueId]) -> Vec<ValueId> {
        let len = LINE + 2 * values.len();
        let mut words = vec![
            self.builder.constant(Scalar::U32, len as u64),
            self.builder.def(Scalar::U32, Op::Param(tag)),
            self.builder.constant(Scalar::U32, line as u64),
        ];
        let half = self.builder.constant(Scalar::U64, 32);
        for &value in values {
            words.push(self.builder.cast(value, Scalar::U32));
            let upper = self.builder.binary(BinaryOp::Shr, value, half);
            words.push(self.builder.cast(upper, Scalar::U32));
        }
        words
    }

    /// Adds to a count of the print buffer, and gives what it was before; without a summand it only looks.
    fn tally(&mut self, buffer: ParamId, which: usize, more: Option<ValueId>) -> ValueId {
        let index = self.builder.constant(Scalar::Usize, which as u64);
        let op = match more {
            Some(more) => AtomicOp::Update(Update::Add, more),
            None => AtomicOp::Load,
        };
        self.builder
            .atomic(Scalar::U32, buffer, index, op, Order::Relaxed)
    }
}
