//! Closures and functions as arguments of device functions, compared with plain Rust calls of the same functions.

#![allow(
    clippy::needless_borrows_for_generic_args,
    clippy::redundant_closure,
    reason = "odd forms are the point"
)]

use crate::case::{Need, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Error, Result};

#[device]
fn apply<T: Scalar, F: Fn(T) -> T>(f: F, x: T) -> T {
    f(x)
}

/// Passes on what it took, as a value and as a reference.
#[device]
fn twice<F>(f: F, x: f32) -> f32
where
    F: Fn(f32) -> f32 + Copy,
{
    apply(f, apply(&f, x))
}

/// Calls in a loop, with a return out of it.
#[device]
fn first_below<F: Fn(f32) -> f32>(step: F, start: f32, limit: f32) -> u32 {
    let mut v = start;
    for n in 0..100 {
        if v < limit {
            return n;
        }
        v = step(v);
    }
    100
}

/// Newton's method, on a function and its derivative.
#[device]
fn root<F: Fn(f32) -> f32, D: Fn(f32) -> f32>(f: F, derivative: D, start: f32) -> f32 {
    let mut x = start;
    for _ in 0..5 {
        x -= f(x) / derivative(x);
    }
    x
}

/// What it takes changes what is around it.
#[device]
fn repeat<F: FnMut(usize)>(mut f: F, n: usize) {
    for i in 0..n {
        f(i);
    }
}

#[device]
fn once<F: FnOnce() -> u32>(f: F) -> u32 {
    f() + 1
}

/// Arrays of any length, and a function between any two types.
#[device]
fn mapped<const N: usize, T: DeviceCopy, U: Scalar, F: Fn(T) -> U>(a: [T; N], f: F) -> [U; N] {
    let mut out = [U::ZERO; N];
    for i in 0..N {
        out[i] = f(a[i]);
    }
    out
}

/// References, slices, tuples and options.
#[device]
fn fold<F: Fn(&f32, (f32, usize)) -> Option<f32>>(x: &[f32], f: F) -> f32 {
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        sum += f(v, (sum, i)).unwrap_or(0.5);
    }
    sum
}

#[device]
fn sum_of<F: Fn(&[f32]) -> f32>(f: F, x: &[f32]) -> f32 {
    f(&x[1..]) + f(x)
}

#[device]
fn square<T: Float>(x: T) -> T {
    x * x
}

/// Knows where it is.
#[device]
fn plus_index(x: f32) -> f32 {
    x + global_id(0) as f32
}

#[derive(Clone, Copy, DeviceCopy, Debug, PartialEq)]
struct Pair {
    a: f32,
    b: f32,
}

#[device]
impl Pair {
    fn map<F: Fn(f32) -> f32>(self, f: F) -> Pair {
        Pair {
            a: f(self.a),
            b: f(self.b),
        }
    }

    fn from_fn<F: FnMut(usize) -> f32>(mut f: F) -> Pair {
        Pair { a: f(0), b: f(1) }
    }

    fn map_twice<F: Fn(f32) -> f32>(self, f: F) -> Pair {
        self.map(&f).map(|v| f(v))
    }
}

#[device]
trait Folded {
    fn total(&self) -> f32;
    fn total_of<F: Fn(f32) -> f32>(&self, f: F) -> f32 {
        f(self.total())
    }
}

#[device]
impl Folded for Pair {
    fn total(&self) -> f32 {
        self.a + self.b
    }
}

#[kernel]
fn closures(k: f32, x: &[f32], out: &mut [[f32; 4]]) {
    let i = global_id(0);
    let v = x[i];
    let shift = |w: f32| w + k;
    out[i] = [
        apply(|w| w * 2.0 + k, v),
        apply(shift, v) + twice(&shift, v) + twice(shift, 1.0),
        // What a closure calls may take closures, and see all that is around it.
        apply(|w| w + twice(|u| apply(|t| t * w + k, u) - v, w), v),
        apply(
            |w| {
                if w < 0.0 {
                    return -1.0;
                }
                w * x[i]
            },
            v,
        ),
    ];
}

