//! The contract between the runtime and a back end.

use crate::argument::Fill;
use crate::element::DeviceCopy;
use crate::error::Result;
use crate::grid::Shape;
use crate::kernel::Kernel;
use crate::options::QueueOptions;
use crate::print::Printer;
use gridfn_ir::Access;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// A back end: how one kind of device holds memory, keeps a queue and launches kernels.
///
/// # Contract
///
/// * A queue runs what it is given in order. `read` and `synchronize` wait for all of it; then they report, once,
///   the faults of the launches before them as [`crate::Error::Fault`], and the queue stays usable.
/// * `launch` gets a valid [`Shape`] and a call whose types the compiler has checked. It runs every item of the
///   shape exactly once and no other.
/// * Memory may be dropped while launches that use it are in flight: the back end keeps it until they are done.
/// * Two queues of one device may share memory: a use waits, on the device, for what the other queue was given
///   before and that conflicts with it ([`crate::order`]).
/// * Memory is aligned to 64 where [`Backend::allocate`] made it, and to the element's type where
///   [`Backend::adopt`] took it over from the program. No code may rely on more.
/// * An event is made only by [`Backend::record`], none by a launch; to drop one changes nothing.
/// * A mapping may be forgotten without an [`Backend::unmap`]. Then nobody reads or writes through it any more, and
///   the back end ends it before the next use of the memory that conflicts with it.
/// * No lock is held while a kernel runs or a driver compiles, but that of the one entry which is compiled
///   ([`crate::cache`]).
/// * Lines that kernels print go to the queue's [`Printer`], whole and in any order: at once, or in the next wait, and then
///   before faults are told. The last ones are printed when the queue is dropped.
/// * From its second launch on, a kernel's `launch` allocates nothing.
///
/// # Safety
///
/// Safe code relies on the contract: memory is as large as asked, stays valid until it is dropped and its uses are
/// done, and is touched only by the transfers and launches that name it.
pub unsafe trait Backend: Sized + 'static {
    /// A device, cheap to clone.
    type Device: Clone + Send + Sync + std::fmt::Debug;
    /// A queue's state.
    type Queue: Send + Sync;
    /// The memory of one buffer.
    type Memory: Send + Sync;
    /// A point in a queue's order, which may outlive the queue.
    type Event: Send + Sync;

    /// What there is to know of a device.
    fn info(device: &Self::Device) -> &Info;

    /// A new queue of `device`. Options that the device does not know are ignored, and [`Info`] says so.
    ///
    /// # Errors
    ///
    /// If the driver refuses.
    fn new_queue(device: &Self::Device, options: &QueueOptions) -> Result<Self::Queue>;

    /// Where the lines go that kernels print on the queue.
    fn printer(queue: &Self::Queue) -> &Printer;

    /// The device of a queue.
    fn device(queue: &Self::Queue) -> &Self::Device;

    /// Memory of `bytes` bytes with unspecified content, aligned to 64 at least. `bytes` may be 0.
    ///
    /// # Errors
    ///
    /// If there is no room.
    fn allocate(queue: &Self::Queue, bytes: usize) -> Result<Self::Memory>;

    /// Memory with the elements of `data`: the vector's own allocation where the device can use it, else a copy.
    ///
    /// # Errors
    ///
    /// If there is no room, or the driver refuses.
    fn adopt<T: DeviceCopy>(queue: &Self::Queue, data: Vec<T>) -> Result<Self::Memory> {
        let bytes = size_of_val(&data[..]);
        let memory = Self::allocate(queue, bytes)?;
        // SAFETY: the memory is as large as the vector's content, which is readable.
        unsafe { Self::write(queue, &memory, data.as_ptr().cast(), bytes)? };
        Ok(memory)
    }

    /// The first `len` elements of memory that nobody else uses, once all its uses are done: the memory itself where
    /// it is a vector's, else a copy. It tells no faults.
    ///
    /// # Errors
    ///
    /// The driver's.
    ///
    /// # Safety
    ///
    /// The memory holds as many valid elements once its uses are done.
    unsafe fn into_vec<T: DeviceCopy>(memory: Self::Memory, len: usize) -> Result<Vec<T>>;

    /// Queues a copy of `bytes` bytes from `source` to the start of `memory`. The source is not needed after the
    /// return.
    ///
    /// # Errors
    ///
    /// If the memory belongs to another device, or the driver refuses.
    ///
    /// # Safety
    ///
    /// `source` is readable and `memory` is as large.
    unsafe fn write(
        queue: &Self::Queue,
        memory: &Self::Memory,
        source: *const u8,
        bytes: usize,
    ) -> Result<()>;

    /// Waits for the queue and copies `bytes` bytes from the start of `memory` to `target`. On an error of the
    /// transfer the target is unspecified; with [`crate::Error::Fault`] the copy has been made.
    ///
    /// # Errors
    ///
    /// As `write`; and the faults of earlier launches.
    ///
    /// # Safety
    ///
    /// `target` is writable and `memory` is as large.
    unsafe fn read(queue: &Self::Queue, memory: &Self::Memory, target: *mut u8, bytes: usize) -> Result<()>;

    /// Queues filling the first `bytes` bytes of `memory` with `pattern`, of whatever length, which divides them. Some of its
    /// bytes may be padding. It is empty only if `bytes` is 0.
    ///
    /// # Errors
    ///
    /// As `write`.
    ///
    /// # Safety
    ///
    /// `memory` is as large.
    unsafe fn fill(
        queue: &Self::Queue,
        memory: &Self::Memory,
        pattern: &[MaybeUninit<u8>],
        bytes: usize,
    ) -> Result<()>;

    /// Queues a copy of `bytes` bytes between two memories of the device.
    ///
    /// # Errors
    ///
    /// As `write`.
    ///
    /// # Safety
    ///
    /// Both are as large, and they are not the same memory.
    unsafe fn copy(
        queue: &Self::Queue,
        source: &Self::Memory,
        target: &Self::Memory,
        bytes: usize,
    ) -> Result<()>;

    /// Waits for the queue and gives the program the first `bytes` bytes of `memory`, which are not none, in its own
    /// address space, aligned to any element: to read, and with [`Access::Unique`] to write. Ended by
    /// [`Backend::unmap`], or forgotten.
    ///
    /// # Errors
    ///
    /// As `read`; then nothing is mapped.
    ///
    /// # Safety
    ///
    /// `memory` is as large. While it is mapped and the mapping not forgotten, nothing writes it, and with
    /// [`Access::Unique`] nothing else uses it.
    unsafe fn map(
        queue: &Self::Queue,
        memory: &Self::Memory,
        bytes: usize,
        access: Access,
    ) -> Result<NonNull<u8>>;

    /// Queues the end of a mapping: what the queue is given afterwards sees what was written.
    ///
    /// # Errors
    ///
    /// The driver's.
    ///
    /// # Safety
    ///
    /// `start` is from a `map` of this queue, memory and access, which has not ended, and is not used any more.
    unsafe fn unmap(
        queue: &Self::Queue,
        memory: &Self::Memory,
        start: NonNull<u8>,
        access: Access,
    ) -> Result<()>;

    /// Waits until the queue has done all that it was given.
    ///
    /// # Errors
    ///
    /// The faults of earlier launches; or the driver's.
    fn synchronize(queue: &Self::Queue) -> Result<()>;

    /// An event after all that the queue was given so far. Nothing more need be done for it to come: the back end has
    /// let the driver start the work.
    ///
    /// # Errors
    ///
    /// If the driver refuses.
    fn record(queue: &Self::Queue) -> Result<Self::Event>;

    /// Makes what the queue is given from now on run after `event`, which may be of any queue of any device of the
    /// back end. It waits on the device where the device can, else right here.
    ///
    /// # Errors
    ///
    /// The driver's.
    fn wait(queue: &Self::Queue, event: &Self::Event) -> Result<()>;

    /// Whether the event is done.
    ///
    /// # Errors
    ///
    /// The driver's, also if the work could not be done.
    fn is_done(event: &Self::Event) -> Result<bool>;

    /// Waits for the event. It tells no faults.
    ///
    /// # Errors
    ///
    /// As `is_done`.
    fn finish(event: &Self::Event) -> Result<()>;

    /// Calls `then` once, when the event is done or has failed: at once or later, on this thread or another. It does
    /// not wait, and whether the event still lives then does not matter.
    ///
    /// # Errors
    ///
    /// If the driver refuses; then `then` is never called.
    fn when_done(event: &Self::Event, then: impl FnOnce(Result<()>) + Send + 'static) -> Result<()>;

    /// Compiles `kernel` for the queue's device, so that launches find it ready. Tells the largest work-group that
    /// the kernel can run with there.
    ///
    /// # Errors
    ///
    /// If the device lacks a capability, or a compiler refuses.
    fn prepare(queue: &Self::Queue, kernel: &'static Kernel) -> Result<KernelInfo>;

    /// Queues one launch: the call writes its arguments into the back end's slots.
    ///
    /// # Errors
    ///
    /// If an argument belongs to another device, the kernel cannot be compiled, or the driver refuses. Then nothing
    /// runs.
    ///
    /// # Safety
    ///
    /// The call is of `kernel`, and its arguments are those of the kernel's parameters, in order. The memory that it
    /// names lives until `launch` returns.
    unsafe fn launch<F: Fill<Self>>(
        queue: &Self::Queue,
        kernel: &'static Kernel,
        shape: &Shape,
        call: F,
    ) -> Result<()>;
}

/// What a kernel may need and a device may lack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Capability {
    /// 64-bit floats.
    Float64,
    /// Atomic operations on 64 bits.
    AtomicInt64,
    /// Sub-groups whose items exchange values.
    Subgroups,
}

