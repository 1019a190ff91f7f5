//! The host back end's work-groups, by host versions as the attribute makes them of bodies with barriers.

#[macro_use]
mod support;

use gridfn_backends::host::{self, Host};
use gridfn_runtime::argument::{Shared, Unique};
use gridfn_runtime::closure::ByValue;
use gridfn_runtime::host::{Group, HostCode, Need, Unit, entry_of_group, signature_of_group};
use gridfn_runtime::private::{Avx2, Baseline, Hole, Item, SliceMut};
use gridfn_runtime::workgroup::{LocalArray, local_array};
use gridfn_runtime::{DeviceCopy, Error, IntoGrid, Kernel, Queue, Result};
use std::sync::LazyLock;
use support::*;

fn queue() -> Queue<Host> {
    Queue::new(&host::Device::get()).unwrap()
}

macro_rules! group_kernel {
    ($name:ident, ($($parameter:ty),+ $(,)?), $need:expr, $body:expr) => {
        static $name: LazyLock<&'static Kernel> = LazyLock::new(|| {
            type P = List<($($parameter,)+)>;
            let host = const {
                HostCode {
                    baseline: entry_of_group::<P, Baseline, _>(&signature_of_group::<P, _>($body)),
                    avx2: if cfg!(debug_assertions) {
                        None
                    } else {
                        Some(entry_of_group::<P, Avx2, _>(&signature_of_group::<P, _>($body)))
                    },
                    unit: Unit::Group($need),
                }
            };
            kernel(stringify!($name), host, no_body())
        });
    };
}

const fn array<T: DeviceCopy, const N: usize>(need: Need) -> Need {
    need.array(Hole::<LocalArray<T, N>>::new())
}

const fn slot<T: DeviceCopy>(need: Need) -> Need {
    need.slot(Hole::<T>::new())
}

// The sum of each group of 256.
group_kernel!(
    REDUCE,
    (Shared<f32>, Unique<f32>),
    array::<f32, 256>(Need::NOTHING),
    |group: &Group<'_>, (x, mut out)| {
        let place = group.array();
        let mut tile = place.open(local_array::<f32, 256>);
        group.each(|item| {
            let (i, l) = (item.global_id(0), item.local_id(0));
            tile[l] = x[i];
        });
        let mut step = group.first().local_size(0) / 2;
        while step > 0 {
            group.each_in(0, 0..step, |item| {
                let l = item.local_id(0);
                tile[l] += tile[l + step];
            });
            step /= 2;
        }
        group.each_in(0, 0..1, |item| out[item.group_id(0)] = tile[item.local_id(0)]);
    }
);

#[test]
fn groups_share_an_array() -> Result<()> {
    let queue = queue();
    for groups in [1, 7, 1000, 20_000] {
        let x: Vec<f32> = (0..groups * 256).map(|i| (i % 13) as f32).collect();
        let (dx, mut out) = (queue.upload(&x)?, queue.zeros::<f32>(groups)?);
        let local = Some(256.into_grid());
        for _ in 0..3 {
            launch_in(&queue, Args(*REDUCE, (&dx, &mut out)), x.len().into_grid(), local)?;
        }
        let expected: Vec<f32> = x.chunks(256).map(|c| c.iter().sum()).collect();
        assert!(queue.download(&out)? == expected, "{groups} groups");
    }
    Ok(())
}

// Each item hands what it sees to the item at the other end of its group, through a slot and an array.
group_kernel!(
    WHERE,
    (Unique<u64>,),
    slot::<u64>(array::<u64, 1024>(Need::NOTHING)),
    |group: &Group<'_>, (mut y,): (SliceMut<'_, u64>,)| {
        let place = group.array();
        let seen = group.slot(Hole::new());
        let mut all = place.open(local_array::<u64, 1024>);
        let first = group.first();
        let size = first.local_size(0) * first.local_size(1) * first.local_size(2);
        group.each(|item| {
            let value = (0..3).fold(0, |seen, d| {
                assert_eq!(
                    item.group_id(d) * item.local_size(d) + item.local_id(d),
                    item.global_id(d) - first.global_id(d) + item.group_id(d) * item.local_size(d)
                );
                seen << 16 | item.global_id(d) as u64
            });
            all[item.local_linear_id()] = value;
            // SAFETY: of this group.
            unsafe { seen.put(item, value) };
        });
        group.each(|item| {
            assert!(item.local_linear_id() < size);
            // SAFETY: of this group, and put.
            let seen = unsafe { seen.get(item) };
            assert_eq!(seen, all[item.local_linear_id()]);
            y[item.global_linear_id()] += seen << 8 | 1;
        });
    }
);

