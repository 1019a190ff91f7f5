//! Heat in a plate, step by step, with a closure as the kernel.
//!
//! The closure captures what it names: the size and the conductivity by value, the old field to read and the new one
//! to write. Between the steps the two buffers change places on the host, which costs nothing.
//!
//! ```text
//! cargo run --release --example closures -- --device intel
//! ```

mod common;

use gridfn::prelude::*;

const WIDTH: usize = 200;
const HEIGHT: usize = 120;
const STEPS: usize = 100;

/// A plate, cold but for a hot spot and a warm edge.
fn plate() -> Vec<f32> {
    let hot = |x: usize, y: usize| (40..60).contains(&x) && (30..70).contains(&y);
    (0..WIDTH * HEIGHT)
        .map(|i| match (i % WIDTH, i / WIDTH) {
            (x, y) if hot(x, y) => 100.0,
            (_, 0) => 20.0,
            _ => 0.0,
        })
        .collect()
}

/// What a point gains in one step from its neighbours. Kernels call it, and so does the check.
#[device]
fn gain(here: f32, left: f32, right: f32, above: f32, below: f32) -> f32 {
    left + right + above + below - 4.0 * here
}

/// All steps in plain Rust.
fn plain(mut old: Vec<f32>, conductivity: f32) -> Vec<f32> {
    let mut new = old.clone();
    for _ in 0..STEPS {
        for y in 1..HEIGHT - 1 {
            for x in 1..WIDTH - 1 {
                let i = y * WIDTH + x;
                let gain = gain(old[i], old[i - 1], old[i + 1], old[i - WIDTH], old[i + WIDTH]);
                new[i] = old[i] + conductivity * gain;
            }
        }
        std::mem::swap(&mut old, &mut new);
    }
    old
}

fn main() -> common::Result {
    let (device, _) = common::arguments(&[])?;
    let conductivity = 0.2;
    let start = plate();

    let queue = device.queue()?;
    let mut old = queue.upload(&start)?;
    let mut new = queue.upload(&start)?;
    for _ in 0..STEPS {
        launch!(
            queue,
            |[x, y]| {
                let i = global_linear_id();
                // The plate's edge keeps its temperature.
                if x > 0 && x < WIDTH - 1 && y > 0 && y < HEIGHT - 1 {
                    let gain = gain(old[i], old[i - 1], old[i + 1], old[i - WIDTH], old[i + WIDTH]);
                    new[i] = old[i] + conductivity * gain;
                }
            },
            global = [WIDTH, HEIGHT]
        )?;
        std::mem::swap(&mut old, &mut new);
    }
    let result = queue.download(&old)?;

    let expected = plain(start, conductivity);
    let error = result
        .iter()
        .zip(&expected)
        .map(|(found, expected)| (found - expected).abs())
        .fold(0.0, f32::max);
    println!("size {WIDTH}x{HEIGHT}");
    println!("steps {STEPS}");
    println!("max error {error}");
    if result != expected {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    Ok(())
}
