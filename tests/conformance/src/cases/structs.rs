//! Structs, tuples and arrays as arguments.

use crate::case::{Need, Outcome, Suite, case_path, check_eq};
use crate::elements::needs;
use crate::samples::{Random, Value};
use gridfn::prelude::*;
use gridfn::{Device, Result};

/// Random values of a type: the same for the same name.
fn random<T: Value>(name: &str, n: usize) -> Vec<T> {
    let mut random = Random::of(name);
    (0..n).map(|_| T::random(&mut random)).collect()
}

/// Small numbers, with which floats compute normal numbers.
fn floats(name: &str, n: usize) -> Vec<f32> {
    let mut random = Random::of(name);
    (0..n).map(|_| random.below(2001) as f32 / 64.0 - 15.0).collect()
}

#[derive(KernelArg)]
struct Field<'a> {
    u: &'a Buffer<f32>,
    v: &'a mut Buffer<f32>,
    w: &'a Buffer<f32>,
    dt: f32,
}

/// Two fields are shared, one is unique.
#[kernel]
fn step(f: Field<'_>) {
    let i = global_id(0);
    f.v[i] += f.dt * f.u[i] - f.w[(i + 1) % f.w.len()];
    f.v[i] *= f.u[f.u.len() - 1 - i].max(f.dt) + f.v.len() as f32;
}

/// By mutable name, beside others, and more than one.
#[kernel]
fn two_of_them(k: f32, mut a: Field<'_>, b: Field<'_>, n: u8) {
    let i = global_id(0);
    a.v[i] = a.u[i] + b.w[i] * k;
    b.v[i] = b.u[i] - a.w[i] * n as f32 - a.dt * b.dt;
}

#[device]
fn dot(x: &[f32], y: &[f32]) -> f32 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[device]
fn add(y: &mut [f32], v: f32) {
    for own in y.iter_mut() {
        *own += v;
    }
}

/// Fields are handed on, as a whole and in parts.
#[kernel]
fn handed_on(f: Field<'_>, t: (&[f32], u8)) {
    let i = global_id(0);
    let w = f.w;
    f.v[i] = dot(f.u, w) + dot(&f.u[i..], &w[..4]) + dot(t.0, f.u) + f.dt;
}

/// What is written too, as the caller promises.
#[kernel]
unsafe fn written_in_parts(f: Field<'_>) {
    let i = global_id(0);
    add(&mut f.v[4 * i..4 * i + 4], f.u[i]);
    let own = &mut f.v[4 * i..];
    own[0] += dot(f.w, &own[1..3]);
}

fn parts(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let [u, v, w] = ["pu", "pv", "pw"].map(|name| floats(name, 8));
    let (ub, mut vb, wb) = (queue.upload(&u)?, queue.zeros(8)?, queue.upload(&w)?);
    let f = Field {
        u: &ub,
        v: &mut vb,
        w: &wb,
        dt: 0.5,
    };
    launch!(queue, handed_on(f, (&wb, 1)), global = 8)?;
    let expected: Vec<f32> = (0..8)
        .map(|i| dot(&u, &w) + dot(&u[i..], &w[..4]) + dot(&w, &u) + 0.5)
        .collect();
    check_eq!(queue.download(&vb)?, expected);
    let mut vb = queue.upload(&v)?;
    let f = Field {
        u: &ub,
        v: &mut vb,
        w: &wb,
        dt: 0.5,
    };
    // SAFETY: each item has four elements of its own.
    launch!(queue, unsafe { written_in_parts(f) }, global = 2)?;
    let mut expected = v;
    for (i, own) in expected.chunks_mut(4).enumerate() {
        add(own, u[i]);
        own[0] += dot(&w, &own[1..3]);
    }
    check_eq!(queue.download(&vb)?, expected);
    Ok(())
}

