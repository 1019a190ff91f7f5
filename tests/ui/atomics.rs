//! Atomic operations on what is no atomic, orderings that are not known, `&mut` atomics, and wrong buffers.
use gridfn::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[kernel]
fn plain(x: &[u32]) {
    x[global_id(0)].fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn unknown(strong: bool, bins: &[AtomicU32]) {
    let order = if strong { Ordering::SeqCst } else { Ordering::Relaxed };
    bins[0].fetch_add(1, order);
}

#[device]
fn passed(bin: &AtomicU32, order: Ordering) -> u32 {
    bin.load(order)
}

#[kernel]
fn unique(bins: &mut [AtomicU32]) {
    bins[0].fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn small(bins: &[std::sync::atomic::AtomicU16]) {
    bins[0].fetch_add(1, Ordering::Relaxed);
}

#[device]
fn flag(bin: &std::sync::atomic::AtomicBool) -> bool {
    bin.load(Ordering::Relaxed)
}

#[kernel]
fn by_value(bin: AtomicU32) {
    bin.fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn floats(sums: &[AtomicF32]) {
    sums[0].fetch_or(1.0, Ordering::Relaxed);
}

#[kernel]
fn right(x: &[u32], bins: &[AtomicU32]) {
    bins[x[global_id(0)] as usize].fetch_add(1, Ordering::Relaxed);
}

fn other_element(queue: &Queue, x: &Buffer<u32>, bins: &mut Buffer<i32>) -> gridfn::Result<()> {
    launch!(queue, right(x, bins), global = 4)
}

fn shared(queue: &Queue, x: &Buffer<u32>, bins: &Buffer<u32>) -> gridfn::Result<()> {
    launch!(queue, right(x, bins), global = 4)
}

fn read_meanwhile(queue: &Queue, mut bins: Buffer<u32>) -> gridfn::Result<()> {
    launch!(queue, right(&bins, &mut bins), global = 4)
}

fn closure(queue: &Queue, bins: &mut Buffer<u32>) -> gridfn::Result<()> {
    launch!(queue, |i| bins[i].fetch_add(1, Ordering::Relaxed), global = 4)
}

fn captured(queue: &Queue, bins: &mut Buffer<bool>) -> gridfn::Result<()> {
    let bins = bins.atomics();
    launch!(queue, |i| bins[i].store(true, Ordering::Relaxed), global = 4)
}

fn main() {}
