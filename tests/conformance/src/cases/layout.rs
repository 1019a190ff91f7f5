//! How values lie in memory and in the parameter block: what plain Rust writes, devices read at the same places, and the
//! other way round.
//!
//! Each type has a `#[device]` function that changes each of its fields. It is run on the elements of a buffer, on a value
//! that is an argument, on the elements of an array that is one, and on a captured value; on the host it is what is
//! expected.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::Device;
use gridfn::prelude::*;
use std::marker::PhantomData;

/// A type with its case: a value made of a number, and the function.
macro_rules! layouts {
    ($(
        $(#[$doc:meta])+
        $name:ident: $ty:ty, |$n:ident| $make:expr, |$value:ident| $body:tt
    )+) => {$(
        $(#[$doc])+
        mod $name {
            use super::*;

            fn made($n: u32) -> $ty {
                $make
            }

            #[device]
            fn step($value: $ty) -> $ty {
                let mut $value = $value;
                $body
                $value
            }

            /// In a buffer.
            #[kernel]
            fn elements(x: &[$ty], y: &mut [$ty]) {
                let i = global_id(0);
                y[i] = step(x[i]);
            }

            /// In place, with an argument and an array of arguments between scalars of other sizes.
            #[kernel]
            fn arguments(before: u8, one: $ty, between: u16, three: [$ty; 3], after: u64, y: &mut [$ty], z: &mut [u64]) {
                let i = global_id(0);
                y[i] = if i % 4 == 3 { step(one) } else { step(three[i % 4]) };
                z[i] = before as u64 + between as u64 + after;
            }

            fn run(device: &Device) -> Outcome {
                let queue = device.queue()?;
                let values: Vec<$ty> = (0..100).map(made).collect();
                let (x, mut y) = (queue.upload(&values)?, queue.upload(&values)?);
                launch!(queue, elements(&x, &mut y), global = 90)?;
                let mut expected = values.clone();
                expected[..90].iter_mut().for_each(|value| *value = step(*value));
                check_eq!(queue.download(&y)?, expected);

                let [one, three] = [[values[5]; 3], [values[6], values[7], values[8]]];
                let mut z = queue.zeros::<u64>(40)?;
                launch!(queue, arguments(1, one[0], 2, three, 1 << 40, &mut y, &mut z), global = 40)?;
                for (i, value) in expected[..40].iter_mut().enumerate() {
                    *value = if i % 4 == 3 { step(one[0]) } else { step(three[i % 4]) };
                }
                check_eq!(queue.download(&y)?, expected);
                check_eq!(queue.download(&z)?, vec![(1 << 40) + 3; 40]);

                let captured = values[9];
                launch!(queue, |i| y[i] = step(captured), global = 20)?;
                expected[..20].fill(step(captured));
                check_eq!(queue.download(&y)?, expected);
                Ok(())
            }

            pub(super) fn add_to(suite: &mut Suite) {
                suite.kernel::<elements>();
                suite.kernel::<arguments>();
                suite.case(case_path!("values"), &[], run);
            }
        }
    )+
        pub(crate) fn add_to(suite: &mut Suite) {
            $($name::add_to(suite);)+
            suite.case(case_path!("without_bytes"), &[], without_bytes);
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Narrow {
    flag: bool,
    wide: u64,
    byte: i8,
    short: i16,
    long: i64,
    last: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C)]
struct InOrder {
    flag: bool,
    wide: u64,
    byte: i8,
    long: i64,
    short: i16,
    other: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C, align(16))]
struct Aligned {
    x: f32,
    y: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct OfAligned {
    first: u8,
    pair: [Aligned; 2],
    last: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Marker;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct WithNothing {
    first: u8,
    marker: Marker,
    phantom: PhantomData<u64>,
    none: [u64; 0],
    unit: (),
    last: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Inner<T> {
    small: u8,
    value: T,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct Outer<T, const N: usize> {
    inner: Inner<T>,
    many: [Inner<[T; 2]>; N],
    nested: Inner<Inner<u16>>,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Plain {
    A,
    B = 7,
    C,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
enum Signed {
    A = -300,
    B = 4,
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(u8)]
enum Tagged {
    Nothing,
    Number(u64),
    Fields { flag: bool, at: [f32; 3] },
    Two(u8, Plain),
}

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C)]
enum OfC<T> {
    Nothing,
    Value(T),
    Pair(u8, [T; 2]),
}

layouts! {
    /// Small members before members of 8 bytes, in rustc's order.
    narrow: Narrow,
    |n| Narrow { flag: n % 3 == 0, wide: u64::from(n) << 33, byte: n as i8, short: -(n as i16), long: -5 << 40, last: 7 },
    |v| {
        v.flag = !v.flag;
        v.wide += 1;
        v.byte = v.byte.wrapping_neg();
        v.short -= 300;
        v.long ^= v.wide as i64;
        v.last ^= 0xff;
    }

    /// The same in C's order, with padding.
    in_order: InOrder,
    |n| InOrder { flag: n % 2 == 0, wide: u64::MAX - u64::from(n), byte: -1, long: i64::from(n), short: 9, other: 1 << 50 },
    |v| {
        v.flag = v.long > 50;
        v.wide -= v.other;
        v.byte ^= v.short as i8;
        v.long = -v.long;
        v.short += 1;
        v.other |= 3;
    }

    /// A struct that is aligned to 16.
    aligned: Aligned,
    |n| Aligned { x: n as f32, y: n as u8 },
    |v| {
        v.x *= 0.5;
        v.y = v.y.wrapping_add(200);
    }

    /// Arrays of it in a struct.
    of_aligned: OfAligned,
    |n| OfAligned { first: 3, pair: [Aligned { x: n as f32, y: 1 }, Aligned { x: -2.0, y: n as u8 }], last: n as u16 },
    |v| {
        v.first += 1;
        v.pair[0].x += 1.0;
        v.pair[1] = Aligned { y: v.pair[0].y, ..v.pair[1] };
        v.pair[(v.last % 2) as usize].y ^= 0x55;
        v.last += 256;
    }

    /// Three floats, which some APIs would align to 16.
    three: [f32; 3],
    |n| [n as f32, 1.0, -(n as f32)],
    |v| {
        v[0] += v[1];
        v[2] *= 2.0;
        v[1] = 0.25;
    }

    /// Arrays of arrays.
    matrix: [[u16; 3]; 2],
    |n| [[n as u16, 2, 3], [4, 5, n as u16]],
    |v| {
        v[0][2] = v[1][2] ^ v[0][0];
        v[1][0] += v[0][1];
    }

    /// Members without bytes.
    with_nothing: WithNothing,
    |n| WithNothing { first: n as u8, marker: Marker, phantom: PhantomData, none: [], unit: (), last: n },
    |v| {
        v.first ^= 1;
        v.marker = Marker;
        v.last += 0x1_0000;
    }

    /// Tuples.
    tuples: (u8, u64, (i16, bool, [u32; 2])),
    |n| (n as u8, 1 << 45, (-(n as i16), n % 5 == 0, [n, 7])),
    |v| {
        v.0 ^= 0x0f;
        v.1 -= 1;
        v.2.0 -= 1;
        v.2.1 = !v.2.1;
        v.2.2[1] += v.2.2[0];
    }

    /// Generic structs, with structs in them.
    generic: Outer<i64, 2>,
    |n| Outer {
        inner: Inner { small: 1, value: i64::from(n) << 40 },
        many: [Inner { small: n as u8, value: [2, 3] }; 2],
        nested: Inner { small: 4, value: Inner { small: 5, value: n as u16 } },
    },
    |v| {
        v.inner.value -= 1;
        v.many[1].value[0] += v.inner.value;
        v.many[0].small ^= v.nested.value.small;
        v.nested = Inner { value: Inner { value: 600, ..v.nested.value }, ..v.nested };
        v.inner.small = 9;
    }

    /// An enum without fields.
    plain: [Plain; 3],
    |n| [[Plain::A, Plain::B, Plain::C][n as usize % 3], Plain::C, Plain::B],
    |v| {
        v[2] = v[0];
        v[0] = match v[0] {
            Plain::A => Plain::B,
            Plain::B => Plain::C,
            Plain::C => Plain::A,
        };
    }

    /// One with a negative discriminant, in a struct.
    signed: Inner<Signed>,
    |n| Inner { small: n as u8, value: if n % 2 == 0 { Signed::A } else { Signed::B } },
    |v| {
        v.small ^= (v.value as i32 + 301) as u8;
        v.value = match v.value {
            Signed::A => Signed::B,
            Signed::B => Signed::A,
        };
    }

    /// An enum with fields, `#[repr(u8)]`.
    tagged: Tagged,
    |n| [
        Tagged::Nothing,
        Tagged::Number(u64::from(n) << 33),
        Tagged::Fields { flag: n % 8 == 2, at: [n as f32, 1.0, 2.0] },
        Tagged::Two(n as u8, Plain::C),
    ][n as usize % 4],
    |v| {
        v = match v {
            Tagged::Nothing => Tagged::Two(8, Plain::B),
            Tagged::Number(n) => Tagged::Fields { flag: n > 1 << 35, at: [0.5, (n >> 33) as f32, 0.0] },
            Tagged::Fields { flag, at } => Tagged::Number(if flag { 1 << 60 } else { at[0] as u64 }),
            Tagged::Two(n, Plain::C) => Tagged::Two(n ^ 0xff, Plain::A),
            Tagged::Two(..) => Tagged::Nothing,
        };
    }

    /// `#[repr(C)]` and generic, in a tuple and an array.
    of_c: (u16, [OfC<u64>; 2]),
    |n| {
        let all = [OfC::Nothing, OfC::Value(u64::from(n) << 40), OfC::Pair(n as u8, [1, 1 << 63])];
        (n as u16, [all[n as usize % 3], all[n as usize / 3 % 3]])
    },
    |v| {
        v.0 += 1;
        let swapped = v.1[0];
        v.1[0] = match v.1[1] {
            OfC::Nothing => OfC::Value(3),
            OfC::Value(n) => OfC::Pair(7, [n, n + 1]),
            OfC::Pair(a, [b, c]) => OfC::Pair(a ^ 1, [c, b]),
        };
        v.1[1] = swapped;
    }
}

/// Elements that have no bytes.
#[kernel]
fn nothings(x: &[Marker], y: &mut [()], out: &mut [usize]) {
    let i = global_id(0);
    y[i] = ();
    let _ = x[i];
    out[i] = x.len() * 100 + y.len();
}

fn without_bytes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, mut y, mut out) = (
        queue.upload(&[Marker; 7])?,
        queue.upload(&[(); 5])?,
        queue.zeros::<usize>(5)?,
    );
    launch!(queue, nothings(&x, &mut y, &mut out), global = 5)?;
    check_eq!(queue.download(&out)?, vec![705; 5]);
    check_eq!(queue.download(&x)?, vec![Marker; 7]);
    Ok(())
}
