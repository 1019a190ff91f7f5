//! What threads, queues and devices share, and what they must not.

use crate::work::{LEN, N, On, churn, many, sums};
use gridfn::prelude::*;
use gridfn::{Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Takes `rounds` steps that no compiler can leave out.
#[kernel]
fn long(rounds: u32, y: &mut [u32]) {
    let i = global_id(0);
    let mut state = i as u32 + 1;
    for _ in 0..rounds {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    y[i] = state;
}

/// No lock is held across a kernel: while one thread is in a long launch, others launch, small and large, and wait for
/// theirs. On the host the long one has the workers.
pub(crate) fn a_launch_while_another_runs(on: &On) -> Result<()> {
    const LONG: Duration = Duration::from_millis(600);
    let queue = on.device.queue()?;
    let mut slow = queue.zeros::<u32>(64)?;
    let (mut rounds, mut launched, mut spent) = (100, Duration::ZERO, Duration::ZERO);
    // How many rounds are long is found by trying.
    while spent < LONG && rounds < 60_000_000 {
        rounds *= 2;
        let start = Instant::now();
        launch!(queue, long(rounds, &mut slow), global = 64)?;
        launched = start.elapsed();
        queue.synchronize()?;
        spent = start.elapsed();
    }
    let host = on.device == Device::host();
    // A driver may run a launch before it returns from it, Oclgrind is called by one thread at a time, and llvmpipe ends
    // a loop after 65,535 rounds; there is nothing to see on them.
    let visible = spent >= LONG && (host || launched < LONG / 2) && !on.interpreted;
    let (begun, ended) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let long = scope.spawn(|| -> Result<()> {
            begun.store(true, Ordering::Release);
            launch!(queue, long(rounds, &mut slow), global = 64)?;
            queue.synchronize()?;
            ended.store(true, Ordering::Release);
            Ok(())
        });
        while !begun.load(Ordering::Acquire) {
            thread::yield_now();
        }
        // It is under way soon; if it is not, what follows is as right.
        thread::sleep(spent / 20);
        let other = on.device.queue()?;
        let x = many(&other, 1)?;
        let mut y = other.zeros::<u32>(N)?;
        launch!(other, sums(on.rounds, &x, &mut y), global = N)?;
        if host {
            on.same(&other.download(&y)?, &on.sums_of(1));
            let mut wide = other.zeros::<u32>(1 << 20)?;
            launch!(other, |i| wide[i] = i as u32, global = 1 << 20)?;
            assert_eq!(other.download(&wide)?[(1 << 20) - 1], (1 << 20) - 1);
        }
        assert!(
            !visible || !ended.load(Ordering::Acquire),
            "it waited for the long launch"
        );
        // A driver may run it behind the long one.
        on.same(&other.download(&y)?, &on.sums_of(1));
        long.join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A kernel is compiled for each device, and none gets another's.
pub(crate) fn one_kernel_on_two_devices(on: &On) -> Result<()> {
    let (here, there) = (on.device.queue()?, Device::host().queue()?);
    for value in 1..=10 {
        let (x, mut y) = (many(&here, value)?, here.zeros::<u32>(N)?);
        let (u, mut v) = (many(&there, value + 1)?, there.zeros::<u32>(N)?);
        launch!(here, sums(on.rounds, &x, &mut y), global = N)?;
        launch!(there, sums(on.rounds, &u, &mut v), global = N)?;
        drop((x, u));
        on.same(&here.download(&y)?, &on.sums_of(value));
        assert_eq!(there.download(&v)?, on.sums_of(value + 1));
    }
    Ok(())
}

/// The device that is not this one.
fn other(on: &On) -> Device {
    if on.device == Device::host() {
        Device::null()
    } else {
        Device::host()
    }
}

/// It is refused before anything runs, and the device is still there.
pub(crate) fn a_prepared_kernel_and_buffers_of_another_device(on: &On) -> Result<()> {
    let (here, there) = (on.device.queue()?, other(on).queue()?);
    let prepared = sums::prepare(&here)?;
    let (x, mut y) = (many(&here, 1)?, here.zeros::<u32>(N)?);
    let (foreign_x, mut foreign_y) = (many(&there, 1)?, there.upload(&[9u32; N])?);
    let refused = launch!(prepared, sums(1, &foreign_x, &mut y), global = N);
    assert!(matches!(refused, Err(Error::ForeignBuffer { parameter, .. }) if parameter == "x"));
    let refused = launch!(prepared, sums(1, &x, &mut foreign_y), global = N);
    assert!(matches!(refused, Err(Error::ForeignBuffer { parameter, .. }) if parameter == "y"));
    drop(there);
    churn(&here)?;
    launch!(prepared, sums(on.rounds, &x, &mut y), global = N)?;
    on.same(&here.download(&y)?, &on.sums_of(1));
    assert_eq!(foreign_y.into_vec()?, [9; N]);
    Ok(())
}

/// Likewise, with a buffer that the closure owns.
pub(crate) fn a_closure_and_a_queue_of_another_device(on: &On) -> Result<()> {
    let (here, there) = (on.device.queue()?, other(on).queue()?);
    let (x, mut y) = (there.upload(&[4u32; LEN])?, here.zeros::<u32>(N)?);
    let out = &mut y;
    let mut closure = closure!(move |i| out[i] = x[i]);
    for queue in [&here, &there] {
        let refused = launch!(queue, &mut closure, global = N);
        assert!(matches!(refused, Err(Error::ForeignBuffer { .. })), "{refused:?}");
    }
    drop(closure);
    assert_eq!(here.download(&y)?, [0; N]);
    Ok(())
}
