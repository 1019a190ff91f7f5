//! The ways to write them: references, slices, functions, methods, iterators, results, orderings, closures.

#![allow(clippy::needless_borrow, reason = "odd forms are the point")]

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::Queue;
use gridfn::atomic::AtomicU32;
use gridfn::prelude::*;
use std::sync::atomic::Ordering::{self, *};

const COUNTED: Ordering = AcqRel;

#[derive(Clone, Copy, DeviceCopy)]
struct Bins {
    first: u32,
    count: u32,
}

#[device]
impl Bins {
    /// The bin of a value; not all values have one.
    fn of(&self, bins: &[AtomicU32], value: u32) -> bool {
        let n = value.wrapping_sub(self.first);
        let inside = n < self.count;
        if inside {
            count(&bins[n as usize]);
        }
        inside
    }
}

#[device]
fn count(bin: &AtomicU32) -> u32 {
    bin.fetch_add(1, COUNTED)
}

/// The least bit that was not taken, which is taken now.
#[device]
fn take_bit(words: &[AtomicU32]) -> u32 {
    for (n, word) in words.iter().enumerate() {
        let mut old = word.load(Relaxed);
        while old != u32::MAX {
            let bit = old.trailing_ones();
            match word.compare_exchange(old, old | 1 << bit, SeqCst, Relaxed) {
                Ok(_) => return n as u32 * 32 + bit,
                Err(now) => old = now,
            }
        }
    }
    u32::MAX
}

#[kernel]
fn forms(bins: Bins, x: &[u32], counts: &[AtomicU32], words: &[AtomicU32], y: &mut [u32]) {
    let i = global_id(0);
    let (first, rest) = counts.split_at(2);
    let outside = &first[0];
    if !bins.of(rest, x[i]) {
        count(outside);
    }
    if let Some(bin) = first.get(1) {
        bin.fetch_max(x[i], Relaxed);
    }
    let which = if x[i] % 2 == 0 {
        &counts[counts.len() - 1]
    } else {
        &counts[counts.len() - 2]
    };
    which.fetch_add(1, Ordering::Relaxed);
    // An index with words in it stands in the code of the element's place alone.
    words[{
        assert!(i < y.len(), "item {i}");
        0
    }]
    .fetch_and(0, Relaxed);
    y[i] = take_bit(&words[1..]);
}

fn all_forms(queue: &Queue) -> Outcome {
    let n = 1000usize;
    let x: Vec<u32> = (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 25)
        .collect();
    let bins = Bins {
        first: 10,
        count: 100,
    };
    let mut expected = vec![0; 2 + 100 + 2];
    for v in &x {
        match v.checked_sub(10).filter(|n| *n < 100) {
            Some(n) => expected[2 + n as usize] += 1,
            None => expected[0] += 1,
        }
        expected[1] = expected[1].max(*v);
        expected[if v % 2 == 0 { 103 } else { 102 }] += 1;
    }
    let (x, mut counts) = (queue.upload(&x)?, queue.zeros::<u32>(expected.len())?);
    let mut words = queue.zeros::<u32>(1 + n.div_ceil(32))?;
    let mut y = queue.zeros::<u32>(n)?;
    launch!(
        queue,
        forms(bins, &x, &mut counts, &mut words, &mut y),
        global = n
    )?;
    check_eq!(queue.download(&counts)?, expected);
    let mut taken = queue.download(&y)?;
    taken.sort_unstable();
    check_eq!(taken, (0..n as u32).collect::<Vec<_>>());
    check_eq!(queue.download(&words)?[0], 0);
    Ok(())
}

