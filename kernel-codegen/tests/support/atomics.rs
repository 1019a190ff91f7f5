//! Kernels with atomic operations, what to run them on, and what must come out.

use super::arrays::Run;
use super::kernels::{check, output, slice};
use gridfn_ir::build::Builder;
use gridfn_ir::typed::{AtomicOp, BinaryOp, Kernel, Op, Order, Stmt, Update, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

/// The types of which there are atomic operations of every kind.
pub const TYPES: [Scalar; 6] = [
    Scalar::I32,
    Scalar::I64,
    Scalar::Isize,
    Scalar::U32,
    Scalar::U64,
    Scalar::Usize,
];

/// What is done to a cell, with one of two values by turns.
#[derive(Clone, Copy)]
enum Step {
    Load,
    Store,
    Swap,
    /// Puts the value there if the other one is there.
    Exchange(Order),
    Update(Update),
}

/// Each operation and each order.
const STEPS: [(Step, Order); 20] = [
    (Step::Load, Order::SeqCst),
    (Step::Swap, Order::Acquire),
    (Step::Update(Update::Add), Order::Relaxed),
    (Step::Update(Update::Sub), Order::Acquire),
    (Step::Update(Update::And), Order::Release),
    (Step::Update(Update::Or), Order::AcqRel),
    (Step::Update(Update::Xor), Order::SeqCst),
    (Step::Update(Update::Min), Order::Relaxed),
    (Step::Load, Order::Relaxed),
    (Step::Update(Update::Max), Order::SeqCst),
    (Step::Load, Order::Acquire),
    (Step::Store, Order::Release),
    (Step::Exchange(Order::Acquire), Order::AcqRel),
    (Step::Exchange(Order::Relaxed), Order::Relaxed),
    (Step::Load, Order::Relaxed),
    (Step::Exchange(Order::SeqCst), Order::SeqCst),
    (Step::Swap, Order::Release),
    (Step::Store, Order::SeqCst),
    (Step::Update(Update::Add), Order::AcqRel),
    (Step::Store, Order::Relaxed),
];

/// Every step on an item's own cell, with what each gives: `given[20 * i + step]`.
pub fn each(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("atomics_{ty}"));
    let x = b.param("x", slice(ty));
    let cells = b.param("cells", output(ty));
    let given = b.param("given", output(ty));
    let i = b.index(IndexFunction::GlobalId, 0);
    b.name(i, "i");
    let length = b.def(Scalar::Usize, Op::Len(cells));
    check(&mut b, i, length, 3);
    let one = b.constant(Scalar::Usize, 1);
    let first = b.binary(BinaryOp::Add, i, i);
    let second = b.binary(BinaryOp::Add, first, one);
    let values = [first, second].map(|at| b.def(ty, Op::Load(x, at)));
    let steps = b.constant(Scalar::Usize, STEPS.len() as u64);
    let start = b.binary(BinaryOp::Mul, i, steps);
    for (n, (step, order)) in STEPS.into_iter().enumerate() {
        let (value, other) = (values[n % 2], values[(n + 1) % 2]);
        let op = match step {
            Step::Load => AtomicOp::Load,
            Step::Store => {
                b.atomic_store(cells, i, value, order);
                continue;
            }
            Step::Swap => AtomicOp::Swap(value),
            Step::Exchange(failure) => AtomicOp::CompareExchange {
                expected: other,
                new: value,
                failure,
            },
            Step::Update(update) => AtomicOp::Update(update, value),
        };
        let before = b.atomic(ty, cells, i, op, order);
        let n = b.constant(Scalar::Usize, n as u64);
        let at = b.binary(BinaryOp::Add, start, n);
        b.push(Stmt::Store(given, at, before));
    }
    b.finish()
}

/// Items that meet: each counts in one of two cells, of which nobody needs the number.
pub fn counts() -> Kernel {
    let mut b = Builder::new("counts");
    let cells = b.param("cells", output(Scalar::U32));
    let i = b.index(IndexFunction::GlobalId, 0);
    let two = b.constant(Scalar::Usize, 2);
    let which = b.binary(BinaryOp::Rem, i, two);
    add(&mut b, cells, which, Scalar::U32);
    b.finish()
}

fn add(b: &mut Builder, cells: gridfn_ir::typed::ParamId, at: ValueId, ty: Scalar) {
    let one = b.number(ty, 1);
    b.atomic(ty, cells, at, AtomicOp::Update(Update::Add, one), Order::Relaxed);
}

/// A sum of floats, which few code forms have.
pub fn sum(ty: Scalar) -> Kernel {
    let mut b = Builder::new(format!("sum_{ty}"));
    let cells = b.param("cells", output(ty));
    let zero = b.constant(Scalar::Usize, 0);
    add(&mut b, cells, zero, ty);
    b.finish()
}

/// Every launch here; the kernels' names differ.
pub fn runs() -> Vec<Run> {
    let mut runs: Vec<Run> = TYPES.into_iter().map(run_of).collect();
    runs.push(Run {
        kernel: counts(),
        items: 77,
        arguments: vec![vec![5, 0]],
        expected: vec![vec![5 + 39, 38]],
    });
    runs
}

fn run_of(ty: Scalar) -> Run {
    let items = 40u64;
    let word = |n: u64| ty.truncate((n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (n % 29) ^ n << 60);
    let x: Vec<u64> = (0..2 * items).map(word).collect();
    let before: Vec<u64> = (0..items).map(|n| word(n + 1000)).collect();
    let mut cells = before.clone();
    let untouched = 0x77;
    let mut given = vec![untouched; items as usize * STEPS.len()];
    for (i, cell) in cells.iter_mut().enumerate() {
        for (n, (step, _)) in STEPS.into_iter().enumerate() {
            let (value, other) = (x[2 * i + n % 2], x[2 * i + (n + 1) % 2]);
            let old = *cell;
            *cell = match step {
                Step::Load => old,
                Step::Store | Step::Swap => value,
                Step::Exchange(_) if old == other => value,
                Step::Exchange(_) => old,
                Step::Update(update) => updated(ty, update, old, value),
            };
            if !matches!(step, Step::Store) {
                given[i * STEPS.len() + n] = old;
            }
        }
    }
    Run {
        kernel: each(ty),
        items,
        arguments: vec![x.clone(), before, vec![untouched; given.len()]],
        expected: vec![x, cells, given],
    }
}

fn updated(ty: Scalar, update: Update, old: u64, value: u64) -> u64 {
    // The order of signed numbers is that of the unsigned ones with the other highest bit.
    let key = |n: u64| n ^ ty.min_bits();
    ty.truncate(match update {
        Update::Add => old.wrapping_add(value),
        Update::Sub => old.wrapping_sub(value),
        Update::And => old & value,
        Update::Or => old | value,
        Update::Xor => old ^ value,
        Update::Min => key(key(old).min(key(value))),
        Update::Max => key(key(old).max(key(value))),
    })
}
