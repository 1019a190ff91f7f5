//! A kernel with 40 arguments. A launch of it allocates nothing, as one with two does.

mod common;

use gridfn::prelude::*;

/// Declares the kernel with one buffer and one weight per pair of names, and a function that launches it.
macro_rules! blend {
    ($($x:ident $w:ident)*) => {
        /// The weighted sum of all inputs.
        #[kernel]
        fn blend(bias: f32, $($x: &[f32], $w: f32,)* out: &mut [f32]) {
            let i = global_id(0);
            out[i] = bias $(+ $w * $x[i])*;
        }

        /// How many inputs there are.
        const INPUTS: usize = [$(stringify!($x)),*].len();

        /// Launches it with inputs and weights that are in arrays.
        fn launch_blend(
            queue: &Queue,
            bias: f32,
            inputs: &[Buffer<f32>; INPUTS],
            weights: [f32; INPUTS],
            out: &mut Buffer<f32>,
        ) -> gridfn::Result<()> {
            let [$($x),*] = inputs;
            let [$($w),*] = weights;
            let n = out.len();
            launch!(queue, blend(bias, $($x, $w,)* out), global = n)
        }
    };
}
blend! {
    x0 w0 x1 w1 x2 w2 x3 w3 x4 w4 x5 w5 x6 w6 x7 w7 x8 w8 x9 w9
    x10 w10 x11 w11 x12 w12 x13 w13 x14 w14 x15 w15 x16 w16 x17 w17 x18 w18
}

fn main() -> common::Result {
    let (device, _) = common::arguments(&[blend::emit])?;
    let n = 10_000;
    let bias = 0.25;
    let weights: [f32; INPUTS] = std::array::from_fn(|k| 1.0 / (k + 1) as f32);
    let inputs: [Vec<f32>; INPUTS] =
        std::array::from_fn(|k| (0..n).map(|i| (i * (k + 3) % 1009) as f32).collect());

    let queue = device.queue()?;
    let mut there = Vec::new();
    for input in &inputs {
        there.push(queue.upload(input)?);
    }
    let there = there
        .try_into()
        .map_err(|_| common::failure("one buffer per input"))?;
    let mut out = queue.zeros::<f32>(n)?;
    launch_blend(&queue, bias, &there, weights, &mut out)?;
    let result = queue.download(&out)?;

    // Floats are added in the order in which the kernel says it, so this is exact.
    let sum = |i: usize| {
        weights
            .iter()
            .zip(&inputs)
            .fold(bias, |sum, (w, x)| sum + w * x[i])
    };
    let wrong = (0..n).filter(|&i| result[i] != sum(i)).count();
    println!("arguments {}", 2 * INPUTS + 2);
    println!("wrong {wrong} of {n}");
    if wrong > 0 {
        return Err(common::failure("the results differ from plain Rust's"));
    }
    Ok(())
}
