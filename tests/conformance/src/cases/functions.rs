//! Functions as arguments of kernels, compared with plain Rust calls of the same functions.

use super::closures::{check, random};
use crate::case::{Outcome, Suite, case_path};
use gridfn::Device;
use gridfn::prelude::*;

/// The plainest of them.
#[kernel]
fn map<T: Scalar, F: Fn(T) -> T>(f: F, input: &[T], output: &mut [T]) {
    let i = global_id(0);
    output[i] = f(input[i]);
}

/// Two functions, one of whose bounds stands behind `where`.
#[kernel]
fn zip<T: Scalar, F, G: Fn(T) -> T>(f: F, a: &[T], b: &[T], g: G, output: &mut [T])
where
    F: Fn(T, T) -> T,
{
    let i = global_id(0);
    output[i] = g(f(a[i], b[i]));
}

/// A function that is called several times, in a loop and under a condition.
#[kernel]
fn fold<F: Fn(u32, u32) -> u32>(f: F, start: u32, x: &[u32], output: &mut [u32]) {
    let i = global_id(0);
    let mut sum = start;
    for k in 0..i {
        if k % 3 != 1 {
            sum = f(sum, x[k]);
        }
    }
    output[i] = f(sum, f(1, 2));
}

/// From one type to another.
#[kernel]
fn choose<F: Fn(u32, usize) -> bool>(f: F, x: &[u32], output: &mut [u32]) {
    let i = global_id(0);
    output[i] = if f(x[i], i) { x[i] } else { 0 };
}

/// No arguments.
#[kernel]
fn fill<F: Fn() -> u32>(f: F, output: &mut [u32]) {
    output[global_id(0)] = f();
}

#[device]
fn square(x: u32) -> u32 {
    x * x
}

#[device]
fn shifted<T: Int>(x: T) -> T {
    x + T::ONE
}

#[device]
fn larger(a: u32, b: u32) -> u32 {
    if a > b {
        return a;
    }
    b
}

#[device]
fn here(_v: u32, i: usize) -> bool {
    i == global_id(0)
}

const N: usize = 50;

fn closures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("functions", N);
    let (x, k, t) = (queue.upload(&data)?, 3u32, [7u32, 11]);
    let mut y = queue.zeros::<u32>(N)?;
    launch!(queue, map(|v| v.max(k) + 1, &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i].max(k).wrapping_add(1))?;
    launch!(queue, map(|v| v ^ t[1] ^ x[3], &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i] ^ t[1] ^ data[3])?;
    launch!(queue, map(|_| 5, &x, &mut y), global = N)?;
    check(&queue, &y, |_| 5)?;
    launch!(
        queue,
        map(
            |mut v| {
                let k = 2;
                while v > 100 {
                    v /= k;
                    if v == 77 {
                        return 1;
                    }
                }
                v
            },
            &x,
            &mut y
        ),
        global = N
    )?;
    check(&queue, &y, |i| {
        let mut v = data[i];
        while v > 100 {
            v /= 2;
            if v == 77 {
                return 1;
            }
        }
        v
    })?;
    launch!(queue, map(|v| square(v) + shifted(v), &x, &mut y), global = N)?;
    check(&queue, &y, |i| {
        data[i]
            .wrapping_mul(data[i])
            .wrapping_add(data[i].wrapping_add(1))
    })?;
    launch!(
        queue,
        choose(|v, i| v as usize % 2 == i % 2, &x, &mut y),
        global = N
    )?;
    check(&queue, &y, |i| {
        if data[i] as usize % 2 == i % 2 { data[i] } else { 0 }
    })?;
    launch!(queue, fill(|| k + 1, &mut y), global = N)?;
    check(&queue, &y, |_| k + 1)
}

fn several(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (a, b): (Vec<i32>, Vec<i32>) = (random("functions a", N), random("functions b", N));
    let (x, y, k) = (queue.upload(&a)?, queue.upload(&b)?, 9i32);
    let mut z = queue.zeros::<i32>(N)?;
    launch!(
        queue,
        zip(|a, b| if a > b { a } else { b + k }, &x, &y, |v| v ^ k, &mut z),
        global = N
    )?;
    let first = |i: usize| if a[i] > b[i] { a[i] } else { b[i].wrapping_add(k) };
    check(&queue, &z, |i| first(i) ^ k)?;
    launch!(queue, zip(|a, b| a - b, &x, &y, shifted {}, &mut z), global = N)?;
    check(&queue, &z, |i| a[i].wrapping_sub(b[i]).wrapping_add(1))?;
    let f = closure!(fn |v: i32| v - k);
    launch!(queue, zip(|a, _| a, &x, &y, f, &mut z), global = N)?;
    check(&queue, &z, |i| a[i].wrapping_sub(k))
}

fn functions(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("functions", N);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(N)?;
    launch!(queue, map(square {}, &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i].wrapping_mul(data[i]))?;
    launch!(queue, map(shifted {}, &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i].wrapping_add(1))?;
    launch!(queue, choose(here {}, &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i])?;
    launch!(queue, fold(larger {}, 4, &x, &mut y), global = N)?;
    check(&queue, &y, |i| {
        (0..i)
            .filter(|k| k % 3 != 1)
            .fold(4, |sum, k| sum.max(data[k]))
            .max(2)
    })
}

fn values(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("functions", N);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(N)?;
    let table = queue.upload(&[3u32, 4, 5])?;
    let f = closure!(fn move |v: u32| v + table[v as usize % table.len()]);
    launch!(queue, map(f, &x, &mut y), global = N)?;
    check(&queue, &y, |i| data[i].wrapping_add(3 + data[i] % 3))
}

/// Adds the cases.
pub(crate) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("closures"), &[], closures);
    suite.case(case_path!("several"), &[], several);
    suite.case(case_path!("functions"), &[], functions);
    suite.case(case_path!("values"), &[], values);
}
