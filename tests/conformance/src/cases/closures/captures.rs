//! What can be captured: numbers, arrays, and buffers in all their owners.

use super::{check, floats, random};
use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::elements::needs;
use crate::samples::Value;
use gridfn::prelude::*;
use std::rc::Rc;
use std::sync::Arc;

/// Captures of one type: by value, in an array, in buffers.
fn of<T: Value>(device: &gridfn::Device) -> Outcome {
    const N: usize = 40;
    let queue = device.queue()?;
    let values: Vec<T> = random("captures", N);
    let (value, array) = (values[1], [values[2], values[3], values[4]]);
    let x = queue.upload(&values)?;
    let mut y = queue.upload(&[T::GUARD; N])?;
    launch!(queue, |i| y[i] = value, global = N)?;
    check(&queue, &y, |_| value)?;
    launch!(queue, |i| y[i] = array[i % 3], global = N)?;
    check(&queue, &y, |i| array[i % 3])?;
    launch!(
        queue,
        |i| y[i] = if i % 3 == 0 { value } else { x[i] },
        global = N
    )?;
    check(&queue, &y, |i| if i % 3 == 0 { value } else { values[i] })?;
    launch!(
        queue,
        move |i| y[i] = if i % 3 == 1 { array[1] } else { x[i] },
        global = N
    )?;
    Ok(())
}

macro_rules! every_type {
    ($suite:ident $($t:ident)*) => {$(
        $suite.case(case_path!(concat!("of::", stringify!($t))), &needs(&[<$t as Value>::NEED]), of::<$t>);
    )*};
}

/// Arrays of one type in all lengths.
macro_rules! lengths {
    ($suite:ident $($t:ident)*) => {$(
        $suite.case(case_path!(concat!("arrays_of::", stringify!($t))), &needs(&[<$t as Value>::NEED]), |device| {
            let queue = device.queue()?;
            let values: Vec<$t> = random("arrays", 64);
            let mut next = values.iter().copied();
            let mut value = |_| next.next().unwrap_or(<$t>::GUARD);
            let none: [$t; 0] = std::array::from_fn(&mut value);
            let one: [$t; 1] = std::array::from_fn(&mut value);
            let three: [$t; 3] = std::array::from_fn(&mut value);
            let seventeen: [$t; 17] = std::array::from_fn(&mut value);
            let mut y = queue.upload(&[<$t>::GUARD; 50])?;
            launch!(
                queue,
                |i| {
                    y[i] = if i > 40 && none.is_empty() {
                        one[0]
                    } else if i % 2 == 0 {
                        three[i / 2 % three.len()]
                    } else if i < 45 {
                        seventeen[i / 2 % seventeen.len()]
                    } else {
                        none[i]
                    };
                },
                global = 50,
            )?;
            check(&queue, &y, |i| match i {
                41.. => one[0],
                i if i % 2 == 0 => three[i / 2 % 3],
                i => seventeen[i / 2 % 17],
            })
        });
    )*};
}

/// Forty captures, half of them buffers.
macro_rules! forty {
    ($($x:ident $k:ident)+) => {
        fn forty(device: &gridfn::Device) -> Outcome {
            let queue = device.queue()?;
            let inputs: Vec<Vec<u32>> = (0..20).map(|n| random(&format!("forty{n}"), 30)).collect();
            let mut next = inputs.iter();
            $(
                let $k = next.next().map_or(0, |data| data[7]);
                let $x = queue.upload(&inputs[0])?;
            )+
            let mut y = queue.zeros::<u32>(30)?;
            let mut n = 0;
            $(let mut $x = $x; queue.write(&mut $x, &inputs[n])?; n += 1;)+
            check_eq!(n, 20);
            launch!(queue, |i| y[i] = i as u32 $(+ $x[i] * $k)+, global = 30)?;
            let expected = |i: usize| {
                inputs.iter().fold(i as u32, |sum, data| sum.wrapping_add(data[i].wrapping_mul(data[7])))
            };
            check(&queue, &y, expected)?;
            let mut moved = closure!(move |i| y[i] = 1 $(+ $x[i] * $k)+);
            launch!(queue, &mut moved, global = 30)?;
            launch!(queue, &mut moved, global = 30)?;
            Ok(queue.synchronize()?)
        }
    };
}
forty!(x0 k0 x1 k1 x2 k2 x3 k3 x4 k4 x5 k5 x6 k6 x7 k7 x8 k8 x9 k9 xa ka xb kb xc kc xd kd xe ke xf kf xg kg xh kh xi ki xj kj);