#[test]
fn every_item_in_the_grid_runs_once_and_knows_where_it_is() -> Result<()> {
    let queue = queue();
    for size in [
        [13, 1, 1],
        [1, 5, 1],
        [3, 4, 5],
        [65, 2, 3],
        [1000, 7, 1],
        [7, 1000, 1],
    ] {
        for offset in [[0; 3], [3, 1, 2]] {
            for local in [
                None,
                Some([1, 1, 1]),
                Some([8, 1, 1]),
                Some([16, 4, 2]),
                Some([1, 8, 1]),
            ] {
                let grid: [_; 3] = std::array::from_fn(|d| offset[d]..offset[d] + size[d]);
                let [w, h, d] = size;
                let mut y = queue.zeros::<u64>(w * h * d)?;
                let local = local.map(IntoGrid::into_grid);
                launch_in(&queue, Args(*WHERE, (&mut y,)), grid.into_grid(), local)?;
                queue.synchronize()?;
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

// An item whose element is 0 faults in the first region, and a group whose number is `bad` in uniform code.
group_kernel!(
    FAULTS,
    (ByValue<usize>, Shared<i32>, Unique<i32>),
    slot::<i32>(Need::NOTHING),
    |group: &Group<'_>, (bad, x, mut y)| {
        let value = group.slot(Hole::new());
        group.each(|item| {
            let i = item.global_linear_id();
            // SAFETY: of this group.
            unsafe { value.put(item, 100 / x[i]) };
        });
        if group.first().group_id(0) == bad {
            let _ = x[x.len()];
        }
        group.each(|item| {
            let i = item.global_linear_id();
            // SAFETY: of this group, and put.
            y[i] = unsafe { value.get(item) };
        });
    }
);

#[test]
fn a_fault_ends_its_group_and_no_other() -> Result<()> {
    let queue = queue();
    for n in [100usize, 5000, 2_000_000] {
        let mut x = vec![5i32; n];
        let bad = [n / 3, n / 2];
        bad.iter().for_each(|i| x[*i] = 0);
        let (dx, mut dy) = (queue.upload(&x)?, queue.zeros::<i32>(n)?);
        let local = Some(8.into_grid());
        let uniform = n / 8 - 1;
        launch_in(
            &queue,
            Args(*FAULTS, (uniform, &dx, &mut dy)),
            n.into_grid(),
            local,
        )?;
        let Err(Error::Fault(fault)) = queue.synchronize() else {
            panic!("three groups faulted");
        };
        assert_eq!((fault.id, fault.count), ([bad[0], 0, 0], 3), "{fault}");
        assert_eq!(fault.message, "attempt to divide by zero");
        assert!(fault.file.ends_with("host_groups.rs"), "{fault}");
        let y = queue.download(&dy)?;
        let ended = [bad[0] / 8, bad[1] / 8, uniform];
        assert!(
            (0..n).all(|i| ended.contains(&(i / 8)) || y[i] == 20),
            "{n} items"
        );
    }
    // Uniform code runs for the first item.
    let (dx, mut dy) = (queue.upload(&[1; 20])?, queue.zeros::<i32>(20)?);
    launch_in(
        &queue,
        Args(*FAULTS, (1usize, &dx, &mut dy)),
        20.into_grid(),
        Some(8.into_grid()),
    )?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        panic!("a group faulted");
    };
    assert_eq!((fault.id, fault.count), ([8, 0, 0], 1), "{fault}");
    Ok(())
}

group_kernel!(
    TOO_LARGE,
    (Unique<f32>,),
    array::<[f32; 1024], 1024>(Need::NOTHING),
    |group: &Group<'_>, (mut y,): (SliceMut<'_, f32>,)| {
        let place = group.array();
        let tile = place.open(local_array::<[f32; 1024], 1024>);
        group.each(|item: &Item| y[item.global_id(0)] = tile[0][0]);
    }
);

group_kernel!(
    ONE_BYTE_MORE,
    (Unique<f32>,),
    array::<u8, 1>(array::<[f32; 1024], 256>(Need::NOTHING)),
    |_: &Group<'_>, _| {}
);

#[test]
fn too_much_local_memory_is_an_error_at_the_launch() -> Result<()> {
    let queue = queue();
    let mut y = queue.zeros::<f32>(4)?;
    for (kernel, bytes) in [(*TOO_LARGE, 1 << 22), (*ONE_BYTE_MORE, (1 << 20) + 64)] {
        let error = launch(&queue, Args(kernel, (&mut y,)), 4).unwrap_err();
        let expected = Error::LocalMemory {
            kernel: kernel.name.into(),
            device: "host".into(),
            asked: bytes,
            available: 1 << 20,
        };
        assert_eq!(error, expected);
    }
    Ok(())
}
