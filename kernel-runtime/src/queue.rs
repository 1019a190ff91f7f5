//! A queue: what a device does, in order.

use crate::argument::Call;
use crate::backend::{Backend, Info};
use crate::buffer::Buffer;
use crate::element::DeviceCopy;
use crate::error::{Error, GeometryError, Result};
use crate::event::Event;
use crate::grid::{Request, Shape};
use crate::kernel::Kernel;
use crate::mapped::{Mapped, MappedMut};
use crate::options::QueueOptions;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// A queue of a device: transfers and launches, done in the order in which they were given.
///
/// Launches return before they have run, where the device allows it; `download`, `read` and `synchronize` wait, and
/// report what faulted. A clone is a handle to the same queue.
///
/// A queue is [`Send`] and [`Sync`]: threads may share one, and what each of them gives it runs in the order in which
/// it gave it. A device may have any number of queues, for work that can overlap. Where two of them use one buffer,
/// they order themselves: a use waits, on the device, for the uses that were given before and conflict with it.
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
        Queue::with_options(device, QueueOptions::default())
    }

    /// A new queue of `device` that is as asked.
    ///
    /// # Errors
    ///
    /// If the driver refuses. What the device does not know is ignored.
    pub fn with_options(device: &B::Device, options: QueueOptions) -> Result<Self> {
        B::new_queue(device, &options).map(Queue::from_raw)
    }

    /// A queue over one of the back end's own making, such as a raw handle.
    pub fn from_raw(raw: B::Queue) -> Self {
        Queue { raw: Arc::new(raw) }
    }

    /// The back end's own queue.
    #[doc(hidden)]
    #[inline(always)]
    pub fn raw(&self) -> &B::Queue {
        &self.raw
    }

    /// The queue's device.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// assert_eq!(*Device::host().queue()?.device(), Device::host());
    /// # Ok(())
    /// # }
    /// ```
    pub fn device(&self) -> &B::Device {
        B::device(&self.raw)
    }

    /// What there is to know of the queue's device.
    pub fn info(&self) -> &Info {
        B::info(B::device(&self.raw))
    }

    /// Sends what kernels print on this queue to `hook`, line by line and without the line's end, instead of to the
    /// program's standard output.
    ///
    /// On the host an item's line comes at once; on other devices it comes in the next wait on the queue (`synchronize`,
    /// `download`, `read`, `map`), or when the queue is dropped. The order of items is open. A device has room for some
    /// thousand lines between two waits; how many were lost, the last line says.
    ///
    /// The hook must not launch on the queue or wait for it.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # use std::sync::mpsc;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let (sender, lines) = mpsc::channel();
    /// queue.on_print(move |line| sender.send(line.to_string()).unwrap_or_default());
    /// # drop((queue, lines));
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_print(&self, hook: impl FnMut(&str) + Send + 'static) {
        B::printer(&self.raw).set(hook);
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

    /// A buffer with the content of `data`, which becomes the buffer's memory on the host: no copy is made there, nor by
    /// [`Buffer::into_vec`]. On a device with memory of its own, it is an [`upload`](Queue::upload).
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let mut buffer = queue.adopt(vec![0u32; 1000])?;
    /// queue.fill(&mut buffer, 7)?;
    /// assert_eq!(buffer.into_vec()?, [7; 1000]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`], or the driver's.
    pub fn adopt<T: DeviceCopy>(&self, data: Vec<T>) -> Result<Buffer<T, B>> {
        let len = data.len();
        Ok(Buffer::new(B::adopt(&self.raw, data)?, len))
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
        unsafe { B::fill(&self.raw, &memory, &[MaybeUninit::new(0)], bytes)? };
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
        // SAFETY: the bytes of one element, some of which may be padding.
        let pattern = unsafe { std::slice::from_raw_parts((&raw const value).cast(), size_of::<T>()) };
        // SAFETY: the pattern divides the buffer.
        unsafe { B::fill(&self.raw, buffer.memory(), pattern, buffer.bytes()) }
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

    /// Copies a buffer of `source_queue` to one of this queue, of the same length: also between devices, of whatever
    /// back ends.
    ///
    /// Between buffers of one device this is [`Queue::copy`]. Otherwise the content goes through the program's memory:
    /// the call waits for all that `source_queue` was given, and is done with the source when it returns.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let (here, there) = (Device::best()?.queue()?, Device::host().queue()?);
    /// let source = there.upload(&[1.0f32, 2.0])?;
    /// let mut target = here.zeros(2)?;
    /// here.copy_from(&there, &source, &mut target)?;
    /// assert_eq!(here.download(&target)?, [1.0, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Length`]; [`Error::ForeignTransfer`] if a buffer is not of its queue's device; [`Error::Fault`] if an
    /// earlier launch of `source_queue` faulted: then nothing is copied, and a second call copies. Or the driver's.
    pub fn copy_from<T: DeviceCopy>(
        &self,
        source_queue: &Queue<B>,
        source: &Buffer<T, B>,
        target: &mut Buffer<T, B>,
    ) -> Result<()> {
        // Ids are unique in the process.
        if self.info().id == source_queue.info().id {
            return self.copy(source, target);
        }
        same_length(source.len(), target.len())?;
        self.write(target, &source_queue.map(source)?)
    }

    /// The buffer as a slice of the program's memory, to read in place, once the queue has done all that it was given:
    /// the buffer's own memory on the host and on devices that share it, else a copy that the driver makes.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let buffer = queue.upload(&[1.0f32, 2.0, 3.0])?;
    /// let sum: f32 = queue.map(&buffer)?.iter().sum();
    /// assert_eq!(sum, 6.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Fault`] if an earlier launch faulted; a second call then maps. [`Error::ForeignTransfer`], or the
    /// driver's.
    pub fn map<'b, T: DeviceCopy>(&self, buffer: &'b Buffer<T, B>) -> Result<Mapped<'b, T, B>> {
        Mapped::new(self, buffer)
    }

    /// The buffer as a mutable slice of the program's memory, likewise. What is given to any queue after the guard was
    /// dropped sees what was written.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let mut buffer = queue.upload(&[3u32, 1, 2])?;
    /// queue.map_mut(&mut buffer)?.sort();
    /// assert_eq!(queue.download(&buffer)?, [1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Queue::map`].
    pub fn map_mut<'b, T: DeviceCopy>(&self, buffer: &'b mut Buffer<T, B>) -> Result<MappedMut<'b, T, B>> {
        MappedMut::new(self, buffer)
    }

    /// An event: a marker after all that the queue was given so far. Launches make none, so events cost only where
    /// they are asked for.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let buffer = queue.zeros::<u32>(1000)?;
    /// let zeroed = queue.record()?;
    /// zeroed.synchronize()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn record(&self) -> Result<Event<B>> {
        B::record(&self.raw).map(Event::new)
    }

    /// Makes what the queue is given from now on run after `event`.
    ///
    /// The wait is the device's, and the call returns at once, if the event is of the same device. An event of another
    /// device, of whatever back end, is waited for right here, because no driver can wait for another's.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let (first, second) = (Device::host().queue()?, Device::host().queue()?);
    /// second.wait(&first.record()?)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn wait(&self, event: &Event<B>) -> Result<()> {
        B::wait(&self.raw, event.raw())
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
        let Some(shape) = request.shape(kernel, limits)? else {
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
        if shape.dimensions > kernel.safe_dimensions {
            return Err(GeometryError::TooManyDimensions {
                kernel: kernel.name,
                limit: kernel.safe_dimensions,
                dimensions: shape.dimensions,
            }
            .into());
        }
        if let Some(expected) = kernel.dimensions
            && expected != shape.dimensions.max(1)
        {
            let found = shape.dimensions;
            return Err(GeometryError::Indices { expected, found }.into());
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
