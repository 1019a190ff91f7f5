//! Sub-groups: items of a work-group that the hardware runs together, and which can look into each other's variables.
//! OpenCL's sub-groups, CUDA's warps.
//!
//! A sub-group has [`size`] items; its number in the work-group is [`id`], and an item's number in it [`local_id`]. In a
//! work-group of one dimension it is so many items one after the other; how those of two and three dimensions are divided is
//! the device's choice. The last one of a work-group may have fewer items.
//!
//! An operation is for those items of the sub-group that are in the grid. All items of the *work-group* must reach it
//! together, as they must a [`barrier`](crate::workgroup::barrier()): it stands at the top level of a kernel, or under
//! conditions that are the same for the whole work-group. What may differ from sub-group to sub-group does not suffice. It does
//! not order memory.
//!
//! A device without sub-groups refuses a kernel that uses them with [`Error::Unsupported`](crate::Error::Unsupported), which
//! names [`Capability::Subgroups`](crate::Capability::Subgroups). On the host they have 32 items, or as many as the environment
//! variable `GRIDFN_HOST_SUBGROUP_SIZE` says: a power of two up to 64. There, items follow each other as
//! [`local_linear_id`](crate::index::local_linear_id()) counts them.

use crate::element::DeviceCopy;

pub use crate::index::{
    subgroup_count as count, subgroup_id as id, subgroup_local_id as local_id, subgroup_size as size,
};

#[cold]
#[track_caller]
fn outside(name: &str) -> ! {
    panic!("`subgroup::{name}` was called outside a kernel")
}

macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident $([$T:ident])? ($($arg:ident: $ty:ty),* $(; $op:ident)?) -> $result:ty;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Panics
            ///
            /// Outside a kernel.
            #[track_caller]
            pub fn $name$(<$T: DeviceCopy>)?($($arg: $ty),* $(, $op: impl Fn(T, T) -> T)?) -> $result {
                $(let _ = $arg;)*
                $(let _ = $op;)?
                outside(stringify!($name))
            }
        )*
        /// Where these functions are called without `subgroup::` in front, a call finds this in the place of a device
        /// function's marker.
        pub mod markers {
            use crate::private::NoMethod;

            /// What is called by its path.
            #[diagnostic::on_unimplemented(
                message = "in a kernel the functions of sub-groups are called with their module: `subgroup::reduce(…)`",
                label = "a function of sub-groups by another name",
                note = "`use gridfn::subgroup;`, or `gridfn::prelude::*`, and no `as`"
            )]
            pub trait ByItsPath {}
            $(
                #[doc(hidden)]
                #[allow(non_camel_case_types)]
                pub struct $name {}
                impl $name {
                    #[doc(hidden)]
                    pub const fn __link<F: ByItsPath + Copy>(_: F) -> $name {
                        $name {}
                    }
                    #[doc(hidden)]
                    pub fn __called(&self) -> NoMethod {
                        NoMethod
                    }
                    #[doc(hidden)]
                    pub fn __at<I>(&self, _: &I) -> ! {
                        unreachable!("a kernel with a mistake is not compiled")
                    }
                }
            )*
        }
        pub use markers::{$($name),*};
    };
}
functions! {
    /// Whether `condition` is true for an item of the sub-group. CUDA's `__any_sync`.
    fn any(condition: bool) -> bool;
    /// Whether `condition` is true for all items of the sub-group. CUDA's `__all_sync`.
    fn all(condition: bool) -> bool;
    /// For which items of the sub-group `condition` is true: bit `n` is that of the item whose [`local_id`] is `n`. CUDA's
    /// `__ballot_sync`, OpenCL's `sub_group_ballot`.
    fn ballot(condition: bool) -> u64;
    /// The `value` of the item whose [`local_id`] is `item`, which should be the same for all. An item that the grid does not
    /// have gives nothing: each keeps its own.
    fn broadcast[T](value: T, item: usize) -> T;
    /// The `value` of the item whose [`local_id`] is `item`; the own, where the grid has no such item. CUDA's `__shfl_sync`.
    fn shuffle[T](value: T, item: usize) -> T;
    /// The `value` of the item `distance` before this one; the own, where there is none. CUDA's `__shfl_up_sync`.
    fn shuffle_up[T](value: T, distance: usize) -> T;
    /// The `value` of the item `distance` behind this one; the own, where there is none. CUDA's `__shfl_down_sync`.
    fn shuffle_down[T](value: T, distance: usize) -> T;
    /// The `value` of the item whose [`local_id`] is this one's with the bits of `mask` flipped; the own, where there is none.
    /// CUDA's `__shfl_xor_sync`.
    fn shuffle_xor[T](value: T, mask: usize) -> T;
    /// [`shuffle`] in parts of the sub-group of `width` items: `item` counts from the part's first. A `width` of 0 is 1.
    fn shuffle_within[T](value: T, item: usize, width: usize) -> T;
    /// [`shuffle_up`] in parts of the sub-group of `width` items. A `width` of 0 is 1.
    fn shuffle_up_within[T](value: T, distance: usize, width: usize) -> T;
    /// [`shuffle_down`] in parts of the sub-group of `width` items. A `width` of 0 is 1.
    fn shuffle_down_within[T](value: T, distance: usize, width: usize) -> T;
    /// [`shuffle_xor`] in parts of the sub-group of `width` items. A `width` of 0 is 1.
    fn shuffle_xor_within[T](value: T, mask: usize, width: usize) -> T;
    /// The values of all items of the sub-group, combined in their order by `operator`: a closure that is written here, or a
    /// `#[device]` function. It must be associative, and need not be commutative. Of a sum of floats, which is not quite
    /// associative, the result depends on the number of items, but not on the device.
    fn reduce[T](value: T; operator) -> T;
    /// The values of the items up to this one, combined as [`reduce`] does.
    fn inclusive_scan[T](value: T; operator) -> T;
    /// The values of the items before this one, combined as [`reduce`] does; the first item gets its `identity`.
    fn exclusive_scan[T](value: T, identity: T; operator) -> T;
}
