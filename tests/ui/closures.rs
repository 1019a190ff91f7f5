//! Closures as kernels.

use gridfn::prelude::*;
use gridfn::runtime;

fn captures(queue: &Queue) -> gridfn::Result<()> {
    let v = vec![1.0f32; 4];
    let name = String::new();
    let wide = 1u128;
    let mut y = queue.zeros::<f32>(4)?;
    launch!(queue, |i| y[i] = v[i], global = 4)?;
    launch!(queue, |i| y[i] = name.len() as f32, global = 4)?;
    launch!(queue, |i| y[i] = wide as f32, global = 4)?;
    let mut w = vec![0.0f32; 4];
    launch!(queue, |i| w[i] = y[i], global = 4)?;
    let mut total = 0.0;
    launch!(queue, |i| total += y[i], global = 4)
}

fn meets(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, |i| y[i + 1] = x[i], global = 4)?;
    launch!(queue, |[c, r]| y[c] = x[r], global = [2, 2])?;
    launch!(queue, |[c, r]| y[global_linear_id()] = x[c + r], global = 4)?;
    launch!(queue, |i| y[i] = x[i], global = [2, 2])
}

fn needs_mut(queue: &Queue, x: &Buffer<f32>, y: &Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, |i| y[i] = x[i], global = 4)
}

fn shape(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, || y[0] = 1.0, global = 4)?;
    launch!(queue, |i, j| y[i] = 1.0, global = 4)?;
    launch!(queue, |i: u32| y[i] = 1.0, global = 4)?;
    launch!(queue, |i| -> f32 { y[i] }, global = 4)?;
    launch!(queue, async |i| y[i] = 1.0, global = 4)
}

fn wrong_type(queue: &Queue, x: &Buffer<f32>, y: &mut Buffer<i32>) -> gridfn::Result<()> {
    launch!(queue, |i| y[i] = x[i], global = 4)
}

fn other_backend(
    queue: &Queue,
    x: &runtime::Buffer<f32, gridfn_backends::null::Null>,
    y: &mut runtime::Buffer<f32, gridfn_backends::null::Null>,
) -> gridfn::Result<()> {
    launch!(queue, |i| y[i] = x[i], global = 4)
}

fn borrowed(queue: &Queue) -> gridfn::Result<()> {
    let x = queue.zeros::<f32>(4)?;
    let mut y = queue.zeros::<f32>(4)?;
    let mut c = closure!(|i| y[i] = x[i]);
    drop(x);
    queue.fill(&mut y, 1.0)?;
    launch!(queue, &mut c, global = 4)
}

fn by_reference(queue: &Queue, y: &mut Buffer<f32>) -> gridfn::Result<()> {
    let c = closure!(|i| y[i] = 1.0);
    launch!(queue, &c, global = 4)?;
    launch!(queue, c, global = 4)
}

fn main() {
    let not_a_closure = closure!(3);
}
