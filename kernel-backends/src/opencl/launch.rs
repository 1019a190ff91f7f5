//! One launch: arguments into a `cl_kernel`, and the kernel into the queue. Nothing here allocates.

use super::OpenCl;
use super::api::enqueue;
use super::compile::{Compiled, compiled};
use super::memory::Memory;
use super::pool::Taken;
use super::print;
use super::queue::Queue;
use crate::block::{Block, Room};
use gridfn_ir::{Access, Type, layout};
use gridfn_runtime::{Error, Fill, GeometryError, Kernel, Limits, Result, Shape, Slots, leaves};
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null, null_mut};

/// Queues one launch.
///
/// # Safety
///
/// As [`gridfn_runtime::Backend::launch`].
#[inline]
pub(super) unsafe fn launch<F: Fill<OpenCl>>(
    queue: &Queue,
    kernel: &'static Kernel,
    shape: &Shape,
    call: F,
) -> Result<()> {
    let compiled = compiled(queue.device(), kernel)?;
    let local = work_group(shape, compiled.info().group_size, &queue.device().info().limits)?;
    let mut room = Room::zeroed(compiled.program().block());
    let mut arguments = Arguments {
        queue,
        kernel,
        compiled,
        taken: compiled.program().take()?,
        block: Block::new(&mut room),
        uses: [const { MaybeUninit::uninit() }; MOST_BUFFERS],
        buffers: 0,
        print_buffers: 0,
        parameters: 0,
    };
    arguments.block.header(shape, compiled.tag().unwrap_or(0));
    call.fill(&mut arguments)?;
    if let Some(tag) = compiled.prints() {
        arguments.print_buffer(tag)?;
    }
    // SAFETY: the caller's promise; the memory that the call named outlives it.
    unsafe { arguments.enqueue(shape, local) }
}

/// How many lengths fit into the parameter block.
const MOST_BUFFERS: usize = (Block::LIMIT - layout::PARAMS) / size_of::<u64>();

/// The arguments of one launch, on their way into a `cl_kernel`.
struct Arguments<'a> {
    queue: &'a Queue,
    kernel: &'static Kernel,
    compiled: &'static Compiled,
    taken: Taken<'static>,
    block: Block<'a>,
    /// What the launch uses, to be noted once it is enqueued.
    uses: [MaybeUninit<(NonNull<Memory>, Access)>; MOST_BUFFERS],
    buffers: usize,
    /// 1 if the kernel prints.
    print_buffers: usize,
    parameters: usize,
}

impl Slots<OpenCl> for Arguments<'_> {
    #[inline(always)]
    fn scalar<T>(&mut self, value: T) {
        self.parameters += 1;
        self.block.put(value);
    }

    unsafe fn aggregate<T: Copy>(&mut self, ty: &'static Type, value: T) {
        // SAFETY: the caller's promise.
        unsafe {
            leaves::walk(ty, (&raw const value).cast(), &mut |leaf| {
                self.parameters += 1;
                self.block.put_leaf(leaf);
            })
        }
    }

    #[inline]
    fn buffer(&mut self, memory: &Memory, len: usize, access: Access) -> Result<()> {
        if !memory.is_of(self.queue.device()) {
            return Err(self.foreign(memory));
        }
        self.queue.before(memory, access)?;
        self.parameters += 1;
        self.block.put(len as u64);
        if let Some(place) = self.uses.get_mut(self.buffers) {
            place.write((NonNull::from(memory), access));
            self.buffers += 1;
            self.taken
                .set_memory(self.buffers, memory.raw(), memory.identity())?;
        }
        Ok(())
    }
}

