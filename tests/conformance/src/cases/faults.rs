//! Faults: place, message, item and count; nothing else is harmed, and the queue goes on.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Error, Result};

/// This file, in which the places of faults are marked.
const SOURCE: &str = include_str!("faults.rs");

/// Line and column, from 1, of what stands behind the comment `/*@name*/`.
fn place(name: &str) -> (u32, u32) {
    let mark = format!("/*@{name}*/");
    let at = SOURCE
        .find(&mark)
        .unwrap_or_else(|| panic!("no place is marked {mark}"))
        + mark.len();
    let at = at + SOURCE[at..].len() - SOURCE[at..].trim_start().len();
    let line = SOURCE[..at].matches('\n').count() as u32 + 1;
    let column = SOURCE[..at].lines().last().unwrap_or_default().chars().count() as u32 + 1;
    (line, column)
}

#[kernel]
fn read_beyond(shift: usize, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 1;
    y[i] = /*@read*/ x[i + shift] + 1;
}

#[kernel]
fn write_beyond(y: &mut [u32]) {
    let i = global_id(0);
    /*@write*/
    y[i] = i as u32;
}

#[kernel]
fn add_beyond(y: &mut [u32]) {
    let i = global_id(0);
    /*@add*/
    y[i] += 5;
}

#[kernel]
unsafe fn scatter(at: usize, y: &mut [u32]) {
    let i = global_id(0);
    /*@scatter*/
    y[i * at] = 7;
}

/// A kernel of two inputs whose body may fault; where it does, the output stays 99.
macro_rules! pairs {
    ($(fn $name:ident($a:ident: $t:ident, $b:ident) $body:block)+) => {$(
        #[kernel]
        fn $name(x: &[$t], y: &[$t], out: &mut [$t]) {
            let i = global_id(0);
            let $a = x[i];
            let $b = y[i];
            out[i] = 99 as $t;
            out[i] = $body;
        }
    )+};
}
pairs! {
    fn div(a: i32, b) { /*@div*/ a / b }
    fn rem(a: i32, b) { /*@rem*/ a % b }
    fn div_i8(a: i8, b) { 1 + /*@div_i8*/ a / b - 1 }
    fn rem_i64(a: i64, b) { /*@rem_i64*/ (a % b) * 2 }
    fn div_u64(a: u64, b) { /*@div_u64*/ a / b }
    fn rem_u16(a: u16, b) { /*@rem_u16*/ a % b }
    fn div_assign(a: i16, b) { let mut v = a; /*@div_assign*/ v /= b; v }
    fn rem_assign(a: isize, b) { let mut v = a; /*@rem_assign*/ v %= b; v }
    fn div_euclid(a: i32, b) { a./*@div_euclid*/ div_euclid(b) }
    fn rem_euclid(a: i64, b) { a./*@rem_euclid*/ rem_euclid(b) }
    fn div_ceil(a: u32, b) { a./*@div_ceil*/ div_ceil(b) }
    fn clamp(a: i32, b) { 5i32./*@clamp*/ clamp(a, b) }
    fn clamp_unsigned(a: u8, b) { 5u8./*@clamp_unsigned*/ clamp(a, b) }
    fn clamp_float(a: f32, b) { 0.5f32./*@clamp_float*/ clamp(a, b) }
}

#[kernel]
fn step_by(step: usize, y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in (0..10u32)./*@step_by*/ step_by(step * i) {
        sum += k;
    }
    y[i] = sum;
}

#[kernel]
fn only_where_it_is_reached(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 50;
    if x[i] > 3 {
        return;
    }
    let mut n = 0;
    while n < 4 {
        if x[i] == 2 && n == 3 {
            n = /*@reached*/ n / (x[i] - 2);
        }
        n += 1;
    }
    y[i] = n;
}

/// Faults on its own, two calls below the kernel.
#[device]
fn quotient(a: u32, b: u32) -> u32 {
    /*@quotient*/
    a / b
}

/// Calls it.
#[device]
fn twice(a: u32, b: u32) -> u32 {
    quotient(a, b) * 2
}

#[kernel]
fn in_a_function(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = twice(100, x[i]);
}

#[kernel]
fn elsewhere(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = super::device_functions::remainder(100, x[i]);
}

