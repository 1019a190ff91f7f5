//! Bodies: all that functions may hold, among captures.

use super::{check, floats, random};
use crate::case::{Outcome, Suite, case_path};
use gridfn::Device;
use gridfn::prelude::*;

/// Interpolates.
#[device]
fn lerp<T: Float>(a: T, b: T, t: T) -> T {
    a * (T::ONE - t) + b * t
}

/// The item's neighbour.
#[device]
fn next(n: usize) -> usize {
    (global_id(0) + 1) % n
}

fn control(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("control", 60);
    let (x, limit, steps) = (queue.upload(&data)?, 1u32 << 15, 40usize);
    let mut y = queue.upload(&[5u32; 60])?;
    launch!(
        queue,
        |i| {
            if x[i] % 5 == 0 {
                return;
            }
            let mut n = 0u32;
            let mut v = x[i];
            'outer: loop {
                for k in (0..steps).rev().step_by(3) {
                    if v < limit && k % 4 == 1 {
                        break 'outer;
                    }
                    if v & 1 == 1 {
                        n += 2;
                        continue;
                    }
                    v = v / 2 + k as u32;
                    n += 1;
                }
                v = v / 3;
                while v > limit * 2 {
                    v -= limit;
                    v >>= 1;
                }
                if n > 1000 {
                    y[i] = 1;
                    return;
                }
            }
            let sign = if v > limit / 2 {
                let half = n / 2;
                half + 1
            } else if n == 0 {
                77
            } else {
                'found: {
                    if v == 3 {
                        break 'found 6;
                    }
                    n * 2
                }
            };
            y[i] = sign + v;
        },
        global = 60
    )?;
    check(&queue, &y, |i| plain(data[i], limit, steps))
}

/// The body of `control` in plain Rust.
#[expect(clippy::manual_is_multiple_of, reason = "as the kernel has it")]
fn plain(x: u32, limit: u32, steps: usize) -> u32 {
    if x % 5 == 0 {
        return 5;
    }
    let mut n = 0u32;
    let mut v = x;
    'outer: loop {
        for k in (0..steps).rev().step_by(3) {
            if v < limit && k % 4 == 1 {
                break 'outer;
            }
            if v & 1 == 1 {
                n += 2;
                continue;
            }
            v = v / 2 + k as u32;
            n += 1;
        }
        v /= 3;
        while v > limit * 2 {
            v -= limit;
            v >>= 1;
        }
        if n > 1000 {
            return 1;
        }
    }
    let sign = if v > limit / 2 {
        n / 2 + 1
    } else if n == 0 {
        77
    } else if v == 3 {
        6
    } else {
        n * 2
    };
    sign.wrapping_add(v)
}

/// More operators than rustc follows a list of types.
fn long(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("long", 30);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(30)?;
    macro_rules! repeated {
        ($($n:literal)*) => {
            launch!(
                queue,
                |i| {
                    let mut v = x[i];
                    $(v = (v ^ x[i]).rotate_left($n) * 5 + 1;)*
                    y[i] = v;
                },
                global = 30
            )?;
        };
    }
    repeated! { 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 }
    check(&queue, &y, |i| {
        (1..=40).fold(data[i], |v, n| {
            (v ^ data[i]).rotate_left(n).wrapping_mul(5).wrapping_add(1)
        })
    })
}

fn device_functions(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data = floats("functions", 30);
    let (x, t) = (queue.upload(&data)?, (0.25f32, [0.5f32, 0.75]));
    let mut y = queue.zeros::<f32>(30)?;
    launch!(
        queue,
        |i| y[i] = lerp(x[i], x[next(x.len())], t.0) + lerp(t.0, t.1[i % 2], x[i].abs()),
        global = 30
    )?;
    check(&queue, &y, |i| {
        lerp(data[i], data[(i + 1) % 30], 0.25) + lerp(0.25, t.1[i % 2], data[i].abs())
    })
}

