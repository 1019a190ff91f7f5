//! Functions that all items of a work-group call together.
//!
//! What is expected is what plain Rust computes group by group.

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use gridfn::Error;
use gridfn::prelude::*;
use lib::Pair;

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 20)
        .collect()
}

/// The grids that each case runs in: fewer items than a group, whole groups, and a last one that is not whole.
const GRIDS: [(usize, usize); 6] = [(13, 8), (8, 8), (5, 8), (64, 16), (100, 16), (33, 32)];

/// What the kernels of this file call, as another module has it.
mod lib {
    use gridfn::prelude::*;

    /// The sum of what the items of a group pass.
    #[device(group)]
    pub(super) fn sum(value: u32) -> u32 {
        let mut tile = local_array::<u32, 64>();
        let n = (global_size(0) - group_id(0) * local_size(0)).min(local_size(0));
        tile[local_id(0)] = value;
        barrier();
        let mut sum = 0;
        for i in 0..n {
            sum += tile[i];
        }
        sum
    }

    #[device]
    fn doubled(v: u32) -> u32 {
        v * 2
    }

    /// Calls others, twice and in a loop, with results of theirs in expressions.
    #[device(group)]
    pub(super) fn nested(value: u32, #[uniform] rounds: u32) -> u32 {
        let mut all = group!(sum(doubled(value))) + group!(sum(value));
        for k in 0..rounds {
            all += group!(sum(all % 16 + k)) + local_id(0) as u32;
        }
        all
    }

    /// The value of the item that is `by` further on, of any type, in arrays of any length.
    #[device(group)]
    pub(super) fn rotated<T: DeviceCopy, const N: usize>(value: T, #[uniform] by: usize) -> T {
        let mut tile = local_array::<T, N>();
        let n = (global_size(0) - group_id(0) * local_size(0)).min(local_size(0));
        let l = local_id(0);
        tile[l] = value;
        barrier();
        tile[(l + by) % n]
    }

    /// Writes to an array of the caller's.
    #[device(group)]
    pub(super) fn copy_in(tile: &mut [u32], x: &[u32]) {
        let l = local_id(0);
        if l < x.len() {
            tile[l] = x[l];
        }
        barrier();
    }

    /// Hands on what it got by reference.
    #[device(group)]
    pub(super) fn copy_twice(tile: &mut [u32], x: &[u32]) {
        group!(copy_in(tile, &x[..1]));
        group!(copy_in(tile, x));
    }

    /// Reads an array of the caller's by its own type.
    #[device(group)]
    pub(super) fn neighbour(tile: &[u32; 64], mut at: usize) -> u32 {
        at += 1;
        barrier();
        at %= (global_size(0) - group_id(0) * local_size(0)).min(local_size(0));
        tile[at]
    }

    /// Different ways to a result, with barriers on some.
    #[device(group)]
    pub(super) fn ways(value: u32, #[uniform] how: u32) -> u32 {
        let mut tile = local_array::<u32, 64>();
        let l = local_id(0);
        if how == 0 {
            return value + 1;
        }
        tile[l] = value;
        barrier();
        if how == 1 {
            return tile[0];
        }
        match how {
            2 => tile[0] * 2,
            3 => {
                if l == 0 {
                    tile[0] += 5;
                }
                barrier();
                tile[0] + l as u32
            }
            _ => {
                let mut k = 0;
                loop {
                    k += 1;
                    barrier();
                    if k == how {
                        return value + k;
                    }
                    if l == 0 {
                        tile[0] += 1;
                    }
                    barrier();
                    if uniform(tile[0]) % 8 == 0 {
                        break;
                    }
                }
                tile[0]
            }
        }
    }

    /// Any operator, from the first item to the last.
    #[device(group)]
    pub(super) fn folded<T: DeviceCopy, F: Fn(T, T) -> T>(value: T, op: F) -> T {
        let mut tile = local_array::<T, 64>();
        let n = (global_size(0) - group_id(0) * local_size(0)).min(local_size(0));
        tile[local_id(0)] = value;
        barrier();
        let mut all = tile[0];
        for i in 1..n {
            all = op(all, tile[i]);
        }
        all
    }

    /// Hands on a function.
    #[device(group)]
    pub(super) fn folded_back<F: Fn(u32, u32) -> u32>(value: u32, op: F) -> u32 {
        group!(folded(value, |a, b| op(b, a)))
    }

    #[derive(Clone, Copy, PartialEq, Debug, DeviceCopy)]
    pub(super) struct Pair {
        pub(super) a: u32,
        pub(super) b: f32,
    }