#[kernel]
unsafe fn in_two_dimensions(y: &mut [u32]) {
    let at = global_id(1) * 100 + global_id(0);
    if global_id(0) == 12 && global_id(1) == 7 {
        /*@in_2d*/
        y[at + 1_000_000] = 1;
    }
}

#[kernel]
fn good(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = i as u32 * 3;
}

/// What a fault should be.
struct Expected<'a> {
    kernel: &'a str,
    place: &'a str,
    message: &'a str,
    /// The items that fault, in one dimension.
    items: &'a [usize],
}

/// Checks a fault.
fn check_fault(result: Result<()>, expected: &Expected) -> Outcome {
    let fault = match result {
        Err(Error::Fault(fault)) => fault,
        other => return Err(format!("expected a fault, found {other:?}").into()),
    };
    check_eq!(fault.kernel, expected.kernel);
    check_eq!(fault.message, expected.message);
    check_eq!(fault.file.ends_with("cases/faults.rs"), true, "{}", fault.file);
    check_eq!(
        (fault.line, fault.column),
        place(expected.place),
        "line and column"
    );
    check_eq!(fault.count, expected.items.len(), "count");
    check_eq!(fault.id[1..], [0, 0]);
    check_eq!(expected.items.contains(&fault.id[0]), true, "item {:?}", fault.id);
    Ok(())
}

/// Checks that a queue that has told its faults goes on.
fn check_usable(queue: &Queue) -> Outcome {
    queue.synchronize()?;
    let mut y = queue.zeros::<u32>(100)?;
    launch!(queue, good(&mut y), global = 100)?;
    queue.synchronize()?;
    let expected: Vec<u32> = (0..100).map(|i| i * 3).collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

/// Kernels of two inputs, some of whose items fault: the others have their results.
macro_rules! check_pairs {
    ($suite:ident $($name:ident $case:literal $t:ident: [$($a:literal $b:literal),+] $faulty:expr, $message:literal;)+) => {$(
        $suite.case(case_path!(concat!(stringify!($name), "::", $case)), &[], |device| {
            let queue = device.queue()?;
            let pairs: [($t, $t); 6] = [$(($a, $b)),+];
            let (x, y) = (queue.upload(&pairs.map(|p| p.0))?, queue.upload(&pairs.map(|p| p.1))?);
            let mut out = queue.upload(&[0 as $t; 10])?;
            launch!(queue, $name(&x, &y, &mut out), global = 6, local = 4)?;
            let name = stringify!($name);
            let expected = Expected { kernel: name, place: name, message: $message, items: &$faulty };
            check_fault(queue.synchronize(), &expected)?;
            let out = queue.download(&out)?;
            for (i, out) in out[..6].iter().enumerate() {
                check_eq!(*out == 99 as $t, $faulty.contains(&i), "item {i} gave {out}");
            }
            check_eq!(out[6..], [0 as $t; 4]);
            check_usable(&queue)
        });
    )+};
}

fn add_pairs(suite: &mut Suite) {
    check_pairs! {
        suite
        div "by_zero" i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3], "attempt to divide by zero";
        div "overflow" i32: [1 1, 2147483647 -1, -7 2, -2147483648 -1, 3 1, 9 4] [3], "attempt to divide with overflow";
        rem "by_zero" i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3],
            "attempt to calculate the remainder with a divisor of zero";
        rem "overflow" i32: [1 1, 5 1, -7 2, -2147483648 -1, 3 1, 9 4] [3],
            "attempt to calculate the remainder with overflow";
        div_i8 "overflow" i8: [1 1, -128 -1, -7 2, 1 2, 3 1, 9 4] [1], "attempt to divide with overflow";
        rem_i64 "overflow" i64: [1 1, -9223372036854775808 -1, -7 2, 1 2, 3 1, -9223372036854775808 -1] [1, 5],
            "attempt to calculate the remainder with overflow";
        div_u64 "by_zero" u64: [1 0, 2 0, 3 0, 4 0, 5 0, 6 0] [0, 1, 2, 3, 4, 5], "attempt to divide by zero";
        rem_u16 "by_zero" u16: [1 1, 2 2, 3 3, 4 4, 5 5, 6 0] [5],
            "attempt to calculate the remainder with a divisor of zero";
        div_assign "by_zero" i16: [0 0, 2 2, 3 3, 4 4, 5 5, 6 6] [0], "attempt to divide by zero";
        div_assign "overflow" i16: [0 1, 2 2, 3 3, 4 4, -32768 -1, 6 6] [4], "attempt to divide with overflow";
        rem_assign "by_zero" isize: [0 0, 2 2, 3 3, 4 0, 5 5, 6 6] [0, 3],
            "attempt to calculate the remainder with a divisor of zero";
        div_euclid "by_zero" i32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        div_euclid "overflow" i32: [1 1, -2147483648 -1, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide with overflow";
        rem_euclid "by_zero" i64: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1],
            "attempt to calculate the remainder with a divisor of zero";
        div_ceil "by_zero" u32: [1 1, 2 0, 3 3, 4 4, 5 5, 6 6] [1], "attempt to divide by zero";
        clamp "order" i32: [1 9, -3 -7, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = -3, max = -7";
        clamp_unsigned "order" u8: [1 9, 200 100, 3 3, 4 5, 5 6, 0 1] [1], "min > max. min = 200, max = 100";
        clamp_float "order" f32: [0.0 9.0, 1.5 -7.0, 3.0 3.0, 4.0 5.0, 5.0 6.0, 0.0 1.0] [1],
            "min > max, or either was NaN. min = 1.5, max = -7.0";
    }
}

