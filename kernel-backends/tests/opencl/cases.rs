//! What an OpenCL device must do.

use crate::counting::allocations;
use crate::raw;
use crate::support::*;
use gridfn_backends::opencl::{Device, OpenCl};
use gridfn_runtime::cache::Cache;
use gridfn_runtime::kernel::Ahead;
use gridfn_runtime::{Capability, DeviceCopy, Error, Fault, Kernel, Result};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

type Queue = gridfn_runtime::Queue<OpenCl>;
type Buffer<T> = gridfn_runtime::Buffer<T, OpenCl>;

/// What must hold of one device.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Device) -> Result<()>,
    /// Whether it calls the driver from several threads at once.
    pub(crate) threads: bool,
}

const fn one(name: &'static str, run: fn(&Device) -> Result<()>) -> Case {
    Case {
        name,
        run,
        threads: false,
    }
}

const fn many(name: &'static str, run: fn(&Device) -> Result<()>) -> Case {
    Case {
        name,
        run,
        threads: true,
    }
}

/// One device each.
pub(crate) const CASES: &[Case] = &[
    one("a device tells what it is", info),
    one("transfers keep every byte", transfers),
    one("a pattern of every size fills a buffer", fills),
    one("a launch runs every item of the grid and no other", exact),
    one("arguments of every alignment arrive", mixed_arguments),
    one("a fault is told once, after the copy", faults),
    many("no fault is lost between threads", concurrent_faults),
    many("threads never mix their arguments", concurrent_launches),
    many("many threads compile a kernel at once", concurrent_compilation),
    one("buffers may go right after the launch", dropped_buffers),
    one("a queue may go before its buffers", dropped_queue),
    one("a queue waits for the writer on another", writer_before_reader),
    many(
        "a writer waits for the readers on other queues",
        readers_before_writer,
    ),
    many("two queues that use each other's buffers go on", crossed_queues),
    one("an empty buffer is a buffer", empty),
    one(
        "what the compiler refuses is told with its log, each time",
        refused_code,
    ),
    one("a launch allocates nothing", no_allocations),
    one("a program uses OpenCL beside gridfn", raw::beside_gridfn),
    one("a program uses gridfn's own handles", raw::in_gridfn),
    one("mappings of forgotten guards are ended", raw::forgotten_guards),
    one("a handle that cannot be used is told", raw::refused),
];

