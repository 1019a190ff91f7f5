//! Iterators and closures that kernels do not have.

use gridfn::prelude::*;

#[kernel]
fn iterators(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let it = x.iter();
    let v: Vec<f32> = x.iter().copied().collect();
    for v in x.iter().chain(x) {}
    let sum: f32 = x.iter().filter(|v| **v > 0.0).take(3).sum();
    let most = x.iter().copied().reduce(f32::max);
    let k = 2.0;
    let f = move |v: f32| v * k;
    y[i] = x.iter().map(f32::sqrt).sum();
    for n in 0.. {}
    y[i] = x.iter().flibber();
    let found = x.iter().find_map(|v| Some(*v));
    let last = x.iter().rfind(|v| **v > 0.0);
    let third = x.iter().nth(2);
}

#[kernel]
fn others(x: &[f32], y: &mut [f32]) {
    for v in y.iter_mut() {
        *v = 1.0;
    }
}

fn main() {}