    /// A struct in and out.
    #[device(group)]
    pub(super) fn swapped(pair: Pair) -> (f32, Pair) {
        let next = group!(rotated::<Pair, 64>(pair, 1));
        (
            pair.b,
            Pair {
                a: next.a + 1,
                b: next.b,
            },
        )
    }
}

#[kernel]
fn sums(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let s = group!(lib::sum(x[i]));
    y[i] = s;
}

fn plain_sums(x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| vec![x.iter().sum(); x.len()];
    x.chunks(local).flat_map(group).collect()
}

#[kernel]
fn in_expressions(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
    y[i] += group!(lib::sum(x[i])) * 3 + group!(lib::sum(x[i] + 1)) * (i as u32);
    if uniform(group!(lib::sum(1))) > 6 {
        group!(lib::sum(2));
        y[i] += 1;
    }
}

fn plain_in_expressions(x: &[u32], local: usize) -> Vec<u32> {
    let item = |(i, &v): (usize, &u32)| {
        let group = &x[i / local * local..x.len().min((i / local + 1) * local)];
        let sum: u32 = group.iter().sum();
        v + sum * 3 + (sum + group.len() as u32) * i as u32 + u32::from(group.len() > 6)
    };
    x.iter().enumerate().map(item).collect()
}

#[kernel]
fn nested(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let all = group!(lib::nested(x[i], 3));
    y[i] = all;
}

fn plain_nested(x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| {
        let sum: u32 = x.iter().sum();
        let mut all: Vec<u32> = vec![sum * 3; x.len()];
        for k in 0..3 {
            let sum: u32 = all.iter().map(|a| a % 16 + k).sum();
            for (l, a) in all.iter_mut().enumerate() {
                *a += sum + l as u32;
            }
        }
        all
    };
    x.chunks(local).flat_map(group).collect()
}

#[kernel]
fn generic(by: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let a = group!(lib::rotated::<u32, 64>(x[i], by));
    let b = group!(lib::rotated::<_, 32>([a as u16, 1], 1));
    let c: i64 = group!(lib::rotated::<i64, 64>(-(a as i64), by + 2));
    y[i] = a + b[0] as u32 * 3 + b[1] as u32 - c as u32;
}

fn plain_generic(by: usize, x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        let at = |l: usize| x[(l + by) % n];
        (0..n)
            .map(|l| at(l) + at((l + 1) % n) * 3 + 1 + at((l + by + 2) % n))
            .collect()
    };
    x.chunks(local).flat_map(group).collect()
}

#[kernel]
fn by_reference(x: &[u32], y: &mut [u32]) {
    let mut tile = local_array::<u32, 64>();
    let i = global_id(0);
    let first = group_id(0) * local_size(0);
    let end = (first + local_size(0)).min(x.len());
    group!(lib::copy_in(&mut tile, &x[first..end]));
    let next = group!(lib::neighbour(&tile, local_id(0)));
    barrier();
    if local_id(0) == 0 {
        tile[0] += 1;
    }
    barrier();
    group!(lib::copy_twice(&mut tile[1..], x));
    y[i] = next * 5 + tile[0] + tile[1] * 3;
}

fn plain_by_reference(all: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| -> Vec<u32> {
        let n = x.len();
        (0..n)
            .map(|l| x[(l + 1) % n] * 5 + x[0] + 1 + all[0] * 3)
            .collect()
    };
    all.chunks(local).flat_map(group).collect()
}

#[kernel]
fn ways(how: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let a = group!(lib::ways(x[i], how));
    y[i] = a;
    if how > 2 {
        y[i] += group!(lib::ways(a, how - 1));
    }
}

fn plain_ways(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    fn ways(how: u32, x: &[u32]) -> Vec<u32> {
        let n = x.len();
        match how {
            0 => x.iter().map(|v| v + 1).collect(),
            1 => vec![x[0]; n],
            2 => vec![x[0] * 2; n],
            3 => (0..n).map(|l| x[0] + 5 + l as u32).collect(),
            _ => {
                let (mut k, mut first) = (0, x[0]);
                loop {
                    k += 1;
                    if k == how {
                        return x.iter().map(|v| v + k).collect();
                    }
                    first += 1;
                    if first % 8 == 0 {
                        return vec![first; n];
                    }
                }
            }
        }
    }
    let group = |x: &[u32]| -> Vec<u32> {
        let a = ways(how, x);
        if how <= 2 {
            return a;
        }
        let b = ways(how - 1, &a);
        a.iter().zip(b).map(|(a, b)| a + b).collect()
    };
    x.chunks(local).flat_map(group).collect()
}

#[device]
fn twice_and(a: u32, b: u32) -> u32 {
    a * 2 + b
}

