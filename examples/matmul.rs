//! A product of two matrices, one work-item per element of the result.
//!
//! It is the naive way: simple, and bound by memory. The grid has two dimensions, and x, the fastest, runs along the
//! rows, so that items beside each other read and write beside each other.
//!
//! ```text
//! cargo run --release --example matmul -- --n 1024
//! ```

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

/// `m · v` in numbers of 64 bits, and the same product of all absolute values; `m` is row by row.
fn times(m: &[f32], v: &[f64]) -> (Vec<f64>, Vec<f64>) {
    m.chunks(v.len())
        .map(|row| {
            let terms = || row.iter().zip(v).map(|(m, v)| f64::from(*m) * v);
            (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>())
        })
        .unzip()
}

/// How far the rows of `a · b` are from those of `c`, as a share of what their terms add up to, by Freivalds' test: both
/// are multiplied by a random vector, which takes far less time than a product of matrices.
fn errors(a: &[f32], b: &[f32], c: &[f32], columns: usize) -> impl Iterator<Item = f64> {
    let mut random = fastrand::Rng::with_seed(2);
    let vector: Vec<f64> = (0..columns)
        .map(|_| if random.bool() { 1.0 } else { -1.0 })
        .collect();
    let (product, sizes) = times(b, &vector);
    let ((expected, _), (_, sizes), (found, _)) = (times(a, &product), times(a, &sizes), times(c, &vector));
    let rows = found.into_iter().zip(expected).zip(sizes);
    rows.map(|((found, expected), size)| (found - expected) / size)
}

fn main() -> common::Result {
    let (device, n, _) = common::sized_arguments(&[matmul::emit])?;
    let [rows, inner, columns] = n.map_or([256, 123, 45], |n| [n; 3]);
    let a: Vec<f32> = (0..rows * inner).map(|i| (i % 17) as f32 * 0.3 - 2.0).collect();
    let b: Vec<f32> = (0..inner * columns)
        .map(|i| (i % 23) as f32 * 0.7 - 7.0)
        .collect();

    let queue = device.queue()?;
    let (a_there, b_there) = (queue.upload(&a)?, queue.upload(&b)?);
    let mut c = queue.zeros::<f32>(rows * columns)?;
    launch!(
        queue,
        matmul(inner, &a_there, &b_there, &mut c),
        global = [columns, rows]
    )?;
    let c = queue.download(&c)?;

    // Of many elements, some: they have the bits that plain Rust gives.
    let element = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        (0..inner).fold(0.0, |sum, k| sum + a[row * inner + k] * b[k * columns + column])
    };
    let wrong = common::sample(c.len(), 20_000)
        .filter(|&i| c[i] != element(i))
        .count();
    println!("{rows}x{inner} · {inner}x{columns}");
    println!("wrong {wrong}");
    if wrong > 0 {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    // Each of the additions rounds once.
    let bound = inner as f64 * f64::from(f32::EPSILON);
    common::within("max error", errors(&a, &b, &c, columns), bound)
}
