//! Views: indices, whose element is whose, and what passes for a view.

use gridfn::prelude::*;

#[kernel]
fn fewer_indices(v: ViewMut<f32, 2>) {
    v[[global_id(0)]] = 1.0;
}

#[kernel]
fn one_number(v: View<f32, 2>, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = v[i];
}

#[kernel]
fn written(v: View<f32, 1>) {
    v[[global_id(0)]] = 1.0;
}

#[kernel]
fn a_neighbour(v: ViewMut<f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    v[[y, x]] = v[[y, x + 1]];
}

#[kernel]
fn other_places(v: ViewMut<f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    v[[y, x]] = 1.0;
    v[[x, y]] = 2.0;
}

#[kernel]
fn no_first_dimension(v: ViewMut<f32, 2>) {
    v[[global_id(1), 0]] = 1.0;
}

#[kernel]
fn may_change(v: ViewMut<f32, 2>) {
    let (mut x, y) = (global_id(0), global_id(1));
    x += 1;
    v[[y, x]] = 1.0;
}

#[kernel]
fn handed_on(v: ViewMut<f32, 1>) {
    let w = v;
    w[[0]] = 1.0;
}

#[kernel]
fn four_dimensions(v: View<f32, 4>) {
    let _ = v.len();
}

#[kernel]
fn copied(a: View<f32, 2>, b: ViewMut<f32, 2>) {
    let at = [global_id(1), global_id(0)];
    b[at] = a[at];
}

#[device]
fn length(v: View<f32, 1>) -> usize {
    v.len()
}

fn launches(queue: &Queue, a: &mut Buffer<f32>, n: &mut Buffer<u32>) -> gridfn::Result<()> {
    launch!(queue, copied(n.view([2, 2])?, a.view_mut([2, 2])?), global = [2, 2])?;
    launch!(queue, copied(a.view([4])?, a.view_mut([2, 2])?), global = [2, 2])?;
    let mut v = a.view_mut([2, 2])?;
    launch!(queue, |[x, y]| v[[0, x]] = y as f32, global = [2, 2])?;
    launch!(queue, |i| v[[i, i + 1]] = 1.0, global = 2)?;
    Ok(())
}

fn main() {
    let _ = launches;
}
