//! The driver's own handles: in, from a program that uses OpenCL itself, and out, to one.
//!
//! Reference counts decide who owns what. What comes in is retained here and released when gridfn's object goes, so the
//! program keeps its own reference and releases it whenever it likes. What goes out is a look: who keeps it longer than
//! gridfn's object retains it.

use super::api::{self, Api, Handle, call};
use super::device::{self, Device};
use super::error::check;
use super::memory::Memory;
use super::queue::Queue;
use gridfn_runtime::{Error, Result};
use opencl_sys::*;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Where errors of handles say that they happened, as long as no device is known.
const UNKNOWN: &str = "opencl";

impl Device {
    /// A device and the context that its queues are made in. The context is made for the first queue, or now.
    ///
    /// # Errors
    ///
    /// If the driver makes no context.
    pub fn as_raw(&self) -> Result<(cl_context, cl_device_id)> {
        Ok((self.context()?.0, self.raw().0))
    }

    /// A device of a context of the program's. It is another device than the one of [`devices`](super::devices) for the
    /// same hardware, because buffers of two contexts cannot meet; the same handles give the same device.
    ///
    /// The context is retained and, as gridfn's devices live as long as the process, never released.
    ///
    /// # Errors
    ///
    /// [`Error::RawHandle`] if the device is not of the context or cannot run kernels; or the driver's.
    ///
    /// # Safety
    ///
    /// Both are live handles of an OpenCL library that has the ICD loader's layout of objects, as every registered
    /// driver's has.
    pub unsafe fn from_raw(context: cl_context, device: cl_device_id) -> Result<Device> {
        let api = library()?;
        let mut bytes = 0;
        // SAFETY: a live context, and room for a size.
        let code = unsafe { (api.clGetContextInfo)(context, CL_CONTEXT_DEVICES, 0, null_mut(), &mut bytes) };
        check(UNKNOWN, "clGetContextInfo", code)?;
        let mut devices: Vec<cl_device_id> = vec![null_mut(); bytes / size_of::<cl_device_id>()];
        let room = devices.as_mut_ptr().cast();
        // SAFETY: a live context, and room for as many handles as it has.
        let code = unsafe { (api.clGetContextInfo)(context, CL_CONTEXT_DEVICES, bytes, room, null_mut()) };
        check(UNKNOWN, "clGetContextInfo", code)?;
        if !devices.contains(&device) {
            return Err(refused(
                "cl_device_id",
                "it is not of this context: give one of the context's devices",
            ));
        }
        device::of_context(api, Handle(context), Handle(device), || {
            // SAFETY: a live context.
            check(UNKNOWN, "clRetainContext", unsafe {
                (api.clRetainContext)(context)
            })
        })
        .map_err(|reason| match reason {
            device::Unusable::Driver(error) => error,
            device::Unusable::Lacking(reason) => refused("cl_device_id", &format!("it {reason}")),
        })
    }
}

impl Queue {
    /// The driver's queue. What the program gives it itself runs in order with what gridfn gives it; gridfn orders its
    /// own uses of buffers between queues, but does not see the program's: wait for them, or let an
    /// [`Event`](gridfn_runtime::Event) stand for them.
    pub fn as_raw(&self) -> cl_command_queue {
        self.raw().0
    }

    /// A queue over one of the program's, of [`Device::from_raw`] of its context and device. It is retained.
    ///
    /// # Errors
    ///
    /// [`Error::RawHandle`] if it runs commands out of order: gridfn makes no events by which its launches could be kept
    /// in order there. Or as [`Device::from_raw`].
    ///
    /// # Safety
    ///
    /// It is a live handle, as for [`Device::from_raw`].
    pub unsafe fn from_raw(queue: cl_command_queue) -> Result<Queue> {
        let api = library()?;
        // SAFETY: a live queue, and each answer of the type that OpenCL says.
        let (context, device, properties) = unsafe {
            let context: cl_context = of_queue(api, queue, CL_QUEUE_CONTEXT)?;
            let device: cl_device_id = of_queue(api, queue, CL_QUEUE_DEVICE)?;
            let properties: cl_command_queue_properties = of_queue(api, queue, CL_QUEUE_PROPERTIES)?;
            (context, device, properties)
        };
        if properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0 {
            return Err(refused(
                "cl_command_queue",
                "it runs commands out of order: make one without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE",
            ));
        }
        // SAFETY: handles of a live queue are live.
        let device = unsafe { Device::from_raw(context, device)? };
        // SAFETY: a live queue.
        unsafe { call!(device, clRetainCommandQueue(queue))? };
        // SAFETY: in order, of this device and context, and the reference is the one that was just made.
        unsafe { Queue::over(device, Handle(queue)) }
    }
}

