//! Fields that kernels cannot hold, and types that are not `Copy`: rustc's errors, at the user's tokens.

use gridfn::prelude::*;

#[derive(Clone, Copy)]
struct Plain(f32);

#[derive(Clone, Copy, DeviceCopy)]
struct Outer {
    a: f32,
    b: Plain,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(u8)]
enum Either {
    A(char),
    B { x: [Plain; 2] },
}

#[derive(Clone, DeviceCopy)]
struct NotCopy(f32);

fn takes<T: DeviceCopy>(_: T) {}

fn main() {
    takes(Outer { a: 1.0, b: Plain(2.0) });
    takes(Plain(1.0));
}
