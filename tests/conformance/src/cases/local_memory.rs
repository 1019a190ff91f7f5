//! Arrays in local memory, what is written with them, and faults in kernels whose items share them.

use crate::case::{Need, Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::Error;
use gridfn::prelude::*;

/// Two arrays of one type are two; one place in a loop is one array.
#[kernel]
fn distinct(x: &[u32], y: &mut [u32]) {
    let mut a = local_array::<u32, 16>();
    let mut b = local_array::<u32, 16>();
    let i = global_id(0);
    let l = local_id(0);
    a[l] = x[i];
    b[l] = x[i] + 1000;
    barrier();
    y[i] = a[15 - l] + b[(l + 1) % 16] * 3;
    for k in 0..3u32 {
        let mut c = local_array::<u32, 16>();
        if k == 0 {
            c[l] = x[i] * 2;
        }
        barrier();
        y[i] += c[(l + k as usize) % 16];
        a[l] = y[i];
    }
    y[i] += b[l];
}

fn plain_distinct(x: &[u32]) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let at = |l: usize| x[l % 16];
        let item = |l: usize| {
            let in_loop: u32 = (0..3).map(|k| at(l + k) * 2).sum();
            x[15 - l] + (at(l + 1) + 1000) * 3 + in_loop + x[l] + 1000
        };
        (0..16).map(item).collect()
    };
    x.chunks(16).flat_map(group).collect()
}

