//! A product of two matrices, one work-item per element of the result.
//!
//! It is the naive way: simple, and bound by memory. The grid has two dimensions, and x, the fastest, runs along the
//! rows, so that items beside each other read and write beside each other.

mod common;

use gridfn::prelude::*;

/// `c = a · b`, all of them row by row; `a` has `inner` columns, and `b` as many rows. The grid is as large as `c`.
#[kernel]
fn matmul(inner: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let column = global_id(0);
    let row = global_id(1);
    let columns = global_size(0);
    let mut sum = 0.0;
    for k in 0..inner {
        sum += a[row * inner + k] * b[k * columns + column];
    }
    // In a grid from 0, this is `row * columns + column`. That no other item writes there, the compiler sees by the
    // name: it knows `global_linear_id()` to be each item's own.
    c[global_linear_id()] = sum;
}

const ROWS: usize = 256;
const INNER: usize = 123;
const COLUMNS: usize = 45;

fn main() -> common::Result {
    let (device, _) = common::arguments(&[matmul::emit])?;
    let a: Vec<f32> = (0..ROWS * INNER).map(|i| (i % 17) as f32 * 0.3 - 2.0).collect();
    let b: Vec<f32> = (0..INNER * COLUMNS)
        .map(|i| (i % 23) as f32 * 0.7 - 7.0)
        .collect();

    let queue = device.queue()?;
    let (a_there, b_there) = (queue.upload(&a)?, queue.upload(&b)?);
    let mut c = queue.zeros::<f32>(ROWS * COLUMNS)?;
    launch!(
        queue,
        matmul(INNER, &a_there, &b_there, &mut c),
        global = [COLUMNS, ROWS]
    )?;
    let result = queue.download(&c)?;

    let mut error = 0f32;
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let sum = (0..INNER).fold(0.0, |sum, k| sum + a[row * INNER + k] * b[k * COLUMNS + column]);
            error = error.max((result[row * COLUMNS + column] - sum).abs());
        }
    }
    println!("{ROWS}x{INNER} · {INNER}x{COLUMNS}");
    println!("max error {error}");
    if error != 0.0 {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    Ok(())
}
