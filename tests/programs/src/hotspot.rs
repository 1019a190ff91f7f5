//! How warm a chip becomes; as Rodinia's Hotspot computes it. `--n` is the length of an edge; a real one is 1024.
//!
//! Each cell takes up heat from its power, its four neighbours, and the air. A group does several steps in one launch: it
//! holds more cells than it is to do, a *ghost zone* around them, and after each step one ring of these is no longer right.
//! What is left in the middle is.

use crate::common;
use gridfn::prelude::*;

/// Cells of a group in each direction, those of the ghost zone too.
const BLOCK: usize = 16;

/// Some steps. The grid has a group for every `BLOCK - 2 * steps` cells in each direction.
///
/// # Safety
///
/// `steps` is more than 0, and less than half of `BLOCK`; then each cell is written by one item.
#[kernel(local = [BLOCK, BLOCK])]
unsafe fn hotspot(
    steps: usize,
    power: &[f32],
    from: &[f32],
    to: &mut [f32],
    columns: usize,
    rows: usize,
    ghost_columns: usize,
    ghost_rows: usize,
    capacity: f32,
    rx: f32,
    ry: f32,
    rz: f32,
    dt: f32,
    air: f32,
) {
    let mut before = local_array::<[f32; BLOCK], BLOCK>();
    let mut powers = local_array::<[f32; BLOCK], BLOCK>();
    let (tx, ty) = (local_id(0), local_id(1));
    // Where the item's cell is: above 0 or left of it too, at the chip's edge.
    let x = (group_id(0) * (BLOCK - 2 * ghost_columns) + tx) as i32 - ghost_columns as i32;
    let y = (group_id(1) * (BLOCK - 2 * ghost_rows) + ty) as i32 - ghost_rows as i32;
    let on_chip = x >= 0 && x < columns as i32 && y >= 0 && y < rows as i32;
    let cell = if on_chip {
        y as usize * columns + x as usize
    } else {
        0
    };
    if on_chip {
        before[ty][tx] = from[cell];
        powers[ty][tx] = power[cell];
    }
    barrier();
    // At the edge a cell is its own neighbour.
    let west = if x > 0 { tx.saturating_sub(1) } else { tx };
    let east = if x < columns as i32 - 1 {
        (tx + 1).min(BLOCK - 1)
    } else {
        tx
    };
    let north = if y > 0 { ty.saturating_sub(1) } else { ty };
    let south = if y < rows as i32 - 1 {
        (ty + 1).min(BLOCK - 1)
    } else {
        ty
    };
    let share = dt / capacity;
    let mut computed = false;
    let mut after = 0.0;
    for step in 1..=steps {
        let inside = tx >= step && tx < BLOCK - step && ty >= step && ty < BLOCK - step;
        computed = inside && on_chip;
        if computed {
            let here = before[ty][tx];
            after = here
                + share
                    * (powers[ty][tx]
                        + (before[south][tx] + before[north][tx] - 2.0 * here) / ry
                        + (before[ty][east] + before[ty][west] - 2.0 * here) / rx
                        + (air - here) / rz);
        }
        if step == steps {
            break;
        }
        barrier();
        if computed {
            before[ty][tx] = after;
        }
        barrier();
    }
    if computed {
        to[cell] = after;
    }
}

/// A chip, by what Hotspot makes of its measures in metres.
struct Chip {
    rows: usize,
    columns: usize,
    capacity: f32,
    rx: f32,
    ry: f32,
    rz: f32,
    dt: f32,
    air: f32,
}

impl Chip {
    fn new([rows, columns]: [usize; 2]) -> Chip {
        let (edge, thickness) = (0.016, 0.0005);
        // Of silicon, by volume and by length.
        let (heat, conductivity) = (1.75e6, 100.0);
        let (height, width) = (edge / rows as f32, edge / columns as f32);
        // The largest change of a cell in one step is to be a thousandth of a degree.
        let slope = 3.0e6 / (0.5 * thickness * heat);
        Chip {
            rows,
            columns,
            capacity: 0.5 * heat * thickness * width * height,
            rx: width / (2.0 * conductivity * thickness * height),
            ry: height / (2.0 * conductivity * thickness * width),
            rz: thickness / (conductivity * height * width),
            dt: 0.001 / slope,
            air: 80.0,
        }
    }

    /// One step, in the plainest way; by the same additions, so to the same bits.
    fn step(&self, power: &[f32], from: &[f32]) -> Vec<f32> {
        let at = |y: usize, x: usize| from[y * self.columns + x];
        let share = self.dt / self.capacity;
        let cell = |i: usize| {
            let (y, x) = (i / self.columns, i % self.columns);
            let here = at(y, x);
            let north_south = at((y + 1).min(self.rows - 1), x) + at(y.saturating_sub(1), x);
            let east_west = at(y, (x + 1).min(self.columns - 1)) + at(y, x.saturating_sub(1));
            let flows = power[i]
                + (north_south - 2.0 * here) / self.ry
                + (east_west - 2.0 * here) / self.rx
                + (self.air - here) / self.rz;
            here + share * flows
        };
        (0..from.len()).map(cell).collect()
    }
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let size = n.map_or([13, 27], |n| [n; 2]);
    let [rows, columns] = size;
    let chip = Chip::new(size);
    let mut random = fastrand::Rng::with_seed(5);
    let power: Vec<f32> = (0..rows * columns).map(|_| 0.01 * random.f32()).collect();
    let start: Vec<f32> = (0..rows * columns).map(|_| 320.0 + 20.0 * random.f32()).collect();

    let queue = device.queue()?;
    let power_there = queue.upload(&power)?;
    let mut from = queue.upload(&start)?;
    let mut to = queue.upload(&start)?;
    let launches = [3, 3, 1, 2];
    for steps in launches {
        let inner = BLOCK - 2 * steps;
        launch!(
            queue,
            // SAFETY: the steps are few enough.
            unsafe {
                hotspot(
                    steps,
                    &power_there,
                    &from,
                    &mut to,
                    columns,
                    rows,
                    steps,
                    steps,
                    chip.capacity,
                    chip.rx,
                    chip.ry,
                    chip.rz,
                    chip.dt,
                    chip.air,
                )
            },
            groups = [columns.div_ceil(inner), rows.div_ceil(inner)],
            local = [BLOCK, BLOCK]
        )?;
        std::mem::swap(&mut from, &mut to);
    }
    let steps = launches.iter().sum();
    let expected = (0..steps).fold(start, |cells, _| chip.step(&power, &cells));
    let found = queue.download(&from)?;
    let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
    println!("cells {rows}x{columns}, steps {steps}, wrong {wrong}");
    if wrong > 0 {
        return Err(common::failure("the cells are not as warm as step by step"));
    }
    Ok(())
}
