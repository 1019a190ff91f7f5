//! Every operation by one item on a cell of its own, with what it gives.

use crate::case::{Need, Suite, case_path, check_eq};
use gridfn::atomic::*;
use gridfn::prelude::*;

macro_rules! integers {
    ($($module:ident $ty:ident $atomic:ident $needs:expr;)*) => {
        $(mod $module {
            use super::*;

            /// The operations on one cell, as kernels and plain Rust write them.
            #[device]
            fn all(cell: &$atomic, a: $ty, b: $ty) -> [$ty; 16] {
                let load = cell.load(Ordering::SeqCst);
                cell.store(a, Ordering::SeqCst);
                let stored = cell.load(Ordering::Acquire);
                let swap = cell.swap(b, Ordering::AcqRel);
                let add = cell.fetch_add(a, Ordering::Acquire);
                let sub = cell.fetch_sub(b ^ 77, Ordering::Release);
                let and = cell.fetch_and(!a, Ordering::AcqRel);
                let or = cell.fetch_or(b, Ordering::SeqCst);
                let xor = cell.fetch_xor(a ^ 5, Ordering::Relaxed);
                let nand = cell.fetch_nand(b, Ordering::AcqRel);
                let min = cell.fetch_min(a, Ordering::Relaxed);
                let max = cell.fetch_max(b, Ordering::Relaxed);
                let now = cell.load(Ordering::Relaxed);
                let won = cell.compare_exchange(now, a, Ordering::Release, Ordering::Acquire);
                let lost = cell.compare_exchange(a ^ 1, b, Ordering::Relaxed, Ordering::SeqCst);
                cell.store(a & b, Ordering::Release);
                [
                    load,
                    stored,
                    swap,
                    add,
                    sub,
                    and,
                    or,
                    xor,
                    nand,
                    min,
                    max,
                    now,
                    won.unwrap_or(123),
                    lost.is_ok() as $ty,
                    lost.err().unwrap_or(45),
                    lost.unwrap_or(45),
                ]
            }

            #[kernel]
            fn each(a: &[$ty], b: &[$ty], cells: &[$atomic], y: &mut [[$ty; 16]]) {
                let i = global_id(0);
                y[i] = all(&cells[i], a[i], b[i]);
            }

            pub(super) fn add_to(suite: &mut Suite) {
                suite.kernel::<each>();
                suite.case(case_path!("each"), $needs, |device| {
                    let queue = device.queue()?;
                    let samples = super::super::samples();
                    let a: Vec<$ty> = samples.iter().map(|v| *v as $ty).collect();
                    let b: Vec<$ty> = samples.iter().rev().map(|v| (*v >> 3) as $ty).collect();
                    let plain: Vec<_> = a.iter().map(|a| $atomic::new(a ^ 9)).collect();
                    let expected = a.iter().zip(&b).zip(&plain);
                    let expected: Vec<_> = expected.map(|((a, b), cell)| all(cell, *a, *b)).collect();
                    let start: Vec<$ty> = a.iter().map(|a| a ^ 9).collect();
                    let n = a.len();
                    let (a, b) = (queue.upload(&a)?, queue.upload(&b)?);
                    let (mut cells, mut y) = (queue.upload(&start)?, queue.upload(&vec![[0; 16]; n])?);
                    launch!(queue, each(&a, &b, &mut cells, &mut y), global = n)?;
                    check_eq!(queue.download(&y)?, expected);
                    let left: Vec<$ty> = plain.into_iter().map($atomic::into_inner).collect();
                    check_eq!(queue.download(&cells)?, left);
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

            #[device]
            fn all(cell: &$atomic, a: $ty, b: $ty) -> [$ty; 10] {
                let load = cell.load(Ordering::SeqCst);
                cell.store(a, Ordering::Release);
                let swap = cell.swap(b, Ordering::AcqRel);
                let add = cell.fetch_add(a, Ordering::Acquire);
                let sub = cell.fetch_sub(b * 3.0, Ordering::SeqCst);
                let min = cell.fetch_min(a, Ordering::AcqRel);
                let max = cell.fetch_max(b, Ordering::Relaxed);
                let now = cell.load(Ordering::Relaxed);
                let won = cell.compare_exchange(now, a, Ordering::Release, Ordering::Relaxed);
                let lost = cell.compare_exchange_weak(a + 1.0, b, Ordering::Relaxed, Ordering::Relaxed);
                [
                    load,
                    swap,
                    add,
                    sub,
                    min,
                    max,
                    now,
                    won.unwrap_or(123.0),
                    lost.err().unwrap_or(45.0),
                    cell.load(Ordering::Acquire),
                ]
            }

            #[kernel]
            fn each(a: &[$ty], b: &[$ty], cells: &[$atomic], y: &mut [[$ty; 10]]) {
                let i = global_id(0);
                y[i] = all(&cells[i], a[i], b[i]);
            }

            pub(super) fn add_to(suite: &mut Suite) {
                suite.kernel::<each>();
                suite.case(case_path!("each"), $needs, |device| {
                    let queue = device.queue()?;
                    let samples = super::super::samples();
                    let a: Vec<$ty> = samples.iter().map(|v| (*v as $ty).sqrt()).collect();
                    let b: Vec<$ty> = samples.iter().rev().map(|v| *v as i32 as $ty).collect();
                    let expected = a.iter().zip(&b);
                    let expected: Vec<_> =
                        expected.map(|(a, b)| all(&$atomic::new(a * 0.5), *a, *b)).collect();
                    let start: Vec<$ty> = a.iter().map(|a| a * 0.5).collect();
                    let n = a.len();
                    let (a, b) = (queue.upload(&a)?, queue.upload(&b)?);
                    let (mut cells, mut y) = (queue.upload(&start)?, queue.upload(&vec![[0.0; 10]; n])?);
                    launch!(queue, each(&a, &b, &mut cells, &mut y), global = n)?;
                    check_eq!(queue.download(&y)?, expected);
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

pub(super) fn add_to(suite: &mut Suite) {
    integers(suite);
    floats(suite);
}
