//! Structs as arguments.

use gridfn::prelude::*;

#[derive(KernelArg)]
struct Wrong<'a> {
    x: &'a Buffer<f32>,
    name: String,
}

#[derive(KernelArg)]
struct Tuple<'a>(&'a Buffer<f32>);

#[derive(KernelArg)]
enum Choice {
    A,
}

#[derive(KernelArg)]
struct Fields<'a> {
    x: &'a Buffer<f32>,
    y: &'a mut Buffer<f32>,
    k: f32,
}

#[kernel]
fn meets(f: Fields<'_>) {
    let i = global_id(0);
    f.y[i + 1] = f.x[i];
}

#[kernel]
fn no_such_field(f: Fields<'_>) {
    let i = global_id(0);
    f.y[i] = f.z;
}

#[kernel]
fn a_view_is_no_value(f: Fields<'_>) {
    let y = f.y;
}

#[device]
fn first(x: &[f32]) -> f32 {
    x[0]
}

#[kernel]
fn hands_on_what_may_be_written(f: Fields<'_>) {
    let i = global_id(0);
    f.y[i] = first(f.x);
    first(f.y);
}

#[kernel]
fn reads_what_is_written(f: Fields<'_>) {
    let i = global_id(0);
    f.y[i] = f.y.first().copied().unwrap_or(0.0);
}

#[kernel]
fn writes_what_is_shared(f: Fields<'_>) {
    let i = global_id(0);
    f.x[i] = f.k;
}

#[kernel]
fn good(f: Fields<'_>, t: (&[f32], &mut [f32])) {
    let i = global_id(0);
    f.y[i] = f.x[i] + t.0[i];
}

fn main() -> gridfn::Result<()> {
    let queue = Device::host().queue()?;
    let x = queue.zeros::<f32>(4)?;
    let mut y = queue.zeros::<f32>(4)?;
    let mut z = queue.zeros::<i32>(4)?;
    launch!(queue, good(Fields { x: &y, y: &mut y, k: 1.0 }, (&x, &mut y)), global = 4)?;
    launch!(queue, good(Fields { x: &x, y: &mut y, k: 1.0 }, (&x, &mut z)), global = 4)?;
    launch!(queue, good(1.0, (&x, &mut y)), global = 4)
}
