//! One instance of a kernel or device function: its tree, and what rustc filled the holes with.

use crate::typed::Words;
use crate::{CoreMethod, Locate, Method, Scalar, Type};
use std::mem::MaybeUninit;

/// One instance, as the attribute's `const` holds it: untyped tree and filled holes.
///
/// `'static` in a program; the attribute itself makes shorter-lived ones when it compiles ahead of time.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    /// The [`crate::tree::Tree`] in postcard's encoding.
    pub tree: &'a [u8],
    /// What rustc's inference put into each type hole.
    pub types: &'a [Type],
    /// What rustc resolved each call to. Behind functions, so that a recursion ends at lowering, with words,
    /// and not in rustc.
    pub links: &'a [fn() -> Link],
    /// The constants that the body names, evaluated by rustc.
    pub constants: &'a [Constant],
    /// The file of the source, as `file!()` gives it.
    pub file: &'static str,
    /// The line from which the tree's positions count.
    pub line: u32,
    /// The size of a kernel's work-groups, where the kernel fixes it.
    pub local: Option<FixedLocal>,
}

/// The size of a kernel's work-groups as the kernel fixes it: `#[kernel(local = [16, 16])]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FixedLocal {
    /// The items in each dimension, x first; 1 in those that it does not have.
    pub size: [usize; 3],
    /// How many dimensions it has, 1 to 3.
    pub dimensions: usize,
}

impl FixedLocal {
    /// A size in one to three dimensions.
    ///
    /// # Panics
    ///
    /// If a size is 0. The attribute calls it in a `const`, where that does not compile.
    pub const fn new(dimensions: usize, size: [usize; 3]) -> FixedLocal {
        assert!(
            size[0] != 0 && size[1] != 0 && size[2] != 0,
            "a work-group of `#[kernel(local = ...)]` needs at least 1 item in each dimension"
        );
        FixedLocal { size, dimensions }
    }
}

/// What a call is, as rustc resolved it.
#[derive(Clone, Copy)]
pub enum Link {
    /// A method of a built-in type.
    Method(Method),
    /// A method whose receiver or result is no scalar.
    Core(CoreMethod),
    /// `u32::from_le_bytes` and its kin: the number that bytes are.
    FromBytes(Scalar, ByteOrder),
    /// An index function: where in the grid a work-item is.
    Index(IndexFunction),
    /// A `#[device]` function, or a closure that a kernel takes, whose first parameter is what it captured.
    Function(&'static Body<'static>),
    /// A `#[device]` function that a kernel takes as a parameter: the first argument of its calls, which would be what
    /// it captured, is nothing.
    Passed(&'static Body<'static>),
    /// The message of a `panic!`.
    Words(Words),
}

/// In which order the bytes of a number stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ByteOrder {
    /// The lowest first. It is that of all devices, and so the native one.
    Little,
    /// The highest first.
    Big,
}

/// The functions that make numbers of bytes, by name.
pub const FROM_BYTES: [(&str, ByteOrder); 3] = [
    ("from_le_bytes", ByteOrder::Little),
    ("from_be_bytes", ByteOrder::Big),
    ("from_ne_bytes", ByteOrder::Little),
];

/// Where a work-item is in the grid. The names are OpenCL's, the numbers are `usize` and count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexFunction {
    /// `global_id(d)`: the item's index in the grid; starts at the range's start.
    GlobalId,
    /// `local_id(d)`: the item's index in its work-group.
    LocalId,
    /// `group_id(d)`: the work-group's index.
    GroupId,
    /// `global_size(d)`: the number of items, exactly as the launch gave it.
    GlobalSize,
    /// `local_size(d)`: the size of a whole work-group.
    LocalSize,
    /// `num_groups(d)`: the number of work-groups, a last partial one included.
    NumGroups,
    /// `global_linear_id()`: the item's number in the grid, x fastest, from 0 whatever the range's start.
    GlobalLinearId,
    /// `local_linear_id()`: the item's number in its work-group, x fastest.
    LocalLinearId,
    /// `subgroup::size()`: the number of items of a whole sub-group.
    SubgroupSize,
    /// `subgroup::count()`: the number of sub-groups in the work-group.
    SubgroupCount,
    /// `subgroup::id()`: the sub-group's number in its work-group.
    SubgroupId,
    /// `subgroup::local_id()`: the item's number in its sub-group.
    SubgroupLocalId,
}

impl IndexFunction {
    /// Every index function.
    pub const ALL: [IndexFunction; 12] = [
        IndexFunction::GlobalId,
        IndexFunction::LocalId,
        IndexFunction::GroupId,
        IndexFunction::GlobalSize,
        IndexFunction::LocalSize,
        IndexFunction::NumGroups,
        IndexFunction::GlobalLinearId,
        IndexFunction::LocalLinearId,
        IndexFunction::SubgroupSize,
        IndexFunction::SubgroupCount,
        IndexFunction::SubgroupId,
        IndexFunction::SubgroupLocalId,
    ];

