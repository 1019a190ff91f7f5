//! The host back end.

#[macro_use]
mod support;

use gridfn_backends::host::{self, Host};
use gridfn_ir::{Access, Type};
use gridfn_runtime::argument::Unique;
use gridfn_runtime::closure::ByValue;
use gridfn_runtime::host::HostCode;
use gridfn_runtime::private::{Avx2, Baseline, Item, Reader, entry, signature};
use gridfn_runtime::{
    Backend, Call, Error, Fault, Fill, GeometryError, IntoGrid, Kernel, Parameter, Put, Queue, Result, Slots,
};
use std::collections::HashSet;
use std::mem::MaybeUninit;
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::time::Duration;
use support::*;

fn queue() -> Queue<Host> {
    Queue::new(&host::Device::get()).unwrap()
}

fn fault(result: Result<()>) -> Fault {
    match result {
        Err(Error::Fault(fault)) => *fault,
        other => panic!("expected a fault, not {other:?}"),
    }
}

#[test]
fn every_size_gives_the_right_result() -> Result<()> {
    let queue = queue();
    let sizes = (0..70).chain([1000, 1023, 1024, 1025, 4097, 65_536, 262_143, 262_144, 1_000_000]);
    for n in sizes {
        let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let y: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
        let (dx, mut dy) = (queue.upload(&x)?, queue.upload(&y)?);
        launch(&queue, Args(*SAXPY, (3.0f32, &dx, &mut dy)), n)?;
        let result = queue.download(&dy)?;
        assert!((0..n).all(|i| result[i] == y[i] + 3.0 * x[i]), "{n} items");
    }
    Ok(())
}

