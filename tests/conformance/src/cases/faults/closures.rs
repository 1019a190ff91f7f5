//! Faults in closures, at captures, and at parts of structs, tuples and arrays.

use super::{Expected, Source, check_fault, check_usable};
use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Device, Error};

const HERE: Source = Source {
    file: "cases/faults/closures.rs",
    text: include_str!("closures.rs"),
};

/// Checks the fault of a closure.
fn check(queue: &Queue, place: &str, message: &str, items: &[usize]) -> Outcome {
    let expected = Expected {
        kernel: "closure",
        place,
        message,
        items,
    };
    check_fault(&HERE, queue.synchronize(), &expected)
}

struct Owner {
    x: Buffer<u32>,
    table: [u32; 3],
}

fn reads(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, mut y) = (queue.upload(&[10u32; 20])?, queue.upload(&[7u32; 25])?);
    launch!(queue, |i| y[i] = /*@read*/ x[i + 3], global = 18)?;
    check(
        &queue,
        "read",
        "index out of bounds: the len is 20 but the index is 20",
        &[17],
    )?;
    let mut expected = [7; 25];
    expected[..17].fill(10);
    check_eq!(queue.download(&y)?, expected);
    let owner = Owner { x, table: [1, 2, 3] };
    launch!(
        queue,
        |i| {
            let k = 1 + /*@read_field*/ owner.x[i * 10];
            y[i] = k;
        },
        global = 3
    )?;
    check(
        &queue,
        "read_field",
        "index out of bounds: the len is 20 but the index is 20",
        &[2],
    )?;
    launch!(
        queue,
        |i| y[i] = 5 * /*@read_array*/ (owner.table[i + 1]),
        global = 3
    )?;
    check(
        &queue,
        "read_array",
        "index out of bounds: the len is 3 but the index is 3",
        &[2],
    )?;
    let none: [u8; 0] = [];
    launch!(queue, |i| y[i] = /*@read_nothing*/ none[i] as u32, global = 1)?;
    check(
        &queue,
        "read_nothing",
        "index out of bounds: the len is 0 but the index is 0",
        &[0],
    )?;
    check_usable(&queue)
}

fn writes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.upload(&[7u32; 16])?;
    launch!(queue, |i| /*@write*/ y[i] = 3, global = 17)?;
    let message = "index out of bounds: the len is 16 but the index is 16";
    check(&queue, "write", message, &[16])?;
    let pair = (1u32, &mut y);
    launch!(queue, |i| /*@add*/ pair.1[i] += pair.0, global = 17)?;
    check(&queue, "add", message, &[16])?;
    check_eq!(queue.download(&y)?, [4; 16]);
    // SAFETY: the one item that gets there meets nobody.
    launch!(
        queue,
        unsafe {
            |i| {
                if i == 4 {
                    /*@far*/
                    y[i << 60] = 1;
                }
            }
        },
        global = 5
    )?;
    let message = format!(
        "index out of bounds: the len is 16 but the index is {}",
        4u64 << 60
    );
    check(&queue, "far", &message, &[4])?;
    check_usable(&queue)
}

/// The type of a capture is not known where the operator stands, so its fault is at the operator itself.
fn operators(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (mut y, k) = (queue.zeros::<u32>(8)?, 3u32);
    launch!(queue, |i| y[i] = 100 /*@div*/ / (k - i as u32), global = 8)?;
    check(&queue, "div", "attempt to divide by zero", &[3])?;
    let p = (0u32, 5i32);
    launch!(queue, |i| y[i] = i as u32 + k /*@rem*/ % p.0, global = 1)?;
    check(
        &queue,
        "rem",
        "attempt to calculate the remainder with a divisor of zero",
        &[0],
    )?;
    check_usable(&queue)
}

