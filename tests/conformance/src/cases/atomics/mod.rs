//! Atomics: many items on few cells, where the result does not depend on their order, or shows that nothing was lost.

mod alone;
mod forms;

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use gridfn::atomic::*;
use gridfn::prelude::*;
use gridfn::{Error, Queue};

/// Items of each launch: more than one thread's share, and no whole number of work-groups.
const ITEMS: usize = 3001;

/// A number for each item, of all sizes.
fn samples() -> Vec<u64> {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.rotate_right(state as u32 % 64)
    };
    (0..ITEMS).map(next).collect()
}

macro_rules! integers {
    ($($module:ident $ty:ident $atomic:ident $needs:expr;)*) => {
        $(mod $module {
            use super::*;

            #[kernel]
            fn together(x: &[$ty], cells: &[$atomic]) {
                let v = x[global_id(0)];
                let half = v as usize % 2;
                cells[half].fetch_add(v, Ordering::Relaxed);
                cells[2 + half].fetch_sub(v, Ordering::AcqRel);
                cells[4 + half].fetch_and(v | 3, Ordering::Acquire);
                cells[6 + half].fetch_or(v & 0x1234_5670, Ordering::Release);
                cells[8 + half].fetch_xor(v, Ordering::SeqCst);
                cells[10 + half].fetch_min(v, Ordering::Relaxed);
                cells[12 + half].fetch_max(v, Ordering::SeqCst);
            }

            /// The same, one item after the other.
            fn expected(x: &[$ty]) -> Vec<$ty> {
                let mut cells = vec![0 as $ty; 14];
                cells[4..6].fill(!0);
                for &v in x {
                    let half = v as usize % 2;
                    let mut update = |n: usize, f: fn($ty, $ty) -> $ty| cells[n + half] = f(cells[n + half], v);
                    update(0, |old, v| old.wrapping_add(v));
                    update(2, |old, v| old.wrapping_sub(v));
                    update(4, |old, v| old & (v | 3));
                    update(6, |old, v| old | v & 0x1234_5670);
                    update(8, |old, v| old ^ v);
                    update(10, |old, v| old.min(v));
                    update(12, |old, v| old.max(v));
                }
                cells
            }

            /// Each item takes a number that no other has, and sees it once more where it puts its own.
            #[kernel]
            fn tickets(next: &[$atomic], taken: &[$atomic], places: &[$atomic]) {
                let i = global_id(0);
                let mut ticket = next[0].load(Ordering::Relaxed);
                while let Err(now) =
                    next[0].compare_exchange_weak(ticket, ticket + 1, Ordering::AcqRel, Ordering::Relaxed)
                {
                    ticket = now;
                }
                taken[ticket as usize].fetch_add(1, Ordering::Relaxed);
                let before = places[0].swap(i as $ty + 1, Ordering::Relaxed);
                places[before as usize + 1].fetch_add(1, Ordering::Relaxed);
            }

            pub(super) fn add_to(suite: &mut Suite) {
                suite.case(case_path!("together"), $needs, |device| {
                    let queue = device.queue()?;
                    let x: Vec<$ty> = samples().into_iter().map(|v| v as $ty).collect();
                    let mut start = vec![0 as $ty; 14];
                    start[4..6].fill(!0);
                    let (x, mut cells) = (queue.upload(&x)?, queue.upload(&start)?);
                    launch!(queue, together(&x, &mut cells), global = ITEMS)?;
                    check_eq!(queue.download(&cells)?, expected(&queue.download(&x)?));
                    Ok(())
                });
                suite.case(case_path!("tickets"), $needs, |device| {
                    let queue = device.queue()?;
                    let (mut next, mut taken) = (queue.zeros::<$ty>(1)?, queue.zeros::<$ty>(ITEMS)?);
                    let mut places = queue.zeros::<$ty>(ITEMS + 2)?;
                    launch!(queue, tickets(&mut next, &mut taken, &mut places), global = ITEMS)?;
                    check_eq!(queue.download(&next)?, [ITEMS as $ty]);
                    check_eq!(queue.download(&taken)?, vec![1; ITEMS]);
                    let mut places = queue.download(&places)?;
                    // Whoever came last is seen by nobody.
                    let last = std::mem::take(&mut places[0]) as usize;
                    places[last + 1] += 1;
                    check_eq!(places[1..], vec![1; ITEMS + 1]);
                    Ok(())
                });
            }
        })*

        fn integers(suite: &mut Suite) {
            $($module::add_to(suite);)*
        }
    };
}
integers! {
    of_u32 u32 AtomicU32 &[];
    of_i32 i32 AtomicI32 &[];
    of_u64 u64 AtomicU64 &[Need::AtomicInt64];
    of_i64 i64 AtomicI64 &[Need::AtomicInt64];
    of_usize usize AtomicUsize &[Need::AtomicInt64];
    of_isize isize AtomicIsize &[Need::AtomicInt64];
}

