//! Values that change places by `mem::swap` and `mem::replace` while launches are in flight: each is whole by itself.

use crate::work::{N, On, churn, increment, many, sums};
use gridfn::prelude::*;
use std::mem::{replace, swap};

/// Results of [`sums`] with `add` more.
fn plus(on: &On, value: u32, add: u32) -> Vec<u32> {
    on.sums_of(value).iter().map(|sum| sum + add).collect()
}

/// Buffers of different lengths and contents.
pub(crate) fn buffers(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let (mut a, mut b) = (many(&queue, 1)?, queue.upload(&[2u32; 500])?);
    let (mut y, mut z) = (queue.zeros::<u32>(N)?, queue.zeros::<u32>(N)?);
    launch!(queue, sums(on.rounds, &a, &mut y), global = N)?;
    swap(&mut a, &mut b);
    launch!(queue, sums(on.rounds, &a, &mut z), global = N)?;
    swap(&mut y, &mut z);
    assert_eq!((a.len(), b.len()), (500, 1000));
    launch!(queue, increment(&mut y), global = N)?;
    let old = replace(&mut y, queue.upload(&[5u32; 3])?);
    churn(&queue)?;
    on.same(&old.into_vec()?, &plus(on, 1, 1));
    on.same(&queue.download(&z)?, &on.sums_of(1));
    on.same(&queue.download(&y)?, &[5; 3]);
    Ok(())
}

/// Each keeps its own faults.
pub(crate) fn queues(on: &On) -> gridfn::Result<()> {
    let (mut good, mut bad) = (on.device.queue()?, on.device.queue()?);
    let x = many(&good, 1)?;
    let (mut y, mut z) = (good.zeros::<u32>(N)?, good.zeros::<u32>(N)?);
    launch!(good, sums(on.rounds, &x, &mut y), global = N)?;
    // One item more than there are elements.
    launch!(bad, sums(on.rounds, &x, &mut z), global = N + 1)?;
    swap(&mut good, &mut bad);
    assert_eq!(good.synchronize().is_err(), on.runs);
    bad.synchronize()?;
    let faulted = replace(&mut good, on.device.queue()?);
    launch!(faulted, increment(&mut y), global = N)?;
    launch!(good, increment(&mut z), global = N)?;
    drop(faulted);
    on.same(&bad.download(&y)?, &plus(on, 1, 1));
    on.same(&good.download(&z)?, &plus(on, 1, 1));
    Ok(())
}

/// An event belongs to its point in its queue's order.
pub(crate) fn events(on: &On) -> gridfn::Result<()> {
    let (one, two) = (on.device.queue()?, on.device.queue()?);
    let x = many(&one, 1)?;
    let (mut y, mut z) = (one.zeros::<u32>(N)?, one.zeros::<u32>(N)?);
    let mut early = one.record()?;
    launch!(one, sums(on.rounds, &x, &mut y), global = N)?;
    launch!(two, sums(on.rounds, &x, &mut z), global = N)?;
    let mut late = two.record()?;
    swap(&mut early, &mut late);
    late.synchronize()?;
    early.synchronize()?;
    assert!(early.is_done()? && late.is_done()?);
    let old = replace(&mut early, one.record()?);
    two.wait(&early)?;
    drop((one, early));
    old.synchronize()?;
    on.same(&two.download(&y)?, &on.sums_of(1));
    on.same(&two.download(&z)?, &on.sums_of(1));
    Ok(())
}

/// Guards of different buffers and queues, for reading and for writing.
pub(crate) fn mappings(on: &On) -> gridfn::Result<()> {
    let (one, two) = (on.device.queue()?, on.device.queue()?);
    let (mut a, mut b, mut c) = (
        one.upload(&[1u32; 10])?,
        one.upload(&[2u32; 20])?,
        one.upload(&[3u32; 30])?,
    );
    {
        let (mut x, mut y) = (one.map_mut(&mut a)?, two.map_mut(&mut b)?);
        swap(&mut x, &mut y);
        x.fill(20);
        y.fill(10);
        let old = replace(&mut x, one.map_mut(&mut c)?);
        drop(y);
        drop(old);
        x[0] = 30;
    }
    // Transfers are made on the null device too.
    assert_eq!(two.download(&a)?, [10; 10]);
    assert_eq!(one.download(&b)?, [20; 20]);
    assert_eq!(two.download(&c)?[..2], [30, 3]);
    {
        let (mut x, mut y) = (one.map(&a)?, two.map(&b)?);
        swap(&mut x, &mut y);
        drop(replace(&mut y, two.map(&c)?));
        assert_eq!((x[0], y[0]), (20, 30));
    }
    launch!(two, increment(&mut a), global = 10)?;
    launch!(one, increment(&mut b), global = 20)?;
    on.same(&one.download(&a)?, &[11; 10]);
    on.same(&two.download(&b)?, &[21; 20]);
    Ok(())
}

/// Closures of one type, with captures of their own.
pub(crate) fn closures(on: &On) -> gridfn::Result<()> {
    let queue = on.device.queue()?;
    let mut outputs = [
        queue.zeros::<u32>(N)?,
        queue.zeros::<u32>(N)?,
        queue.zeros::<u32>(N)?,
    ];
    {
        let mut closures = vec![];
        for (value, y) in (1u32..).zip(&mut outputs) {
            let (x, array) = (queue.upload(&[value; N])?, [value * 100; 2]);
            closures.push(closure!(move |i| y[i] = y[i] * 10 + x[i] + array[1]));
        }
        let [a, b, c] = &mut closures[..] else {
            panic!("three closures")
        };
        launch!(queue, &mut *a, global = N)?;
        swap(a, b);
        launch!(queue, &mut *a, global = N)?;
        swap(b, c);
        launch!(queue, &mut *b, global = N)?;
        let prepared = a.prepare(&queue)?;
        swap(a, c);
        // The first once more.
        launch!(prepared, &mut *a, global = N)?;
        closures.truncate(1);
        churn(&queue)?;
        launch!(prepared, &mut closures[0], global = N)?;
    }
    let expected = [101 * 111, 202, 303];
    for (y, expected) in outputs.iter().zip(expected) {
        on.same(&queue.download(y)?, &[expected; N]);
    }
    Ok(())
}

/// Prepared kernels, each with a queue of its own.
pub(crate) fn prepared_kernels(on: &On) -> gridfn::Result<()> {
    let (one, two) = (on.device.queue()?, on.device.queue()?);
    let (mut a, mut b) = (increment::prepare(&one)?, increment::prepare(&two)?);
    let (x, mut y) = (many(&one, 1)?, one.zeros::<u32>(N)?);
    launch!(one, sums(on.rounds, &x, &mut y), global = N)?;
    launch!(a, increment(&mut y), global = N)?;
    swap(&mut a, &mut b);
    launch!(a, increment(&mut y), global = N)?;
    drop(one);
    launch!(b, increment(&mut y), global = N)?;
    let old = replace(&mut b, increment::prepare(&on.device.queue()?)?);
    launch!(old, increment(&mut y), global = N)?;
    drop((a, old));
    launch!(b, increment(&mut y), global = N)?;
    on.same(&two.download(&y)?, &plus(on, 1, 5));
    Ok(())
}