/// What must hold of two devices.
pub(crate) type Pair = (&'static str, fn(&Device, &Device) -> Result<()>);

/// Two devices each.
pub(crate) const PAIRS: &[Pair] = &[("a buffer of another device is named", foreign)];

fn info(device: &Device) -> Result<()> {
    let info = device.info();
    assert!(info.id.starts_with("opencl:"), "{info:?}");
    assert!(
        !info.name.is_empty() && !info.vendor.is_empty() && !info.version.is_empty(),
        "{info:?}"
    );
    assert!(
        info.limits.group_size >= 1 && info.compute_units >= 1 && info.memory >= 1 << 20,
        "{info:?}"
    );
    Ok(())
}

/// Enough items to keep a device busy for a while; fewer on a simulator.
fn plenty(device: &Device) -> usize {
    if device.info().vendor.contains("Oclgrind") {
        300
    } else {
        100_000
    }
}

/// That every element is `value`; a whole buffer in a message would help nobody.
#[track_caller]
fn assert_all<T: PartialEq + std::fmt::Debug>(data: Vec<T>, value: T) {
    let wrong = data.iter().enumerate().find(|(_, found)| **found != value);
    assert_eq!(wrong, None, "all {} elements should be {value:?}", data.len());
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

fn transfers(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    for n in [1, 2, 63, 4096, 100_003] {
        let data = numbers(n);
        let mut a = queue.upload(&data)?;
        let mut b = queue.zeros(n)?;
        assert_all(queue.download(&b)?, 0.0);
        queue.copy(&a, &mut b)?;
        queue.write(&mut a, &vec![7.0; n])?;
        assert!(queue.download(&b)? == data, "{n} elements");
        assert_all(queue.download(&a)?, 7.0);
    }
    Ok(())
}

fn fills(device: &Device) -> Result<()> {
    fn fill<T: DeviceCopy + PartialEq + std::fmt::Debug>(queue: &Queue, before: T, after: T) -> Result<()> {
        for n in [1, 5, 1000] {
            let mut buffer = queue.upload(&vec![before; n])?;
            queue.fill(&mut buffer, after)?;
            assert_all(queue.download(&buffer)?, after);
        }
        Ok(())
    }
    let queue = Queue::new(device)?;
    fill(&queue, 1u8, 0xAB)?;
    fill(&queue, 1u16, 0xABCD)?;
    fill(&queue, 1.0f32, -0.0)?;
    fill(&queue, 1u64, 0x0123_4567_89AB_CDEF)
}

/// `y += a * x` on the first `n` elements, and what comes of it.
fn saxpy(queue: &Queue, a: f32, x: &Buffer<f32>, y: &mut Buffer<f32>, n: usize) -> Result<()> {
    launch(queue, Args(*SAXPY, (a, x, y)), n)
}

fn exact(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    for n in [1, 2, 63, 64, 65, 255, 256, 257, 1000, 20_001] {
        let room = n + 300;
        let x = queue.upload(&vec![2.0f32; room])?;
        let locals = [None, Some(1), Some(3), Some(16)];
        for local in locals.map(|local| local.map(gridfn_runtime::IntoGrid::into_grid)) {
            let mut y = queue.upload(&numbers(room))?;
            let grid = gridfn_runtime::IntoGrid::into_grid(n);
            launch_in(&queue, Args(*SAXPY, (3.0f32, &x, &mut y)), grid, local)?;
            let mut expected = numbers(room);
            expected[..n].iter_mut().for_each(|v| *v += 6.0);
            assert!(
                queue.download(&y)? == expected,
                "{n} items in groups of {local:?}"
            );
        }
    }
    // A range starts where it says, and ends there too.
    let x = queue.upload(&[1.0f32; 100])?;
    let mut y = queue.zeros::<f32>(100)?;
    launch(&queue, Args(*SAXPY, (1.0f32, &x, &mut y)), 10..13)?;
    let sum: f32 = queue.download(&y)?.iter().sum();
    assert_eq!((queue.download(&y)?[10..13].to_vec(), sum), (vec![1.0; 3], 3.0));
    Ok(())
}

fn mixed_arguments(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    let x = queue.upload(&[1i16; 70])?;
    let mut y = queue.zeros::<f64>(70)?;
    let arguments = (1u8, 2u64, true, &x, 3i16, 4.25f64, &mut y);
    let launched = launch(&queue, Args(*MIXED, arguments), 70);
    if device.info().has(Capability::Float64) {
        launched?;
        assert_all(queue.download(&y)?, 4.25);
    } else {
        let expected = Error::Unsupported {
            kernel: "mixed".into(),
            capability: Capability::Float64,
            device: device.info().id.clone(),
        };
        assert_eq!(launched, Err(expected));
    }
    Ok(())
}

fn fault_of(result: Result<()>) -> Fault {
    match result {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("expected a fault, found {other:?}"),
    }
}

fn faults(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    let x = queue.upload(&[1.0f32; 100])?;
    let mut y = queue.zeros::<f32>(90)?;
    let mut result = [0.0f32; 90];
    saxpy(&queue, 1.0, &x, &mut y, 93)?;
    // A launch after the one that faulted runs.
    saxpy(&queue, 1.0, &x, &mut y, 90)?;
    let fault = fault_of(queue.read(&y, &mut result));
    assert_eq!(result, [2.0; 90], "the copy is made all the same");
    assert_eq!((fault.kernel.as_str(), fault.count), ("saxpy", 3));
    assert!((90..93).contains(&fault.id[0]), "{fault}");
    assert_eq!(
        fault.message,
        format!(
            "index out of bounds: the len is 90 but the index is {}",
            fault.id[0]
        )
    );
    assert!(
        fault.file.ends_with("support/mod.rs") && fault.line == 1,
        "{fault}"
    );

    // It is told once, and the queue stays usable.
    queue.synchronize()?;
    saxpy(&queue, 1.0, &x, &mut y, 90)?;
    queue.read(&y, &mut result)?;
    assert_eq!(result, [3.0; 90]);
    saxpy(&queue, 1.0, &x, &mut y, 91)?;
    assert_eq!(fault_of(queue.synchronize()).count, 1);
    Ok(())
}

fn concurrent_faults(device: &Device) -> Result<()> {
    const LAUNCHES: usize = 2000;
    let queue = Queue::new(device)?;
    let told = |wait: Result<()>| wait.map_or_else(|error| fault_of(Err(error)).count, |()| 0);
    let launching = AtomicBool::new(true);
    let count = thread::scope(|scope| -> Result<usize> {
        // Two threads wait and tell while others launch.
        let waiting = [(); 2].map(|()| {
            scope.spawn(|| {
                let mut count = 0;
                while launching.load(Ordering::Acquire) {
                    count += told(queue.synchronize());
                }
                count
            })
        });
        let launched = (|| {
            let x = queue.zeros::<f32>(10)?;
            let mut y = queue.zeros::<f32>(10)?;
            (0..LAUNCHES).try_for_each(|_| saxpy(&queue, 1.0, &x, &mut y, 13))
        })();
        launching.store(false, Ordering::Release);
        let counts = waiting.map(|thread| thread.join().expect("the thread ends"));
        launched.map(|()| counts.iter().sum())
    })?;
    assert_eq!(count + told(queue.synchronize()), LAUNCHES * 3);
    Ok(())
}

fn concurrent_launches(device: &Device) -> Result<()> {
    let shared = Queue::new(device)?;
    let own = Queue::new(device)?;
    let start = Barrier::new(4);
    thread::scope(|scope| {
        let threads = [(&shared, 1.0f32), (&shared, 2.0), (&shared, 3.0), (&own, 4.0)].map(|(queue, a)| {
            let start = &start;
            scope.spawn(move || -> Result<()> {
                let x = queue.upload(&[a; 500])?;
                let mut y = queue.zeros::<f32>(500)?;
                start.wait();
                for _ in 0..300 {
                    saxpy(queue, a, &x, &mut y, 500)?;
                }
                assert_all(queue.download(&y)?, 300.0 * a * a);
                Ok(())
            })
        });
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("the thread ends"))
    })
}

/// `saxpy` as another crate would have it: the same code, an instance of its own.
fn another_saxpy(ahead: &'static [Ahead]) -> &'static Kernel {
    let original = *SAXPY;
    Box::leak(Box::new(Kernel {
        name: original.name,
        safe_dimensions: original.safe_dimensions,
        dimensions: original.dimensions,
        body: original.body,
        host: original.host,
        cache: Box::leak(Box::new(Cache::new())),
        ahead,
    }))
}

fn concurrent_compilation(device: &Device) -> Result<()> {
    let kernel = another_saxpy(&[]);
    let start = Barrier::new(16);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|n| {
                let start = &start;
                scope.spawn(move || -> Result<()> {
                    let queue = Queue::new(device)?;
                    let x = queue.upload(&[1.0f32; 64])?;
                    let mut y = queue.zeros::<f32>(64)?;
                    start.wait();
                    launch(&queue, Args(kernel, (n as f32, &x, &mut y)), 64)?;
                    assert_all(queue.download(&y)?, n as f32);
                    Ok(())
                })
            })
            .collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("the thread ends"))
    })?;
    assert_eq!(kernel.cache.compilations(), 1);
    Ok(())
}

