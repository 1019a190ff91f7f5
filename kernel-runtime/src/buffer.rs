//! A buffer: typed memory of a device.

use crate::backend::Backend;
use crate::element::{DeviceCopy, MAX_ALIGN};
use crate::error::Result;
use std::marker::PhantomData;

/// `len` elements of `T` in the memory of a device.
///
/// It may be dropped at any time: what a launch in flight uses stays until the launch is done. OpenCL promises that for
/// its memory objects (section 5.5.1 of its specification, `clReleaseMemObject`), and on the host a launch is done when
/// it returns; so no list of dropped memory is kept anywhere. It is [`Send`] and [`Sync`].
pub struct Buffer<T, B: Backend> {
    memory: B::Memory,
    len: usize,
    element: PhantomData<T>,
}

impl<T, B: Backend> Buffer<T, B> {
    /// A buffer over memory of `len` elements, all of them valid values once the queue has come so far.
    pub(crate) fn new(memory: B::Memory, len: usize) -> Self {
        const {
            assert!(
                align_of::<T>() <= MAX_ALIGN,
                "elements of buffers are aligned to 64 at most"
            )
        };
        Buffer {
            memory,
            len,
            element: PhantomData,
        }
    }

    /// A buffer over memory of the back end's own making, such as a raw handle.
    ///
    /// # Safety
    ///
    /// The memory has `len` elements, all of them valid values once the queues that use it have come so far.
    pub unsafe fn from_memory(memory: B::Memory, len: usize) -> Self {
        Buffer::new(memory, len)
    }

    /// The content as a vector, once all uses of the buffer are done.
    ///
    /// On the host this is no copy if [`Queue::adopt`](crate::Queue::adopt) made the buffer of a vector; everywhere
    /// else it is one transfer, and no queue need be at hand. It waits for this buffer's uses alone and tells no
    /// faults: those are told by the next wait on their queue.
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let queue = Device::host().queue()?;
    /// let data = vec![1.0f32, 2.0, 3.0];
    /// let address = data.as_ptr();
    /// let buffer = queue.adopt(data)?;
    /// let data = buffer.into_vec()?;
    /// assert_eq!((data.as_ptr(), &data[..]), (address, &[1.0, 2.0, 3.0][..]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The driver's; the buffer is gone then.
    pub fn into_vec(self) -> Result<Vec<T>>
    where
        T: DeviceCopy,
    {
        // SAFETY: a buffer's elements are valid once its uses are done.
        unsafe { B::into_vec(self.memory, self.len) }
    }

    /// The back end's memory.
    #[doc(hidden)]
    #[inline(always)]
    pub fn memory(&self) -> &B::Memory {
        &self.memory
    }

    /// The number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all elements.
    #[inline(always)]
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

impl<T, B: Backend> std::fmt::Debug for Buffer<T, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer<{}>({} elements)", std::any::type_name::<T>(), self.len)
    }
}