impl std::fmt::Display for Capability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Capability::Float64 => "64-bit floats (`f64`)",
            Capability::AtomicInt64 => "atomic operations on 64 bits (`AtomicU64` and kin)",
            Capability::Subgroups => "sub-groups (`gridfn::subgroup`)",
        })
    }
}

/// What a device is and can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// How `Device::select` names it, unique in the process: `host`, `opencl:0`, ….
    pub id: String,
    /// The device's own name.
    pub name: String,
    /// Who made it, and the driver.
    pub vendor: String,
    /// The driver's version.
    pub version: String,
    /// GPU, CPU or else.
    pub kind: DeviceKind,
    /// The form in which it takes kernels, for people: `native`, `SPIR-V`, `OpenCL C`.
    pub code: &'static str,
    /// Compute units; on the host, threads.
    pub compute_units: usize,
    /// Bytes of memory that buffers can take.
    pub memory: u64,
    /// What launches must keep to.
    pub limits: Limits,
    /// The sizes that its sub-groups can have, in ascending order. Empty where it has none, or does not tell.
    pub subgroup_sizes: Vec<usize>,
    /// Whether its queues can have a [`crate::Priority`].
    pub priorities: bool,
    /// What it can do.
    pub capabilities: Vec<Capability>,
}

impl Info {
    /// Whether the device has `capability`.
    pub fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }
}

/// What kind of device it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DeviceKind {
    /// The CPU that the program runs on, by the program's own threads.
    Host,
    /// A CPU behind a driver.
    Cpu,
    /// A GPU.
    Gpu,
    /// Something else behind a driver.
    Accelerator,
    /// No device: launches do everything but run.
    Null,
}

/// The largest work-group, and how many there can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Items in a group.
    pub group_size: usize,
    /// Items in each dimension of a group.
    pub local_size: [usize; 3],
    /// Groups in each dimension of a grid.
    pub num_groups: [usize; 3],
    /// Bytes of local memory for a group.
    pub local_memory: usize,
}

/// What a back end knows of a compiled kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelInfo {
    /// The most items that a work-group of this kernel can have there.
    pub group_size: usize,
    /// The back end likes work-groups whose size is a multiple of this.
    pub preferred_multiple: usize,
    /// The size of the kernel's sub-groups there, where the device tells.
    pub subgroup_size: Option<usize>,
}