impl Memory {
    /// The driver's memory object.
    pub fn as_raw(&self) -> cl_mem {
        self.raw().0
    }

    /// Memory over a buffer of the program's, of `bytes` bytes at least. It is retained.
    ///
    /// # Errors
    ///
    /// [`Error::RawHandle`] if it is no buffer, is of another context, too small, or not both readable and writable for
    /// kernels; or the driver's.
    ///
    /// # Safety
    ///
    /// It is a live handle, as for [`Device::from_raw`]. While the memory lives, the program uses the object only as
    /// borrows of the [`Buffer`](gridfn_runtime::Buffer) over it would allow, and orders its uses and gridfn's: gridfn
    /// does not see the program's. If it was made with `CL_MEM_USE_HOST_PTR`, that pointer is aligned to the elements.
    pub unsafe fn from_raw(device: &Device, memory: cl_mem, bytes: usize) -> Result<Memory> {
        const WHAT: &str = "cl_mem";
        // SAFETY: a live object, and each answer of the type that OpenCL says.
        let (kind, context, size, flags) = unsafe {
            let kind: cl_mem_object_type = of_memory(device, memory, CL_MEM_TYPE)?;
            let context: cl_context = of_memory(device, memory, CL_MEM_CONTEXT)?;
            let size: usize = of_memory(device, memory, CL_MEM_SIZE)?;
            let flags: cl_mem_flags = of_memory(device, memory, CL_MEM_FLAGS)?;
            (kind, context, size, flags)
        };
        if kind != CL_MEM_OBJECT_BUFFER {
            return Err(refused(WHAT, "it is no buffer: make it by clCreateBuffer"));
        }
        if context != device.context()?.0 {
            return Err(refused(
                WHAT,
                "it is of another context than the device: take the device of its context, by `device_from_raw`",
            ));
        }
        if size < bytes {
            let reason =
                format!("it has {size} bytes, but the elements take {bytes}: ask for fewer elements");
            return Err(refused(WHAT, &reason));
        }
        if flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY) != 0 {
            return Err(refused(
                WHAT,
                "kernels may not both read and write it: make it with CL_MEM_READ_WRITE",
            ));
        }
        // SAFETY: a live object.
        unsafe { call!(device, clRetainMemObject(memory))? };
        // SAFETY: of the device's context, and the reference is the one that was just made.
        Ok(unsafe { Memory::over(*device, Handle(memory)) })
    }
}

/// # Safety
///
/// A live queue, of which `what` is a `T`.
unsafe fn of_queue<T>(api: &Api, queue: cl_command_queue, what: cl_command_queue_info) -> Result<T> {
    // SAFETY: the caller's promise.
    unsafe {
        answer("clGetCommandQueueInfo", |bytes, room| {
            (api.clGetCommandQueueInfo)(queue, what, bytes, room, null_mut())
        })
    }
}

/// # Safety
///
/// A live object, of which `what` is a `T`.
unsafe fn of_memory<T>(device: &Device, memory: cl_mem, what: cl_mem_info) -> Result<T> {
    // SAFETY: the caller's promise.
    unsafe {
        answer("clGetMemObjectInfo", |bytes, room| {
            (device.api().clGetMemObjectInfo)(memory, what, bytes, room, null_mut())
        })
    }
}

/// # Safety
///
/// The call writes a `T` if it succeeds.
unsafe fn answer<T>(name: &'static str, ask: impl FnOnce(usize, *mut c_void) -> cl_int) -> Result<T> {
    let mut answer = std::mem::MaybeUninit::<T>::uninit();
    let code = ask(size_of::<T>(), answer.as_mut_ptr().cast());
    check(UNKNOWN, name, code)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { answer.assume_init() })
}

fn library() -> Result<&'static Api> {
    api::load().map_err(|reason| refused("handle", reason))
}

fn refused(handle: &'static str, reason: &str) -> Error {
    Error::RawHandle {
        handle,
        reason: reason.into(),
    }
}
