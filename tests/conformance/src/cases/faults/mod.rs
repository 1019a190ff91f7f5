//! Faults: place, message, item and count; nothing else is harmed, and the queue goes on.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::prelude::*;
use gridfn::{Error, Result};

mod closures;
mod operators;
mod words;

/// A file in which places of faults are marked.
struct Source {
    /// The end of its path.
    file: &'static str,
    text: &'static str,
}

const HERE: Source = Source {
    file: "cases/faults/mod.rs",
    text: include_str!("mod.rs"),
};

impl Source {
    /// Line and column, from 1, of what stands behind the comment `/*@name*/`.
    fn place(&self, name: &str) -> (u32, u32) {
        let mark = format!("/*@{name}*/");
        let at = self
            .text
            .find(&mark)
            .unwrap_or_else(|| panic!("no place is marked {mark}"))
            + mark.len();
        let at = at + self.text[at..].len() - self.text[at..].trim_start().len();
        let before = &self.text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.lines().last().unwrap_or_default().chars().count() + 1;
        (line as u32, column as u32)
    }
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
    y[i] = crate::cases::device_functions::remainder(100, x[i]);
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
fn check_fault(source: &Source, result: Result<()>, expected: &Expected) -> Outcome {
    let fault = match result {
        Err(Error::Fault(fault)) => fault,
        other => return Err(format!("expected a fault, found {other:?}").into()),
    };
    check_eq!(fault.kernel, expected.kernel);
    check_eq!(fault.message, expected.message);
    check_eq!(fault.file.ends_with(source.file), true, "{}", fault.file);
    check_eq!(
        (fault.line, fault.column),
        source.place(expected.place),
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

fn add_indices(suite: &mut Suite) {
    suite.case(case_path!("read"), &[], |device| {
        let queue = device.queue()?;
        let (x, mut y) = (queue.upload(&[10u32; 20])?, queue.upload(&[7u32; 25])?);
        launch!(queue, read_beyond(3, &x, &mut y), global = 18, local = 8)?;
        let message = "index out of bounds: the len is 20 but the index is 20";
        check_fault(
            &HERE,
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
                &HERE,
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
        check_fault(&HERE, queue.synchronize(), &expected)?;
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
        check_fault(&HERE, queue.synchronize(), &expected)?;
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
        check_fault(&HERE, queue.synchronize(), &expected)?;
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
        check_fault(&HERE, queue.synchronize(), &expected)?;
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
        check_eq!((fault.line, fault.column), HERE.place("in_2d"));
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
            &HERE,
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
            &HERE,
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
            &HERE,
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
        check_eq!(fault.line, crate::cases::device_functions::REMAINDER_LINE);
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
    operators::add_to(suite);
    closures::add_to(suite);
    words::add_to(suite);
    add_indices(suite);
    add_control(suite);
    add_queues(suite);
}
