//! What a work-group computes together: sums and their kin, scans, and the value of one item.
//!
//! Kernels and group functions call these with `group!`. They are written in the kernel language itself. `T` is a type of
//! local arrays: integers, floats, and arrays, tuples and structs of them. An operator is *associative*: of `a`, `b` and
//! `c` in this order it makes the same, whichever two it takes first; it need not be commutative. For floats that is
//! nearly so: the result does not depend on the device, but on the size of the groups.
//!
//! The operands are those of the items inside the grid, in the order of `local_linear_id`. Items that a group at the
//! grid's edge has beyond it pass nothing and get nothing: a group with 5 items in the grid computes what a group of 5 items
//! would. Groups may be of any size.

use gridfn::DeviceCopy;
use gridfn::index::{global_size, group_id, local_id, local_linear_id, local_size};
use gridfn::workgroup::{barrier, local_array};
use gridfn_macros::device;

/// How many values stand in local memory at once; larger groups take turns.
const CHUNK: usize = 256;

/// What an operator makes of the values of all items, for every item.
///
/// Takes `log2` of the group's size steps, and local memory for 256 values.
#[device(group)]
pub fn reduce<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> T {
    let w = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
    let h = local_size(1).min(global_size(1) - group_id(1) * local_size(1));
    let d = local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    let n = w * h * d;
    let item = (local_id(2) * h + local_id(1)) * w + local_id(0);
    let mut tile = local_array::<T, CHUNK>();
    let mut total = value;
    let mut start = 0;
    while start < n {
        let here = (n - start).min(CHUNK);
        if item >= start && item - start < here {
            tile[item - start] = value;
        }
        barrier();
        // Each step halves the number of values: an item joins two neighbours.
        let mut step = 1;
        while step < here {
            let at = item * step * 2;
            if at + step < here {
                tile[at] = op(tile[at], tile[at + step]);
            }
            barrier();
            step *= 2;
        }
        total = if start == 0 { tile[0] } else { op(total, tile[0]) };
        barrier();
        start += CHUNK;
    }
    total
}

/// What an operator makes of the values of all items up to an item, its own included: of 1, 2, 3, 4 the sums 1, 3, 6, 10.
///
/// Takes `log2` of the group's size steps, and local memory for 256 values.
#[device(group)]
pub fn inclusive_scan<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> T {
    let w = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
    let h = local_size(1).min(global_size(1) - group_id(1) * local_size(1));
    let d = local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    let n = w * h * d;
    let item = (local_id(2) * h + local_id(1)) * w + local_id(0);
    let mut tile = local_array::<T, CHUNK>();
    let mut result = value;
    let mut before = value;
    let mut start = 0;
    while start < n {
        let here = (n - start).min(CHUNK);
        let inside = item >= start && item - start < here;
        if inside {
            tile[item - start] = value;
        }
        barrier();
        let mut step = 1;
        while step < here {
            let joins = inside && item - start >= step;
            let mut joined = value;
            if joins {
                joined = op(tile[item - start - step], tile[item - start]);
            }
            barrier();
            if joins {
                tile[item - start] = joined;
            }
            barrier();
            step *= 2;
        }
        if inside {
            let own = tile[item - start];
            result = if start == 0 { own } else { op(before, own) };
        }
        let last = tile[here - 1];
        before = if start == 0 { last } else { op(before, last) };
        barrier();
        start += CHUNK;
    }
    result
}

/// What an operator makes of `initial` and the values of all items before an item: of 1, 2, 3, 4 and 0 the sums 0, 1, 3, 6.
///
/// Takes `log2` of the group's size steps, and local memory for 256 values.
#[device(group)]
pub fn exclusive_scan<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, initial: T, op: F) -> T {
    let w = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
    let h = local_size(1).min(global_size(1) - group_id(1) * local_size(1));
    let d = local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    let n = w * h * d;
    let item = (local_id(2) * h + local_id(1)) * w + local_id(0);
    let mut tile = local_array::<T, CHUNK>();
    let mut result = initial;
    let mut before = initial;
    let mut start = 0;
    while start < n {
        let here = (n - start).min(CHUNK);
        let inside = item >= start && item - start < here;
        if inside {
            tile[item - start] = value;
        }
        barrier();
        let mut step = 1;
        while step < here {
            let joins = inside && item - start >= step;
            let mut joined = value;
            if joins {
                joined = op(tile[item - start - step], tile[item - start]);
            }
            barrier();
            if joins {
                tile[item - start] = joined;
            }
            barrier();
            step *= 2;
        }
        if inside {
            result = if item == start {
                before
            } else {
                op(before, tile[item - start - 1])
            };
        }
        before = op(before, tile[here - 1]);
        barrier();
        start += CHUNK;
    }
    result
}

/// The value of the item whose `local_linear_id` is `from`, for every item.
///
/// # Panics
///
/// If the group has no such item inside the grid.
#[device(group)]
pub fn broadcast<T: DeviceCopy>(value: T, #[uniform] from: usize) -> T {
    let (x, row) = (from % local_size(0), from / local_size(0));
    let (y, z) = (row % local_size(1), row / local_size(1));
    let inside = x < global_size(0) - group_id(0) * local_size(0)
        && y < global_size(1) - group_id(1) * local_size(1)
        && z < local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    assert!(
        inside,
        "the item that `broadcast` asks for is outside of the grid"
    );
    let mut cell = local_array::<T, 1>();
    if local_linear_id() == from {
        cell[0] = value;
    }
    barrier();
    cell[0]
}
