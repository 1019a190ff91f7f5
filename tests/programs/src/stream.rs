//! Copy, mul, add and triad over long vectors, which measure a memory's bandwidth; as BabelStream does. A real `--n` is
//! 33554432.

use crate::common;
use gridfn::prelude::*;
use gridfn::{Capability, Float};
use std::time::Instant;

#[kernel]
fn copy<T: Float>(a: &[T], c: &mut [T]) {
    let i = global_id(0);
    c[i] = a[i];
}

#[kernel]
fn mul<T: Float>(scalar: T, c: &[T], b: &mut [T]) {
    let i = global_id(0);
    b[i] = scalar * c[i];
}

#[kernel]
fn add<T: Float>(a: &[T], b: &[T], c: &mut [T]) {
    let i = global_id(0);
    c[i] = a[i] + b[i];
}

#[kernel]
fn triad<T: Float>(scalar: T, b: &[T], c: &[T], a: &mut [T]) {
    let i = global_id(0);
    a[i] = b[i] + scalar * c[i];
}

const ROUNDS: usize = 20;

/// What the vectors are filled with, and the scalar.
#[derive(Clone, Copy)]
struct Start<T> {
    a: T,
    b: T,
    scalar: T,
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let n = n.unwrap_or(1000);
    println!("n {n}");
    let single = Start {
        a: 0.1f32,
        b: 0.2,
        scalar: 0.4,
    };
    run_in(device, n, single)?;
    if device.has(Capability::Float64) {
        let double = Start {
            a: 0.1f64,
            b: 0.2,
            scalar: 0.4,
        };
        run_in(device, n, double)
    } else {
        println!("f64 is ignored: the device has none");
        Ok(())
    }
}

fn run_in<T: Float>(device: &Device, n: usize, start: Start<T>) -> common::Result {
    let Start { scalar, .. } = start;
    let queue = device.queue()?;
    let mut a = queue.upload(&vec![start.a; n])?;
    let mut b = queue.upload(&vec![start.b; n])?;
    let mut c = queue.zeros::<T>(n)?;
    // How many vectors each kernel moves, and the shortest time that it took.
    let mut moved = [("copy", 2), ("mul", 2), ("add", 3), ("triad", 3)].map(|k| (k, f64::INFINITY));
    for _ in 0..ROUNDS {
        for ((kernel, _), shortest) in &mut moved {
            let before = Instant::now();
            match *kernel {
                "copy" => launch!(queue, copy(&a, &mut c), global = n)?,
                "mul" => launch!(queue, mul(scalar, &c, &mut b), global = n)?,
                "add" => launch!(queue, add(&a, &b, &mut c), global = n)?,
                _ => launch!(queue, triad(scalar, &b, &c, &mut a), global = n)?,
            }
            queue.synchronize()?;
            *shortest = shortest.min(before.elapsed().as_secs_f64());
        }
    }
    for ((kernel, vectors), seconds) in moved {
        let gigabytes = (vectors * n * size_of::<T>()) as f64 / 1e9;
        println!(
            "{} {kernel} {:.1} GB/s",
            std::any::type_name::<T>(),
            gigabytes / seconds
        );
    }

    // Every element goes the same way, so one scalar tells where. Its bits are the same.
    let expected = (0..ROUNDS).fold([start.a, start.b, T::ZERO], |[a, _, _], _| {
        let b = scalar * a;
        let c = a + b;
        [b + scalar * c, b, c]
    });
    let mut mismatches = 0;
    for (buffer, expected) in [&a, &b, &c].into_iter().zip(expected) {
        let found = queue.download(buffer)?;
        mismatches += found.iter().filter(|found| **found != expected).count();
    }
    println!("mismatches {mismatches}");
    if mismatches > 0 {
        return Err(common::failure("the vectors do not hold what one scalar does"));
    }
    Ok(())
}
