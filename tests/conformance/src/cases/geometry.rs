//! What devices and prepared kernels answer about work-groups and grids.

use crate::case::{Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Error, GeometryError};

#[kernel]
fn count(ran: &mut [u32]) {
    ran[global_linear_id()] += 1;
}

/// With groups of a size of their own.
#[kernel(local = [4, 2])]
fn count_in_eights(ran: &mut [u32]) {
    ran[global_linear_id()] += 1;
}

/// Numbers of items for which sizes are recommended.
const ITEMS: [usize; 12] = [0, 1, 2, 3, 31, 32, 33, 255, 257, 5000, 1 << 40, usize::MAX];

/// Fails, if not.
fn check(holds: bool, what: &str) -> Outcome {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn answers(device: &Device) -> Outcome {
    let limits = *device.limits();
    check_eq!(device.max_group_size(), limits.group_size);
    check_eq!(device.max_local_size(), limits.local_size);
    check_eq!(device.max_num_groups(), limits.num_groups);
    check_eq!(device.compute_units(), device.info().compute_units);
    check(
        limits.group_size > 0 && device.compute_units() > 0,
        "nothing can run",
    )?;
    check(!limits.local_size.contains(&0), "a dimension without items")?;
    check(!limits.num_groups.contains(&0), "a dimension without groups")?;
    let sizes = device.subgroup_sizes();
    check(sizes.is_sorted() && !sizes.contains(&0), "sizes of sub-groups")?;

    let prepared = count::prepare(&device.queue()?)?;
    check(
        prepared.max_group_size() <= limits.group_size,
        "larger groups than the device's",
    )?;
    check(prepared.max_group_size() > 0, "no group")?;
    for (kernels, devices) in prepared.max_local_size().iter().zip(limits.local_size) {
        check(
            (1..=devices).contains(kernels),
            "a larger dimension than the device's",
        )?;
    }
    check_eq!(prepared.max_num_groups(), limits.num_groups);
    check_eq!(prepared.compute_units(), device.compute_units());
    if let Some(size) = prepared.subgroup_size() {
        check(sizes.contains(&size), "a sub-group that the device has not")?;
    }
    Ok(())
}

/// The largest group along each dimension runs, and one larger is refused.
fn largest_groups(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let prepared = count::prepare(&queue)?;
    for (dimension, most) in prepared.max_local_size().into_iter().enumerate() {
        let mut local = [1; 3];
        local[dimension] = most;
        let mut ran = queue.zeros::<u32>(most)?;
        launch!(prepared, count(&mut ran), global = local, local = local)?;
        check_eq!(queue.download(&ran)?, vec![1; most], "along {dimension}");
        local[dimension] += 1;
        let result = launch!(prepared, count(&mut ran), global = local, local = local);
        check_matches!(
            result,
            Err(Error::Geometry(
                GeometryError::LocalTooLarge { .. } | GeometryError::GroupTooLarge { .. }
            ))
        );
        check_eq!(queue.download(&ran)?, vec![1; most], "along {dimension}");
    }
    Ok(())
}

fn recommended(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let prepared = count::prepare(&queue)?;
    for items in ITEMS {
        let local = prepared.recommended_group_size(items);
        let most = prepared.max_group_size().min(prepared.max_local_size()[0]);
        check((1..=most).contains(&local), &format!("{local} for {items} items"))?;
        let items = items.min(5000);
        let mut ran = queue.zeros::<u32>(items)?;
        launch!(prepared, count(&mut ran), global = items, local = local)?;
        check_eq!(
            queue.download(&ran)?,
            vec![1; items],
            "{items} items in groups of {local}"
        );
    }
    let prepared = count_in_eights::prepare(&queue)?;
    check_eq!(
        ITEMS.map(|items| prepared.recommended_group_size(items)),
        [8; ITEMS.len()]
    );
    Ok(())
}

/// Adds all cases.
pub(crate) fn add_to(suite: &mut Suite) {
    suite.kernel::<count>();
    suite.kernel::<count_in_eights>();
    suite.case(case_path!("answers"), &[], answers);
    suite.case(case_path!("largest_groups"), &[], largest_groups);
    suite.case(case_path!("recommended_sizes"), &[], recommended);
}
