//! The edges of a picture, by Sobel's filter: a grid of two dimensions over bytes.
//!
//! ```text
//! cargo run --release --example edges -- photo.jpg edges.png
//! ```
//!
//! It takes a PNG or a JPEG and writes a PNG; without names it takes a small picture of its own.

mod common;

use gridfn::prelude::*;
use image::GrayImage;
use std::path::PathBuf;

/// How fast the brightness changes at each pixel. The grid is the picture; at its rim the pixels repeat.
#[kernel]
fn sobel(picture: &[u8], edges: &mut [u8]) {
    let x = global_id(0);
    let y = global_id(1);
    let width = global_size(0);
    let height = global_size(1);

    let left = x.saturating_sub(1);
    let right = (x + 1).min(width - 1);
    let above = y.saturating_sub(1) * width;
    let here = y * width;
    let below = (y + 1).min(height - 1) * width;

    let nw = picture[above + left] as i32;
    let n = picture[above + x] as i32;
    let ne = picture[above + right] as i32;
    let w = picture[here + left] as i32;
    let e = picture[here + right] as i32;
    let sw = picture[below + left] as i32;
    let s = picture[below + x] as i32;
    let se = picture[below + right] as i32;

    let across = ne + 2 * e + se - (nw + 2 * w + sw);
    let down = sw + 2 * s + se - (nw + 2 * n + ne);
    let steepness = ((across * across + down * down) as f32).sqrt();
    // A cast to `u8` ends at 255, as in all of Rust.
    edges[global_linear_id()] = steepness as u8;
}

/// The same in plain Rust.
fn plain_sobel(picture: &GrayImage) -> Vec<u8> {
    let (width, height) = (picture.width() as i32, picture.height() as i32);
    let pixel = |x: i32, y: i32| {
        let (x, y) = (x.clamp(0, width - 1), y.clamp(0, height - 1));
        i32::from(picture.get_pixel(x as u32, y as u32).0[0])
    };
    let steepness = |x: i32, y: i32| {
        let weights = [(-1, 1), (0, 2), (1, 1)];
        let across: i32 = weights
            .iter()
            .map(|(d, w)| w * (pixel(x + 1, y + d) - pixel(x - 1, y + d)))
            .sum();
        let down: i32 = weights
            .iter()
            .map(|(d, w)| w * (pixel(x + d, y + 1) - pixel(x + d, y - 1)))
            .sum();
        ((across * across + down * down) as f32).sqrt() as u8
    };
    (0..height)
        .flat_map(|y| (0..width).map(move |x| steepness(x, y)))
        .collect()
}

fn main() -> common::Result {
    let (device, names) = common::arguments(&[sobel::emit])?;
    let mut names = names.into_iter().map(PathBuf::from);
    let source = names.next().unwrap_or_else(|| {
        [env!("CARGO_MANIFEST_DIR"), "examples", "edges", "shapes.png"]
            .iter()
            .collect()
    });
    let target = names
        .next()
        .unwrap_or_else(|| std::env::temp_dir().join("edges.png"));
    let picture = image::open(&source)?.into_luma8();
    let (width, height) = picture.dimensions();

    let queue = device.queue()?;
    let there = queue.upload(picture.as_raw())?;
    let mut edges = queue.zeros::<u8>(there.len())?;
    launch!(
        queue,
        sobel(&there, &mut edges),
        global = [width as usize, height as usize]
    )?;
    let edges = queue.download(&edges)?;

    let wrong = edges
        .iter()
        .zip(plain_sobel(&picture))
        .filter(|(found, expected)| *found != expected)
        .count();
    let edges =
        GrayImage::from_raw(width, height, edges).ok_or_else(|| common::failure("one byte per pixel"))?;
    edges.save_with_format(&target, image::ImageFormat::Png)?;
    println!("{} ({width}x{height}) -> {}", source.display(), target.display());
    println!("wrong {wrong} of {}", width * height);
    if wrong > 0 {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    Ok(())
}
