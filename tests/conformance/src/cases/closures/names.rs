//! Names: of captures, of what stands for them, and of what the body binds itself.

use super::{check, random};
use crate::case::{Outcome, Suite, case_path};
use gridfn::Device;
use gridfn::prelude::*;

/// Names that mean something to gridfn, to OpenCL C or to nobody.
fn odd(device: &Device) -> Outcome {
    struct Fields {
        r#fn: u32,
        float: u32,
        x_y: u32,
        self_: u32,
    }
    let queue = device.queue()?;
    let mut out = queue.zeros::<u32>(10)?;
    let (global_size, local_id, float, int, kernel, block, fault) =
        (1u32, 2u32, 3u32, 4u32, 5u32, 6u32, 7u32);
    let (r#type, größe, __item, passed, size, get_global_id, captured) =
        (8u32, 9u32, 10u32, 11u32, 12u32, 13u32, 14u32);
    let fields = Fields {
        r#fn: 15,
        float: 16,
        x_y: 17,
        self_: 18,
    };
    // Places whose names would be the same with `_` for `.`.
    let (fields_float, fields_x, fields_fn) = (19u32, (20u32, 21u32), 22u32);
    let (fields_x_0, __captured_out, __value, __closure) = (23u32, 24u32, 25u32, 26u32);
    launch!(
        queue,
        |i| {
            out[i] = global_size
                + local_id * 3
                + float * 5
                + int * 7
                + kernel * 11
                + block * 13
                + fault * 17
                + r#type * 19
                + größe * 23
                + __item * 29
                + passed * 31
                + size * 37
                + get_global_id * 41
                + captured * 43
                + fields.r#fn * 47
                + fields.float * 53
                + fields.x_y * 59
                + fields.self_ * 61;
            out[i] += fields_float * 67
                + fields_x.0 * 71
                + fields_x.1 * 73
                + fields_fn * 79
                + fields_x_0 * 83
                + __captured_out * 89
                + __value * 97
                + __closure * 101;
        },
        global = 10
    )?;
    let weights = [
        1, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
        101u32,
    ];
    let expected: u32 = weights.iter().zip(1..).map(|(weight, n)| weight * n).sum();
    check(&queue, &out, |_| expected)
}

/// The names that the macro itself might use, as names of captures and of variables around.
fn of_the_macro(device: &Device) -> Outcome {
    let __queue = device.queue()?;
    let (slots, reader, __request, __result) = (1u32, 2u32, 3u32, 4u32);
    let mut y = __queue.zeros::<u32>(4)?;
    launch!(
        __queue,
        |__v| y[__v] = slots + reader * 10 + __request * 100 + __result * 1000,
        global = 4
    )?;
    check(&__queue, &y, |_| 4321)?;
    let (__l, __r, __e, __m) = (1u32, 2u32, 3u32, 4u32);
    launch!(
        __queue,
        |__i| y[__i] = (__l + __r).pow(__e) * __m.max(__l),
        global = 4
    )?;
    check(&__queue, &y, |_| 27 * 4)
}

#[allow(non_snake_case, reason = "names like those of consts are the point")]
fn like_constants(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut Y = queue.zeros::<u32>(10)?;
    let (N, BITS, MAX, T) = (3u32, 4u32, [5u32, 6], 7u32);
    launch!(
        queue,
        |I| Y[I] = I as u32 * N + BITS * MAX[I % 2] + T,
        global = 10
    )?;
    check(&queue, &Y, |i| i as u32 * 3 + 4 * (5 + i as u32 % 2) + 7)
}

/// The body's own variables hide what would be captured.
#[allow(unused_variables, reason = "what is hidden is not used")]
fn shadowed(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("shadowed", 20);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(20)?;
    let (i, k, n) = ("not a number", 5u32, 2u32);
    launch!(
        queue,
        |i| {
            let first = k;
            let k = k * 2 + i as u32;
            let x = x[i] + k;
            {
                let k = 1000u32;
                let n = k + n;
                y[i] = n;
            }
            for n in 0..3u32 {
                y[i] += n * 7;
            }
            let n = n + first;
            y[i] += x * k + n;
        },
        global = 20
    )?;
    check(&queue, &y, |i| {
        let k = 10 + i as u32;
        let x = data[i].wrapping_add(k);
        (1002 + 21u32).wrapping_add(x.wrapping_mul(k)).wrapping_add(7)
    })
}

/// A variable of the body may have a captured name only after the capture was read, or before.
fn bound_later(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(5)?;
    let (a, b) = (3u32, 4u32);
    launch!(
        queue,
        |i| {
            let c = {
                let a = 10u32;
                a + b
            };
            let b = a;
            let a = b + c;
            y[i] = a * 100 + b;
        },
        global = 5
    )?;
    check(&queue, &y, |_| 17 * 100 + 3)
}

/// Launches what a macro is given, and what it writes itself.
macro_rules! each {
    ($queue:expr, $y:ident, |$i:ident| $value:expr) => {{
        let hidden = 7u32;
        let _ = hidden;
        launch!($queue, |$i| $y[$i] = $value, global = $y.len())
    }};
    ($queue:expr, whole $closure:expr, $n:expr) => {
        launch!($queue, $closure, global = $n)
    };
    ($queue:expr, add $k:expr, $y:expr) => {
        launch!($queue, |i| $y[i] += $k, global = $y.len())
    };
    ($queue:expr, tokens { $($body:tt)* }, $n:expr) => {
        launch!($queue, |i| { $($body)* }, global = $n)
    };
    ($queue:expr, sum $y:ident: $($x:ident)+) => {
        launch!($queue, |i| $y[i] = 0 $(+ $x[i] * $x.len() as u32)+, global = $y.len())
    };
}

fn in_macros(device: &Device) -> Outcome {
    struct Owner {
        y: Buffer<u32>,
        k: u32,
    }
    let queue = device.queue()?;
    let data: Vec<u32> = random("macros", 20);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(20)?;
    let hidden = 3u32;
    // `hidden` here is ours, not the macro's.
    each!(queue, y, |j| x[j] * hidden + 1)?;
    check(&queue, &y, |i| data[i].wrapping_mul(3).wrapping_add(1))?;
    each!(queue, whole | i | y[i] = x[i] + hidden, 20)?;
    check(&queue, &y, |i| data[i].wrapping_add(3))?;
    each!(queue, add hidden * 2 + 1, y)?;
    check(&queue, &y, |i| data[i].wrapping_add(10))?;
    let mut owner = Owner {
        y: queue.zeros(5)?,
        k: 4,
    };
    each!(queue, add owner.k - 1, owner.y)?;
    check(&queue, &owner.y, |_| 3)?;
    each!(queue, sum y: x x)?;
    check(&queue, &y, |i| data[i].wrapping_mul(40))?;
    let z = &mut y;
    each!(queue, tokens { let j = global_id(0); z[j] = hidden; let k = hidden + 1; z[j] += k * k; }, 20)?;
    check(&queue, &y, |_| 19)
}

/// Launches are made by a function that a macro defines, for each type.
macro_rules! functions {
    ($($name:ident $t:ty),+) => {$(
        fn $name(queue: &Queue, x: &Buffer<$t>, y: &mut Buffer<$t>, k: $t) -> gridfn::Result<()> {
            let n = y.len();
            let c = &mut closure!(|i| y[i] = x[i] * k + y[i]);
            launch!(queue, c, global = n)
        }
    )+};
}
functions! { of_u8 u8, of_i64 i64 }

fn functions_of_macros(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (bytes, words): (Vec<u8>, Vec<i64>) = (random("bytes", 9), random("words", 9));
    let mut y = queue.upload(&bytes)?;
    of_u8(&queue, &queue.upload(&bytes)?, &mut y, 77)?;
    check(&queue, &y, |i| bytes[i].wrapping_mul(77).wrapping_add(bytes[i]))?;
    let mut y = queue.upload(&words)?;
    of_i64(&queue, &queue.upload(&words)?, &mut y, -77)?;
    check(&queue, &y, |i| words[i].wrapping_mul(-77).wrapping_add(words[i]))
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("odd"), &[], odd);
    suite.case(case_path!("of_the_macro"), &[], of_the_macro);
    suite.case(case_path!("like_constants"), &[], like_constants);
    suite.case(case_path!("shadowed"), &[], shadowed);
    suite.case(case_path!("bound_later"), &[], bound_later);
    suite.case(case_path!("in_macros"), &[], in_macros);
    suite.case(case_path!("functions_of_macros"), &[], functions_of_macros);
}