fn dropped_buffers(device: &Device) -> Result<()> {
    let n = plenty(device);
    let queue = Queue::new(device)?;
    let mut sum = queue.zeros::<f32>(n)?;
    for v in 0..100 {
        let x = queue.upload(&vec![v as f32; n])?;
        let mut unseen = queue.zeros::<f32>(n)?;
        saxpy(&queue, 1.0, &x, &mut sum, n)?;
        saxpy(&queue, 1.0, &x, &mut unseen, n)?;
    }
    assert_all(queue.download(&sum)?, 4950.0);
    Ok(())
}

fn dropped_queue(device: &Device) -> Result<()> {
    let n = plenty(device);
    let queue = Queue::new(device)?;
    let x = queue.upload(&vec![1.0f32; n])?;
    let mut y = queue.zeros::<f32>(n)?;
    for _ in 0..20 {
        saxpy(&queue, 1.0, &x, &mut y, n)?;
    }
    drop(queue);
    let other = Queue::new(device)?;
    saxpy(&other, 1.0, &x, &mut y, n)?;
    assert_all(other.download(&y)?, 21.0);
    Ok(())
}

fn writer_before_reader(device: &Device) -> Result<()> {
    let n = plenty(device);
    let [a, b] = [Queue::new(device)?, Queue::new(device)?];
    let ones = a.upload(&vec![1.0f32; n])?;
    for round in 1..=10 {
        let mut x = a.zeros::<f32>(n)?;
        for _ in 0..10 * round {
            saxpy(&a, 1.0, &ones, &mut x, n)?;
        }
        let mut y = b.zeros::<f32>(n)?;
        saxpy(&b, 2.0, &x, &mut y, n)?;
        // The transfers wait too: a copy, and a read.
        let mut z = b.zeros::<f32>(n)?;
        b.copy(&x, &mut z)?;
        assert_all(a.download(&y)?, 20.0 * round as f32);
        assert_all(b.download(&x)?, 10.0 * round as f32);
        assert_all(a.download(&z)?, 10.0 * round as f32);
    }
    Ok(())
}

