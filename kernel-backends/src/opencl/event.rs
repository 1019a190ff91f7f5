//! An event of the driver: what waits are for.

use super::api::{Handle, call, enqueue};
use super::device::Device;
use super::error;
use crate::live;
use gridfn_runtime::{Error, Result};
use opencl_sys::{CL_COMPLETE, CL_EVENT_COMMAND_EXECUTION_STATUS, cl_event, cl_int};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

/// An event of the driver, which keeps it as long as a command waits for it.
pub struct Event {
    device: Device,
    raw: Handle,
    _alive: live::Event,
}

impl Event {
    /// # Safety
    ///
    /// `raw` is a live event that nobody else releases.
    pub(super) unsafe fn new(device: Device, raw: cl_event) -> Event {
        Event {
            device,
            raw: Handle(raw),
            _alive: live::Event::new(),
        }
    }

    /// An event that comes when everything is done that a queue, which lives, has been given. Until the queue is
    /// flushed it may never come.
    pub(super) fn marker(device: Device, queue: Handle) -> Result<Event> {
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

    /// The device of its queue.
    pub(super) fn device(&self) -> Device {
        self.device
    }

    pub(super) fn raw(&self) -> Handle {
        self.raw
    }

    /// Waits until it has come. `queue` is that of its command, and lives.
    pub(super) fn wait(&self, queue: Handle) -> Result<()> {
        // SAFETY: a live queue.
        let waited = unsafe { enqueue!(self.device, clFlush(queue.0)) }.and_then(|()| self.finish());
        if waited.is_err() {
            // Memory to which the command writes may go when this returns.
            // SAFETY: a live queue.
            let _ = unsafe { call!(self.device, clFinish(queue.0)) };
        }
        waited
    }

    /// Waits until it has come; its queue has been flushed behind its command, and may be gone.
    pub(super) fn finish(&self) -> Result<()> {
        let _turn = self.device.turn_to_wait();
        // SAFETY: a live event.
        unsafe { call!(self.device, clWaitForEvents(1, &self.raw.0)) }
    }

    /// Whether it has come.
    pub(super) fn is_done(&self) -> Result<bool> {
        let mut status: cl_int = CL_COMPLETE;
        // SAFETY: a live event, and room for its status.
        unsafe {
            call!(
                self.device,
                clGetEventInfo(
                    self.raw.0,
                    CL_EVENT_COMMAND_EXECUTION_STATUS,
                    size_of::<cl_int>(),
                    (&raw mut status).cast(),
                    null_mut()
                )
            )?;
        }
        outcome(self.device, status).map(|()| status == CL_COMPLETE)
    }

    /// Calls `then` when it has come. The driver owns `then` until it has called it, which it does before the event can
    /// go, whoever releases it (OpenCL 3.0, section 5.11, `clSetEventCallback`).
    pub(super) fn when_done<F: FnOnce(Result<()>) + Send + 'static>(&self, then: F) -> Result<()> {
        let then = Box::into_raw(Box::new(Then {
            device: self.device,
            call: then,
        }));
        // SAFETY: a live event, and the callback for this kind of data.
        let set = unsafe {
            call!(
                self.device,
                clSetEventCallback(self.raw.0, CL_COMPLETE, Some(called::<F>), then.cast())
            )
        };
        if set.is_err() {
            // SAFETY: the driver has not taken it.
            drop(unsafe { Box::from_raw(then) });
        }
        set
    }
}

/// What is to be called.
struct Then<F> {
    device: Device,
    call: F,
}

/// Called by the driver, once.
///
/// # Safety
///
/// `data` is a leaked box of a `Then<F>`, whose owner the driver is.
unsafe extern "C" fn called<F: FnOnce(Result<()>)>(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: the caller's promise.
    let Then { device, call } = *unsafe { Box::from_raw(data.cast::<Then<F>>()) };
    // A waker may panic, and the driver cannot unwind. The panic hook has told of it already.
    let _ = catch_unwind(AssertUnwindSafe(|| call(outcome(device, status))));
}

/// A negative status is the error with which a command ended.
fn outcome(device: Device, status: cl_int) -> Result<()> {
    if status >= CL_COMPLETE {
        return Ok(());
    }
    Err(Error::Driver {
        device: device.id().into(),
        call: "a command",
        code: status,
        name: error::name(status).into(),
    })
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is ours and is released once.
        let _ = unsafe { call!(self.device, clReleaseEvent(self.raw.0)) };
    }
}
