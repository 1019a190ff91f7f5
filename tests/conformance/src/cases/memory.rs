//! Vectors that become buffers and back, buffers mapped into the program, and copies between devices.

use crate::case::{Need, Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Error, MappedMut};
use std::{mem, thread};

#[kernel]
fn increment(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

#[kernel]
fn add(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] += x[i];
}

/// Launched with more items than there are elements.
#[kernel]
fn past_the_end(y: &mut [u32]) {
    let i = global_id(0);
    y[i] = 9;
}

const N: usize = 1000;

fn numbers() -> Vec<u32> {
    (0..N as u32).collect()
}

fn plus(add: u32) -> Vec<u32> {
    (0..N as u32).map(|n| n + add).collect()
}

fn vectors(suite: &mut Suite) {
    suite.case(case_path!("adopted"), &[], |device| {
        let queue = device.queue()?;
        let mut buffer = queue.adopt(numbers())?;
        check_eq!(buffer.len(), N);
        launch!(queue, increment(&mut buffer), global = N)?;
        check_eq!(queue.download(&buffer)?, plus(1));
        launch!(queue, increment(&mut buffer), global = N)?;
        check_eq!(buffer.into_vec()?, plus(2));
        let empty = queue.adopt(Vec::<f32>::new())?;
        check_eq!(empty.into_vec()?, Vec::<f32>::new());
        Ok(())
    });
    suite.case(case_path!("adopted_without_a_copy"), &[Need::Host], |device| {
        fn check<T: DeviceCopy + PartialEq + std::fmt::Debug>(queue: &Queue, value: T) -> Outcome {
            for (len, capacity) in [(1, 1), (7, 100), (0, 9)] {
                let mut data = Vec::with_capacity(capacity);
                data.resize(len, value);
                let (address, capacity) = (data.as_ptr(), data.capacity());
                let buffer = queue.adopt(data)?;
                if len > 0 {
                    check_eq!(queue.map(&buffer)?.as_ptr(), address);
                }
                let data = buffer.into_vec()?;
                check_eq!((data.as_ptr(), data.capacity()), (address, capacity));
                check_eq!(data, vec![value; len]);
            }
            Ok(())
        }
        let queue = device.queue()?;
        check(&queue, 3u8)?;
        check(&queue, true)?;
        check(&queue, -7i16)?;
        check(&queue, 1.5f64)
    });
    suite.case(case_path!("into_vec_of_any_buffer"), &[], |device| {
        let queue = device.queue()?;
        check_eq!(queue.upload(&numbers())?.into_vec()?, numbers());
        check_eq!(queue.zeros::<u32>(3)?.into_vec()?, [0; 3]);
        let mut filled = queue.zeros::<u8>(5)?;
        queue.fill(&mut filled, 7)?;
        check_eq!(filled.into_vec()?, [7; 5]);
        Ok(())
    });
    suite.case(case_path!("into_vec_waits_for_every_queue"), &[], |device| {
        let queues = [device.queue()?, device.queue()?, device.queue()?];
        for round in 0..10 {
            let mut buffer = queues[0].upload(&numbers())?;
            for n in 0..30 {
                launch!(queues[n % 3], increment(&mut buffer), global = N)?;
            }
            check_eq!(buffer.into_vec()?, plus(30), "round {round}");
        }
        // The queue may be gone.
        let queue = device.queue()?;
        let mut buffer = queue.upload(&numbers())?;
        launch!(queue, increment(&mut buffer), global = N)?;
        drop(queue);
        check_eq!(buffer.into_vec()?, plus(1));
        Ok(())
    });
    suite.case(case_path!("into_vec_tells_no_faults"), &[], |device| {
        let queue = device.queue()?;
        let mut buffer = queue.zeros::<u32>(4)?;
        launch!(queue, past_the_end(&mut buffer), global = 5)?;
        check_eq!(buffer.into_vec()?, [9; 4]);
        check_matches!(queue.synchronize(), Err(Error::Fault(_)));
        Ok(())
    });
}