#[kernel]
fn operators(how: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let a = group!(lib::folded(x[i], |a, b| a * how + b));
    let b = group!(lib::folded(x[i], twice_and)) + group!(lib::folded_back(x[i], |a, b| a * 2 + b));
    let pair = Pair {
        a: x[i],
        b: x[i] as f32,
    };
    let c = group!(lib::folded(pair, |p, q| Pair {
        a: p.a ^ q.a,
        b: p.b.max(q.b)
    }));
    y[i] = a + b * 3 + c.a * 5 + c.b as u32;
}

fn plain_operators(how: u32, x: &[u32], local: usize) -> Vec<u32> {
    let group = |x: &[u32]| {
        let fold = |f: &dyn Fn(u32, u32) -> u32| x.iter().copied().reduce(f).unwrap_or(0);
        let a = fold(&|a, b| a.wrapping_mul(how).wrapping_add(b));
        let b = fold(&|a, b| a.wrapping_mul(2).wrapping_add(b));
        let b = b.wrapping_add(fold(&|b, a| a.wrapping_mul(2).wrapping_add(b)));
        let (c, d) = (fold(&|a, b| a ^ b), fold(&|a, b| a.max(b)));
        let all = a
            .wrapping_add(b.wrapping_mul(3))
            .wrapping_add(c.wrapping_mul(5))
            .wrapping_add(d);
        vec![all; x.len()]
    };
    x.chunks(local).flat_map(group).collect()
}

#[kernel]
fn structs(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let (b, next) = group!(lib::swapped(Pair { a: x[i], b: i as f32 }));
    y[i] = b as u32 + next.a * 3 + next.b as u32 * 7;
}

fn plain_structs(x: &[u32], local: usize) -> Vec<u32> {
    let item = |i: usize| {
        let first = i / local * local;
        let n = local.min(x.len() - first);
        let next = first + (i - first + 1) % n;
        i as u32 + (x[next] + 1) * 3 + next as u32 * 7
    };
    (0..x.len()).map(item).collect()
}

/// The library's functions, with an operator that does not commute: lines a * x + b, one behind the other.
#[kernel]
fn reduced(_from: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let own = (x[i] | 1, i as u32);
    let (a, b) = group!(group::reduce(own, |p, q| (p.0 * q.0, p.1 * q.0 + q.1)));
    y[i] = a ^ b;
}

#[kernel]
fn scanned(_from: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let own = (x[i] | 1, i as u32);
    let (a, b) = group!(group::inclusive_scan(own, |p, q| (p.0 * q.0, p.1 * q.0 + q.1)));
    y[i] = a ^ b;
}

#[kernel]
fn scanned_before(_from: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let own = (x[i] | 1, i as u32);
    let (a, b) = group!(group::exclusive_scan(own, (3, 5), |p, q| (
        p.0 * q.0,
        p.1 * q.0 + q.1
    )));
    y[i] = a ^ b;
}

#[kernel]
fn sent(from: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = group!(group::broadcast(x[i], from));
}

fn join(p: (u32, u32), q: (u32, u32)) -> (u32, u32) {
    (p.0.wrapping_mul(q.0), p.1.wrapping_mul(q.0).wrapping_add(q.1))
}

/// What each item of a group gets, by its number in it.
fn of_groups(x: &[u32], local: usize, f: impl Fn(&[(u32, u32)], usize) -> (u32, u32)) -> Vec<u32> {
    let mut y = vec![];
    for (g, x) in x.chunks(local).enumerate() {
        let own = |(l, v): (usize, &u32)| (v | 1, (g * local + l) as u32);
        let own: Vec<_> = x.iter().enumerate().map(own).collect();
        y.extend((0..x.len()).map(|l| {
            let (a, b) = f(&own, l);
            a ^ b
        }));
    }
    y
}

fn plain_reduced(_: usize, x: &[u32], local: usize) -> Vec<u32> {
    of_groups(x, local, |own, _| {
        own.iter().copied().reduce(join).unwrap_or_default()
    })
}

fn plain_scanned(_: usize, x: &[u32], local: usize) -> Vec<u32> {
    of_groups(x, local, |own, l| {
        own[..=l].iter().copied().reduce(join).unwrap_or_default()
    })
}

fn plain_scanned_before(_: usize, x: &[u32], local: usize) -> Vec<u32> {
    of_groups(x, local, |own, l| own[..l].iter().copied().fold((3, 5), join))
}

fn plain_sent(from: usize, x: &[u32], local: usize) -> Vec<u32> {
    x.chunks(local).flat_map(|x| vec![x[from]; x.len()]).collect()
}

