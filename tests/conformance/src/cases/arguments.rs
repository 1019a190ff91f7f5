//! Arguments: many of them, of all sizes in all orders, unused and empty ones.

use crate::case::{Suite, case_path, check_eq};
use gridfn::prelude::*;

/// Arguments of rotating types, each counted with its own weight.
macro_rules! weighted {
    ($name:ident: $($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident;)+) => {
        #[kernel]
        #[allow(clippy::too_many_arguments, reason = "that is the point")]
        fn $name($($a: u64, $b: u8, $c: i16, $d: bool, $e: i32, $f: f32, $g: i8, $h: usize,)+ out: &mut [u64]) {
            let i = global_id(0);
            let mut sum = i as u64;
            $(
                sum = sum * 31 + $a;
                sum = sum * 31 + $b as u64;
                sum = sum * 31 + $c as u64;
                sum = sum * 31 + $d as u64;
                sum = sum * 31 + $e as u64;
                sum = sum * 31 + $f as u64;
                sum = sum * 31 + $g as u64;
                sum = sum * 31 + $h as u64;
            )+
            out[i] = sum;
        }
    };
}
weighted! { nine: a b c d e f g h; }
weighted! {
    forty_one:
    a0 b0 c0 d0 e0 f0 g0 h0;
    a1 b1 c1 d1 e1 f1 g1 h1;
    a2 b2 c2 d2 e2 f2 g2 h2;
    a3 b3 c3 d3 e3 f3 g3 h3;
    a4 b4 c4 d4 e4 f4 g4 h4;
}

/// Launches `forty_one` with eight values per line, and checks it.
macro_rules! launch_weighted {
    ($queue:ident $name:ident $($a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal;)+) => {{
        let mut out = $queue.zeros::<u64>(33)?;
        launch!($queue, $name($($a, $b, $c, $d, $e, $f, $g, $h,)+ &mut out), global = 33)?;
        let weights = [$(
            $a as u64, $b as u64, $c as i16 as u64, $d as u64, $e as i32 as u64, $f as u64, $g as i8 as u64, $h as u64,
        )+];
        let sum = |i: u64| weights.iter().fold(i, |sum, w| sum.wrapping_mul(31).wrapping_add(*w));
        let expected: Vec<u64> = (0..33).map(sum).collect();
        check_eq!($queue.download(&out)?, expected);
    }};
}

/// A kernel of buffers and scalars in turn, and one of buffers only.
macro_rules! buffers {
    ($mixed:ident $only:ident: $($x:ident $k:ident)+; $($y:ident)+) => {
        #[kernel]
        #[allow(clippy::too_many_arguments, reason = "that is the point")]
        fn $mixed($($x: &[u32], $k: u32,)+ out: &mut [u32], last: u16) {
            let i = global_id(0);
            let mut sum = last as u32;
            $(sum = sum * 3 + $x[i] * $k + $x.len() as u32;)+
            out[i] = sum;
        }
        #[kernel]
        #[allow(clippy::too_many_arguments, reason = "that is the point")]
        fn $only($($x: &[u32], $k: &[u32],)+ $($y: &[u32],)+ out: &mut [u32]) {
            let i = global_id(0);
            let mut sum = 0;
            $(sum = sum * 3 + $x[i] + $k[i] * 2;)+
            $(sum = sum * 3 + $y[i];)+
            out[i] = sum;
        }
        fn add_buffers(suite: &mut Suite) {
            suite.kernel::<$mixed>();
            suite.kernel::<$only>();
            suite.case(case_path!("buffers_and_scalars_in_turn"), &[], |device| {
                let queue = device.queue()?;
                let (n, mut count) = (20, 0u32);
                let mut next = || { count += 1; count };
                $(
                    let $k = next();
                    let $x = queue.upload(&vec![$k * 10; n + $k as usize])?;
                )+
                let mut out = queue.zeros::<u32>(n)?;
                launch!(queue, $mixed($(&$x, $k,)+ &mut out, 65535), global = n)?;
                let mut sum = 65535u32;
                $(sum = sum.wrapping_mul(3).wrapping_add($k * 10 * $k + n as u32 + $k);)+
                check_eq!(queue.download(&out)?, vec![sum; n]);
                Ok(())
            });
            suite.case(case_path!("sixty_four_buffers"), &[], |device| {
                let queue = device.queue()?;
                let (n, mut count) = (20, 0u32);
                let mut next = || { count += 1; queue.upload(&vec![count; n]).map(|buffer| (buffer, count)) };
                $(let ($x, $k) = (next()?, next()?);)+
                $(let $y = next()?;)+
                let mut out = queue.zeros::<u32>(n)?;
                launch!(queue, $only($(&$x.0, &$k.0,)+ $(&$y.0,)+ &mut out), global = n)?;
                let mut sum = 0u32;
                $(sum = sum.wrapping_mul(3).wrapping_add($x.1 + $k.1 * 2);)+
                $(sum = sum.wrapping_mul(3).wrapping_add($y.1);)+
                check_eq!(queue.download(&out)?, vec![sum; n]);
                check_eq!(count, 63);
                Ok(())
            });
        }
    };
}
buffers! {
    alternating sixty_four:
    x0 k0 x1 k1 x2 k2 x3 k3 x4 k4 x5 k5 x6 k6 x7 k7 x8 k8 x9 k9 xa ka xb kb xc kc xd kd xe ke xf kf
    p0 q0 p1 q1 p2 q2;
    y0 y1 y2 y3 y4 y5 y6 y7 y8 y9 ya yb yc yd ye yf z0 z1 z2 z3 z4 z5 z6 z7 z8
}

