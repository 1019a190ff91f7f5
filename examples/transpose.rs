//! A matrix turned about its diagonal: simply, and through local memory.
//!
//! ```text
//! cargo run --release --example transpose -- --n 4096
//! ```
//!
//! Items beside each other read beside each other, so the simple way writes far apart. The other one reads a tile, waits, and
//! writes the tile's columns as rows: both go along the rows of a matrix. The rows of the tile are one element longer than
//! they need be, so that the elements of a column lie in different banks of local memory.

mod common;

use gridfn::prelude::*;
use std::time::{Duration, Instant};

/// Rows and columns of a tile.
const TILE: usize = 16;

#[kernel]
fn simple(a: View<f32, 2>, b: ViewMut<f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    b[[x, y]] = a[[y, x]];
}

/// The grid consists of whole tiles.
///
/// # Safety
///
/// None: each group writes a tile of its own.
#[kernel(local = [TILE, TILE])]
unsafe fn tiled(a: View<f32, 2>, b: ViewMut<f32, 2>) {
    let mut tile = local_array::<[f32; TILE + 1], TILE>();
    let [rows, columns] = a.shape();
    let (lx, ly) = (local_id(0), local_id(1));
    let (x, y) = (global_id(0), global_id(1));
    if x < columns && y < rows {
        tile[ly][lx] = a[[y, x]];
    }
    barrier();
    let x = group_id(1) * TILE + lx;
    let y = group_id(0) * TILE + ly;
    if x < rows && y < columns {
        b[[y, x]] = tile[lx][ly];
    }
}

/// How long a launch takes, once it has been compiled.
fn time(queue: &Queue, mut launch: impl FnMut() -> gridfn::Result<()>) -> gridfn::Result<Duration> {
    launch()?;
    queue.synchronize()?;
    let start = Instant::now();
    launch()?;
    queue.synchronize()?;
    Ok(start.elapsed())
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[simple::emit, tiled::emit])?;
    let queue = device.queue()?;
    let [rows, columns] = n.map_or([70, 45], |n| [n; 2]);
    let values: Vec<f32> = (0..rows * columns).map(|i| i as f32).collect();
    let a = queue.upload(&values)?;
    for name in ["simple", "tiled"] {
        let mut b = queue.zeros::<f32>(values.len())?;
        let elapsed = time(&queue, || {
            let (from, to) = (a.view([rows, columns])?, b.view_mut([columns, rows])?);
            if name == "simple" {
                launch!(queue, simple(from, to), global = [columns, rows])
            } else {
                let groups = [columns.div_ceil(TILE), rows.div_ceil(TILE)];
                launch!(
                    queue,
                    // SAFETY: each group writes a tile of its own.
                    unsafe { tiled(from, to) },
                    groups = groups,
                    local = [TILE, TILE]
                )
            }
        })?;
        let rate = 2.0 * a.bytes() as f64 / elapsed.as_secs_f64() / 1e9;
        println!("{rows}x{columns} {name:6}: {elapsed:9.2?}, {rate:.2} GB/s");
        let found = queue.download(&b)?;
        let wrong = (0..found.len()).filter(|&i| found[i] != values[i % rows * columns + i / rows]);
        if wrong.count() > 0 {
            return Err(common::failure("the results differ from plain Rust's"));
        }
    }
    Ok(())
}