fn steps(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let [u, mut v, w] = ["u", "v", "w"].map(|name| floats(name, 40));
    let (ub, mut vb, wb) = (queue.upload(&u)?, queue.upload(&v)?, queue.upload(&w)?);
    for k in 0..3 {
        let dt = 0.25 * k as f32;
        let f = Field {
            u: &ub,
            v: &mut vb,
            w: &wb,
            dt,
        };
        launch!(queue, step(f), global = 40)?;
        for i in 0..40 {
            v[i] += dt * u[i] - w[(i + 1) % 40];
            v[i] *= u[39 - i].max(dt) + 40.0;
        }
    }
    check_eq!(queue.download(&vb)?, v);
    let mut other = queue.zeros::<f32>(40)?;
    let a = Field {
        u: &ub,
        v: &mut vb,
        w: &wb,
        dt: 0.5,
    };
    let b = Field {
        u: &wb,
        v: &mut other,
        w: &ub,
        dt: 4.0,
    };
    launch!(queue, two_of_them(3.0, a, b, 200), global = 40)?;
    let expected: Vec<f32> = (0..40).map(|i| u[i] + u[i] * 3.0).collect();
    check_eq!(queue.download(&vb)?, expected);
    let expected: Vec<f32> = (0..40).map(|i| w[i] - w[i] * 200.0 - 0.5 * 4.0).collect();
    check_eq!(queue.download(&other)?, expected);
    Ok(())
}

/// A module of its own, as of another file.
mod elsewhere {
    use gridfn::prelude::*;

    #[derive(KernelArg)]
    pub(crate) struct Pair<'a, T: Scalar> {
        pub(crate) x: &'a Buffer<T>,
        pub(crate) y: &'a mut Buffer<T>,
        pub(in crate::cases) r#type: T,
        pub r#fn: u8,
    }

    #[derive(KernelArg, Clone, Copy)]
    pub(crate) struct Constants {
        pub(crate) flag: bool,
        pub(crate) table: [i16; 5],
        pub(crate) factor: u64,
    }
}

#[derive(KernelArg)]
struct Nested<'a, T: Scalar, U: DeviceCopy> {
    small: u8,
    pair: elsewhere::Pair<'a, T>,
    constants: elsewhere::Constants,
    weights: [T; 3],
    tail: Tail<'a, U>,
}

#[derive(KernelArg)]
struct Tail<'a, U>
where
    U: DeviceCopy,
{
    z: &'a mut Buffer<U>,
    fill: U,
    none: [U; 0],
}

#[kernel]
fn nested(n: Nested<'_, f32, u64>) {
    let i = global_id(0);
    let c = n.constants.table[i % n.constants.table.len()] as f32 + n.constants.factor as f32;
    n.pair.y[i] = n.pair.x[i] * n.pair.r#type + n.weights[i % 3] * c + n.pair.r#fn as f32;
    n.tail.z[i] = if n.constants.flag && n.tail.none.is_empty() {
        n.tail.fill + n.small as u64
    } else {
        n.constants.factor
    };
}

#[kernel]
fn generic_nested<T: Scalar>(n: Nested<'_, T, u8>, scale: T) {
    let i = global_id(0);
    n.pair.y[i] = n.pair.x[i] * n.pair.r#type + n.weights[i % 3] * scale;
    n.tail.z[i] = n.tail.fill;
}

fn constants_of(factor: u64) -> elsewhere::Constants {
    elsewhere::Constants {
        flag: true,
        table: [-300, 200, 7, 0, -1],
        factor,
    }
}

fn nested_of<'a, T: Scalar, U: DeviceCopy>(
    x: &'a Buffer<T>,
    y: &'a mut Buffer<T>,
    z: &'a mut Buffer<U>,
    numbers: [T; 4],
    fill: U,
) -> Nested<'a, T, U> {
    let [k, a, b, c] = numbers;
    Nested {
        small: 250,
        pair: elsewhere::Pair {
            x,
            y,
            r#type: k,
            r#fn: 9,
        },
        constants: constants_of(1 << 20),
        weights: [a, b, c],
        tail: Tail { z, fill, none: [] },
    }
}

