//! Barriers: where all items of a group meet, and what they see behind it.
//!
//! What is expected is what plain Rust computes group by group, step by step.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;

/// The number of items of a group of `local` in a grid of `size`.
fn items(size: usize, group: usize, local: usize) -> usize {
    local.min(size - group * local)
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 20)
        .collect()
}

/// The grids that each case runs in: fewer items than a group, whole groups, and a last one that is not whole.
const GRIDS: [(usize, usize); 6] = [(13, 8), (8, 8), (5, 8), (64, 16), (100, 16), (33, 32)];

#[kernel]
fn reversed(x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = x[i];
    barrier();
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    y[i] = t[n - 1 - l];
}

fn plain_reversed(x: &[u32], local: usize) -> Vec<u32> {
    x.chunks(local)
        .flat_map(|group| group.iter().rev().copied())
        .collect()
}

/// A barrier in a `while`, and code behind it that is the same for all items.
#[kernel]
fn in_while(x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = x[i];
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let mut s = 1;
    while s < n {
        s *= 2;
    }
    barrier();
    let mut rounds = 0u32;
    while s > 1 {
        s /= 2;
        if l < s && l + s < n {
            t[l] += t[l + s];
        }
        barrier();
        rounds += 1;
    }
    y[i] = t[0] * 100 + rounds;
}

fn plain_in_while(x: &[u32], local: usize) -> Vec<u32> {
    let group = |group: &[u32]| {
        let rounds = group.len().next_power_of_two().trailing_zeros();
        let all = group.iter().sum::<u32>() * 100 + rounds;
        vec![all; group.len()]
    };
    x.chunks(local).flat_map(group).collect()
}

/// A loop that ends when what is in local memory says so.
#[kernel]
fn until_zero(x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 2>();
    let i = global_id(0);
    let l = local_id(0);
    if l == 0 {
        t[0] = x[i] % 7;
        t[1] = 0;
    }
    barrier();
    let mut sum = 0;
    while uniform(t[0]) > 0 {
        sum += t[0] * (l as u32 + 1);
        barrier();
        if l == 0 {
            t[0] -= 1;
            t[1] += 1;
        }
        barrier();
    }
    y[i] = sum * 10 + t[1];
}

