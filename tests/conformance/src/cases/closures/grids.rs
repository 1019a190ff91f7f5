//! Indices: in one, two and three dimensions, with ranges, groups, and none that is used.

use super::{check, floats, random};
use crate::case::{Outcome, Suite, case_path};
use gridfn::Device;
use gridfn::prelude::*;

fn patterns(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let data: Vec<u32> = random("patterns", 16);
    let x = queue.upload(&data)?;
    let mut y = queue.zeros::<u32>(16)?;
    launch!(queue, |_| y[global_id(0)] = x[global_id(0)], global = 16)?;
    check(&queue, &y, |i| data[i])?;
    launch!(queue, |i: usize| y[i] += 1, global = 16)?;
    launch!(queue, |[i]| y[i] += 1, global = 16)?;
    launch!(queue, |[i]| y[i] += 1, global = [16])?;
    launch!(queue, |i| y[global_linear_id()] += i as u32, global = 16)?;
    launch!(
        queue,
        |i| {
            let j = i;
            y[(j)] += 1;
        },
        global = 16
    )?;
    check(&queue, &y, |i| data[i].wrapping_add(4 + i as u32))?;
    launch!(
        queue,
        |mut i| {
            let own = global_id(0);
            i *= 2;
            i += 1;
            y[own] = i as u32;
        },
        global = 16
    )?;
    check(&queue, &y, |i| i as u32 * 2 + 1)
}

fn one(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut y = queue.zeros::<u32>(16)?;
    launch!(queue, |i| y[i] += i as u32, global = 3..11)?;
    launch!(queue, |i| y[i] += 100, groups = 2, local = 4)?;
    launch!(queue, |i| y[i] += 1000, global = 5, local = 2)?;
    launch!(queue, |i| y[i] += 5000, global = ())?;
    launch!(queue, |i| y[i] += 1, global = 0)?;
    launch!(queue, |i| y[i] += 1, global = 7..7)?;
    // The grid is read before the captures are borrowed.
    launch!(queue, |i| y[i] += 7, global = y.len())?;
    launch!(
        queue,
        |i| y[i] += (global_size(0) + local_size(0)) as u32,
        groups = y.len() / 4,
        local = 4
    )?;
    check(&queue, &y, |i| {
        let range = if (3..11).contains(&i) { i as u32 } else { 0 };
        let groups = if i < 8 { 100 } else { 0 };
        let five = if i < 5 { 1000 } else { 0 };
        range + groups + five + if i == 0 { 5000 } else { 0 } + 7 + 20
    })
}

fn two(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let (width, height) = (12usize, 7usize);
    let data = floats("two", width * height);
    let image = queue.upload(&data)?;
    let mut y = queue.zeros::<f32>(width * height)?;
    launch!(
        queue,
        |[x, row]| {
            let left = if x > 0 { image[row * width + x - 1] } else { 0.0 };
            let above = if row > 0 {
                image[(row - 1) * width + x]
            } else {
                0.0
            };
            y[global_linear_id()] = left * 2.0 - above;
        },
        global = [width, height]
    )?;
    let blur = |i: usize| {
        let (x, row) = (i % width, i / width);
        let left = if x > 0 { data[i - 1] } else { 0.0 };
        let above = if row > 0 { data[i - width] } else { 0.0 };
        left * 2.0 - above
    };
    check(&queue, &y, blur)?;
    // SAFETY: an element for each item.
    launch!(
        queue,
        unsafe { |[x, row]| y[row * width + x] += 1.0 },
        global = [2..5, 1..7]
    )?;
    check(&queue, &y, |i| {
        let inside = (2..5).contains(&(i % width)) && (1..7).contains(&(i / width));
        blur(i) + if inside { 1.0 } else { 0.0 }
    })?;
    // SAFETY: an element for each item.
    launch!(queue, unsafe { |[_, y_]| y[y_] = 5.0 }, global = [1, 3])?;
    launch!(
        queue,
        |[_, _]| y[global_linear_id()] = 6.0,
        global = [2, 1],
        local = [1, 1]
    )?;
    check(&queue, &y, |i| match i {
        0 | 1 => 6.0,
        2 => 5.0,
        i if (2..5).contains(&(i % width)) && (1..7).contains(&(i / width)) => blur(i) + 1.0,
        i => blur(i),
    })
}

fn three(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let size = [5usize, 4, 3];
    let mut y = queue.upload(&[9u32; 60])?;
    let (a, b) = ((1u32, 10u32), 100u32);
    launch!(
        queue,
        |[x, y_, z]| y[global_linear_id()] = x as u32 * a.0 + y_ as u32 * a.1 + z as u32 * b,
        global = size
    )?;
    let number = |i: usize| (i % 5 + i / 5 % 4 * 10 + i / 20 * 100) as u32;
    check(&queue, &y, number)?;
    // SAFETY: an element for each item.
    let mut c = closure!(unsafe {
        |[x, mut row, z]| {
            row = row * size[0] + x;
            y[z * size[0] * size[1] + row] = 7;
        }
    });
    launch!(queue, &mut c, global = [1..3, 2..4, 0..2])?;
    check(&queue, &y, |i| {
        let inside = (1..3).contains(&(i % 5)) && (2..4).contains(&(i / 5 % 4)) && i / 20 < 2;
        if inside { 7 } else { number(i) }
    })
}

pub(super) fn add_to(suite: &mut Suite) {
    suite.case(case_path!("patterns"), &[], patterns);
    suite.case(case_path!("one"), &[], one);
    suite.case(case_path!("two"), &[], two);
    suite.case(case_path!("three"), &[], three);
}
