//! Barriers out of branches, for drivers that do not compile them rightly there.
//!
//! PoCL 3.1 runs the code between two barriers item by item. Where the code behind one may lead to several others, it lets
//! the first item of a group choose for all, and then takes that item's choice at conditions of single items too. So each
//! barrier here becomes one that always follows the same one: what stands under a condition that all items share is run
//! under a flag, piece by piece, and the barriers between the pieces are for everyone. One more for a group that does not
//! come that way changes nothing.
//!
//! Loops stay what they are: there every item goes the same number of rounds.

use crate::Scalar;
use crate::build::Builder;
use crate::typed::{BinaryOp, Block, CompareOp, Kernel, Label, LocalId, Op, Stmt, Value, ValueId, any};

/// The same kernel, with no barrier in a branch.
pub fn straightened(kernel: Kernel) -> Kernel {
    let (builder, body) = Builder::resume(kernel);
    let mut straight = Straight {
        b: builder,
        around: vec![],
        piece: vec![],
    };
    straight.block(body);
    straight.b.straighten();
    straight.b.finish()
}

/// What stands around the statement at hand, and holds barriers.
enum Around {
    /// A side of an `if`, or a block of that label: run where the flag is not 0.
    Path { on: LocalId, label: Option<Label> },
    /// A loop: what is in it is run.
    Loop(Label),
}

struct Straight {
    b: Builder,
    /// The innermost last.
    around: Vec<Around>,
    /// Statements without barriers that are not in the new block yet.
    piece: Block,
}

impl Straight {
    /// The flag under which statements run here, if it is not in any case.
    fn flag(&self) -> Option<LocalId> {
        match self.around.last() {
            Some(Around::Path { on, .. }) => Some(*on),
            Some(Around::Loop(_)) | None => None,
        }
    }

    fn block(&mut self, block: Block) {
        for stmt in block {
            if any(std::slice::from_ref(&stmt), &|stmt| *stmt == Stmt::Barrier) {
                self.flush();
                self.waiting(stmt);
            } else {
                self.simple(stmt);
            }
        }
        self.flush();
    }

    /// A statement that holds a barrier, or is one.
    fn waiting(&mut self, stmt: Stmt) {
        match stmt {
            Stmt::If(condition, yes, no) => {
                let none = self.b.constant(Scalar::U32, 0);
                let on = self.here();
                let sides = [
                    (self.b.select(condition, on, none), yes),
                    (self.b.select(condition, none, on), no),
                ];
                let sides = sides.map(|(on, block)| (self.b.local_of(Some("on"), on), block));
                for (on, block) in sides {
                    self.path(on, None, block);
                }
            }
            Stmt::Block { label, body } => {
                let on = self.here();
                let on = self.b.local_of(Some("on"), on);
                self.path(on, Some(label), body);
            }
            Stmt::Loop { label, body, next } => {
                let outer = self.b.enter();
                if let Some(on) = self.flag() {
                    let off = self.is(CompareOp::Eq, on);
                    self.b.push(Stmt::If(off, vec![Stmt::Break(label)], vec![]));
                }
                self.around.push(Around::Loop(label));
                self.block(body);
                let body = self.b.enter();
                self.block(next);
                let next = self.b.enter();
                self.around.pop();
                self.b.leave(outer);
                self.b.push(Stmt::Loop { label, body, next });
            }
            stmt => self.b.push(stmt),
        }
    }

    /// What runs where the flag is not 0.
    fn path(&mut self, on: LocalId, label: Option<Label>, block: Block) {
        self.around.push(Around::Path { on, label });
        self.block(block);
        self.around.pop();
    }

    /// The flag's value here: 1 where statements run.
    fn here(&mut self) -> ValueId {
        match self.flag() {
            Some(on) => self.b.read(on),
            None => self.b.constant(Scalar::U32, 1),
        }
    }

    /// Whether a flag is 0 (`Eq`), or is not (`Ne`).
    fn is(&mut self, op: CompareOp, on: LocalId) -> ValueId {
        let (on, off) = (self.b.read(on), self.b.constant(Scalar::U32, 0));
        self.b.compare(op, on, off)
    }