fn nesting(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (data, numbers) = (floats("nesting", 30), [0.5f32, 1.5, -2.0, 8.25]);
    let (x, mut y, mut z) = (
        queue.upload(&data)?,
        queue.zeros::<f32>(30)?,
        queue.zeros::<u64>(30)?,
    );
    launch!(
        queue,
        nested(nested_of(&x, &mut y, &mut z, numbers, 1 << 33)),
        global = 30
    )?;
    let table = constants_of(0).table;
    let expected: Vec<f32> = (0..30)
        .map(|i| {
            let c = f32::from(table[i % 5]) + (1 << 20) as f32;
            data[i] * 0.5 + numbers[1 + i % 3] * c + 9.0
        })
        .collect();
    check_eq!(queue.download(&y)?, expected);
    check_eq!(queue.download(&z)?, [(1 << 33) + 250; 30]);

    let mut bytes = queue.zeros::<u8>(30)?;
    launch!(
        queue,
        generic_nested(nested_of(&x, &mut y, &mut bytes, numbers, 77), 2.5),
        global = 30
    )?;
    let expected: Vec<f32> = (0..30)
        .map(|i| data[i] * 0.5 + numbers[1 + i % 3] * 2.5)
        .collect();
    check_eq!(queue.download(&y)?, expected);
    check_eq!(queue.download(&bytes)?, [77; 30]);

    let words: Vec<u32> = random("nesting", 30);
    let (x, mut y) = (queue.upload(&words)?, queue.zeros::<u32>(30)?);
    launch!(
        queue,
        generic_nested(nested_of(&x, &mut y, &mut bytes, [5, 6, 7, 8], 78), 9),
        global = 30
    )?;
    let expected: Vec<u32> = (0..30)
        .map(|i| words[i].wrapping_mul(5).wrapping_add([6, 7, 8][i % 3] * 9))
        .collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

/// Twelve buffers, each with a number of its own.
macro_rules! twelve {
    ($($x:ident $k:ident),+) => {
        #[derive(KernelArg)]
        struct Twelve<'a> {
            $($x: &'a Buffer<u32>, $k: u16,)+
            out: &'a mut Buffer<u32>,
        }

        #[kernel]
        fn sum_of_twelve(t: Twelve<'_>) {
            let i = global_id(0);
            t.out[i] = 0 $(+ t.$x[t.$x.len() - 1 - i] * t.$k as u32)+;
        }

        fn twelve(device: &Device) -> Outcome {
            let queue = device.queue()?;
            let inputs: Vec<Vec<u32>> = (0..11).map(|n| random(&format!("twelve{n}"), 20)).collect();
            let buffers = inputs.iter().map(|data| queue.upload(data)).collect::<Result<Vec<_>>>()?;
            let mut out = queue.zeros::<u32>(20)?;
            let [$($x),+] = buffers.as_slice() else { return Err("eleven inputs".into()) };
            let mut k = 0;
            $(k += 3; let $k = k;)+
            launch!(queue, sum_of_twelve(Twelve { $($x, $k,)+ out: &mut out }), global = 20)?;
            let mut expected = [0u32; 20];
            for (n, x) in (1u32..).zip(&inputs) {
                for (i, sum) in expected.iter_mut().enumerate() {
                    *sum = sum.wrapping_add(x[19 - i].wrapping_mul(3 * n));
                }
            }
            check_eq!(queue.download(&out)?, expected);
            Ok(())
        }
    };
}
twelve!(a ka, b kb, c kc, d kd, e ke, f kf, g kg, h kh, i ki, j kj, k kk);

#[kernel]
fn tuple1(t: (&mut [u32],)) {
    t.0[global_id(0)] = t.0.len() as u32;
}
#[kernel]
fn tuple2(t: (&[u32], &mut [u32])) {
    let i = global_id(0);
    t.1[i] = t.0[i] + 1;
}
#[kernel]
fn tuple3<T: Scalar>(t: (T, &[T], &mut [T])) {
    let i = global_id(0);
    t.2[i] = t.1[i] * t.0 + T::ONE;
}
#[kernel]
fn tuple4(t: (u8, (&[u32], u64), &mut [u32], [u32; 2])) {
    let i = global_id(0);
    t.2[i] = t.1.0[i] + t.0 as u32 * t.1.1 as u32 + t.3[i % 2];
}
#[kernel]
fn tuple5(t: (bool, ((&mut [u32], i8), (u16,)), f32, usize, elsewhere::Constants)) {
    let i = global_id(0);
    let c = t.4.table[i % 5] as u32 + t.4.factor as u32 + t.4.flag as u32;
    t.1.0.0[i] = t.0 as u32 + t.1.0.1 as u32 * 3 + t.1.1.0 as u32 * 5 + t.2 as u32 * 7 + t.3 as u32 * 11 + c;
}
#[kernel]
fn tuple6(t: (u8, u16, u32, u64, &[u8], &mut [u64]), u: (Field<'_>, elsewhere::Pair<'_, u64>)) {
    let i = global_id(0);
    t.5[i] = t.0 as u64 + t.1 as u64 + t.2 as u64 + t.3 + t.4[i] as u64;
    u.0.v[i] = u.0.u[i] * u.0.dt + u.0.w[i];
    u.1.y[i] = u.1.x[i] + u.1.r#type * t.3;
}

fn tuples(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let n = 20;
    let data: Vec<u32> = random("tuples", n);
    let (x, mut y) = (queue.upload(&data)?, queue.zeros::<u32>(n)?);
    let compare = |y: &Buffer<u32>, expected: &dyn Fn(usize) -> u32| -> Outcome {
        let expected: Vec<u32> = (0..n).map(expected).collect();
        check_eq!(queue.download(y)?, expected);
        Ok(())
    };
    launch!(queue, tuple1((&mut y,)), global = n)?;
    compare(&y, &|_| n as u32)?;
    launch!(queue, tuple2((&x, &mut y)), global = n)?;
    compare(&y, &|i| data[i].wrapping_add(1))?;
    launch!(queue, tuple3((7, &x, &mut y)), global = n)?;
    compare(&y, &|i| data[i].wrapping_mul(7).wrapping_add(1))?;
    launch!(queue, tuple4((200, (&x, 1 << 20), &mut y, [3, 9])), global = n)?;
    compare(&y, &|i| {
        data[i].wrapping_add(200 << 20).wrapping_add([3, 9][i % 2])
    })?;
    let t = (
        true,
        ((&mut y, -1), (65535,)),
        2.0,
        1 << 32 | 5,
        constants_of(1 << 32 | 9),
    );
    launch!(queue, tuple5(t), global = n)?;
    let table = constants_of(0).table;
    compare(&y, &|i| {
        let sum = 1 - 3 + 65535 * 5 + 14 + 55 + i64::from(table[i % 5]) + 9 + 1;
        sum as u32
    })?;
    let (bytes, words) = (random::<u8>("bytes", n), random::<u64>("words", n));
    let [u, w] = ["u", "w"].map(|name| floats(name, n));
    let (b, ub, wb, lb) = (
        queue.upload(&bytes)?,
        queue.upload(&u)?,
        queue.upload(&w)?,
        queue.upload(&words)?,
    );
    let (mut sums, mut v, mut l) = (
        queue.zeros::<u64>(n)?,
        queue.zeros::<f32>(n)?,
        queue.zeros::<u64>(n)?,
    );
    let field = Field {
        u: &ub,
        v: &mut v,
        w: &wb,
        dt: -1.5,
    };
    let pair = elsewhere::Pair {
        x: &lb,
        y: &mut l,
        r#type: 1 << 40,
        r#fn: 0,
    };
    launch!(
        queue,
        tuple6((255, 65535, u32::MAX, 5, &b, &mut sums), (field, pair)),
        global = n
    )?;
    let constant = 255 + 65535 + u64::from(u32::MAX) + 5;
    let expected: Vec<u64> = bytes.iter().map(|b| constant + u64::from(*b)).collect();
    check_eq!(queue.download(&sums)?, expected);
    let expected: Vec<f32> = (0..n).map(|i| u[i] * -1.5 + w[i]).collect();
    check_eq!(queue.download(&v)?, expected);
    let expected: Vec<u64> = words.iter().map(|x| x.wrapping_add(5 << 40)).collect();
    check_eq!(queue.download(&l)?, expected);
    Ok(())
}

/// Arrays of a type in four lengths, among scalars that their ends misalign.
macro_rules! arrays {
    ($($t:ident)*) => {
        $(mod $t {
            use super::*;

            #[kernel]
            pub(super) fn pick(
                small: u8, none: [$t; 0], one: [$t; 1], wide: u64, three: [$t; 3], odd: bool, seventeen: [$t; 17],
                last: i16, out: &mut [$t], sums: &mut [u64],
            ) {
                let i = global_id(0);
                if i % 4 == 0 {
                    out[i] = one[0];
                } else if i % 4 == 1 {
                    out[i] = three[i / 4 % three.len()];
                } else if none.is_empty() {
                    for k in 0..seventeen.len() {
                        if k == i % 17 {
                            out[i] = seventeen[k];
                        }
                    }
                } else {
                    out[i] = none[i];
                }
                sums[i] = small as u64 + wide * 3 + odd as u64 * 5 + last as u64 * 7;
            }

            pub(super) fn run(device: &Device) -> Outcome {
                let queue = device.queue()?;
                let values: Vec<$t> = random(concat!("arrays of ", stringify!($t)), 21);
                let mut next = values.iter().copied();
                let mut value = |_| next.next().unwrap_or(<$t as Value>::GUARD);
                let (one, three, seventeen) = (
                    std::array::from_fn(&mut value), std::array::from_fn(&mut value), std::array::from_fn(&mut value),
                );
                let (mut out, mut sums) = (queue.upload(&[<$t as Value>::GUARD; 60])?, queue.zeros::<u64>(60)?);
                let call = pick(201, [], one, 1 << 50, three, true, seventeen, -2, &mut out, &mut sums);
                launch!(queue, call, global = 60)?;
                let found = queue.download(&out)?;
                for i in 0..60 {
                    let expected = match i % 4 {
                        0 => one[0],
                        1 => three[i / 4 % 3],
                        _ => seventeen[i % 17],
                    };
                    if !crate::compare::Compare::is(found[i], expected, crate::compare::Within::Bits) {
                        return Err(format!("element {i}: expected {expected:?}, found {:?}", found[i]).into());
                    }
                }
                check_eq!(queue.download(&sums)?, [201 + (3 << 50) + 5 - 14; 60]);
                Ok(())
            }
        })*
        fn add_arrays(suite: &mut Suite) {
            $(
                suite.kernel::<$t::pick>();
                let name = case_path!(concat!("arrays::", stringify!($t)));
                suite.case(name, &needs(&[<$t as Value>::NEED]), $t::run);
            )*
        }
    };
}
arrays! { bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

/// A buffer of another device inside a struct, by the name that the user gave it.
fn foreign(device: &Device, other: &Device) -> Outcome {
    let (queue, there) = (device.queue()?, other.queue()?);
    let (u, w, mut v) = (
        queue.zeros::<f32>(4)?,
        there.zeros::<f32>(4)?,
        queue.zeros::<f32>(4)?,
    );
    let f = Field {
        u: &u,
        v: &mut v,
        w: &w,
        dt: 1.0,
    };
    let expected = gridfn::Error::ForeignBuffer {
        kernel: "step".into(),
        parameter: "f.w".into(),
        buffer_device: other.info().id.clone(),
        queue_device: device.info().id.clone(),
    };
    check_eq!(launch!(queue, step(f), global = 4), Err(expected));
    Ok(())
}

/// Methods of slices and iterators, of the slices in a struct.
#[kernel]
fn read_through(f: Field<'_>) {
    let i = global_id(0);
    let near: f32 = f.u.windows(2).skip(i).take(3).map(|w| w[1] - w[0]).sum();
    let all: f32 = f.w[i..].iter().copied().sum();
    let most = f.u.iter().fold(0.0f32, |most, v| v.max(most));
    f.v[i] =
        near + all + most + f.w.get(i + 2).copied().unwrap_or(f.dt) + f.u.first().copied().unwrap_or(0.0);
}

fn reading(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (u, w): (Vec<f32>, Vec<f32>) = (0..20).map(|n| ((n * n % 13) as f32, n as f32 * 0.5)).unzip();
    let (ub, mut v, wb) = (queue.upload(&u)?, queue.zeros::<f32>(20)?, queue.upload(&w)?);
    let (dt, field) = (0.25, |v| Field {
        u: &ub,
        v,
        w: &wb,
        dt: 0.25,
    });
    launch!(queue, read_through(field(&mut v)), global = 20)?;
    let of = |i: usize| {
        let near: f32 = u.windows(2).skip(i).take(3).map(|w| w[1] - w[0]).sum();
        let all: f32 = w[i..].iter().copied().sum();
        let most = u.iter().fold(0.0f32, |most, v| v.max(most));
        near + all + most + w.get(i + 2).copied().unwrap_or(dt) + u[0]
    };
    check_eq!(queue.download(&v)?, (0..20).map(of).collect::<Vec<_>>());
    Ok(())
}

/// Core's methods of elements only read them.
#[kernel]
fn checked(c: elsewhere::Constants, y: &mut [i16]) {
    let i = global_id(0);
    y[i] = c.table[(i + 1) % 5].checked_add(1).unwrap_or(-7);
}

fn checked_elements(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<i16>(5)?;
    let constants = elsewhere::Constants {
        flag: true,
        table: [1, 2, i16::MAX, 4, 5],
        factor: 1,
    };
    launch!(queue, checked(constants, &mut y), global = 5)?;
    check_eq!(queue.download(&y)?, [3, -7, 5, 6, 2]);
    Ok(())
}

/// Raw names are names.
#[derive(Clone, Copy, DeviceCopy)]
struct r#Raw(u32);

#[device]
impl r#Raw {
    fn new(n: u32) -> Self {
        r#Raw(n)
    }
}

#[kernel]
fn raw_names(y: &mut [u32]) {
    let i = global_id(0);
    let r#Raw(n) = r#Raw(i as u32);
    y[i] = n + r#Raw::new(1).0;
}

fn raw(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(3)?;
    launch!(queue, raw_names(&mut y), global = 3)?;
    check_eq!(queue.download(&y)?, [1, 2, 3]);
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<step>();
    suite.kernel::<two_of_them>();
    suite.kernel::<nested>();
    suite.kernel::<sum_of_twelve>();
    suite.kernel::<tuple1>();
    suite.kernel::<tuple2>();
    suite.kernel::<tuple4>();
    suite.kernel::<tuple5>();
    suite.kernel::<tuple6>();
    suite.kernel::<read_through>();
    suite.case(case_path!("reading"), &[], reading);
    suite.case(case_path!("raw_names"), &[], raw);
    suite.case(case_path!("checked_elements"), &[], checked_elements);
    suite.case(case_path!("parts"), &[], parts);
    suite.kernel::<handed_on>();
    suite.kernel::<written_in_parts>();
    suite.case(case_path!("steps"), &[], steps);
    suite.case(case_path!("nesting"), &[], nesting);
    suite.case(case_path!("twelve"), &[], twelve);
    suite.case(case_path!("tuples"), &[], tuples);
    add_arrays(suite);
    suite.case(case_path!("a_buffer_of_the_null_device"), &[], |device| {
        foreign(device, &Device::null())
    });
    suite.case(case_path!("a_buffer_of_the_host"), &[Need::Driver], |device| {
        foreign(device, &Device::host())
    });
}