fn maps(suite: &mut Suite) {
    suite.case(case_path!("mapped"), &[], |device| {
        let (queue, other) = (device.queue()?, device.queue()?);
        let mut buffer = queue.upload(&numbers())?;
        for round in 1..=20 {
            launch!(queue, increment(&mut buffer), global = N)?;
            check_eq!(*other.map(&buffer)?, *plus(2 * round - 1));
            let mut mapped = queue.map_mut(&mut buffer)?;
            check_eq!(*mapped, *plus(2 * round - 1));
            mapped.iter_mut().for_each(|n| *n += 1);
            drop(mapped);
            check_eq!(other.download(&buffer)?, plus(2 * round), "round {round}");
        }
        let mut sum = other.zeros::<u32>(N)?;
        let mut mapped = queue.map_mut(&mut buffer)?;
        mapped.fill(5);
        mapped.unmap()?;
        launch!(other, add(&buffer, &mut sum), global = N)?;
        let mapped = other.map(&sum)?;
        check_eq!(*mapped, [5; N]);
        mapped.unmap()?;
        Ok(())
    });
    suite.case(case_path!("mapped_while_kernels_read"), &[], |device| {
        let (queue, other) = (device.queue()?, device.queue()?);
        let x = queue.upload(&numbers())?;
        let mut sum = queue.zeros::<u32>(N)?;
        let (one, two) = (queue.map(&x)?, other.map(&x)?);
        launch!(queue, add(&x, &mut sum), global = N)?;
        drop(one);
        launch!(other, add(&x, &mut sum), global = N)?;
        check_eq!(*two, *numbers());
        drop(two);
        let expected: Vec<u32> = numbers().iter().map(|n| 2 * n).collect();
        check_eq!(queue.download(&sum)?, expected);
        Ok(())
    });
    suite.case(case_path!("forgotten_guards"), &[], |device| {
        let (queue, other) = (device.queue()?, device.queue()?);
        let mut buffer = queue.upload(&numbers())?;
        for round in 0..10 {
            let mut mapped = queue.map_mut(&mut buffer)?;
            mapped.iter_mut().for_each(|n| *n += 1);
            mem::forget(mapped);
            mem::forget(other.map(&buffer)?);
            mem::forget(queue.map(&buffer)?);
            launch!(other, increment(&mut buffer), global = N)?;
            check_eq!(queue.download(&buffer)?, plus(2 * round + 2), "round {round}");
        }
        // A use of every kind ends what was left.
        mem::forget(queue.map_mut(&mut buffer)?);
        queue.write(&mut buffer, &numbers())?;
        check_eq!(*queue.map(&buffer)?, *numbers());
        mem::forget(queue.map_mut(&mut buffer)?);
        let mut copy = other.zeros::<u32>(N)?;
        other.copy(&buffer, &mut copy)?;
        check_eq!(queue.download(&copy)?, numbers());
        mem::forget(queue.map_mut(&mut copy)?);
        other.fill(&mut copy, 3)?;
        check_eq!(other.download(&copy)?, [3; N]);
        mem::forget(queue.map_mut(&mut buffer)?);
        drop(queue);
        check_eq!(buffer.into_vec()?, numbers());
        mem::forget(other.map_mut(&mut copy)?);
        drop(copy);
        other.synchronize()?;
        Ok(())
    });
    suite.case(case_path!("swapped_guards"), &[], |device| {
        let queue = device.queue()?;
        let (mut a, mut b) = (queue.upload(&[1u32; 100])?, queue.upload(&[2u32; 70])?);
        {
            let (mut x, mut y) = (queue.map_mut(&mut a)?, queue.map_mut(&mut b)?);
            mem::swap::<MappedMut<'_, u32>>(&mut x, &mut y);
            check_eq!((x.len(), y.len()), (70, 100));
            x.fill(20);
            drop(x);
            y.fill(10);
        }
        check_eq!(queue.download(&a)?, [10; 100]);
        check_eq!(queue.download(&b)?, [20; 70]);
        {
            let (mut x, mut y) = (queue.map(&a)?, queue.map(&b)?);
            mem::swap(&mut x, &mut y);
            drop(y);
            check_eq!(*x, [20; 70]);
        }
        mem::swap(&mut a, &mut b);
        launch!(queue, increment(&mut a), global = 70)?;
        check_eq!(
            (queue.download(&a)?, b.into_vec()?),
            (vec![21; 70], vec![10; 100])
        );
        Ok(())
    });
    suite.case(case_path!("mapped_by_many_threads"), &[], |device| {
        let queues = [device.queue()?, device.queue()?];
        let buffer = queues[0].upload(&numbers())?;
        let read = |queue: &Queue| -> gridfn::Result<bool> {
            let mut right = true;
            for n in 0..100 {
                let mapped = queue.map(&buffer)?;
                right &= *mapped == *numbers();
                if n % 10 == 0 {
                    mem::forget(mapped);
                }
            }
            Ok(right)
        };
        let results = thread::scope(|scope| {
            let threads = [0, 1, 0, 1].map(|n| {
                let (read, queue) = (&read, &queues[n]);
                scope.spawn(move || read(queue))
            });
            threads.map(|thread| thread.join())
        });
        for result in results {
            check_eq!(result.map_err(|_| "a thread panicked")??, true);
        }
        let mut buffer = buffer;
        launch!(queues[1], increment(&mut buffer), global = N)?;
        check_eq!(queues[0].download(&buffer)?, plus(1));
        Ok(())
    });
    suite.case(
        case_path!("used_by_many_threads_after_a_forgotten_guard"),
        &[],
        |device| {
            let queues = [0; 4].map(|_| device.queue());
            for round in 0..10 {
                let mut buffer = device.queue()?.upload(&numbers())?;
                let first = queues[0].as_ref().map_err(Clone::clone)?;
                let mut mapped = first.map_mut(&mut buffer)?;
                mapped.iter_mut().for_each(|n| *n += round);
                mem::forget(mapped);
                let results = thread::scope(|scope| {
                    let threads = queues.each_ref().map(|queue| {
                        let buffer = &buffer;
                        scope.spawn(move || queue.as_ref().map_err(Clone::clone)?.download(buffer))
                    });
                    threads.map(|thread| thread.join())
                });
                for result in results {
                    check_eq!(result.map_err(|_| "a thread panicked")??, plus(round));
                }
            }
            Ok(())
        },
    );
    suite.case(case_path!("nothing_mapped"), &[], |device| {
        let queue = device.queue()?;
        let mut none = queue.zeros::<u64>(0)?;
        check_eq!(queue.map(&none)?.len(), 0);
        queue.map_mut(&mut none)?.unmap()?;
        mem::forget(queue.map_mut(&mut none)?);
        check_eq!(queue.download(&none)?, []);
        Ok(())
    });
    suite.case(case_path!("a_fault_is_told_by_map"), &[], |device| {
        let queue = device.queue()?;
        let mut buffer = queue.zeros::<u32>(4)?;
        launch!(queue, past_the_end(&mut buffer), global = 5)?;
        check_matches!(queue.map(&buffer), Err(Error::Fault(_)));
        check_eq!(*queue.map(&buffer)?, [9; 4]);
        launch!(queue, past_the_end(&mut buffer), global = 5)?;
        check_matches!(queue.map_mut(&mut buffer), Err(Error::Fault(_)));
        // What was mapped for the one that faulted is unmapped.
        launch!(queue, increment(&mut buffer), global = 4)?;
        check_eq!(queue.download(&buffer)?, [10; 4]);
        Ok(())
    });
}

