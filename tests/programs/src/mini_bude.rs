//! How well a small molecule, in many poses, fits a protein; as miniBUDE does. The deck is generated.
//!
//! Every atom of the ligand meets every atom of the protein. Both repel each other where they overlap, their charges
//! attract or repel over a short way, and it costs energy to bring what shuns water beside what seeks it. A work-item
//! does [`POSES`] poses, so that what depends on the pair of atoms alone is computed once for all of them.
//!
//! `--n` is the number of poses; with it the molecules are of a real size too. A real one is 65536.

use crate::common;
use gridfn::prelude::*;
use std::f32::consts::PI;

/// How charges act between atoms of a kind.
#[derive(Clone, Copy, PartialEq, DeviceCopy)]
enum Bonding {
    /// As charges do.
    Plain,
    /// Likewise, and twice as far between two of these.
    Far,
    /// They always attract: the atom turns its partner whichever end fits.
    Either,
}

/// What atoms of a kind have in common.
#[derive(Clone, Copy, DeviceCopy)]
struct Kind {
    bonding: Bonding,
    radius: f32,
    /// Below 0 if it shuns water, above 0 if it seeks it.
    affinity: f32,
    charge: f32,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Atom {
    position: [f32; 3],
    /// An index into the kinds.
    kind: u32,
}

/// The poses of a work-item.
const POSES: usize = 4;

/// The energy of overlap per share of the radii.
const HARDNESS: f32 = 38.0;
/// The energy of two charges of 1 that touch.
const COULOMB: f32 = 45.0;

/// What two kinds are to each other, at any distance.
#[derive(Clone, Copy, DeviceCopy)]
struct Pair {
    radii: f32,
    charges: f32,
    charge_reach: f32,
    either: bool,
    water: f32,
    water_reach: f32,
}

#[device]
impl Pair {
    fn new(p: &Kind, l: &Kind) -> Pair {
        let charge_reach = match (p.bonding, l.bonding) {
            (Bonding::Far, Bonding::Far) => 4.0,
            _ => 2.0,
        };
        let either = matches!(
            (p.bonding, l.bonding),
            (Bonding::Either, _) | (_, Bonding::Either)
        );
        // Two that shun water gain by meeting; one that does loses by meeting another.
        let (water, water_reach) = match (p.affinity < 0.0, l.affinity < 0.0) {
            (true, true) => (p.affinity + l.affinity, 5.5),
            (true, false) => (l.affinity - p.affinity, 1.0),
            (false, true) => (p.affinity - l.affinity, 1.0),
            (false, false) => (0.0, 1.0),
        };
        Pair {
            radii: p.radius + l.radius,
            charges: p.charge * l.charge,
            charge_reach,
            either,
            water,
            water_reach,
        }
    }

    /// The energy at a distance of the centres.
    fn energy(&self, distance: f32) -> f32 {
        let gap = distance - self.radii;
        let overlap = 2.0 * HARDNESS * (1.0 - distance / self.radii).max(0.0);
        let charge = COULOMB * self.charges * faded(gap, self.charge_reach);
        let charge = if self.either { -charge.abs() } else { charge };
        overlap + charge + self.water * faded(gap, self.water_reach)
    }
}

/// What is left across a gap of what reaches so far: 1 where two atoms touch.
#[device]
fn faded(gap: f32, reach: f32) -> f32 {
    (1.0 - gap / reach).clamp(0.0, 1.0)
}

/// A rotation, and then a shift.
#[derive(Clone, Copy, DeviceCopy)]
struct Pose {
    rows: [[f32; 4]; 3],
}

#[device]
impl Pose {
    const HERE: Pose = Pose { rows: [[0.0; 4]; 3] };

    /// Turns about x, then about y, then about z.
    fn new(turns: [f32; 3], shifts: [f32; 3]) -> Pose {
        let [x, y, z] = turns;
        let (sx, cx) = x.sin_cos();
        let (sy, cy) = y.sin_cos();
        let (sz, cz) = z.sin_cos();
        Pose {
            rows: [
                [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, shifts[0]],
                [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, shifts[1]],
                [-sy, sx * cy, cx * cy, shifts[2]],
            ],
        }
    }