#[kernel]
fn small_before_large(
    a: bool,
    b: i8,
    c: i16,
    x: &[u64],
    d: bool,
    y: u64,
    e: i8,
    out: &mut [u64],
    f: u16,
    z: f32,
) {
    let i = global_id(0);
    out[i] = a as u64
        + (b as u64) * 3
        + (c as u64) * 5
        + x[i] * 7
        + (d as u64) * 11
        + y * 13
        + (e as u64) * 17
        + (f as u64) * 19
        + (z as u64) * 23;
}

#[kernel]
fn with_double(a: bool, x: f64, b: i16, y: f64, out: &mut [f64]) {
    let i = global_id(0);
    out[i] = if a { x + b as f64 } else { y - b as f64 };
}

#[kernel]
fn unused(_a: u8, _x: &[u64], b: u32, _c: bool, _y: &mut [i8], out: &mut [u32], _z: u64) {
    let i = global_id(0);
    out[i] = b;
}

#[kernel]
fn lengths(x: &[u8], y: &mut [u16], z: &[u64], out: &mut [usize]) {
    let i = global_id(0);
    out[i] = x.len() * 10_000 + y.len() * 100 + z.len() + (x.is_empty() as usize) * 1_000_000;
}

#[kernel]
fn no_arguments() {}

#[kernel]
fn nothing_to_do(_x: &mut [u32]) {
    let _ = global_id(0);
}

#[kernel]
fn mutable_parameters(mut n: u32, mut x: bool, out: &mut [u32]) {
    let i = global_id(0);
    n += i as u32;
    x = !x;
    out[i] = if x { n } else { n * 2 };
}

/// An enum of one variant and a struct without fields: values without bytes.
#[derive(Clone, Copy, DeviceCopy)]
enum Single {
    Only,
}
#[derive(Clone, Copy, DeviceCopy)]
struct Empty;

