//! The memory of a buffer.

use super::api::{Handle, call, create};
use super::device::Device;
use super::error::of_allocation;
use super::map::Mappings;
use super::pool::identity;
use super::queue::Queue;
use crate::live;
use gridfn_ir::Access;
use gridfn_runtime::order::Uses;
use gridfn_runtime::{Error, Info, Result};
use opencl_sys::CL_MEM_READ_WRITE;
use std::ptr::null_mut;

/// A memory object of a device.
///
/// It may be dropped while commands that use it are in flight, because the driver keeps it: "After the memobj
/// reference count becomes zero and commands queued for execution on a command-queue(s) that use memobj have
/// finished, the memory object is deleted" (OpenCL 3.0, section 5.5.1, `clReleaseMemObject`).
pub struct Memory {
    raw: Handle,
    identity: u64,
    device: Device,
    uses: Uses,
    mappings: Mappings,
    _alive: live::Memory,
}

impl Memory {
    /// Memory of `bytes` bytes. The driver knows no empty memory objects, so there is one byte at least.
    pub(super) fn new(queue: &Queue, bytes: usize) -> Result<Memory> {
        let device = queue.device();
        let _turn = device.turn_to_wait();
        // SAFETY: a live context and no host memory.
        let raw = unsafe {
            create!(
                device,
                clCreateBuffer(queue.context().0, CL_MEM_READ_WRITE, bytes.max(1), null_mut())
            )
        }
        .map_err(|error| of_allocation(error, bytes))?;
        // SAFETY: made just now, on this device.
        Ok(unsafe { Memory::over(device, raw) })
    }

    /// Memory over an object of the driver, which it releases.
    ///
    /// # Safety
    ///
    /// `raw` is a live buffer of the device's context, of which the caller gives away a reference.
    pub(super) unsafe fn over(device: Device, raw: Handle) -> Memory {
        Memory {
            raw,
            identity: identity(),
            device,
            uses: Uses::new(),
            mappings: Mappings::default(),
            _alive: live::Memory::new(),
        }
    }

    /// What there is to know of the memory's device.
    pub fn info(&self) -> &'static Info {
        self.device.info()
    }

    #[inline]
    pub(super) fn raw(&self) -> Handle {
        self.raw
    }

    #[inline]
    pub(super) fn identity(&self) -> u64 {
        self.identity
    }

    #[inline]
    pub(super) fn uses(&self) -> &Uses {
        &self.uses
    }

    #[inline]
    pub(super) fn mappings(&self) -> &Mappings {
        &self.mappings
    }

    pub(super) fn device(&self) -> Device {
        self.device
    }

    /// Whether it is memory of `device`.
    #[inline]
    pub(super) fn is_of(&self, device: Device) -> bool {
        self.device == device
    }

    /// # Errors
    ///
    /// [`Error::ForeignTransfer`] if it is memory of another device than the queue's.
    pub(super) fn check_transfer(&self, queue: &Queue) -> Result<()> {
        if self.is_of(queue.device()) {
            return Ok(());
        }
        Err(Error::ForeignTransfer {
            buffer_device: self.device.id().into(),
            queue_device: queue.device().id().into(),
        })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.mappings.conflict(Access::Unique) {
            // Left by a forgotten guard. The object may be the program's too, and then lives on.
            let _ = self.device.transfers().and_then(|queue| {
                queue.end_mappings(self)?;
                queue.start()
            });
        }
        let _turn = self.device.turn_to_wait();
        // SAFETY: the object is ours and is released once.
        // There is nothing to be done about a driver that refuses to release.
        let _ = unsafe { call!(self.device, clReleaseMemObject(self.raw.0)) };
    }
}
