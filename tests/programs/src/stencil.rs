//! A stencil in three dimensions: each element becomes a weighted sum of itself and its six neighbours. `--n` is the length
//! of an edge; a real one is 256.
//!
//! A group does a rectangle of one layer, whose elements and those around it are in local memory; the layers above and below
//! are read where they are. Groups of the first and last layer return before they wait.
//!
//! It is checked by a polynomial. Twice a neighbour's distance squared is what `(x + 1)² + (x - 1)²` has more than `2 x²`,
//! and in mixed terms that cancels out; so `x² + 2 y² + 3 z² + x y - y z` grows by the same number everywhere, which is made
//! of all three weights. All numbers are small and whole, so floats are exact.

use crate::common;
use gridfn::prelude::*;

/// Columns and rows of the rectangle that a group does.
const WIDE: usize = 16;
const HIGH: usize = 4;

/// The weight of an element, and those of its neighbours in each direction.
#[derive(Clone, Copy, DeviceCopy)]
struct Weights {
    own: f32,
    x: f32,
    y: f32,
    z: f32,
}

/// One step; elements at the cuboid's border stay as they are.
///
/// The grid consists of whole groups: items outside of the cuboid help to fill the tile.
#[kernel(local = [WIDE, HIGH, 1])]
fn stencil(weights: Weights, old: View<f32, 3>, new: ViewMut<f32, 3>) {
    let mut tile = local_array::<[f32; WIDE + 2], { HIGH + 2 }>();
    let (x, y) = (global_id(0), global_id(1));
    let [layers, rows, columns] = old.shape();
    let z = group_id(2);
    if z == 0 || z == layers - 1 {
        if x < columns && y < rows {
            new[[global_id(2), global_id(1), global_id(0)]] = old[[z, y, x]];
        }
        return;
    }
    // The rectangle and what is around it are more elements than there are items.
    let mut k = local_linear_id();
    while k < (WIDE + 2) * (HIGH + 2) {
        let (tx, ty) = (k % (WIDE + 2), k / (WIDE + 2));
        let column = (group_id(0) * WIDE + tx).wrapping_sub(1);
        let row = (group_id(1) * HIGH + ty).wrapping_sub(1);
        if column < columns && row < rows {
            tile[ty][tx] = old[[z, row, column]];
        }
        k += WIDE * HIGH;
    }
    barrier();
    if x >= columns || y >= rows {
        return;
    }
    let (tx, ty) = (local_id(0) + 1, local_id(1) + 1);
    let own = tile[ty][tx];
    let inside = x > 0 && x < columns - 1 && y > 0 && y < rows - 1;
    new[[global_id(2), global_id(1), global_id(0)]] = if inside {
        weights.own * own
            + weights.x * (tile[ty][tx - 1] + tile[ty][tx + 1])
            + weights.y * (tile[ty - 1][tx] + tile[ty + 1][tx])
            + weights.z * (old[[z - 1, y, x]] + old[[z + 1, y, x]])
    } else {
        own
    };
}

/// The polynomial, about the middle of a cuboid.
fn polynomial(at: [usize; 3], shape: [usize; 3]) -> i64 {
    let [z, y, x]: [i64; 3] = std::array::from_fn(|d| at[d] as i64 - (shape[d] / 2) as i64);
    x * x + 2 * y * y + 3 * z * z + x * y - y * z
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    // Neither is a number of whole groups.
    let shape = n.map_or([7, 9, 21], |n| [n; 3]);
    let [layers, rows, columns] = shape;
    // They add up to 1, or the polynomial would not stay what it is.
    let [x, y, z] = [1, 2, -1];
    let own = 1 - 2 * (x + y + z);
    let growth = 2 * (x + 2 * y + 3 * z);
    let weights = Weights {
        own: own as f32,
        x: x as f32,
        y: y as f32,
        z: z as f32,
    };
    let steps = 3;
    let of = |i: usize| [i / columns / rows, i / columns % rows, i % columns];
    let elements = layers * rows * columns;
    let start: Vec<f32> = (0..elements).map(|i| polynomial(of(i), shape) as f32).collect();
    // Up to here a float holds every whole number, and a sum of seven terms stays below.
    let most = start.iter().fold(0.0f32, |most, v| most.max(v.abs()));
    if most * 16.0 > (1 << 24) as f32 {
        return Err(common::failure(
            "floats do not hold the polynomial of so large a cuboid",
        ));
    }

    let queue = device.queue()?;
    let mut old = queue.upload(&start)?;
    let mut new = queue.zeros::<f32>(elements)?;
    for _ in 0..steps {
        launch!(
            queue,
            stencil(weights, old.view(shape)?, new.view_mut(shape)?),
            groups = [columns.div_ceil(WIDE), rows.div_ceil(HIGH), layers],
            local = [WIDE, HIGH, 1]
        )?;
        std::mem::swap(&mut old, &mut new);
    }
    println!("{layers}x{rows}x{columns}, steps {steps}");
    // The border stays behind, and what it tells its neighbours comes one element further in each step.
    let found = queue.download(&old)?;
    let (mut checked, mut wrong) = (0, 0);
    for (i, found) in found.into_iter().enumerate() {
        let at = of(i);
        let border = (0..3).map(|d| at[d].min(shape[d] - 1 - at[d])).min().unwrap_or(0);
        let expected = match border {
            0 => polynomial(at, shape),
            _ if border >= steps => polynomial(at, shape) + growth * steps as i64,
            _ => continue,
        };
        checked += 1;
        wrong += usize::from(found != expected as f32);
    }
    println!("checked {checked}, wrong {wrong}");
    if wrong > 0 {
        return Err(common::failure("this is not the polynomial"));
    }
    Ok(())
}
