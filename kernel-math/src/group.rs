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

/// How many values stand in local memory at once. Of larger groups, several items share a cell.
const CELLS: usize = 256;

/// What an operator makes of the values of all items, for every item.
///
/// Takes local memory for 256 values, and for groups of up to 256 items `log2` of the group's size steps.
#[device(group)]
pub fn reduce<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> T {
    let w = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
    let h = local_size(1).min(global_size(1) - group_id(1) * local_size(1));
    let d = local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    let n = w * h * d;
    let item = (local_id(2) * h + local_id(1)) * w + local_id(0);
    // How many items, one behind the other, have a cell together.
    let share = n.div_ceil(CELLS).max(1);
    let (cell, turn) = (item / share, item % share);
    let cells = n.div_ceil(share);
    let mut all = local_array::<T, CELLS>();
    for now in 0..share {
        if turn == now {
            all[cell] = if now == 0 { value } else { op(all[cell], value) };
        }
        barrier();
    }
    // Each step halves the number of values: an item joins two neighbours.
    let mut step = 1;
    while step < cells {
        let at = item * step * 2;
        if at + step < cells {
            all[at] = op(all[at], all[at + step]);
        }
        barrier();
        step *= 2;
    }
    all[0]
}

/// What an operator makes of the values of all items up to an item, its own included: of 1, 2, 3, 4 the sums 1, 3, 6, 10.
///
/// Takes local memory for 512 values, and for groups of up to 256 items `log2` of the group's size steps.
#[device(group)]
pub fn inclusive_scan<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> T {
    let (cell, turn, cells, before) = group!(scanned(value, |a, b| op(a, b)));
    let own = if turn == 0 { value } else { op(before, value) };
    if cell == 0 { own } else { op(cells, own) }
}

/// What an operator makes of `initial` and the values of all items before an item: of 1, 2, 3, 4 and 0 the sums 0, 1, 3, 6.
///
/// Takes local memory for 512 values, and for groups of up to 256 items `log2` of the group's size steps.
#[device(group)]
pub fn exclusive_scan<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, initial: T, op: F) -> T {
    let (cell, turn, cells, before) = group!(scanned(value, |a, b| op(a, b)));
    let start = if cell == 0 { initial } else { op(initial, cells) };
    if turn == 0 { start } else { op(start, before) }
}

/// Of each item its cell, its turn in there, and what the operator makes of the values in all cells before, and of those in
/// its own cell before its own. Where there are none it is any value.
#[device(group)]
fn scanned<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> (usize, usize, T, T) {
    let w = local_size(0).min(global_size(0) - group_id(0) * local_size(0));
    let h = local_size(1).min(global_size(1) - group_id(1) * local_size(1));
    let d = local_size(2).min(global_size(2) - group_id(2) * local_size(2));
    let n = w * h * d;
    let item = (local_id(2) * h + local_id(1)) * w + local_id(0);
    // How many items, one behind the other, have a cell together.
    let share = n.div_ceil(CELLS).max(1);
    let (cell, turn) = (item / share, item % share);
    let cells = n.div_ceil(share);
    // One half is read while the other is written.
    let mut halves = local_array::<[T; CELLS], 2>();
    let mut before = value;
    for now in 0..share {
        if turn == now {
            if now == 0 {
                halves[0][cell] = value;
            } else {
                before = halves[0][cell];
                halves[0][cell] = op(before, value);
            }
        }
        barrier();
    }
    let mut half = 0;
    let mut step = 1;
    while step < cells {
        if item < cells {
            let here = halves[half][item];
            halves[1 - half][item] = if item < step {
                here
            } else {
                op(halves[half][item - step], here)
            };
        }
        barrier();
        half = 1 - half;
        step *= 2;
    }
    let all_before = if cell == 0 { value } else { halves[half][cell - 1] };
    (cell, turn, all_before, before)
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