/// One operator for all types of numbers: the sum, as far as the type holds it.
#[kernel]
fn sum_of<T: Int>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = group!(group::reduce(x[i], |a, b| a + b)) - x[i];
}

#[kernel]
fn largest_of<T: Float>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = group!(group::inclusive_scan(x[i], |a, b| if a < b { b } else { a }));
}

/// The same of a group, in Rust.
mod plain {
    pub(super) trait Wrapping: Copy {
        const ZERO: Self;
        fn plus(self, other: Self) -> Self;
        fn minus(self, other: Self) -> Self;
    }
    macro_rules! wrapping {
        ($($ty:ident)*) => {$(
            impl Wrapping for $ty {
                const ZERO: $ty = 0;
                fn plus(self, other: $ty) -> $ty {
                    self.wrapping_add(other)
                }
                fn minus(self, other: $ty) -> $ty {
                    self.wrapping_sub(other)
                }
            }
        )*};
    }
    wrapping!(i8 u8 i16 u16 i32 u32 i64 u64 isize usize);

    pub(super) fn sum_of<T: Wrapping>(x: &[T]) -> Vec<T> {
        let sum = |x: &[T]| x.iter().fold(T::ZERO, |a, b| a.plus(*b));
        x.iter().map(|v| sum(x).minus(*v)).collect()
    }

    pub(super) fn largest_of<T: PartialOrd + Copy>(x: &[T]) -> Vec<T> {
        let most = |x: &[T]| x.iter().fold(x[0], |a, b| if a < *b { *b } else { a });
        (0..x.len()).map(|l| most(&x[..=l])).collect()
    }
}

/// Groups of two and three dimensions, whose items at the edge are not one behind the other.
#[kernel]
unsafe fn in_dimensions(x: &[u32], y: &mut [u32], z: &mut [u32]) {
    let i = global_linear_id();
    y[i] = group!(group::inclusive_scan(x[i], |a, b| if b % 3 == 1 { b } else { a }));
    z[i] = group!(group::broadcast(x[i], 0));
}

fn dimensions(device: &Device, size: [usize; 3], local: [usize; 3]) -> Outcome {
    let queue = device.queue()?;
    let n = size.iter().product();
    let x = numbers(n);
    let (mut y, mut z) = (vec![0; n], vec![0; n]);
    let at = |p: [usize; 3]| (p[2] * size[1] + p[1]) * size[0] + p[0];
    let ranges = |d: usize, g: usize| g * local[d]..size[d].min((g + 1) * local[d]);
    let groups: [usize; 3] = std::array::from_fn(|d| size[d].div_ceil(local[d]));
    for g in 0..groups.iter().product() {
        let group = [
            g % groups[0],
            g / groups[0] % groups[1],
            g / groups[0] / groups[1],
        ];
        let mut items = vec![];
        for c in ranges(2, group[2]) {
            for b in ranges(1, group[1]) {
                items.extend(ranges(0, group[0]).map(|a| at([a, b, c])));
            }
        }
        let mut last: Option<u32> = None;
        for i in &items {
            let next = last.filter(|_| x[*i] % 3 != 1).unwrap_or(x[*i]);
            last = Some(next);
            (y[*i], z[*i]) = (next, x[items[0]]);
        }
    }
    let on = queue.upload(&x)?;
    let (mut y_on, mut z_on) = (queue.zeros::<u32>(n)?, queue.zeros::<u32>(n)?);
    launch!(
        queue,
        // SAFETY: each item writes its own element.
        unsafe { in_dimensions(&on, &mut y_on, &mut z_on) },
        global = size,
        local = local
    )?;
    check_eq!(queue.download(&y_on)?, y);
    check_eq!(queue.download(&z_on)?, z);
    Ok(())
}

/// A case of a kernel, whose elements behind the grid stay as they are.
fn case(
    suite: &mut Suite,
    name: &str,
    needs: &[Need],
    run: impl Fn(&Queue, &Buffer<u32>, &mut Buffer<u32>, usize) -> gridfn::Result<()> + Send + Copy + 'static,
    plain: impl Fn(&[u32], usize) -> Vec<u32> + Send + Copy + 'static,
) {
    suite.case(case_path!(name), needs, move |device| {
        let queue = device.queue()?;
        for (size, local) in GRIDS {
            let x = numbers(size);
            let x_on = queue.upload(&x)?;
            let mut y = queue.upload(&vec![99; size + 64])?;
            run(&queue, &x_on, &mut y, local)?;
            let mut expected = plain(&x, local);
            expected.resize(size + 64, 99);
            check_eq!(queue.download(&y)?, expected, "{size} items in groups of {local}");
        }
        Ok(())
    });
}

