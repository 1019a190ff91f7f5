//! An in-order command-queue, and its order with the other queues of its device.
//!
//! Nothing is locked while a command is given to the driver, whose calls are thread-safe, but for two drivers
//! (`Device::turn`). A command gets its number after it was enqueued, so that a number that was given out is of a command
//! that the driver has: whoever sees a stamp can make a marker behind its command at once ([`gridfn_runtime::order`]).
//!
//! Every wait is for an event. `clFinish` and blocking commands would do by the specification, but Rusticl (Mesa
//! 22.3) does not wait in them for what was flushed before, by this thread or another.

use super::api::{Handle, call, create, enqueue};
use super::device::Device;
use super::fault::Channel;
use super::memory::Memory;
use gridfn_ir::Access;
use gridfn_runtime::Result;
use gridfn_runtime::order::{QueueId, Stamp, Uses};
use opencl_sys::{CL_FALSE, cl_event};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of a device.
pub struct Queue {
    device: Device,
    context: Handle,
    id: QueueId,
    raw: Handle,
    progress: Arc<Progress>,
    faults: Channel,
    /// Up to where this queue waits for others, so that one wait does for all stamps before it.
    awaited: Mutex<Vec<Stamp>>,
}

/// How far a queue is.
#[derive(Default)]
struct Progress {
    /// The number of the last command that got one; all up to it are enqueued.
    given: AtomicU64,
    /// Commands up to this number are known to be done.
    done: AtomicU64,
}

impl Queue {
    pub(super) fn new(device: Device) -> Result<Queue> {
        let context = device.context()?;
        let faults = Channel::new(device, context)?;
        // SAFETY: the context is of this device. No properties: in order, without profiling.
        let raw = unsafe { create!(device, clCreateCommandQueue(context.0, device.raw().0, 0)) }?;
        let queue = Queue {
            device,
            context,
            id: QueueId::next(),
            raw,
            progress: Arc::default(),
            faults,
            awaited: Mutex::default(),
        };
        device.queues().add(&queue);
        Ok(queue)
    }

    #[inline]
    pub(super) fn device(&self) -> Device {
        self.device
    }

    #[inline]
    pub(super) fn device_ref(&self) -> &Device {
        &self.device
    }

    pub(super) fn context(&self) -> Handle {
        self.context
    }

    #[inline]
    pub(super) fn raw(&self) -> Handle {
        self.raw
    }

    #[inline]
    pub(super) fn faults(&self) -> &Channel {
        &self.faults
    }

    /// Makes the next command wait, on the device, for what conflicts with a use of a buffer on other queues.
    #[inline]
    pub(super) fn before(&self, uses: &Uses, access: Access) -> Result<()> {
        for stamp in uses.before(access, self.id) {
            if stamp != Stamp::NONE {
                self.wait_for(stamp)?;
            }
        }
        Ok(())
    }

    /// The stamp of a command that has just been enqueued, and of all before it.
    #[inline]
    pub(super) fn stamp(&self) -> Stamp {
        Stamp::new(self.id, self.progress.given.fetch_add(1, Ordering::AcqRel) + 1)
    }

    /// Notes a use by the command of the stamp `now`.
    #[inline]
    pub(super) fn note(&self, uses: &Uses, access: Access, mut now: Stamp) -> Result<()> {
        let mut covered = Stamp::NONE;
        while let Err(reader) = uses.note(access, now, covered) {
            self.wait_for(reader)?;
            now = self.stamp();
            covered = reader;
        }
        Ok(())
    }

    /// Lets the driver start what it has. PoCL and Intel's CPU driver start a command as it comes, Rusticl none before
    /// a flush or a wait, and the specification promises nothing; the cost of the call is below what could be measured.
    #[inline]
    pub(super) fn start(&self) -> Result<()> {
        // SAFETY: a live queue.
        unsafe { enqueue!(self.device, clFlush(self.raw.0)) }
    }

