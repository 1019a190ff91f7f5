//! Buffers mapped into the program's address space.
//!
//! While the driver has a buffer mapped for writing, no command may use it; mapped for reading, none may write it. The
//! guards of [`gridfn_runtime::mapped`] borrow the buffer so that none does. A guard that was forgotten borrows nothing
//! any more, and its mapping is still there: so each memory keeps its mappings, and a use that conflicts with one, which
//! only a forgotten guard can have left, ends it first. That costs a launch the look at one byte per buffer.

use super::api::{Handle, create, enqueue};
use super::event::Event;
use super::memory::Memory;
use super::queue::Queue;
use gridfn_ir::Access;
use gridfn_runtime::Result;
use opencl_sys::{CL_FALSE, CL_MAP_READ, CL_MAP_WRITE};
use std::ptr::{NonNull, null, null_mut};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How a memory is mapped.
#[derive(Default)]
pub(super) struct Mappings {
    /// [`NONE`], [`READ`] or [`WRITTEN`].
    how: AtomicU8,
    /// Where; the driver may give one address several times, and wants each back.
    starts: Mutex<Vec<Handle>>,
}

const NONE: u8 = 0;
const READ: u8 = 1;
const WRITTEN: u8 = 2;

impl Mappings {
    /// Whether a use would find a mapping that it must not.
    #[inline]
    pub(super) fn conflict(&self, access: Access) -> bool {
        match self.how.load(Ordering::Acquire) {
            NONE => false,
            how => how == WRITTEN || access == Access::Unique,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.starts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::map`].
    pub(super) unsafe fn map(&self, memory: &Memory, bytes: usize, access: Access) -> Result<NonNull<u8>> {
        memory.check_transfer(self)?;
        self.before(memory, access)?;
        let given = self.given();
        let (flags, how) = match access {
            Access::Shared => (CL_MAP_READ, READ),
            Access::Unique => (CL_MAP_READ | CL_MAP_WRITE, WRITTEN),
        };
        let (device, mut event) = (self.device(), null_mut());
        let mut starts = memory.mappings().lock();
        // SAFETY: a live queue and a live object that is as large; nothing is done with the pointer before the event.
        let (start, event) = unsafe {
            let _turn = device.turn();
            let start = create!(
                device,
                clEnqueueMapBuffer(
                    self.raw().0,
                    memory.raw().0,
                    CL_FALSE,
                    flags,
                    0,
                    bytes,
                    0,
                    null(),
                    &mut event
                )
            )?;
            (start, Event::new(device, event))
        };
        starts.push(start);
        memory.mappings().how.store(how, Ordering::Release);
        drop(starts);
        let told = self.told();
        let waited = event.wait(self.raw());
        self.done_up_to(given);
        match (waited.and(told), NonNull::new(start.0.cast())) {
            (Ok(_), Some(start)) => Ok(start),
            (Err(error), start) => {
                if let Some(start) = start {
                    // SAFETY: mapped just now.
                    let _ = unsafe { self.unmap(memory, start, access) };
                }
                Err(error)
            }
            // A driver that succeeds with no address has none to give.
            (Ok(_), None) => Err(super::error::failed(
                device.id(),
                "clEnqueueMapBuffer",
                opencl_sys::CL_MAP_FAILURE,
            )),
        }
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::unmap`].
    pub(super) unsafe fn unmap(&self, memory: &Memory, start: NonNull<u8>, access: Access) -> Result<()> {
        let mut starts = memory.mappings().lock();
        let start = Handle(start.as_ptr().cast());
        if let Some(n) = starts.iter().position(|known| *known == start) {
            starts.swap_remove(n);
            self.end(memory, start, access)?;
        }
        if starts.is_empty() {
            memory.mappings().how.store(NONE, Ordering::Release);
        }
        drop(starts);
        self.start()
    }

    /// Ends the mappings that forgotten guards have left. Another thread whose use conflicts too waits for the lock, and
    /// then finds the end noted as the last write.
    #[cold]
    pub(super) fn end_mappings(&self, memory: &Memory) -> Result<()> {
        let mut starts = memory.mappings().lock();
        self.before_uses(memory.uses(), Access::Unique)?;
        while let Some(start) = starts.pop() {
            self.end(memory, start, Access::Unique)?;
        }
        memory.mappings().how.store(NONE, Ordering::Release);
        Ok(())
    }

    /// Queues the end of one mapping, and notes it as a use.
    fn end(&self, memory: &Memory, start: Handle, access: Access) -> Result<()> {
        // SAFETY: a live queue and a live object, which is mapped there.
        unsafe {
            enqueue!(
                self.device(),
                clEnqueueUnmapMemObject(self.raw().0, memory.raw().0, start.0, 0, null(), null_mut())
            )?;
        }
        self.note(memory.uses(), access, self.stamp())
    }
}
