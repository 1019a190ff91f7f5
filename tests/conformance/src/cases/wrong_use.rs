//! Wrong use: an error at the call, with nothing done.

use crate::case::{Need, Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Capability, Error, GeometryError, Result};

#[kernel]
fn add_one(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

#[kernel]
fn add_one_anywhere(y: &mut [u32]) {
    let i = global_linear_id();
    y[i] += 1;
}

#[kernel(local = 4)]
fn add_one_in_fours(y: &mut [u32]) {
    let i = global_id(0);
    y[i] += 1;
}

#[kernel]
fn with_two(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x[i];
}

#[kernel]
fn needs_f64(x: f32, y: &mut [f32]) {
    let i = global_id(0);
    y[i] = (x as f64 * 0.1) as f32;
}

#[kernel]
fn takes_f64(x: &[f64], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = x.len() as u32;
}

/// Checks that a launch was refused for its geometry, and that nothing ran.
fn refused(queue: &Queue, y: &Buffer<u32>, result: Result<()>, expected: GeometryError) -> Outcome {
    check_eq!(result, Err(Error::Geometry(expected)));
    check_eq!(queue.download(y)?, [0; 8]);
    Ok(())
}

fn foreign(device: &Device, other: &Device) -> Outcome {
    let (queue, there) = (device.queue()?, other.queue()?);
    let (x, mut y) = (there.upload(&[1u32; 8])?, queue.zeros::<u32>(8)?);
    let expected = Error::ForeignBuffer {
        kernel: "with_two".into(),
        parameter: "x".into(),
        buffer_device: other.info().id.clone(),
        queue_device: device.info().id.clone(),
    };
    check_eq!(launch!(queue, with_two(&x, &mut y), global = 8), Err(expected));
    let (x, mut y) = (queue.upload(&[1u32; 8])?, there.zeros::<u32>(8)?);
    let result = launch!(queue, with_two(&x, &mut y), global = 8);
    check_matches!(result, Err(Error::ForeignBuffer { parameter, .. }) if parameter == "y");

    let foreign = Error::ForeignTransfer {
        buffer_device: other.info().id.clone(),
        queue_device: device.info().id.clone(),
    };
    let mut own = queue.upload(&[5u32; 8])?;
    check_eq!(queue.download(&y).map(|_| ()), Err(foreign.clone()));
    check_eq!(queue.write(&mut y, &[1; 8]), Err(foreign.clone()));
    check_eq!(queue.fill(&mut y, 1), Err(foreign.clone()));
    check_eq!(queue.copy(&own, &mut y), Err(foreign.clone()));
    check_eq!(queue.copy(&y, &mut own), Err(foreign));
    // The right call still does.
    launch!(queue, with_two(&x, &mut own), global = 8)?;
    check_eq!(queue.download(&own)?, [1; 8]);
    Ok(())
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.kernel::<add_one>();
    suite.kernel::<add_one_anywhere>();
    suite.kernel::<add_one_in_fours>();
    suite.kernel::<with_two>();
    suite.kernel::<needs_f64>();
    suite.kernel::<takes_f64>();
    suite.case(case_path!("a_buffer_of_the_null_device"), &[], |device| {
        foreign(device, &Device::null())
    });
    suite.case(case_path!("a_buffer_of_the_host"), &[Need::Driver], |device| {
        foreign(device, &Device::host())
    });
    suite.case(case_path!("a_group_size_of_zero"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(8)?;
        let zero = |dimension| GeometryError::ZeroLocal { dimension };
        let result = launch!(queue, add_one(&mut y), global = 8, local = 0);
        refused(&queue, &y, result, zero(0))?;
        let result = launch!(queue, add_one_anywhere(&mut y), global = [4, 2], local = [4, 0]);
        refused(&queue, &y, result, zero(1))?;
        // Even where there is nothing to run.
        let result = launch!(queue, add_one(&mut y), global = 0, local = 0);
        refused(&queue, &y, result, zero(0))
    });
    suite.case(case_path!("another_group_size_than_the_kernels"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(8)?;
        let result = launch!(queue, add_one_in_fours(&mut y), global = 8, local = 8);
        let error = GeometryError::LocalIsFixed {
            kernel: "add_one_in_fours",
            fixed: [4, 1, 1],
            asked: [8, 1, 1],
        };
        refused(&queue, &y, result, error)
    });
    suite.case(case_path!("a_group_over_the_limit"), &[], |device| {
        let queue = device.queue()?;
        let limits = *device.limits();
        let mut y = queue.zeros::<u32>(8)?;
        let asked = limits.local_size[0].saturating_add(1);
        let result = launch!(queue, add_one(&mut y), global = 8, local = asked);
        refused(
            &queue,
            &y,
            result,
            GeometryError::LocalTooLarge {
                dimension: 0,
                asked,
                limit: limits.local_size[0],
            },
        )?;
        let [x, height, _] = limits.local_size;
        let rows = (limits.group_size / x + 1).min(height);
        if rows > 1 {
            let result = launch!(
                queue,
                add_one_anywhere(&mut y),
                global = [4, 2],
                local = [x, rows]
            );
            let limit = limits.group_size;
            refused(
                &queue,
                &y,
                result,
                GeometryError::GroupTooLarge {
                    asked: x * rows,
                    limit,
                },
            )?;
        }
        Ok(())
    });
    suite.case(case_path!("more_dimensions_than_the_grid"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(8)?;
        let result = launch!(queue, add_one(&mut y), global = 8, local = [4, 1]);
        refused(
            &queue,
            &y,
            result,
            GeometryError::Dimensions { grid: 1, local: 2 },
        )
    });
    suite.case(
        case_path!("more_dimensions_than_the_kernel_is_safe_in"),
        &[],
        |device| {
            let queue = device.queue()?;
            let mut y = queue.zeros::<u32>(8)?;
            let expected = |dimensions| GeometryError::TooManyDimensions {
                kernel: "add_one",
                limit: 1,
                dimensions,
            };
            let result = launch!(queue, add_one(&mut y), global = [4, 2]);
            refused(&queue, &y, result, expected(2))?;
            let result = launch!(queue, add_one(&mut y), global = [4, 1, 1]);
            refused(&queue, &y, result, expected(3))
        },
    );
    suite.case(case_path!("a_backward_range"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(8)?;
        let (start, end) = (5, 3);
        let result = launch!(queue, add_one(&mut y), global = start..end);
        refused(
            &queue,
            &y,
            result,
            GeometryError::BackwardRange {
                dimension: 0,
                start,
                end,
            },
        )
    });
    suite.case(case_path!("more_items_than_can_be_counted"), &[], |device| {
        let queue = device.queue()?;
        let mut y = queue.zeros::<u32>(8)?;
        let result = launch!(queue, add_one(&mut y), global = usize::MAX);
        refused(&queue, &y, result, GeometryError::Overflow)?;
        let result = launch!(queue, add_one_anywhere(&mut y), global = [1 << 40, 1 << 40]);
        refused(&queue, &y, result, GeometryError::Overflow)?;
        let result = launch!(queue, add_one(&mut y), global = usize::MAX - 8..usize::MAX);
        refused(&queue, &y, result, GeometryError::Overflow)?;
        let result = launch!(queue, add_one(&mut y), groups = 1 << 62, local = 8);
        refused(&queue, &y, result, GeometryError::Overflow)
    });
    suite.case(
        case_path!("f64_where_there_is_none"),
        &[Need::NoFloat64],
        |device| {
            let queue = device.queue()?;
            let mut y = queue.upload(&[1.0f32; 8])?;
            let expected = |kernel: &str| Error::Unsupported {
                kernel: kernel.into(),
                capability: Capability::Float64,
                device: device.info().id.clone(),
            };
            for _ in 0..2 {
                check_eq!(
                    launch!(queue, needs_f64(1.0, &mut y), global = 8),
                    Err(expected("needs_f64"))
                );
                check_eq!(needs_f64::prepare(&queue).map(|_| ()), Err(expected("needs_f64")));
            }
            check_eq!(queue.download(&y)?, [1.0; 8]);
            let (x, mut z) = (queue.upload(&[1.0f64; 8])?, queue.zeros::<u32>(8)?);
            check_eq!(
                launch!(queue, takes_f64(&x, &mut z), global = 8),
                Err(expected("takes_f64"))
            );
            // The queue goes on.
            launch!(queue, add_one(&mut z), global = 8)?;
            check_eq!(queue.download(&z)?, [1; 8]);
            Ok(())
        },
    );
}
