//! What must outlive everything around it, panics, and what is forgotten.

use crate::work::{N, On, churn, increment, many, sums};
use gridfn::prelude::*;
use std::future::IntoFuture;
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Context, Waker};
use std::thread;

/// A closure owns the array that it captured, whatever happens between `prepare` and the launch.
pub(crate) fn a_captured_array(on: &On) -> gridfn::Result<()> {
    let mut y = on.device.queue()?.zeros::<u32>(N)?;
    let (prepared, mut closure) = {
        let device = on.device.clone();
        let (queue, array, out) = (device.queue()?, Box::new([42u32]), &mut y);
        let captured = *array;
        let closure = closure!(move |i| out[i] = captured[0]);
        (closure.prepare(&queue)?, closure)
    };
    churn(prepared.queue())?;
    launch!(prepared, &mut closure, global = N)?;
    drop((prepared, closure));
    on.same(&y.into_vec()?, &[42; N]);
    Ok(())
}

/// Likewise with a buffer that was moved into it.
pub(crate) fn a_captured_buffer(on: &On) -> gridfn::Result<()> {
    let mut y = on.device.queue()?.zeros::<u32>(N)?;
    let (prepared, mut closure) = {
        let device = on.device.clone();
        let (queue, out) = (device.queue()?, &mut y);
        let x = queue.upload(&[42u32])?;
        let closure = closure!(move |i| out[i] = x[0]);
        (closure.prepare(&queue)?, closure)
    };
    churn(prepared.queue())?;
    launch!(prepared, &mut closure, global = N)?;
    let queue = prepared.queue().clone();
    drop((closure, prepared));
    churn(&queue)?;
    on.same(&queue.download(&y)?, &[42; N]);
    Ok(())
}

/// Unwinds as a panic does, without its message.
fn unwind<T>() -> T {
    resume_unwind(Box::new("on purpose"))
}

/// A launch of which one argument never gets a value is no launch.
pub(crate) fn an_argument_whose_value_unwinds(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let x = many(&queue, 1)?;
    let mut y = queue.upload(&[7u32; N])?;
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        launch!(queue, sums(unwind(), &x, &mut y), global = N)
    }));
    assert!(unwound.is_err());
    on.same(&queue.download(&y)?, &[7; N]);
    launch!(queue, sums(on.rounds, &x, &mut y), global = N)?;
    on.same(&queue.download(&y)?, &on.sums_of(1));
    Ok(())
}

/// Everything that the panic drops is in use, and what it does not drop goes on.
pub(crate) fn a_panic_between_launch_and_wait(on: &On) -> gridfn::Result<()> {
    let (queue, rounds) = (on.device.queue()?, on.rounds);
    let mut y = queue.zeros::<u32>(N)?;
    for value in 1..=10 {
        let out = &mut y;
        let unwound = catch_unwind(AssertUnwindSafe(|| -> gridfn::Result<()> {
            let (x, other) = (many(&queue, value)?, queue.device().queue()?);
            let prepared = sums::prepare(&other)?;
            launch!(prepared, sums(rounds, &x, &mut *out), global = N)?;
            let _event = other.record()?;
            let mut closure = closure!(move |i| out[i] += x[0]);
            launch!(queue, &mut closure, global = N)?;
            let mut mine = queue.zeros::<u32>(N)?;
            let _mapped = queue.map_mut(&mut mine)?;
            unwind()
        }));
        assert!(unwound.is_err());
        churn(&queue)?;
        let expected: Vec<u32> = on.sums_of(value).iter().map(|sum| sum + value).collect();
        on.same(&queue.download(&y)?, &expected);
    }
    Ok(())
}

/// The queue is another thread's too, which panics.
pub(crate) fn a_panic_on_another_thread(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let (mut y, x) = (queue.zeros::<u32>(N)?, many(&queue, 2)?);
    for _ in 0..10 {
        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                launch!(queue, sums(on.rounds, &x, &mut y), global = N).unwrap_or_else(|e| panic!("{e}"));
                unwind::<()>()
            });
            assert!(thread.join().is_err());
        });
        launch!(queue, increment(&mut y), global = N)?;
        let expected: Vec<u32> = on.sums_of(2).iter().map(|sum| sum + 1).collect();
        on.same(&queue.download(&y)?, &expected);
    }
    Ok(())
}

/// What is forgotten is never dropped, and keeps nobody else from going on.
pub(crate) fn forgotten(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let mut y = queue.zeros::<u32>(N)?;
    for value in 1..=10 {
        let (other, x, out) = (on.device.queue()?, many(&queue, value)?, &mut y);
        let prepared = sums::prepare(&other)?;
        launch!(prepared, sums(on.rounds, &x, &mut *out), global = N)?;
        let event = other.record()?;
        let mut done = event.clone().into_future();
        let _ = Pin::new(&mut done).poll(&mut Context::from_waker(Waker::noop()));
        queue.wait(&event)?;
        let mut mine = queue.upload(&[1u32; N])?;
        let kept = queue.upload(&[1u32; N])?;
        let mut closure = {
            let kept = kept;
            closure!(move |i| out[i] += kept[i])
        };
        launch!(other, &mut closure, global = N)?;
        forget((closure, done, event, prepared, other));
        forget(queue.map(&mine)?);
        forget(queue.map_mut(&mut mine)?);
        launch!(queue, increment(&mut mine), global = N)?;
        let expected: Vec<u32> = on.sums_of(value).iter().map(|sum| sum + 1).collect();
        on.same(&queue.download(&y)?, &expected);
        on.same(&queue.download(&mine)?, &[2; N]);
        forget((mine, x));
        churn(&queue)?;
    }
    // A queue that nobody has any more, with work to do.
    let last = on.device.queue()?;
    launch!(last, increment(&mut y), global = N)?;
    forget(last);
    let expected: Vec<u32> = on.sums_of(10).iter().map(|sum| sum + 2).collect();
    on.same(&y.into_vec()?, &expected);
    Ok(())
}
