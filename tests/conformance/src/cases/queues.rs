//! Asynchronous launches, dropped buffers, several queues, several threads.

use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::samples::Random;
use gridfn::__private::KernelType;
use gridfn::prelude::*;
use std::sync::Barrier;
use std::thread;

#[kernel]
fn tally(add: u32, scale: u64, x: &[u32], y: &mut [u64]) {
    let i = global_id(0);
    y[i] = y[i] * 3
        + x[i] as u64 * scale
        + add as u64
        + (x.len() * 1000 + y.len()) as u64
        + global_size(0) as u64;
}

/// What `tally` does to the first `n` elements.
fn plain_tally(add: u32, scale: u64, x: &[u32], y: &mut [u64], n: usize) {
    let lengths = (x.len() * 1000 + y.len() + n) as u64;
    for (y, x) in y[..n].iter_mut().zip(x) {
        let sum = (u64::from(*x) * scale)
            .wrapping_add(add.into())
            .wrapping_add(lengths);
        *y = y.wrapping_mul(3).wrapping_add(sum);
    }
}

/// Launches with ever other buffers, lengths and scalars; a mix-up with another thread's would show.
fn launch_and_check(queue: &Queue, name: &str, launches: usize) -> gridfn::Result<Option<String>> {
    let mut random = Random::of(name);
    let lengths = [17, 40, 64].map(|n| n + random.below(20) as usize);
    let data = lengths.map(|n| (0..n).map(|_| random.bits() as u32).collect::<Vec<u32>>());
    let mut expected = lengths.map(|n| vec![0u64; n + 3]);
    let mut inputs = vec![];
    let mut outputs = vec![];
    for (data, n) in data.iter().zip(lengths) {
        inputs.push(queue.upload(data)?);
        outputs.push(queue.zeros::<u64>(n + 3)?);
    }
    for launch in 0..launches {
        let k = random.below(3) as usize;
        let n = 1 + random.below(lengths[k] as u64) as usize;
        let (add, scale) = (random.bits() as u32, random.below(1 << 20));
        launch!(queue, tally(add, scale, &inputs[k], &mut outputs[k]), global = n)?;
        plain_tally(add, scale, &data[k], &mut expected[k], n);
        if launch % 250 == 249 || launch == launches - 1 {
            for k in 0..3 {
                if queue.download(&outputs[k])? != expected[k] {
                    return Ok(Some(format!("{name}: wrong at launch {launch}")));
                }
            }
        }
    }
    Ok(None)
}

/// Runs two threads, of one queue or of two.
fn two_threads(one: &Queue, two: &Queue) -> Outcome {
    let results = thread::scope(|scope| {
        let threads = [(one, "one"), (two, "two")]
            .map(|(queue, name)| scope.spawn(move || launch_and_check(queue, name, 5000)));
        threads.map(|thread| thread.join())
    });
    for result in results {
        let mixed = result.map_err(|_| "a thread panicked")??;
        check_eq!(mixed, None);
    }
    Ok(())
}

/// A launch that takes its time. llvmpipe ends a work-item's loops after 65,535 rounds in all: stay below.
#[kernel]
fn sum_of_all(rounds: u32, x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let mut sum = 0;
    for _ in 0..rounds {
        for k in 0..x.len() {
            sum += x[k];
        }
    }
    y[i] = sum + i as u32;
}