fn add_indices(suite: &mut Suite) {
    suite.case(case_path!("read"), &[], |device| {
        let queue = device.queue()?;
        let (x, mut y) = (queue.upload(&[10u32; 20])?, queue.upload(&[7u32; 25])?);
        launch!(queue, read_beyond(3, &x, &mut y), global = 18, local = 8)?;
        let message = "index out of bounds: the len is 20 but the index is 20";
        check_fault(
            queue.synchronize(),
            &Expected {
                kernel: "read_beyond",
                place: "read",
                message,
                items: &[17],
            },
        )?;
        let mut expected = [7; 25];
        expected[..17].fill(11);
        expected[17] = 1;
        check_eq!(queue.download(&y)?, expected);
        check_usable(&queue)
    });
    suite.case(case_path!("read_far"), &[], |device| {
        let queue = device.queue()?;
        let (x, mut y) = (queue.upload(&[10u32; 20])?, queue.upload(&[7u32; 1])?);
        for shift in [20, 1 << 31, 1 << 32, 1 << 62, usize::MAX] {
            launch!(queue, read_beyond(shift, &x, &mut y), global = 1)?;
            let message = format!("index out of bounds: the len is 20 but the index is {shift}");
            let message = message.as_str();
            check_fault(
                queue.synchronize(),
                &Expected {
                    kernel: "read_beyond",
                    place: "read",
                    message,
                    items: &[0],
                },
            )?;
        }
        check_usable(&queue)
    });
    suite.case(case_path!("write"), &[], |device| {
        let queue = device.queue()?;
        // What is allocated next to it must stay as it is.
        let before = queue.upload(&[5u32; 16])?;
        let mut y = queue.upload(&[7u32; 16])?;
        let behind = queue.upload(&[5u32; 16])?;
        launch!(queue, write_beyond(&mut y), global = 17)?;
        let message = "index out of bounds: the len is 16 but the index is 16";
        let expected = Expected {
            kernel: "write_beyond",
            place: "write",
            message,
            items: &[16],
        };
        check_fault(queue.synchronize(), &expected)?;
        launch!(queue, write_beyond(&mut y), global = 1000)?;
        check_eq!(count(queue.synchronize()), Some(984));
        check_eq!(queue.download(&before)?, [5; 16]);
        check_eq!(
            queue.download(&y)?,
            std::array::from_fn::<u32, 16, _>(|i| i as u32)
        );
        check_eq!(queue.download(&behind)?, [5; 16]);
        check_usable(&queue)
    });
    suite.case(case_path!("assign"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.upload(&[7u32; 5])?;
        launch!(queue, add_beyond(&mut y), global = 6)?;
        let message = "index out of bounds: the len is 5 but the index is 5";
        let expected = Expected {
            kernel: "add_beyond",
            place: "add",
            message,
            items: &[5],
        };
        check_fault(queue.synchronize(), &expected)?;
        check_eq!(queue.download(&y)?, [12; 5]);
        check_usable(&queue)
    });
    suite.case(case_path!("empty_buffer"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(0)?;
        launch!(queue, add_beyond(&mut y), global = 1)?;
        let message = "index out of bounds: the len is 0 but the index is 0";
        let expected = Expected {
            kernel: "add_beyond",
            place: "add",
            message,
            items: &[0],
        };
        check_fault(queue.synchronize(), &expected)?;
        check_usable(&queue)
    });
    suite.case(case_path!("unsafe_kernel"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.upload(&[0u32; 16])?;
        // SAFETY: no two items have the same element, and what is outside faults.
        launch!(queue, unsafe { scatter(5, &mut y) }, global = 4)?;
        queue.synchronize()?;
        // SAFETY: as above.
        launch!(queue, unsafe { scatter(6, &mut y) }, global = 4)?;
        let message = "index out of bounds: the len is 16 but the index is 18";
        let expected = Expected {
            kernel: "scatter",
            place: "scatter",
            message,
            items: &[3],
        };
        check_fault(queue.synchronize(), &expected)?;
        check_usable(&queue)
    });
    suite.case(case_path!("two_dimensions"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.upload(&[0u32; 16])?;
        launch!(
            queue,
            // SAFETY: one item writes at all, and what it writes is outside.
            unsafe { in_two_dimensions(&mut y) },
            global = [10..20, 5..9]
        )?;
        let Err(Error::Fault(fault)) = queue.synchronize() else {
            return Err("expected a fault".into());
        };
        check_eq!((fault.id, fault.count), ([12, 7, 0], 1));
        check_eq!((fault.line, fault.column), place("in_2d"));
        check_eq!(
            fault.message,
            "index out of bounds: the len is 16 but the index is 1000712"
        );
        check_usable(&queue)
    });
}

