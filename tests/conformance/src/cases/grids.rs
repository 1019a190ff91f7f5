//! Index functions and launch geometry: 1 to 3 dimensions, partial groups, ranges, empty grids.

use crate::case::{Outcome, Suite, case_path, check_eq};
use gridfn::IntoGrid;
use gridfn::prelude::*;

/// Three numbers below 2^21 as one.
#[device]
fn pack(x: usize, y: usize, z: usize) -> u64 {
    (x | y << 21 | z << 42) as u64
}

#[kernel]
fn ids(
    ran: &mut [u32],
    global: &mut [u64],
    local: &mut [u64],
    group: &mut [u64],
    local_sizes: &mut [u64],
    groups: &mut [u64],
    sizes: &mut [u64],
    linear: &mut [u64],
) {
    let i = global_linear_id();
    ran[i] += 1;
    global[i] = pack(global_id(0), global_id(1), global_id(2));
    local[i] = pack(local_id(0), local_id(1), local_id(2));
    group[i] = pack(group_id(0), group_id(1), group_id(2));
    local_sizes[i] = pack(local_size(0), local_size(1), local_size(2));
    groups[i] = pack(num_groups(0), num_groups(1), num_groups(2));
    sizes[i] = pack(global_size(0), global_size(1), global_size(2));
    linear[i] = local_linear_id() as u64;
}

const ROWS: usize = 4;

/// With groups of 8 in each of 4 rows.
#[kernel(local = [8, ROWS])]
fn of_fixed_groups(local: &mut [u64], group: &mut [u64], sizes: &mut [u64], linear: &mut [u64]) {
    let i = global_linear_id();
    local[i] = pack(local_id(0), local_id(1), local_id(2));
    group[i] = pack(group_id(0), group_id(1), group_id(2));
    sizes[i] = pack(local_size(0), local_size(1), local_size(2));
    linear[i] = local_linear_id() as u64;
}

/// With groups of 32, from literals alone.
#[kernel(aot, local = 32)]
fn of_fixed_rows(sizes: &mut [u64]) {
    let i = global_id(0);
    sizes[i] = (local_size(0) * 1000 + local_id(0)) as u64;
}

/// What a launch should have been.
struct Expected {
    start: [usize; 3],
    size: [usize; 3],
    local: Option<[usize; 3]>,
}

/// Elements behind the results that no item may touch.
const GUARDS: usize = 300;

/// Launches `ids` and checks all that each item sees. `$geometry` is what stands behind the call in `launch!`.
macro_rules! check_ids {
    ($device:ident, $expected:expr, $($geometry:tt)+) => {{
        let queue = $device.queue()?;
        let expected = $expected;
        let n: usize = expected.size.iter().product();
        let mut ran = queue.zeros::<u32>(n + GUARDS)?;
        let mut outputs = Vec::new();
        for _ in 0..7 {
            outputs.push(queue.upload(&vec![u64::MAX; n + GUARDS])?);
        }
        let [a, b, c, d, e, f, g] = &mut outputs[..] else { unreachable!("there are seven") };
        launch!(queue, ids(&mut ran, a, b, c, d, e, f, g), $($geometry)+)?;
        let mut found = Vec::new();
        for output in &outputs {
            found.push(queue.download(output)?);
        }
        let about = stringify!($($geometry)+);
        check_seen(&expected, &queue.download(&ran)?, &found).map_err(|e| format!("{about}: {}", e.message().unwrap_or_default()))?;
    }};
}

fn unpack(packed: u64) -> [usize; 3] {
    [0, 21, 42].map(|bit| (packed >> bit) as usize & 0x1f_ffff)
}

