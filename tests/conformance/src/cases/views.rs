//! Views of buffers: several indices, shapes, parts, and whose element is whose.

use crate::case::{Need, Outcome, Suite, case_path, check_eq, check_matches};
use gridfn::prelude::*;
use gridfn::{Error, GeometryError};

#[kernel]
fn transpose(a: View<u32, 2>, b: ViewMut<u32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    b[[global_id(1), global_id(0)]] = a[[x, y]];
}

/// By all own indices, in an order that is not that of the dimensions, bound to names.
#[kernel]
fn place(v: ViewMut<u64, 3>) {
    let x = global_id(0);
    let own = [x, global_id(2), global_id(1)];
    let [planes, rows, columns] = v.shape();
    v[own] += (planes * 1_000_000 + rows * 10_000 + columns * 100) as u64 + v.len() as u64;
}

#[kernel]
fn double(v: ViewMut<f32, 1>) {
    v[[global_id(0)]] *= 2.0;
}

/// An item has a column for itself.
#[kernel]
fn sums_of_columns(v: ViewMut<u32, 2>) {
    let x = global_id(0);
    let [rows, _] = v.shape();
    for y in 1..rows {
        v[[y, x]] += v[[y - 1, x]];
    }
}

/// The box around each element, where there is one.
#[kernel]
fn blur(a: View<'_, f32, 2>, b: ViewMut<'_, f32, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    let [rows, columns] = a.shape();
    let mut sum = 0.0;
    for row in y.saturating_sub(1)..(y + 2).min(rows) {
        for column in x.saturating_sub(1)..(x + 2).min(columns) {
            sum += a[[row, column]];
        }
    }
    b[[y, x]] = sum;
}

#[kernel]
fn reads_outside(a: View<u32, 2>, b: &mut [u32], row: usize, column: usize) {
    let i = global_id(0);
    b[i] = a[[row + i, column]]; // read
}

#[kernel]
fn writes_outside(b: ViewMut<u32, 2>) {
    b[[global_id(0), global_id(1)]] = 7; // written
}

#[derive(Clone, Copy, PartialEq, Debug, DeviceCopy)]
struct Cell {
    alive: bool,
    age: u16,
    weights: [f32; 3],
}

#[device]
fn grow(cell: &mut Cell, by: u16) {
    cell.age += by;
    cell.weights[1] += cell.weights[0];
}

#[kernel]
fn age(cells: ViewMut<Cell, 2>) {
    let (x, y) = (global_id(0), global_id(1));
    let cell = &mut cells[[y, x]];
    if cell.alive {
        grow(cell, 3);
    }
}

#[derive(KernelArg)]
struct Wave<'a> {
    now: View<'a, f32, 2>,
    next: ViewMut<'a, f32, 2>,
    dt: f32,
}

#[kernel]
fn step(wave: Wave<'_>, edges: (View<f32, 1>, f32)) {
    let (x, y) = (global_id(0), global_id(1));
    wave.next[[y, x]] += wave.dt * wave.now[[y, x]] + edges.0[[x]] * edges.1;
}

#[kernel]
fn axpy<T: Float>(a: T, x: View<T, 2>, y: ViewMut<T, 2>) {
    let at = [global_id(1), global_id(0)];
    y[at] = a * x[at] + y[at];
}

/// A barrier in each of as many rounds as a view has rows: its shape is the same for all items.
#[kernel]
fn rounds(a: View<u32, 2>, b: ViewMut<u32, 2>) {
    let mut t = local_array::<u32, 16>();
    let x = global_id(0);
    let l = local_id(0);
    let [rows, columns] = a.shape();
    let n = (columns - group_id(0) * local_size(0)).min(local_size(0));
    let mut sum = 0;
    for row in 0..rows {
        t[l] = a[[row, x]];
        barrier();
        sum += t[(l + row) % n];
        barrier();
    }
    let mut k = 0;
    while k < b.shape()[0] {
        t[l] = sum;
        barrier();
        b[[k, x]] = t[(l + k) % n];
        barrier();
        k += 1;
    }
}

