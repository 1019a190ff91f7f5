//! Kernels that are generic over their element type.

use crate::case::{Suite, case_path, check_eq};
use crate::compare::Within;
use crate::elements::{check, needs, output};
use crate::samples::{Row, Value, rows};
use gridfn::Target;
use gridfn::prelude::*;

#[kernel]
fn axpy<T: Float>(a: T, x: &[T], y: &[T], out: &mut [T]) {
    let i = global_id(0);
    out[i] = a * x[i] + y[i] / (T::ONE + T::ONE) - x[i].abs().sqrt().mul_add(T::EPSILON, y[i].floor());
}

/// The same in plain Rust, for both.
fn plain_axpy<T: Float>(a: T, x: T, y: T) -> T {
    a * x + y / (T::ONE + T::ONE) - x.abs().sqrt().mul_add(T::EPSILON, y.floor())
}

#[kernel]
fn mix<T: Int>(x: &[T], y: &[T], n: u32, out: &mut [T]) {
    let i = global_id(0);
    let mut v = (x[i] << n) | (y[i] >> 1);
    v ^= T::MAX;
    v -= x[i] * y[i];
    v = if T::BITS > 16 { !v } else { v };
    out[i] = v.min(x[i]).max(T::MIN + T::ONE);
}

/// Values that read the output which they change, through every operator.
#[kernel]
fn own_element<T: Int>(x: &[T], y: &mut [T]) {
    let i = global_id(0);
    y[i] = x[i];
    y[i] += y[i];
    y[i] ^= y[i] >> 3;
    y[i] |= y[i] << 1;
    y[i] &= !(y[i] - x[i]);
    y[i] <<= (y[i] > x[i]) as u32;
    y[i] /= y[i] | T::ONE;
    y[i] %= T::MAX - (y[i] & T::ONE);
}

#[kernel]
fn count_above<T: Scalar>(limit: T, x: &[T], out: &mut [u32]) {
    let i = global_id(0);
    let mut n = 0;
    for j in 0..=i {
        if x[j] > limit {
            n += 1;
        }
    }
    out[i] = n + (T::ZERO < limit) as u32 * 1000;
}

/// Two type parameters, in another order than the parameters.
#[kernel]
fn two_types<B: Scalar, A: DeviceCopy>(a: &[A], b: &[B], x: &mut [A], y: &mut [B]) {
    let i = global_id(0);
    x[i] = a[i];
    y[i] = b[i] + B::ONE;
}

macro_rules! floats {
    ($suite:ident $($t:ident)*) => {$(
        $suite.case(case_path!(concat!("float::", stringify!($t))), &needs(&[<$t as Value>::NEED]), |device| {
            let queue = device.queue()?;
            let rows = rows::<($t, $t)>("generic floats", |_| true);
            let (x, y) = Row::columns(&rows);
            let (x, y) = (queue.upload(&x)?, queue.upload(&y)?);
            let mut out = output::<$t>(&queue, rows.len())?;
            launch!(queue, axpy(1.5, &x, &y, &mut out), global = rows.len())?;
            check(&queue, "inferred", &rows, &out, |&(x, y)| plain_axpy(1.5, x, y), Within::Bits)?;
            launch!(queue, axpy::<$t>(-0.1, &x, &y, &mut out), global = rows.len())?;
            check(&queue, "told", &rows, &out, |&(x, y)| plain_axpy(-0.1, x, y), Within::Bits)?;
            let prepared = axpy::prepare::<$t>(&queue)?;
            launch!(prepared, axpy(3.0, &x, &y, &mut out), global = rows.len())?;
            check(&queue, "prepared", &rows, &out, |&(x, y)| plain_axpy(3.0, x, y), Within::Bits)
        });
    )*};
}

