//! What was compiled of a kernel: a list that is only ever added to, read without a lock.
//!
//! The key is the address of the instance and the device's number. Two crates may hold the same instance at two
//! addresses; each address is then an entry of its own, and a back end may find that the code is the same.
//!
//! [`Cache::get_or_make`] compiles: threads that ask at once for what is missing wait for the one that makes it, and
//! nobody else waits for them. No lock is held meanwhile but the one of that entry.

use crate::kernel::Kernel;
use crate::sync::atomic::{AtomicPtr, Ordering};
use crate::sync::{Mutex, const_unless_loom, lock};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

/// A number that no other device of the process has, of whatever back end: the entries of two back ends must never
/// be taken for each other's.
pub fn device_number() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The compiled instances of one kernel.
pub struct Cache {
    head: AtomicPtr<Node>,
    /// One lock for each entry that was ever asked for and missing; whoever has it makes the entry.
    turns: Mutex<Vec<(Key, Arc<Mutex<()>>)>>,
}

/// An instance and a device.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    kernel: *const Kernel,
    device: u32,
}

struct Node {
    key: Key,
    compiled: NonNull<()>,
    next: *const Node,
}

impl Cache {
    const_unless_loom! {
        /// An empty cache.
        #[expect(clippy::new_without_default, reason = "used in statics only")]
        pub const fn new() -> Cache {
            Cache {
                head: AtomicPtr::new(null_mut()),
                turns: Mutex::new(Vec::new()),
            }
        }
    }

    /// What was made for this instance and device.
    #[inline]
    pub fn get(&self, kernel: &'static Kernel, device: u32) -> Option<NonNull<()>> {
        let key = Key { kernel, device };
        let mut at: *const Node = self.head.load(Ordering::Acquire);
        // SAFETY: nodes are leaked, so every pointer in the list stays valid; `Acquire` pairs with the insertion.
        while let Some(node) = unsafe { at.as_ref() } {
            if node.key == key {
                return Some(node.compiled);
            }
            at = node.next;
        }
        None
    }

    /// What was made for this instance and device, or what `make` makes: once, however many threads ask. It is kept
    /// for ever, as the device is.
    ///
    /// # Errors
    ///
    /// Those of `make`. They are told and not kept: the next call tries again, and so does each thread that waited.
    #[cold]
    pub fn get_or_make<E>(
        &self,
        kernel: &'static Kernel,
        device: u32,
        make: impl FnOnce() -> Result<NonNull<()>, E>,
    ) -> Result<NonNull<()>, E> {
        let key = Key { kernel, device };
        let turn = self.turn(key);
        let _turn = lock(&turn);
        if let Some(made) = self.get(kernel, device) {
            return Ok(made);
        }
        let compiled = make()?;
        self.insert(key, compiled);
        Ok(compiled)
    }

    /// How many entries were made, of all instances and devices: tests see by it that threads compile once.
    #[doc(hidden)]
    pub fn compilations(&self) -> usize {
        let mut at: *const Node = self.head.load(Ordering::Acquire);
        let mut count = 0;
        // SAFETY: as in `get`.
        while let Some(node) = unsafe { at.as_ref() } {
            (count, at) = (count + 1, node.next);
        }
        count
    }

    /// The lock of an entry.
    fn turn(&self, key: Key) -> Arc<Mutex<()>> {
        let mut turns = lock(&self.turns);
        if let Some((_, turn)) = turns.iter().find(|(known, _)| *known == key) {
            return turn.clone();
        }
        let turn = Arc::new(Mutex::new(()));
        turns.push((key, turn.clone()));
        turn
    }

    fn insert(&self, key: Key, compiled: NonNull<()>) {
        let node = Box::leak(Box::new(Node {
            key,
            compiled,
            next: null_mut(),
        }));
        let mut head = self.head.load(Ordering::Acquire);
        loop {
            node.next = head;
            match self
                .head
                .compare_exchange_weak(head, node, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }
}

// SAFETY: nodes are immutable once they are in the list, and what they point to is shared by contract.
unsafe impl Sync for Cache {}
// SAFETY: as above.
unsafe impl Send for Cache {}
