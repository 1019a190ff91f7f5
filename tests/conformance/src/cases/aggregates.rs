//! Tuples, arrays, structs and enums as values of kernels and device functions, and in buffers.

#![allow(
    clippy::needless_range_loop,
    clippy::field_reassign_with_default,
    clippy::needless_update,
    clippy::redundant_field_names,
    clippy::no_effect,
    reason = "odd forms are the point"
)]

use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::elements::bodies;
use crate::samples::{Random, Value};
use gridfn::Device;
use gridfn::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Pair(u32, i32);

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Unit;

/// A struct with members of all sizes, an array, a tuple and a struct.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Particle {
    alive: bool,
    at: Point,
    small: i8,
    history: [u32; 3],
    id: u64,
    pair: (u16, Pair),
}

impl Particle {
    const NEW: Particle = Particle {
        alive: true,
        at: Point { x: 0.5, y: -0.25 },
        small: -3,
        history: [7, 8, 9],
        id: 1 << 40,
        pair: (5, Pair(6, -7)),
    };

    fn random(random: &mut Random) -> Particle {
        let small = |random: &mut Random| random.below(2001) as f32 / 64.0 - 15.0;
        Particle {
            alive: bool::random(random),
            at: Point {
                x: small(random),
                y: small(random),
            },
            small: i8::random(random),
            history: [u32::random(random), u32::random(random), u32::random(random)],
            id: u64::random(random),
            pair: (
                u16::random(random),
                Pair(u32::random(random), i32::random(random)),
            ),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(u8)]
enum Shape {
    Nothing,
    Circle { radius: f32 },
    Rectangle(f32, f32) = 7,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Generic<T, const N: usize> {
    values: [T; N],
    factor: T,
}

const TABLE: [[u32; 3]; 2] = [[3, 1, 4], [1, 5, 9]];
static STATIC: [u32; 4] = [2, 7, 1, 8];
const ORIGIN: Point = Point { x: 1.5, y: -2.5 };

/// An aggregate in, another out.
#[device]
fn swapped((a, b): (u32, u32), [c, d]: [u32; 2]) -> (u32, [u32; 3]) {
    (d, [c, b, a])
}

#[device]
fn moved(mut p: Particle, by: Point) -> Particle {
    p.at.x += by.x;
    p.at.y -= by.y;
    p.history[1] = p.history[0] ^ p.history[2];
    p.pair.1.1 = p.pair.1.1.wrapping_neg();
    p
}

#[device]
fn area(shape: Shape) -> f32 {
    match shape {
        Shape::Nothing => 0.0,
        Shape::Circle { radius } => 3.0 * radius * radius,
        Shape::Rectangle(a, b) => a * b,
    }
}

#[device]
fn shape(kind: u32, a: f32) -> Shape {
    if kind % 3 == 0 {
        Shape::Circle { radius: a }
    } else if kind % 3 == 1 {
        Shape::Rectangle(a, 2.0)
    } else {
        Shape::Nothing
    }
}

#[device]
fn halved(n: u32) -> Option<u32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

#[device]
fn quartered(n: u32) -> Option<u32> {
    let half = halved(n)?;
    Some(halved(half)? + 1)
}

#[device]
fn generic<T: Scalar>(g: Generic<T, 3>, i: usize) -> Generic<T, 3> {
    let mut g = g;
    g.values[i % 3] = g.factor + g.values[(i + 1) % 3];
    Generic {
        factor: g.values[0],
        ..g
    }
}

bodies! {
    /// Tuples, by their fields.
    fn tuples(a: u32, b: i32) -> i64 {
        let t = (a, b, a > 5);
        let u = ((t.0, t.1), t);
        let one = (u.1.0,);
        if t.2 { u.0.1 as i64 + one.0 as i64 } else { u.1.1 as i64 - 1 }
    }
    /// Fields of tuples are assigned.
    fn tuples_are_places(a: u32, b: u32) -> u32 {
        let mut t = (a, (b, 3));
        t.1.0 ^= t.0;
        t.0 = t.1.1;
        t.1.1 = 8;
        let before = t;
        t = (t.1.0, (t.0, 1));
        before.0 ^ before.1.0 ^ before.1.1 ^ t.0 ^ t.1.0 ^ t.1.1
    }
    /// Tuples come out of blocks and branches.
    fn tuples_of_blocks(a: u32) -> u32 {
        let (x, y) = if a > 100 { (a / 2, 1) } else { let b = a ^ 7; (b, 2) };
        let z = loop { break (x, y) };
        z.0 ^ z.1
    }
    /// Arrays, with indices that are constants and ones that are not.
    fn arrays(a: u32, b: u32) -> u32 {
        let array = [a, b, a ^ b, 7];
        array[0] ^ array[3] ^ array[(a % 4) as usize]
    }
    /// Elements are assigned.
    fn arrays_are_places(a: u32) -> u32 {
        let mut array = [0; 5];
        for i in 0..5 {
            array[i] = a.rotate_left(i as u32);
        }
        array[(a % 5) as usize] ^= 0xff;
        let copy = array;
        array[1] = 3;
        let mut sum = 0u32;
        for i in 0..array.len() {
            sum = sum.wrapping_mul(31).wrapping_add(array[i] ^ copy[i]);
        }
        sum
    }
    /// Arrays of arrays.
    fn matrices(a: f32) -> f32 {
        let mut m = [[0.0f32; 3]; 2];
        for i in 0..2 {
            for j in 0..m[i].len() {
                m[i][j] = a * (i + 2 * j) as f32;
            }
        }
        m[1][2] += 1.0;
        let row = m[0];
        m[0] = m[1];
        m[0][0] - row[1] + m[1][2]
    }
    /// Arrays of what a function makes.
    fn repeated(a: u32) -> u32 {
        const N: usize = 2 + 1;
        let pairs = [(a, 1u8); N];
        let flags = [a > 3; 1];
        if flags[0] { pairs[2].0 ^ pairs[0].1 as u32 } else { 0 }
    }
    /// Constants and statics that are arrays and structs.
    fn constants(a: u32) -> u32 {
        let i = (a % 2) as usize;
        let mut sum = TABLE[i][(a % 3) as usize] + STATIC[(a % 4) as usize] + TABLE.len() as u32;
        let copy = TABLE;
        sum += copy[1][2];
        let p = Particle::NEW;
        sum + p.history[i] + Particle::NEW.pair.1.0 + (ORIGIN.x * 2.0) as u32
    }
    /// Structs, by all ways to make them.
    fn structs(a: f32, b: f32) -> f32 {
        let x = a;
        let p = Point { x, y: b };
        let q = Point { y: p.x, ..p };
        let r = Point { ..ORIGIN };
        let s = self::Point { y: r.y, x: q.y };
        p.x * 2.0 + q.x + q.y + r.x + s.x + s.y
    }
    /// Fields are evaluated in the order in which they are written.
    fn order_of_fields(a: u32) -> u32 {
        let mut n = a % 100;
        let p = Pair { 1: { n += 1; n as i32 }, 0: { n *= 3; n } };
        let q = Pair({ n += p.0; n }, { n += 1; n as i32 });
        p.0 ^ q.0 ^ n ^ p.1 as u32 ^ q.1 as u32
    }
    /// Structs in structs are places.
    fn nested_structs(a: u32, b: f32) -> u32 {
        let mut p = Particle::NEW;
        p.at.x = b;
        p.at = Point { x: p.at.y, y: p.at.x };
        p.history[(a % 3) as usize] += a % 7;
        p.pair.1 = Pair(a, p.pair.1.1);
        p.pair.0 <<= 1;
        p.small = p.small.wrapping_mul(a as i8);
        let unit = Unit;
        let _ = unit;
        let q = moved(p, Point { x: 1.0, y: 2.0 });
        if q.at.x == p.at.x + 1.0 { q.history[1] ^ q.pair.1.0 ^ q.pair.0 as u32 } else { q.small as u32 }
    }
    /// Functions take and return aggregates.
    fn functions(a: u32, b: u32) -> u32 {
        let (x, [y, z, w]) = swapped((a, b), [a ^ b, 3]);
        let t = swapped((x, y), [z, w]);
        t.0 ^ t.1[0] ^ t.1[2] ^ swapped((1, 2), [3, 4]).1[1]
    }
    /// Enums.
    fn enums(a: u32, b: f32) -> f32 {
        let s = shape(a, b);
        let t = if a > 50 { Shape::Nothing } else { s };
        area(s) - area(t) + area(Shape::Rectangle(b, 3.0))
    }
    /// `Option`, made and passed on.
    fn options(a: u32) -> u32 {
        match quartered(a) {
            Some(n) => n,
            None => match halved(a) {
                Some(n) => n ^ 1,
                None => 0xffff,
            },
        }
    }
    /// Structs with type and const parameters.
    fn generics(a: u32, b: f32) -> f32 {
        let g = generic(Generic { values: [b, 1.0, 2.0], factor: 0.5 }, a as usize);
        let h = generic(Generic::<i32, 3> { values: [a as i32 & 0xff; 3], factor: -1 }, 1);
        g.values[0] + g.values[1] * g.factor + h.values[1] as f32 + h.factor as f32
    }
    /// Comparison, copies and methods of parts.
    fn parts_as_values(a: f32, b: u32) -> f32 {
        let p = Point { x: a, y: -a };
        let t = (p, [b, b ^ 1]);
        let m = t.0.x.max(t.0.y) + p.y.abs() + (t.1[0].count_ones() + (t.1[1] & 0xff).pow(2).min(9)) as f32;
        if t.0.x < t.0.y && t.1[0] != t.1[1] { m } else { -m }
    }
}

/// Elements of buffers that are structs.
#[kernel]
fn step(dt: f32, p: &mut [Particle], log: &mut [(u32, [i16; 2])]) {
    let i = global_id(0);
    p[i].at.x += dt * p[i].at.y;
    p[i].history[i % 3] ^= 0xff;
    p[i].pair.1.1 = -3;
    let mut q = p[i];
    q.alive = !q.alive;
    q.small = q.small.wrapping_add(1);
    p[i] = Particle { id: p[i].id + 1, ..q };
    log[i].0 = p[i].history[i % 3];
    log[i].1[1] = q.small as i16;
}

/// The same in plain Rust.
fn plain_step(i: usize, dt: f32, p: &mut Particle, log: &mut (u32, [i16; 2])) {
    p.at.x += dt * p.at.y;
    p.history[i % 3] ^= 0xff;
    p.pair.1.1 = -3;
    p.alive = !p.alive;
    p.small = p.small.wrapping_add(1);
    p.id += 1;
    log.0 = p.history[i % 3];
    log.1[1] = p.small as i16;
}

fn particles(n: usize) -> Vec<Particle> {
    let mut random = Random::of("particles");
    let mut all: Vec<_> = (0..n).map(|_| Particle::random(&mut random)).collect();
    all.iter_mut().for_each(|p| p.id >>= 1);
    all
}

fn buffers(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (mut p, mut log) = (particles(50), vec![(1u32, [2i16, 3]); 50]);
    let (mut pb, mut lb) = (queue.upload(&p)?, queue.upload(&log)?);
    launch!(queue, step(0.25, &mut pb, &mut lb), global = 45)?;
    for (i, (p, log)) in p.iter_mut().zip(&mut log).enumerate().take(45) {
        plain_step(i, 0.25, p, log);
    }
    check_eq!(queue.download(&pb)?, p);
    check_eq!(queue.download(&lb)?, log);
    Ok(())
}

/// Structs, tuples and arrays as arguments by value.
#[kernel]
fn by_value(p: Particle, t: (u8, Point, [u64; 2]), g: Generic<i16, 5>, mut unit: Unit, y: &mut [f32]) {
    let i = global_id(0);
    unit = Unit;
    let _ = unit;
    y[i] = p.at.x * t.1.y
        + t.0 as f32
        + t.2[i % 2] as f32
        + g.values[i % 5] as f32
        + g.factor as f32
        + p.pair.0 as f32;
}

fn arguments(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<f32>(20)?;
    let g = Generic {
        values: [1, 2, 3, 4, 5],
        factor: -6,
    };
    let t = (9, Point { x: 1.0, y: 4.0 }, [100, 200]);
    launch!(queue, by_value(Particle::NEW, t, g, Unit, &mut y), global = 20)?;
    let expected: Vec<f32> = (0..20)
        .map(|i| 2.0 + 9.0 + [100.0, 200.0][i % 2] + (i % 5 + 1) as f32 - 6.0 + 5.0)
        .collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

/// What closures capture and make.
fn closures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let p = particles(30);
    let (pb, mut y, mut out) = (queue.upload(&p)?, queue.zeros::<f32>(30)?, queue.upload(&p)?);
    let (origin, weights, pair) = (ORIGIN, [0.5f32, 2.0], (3u32, Pair(4, -5)));
    launch!(
        queue,
        |i| {
            let mut q = pb[i];
            q.at = Point { x: origin.x, ..q.at };
            q.pair.1 = pair.1;
            q.history[1] = TABLE[i % 2][1] + pair.0;
            out[i].at.y = weights[i % 2];
            out[i].history = [q.history[1]; 3];
            y[i] = q.at.x * weights[1] + q.pair.1.1 as f32 + Particle::NEW.at.x;
        },
        global = 30
    )?;
    let expected: Vec<f32> = (0..30).map(|_| 1.5 * 2.0 - 5.0 + 0.5).collect();
    check_eq!(queue.download(&y)?, expected);
    let expected: Vec<Particle> = (0..30)
        .map(|i| Particle {
            at: Point {
                y: weights[i % 2],
                ..p[i].at
            },
            history: [TABLE[i % 2][1] + 3; 3],
            ..p[i]
        })
        .collect();
    check_eq!(queue.download(&out)?, expected);
    Ok(())
}

pub(super) fn all(suite: &mut Suite) {
    add_to(suite);
    suite.kernel::<step>();
    suite.kernel::<by_value>();
    suite.case(case_path!("buffers"), &[], buffers);
    suite.case(case_path!("arguments"), &[], arguments);
    suite.case(case_path!("closures"), &[], closures);
}
