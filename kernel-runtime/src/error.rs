//! What can go wrong, told apart by whose it is: a fault in a kernel, a wrong use, a limit, a missing capability, a
//! driver's refusal.

use crate::backend::Capability;

/// The result of everything here.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Work-items faulted; told once, by the next wait on their queue.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// The grid or the work-group of a launch is not one.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// An argument lives on another device.
    #[error(
        "`{parameter}` of kernel `{kernel}` is a buffer of `{buffer_device}`, but the queue belongs to \
         `{queue_device}`: upload it there, or copy it"
    )]
    ForeignBuffer {
        /// The kernel.
        kernel: String,
        /// The parameter's name.
        parameter: String,
        /// Where the buffer lives.
        buffer_device: String,
        /// Where the launch would run.
        queue_device: String,
    },
    /// A transfer names a buffer that lives on another device.
    #[error(
        "the buffer belongs to `{buffer_device}`, but the queue to `{queue_device}`: use a queue of its \
         device, or `copy_from`"
    )]
    ForeignTransfer {
        /// Where the buffer lives.
        buffer_device: String,
        /// The queue's device.
        queue_device: String,
    },
    /// The device lacks something that the kernel needs.
    #[error("kernel `{kernel}` needs {capability}, which `{device}` does not have")]
    Unsupported {
        /// The kernel.
        kernel: String,
        /// What it needs.
        capability: Capability,
        /// The device.
        device: String,
    },
    /// A slice and a buffer, or two buffers, differ in length.
    #[error("the lengths differ: {expected} elements here, {found} there")]
    Length {
        /// The buffer's length.
        expected: usize,
        /// The other's length.
        found: usize,
    },
    /// A view's shape has another number of elements than its buffer.
    #[error(
        "a view of shape {shape:?} has {}, but the buffer has {len}",
        elements_of(shape)
    )]
    WrongShape {
        /// The shape.
        shape: Vec<usize>,
        /// The number of elements of the buffer.
        len: usize,
    },
    /// A part of a view reaches out of it.
    #[error("{start}..{end} in dimension {dimension} of a view is not within its length of {len}")]
    OutOfView {
        /// The dimension, from 0.
        dimension: usize,
        /// Where the range starts.
        start: usize,
        /// Where it ends.
        end: usize,
        /// The length of the view's dimension.
        len: usize,
    },
    /// A launch takes more arguments than the back end can pass.
    #[error("the arguments of kernel `{kernel}` take {bytes} bytes, but `{device}` passes at most {limit}")]
    TooManyArguments {
        /// The kernel.
        kernel: String,
        /// The device.
        device: String,
        /// What the arguments take.
        bytes: usize,
        /// What the back end passes at most.
        limit: usize,
    },
    /// A kernel's work-groups take more local memory than the device has for one.
    #[error(
        "the work-groups of kernel `{kernel}` take {asked} bytes of local memory, but `{device}` has {available} for one"
    )]
    LocalMemory {
        /// The kernel.
        kernel: String,
        /// The device.
        device: String,
        /// What a group takes.
        asked: usize,
        /// What there is for a group.
        available: usize,
    },
    /// The device has no memory left for a buffer.
    #[error("`{device}` has no room for a buffer of {bytes} bytes")]
    OutOfMemory {
        /// The device.
        device: String,
        /// What was asked for.
        bytes: usize,
    },
    /// No code could be made of a kernel.
    #[error("kernel `{kernel}` cannot be compiled for `{target}`: {reason}")]
    Code {
        /// The kernel.
        kernel: String,
        /// The code form or device.
        target: String,
        /// Why.
        reason: String,
    },
    /// The driver's compiler refused a kernel's code.
    #[error("the driver of `{device}` refused kernel `{kernel}`:\n{log}")]
    Build {
        /// The kernel.
        kernel: String,
        /// The device.
        device: String,
        /// The driver's log.
        log: String,
    },
    /// No device matches what was asked for.
    #[error("no device matches `{wanted}`: {reason}")]
    NoDevice {
        /// What was asked for.
        wanted: String,
        /// What there is, or why there is none.
        reason: String,
    },
    /// A raw handle of a driver's API cannot be taken, or there is none to give.
    #[error("this {handle} cannot be used: {reason}")]
    RawHandle {
        /// The handle's type.
        handle: &'static str,
        /// Why, and what to do instead.
        reason: String,
    },
    /// A driver call failed.
    #[error("{call} of `{device}` failed with {name} ({code})")]
    Driver {
        /// The device.
        device: String,
        /// The driver's function.
        call: &'static str,
        /// Its error code.
        code: i32,
        /// The code's name.
        name: String,
    },
}