fn check_seen(expected: &Expected, ran: &[u32], found: &[Vec<u64>]) -> Outcome {
    let Expected { start, size, local } = *expected;
    let n: usize = size.iter().product();
    check_eq!(ran[n..], [0; GUARDS], "items outside the grid ran");
    for column in found {
        check_eq!(column[n..], [u64::MAX; GUARDS], "items outside the grid wrote");
    }
    for i in 0..n {
        let at = [i % size[0], i / size[0] % size[1], i / size[0] / size[1]];
        let [global, own, group, local_size, groups, sizes] = std::array::from_fn(|k| unpack(found[k][i]));
        check_eq!(ran[i], 1, "runs of item {at:?}");
        check_eq!(global, std::array::from_fn(|d| start[d] + at[d]), "global_id");
        check_eq!(sizes, size, "global_size");
        check_eq!(local_size, local.unwrap_or(local_size), "local_size");
        let whole = |d: usize| size[d].div_ceil(local_size[d]);
        check_eq!(groups, std::array::from_fn(whole), "num_groups");
        check_eq!(
            group,
            std::array::from_fn(|d| at[d] / local_size[d]),
            "group_id of item {at:?}"
        );
        check_eq!(
            own,
            std::array::from_fn(|d| at[d] % local_size[d]),
            "local_id of item {at:?}"
        );
        let linear = (own[2] * local_size[1] + own[1]) * local_size[0] + own[0];
        check_eq!(found[6][i], linear as u64, "local_linear_id of item {at:?}");
    }
    Ok(())
}

/// A grid from 0, with a work-group size of our own.
fn from_zero(size: [usize; 3], local: [usize; 3]) -> Expected {
    Expected {
        start: [0; 3],
        size,
        local: Some(local),
    }
}

#[kernel]
fn count_runs(ran: &mut [u32]) {
    let i = global_linear_id();
    ran[i] += 1;
}

#[kernel]
fn far(start: usize, ids: &mut [u64]) {
    let i = global_linear_id();
    let beyond = global_id(0) * 3 - start * 3;
    ids[i] = (global_id(0) ^ (global_id(0) as u32 as usize)) as u64 + beyond as u64;
}

#[kernel]
fn arithmetic_past_31_bits(ids: &mut [u64], x: &[u32]) {
    let i = global_id(0);
    let scaled = i * 3_000_000_000;
    ids[i] = scaled as u64 + x[scaled / 3_000_000_000] as u64;
}