pub(crate) fn add_to(suite: &mut Suite) {
    macro_rules! cases {
        ($($kernel:ident $plain:ident $needs:expr;)*) => {$(
            suite.kernel::<$kernel>();
            case(
                suite,
                stringify!($kernel),
                $needs,
                |queue, x, y, local| launch!(queue, $kernel(x, y), global = x.len(), local = local),
                $plain,
            );
        )*};
    }
    cases! {
        sums plain_sums &[];
        in_expressions plain_in_expressions &[];
        nested plain_nested &[];
        by_reference plain_by_reference &[];
        structs plain_structs &[];
    }
    macro_rules! in_every_way {
        ($($kernel:ident $plain:ident $needs:expr;)*) => {$(
            suite.kernel::<$kernel>();
            for how in 0..7 {
                case(
                    suite,
                    &format!("{}_{how}", stringify!($kernel)),
                    $needs,
                    move |queue, x, y, local| {
                        launch!(queue, $kernel(how, x, y), global = x.len(), local = local)
                    },
                    move |x, local| $plain(how, x, local),
                );
            }
        )*};
    }
    in_every_way! {
        generic plain_generic &[];
        ways plain_ways &[];
        operators plain_operators &[];
    }
    macro_rules! library {
        ($($kernel:ident $plain:ident $from:expr;)*) => {$(
            suite.kernel::<$kernel>();
            suite.case(case_path!(&format!("{}_{}", stringify!($kernel), $from)), &[], |device| {
                let queue = device.queue()?;
                let most = $kernel::prepare(&queue)?.max_group_size();
                for (size, local) in [(13, 8), (5, 16), (103, 33), (33, 7), (2000, 700), (1100, 1024)] {
                    if local > most {
                        continue;
                    }
                    let x = numbers(size);
                    let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(size)?);
                    launch!(queue, $kernel($from, &x_on, &mut y), global = size, local = local)?;
                    let expected = $plain($from, &x, local);
                    check_eq!(queue.download(&y)?, expected, "{size} items in groups of {local}");
                }
                Ok(())
            });
        )*};
    }
    library! {
        reduced plain_reduced 0;
        scanned plain_scanned 0;
        scanned_before plain_scanned_before 0;
        sent plain_sent 0;
        sent plain_sent 3;
    }
    macro_rules! types {
        ($kernel:ident $needs:expr; $($ty:ident)*) => {$(
            suite.kernel::<$kernel<$ty>>();
            suite.case(case_path!(concat!(stringify!($kernel), "_", stringify!($ty))), $needs, |device| {
                let queue = device.queue()?;
                let x: Vec<$ty> = numbers(37).into_iter().map(|v| v as $ty).collect();
                let (x_on, mut y) = (queue.upload(&x)?, queue.zeros::<$ty>(37)?);
                launch!(queue, $kernel(&x_on, &mut y), global = 37, local = 13)?;
                let expected = x.chunks(13).flat_map(plain::$kernel).collect::<Vec<$ty>>();
                check_eq!(queue.download(&y)?, expected);
                Ok(())
            });
        )*};
    }
    types!(sum_of &[]; i8 u8 i16 u16 i32 u32 i64 u64 isize usize);
    types!(largest_of &[]; f32);
    types!(largest_of &[Need::Float64]; f64);
    suite.kernel::<in_dimensions>();
    for (name, size, local) in [
        ("rows", [13, 7, 1], [8, 4, 1]),
        ("blocks", [5, 3, 7], [4, 2, 4]),
        ("whole_blocks", [8, 4, 4], [4, 4, 2]),
        ("large_rows", [40, 30, 1], [32, 16, 1]),
    ] {
        suite.case(case_path!(name), &[], move |device| {
            let most = in_dimensions::prepare(&device.queue()?)?.max_group_size();
            if local.iter().product::<usize>() > most {
                return Ok(());
            }
            dimensions(device, size, local)
        });
    }
    suite.case(case_path!("faults"), &[], |device| {
        let queue = device.queue()?;
        let (x, mut y) = (queue.upload(&[1u32; 13])?, queue.zeros::<u32>(13)?);
        launch!(queue, sent(5, &x, &mut y), global = 13, local = 8)?;
        match queue.synchronize() {
            Err(Error::Fault(fault)) => check_eq!(
                fault.message,
                "the item that `broadcast` asks for is outside of the grid"
            ),
            other => return Err(format!("{other:?}").into()),
        }
        launch!(queue, sent(4, &x, &mut y), global = 13, local = 8)?;
        check_eq!(queue.download(&y)?, [1; 13]);
        Ok(())
    });
}