/// # Safety
///
/// There is one item.
#[kernel]
unsafe fn reversed(v: ViewMut<u32, 2>) {
    let [rows, columns] = v.shape();
    if !v.is_empty() {
        for x in 0..columns / 2 {
            let (left, right) = (v[[rows - 1, x]], v[[rows - 1, columns - 1 - x]]);
            v[[rows - 1, x]] = right;
            v[[rows - 1, columns - 1 - x]] = left;
        }
    }
}

#[kernel]
fn shapes(empty: View<u32, 3>, small: View<u8, 1>, to: &mut [usize]) {
    let i = global_id(0);
    let [a, b, c] = empty.shape();
    to[i] = match i {
        0 => a,
        1 => b,
        2 => c,
        3 => empty.len(),
        4 => empty.is_empty() as usize,
        5 => small.shape()[0],
        _ => small.len() + small.is_empty() as usize,
    };
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

fn transposes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    for [rows, columns] in [[1, 1], [3, 5], [64, 1], [31, 47]] {
        let from = numbers(rows * columns);
        let a = queue.upload(&from)?;
        let mut b = queue.zeros::<u32>(rows * columns)?;
        let (view, to) = (a.view([rows, columns])?, b.view_mut([columns, rows])?);
        launch!(queue, transpose(view, to), global = [rows, columns])?;
        let expected: Vec<u32> = (0..columns)
            .flat_map(|y| (0..rows).map(move |x| (x, y)))
            .map(|(x, y)| from[x * columns + y])
            .collect();
        check_eq!(queue.download(&b)?, expected, "{rows} by {columns}");
    }
    Ok(())
}

fn three_dimensions(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let [x, y, z] = [3, 5, 4];
    let mut v = queue.upload(&(0..60).collect::<Vec<u64>>())?;
    launch!(queue, place(v.view_mut([x, z, y])?), global = [x, y, z])?;
    let expected: Vec<u64> = (0..60).map(|i| i + 3_040_500 + 60).collect();
    check_eq!(queue.download(&v)?, expected);
    Ok(())
}

/// Only the elements of a part are touched, whatever it is a part of.
fn parts(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let a = numbers(6 * 7);
    let from = queue.upload(&a)?;
    let mut to = queue.upload(&[1u32; 8 * 5])?;
    let view = from.view([6, 7])?.part([1..5, 2..7])?.part([1..4, 0..2])?;
    check_eq!((view.shape(), view.len()), ([3, 2], 6));
    let mut whole = to.view_mut([8, 5])?;
    launch!(queue, transpose(view, whole.part([3..5, 1..4])?), global = [3, 2])?;
    let mut expected = vec![1u32; 40];
    for (row, column) in (0..3).flat_map(|row| (0..2).map(move |column| (row, column))) {
        expected[(3 + column) * 5 + 1 + row] = a[(2 + row) * 7 + 2 + column];
    }
    check_eq!(queue.download(&to)?, expected);

    let mut x = queue.upload(&[1.0f32; 10])?;
    launch!(queue, double(x.slice_mut(3..7)?), global = 4)?;
    launch!(queue, double(x.slice_mut(10..10)?), global = 0)?;
    check_eq!(queue.download(&x)?, [1., 1., 1., 2., 2., 2., 2., 1., 1., 1.]);

    let mut z = queue.upload(&(0..24).collect::<Vec<u64>>())?;
    let part = z.view_mut([2, 3, 4])?.into_part([1..2, 1..3, 2..4])?;
    launch!(queue, place(part), global = [1, 2, 2])?;
    let inside = |i: u64| i >= 12 && i % 12 / 4 >= 1 && i % 4 >= 2;
    let expected: Vec<u64> = (0..24)
        .map(|i| i + if inside(i) { 1_020_204 } else { 0 })
        .collect();
    check_eq!(queue.download(&z)?, expected);
    Ok(())
}

fn columns_of_their_own(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut v = queue.upload(&(1..=12).collect::<Vec<u32>>())?;
    launch!(queue, sums_of_columns(v.view_mut([3, 4])?), global = 4)?;
    check_eq!(queue.download(&v)?, [1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 21, 24]);
    let result = launch!(queue, sums_of_columns(v.view_mut([3, 4])?), global = [4, 1]);
    let error = GeometryError::TooManyDimensions {
        kernel: "sums_of_columns",
        limit: 1,
        dimensions: 2,
    };
    check_eq!(result, Err(error.into()));
    let result = launch!(queue, writes_outside(v.view_mut([3, 4])?), global = [3, 4, 1]);
    let error = GeometryError::TooManyDimensions {
        kernel: "writes_outside",
        limit: 2,
        dimensions: 3,
    };
    check_eq!(result, Err(error.into()));
    // Fewer dimensions are the first row.
    let mut b = queue.zeros::<u32>(6)?;
    launch!(queue, writes_outside(b.view_mut([3, 2])?), global = 3)?;
    check_eq!(queue.download(&b)?, [7, 0, 7, 0, 7, 0]);
    Ok(())
}

