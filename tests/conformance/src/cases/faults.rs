//! Faults: place, message, item and count; nothing else is harmed, and the queue goes on.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Error, Result};

/// This file, in which the places of faults are marked.
const SOURCE: &str = include_str!("faults.rs");

/// Line and column, from 1, of what stands behind the comment `/*@name*/`.
fn place(name: &str) -> (u32, u32) {
    let mark = format!("/*@{name}*/");
    let at = SOURCE.find(&mark).unwrap_or_else(|| panic!("no place is marked {mark}")) + mark.len();
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
    /*@write*/ y[i] = i as u32;
}

#[kernel]
fn add_beyond(y: &mut [u32]) {
    let i = global_id(0);
    /*@add*/ y[i] += 5;
}

#[kernel]
unsafe fn scatter(at: usize, y: &mut [u32]) {
    let i = global_id(0);
    /*@scatter*/ y[i * at] = 7;
}

/// Division, and the operators that fault alike.
macro_rules! division {
    ($(fn $name:ident($a:ident: $t:ident, $b:ident) $place:literal $body:block)+) => {$(
        #[kernel]
        fn $name(x: &[$t], y: &[$t], out: &mut [$t]) {
            let i = global_id(0);
            let $a = x[i];
            let $b = y[i];
            out[i] = 99;
            out[i] = $body;
        }
    )+};
}
division! {
    fn div(a: i32, b) "div" { /*@div*/ a / b }
    fn rem(a: i32, b) "rem" { /*@rem*/ a % b }
    fn div_i8(a: i8, b) "div_i8" { 1 + /*@div_i8*/ a / b }
    fn rem_i64(a: i64, b) "rem_i64" { (/*@rem_i64*/ a % b) * 2 }
    fn div_u64(a: u64, b) "div_u64" { /*@div_u64*/ a / b }
    fn rem_u16(a: u16, b) "rem_u16" { /*@rem_u16*/ a % b }
    fn div_assign(a: i16, b) "div_assign" { let mut v = a; /*@div_assign*/ v /= b; v }
    fn rem_assign(a: isize, b) "rem_assign" { let mut v = a; /*@rem_assign*/ v %= b; v }
}

#[kernel]
fn step_by(step: usize, y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in /*@step_by*/ (0..10u32).step_by(step * i) {
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
    /*@quotient*/ a / b
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
unsafe fn in_two_dimensions(y: &mut [u32]) {
    let at = global_id(1) * 100 + global_id(0);
    y[/*@none*/ 0] = 1;
    if global_id(0) == 12 && global_id(1) == 7 {
        /*@in_2d*/ y[at + 1_000_000] = 1;
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
    check_eq!((fault.line, fault.column), place(expected.place), "line and column");
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

/// One operator, some of whose items fault: the others have their results.
macro_rules! check_division {
    ($suite:ident $($name:ident $t:ident: [$($a:literal $b:literal),+] $faulty:expr, $message:literal;)+) => {$(
        $suite.kernel::<$name>();
        $suite.case(case_path!(concat!(stringify!($name), "::", $message)), &[], |device| {
            let queue = device.queue()?;
            let pairs: [($t, $t); 6] = [$(($a, $b)),+];
            let (x, y) = (queue.upload(&pairs.map(|p| p.0))?, queue.upload(&pairs.map(|p| p.1))?);
            let mut out = queue.zeros::<$t>(6)?;
            launch!(queue, $name(&x, &y, &mut out), global = 6, local = 4)?;
            let name = stringify!($name);
            check_fault(queue.synchronize(), &Expected { kernel: name, place: name, message: $message, items: &$faulty })?;
            let out = queue.download(&out)?;
            for (i, out) in out.into_iter().enumerate() {
                let item = $faulty.contains(&i);
                check_eq!((out == 99), item, "item {i} gave {out}");
            }
            check_usable(&queue)
        });
    )+};
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
    suite.kernel::<good>();
    add_indices(suite);
    check_division! {
        suite
        div i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3], "attempt to divide by zero";
        div i32: [1 1, 2147483647 -1, -7 2, -2147483648 -1, 3 1, 9 4] [3], "attempt to divide with overflow";
        rem i32: [1 1, 5 0, -7 2, 0 0, 3 1, 9 4] [1, 3], "attempt to calculate the remainder with a divisor of zero";
        rem i32: [1 1, 5 1, -7 2, -2147483648 -1, 3 1, 9 4] [3], "attempt to calculate the remainder with overflow";
        div_i8: i8 [1 1, -128 -1, -7 2, 1 2, 3 1, 9 4] [1], "attempt to divide with overflow";
    }
    add_control(suite);
    add_queues(suite);
}
