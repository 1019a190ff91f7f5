//! A launch allocates nothing, in the whole process, once its kernel has been launched before.

#[path = "../../tests/support/counting.rs"]
mod counting;
mod support;

use counting::allocations;
use gridfn_backends::Device;
use gridfn_runtime::Result;
use libtest_mimic::{Arguments, Failed, Trial};
use support::*;

fn main() {
    let mut arguments = Arguments::from_args();
    // Another test's allocations would be counted too, and those of a thread that waits for the tests.
    arguments.test_threads = Some(1);
    let mut trials = vec![];
    for device in [Device::host(), Device::null()] {
        // The longest launch is the first, since it starts the host's workers.
        for n in [1 << 20, 5000, 64, 1] {
            let device = device.clone();
            let name = format!("a launch allocates nothing: {device}, {n} items");
            let run = move || allocates_nothing(&device, n).map_err(|error| Failed::from(error.to_string()));
            trials.push(Trial::test(name, run));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn allocates_nothing(device: &Device, n: usize) -> Result<()> {
    let queue = device.queue()?;
    let x = queue.upload(&vec![1.0f32; n])?;
    let mut y = queue.upload(&vec![1.0f32; n])?;
    let mut result = vec![0.0f32; n];
    launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), n)?;
    let before = allocations();
    for _ in 0..100 {
        launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), n)?;
    }
    queue.synchronize()?;
    queue.read(&y, &mut result)?;
    assert_eq!(allocations() - before, 0, "{device}, {n} items");
    let launches = if *device == Device::host() { 101.0 } else { 0.0 };
    assert!(result.iter().all(|v| *v == 1.0 + launches), "{device}, {n} items");
    Ok(())
}