fn neighbours(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (rows, columns) = (9, 13);
    let a: Vec<f32> = (0..rows * columns).map(|i| (i % 17) as f32).collect();
    let (from, mut to) = (queue.upload(&a)?, queue.zeros::<f32>(rows * columns)?);
    let view = from.view([rows, columns])?;
    launch!(
        queue,
        blur(view, to.view_mut([rows, columns])?),
        global = [columns, rows],
        local = [4, 4]
    )?;
    let mut expected = vec![0.0; rows * columns];
    for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
        for row in y.saturating_sub(1)..(y + 2).min(rows) {
            for column in x.saturating_sub(1)..(x + 2).min(columns) {
                expected[y * columns + x] += a[row * columns + column];
            }
        }
    }
    check_eq!(queue.download(&to)?, expected);
    Ok(())
}

/// Line and column of `text` in the line of this file that ends in `mark`.
fn place_of(text: &str, mark: &str) -> (u32, u32) {
    let lines = include_str!("views.rs").lines().zip(1..);
    let mut places = lines.filter(|(line, _)| line.ends_with(mark));
    places.next().map_or((0, 0), |(line, number)| {
        (number, line.find(text).map_or(0, |column| column as u32 + 1))
    })
}

/// Each dimension has a length of its own, and a part has those of the part.
fn faults(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let a = queue.upload(&numbers(12))?;
    let view = a.view([3, 4])?.part([0..2, 1..4])?;
    for (row, column, message, id) in [
        (0, 3, "index out of bounds: the len is 3 but the index is 3", 0),
        (1, 0, "index out of bounds: the len is 2 but the index is 2", 1),
        (1, 9, "index out of bounds: the len is 3 but the index is 9", 0),
        (2, 9, "index out of bounds: the len is 2 but the index is 2", 0),
    ] {
        let mut b = queue.zeros::<u32>(2)?;
        launch!(queue, reads_outside(view, &mut b, row, column), global = 1)?;
        let items = if id == 0 { 1 } else { 2 };
        if items == 2 {
            queue.synchronize()?;
            launch!(queue, reads_outside(view, &mut b, row, column), global = 1..2)?;
        }
        let Err(Error::Fault(fault)) = queue.synchronize() else {
            return Err(format!("no fault at {row}, {column}").into());
        };
        check_eq!(fault.message, message);
        check_eq!((fault.id, fault.count), ([id, 0, 0], 1));
        check_eq!((fault.line, fault.column), place_of("a[[", "// read"));
    }
    let mut b = queue.zeros::<u32>(6)?;
    launch!(queue, writes_outside(b.view_mut([2, 3])?), global = [3, 3])?;
    let Err(Error::Fault(fault)) = queue.synchronize() else {
        return Err("no fault of a write".into());
    };
    check_eq!(
        fault.message,
        "index out of bounds: the len is 2 but the index is 2"
    );
    check_eq!((fault.count, fault.id[0]), (3, 2));
    check_eq!((fault.line, fault.column), place_of("b[[", "// written"));
    check_eq!(queue.download(&b)?, [7; 6]);
    Ok(())
}

fn structs(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let cell = |i: u16| Cell {
        alive: i % 3 != 0,
        age: i,
        weights: [f32::from(i), 0.5, 2.0],
    };
    let cells: Vec<Cell> = (0..20).map(cell).collect();
    let mut buffer = queue.upload(&cells)?;
    let view = buffer.view_mut([4, 5])?.into_part([1..4, 0..5])?;
    launch!(queue, age(view), global = [5, 3])?;
    let expected: Vec<Cell> = cells
        .into_iter()
        .map(|mut cell| {
            if cell.alive && cell.age >= 5 {
                grow(&mut cell, 3);
            }
            cell
        })
        .collect();
    check_eq!(queue.download(&buffer)?, expected);
    Ok(())
}