fn add_control(suite: &mut Suite) {
    suite.case(case_path!("step_by_zero"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(3)?;
        launch!(queue, step_by(2, &mut y), global = 3)?;
        let message = "assertion failed: step != 0";
        check_fault(
            queue.synchronize(),
            &Expected {
                kernel: "step_by",
                place: "step_by",
                message,
                items: &[0],
            },
        )?;
        check_eq!(queue.download(&y)?, [0, 20, 12]);
        check_usable(&queue)
    });
    suite.case(case_path!("only_where_it_is_reached"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[0u32, 1, 2, 3, 4, 5, 2])?;
        let mut y = queue.zeros::<u32>(7)?;
        launch!(queue, only_where_it_is_reached(&x, &mut y), global = 7)?;
        let (kernel, message) = ("only_where_it_is_reached", "attempt to divide by zero");
        check_fault(
            queue.synchronize(),
            &Expected {
                kernel,
                place: "reached",
                message,
                items: &[2, 6],
            },
        )?;
        check_eq!(queue.download(&y)?, [4, 4, 50, 4, 50, 50, 50]);
        check_usable(&queue)
    });
    suite.case(case_path!("in_a_function"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[1u32, 0, 7])?;
        let mut y = queue.zeros::<u32>(3)?;
        launch!(queue, in_a_function(&x, &mut y), global = 3)?;
        let (kernel, message) = ("in_a_function", "attempt to divide by zero");
        check_fault(
            queue.synchronize(),
            &Expected {
                kernel,
                place: "quotient",
                message,
                items: &[1],
            },
        )?;
        check_eq!(queue.download(&y)?, [200, 0, 28]);
        check_usable(&queue)
    });
    suite.case(case_path!("in_a_function_of_another_file"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[1u32, 0, 7])?;
        let mut y = queue.zeros::<u32>(3)?;
        launch!(queue, elsewhere(&x, &mut y), global = 3)?;
        let Err(Error::Fault(fault)) = queue.synchronize() else {
            return Err("expected a fault".into());
        };
        check_eq!(
            fault.file.ends_with("cases/device_functions.rs"),
            true,
            "{}",
            fault.file
        );
        check_eq!(fault.line, super::device_functions::REMAINDER_LINE);
        check_eq!(fault.kernel, "elsewhere");
        check_usable(&queue)
    });
}

