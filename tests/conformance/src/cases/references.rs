//! References and slices: of variables, fields, elements and parts of arrays, in kernels and to device functions.

#![allow(
    clippy::needless_range_loop,
    clippy::borrow_deref_ref,
    clippy::deref_addrof,
    clippy::needless_borrow,
    clippy::explicit_auto_deref,
    clippy::op_ref,
    clippy::mem_replace_with_default,
    clippy::ptr_arg,
    reason = "odd forms are the point"
)]

use crate::case::{Outcome, Suite, case_path, check_eq};
use crate::elements::bodies;
use crate::samples::{Random, Value};
use gridfn::Device;
use gridfn::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
struct State {
    a: u32,
    inner: [u32; 4],
}

#[device]
fn increment(n: &mut u32, by: &u32) {
    *n = n.wrapping_add(*by);
}

#[device]
fn both(a: &mut u32, b: &mut u32) -> u32 {
    let before = *a;
    *a = *b;
    *b = before ^ 1;
    before
}

#[device]
fn update(state: &mut State, k: usize) -> u32 {
    state.a ^= 5;
    state.inner[k % 4] = state.a;
    increment(&mut state.inner[0], &3);
    increment(&mut state.a, &state.inner[1]);
    sum(&state.inner)
}

#[device]
fn sum(x: &[u32]) -> u32 {
    let mut sum = 0u32;
    for i in 0..x.len() {
        sum = sum.wrapping_mul(3).wrapping_add(x[i]);
    }
    sum
}

#[device]
fn of_array(x: &[u32; 4]) -> u32 {
    x[0] ^ sum(x) ^ sum(&x[1..3])
}

#[device]
fn fill(y: &mut [u32], with: u32) {
    for i in 0..y.len() {
        y[i] = with ^ i as u32;
    }
}

#[device]
fn halves(y: &mut [u32], with: u32) -> u32 {
    let middle = y.len() / 2;
    fill(&mut y[..middle], with);
    fill(&mut y[middle..], with ^ 0xff);
    let inner = &mut y[1..];
    inner[0] ^= 1;
    fill(inner, 7);
    inner[0] = 9;
    sum(y) ^ sum(&y[..middle])
}

#[device]
fn generic<T: Scalar>(x: &[T], y: &mut T) {
    for i in 0..x.len() {
        *y = *y + x[i];
    }
}

bodies! {
    /// References to variables.
    fn variables(a: u32, b: u32) -> u32 {
        let mut x = a;
        let r = &mut x;
        *r ^= 3;
        *r = *r ^ b;
        let s = &x;
        let t = &s;
        let u = *s ^ **t;
        x ^ u ^ *&a
    }
    /// Which one is referred to is known only when the kernel runs.
    fn chosen(a: u32, b: u32) -> u32 {
        let mut all = [a, b, 3];
        let r = &mut all[if a > b { 1 } else { 0 }];
        *r ^= 0xf0;
        let s = &all[(a % 3) as usize];
        let t = if a & 1 == 0 { *s } else { all[2] };
        *s ^ t ^ all[0] ^ all[1] << 1
    }
    /// A slice that is one or the other, or ever less of one.
    fn chosen_slices(a: u32, b: u32) -> u32 {
        let (all, other) = ([a, b, 3, a ^ b], [b, 7]);
        let k = (b % 4) as usize;
        // These ranges may fault, so only one of them is looked at.
        let part = if a & 1 == 0 { &all[k..] } else { &all[..k + 1] };
        let either = if b & 1 == 0 { &all[..] } else { &other[..] };
        let mut rest = &all[..];
        while rest.len() > 1 + a as usize % 4 {
            rest = &rest[1..];
        }
        part[k % part.len()] ^ sum(part) ^ sum(either) << 1 ^ sum(rest) << 2
    }
    /// References to fields and elements.
    fn parts(a: u32, b: u32) -> u32 {
        let mut s = State { a, inner: [1, 2, 3, b] };
        let k = (a % 4) as usize;
        let e = &mut s.inner[k];
        *e ^= 9;
        let f = &mut s.a;
        *f = f.rotate_left(3);
        let r = &mut s;
        r.inner[k] ^= r.a;
        (*r).a ^= 1;
        let i = &r.inner;
        i[0] ^ i[3] ^ i.len() as u32 ^ s.a
    }
    /// Functions that take references.
    fn functions(a: u32, b: u32) -> u32 {
        let (mut x, mut y) = (a, b);
        increment(&mut x, &y);
        let before = both(&mut x, &mut y);
        let r = &mut y;
        increment(r, &1);
        increment(r, &x);
        x ^ *r ^ before
    }
    /// Structs by reference.
    fn structs(a: u32, b: u32) -> u32 {
        let mut s = State { a, inner: [b, 2, 3, 4] };
        let x = update(&mut s, b as usize);
        let r = &mut s;
        let y = update(r, 1);
        x ^ y ^ s.a ^ of_array(&s.inner)
    }
    /// Parts of arrays.
    fn slices(a: u32, b: u32) -> u32 {
        let array = [a, b, 3, 4, 5, 6];
        let k = (b % 4) as usize;
        let s = &array[k..];
        let t = &s[..2];
        let u = &array[1..=k];
        sum(s) ^ sum(t) ^ sum(u) ^ t[1] ^ array[..].len() as u32 ^ sum(&array[2..2]) ^ array[2..][0] ^ (t.is_empty() as u32)
    }
    /// Parts of arrays, written.
    fn unique_slices(a: u32, b: u32) -> u32 {
        let mut array = [a, b, 3, 4, 5, 6, 7];
        let k = (b % 4) as usize;
        let x = halves(&mut array[k..], a);
        let y = halves(&mut array, b);
        array[2..4][1] = 8;
        let s = &mut array[1..];
        s[k] = 1;
        fill(&mut s[2..4], 2);
        x ^ y ^ sum(&array)
    }
    /// Comparisons and arithmetic of what is referred to.
    fn arithmetic(a: u32, b: u32) -> u32 {
        let (a, b) = (a % 1000, b % 1000);
        let (r, s) = (&a, &b);
        let bigger = if r > s { r } else { s };
        *bigger + r + (r * s) % 7 + (r == s) as u32 + bigger.count_ones()
    }
    /// Generic functions.
    fn generics(a: i32) -> i32 {
        let mut n = a % 1000;
        generic(&[1, 2, 3], &mut n);
        let m = n;
        generic(&[m, 4], &mut n);
        n
    }
}

