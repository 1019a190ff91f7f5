//! Methods, traits and operators of users' types: on the host they stay what they are, and that is what they are compared
//! with.

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use core::ops::{Add, AddAssign, Mul, Neg, Sub};
use gridfn::prelude::*;

/// A complex number, whose operators Mandelbrot's iteration needs.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Complex {
    re: f32,
    im: f32,
}

#[device]
impl Complex {
    const ZERO: Complex = Complex { re: 0.0, im: 0.0 };

    fn new(re: f32, im: f32) -> Self {
        Self { re, im }
    }

    fn norm_squared(self) -> f32 {
        self.re * self.re + self.im * self.im
    }
}

#[device]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Self::Output {
        Self::Output {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[device]
impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

#[device]
fn escapes_after(c: Complex) -> u32 {
    let mut z = Complex::ZERO;
    for n in 0..50u32 {
        if z.norm_squared() > 4.0 {
            return n;
        }
        z = z * z + c;
    }
    50
}

#[kernel]
fn mandelbrot(points: &[Complex], counts: &mut [u32]) {
    let i = global_id(0);
    counts[i] = escapes_after(points[i]);
}

/// A vector, with operators on itself, on numbers and in place.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Vec3 {
    x: f32,
    y: f32,
    z: f32,
}

#[device]
impl Vec3 {
    fn new(x: f32, y: f32, z: f32) -> Vec3 {
        Vec3 { x, y, z }
    }

    fn dot(self, other: Vec3) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn cross(&self, other: &Vec3) -> Vec3 {
        Vec3::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    fn scale(&mut self, by: f32) {
        self.x *= by;
        self.y *= by;
        self.z *= by;
    }

    /// Has the name of a method of the table.
    fn max(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x.max(other.x), self.y.max(other.y), self.z.max(other.z))
    }
}

#[device]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

#[device]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        self + -other
    }
}

#[device]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

#[device]
impl Mul<f32> for Vec3 {
    type Output = Vec3;
    fn mul(self, by: f32) -> Vec3 {
        Vec3::new(self.x * by, self.y * by, self.z * by)
    }
}

#[device]
impl Mul<Vec3> for f32 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}

#[device]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Vec3) {
        *self = *self + other;
    }
}

#[kernel]
fn vectors(a: &[Vec3], b: &[Vec3], c: &mut [Vec3], k: f32) {
    let i = global_id(0);
    let mut v = a[i] * k + b[i].cross(&a[i]) - 0.5 * b[i];
    v += -a[i];
    v.scale(v.dot(b[i]));
    c[i] = v.max(Vec3::dot(a[i], b[i]) * a[i]);
    c[i].scale(2.0);
    c[i] += v;
}

fn vectors_on_host(a: Vec3, b: Vec3, k: f32) -> Vec3 {
    let mut v = a * k + b.cross(&a) - 0.5 * b;
    v += -a;
    v.scale(v.dot(b));
    let mut c = v.max(Vec3::dot(a, b) * a);
    c.scale(2.0);
    c += v;
    c
}

/// Generic over what it holds.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Pair<T> {
    a: T,
    b: T,
}

#[device]
impl<T: Scalar> Pair<T> {
    fn new(a: T, b: T) -> Self {
        Pair { a, b }
    }

    fn sum(self) -> T {
        self.a + self.b
    }

    fn swapped(self) -> Pair<T> {
        Pair::new(self.b, self.a)
    }

    fn first_with<U: Scalar>(self, b: U) -> (T, U) {
        (self.a, b)
    }
}

#[device]
impl<T: Copy + Add<Output = T>> Add for Pair<T> {
    type Output = Pair<T>;
    fn add(self, other: Self) -> Self::Output {
        Pair {
            a: self.a + other.a,
            b: self.b + other.b,
        }
    }
}

#[kernel]
fn pairs<T: Scalar>(a: &[T], b: &[T], c: &mut [T]) {
    let i = global_id(0);
    let p = Pair::new(a[i], b[i]) + Pair::<T>::new(b[i], T::ONE).swapped();
    let (first, n) = Pair::first_with(p, 2u32);
    c[i] = if n == 2 { p.sum() + first } else { T::ZERO };
}

/// Integers wrap in kernels, and in methods that kernels call.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Hash(u32);

#[device]
impl Hash {
    fn mixed(self, by: u32) -> Hash {
        let mut h = self.0 * 0x9e37_79b9 + by;
        h += h << 6;
        h -= plain_product(h, by);
        Hash(h ^ h.pow(3) ^ (h | 0x8000_0000).next_power_of_two())
    }

