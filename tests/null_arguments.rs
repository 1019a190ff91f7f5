//! Every buffer of a struct, tuple or closure reaches the device as an argument of its own.
//!
//! The null back end compares each argument with the kernel's parameter in debug builds, and counts.

use gridfn::prelude::*;
use gridfn_backends::null::{Seen, last_launch};

#[derive(KernelArg)]
struct Outer<'a, T: Scalar> {
    x: &'a Buffer<T>,
    scale: T,
    inner: Inner<'a>,
    table: [u8; 5],
}

#[derive(KernelArg)]
struct Inner<'a> {
    y: &'a mut Buffer<f32>,
    z: &'a Buffer<u16>,
}

#[kernel]
fn nested<T: Scalar>(a: Outer<'_, T>, t: (&[i8], (u8, &mut [T]), [u64; 2]), last: bool) {
    let i = global_id(0);
    a.inner.y[i] = a.inner.z[i] as f32 + a.table[i % 5] as f32 + t.0[i] as f32;
    t.1.1[i] = if last { a.x[i] * a.scale } else { T::ZERO };
}

/// The last launch, with its buffers and the bytes of its arguments behind the fixed part of the block.
fn seen(buffers: usize, bytes: usize) {
    let Some(Seen {
        buffers: found,
        bytes: block,
        ..
    }) = last_launch()
    else {
        panic!("nothing was launched");
    };
    // The fixed part holds size, offset and tag.
    assert_eq!((found, block - 56), (buffers, bytes));
}

#[test]
fn structs_and_tuples() -> gridfn::Result<()> {
    let queue = Device::null().queue()?;
    let (x, mut y, z) = (
        queue.zeros::<i64>(4)?,
        queue.zeros::<f32>(4)?,
        queue.zeros::<u16>(4)?,
    );
    let (bytes, mut out) = (queue.zeros::<i8>(4)?, queue.zeros::<i64>(4)?);
    let inner = Inner { y: &mut y, z: &z };
    let a = Outer {
        x: &x,
        scale: 3,
        inner,
        table: [1; 5],
    };
    launch!(
        queue,
        nested(a, (&bytes, (7, &mut out), [1, 2]), true),
        global = 4
    )?;
    // x, scale, y, z; table to the next multiple of 8; bytes; 7, again filled up; out, [1, 2], and `true` filled up.
    seen(5, 4 * 8 + 8 + 8 + 8 + 8 + 16 + 8);
    Ok(())
}

#[test]
fn captures() -> gridfn::Result<()> {
    struct Fields {
        a: Buffer<f32>,
        b: (Buffer<f32>, f32),
    }
    let queue = Device::null().queue()?;
    let f = Fields {
        a: queue.zeros(4)?,
        b: (queue.zeros(4)?, 2.0),
    };
    let (shared, mut y) = (
        std::sync::Arc::new(queue.zeros::<f32>(4)?),
        queue.zeros::<f32>(4)?,
    );
    let table = [1.0f32; 3];
    launch!(
        queue,
        |i| y[i] = f.a[i] + f.b.0[i] * f.b.1 + shared[i] + f.a[0] + table[i % 3],
        global = 4
    )?;
    seen(4, 3 * 8 + 8 + 8 + 16);
    // Each place is one argument, however often it is named and in whatever way.
    launch!(
        queue,
        |i| y[i] = y[i] + y.len() as f32 + (f.a)[i] + f.a[i],
        global = 4
    )?;
    seen(2, 16);
    let mut stored = closure!(move |i| y[i] = f.a[i] + shared[i]);
    launch!(queue, &mut stored, global = 4)?;
    seen(3, 24);
    launch!(queue, |_| {}, global = 4)?;
    seen(0, 0);
    Ok(())
}

#[derive(Clone, Copy, DeviceCopy)]
struct Padded {
    byte: u8,
    wide: u64,
    flags: [bool; 3],
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u8)]
enum Shape {
    Nothing,
    Circle(f32),
    Box { at: [i16; 2], size: u64 },
}

#[kernel]
fn aggregates<T: Scalar>(
    p: Padded,
    s: Shape,
    all: [(Shape, Padded); 3],
    t: (u8, [T; 2]),
    y: &mut [Padded],
    z: &[T],
) {
    let i = global_id(0);
    let in_shape = match s {
        Shape::Nothing => 0,
        Shape::Circle(r) => r as u64,
        Shape::Box { at, size } => at[0] as u64 + size,
    };
    y[i] = Padded {
        byte: t.0,
        wide: p.wide + in_shape,
        flags: [z[i] > t.1[1]; 3],
    };
    if let (Shape::Circle(_), Padded { byte, .. }) = all[i % 3] {
        y[i].byte = byte;
    }
}

/// A type parameter may stand for a struct.
#[kernel]
fn of_any<T: DeviceCopy>(value: T, y: &mut [T]) {
    y[global_id(0)] = value;
}

#[test]
fn aggregates_are_passed_as_their_scalars() -> gridfn::Result<()> {
    let queue = Device::null().queue()?;
    let p = Padded {
        byte: 1,
        wide: 2,
        flags: [true; 3],
    };
    let shapes = [
        Shape::Nothing,
        Shape::Circle(1.0),
        Shape::Box { at: [1, 2], size: 3 },
    ];
    let (mut y, z) = (queue.upload(&[p; 4])?, queue.zeros::<i16>(4)?);
    let all = shapes.map(|shape| (shape, p));
    launch!(
        queue,
        aggregates(p, shapes[2], all, (4, [5, 6]), &mut y, &z),
        global = 4
    )?;
    // byte and wide; flags, tag, and the circle's f32 in one word; at and size; the tags of three shapes, and their f32s;
    // their `at`s and sizes; three bytes and wides; 9 flags, the byte of t, its [i16; 2]; two lengths.
    let expected = (8 + 8) + 8 + (8 + 8) + (4 + 12) + (16 + 24) + (8 + 24) + 16 + 16;
    seen(2, expected);

    launch!(queue, of_any(p, &mut y), global = 4)?;
    seen(1, 8 + 8 + 8 + 8);
    Ok(())
}