macro_rules! integers {
    ($suite:ident $($t:ident)*) => {$(
        $suite.case(case_path!(concat!("int::", stringify!($t))), &[], |device| {
            let queue = device.queue()?;
            let rows = rows::<($t, $t)>("generic integers", |_| true);
            let (x, y) = Row::columns(&rows);
            let (x, y) = (queue.upload(&x)?, queue.upload(&y)?);
            let mut out = output::<$t>(&queue, rows.len())?;
            for n in [0, 3, 77] {
                launch!(queue, mix(&x, &y, n, &mut out), global = rows.len())?;
                let expected = |&(x, y): &($t, $t)| {
                    let v = (x.wrapping_shl(n) | y >> 1) ^ $t::MAX;
                    let v = v.wrapping_sub(x.wrapping_mul(y));
                    (if $t::BITS > 16 { !v } else { v }).min(x).max($t::MIN + 1)
                };
                check(&queue, "out", &rows, &out, expected, Within::Bits)?;
            }
            Ok(())
        });
    )*};
}

macro_rules! own_elements {
    ($suite:ident $($t:ident)*) => {$(
        $suite.case(case_path!(concat!("own_element::", stringify!($t))), &[], |device| {
            let queue = device.queue()?;
            let rows = rows::<($t,)>("own element", |_| true);
            let (column,) = Row::columns(&rows);
            let x = queue.upload(&column)?;
            let mut y = output::<$t>(&queue, rows.len())?;
            launch!(queue, own_element(&x, &mut y), global = rows.len())?;
            let expected = |&(x,): &($t,)| {
                let mut y = x.wrapping_add(x);
                y ^= y >> 3;
                y |= y << 1;
                y &= !y.wrapping_sub(x);
                y <<= (y > x) as u32;
                y = y.wrapping_div(y | 1);
                y % ($t::MAX - (y & 1))
            };
            check(&queue, "y", &rows, &y, expected, Within::Bits)
        });
    )*};
}

macro_rules! scalars {
    ($suite:ident $($t:ident $limit:literal)*) => {$(
        $suite.case(case_path!(concat!("scalar::", stringify!($t))), &needs(&[<$t as Value>::NEED]), |device| {
            let queue = device.queue()?;
            let rows = rows::<($t,)>("generic scalars", |_| true);
            let (column,) = Row::columns(&rows);
            let x = queue.upload(&column)?;
            let mut out = queue.zeros::<u32>(rows.len())?;
            launch!(queue, count_above($limit, &x, &mut out), global = rows.len())?;
            let mut n = 1000;
            let expected: Vec<u32> = column.iter().map(|v| { n += (*v > $limit) as u32; n }).collect();
            check_eq!(queue.download(&out)?, expected);
            Ok(())
        });
    )*};
}

pub(super) fn add_to(suite: &mut Suite) {
    floats!(suite f32 f64);
    integers!(suite i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    own_elements!(suite u8 u16 u32 u64 usize);
    scalars!(suite i8 3 u16 100 i32 1 u64 7 f32 1.25 f64 0.1);
    suite.case(case_path!("two_types"), &[], |device| {
        let queue = device.queue()?;
        let (a, b) = (
            queue.upload(&[true, false, true])?,
            queue.upload(&[7i16, -1, i16::MAX - 1])?,
        );
        let (mut x, mut y) = (queue.zeros(3)?, queue.zeros(3)?);
        launch!(queue, two_types(&a, &b, &mut x, &mut y), global = 3)?;
        check_eq!(queue.download(&x)?, [true, false, true]);
        check_eq!(queue.download(&y)?, [8i16, 0, i16::MAX]);
        Ok(())
    });
    suite.case(case_path!("instances_have_their_own_code"), &[], |_| {
        let [single, double] = [
            axpy::emit::<f32>(Target::OpenClC)?,
            axpy::emit::<f64>(Target::OpenClC)?,
        ];
        check_eq!(single.to_string().contains("double"), false);
        check_eq!(double.to_string().contains("double"), true);
        Ok(())
    });
}
