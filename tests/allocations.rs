//! A launch allocates nothing, in the whole process, whatever the number of its arguments.
//!
//! The allocator counts every allocation of Rust code on every thread; a driver's own C allocations are not seen.

#[path = "support/arguments.rs"]
mod arguments;
#[path = "support/counting.rs"]
mod counting;

use arguments::{LAUNCHES, Launch, devices};
use counting::allocations;
use gridfn::prelude::*;
use libtest_mimic::{Arguments, Failed, Trial};

const LAUNCH_COUNT: usize = 1000;

fn main() {
    let mut arguments = Arguments::from_args();
    // Another test's allocations would be counted too.
    arguments.test_threads = Some(1);
    let mut trials = vec![];
    for device in devices() {
        for n in [64, 1 << 20] {
            for (kind, count, launch) in LAUNCHES {
                // A launch of 64 arguments over 2^20 items takes long where kernels are interpreted; launches are the
                // same whatever they run.
                let slow = device.info().vendor.to_lowercase().contains("oclgrind");
                let launches = if slow { 2 } else { LAUNCH_COUNT };
                let device = device.clone();
                let name = format!("{}: {count} arguments, {kind}, n = {n}", device.info().id);
                trials.push(Trial::test(name, move || {
                    check(&device, n, count, launch, launches)
                }));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(device: &Device, n: usize, count: usize, launch: Launch, launches: usize) -> Result<(), Failed> {
    let queue = device.queue()?;
    let mut y = queue.zeros::<f32>(n)?;
    // Small integers, so that every order of summation is exact.
    let inputs: Vec<Vec<f32>> = (0..count - 1)
        .map(|k| (0..n).map(|i| ((i + k) % 7) as f32).collect())
        .collect();
    let x = inputs
        .iter()
        .map(|data| queue.upload(data))
        .collect::<gridfn::Result<Vec<_>>>()?;
    for _ in 0..10 {
        launch(&queue, n, &mut y, &x)?;
    }
    queue.synchronize()?;
    let before = allocations();
    for _ in 0..launches {
        launch(&queue, n, &mut y, &x)?;
    }
    let enqueued = allocations();
    queue.synchronize()?;
    let after = allocations();
    if after != before {
        let (at_launch, at_wait) = (enqueued - before, after - enqueued);
        return Err(format!("{at_launch} allocations in {launches} launches, {at_wait} in the wait").into());
    }
    if device.info().id == "null" {
        return Ok(());
    }
    let sums = queue.download(&y)?;
    let expected = |i: usize| inputs.iter().map(|x| x[i]).sum::<f32>();
    match (0..n).find(|i| sums[*i] != expected(*i)) {
        Some(i) => Err(format!("y[{i}] is {}, not {}", sums[i], expected(i)).into()),
        None => Ok(()),
    }
}
