//! Copy, mul, add, triad and dot over long vectors, which measure a memory's bandwidth; as BabelStream does. A real `--n`
//! is 33554432.

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

/// The items of a group of `dot`.
const GROUP: usize = 64;

/// The products that an item of `dot` adds up, where there are so many.
const PER_ITEM: usize = 8;

/// The groups that `dot` has at most; the host adds up what they leave.
const MOST_GROUPS: usize = 256;

/// What each group's elements of `a · b` add up to.
///
/// # Safety
///
/// `sums` has an element for each group.
#[kernel(local = GROUP)]
unsafe fn dot<T: Float>(a: &[T], b: &[T], sums: &mut [T]) {
    let mut shared = local_array::<T, GROUP>();
    let l = local_id(0);
    let mut sum = T::ZERO;
    for i in (global_id(0)..a.len()).step_by(global_size(0)) {
        sum += a[i] * b[i];
    }
    shared[l] = sum;
    barrier();
    let mut half = GROUP / 2;
    while half > 0 {
        if l < half {
            shared[l] += shared[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        sums[group_id(0)] = shared[0];
    }
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

fn run_in<T: Float + Into<f64>>(device: &Device, n: usize, start: Start<T>) -> common::Result {
    let Start { scalar, .. } = start;
    let queue = device.queue()?;
    let mut a = queue.upload(&vec![start.a; n])?;
    let mut b = queue.upload(&vec![start.b; n])?;
    let mut c = queue.zeros::<T>(n)?;
    let groups = n.div_ceil(GROUP * PER_ITEM).min(MOST_GROUPS);
    let mut sums = queue.zeros::<T>(groups)?;
    // How many vectors each kernel moves, and the shortest time that it took.
    let kernels = [("copy", 2), ("mul", 2), ("add", 3), ("triad", 3), ("dot", 2)];
    let mut moved = kernels.map(|k| (k, f64::INFINITY));
    for _ in 0..ROUNDS {
        for ((kernel, _), shortest) in &mut moved {
            let before = Instant::now();
            match *kernel {
                "copy" => launch!(queue, copy(&a, &mut c), global = n)?,
                "mul" => launch!(queue, mul(scalar, &c, &mut b), global = n)?,
                "add" => launch!(queue, add(&a, &b, &mut c), global = n)?,
                "triad" => launch!(queue, triad(scalar, &b, &c, &mut a), global = n)?,
                _ => launch!(
                    queue,
                    // SAFETY: `sums` has an element for each group.
                    unsafe { dot(&a, &b, &mut sums) },
                    groups = groups,
                    local = GROUP
                )?,
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
    let [a, b, _] = expected.map(Into::into);
    let found: f64 = queue.download(&sums)?.into_iter().map(Into::into).sum();
    let error = found / (a * b * n as f64) - 1.0;
    // An item adds up this many terms of one size, and the group as many again as it has rounds.
    let terms = n.div_ceil(groups * GROUP) + 6;
    common::within("error of dot", [error], terms as f64 * T::EPSILON.into())
}
