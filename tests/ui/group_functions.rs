//! Functions that all items of a work-group call together, called or written wrongly.

use gridfn::prelude::*;

#[device(group)]
fn sum(value: f32) -> f32 {
    let mut tile = local_array::<f32, 64>();
    tile[local_id(0)] = value;
    barrier();
    tile[0]
}

#[device(group)]
fn shifted(value: f32, #[uniform] by: usize) -> f32 {
    let mut tile = local_array::<f32, 64>();
    tile[local_id(0)] = value;
    barrier();
    tile[(local_id(0) + by) % 64]
}

#[device(group)]
fn folded<F: Fn(f32, f32) -> f32>(value: f32, op: F) -> f32 {
    op(value, value)
}

#[device(group)]
fn filled(tile: &mut [f32]) {
    tile[local_id(0)] = 1.0;
    barrier();
}

#[device]
fn plain(value: f32) -> f32 {
    value
}

#[kernel]
fn without_group(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = sum(x[i]);
}

#[kernel]
fn of_an_ordinary_function(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = group!(plain(x[i]));
}

#[kernel]
fn under_a_condition(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let l = local_id(0);
    if l < 3 {
        let s = group!(sum(x[i]));
        y[i] = s;
    }
}

#[kernel]
fn inside_a_condition(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    if n > 2 && group!(sum(x[i])) > 0.0 {
        y[i] = 1.0;
    }
}

#[kernel]
fn in_a_branch_of_an_expression(n: u32, x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = if n > 2 { group!(sum(x[i])) } else { 0.0 };
}

#[kernel]
fn in_the_head_of_a_loop(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    while group!(sum(x[i])) > 0.0 {
        y[i] = 1.0;
    }
}

#[kernel]
fn behind_what_reads(x: &[f32], y: &mut [f32]) {
    let mut tile = local_array::<f32, 64>();
    let i = global_id(0);
    tile[local_id(0)] = x[i];
    barrier();
    y[i] = tile[0] + group!(sum(x[i]));
}

#[kernel]
fn uniform_needed(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = group!(shifted(x[i], local_id(0)));
}

#[kernel]
fn own_by_reference(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let mut own = [x[i]; 64];
    group!(filled(&mut own));
    y[i] = own[0];
}

#[kernel]
fn own_in_a_closure(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let own = x[i];
    y[i] = group!(folded(x[i], |a, b| a + b * own));
}

#[kernel]
fn wrong_type(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    y[i] = group!(sum(x[i] as f64));
}

#[kernel]
fn wrong_result(x: &[f32], y: &mut [f32]) {
    let i = global_id(0);
    let s: u32 = group!(sum(x[i]));
    y[i] = s as f32;
}

#[kernel]
fn too_few(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = group!(sum());
}

#[kernel]
fn no_call(y: &mut [f32]) {
    let i = global_id(0);
    y[i] = group!(3.0);
}

#[kernel]
fn uniform_parameter(#[uniform] n: u32, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = n as f32;
}

#[device]
fn calls_together(value: f32) -> f32 {
    group!(sum(value))
}

#[device]
fn waits(value: f32) -> f32 {
    barrier();
    value
}

#[device(group)]
fn single_items_return(value: f32) -> f32 {
    if local_id(0) < 3 {
        return 0.0;
    }
    value
}

#[device(group)]
fn own_argument_decides(value: u32) {
    if value > 3 {
        barrier();
    }
}

#[device(group)]
fn calls_itself(value: f32) -> f32 {
    group!(calls_itself(value))
}

#[device(group)]
fn without_a_result(value: f32, #[uniform] n: u32) -> f32 {
    if n > 2 {
        return value;
    }
}

#[device(group)]
fn leaves_by_question_mark(value: Option<u32>) -> u32 {
    value? + 1
}

#[device(group)]
fn uniform_slice(#[uniform] x: &[f32]) -> f32 {
    x[0]
}

#[device(group)]
struct NoFunction;

fn main() {}
