//! Sub-groups: what their items find out of each other.
//!
//! Which items a sub-group has, the device tells; what is expected is what plain Rust computes of them, for the size that the
//! device's sub-groups have.

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Capability, Error};
use std::collections::BTreeMap;
use std::ops::Add;

/// Fewer items than a group, whole groups, and a last one that is not whole; in one to three dimensions.
const GRIDS: [([usize; 3], [usize; 3]); 11] = [
    ([64, 1, 1], [64, 1, 1]),
    ([100, 1, 1], [64, 1, 1]),
    ([13, 1, 1], [8, 1, 1]),
    ([5, 1, 1], [8, 1, 1]),
    ([1, 1, 1], [1, 1, 1]),
    ([130, 1, 1], [37, 1, 1]),
    ([13, 7, 1], [8, 4, 1]),
    ([33, 3, 1], [16, 3, 1]),
    ([5, 5, 5], [4, 3, 2]),
    ([8, 9, 2], [2, 8, 2]),
    ([3, 40, 1], [2, 33, 1]),
];

/// An item: its sub-group's number in the grid, its number there, and in the grid.
type Places = BTreeMap<(usize, usize), Vec<(usize, usize)>>;

#[kernel]
fn places(y: &mut [[u32; 5]]) {
    let group = (group_id(2) * num_groups(1) + group_id(1)) * num_groups(0) + group_id(0);
    y[global_linear_id()] = [
        group as u32,
        subgroup::id() as u32,
        subgroup::local_id() as u32,
        subgroup::size() as u32,
        subgroup::count() as u32,
    ];
}

/// The sub-groups of a launch, each item as its number in it and in the grid.
fn find(queue: &Queue, size: [usize; 3], local: [usize; 3]) -> gridfn::Result<(Places, usize)> {
    let n = size.iter().product();
    let mut y = queue.zeros::<[u32; 5]>(n)?;
    launch!(queue, places(&mut y), global = size, local = local)?;
    let (mut all, mut width) = (Places::new(), 0);
    for (i, place) in queue.download(&y)?.into_iter().enumerate() {
        let [group, id, lane, size, count] = place.map(|n| n as usize);
        assert!(id < count && lane < size, "{place:?}");
        width = size;
        all.entry((group, id)).or_default().push((lane, i));
    }
    for members in all.values_mut() {
        members.sort_unstable();
        assert!(
            members.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "{members:?}"
        );
    }
    Ok((all, width))
}

fn in_all_grids(
    device: &Device,
    run: impl Fn(&Queue, [usize; 3], [usize; 3], &Places, usize) -> Outcome,
) -> Outcome {
    let queue = device.queue()?;
    for (size, local) in GRIDS {
        let (places, width) = find(&queue, size, local)?;
        run(&queue, size, local, &places, width)?;
    }
    Ok(())
}

/// In one dimension a sub-group is so many items one after the other.
fn formation(device: &Device) -> Outcome {
    let sizes = device.subgroup_sizes();
    in_all_grids(device, |_, size, local, places, width| {
        check_eq!(sizes.contains(&width), true, "{width} of {sizes:?}");
        let items: usize = places.values().map(Vec::len).sum();
        check_eq!(items, size.iter().product::<usize>());
        if size[1..] == [1, 1] {
            for (&(group, id), members) in places {
                for &(lane, i) in members {
                    check_eq!(i, group * local[0] + id * width + lane);
                }
            }
        }
        Ok(())
    })
}

#[kernel]
fn votes(x: &[u32], y: &mut [(u64, bool, bool, bool)]) {
    let i = global_linear_id();
    let odd = x[i] % 2 == 1;
    let ballot = subgroup::ballot(odd);
    let some = subgroup::any(x[i] > 60);
    y[i] = (
        ballot,
        some,
        subgroup::all(odd),
        subgroup::all(true) && !subgroup_of(some, ballot),
    );
}

#[device]
fn subgroup_of(some: bool, ballot: u64) -> bool {
    some && ballot == 0
}

fn votes_case(device: &Device) -> Outcome {
    in_all_grids(device, |queue, size, local, places, _| {
        let n: usize = size.iter().product();
        for step in [2, 7, 13] {
            let x: Vec<u32> = (0..n as u32).map(|i| i * step % 64 + 1).collect();
            let x_on = queue.upload(&x)?;
            let mut y = queue.upload(&vec![(0u64, false, false, false); n])?;
            launch!(queue, votes(&x_on, &mut y), global = size, local = local)?;
            let found = queue.download(&y)?;
            for members in places.values() {
                let odd = |i: usize| x[i] % 2 == 1;
                let ballot: u64 = members.iter().map(|m| u64::from(odd(m.1)) << m.0).sum();
                let some = members.iter().any(|m| x[m.1] > 60);
                let all = members.iter().all(|m| odd(m.1));
                for &(_, i) in members {
                    check_eq!(
                        found[i],
                        (ballot, some, all, !(some && ballot == 0)),
                        "{size:?} {local:?}"
                    );
                }
            }
        }
        Ok(())
    })
}