#[kernel]
fn without_size(single: Single, k: u8, empty: Empty, nothing: [f32; 0], out: &mut [u32]) {
    let i = global_id(0);
    let Empty = empty;
    out[i] = match single {
        Single::Only => k as u32 + nothing.len() as u32,
    };
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("without_size"), &[], |device| {
        let queue = device.queue()?;
        let mut out = queue.zeros::<u32>(2)?;
        launch!(
            queue,
            without_size(Single::Only, 7, Empty, [], &mut out),
            global = 2
        )?;
        check_eq!(queue.download(&out)?, [7, 7]);
        Ok(())
    });
    suite.kernel::<nine>();
    suite.kernel::<forty_one>();
    suite.kernel::<small_before_large>();
    suite.kernel::<with_double>();
    suite.kernel::<unused>();
    suite.kernel::<lengths>();
    suite.kernel::<no_arguments>();
    suite.kernel::<nothing_to_do>();
    suite.kernel::<mutable_parameters>();
    add_buffers(suite);
    suite.case(case_path!("scalars"), &[], |device| {
        let queue = device.queue()?;
        launch_weighted!(queue nine 18446744073709551615 255 -32768 true -2147483648 16777216.0 -128 9;);
        launch_weighted!(queue forty_one
            1 2 -3 true -5 6.0 -7 8;
            9 10 11 false 13 14.0 15 16;
            18446744073709551615 255 -32768 true -2147483648 0.0 -128 18446744073709551615;
            0 0 0 false 0 0.0 0 0;
            33 34 35 true 37 38.0 39 40;
        );
        Ok(())
    });
    suite.case(case_path!("small_before_large"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[1u64 << 40; 3])?;
        let mut out = queue.zeros::<u64>(3)?;
        launch!(
            queue,
            small_before_large(true, -1, -2, &x, true, 1 << 50, -3, &mut out, 65535, 3.0),
            global = 3
        )?;
        let expected = (1i64 - 3 - 10 + 7 * (1 << 40) + 11 + 13 * (1 << 50) - 51 + 19 * 65535 + 69) as u64;
        check_eq!(queue.download(&out)?, [expected; 3]);
        Ok(())
    });
    suite.case(
        case_path!("with_double"),
        &[crate::case::Need::Float64],
        |device| {
            let queue = device.queue()?;
            let mut out = queue.zeros::<f64>(2)?;
            launch!(queue, with_double(true, 0.1, -7, 1e300, &mut out), global = 2)?;
            check_eq!(queue.download(&out)?, [0.1 - 7.0; 2]);
            launch!(queue, with_double(false, 0.1, -7, 1e300, &mut out), global = 2)?;
            check_eq!(queue.download(&out)?, [1e300; 2]);
            Ok(())
        },
    );
    suite.case(case_path!("unused"), &[], |device| {
        let queue = device.queue()?;
        let (x, mut y) = (queue.zeros(0)?, queue.zeros(3)?);
        let mut out = queue.zeros::<u32>(5)?;
        launch!(queue, unused(1, &x, 77, true, &mut y, &mut out, 5), global = 5)?;
        check_eq!(queue.download(&out)?, [77; 5]);
        check_eq!(queue.download(&y)?, [0; 3]);
        launch!(queue, no_arguments(), global = 100)?;
        let mut x = queue.zeros(1)?;
        launch!(queue, nothing_to_do(&mut x), global = [3, 3])?;
        queue.synchronize()?;
        Ok(())
    });
    suite.case(case_path!("empty_buffers"), &[], |device| {
        let queue = device.queue()?;
        let mut out = queue.zeros::<usize>(2)?;
        for (x, y, z) in [(0, 0, 0), (3, 0, 2), (0, 7, 0), (5, 6, 7)] {
            let (a, mut b, c) = (queue.zeros(x)?, queue.zeros(y)?, queue.zeros(z)?);
            launch!(queue, lengths(&a, &mut b, &c, &mut out), global = 2)?;
            let expected = x * 10_000 + y * 100 + z + usize::from(x == 0) * 1_000_000;
            check_eq!(queue.download(&out)?, [expected; 2]);
        }
        Ok(())
    });
    suite.case(case_path!("mutable_parameters"), &[], |device| {
        let queue = device.queue()?;
        let mut out = queue.zeros::<u32>(4)?;
        launch!(queue, mutable_parameters(u32::MAX, false, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [u32::MAX, 0, 1, 2]);
        launch!(queue, mutable_parameters(5, true, &mut out), global = 4)?;
        check_eq!(queue.download(&out)?, [10, 12, 14, 16]);
        Ok(())
    });
    suite.case(case_path!("values_are_read_at_the_launch"), &[], |device| {
        let queue = device.queue()?;
        let mut out = queue.zeros::<u32>(4)?;
        let call = mutable_parameters(1, false, &mut out);
        launch!(queue, call, global = 4)?;
        check_eq!(queue.download(&out)?, [1, 2, 3, 4]);
        Ok(())
    });
}