#[test]
fn every_item_of_a_grid_runs_once_and_knows_where_it_is() -> Result<()> {
    let queue = queue();
    let sizes = [
        [1, 1, 1],
        [5, 1, 1],
        [1, 5, 1],
        [1, 1, 5],
        [3, 4, 5],
        [64, 3, 2],
        [65, 2, 3],
        [1000, 7, 1],
        [7, 1000, 1],
        [3, 3, 3000],
        [600, 50, 1],
        [3, 9000, 2],
        [65_535, 1, 1],
    ];
    for size in sizes {
        for offset in [[0; 3], [3, 1, 2]] {
            for local in [None, Some([1, 1, 1]), Some([16, 4, 2]), Some([33, 1, 1])] {
                let grid: [_; 3] = std::array::from_fn(|d| offset[d]..offset[d] + size[d]);
                let [w, h, d] = size;
                let mut y = queue.zeros::<u64>(w * h * d)?;
                let local = local.map(IntoGrid::into_grid);
                launch_in(&queue, Args(*IDS, (&mut y,)), grid.into_grid(), local)?;
                for (i, seen) in queue.download(&y)?.into_iter().enumerate() {
                    let id = [i % w + offset[0], i / w % h + offset[1], i / w / h + offset[2]];
                    let expected = id.iter().fold(0, |seen, id| seen << 16 | *id as u64) << 8 | 1;
                    assert_eq!(seen, expected, "item {i} of {size:?} from {offset:?}, {local:?}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn arguments_of_every_alignment_arrive() -> Result<()> {
    let queue = queue();
    let x = queue.upload(&[-1i16, 2, 3])?;
    let mut y = queue.zeros::<f64>(3)?;
    launch(
        &queue,
        Args(*MIXED, (200u8, 1u64 << 40, true, &x, 7i16, 0.5f64, &mut y)),
        1..3,
    )?;
    let sum = |x: u64| (200 + (1u64 << 40) + 1 + x + 7) as f64 + 0.5;
    assert_eq!(queue.download(&y)?, [0.0, sum(2), sum(3)]);
    Ok(())
}

#[test]
fn a_fault_is_told_once_with_the_lowest_item_and_the_count() -> Result<()> {
    let queue = queue();
    for n in [10usize, 5000, 300_000] {
        let mut x = vec![5i32; n];
        let bad = [n / 3, n / 2, n - 1];
        for i in bad {
            x[i] = 0;
        }
        let (dx, mut dy) = (queue.upload(&x)?, queue.zeros::<i32>(n)?);
        launch(&queue, Args(*DIVIDE, (&dx, &mut dy)), n)?;
        let fault = fault(queue.synchronize());
        assert_eq!(
            (fault.kernel.as_str(), fault.id, fault.count),
            ("DIVIDE", [bad[0], 0, 0], 3)
        );
        assert_eq!(fault.message, "attempt to divide by zero");
        assert!(
            fault.file.ends_with("support/mod.rs") && fault.line > 1 && fault.column > 1,
            "{fault}"
        );
        queue.synchronize()?;
        // The other items have run, and the queue is as good as before.
        let result = queue.download(&dy)?;
        assert!((0..n).all(|i| result[i] == if bad.contains(&i) { 0 } else { 20 }));
        let dx = queue.upload(&vec![4; n])?;
        launch(&queue, Args(*DIVIDE, (&dx, &mut dy)), n)?;
        assert_eq!(queue.download(&dy)?, vec![25; n]);
    }
    Ok(())
}

#[test]
fn the_lowest_item_is_lowest_in_three_dimensions_and_has_its_offset() -> Result<()> {
    let queue = queue();
    let size = [40, 30, 500];
    let mut x = vec![1i32; 40 * 30 * 500];
    let number = |[x, y, z]: [usize; 3]| (z * 30 + y) * 40 + x;
    for id in [[1, 29, 250], [39, 3, 250], [2, 3, 251], [0, 0, 499]] {
        x[number(id)] = 0;
    }
    let (dx, mut dy) = (queue.upload(&x)?, queue.zeros::<i32>(x.len())?);
    let grid: [_; 3] = std::array::from_fn(|d| 100..100 + size[d]);
    launch(&queue, Args(*DIVIDE, (&dx, &mut dy)), grid)?;
    let fault = fault(queue.synchronize());
    assert_eq!((fault.id, fault.count), ([139, 103, 350], 4));
    Ok(())
}

#[test]
fn several_faulting_launches_are_told_as_the_first_with_all_their_items() -> Result<()> {
    let queue = queue();
    let x = queue.upload(&[1i32, 0, 0])?;
    let mut y = queue.zeros::<i32>(3)?;
    launch(&queue, Args(*DIVIDE, (&x, &mut y)), 3)?;
    launch(&queue, Args(*DIVIDE, (&x, &mut y)), 10)?;
    let mut data = [7; 3];
    let fault = fault(queue.read(&y, &mut data));
    assert_eq!((fault.id, fault.count), ([1, 0, 0], 2 + 9));
    // The copy has been made all the same.
    assert_eq!(data, [100, 0, 0]);
    queue.read(&y, &mut data)
}

#[test]
fn items_past_the_end_fault_and_write_nothing() -> Result<()> {
    const LEN: usize = 100;
    const BYTES: usize = 4096;
    /// A call whose `y` has room after its last element.
    struct Guarded<'m>(&'m host::Memory, &'m host::Memory);
    impl Fill<Host> for Guarded<'_> {
        fn fill<S: Slots<Host>>(&self, slots: &mut S) -> Result<()> {
            slots.scalar(2.0f32);
            slots.buffer(self.0, BYTES / 4, Access::Shared)?;
            slots.buffer(self.1, LEN, Access::Unique)
        }
    }
    impl Call<Host> for Guarded<'_> {
        type Kernel = ();
        fn kernel(&self) -> &'static Kernel {
            &SAXPY
        }
    }
    let queue = queue();
    let [x, y] = [(); 2].map(|()| Host::allocate(queue.raw(), BYTES));
    let (x, y) = (x?, y?);
    let mut bytes = vec![0u8; BYTES];
    // SAFETY: both memories and the vector are as large.
    unsafe {
        Host::fill(
            queue.raw(),
            &x,
            &1.0f32.to_ne_bytes().map(MaybeUninit::new),
            BYTES,
        )?;
        Host::fill(
            queue.raw(),
            &y,
            &5.0f32.to_ne_bytes().map(MaybeUninit::new),
            BYTES,
        )?;
        let request = gridfn_runtime::private::Request {
            extent: gridfn_runtime::private::Extent::Items(1000.into_grid()),
            local: None,
        };
        queue.__launch(request, Guarded(&x, &y))?;
        let fault = fault(Host::read(queue.raw(), &y, bytes.as_mut_ptr(), BYTES));
        assert_eq!((fault.id, fault.count), ([LEN, 0, 0], 900));
        assert_eq!(
            fault.message,
            "index out of bounds: the len is 100 but the index is 100"
        );
    }
    let values = bytes
        .chunks_exact(4)
        .map(|b| f32::from_ne_bytes(b.try_into().unwrap()));
    for (i, value) in values.enumerate() {
        assert_eq!(value, if i < LEN { 7.0 } else { 5.0 }, "element {i}");
    }
    Ok(())
}

#[test]
fn threads_launch_at_the_same_time() -> Result<()> {
    let shared = queue();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8usize)
            .map(|t| {
                let queue = if t % 2 == 0 { shared.clone() } else { queue() };
                scope.spawn(move || -> Result<()> {
                    for round in 0..12usize {
                        // Small, on the edge, and large enough for the workers.
                        let n = [17, 5000, 300_000][round % 3] + t;
                        let x = queue.upload(&vec![t as f32; n])?;
                        let mut y = queue.upload(&vec![round as f32; n])?;
                        launch(&queue, Args(*SAXPY, (2.0f32, &x, &mut y)), n)?;
                        drop(x);
                        let expected = round as f32 + 2.0 * t as f32;
                        assert!(queue.download(&y)?.iter().all(|v| *v == expected));
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|t| t.join().unwrap())
    })
}

#[test]
fn faults_on_one_queue_are_not_told_on_another() -> Result<()> {
    let (bad, good) = (queue(), queue());
    std::thread::scope(|scope| {
        let faulting = scope.spawn(|| -> Result<usize> {
            let x = bad.upload(&vec![0i32; 20_000])?;
            let mut y = bad.zeros::<i32>(20_000)?;
            launch(&bad, Args(*DIVIDE, (&x, &mut y)), 20_000)?;
            Ok(fault(bad.synchronize()).count)
        });
        for _ in 0..20 {
            let x = good.upload(&vec![1i32; 300_000])?;
            let mut y = good.zeros::<i32>(300_000)?;
            launch(&good, Args(*DIVIDE, (&x, &mut y)), 300_000)?;
            good.synchronize()?;
        }
        assert_eq!(faulting.join().unwrap()?, 20_000);
        Ok(())
    })
}

static NAMES: Mutex<Option<HashSet<String>>> = Mutex::new(None);
host_kernel!(SLOW, (Unique<u32>,), |item: &Item, (mut y,)| {
    std::thread::sleep(Duration::from_millis(2));
    let name = std::thread::current().name().unwrap_or_default().to_string();
    NAMES.lock().unwrap().get_or_insert_default().insert(name);
    y[item.global_id(0)] += 1;
});

#[test]
fn few_but_slow_items_are_shared_with_the_workers() -> Result<()> {
    let queue = queue();
    let threads = queue.info().compute_units;
    // Another test's launch may have the workers, so this one gets a few tries.
    for _ in 0..20 {
        let mut y = queue.zeros::<u32>(64)?;
        launch(&queue, Args(*SLOW, (&mut y,)), 64)?;
        assert_eq!(queue.download(&y)?, [1; 64]);
        let names = NAMES.lock().unwrap().take().unwrap_or_default();
        if threads == 1 || names.iter().any(|name| name.starts_with("gridfn-host-")) {
            assert!(names.len() <= threads, "{names:?}");
            return Ok(());
        }
    }
    panic!("no worker has taken part");
}

#[test]
fn transfers_keep_to_their_buffers() -> Result<()> {
    let queue = queue();
    let mut a = queue.upload(&[1u16, 2, 3])?;
    let mut b = queue.zeros::<u16>(3)?;
    queue.copy(&a, &mut b)?;
    queue.fill(&mut a, 0x1234)?;
    assert_eq!(queue.download(&a)?, [0x1234; 3]);
    assert_eq!(queue.download(&b)?, [1, 2, 3]);
    queue.write(&mut b, &[7, 8, 9])?;
    assert_eq!(queue.download(&b)?, [7, 8, 9]);
    assert_eq!(
        queue.write(&mut b, &[1]),
        Err(Error::Length {
            expected: 3,
            found: 1
        })
    );
    let empty = queue.upload::<f64>(&[])?;
    assert_eq!(queue.download(&empty)?, []);
    Ok(())
}

#[test]
#[cfg_attr(miri, ignore = "Miri ends where there is no room")]
fn a_buffer_that_has_no_room_is_an_error() {
    let bytes = isize::MAX as usize / 8 * 8;
    let error = queue().zeros::<u64>(bytes / 8).unwrap_err();
    let device = "host".into();
    assert_eq!(error, Error::OutOfMemory { device, bytes });
}

#[test]
fn too_many_arguments_are_an_error() -> Result<()> {
    struct Many(usize);
    impl Fill<Host> for Many {
        fn fill<S: Slots<Host>>(&self, slots: &mut S) -> Result<()> {
            (0..self.0).for_each(|n| slots.scalar(n));
            Ok(())
        }
    }
    impl Call<Host> for Many {
        type Kernel = ();
        fn kernel(&self) -> &'static Kernel {
            &EMPTY
        }
    }
    host_kernel!(EMPTY, (ByValue<usize>,), |_: &Item, (n,)| assert!(n == 0));
    let queue = queue();
    let request = gridfn_runtime::private::Request {
        extent: gridfn_runtime::private::Extent::Items(1.into_grid()),
        local: None,
    };
    queue.__launch(request, Many(512))?;
    assert_eq!(
        queue.__launch(request, Many(513)),
        Err(Error::TooManyArguments {
            kernel: "EMPTY".into(),
            device: "host".into(),
            bytes: 4104,
            limit: 4096,
        })
    );
    queue.synchronize()
}

/// An array as a parameter.
#[derive(Clone, Copy)]
struct Array<T, const N: usize>([T; N]);

// SAFETY: reads the array that was written for it.
unsafe impl<T: Copy + 'static, const N: usize> Parameter for Array<T, N> {
    const TYPE: Type = Type::Unit;
    type View<'v> = [T; N];
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> [T; N] {
        // SAFETY: the caller's promise.
        unsafe { reader.scalar() }
    }
}

impl<B: Backend, T: Copy, const N: usize> Put<B> for Array<T, N> {
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.scalar(self.0);
        Ok(())
    }
}