fn arguments(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (now, mut next) = (
        queue.upload(&[1.0f32, 2., 3., 4., 5., 6.])?,
        queue.upload(&[10.0f32; 6])?,
    );
    let edge = queue.upload(&[100.0f32, 200., 300., 400.])?;
    let wave = Wave {
        now: now.view([2, 3])?,
        next: next.view_mut([2, 3])?,
        dt: 0.5,
    };
    launch!(queue, step(wave, (edge.slice(1..4)?, 2.0)), global = [3, 2])?;
    check_eq!(queue.download(&next)?, [410.5, 611., 811.5, 412., 612.5, 813.]);
    let mut y = queue.upload(&[1.0f32; 6])?;
    launch!(
        queue,
        axpy(2.0, now.view([3, 2])?, y.view_mut([3, 2])?),
        global = [2, 3]
    )?;
    check_eq!(queue.download(&y)?, [3., 5., 7., 9., 11., 13.]);
    let mut v = queue.upload(&(0..6).collect::<Vec<u32>>())?;
    // SAFETY: one item.
    launch!(queue, unsafe { reversed(v.view_mut([2, 3])?) }, global = 1)?;
    let empty = v.view_mut([2, 3])?.into_part([0..0, 0..3])?;
    // SAFETY: one item.
    launch!(queue, unsafe { reversed(empty) }, global = ())?;
    check_eq!(queue.download(&v)?, [0, 1, 2, 5, 4, 3]);
    Ok(())
}

fn captured(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let a = queue.upload(&numbers(12))?;
    let mut b = queue.zeros::<u32>(12)?;
    let from = a.view([3, 4])?;
    let mut to = b.view_mut([4, 3])?;
    let k = 5;
    launch!(queue, |[x, y]| to[[y, x]] = from[[x, y]] ^ k, global = [3, 4])?;
    let mut kernel = closure!(|i| {
        let [rows, _] = to.shape();
        for row in 1..rows {
            to[[row, i]] += to[[row - 1, i]];
        }
    });
    launch!(queue, &mut kernel, global = 3)?;
    let mut expected = vec![0u32; 12];
    for (y, x) in (0..4).flat_map(|y| (0..3).map(move |x| (y, x))) {
        let above = if y > 0 { expected[(y - 1) * 3 + x] } else { 0 };
        expected[y * 3 + x] = (numbers(12)[x * 4 + y] ^ k).wrapping_add(above);
    }
    check_eq!(queue.download(&b)?, expected);

    let mut to = b.view_mut([4, 3])?;
    let part = to.part([3..4, 0..3])?;
    let mut moved = closure!(move |x| part[[0, x]] = x as u32);
    launch!(queue, &mut moved, global = 3)?;
    let reborrowed = &mut to;
    launch!(queue, |x| reborrowed[[2, x]] = 7, global = 2)?;
    expected[6..8].fill(7);
    expected[9..].copy_from_slice(&[0, 1, 2]);
    check_eq!(queue.download(&b)?, expected);

    // A part of a closure's own, moved into it.
    let part = a.view([3, 4])?.part([1..3, 1..3])?;
    let owned = queue.zeros::<u32>(2)?;
    launch!(
        queue,
        move |y| owned[y] = part[[y, 0]].wrapping_add(part[[y, 1]]),
        global = 2
    )?;
    let mut rows = queue.zeros::<u32>(2)?;
    launch!(
        queue,
        |y| rows[y] = part[[y, 0]].wrapping_add(part[[y, 1]]),
        global = 2
    )?;
    let n = numbers(12);
    let sum = |row: usize| n[row * 4 + 1].wrapping_add(n[row * 4 + 2]);
    check_eq!(queue.download(&rows)?, [sum(1), sum(2)]);
    Ok(())
}

