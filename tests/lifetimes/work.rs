//! What the cases have in common: a device, work for it, and what comes out.

use crate::devices::runs;
use gridfn::prelude::*;

/// The number of results.
pub(crate) const N: usize = 16;
/// The number of values that each result is the sum of.
pub(crate) const LEN: usize = 1000;

/// `rounds` times the sum of `x`, and the item's number: a launch that takes its time. llvmpipe ends a work-item's
/// loops after 65,535 rounds in all.
#[kernel]
pub(crate) fn sums(rounds: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for _ in 0..rounds {
        for k in 0..x.len() {
            sum += x[k];
        }
    }
    y[i] = sum + i as u32;
}

/// One more.
#[kernel]
pub(crate) fn increment(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

/// A device to test on.
pub(crate) struct On {
    pub(crate) device: Device,
    /// Whether kernels run there.
    pub(crate) runs: bool,
    /// Whether it is Oclgrind, which interprets kernels.
    pub(crate) interpreted: bool,
    /// For [`sums`].
    pub(crate) rounds: u32,
}

impl On {
    pub(crate) fn new(device: &Device) -> On {
        let interpreted = device.info().vendor.contains("Oclgrind");
        On {
            device: device.clone(),
            runs: runs(device),
            interpreted,
            rounds: if interpreted { 1 } else { 10 },
        }
    }

    /// Does once what makes an object that the process keeps.
    pub(crate) fn warm_up(&self) -> gridfn::Result<()> {
        self.device.queue()?.upload(&[0u8])?.into_vec().map(drop)
    }

    /// What [`sums`] gives for [`LEN`] times `value`.
    pub(crate) fn sums_of(&self, value: u32) -> Vec<u32> {
        let sum = self.rounds * LEN as u32 * value;
        (0..N as u32).map(|i| sum + i).collect()
    }

    /// Compares results, if there are any.
    #[track_caller]
    pub(crate) fn same(&self, found: &[u32], expected: &[u32]) {
        assert_eq!(found.len(), expected.len());
        if self.runs {
            assert_eq!(found, expected);
        }
    }
}

/// [`LEN`] times one value, on the device.
pub(crate) fn many(queue: &Queue, value: u32) -> gridfn::Result<Buffer<u32>> {
    queue.upload(&[value; LEN])
}

/// Makes, fills and frees 100 buffers of the sizes that are in use here, so that memory which was freed too early holds
/// something else now.
pub(crate) fn churn(queue: &Queue) -> gridfn::Result<()> {
    let mut buffers = vec![];
    for k in 0..100 {
        let len = [1, N, LEN][k % 3];
        let mut buffer = queue.zeros::<u32>(len)?;
        queue.fill(&mut buffer, 0xDEAD_BEEF)?;
        if k % 7 == 0 {
            buffers.clear();
        }
        buffers.push(buffer);
    }
    Ok(())
}