/// What is not written in the body is inferred by rustc, from captures too.
fn inference(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<i16> = random("inference", 30);
    let (x, k) = (queue.upload(&data)?, 300);
    let mut y = queue.zeros::<i16>(30)?;
    let mut z = queue.zeros::<u8>(30)?;
    let scale = 2.5;
    let mut w = queue.zeros::<f32>(30)?;
    launch!(
        queue,
        |i| {
            let late;
            if x[i] > 0 {
                late = 1;
            } else {
                late = -1;
            }
            y[i] = x[i] * k + late;
            z[i] = x[i] as _;
            w[i] = scale * i as f32;
        },
        global = 30
    )?;
    check(&queue, &y, |i| {
        data[i]
            .wrapping_mul(k)
            .wrapping_add(if data[i] > 0 { 1 } else { -1 })
    })?;
    check(&queue, &z, |i| data[i] as u8)?;
    check(&queue, &w, |i| scale * i as f32)
}

fn items(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u64>(20)?;
    let scale = 3u64;
    launch!(
        queue,
        |i| {
            use std::primitive::u64 as Word;
            const BASE: u64 = 1 << 40;
            const TWICE: u64 = BASE * 2;
            y[i] = (i as Word) * scale + TWICE;
        },
        global = 20
    )?;
    check(&queue, &y, |i| i as u64 * 3 + (2 << 40))
}

fn several(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("several", 30);
    let (mut a, mut b) = (queue.upload(&data)?, queue.zeros::<u32>(30)?);
    for round in 0..6u32 {
        let k = round * round;
        launch!(queue, |i| b[i] = a[i] + k, global = 30)?;
        launch!(queue, |j| b[j] *= round, global = 30)?;
        std::mem::swap(&mut a, &mut b);
    }
    let mut expected = data;
    for round in 0..6u32 {
        for v in &mut expected {
            *v = v.wrapping_add(round * round).wrapping_mul(round);
        }
    }
    check(&queue, &a, |i| expected[i])?;
    // In a closure of the program's own, and in one expression.
    let mut y = queue.zeros::<u32>(4)?;
    let mut run = |k: u32| launch!(queue, |i| y[i] += k, global = 4);
    [1, 10, 100].into_iter().try_for_each(&mut run)?;
    let sum = [2u32, 3].map(|k| launch!(queue, |i| y[i] += k, global = 4).map(|()| k));
    check(&queue, &y, |_| 116)?;
    match sum {
        [Ok(2), Ok(3)] => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

fn unsafety(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data = floats("unsafety", 32);
    let (x, mut y, width) = (queue.upload(&data)?, queue.zeros::<f32>(32)?, 8usize);
    // SAFETY: to reverse is one to one.
    launch!(queue, unsafe { |i| y[31 - i] = x[i] }, global = 32)?;
    check(&queue, &y, |i| data[31 - i])?;
    // SAFETY: each row is another item's.
    launch!(
        queue,
        unsafe {
            |row| {
                for column in 1..width {
                    y[row * width + column] += y[row * width + column - 1];
                }
            }
        },
        global = 4
    )?;
    let mut expected: Vec<f32> = data.into_iter().rev().collect();
    for row in expected.chunks_mut(8) {
        for column in 1..8 {
            row[column] += row[column - 1];
        }
    }
    check(&queue, &y, |i| expected[i])?;
    // SAFETY: `i` is another number, but one to one.
    let mut c = closure!(unsafe {
        |mut i| {
            i += 1;
            y[i % 32] = i as f32;
        }
    });
    launch!(queue, &mut c, global = 32)?;
    check(&queue, &y, |i| if i == 0 { 32.0 } else { i as f32 })
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("control"), &[], control);
    suite.case(case_path!("long"), &[], long);
    suite.case(case_path!("device_functions"), &[], device_functions);
    suite.case(case_path!("inference"), &[], inference);
    suite.case(case_path!("items"), &[], items);
    suite.case(case_path!("several"), &[], several);
    suite.case(case_path!("unsafety"), &[], unsafety);
}