/// Slices of buffers are handed on.
#[kernel]
fn sums(x: &[u32], y: &mut [u32]) {
    let i = global_id(0);
    let n = x.len();
    let own = &mut y[i];
    *own = sum(x) ^ sum(&x[i..]) ^ sum(&x[n - i - 1..n]);
    increment(own, &x[i]);
}

/// Each item writes a part of its own, as the caller promises.
#[kernel]
unsafe fn blocks(y: &mut [u32], out: &mut [u32]) {
    let i = global_id(0);
    let block = &mut y[4 * i..4 * i + 4];
    block[1] = 100;
    out[i] = halves(block, i as u32);
    let last = &mut block[3..];
    last[0] ^= 1;
    fill(&mut y[4 * i..][..1], 77);
    out[i] ^= sum(&y[4 * i..4 * i + 4]);
}

fn buffers(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut random = Random::of("references");
    let x: Vec<u32> = (0..24).map(|_| u32::random(&mut random)).collect();
    let (xb, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(24)?);
    launch!(queue, sums(&xb, &mut y), global = 24)?;
    let expected: Vec<u32> = (0..24)
        .map(|i| (sum(&x) ^ sum(&x[i..]) ^ sum(&x[23 - i..])).wrapping_add(x[i]))
        .collect();
    check_eq!(queue.download(&y)?, expected);
    let (mut all, mut out) = (queue.upload(&x)?, queue.zeros::<u32>(6)?);
    // SAFETY: each item has four elements of its own.
    launch!(queue, unsafe { blocks(&mut all, &mut out) }, global = 6)?;
    let (mut expected, mut expected_out) = (x.clone(), vec![]);
    for (i, block) in expected.chunks_mut(4).enumerate() {
        block[1] = 100;
        let mut result = halves(block, i as u32);
        block[3] ^= 1;
        fill(&mut block[..1], 77);
        result ^= sum(block);
        expected_out.push(result);
    }
    check_eq!(queue.download(&all)?, expected);
    check_eq!(queue.download(&out)?, expected_out);
    Ok(())
}

#[device]
fn add_to_all(all: &mut [u32], v: u32) {
    for n in 0..all.len() {
        all[n] += v;
    }
}

/// Hands on what it took, whole and in parts, more than once.
#[device]
fn add_in_parts(all: &mut [u32], v: u32) {
    add_to_all(all, v);
    add_to_all(all, v);
    add_to_all(&mut all[..1], v);
    add_to_all(&mut all[1..], 1);
}

/// Parts of one array, in one call after the other.
#[kernel]
fn handed_on(out: &mut [[u32; 4]]) {
    let i = global_id(0);
    let mut a = [1, 2, 3, 4];
    add_to_all(&mut a[..], 1);
    add_to_all(&mut a[..2], 10);
    add_to_all(&mut a, 100);
    let part = &mut a[1..3];
    add_to_all(part, 1000);
    add_to_all(part, 1000);
    add_in_parts(&mut a[..], i as u32);
    out[i] = a;
}

fn several_calls(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let mut out = queue.zeros::<[u32; 4]>(3)?;
    launch!(queue, handed_on(&mut out), global = 3)?;
    let expected = [0, 1, 2].map(|i| [112 + 3 * i, 2114 + 2 * i, 2105 + 2 * i, 106 + 2 * i]);
    check_eq!(queue.download(&out)?, expected);
    Ok(())
}

/// Closures hand on parts of what they captured.
fn closures(device: &Device) -> Outcome {
    let queue = device.queue()?;
    let x: Vec<u32> = (0..20).map(|i| i * i).collect();
    let (xb, mut y) = (queue.upload(&x)?, queue.zeros::<u32>(20)?);
    let (table, k) = ([3u32, 1, 4, 1], 9u32);
    launch!(
        queue,
        |i| {
            increment(&mut y[i], &k);
            let own = &mut y[i];
            *own ^= sum(&xb[..i]) ^ of_array(&table) ^ sum(&table[1..]);
        },
        global = 20
    )?;
    let expected: Vec<u32> = (0..20)
        .map(|i| 9 ^ sum(&x[..i]) ^ of_array(&table) ^ sum(&table[1..]))
        .collect();
    check_eq!(queue.download(&y)?, expected);
    Ok(())
}

pub(super) fn all(suite: &mut Suite) {
    add_to(suite);
    suite.kernel::<sums>();
    suite.kernel::<blocks>();
    suite.case(case_path!("buffers"), &[], buffers);
    suite.case(case_path!("several_calls"), &[], several_calls);
    suite.case(case_path!("closures"), &[], closures);
}
