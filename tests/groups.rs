//! Kernels whose items wait for each other, on the host: what they compute is compared with plain Rust.

use gridfn::prelude::*;
use gridfn::{Error, Result};

fn queue() -> Result<Queue> {
    Device::host().queue()
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i * 7 % 13) as f32).collect()
}

/// The number of items in a group, and the sizes of grids: with whole groups, and with padding.
const SIZES: [(usize, usize); 6] = [(256, 1), (256, 256), (256, 4096), (8, 13), (16, 1000), (1, 5)];

fn groups(x: &[f32], local: usize) -> impl Iterator<Item = &[f32]> {
    x.chunks(local)
}

#[kernel]
unsafe fn reduce(x: &[f32], out: &mut [f32]) {
    let mut tmp = local_array::<f32, 256>();
    let l = local_id(0);
    let i = global_id(0);
    tmp[l] = x[i];
    if i + 1 == x.len() {
        for k in l + 1..local_size(0) {
            tmp[k] = 0.0;
        }
    }
    let mut step = local_size(0) / 2;
    barrier();
    while step > 0 {
        if l < step {
            tmp[l] += tmp[l + step];
        }
        step /= 2;
        barrier();
    }
    if l == 0 {
        out[group_id(0)] = tmp[0];
    }
}

#[test]
fn a_reduction() -> Result<()> {
    let queue = queue()?;
    for (local, n) in SIZES {
        let x = numbers(n);
        let (dx, mut out) = (queue.upload(&x)?, queue.zeros::<f32>(n.div_ceil(local))?);
        launch!(
            queue,
            // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
            unsafe { reduce(&dx, &mut out) },
            global = n,
            local = local
        )?;
        let expected: Vec<f32> = groups(&x, local).map(|g| g.iter().sum()).collect();
        assert_eq!(queue.download(&out)?, expected, "{n} items, {local} in a group");
    }
    Ok(())
}

#[kernel(local = [16, 16])]
unsafe fn matmul(m: usize, n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let mut ta = local_array::<[f32; 16], 16>();
    let mut tb = local_array::<[f32; 16], 16>();
    let (x, y) = (local_id(0), local_id(1));
    let column = global_id(0);
    let row = global_id(1);
    let mut sum = 0.0;
    for tile in 0..k.div_ceil(16) {
        let (ka, kb) = (tile * 16 + x, tile * 16 + y);
        ta[y][x] = if row < m && ka < k { a[row * k + ka] } else { 0.0 };
        tb[y][x] = if kb < k && column < n {
            b[kb * n + column]
        } else {
            0.0
        };
        barrier();
        for j in 0..16 {
            sum += ta[y][j] * tb[j][x];
        }
        barrier();
    }
    if row < m && column < n {
        c[row * n + column] = sum;
    }
}

#[test]
fn a_tiled_matmul() -> Result<()> {
    let queue = queue()?;
    for [m, n, k] in [[16, 16, 16], [48, 32, 64], [64, 80, 30], [1, 1, 1]] {
        let (a, b) = (numbers(m * k), numbers(k * n));
        let (da, db, mut dc) = (queue.upload(&a)?, queue.upload(&b)?, queue.zeros::<f32>(m * n)?);
        let size = [n.next_multiple_of(16), m.next_multiple_of(16)];
        launch!(
            queue,
            // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
            unsafe { matmul(m, n, k, &da, &db, &mut dc) },
            global = size
        )?;
        let expected: Vec<f32> = (0..m * n)
            .map(|i| (0..k).fold(0.0, |sum, j| sum + a[i / n * k + j] * b[j * n + i % n]))
            .collect();
        assert_eq!(queue.download(&dc)?, expected, "{m}x{n}x{k}");
    }
    Ok(())
}

// A return of all items, values that live across barriers, one that gets its value behind one, and uniform values.
#[kernel]
fn across(rounds: u32, x: &[f32], y: &mut [f32]) {
    if rounds == 0 {
        return;
    }
    let mut tile = local_array::<f32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let mut sum = x[i];
    let half;
    let scale: f32;
    if rounds > 3 {
        half = rounds / 2;
    } else {
        half = 1;
    }
    tile[l] = sum;
    barrier();
    let first = tile[0];
    if l % 2 == 0 {
        scale = 2.0;
    } else {
        scale = 3.0;
    }
    let mut round = 0;
    loop {
        round += 1;
        barrier();
        tile[l] = first + sum;
        if round == half {
            break;
        }
        barrier();
        sum += tile[0] * scale;
    }
    let sum = sum * scale;
    barrier();
    y[i] = sum + tile[0];
}

