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
use super::error::check;
use super::event::Event;
use super::fault::Channel;
use super::memory::Memory;
use super::print;
use crate::live;
use gridfn_ir::Access;
use gridfn_runtime::order::{QueueId, Stamp, Uses};
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Priority, QueueOptions, Result};
use opencl_sys::*;
use std::mem::MaybeUninit;
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
    prints: print::Channel,
    printer: Printer,
    /// Up to where this queue waits for others, so that one wait does for all stamps before it.
    awaited: Mutex<Vec<Stamp>>,
    _alive: live::Queue,
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
    pub(super) fn new(device: Device, options: &QueueOptions) -> Result<Queue> {
        let raw = driver_queue(device, device.context()?, options.priority)?;
        // SAFETY: the queue is of this device, in order, and nobody else releases it.
        unsafe { Queue::over(device, raw) }
    }

    /// A queue over one of the driver's, which it releases, also if it fails.
    ///
    /// # Safety
    ///
    /// `raw` is a live in-order queue of the device and its context, of which the caller gives away a reference.
    pub(super) unsafe fn over(device: Device, raw: Handle) -> Result<Queue> {
        let context = device.context()?;
        let faults = match Channel::new(device, context) {
            Ok(faults) => faults,
            Err(error) => {
                // SAFETY: ours by the caller's promise.
                let _ = unsafe { call!(device, clReleaseCommandQueue(raw.0)) };
                return Err(error);
            }
        };
        let queue = Queue {
            device,
            context,
            id: QueueId::next(),
            raw,
            progress: Arc::default(),
            faults,
            prints: print::Channel::new(device, context),
            printer: Printer::default(),
            awaited: Mutex::default(),
            _alive: live::Queue::new(),
        };
        device.queues().add(&queue);
        Ok(queue)
    }

    /// The queue's device.
    #[inline]
    pub fn device(&self) -> Device {
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

    #[inline]
    pub(super) fn prints(&self) -> &print::Channel {
        &self.prints
    }

    pub(super) fn printer(&self) -> &Printer {
        &self.printer
    }

    /// Waits for the queue, prints what kernels have printed and tells, once, what faulted. If no launch could have done
    /// either, it does not wait, and gives `false`.
    pub(super) fn told(&self) -> Result<bool> {
        let printed = self.prints.take(self.raw, &self.printer)?;
        Ok(self.faults.take(self.raw)? || printed)
    }

    /// Makes the next command wait, on the device, for what conflicts with a use of a buffer on other queues, and for
    /// the end of mappings that were forgotten.
    #[inline]
    pub(super) fn before(&self, memory: &Memory, access: Access) -> Result<()> {
        if memory.mappings().conflict(access) {
            self.end_mappings(memory)?;
        }
        self.before_uses(memory.uses(), access)
    }

    /// Makes the next command wait, on the device, for what conflicts with a use of a buffer on other queues.
    #[inline]
    pub(super) fn before_uses(&self, uses: &Uses, access: Access) -> Result<()> {
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

    /// The number of the last command that got one.
    pub(super) fn given(&self) -> u64 {
        self.progress.given.load(Ordering::Acquire)
    }

    /// Notes that commands up to this number are done.
    pub(super) fn done_up_to(&self, given: u64) {
        self.progress.done.fetch_max(given, Ordering::AcqRel);
    }

    /// An event after all that the queue was given. It is flushed, so that it comes by itself, and so that other queues
    /// may wait for it: they would wait for ever for a command that was not (OpenCL 3.0, section 5.15, `clFlush`).
    pub(super) fn record(&self) -> Result<Event> {
        let event = Event::marker(self.device, self.raw)?;
        self.start()?;
        Ok(event)
    }

    /// Makes the commands that follow wait for an event: on the device, or right here for one of another device.
    pub(super) fn wait(&self, event: &Event) -> Result<()> {
        if event.device() != self.device {
            return event.finish();
        }
        // SAFETY: a live queue and a live event of the same context.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueBarrierWithWaitList(self.raw.0, 1, &event.raw().0, null_mut())
            )?;
        }
        self.start()
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
                clEnqueueBarrierWithWaitList(self.raw.0, 1, &event.raw().0, null_mut())
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
        self.before(memory, Access::Unique)?;
        let given = self.given();
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
        self.done_up_to(given);
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
        self.before(memory, Access::Shared)?;
        let given = self.given();
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
        let told = self.told();
        event.wait(self.raw)?;
        self.done_up_to(given);
        told.map(|_| ())
    }

    /// # Safety
    ///
    /// As [`gridfn_runtime::Backend::fill`].
    pub(super) unsafe fn fill(
        &self,
        memory: &Memory,
        pattern: &[MaybeUninit<u8>],
        bytes: usize,
    ) -> Result<()> {
        memory.check_transfer(self)?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        unsafe {
            // The driver knows the sizes of its own types only.
            if pattern.len().is_power_of_two() && pattern.len() <= size_of::<[f64; 16]>() {
                self.fill_by_driver(memory, pattern, bytes)
            } else {
                self.fill_by_copies(memory, pattern, bytes)
            }
        }
    }

    /// # Safety
    ///
    /// As `fill`; the pattern is as long as a type of the driver's.
    unsafe fn fill_by_driver(
        &self,
        memory: &Memory,
        pattern: &[MaybeUninit<u8>],
        bytes: usize,
    ) -> Result<()> {
        self.before(memory, Access::Unique)?;
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

    /// Writes a first part and doubles it on the device.
    ///
    /// # Safety
    ///
    /// As `fill`, and there are bytes to fill.
    unsafe fn fill_by_copies(
        &self,
        memory: &Memory,
        pattern: &[MaybeUninit<u8>],
        bytes: usize,
    ) -> Result<()> {
        let first = pattern.repeat((FIRST_PART / pattern.len()).max(1));
        let mut filled = first.len().min(bytes);
        // SAFETY: the memory is as large as `bytes`.
        unsafe { self.write(memory, first.as_ptr().cast(), filled)? };
        while filled < bytes {
            let more = filled.min(bytes - filled);
            // SAFETY: both parts are within the memory, and the second begins where the first ends at the earliest.
            unsafe { self.copy_part(memory, memory, filled, more)? };
            filled += more;
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
        self.before(source, Access::Shared)?;
        self.before(target, Access::Unique)?;
        // SAFETY: the caller's promise.
        unsafe { self.copy_part(source, target, 0, bytes)? };
        let now = self.stamp();
        self.note(source.uses(), Access::Shared, now)?;
        self.note(target.uses(), Access::Unique, now)?;
        self.start()
    }

    /// Queues a copy of the first `bytes` bytes of `source` to `target`, from `at` on.
    ///
    /// # Safety
    ///
    /// Both are as large, and the two parts don't overlap.
    unsafe fn copy_part(&self, source: &Memory, target: &Memory, at: usize, bytes: usize) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueCopyBuffer(
                    self.raw.0,
                    source.raw().0,
                    target.raw().0,
                    0,
                    at,
                    bytes,
                    0,
                    null(),
                    null_mut()
                )
            )
        }
    }

    pub(super) fn synchronize(&self) -> Result<()> {
        let given = self.given();
        if !self.told()? {
            Event::marker(self.device, self.raw)?.wait(self.raw)?;
        }
        self.done_up_to(given);
        Ok(())
    }
}

