//! One buffer as `&` and `&mut`, and twice as `&mut`.
use gridfn::prelude::*;

#[kernel]
fn add(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += x[i];
}

#[kernel]
fn both(x: &mut [f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] += x[i];
}

fn shared_and_unique(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, add(&y, &mut y), global = 4)
}

fn unique_twice(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    launch!(queue, both(&mut y, &mut y), global = 4)
}

#[kernel]
fn copied(x: View<f32, 2>, y: ViewMut<f32, 2>) {
    let at = [global_id(1), global_id(0)];
    y[at] = x[at];
}

fn view_and_unique_part(queue: &Queue, mut y: Buffer<f32>) -> gridfn::Result<()> {
    let part = y.view([2, 2])?.part([0..1, 0..2])?;
    launch!(queue, copied(part, y.view_mut([2, 2])?.part([1..2, 0..2])?), global = [2, 1])
}

fn main() {}
