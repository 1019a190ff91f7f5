//! Order between queues that share buffers.
//!
//! Each queue numbers what it is given; a [`Stamp`] is a queue and a number. Each buffer's [`Uses`] hold the stamp of
//! its last writer and of its last reader. A use on the queue of the stamps, the common case, costs a few compares;
//! on another queue, that queue must wait for the stamps that conflict.
//!
//! There is one reader stamp: a reader on a second queue waits for the first reader and then stands for both.
//!
//! A back end asks [`Uses::before`] what to wait for, gives the use to its queue, and only then calls [`Uses::note`].
//! So a stamp that can be seen is of work that its queue has already, and whoever waits for it needs no lock of that
//! queue. Between the two calls no conflicting use comes in, because the caller borrows the buffer; what can come in
//! is another reader, which `note` reports.
//! Launches that share one buffer's [`Atomics`](crate::atomic::Atomics) are those of one thread.

use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::const_unless_loom;
use gridfn_ir::Access;

/// A queue, as stamps name it; 1 and up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QueueId(u32);

impl QueueId {
    /// A number that no other queue of the process has. It comes round after 2^24 queues.
    pub fn next() -> QueueId {
        use std::sync::atomic::AtomicU32;
        static NEXT: AtomicU32 = AtomicU32::new(0);
        QueueId(NEXT.fetch_add(1, Ordering::Relaxed) % ((1 << 24) - 1) + 1)
    }
}

/// A point in a queue's order: everything that the queue was given up to and including a number. `NONE` is before
/// everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp(u64);

const SEQUENCE_BITS: u32 = 40;

impl Stamp {
    /// Nothing.
    pub const NONE: Stamp = Stamp(0);

    /// Number `sequence` of `queue`; 2^40 numbers are more than a queue lives to see.
    pub const fn new(queue: QueueId, sequence: u64) -> Stamp {
        Stamp((queue.0 as u64) << SEQUENCE_BITS | (sequence & ((1 << SEQUENCE_BITS) - 1)))
    }

    /// The queue; `None` for [`Stamp::NONE`].
    pub const fn queue(self) -> Option<QueueId> {
        if self.0 == 0 {
            None
        } else {
            Some(QueueId((self.0 >> SEQUENCE_BITS) as u32))
        }
    }

    /// The number.
    pub const fn sequence(self) -> u64 {
        self.0 & ((1 << SEQUENCE_BITS) - 1)
    }
}

/// Who used a buffer last.
#[derive(Debug, Default)]
pub struct Uses {
    writer: AtomicU64,
    reader: AtomicU64,
}

impl Uses {
    const_unless_loom! {
        /// A buffer that nobody has used.
        pub const fn new() -> Uses {
            Uses {
                writer: AtomicU64::new(0),
                reader: AtomicU64::new(0),
            }
        }
    }

    /// The stamps of other queues that a use on `queue` must wait for: the last writer and, for a unique use, the
    /// last reader. Both are [`Stamp::NONE`] where there is nothing to wait for.
    #[inline]
    pub fn before(&self, access: Access, queue: QueueId) -> [Stamp; 2] {
        let other = |stamp: &AtomicU64| {
            let stamp = Stamp(stamp.load(Ordering::Acquire));
            if stamp.queue() == Some(queue) {
                Stamp::NONE
            } else {
                stamp
            }
        };
        match access {
            Access::Shared => [other(&self.writer), Stamp::NONE],
            Access::Unique => [other(&self.writer), other(&self.reader)],
        }
    }

    /// Notes a use that its queue was given at `now`. `covered` is a stamp of another queue for which `now` has
    /// waited already, or [`Stamp::NONE`].
    ///
    /// # Errors
    ///
    /// The stamp of a reader on another queue for which `now` does not stand yet: the queue waits for it, and notes
    /// the use again at its stamp after that wait.
    #[inline]
    pub fn note(&self, access: Access, now: Stamp, covered: Stamp) -> Result<(), Stamp> {
        match access {
            Access::Unique => {
                self.writer.store(now.0, Ordering::Release);
                self.reader.store(Stamp::NONE.0, Ordering::Release);
                Ok(())
            }
            Access::Shared => {
                let mut reader = self.reader.load(Ordering::Acquire);
                loop {
                    let same = Stamp(reader).queue() == now.queue();
                    if !same && reader != covered.0 && reader != Stamp::NONE.0 {
                        return Err(Stamp(reader));
                    }
                    // Another thread may have noted a later use on the same queue.
                    let new = if same { reader.max(now.0) } else { now.0 };
                    match self
                        .reader
                        .compare_exchange_weak(reader, new, Ordering::AcqRel, Ordering::Acquire)
                    {
                        Ok(_) => return Ok(()),
                        Err(found) => reader = found,
                    }
                }
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const NONE: Stamp = Stamp::NONE;

    #[test]
    fn uses_on_one_queue_wait_for_nothing() {
        let (uses, queue) = (Uses::new(), QueueId::next());
        for n in 1..5 {
            let access = if n % 2 == 0 {
                Access::Unique
            } else {
                Access::Shared
            };
            assert_eq!(uses.before(access, queue), [NONE; 2]);
            assert_eq!(uses.note(access, Stamp::new(queue, n), NONE), Ok(()));
        }
    }

    #[test]
    fn a_reader_waits_for_the_writer_and_a_writer_for_both() {
        let (uses, a, b, c) = (Uses::new(), QueueId::next(), QueueId::next(), QueueId::next());
        uses.note(Access::Unique, Stamp::new(a, 7), NONE).unwrap();
        assert_eq!(uses.before(Access::Shared, b), [Stamp::new(a, 7), NONE]);
        uses.note(Access::Shared, Stamp::new(b, 1), NONE).unwrap();
        assert_eq!(uses.before(Access::Shared, c), [Stamp::new(a, 7), NONE]);
        // The second reading queue waits for the first before its stamp stands for both.
        assert_eq!(
            uses.note(Access::Shared, Stamp::new(c, 1), NONE),
            Err(Stamp::new(b, 1))
        );
        assert_eq!(
            uses.note(Access::Shared, Stamp::new(c, 2), Stamp::new(b, 1)),
            Ok(())
        );
        assert_eq!(uses.before(Access::Unique, a), [NONE, Stamp::new(c, 2)]);
        uses.note(Access::Unique, Stamp::new(a, 8), NONE).unwrap();
        assert_eq!(uses.before(Access::Unique, b), [Stamp::new(a, 8), NONE]);
    }

    #[test]
    fn an_earlier_reader_of_the_same_queue_does_not_replace_a_later_one() {
        let (uses, a, b) = (Uses::new(), QueueId::next(), QueueId::next());
        uses.note(Access::Shared, Stamp::new(a, 9), NONE).unwrap();
        uses.note(Access::Shared, Stamp::new(a, 8), NONE).unwrap();
        assert_eq!(uses.before(Access::Unique, b), [NONE, Stamp::new(a, 9)]);
    }
}