fn plain_until_zero(x: &[u32], local: usize) -> Vec<u32> {
    let group = |group: &[u32]| -> Vec<u32> {
        let first = group[0] % 7;
        let sum: u32 = (1..=first).sum();
        (0..group.len() as u32)
            .map(|l| sum * (l + 1) * 10 + first)
            .collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// In an arm of a `match`, and on one side of an `if`.
#[kernel]
fn in_branches(how: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    t[l] = x[i];
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    match how {
        0 => y[i] = 1,
        1 | 2 => {
            barrier();
            y[i] = t[(l + 1) % n];
        }
        _ => {
            y[i] = 3;
            barrier();
            y[i] += t[(l + how as usize) % n];
        }
    }
    if how % 2 == 1 {
        barrier();
        t[l] = y[i] + 1;
        barrier();
        y[i] += t[n - 1];
    } else if how > 4 {
        y[i] += 7;
    }
}

fn plain_in_branches(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let mut y: Vec<u32> = (0..n)
            .map(|l| match how {
                0 => 1,
                1 | 2 => x[(l + 1) % n],
                _ => 3 + x[(l + how as usize) % n],
            })
            .collect();
        if how % 2 == 1 {
            let last = y[n - 1] + 1;
            y.iter_mut().for_each(|y| *y += last);
        } else if how > 4 {
            y.iter_mut().for_each(|y| *y += 7);
        }
        y
    };
    x.chunks(local).flat_map(group).collect()
}

/// An `if` that assigns what is the same for all, and does what each item does for itself.
#[kernel]
fn both_in_one(how: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let mut step = 1;
    t[l] = x[i];
    if how > 2 {
        step = 3;
        if l % 2 == 0 {
            t[l] += 5;
        }
        if how > 3 {
            step += how as usize;
        }
    }
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let mut at = 0;
    y[i] = 0;
    while at < n {
        barrier();
        y[i] += t[(l + at) % n];
        at += step;
    }
}

fn plain_both_in_one(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let t: Vec<u32> = (0..n)
            .map(|l| x[l] + if how > 2 && l % 2 == 0 { 5 } else { 0 })
            .collect();
        let step = match how {
            0..=2 => 1,
            3 => 3,
            _ => 3 + how as usize,
        };
        (0..n)
            .map(|l| (0..n).step_by(step).map(|at| t[(l + at) % n]).sum())
            .collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// All items of a group return, or none; single ones only behind the last barrier.
#[kernel]
fn returns(how: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    y[i] = 1;
    if how == 0 || group_id(0) as u32 == how {
        return;
    }
    t[l] = x[i];
    for k in 0..3 {
        barrier();
        if k + 1 == how {
            y[i] += k;
            return;
        }
        y[i] += t[0];
    }
    if l % 3 == 1 {
        y[i] += 5;
        return;
    }
    y[i] *= 2;
}

fn plain_returns(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let item = |(i, _): (usize, &u32)| {
        let (group, l) = (i / local, i % local);
        let first = x[group * local];
        if how == 0 || group as u32 == how {
            return 1;
        }
        let mut y = 1;
        for k in 0..3 {
            if k + 1 == how {
                return y + k;
            }
            y += first;
        }
        if l % 3 == 1 { y + 5 } else { y * 2 }
    };
    x.iter().enumerate().map(item).collect()
}

/// Variables that are declared before a barrier and assigned behind it, and values that live across one.
#[kernel]
fn across(how: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let late;
    let later: u32;
    let own = x[i] * 3;
    let pair = (x[i] + 1, l as u32);
    let mut kept = [x[i], own, 0, 7, 8, 9, 10, 11, 12];
    t[l] = own;
    barrier();
    if how > 1 {
        late = t[n - 1];
    } else {
        late = own;
    }
    kept[2] += late;
    barrier();
    later = t[0] + 1;
    let (a, b) = pair;
    y[i] = late + later + a * b + kept[2] + kept[l % 9] + own;
}

fn plain_across(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let item = |(l, &x_l): (usize, &u32)| {
            let own = x_l * 3;
            let late = if how > 1 { x[n - 1] * 3 } else { own };
            let kept = [x_l, own, late, 7, 8, 9, 10, 11, 12];
            late + x[0] * 3 + 1 + (x_l + 1) * l as u32 + kept[2] + kept[l % 9] + own
        };
        x.iter().enumerate().map(item).collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// No load or store moves across a barrier: of local memory, and of buffers.
///
/// # Safety
///
/// None: items of a group use the elements of others with barriers in between.
#[kernel]
unsafe fn in_order(x: &[u32], y: &mut [u32], z: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let first = group_id(0) * local_size(0);
    let n = (x.len() - first).min(local_size(0));
    let next = (l + 1) % n;
    t[l] = x[i];
    y[i] = x[i] + 1;
    barrier();
    let a = t[next];
    let b = y[first + next];
    barrier();
    t[l] = b;
    y[i] = a;
    barrier();
    let c = t[next];
    z[i] = a + b * 3 + c * 5 + y[first + next] * 7;
    barrier();
    y[i] = 0;
    t[l] = 0;
}

fn plain_in_order(x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let at = |l: usize| x[l % n];
        (0..n)
            .map(|l| at(l + 1) + (at(l + 1) + 1) * 3 + (at(l + 2) + 1) * 5 + at(l + 2) * 7)
            .collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// Loops with labels, left and gone on with by all items at once.
#[kernel]
fn labelled(how: u32, x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    t[l] = x[i];
    y[i] = 0;
    let mut k = 0;
    'outer: loop {
        k += 1;
        'block: {
            for j in (0..4u32).rev() {
                if j == how {
                    continue;
                }
                if j + k > 5 {
                    break 'block;
                }
                barrier();
                y[i] = y[i] * 3 + t[(l + j as usize) % n];
                if k > how + 2 {
                    break 'outer;
                }
            }
            y[i] += 1;
        }
        if k == 5 {
            break;
        }
        barrier();
        if l % 2 == 1 {
            for m in 0..l {
                if m == 3 {
                    break;
                }
                y[i] += 1;
            }
        }
    }
}

fn plain_labelled(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let item = |x: &[u32], l: usize| {
        let n = x.len();
        let (mut y, mut k) = (0u32, 0);
        'outer: loop {
            k += 1;
            'block: {
                for j in (0..4u32).rev() {
                    if j == how {
                        continue;
                    }
                    if j + k > 5 {
                        break 'block;
                    }
                    y = y.wrapping_mul(3).wrapping_add(x[(l + j as usize) % n]);
                    if k > how + 2 {
                        break 'outer;
                    }
                }
                y += 1;
            }
            if k == 5 {
                break;
            }
            if l % 2 == 1 {
                y += l.min(3) as u32;
            }
        }
        y
    };
    x.chunks(local)
        .flat_map(|group| (0..group.len()).map(|l| item(group, l)).collect::<Vec<_>>())
        .collect()
}

