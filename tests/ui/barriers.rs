//! What would leave items of a work-group waiting.

use gridfn::prelude::*;

#[kernel]
fn under_a_condition_of_items(y: &mut [u32]) {
    let i = global_id(0);
    if local_id(0) < 3 {
        barrier();
    }
    y[i] = 1;
}

#[kernel]
fn chain(y: &mut [u32]) {
    let i = global_id(0);
    let half = local_id(0) / 2;
    let mut n = 10;
    if half > 2 {
        n = 4;
    }
    while n > 0 {
        barrier();
        n -= 1;
    }
    y[i] = n;
}

#[kernel]
fn of_memory(x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 8>();
    let i = global_id(0);
    t[0] = x[0];
    match t[0] {
        0 => barrier(),
        _ => y[i] = 3,
    }
    for _ in 0..y[i] {
        barrier();
    }
}

#[kernel]
fn single_returns(y: &mut [u32]) {
    let i = global_id(0);
    if i > 7 {
        return;
    }
    barrier();
    y[i] = 1;
}

#[kernel]
fn single_breaks(y: &mut [u32]) {
    let i = global_id(0);
    for k in 0..4 {
        if local_id(0) == k {
            break;
        }
        barrier();
    }
    y[i] = 1;
}

#[device]
fn third(x: u32) -> u32 {
    x / 3
}

#[kernel]
fn by_a_function(n: u32, y: &mut [u32]) {
    let i = global_id(0);
    if third(n) > 2 {
        barrier();
    }
    y[i] = 1;
}

#[kernel]
fn uniform_inside(n: u32, y: &mut [u32]) {
    let i = global_id(0);
    y[i] = if n > 3 { uniform(n) } else { 0 };
    let both = n > 3 && uniform(n) > 4;
    let nested = uniform(uniform(n) + 1);
    let closure = |x: u32| x + uniform(n);
    y[i] += both as u32 + nested + closure(1);
}

#[kernel]
fn inside_expressions(n: u32, y: &mut [u32]) {
    let i = global_id(0);
    let unit = barrier();
    let first = local_array::<u32, 4>()[0];
    y[i] = {
        barrier();
        first
    };
}

#[kernel]
fn arguments(y: &mut [u32]) {
    let i = global_id(0);
    barrier(1);
    let t = local_array::<u32, 4>(3);
    y[i] = uniform();
}

#[device]
fn in_a_function() {
    barrier();
}

fn in_a_closure(queue: &Queue, y: &mut Buffer<u32>) {
    let _ = launch!(
        queue,
        |i| {
            barrier();
            y[i] = 1;
        },
        global = 8
    );
}

fn main() {}