/// The number of elements of a shape, for people.
fn elements_of(shape: &[usize]) -> String {
    match shape.iter().try_fold(1usize, |count, &n| count.checked_mul(n)) {
        Some(count) => format!("{count} elements"),
        None => "more elements than a `usize` counts".into(),
    }
}

/// Work-items ended early: an index out of bounds, a division by zero.
///
/// Items that did not fault completed, and so did every launch that was queued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "kernel `{kernel}` faulted at {file}:{line}:{column} in item {id:?}: {message} ({count} items in all)"
)]
#[non_exhaustive]
pub struct Fault {
    /// The kernel.
    pub kernel: String,
    /// The source file of the place that faulted.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What went wrong, in the words of Rust's own panics.
    pub message: String,
    /// The `global_id` of one of the faulting items, x first; on the host back end the lowest.
    pub id: [usize; 3],
    /// The number of items that faulted since the last wait.
    pub count: usize,
}

impl Fault {
    /// A fault, for back ends.
    pub fn new(
        kernel: String,
        file: String,
        line: u32,
        column: u32,
        message: String,
        id: [usize; 3],
        count: usize,
    ) -> Fault {
        Fault {
            kernel,
            file,
            line,
            column,
            message,
            id,
            count,
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::Fault(Box::new(fault))
    }
}

/// What is wrong with a grid or a work-group. Dimensions count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// `local` has a zero.
    #[error("the work-group size is 0 in dimension {dimension}: every dimension needs at least 1")]
    ZeroLocal {
        /// The dimension.
        dimension: usize,
    },
    /// `local` and the grid have different numbers of dimensions.
    #[error("the grid has {grid} dimensions, but the work-group {local}")]
    Dimensions {
        /// Dimensions of the grid.
        grid: usize,
        /// Dimensions of `local`.
        local: usize,
    },
    /// A work-group is larger than the device or the kernel allows.
    #[error("a work-group of {asked} items is over the limit of {limit}")]
    GroupTooLarge {
        /// Items asked for.
        asked: usize,
        /// Items allowed.
        limit: usize,
    },
    /// A work-group is larger in one dimension than the device allows.
    #[error("a work-group of {asked} items in dimension {dimension} is over the limit of {limit}")]
    LocalTooLarge {
        /// The dimension.
        dimension: usize,
        /// Items asked for.
        asked: usize,
        /// Items allowed.
        limit: usize,
    },
    /// A launch gives another size of work-groups than the kernel has.
    #[error(
        "kernel `{kernel}` has work-groups of {fixed:?} items, but the launch asks for {asked:?}: leave out `local = …`"
    )]
    LocalIsFixed {
        /// The kernel.
        kernel: &'static str,
        /// Its size, as `#[kernel(local = …)]` says.
        fixed: [usize; 3],
        /// The size asked for.
        asked: [usize; 3],
    },
    /// A range ends before it starts.
    #[error("the range {start}..{end} in dimension {dimension} ends before it starts")]
    BackwardRange {
        /// The dimension.
        dimension: usize,
        /// Its start.
        start: usize,
        /// Its end.
        end: usize,
    },
    /// The number of items does not fit.
    #[error("the grid has more items than an `isize` can count")]
    Overflow,
    /// A grid has more work-groups in one dimension than the device allows.
    #[error(
        "a grid of {asked} work-groups in dimension {dimension} is over the limit of {limit}: make the groups larger"
    )]
    TooManyGroups {
        /// The dimension.
        dimension: usize,
        /// Groups asked for.
        asked: usize,
        /// Groups allowed.
        limit: usize,
    },
    /// `groups` without `local`.
    #[error("`groups` counts work-groups, so the launch needs their size: add `local = …`")]
    GroupsWithoutLocal,
    /// A kernel that is safe only in so many dimensions was given more.
    #[error(
        "kernel `{kernel}` writes at indices that are one item's own only in a grid of up to {limit} dimensions, but the \
         grid has {dimensions}: use `global_linear_id()`, or in a view the ids of all dimensions, or an `unsafe fn`"
    )]
    TooManyDimensions {
        /// The kernel.
        kernel: &'static str,
        /// Dimensions in which it is safe.
        limit: usize,
        /// Dimensions of the grid.
        dimensions: usize,
    },
    /// A closure was launched over a grid of other dimensions than it has indices.
    #[error(
        "the closure's indices are {expected}, but the grid's dimensions are {found}: the index of a grid `n` is `|i|`, \
         of `[x, y]` it is `|[x, y]|`"
    )]
    Indices {
        /// Indices of the closure.
        expected: usize,
        /// Dimensions of the grid.
        found: usize,
    },
}
