//! How a queue gets what kernels print.
//!
//! Each queue on which something printed has a print buffer on the device ([`gridfn_ir::layout`], "Printing"), which is an
//! argument of every kernel that prints. A wait reads it if such a kernel was launched since the last look, and empties it.

use super::api::{Handle, call, create, enqueue};
use super::device::Device;
use super::event::Event;
use super::pool::identity;
use crate::live;
use gridfn_ir::typed::Words;
use gridfn_runtime::Result;
use gridfn_runtime::print::Printer;
use opencl_sys::{CL_FALSE, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words of a print buffer: a quarter of a megabyte, which is room for some ten thousand lines.
pub(super) const WORDS: usize = 1 << 16;
const BYTES: usize = WORDS * size_of::<u32>();

/// A queue's print buffer.
pub(super) struct Channel {
    device: Device,
    context: Handle,
    /// Launches of kernels that print are made under this lock, and so are reading the buffer and emptying it: none comes
    /// between the two, and no line is lost.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Made for the first launch that needs it.
    buffer: Option<Buffer>,
    /// Whether a kernel that prints was launched since the last look.
    dirty: bool,
}

struct Buffer {
    raw: Handle,
    identity: u64,
    _alive: live::Memory,
}

impl Channel {
    pub(super) fn new(device: Device, context: Handle) -> Channel {
        Channel {
            device,
            context,
            state: Mutex::default(),
        }
    }

    /// The buffer's memory object, and its identity.
    pub(super) fn buffer(&self) -> Result<(Handle, u64)> {
        let mut state = self.lock();
        if state.buffer.is_none() {
            let mut zeros = vec![0u32; WORDS];
            let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
            let _turn = self.device.turn_to_wait();
            // SAFETY: the driver copies the zeros before it returns.
            let raw = unsafe {
                create!(
                    self.device,
                    clCreateBuffer(self.context.0, flags, BYTES, zeros.as_mut_ptr().cast())
                )
            }?;
            state.buffer = Some(Buffer {
                raw,
                identity: identity(),
                _alive: live::Memory::new(),
            });
        }
        Ok(state
            .buffer
            .as_ref()
            .map_or((Handle(null_mut()), 0), |b| (b.raw, b.identity)))
    }

    /// Runs `enqueue`, which launches a kernel that prints.
    pub(super) fn launch(&self, enqueue: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut state = self.lock();
        enqueue()?;
        state.dirty = true;
        Ok(())
    }

    /// Waits for the queue and prints what was printed since the last look. If no launch could have printed, it does not
    /// wait, and gives `false`.
    ///
    /// # Errors
    ///
    /// The driver's.
    pub(super) fn take(&self, queue: Handle, printer: &Printer) -> Result<bool> {
        let mut words = Vec::new();
        let event = {
            let mut state = self.lock();
            let State { buffer, dirty } = &mut *state;
            let Some(buffer) = buffer.as_ref().filter(|_| *dirty) else {
                return Ok(false);
            };
            words.resize(WORDS, 0u32);
            // SAFETY: the words stay where they are until the event has come, for which the next statements wait.
            let event = unsafe { self.read(queue, buffer, &mut words)? };
            match self.empty(queue, buffer) {
                Ok(()) => *dirty = false,
                // The words must stay until they were read.
                Err(error) => return event.wait(queue).and(Err(error)),
            }
            event
        };
        event.wait(queue)?;
        printer.lines(&words, line);
        Ok(true)
    }

    /// # Safety
    ///
    /// There are [`WORDS`] words, which stay until the event has come.
    unsafe fn read(&self, queue: Handle, buffer: &Buffer, words: &mut [u32]) -> Result<Event> {
        let mut event = null_mut();
        // SAFETY: both handles are live, and the caller's promise.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueReadBuffer(
                    queue.0,
                    buffer.raw.0,
                    CL_FALSE,
                    0,
                    BYTES,
                    words.as_mut_ptr().cast(),
                    0,
                    null(),
                    &mut event
                )
            )?;
            Ok(Event::new(self.device, event))
        }
    }

    fn empty(&self, queue: Handle, buffer: &Buffer) -> Result<()> {
        let pattern = 0u32;
        // SAFETY: both handles are live; the pattern divides the buffer and is copied by the call.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueFillBuffer(
                    queue.0,
                    buffer.raw.0,
                    (&raw const pattern).cast(),
                    size_of::<u32>(),
                    0,
                    BYTES,
                    0,
                    null(),
                    null_mut()
                )
            )
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        if let Some(buffer) = &self.lock().buffer {
            let _turn = self.device.turn_to_wait();
            // SAFETY: the buffer is ours and is released once; the driver keeps it while commands use it.
            let _ = unsafe { call!(self.device, clReleaseMemObject(buffer.raw.0)) };
        }
    }
}

/// The lines of the kernels that print; a tag is a position in it, from 1. What a device writes is never taken for a
/// pointer.
static PRINTS: Mutex<Vec<Vec<Words>>> = Mutex::new(Vec::new());

/// A new tag for the lines of a kernel.
pub(super) fn tag(lines: Vec<Words>) -> u32 {
    let mut prints = PRINTS.lock().unwrap_or_else(PoisonError::into_inner);
    prints.push(lines);
    prints.len() as u32
}

/// What makes a line's text.
fn line(tag: u32, line: u32) -> Option<Words> {
    let prints = PRINTS.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = prints.get((tag as usize).checked_sub(1)?)?;
    lines.get(line as usize).copied()
}
