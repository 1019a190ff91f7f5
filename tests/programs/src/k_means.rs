//! Points grouped around centres, each of which moves into the middle of its points, until they stay. `--n` is the number
//! of points; a real one is 494020.

use crate::common;
use gridfn::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

/// Coordinates of a point.
const DIMENSIONS: usize = 4;
/// The clusters.
const CLUSTERS: usize = 5;
/// The items of a group.
const GROUP: usize = 32;

/// Finds the nearest centre of each point, says so, and adds the point to that cluster's sums and count.
#[kernel(local = GROUP)]
fn assign(
    points: View<f32, 2>,
    centres: &[[f32; DIMENSIONS]],
    nearest: &mut [u32],
    sums: &[AtomicF32],
    counts: &[AtomicU32],
    moved: &[AtomicU32],
) {
    let mut table = local_array::<[f32; DIMENSIONS], CLUSTERS>();
    let i = global_id(0);
    // A group at the end may have fewer items than there are clusters.
    let here = (nearest.len() - group_id(0) * GROUP).min(GROUP);
    for cluster in (local_id(0)..CLUSTERS).step_by(here) {
        table[cluster] = centres[cluster];
    }
    barrier();
    let mut best = (0, f32::INFINITY);
    for (cluster, centre) in table.iter().enumerate() {
        let mut square = 0.0;
        for d in 0..DIMENSIONS {
            let way = points[[i, d]] - centre[d];
            square += way * way;
        }
        if square < best.1 {
            best = (cluster, square);
        }
    }
    let (cluster, _) = best;
    if nearest[i] != cluster as u32 {
        nearest[i] = cluster as u32;
        moved[0].fetch_add(1, Ordering::Relaxed);
    }
    for d in 0..DIMENSIONS {
        sums[cluster * DIMENSIONS + d].fetch_add(points[[i, d]], Ordering::Relaxed);
    }
    counts[cluster].fetch_add(1, Ordering::Relaxed);
}

/// Moves each centre into the middle of its points, if it has any, and clears what was added up.
#[kernel]
fn update(sums: ViewMut<f32, 2>, counts: &mut [u32], centres: &mut [[f32; DIMENSIONS]]) {
    let i = global_id(0);
    for d in 0..DIMENSIONS {
        if counts[i] > 0 {
            centres[i][d] = sums[[i, d]] / counts[i] as f32;
        }
        sums[[i, d]] = 0.0;
    }
    counts[i] = 0;
}

type Point = [f32; DIMENSIONS];

/// Points around as many places as there are clusters.
fn blobs(n: usize) -> Vec<Point> {
    let mut random = fastrand::Rng::with_seed(11);
    let middles: Vec<Point> = (0..CLUSTERS)
        .map(|_| [(); DIMENSIONS].map(|()| 20.0 * random.f32()))
        .collect();
    (0..n)
        .map(|i| middles[i % CLUSTERS].map(|c| c + 6.0 * (random.f32() + random.f32() - 1.0)))
        .collect()
}

fn square(a: &Point, b: &Point) -> f64 {
    let ways = a.iter().zip(b).map(|(a, b)| f64::from(*a) - f64::from(*b));
    ways.map(|way| way * way).sum()
}

/// How far the centres are from the middles of the points that were found to be theirs, and the bound for that, as shares
/// of the largest coordinate: each addition rounds once.
fn check_middles(points: &[Point], nearest: &[u32], centres: &[Point]) -> common::Result {
    let mut sums = [([0.0; DIMENSIONS], 0usize); CLUSTERS];
    for (point, &cluster) in points.iter().zip(nearest) {
        let (sum, count) = &mut sums[cluster as usize];
        *count += 1;
        sum.iter_mut().zip(point).for_each(|(s, p)| *s += f64::from(*p));
    }
    let most = sums.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let filled = sums.iter().zip(centres).filter(|((_, count), _)| *count > 0);
    let errors = filled.flat_map(|((sum, count), centre)| {
        let pairs = sum.iter().zip(centre);
        pairs.map(move |(sum, c)| (f64::from(*c) - sum / *count as f64) / 30.0)
    });
    common::within(
        "error of the centres",
        errors,
        most as f64 * f64::from(f32::EPSILON),
    )
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let n = n.unwrap_or(200);
    let points = blobs(n);
    // The first points, which lie in one blob each, would be too good to begin with.
    let first: Vec<Point> = (0..CLUSTERS).map(|c| points[c * n / CLUSTERS / 2]).collect();

    let queue = device.queue()?;
    let there = queue.upload(points.as_flattened())?;
    let mut centres = queue.upload(&first)?;
    let mut nearest = queue.upload(&vec![u32::MAX; n])?;
    let mut sums = queue.zeros::<f32>(CLUSTERS * DIMENSIONS)?;
    let mut counts = queue.zeros::<u32>(CLUSTERS)?;
    let mut moved = queue.zeros::<u32>(1)?;
    let mut objective = f64::INFINITY;
    for round in 0.. {
        let before = queue.download(&centres)?;
        queue.fill(&mut moved, 0)?;
        launch!(
            queue,
            assign(
                there.view([n, DIMENSIONS])?,
                &centres,
                &mut nearest,
                &mut sums,
                &mut counts,
                &mut moved
            ),
            global = n
        )?;
        launch!(
            queue,
            update(sums.view_mut([CLUSTERS, DIMENSIONS])?, &mut counts, &mut centres),
            global = CLUSTERS
        )?;
        let found = queue.download(&nearest)?;
        let moved = queue.download(&moved)?[0];
        // As far as single points can tell: two centres may be as near, but for rounding.
        let squares = points.iter().zip(&found).map(|(point, &cluster)| {
            let found = square(point, &before[cluster as usize]);
            let least = before.iter().map(|centre| square(point, centre));
            (found, least.fold(f64::INFINITY, f64::min))
        });
        if squares
            .clone()
            .any(|(found, least)| found > least * (1.0 + 1e-5) + 1e-5)
        {
            return Err(common::failure("a point is nearer to another centre"));
        }
        let new = squares.map(|(found, _)| found).sum::<f64>() / n as f64;
        println!("round {round}: {moved} of {n} points moved, mean square {new:.5}");
        if new > objective * (1.0 + 1e-5) {
            return Err(common::failure(
                "the points are farther from their centres than before",
            ));
        }
        objective = new;
        if moved == 0 {
            return check_middles(&points, &found, &queue.download(&centres)?);
        }
        if round == 50 {
            break;
        }
    }
    // Of many points, some never end to move; what was checked so far is right.
    Ok(())
}
