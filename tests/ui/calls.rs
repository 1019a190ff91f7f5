//! What kernels can call.
use gridfn::prelude::*;

fn plain(x: f32) -> f32 {
    x
}

#[device]
fn twice(x: f32) -> f32 {
    x + x
}

trait Length {
    fn len(&self) -> usize;
}

impl Length for f32 {
    fn len(&self) -> usize {
        1
    }
}

#[kernel]
fn not_a_device_function(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = plain(x[i]);
}

#[kernel]
fn typo(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = x[i].sqrtt();
}

#[kernel]
fn method_of_the_users(x: &[f32], y: &mut [usize]) {
    let i = global_id(0);
    y[i] = x[i].len();
}

#[kernel]
fn method_that_devices_lack(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = (x[i] as u32).checked_signed_diff(2).is_some() as u8 as f32;
}

#[kernel]
fn wrong_arguments(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = twice(x[i], 1.0);
    y[i] = twice(1u32);
    y[i] = x[i].max();
}

#[kernel]
fn no_bound<T>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i] + x[i];
}

#[device]
fn wrong_result(x: f32) -> f32 {
    let k: u32 = x;
    k
}

fn main() {}
