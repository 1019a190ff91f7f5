//! What was compiled of a kernel: a list that is only ever added to, read without a lock.
//!
//! The key is the address of the instance and the device's number. Two crates may hold the same instance at two
//! addresses; each address is then an entry of its own, and the back end's slow path finds that the code is the same.

use crate::kernel::Kernel;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// A number that no other device of the process has, of whatever back end: the entries of two back ends must never
/// be taken for each other's.
pub fn device_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The compiled instances of one kernel.
pub struct Cache {
    head: AtomicPtr<Node>,
}

struct Node {
    kernel: *const Kernel,
    device: u32,
    compiled: NonNull<()>,
    next: *const Node,
}

impl Cache {
    /// An empty cache.
    #[expect(clippy::new_without_default, reason = "used in statics only")]
    pub const fn new() -> Cache {
        Cache {
            head: AtomicPtr::new(null_mut()),
        }
    }

    /// What [`Cache::insert`] was given for this instance and device.
    #[inline]
    pub fn get(&self, kernel: &'static Kernel, device: u32) -> Option<NonNull<()>> {
        let mut at: *const Node = self.head.load(Ordering::Acquire);
        // SAFETY: nodes are leaked, so every pointer in the list stays valid; `Acquire` pairs with the insertion.
        while let Some(node) = unsafe { at.as_ref() } {
            if std::ptr::eq(node.kernel, kernel) && node.device == device {
                return Some(node.compiled);
            }
            at = node.next;
        }
        None
    }

    /// Adds what was compiled for an instance and a device. It is kept for ever, as the device is.
    pub fn insert(&self, kernel: &'static Kernel, device: u32, compiled: NonNull<()>) {
        let node = Box::leak(Box::new(Node {
            kernel,
            device,
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
