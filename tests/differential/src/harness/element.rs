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

/// Makes types elements: an impl of each, so that the functions belong to the crate that says so.
#[macro_export]
macro_rules! elements {
    ($($t:ty),*) => {$(
        impl $crate::harness::Element for $t {
            fn many(inputs: &mut $crate::harness::Inputs, len: usize) -> Vec<$t> {
                inputs.many(len)
            }
            fn upload(queue: &gridfn::Queue, values: &[$t]) -> gridfn::Result<gridfn::Buffer<$t>> {
                queue.upload(values)
            }
            fn check(
                queue: &gridfn::Queue,
                name: &str,
                expected: &[$t],
                found: &gridfn::Buffer<$t>,
                ulps: Option<u32>,
            ) -> gridfn::Result<Option<String>> {
                Ok($crate::harness::differs(name, expected, &queue.download(found)?, ulps))
            }
        }
    )*};
}
elements!(bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f32, f64);