macro_rules! floats {
    ($($module:ident $ty:ident $atomic:ident $needs:expr;)*) => {
        $(mod $module {
            use super::*;

            #[kernel]
            fn together(x: &[$ty], cells: &[$atomic]) {
                let v = x[global_id(0)];
                let before = cells[0].fetch_add(v, Ordering::Relaxed);
                if before != before {
                    cells[5].store(before, Ordering::Relaxed);
                }
                cells[1].fetch_sub(v, Ordering::AcqRel);
                cells[2].fetch_min(v, Ordering::SeqCst);
                cells[3].fetch_max(v, Ordering::Release);
                let mut old = cells[4].load(Ordering::Acquire);
                loop {
                    match cells[4].compare_exchange(old, old + 1.0, Ordering::SeqCst, Ordering::Acquire) {
                        Ok(_) => break,
                        Err(now) => old = now,
                    }
                }
            }

            pub(super) fn add_to(suite: &mut Suite) {
                suite.case(case_path!("together"), $needs, |device| {
                    let queue = device.queue()?;
                    // All partial sums are exact, whatever the order.
                    let x: Vec<$ty> = samples().iter().map(|v| (v % 1024) as $ty * 0.25 - 100.0).collect();
                    let sum: $ty = x.iter().sum();
                    let min = x.iter().copied().fold($ty::MAX, $ty::min);
                    let max = x.iter().copied().fold($ty::MIN, $ty::max);
                    let start = [0.5, 0.0, $ty::MAX, $ty::MIN, 0.0, 0.0];
                    let (x, mut cells) = (queue.upload(&x)?, queue.upload(&start)?);
                    launch!(queue, together(&x, &mut cells), global = ITEMS)?;
                    check_eq!(
                        queue.download(&cells)?,
                        [0.5 + sum, -sum, min, max, ITEMS as $ty, 0.0]
                    );
                    Ok(())
                });
            }
        })*

        fn floats(suite: &mut Suite) {
            $($module::add_to(suite);)*
        }
    };
}
floats! {
    of_f32 f32 AtomicF32 &[];
    of_f64 f64 AtomicF64 &[Need::Float64, Need::AtomicInt64];
}

/// What was stored before a release is seen after an acquire that sees what was released.
#[kernel]
fn messages(data: &[AtomicU32], flags: &[AtomicU32], missed: &[AtomicU32]) {
    let (i, n) = (global_id(0), flags.len());
    data[i].store(i as u32 ^ 0xABCD, Ordering::Relaxed);
    flags[i].store(1, Ordering::Release);
    for k in [1, 2, 31, n / 2] {
        let other = (i + k) % n;
        if flags[other].load(Ordering::Acquire) == 1 {
            let seen = data[other].load(Ordering::Relaxed);
            missed[0].fetch_add((seen != other as u32 ^ 0xABCD) as u32, Ordering::Relaxed);
            missed[1].fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn messages_are_seen(queue: &Queue) -> Outcome {
    let (mut data, mut flags) = (queue.zeros::<u32>(ITEMS)?, queue.zeros::<u32>(ITEMS)?);
    let mut missed = queue.zeros::<u32>(2)?;
    launch!(
        queue,
        messages(&mut data, &mut flags, &mut missed),
        global = ITEMS
    )?;
    let missed = queue.download(&missed)?;
    check_eq!(missed[0], 0);
    // The item that came last has seen the others.
    check_eq!(missed[1] > 0, true);
    Ok(())
}

#[kernel]
fn beyond(bins: &[AtomicU32]) {
    let i = global_id(0);
    bins[0].fetch_add(1, Ordering::Relaxed);
    /*@beyond*/
    bins[i].fetch_add(1, Ordering::Relaxed);
}

fn a_cell_out_of_bounds_is_a_fault(queue: &Queue) -> Outcome {
    let mut bins = queue.zeros::<u32>(8)?;
    launch!(queue, beyond(&mut bins), global = 11)?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        return Err("there is no fault".into());
    };
    let text = include_str!("mod.rs");
    let line = text
        .lines()
        .position(|l| l.contains("/*@beyond*/"))
        .map_or(0, |n| n + 2);
    check_eq!((fault.count, fault.line as usize, fault.column), (3, line, 5));
    let index = fault.id[0];
    check_eq!(
        fault.message,
        format!("index out of bounds: the len is 8 but the index is {index}")
    );
    check_eq!(queue.download(&bins)?, [12, 1, 1, 1, 1, 1, 1, 1]);
    Ok(())
}

#[kernel]
fn needs_64_bits(cells: &[AtomicU64]) {
    cells[0].fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn needs_64_bits_of_floats(cells: &[AtomicF64]) {
    cells[0].fetch_add(1.0, Ordering::Relaxed);
}

pub(crate) fn add_to(suite: &mut Suite) {
    integers(suite);
    floats(suite);
    alone::add_to(suite);
    forms::add_to(suite);
    suite.kernel::<messages>();
    suite.case(case_path!("messages"), &[], |device| {
        messages_are_seen(&device.queue()?)
    });
    suite.kernel::<beyond>();
    suite.case(case_path!("out_of_bounds"), &[], |device| {
        a_cell_out_of_bounds_is_a_fault(&device.queue()?)
    });
    suite.case(
        case_path!("of_64_bits_where_there_are_none"),
        &[Need::NoAtomicInt64],
        |device| {
            let queue = device.queue()?;
            let mut cells = queue.upload(&[7u64])?;
            let result = launch!(queue, needs_64_bits(&mut cells), global = 8);
            let expected = Error::Unsupported {
                kernel: "needs_64_bits".into(),
                capability: gridfn::Capability::AtomicInt64,
                device: device.info().id.clone(),
            };
            check_eq!(result, Err(expected));
            check_eq!(queue.download(&cells)?, [7]);
            let mut floats = queue.zeros::<f64>(1)?;
            let result = launch!(queue, needs_64_bits_of_floats(&mut floats), global = 8);
            check_eq!(matches!(result, Err(Error::Unsupported { .. })), true);
            Ok(())
        },
    );
}
