//! A launch allocates nothing, in the whole process, whatever the number of its arguments.
//!
//! The allocator counts every allocation of Rust code on every thread; a driver's own C allocations are not seen.

#[path = "support/arguments.rs"]
mod arguments;
#[path = "support/captures.rs"]
mod captures;
#[path = "support/counting.rs"]
mod counting;
#[path = "support/devices.rs"]
mod devices;

use arguments::LAUNCHES;
use captures::REPEATS;
use counting::allocations;
use devices::devices;
use gridfn::prelude::*;
use libtest_mimic::{Arguments, Failed, Trial};

const LAUNCH_COUNT: usize = 1000;
/// The length of the buffers.
const LEN: usize = 64;

fn main() {
    let mut arguments = Arguments::from_args();
    // Another test's allocations would be counted too.
    arguments.test_threads = Some(1);
    let mut trials = vec![];
    for device in devices() {
        for n in [64, 1 << 20] {
            for (kind, count, launch) in LAUNCHES {
                let (on, launches) = (device.clone(), launches(&device, n));
                let name = format!("{}: {count} arguments, {kind}, n = {n}", device.info().id);
                trials.push(Trial::test(name, move || {
                    check(&on, count, launches, |queue, launches, y, x| {
                        (0..launches).try_for_each(|_| launch(queue, n, y, x))
                    })
                }));
            }
            for (kind, count, repeat) in REPEATS {
                let (on, launches) = (device.clone(), launches(&device, n));
                let name = format!("{}: {count} {kind}, n = {n}", device.info().id);
                trials.push(Trial::test(name, move || {
                    check(&on, count, launches, |queue, launches, y, x| {
                        repeat(queue, n, launches, y, x)
                    })
                }));
            }
        }
        for n in [64, 1 << 20] {
            let (on, name) = (device.clone(), device.info().id.clone());
            let launches = launches(&device, n).min(10_000_000 / n);
            trials.push(Trial::test(format!("{name}: groups, n = {n}"), move || {
                groups(&on, n, launches).map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Each item adds what the item at the other end of its group has.
#[kernel]
fn mirrored(x: &[f32], y: &mut [f32]) {
    let mut tile = local_array::<f32, 64>();
    let i = global_id(0);
    let own = x[i];
    tile[local_id(0)] = own;
    barrier();
    y[i] = own + tile[63 - local_id(0)];
}

/// Checks launches of a kernel whose items wait for each other, and keep values meanwhile.
fn groups(device: &Device, n: usize, launches: usize) -> Result<(), String> {
    let run = || -> gridfn::Result<usize> {
        let queue = device.queue()?;
        let (x, mut y) = (queue.upload(&vec![2.0f32; n])?, queue.zeros::<f32>(n)?);
        launch!(queue, mirrored(&x, &mut y), global = n, local = 64)?;
        queue.synchronize()?;
        let before = allocations();
        for _ in 0..launches {
            launch!(queue, mirrored(&x, &mut y), global = n, local = 64)?;
        }
        queue.synchronize()?;
        let after = allocations();
        if device.info().id != "null" {
            assert_eq!(queue.download(&y)?, vec![4.0; n]);
        }
        Ok(after - before)
    };
    match run().map_err(|error| error.to_string())? {
        0 => Ok(()),
        allocations => Err(format!("{allocations} allocations in {launches} launches")),
    }
}

/// Launches are the same whatever they run; where kernels are interpreted or compiled on every launch, fewer will do.
fn launches(device: &Device, n: usize) -> usize {
    let driver = device.info().vendor.to_lowercase();
    match n {
        _ if driver.contains("oclgrind") => 2,
        65.. if driver.contains("mesa") => 10,
        _ => LAUNCH_COUNT,
    }
}

/// Checks launches of a kernel with one output and `count - 1` inputs.
fn check(
    device: &Device,
    count: usize,
    launches: usize,
    launch: impl Fn(&Queue, usize, &mut Buffer<f32>, &[Buffer<f32>]) -> gridfn::Result<()>,
) -> Result<(), Failed> {
    let queue = device.queue()?;
    // Items behind the buffers' end do nothing: a launch over many items is quick, and is launched like any other.
    let mut y = queue.zeros::<f32>(LEN)?;
    // Small integers, so that every order of summation is exact.
    let inputs: Vec<Vec<f32>> = (0..count - 1)
        .map(|k| (0..LEN).map(|i| ((i + k) % 7) as f32).collect())
        .collect();
    let x = inputs
        .iter()
        .map(|data| queue.upload(data))
        .collect::<gridfn::Result<Vec<_>>>()?;
    launch(&queue, 10, &mut y, &x)?;
    queue.synchronize()?;
    let before = allocations();
    launch(&queue, launches, &mut y, &x)?;
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
    match (0..LEN).find(|i| sums[*i] != expected(*i)) {
        Some(i) => Err(format!("y[{i}] is {}, not {}", sums[i], expected(i)).into()),
        None => Ok(()),
    }
}