    /// Makes the commands that follow wait, on the device, for a stamp of another queue.
    #[cold]
    fn wait_for(&self, stamp: Stamp) -> Result<()> {
        let mut awaited = lock(&self.awaited);
        let covers = |a: &Stamp| a.queue() == stamp.queue() && a.sequence() >= stamp.sequence();
        if awaited.iter().any(covers) {
            return Ok(());
        }
        let queues = self.device.queues();
        let Some((event, covered)) = queues.marker(stamp)? else {
            return Ok(());
        };
        // SAFETY: a live queue and a live event of the same context.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueBarrierWithWaitList(self.raw.0, 1, &event.raw, null_mut())
            )?;
        }
        queues.retain_living(&mut awaited);
        awaited.retain(|a| a.queue() != stamp.queue());
        awaited.push(covered);
        Ok(())
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::write`].
    pub(super) unsafe fn write(&self, memory: &Memory, source: *const u8, bytes: usize) -> Result<()> {
        memory.check_transfer(self)?;
        if bytes == 0 {
            return Ok(());
        }
        self.before(memory.uses(), Access::Unique)?;
        let given = self.progress.given.load(Ordering::Acquire);
        let mut event = null_mut();
        // SAFETY: the caller's promise; the command is done with the source when the wait below returns. So it needs no
        // stamp: nothing can come between, because the caller borrows the buffer until then.
        let event = unsafe {
            enqueue!(
                self.device,
                clEnqueueWriteBuffer(
                    self.raw.0,
                    memory.raw().0,
                    CL_FALSE,
                    0,
                    bytes,
                    source.cast(),
                    0,
                    null(),
                    &mut event
                )
            )?;
            Event::new(self.device, event)
        };
        event.wait(self.raw)?;
        self.progress.done.fetch_max(given, Ordering::AcqRel);
        Ok(())
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::read`].
    pub(super) unsafe fn read(&self, memory: &Memory, target: *mut u8, bytes: usize) -> Result<()> {
        memory.check_transfer(self)?;
        if bytes == 0 {
            return self.synchronize();
        }
        self.before(memory.uses(), Access::Shared)?;
        let given = self.progress.given.load(Ordering::Acquire);
        let mut event = null_mut();
        // SAFETY: as in `write`, with the target.
        let event = unsafe {
            enqueue!(
                self.device,
                clEnqueueReadBuffer(
                    self.raw.0,
                    memory.raw().0,
                    CL_FALSE,
                    0,
                    bytes,
                    target.cast(),
                    0,
                    null(),
                    &mut event
                )
            )?;
            Event::new(self.device, event)
        };
        // The record of faults comes behind the data, so that there is one wait for both.
        let told = self.faults.take(self.raw);
        event.wait(self.raw)?;
        self.progress.done.fetch_max(given, Ordering::AcqRel);
        told.map(|_| ())
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::fill`].
    pub(super) unsafe fn fill(&self, memory: &Memory, pattern: &[u8], bytes: usize) -> Result<()> {
        memory.check_transfer(self)?;
        if bytes == 0 {
            return Ok(());
        }
        self.before(memory.uses(), Access::Unique)?;
        // SAFETY: the caller's promise; the pattern is copied by the call.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueFillBuffer(
                    self.raw.0,
                    memory.raw().0,
                    pattern.as_ptr().cast(),
                    pattern.len(),
                    0,
                    bytes,
                    0,
                    null(),
                    null_mut()
                )
            )?;
        }
        self.note(memory.uses(), Access::Unique, self.stamp())?;
        self.start()
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::copy`].
    pub(super) unsafe fn copy(&self, source: &Memory, target: &Memory, bytes: usize) -> Result<()> {
        source.check_transfer(self)?;
        target.check_transfer(self)?;
        if bytes == 0 {
            return Ok(());
        }
        self.before(source.uses(), Access::Shared)?;
        self.before(target.uses(), Access::Unique)?;
        // SAFETY: the caller's promise.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueCopyBuffer(
                    self.raw.0,
                    source.raw().0,
                    target.raw().0,
                    0,
                    0,
                    bytes,
                    0,
                    null(),
                    null_mut()
                )
            )?;
        }
        let now = self.stamp();
        self.note(source.uses(), Access::Shared, now)?;
        self.note(target.uses(), Access::Unique, now)?;
        self.start()
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        let given = self.progress.given.load(Ordering::Acquire);
        if !self.faults.take(self.raw)? {
            marker(self.device, self.raw)?.wait(self.raw)?;
        }
        self.progress.done.fetch_max(given, Ordering::AcqRel);
        Ok(())
    }
}

