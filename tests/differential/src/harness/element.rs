//! What is done to whole buffers. Each batch does it hundreds of times, so it is compiled here, and once.

use super::{Compare, Inputs, Value};
use gridfn::{Buffer, DeviceCopy, Queue, Result, bf16, f16};

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
    [] f16; [] bf16;
    [A: Element] (A,);
    [A: Element, B: Element] (A, B);
    [A: Element, B: Element, C: Element] (A, B, C);
    [T: Element, const N: usize] [T; N];
}

/// A buffer with the values that these models stand for.
///
/// # Errors
///
/// Those of [`Queue::upload`].
pub fn upload_models<M: Copy, T: DeviceCopy>(
    queue: &Queue,
    models: &[M],
    of: &dyn Fn(M) -> T,
) -> Result<Buffer<T>> {
    let values: Vec<T> = models.iter().map(|model| of(*model)).collect();
    queue.upload(&values)
}

/// Values, and what makes models of them.
type Modelled<'a, V, T, M> = (&'a V, &'a dyn Fn(T) -> M);

/// What is wrong with an output whose type is another in plain Rust, if anything.
///
/// # Errors
///
/// Those of [`Queue::download`].
pub fn check_models<M: Compare, P: Copy, T: DeviceCopy>(
    queue: &Queue,
    name: &str,
    (expected, of_plain): Modelled<'_, Vec<P>, P, M>,
    (found, of_kernel): Modelled<'_, Buffer<T>, T, M>,
) -> Result<Option<String>> {
    let expected: Vec<M> = expected.iter().map(|value| of_plain(*value)).collect();
    let found: Vec<M> = queue.download(found)?.into_iter().map(of_kernel).collect();
    Ok(super::differs(name, &expected, &found, None))
}
