//! `println!`: the lines that the host version prints, whole, from every device, and results as without it.

use crate::case::{Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::Error;
use gridfn::prelude::*;
use std::sync::{Arc, Mutex};

#[derive(Clone, Copy, DeviceCopy, Debug)]
struct Pair {
    a: u8,
    b: i64,
}

#[derive(Clone, Copy, DeviceCopy, Debug)]
#[repr(u8)]
#[expect(dead_code, reason = "its `Debug` shows the fields")]
enum Shape {
    Empty,
    Square(f32, i16),
}

#[device]
fn halved(x: u32) -> u32 {
    println!("half of {x} is {}", x / 2);
    x / 2
}

#[kernel]
fn forms(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let (v, width) = (x[i], 7);
    println!();
    println!("item");
    println!("{i}: {} {v:?} {:.3} {:x} {:#06b}", v, v as f32 / 3.0, v, v);
    println!("{{}} {:>width$}|{:<5}|{:+}", v, true, -1i8, width = width);
    println!("{:?} {:?}", Pair { a: 3, b: -5 }, [v as u64 + u32::MAX as u64, 2]);
    std::println!("{:?} {:?} {}", Shape::Square(1.5, -3), Shape::Empty, f64_free(i));
    y[i] = halved(v) + 1;
}

#[device]
fn f64_free(i: usize) -> i64 {
    i64::MIN + i as i64
}

/// What one item of `forms` prints.
fn lines_of(i: usize, v: u32) -> Vec<String> {
    let width = 7;
    vec![
        String::new(),
        "item".into(),
        format!("{i}: {} {v:?} {:.3} {:x} {:#06b}", v, v as f32 / 3.0, v, v),
        format!("{{}} {v:>width$}|{:<5}|{:+}", true, -1i8),
        format!("{:?} {:?}", Pair { a: 3, b: -5 }, [v as u64 + u32::MAX as u64, 2]),
        format!(
            "{:?} {:?} {}",
            Shape::Square(1.5, -3),
            Shape::Empty,
            i64::MIN + i as i64
        ),
        format!("half of {v} is {}", v / 2),
    ]
}

/// Lines in a loop, under a condition, from many items.
#[kernel]
fn squares(n: u32, y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in 0..n {
        sum += k * i as u32;
        if k % 2 == 1 {
            println!("{i} {k} {sum}");
        }
    }
    y[i] = sum;
}

#[kernel]
fn silent_squares(n: u32, y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for k in 0..n {
        sum += k * i as u32;
    }
    y[i] = sum;
}

#[kernel]
fn prints_and_faults(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    println!("before {i}");
    y[i] = 10 / x[i];
    println!("after {i}");
}

#[kernel]
fn generic<T: Scalar + std::fmt::Display>(x: &[T]) {
    let v = x[global_id(0)];
    println!("<{v}>");
}

/// A queue, and the lines that were printed on it so far.
fn queue_of(device: &Device) -> gridfn::Result<(Queue, impl Fn() -> Vec<String>)> {
    let queue = device.queue()?;
    let lines = Arc::new(Mutex::new(vec![]));
    let to = lines.clone();
    queue.on_print(move |line| {
        if let Ok(mut lines) = to.lock() {
            lines.push(line.to_string());
        }
    });
    let taken = move || {
        lines
            .lock()
            .map(|mut l| std::mem::take(&mut *l))
            .unwrap_or_default()
    };
    Ok((queue, taken))
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

fn format_strings(device: &Device) -> Outcome {
    let (queue, lines) = queue_of(device)?;
    let numbers = [7, 0, u32::MAX, 1000];
    let x = queue.upload(&numbers)?;
    let mut y = queue.zeros::<u32>(4)?;
    // One item's lines are in its order.
    for (i, v) in numbers.into_iter().enumerate() {
        launch!(queue, forms(&x, &mut y), global = i..i + 1)?;
        queue.synchronize()?;
        check_eq!(lines(), lines_of(i, v));
    }
    check_eq!(queue.download(&y)?, [4, 1, u32::MAX / 2 + 1, 501]);
    launch!(queue, forms(&x, &mut y), global = 4)?;
    queue.download(&y)?;
    let expected = numbers.iter().enumerate().flat_map(|(i, v)| lines_of(i, *v));
    check_eq!(sorted(lines()), sorted(expected.collect()));
    // A line is printed once.
    queue.synchronize()?;
    check_eq!(lines(), Vec::<String>::new());
    Ok(())
}

fn many_items(device: &Device) -> Outcome {
    let (queue, lines) = queue_of(device)?;
    let (items, n) = (300, 6);
    let mut y = queue.zeros::<u32>(items)?;
    for _ in 0..2 {
        launch!(queue, squares(n, &mut y), global = items)?;
    }
    let found = queue.download(&y)?;
    let mut expected = vec![];
    for i in 0..items as u32 {
        for (k, sum) in [(1, i), (3, 6 * i), (5, 15 * i)] {
            expected.extend([format!("{i} {k} {sum}"), format!("{i} {k} {sum}")]);
        }
    }
    check_eq!(sorted(lines()), sorted(expected));
    let mut silent = queue.zeros::<u32>(items)?;
    launch!(queue, silent_squares(n, &mut silent), global = items)?;
    check_eq!(queue.download(&silent)?, found);
    check_eq!(lines(), Vec::<String>::new());
    Ok(())
}

/// What a device has no room for is counted, and the next launch prints again.
fn too_many_lines(device: &Device) -> Outcome {
    let (queue, lines) = queue_of(device)?;
    let (items, n) = (1000, 100);
    let mut y = queue.zeros::<u32>(items)?;
    launch!(queue, squares(n, &mut y), global = items)?;
    let expected: Vec<u32> = (0..items as u32).map(|i| i * (n * (n - 1) / 2)).collect();
    check_eq!(queue.download(&y)?, expected);
    let printed = lines();
    let all = items * n as usize / 2;
    let (lines_printed, lost) = match printed.split_last() {
        Some((last, before)) if last.starts_with('[') => {
            let count = last.trim_start_matches('[').split(' ').next();
            (
                before.len(),
                count.and_then(|n| n.parse::<usize>().ok()).unwrap_or(0),
            )
        }
        _ => (printed.len(), 0),
    };
    check_eq!(lines_printed + lost, all, "{lost} lost");
    if *device == Device::host() {
        check_eq!(lost, 0);
    }
    launch!(queue, squares(2, &mut y), global = 1)?;
    queue.synchronize()?;
    check_eq!(lines(), ["0 1 0"]);
    Ok(())
}

fn with_faults(device: &Device) -> Outcome {
    let (queue, lines) = queue_of(device)?;
    let x = queue.upload(&[1u32, 0, 2])?;
    let mut y = queue.zeros::<u32>(3)?;
    launch!(queue, prints_and_faults(&x, &mut y), global = 3)?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        return Err("no fault".into());
    };
    check_eq!((fault.id, fault.count), ([1, 0, 0], 1));
    check_eq!(
        sorted(lines()),
        ["after 0", "after 2", "before 0", "before 1", "before 2"]
    );
    check_eq!(queue.download(&y)?, [10, 0, 5]);
    Ok(())
}

fn from_everywhere(device: &Device) -> Outcome {
    let (queue, lines) = queue_of(device)?;
    let (x, small) = (queue.upload(&[1.5f32, -2.0])?, queue.upload(&[-7i8])?);
    launch!(queue, generic(&x), global = 2)?;
    launch!(queue, generic(&small), global = 1)?;
    let k = 3;
    launch!(queue, |[a, b]| println!("{k} {a} {b} {}", x[b]), global = [1, 2])?;
    let prepared = generic::prepare::<i8>(&queue)?;
    launch!(prepared, generic(&small), global = 1)?;
    queue.synchronize()?;
    check_eq!(
        sorted(lines()),
        ["3 0 0 1.5", "3 0 1 -2", "<-2>", "<-7>", "<-7>", "<1.5>"]
    );
    // Two queues have their own lines, and the last ones come when a queue is dropped.
    let (other, others) = queue_of(device)?;
    launch!(other, generic(&small), global = 1)?;
    launch!(queue, generic(&x), global = 1)?;
    drop((prepared, queue, other));
    check_eq!((lines(), others()), (vec!["<1.5>".into()], vec!["<-7>".into()]));
    Ok(())
}

/// Without a hook lines go to the program's own output, which nobody sees here.
fn without_a_hook(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x = queue.upload(&[1u8])?;
    launch!(queue, generic(&x), global = 1)?;
    check_matches!(queue.synchronize(), Ok(()));
    Ok(())
}

/// Adds all cases.
pub(crate) fn add_to(suite: &mut Suite) {
    suite.kernel::<forms>();
    suite.kernel::<squares>();
    suite.kernel::<silent_squares>();
    suite.kernel::<prints_and_faults>();
    suite.case(case_path!("format_strings"), &[], format_strings);
    suite.case(case_path!("many_items"), &[], many_items);
    suite.case(case_path!("too_many_lines"), &[], too_many_lines);
    suite.case(case_path!("with_faults"), &[], with_faults);
    suite.case(case_path!("from_everywhere"), &[], from_everywhere);
    suite.case(case_path!("without_a_hook"), &[], without_a_hook);
}