    fn place(&self, position: &[f32; 3]) -> [f32; 3] {
        let mut placed = [0.0; 3];
        for (to, row) in placed.iter_mut().zip(&self.rows) {
            *to = row[0] * position[0] + row[1] * position[1] + row[2] * position[2] + row[3];
        }
        placed
    }
}

#[device]
fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    let mut square = 0.0;
    for (a, b) in a.iter().zip(b) {
        square += (a - b) * (a - b);
    }
    square.sqrt()
}

/// The energies of all poses, `POSES` of them by each work-item.
#[kernel]
fn dock(
    protein: &[Atom],
    ligand: &[Atom],
    kinds: &[Kind],
    turn_x: &[[f32; POSES]],
    turn_y: &[[f32; POSES]],
    turn_z: &[[f32; POSES]],
    shift_x: &[[f32; POSES]],
    shift_y: &[[f32; POSES]],
    shift_z: &[[f32; POSES]],
    energies: &mut [[f32; POSES]],
) {
    let i = global_id(0);
    let mut poses = [Pose::HERE; POSES];
    for k in 0..POSES {
        let turns = [turn_x[i][k], turn_y[i][k], turn_z[i][k]];
        poses[k] = Pose::new(turns, [shift_x[i][k], shift_y[i][k], shift_z[i][k]]);
    }
    let mut sums = [0.0; POSES];
    for l in ligand {
        let mut positions = [[0.0; 3]; POSES];
        for (position, pose) in positions.iter_mut().zip(&poses) {
            *position = pose.place(&l.position);
        }
        for p in protein {
            let pair = Pair::new(&kinds[p.kind as usize], &kinds[l.kind as usize]);
            for (sum, position) in sums.iter_mut().zip(&positions) {
                *sum += pair.energy(distance(position, &p.position));
            }
        }
    }
    for sum in &mut sums {
        *sum *= 0.5;
    }
    energies[i] = sums;
}

struct Deck {
    protein: Vec<Atom>,
    ligand: Vec<Atom>,
    kinds: Vec<Kind>,
    /// Three turns and three shifts, of each pose.
    moves: [Vec<f32>; 6],
}

impl Deck {
    /// Atoms in two balls that touch, and poses in which they still do.
    fn new(protein: usize, ligand: usize, poses: usize) -> Deck {
        let mut random = fastrand::Rng::with_seed(12);
        let kinds: Vec<Kind> = (0..32)
            .map(|k| Kind {
                bonding: [Bonding::Plain, Bonding::Far, Bonding::Either][k % 3],
                radius: 1.0 + random.f32(),
                affinity: 2.0 * random.f32() - 1.0,
                charge: [-1.0, 0.0, 0.5, 1.0][random.usize(..4)],
            })
            .collect();
        let mut ball = |atoms: usize| -> Vec<Atom> {
            let size = 1.5 * (atoms as f32).cbrt();
            let mut coordinate = || size * (random.f32() - 0.5);
            let positions: Vec<[f32; 3]> = (0..atoms).map(|_| [(); 3].map(|()| coordinate())).collect();
            positions
                .into_iter()
                .map(|position| Atom {
                    position,
                    kind: random.u32(..32),
                })
                .collect()
        };
        let (protein, ligand) = (ball(protein), ball(ligand));
        let moves = [PI, PI, PI, 5.0, 5.0, 5.0]
            .map(|most| (0..poses).map(|_| most * (2.0 * random.f32() - 1.0)).collect());
        Deck {
            protein,
            ligand,
            kinds,
            moves,
        }
    }