fn rounds_of_shapes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (columns, local) = (21, 8);
    for rows in [1, 4] {
        let a = numbers(rows * columns);
        let (from, mut to) = (queue.upload(&a)?, queue.zeros::<u32>(3 * columns)?);
        launch!(
            queue,
            rounds(from.view([rows, columns])?, to.view_mut([3, columns])?),
            global = columns,
            local = local
        )?;
        // The column of what an item's neighbour in its group has.
        let neighbour = |x: usize, by: usize| {
            let first = x / local * local;
            first + (x - first + by) % (columns - first).min(local)
        };
        let sum = |x: usize| {
            let terms = (0..rows).map(|row| a[row * columns + neighbour(x, row)]);
            terms.fold(0, u32::wrapping_add)
        };
        let expected: Vec<u32> = (0..3 * columns)
            .map(|i| sum(neighbour(i % columns, i / columns)))
            .collect();
        check_eq!(queue.download(&to)?, expected, "{rows} rows");
    }
    Ok(())
}

fn sizes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (empty, small) = (queue.zeros::<u32>(0)?, queue.zeros::<u8>(5)?);
    let mut to = queue.zeros::<usize>(7)?;
    let shape = [4, 0, 7];
    launch!(
        queue,
        shapes(empty.view(shape)?, small.view([5])?, &mut to),
        global = 7
    )?;
    check_eq!(queue.download(&to)?, [4, 0, 7, 0, 1, 5, 5]);
    Ok(())
}

fn wrong_shapes(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut x = queue.zeros::<f32>(10)?;
    let error = Error::WrongShape {
        shape: vec![3, 4],
        len: 10,
    };
    check_eq!(
        error.to_string(),
        "a view of shape [3, 4] has 12 elements, but the buffer has 10"
    );
    check_eq!(x.view([3, 4]).err(), Some(error.clone()));
    check_eq!(x.view_mut([3, 4]).err(), Some(error));
    check_matches!(x.view([usize::MAX, 2]).err(), Some(Error::WrongShape { .. }));
    let error = Error::OutOfView {
        dimension: 1,
        start: 3,
        end: 6,
        len: 5,
    };
    check_eq!(
        error.to_string(),
        "3..6 in dimension 1 of a view is not within its length of 5"
    );
    check_eq!(x.view([2, 5])?.part([0..1, 3..6]).err(), Some(error));
    check_matches!(x.slice(5..11).err(), Some(Error::OutOfView { .. }));
    Ok(())
}

/// A view of another device's buffer is named by its parameter.
fn foreign(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let other = Device::null().queue()?;
    let (a, mut b) = (other.zeros::<u32>(4)?, queue.zeros::<u32>(4)?);
    let result = launch!(
        queue,
        transpose(a.view([2, 2])?, b.view_mut([2, 2])?),
        global = [2, 2]
    );
    check_matches!(result, Err(Error::ForeignBuffer { parameter, .. }) if parameter == "a");
    let (a, mut b) = (queue.zeros::<u32>(4)?, other.zeros::<u32>(4)?);
    let result = launch!(
        queue,
        transpose(a.view([2, 2])?, b.view_mut([2, 2])?),
        global = [2, 2]
    );
    check_matches!(result, Err(Error::ForeignBuffer { parameter, .. }) if parameter == "b");
    Ok(())
}

/// Adds all cases.
pub(crate) fn add_to(suite: &mut Suite) {
    suite.kernel::<transpose>();
    suite.kernel::<place>();
    suite.kernel::<double>();
    suite.kernel::<sums_of_columns>();
    suite.kernel::<blur>();
    suite.kernel::<reads_outside>();
    suite.kernel::<writes_outside>();
    suite.kernel::<age>();
    suite.kernel::<step>();
    suite.kernel::<reversed>();
    suite.kernel::<rounds>();
    suite.kernel::<shapes>();
    suite.case(case_path!("transposes"), &[], transposes);
    suite.case(case_path!("three_dimensions"), &[], three_dimensions);
    suite.case(case_path!("parts"), &[], parts);
    suite.case(case_path!("columns_of_their_own"), &[], columns_of_their_own);
    suite.case(case_path!("neighbours"), &[], neighbours);
    suite.case(case_path!("faults"), &[], faults);
    suite.case(case_path!("structs"), &[], structs);
    suite.case(case_path!("arguments"), &[], arguments);
    suite.case(case_path!("captured"), &[], captured);
    suite.case(case_path!("rounds_of_shapes"), &[], rounds_of_shapes);
    suite.case(case_path!("sizes"), &[], sizes);
    suite.case(case_path!("wrong_shapes"), &[Need::Host], wrong_shapes);
    suite.case(case_path!("of_another_device"), &[], foreign);
}
