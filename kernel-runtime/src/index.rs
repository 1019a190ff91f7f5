//! Where a work-item is: the index functions, and what stands behind them on the host.

use crate::grid::Shape;

/// One work-item of a launch on the host: what the index functions read.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The item's index in each dimension, from 0 whatever the range's start.
    raw: [usize; 3],
    size: [usize; 3],
    offset: [usize; 3],
    local: [usize; 3],
    /// Where it is in its group, if items run by groups.
    group: Option<InGroup>,
}

/// An item's place in a group that runs as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InGroup {
    /// The group.
    pub(crate) id: [usize; 3],
    /// The item's index in the group.
    pub(crate) local: [usize; 3],
    /// Its number in the group, x fastest.
    pub(crate) place: usize,
}

impl Item {
    /// What code outside a launch sees: the only item of a grid of one.
    pub const ALONE: Item = Item {
        raw: [0; 3],
        size: [1; 3],
        offset: [0; 3],
        local: [1; 3],
        group: None,
    };

    /// An item of a launch whose work-groups have the size `local`.
    #[inline(always)]
    pub(crate) fn new(raw: [usize; 3], shape: &Shape, local: [usize; 3]) -> Item {
        Item {
            raw,
            size: shape.size,
            offset: shape.offset,
            local,
            group: None,
        }
    }

    /// The item, of a group that runs as one: what would be computed of its index is known.
    #[inline(always)]
    pub(crate) fn of_group(self, group: InGroup) -> Item {
        Item {
            group: Some(group),
            ..self
        }
    }

    /// Its number in the group that runs as one.
    #[inline(always)]
    pub(crate) fn place(&self) -> usize {
        match &self.group {
            Some(group) => group.place,
            None => 0,
        }
    }

    /// See [`global_id`].
    #[inline(always)]
    pub fn global_id(&self, d: usize) -> usize {
        self.raw[d] + self.offset[d]
    }
    /// See [`local_id`].
    #[inline(always)]
    pub fn local_id(&self, d: usize) -> usize {
        match &self.group {
            Some(group) => group.local[d],
            None => self.raw[d] % self.local[d],
        }
    }
    /// See [`group_id`].
    #[inline(always)]
    pub fn group_id(&self, d: usize) -> usize {
        match &self.group {
            Some(group) => group.id[d],
            None => self.raw[d] / self.local[d],
        }
    }
    /// See [`global_size`].
    #[inline(always)]
    pub fn global_size(&self, d: usize) -> usize {
        self.size[d]
    }
    /// See [`local_size`].
    #[inline(always)]
    pub fn local_size(&self, d: usize) -> usize {
        self.local[d]
    }
    /// See [`num_groups`].
    #[inline(always)]
    pub fn num_groups(&self, d: usize) -> usize {
        self.size[d].div_ceil(self.local[d])
    }
    /// See [`global_linear_id`].
    #[inline(always)]
    pub fn global_linear_id(&self) -> usize {
        (self.raw[2] * self.size[1] + self.raw[1]) * self.size[0] + self.raw[0]
    }
    /// See [`local_linear_id`].
    #[inline(always)]
    pub fn local_linear_id(&self) -> usize {
        match &self.group {
            Some(group) => group.place,
            None => (self.local_id(2) * self.local[1] + self.local_id(1)) * self.local[0] + self.local_id(0),
        }
    }
    /// See [`subgroup_size`].
    #[inline(always)]
    pub fn subgroup_size(&self) -> usize {
        crate::host::subgroup_size()
    }
    /// See [`subgroup_count`].
    #[inline(always)]
    pub fn subgroup_count(&self) -> usize {
        self.local
            .iter()
            .product::<usize>()
            .div_ceil(self.subgroup_size())
    }
    /// See [`subgroup_id`].
    #[inline(always)]
    pub fn subgroup_id(&self) -> usize {
        self.local_linear_id() / self.subgroup_size()
    }
    /// See [`subgroup_local_id`].
    #[inline(always)]
    pub fn subgroup_local_id(&self) -> usize {
        self.local_linear_id() % self.subgroup_size()
    }
}

macro_rules! index_functions {
    ($($(#[$doc:meta])* $name:ident ($($d:ident)?) $variant:ident;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Panics
            ///
            /// Outside a kernel: only `#[kernel]` and `#[device]` functions have a place in a grid.
            #[track_caller]
            pub fn $name($($d: usize)?) -> usize {
                $(let _ = $d;)?
                panic!(concat!("`", stringify!($name), "` was called outside a kernel"))
            }
        )*
        /// What the index functions are in kernels: the names that the attributes look up beside the functions.
        #[doc(hidden)]
        pub mod markers {
            use super::Item;
            use crate::private::{HasLink, dimension};
            use gridfn_ir::{IndexFunction, Link};
            $(
                #[doc(hidden)]
                #[allow(non_camel_case_types)]
                pub struct $name {}
                impl $name {
                    #[doc(hidden)]
                    pub const fn __link(_: fn($(dimension!($d))?) -> usize) -> $name {
                        $name {}
                    }
                    #[doc(hidden)]
                    #[inline(always)]
                    pub fn __at(&self, item: &Item) -> impl Fn($(dimension!($d))?) -> usize {
                        move |$($d)?| item.$name($($d)?)
                    }
                }
                impl HasLink for $name {
                    const LINK: fn() -> Link = IndexFunction::$variant.link();
                    const CODE: u16 = IndexFunction::$variant.code();
                }
            )*
        }
        pub use markers::{$($name),*};
    };
}
index_functions! {
    /// The index of this work-item in dimension `d` of the grid: 0 is x, the fastest. With `global = a..b` it runs
    /// from `a` to `b - 1`. OpenCL's `get_global_id`.
    global_id(d) GlobalId;
    /// The index of this work-item in its work-group, from 0. OpenCL's `get_local_id`.
    local_id(d) LocalId;
    /// The index of this work-item's work-group, from 0. OpenCL's `get_group_id`.
    group_id(d) GroupId;
    /// The number of work-items in dimension `d`, exactly as the launch gave it. OpenCL's `get_global_size`.
    global_size(d) GlobalSize;
    /// The size of a whole work-group in dimension `d`; the last group of a grid may have fewer items. OpenCL's
    /// `get_enqueued_local_size`.
    local_size(d) LocalSize;
    /// The number of work-groups in dimension `d`, a last partial one included. OpenCL's `get_num_groups`.
    num_groups(d) NumGroups;
    /// The number of this work-item in the grid, from 0: `(z * size_y + y) * size_x + x`, whatever the range's
    /// start. OpenCL's `get_global_linear_id`.
    global_linear_id() GlobalLinearId;
    /// The number of this work-item in its work-group, from 0, x fastest. OpenCL's `get_local_linear_id`.
    local_linear_id() LocalLinearId;
    /// The number of items of a whole sub-group, the same in all of a launch. OpenCL's `get_max_sub_group_size`, CUDA's
    /// `warpSize`.
    subgroup_size() SubgroupSize;
    /// The number of sub-groups in the work-group. OpenCL's `get_num_sub_groups`.
    subgroup_count() SubgroupCount;
    /// The number of this work-item's sub-group in the work-group, from 0. OpenCL's `get_sub_group_id`.
    subgroup_id() SubgroupId;
    /// The number of this work-item in its sub-group, from 0. OpenCL's `get_sub_group_local_id`.
    subgroup_local_id() SubgroupLocalId;
}