fn add_buffers(suite: &mut Suite) {
    suite.case(case_path!("references_to_buffers"), &[], |device| {
        let queue = device.queue()?;
        let data = floats("references", 25);
        let (x, mut z) = (queue.upload(&data)?, queue.zeros::<f32>(25)?);
        let (x, y) = (&x, &mut z);
        launch!(queue, |i| y[i] = x[i] * 2.0, global = 25)?;
        check(&queue, y, |i| data[i] * 2.0)?;
        // It was only borrowed, so it is still there.
        launch!(queue, |i| y[i] += x[i], global = 25)?;
        check(&queue, &z, |i| data[i] * 2.0 + data[i])
    });
    suite.case(case_path!("a_unique_reference_is_read"), &[], |device| {
        let queue = device.queue()?;
        let data = floats("unique", 25);
        let (mut x, mut y) = (queue.upload(&data)?, queue.zeros::<f32>(25)?);
        let x = &mut x;
        // Nobody writes to it, so that any element may be read.
        launch!(queue, |i| y[i] = x[(i + 3) % 25], global = 25)?;
        check(&queue, &y, |i| data[(i + 3) % 25])
    });
    suite.case(case_path!("owners_of_buffers"), &[], |device| {
        let queue = device.queue()?;
        let data = floats("owners", 25);
        let boxed = Box::new(queue.upload(&data)?);
        let shared = Arc::new(queue.upload(&data)?);
        let local = Rc::new(queue.upload(&data)?);
        let mut y = Box::new(queue.zeros::<f32>(25)?);
        launch!(
            queue,
            |i| y[i] = boxed[i] + shared[24 - i] * local[0],
            global = 25
        )?;
        let expected = |i: usize| data[i] + data[24 - i] * data[0];
        check(&queue, &y, expected)?;
        // All of them moved, but what is shared.
        let clone = Arc::clone(&shared);
        let mut c = closure!(move |i| y[i] += boxed[i] + clone[24 - i] * local[0]);
        launch!(queue, &mut c, global = 25)?;
        drop(c);
        queue.synchronize()?;
        check(&queue, &shared, |i| data[i])
    });
    suite.case(case_path!("moved_references"), &[], |device| {
        let queue = device.queue()?;
        let data = floats("moved", 25);
        let (x, mut y) = (queue.upload(&data)?, queue.zeros::<f32>(25)?);
        let (read, write) = (&x, &mut y);
        launch!(queue, move |i| write[i] += read[i] * 3.0, global = 25)?;
        check(&queue, &y, |i| data[i] * 3.0)?;
        check(&queue, &x, |i| data[i])
    });
    suite.case(
        case_path!("a_moved_buffer_lives_as_long_as_it_is_needed"),
        &[],
        |device| {
            let queue = device.queue()?;
            let data = floats("lives", 1000);
            let mut y = queue.zeros::<f32>(1000)?;
            for k in 0..50 {
                let x = queue.upload(&data)?;
                let out = &mut y;
                // The closure goes at once, and takes `x` with it.
                launch!(queue, move |i| out[i] += x[(i + k) % 1000], global = 1000)?;
            }
            check(&queue, &y, |i| {
                (0..50).fold(0.0, |sum, k| sum + data[(i + k) % 1000])
            })
        },
    );
    suite.case(case_path!("in_a_pattern"), &[], |device| {
        let queue = device.queue()?;
        let data = floats("pattern", 25);
        let (some, none) = (Some(queue.upload(&data)?), None::<Buffer<f32>>);
        let mut pair = (queue.zeros::<f32>(25)?, 2.0f32);
        for x in [&some, &none].into_iter().flatten() {
            let (y, factor) = &mut pair;
            launch!(queue, |i| y[i] = x[i] * *factor, global = 25)?;
            *factor += 1.0;
        }
        check_eq!(pair.1, 3.0);
        check(&queue, &pair.0, |i| data[i] * 2.0)
    });
    suite.case(case_path!("the_same_buffer_is_read_and_written"), &[], |device| {
        let queue = device.queue()?;
        let data: Vec<u32> = random("same", 25);
        let mut y = queue.upload(&data)?;
        launch!(
            queue,
            |i| {
                y[i] = y[i] * y[i] + y.len() as u32;
                y[i] ^= y[i] >> 3;
            },
            global = 25
        )?;
        check(&queue, &y, |i| {
            let square = data[i].wrapping_mul(data[i]).wrapping_add(25);
            square ^ (square >> 3)
        })
    });
    suite.case(case_path!("lengths"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<usize>(4)?;
        for n in [0, 1, 9] {
            let (x, array) = (queue.zeros::<u8>(n)?, [1u16; 5]);
            let none: [f32; 0] = [];
            launch!(
                queue,
                |i| {
                    y[i] = x.len() * 1000
                        + array.len() * 100
                        + y.len() * 10
                        + none.len()
                        + x.is_empty() as usize * 10_000
                        + none.is_empty() as usize * 20_000
                        + array.is_empty() as usize * 40_000;
                },
                global = 4
            )?;
            check(&queue, &y, |_| {
                n * 1000 + 540 + 20_000 + if n == 0 { 10_000 } else { 0 }
            })?;
        }
        Ok(())
    });
    suite.case(case_path!("nothing"), &[], |device| {
        let queue = device.queue()?;
        launch!(queue, |_| {}, global = 10)?;
        launch!(queue, |_i| (), global = 10)?;
        let c = closure!(|i| {
            let _ = i + 1;
        });
        launch!(queue, &c, global = 10)?;
        Ok(queue.synchronize()?)
    });
}

pub(super) fn add_to(suite: &mut Suite) {
    every_type! { suite bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
    lengths! { suite bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }
    add_buffers(suite);
    suite.case(case_path!("forty"), &[], forty);
}