fn plain_closures(k: f32, v: f32) -> [f32; 4] {
    let inner = |w: f32, u: f32| u * w + k - v;
    [
        v * 2.0 + k,
        v + k + (v + k + k) + (1.0 + k + k),
        v + inner(v, inner(v, v)),
        if v < 0.0 { -1.0 } else { v * v },
    ]
}

#[kernel]
fn functions<F: Fn(f32) -> f32>(f: F, x: &[f32], out: &mut [[f32; 4]]) {
    let i = global_id(0);
    out[i] = [
        apply(square, x[i]) + apply::<f64, _>(self::square::<f64>, 3.0) as f32,
        twice(plus_index, x[i]),
        // The kernel's own function, with what it captured.
        apply(f, x[i]) + twice(&f, 1.0),
        root(|v| v * v - 2.0, |v| 2.0 * v, x[i] + 1.5),
    ];
}

#[kernel]
fn changes(x: &[u32], out: &mut [[u32; 3]]) {
    let i = global_id(0);
    let (mut sum, mut most) = (0, 0);
    let mut seen = [0u32; 4];
    repeat(
        |n| {
            sum += x[n];
            seen[n % 4] += 1;
        },
        i + 1,
    );
    let mut largest = |n: usize| most = x[n].max(most);
    repeat(&mut largest, i + 1);
    repeat(largest, 0);
    out[i] = [sum, most, once(|| seen[0] + 10 * seen[1])];
}

#[kernel]
fn types(x: &[f32], out: &mut [[f32; 4]]) {
    let i = global_id(0);
    let a = mapped([x[i], 1.0, -2.0], |v| v * 10.0);
    let b: [u32; 2] = mapped([(1u32, 2u32), (3, i as u32)], |(a, b)| a * b);
    let chosen = fold(x, |v, (sum, n)| if n == i { None } else { Some(*v + sum) });
    out[i] = [
        a[0] + a[1] + a[2],
        (b[0] + b[1]) as f32,
        chosen,
        sum_of(|s| s[0] + s.len() as f32, x) + first_below(|v| v / 2.0, x[i], 0.25) as f32,
    ];
}

fn plain_types(x: &[f32], i: usize) -> [f32; 4] {
    let mut chosen = 0.0;
    for (n, v) in x.iter().enumerate() {
        chosen += if n == i { 0.5 } else { v + chosen };
    }
    let (mut v, mut n) = (x[i], 0);
    while v >= 0.25 {
        v /= 2.0;
        n += 1;
    }
    [
        x[i] * 10.0 + 10.0 - 20.0,
        (2 + 3 * i) as f32,
        chosen,
        x[1] + x[0] + (2 * x.len() - 1) as f32 + n as f32,
    ]
}

#[kernel]
fn methods(x: &[Pair], out: &mut [Pair]) {
    let i = global_id(0);
    let mut n = 0.0;
    let made = Pair::from_fn(|k| {
        n += 1.0;
        k as f32 + n
    });
    let double = |v: f32| v * 2.0;
    let by_path = Pair::map(made, double);
    let doubled = x[i].map(|v| v * 2.0).map_twice(double);
    out[i] = Pair {
        a: by_path.a + doubled.a + x[i].total_of(|t| t + made.b),
        b: Pair::map(doubled, square).b + n,
    };
}

