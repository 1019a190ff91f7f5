//! The parameter block: one packed struct per launch, written by the host and read by every code form.
//!
//! ```text
//! offset 0   size[3]    u64   the exact global size; items outside it do nothing
//!        24  offset[3]  u64   where each range starts: global_id(d) = raw id + offset[d]
//!        48  tag        u64   the host's own number for the compiled kernel, copied into fault records
//!        56  the parameters in their order, each at its natural alignment: a scalar as it is, an array as its
//!            elements, a slice as its length in elements (u64); the slices' memory goes into slots of its own
//! ```
//!
//! An array of length 0 takes nothing, not even what would align it: C and SPIR-V have no such member.
//!
//! The block's size is rounded up to its alignment of 8, which makes it the size of the same struct in C.
//!
//! A kernel that can fault has one slot more than it has slices, the last: a [`FaultRecord`], one per queue.

//!
//! # Printing
//!
//! A kernel that prints has two parameters more, the last: a slice of `u32` and a `u32`, the kernel's tag. In the slice
//! stand the number of words that were asked for, the number of lines for which there was no room, and then one line
//! behind the other ([`LINE`]). An item that prints takes its words by one atomic addition, so lines are whole. Zeros end
//! the lines: the host fills the slice with them before it is used again.

use crate::typed::{Kernel, ParamKind};

/// Offset of `size[3]`.
pub const SIZE: usize = 0;
/// Offset of `offset[3]`.
pub const OFFSET: usize = 24;
/// Offset of `tag`.
pub const TAG: usize = 48;
/// Where the parameters begin.
pub const PARAMS: usize = 56;

/// `at`, rounded up to a multiple of `align`, which is a power of two.
pub const fn align_up(at: usize, align: usize) -> usize {
    (at + align - 1) & !(align - 1)
}

/// Where each parameter's member stands in the block, and the block's size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Offset of each parameter's scalar, elements or length, in bytes.
    pub offsets: Vec<usize>,
    /// Size of the block in bytes, a multiple of 8.
    pub size: usize,
}

/// The block of `kernel`.
pub fn of(kernel: &Kernel) -> Layout {
    let mut at = PARAMS;
    let mut offsets = Vec::with_capacity(kernel.params.len());
    for (_, p) in kernel.params.iter() {
        let (align, len) = match p.kind {
            ParamKind::Scalar(scalar) => (scalar.bytes(), 1),
            ParamKind::Array { element, len } => (element.bytes(), len),
            ParamKind::Slice { .. } => (8, 1),
        };
        if len > 0 {
            at = align_up(at, align);
        }
        offsets.push(at);
        at += align * len;
    }
    Layout {
        offsets,
        size: align_up(at, 8),
    }
}

/// Where the print buffer counts the words that were asked for.
pub const PRINTED: usize = 0;
/// Where it counts the lines that found no room.
pub const LOST: usize = 1;
/// Where its lines begin.
pub const LINES: usize = 2;
/// Words of a line without values: how many words it has in all, the kernel's tag, and the number of the line in
/// [`Prints::lines`](crate::typed::Prints::lines). The values follow, each as its lower and its upper half.
pub const LINE: usize = 3;

/// How many values a [`FaultRecord`] has room for.
pub const FAULT_VALUES: usize = 27;

/// What a device tells of a fault. Zeroed by the host; 256 bytes, aligned to 8.
///
/// A faulting item adds one to `count`; the one that finds 0 there also writes the other members.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRecord {
    /// The number of items that faulted.
    pub count: u32,
    /// An index into [`Kernel::sites`].
    pub site: u32,
    /// The `tag` of the launch's parameter block.
    pub tag: u64,
    /// The `global_id` of the item that wrote the record.
    pub id: [u64; 3],
    /// The values of the site's message, such as index and length; the rest are zeros.
    pub values: [u64; FAULT_VALUES],
}
