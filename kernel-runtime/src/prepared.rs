//! A kernel that has been compiled for a queue's device.

use crate::argument::Call;
use crate::backend::{Backend, KernelInfo, Limits};
use crate::error::Result;
use crate::grid::Request;
use crate::kernel::Kernel;
use crate::queue::Queue;
use std::marker::PhantomData;

/// A kernel `K`, compiled for the device of a queue. It stands in the queue's place in `launch!`, and is
/// [`Send`] and [`Sync`].
pub struct Prepared<K, B: Backend> {
    queue: Queue<B>,
    kernel: &'static Kernel,
    info: KernelInfo,
    limits: Limits,
    of: PhantomData<fn() -> K>,
}

impl<K, B: Backend> Prepared<K, B> {
    /// Compiles `kernel`; the generated `prepare` calls it.
    #[doc(hidden)]
    pub fn new(queue: &Queue<B>, kernel: &'static Kernel) -> Result<Self> {
        let info = B::prepare(queue.raw(), kernel)?;
        let group_size = queue.info().limits.group_size.min(info.group_size);
        let limits = Limits {
            group_size,
            local_size: queue.info().limits.local_size.map(|n| n.min(group_size)),
            ..queue.info().limits
        };
        Ok(Prepared {
            queue: queue.clone(),
            kernel,
            info,
            limits,
            of: PhantomData,
        })
    }

    /// The most items that a work-group of this kernel can have.
    ///
    /// ```
    /// # use gridfn_backends::Prepared;
    /// fn groups<K>(kernel: &Prepared<K>, items: usize) -> usize {
    ///     let local = kernel.recommended_group_size(items);
    ///     assert!(local <= kernel.max_group_size());
    ///     items.div_ceil(local)
    /// }
    /// ```
    pub fn max_group_size(&self) -> usize {
        self.limits.group_size
    }

    /// The most items that a work-group of this kernel can have in each dimension; in all dimensions together they are
    /// no more than [`Prepared::max_group_size`].
    pub fn max_local_size(&self) -> [usize; 3] {
        self.limits.local_size
    }

    /// The most work-groups that a grid can have in each dimension.
    pub fn max_num_groups(&self) -> [usize; 3] {
        self.limits.num_groups
    }

    /// The number of items in a sub-group of this kernel; `None` where the device has none, or does not tell.
    pub fn subgroup_size(&self) -> Option<usize> {
        self.info.subgroup_size
    }

    /// The number of compute units of the queue's device; on the host, of threads.
    pub fn compute_units(&self) -> usize {
        self.queue.info().compute_units
    }

    /// A good size of work-groups for a grid of `items` in one dimension, whatever their number: a multiple of what the
    /// device prefers, and never more than a launch may have. Where the kernel fixes the size of its work-groups, that.
    pub fn recommended_group_size(&self, items: usize) -> usize {
        if let Some(fixed) = self.kernel.body.local {
            return fixed.size.iter().product();
        }
        let room = self.limits.group_size.min(self.limits.local_size[0]);
        let multiple = self.info.preferred_multiple.clamp(1, room);
        let most = (room.min(256) / multiple).max(1) * multiple;
        items.clamp(1, most).next_multiple_of(multiple)
    }

    /// The queue.
    pub fn queue(&self) -> &Queue<B> {
        &self.queue
    }

    /// One launch; `launch!` calls it.
    #[doc(hidden)]
    #[inline]
    pub fn __launch<C: Call<B, Kernel = K>>(&self, request: Request, call: C) -> Result<()> {
        let kernel = call.kernel();
        let Some(shape) = request.shape(kernel, &self.limits)? else {
            return Ok(());
        };
        self.queue.launch_shaped(kernel, &shape, call)
    }
}

impl<K, B: Backend> std::fmt::Debug for Prepared<K, B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({}, {:?})", self.kernel.name, self.queue)
    }
}