#[derive(Clone, Copy, PartialEq, DeviceCopy)]
struct Pair {
    a: u32,
    b: f32,
}

/// What the first item of a group has: numbers and structs, alone and in larger expressions.
#[kernel]
fn broadcast(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let l = local_id(0);
    let first = uniform(x[group_id(0) * local_size(0)]);
    let pair = uniform(Pair { a: first + 1, b: 0.5 });
    let mut sum = 0;
    for k in 0..3 {
        sum += uniform(k * pair.a);
    }
    let yes = uniform(sum > 100);
    y[i] = x[i] + uniform(first) * 2;
    if l as u32 + uniform(pair.a) > 5 {
        y[i] += 3;
    }
    if yes {
        barrier();
        y[i] += sum + (pair.b * 4.0) as u32;
    }
}

fn plain_broadcast(x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let first = x[0];
        let sum = 3 * (first + 1);
        (0..x.len())
            .map(|l| {
                let mut y = x[l] + first * 2;
                if l as u32 + first + 1 > 5 {
                    y += 3;
                }
                if sum > 100 {
                    y += sum + 2;
                }
                y
            })
            .collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// What is true of an item stays true across barriers, in loops too.
#[kernel]
fn flags(x: &[u32], y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_id(0);
    let l = local_id(0);
    let n = (x.len() - group_id(0) * local_size(0)).min(local_size(0));
    let odd = x[i] % 2 == 1;
    let first = l == 0;
    let mut seen = false;
    let mut done = false;
    let mut sum = 0;
    for k in 0..4u32 {
        t[l] = x[i] + k;
        barrier();
        if !done {
            sum += t[(l + 1) % n];
            if t[(l + 2) % n] % 3 == 0 {
                done = true;
            }
        }
        if odd {
            seen = seen || t[n - 1] % 5 == k;
        }
        barrier();
    }
    y[i] = sum * 8 + odd as u32 * 4 + first as u32 * 2 + seen as u32 + done as u32 * 100_000;
}

fn plain_flags(x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let item = |l: usize| {
            let odd = x[l] % 2 == 1;
            let (mut seen, mut done, mut sum) = (false, false, 0);
            for k in 0..4 {
                if !done {
                    sum += x[(l + 1) % n] + k;
                    done = (x[(l + 2) % n] + k) % 3 == 0;
                }
                seen |= odd && (x[n - 1] + k) % 5 == k;
            }
            sum * 8 + odd as u32 * 4 + (l == 0) as u32 * 2 + seen as u32 + done as u32 * 100_000
        };
        (0..n).map(item).collect()
    };
    x.chunks(local).flat_map(group).collect()
}

/// Items outside the grid reach every barrier and touch nothing, in each dimension.
#[kernel]
unsafe fn padded(y: &mut [u32], t_len: u32) {
    let mut t = local_array::<u32, 64>();
    let at = global_linear_id();
    let l = local_linear_id();
    t[l] = at as u32;
    barrier();
    let mut last = 0;
    let mut k = 0;
    while k < t_len {
        barrier();
        last += t[l];
        k += 1;
    }
    y[at] += last + group_id(0) as u32 * 1000 + group_id(1) as u32 * 10_000 + group_id(2) as u32 * 100_000;
}