#[derive(Clone, Copy, DeviceCopy)]
struct Body {
    at: [f32; 3],
    mass: f64,
    kind: u8,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Small {
    at: (f32, i16),
    kind: u8,
}

/// Arrays of structs, with arrays and tuples in them.
#[kernel]
fn of_structs(x: &[u32], y: &mut [f32]) {
    let mut t = local_array::<Small, 8>();
    let mut rows = local_array::<[(u16, f32); 3], 8>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = Small {
        at: (x[i] as f32 * 0.5, -(x[i] as i16)),
        kind: x[i] as u8,
    };
    for k in 0..3 {
        rows[l][k] = (x[i] as u16 + k as u16, k as f32);
    }
    barrier();
    let other = t[(l + 3) % 8];
    let (a, b) = other.at;
    let row = rows[(l + 1) % 8];
    y[i] = a + b as f32 + other.kind as f32 + row[2].0 as f32 + row[1].1 + t[7 - l].at.0;
    barrier();
    t[l].at.1 = 5;
    rows[l][1].0 += 1;
    barrier();
    y[i] += t[(l + 1) % 8].at.1 as f32 + rows[7 - l][1].0 as f32;
}

fn plain_of_structs(x: &[u32]) -> Vec<f32> {
    let group = |x: &[u32]| -> Vec<f32> {
        let item = |l: usize| {
            let o = x[(l + 3) % 8];
            let first = o as f32 * 0.5
                + -(o as i16) as f32
                + o as u8 as f32
                + (x[(l + 1) % 8] as u16 + 2) as f32
                + 1.0
                + x[7 - l] as f32 * 0.5;
            first + (5.0 + (x[7 - l] as u16 + 2) as f32)
        };
        (0..8).map(item).collect()
    };
    x.chunks(8).flat_map(group).collect()
}

/// The same with `f64`.
#[kernel]
fn of_bodies(x: &[f64], y: &mut [f64]) {
    let mut t = local_array::<Body, 8>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = Body {
        at: [x[i] as f32, 1.0, 2.0],
        mass: x[i],
        kind: l as u8,
    };
    barrier();
    let mut sum = 0.0;
    for k in 0..8 {
        sum += t[k].mass * t[k].at[(k + l) % 3] as f64;
    }
    y[i] = sum + t[(l + 1) % 8].kind as f64;
}

#[device]
fn sum_of(values: &[f32]) -> f32 {
    let mut sum = 0.0;
    for v in values {
        sum += *v;
    }
    sum
}

#[device]
fn set(values: &mut [f32], at: usize, value: f32) {
    values[at] = value;
}

/// Handed to device functions, as a whole and in part; length and iterators.
#[kernel]
fn handed_on(x: &[f32], y: &mut [f32]) {
    let mut t = local_array::<f32, 16>();
    let i = global_id(0);
    let l = local_id(0);
    set(&mut t, l, x[i]);
    barrier();
    let half = t.len() / 2;
    let mut most = 0.0;
    for v in t.iter() {
        most = f32::max(most, *v);
    }
    y[i] = sum_of(&t) + sum_of(&t[..half]) * 2.0 + sum_of(&t[l..]) + most;
    barrier();
    set(&mut t[half..], l / 2, 1.0);
    barrier();
    y[i] += t[half + l / 2];
}

fn plain_handed_on(x: &[f32]) -> Vec<f32> {
    let group = |x: &[f32]| -> Vec<f32> {
        let most = x.iter().fold(0.0f32, |a, b| a.max(*b));
        let sum = |x: &[f32]| {
            let mut sum = 0.0;
            x.iter().for_each(|v| sum += *v);
            sum
        };
        (0..16)
            .map(|l| sum(x) + sum(&x[..8]) * 2.0 + sum(&x[l..]) + most + 1.0)
            .collect()
    };
    x.chunks(16).flat_map(group).collect()
}

/// Of a length and a type that the kernel is generic over.
#[kernel]
fn generic<T: Scalar, const N: usize>(x: &[T], y: &mut [T]) {
    let mut t = local_array::<T, N>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = x[i];
    barrier();
    y[i] = t[N - 1 - l];
}

const TILE: usize = 4;

/// The product of matrices of `n` by `n`, tile by tile. The grid consists of whole tiles: items behind the edge help to
/// fill them.
#[kernel]
unsafe fn matmul(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut ta = local_array::<[f32; TILE], TILE>();
    let mut tb = local_array::<[f32; TILE + 1], TILE>();
    let (x, y) = (global_id(0), global_id(1));
    let (lx, ly) = (local_id(0), local_id(1));
    let mut sum = 0.0;
    for tile in 0..n.div_ceil(TILE) {
        let k = tile * TILE;
        ta[ly][lx] = if k + lx < n && y < n {
            a[y * n + k + lx]
        } else {
            0.0
        };
        tb[ly][lx] = if k + ly < n && x < n {
            b[(k + ly) * n + x]
        } else {
            0.0
        };
        barrier();
        let many = (n - k).min(TILE);
        for j in 0..many {
            sum += ta[ly][j] * tb[j][lx];
        }
        barrier();
    }
    if x < n && y < n {
        c[y * n + x] = sum;
    }
}

fn matmul_of(device: &Device, n: usize) -> Outcome {
    let queue = device.queue()?;
    let a: Vec<f32> = (0..n * n).map(|i| (i % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..n * n).map(|i| (i % 5) as f32 * 0.5).collect();
    let (a_on, b_on, mut c) = (queue.upload(&a)?, queue.upload(&b)?, queue.zeros::<f32>(n * n)?);
    // SAFETY: each item writes to its own element.
    let result = launch!(
        queue,
        // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
        unsafe { matmul(n, &a_on, &b_on, &mut c) },
        groups = [n.div_ceil(TILE); 2],
        local = [TILE, TILE]
    );
    result?;
    let mut expected = vec![0.0f32; n * n];
    for y in 0..n {
        for x in 0..n {
            let mut sum = 0.0;
            (0..n).for_each(|k| sum += a[y * n + k] * b[k * n + x]);
            expected[y * n + x] = sum;
        }
    }
    check_eq!(queue.download(&c)?, expected);
    Ok(())
}

/// The sum of each group, for any number of items.
#[kernel]
unsafe fn reduce(x: &[u64], sums: &mut [u64]) {
    let mut t = local_array::<u64, 32>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = x[i];
    barrier();
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let mut half = local_size(0).next_power_of_two() / 2;
    while half > 0 {
        if l < half && l + half < n {
            t[l] += t[l + half];
        }
        barrier();
        half /= 2;
    }
    if l == 0 {
        sums[group_id(0)] = t[0];
    }
}

/// Through local memory, by groups of 4 by 4.
#[kernel(local = [4, 4])]
unsafe fn transpose(width: usize, height: usize, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<[u32; 5], 4>();
    t[local_id(1)][local_id(0)] = x[global_id(1) * width + global_id(0)];
    barrier();
    let (gx, gy) = (group_id(0) * 4, group_id(1) * 4);
    // What the items at the edge hold, those that are there write.
    let (w, h) = ((width - gx).min(4), (height - gy).min(4));
    let number = local_id(1) * w + local_id(0);
    let (tx, ty) = (number % h, number / h);
    y[(gx + ty) * height + gy + tx] = t[tx][ty];
}

#[kernel]
fn too_much(y: &mut [u32]) {
    let mut t = local_array::<u32, 10_000_000>();
    let i = global_id(0);
    t[local_id(0)] = y[i];
    barrier();
    y[i] = t[0];
}

/// Item `bad` of each group fails; all the others would wait for it, at barriers and for what it should have written.
#[kernel]
fn one_fails(bad: usize, group: usize, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 16>();
    let i = global_id(0);
    let l = local_id(0);
    y[i] = 1;
    if l == bad && group_id(0) == group {
        t[x.len()] = 1;
    }
    if l == bad {
        t[0] = 3;
    }
    barrier();
    while uniform(t[0]) != 0 {
        barrier();
        if l == bad {
            t[0] -= 1;
        }
        barrier();
    }
    y[i] = 2;
}

/// An item fails in the midst of a loop of all, and one behind the last barrier.
#[kernel]
fn fails_late(round: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 16>();
    let i = global_id(0);
    let l = local_id(0);
    for k in 0..5u32 {
        t[l] = k;
        barrier();
        if k == round && l == 1 {
            y[i] = x[x.len() + l];
        }
        y[i] = t[(l + 1) % 16] + k;
    }
    if round == 7 && l == 2 {
        y[i] = x[i] / (round - 7);
    }
}

/// All items fail at once.
#[kernel]
fn all_fail(at: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    barrier();
    let first = x[at];
    barrier();
    y[i] = first;
}

fn faults(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x = queue.upload(&[4u32; 16])?;
    for bad in [0, 5, 15] {
        let mut y = queue.upload(&[0u32; 64])?;
        launch!(queue, one_fails(bad, 1, &x, &mut y), global = 64, local = 16)?;
        let Err(Error::Fault(fault)) = queue.synchronize() else {
            return Err("there is no fault".into());
        };
        check_eq!(fault.id, [16 + bad, 0, 0]);
        check_eq!(fault.count, 1);
        let y = queue.download(&y)?;
        for (at, &y) in y.iter().enumerate() {
            if at / 16 != 1 {
                check_eq!(y, 2, "item {at}");
            }
        }
        // The queue goes on.
        let mut y = queue.upload(&[0u32; 64])?;
        launch!(queue, one_fails(bad, 9, &x, &mut y), global = 64, local = 16)?;
        check_eq!(queue.download(&y)?, [2; 64]);
    }
    Ok(())
}

pub(crate) fn add_to(suite: &mut Suite) {
    let numbers: Vec<u32> = (0..64u32).map(|i| i * 37 % 101).collect();
    suite.kernel::<distinct>();
    let x = numbers.clone();
    suite.case(case_path!("distinct"), &[], move |device| {
        let queue = device.queue()?;
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(x.len())?);
        launch!(queue, distinct(&x_on, &mut y), global = x.len(), local = 16)?;
        check_eq!(queue.download(&y)?, plain_distinct(&x));
        Ok(())
    });
    suite.kernel::<of_structs>();
    let x = numbers.clone();
    suite.case(case_path!("of_structs"), &[], move |device| {
        let queue = device.queue()?;
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<f32>(x.len())?);
        launch!(queue, of_structs(&x_on, &mut y), global = x.len(), local = 8)?;
        check_eq!(queue.download(&y)?, plain_of_structs(&x));
        Ok(())
    });
    suite.kernel::<of_bodies>();
    suite.case(case_path!("of_bodies"), &[Need::Float64], |device| {
        let queue = device.queue()?;
        let x: Vec<f64> = (0..16).map(|i| f64::from(i) * 0.75).collect();
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<f64>(x.len())?);
        launch!(queue, of_bodies(&x_on, &mut y), global = x.len(), local = 8)?;
        let group = |x: &[f64]| -> Vec<f64> {
            let item = |l: usize| {
                let mut sum = 0.0;
                for k in 0..8 {
                    sum += x[k] * f64::from([x[k] as f32, 1.0, 2.0][(k + l) % 3]);
                }
                sum + ((l + 1) % 8) as f64
            };
            (0..8).map(item).collect()
        };
        let expected: Vec<f64> = x.chunks(8).flat_map(group).collect();
        check_eq!(queue.download(&y)?, expected);
        Ok(())
    });
    suite.kernel::<handed_on>();
    let x: Vec<f32> = numbers.iter().map(|x| *x as f32 * 0.25).collect();
    suite.case(case_path!("handed_on"), &[], move |device| {
        let queue = device.queue()?;
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<f32>(x.len())?);
        launch!(queue, handed_on(&x_on, &mut y), global = x.len(), local = 16)?;
        check_eq!(queue.download(&y)?, plain_handed_on(&x));
        Ok(())
    });
    suite.case(case_path!("generic"), &[], |device| {
        let queue = device.queue()?;
        let x: Vec<i16> = (0..12).map(|i| i * 11 - 40).collect();
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<i16>(12)?);
        launch!(queue, generic::<i16, 6>(&x_on, &mut y), global = 12, local = 6)?;
        let expected: Vec<i16> = x.chunks(6).flat_map(|x| x.iter().rev().copied()).collect();
        check_eq!(queue.download(&y)?, expected);
        let x: Vec<f32> = (0..12).map(|i| i as f32 - 0.5).collect();
        let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<f32>(12)?);
        launch!(queue, generic::<f32, 4>(&x_on, &mut y), global = 12, local = 4)?;
        let expected: Vec<f32> = x.chunks(4).flat_map(|x| x.iter().rev().copied()).collect();
        check_eq!(queue.download(&y)?, expected);
        Ok(())
    });
    suite.kernel::<matmul>();
    for n in [4, 8, 13] {
        suite.case(case_path!(format!("matmul_{n}")), &[], move |device| {
            matmul_of(device, n)
        });
    }
    suite.kernel::<reduce>();
    for (size, local) in [(64usize, 32usize), (100, 32), (7, 16), (33, 5)] {
        suite.case(
            case_path!(format!("reduce_{size}_by_{local}")),
            &[],
            move |device| {
                let queue = device.queue()?;
                let x: Vec<u64> = (0..size as u64).map(|i| i * i + (i << 33)).collect();
                let (x_on, mut sums) = (queue.upload(&x)?, queue.zeros::<u64>(size.div_ceil(local))?);
                // SAFETY: the first item of each group writes to the group's element.
                launch!(
                    queue,
                    // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
                    unsafe { reduce(&x_on, &mut sums) },
                    global = size,
                    local = local
                )?;
                let expected: Vec<u64> = x.chunks(local).map(|x| x.iter().sum()).collect();
                check_eq!(queue.download(&sums)?, expected);
                Ok(())
            },
        );
    }
    suite.kernel::<transpose>();
    for (width, height) in [(8, 8), (13, 6), (4, 9), (1, 1)] {
        suite.case(
            case_path!(format!("transpose_{width}_{height}")),
            &[],
            move |device| {
                let queue = device.queue()?;
                let x: Vec<u32> = (0..(width * height) as u32).collect();
                let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(x.len())?);
                // SAFETY: each item writes to an element of its own.
                let result = launch!(
                    queue,
                    // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
                    unsafe { transpose(width, height, &x_on, &mut y) },
                    global = [width, height]
                );
                result?;
                let mut expected = vec![0; x.len()];
                for (at, &x) in x.iter().enumerate() {
                    expected[at % width * height + at / width] = x;
                }
                check_eq!(queue.download(&y)?, expected);
                Ok(())
            },
        );
    }
    suite.kernel::<too_much>();
    suite.case(case_path!("too_much"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.upload(&[3u32; 8])?;
        let available = device.limits().local_memory;
        check_matches!(
            launch!(queue, too_much(&mut y), global = 8, local = 8),
            Err(Error::LocalMemory { asked: 40_000_000.., available: found, .. }) if *found == available
        );
        check_eq!(queue.download(&y)?, [3; 8]);
        Ok(())
    });
    suite.kernel::<one_fails>();
    suite.case(case_path!("faults"), &[], faults);
    suite.kernel::<fails_late>();
    suite.case(case_path!("fails_late"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[4u32; 32])?;
        for round in 0..6 {
            let mut y = queue.zeros::<u32>(32)?;
            launch!(queue, fails_late(round, &x, &mut y), global = 32, local = 16)?;
            match (round, queue.synchronize()) {
                (0..5, Err(Error::Fault(fault))) => {
                    check_eq!([1, 17].contains(&fault.id[0]), true);
                    check_eq!(fault.count, 2);
                }
                (5, Ok(())) => check_eq!(queue.download(&y)?, [8; 32]),
                (_, result) => return Err(format!("round {round}: {result:?}").into()),
            }
        }
        let mut y = queue.zeros::<u32>(32)?;
        launch!(queue, fails_late(7, &x, &mut y), global = 32, local = 16)?;
        check_matches!(queue.synchronize(), Err(Error::Fault(fault)) if fault.message.contains("zero"));
        Ok(())
    });
    suite.kernel::<all_fail>();
    suite.case(case_path!("all_fail"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[4u32; 8])?;
        let mut y = queue.zeros::<u32>(24)?;
        launch!(queue, all_fail(8, &x, &mut y), global = 20, local = 8)?;
        check_matches!(queue.synchronize(), Err(Error::Fault(fault)) if fault.message.contains("the index is 8"));
        launch!(queue, all_fail(7, &x, &mut y), global = 20, local = 8)?;
        check_eq!(queue.download(&y)?[..20], [4; 20]);
        check_eq!(queue.download(&y)?[20..], [0; 4]);
        Ok(())
    });
}
