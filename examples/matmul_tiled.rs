//! A product of two matrices, tile by tile through local memory.
//!
//! ```text
//! cargo run --release --example matmul_tiled -- 1024x512x2048
//! cargo run --release --example matmul_tiled -- --n 1024
//! ```
//!
//! A group computes a tile of the result. It goes along a row of tiles of one matrix and down a column of tiles of the other;
//! of each pair, every item fetches one element of either, and all of them use all. So each element is read from global
//! memory once for a whole tile. `matmul` is the same without tiles.

mod common;

use common::product::{Product, factors};
use gridfn::prelude::*;
use std::time::Instant;

/// `c = a · b`, in tiles of `TILE` by `TILE`. Rows of a tile are `PITCH` long in local memory: one more than they need be,
/// and the elements of a column lie in different banks.
///
/// The grid consists of whole tiles: items behind the edge help to fill them.
#[kernel]
fn matmul_tiled<const TILE: usize, const PITCH: usize>(a: View<f32, 2>, b: View<f32, 2>, c: ViewMut<f32, 2>) {
    let mut tile_a = local_array::<[f32; PITCH], TILE>();
    let mut tile_b = local_array::<[f32; PITCH], TILE>();
    let (column, row) = (global_id(0), global_id(1));
    let (x, y) = (local_id(0), local_id(1));
    let [rows, inner] = a.shape();
    let [_, columns] = b.shape();
    let mut sum = 0.0;
    for first in (0..inner).step_by(TILE) {
        tile_a[y][x] = if row < rows && first + x < inner {
            a[[row, first + x]]
        } else {
            0.0
        };
        tile_b[y][x] = if first + y < inner && column < columns {
            b[[first + y, column]]
        } else {
            0.0
        };
        barrier();
        for k in 0..TILE {
            sum += tile_a[y][k] * tile_b[k][x];
        }
        barrier();
    }
    if row < rows && column < columns {
        c[[row, column]] = sum;
    }
}

/// `1024x512x2048`.
fn parse(sizes: &str) -> common::Result<[usize; 3]> {
    let numbers: Result<Vec<usize>, _> = sizes.split('x').map(str::parse).collect();
    let wrong = |_| common::failure(format!("`{sizes}` is not of the form `1024x512x2048`"));
    numbers?.try_into().map_err(wrong)
}

fn main() -> common::Result {
    let (device, n, others) = common::sized_arguments(&[matmul_tiled::emit::<16, 17>])?;
    let sizes = match others.first() {
        Some(sizes) => parse(sizes)?,
        None => n.map_or([40, 35, 21], |n| [n; 3]),
    };
    let [rows, inner, columns] = sizes;
    let (a, b) = factors(sizes);

    let queue = device.queue()?;
    let (a_there, b_there) = (queue.upload(&a)?, queue.upload(&b)?);
    let mut c = queue.zeros::<f32>(rows * columns)?;
    // The first launch compiles.
    for _ in 0..2 {
        let start = Instant::now();
        launch!(
            queue,
            matmul_tiled::<16, 17>(
                a_there.view([rows, inner])?,
                b_there.view([inner, columns])?,
                c.view_mut([rows, columns])?
            ),
            groups = [columns.div_ceil(16), rows.div_ceil(16)],
            local = [16, 16]
        )?;
        queue.synchronize()?;
        let rate = 2.0 * (rows * inner * columns) as f64 / start.elapsed().as_secs_f64() / 1e9;
        println!("{:.2?}, {rate:.2} GFLOP/s", start.elapsed());
    }
    let c = queue.download(&c)?;
    let (a, b, c) = (&a, &b, &c);
    Product { sizes, a, b, c }.check()
}