#[kernel]
fn faults(x: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    out[i] = 1;
    out[i] = apply(|v| x[v as usize], i as u32 * 3);
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("closures"), &[], |device| {
        let queue = device.queue()?;
        let data = [0.5f32, -1.0, 3.25, 0.0, 1e3];
        let x = queue.upload(&data)?;
        let mut out = queue.zeros::<[f32; 4]>(data.len())?;
        launch!(queue, closures(0.75, &x, &mut out), global = data.len())?;
        check_eq!(queue.download(&out)?, data.map(|v| plain_closures(0.75, v)));
        Ok(())
    });
    suite.case(case_path!("functions"), &[Need::Float64], |device| {
        let queue = device.queue()?;
        let data = [0.5f32, 1.0, 3.25];
        let x = queue.upload(&data)?;
        let mut out = queue.zeros::<[f32; 4]>(data.len())?;
        let k = 0.25;
        launch!(
            queue,
            functions(|v| v * k + 1.0, &x, &mut out),
            global = data.len()
        )?;
        let f = |v: f32| v * k + 1.0;
        let plain = |(i, v): (usize, f32)| {
            let mut root = v + 1.5;
            for _ in 0..5 {
                root -= (root * root - 2.0) / (2.0 * root);
            }
            [v * v + 9.0, v + i as f32 + i as f32, f(v) + f(f(1.0)), root]
        };
        let expected: Vec<_> = data.into_iter().enumerate().map(plain).collect();
        check_eq!(queue.download(&out)?, expected);
        Ok(())
    });
    suite.case(case_path!("changes"), &[], |device| {
        let queue = device.queue()?;
        let data = [3u32, 1, 4, 1, 5, 9];
        let x = queue.upload(&data)?;
        let mut out = queue.zeros::<[u32; 3]>(data.len())?;
        launch!(queue, changes(&x, &mut out), global = data.len())?;
        let expected: Vec<_> = (0..data.len())
            .map(|i| {
                let seen = |n| (0..=i).filter(|k| k % 4 == n).count() as u32;
                let x = &data[..=i];
                [
                    x.iter().sum(),
                    x.iter().copied().max().unwrap_or(0),
                    seen(0) + 10 * seen(1) + 1,
                ]
            })
            .collect();
        check_eq!(queue.download(&out)?, expected);
        Ok(())
    });
    suite.case(case_path!("types"), &[], |device| {
        let queue = device.queue()?;
        let data = [0.5f32, 8.0, 3.25];
        let x = queue.upload(&data)?;
        let mut out = queue.zeros::<[f32; 4]>(data.len())?;
        launch!(queue, types(&x, &mut out), global = data.len())?;
        let expected: Vec<_> = (0..data.len()).map(|i| plain_types(&data, i)).collect();
        check_eq!(queue.download(&out)?, expected);
        Ok(())
    });
    suite.case(case_path!("methods"), &[], |device| {
        let queue = device.queue()?;
        let data = [Pair { a: 1.0, b: 2.0 }, Pair { a: -0.5, b: 4.0 }];
        let x = queue.upload(&data)?;
        let mut out = queue.upload(&data)?;
        launch!(queue, methods(&x, &mut out), global = 2)?;
        let plain = |p: Pair| Pair {
            a: 2.0 + p.a * 8.0 + p.a + p.b + 3.0,
            b: (p.b * 8.0) * (p.b * 8.0) + 2.0,
        };
        check_eq!(queue.download(&out)?, data.map(plain));
        Ok(())
    });
    // A fault in a closure is where the closure stands, and not where it is called.
    suite.case(case_path!("faults"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[7u32, 8, 9, 10])?;
        let mut out = queue.zeros::<u32>(3)?;
        launch!(queue, faults(&x, &mut out), global = 3)?;
        let waited: Result<()> = queue.synchronize();
        let Err(Error::Fault(fault)) = waited else {
            return Err(format!("expected a fault, and not {waited:?}").into());
        };
        let line = include_str!("passed_functions.rs")
            .lines()
            .position(|line| line.contains("x[v as usize]"))
            .map(|n| n as u32 + 1);
        check_eq!(Some(fault.line), line);
        check_eq!(fault.count, 1);
        check_eq!(queue.download(&out)?, [7, 10, 1]);
        Ok(())
    });
}