    fn negated(self) -> i32 {
        -(self.0 as i32)
    }

    fn totals(self) -> u32 {
        let parts = [self.0, self.0 ^ 0xffff_0000, 0xffff_fff1];
        let sum: u32 = parts.iter().sum();
        sum ^ (1..=5).map(|n| self.0 | n).product::<u32>()
    }
}

#[device]
fn plain_product(a: u32, b: u32) -> u32 {
    a * b
}

#[kernel]
fn hashes(seeds: &[u32], out: &mut [u32]) {
    let i = global_id(0);
    let h = Hash(seeds[i]).mixed(0xffff_fff1);
    out[i] = h.0 ^ Hash(0x8000_0000).negated() as u32 ^ h.totals();
}

fn hash_on_host(seed: u32) -> u32 {
    let by = 0xffff_fff1u32;
    let mut h = seed.wrapping_mul(0x9e37_79b9).wrapping_add(by);
    h = h.wrapping_add(h << 6);
    h = h.wrapping_sub(h.wrapping_mul(by));
    let power = (h | 0x8000_0000).checked_next_power_of_two().unwrap_or(0);
    h ^= h.wrapping_pow(3) ^ power;
    let sum = h.wrapping_add(h ^ 0xffff_0000).wrapping_add(0xffff_fff1);
    let product = (1..=5).fold(1u32, |product, n| product.wrapping_mul(h | n));
    h ^ 0x8000_0000 ^ sum ^ product
}

mod shapes {
    use gridfn::prelude::*;

    /// A trait with what traits have.
    #[device]
    pub(super) trait Shape: Copy {
        const SIDES: u32;
        /// What it is measured in.
        type Unit;

        fn of_size(size: f32) -> Self;
        fn area(&self) -> f32;
        fn grow(&mut self, by: f32);

        fn doubled(mut self) -> Self {
            self.grow(2.0);
            self
        }

        fn area_per_side(&self) -> f32 {
            self.area() / Self::SIDES as f32
        }

        fn area_times<T: Float>(&self, factor: T) -> T {
            factor * factor
        }
    }
}
use shapes::Shape;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Square {
    side: f32,
}

