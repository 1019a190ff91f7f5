//! A buffer's memory, as a slice of the program's.

use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::element::DeviceCopy;
use crate::error::Result;
use crate::queue::Queue;
use gridfn_ir::Access;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// A buffer that the program reads in place: a slice, while the guard lives. [`Queue::map`] makes it.
///
/// The buffer is borrowed meanwhile: launches may read it, and none can write it.
///
/// ```compile_fail,E0502
/// # use gridfn_backends::Device;
/// # fn main() -> gridfn_runtime::Result<()> {
/// let queue = Device::host().queue()?;
/// let mut buffer = queue.upload(&[1u32, 2])?;
/// let mapped = queue.map(&buffer)?;
/// queue.fill(&mut buffer, 0)?; // error: the buffer is borrowed by `mapped`
/// assert_eq!(mapped[0], 1);
/// # Ok(())
/// # }
/// ```
///
/// Nor can the guard outlive it:
///
/// ```compile_fail,E0505
/// # use gridfn_backends::Device;
/// # fn main() -> gridfn_runtime::Result<()> {
/// let queue = Device::host().queue()?;
/// let buffer = queue.upload(&[1u32, 2])?;
/// let mapped = queue.map(&buffer)?;
/// let data = buffer.into_vec()?; // error: the buffer is borrowed by `mapped`
/// assert_eq!(mapped[0], 1);
/// # Ok(())
/// # }
/// ```
///
/// A guard is [`Send`] and [`Sync`], as a slice is. One that is forgotten is sound: its buffer is unmapped before the
/// next use that must not see it mapped.
pub struct Mapped<'b, T: DeviceCopy, B: Backend> {
    mapping: Mapping<'b, T, B>,
}

/// A buffer that the program writes in place: a mutable slice, while the guard lives. [`Queue::map_mut`] makes it.
///
/// What the queue is given after the guard was dropped sees what was written. The buffer is borrowed meanwhile:
///
/// ```compile_fail,E0502
/// # use gridfn_backends::Device;
/// # fn main() -> gridfn_runtime::Result<()> {
/// let queue = Device::host().queue()?;
/// let mut buffer = queue.upload(&[1u32, 2])?;
/// let mut mapped = queue.map_mut(&mut buffer)?;
/// queue.download(&buffer)?; // error: the buffer is borrowed by `mapped`
/// mapped[0] = 1;
/// # Ok(())
/// # }
/// ```
///
/// A guard is [`Send`] and [`Sync`], as a slice is. One that is forgotten is sound: its buffer is unmapped before the
/// next use.
pub struct MappedMut<'b, T: DeviceCopy, B: Backend> {
    mapping: Mapping<'b, T, B>,
}

/// What both kinds of guard hold. Each is whole by itself, so guards may be swapped.
struct Mapping<'b, T: DeviceCopy, B: Backend> {
    queue: Queue<B>,
    memory: &'b B::Memory,
    start: NonNull<T>,
    len: usize,
    access: Access,
    ended: bool,
}

impl<'b, T: DeviceCopy, B: Backend> Mapping<'b, T, B> {
    fn new(queue: &Queue<B>, buffer: &'b Buffer<T, B>, access: Access) -> Result<Self> {
        let start = if buffer.bytes() == 0 {
            // There is nothing to map; but a wait it is, and the buffer must be of the queue's device.
            // SAFETY: nothing is read.
            unsafe {
                B::read(
                    queue.raw(),
                    buffer.memory(),
                    NonNull::<T>::dangling().as_ptr().cast(),
                    0,
                )?
            };
            NonNull::dangling()
        } else {
            // SAFETY: the memory is as large, and the guard borrows the buffer as `access` says.
            unsafe { B::map(queue.raw(), buffer.memory(), buffer.bytes(), access)? }.cast()
        };
        debug_assert!(start.is_aligned());
        Ok(Mapping {
            queue: queue.clone(),
            memory: buffer.memory(),
            start,
            len: buffer.len(),
            access,
            ended: buffer.bytes() == 0,
        })
    }

    fn end(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        // SAFETY: mapped by `new` on this queue with this access, and ended once.
        unsafe { B::unmap(self.queue.raw(), self.memory, self.start.cast(), self.access) }
    }
}

impl<T: DeviceCopy, B: Backend> Drop for Mapping<'_, T, B> {
    fn drop(&mut self) {
        // Who wants to know calls `unmap`.
        let _ = self.end();
    }
}

// SAFETY: a guard is a reference to elements that are `Send` and `Sync`, and to what a back end shares anyway; that a
// pointer stands for the reference changes nothing.
unsafe impl<T: DeviceCopy, B: Backend> Send for Mapping<'_, T, B> {}
// SAFETY: as above.
unsafe impl<T: DeviceCopy, B: Backend> Sync for Mapping<'_, T, B> {}

impl<'b, T: DeviceCopy, B: Backend> Mapped<'b, T, B> {
    pub(crate) fn new(queue: &Queue<B>, buffer: &'b Buffer<T, B>) -> Result<Self> {
        Ok(Mapped {
            mapping: Mapping::new(queue, buffer, Access::Shared)?,
        })
    }

    /// Ends the guard as a drop does, and tells how that went.
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn unmap(mut self) -> Result<()> {
        self.mapping.end()
    }
}

impl<'b, T: DeviceCopy, B: Backend> MappedMut<'b, T, B> {
    pub(crate) fn new(queue: &Queue<B>, buffer: &'b mut Buffer<T, B>) -> Result<Self> {
        Ok(MappedMut {
            mapping: Mapping::new(queue, buffer, Access::Unique)?,
        })
    }

    /// Ends the guard as a drop does, and tells how that went: whether the device gets what was written.
    ///
    /// # Errors
    ///
    /// The driver's.
    pub fn unmap(mut self) -> Result<()> {
        self.mapping.end()
    }
}

impl<T: DeviceCopy, B: Backend> Deref for Mapped<'_, T, B> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: the buffer is mapped while the guard lives, all its elements are valid, and nobody writes it.
        unsafe { std::slice::from_raw_parts(self.mapping.start.as_ptr(), self.mapping.len) }
    }
}

impl<T: DeviceCopy, B: Backend> Deref for MappedMut<'_, T, B> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: as for `Mapped`.
        unsafe { std::slice::from_raw_parts(self.mapping.start.as_ptr(), self.mapping.len) }
    }
}

impl<T: DeviceCopy, B: Backend> DerefMut for MappedMut<'_, T, B> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the buffer is mapped for writing while the guard lives, and borrowed by it alone.
        unsafe { std::slice::from_raw_parts_mut(self.mapping.start.as_ptr(), self.mapping.len) }
    }
}

impl<T: DeviceCopy + fmt::Debug, B: Backend> fmt::Debug for Mapped<'_, T, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: DeviceCopy + fmt::Debug, B: Backend> fmt::Debug for MappedMut<'_, T, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
