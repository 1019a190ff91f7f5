//! `y += a * x`: the smallest useful kernel, and all that it takes to run it.
//!
//! ```text
//! cargo run --release --example saxpy -- --device intel
//! ```

mod common;

use gridfn::prelude::*;

/// Every work-item does one element: its own.
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += a * x[i];
}

fn main() -> common::Result {
    let (device, _) = common::arguments(&[saxpy::emit])?;
    let n = 1 << 20;
    let a = 3.0;
    let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.1).collect();
    let mut y: Vec<f32> = (0..n).map(|i| 1.0 - i as f32).collect();

    // Buffers live on the device. `launch!` returns at once; `download` waits for the result.
    let queue = device.queue()?;
    let x_there = queue.upload(&x)?;
    let mut y_there = queue.upload(&y)?;
    launch!(queue, saxpy(a, &x_there, &mut y_there), global = n)?;
    let result = queue.download(&y_there)?;

    // The same in plain Rust. The results are not merely close, they are the same bits.
    for (y, x) in y.iter_mut().zip(&x) {
        *y += a * x;
    }
    let error = result
        .iter()
        .zip(&y)
        .map(|(found, expected)| (found - expected).abs())
        .fold(0.0, f32::max);
    println!("n {n}");
    println!("max error {error}");
    if result != y {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    Ok(())
}
