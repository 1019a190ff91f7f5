//! How a queue learns that work-items faulted.
//!
//! Each queue has one [`FaultRecord`] on the device, which is the last argument of every kernel that can fault. A
//! wait looks at it only if such a kernel was launched since the last look. The record is zero but while there is a
//! fault to tell.

use super::api::{Handle, call, create, enqueue};
use super::device::Device;
use super::event::Event;
use super::pool::identity;
use crate::live;
use gridfn_ir::layout::FaultRecord;
use gridfn_ir::typed::Site;
use gridfn_runtime::{Fault, Result};
use opencl_sys::{CL_FALSE, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

const BYTES: usize = size_of::<FaultRecord>();

/// A queue's fault record.
pub(super) struct Channel {
    device: Device,
    record: Handle,
    identity: u64,
    /// Whether a kernel that can fault was launched since the last look. Such launches are made under this lock, and
    /// so is taking a record and zeroing it: none comes between the two, and no fault is lost.
    dirty: Mutex<bool>,
    _alive: live::Memory,
}

impl Channel {
    pub(super) fn new(device: Device, context: Handle) -> Result<Channel> {
        let mut zero = FaultRecord::default();
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let _turn = device.turn_to_wait();
        // SAFETY: the driver copies the record before it returns.
        let record = unsafe {
            create!(
                device,
                clCreateBuffer(context.0, flags, BYTES, (&raw mut zero).cast())
            )
        }?;
        Ok(Channel {
            device,
            record,
            identity: identity(),
            dirty: Mutex::new(false),
            _alive: live::Memory::new(),
        })
    }

    /// The record's memory object, and its identity.
    #[inline]
    pub(super) fn record(&self) -> (Handle, u64) {
        (self.record, self.identity)
    }

    /// Runs `enqueue`, which launches a kernel that can fault.
    #[inline]
    pub(super) fn launch(&self, enqueue: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut dirty = self.lock();
        enqueue()?;
        *dirty = true;
        Ok(())
    }

    /// Waits for the queue and tells, once, what faulted since the last look. If no launch could have faulted, it
    /// does not wait, and gives `false`.
    ///
    /// # Errors
    ///
    /// [`gridfn_runtime::Error::Fault`]; or the driver's.
    pub(super) fn take(&self, queue: Handle) -> Result<bool> {
        if !std::mem::take(&mut *self.lock()) {
            return Ok(false);
        }
        let mut record = FaultRecord::default();
        // SAFETY: the record stays until the wait returns.
        unsafe { self.read(queue, &mut record)? }.wait(queue)?;
        if record.count == 0 {
            return Ok(true);
        }
        // Other threads may have launched meanwhile: read once more, and zero the record, with no launch between.
        let (event, zeroed) = {
            let _no_launch = self.lock();
            // SAFETY: as above.
            (unsafe { self.read(queue, &mut record)? }, self.zero(queue))
        };
        event.wait(queue)?;
        zeroed?;
        // Another wait may have told it meanwhile.
        if record.count == 0 {
            return Ok(true);
        }
        Err(fault(&record).into())
    }

    /// # Safety
    ///
    /// The record stays until the event has come.
    unsafe fn read(&self, queue: Handle, record: &mut FaultRecord) -> Result<Event> {
        let mut event = null_mut();
        // SAFETY: both handles are live; the room is as large as a record, of which every bit pattern is one; and the
        // caller's promise.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueReadBuffer(
                    queue.0,
                    self.record.0,
                    CL_FALSE,
                    0,
                    BYTES,
                    (&raw mut *record).cast(),
                    0,
                    null(),
                    &mut event
                )
            )?;
            Ok(Event::new(self.device, event))
        }
    }

    fn zero(&self, queue: Handle) -> Result<()> {
        let pattern = 0u64;
        // SAFETY: both handles are live; the pattern divides the record and is copied by the call.
        unsafe {
            enqueue!(
                self.device,
                clEnqueueFillBuffer(
                    queue.0,
                    self.record.0,
                    (&raw const pattern).cast(),
                    size_of::<u64>(),
                    0,
                    BYTES,
                    0,
                    null(),
                    null_mut()
                )
            )
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.dirty.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        let _turn = self.device.turn_to_wait();
        // SAFETY: the record is ours and is released once; the driver keeps it while commands use it.
        let _ = unsafe { call!(self.device, clReleaseMemObject(self.record.0)) };
    }
}

/// The places where a compiled kernel can fault.
struct Places {
    kernel: String,
    sites: Vec<Site>,
}

/// The kernels that can fault; a tag is a position in it, from 1. What a device writes is never taken for a pointer.
static PLACES: Mutex<Vec<Places>> = Mutex::new(Vec::new());

/// A new tag for the sites of a kernel.
pub(super) fn tag(kernel: &str, sites: Vec<Site>) -> u64 {
    let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    places.push(Places {
        kernel: kernel.into(),
        sites,
    });
    places.len() as u64
}

/// What a record says. One that makes no sense, because an `unsafe` kernel wrote over it, is a fault all the same.
fn fault(record: &FaultRecord) -> Fault {
    let id = record.id.map(|n| n as usize);
    let count = record.count as usize;
    let places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
    let kernel = (record.tag as usize).checked_sub(1).and_then(|n| places.get(n));
    let site = kernel.and_then(|kernel| kernel.sites.get(record.site as usize));
    match (kernel, site) {
        (Some(Places { kernel, .. }), Some(site)) => Fault::new(
            kernel.clone(),
            site.file.clone(),
            site.line,
            site.column,
            site.kind.message(&record.values),
            id,
            count,
        ),
        _ => Fault::new(
            kernel.map_or("unknown", |k| &k.kernel).into(),
            "unknown".into(),
            0,
            0,
            "the fault record was overwritten".into(),
            id,
            count,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridfn_ir::typed::FaultKind;

    fn site(line: u32) -> Site {
        Site {
            kind: FaultKind::Index,
            file: "src/k.rs".into(),
            line,
            column: 5,
        }
    }

    #[test]
    fn a_record_becomes_the_fault_of_its_kernel_and_site() {
        let tag = tag("scale", vec![site(3), site(8)]);
        let fault = fault(&FaultRecord {
            count: 2,
            site: 1,
            tag,
            id: [9, 0, 1],
            values: std::array::from_fn(|n| *[9, 4].get(n).unwrap_or(&0)),
        });
        assert_eq!(
            fault.to_string(),
            "kernel `scale` faulted at src/k.rs:8:5 in item [9, 0, 1]: index out of bounds: the len is 4 but the \
             index is 9 (2 items in all)"
        );
    }

    #[test]
    fn a_record_that_makes_no_sense_is_a_fault_and_no_panic() {
        for tag in [0, u64::MAX] {
            let fault = fault(&FaultRecord {
                count: 1,
                tag,
                ..FaultRecord::default()
            });
            assert_eq!(fault.kernel, "unknown");
        }
        let tag = tag("scale", vec![site(3)]);
        let fault = fault(&FaultRecord {
            count: 1,
            tag,
            site: 7,
            ..FaultRecord::default()
        });
        assert_eq!((fault.kernel.as_str(), fault.line), ("scale", 0));
    }
}