host_kernel!(
    ARRAYS,
    (
        Array<u8, 3>,
        ByValue<u64>,
        Array<i16, 3>,
        ByValue<u8>,
        Array<f64, 0>,
        ByValue<u8>,
        Unique<f64>
    ),
    |item: &Item, (bytes, word, shorts, a, none, b, mut y)| {
        let i = item.global_id(0);
        assert!(none.is_empty());
        let scalars = word as f64 + f64::from(a) + f64::from(b);
        y[i] = scalars + f64::from(bytes[i % 3]) * f64::from(shorts[i % 3]);
    }
);

#[test]
fn arrays_arrive_as_they_were_put() -> Result<()> {
    let queue = queue();
    let mut y = queue.zeros::<f64>(7)?;
    let (bytes, shorts) = ([1u8, 200, 3], [-1000i16, 7, 32_000]);
    let arguments = (
        Array(bytes),
        1u64 << 40,
        Array(shorts),
        5u8,
        Array([0f64; 0]),
        250u8,
        &mut y,
    );
    launch(&queue, Args(*ARRAYS, arguments), 7)?;
    let scalars = (1u64 << 40) as f64 + 255.0;
    let expected: Vec<f64> = (0..7)
        .map(|i| scalars + f64::from(bytes[i % 3]) * f64::from(shorts[i % 3]))
        .collect();
    assert_eq!(queue.download(&y)?, expected);
    Ok(())
}