#[kernel]
fn add_one(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

#[kernel]
fn add_to_all(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] += x[i];
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<tally>();
    suite.kernel::<sum_of_all>();
    suite.kernel::<add_one>();
    suite.kernel::<add_to_all>();
    suite.kernel::<first_used_by_many>();
    suite.case(case_path!("two_threads_on_one_queue"), &[], |device| {
        let queue = device.queue()?;
        two_threads(&queue, &queue)
    });
    suite.case(case_path!("two_threads_on_two_queues"), &[], |device| {
        two_threads(&device.queue()?, &device.queue()?)
    });
    suite.case(case_path!("a_buffer_dropped_after_the_launch"), &[], |device| {
        let queue = device.queue()?;
        let mut outputs = vec![];
        for k in 0..20 {
            let x = queue.upload(&vec![k; 1000])?;
            let mut y = queue.zeros::<u32>(16)?;
            launch!(queue, sum_of_all(10, &x, &mut y), global = 16)?;
            drop(x);
            // What takes its place must not be seen.
            drop(queue.upload(&vec![1_000_000u32; 1000])?);
            outputs.push(y);
        }
        for (k, y) in outputs.iter().enumerate() {
            let expected: Vec<u32> = (0..16).map(|i| k as u32 * 1000 * 10 + i).collect();
            check_eq!(queue.download(y)?, expected, "launch {k}");
        }
        Ok(())
    });
    suite.case(case_path!("an_output_dropped_after_the_launch"), &[], |device| {
        let queue = device.queue()?;
        let x = queue.upload(&vec![1u32; 1000])?;
        for _ in 0..20 {
            let mut y = queue.zeros::<u32>(16)?;
            launch!(queue, sum_of_all(10, &x, &mut y), global = 16)?;
        }
        let kept = queue.upload(&[7u32; 16])?;
        check_eq!(queue.download(&kept)?, [7; 16]);
        Ok(())
    });
    suite.case(case_path!("a_queue_dropped_after_the_launch"), &[], |device| {
        let queue = device.queue()?;
        let other = device.queue()?;
        let (x, mut y) = (queue.upload(&vec![2u32; 1000])?, queue.zeros::<u32>(16)?);
        launch!(queue, sum_of_all(10, &x, &mut y), global = 16)?;
        drop(queue);
        let expected: Vec<u32> = (0..16).map(|i| 2 * 1000 * 10 + i).collect();
        check_eq!(other.download(&y)?, expected);
        Ok(())
    });
    suite.case(case_path!("written_on_one_and_read_on_another"), &[], |device| {
        let (one, two) = (device.queue()?, device.queue()?);
        let mut shared = one.zeros::<u32>(1000)?;
        let mut sum = one.zeros::<u32>(1000)?;
        let mut expected = 0;
        for round in 1..=200u32 {
            launch!(one, add_one(&mut shared), global = 1000)?;
            launch!(two, add_to_all(&shared, &mut sum), global = 1000)?;
            expected += round;
        }
        check_eq!(two.download(&sum)?, vec![expected; 1000]);
        check_eq!(two.download(&shared)?, vec![200; 1000]);
        Ok(())
    });
    suite.case(case_path!("transfers_wait_for_other_queues"), &[], |device| {
        let (one, two) = (device.queue()?, device.queue()?);
        let x = one.upload(&vec![3u32; 1000])?;
        let (mut y, mut z) = (one.zeros::<u32>(16)?, two.zeros::<u32>(16)?);
        for round in 1..20u32 {
            launch!(one, sum_of_all(round, &x, &mut y), global = 16)?;
            two.copy(&y, &mut z)?;
            one.fill(&mut y, 0)?;
            let expected: Vec<u32> = (0..16).map(|i| 3000 * round + i).collect();
            check_eq!(two.download(&z)?, expected, "round {round}");
            check_eq!(two.download(&y)?, [0; 16], "round {round}");
        }
        Ok(())
    });
    suite.case(case_path!("many_launches_before_one_wait"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(100)?;
        for _ in 0..3000 {
            launch!(queue, add_one(&mut y), global = 100)?;
        }
        check_eq!(queue.download(&y)?, [3000; 100]);
        Ok(())
    });
    suite.case(case_path!("compiled_once_for_many_threads"), &[], |device| {
        let queue = device.queue()?;
        let begin = Barrier::new(16);
        let compile = || -> gridfn::Result<Vec<u32>> {
            let mut y = queue.zeros::<u32>(10)?;
            begin.wait();
            launch!(queue, first_used_by_many(&mut y), global = 10)?;
            queue.download(&y)
        };
        let results =
            thread::scope(|scope| [0; 16].map(|_| scope.spawn(compile)).map(|thread| thread.join()));
        for result in results {
            check_eq!(result.map_err(|_| "a thread panicked")??, [77; 10]);
        }
        let made = <first_used_by_many as KernelType>::KERNEL.cache.compilations();
        // The host finds nothing out about a kernel that it runs on one thread.
        let none = *device == Device::host() && device.info().compute_units == 1;
        check_eq!(made, usize::from(!none));
        Ok(())
    });
}

#[kernel]
fn first_used_by_many(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 77;
}
