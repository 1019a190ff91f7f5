//! A queue: what a device does, in order.

use crate::argument::Call;
use crate::backend::{Backend, Info};
use crate::buffer::Buffer;
use crate::element::DeviceCopy;
use crate::error::{Error, GeometryError, Result};
use crate::grid::{Request, Shape};
use crate::kernel::Kernel;
use std::sync::Arc;

/// A queue of a device: transfers and launches, done in the order in which they were given.
///
/// Launches return before they have run, where the device allows it; `download`, `read` and `synchronize` wait, and
/// report what faulted. A clone is a handle to the same queue.
pub struct Queue<B: Backend> {
    raw: Arc<B::Queue>,
}

impl<B: Backend> Clone for Queue<B> {
    fn clone(&self) -> Self {
        Queue {
            raw: self.raw.clone(),
        }
    }
}

impl<B: Backend> std::fmt::Debug for Queue<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Queue({})", self.info().id)
    }
}

impl<B: Backend> Queue<B> {
    /// A new queue of `device`.
    ///
    /// # Errors
    ///
    /// If the driver refuses.
    pub fn new(device: &B::Device) -> Result<Self> {
        Ok(Queue {
            raw: Arc::new(B::new_queue(device)?),
        })
    }

    /// The back end's own queue.
    #[doc(hidden)]
    #[inline(always)]
    pub fn raw(&self) -> &B::Queue {
        &self.raw
    }

    /// What there is to know of the queue's device.
    pub fn info(&self) -> &Info {
        B::info(B::device(&self.raw))
    }

    /// A buffer with the content of `data`.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or the driver's.
    pub fn upload<T: DeviceCopy>(&self, data: &[T]) -> Result<Buffer<T, B>> {
        let memory = B::allocate(&self.raw, size_of_val(data))?;
        // SAFETY: the memory is as large as the slice, which is readable.
        unsafe { B::write(&self.raw, &memory, data.as_ptr().cast(), size_of_val(data))? };
        Ok(Buffer::new(memory, data.len()))
    }

    /// A buffer of `len` zeros.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or the driver's.
    pub fn zeros<T: DeviceCopy + bytemuck::Zeroable>(&self, len: usize) -> Result<Buffer<T, B>> {
        let bytes = self.bytes_of::<T>(len)?;
        let memory = B::allocate(&self.raw, bytes)?;
        // SAFETY: the memory is as large; one byte divides everything.
        unsafe { B::fill(&self.raw, &memory, &[0], bytes)? };
        Ok(Buffer::new(memory, len))
    }

    /// The content of a buffer, once the queue has done all that it was given.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`] if an earlier launch faulted; a second call then gives the content. Or the driver's.
    pub fn download<T: DeviceCopy>(&self, buffer: &Buffer<T, B>) -> Result<Vec<T>> {
        let mut data = Vec::<T>::with_capacity(buffer.len());
        // SAFETY: there is room for all elements, each a valid value once the read has succeeded.
        unsafe {
            B::read(
                &self.raw,
                buffer.memory(),
                data.as_mut_ptr().cast(),
                buffer.bytes(),
            )?;
            data.set_len(buffer.len());
        }
        Ok(data)
    }

    /// Copies `data` into a buffer of the same length.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], or the driver's.
    pub fn write<T: DeviceCopy>(&self, buffer: &mut Buffer<T, B>, data: &[T]) -> Result<()> {
        same_length(buffer.len(), data.len())?;
        // SAFETY: the lengths are equal.
        unsafe {
            B::write(
                &self.raw,
                buffer.memory(),
                data.as_ptr().cast(),
                size_of_val(data),
            )
        }
    }

    /// Copies a buffer to `data`, of the same length, once the queue has done all that it was given. Allocates
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Length`]; [`Error::Fault`] if an earlier launch faulted (the copy has been made); or the driver's.
    pub fn read<T: DeviceCopy>(&self, buffer: &Buffer<T, B>, data: &mut [T]) -> Result<()> {
        same_length(buffer.len(), data.len())?;
        // SAFETY: the lengths are equal.
        unsafe {
            B::read(
                &self.raw,
                buffer.memory(),
                data.as_mut_ptr().cast(),
                buffer.bytes(),
            )
        }
    }

    /// Sets every element of a buffer to `value`.
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn fill<T: DeviceCopy>(&self, buffer: &mut Buffer<T, B>, value: T) -> Result<()> {
        // SAFETY: the pattern is the bytes of one element, a scalar without padding, and divides the buffer.
        unsafe {
            let pattern = std::slice::from_raw_parts((&raw const value).cast::<u8>(), size_of::<T>());
            B::fill(&self.raw, buffer.memory(), pattern, buffer.bytes())
        }
    }

    /// Copies a buffer to another of the same length and device.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::ForeignTransfer`], or the driver's.
    pub fn copy<T: DeviceCopy>(&self, source: &Buffer<T, B>, target: &mut Buffer<T, B>) -> Result<()> {
        same_length(source.len(), target.len())?;
        // SAFETY: the lengths are equal, and a `&mut` is never the other `&`.
        unsafe { B::copy(&self.raw, source.memory(), target.memory(), source.bytes()) }
    }

    /// Waits until the queue has done all that it was given.
    ///
    /// # Errors
    ///
    /// [`Error::Fault`], once, if a launch since the last wait faulted; or the driver's.
    pub fn synchronize(&self) -> Result<()> {
        B::synchronize(&self.raw)
    }

    fn bytes_of<T>(&self, len: usize) -> Result<usize> {
        len.checked_mul(size_of::<T>())
            .filter(|n| *n <= isize::MAX as usize)
            .ok_or_else(|| Error::OutOfMemory {
                device: self.info().id.clone(),
                bytes: usize::MAX,
            })
    }

    /// One launch; `launch!` calls it.
    #[doc(hidden)]
    #[inline]
    pub fn __launch<C: Call<B>>(&self, request: Request, call: C) -> Result<()> {
        let kernel = call.kernel();
        let limits = &self.info().limits;
        let Some(shape) = request.shape(limits)? else {
            return Ok(());
        };
        self.launch_shaped(kernel, &shape, call)
    }

    #[inline]
    pub(crate) fn launch_shaped<C: Call<B>>(
        &self,
        kernel: &'static Kernel,
        shape: &Shape,
        call: C,
    ) -> Result<()> {
        if kernel.one_dimensional && shape.dimensions > 1 {
            let dimensions = shape.dimensions;
            return Err(GeometryError::NotOneDimensional {
                kernel: kernel.name,
                dimensions,
            }
            .into());
        }
        // SAFETY: the call is of its own kernel, whose builder fixed the arguments' types.
        unsafe { B::launch(&self.raw, kernel, shape, call) }
    }
}

fn same_length(expected: usize, found: usize) -> Result<()> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Length { expected, found })
    }
}