fn copies(suite: &mut Suite) {
    suite.case(case_path!("copied_between_devices"), &[], |device| {
        for other in [Device::host(), Device::null(), device.clone()] {
            let (here, there) = (device.queue()?, other.queue()?);
            let source = there.upload(&numbers())?;
            let mut target = here.zeros::<u32>(N)?;
            here.copy_from(&there, &source, &mut target)?;
            launch!(here, increment(&mut target), global = N)?;
            let mut back = there.zeros::<u32>(N)?;
            there.copy_from(&here, &target, &mut back)?;
            // The source is free: what happens to it now is not seen.
            here.fill(&mut target, 0)?;
            check_eq!(there.download(&back)?, plus(1), "{device} and {other}");

            let mut short = here.zeros::<u32>(3)?;
            check_eq!(
                here.copy_from(&there, &source, &mut short),
                Err(Error::Length {
                    expected: N,
                    found: 3
                })
            );
            let (none, mut empty) = (there.zeros::<u32>(0)?, here.zeros::<u32>(0)?);
            here.copy_from(&there, &none, &mut empty)?;
        }
        Ok(())
    });
    suite.case(
        case_path!("a_fault_before_a_copy_between_devices"),
        &[],
        |device| {
            let (here, there) = (device.queue()?, Device::null().queue()?);
            let mut source = here.zeros::<u32>(4)?;
            let mut target = there.zeros::<u32>(4)?;
            launch!(here, past_the_end(&mut source), global = 5)?;
            check_matches!(there.copy_from(&here, &source, &mut target), Err(Error::Fault(_)));
            check_eq!(there.download(&target)?, [0; 4]);
            there.copy_from(&here, &source, &mut target)?;
            check_eq!(there.download(&target)?, [9; 4]);
            Ok(())
        },
    );
    suite.case(case_path!("foreign_memory"), &[], |device| {
        let (here, there) = (device.queue()?, Device::null().queue()?);
        let foreign = Error::ForeignTransfer {
            buffer_device: "null".into(),
            queue_device: device.info().id.clone(),
        };
        for n in [0, 5] {
            let mut theirs = there.zeros::<u32>(n)?;
            check_matches!(here.map(&theirs), Err(error) if *error == foreign);
            check_matches!(here.map_mut(&mut theirs), Err(error) if *error == foreign);
        }
        Ok(())
    });
    suite.case(case_path!("swapped_queues_and_buffers"), &[], |device| {
        let (mut here, mut there) = (device.queue()?, Device::null().queue()?);
        let (mut ours, mut theirs) = (here.upload(&[1u32; 5])?, there.upload(&[2u32; 5])?);
        mem::swap(&mut here, &mut there);
        mem::swap(&mut ours, &mut theirs);
        check_eq!(
            (here.download(&ours)?, there.download(&theirs)?),
            (vec![2; 5], vec![1; 5])
        );
        check_eq!(there.device(), device);
        Ok(())
    });
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<increment>();
    suite.kernel::<add>();
    suite.kernel::<past_the_end>();
    vectors(suite);
    maps(suite);
    copies(suite);
}
