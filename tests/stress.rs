//! Eight threads launch ten thousand times each, on three queues that they share, while buffers, queues, events and
//! closures are made and dropped at random. Every result is checked, and at the end nothing is left.

#[path = "support/devices.rs"]
mod devices;

use devices::{devices, runs};
use gridfn::prelude::*;
use gridfn_backends::live::live;
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

const THREADS: u64 = 8;
const LAUNCHES: u32 = 10_000;
const QUEUES: usize = 3;
/// The number of elements of every buffer.
const LEN: usize = 64;

/// All that was there goes into what is there then, as in a hash; so a wrong result is still wrong many launches later,
/// and a buffer's content is checked by whatever it was used for.
#[kernel]
fn mix(add: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = y[i] * 5 + x[i] + add;
}

fn main() {
    let mut arguments = Arguments::from_args();
    // What others make and drop would be counted too.
    arguments.test_threads = Some(1);
    let trials = devices().into_iter().map(|device| {
        let name = format!("{}: threads, launches and drops", device.info().id);
        Trial::test(name, move || check(&device))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn check(device: &Device) -> Result<(), Failed> {
    // What the process keeps is made here.
    device.queue()?.upload(&[0u8])?.into_vec()?;
    let before = live();
    {
        let queues = [device.queue()?, device.queue()?, device.queue()?];
        let shared = Mutex::new(vec![]);
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|seed| {
                    let mut thread = Thread {
                        random: Random(0x9E37_79B9_7F4A_7C15 * (seed + 1)),
                        device,
                        queues: &queues,
                        shared: &shared,
                        slots: vec![],
                        checks: 0,
                    };
                    scope.spawn(move || thread.run())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        for result in results {
            result.map_err(|_| "a thread panicked")??;
        }
    }
    let after = live();
    let kernels = after.kernels - before.kernels;
    // Two kernels, each with a pool of so many.
    if !(0..=32).contains(&kernels) {
        return Err(format!("{kernels} kernels are left").into());
    }
    if (after.memories, after.queues, after.events) != (before.memories, before.queues, before.events) {
        return Err(format!("some are left: {before:?} before, {after:?} after").into());
    }
    Ok(())
}

/// A buffer, and what is in it once everything has run.
struct Slot {
    buffer: Buffer<u32>,
    content: [u32; LEN],
}

impl Slot {
    /// The content after [`mix`].
    fn mixed(&mut self, add: u32, x: &[u32; LEN]) {
        for (y, x) in self.content.iter_mut().zip(x) {
            *y = y.wrapping_mul(5).wrapping_add(*x).wrapping_add(add);
        }
    }
}

/// What one thread has.
struct Thread<'s> {
    random: Random,
    device: &'s Device,
    queues: &'s [Queue; QUEUES],
    /// What all threads read.
    shared: &'s Mutex<Vec<Arc<Slot>>>,
    slots: Vec<Slot>,
    checks: u32,
}

impl Thread<'_> {
    fn run(&mut self) -> Result<(), Failed> {
        for _ in 0..4 {
            let slot = self.slot()?;
            self.slots.push(slot);
        }
        for _ in 0..LAUNCHES {
            self.launch()?;
            match self.random.below(64) {
                0..8 => self.drop_one()?,
                8..12 => {
                    self.check_one()?;
                    let slot = self.slot()?;
                    self.slots.push(slot);
                }
                12..14 => self.share()?,
                14..16 => self.wait()?,
                _ => {}
            }
        }
        while !self.slots.is_empty() {
            self.check_one()?;
        }
        Ok(())
    }

    /// A launch with two different slots, or with one and what all threads read.
    fn launch(&mut self) -> gridfn::Result<()> {
        let add = self.random.next() as u32;
        let y = self.random.below(self.slots.len());
        let mut written = self.slots.swap_remove(y);
        let shared = match self.random.below(4) {
            0 => self.any_shared(),
            _ => None,
        };
        let read = match &shared {
            Some(shared) => shared,
            None => &self.slots[self.random.below(self.slots.len())],
        };
        let (x, y) = (&read.buffer, &mut written.buffer);
        let queue = &self.queues[self.random.below(QUEUES)];
        match self.random.below(16) {
            0..8 => launch!(queue, mix(add, x, y), global = LEN)?,
            8..11 => launch!(queue, |i| y[i] = y[i] * 5 + x[i] + add, global = LEN)?,
            11..13 => launch!(mix::prepare(queue)?, mix(add, x, y), global = LEN)?,
            13..15 => self.launch_owned(queue, add, &read.content, y)?,
            // A queue that goes while its launch is in flight.
            _ => launch!(self.device.queue()?, mix(add, x, y), global = LEN)?,
        }
        if runs(self.device) {
            written.mixed(add, &read.content);
        }
        self.slots.push(written);
        Ok(())
    }

    /// A closure that owns its input, and goes with it right after its launch.
    fn launch_owned(
        &self,
        queue: &Queue,
        add: u32,
        x: &[u32; LEN],
        y: &mut Buffer<u32>,
    ) -> gridfn::Result<()> {
        let x = queue.upload(x)?;
        let mut closure = closure!(move |i| y[i] = y[i] * 5 + x[i] + add);
        let prepared = closure.prepare(queue)?;
        launch!(prepared, &mut closure, global = LEN)
    }

    fn slot(&mut self) -> gridfn::Result<Slot> {
        let queue = &self.queues[self.random.below(QUEUES)];
        let content = std::array::from_fn(|_| self.random.next() as u32);
        let buffer = match self.random.below(3) {
            0 => queue.upload(&content)?,
            1 => queue.adopt(content.to_vec())?,
            _ => {
                let mut buffer = queue.zeros(LEN)?;
                queue.write(&mut buffer, &content)?;
                buffer
            }
        };
        Ok(Slot { buffer, content })
    }

    /// Drops a buffer right after a launch that reads it: what it was read for tells whether it was right.
    fn drop_one(&mut self) -> gridfn::Result<()> {
        let n = self.random.below(self.slots.len());
        let dropped = self.slots.swap_remove(n);
        let written = self.random.below(self.slots.len());
        let written = &mut self.slots[written];
        let queue = &self.queues[self.random.below(QUEUES)];
        launch!(queue, mix(1, &dropped.buffer, &mut written.buffer), global = LEN)?;
        if runs(self.device) {
            written.mixed(1, &dropped.content);
        }
        drop(dropped);
        let slot = self.slot()?;
        self.slots.push(slot);
        Ok(())
    }

    /// Checks a buffer, which then goes, in one of the ways in which contents can be seen.
    fn check_one(&mut self) -> Result<(), Failed> {
        let n = self.random.below(self.slots.len());
        let slot = self.slots.swap_remove(n);
        let queue = &self.queues[self.random.below(QUEUES)];
        let found = match self.random.below(3) {
            0 => queue.download(&slot.buffer)?,
            1 => queue.map(&slot.buffer)?.to_vec(),
            _ => slot.buffer.into_vec()?,
        };
        if found != slot.content {
            let right = self.checks;
            return Err(format!(
                "wrong after {right} right ones: {found:?}, not {:?}",
                slot.content
            )
            .into());
        }
        self.checks += 1;
        Ok(())
    }

    /// Gives all threads a buffer to read, and drops one that they had; a reader may have it still.
    fn share(&mut self) -> Result<(), Failed> {
        let slot = Arc::new(self.slot()?);
        let old = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            shared.push(slot);
            let n = self.random.below(shared.len());
            (shared.len() > 4).then(|| shared.swap_remove(n))
        };
        drop(old);
        Ok(())
    }

    fn any_shared(&mut self) -> Option<Arc<Slot>> {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let n = self.random.below(shared.len().max(1));
        shared.get(n).cloned()
    }

    /// Makes one queue wait for another, and drops the event, or waits for it.
    fn wait(&mut self) -> gridfn::Result<()> {
        let [one, two] = [(); 2].map(|()| &self.queues[self.random.below(QUEUES)]);
        let event = one.record()?;
        two.wait(&event)?;
        match self.random.below(3) {
            0 => event.synchronize(),
            1 => event.clone().is_done().map(drop),
            _ => Ok(()),
        }
    }
}

/// Xorshift: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