/// What is written from the program's memory of a fill that the driver does not know.
const FIRST_PART: usize = 1 << 16;

/// A new in-order queue of the driver, without profiling.
fn driver_queue(device: Device, context: Handle, priority: Priority) -> Result<Handle> {
    let hint = match priority {
        Priority::Low => CL_QUEUE_PRIORITY_LOW_KHR,
        Priority::Normal => CL_QUEUE_PRIORITY_MED_KHR,
        Priority::High => CL_QUEUE_PRIORITY_HIGH_KHR,
    };
    match device.api().clCreateCommandQueueWithProperties {
        Some(create) if priority != Priority::Normal && device.info().priorities => {
            let properties: [cl_queue_properties; 3] = [CL_QUEUE_PRIORITY_KHR, hint.into(), 0];
            let mut code = CL_SUCCESS;
            // SAFETY: the context is of this device, which knows the property; the list ends in zero.
            let queue = unsafe { create(context.0, device.raw().0, properties.as_ptr(), &mut code) };
            check(device.id(), "clCreateCommandQueueWithProperties", code).map(|()| Handle(queue))
        }
        Some(_) | None => {
            // SAFETY: the context is of this device.
            unsafe { create!(device, clCreateCommandQueue(context.0, device.raw().0, 0)) }
        }
    }
}

impl Drop for Queue {
    /// Waits for the queue's commands: once it is out of the list, no other queue can wait for them.
    fn drop(&mut self) {
        // Errors of a queue that nobody has any more have no one to go to, but what was printed has.
        let _ = self.prints.take(self.raw, &self.printer);
        let _ = Event::marker(self.device, self.raw).and_then(|event| event.wait(self.raw));
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
        let event = Event::marker(entry.device, entry.raw)?;
        // SAFETY: the queue lives while it is in the list. A marker that is not flushed might never come.
        unsafe { enqueue!(entry.device, clFlush(entry.raw.0)) }?;
        Ok(Some((event, Stamp::new(entry.id, given))))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
