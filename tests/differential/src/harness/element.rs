//! What is done to whole buffers. Each batch does it hundreds of times, so it is compiled here, and once.

use super::{Compare, Inputs, Value};
use gridfn::{Buffer, DeviceCopy, Queue, Result};

/// An element of a buffer.
pub trait Element: Value + Compare + DeviceCopy {
    /// That many values.
    fn many(inputs: &mut Inputs, len: usize) -> Vec<Self>;

    /// A buffer with these values.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::upload`].
    fn upload(queue: &Queue, values: &[Self]) -> Result<Buffer<Self>>;

    /// What is wrong with an output, if anything.
    ///
    /// # Errors
    ///
    /// Those of [`Queue::download`].
    fn check(
        queue: &Queue,
        name: &str,
        expected: &[Self],
        found: &Buffer<Self>,
        ulps: Option<u32>,
    ) -> Result<Option<String>>;
}

/// An impl of each type: the functions of built-in types are compiled with this crate.
macro_rules! elements {
    ($([$($generics:tt)*] $t:ty;)*) => {$(
        impl<$($generics)*> Element for $t {
            fn many(inputs: &mut Inputs, len: usize) -> Vec<$t> {
                inputs.many(len)
            }
            fn upload(queue: &Queue, values: &[$t]) -> Result<Buffer<$t>> {
                queue.upload(values)
            }
            fn check(
                queue: &Queue,
                name: &str,
                expected: &[$t],
                found: &Buffer<$t>,
                ulps: Option<u32>,
            ) -> Result<Option<String>> {
                Ok(super::differs(name, expected, &queue.download(found)?, ulps))
            }
        }
    )*};
}
elements! {
    [] bool; [] i8; [] i16; [] i32; [] i64; [] isize; [] u8; [] u16; [] u32; [] u64; [] usize; [] f32; [] f64;
    [A: Element, B: Element, C: Element] (A, B, C);
    [T: Element, const N: usize] [T; N];
}