/// What is made of a result, and of results that are no atomic's.
#[kernel]
fn results(x: &[u32], cells: &[AtomicU32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    let cell = &cells[i];
    let result = cell.compare_exchange(3, x[i], Relaxed, Relaxed);
    let own: Result<u32, u32> = if x[i] > 5 { Ok(x[i]) } else { Err(7) };
    let of_match = match result {
        Ok(3) => 30,
        Ok(before) => before,
        Err(now @ 4..=6) => 40 + now,
        Err(_) => 50,
    };
    let mut rounds = 0;
    while let Ok(before) = cell.compare_exchange_weak(rounds, rounds + 2, AcqRel, Acquire) {
        rounds = before + 1;
    }
    y[i] = [
        result.is_ok() as u32,
        result.is_err() as u32,
        of_match,
        rounds,
        own.unwrap_or(1) + result.unwrap_or(100),
        own.ok().is_some() as u32 + own.err().unwrap_or(20),
    ];
}

fn all_results(queue: &Queue) -> Outcome {
    let x: Vec<u32> = (0..10).collect();
    let start: Vec<u32> = x.iter().map(|i| i * 3 % 7).collect();
    let expected: Vec<[u32; 6]> = x
        .iter()
        .zip(&start)
        .map(|(&x, &start)| {
            let won = start == 3;
            let of_match = match start {
                3 => 30,
                4..=6 => 40 + start,
                _ => 50,
            };
            let rounds = u32::from((if won { x } else { start }) == 0);
            let own = if x > 5 { x } else { 1 };
            let last = if x > 5 { 21 } else { 7 };
            let kept = if won { 3 } else { 100 };
            [won.into(), (!won).into(), of_match, rounds, own + kept, last]
        })
        .collect();
    let (xs, mut cells) = (queue.upload(&x)?, queue.upload(&start)?);
    let mut y = queue.upload(&[[0; 6]; 10])?;
    launch!(queue, results(&xs, &mut cells, &mut y), global = 10)?;
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

/// In more than one dimension, on any cell.
#[kernel]
fn plane(sums: &[AtomicU32], all: (&[AtomicU32], u32)) {
    let (x, y) = (global_id(0), global_id(1));
    sums[x].fetch_add(y as u32, Relaxed);
    sums[sums.len() - 1 - y].fetch_add(1, Relaxed);
    all.0[0].fetch_add(all.1, Relaxed);
}

fn in_a_plane(queue: &Queue) -> Outcome {
    let (mut sums, mut all) = (queue.zeros::<u32>(20)?, queue.zeros::<u32>(1)?);
    launch!(queue, plane(&mut sums, (&mut all, 3)), global = [13, 7])?;
    let expected: Vec<u32> = (0..20).map(|n| if n < 13 { 21 } else { 13 }).collect();
    check_eq!(queue.download(&sums)?, expected);
    check_eq!(queue.download(&all)?, [3 * 13 * 7]);
    Ok(())
}

fn in_closures(queue: &Queue) -> Outcome {
    let x = queue.upload(&(0..500u32).map(|i| i * 7 % 10).collect::<Vec<_>>())?;
    let (mut counts, mut sum) = (queue.zeros::<u32>(10)?, queue.zeros::<f32>(1)?);
    {
        let (bins, sum) = (counts.atomics(), sum.atomics());
        check_eq!((bins.len(), bins.is_empty()), (10, false));
        for _ in 0..2 {
            launch!(
                queue,
                |i| {
                    count(&bins[x[i] as usize]);
                    sum[0].fetch_add(0.5, Relaxed);
                    bins[0].swap(bins[0].load(Relaxed), Relaxed);
                },
                global = x.len()
            )?;
        }
    }
    check_eq!(queue.download(&counts)?[1..], [100; 9]);
    check_eq!(queue.download(&sum)?, [500.0]);
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<forms>();
    suite.kernel::<results>();
    suite.kernel::<plane>();
    suite.case(case_path!("functions"), &[], |device| all_forms(&device.queue()?));
    suite.case(case_path!("results"), &[], |device| all_results(&device.queue()?));
    suite.case(case_path!("plane"), &[], |device| in_a_plane(&device.queue()?));
    suite.case(case_path!("closures"), &[], |device| {
        in_closures(&device.queue()?)
    });
}
