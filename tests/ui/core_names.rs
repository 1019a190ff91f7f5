//! Methods of users that are called like core's, which a safe kernel may call on any element because core's only read.

use gridfn::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
struct Cell {
    v: u32,
}

#[device]
impl Cell {
    fn first(&mut self) -> u32 {
        self.v += 1;
        self.v
    }
    fn is_some(&mut self) -> bool {
        self.v += 1;
        true
    }
    fn len(&mut self) -> usize {
        self.v += 1;
        1
    }
    fn checked_add(&mut self, other: u32) -> u32 {
        self.v += other;
        self.v
    }
    fn last(&self) -> u32 {
        self.v
    }
}

#[derive(KernelArg)]
struct Cells<'a> {
    cells: &'a mut Buffer<Cell>,
    y: &'a mut Buffer<u32>,
}

#[kernel]
fn a_slice(f: Cells<'_>) {
    f.y[global_id(0)] = f.cells[0].first();
}

#[kernel]
fn an_option(f: Cells<'_>) {
    f.y[global_id(0)] = f.cells[0].is_some() as u32;
}

#[kernel]
fn a_length(f: Cells<'_>) {
    f.y[global_id(0)] = f.cells[0].len() as u32;
}

#[kernel]
fn a_number(f: Cells<'_>) {
    f.y[global_id(0)] = f.cells[0].checked_add(1);
}

#[kernel]
fn of_a_slice(cells: &mut [Cell], y: &mut [u32]) {
    y[global_id(0)] = cells[0].first();
}

#[kernel]
fn reads(f: Cells<'_>) {
    f.y[global_id(0)] = f.cells[0].last();
}

fn main() {}