fn across_expected(rounds: u32, x: &[f32], local: usize) -> Vec<f32> {
    if rounds == 0 {
        return vec![0.0; x.len()];
    }
    let half = if rounds > 3 { rounds / 2 } else { 1 };
    groups(x, local)
        .flat_map(|group| {
            let mut sums = group.to_vec();
            let mut tile: Vec<f32> = vec![];
            for round in 1..=half {
                tile = sums.iter().map(|sum| group[0] + sum).collect();
                if round == half {
                    break;
                }
                for (l, sum) in sums.iter_mut().enumerate() {
                    *sum += tile[0] * if l % 2 == 0 { 2.0 } else { 3.0 };
                }
            }
            let scaled = sums.into_iter().enumerate();
            let scaled = scaled.map(|(l, sum)| sum * if l % 2 == 0 { 2.0 } else { 3.0 });
            scaled.map(|sum| sum + tile[0]).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn values_live_across_barriers() -> Result<()> {
    let queue = queue()?;
    for (local, n) in SIZES.into_iter().filter(|(local, _)| *local <= 64) {
        for rounds in [0, 1, 4, 7] {
            let x = numbers(n);
            let (dx, mut y) = (queue.upload(&x)?, queue.zeros::<f32>(n)?);
            launch!(queue, across(rounds, &dx, &mut y), global = n, local = local)?;
            assert_eq!(
                queue.download(&y)?,
                across_expected(rounds, &x, local),
                "{rounds} rounds"
            );
        }
    }
    Ok(())
}

// Conditions that `uniform` makes the same for all items.
#[kernel]
fn halved(y: &mut [u32], rounds: &mut [u32]) {
    let mut largest = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let mut round = 0u32;
    largest[l] = y[i];
    barrier();
    while uniform(largest[0]) > 4 {
        let next = largest[l] / uniform(largest[0] / 2).max(2);
        barrier();
        largest[l] = next;
        round += 1;
        barrier();
    }
    y[i] = largest[l] + uniform(round);
    rounds[i] = round;
}

#[test]
fn conditions_are_made_uniform() -> Result<()> {
    let queue = queue()?;
    let x: Vec<u32> = (0..100u32).map(|i| i * i * 31 + 5).collect();
    for local in [8, 64] {
        let (mut y, mut rounds) = (queue.upload(&x)?, queue.zeros::<u32>(100)?);
        launch!(queue, halved(&mut y, &mut rounds), global = 100, local = local)?;
        let mut expected = x.clone();
        let mut expected_rounds = vec![0; 100];
        for (group, rounds) in expected.chunks_mut(local).zip(expected_rounds.chunks_mut(local)) {
            let mut round = 0;
            while group[0] > 4 {
                let by = (group[0] / 2).max(2);
                group.iter_mut().for_each(|v| *v /= by);
                round += 1;
            }
            group.iter_mut().for_each(|v| *v += round);
            rounds.fill(round);
        }
        assert_eq!(queue.download(&y)?, expected);
        assert_eq!(queue.download(&rounds)?, expected_rounds);
    }
    Ok(())
}

#[kernel]
fn different(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = uniform(y[i]);
}

#[test]
fn what_is_not_uniform_is_a_fault() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.upload(&[1, 1, 1, 1, 2, 2, 2, 3])?;
    launch!(queue, different(&mut y), global = 8, local = 4)?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        panic!("the second group's values differ");
    };
    assert_eq!((fault.id, fault.count), ([4, 0, 0], 1));
    assert!(
        fault.file.ends_with("groups.rs") && fault.message.contains("uniform"),
        "{fault}"
    );
    Ok(())
}

// Branches of a `match`, an `if` that sets what is uniform and works per item, and returns of single items at the end.
#[kernel]
fn branches(mode: u32, mut offset: u32, y: &mut [u32]) {
    let mut tile = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let mut step = 1;
    tile[l] = i as u32;
    match mode {
        0 => {
            barrier();
            y[i] = tile[0];
        }
        1 => step = 2,
        n => {
            step = n;
            offset += l as u32;
            barrier();
        }
    }
    if mode != 1 {
        step += 1;
        y[i] += step;
    } else {
        barrier();
        step *= 3;
        y[i] = tile[0];
    }
    if step > 3 {
        barrier();
        offset += 100;
    }
    barrier();
    if l == 0 {
        return;
    }
    step += 1;
    if l == 1 {
        y[i] += 1000;
        return;
    }
    y[i] += offset * step;
}

#[test]
fn branches_are_split() -> Result<()> {
    let queue = queue()?;
    let (n, local) = (24, 8);
    for mode in [0u32, 1, 2, 5] {
        let mut y = queue.zeros::<u32>(n)?;
        launch!(queue, branches(mode, 7, &mut y), global = n, local = local)?;
        let expected: Vec<u32> = (0..n as u32)
            .map(|i| {
                let l = i % 8;
                let first = i / 8 * 8;
                let (mut y, mut step, mut offset) = (0, 1, 7);
                match mode {
                    0 => y = first,
                    1 => step = 2,
                    n => {
                        step = n;
                        offset += l;
                    }
                }
                if mode != 1 {
                    step += 1;
                    y += step;
                } else {
                    step *= 3;
                    y = first;
                }
                if step > 3 {
                    offset += 100;
                }
                match l {
                    0 => y,
                    1 => y + 1000,
                    _ => y + offset * (step + 1),
                }
            })
            .collect();
        assert_eq!(queue.download(&y)?, expected, "mode {mode}");
    }
    Ok(())
}

// One name for variables of either kind, in the same block and in inner ones.
#[kernel]
fn names(n: usize, y: &mut [usize]) {
    let i = global_id(0);
    let n = n + 1;
    let a = n + i;
    let n = local_id(0) + n;
    barrier();
    let b = a + n;
    let n = 5 * num_groups(0);
    {
        let n = b * n;
        barrier();
        let b = n + 1;
        y[i] = b;
        barrier();
        y[i] += b;
    }
    let a = [a, b, n];
    barrier();
    let (b, c) = (a[0] + b, a[2]);
    let n = a[1];
    barrier();
    y[i] += b + c + n;
}

#[test]
fn names_hide_others() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.zeros::<usize>(20)?;
    launch!(queue, names(3, &mut y), global = 20, local = 8)?;
    let expected: Vec<usize> = (0..20)
        .map(|i| {
            let a = 4 + i;
            let b = a + i % 8 + 4;
            let n = 15;
            2 * (b * n + 1) + a + b + n + b
        })
        .collect();
    assert_eq!(queue.download(&y)?, expected);
    Ok(())
}