/// How many items faulted.
fn count(result: Result<()>) -> Option<usize> {
    match result {
        Err(Error::Fault(fault)) => Some(fault.count),
        _ => None,
    }
}

fn add_queues(suite: &mut Suite) {
    suite.case(case_path!("good_launches_behind_it_run"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&[1u32; 4])?;
        let (mut y, mut z) = (queue.zeros::<u32>(4)?, queue.zeros::<u32>(50)?);
        launch!(queue, read_beyond(2, &x, &mut y), global = 4)?;
        launch!(queue, good(&mut z), global = 50)?;
        check_eq!(count(queue.synchronize()), Some(2));
        let expected: Vec<u32> = (0..50).map(|i| i * 3).collect();
        check_eq!(queue.download(&z)?, expected);
        check_usable(&queue)
    });
    suite.case(case_path!("told_once_by_each_kind_of_wait"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(4)?;
        launch!(queue, add_beyond(&mut y), global = 5)?;
        check_eq!(count(queue.download(&y).map(|_| ())), Some(1));
        check_eq!(queue.download(&y)?, [5; 4]);
        launch!(queue, add_beyond(&mut y), global = 6)?;
        let mut data = [0; 4];
        check_eq!(count(queue.read(&y, &mut data)), Some(2));
        // The copy has been made.
        check_eq!(data, [10; 4]);
        check_eq!(queue.read(&y, &mut data), Ok(()));
        launch!(queue, add_beyond(&mut y), global = 7)?;
        check_eq!(count(queue.synchronize()), Some(3));
        check_eq!(queue.synchronize(), Ok(()));
        Ok(())
    });
    suite.case(case_path!("of_several_launches"), &[], |device| {
        let queue = device.queue()?;
        let (mut y, mut z) = (queue.zeros::<u32>(4)?, queue.zeros::<u32>(1)?);
        launch!(queue, add_beyond(&mut y), global = 6)?;
        launch!(queue, write_beyond(&mut z), global = 4)?;
        launch!(queue, add_beyond(&mut y), global = 5)?;
        check_eq!(count(queue.synchronize()), Some(6));
        check_eq!(queue.download(&y)?, [10; 4]);
        check_usable(&queue)
    });
    suite.case(case_path!("each_queue_has_its_own"), &[], |device| {
        let (one, two) = (device.queue()?, device.queue()?);
        let mut y = one.zeros::<u32>(4)?;
        launch!(one, add_beyond(&mut y), global = 6)?;
        check_eq!(two.synchronize(), Ok(()));
        check_usable(&two)?;
        check_eq!(count(one.synchronize()), Some(2));
        check_eq!(two.synchronize(), Ok(()));
        Ok(())
    });
    suite.case(case_path!("two_hundred_rounds"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(4)?;
        for round in 0..200 {
            launch!(queue, add_beyond(&mut y), global = 4 + round % 5)?;
            check_eq!(
                count(queue.synchronize()).unwrap_or(0),
                round % 5,
                "round {round}"
            );
        }
        check_eq!(queue.download(&y)?, [1000; 4]);
        Ok(())
    });
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<read_beyond>();
    suite.kernel::<write_beyond>();
    suite.kernel::<add_beyond>();
    suite.kernel::<scatter>();
    suite.kernel::<step_by>();
    suite.kernel::<only_where_it_is_reached>();
    suite.kernel::<in_a_function>();
    suite.kernel::<in_two_dimensions>();
    suite.kernel::<elsewhere>();
    suite.kernel::<good>();
    suite.kernel::<div>();
    suite.kernel::<rem>();
    suite.kernel::<div_i8>();
    suite.kernel::<rem_i64>();
    suite.kernel::<div_u64>();
    suite.kernel::<rem_u16>();
    suite.kernel::<div_assign>();
    suite.kernel::<rem_assign>();
    suite.kernel::<div_euclid>();
    suite.kernel::<rem_euclid>();
    suite.kernel::<div_ceil>();
    suite.kernel::<clamp>();
    suite.kernel::<clamp_unsigned>();
    suite.kernel::<clamp_float>();
    add_pairs(suite);
    add_indices(suite);
    add_control(suite);
    add_queues(suite);
}
