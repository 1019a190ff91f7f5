//! Events: recorded, waited for on devices, on the host and by tasks, dropped and forgotten.

use crate::case::{Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Error, Priority, QueueOptions};
use std::future::{Future, IntoFuture};
use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Takes a while. llvmpipe ends a work-item's loops after 65,535 rounds in all: stay below.
#[kernel]
fn slow_sum(rounds: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for _ in 0..rounds {
        for k in 0..x.len() {
            sum += x[k];
        }
    }
    y[i] = sum;
}

/// Launched with more items than there are elements.
#[kernel]
fn beyond(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1;
}

/// A queue with work that is not done at once where a device runs on its own.
struct Busy {
    queue: Queue,
    rounds: u32,
    x: Buffer<u32>,
    y: Buffer<u32>,
}

impl Busy {
    fn new(device: &Device) -> gridfn::Result<Busy> {
        let queue = device.queue()?;
        let (x, y) = (queue.upload(&[1u32; 1000])?, queue.zeros(16)?);
        // Oclgrind interprets kernels.
        let rounds = if device.info().vendor.contains("Oclgrind") {
            1
        } else {
            40
        };
        let mut busy = Busy { queue, rounds, x, y };
        busy.work()?;
        Ok(busy)
    }

    fn work(&mut self) -> gridfn::Result<()> {
        launch!(
            self.queue,
            slow_sum(self.rounds, &self.x, &mut self.y),
            global = 16
        )
    }

    /// That the work was done.
    fn check(&self) -> Outcome {
        check_eq!(self.queue.download(&self.y)?, [self.rounds * 1000; 16]);
        Ok(())
    }
}

/// Asks until it is so, for a minute at most.
fn soon(mut is: impl FnMut() -> gridfn::Result<bool>) -> gridfn::Result<bool> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if is()? {
            return Ok(true);
        }
        thread::sleep(Duration::from_micros(100));
    }
    Ok(false)
}

/// Unparks a thread, and counts.
struct Unpark {
    thread: Thread,
    woken: AtomicUsize,
}