// Two arrays of one type are two; one declaration in a loop is one.
#[kernel]
fn arrays(y: &mut [u32]) {
    let i = global_id(0);
    let l = local_id(0);
    let mut a = local_array::<u32, 8>();
    let mut b = local_array::<u32, 8>();
    let mut seen = 0;
    for round in 0..3u32 {
        let mut c = local_array::<u32, 8>();
        if round == 0 {
            c[l] = 10;
        }
        a[l] = round;
        b[l] = 100 * round;
        barrier();
        c[l] += 1;
        seen += a[7 - l] + b[l] + c[l];
        barrier();
    }
    y[i] = seen;
}

#[test]
fn arrays_are_where_they_are_declared() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.zeros::<u32>(16)?;
    launch!(queue, arrays(&mut y), global = 16, local = 8)?;
    let expected: u32 = (0..3).map(|round| round + 100 * round + 11 + round).sum();
    assert_eq!(queue.download(&y)?, [expected; 16]);
    Ok(())
}

#[kernel]
fn faulty(x: &[u32], y: &mut [u32]) {
    let mut tile = local_array::<u32, 8>();
    let i = global_id(0);
    let l = local_id(0);
    tile[l] = x[i];
    barrier();
    let v = 100 / tile[7 - l];
    barrier();
    y[i] = v;
}

#[test]
fn a_fault_ends_its_group() -> Result<()> {
    let queue = queue()?;
    let mut x = [1u32; 32];
    x[12] = 0;
    let (x, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(32)?);
    launch!(queue, faulty(&x, &mut y), global = 32, local = 8)?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        panic!("an item divides by zero");
    };
    assert_eq!((fault.id, fault.count), ([11, 0, 0], 1), "{fault}");
    let y = queue.download(&y)?;
    assert!((0..32).all(|i| i / 8 == 1 || y[i] == 100), "{y:?}");
    Ok(())
}

