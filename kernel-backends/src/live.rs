//! How many objects of the back ends live, for tests that want them all gone.
//!
//! An object is counted where it is made and where it goes, by one addition each. A launch makes none.

use std::sync::atomic::{AtomicIsize, Ordering};

/// The objects that live, of all back ends together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Memory of buffers, and fault records of queues.
    pub memories: isize,
    /// Queues.
    pub queues: isize,
    /// Events of drivers, those that waits are for among them.
    pub events: isize,
    /// Kernels of drivers. A program keeps those of past launches for launches to come.
    pub kernels: isize,
}

/// Counts. What other threads make and drop meanwhile may be seen or not.
pub fn live() -> Live {
    let [memories, queues, events, kernels] = COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed));
    Live {
        memories,
        queues,
        events,
        kernels,
    }
}

static COUNTS: [AtomicIsize; 4] = [const { AtomicIsize::new(0) }; 4];

/// The part of an object that counts it as one of its kind.
#[derive(Debug)]
pub(crate) struct Alive<const KIND: usize>(());

/// Memory, as [`Live::memories`].
pub(crate) type Memory = Alive<0>;
/// A queue, as [`Live::queues`].
pub(crate) type Queue = Alive<1>;
/// An event, as [`Live::events`].
#[cfg(feature = "opencl")]
pub(crate) type Event = Alive<2>;
/// A kernel, as [`Live::kernels`].
#[cfg(feature = "opencl")]
pub(crate) type Kernel = Alive<3>;

impl<const KIND: usize> Alive<KIND> {
    #[inline]
    pub(crate) fn new() -> Alive<KIND> {
        COUNTS[KIND].fetch_add(1, Ordering::Relaxed);
        Alive(())
    }
}

impl<const KIND: usize> Drop for Alive<KIND> {
    #[inline]
    fn drop(&mut self) {
        COUNTS[KIND].fetch_sub(1, Ordering::Relaxed);
    }
}