fn readers_before_writer(device: &Device) -> Result<()> {
    let n = plenty(device);
    let writer = Queue::new(device)?;
    let readers = [Queue::new(device)?, Queue::new(device)?, Queue::new(device)?];
    for _ in 1..=10 {
        let mut x = writer.upload(&vec![1.0f32; n])?;
        let mut sums = Vec::new();
        for queue in &readers {
            sums.push(queue.zeros::<f32>(n)?);
        }
        thread::scope(|scope| {
            let threads: Vec<_> = readers
                .iter()
                .zip(&mut sums)
                .map(|(queue, sum)| {
                    let x = &x;
                    scope.spawn(move || (0..10).try_for_each(|_| saxpy(queue, 1.0, x, sum, n)))
                })
                .collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("the thread ends"))
        })?;
        writer.fill(&mut x, 100.0)?;
        for (queue, sum) in readers.iter().zip(&sums) {
            assert_all(queue.download(sum)?, 10.0);
        }
        assert_all(readers[0].download(&x)?, 100.0);
    }
    Ok(())
}

fn crossed_queues(device: &Device) -> Result<()> {
    let n = 1000;
    let [a, b] = [Queue::new(device)?, Queue::new(device)?];
    let (x, y) = (a.upload(&vec![1.0f32; n])?, b.upload(&vec![2.0f32; n])?);
    thread::scope(|scope| {
        let threads = [&a, &b].map(|queue| {
            let (x, y) = (&x, &y);
            scope.spawn(move || -> Result<()> {
                let mut sum = queue.zeros::<f32>(n)?;
                for _ in 0..200 {
                    saxpy(queue, 1.0, x, &mut sum, n)?;
                    saxpy(queue, 1.0, y, &mut sum, n)?;
                }
                assert_all(queue.download(&sum)?, 600.0);
                Ok(())
            })
        });
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("the thread ends"))
    })?;
    // Back and forth in one thread, each launch behind the other queue's.
    let mut sum = a.zeros::<f32>(n)?;
    for _ in 0..100 {
        saxpy(&a, 1.0, &x, &mut sum, n)?;
        saxpy(&b, 1.0, &y, &mut sum, n)?;
    }
    assert_all(a.download(&sum)?, 300.0);
    Ok(())
}

