//! What `#[derive(DeviceCopy)]` refuses.

use gridfn::prelude::*;

#[derive(Clone, Copy, DeviceCopy)]
struct Text {
    a: f32,
    b: &'static str,
}

#[derive(Clone, Copy, DeviceCopy)]
struct Lifetime<'a> {
    a: std::marker::PhantomData<&'a ()>,
}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, packed)]
struct Packed {
    a: u8,
    b: u32,
}

#[derive(Clone, Copy, DeviceCopy)]
union Bits {
    a: f32,
    b: u32,
}

#[derive(Clone, Copy, DeviceCopy)]
enum Never {}

#[derive(Clone, Copy, DeviceCopy)]
#[repr(align(16))]
enum Aligned {
    A,
    B,
}

#[derive(Clone, Copy, DeviceCopy)]
#[device_copy(krate = gridfn)]
struct Option_(f32);

fn main() {}
