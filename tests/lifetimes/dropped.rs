//! What is dropped while launches are in flight.

use crate::work::{N, On, churn, increment, many, sums};
use gridfn::prelude::*;
use std::future::IntoFuture;
use std::pin::Pin;
use std::task::{Context, Waker};

/// The launches have what they need, though all their arguments are gone and others have taken their place.
pub(crate) fn arguments_right_after_the_launch(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let mut outputs = vec![];
    for value in 0..50 {
        let mut sum = queue.zeros::<u32>(N)?;
        {
            let (x, mut y) = (many(&queue, value)?, queue.zeros::<u32>(N)?);
            launch!(queue, sums(on.rounds, &x, &mut y), global = N)?;
            drop(x);
            let mut closure = {
                let sum = &mut sum;
                closure!(move |i| sum[i] += y[i] + value)
            };
            launch!(queue, &mut closure, global = N)?;
            // With it goes `y`.
            drop(closure);
        }
        if value % 10 == 0 {
            churn(&queue)?;
        }
        // Of the sizes that have just been freed.
        drop((many(&queue, 1_000_000)?, queue.upload(&[1_000_000u32; N])?));
        outputs.push(sum);
    }
    for (value, sum) in (0..).zip(outputs) {
        let expected: Vec<u32> = on.sums_of(value).iter().map(|sum| sum + value).collect();
        on.same(&queue.download(&sum)?, &expected);
    }
    Ok(())
}

/// Something to be dropped.
trait Thing {}
impl<T> Thing for T {}

/// Device, queue, prepared kernel, closure, input and event of launches in flight go in each of the 720 orders.
pub(crate) fn everything_in_every_order(on: &On) -> gridfn::Result<()> {
    for order in permutations() {
        let mut y = on.device.queue()?.zeros::<u32>(N)?;
        {
            let (device, out) = (on.device.clone(), &mut y);
            let queue = device.queue()?;
            let (x, one) = (many(&queue, 3)?, queue.upload(&[1u32])?);
            let prepared = sums::prepare(&queue)?;
            launch!(prepared, sums(on.rounds, &x, &mut *out), global = N)?;
            let mut closure = closure!(move |i| out[i] += one[0]);
            launch!(queue, &mut closure, global = N)?;
            let event = queue.record()?;
            launch!(queue, &mut closure, global = N)?;
            let mut things: [Option<Box<dyn Thing + '_>>; 6] = [
                Some(Box::new(device)),
                Some(Box::new(queue)),
                Some(Box::new(prepared)),
                Some(Box::new(closure)),
                Some(Box::new(x)),
                Some(Box::new(event)),
            ];
            for n in order {
                things[n] = None;
            }
        }
        let expected: Vec<u32> = on.sums_of(3).iter().map(|sum| sum + 2).collect();
        on.same(&y.into_vec()?, &expected);
    }
    Ok(())
}

/// All orders of six things, by Heap's algorithm.
fn permutations() -> Vec<[usize; 6]> {
    fn heap(k: usize, order: &mut [usize; 6], all: &mut Vec<[usize; 6]>) {
        if k <= 1 {
            return all.push(*order);
        }
        for i in 0..k {
            heap(k - 1, order, all);
            if i < k - 1 {
                order.swap(if k.is_multiple_of(2) { i } else { 0 }, k - 1);
            }
        }
    }
    let mut all = vec![];
    heap(6, &mut [0, 1, 2, 3, 4, 5], &mut all);
    let mut sorted = all.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 720);
    all
}

/// A driver that wants to wake a task finds its future gone, or its queue.
pub(crate) fn a_future_and_its_queue(on: &On) -> gridfn::Result<()> {
    let mut y = on.device.queue()?.zeros::<u32>(N)?;
    for future_first in [true, false].repeat(10) {
        let queue = on.device.queue()?;
        let x = many(&queue, 1)?;
        launch!(queue, sums(on.rounds, &x, &mut y), global = N)?;
        launch!(queue, increment(&mut y), global = N)?;
        let mut done = queue.record()?.into_future();
        let _ = Pin::new(&mut done).poll(&mut Context::from_waker(Waker::noop()));
        if future_first {
            drop(done);
            drop(queue);
        } else {
            drop(queue);
            drop(done);
        }
        churn(&on.device.queue()?)?;
    }
    let expected: Vec<u32> = on.sums_of(1).iter().map(|sum| sum + 1).collect();
    on.same(&y.into_vec()?, &expected);
    Ok(())
}
