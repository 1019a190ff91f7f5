//! The `cl_kernel`s of one program.
//!
//! A `cl_kernel` holds the arguments that were set last, so each is taken by one thread at a time, and goes back when
//! its launch is enqueued. It remembers what was set, so that only what has changed is set again.

use super::api::{Handle, call, create};
use super::device::Device;
use crate::live;
use gridfn_runtime::Result;
use gridfn_runtime::backend::KernelInfo;
use opencl_sys::*;
use std::ffi::{CStr, CString, c_void};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// How many `cl_kernel`s a pool keeps: as many launches can be under way at once without making new ones.
const POOL: usize = 16;

/// The `cl_kernel`s of one program that no launch has taken.
pub(super) struct Pool {
    device: Device,
    /// The owner of the pool releases it; the driver keeps it as long as there are kernels of it.
    program: Handle,
    name: CString,
    /// The number of arguments.
    slots: usize,
    kernels: [AtomicPtr<Launchable>; POOL],
}

impl Pool {
    /// A pool of the kernel `name`, which has `slots` arguments.
    pub(super) fn new(device: Device, program: Handle, name: &CStr, slots: usize) -> Pool {
        Pool {
            device,
            program,
            name: name.into(),
            slots,
            kernels: [const { AtomicPtr::new(null_mut()) }; POOL],
        }
    }

    /// Takes a `cl_kernel` for one launch.
    #[inline]
    pub(super) fn take(&self) -> Result<Taken<'_>> {
        for place in &self.kernels {
            // Most of the pool is empty most of the time; a look is cheaper than a swap.
            if place.load(Ordering::Relaxed).is_null() {
                continue;
            }
            if let Some(kernel) = NonNull::new(place.swap(null_mut(), Ordering::Acquire)) {
                return Ok(Taken { pool: self, kernel });
            }
        }
        // SAFETY: a built program and a name that ends in zero.
        let raw = unsafe { create!(self.device, clCreateKernel(self.program.0, self.name.as_ptr())) }?;
        let set = vec![0; self.slots].into_boxed_slice();
        let kernel = Box::new(Launchable {
            device: self.device,
            raw,
            set,
            block: vec![],
            _alive: live::Kernel::new(),
        });
        Ok(Taken {
            pool: self,
            kernel: NonNull::from(Box::leak(kernel)),
        })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for place in &mut self.kernels {
            if !place.get_mut().is_null() {
                // SAFETY: a leaked box that nobody has taken.
                drop(unsafe { Box::from_raw(*place.get_mut()) });
            }
        }
    }
}

/// A `cl_kernel`, and what its arguments are.
struct Launchable {
    device: Device,
    raw: Handle,
    /// For each argument the identity of the memory that was set last; 0 for none. Handles would not do: a driver may
    /// give the handle of a released object to a new one.
    set: Box<[u64]>,
    /// The parameter block that was set last; empty for none.
    block: Vec<u8>,
    _alive: live::Kernel,
}

impl Drop for Launchable {
    fn drop(&mut self) {
        // SAFETY: the kernel is ours and is released once; the driver keeps it while commands use it.
        let _ = unsafe { call!(self.device, clReleaseKernel(self.raw.0)) };
    }
}

/// A `cl_kernel` that was taken from its pool, and goes back there.
pub(super) struct Taken<'p> {
    pool: &'p Pool,
    /// A leaked box, which is ours alone while it is taken.
    kernel: NonNull<Launchable>,
}