fn empty(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    let mut nothing = queue.upload::<f32>(&[])?;
    let mut more = queue.zeros::<f32>(0)?;
    queue.fill(&mut nothing, 1.0)?;
    queue.copy(&nothing, &mut more)?;
    queue.write(&mut more, &[])?;
    assert_eq!(queue.download(&more)?, Vec::<f32>::new());
    saxpy(&queue, 1.0, &nothing, &mut more, 0)?;
    saxpy(&queue, 1.0, &nothing, &mut more, 1)?;
    // A read of nothing is a wait like any other.
    let fault = fault_of(queue.read(&more, &mut []));
    assert_eq!(
        fault.message,
        "index out of bounds: the len is 0 but the index is 0"
    );
    Ok(())
}

fn refused_code(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    let x = queue.upload(&[1.0f32; 10])?;
    let mut y = queue.zeros::<f32>(10)?;
    let broken = another_saxpy(&[
        Ahead::OpenClC("kernel void saxpy(nonsense"),
        Ahead::Spirv(&[7, 0, 0, 0]),
    ]);
    for _ in 0..2 {
        match launch(&queue, Args(broken, (1.0f32, &x, &mut y)), 10) {
            Err(Error::Build { kernel, log, .. }) => {
                assert_eq!(kernel, "saxpy");
                assert!(!log.is_empty());
            }
            Err(Error::Driver { call, .. }) => assert_eq!(call, "clCreateProgramWithIL"),
            // Code that was made ahead of time is not used where a device wants other options.
            Ok(()) => assert!(
                !device.info().vendor.contains("pocl"),
                "PoCL takes the default options"
            ),
            Err(other) => return Err(other),
        }
    }
    // The queue is none the worse for it.
    saxpy(&queue, 1.0, &x, &mut y, 10)
}

fn no_allocations(device: &Device) -> Result<()> {
    let queue = Queue::new(device)?;
    let x = queue.upload(&[1.0f32; 1000])?;
    let mut y = queue.zeros::<f32>(1000)?;
    let mut result = vec![0.0f32; 1000];
    saxpy(&queue, 1.0, &x, &mut y, 1000)?;
    let before = allocations();
    for _ in 0..100 {
        saxpy(&queue, 1.0, &x, &mut y, 1000)?;
    }
    queue.synchronize()?;
    queue.read(&y, &mut result)?;
    assert_eq!(allocations() - before, 0);
    assert_eq!(result, vec![101.0; 1000]);
    Ok(())
}

fn foreign(device: &Device, other: &Device) -> Result<()> {
    let (queue, abroad) = (Queue::new(device)?, Queue::new(other)?);
    let x = abroad.upload(&[1.0f32; 10])?;
    let mut y = queue.zeros::<f32>(10)?;
    let (here, there) = (device.info().id.clone(), other.info().id.clone());
    assert_eq!(
        saxpy(&queue, 1.0, &x, &mut y, 10),
        Err(Error::ForeignBuffer {
            kernel: "saxpy".into(),
            parameter: "x".into(),
            buffer_device: there.clone(),
            queue_device: here.clone(),
        })
    );
    let expected = Error::ForeignTransfer {
        buffer_device: there,
        queue_device: here,
    };
    assert_eq!(queue.copy(&x, &mut y), Err(expected.clone()));
    assert_eq!(queue.download(&x), Err(expected));
    Ok(())
}
