//! A picture of the Mandelbrot set.
//!
//! ```text
//! cargo run --release --example mandelbrot -- mandelbrot.png --n 4096
//! ```
//!
//! `--n` is the picture's width.

mod common;

use gridfn::prelude::*;
use image::{Rgb, RgbImage};
use std::ops::{Add, Mul};
use std::path::PathBuf;

/// A complex number. Kernels may use its operators, because they are marked `#[device]`.
#[derive(Clone, Copy, DeviceCopy)]
struct Complex {
    re: f32,
    im: f32,
}

#[device]
impl Complex {
    fn norm_squared(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[device]
impl Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[device]
impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

/// After so many steps, a point that has not left is taken to be in the set.
const LIMIT: u32 = 200;

/// How many steps `z ← z² + c` leaves within the circle around 0 in which the whole set lies.
#[kernel]
fn mandelbrot(corner: Complex, step: f32, counts: &mut [u32]) {
    let c = corner
        + Complex {
            re: step * global_id(0) as f32,
            im: step * global_id(1) as f32,
        };
    let mut z = c;
    let mut count = 0;
    while count < LIMIT {
        if z.norm_squared() > 4.0 {
            break;
        }
        z = z * z + c;
        count += 1;
    }
    counts[global_linear_id()] = count;
}

/// The same of one pixel in plain Rust, without complex numbers.
fn plain(x0: f32, y0: f32) -> u32 {
    let (mut x, mut y) = (x0, y0);
    for count in 0..LIMIT {
        if x * x + y * y > 4.0 {
            return count;
        }
        (x, y) = (x * x - y * y + x0, x * y + y * x + y0);
    }
    LIMIT
}

/// Black in the set, blue far from it, light at its edge.
fn colour(count: u32) -> Rgb<u8> {
    if count == LIMIT {
        return Rgb([0, 0, 0]);
    }
    let near = (count as f32 / LIMIT as f32).sqrt();
    Rgb([near * near, near, 0.3 + 0.7 * near].map(|c| (255.0 * c) as u8))
}

fn main() -> common::Result {
    let (device, n, names) = common::sized_arguments(&[mandelbrot::emit])?;
    let width = n.unwrap_or(128);
    let height = width * 3 / 4;
    let target = names
        .first()
        .map_or_else(|| std::env::temp_dir().join("mandelbrot.png"), PathBuf::from);
    let step = 3.2 / width as f32;
    let corner = Complex { re: -2.3, im: -1.2 };

    let queue = device.queue()?;
    let mut counts = queue.zeros::<u32>(width * height)?;
    launch!(
        queue,
        mandelbrot(corner, step, &mut counts),
        global = [width, height]
    )?;
    let counts = queue.download(&counts)?;

    let picture = RgbImage::from_fn(width as u32, height as u32, |x, y| {
        colour(counts[y as usize * width + x as usize])
    });
    picture.save_with_format(&target, image::ImageFormat::Png)?;

    // Floats are computed as the kernel says it, so the counts are the same, and not merely close.
    let expected = |i: usize| {
        let (x, y) = ((i % width) as f32, (i / width) as f32);
        plain(corner.re + step * x, corner.im + step * y)
    };
    let mismatches = (0..counts.len()).filter(|&i| counts[i] != expected(i)).count();
    println!("size {width}x{height} -> {}", target.display());
    println!("mismatches {mismatches}");
    if mismatches > 0 {
        return Err(common::failure("the counts differ from plain Rust's"));
    }
    Ok(())
}