    /// The energy of a pose in numbers of 64 bits, term by term: one branch for each thing that may happen.
    fn energy(&self, pose: usize) -> f64 {
        let [x, y, z, shifts @ ..] = self.moves.each_ref().map(|of_poses| f64::from(of_poses[pose]));
        // Rotates (a, b) by an angle: from the first of these axes to the second.
        let turn = |[a, b]: [f64; 2], angle: f64| {
            let (sin, cos) = angle.sin_cos();
            [a * cos - b * sin, a * sin + b * cos]
        };
        let mut sum = 0.0;
        for l in &self.ligand {
            let [lx, ly, lz] = l.position.map(f64::from);
            let [ly, lz] = turn([ly, lz], x);
            let [lz, lx] = turn([lz, lx], y);
            let [lx, ly] = turn([lx, ly], z);
            let place = [lx + shifts[0], ly + shifts[1], lz + shifts[2]];
            for p in &self.protein {
                let square: f64 = (0..3)
                    .map(|d| (place[d] - f64::from(p.position[d])).powi(2))
                    .sum();
                sum += energy(
                    &self.kinds[p.kind as usize],
                    &self.kinds[l.kind as usize],
                    square.sqrt(),
                );
            }
        }
        sum / 2.0
    }
}

/// The energy of two atoms.
fn energy(p: &Kind, l: &Kind, distance: f64) -> f64 {
    let radii = f64::from(p.radius + l.radius);
    let gap = distance - radii;
    let mut sum = 0.0;
    if gap < 0.0 {
        sum += (1.0 - distance / radii) * 2.0 * f64::from(HARDNESS);
    }
    let bondings = [p.bonding, l.bonding];
    let reach = if bondings == [Bonding::Far; 2] { 4.0 } else { 2.0 };
    if gap < reach {
        let mut charge = f64::from(p.charge) * f64::from(l.charge);
        if gap > 0.0 {
            charge *= 1.0 - gap / reach;
        }
        if bondings.contains(&Bonding::Either) {
            charge = -charge.abs();
        }
        sum += charge * f64::from(COULOMB);
    }
    let shunning = [p.affinity, l.affinity].iter().filter(|a| **a < 0.0).count();
    let strength = f64::from(p.affinity.abs()) + f64::from(l.affinity.abs());
    let (strength, reach) = [(0.0, 1.0), (strength, 1.0), (-strength, 5.5)][shunning];
    if gap < reach {
        sum += strength * if gap > 0.0 { 1.0 - gap / reach } else { 1.0 };
    }
    sum
}

pub(crate) fn run(device: &Device, n: Option<usize>) -> common::Result {
    let poses = n.unwrap_or(64).next_multiple_of(POSES);
    let (protein, ligand) = if n.is_some() { (938, 26) } else { (60, 8) };
    let deck = Deck::new(protein, ligand, poses);

    let queue = device.queue()?;
    let protein = queue.upload(&deck.protein)?;
    let ligand = queue.upload(&deck.ligand)?;
    let kinds = queue.upload(&deck.kinds)?;
    let mut moves = vec![];
    for of_poses in &deck.moves {
        moves.push(queue.upload(of_poses.as_chunks::<POSES>().0)?);
    }
    let [tx, ty, tz, sx, sy, sz] = &moves[..] else {
        return Err(common::failure("there are six moves"));
    };
    let mut energies = queue.upload(&vec![[0.0f32; POSES]; poses / POSES])?;
    launch!(
        queue,
        dock(&protein, &ligand, &kinds, tx, ty, tz, sx, sy, sz, &mut energies),
        global = poses / POSES
    )?;
    let energies = queue.download(&energies)?;
    let energies = energies.as_flattened();

    println!(
        "poses {poses}, atoms {} and {}",
        deck.protein.len(),
        deck.ligand.len()
    );
    // Of many poses, some; as a share of the largest energy.
    let sample = || common::sample(poses, 256);
    let expected: Vec<f64> = sample().map(|pose| deck.energy(pose)).collect();
    let largest = expected.iter().map(|energy| energy.abs()).fold(0.0, f64::max);
    println!("largest energy {largest:.1}");
    let errors = sample()
        .zip(expected)
        .map(|(pose, expected)| (f64::from(energies[pose]) - expected) / largest);
    common::within("max error", errors, 1e-5)
}