impl Drop for Queue {
    /// Waits for the queue's commands: once it is out of the list, no other queue can wait for them.
    fn drop(&mut self) {
        // Errors of a queue that nobody has any more have no one to go to.
        let _ = marker(self.device, self.raw).and_then(|event| event.wait(self.raw));
        self.device.queues().remove(self.id);
        // SAFETY: the queue is ours and is released once; it left the list, so nobody makes markers in it.
        let _ = unsafe { call!(self.device, clReleaseCommandQueue(self.raw.0)) };
    }
}

/// The queues of one device, for those of them that must wait for another.
#[derive(Default)]
pub(super) struct Queues(Mutex<Vec<Entry>>);

struct Entry {
    id: QueueId,
    device: Device,
    raw: Handle,
    progress: Arc<Progress>,
}

impl Queues {
    fn add(&self, queue: &Queue) {
        lock(&self.0).push(Entry {
            id: queue.id,
            device: queue.device,
            raw: queue.raw,
            progress: queue.progress.clone(),
        });
    }

    fn remove(&self, id: QueueId) {
        lock(&self.0).retain(|entry| entry.id != id);
    }

    /// Forgets the stamps of queues that are gone.
    fn retain_living(&self, stamps: &mut Vec<Stamp>) {
        let entries = lock(&self.0);
        stamps.retain(|stamp| entries.iter().any(|entry| Some(entry.id) == stamp.queue()));
    }

    /// An event that comes when the command of `stamp` is done, and the stamp of everything for which it stands.
    /// `None` if the command is done already, as all are of a queue that is gone.
    ///
    /// The list stays locked meanwhile, so that the queue stays; nothing in here waits for a device.
    fn marker(&self, stamp: Stamp) -> Result<Option<(Event, Stamp)>> {
        let entries = lock(&self.0);
        let Some(entry) = entries.iter().find(|entry| Some(entry.id) == stamp.queue()) else {
            return Ok(None);
        };
        if entry.progress.done.load(Ordering::Acquire) >= stamp.sequence() {
            return Ok(None);
        }
        let given = entry.progress.given.load(Ordering::Acquire);
        let event = marker(entry.device, entry.raw)?;
        // SAFETY: the queue lives while it is in the list. A marker that is not flushed might never come.
        unsafe { enqueue!(entry.device, clFlush(entry.raw.0)) }?;
        Ok(Some((event, Stamp::new(entry.id, given))))
    }
}

/// An event that comes when everything is done that a queue, which lives, has been given.
fn marker(device: Device, queue: Handle) -> Result<Event> {
    let mut event = null_mut();
    // SAFETY: a live queue, and room for an event.
    unsafe {
        enqueue!(
            device,
            clEnqueueMarkerWithWaitList(queue.0, 0, null(), &mut event)
        )?;
        Ok(Event::new(device, event))
    }
}

/// An event of the driver, which keeps it as long as a command waits for it.
pub(super) struct Event {
    device: Device,
    raw: cl_event,
}

impl Event {
    /// # Safety
    ///
    /// `raw` is a live event that nobody else releases.
    pub(super) unsafe fn new(device: Device, raw: cl_event) -> Event {
        Event { device, raw }
    }

    /// Waits until it has come. `queue` is that of its command, and lives.
    pub(super) fn wait(&self, queue: Handle) -> Result<()> {
        // SAFETY: a live queue and a live event.
        let waited = unsafe {
            enqueue!(self.device, clFlush(queue.0)).and_then(|()| {
                let _turn = self.device.turn_to_wait();
                call!(self.device, clWaitForEvents(1, &self.raw))
            })
        };
        if waited.is_err() {
            // Memory to which the command writes may go when this returns.
            // SAFETY: a live queue.
            let _ = unsafe { call!(self.device, clFinish(queue.0)) };
        }
        waited
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is ours and is released once.
        let _ = unsafe { call!(self.device, clReleaseEvent(self.raw)) };
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