impl Taken<'_> {
    #[inline]
    pub(super) fn raw(&self) -> Handle {
        // SAFETY: ours alone.
        unsafe { self.kernel.as_ref() }.raw
    }

    /// Sets the parameter block. What is set already is not set again.
    #[inline]
    pub(super) fn set_block(&mut self, block: &[u8]) -> Result<()> {
        // SAFETY: ours alone.
        let kernel = unsafe { self.kernel.as_mut() };
        if kernel.block == block {
            return Ok(());
        }
        kernel.block.clear();
        // SAFETY: the driver copies as many bytes as there are.
        unsafe {
            call!(
                kernel.device,
                clSetKernelArg(kernel.raw.0, 0, block.len(), block.as_ptr().cast())
            )?
        };
        // A kernel's blocks are all of one size, so this allocates once.
        kernel.block.extend_from_slice(block);
        Ok(())
    }

    /// Sets an argument to a memory object, whose identity is [`identity`]'s. What is set already is not set again.
    #[inline]
    pub(super) fn set_memory(&mut self, slot: usize, raw: Handle, identity: u64) -> Result<()> {
        // SAFETY: ours alone.
        let kernel = unsafe { self.kernel.as_mut() };
        let Some(set) = kernel.set.get_mut(slot) else {
            // More arguments than the kernel has: the driver says so.
            return set_argument(kernel.device, kernel.raw, slot, raw);
        };
        if *set == identity {
            return Ok(());
        }
        *set = 0;
        set_argument(kernel.device, kernel.raw, slot, raw)?;
        *set = identity;
        Ok(())
    }

    /// What the driver says of the kernel.
    pub(super) fn info(&self) -> Result<KernelInfo> {
        let device = self.pool.device;
        // Mesa 22.3 does not ask its compiler, and says 32 of every kernel.
        let group_size = if device.is_mesa() {
            device.info().limits.group_size
        } else {
            self.number(CL_KERNEL_WORK_GROUP_SIZE)?
        };
        Ok(KernelInfo {
            group_size,
            preferred_multiple: self.number(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)?,
            subgroup_size: self.subgroup_size(group_size),
        })
    }

    /// The size of the kernel's sub-groups, where the driver tells: of those of a device that has several, the
    /// compiler has chosen one.
    fn subgroup_size(&self, group_size: usize) -> Option<usize> {
        let device = self.pool.device;
        let sizes = &device.info().subgroup_sizes;
        let [first, .., last] = sizes[..] else {
            return sizes.first().copied();
        };
        let ask = device.api().clGetKernelSubGroupInfo?;
        let mut size = 0usize;
        // SAFETY: a live kernel of this device, one dimension, and room for one `size_t`.
        let code = unsafe {
            ask(
                self.raw().0,
                device.raw().0,
                CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                size_of::<usize>(),
                (&raw const group_size).cast(),
                size_of::<usize>(),
                (&raw mut size).cast(),
                null_mut(),
            )
        };
        // A driver that fails here, or tells what its device has not, does not know.
        (code == CL_SUCCESS && (first..=last).contains(&size)).then_some(size)
    }

    /// One of the kernel's numbers; 1 at least.
    fn number(&self, what: cl_kernel_work_group_info) -> Result<usize> {
        let mut number = 0usize;
        let device = self.pool.device;
        // SAFETY: a live kernel of this device, and room for one `size_t`.
        unsafe {
            call!(
                device,
                clGetKernelWorkGroupInfo(
                    self.raw().0,
                    device.raw().0,
                    what,
                    size_of::<usize>(),
                    (&raw mut number).cast(),
                    null_mut()
                )
            )?;
        }
        Ok(number.max(1))
    }
}

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        for place in &self.pool.kernels {
            let kernel = self.kernel.as_ptr();
            let back = place.compare_exchange(null_mut(), kernel, Ordering::Release, Ordering::Relaxed);
            if back.is_ok() {
                return;
            }
        }
        // SAFETY: a leaked box that is ours alone.
        drop(unsafe { Box::from_raw(self.kernel.as_ptr()) });
    }
}

fn set_argument(device: Device, kernel: Handle, slot: usize, memory: Handle) -> Result<()> {
    // SAFETY: the argument is a live memory object; the driver copies the handle.
    unsafe {
        call!(
            device,
            clSetKernelArg(
                kernel.0,
                slot as u32,
                size_of::<*mut c_void>(),
                (&raw const memory.0).cast()
            )
        )
    }
}

/// A number that no other memory object of the process ever has.
pub(super) fn identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