impl Arguments<'_> {
    /// Puts the queue's print buffer and the kernel's number there, for a kernel that prints.
    #[cold]
    fn print_buffer(&mut self, tag: u32) -> Result<()> {
        let (buffer, identity) = self.queue.prints().buffer()?;
        self.print_buffers = 1;
        self.block.put(print::WORDS as u64);
        self.taken.set_memory(self.buffers + 1, buffer, identity)?;
        self.block.put(tag);
        Ok(())
    }

    /// # Safety
    ///
    /// All arguments of the kernel were put, and the buffers among them still live.
    unsafe fn enqueue(&mut self, shape: &Shape, local: [usize; 3]) -> Result<()> {
        let (queue, device) = (self.queue, self.queue.device());
        self.block.check(self.kernel, device.id())?;
        if self.block.size() != self.compiled.program().block() {
            return Err(self.contradiction());
        }
        // SAFETY: the block was checked, and the room zeroed as far as it goes.
        self.taken.set_block(unsafe { self.block.bytes() })?;
        // The driver takes whole groups only; the kernel masks the items outside the exact size.
        let global: [usize; 3] = std::array::from_fn(|d| shape.size[d].next_multiple_of(local[d]));
        let raw = self.taken.raw();
        let enqueue = || {
            // SAFETY: every argument is set; sizes and group have as many dimensions as said.
            unsafe {
                enqueue!(
                    device,
                    clEnqueueNDRangeKernel(
                        queue.raw().0,
                        raw.0,
                        shape.dimensions.max(1) as u32,
                        null(),
                        global.as_ptr(),
                        local.as_ptr(),
                        0,
                        null(),
                        null_mut()
                    )
                )
            }
        };
        let can_fault = self.compiled.tag().is_some();
        if can_fault {
            let (record, identity) = queue.faults().record();
            let slot = self.buffers + self.print_buffers + 1;
            self.taken.set_memory(slot, record, identity)?;
        }
        let enqueue = || {
            if can_fault {
                queue.faults().launch(enqueue)
            } else {
                enqueue()
            }
        };
        if self.print_buffers > 0 {
            queue.prints().launch(enqueue)?;
        } else {
            enqueue()?;
        }
        let now = queue.stamp();
        for used in &self.uses[..self.buffers] {
            // SAFETY: written by `buffer`, and live by the caller's promise.
            let (memory, access) = unsafe {
                let (memory, access) = used.assume_init_ref();
                (memory.as_ref(), *access)
            };
            queue.note(memory.uses(), access, now)?;
        }
        queue.start()
    }

    /// A call that is not of its kernel.
    #[cold]
    fn contradiction(&self) -> Error {
        Error::Code {
            kernel: self.kernel.name.into(),
            target: self.queue.device().id().into(),
            reason: "the call wrote another parameter block than the kernel takes; this is a bug in gridfn, please report \
                     it"
                .into(),
        }
    }

    #[cold]
    fn foreign(&self, memory: &Memory) -> Error {
        Error::ForeignBuffer {
            kernel: self.kernel.name.into(),
            parameter: self.kernel.parameter(self.parameters),
            buffer_device: memory.info().id.clone(),
            queue_device: self.queue.device().id().into(),
        }
    }
}

/// Items of a work-group where the user does not say.
const GROUP: usize = 256;

/// The size of a work-group: the user's, or one that depends on little, because PoCL compiles a kernel once more
/// for every size that it meets.
#[inline]
fn work_group(shape: &Shape, most: usize, limits: &Limits) -> Result<[usize; 3]> {
    if let Some(local) = shape.local {
        let asked = local.iter().product();
        if asked > most {
            return Err(GeometryError::GroupTooLarge { asked, limit: most }.into());
        }
        return Ok(local);
    }
    let mut room = GROUP.min(most);
    let mut local = [1; 3];
    for (d, local) in local.iter_mut().enumerate().take(shape.dimensions) {
        // A row of one dimension gets whole groups; in more, a short row leaves room for its neighbours.
        let wanted = if shape.dimensions == 1 {
            room
        } else {
            shape.size[d].min(room).next_power_of_two()
        };
        *local = wanted.min(room).min(limits.local_size[d]).max(1);
        room /= *local;
    }
    Ok(local)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        group_size: 1024,
        local_size: [1024, 1024, 64],
        num_groups: [isize::MAX as usize; 3],
        local_memory: 1 << 15,
    };

    fn shape(size: [usize; 3], dimensions: usize) -> Shape {
        Shape {
            size,
            offset: [0; 3],
            dimensions,
            local: None,
        }
    }

    #[test]
    fn a_group_is_never_empty_and_never_over_the_limits() {
        for most in [1, 2, 3, 7, 64, 100, 4096] {
            for size in [[1, 1, 1], [5, 1, 1], [1, 1000, 1], [3, 5, 7], [1, 1, 1 << 40]] {
                for dimensions in 0..=3 {
                    let local = work_group(&shape(size, dimensions), most, &LIMITS).unwrap();
                    let items: usize = local.iter().product();
                    assert!((1..=most).contains(&items), "{local:?} of {most}");
                    assert!(local.iter().zip(LIMITS.local_size).all(|(n, limit)| *n <= limit));
                }
            }
        }
    }

    #[test]
    fn one_dimension_has_one_group_size() {
        for n in [1, 10, 1000, 1 << 30] {
            assert_eq!(work_group(&shape([n, 1, 1], 1), 4096, &LIMITS), Ok([GROUP, 1, 1]));
        }
    }

    #[test]
    fn a_short_row_leaves_room_for_its_neighbours() {
        assert_eq!(work_group(&shape([5, 100, 1], 2), 256, &LIMITS), Ok([8, 32, 1]));
        assert_eq!(
            work_group(&shape([1000, 1000, 1], 2), 256, &LIMITS),
            Ok([256, 1, 1])
        );
    }

    #[test]
    fn the_users_group_is_taken_or_refused() {
        let mut shape = shape([10, 10, 1], 2);
        shape.local = Some([3, 5, 1]);
        assert_eq!(work_group(&shape, 15, &LIMITS), Ok([3, 5, 1]));
        assert_eq!(
            work_group(&shape, 14, &LIMITS),
            Err(GeometryError::GroupTooLarge { asked: 15, limit: 14 }.into())
        );
    }
}