#[device]
impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = f32;

    fn of_size(size: f32) -> Self {
        Square { side: size }
    }

    fn area(&self) -> f32 {
        self.side * self.side
    }

    fn grow(&mut self, by: f32) {
        self.side *= by;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Triangle<const FLIPPED: bool> {
    base: f32,
    height: f32,
}

#[device]
impl<const FLIPPED: bool> Shape for Triangle<FLIPPED> {
    const SIDES: u32 = 3;
    type Unit = f32;

    fn of_size(size: f32) -> Self {
        Self {
            base: size,
            height: size * 0.5,
        }
    }

    fn area(&self) -> f32 {
        let area = 0.5 * self.base * self.height;
        if FLIPPED { -area } else { area }
    }

    fn grow(&mut self, by: f32) {
        self.base *= by;
        self.height *= by;
    }

    fn doubled(self) -> Self {
        Triangle {
            base: self.base * 2.0,
            ..self
        }
    }
}

#[kernel]
fn areas<S: Shape>(sizes: &[f32], out: &mut [f32]) {
    let i = global_id(0);
    let mut shape = S::of_size(sizes[i]);
    shape.grow(1.5);
    out[i] = shape.doubled().area_per_side()
        + <S as Shape>::SIDES as f32
        + S::area(&shape)
        + S::area_times(&shape, 2.0f32)
        + match sizes.len() as u32 {
            <Square as Shape>::SIDES => 1.0,
            _ => 0.0,
        };
}

fn areas_on_host<S: Shape>(size: f32) -> f32 {
    let mut shape = S::of_size(size);
    shape.grow(1.5);
    shape.doubled().area_per_side() + S::SIDES as f32 + S::area(&shape) + 4.0
}

#[kernel]
fn squares(squares: &mut [Square]) {
    let i = global_id(0);
    squares[i].grow(3.0);
    squares[i] = <Square as Shape>::of_size(squares[i].area() + Square::of_size(2.0).side);
}

/// 0 to 63, as floats that are not whole.
fn numbers(salt: usize) -> Vec<f32> {
    (0..64)
        .map(|n| ((n * 37 + salt * 11) % 64) as f32 * 0.37 - 3.0)
        .collect()
}

fn complex(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let points = (0..600).map(|n| Complex::new((n % 30) as f32 / 10.0 - 2.0, (n / 30) as f32 / 10.0 - 1.0));
    let points: Vec<_> = points.collect();
    let (input, mut counts) = (queue.upload(&points)?, queue.zeros::<u32>(points.len())?);
    launch!(queue, mandelbrot(&input, &mut counts), global = points.len())?;
    let expected: Vec<_> = points.iter().map(|&c| escapes_after(c)).collect();
    check_eq!(queue.download(&counts)?, expected);
    Ok(())
}

fn vector(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let vectors_of = |salt| {
        let n = numbers(salt);
        let of = |i: usize| Vec3::new(n[i], n[(i + 7) % 64], n[(i + 13) % 64]);
        (0..64).map(of).collect::<Vec<_>>()
    };
    let (a, b) = (vectors_of(1), vectors_of(2));
    let (x, y, mut z) = (queue.upload(&a)?, queue.upload(&b)?, queue.upload(&a)?);
    launch!(queue, vectors(&x, &y, &mut z, 1.25), global = 64)?;
    let expected: Vec<_> = (0..64).map(|i| vectors_on_host(a[i], b[i], 1.25)).collect();
    check_eq!(queue.download(&z)?, expected);
    launch!(queue, |i| z[i] += x[i] * y[i].dot(x[i]) - y[i], global = 64)?;
    let expected: Vec<_> = (0..64)
        .map(|i| expected[i] + (a[i] * b[i].dot(a[i]) - b[i]))
        .collect();
    check_eq!(queue.download(&z)?, expected);
    Ok(())
}

fn generic(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (a, b): (Vec<u32>, Vec<u32>) = (0..64).map(|n| (n * n + 5, n * 3)).unzip();
    let (x, y, mut z) = (queue.upload(&a)?, queue.upload(&b)?, queue.zeros::<u32>(64)?);
    launch!(queue, pairs(&x, &y, &mut z), global = 64)?;
    let expected: Vec<_> = (0..64).map(|i| a[i] + 1 + b[i] + b[i] + a[i] + 1).collect();
    check_eq!(queue.download(&z)?, expected);
    Ok(())
}

fn wrapping(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let seeds: Vec<u32> = (0..64).map(|n| 0xffff_ffff - n * n * 977).collect();
    let (input, mut out) = (queue.upload(&seeds)?, queue.zeros::<u32>(64)?);
    launch!(queue, hashes(&input, &mut out), global = 64)?;
    let expected: Vec<_> = seeds.iter().map(|&seed| hash_on_host(seed)).collect();
    check_eq!(queue.download(&out)?, expected);
    Ok(())
}

fn traits(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let sizes = numbers(3);
    let (input, mut out) = (queue.upload(&sizes)?, queue.zeros::<f32>(64)?);
    launch!(queue, areas::<Square>(&input, &mut out), global = 64)?;
    let expected: Vec<_> = sizes.iter().map(|&size| areas_on_host::<Square>(size)).collect();
    check_eq!(queue.download(&out)?, expected);
    launch!(queue, areas::<Triangle<true>>(&input, &mut out), global = 64)?;
    let expected: Vec<_> = sizes
        .iter()
        .map(|&size| areas_on_host::<Triangle<true>>(size))
        .collect();
    check_eq!(queue.download(&out)?, expected);
    let all: Vec<_> = sizes.iter().map(|&size| Square::of_size(size)).collect();
    let mut out = queue.upload(&all)?;
    launch!(queue, squares(&mut out), global = 64)?;
    let expected: Vec<_> = sizes
        .iter()
        .map(|&s| Square {
            side: (s * 3.0) * (s * 3.0) + 2.0,
        })
        .collect();
    check_eq!(queue.download(&out)?, expected);
    Ok(())
}

/// Outside of kernels a method is the user's own code, which panics where the build checks for overflow.
fn outside(_: &Device) -> Outcome {
    let overflows: [fn(); 2] = [
        || _ = std::hint::black_box(Hash(3).mixed(u32::MAX)),
        || _ = std::hint::black_box(Hash(3).totals()),
    ];
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let panics = overflows.map(|f| std::panic::catch_unwind(f).is_err());
    std::panic::set_hook(hook);
    check_eq!(panics, [cfg!(debug_assertions); 2]);
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("complex"), &[], complex);
    suite.case(case_path!("vector"), &[], vector);
    suite.case(case_path!("generic"), &[], generic);
    suite.case(case_path!("wrapping"), &[], wrapping);
    suite.case(case_path!("traits"), &[], traits);
    suite.case(case_path!("outside"), &[Need::Host], outside);
    suite.kernel::<mandelbrot>();
    suite.kernel::<vectors>();
    suite.kernel::<hashes>();
    suite.kernel::<squares>();
}