host_kernel!(
    LARGE,
    (Array<f64, 1000>, ByValue<u8>),
    |_: &Item, (_, n)| assert!(n == 0)
);
host_kernel!(
    WHOLE,
    (Array<f64, 512>,),
    |_: &Item, (t,): ([f64; 512],)| assert!(t[511] == 511.0)
);

#[test]
fn an_array_may_fill_the_block_and_a_larger_one_is_an_error() -> Result<()> {
    let queue = queue();
    let whole: [f64; 512] = std::array::from_fn(|i| i as f64);
    launch(&queue, Args(*WHOLE, (Array(whole),)), 3)?;
    let Err(Error::TooManyArguments {
        kernel,
        device,
        bytes,
        limit,
    }) = launch(&queue, Args(*LARGE, (Array([1.0; 1000]), 1u8)), 3)
    else {
        panic!("an error");
    };
    assert_eq!((kernel.as_str(), device.as_str()), ("LARGE", "host"));
    assert_eq!((bytes, limit), (8001, 4096));
    queue.synchronize()
}

#[test]
fn groups_over_the_limit_are_refused() -> Result<()> {
    let queue = queue();
    let mut y = queue.zeros::<u64>(1)?;
    let refused =
        |y: &mut _, local: Option<_>| launch_in(&queue, Args(*IDS, (y,)), 1.into_grid(), local).unwrap_err();
    assert_eq!(
        refused(&mut y, Some(1025.into_grid())),
        GeometryError::LocalTooLarge {
            dimension: 0,
            asked: 1025,
            limit: 1024
        }
        .into()
    );
    Ok(())
}

/// The environment is read once, so these run in a process of their own.
#[test]
fn all_holds_with_other_numbers_of_threads() {
    for threads in ["1", "8"] {
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["--skip", "all_holds_with_other"])
            .env("GRIDFN_THREADS", threads)
            .env("GRIDFN_HOST_ISA", "baseline")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success() && text.contains("; 0 failed"),
            "{threads} threads:\n{text}"
        );
    }
}

#[test]
fn the_number_of_threads_is_the_environments() {
    if let Ok(threads) = std::env::var("GRIDFN_THREADS") {
        assert_eq!(queue().info().compute_units.to_string(), threads);
    }
}

/// A program that uses only the host loads no driver.
#[test]
#[cfg(target_os = "linux")]
fn the_host_loads_no_driver() -> Result<()> {
    let queue = gridfn_backends::Device::host().queue()?;
    let x = queue.upload(&[1.0f32])?;
    let mut y = queue.upload(&[2.0f32])?;
    launch(&queue, Args(*SAXPY, (3.0f32, &x, &mut y)), 1)?;
    assert_eq!(queue.download(&y)?, [5.0]);
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(maps.contains("libc") && !maps.contains("OpenCL"));
    Ok(())
}