/// The second closure of a launch tells its own place, and so does one that a macro wrote.
fn in_a_stored_closure(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, y) = (queue.upload(&[1u32; 4])?, queue.zeros::<u32>(8)?);
    let mut c = closure!(move |i| y[i] = /*@stored*/ x[i]);
    launch!(queue, &mut c, global = 4)?;
    queue.synchronize()?;
    for _ in 0..2 {
        launch!(queue, &mut c, global = 5)?;
        check(
            &queue,
            "stored",
            "index out of bounds: the len is 4 but the index is 4",
            &[4],
        )?;
    }
    let prepared = c.prepare(&queue)?;
    launch!(prepared, &mut c, global = 4..5)?;
    check(
        &queue,
        "stored",
        "index out of bounds: the len is 4 but the index is 4",
        &[4],
    )?;
    check_usable(&queue)
}

fn in_three_dimensions(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(2)?;
    launch!(
        queue,
        |[x, row, z]| {
            let at = x * 100 + row * 10 + z;
            if at == 253 {
                /*@in_3d*/
                y[global_linear_id()] = 1;
            }
        },
        global = [1..4, 4..7, 3..5]
    )?;
    let fault = match queue.synchronize() {
        Err(Error::Fault(fault)) => fault,
        other => return Err(format!("expected a fault, found {other:?}").into()),
    };
    check_eq!(fault.id, [2, 5, 3]);
    check_eq!((fault.line, fault.column), HERE.place("in_3d"));
    check_eq!(fault.count, 1);
    check_usable(&queue)
}

#[derive(KernelArg)]
struct Parts<'a> {
    x: &'a Buffer<u32>,
    inner: Inner<'a>,
}

#[derive(KernelArg)]
struct Inner<'a> {
    y: &'a mut Buffer<u32>,
    table: [u16; 3],
}

#[kernel]
fn in_fields(p: Parts<'_>, mode: u32) {
    let i = global_id(0);
    if mode == 0 {
        p.inner.y[i] = /*@field_shared*/ p.x[i];
    } else if mode == 1 {
        /*@field_unique*/
        p.inner.y[i] = 1;
    } else {
        p.inner.y[i] = /*@field_array*/ p.inner.table[i] as u32;
    }
}

#[kernel]
fn in_tuples(t: (&[u32], (u32, &mut [u32])), a: [u32; 2]) {
    let i = global_id(0);
    if t.1.0 == 0 {
        t.1.1[i] = /*@part_shared*/ t.0[i];
    } else if t.1.0 == 1 {
        /*@part_unique*/
        t.1.1[i] = 1;
    } else {
        t.1.1[i] = /*@array*/ a[i];
    }
}

fn parts(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (x, mut y) = (queue.upload(&[1u32; 4])?, queue.zeros::<u32>(8)?);
    for (mode, place, len) in [
        (0, "field_shared", 4),
        (1, "field_unique", 8),
        (2, "field_array", 3),
    ] {
        let inner = Inner {
            y: &mut y,
            table: [1, 2, 3],
        };
        launch!(queue, in_fields(Parts { x: &x, inner }, mode), global = len + 1)?;
        let message = format!("index out of bounds: the len is {len} but the index is {len}");
        let expected = Expected {
            kernel: "in_fields",
            place,
            message: &message,
            items: &[len],
        };
        check_fault(&HERE, queue.synchronize(), &expected)?;
    }
    for (mode, place, len) in [(0, "part_shared", 4), (1, "part_unique", 8), (2, "array", 2)] {
        launch!(queue, in_tuples((&x, (mode, &mut y)), [8, 9]), global = len + 1)?;
        let message = format!("index out of bounds: the len is {len} but the index is {len}");
        let expected = Expected {
            kernel: "in_tuples",
            place,
            message: &message,
            items: &[len],
        };
        check_fault(&HERE, queue.synchronize(), &expected)?;
    }
    check_usable(&queue)
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<in_fields>();
    suite.kernel::<in_tuples>();
    suite.case(case_path!("reads"), &[], reads);
    suite.case(case_path!("writes"), &[], writes);
    suite.case(case_path!("operators"), &[], operators);
    suite.case(case_path!("in_a_stored_closure"), &[], in_a_stored_closure);
    suite.case(case_path!("in_three_dimensions"), &[], in_three_dimensions);
    suite.case(case_path!("parts"), &[], parts);
}