#[kernel]
fn large(y: &mut [f32]) {
    let mut tile = local_array::<[f32; 1024], 1024>();
    let i = global_id(0);
    tile[0][local_id(0)] = y[i];
    barrier();
    y[i] = tile[0][0];
}

#[test]
fn too_much_local_memory_is_an_error() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.zeros::<f32>(4)?;
    let error = launch!(queue, large(&mut y), global = 4).unwrap_err();
    assert!(
        matches!(
            error,
            Error::LocalMemory {
                asked: 4_194_304,
                available: 1_048_576,
                ..
            }
        ),
        "{error}"
    );
    Ok(())
}

// What is passed by value is each item's own, also where only rustc knows its type.
#[kernel]
unsafe fn values(mut numbers: [u32; 3], mut pair: (u32, f32), mut n: u32, y: &mut [u32]) {
    let i = global_id(0);
    let l = local_id(0);
    numbers[l % 3] += i as u32;
    pair.0 += l as u32;
    n *= 2;
    barrier();
    unsafe {
        numbers[0] += n;
        barrier();
        y[i] = numbers[0] + 10 * numbers[1] + 100 * numbers[2] + 1000 * pair.0 + pair.1 as u32;
    }
}

#[test]
fn what_is_passed_by_value_is_each_items_own() -> Result<()> {
    let queue = queue()?;
    let mut y = queue.zeros::<u32>(20)?;
    // SAFETY: each item writes elements of its own, and what others read is behind a barrier.
    let call = unsafe { values([1, 2, 3], (4, 5.0), 6, &mut y) };
    launch!(queue, call, global = 20, local = 8)?;
    let expected: Vec<u32> = (0..20)
        .map(|i| {
            let mut numbers = [1, 2, 3];
            numbers[i as usize % 8 % 3] += i;
            numbers[0] + 12 + 10 * numbers[1] + 100 * numbers[2] + 1000 * (4 + i % 8) + 5
        })
        .collect();
    assert_eq!(queue.download(&y)?, expected);
    Ok(())
}

// A generic kernel, one with a function, a device function that asks for the item's index, structs, and a guard that
// bounds its region.
#[derive(Clone, Copy, DeviceCopy)]
struct Best<T> {
    value: T,
    at: u32,
}

#[device]
fn place() -> usize {
    local_linear_id()
}

#[kernel]
unsafe fn best<T: Scalar, F: Fn(T) -> T>(x: &[T], f: F, values: &mut [T], places: &mut [u32]) {
    let mut all = local_array::<T, 64>();
    let mut ats = local_array::<Best<u32>, 64>();
    let i = global_id(0);
    let mut own = Best {
        value: f(x[i]),
        at: i as u32,
    };
    all[place()] = own.value;
    ats[place()] = Best { value: 0, at: own.at };
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let mut step = n.next_power_of_two();
    barrier();
    while step > 1 {
        step /= 2;
        let l = local_id(0);
        if l < step && l + step < n {
            let other = Best {
                value: all[l + step],
                at: ats[l + step].at,
            };
            if other.value > own.value {
                own = other;
                all[l] = own.value;
                ats[l].at = own.at;
            }
        }
        barrier();
    }
    if local_id(0) == 0 {
        values[group_id(0)] = own.value;
        places[group_id(0)] = own.at;
    }
}

#[test]
fn a_generic_kernel_with_structs() -> Result<()> {
    let queue = queue()?;
    for (local, n) in [(64usize, 64usize), (64, 1000), (16, 13), (1, 3)] {
        let x: Vec<i32> = (0..n as i32).map(|i| i * 7919 % 1000).collect();
        let groups = n.div_ceil(local);
        let dx = queue.upload(&x)?;
        let (mut values, mut places) = (queue.zeros::<i32>(groups)?, queue.zeros::<u32>(groups)?);
        launch!(
            queue,
            unsafe { best(&dx, |v: i32| v ^ 0x155, &mut values, &mut places) },
            global = n,
            local = local
        )?;
        let (values, places) = (queue.download(&values)?, queue.download(&places)?);
        for (g, group) in x.chunks(local).enumerate() {
            let largest = group.iter().map(|v| v ^ 0x155).max();
            assert_eq!(Some(values[g]), largest, "{n} items, {local} in a group");
            assert_eq!(x[places[g] as usize] ^ 0x155, values[g]);
        }
    }
    Ok(())
}
