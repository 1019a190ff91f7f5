//! Closures as values: launched again, prepared, dropped, refused, and on several threads.

use super::{check, random};
use crate::case::{Need, Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Device, Error, GeometryError};
use std::sync::Arc;

fn launched_again(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("again", 20);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(20)?;
    let mut k = 5u32;
    let mut c = closure!(|i| y[i] = y[i] * 3 + x[i] * k);
    // A number is copied where the closure is made.
    k += 1;
    let prepared = c.prepare(&queue)?;
    launch!(queue, &mut c, global = 20)?;
    launch!(prepared, &mut c, global = 10)?;
    launch!(queue, &mut c, global = 5..15)?;
    check_eq!(k, 6);
    check(&queue, &y, |i| {
        let launches = 1 + u32::from(i < 10) + u32::from((5..15).contains(&i));
        (0..launches).fold(0u32, |y, _| {
            y.wrapping_mul(3).wrapping_add(data[i].wrapping_mul(5))
        })
    })
}

/// What writes to nothing is launched by `&`, even from several threads at once.
fn shared(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, k) = (queue.upload(&[3u32; 16])?, [1u32, 2, 3]);
    let c = closure!(move |i| {
        let _ = x[i] / k[i % 3];
    });
    let prepared = c.prepare(&queue)?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let own = device.queue()?;
                    for _ in 0..10 {
                        launch!(own, &c, global = 16)?;
                        launch!(prepared, &c, global = 16)?;
                    }
                    own.synchronize()
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or(Ok(())))
    })?;
    Ok(queue.synchronize()?)
}

/// One closure of the source, made on several threads, each with captures of its own; compiled at once.
fn on_threads(device: &Device) -> Outcome {
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4u32)
            .map(|k| {
                scope.spawn(move || {
                    let queue = device.queue()?;
                    let mut y = queue.zeros::<u32>(100)?;
                    for n in 0..20u32 {
                        launch!(queue, |i| y[i] += i as u32 * k + n, global = 100)?;
                    }
                    queue.download(&y)
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join())
            .collect::<Vec<_>>()
    });
    for (k, result) in (0u32..).zip(results) {
        let found = result.map_err(|_| "a thread panicked")??;
        let expected: Vec<u32> = (0..100).map(|i| i * k * 20 + 190).collect();
        check_eq!(found, expected, "thread {k}");
    }
    Ok(())
}

/// A closure that owns what it captured may be sent to another thread.
fn sent(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("sent", 16);
    let (x, y) = (Arc::new(queue.upload(&data)?), queue.zeros::<u32>(16)?);
    let mut c = closure!(move |i| y[i] = x[15 - i]);
    let queue = &queue;
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            launch!(queue, &mut c, global = 16)?;
            queue.synchronize()
        });
        thread.join()
    });
    Ok(result.map_err(|_| "the thread panicked")??)
}

fn other_dimensions(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(16)?;
    {
        let mut c = closure!(|i| y[i] += 1);
        let indices = |expected, found| Err(Error::Geometry(GeometryError::Indices { expected, found }));
        check_eq!(launch!(queue, &mut c, global = [4, 4]), indices(1, 2));
        check_eq!(launch!(queue, &mut c, global = [4, 2, 2]), indices(1, 3));
        check_eq!(launch!(queue, &mut c, global = [4, 1]), indices(1, 2));
        check_eq!(
            launch!(queue, &mut c, groups = [2, 2], local = [2, 2]),
            indices(1, 2)
        );
        launch!(queue, &mut c, global = [16])?;
        launch!(queue, &mut c, global = ())?;
    }
    {
        let mut c = closure!(|[a, b]| y[global_linear_id()] += (a + b) as u32 * 0 + 1);
        let indices = |expected, found| Err(Error::Geometry(GeometryError::Indices { expected, found }));
        check_eq!(launch!(queue, &mut c, global = 16), indices(2, 1));
        check_eq!(launch!(queue, &mut c, global = [1, 2, 8]), indices(2, 3));
        launch!(queue, &mut c, global = [4, 4])?;
    }
    let found: Vec<u32> = queue.download(&y)?;
    let expected: Vec<u32> = (0..16).map(|i| if i == 0 { 3 } else { 2 }).collect();
    check_eq!(found, expected);
    Ok(())
}

/// Buffers of another device, captured in every way.
fn foreign(device: &Device, other: &Device) -> Outcome {
    let (queue, there) = (device.queue()?, other.queue()?);
    let (x, mut y) = (there.upload(&[1u32; 8])?, queue.zeros::<u32>(8)?);
    let expected = |parameter: &str| Error::ForeignBuffer {
        kernel: "closure".into(),
        parameter: parameter.into(),
        buffer_device: other.info().id.clone(),
        queue_device: device.info().id.clone(),
    };
    check_eq!(launch!(queue, |i| y[i] = x[i], global = 8), Err(expected("x")));
    let mut far = there.zeros::<u32>(8)?;
    check_eq!(launch!(queue, |i| far[i] += 1, global = 8), Err(expected("far")));
    let pair = (5u32, Arc::new(there.upload(&[1u32; 8])?));
    let mut c = closure!(move |i| y[i] = pair.0 + pair.1[i]);
    let result = launch!(queue, &mut c, global = 8);
    check_matches!(result, Err(Error::ForeignBuffer { kernel, .. }) if kernel == "closure");
    // The queue goes on.
    let mut z = queue.zeros::<u32>(8)?;
    launch!(queue, |i| z[i] = 4, global = 8)?;
    check(&queue, &z, |_| 4)
}

/// Without `f64` a closure that needs it is refused, and says so.
fn lacks_f64(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (mut y, k) = (queue.zeros::<f32>(4)?, 0.5f64);
    let result = launch!(queue, |i| y[i] = (i as f64 * k) as f32, global = 4);
    check_matches!(result, Err(Error::Unsupported { .. }));
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("launched_again"), &[], launched_again);
    suite.case(case_path!("shared"), &[], shared);
    suite.case(case_path!("on_threads"), &[], on_threads);
    suite.case(case_path!("sent"), &[], sent);
    suite.case(case_path!("other_dimensions"), &[], other_dimensions);
    suite.case(case_path!("a_buffer_of_the_null_device"), &[], |device| {
        foreign(device, &Device::null())
    });
    suite.case(case_path!("a_buffer_of_the_host"), &[Need::Driver], |device| {
        foreign(device, &Device::host())
    });
    suite.case(case_path!("lacks_f64"), &[Need::NoFloat64], lacks_f64);
}