    /// A statement without a barrier. What it computes or declares must be known behind its piece too.
    fn simple(&mut self, stmt: Stmt) {
        if self.flag().is_none() {
            return self.piece.push(stmt);
        }
        match stmt {
            Stmt::Def(value) if self.b.kernel().values[value].op.is_harmless() => {
                self.flush();
                self.b.push(Stmt::Def(value));
            }
            Stmt::Def(value) => {
                let copy = self.copy(value);
                self.piece.push(Stmt::Def(copy));
                self.keep(&[(value, copy)]);
            }
            Stmt::LoadVector(slice, index, values) => {
                let kept: Vec<_> = values.iter().map(|v| (*v, self.copy(*v))).collect();
                let copies = kept.iter().map(|(_, copy)| *copy).collect();
                self.piece.push(Stmt::LoadVector(slice, index, copies));
                self.keep(&kept);
            }
            Stmt::Atomic(mut atomic) => {
                let kept = atomic.before.map(|value| (value, self.copy(value)));
                atomic.before = kept.map(|(_, copy)| copy);
                self.piece.push(Stmt::Atomic(atomic));
                self.keep(kept.as_slice());
            }
            Stmt::Subgroup(mut subgroup) => {
                let value = subgroup.given;
                subgroup.given = self.copy(value);
                self.piece.push(Stmt::Subgroup(subgroup));
                self.keep(&[(value, subgroup.given)]);
            }
            // Behind the flag it would be gone.
            Stmt::Declare(local) => self.b.declare_cleared(local),
            stmt => self.piece.push(stmt),
        }
    }

    /// A value that is computed in the same way.
    fn copy(&mut self, value: ValueId) -> ValueId {
        let copy = Value {
            name: None,
            ..self.b.kernel().values[value].clone()
        };
        self.b.value(copy)
    }

    /// Values that the piece has computed as copies are in variables behind it.
    fn keep(&mut self, kept: &[(ValueId, ValueId)]) {
        let locals: Vec<_> = kept
            .iter()
            .map(|(value, copy)| {
                let local = self.b.undeclared_local(Some("kept"), self.b.ty(*value));
                self.b.declare_cleared(local);
                self.piece.push(Stmt::Set(local, *copy));
                local
            })
            .collect();
        self.flush();
        for ((value, _), local) in kept.iter().zip(locals) {
            self.b.redefine(*value, Op::Read(local));
        }
    }

    /// Puts the piece behind what is in the new block.
    fn flush(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        if piece.is_empty() {
            return;
        }
        let Some(on) = self.flag() else {
            let piece = self.leaving(piece, None);
            return self.b.append(piece);
        };
        let label = self.b.label();
        let mut body = self.leaving(piece, Some(label));
        if any(&body, &|stmt| *stmt == Stmt::Break(label)) {
            body = vec![Stmt::Block { label, body }];
        }
        let test = self.is(CompareOp::Ne, on);
        self.b.push(Stmt::If(test, body, vec![]));
    }

    /// The same statements, which leave a block that holds barriers by its flag: they end their own piece, or the loops
    /// around it.
    fn leaving(&mut self, block: Block, piece: Option<Label>) -> Block {
        let outer = self.b.enter();
        for stmt in block {
            match stmt {
                Stmt::Break(label) => self.leave(label, piece),
                stmt => {
                    let stmt = stmt.map_blocks(|block| self.leaving(block, piece));
                    self.b.push(stmt);
                }
            }
        }
        self.b.leave(outer)
    }

    fn leave(&mut self, to: Label, piece: Option<Label>) {
        let is_it =
            |around: &Around| matches!(around, Around::Path { label: Some(label), .. } if *label == to);
        let Some(at) = self.around.iter().position(is_it) else {
            return self.b.push(Stmt::Break(to));
        };
        let off = self.b.constant(Scalar::U32, 0);
        let mut end = piece;
        for around in self.around[at..].iter().rev() {
            match around {
                Around::Path { on, .. } => self.b.push(Stmt::Set(*on, off)),
                Around::Loop(label) => end = Some(*label),
            }
        }
        if let Some(end) = end {
            self.b.push(Stmt::Break(end));
        }
    }
}

impl Op {
    /// Whether an item may compute it that has no business there: it looks at nothing but the item's own scalars, and never
    /// fails.
    pub(crate) fn is_harmless(self) -> bool {
        match self {
            Op::Const(_) | Op::Param(_) | Op::Len(_) | Op::Index(..) | Op::Read(_) => true,
            Op::Unary(..) | Op::Compare(..) | Op::Cast(_) | Op::Bits(_) | Op::Select(..) => true,
            // Of what another item has not computed a divisor may be 0.
            Op::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            Op::Math1(..) | Op::Math2(..) | Op::MulAdd(..) => true,
            Op::ReadElement(..) | Op::Load(..) | Op::Component | Op::Element(..) | Op::Lookup(..) => false,
        }
    }
}