/// The item from which each of the shuffles takes.
fn sources(lane: usize, by: usize, width: usize) -> [Option<usize>; 4] {
    let width = width.max(1);
    let (start, place) = (lane - lane % width, lane % width);
    let all = [
        Some(by),
        place.checked_sub(by),
        place.checked_add(by),
        Some(place ^ by),
    ];
    all.map(|found| found.filter(|place| *place < width).map(|place| start + place))
}

#[kernel]
fn shuffles<T: DeviceCopy>(x: &[T], by: &[usize], width: &[usize], y: &mut [[T; 9]]) {
    let i = global_linear_id();
    let v = x[i];
    y[i] = [
        subgroup::broadcast(v, 1),
        subgroup::shuffle(v, by[i]),
        subgroup::shuffle_up(v, by[i]),
        subgroup::shuffle_down(v, by[i]),
        subgroup::shuffle_xor(v, by[i]),
        subgroup::shuffle_within(v, by[i], width[i]),
        subgroup::shuffle_up_within(v, by[i], width[i]),
        subgroup::shuffle_down_within(v, by[i], width[i]),
        subgroup::shuffle_xor_within(v, by[i], width[i]),
    ];
}

/// Distances and masks, some of them far outside.
const BY: [usize; 8] = [0, 1, 2, 5, 31, 64, usize::MAX, 1 << 40];
const WIDTHS: [usize; 6] = [4, 2, 8, 1, 0, usize::MAX];

fn shuffles_case<T: DeviceCopy>(
    device: &Device,
    value: impl Fn(usize) -> T,
    bits: impl Fn(T) -> u64,
) -> Outcome {
    in_all_grids(device, |queue, size, local, places, _| {
        let n: usize = size.iter().product();
        let x: Vec<T> = (0..n).map(&value).collect();
        let by: Vec<usize> = (0..n).map(|i| BY[i * 5 % 8]).collect();
        let widths: Vec<usize> = (0..n).map(|i| WIDTHS[i / 8 % 6]).collect();
        let (x_on, by_on, widths_on) = (queue.upload(&x)?, queue.upload(&by)?, queue.upload(&widths)?);
        let mut y = queue.upload(&vec![[x[0]; 9]; n])?;
        launch!(
            queue,
            shuffles::<T>(&x_on, &by_on, &widths_on, &mut y),
            global = size,
            local = local
        )?;
        let found = queue.download(&y)?;
        for members in places.values() {
            for &(lane, i) in members {
                let plain = sources(lane, by[i], usize::MAX);
                let within = sources(lane, by[i], widths[i]);
                let all = [Some(1)].into_iter().chain(plain).chain(within);
                let expected: Vec<u64> = all
                    .map(|from| {
                        let other = members.iter().find(|m| Some(m.0) == from);
                        bits(x[other.map_or(i, |m| m.1)])
                    })
                    .collect();
                let found: Vec<u64> = found[i].iter().map(|v| bits(*v)).collect();
                check_eq!(found, expected, "item {i} of {size:?} in groups of {local:?}");
            }
        }
        Ok(())
    })
}

/// What devices combine, in their order: an item takes what the one has that is before all that it has combined.
fn plain_scan<T: Copy>(values: &mut [T], combine: impl Fn(T, T) -> T) {
    let mut distance = 1;
    while distance < values.len() {
        for n in (distance..values.len()).rev() {
            values[n] = combine(values[n - distance], values[n]);
        }
        distance *= 2;
    }
}

#[kernel]
fn sums<T: DeviceCopy + Add<Output = T>>(x: &[T], zero: T, y: &mut [[T; 3]]) {
    let i = global_linear_id();
    let all = subgroup::reduce(x[i], |a, b| a + b);
    let upto = subgroup::inclusive_scan(x[i], |a, b| a + b);
    let before = subgroup::exclusive_scan(x[i], zero, |a, b| a + b);
    y[i] = [all, upto, before];
}

/// Launches `sums` for a type.
type Sums<T> = fn(&Queue, &Buffer<T>, T, &mut Buffer<[T; 3]>, [[usize; 3]; 2]) -> gridfn::Result<()>;