impl Unpark {
    fn new() -> Arc<Unpark> {
        Arc::new(Unpark {
            thread: thread::current(),
            woken: AtomicUsize::new(0),
        })
    }
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.woken.fetch_add(1, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// An executor: it polls when it is woken, and never else.
fn block_on<F: IntoFuture>(future: F) -> F::Output {
    let mut future = pin!(future.into_future());
    let waker = Waker::from(Unpark::new());
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

fn changing_wakers(device: &Device) -> Outcome {
    for _ in 0..20 {
        let mut busy = Busy::new(device)?;
        busy.work()?;
        let (first, second) = (Unpark::new(), Unpark::new());
        let mut future = pin!(busy.queue.record()?.into_future());
        let mut poll = |waker: &Arc<Unpark>| {
            let waker = Waker::from(waker.clone());
            future.as_mut().poll(&mut Context::from_waker(&waker))
        };
        if poll(&first).is_ready() {
            continue;
        }
        match poll(&second) {
            // The first was woken before it could be replaced, or not at all; what matters is the last.
            Poll::Ready(done) => done?,
            Poll::Pending => {
                check_eq!(soon(|| Ok(second.woken.load(Ordering::SeqCst) == 1))?, true);
                check_eq!(first.woken.load(Ordering::SeqCst), 0);
                check_matches!(poll(&second), Poll::Ready(Ok(())));
            }
        }
        busy.queue.synchronize()?;
    }
    Ok(())
}

fn dropped_futures(device: &Device) -> Outcome {
    let mut wakers = vec![];
    for forget in [false, true, false] {
        let busy = Busy::new(device)?;
        let waker = Unpark::new();
        let mut future = Box::pin(busy.queue.record()?.into_future());
        let context = Waker::from(waker.clone());
        let _ = future.as_mut().poll(&mut Context::from_waker(&context));
        if forget {
            mem::forget(future);
        } else {
            drop(future);
            wakers.push(waker);
        }
        drop(busy);
    }
    // Whoever would have woken the task lets it go.
    check_eq!(
        soon(|| Ok(wakers.iter().all(|waker| Arc::strong_count(waker) == 1)))?,
        true,
        "wakers are released"
    );
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<slow_sum>();
    suite.kernel::<beyond>();
    suite.case(case_path!("becomes_done_by_itself"), &[], |device| {
        let mut busy = Busy::new(device)?;
        let event = busy.queue.record()?;
        // What comes after it does not matter.
        busy.work()?;
        check_eq!(soon(|| event.is_done())?, true);
        check_eq!(event.is_done()?, true, "for good");
        event.synchronize()?;
        busy.check()
    });
    suite.case(case_path!("synchronize_waits"), &[], |device| {
        for _ in 0..5 {
            let busy = Busy::new(device)?;
            let event = busy.queue.record()?;
            event.synchronize()?;
            check_eq!(event.is_done()?, true);
        }
        Ok(())
    });
    suite.case(case_path!("of_a_queue_that_had_nothing"), &[], |device| {
        let event = device.queue()?.record()?;
        event.synchronize()?;
        check_eq!(event.is_done()?, true);
        block_on(event)?;
        Ok(())
    });
    suite.case(case_path!("another_queue_waits"), &[], |device| {
        for _ in 0..10 {
            let (busy, other) = (Busy::new(device)?, device.queue()?);
            let first = busy.queue.record()?;
            other.wait(&first)?;
            let second = other.record()?;
            second.synchronize()?;
            check_eq!(first.is_done()?, true, "the second event comes after the first");
        }
        Ok(())
    });
    suite.case(case_path!("its_own_queue_waits"), &[], |device| {
        let busy = Busy::new(device)?;
        let event = busy.queue.record()?;
        busy.queue.wait(&event)?;
        busy.queue.synchronize()?;
        check_eq!(event.is_done()?, true);
        Ok(())
    });
    suite.case(case_path!("another_device_waits"), &[], |device| {
        for other in [Device::host(), Device::null()] {
            let (busy, there) = (Busy::new(device)?, other.queue()?);
            let event = busy.queue.record()?;
            there.wait(&event)?;
            check_eq!(event.is_done()?, true, "{other} waits for {device}");
            busy.queue.wait(&there.record()?)?;
            busy.queue.synchronize()?;
        }
        Ok(())
    });
    suite.case(case_path!("two_queues_wait_in_turn"), &[], |device| {
        let queues = [device.queue()?, device.queue()?];
        let mut last = queues[0].record()?;
        for n in 0..200 {
            let queue = &queues[n % 2];
            queue.wait(&last)?;
            last = queue.record()?;
        }
        last.synchronize()?;
        Ok(())
    });
    suite.case(case_path!("outlives_its_queue"), &[], |device| {
        let busy = Busy::new(device)?;
        let event = busy.queue.record()?;
        drop(busy);
        let other = device.queue()?;
        other.wait(&event)?;
        other.synchronize()?;
        check_eq!(event.is_done()?, true);
        block_on(&event)?;
        Ok(())
    });
    suite.case(case_path!("dropped_and_forgotten"), &[], |device| {
        let mut busy = Busy::new(device)?;
        for n in 0..100 {
            let event = busy.queue.record()?;
            if n % 2 == 0 {
                mem::forget(event);
            }
        }
        busy.work()?;
        busy.check()
    });
    suite.case(case_path!("awaited"), &[], |device| {
        for _ in 0..10 {
            let busy = Busy::new(device)?;
            let event = busy.queue.record()?;
            block_on(&event)?;
            check_eq!(event.is_done()?, true);
            block_on(event)?;
        }
        Ok(())
    });
    suite.case(case_path!("awaited_by_many_tasks"), &[], |device| {
        let busy = Busy::new(device)?;
        let event = busy.queue.record()?;
        let results = thread::scope(|scope| {
            [(); 4]
                .map(|()| scope.spawn(|| block_on(&event)))
                .map(|t| t.join())
        });
        for result in results {
            result.map_err(|_| "a thread panicked")??;
        }
        Ok(())
    });
    suite.case(case_path!("polled_with_changing_wakers"), &[], changing_wakers);
    suite.case(case_path!("futures_dropped_and_forgotten"), &[], dropped_futures);
    suite.case(case_path!("tell_no_faults"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(10)?;
        launch!(queue, beyond(&mut y), global = 11)?;
        let event = queue.record()?;
        event.synchronize()?;
        block_on(&event)?;
        let other = device.queue()?;
        other.wait(&event)?;
        other.synchronize()?;
        // The queue does, once.
        check_matches!(queue.synchronize(), Err(Error::Fault(fault)) if fault.count == 1);
        queue.synchronize()?;
        Ok(())
    });
    suite.case(case_path!("swapped"), &[], |device| {
        let (busy, idle) = (Busy::new(device)?, device.queue()?);
        let (mut a, mut b) = (busy.queue.record()?, idle.record()?);
        mem::swap(&mut a, &mut b);
        b.synchronize()?;
        a.synchronize()?;
        Ok(())
    });
    suite.case(case_path!("queues_of_every_priority"), &[], |device| {
        let mut last = vec![];
        for priority in [Priority::Low, Priority::Normal, Priority::High] {
            let queue = device.queue_with(QueueOptions { priority })?;
            let (x, mut y) = (queue.upload(&[1u32; 100])?, queue.zeros::<u32>(10)?);
            launch!(queue, slow_sum(3, &x, &mut y), global = 10)?;
            last.push((queue, y));
        }
        for (queue, y) in last {
            check_eq!(queue.download(&y)?, [300; 10]);
        }
        Ok(())
    });
}
