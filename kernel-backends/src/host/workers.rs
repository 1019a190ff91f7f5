//! The threads over which large launches run.
//!
//! They are parked until a launch offers its job, which lies on the launching thread's stack. A worker that wakes in
//! time joins it and takes chunks from it until there are none; the launching thread does the same, then withdraws
//! the job, and waits for the workers that have joined. A worker that wakes late finds nothing, and nobody waits for
//! it. The lock is held to join and to leave, never while a kernel runs; nothing is allocated.
//!
//! There is one job at a time. A second large launch meanwhile runs on its own thread alone: the workers are busy.

use super::Device;
use super::launch::Launch;
use gridfn_runtime::host::Faults;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;

/// Runs `units` of a launch, items or groups, over the workers and the calling thread, in chunks of at least `least`.
///
/// # Safety
///
/// That of [`Launch::run`].
pub(super) unsafe fn share(device: Device, launch: &Launch<'_>, units: Range<usize>, least: usize) -> Faults {
    let job = Job::new(device, launch, units, least);
    POOL.start(device.threads() - 1);
    let offer = POOL.offer(&job);
    // SAFETY: the caller's promise.
    unsafe { job.work() };
    drop(offer);
    job.faults.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The units of one launch, of which each thread takes the next chunk.
struct Job<'a> {
    launch: &'a Launch<'a>,
    end: usize,
    chunk: usize,
    next: Next,
    faults: Mutex<Faults>,
}

/// The first unit that no thread has taken. Alone on its cache line: the rest of a job is only read.
#[repr(align(64))]
struct Next(AtomicUsize);

impl<'a> Job<'a> {
    /// Chunks are as large as the threads can share evenly: 16 for each.
    fn new(device: Device, launch: &'a Launch<'a>, units: Range<usize>, least: usize) -> Job<'a> {
        const MOST: usize = 1 << 15;
        let even = units.len() / device.threads().saturating_mul(16);
        let chunk = even.clamp(1, MOST).max(least.min(MOST));
        Job {
            launch,
            end: units.end,
            // Whole cache lines, so that two threads don't write to one.
            chunk: if chunk < 64 {
                chunk
            } else {
                chunk.next_multiple_of(64)
            },
            next: Next(AtomicUsize::new(units.start)),
            faults: Mutex::default(),
        }
    }

    /// Runs chunks until there are none.
    ///
    /// # Safety
    ///
    /// That of [`Launch::run`].
    unsafe fn work(&self) {
        loop {
            // What is counted past the end is a chunk per thread, and the end is an `isize`: no overflow.
            let from = self.next.0.fetch_add(self.chunk, Ordering::Relaxed);
            if from >= self.end {
                return;
            }
            // SAFETY: the caller's promise.
            let faults = unsafe { self.launch.run(from..self.end.min(from + self.chunk)) };
            if faults.count > 0 {
                lock(&self.faults).merge(faults);
            }
        }
    }
}

/// A job on the stack of a thread that waits for all who joined it.
#[derive(Clone, Copy)]
struct Offered(NonNull<Job<'static>>);

// SAFETY: a job's launch and arguments may be used by several threads, which is what kernels are for, and the rest
// of it is atomics, a lock, and numbers.
unsafe impl Send for Offered {}

static POOL: Pool = Pool {
    state: Mutex::new(State {
        job: None,
        started: 0,
        number: 0,
        busy: false,
        joined: 0,
    }),
    offered: Condvar::new(),
    left: Condvar::new(),
};

struct Pool {
    state: Mutex<State>,
    /// Workers wait here for a job.
    offered: Condvar,
    /// A launching thread waits here for the last worker to leave, or to start.
    left: Condvar,
}

struct State {
    job: Option<Offered>,
    /// The workers that there are.
    started: usize,
    /// The jobs offered so far; a worker joins each once.
    number: u64,
    /// Whether a job is offered or being left.
    busy: bool,
    /// The workers that have joined the job and not left it.
    joined: usize,
}

impl Pool {
    /// Starts the workers, once. Where the system gives fewer threads, there are fewer. Waits until they run, for a
    /// thread that begins allocates.
    fn start(&'static self, workers: usize) {
        static START: Once = Once::new();
        START.call_once(|| {
            let spawned = (1..=workers)
                .map(|n| thread::Builder::new().name(format!("gridfn-host-{n}")))
                .map_while(|worker| worker.spawn(|| self.work()).ok())
                .count();
            let mut state = lock(&self.state);
            while state.started < spawned {
                state = self.left.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        });
    }

    /// Offers a job to the workers, unless they have one. When the offer is dropped, no worker has the job any more.
    fn offer<'a>(&'static self, job: &'a Job<'a>) -> Option<Offer> {
        let mut state = lock(&self.state);
        if state.busy {
            return None;
        }
        state.busy = true;
        state.number += 1;
        state.job = Some(Offered(NonNull::from(job).cast()));
        drop(state);
        self.offered.notify_all();
        Some(Offer(self))
    }

    /// What a worker does all its life.
    fn work(&self) {
        gridfn_runtime::host::warm_up();
        let mut done = 0;
        let mut state = lock(&self.state);
        state.started += 1;
        self.left.notify_one();
        loop {
            let job = loop {
                match state.job {
                    Some(job) if state.number != done => break job,
                    Some(_) | None => {
                        state = self.offered.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            done = state.number;
            state.joined += 1;
            drop(state);
            let leave = Leave(self);
            // SAFETY: the launching thread keeps the job until this worker has left, and made the promise that
            // `work` needs.
            unsafe { job.0.as_ref().work() };
            drop(leave);
            state = lock(&self.state);
        }
    }
}

/// A job that is offered. It is withdrawn even if the launching thread unwinds.
struct Offer(&'static Pool);

impl Drop for Offer {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.job = None;
        while state.joined > 0 {
            state = self.0.left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy = false;
    }
}

/// A worker in a job. It leaves even if it unwinds.
struct Leave<'p>(&'p Pool);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.joined -= 1;
        if state.joined == 0 {
            self.0.left.notify_one();
        }
    }
}

/// What the locks protect is right between any two statements, so a panic elsewhere leaves nothing broken.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