/// A launch with an empty grid must do nothing, whatever is empty in it.
fn check_empty(device: &Device, grid: impl IntoGrid + Copy) -> Outcome {
    let queue = device.queue()?;
    let mut ran = queue.zeros::<u32>(8)?;
    launch!(queue, count_runs(&mut ran), global = grid)?;
    check_eq!(queue.download(&ran)?, [0; 8]);
    let mut none = queue.zeros::<u32>(0)?;
    launch!(queue, count_runs(&mut none), global = grid)?;
    queue.synchronize()?;
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<ids>();
    suite.kernel::<of_fixed_groups>();
    suite.kernel::<of_fixed_rows>();
    suite.kernel::<count_runs>();
    suite.kernel::<far>();
    suite.kernel::<arithmetic_past_31_bits>();
    suite.case(case_path!("one_dimension"), &[], |device| {
        let largest = ids::prepare(&device.queue()?)?.max_group_size().min(64);
        for n in [1, 2, 63, 64, 65, 1000, 4097] {
            check_ids!(
                device,
                Expected {
                    start: [0; 3],
                    size: [n, 1, 1],
                    local: None
                },
                global = n
            );
            for local in [1, 7, largest] {
                check_ids!(
                    device,
                    from_zero([n, 1, 1], [local, 1, 1]),
                    global = n,
                    local = local
                );
            }
        }
        check_ids!(device, from_zero([9, 1, 1], [4, 1, 1]), global = [9], local = [4]);
        Ok(())
    });
    suite.case(case_path!("two_dimensions"), &[], |device| {
        for size in [[1, 1], [17, 5], [1, 100], [64, 3], [33, 31]] {
            let [x, y] = size;
            check_ids!(
                device,
                Expected {
                    start: [0; 3],
                    size: [x, y, 1],
                    local: None
                },
                global = size
            );
            for local in [[8, 2], [3, 5], [1, 1]] {
                check_ids!(
                    device,
                    from_zero([x, y, 1], [local[0], local[1], 1]),
                    global = size,
                    local = local
                );
            }
        }
        Ok(())
    });
    suite.case(case_path!("three_dimensions"), &[], |device| {
        for size in [[1, 1, 1], [5, 4, 3], [2, 3, 17], [10, 1, 7]] {
            check_ids!(
                device,
                Expected {
                    start: [0; 3],
                    size,
                    local: None
                },
                global = size
            );
            for local in [[2, 3, 2], [4, 1, 4], [1, 1, 3]] {
                check_ids!(device, from_zero(size, local), global = size, local = local);
            }
        }
        Ok(())
    });
    suite.case(case_path!("a_group_of_fewer_dimensions"), &[], |device| {
        check_ids!(
            device,
            from_zero([10, 3, 2], [4, 1, 1]),
            global = [10, 3, 2],
            local = 4
        );
        check_ids!(
            device,
            from_zero([10, 3, 2], [4, 2, 1]),
            global = [10, 3, 2],
            local = [4, 2]
        );
        Ok(())
    });
    suite.case(case_path!("ranges"), &[], |device| {
        let at = |start, size| Expected {
            start,
            size,
            local: None,
        };
        check_ids!(device, at([5, 0, 0], [12, 1, 1]), global = 5..17);
        check_ids!(device, at([5, 7, 0], [12, 3, 1]), global = [5..17, 7..10]);
        check_ids!(
            device,
            at([1, 100_000, 9], [4, 2, 3]),
            global = [1..5, 100_000..100_002, 9..12]
        );
        let grouped = Expected {
            local: Some([4, 1, 1]),
            ..at([3, 0, 0], [18, 1, 1])
        };
        check_ids!(device, grouped, global = 3..21, local = 4);
        let grouped = Expected {
            local: Some([4, 2, 1]),
            ..at([3, 1, 0], [18, 5, 1])
        };
        check_ids!(device, grouped, global = [3..21, 1..6], local = [4, 2]);
        Ok(())
    });
    suite.case(case_path!("groups"), &[], |device| {
        check_ids!(device, from_zero([15, 1, 1], [5, 1, 1]), groups = 3, local = 5);
        check_ids!(
            device,
            from_zero([12, 6, 1], [4, 3, 1]),
            groups = [3, 2],
            local = [4, 3]
        );
        check_ids!(
            device,
            from_zero([2, 2, 6], [2, 1, 3]),
            groups = [1, 2, 2],
            local = [2, 1, 3]
        );
        Ok(())
    });
    suite.case(case_path!("unit"), &[], |device| {
        check_ids!(
            device,
            Expected {
                start: [0; 3],
                size: [1, 1, 1],
                local: None
            },
            global = ()
        );
        Ok(())
    });
    suite.case(case_path!("empty"), &[], |device| {
        check_empty(device, 0)?;
        check_empty(device, [0, 5])?;
        check_empty(device, [5, 0])?;
        check_empty(device, [3, 0, 2])?;
        check_empty(device, [0, 0, 0])?;
        let queue = device.queue()?;
        let mut ran = queue.zeros::<u32>(8)?;
        launch!(queue, count_runs(&mut ran), global = 5..5)?;
        launch!(queue, count_runs(&mut ran), global = [0..3, 2..2])?;
        launch!(queue, count_runs(&mut ran), groups = 0, local = 4)?;
        launch!(queue, count_runs(&mut ran), groups = [1, 0], local = [4, 2])?;
        check_eq!(queue.download(&ran)?, [0; 8]);
        Ok(())
    });
    suite.case(case_path!("fixed_groups"), &[], |device| {
        let queue = device.queue()?;
        let (width, height) = (21, 10);
        let n = width * height;
        let mut outputs = Vec::new();
        for _ in 0..4 {
            outputs.push(queue.zeros::<u64>(n)?);
        }
        let [a, b, c, d] = &mut outputs[..] else {
            unreachable!("there are four")
        };
        launch!(queue, of_fixed_groups(a, b, c, d), global = [width, height])?;
        let mut found = Vec::new();
        for output in &outputs {
            found.push(queue.download(output)?);
        }
        for i in 0..n {
            let (x, y) = (i % width, i / width);
            check_eq!(found[0][i], pack(x % 8, y % ROWS, 0), "local id of {i}");
            check_eq!(found[1][i], pack(x / 8, y / ROWS, 0), "group id of {i}");
            check_eq!(found[2][i], pack(8, ROWS, 1), "local size of {i}");
            check_eq!(
                found[3][i],
                (y % ROWS * 8 + x % 8) as u64,
                "local linear id of {i}"
            );
        }
        Ok(())
    });
    suite.case(case_path!("fixed_rows"), &[], |device| {
        let queue = device.queue()?;
        let mut sizes = queue.zeros::<u64>(100)?;
        let expected: Vec<u64> = (0..100).map(|i| 32_000 + i % 32).collect();
        launch!(queue, of_fixed_rows(&mut sizes), global = 100)?;
        check_eq!(queue.download(&sizes)?, expected);
        // What the kernel says already may be said again, and must be where groups are counted.
        let mut sizes = queue.zeros::<u64>(100)?;
        launch!(queue, of_fixed_rows(&mut sizes), global = 100, local = 32)?;
        check_eq!(queue.download(&sizes)?, expected);
        let mut sizes = queue.zeros::<u64>(100)?;
        launch!(queue, of_fixed_rows(&mut sizes), groups = 3, local = 32)?;
        check_eq!(queue.download(&sizes)?[..96], expected[..96]);
        check_eq!(queue.download(&sizes)?[96..], [0; 4]);
        let prepared = of_fixed_rows::prepare(&queue)?;
        check_eq!(prepared.recommended_group_size(1000), 32);
        Ok(())
    });
    suite.case(case_path!("each_item_once"), &[], |device| {
        let queue = device.queue()?;
        let n = 300_007;
        let mut ran = queue.zeros::<u32>(n + GUARDS)?;
        for _ in 0..3 {
            launch!(queue, count_runs(&mut ran), global = n)?;
        }
        let ran = queue.download(&ran)?;
        check_eq!(ran[..n].iter().position(|runs| *runs != 3), None);
        check_eq!(ran[n..], [0; GUARDS]);
        Ok(())
    });
    suite.case(case_path!("past_31_bits"), &[], |device| {
        let queue = device.queue()?;
        for start in [(1 << 31) - 50, (1 << 32) - 50, 1 << 40] {
            let mut ids = queue.zeros::<u64>(100)?;
            launch!(queue, far(start, &mut ids), global = start..start + 100)?;
            let expected: Vec<u64> = (0..100)
                .map(|i| (((start + i) >> 32 << 32) + i * 3) as u64)
                .collect();
            check_eq!(queue.download(&ids)?, expected, "from {start}");
        }
        let x = queue.upload(&[7u32; 64])?;
        let mut ids = queue.zeros::<u64>(64)?;
        launch!(queue, arithmetic_past_31_bits(&mut ids, &x), global = 64)?;
        let expected: Vec<u64> = (0..64).map(|i| i * 3_000_000_000 + 7).collect();
        check_eq!(queue.download(&ids)?, expected);
        Ok(())
    });
    suite.case(case_path!("prepared"), &[], |device| {
        let queue = device.queue()?;
        let prepared = count_runs::prepare(&queue)?;
        let most = prepared.max_group_size();
        let mut ran = queue.zeros::<u32>(5000 + GUARDS)?;
        let mut launches = 0;
        for n in [1, 2, 31, 32, 33, 1000, 5000] {
            let local = prepared.recommended_group_size(n);
            if local == 0 || local > most {
                return Err(
                    format!("a recommended size of {local} for {n} items, the limit being {most}").into(),
                );
            }
            launch!(prepared, count_runs(&mut ran), global = n, local = local)?;
            launches += 1;
        }
        launch!(prepared, count_runs(&mut ran), global = 1, local = most)?;
        let ran = queue.download(&ran)?;
        check_eq!((ran[0], ran[1], ran[4999]), (launches + 1, launches - 1, 1));
        check_eq!(ran[5000..], [0; GUARDS]);
        Ok(())
    });
}
