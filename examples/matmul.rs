//! A product of two matrices, one work-item per element of the result.
//!
//! It is the naive way: simple, and bound by memory. The grid has two dimensions, and x, the fastest, runs along the
//! rows, so that items beside each other read and write beside each other.
//!
//! ```text
//! cargo run --release --example matmul -- --n 1024
//! ```

mod common;

use common::product::{Product, factors};
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

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[matmul::emit])?;
    let sizes = n.map_or([256, 123, 45], |n| [n; 3]);
    let [rows, inner, columns] = sizes;
    let (a, b) = factors(sizes);

    let queue = device.queue()?;
    let (a_there, b_there) = (queue.upload(&a)?, queue.upload(&b)?);
    let mut c = queue.zeros::<f32>(rows * columns)?;
    launch!(
        queue,
        matmul(inner, &a_there, &b_there, &mut c),
        global = [columns, rows]
    )?;
    let c = queue.download(&c)?;
    let (a, b, c) = (&a, &b, &c);
    Product { sizes, a, b, c }.check()
}