fn sums_case<T: DeviceCopy>(
    device: &Device,
    run: Sums<T>,
    zero: T,
    value: impl Fn(usize) -> T,
    add: impl Fn(T, T) -> T,
    bits: impl Fn(T) -> u64,
) -> Outcome {
    in_all_grids(device, |queue, size, local, places, _| {
        let n: usize = size.iter().product();
        let x: Vec<T> = (0..n).map(&value).collect();
        let x_on = queue.upload(&x)?;
        let mut y = queue.upload(&vec![[zero; 3]; n])?;
        run(queue, &x_on, zero, &mut y, [size, local])?;
        let found = queue.download(&y)?;
        for members in places.values() {
            let mut values: Vec<T> = members.iter().map(|m| x[m.1]).collect();
            plain_scan(&mut values, &add);
            for (n, m) in members.iter().enumerate() {
                let before = if n == 0 { zero } else { values[n - 1] };
                let expected = [values[values.len() - 1], values[n], before].map(&bits);
                check_eq!(
                    found[m.1].map(&bits),
                    expected,
                    "{m:?} of {size:?} in groups of {local:?}"
                );
            }
        }
        Ok(())
    })
}

/// `x -> factor * x + offset`: composing two is associative, and not commutative.
#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
struct Affine {
    flag: bool,
    factor: u64,
    offset: u64,
    small: [i8; 3],
}

#[device]
fn compose(a: Affine, b: Affine) -> Affine {
    Affine {
        factor: a.factor.wrapping_mul(b.factor),
        offset: a.offset.wrapping_mul(b.factor).wrapping_add(b.offset),
        flag: b.flag,
        small: [
            a.small[0].wrapping_add(b.small[0]),
            b.small[1],
            a.small[2].wrapping_add(b.small[2]),
        ],
    }
}

#[kernel]
fn composed(x: &[Affine], y: &mut [[Affine; 3]]) {
    let i = global_linear_id();
    let v = x[i];
    let none = Affine {
        factor: 1,
        offset: 0,
        flag: false,
        small: [0; 3],
    };
    let all = subgroup::reduce(v, compose);
    y[i] = [
        all,
        subgroup::inclusive_scan(v, compose),
        subgroup::exclusive_scan(v, none, |a, b| compose(a, b)),
    ];
}

