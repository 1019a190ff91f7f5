//! OpenCL's own handles, for programs that use OpenCL beside gridfn: a `cl_context` with its `cl_device_id`, a
//! `cl_command_queue` and a `cl_mem` become a [`Device`], a [`Queue`] and a [`Buffer`], and the other way round.
//!
//! Handles are plain pointers, those of `opencl-sys`, `cl3` and of C alike. What comes in is retained and released when
//! gridfn's object goes: the program keeps its own reference. What goes out is not retained: who keeps it longer than
//! gridfn's object does so himself (`clRetainMemObject` and its kin).
//!
//! A device from a raw context is another [`Device`] than the one that [`Device::all`] lists for the same hardware,
//! because OpenCL's contexts cannot share buffers. To share buffers with gridfn's own device, take its context
//! ([`device_as_raw`]) and make queues and buffers in it.
//!
//! gridfn orders its own uses of a buffer between queues; it does not see commands that the program gives the driver
//! itself. On one queue they run in the order in which they were given; between queues, wait: by
//! [`Queue::synchronize`], by `clFinish`, or by events of either side.

use super::device::AnyDevice;
use super::queue::Raw;
use super::{AnyMemory, AnyQueue, Buffer, Device, Queue};
use crate::opencl;
use gridfn_runtime::{DeviceCopy, Error, Result};
use opencl_sys::{cl_command_queue, cl_context, cl_device_id, cl_mem};

/// The device of the program's own context. The same handles give the same device, and a gridfn device's own handles
/// that device. The context is retained for good, as devices live as long as the process.
///
/// # Errors
///
/// [`Error::RawHandle`] if the device is not of the context, or cannot run kernels; or the driver's.
///
/// # Safety
///
/// Both are live handles, of OpenCL's ICD loader or of a driver that is made for it.
pub unsafe fn device_from_raw(context: cl_context, device: cl_device_id) -> Result<Device> {
    // SAFETY: the caller's promise.
    unsafe { opencl::Device::from_raw(context, device) }.map(Device::from)
}

/// A queue over the program's own, of the device of its context ([`device_from_raw`]). It is retained.
///
/// # Errors
///
/// [`Error::RawHandle`] if it runs commands out of order: launches have no events by which they could be kept in order
/// there. Or as [`device_from_raw`].
///
/// # Safety
///
/// It is a live handle, as for [`device_from_raw`].
pub unsafe fn queue_from_raw(queue: cl_command_queue) -> Result<Queue> {
    // SAFETY: the caller's promise.
    let queue = unsafe { opencl::Queue::from_raw(queue)? };
    Ok(Queue::from_raw(AnyQueue::from(queue)))
}

/// A buffer of `len` elements over the program's own `cl_mem`, of the context of `device`. It is retained.
///
/// # Errors
///
/// [`Error::RawHandle`] if it is no buffer, is of another context, too small, or not both readable and writable for
/// kernels; or the driver's.
///
/// # Safety
///
/// * It is a live handle, as for [`device_from_raw`].
/// * Its first `len` elements are valid values of `T` when they are first used.
/// * While the buffer lives, the program's own commands use the object only as borrows of the buffer would allow, and
///   their order with gridfn's is the program's care.
/// * If it was made with `CL_MEM_USE_HOST_PTR`, that pointer is aligned to `T`.
pub unsafe fn buffer_from_raw<T: DeviceCopy>(
    device: &Device,
    memory: cl_mem,
    len: usize,
) -> Result<Buffer<T>> {
    let bytes = len
        .checked_mul(size_of::<T>())
        .ok_or_else(|| Error::OutOfMemory {
            device: device.info().id.clone(),
            bytes: usize::MAX,
        })?;
    // SAFETY: the caller's promise.
    let memory = unsafe { opencl::Memory::from_raw(own_device(device)?, memory, bytes)? };
    // SAFETY: the caller's promise.
    Ok(unsafe { Buffer::from_memory(AnyMemory::OpenCl(memory), len) })
}

/// The context of a device, in which all its queues and buffers are, and its id.
///
/// # Errors
///
/// [`Error::RawHandle`] if it is not a device of OpenCL; or the driver's.
pub fn device_as_raw(device: &Device) -> Result<(cl_context, cl_device_id)> {
    own_device(device)?.as_raw()
}

/// The driver's queue, which lives as long as the [`Queue`].
///
/// # Errors
///
/// [`Error::RawHandle`] if it is not a queue of OpenCL.
pub fn queue_as_raw(queue: &Queue) -> Result<cl_command_queue> {
    match queue.raw().raw() {
        Raw::OpenCl(raw) => Ok(raw.as_raw()),
        Raw::Host(_) | Raw::Null(_) => Err(not_opencl("cl_command_queue", &queue.info().id)),
    }
}

/// The driver's memory object, which lives as long as the [`Buffer`] and the commands that use it.
///
/// # Errors
///
/// [`Error::RawHandle`] if it is not a buffer of OpenCL.
pub fn buffer_as_raw<T>(buffer: &Buffer<T>) -> Result<cl_mem> {
    match buffer.memory() {
        AnyMemory::OpenCl(memory) => Ok(memory.as_raw()),
        other @ (AnyMemory::Host(_) | AnyMemory::Null(_)) => Err(not_opencl("cl_mem", &other.device_id())),
    }
}

fn own_device(device: &Device) -> Result<&opencl::Device> {
    match device.any() {
        AnyDevice::OpenCl(device) => Ok(device),
        AnyDevice::Host(_) | AnyDevice::Null(_) => Err(not_opencl("cl_context", &device.info().id)),
    }
}

#[cold]
fn not_opencl(handle: &'static str, device: &str) -> Error {
    Error::RawHandle {
        handle,
        reason: format!("`{device}` is no OpenCL device and has none: select one (`opencl:0`)"),
    }
}