    /// Its name in kernels; of those of `gridfn::subgroup` one that no other function has.
    pub const fn name(self) -> &'static str {
        match self {
            IndexFunction::GlobalId => "global_id",
            IndexFunction::LocalId => "local_id",
            IndexFunction::GroupId => "group_id",
            IndexFunction::GlobalSize => "global_size",
            IndexFunction::LocalSize => "local_size",
            IndexFunction::NumGroups => "num_groups",
            IndexFunction::GlobalLinearId => "global_linear_id",
            IndexFunction::LocalLinearId => "local_linear_id",
            IndexFunction::SubgroupSize => "subgroup_size",
            IndexFunction::SubgroupCount => "subgroup_count",
            IndexFunction::SubgroupId => "subgroup_id",
            IndexFunction::SubgroupLocalId => "subgroup_local_id",
        }
    }

    /// The index function that kernels call `name`.
    pub fn from_name(name: &str) -> Option<IndexFunction> {
        IndexFunction::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The function as a body's list of links holds it.
    pub const fn link(self) -> fn() -> Link {
        match self {
            IndexFunction::GlobalId => || Link::Index(IndexFunction::GlobalId),
            IndexFunction::LocalId => || Link::Index(IndexFunction::LocalId),
            IndexFunction::GroupId => || Link::Index(IndexFunction::GroupId),
            IndexFunction::GlobalSize => || Link::Index(IndexFunction::GlobalSize),
            IndexFunction::LocalSize => || Link::Index(IndexFunction::LocalSize),
            IndexFunction::NumGroups => || Link::Index(IndexFunction::NumGroups),
            IndexFunction::GlobalLinearId => || Link::Index(IndexFunction::GlobalLinearId),
            IndexFunction::LocalLinearId => || Link::Index(IndexFunction::LocalLinearId),
            IndexFunction::SubgroupSize => || Link::Index(IndexFunction::SubgroupSize),
            IndexFunction::SubgroupCount => || Link::Index(IndexFunction::SubgroupCount),
            IndexFunction::SubgroupId => || Link::Index(IndexFunction::SubgroupId),
            IndexFunction::SubgroupLocalId => || Link::Index(IndexFunction::SubgroupLocalId),
        }
    }

    /// A number that no other callee has, for comparison in a `const`.
    pub const fn code(self) -> u16 {
        0x4000 + self as u16
    }

    /// Whether the function takes a dimension.
    pub const fn takes_dimension(self) -> bool {
        !matches!(self, IndexFunction::GlobalLinearId | IndexFunction::LocalLinearId)
            && !self.is_of_subgroups()
    }

    /// Whether it tells of sub-groups.
    pub const fn is_of_subgroups(self) -> bool {
        matches!(
            self,
            IndexFunction::SubgroupSize
                | IndexFunction::SubgroupCount
                | IndexFunction::SubgroupId
                | IndexFunction::SubgroupLocalId
        )
    }
}

/// A constant that a body names: its type, and a way to its value, which rustc evaluates.
#[derive(Clone, Copy)]
pub struct Constant {
    /// Its type.
    pub ty: Type,
    /// Gives the function at `get` a place of the type's size to write the value to.
    ///
    /// # Safety
    ///
    /// The first argument is `get`, and the second points to as many writable bytes as the type has in Rust, aligned to
    /// 16.
    pub read: unsafe fn(*const (), *mut u8),
    /// What `read` is given first: a function without arguments that returns the value.
    pub get: *const (),
    /// How many bytes the value has.
    pub size: usize,
}

// SAFETY: `get` is a function.
unsafe impl Send for Constant {}
// SAFETY: `get` is a function.
unsafe impl Sync for Constant {}

impl Constant {
    /// The value.
    pub fn value(&self) -> ConstantValue {
        let mut words = vec![MaybeUninit::uninit(); self.size.div_ceil(size_of::<u128>()).max(1)];
        // SAFETY: as many bytes as `read` asks for, aligned to 16.
        unsafe { (self.read)(self.get, words.as_mut_ptr().cast()) };
        ConstantValue(words)
    }
}

/// The bytes of a constant's value, some of which may be padding.
pub struct ConstantValue(Vec<MaybeUninit<u128>>);

impl ConstantValue {
    /// The bits of the scalar at an offset that the value's type tells.
    pub fn bits(&self, ty: Scalar, at: usize) -> u64 {
        assert!(at + ty.bytes() <= self.0.len() * size_of::<u128>());
        let mut word = [0u8; 8];
        // SAFETY: inside the value, and a scalar of the value's type is no padding.
        unsafe {
            let from = self.0.as_ptr().cast::<u8>().add(at);
            std::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), ty.bytes());
        }
        u64::from_le_bytes(word)
    }

    /// The variant of the enum at an offset that the value's type tells, and the offsets of its fields from there.
    pub fn locate(&self, locate: Locate, at: usize) -> (usize, Vec<usize>) {
        assert!(at <= self.0.len() * size_of::<u128>());
        let mut found = vec![];
        // SAFETY: inside the value, where its type has the enum that this was made for.
        unsafe { (locate.0)(self.0.as_ptr().cast::<u8>().add(at), &mut |n| found.push(n)) };
        let fields = found.split_off(found.len().min(1));
        (found.first().copied().unwrap_or(0), fields)
    }
}
