//! Order between queues that share buffers.
//!
//! Each queue numbers what it is given; a [`Stamp`] is a queue and a number. Each buffer's [`Uses`] hold the stamp of
//! its last writer and of its last reader. A use on the queue of the stamps, the common case, costs one compare;
//! on another queue, that queue must wait for the stamps that conflict.
//!
//! There is one reader stamp: a reader on a second queue waits for the first reader and then stands for both.

use gridfn_ir::Access;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A queue, as stamps name it; 1 and up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QueueId(u32);

impl QueueId {
    /// A number that no other queue of the process has. It comes round after 2^24 queues.
    pub fn next() -> QueueId {
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
    /// A buffer that nobody has used.
    pub const fn new() -> Uses {
        Uses {
            writer: AtomicU64::new(0),
            reader: AtomicU64::new(0),
        }
    }

    /// Notes a use at `now` and tells which stamps of other queues it must wait for: the last writer and, for a
    /// unique use, the last reader. Both are [`Stamp::NONE`] where there is nothing to wait for.
    #[inline]
    pub fn note(&self, access: Access, now: Stamp) -> [Stamp; 2] {
        let other = |stamp: u64| {
            if Stamp(stamp).queue() == now.queue() {
                Stamp::NONE
            } else {
                Stamp(stamp)
            }
        };
        match access {
            Access::Shared => {
                let reader = self.reader.swap(now.0, Ordering::AcqRel);
                [other(self.writer.load(Ordering::Acquire)), other(reader)]
            }
            Access::Unique => {
                let writer = self.writer.swap(now.0, Ordering::AcqRel);
                [other(writer), other(self.reader.swap(0, Ordering::AcqRel))]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_on_one_queue_wait_for_nothing() {
        let (uses, queue) = (Uses::new(), QueueId::next());
        for n in 0..4 {
            let access = if n % 2 == 0 {
                Access::Unique
            } else {
                Access::Shared
            };
            assert_eq!(uses.note(access, Stamp::new(queue, n)), [Stamp::NONE; 2]);
        }
    }

    #[test]
    fn a_reader_waits_for_the_writer_and_a_writer_for_both() {
        let (uses, a, b, c) = (Uses::new(), QueueId::next(), QueueId::next(), QueueId::next());
        uses.note(Access::Unique, Stamp::new(a, 7));
        assert_eq!(
            uses.note(Access::Shared, Stamp::new(b, 1)),
            [Stamp::new(a, 7), Stamp::NONE]
        );
        // The second reading queue waits for the first, so that its stamp can stand for both.
        assert_eq!(
            uses.note(Access::Shared, Stamp::new(c, 1)),
            [Stamp::new(a, 7), Stamp::new(b, 1)]
        );
        assert_eq!(
            uses.note(Access::Unique, Stamp::new(a, 8)),
            [Stamp::NONE, Stamp::new(c, 1)]
        );
    }
}