fn structs(device: &Device) -> Outcome {
    let none = Affine {
        factor: 1,
        offset: 0,
        flag: false,
        small: [0; 3],
    };
    in_all_grids(device, |queue, size, local, places, _| {
        let n: usize = size.iter().product();
        let of = |i: usize| Affine {
            factor: (i as u64).wrapping_mul(2_654_435_761) | 1,
            small: [1, i as i8, i as i8],
            offset: (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            flag: i % 3 == 0,
        };
        let x: Vec<Affine> = (0..n).map(of).collect();
        let x_on = queue.upload(&x)?;
        let mut y = queue.upload(&vec![[none; 3]; n])?;
        launch!(queue, composed(&x_on, &mut y), global = size, local = local)?;
        let found = queue.download(&y)?;
        for members in places.values() {
            let mut so_far = none;
            let all = members.iter().fold(none, |a, m| compose(a, x[m.1]));
            for &(_, i) in members {
                let before = so_far;
                so_far = compose(so_far, x[i]);
                check_eq!(
                    found[i],
                    [all, so_far, before],
                    "{i} of {size:?} in groups of {local:?}"
                );
            }
        }
        Ok(())
    })
}

/// A loop with operations in it, behind barriers and per-item code.
#[kernel]
fn in_a_loop(x: &[u32], rounds: u32, y: &mut [u32]) {
    let mut t = local_array::<u32, 64>();
    let i = global_linear_id();
    let l = local_linear_id();
    let mut v = x[i];
    for round in 0..rounds {
        if v % 3 == 0 {
            v += l as u32;
        }
        let other = subgroup::shuffle_xor(v, 1);
        if subgroup::any(other > v) {
            v = v.wrapping_add(other);
        }
        t[l] = v + round;
        barrier();
        v = t[l];
    }
    y[i] = v;
}

fn in_a_loop_case(device: &Device) -> Outcome {
    in_all_grids(device, |queue, size, local, places, _| {
        if local.iter().product::<usize>() > 64 {
            return Ok(());
        }
        let n: usize = size.iter().product();
        let x: Vec<u32> = (0..n as u32)
            .map(|i| i.wrapping_mul(2_654_435_761) >> 20)
            .collect();
        let x_on = queue.upload(&x)?;
        let mut y = queue.zeros::<u32>(n)?;
        launch!(queue, in_a_loop(&x_on, 5, &mut y), global = size, local = local)?;
        let id = |i: usize| {
            let (x, y, z) = (i % size[0], i / size[0] % size[1], i / size[0] / size[1]);
            ((z % local[2]) * local[1] + y % local[1]) * local[0] + x % local[0]
        };
        let mut expected = x.clone();
        for round in 0..5 {
            for members in places.values() {
                for &(_, i) in members {
                    if expected[i] % 3 == 0 {
                        expected[i] += id(i) as u32;
                    }
                }
                let other = |lane: usize, i: usize| {
                    let found = members.iter().find(|m| m.0 == lane ^ 1);
                    expected[found.map_or(i, |m| m.1)]
                };
                let others: Vec<u32> = members.iter().map(|m| other(m.0, m.1)).collect();
                let some = members
                    .iter()
                    .zip(&others)
                    .any(|(m, other)| *other > expected[m.1]);
                for (m, other) in members.iter().zip(others) {
                    if some {
                        expected[m.1] = expected[m.1].wrapping_add(other);
                    }
                    expected[m.1] += round;
                }
            }
        }
        check_eq!(queue.download(&y)?, expected, "{size:?} in groups of {local:?}");
        Ok(())
    })
}

fn refused(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.upload(&[[99u32; 5]; 8])?;
    let expected = Error::Unsupported {
        kernel: "places".into(),
        capability: Capability::Subgroups,
        device: device.info().id.clone(),
    };
    let launched = launch!(queue, places(&mut y), global = 8, local = 4);
    check_eq!(launched, Err(expected));
    check_eq!(queue.download(&y)?, [[99; 5]; 8]);
    Ok(())
}

pub(crate) fn add_to(suite: &mut Suite) {
    let needs = [Need::Subgroups];
    suite.case(case_path!("formation"), &needs, formation);
    suite.case(case_path!("votes"), &needs, votes_case);
    suite.case(case_path!("structs"), &needs, structs);
    suite.case(case_path!("in_a_loop"), &needs, in_a_loop_case);
    suite.case(case_path!("refused"), &[Need::NoSubgroups], refused);
    macro_rules! integers {
        ($($T:ident)*) => {$(
            suite.case(case_path!(concat!("shuffles_", stringify!($T))), &needs, |device| {
                shuffles_case(device, |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as $T, |v| v as u64)
            });
            suite.case(case_path!(concat!("sums_", stringify!($T))), &needs, |device| {
                let of = |i: usize| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) as $T;
                let run: Sums<$T> = |queue, x, zero, y, [size, local]| {
                    launch!(queue, sums::<$T>(x, zero, y), global = size, local = local)
                };
                sums_case(device, run, 0, of, |a, b| a.wrapping_add(b), |v| v as u64)
            });
        )*};
    }
    integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    macro_rules! floats {
        ($($T:ident $($need:ident)?;)*) => {$(
            let needs = [Need::Subgroups $(, Need::$need)?];
            suite.case(case_path!(concat!("shuffles_", stringify!($T))), &needs, |device| {
                shuffles_case(device, |i| (i as $T).sqrt() - 3.0, |v| v.to_bits().into())
            });
            suite.case(case_path!(concat!("sums_", stringify!($T))), &needs, |device| {
                let of = |i: usize| (i as $T).sqrt() - 3.0;
                let run: Sums<$T> = |queue, x, zero, y, [size, local]| {
                    launch!(queue, sums::<$T>(x, zero, y), global = size, local = local)
                };
                sums_case(device, run, 0.0, of, |a, b| a + b, |v| v.to_bits().into())
            });
        )*};
    }
    floats! {
        f32;
        f64 Float64;
    }
    suite.case(case_path!("shuffles_bool"), &needs, |device| {
        shuffles_case(device, |i| i % 3 == 0, u64::from)
    });
    suite.case(case_path!("shuffles_f16"), &needs, |device| {
        shuffles_case(
            device,
            |i| gridfn::f16::from_f32(i as f32 / 4.0),
            |v| v.to_bits().into(),
        )
    });
    suite.case(case_path!("shuffles_structs"), &needs, |device| {
        let of = |i: usize| Affine {
            factor: i as u64,
            small: [i as i8, 0, 3],
            offset: i as u64 * 3,
            flag: i % 2 == 0,
        };
        shuffles_case(device, of, |v| {
            v.factor
                + v.offset * 1000
                + (u64::from(v.flag) << 60)
                + (u64::from(v.small[0] as u8) << 50)
                + u64::from(v.small[2] as u8)
        })
    });
}