fn padding(device: &Device, size: [usize; 3], local: [usize; 3]) -> Outcome {
    let queue = device.queue()?;
    let count: usize = size.iter().product();
    let mut y = queue.upload(&vec![7u32; count + 64])?;
    // SAFETY: each item writes to its own element.
    launch!(queue, unsafe { padded(&mut y, 2) }, global = size, local = local)?;
    let found = queue.download(&y)?;
    for (at, &found) in found.iter().enumerate() {
        let expected = if at < count {
            let id = [at % size[0], at / size[0] % size[1], at / size[0] / size[1]];
            let group: Vec<usize> = (0..3).map(|d| id[d] / local[d]).collect();
            7 + 2 * at as u32 + (group[0] * 1000 + group[1] * 10_000 + group[2] * 100_000) as u32
        } else {
            7
        };
        check_eq!(found, expected, "element {at}");
    }
    Ok(())
}

/// Adds a case that runs in all grids.
fn case(
    suite: &mut Suite,
    name: &str,
    run: impl Fn(&Queue, &[u32], &mut Buffer<u32>, usize) -> gridfn::Result<()> + Send + 'static,
    plain: impl Fn(&[u32], usize) -> Vec<u32> + Send + 'static,
) {
    suite.case(case_path!(name), &[], move |device| {
        let queue = device.queue()?;
        for (size, local) in GRIDS {
            let x = numbers(size);
            // What is behind the grid's end must stay as it is.
            let mut y = queue.upload(&vec![99; size + 64])?;
            run(&queue, &x, &mut y, local)?;
            let found = queue.download(&y)?;
            let mut expected = plain(&x, local);
            expected.resize(size + 64, 99);
            check_eq!(found, expected, "{size} items in groups of {local}");
            check_eq!(items(size, (size - 1) / local, local) > 0, true);
        }
        Ok(())
    });
}

pub(crate) fn add_to(suite: &mut Suite) {
    macro_rules! cases {
        ($($kernel:ident $plain:ident;)*) => {$(
            suite.kernel::<$kernel>();
            case(
                suite,
                stringify!($kernel),
                |queue, x, y, local| {
                    let x_on = queue.upload(x)?;
                    launch!(queue, $kernel(&x_on, y), global = x.len(), local = local)
                },
                $plain,
            );
        )*};
    }
    cases! {
        reversed plain_reversed;
        in_while plain_in_while;
        until_zero plain_until_zero;
        broadcast plain_broadcast;
        flags plain_flags;
    }
    macro_rules! in_every_way {
        ($($kernel:ident $plain:ident;)*) => {$(
            suite.kernel::<$kernel>();
            for how in 0..7 {
                case(
                    suite,
                    &format!("{}_{how}", stringify!($kernel)),
                    move |queue, x, y, local| {
                        let x_on = queue.upload(x)?;
                        launch!(queue, $kernel(how, &x_on, y), global = x.len(), local = local)
                    },
                    move |x, local| $plain(how, x, local),
                );
            }
        )*};
    }
    in_every_way! {
        in_branches plain_in_branches;
        both_in_one plain_both_in_one;
        returns plain_returns;
        across plain_across;
        labelled plain_labelled;
    }
    suite.kernel::<in_order>();
    case(
        suite,
        "in_order",
        |queue, x, y, local| {
            let x_on = queue.upload(x)?;
            let mut between = queue.zeros(x.len())?;
            launch!(
                queue,
                // SAFETY: barriers are between what items do to one element.
                unsafe { in_order(&x_on, &mut between, y) },
                global = x.len(),
                local = local
            )
        },
        plain_in_order,
    );
    suite.kernel::<padded>();
    for (name, size, local) in [
        ("padding_1d", [13, 1, 1], [8, 1, 1]),
        ("padding_2d", [13, 7, 1], [8, 4, 1]),
        ("padding_3d", [5, 3, 7], [4, 2, 4]),
        ("padding_in_y", [8, 3, 1], [4, 8, 1]),
        ("padding_in_z", [4, 2, 5], [2, 2, 8]),
        ("no_padding", [8, 4, 4], [4, 4, 2]),
    ] {
        suite.case(case_path!(name), &[], move |device| padding(device, size, local));
    }
}
