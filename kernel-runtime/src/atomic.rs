//! Atomics: where work-items of a launch meet.
//!
//! A kernel takes them as `&[AtomicU32]`, or another type of this module, and callers pass a `&mut Buffer` of what they
//! hold: nothing else reads or writes the buffer meanwhile. The types of integers are those of `core::sync::atomic`; those of
//! floats are here.

use crate::argument::{Parameter, Reader, Slots};
use crate::backend::Backend;
use crate::buffer::Buffer;
use crate::closure::Capture;
use crate::element::DeviceCopy;
use crate::error::Result;
use gridfn_ir::{Access, Scalar, Type};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

pub use std::sync::atomic::{AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// An atomic type that kernels know.
///
/// # Safety
///
/// It lies in memory as its value does, is changed through `&self` only by atomic operations on all of it, and has the
/// methods that devices take it to have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an atomic that kernels know",
    label = "not an atomic of a kernel",
    note = "kernels know `AtomicU32`, `AtomicI32`, `AtomicU64`, `AtomicI64`, `AtomicUsize` and `AtomicIsize` of \
            `std::sync::atomic`, and gridfn's `AtomicF32` and `AtomicF64`"
)]
pub unsafe trait Atomic: Sync + 'static {
    /// What it holds.
    type Value: AtomicValue<Atomic = Self>;
    /// The type, as code generators see it.
    #[doc(hidden)]
    const TYPE: Type;
}

/// What has an atomic type that kernels know: integers of 32 and 64 bits, `f32` and `f64`.
pub trait AtomicValue: DeviceCopy {
    /// That type.
    type Atomic: Atomic<Value = Self>;
}

macro_rules! atomics {
    ($($atomic:ident $value:ident $scalar:ident;)*) => {$(
        // SAFETY: the type is documented to lie in memory as its value does, and its methods are those of that name.
        unsafe impl Atomic for $atomic {
            type Value = $value;
            const TYPE: Type = Type::Atomic(Scalar::$scalar);
        }
        impl AtomicValue for $value {
            type Atomic = $atomic;
        }
    )*};
}
atomics! {
    AtomicI32 i32 I32; AtomicI64 i64 I64; AtomicIsize isize Isize;
    AtomicU32 u32 U32; AtomicU64 u64 U64; AtomicUsize usize Usize;
    AtomicF32 f32 F32; AtomicF64 f64 F64;
}

macro_rules! floats {
    ($($atomic:ident $float:ident $bits:ident;)*) => {$(
        #[doc = concat!("An `", stringify!($float), "` that threads, and work-items of kernels, may share.")]
        ///
        /// Its operations are those of the integers of `std::sync::atomic`. Floats are compared by their bits, so that
        /// `compare_exchange` takes `0.0` and `-0.0` for different, and a NaN for the same NaN.
        ///
        /// In kernels sums, differences, minima and maxima are loops around a compare-exchange where devices have nothing
        /// that is as exact. The order of the items is open, and a sum of floats depends on it, unless all partial sums are
        /// exact.
        #[derive(Default)]
        #[repr(transparent)]
        pub struct $atomic($bits);

        impl $atomic {
            /// An atomic that holds `value`.
            pub const fn new(value: $float) -> Self {
                Self($bits::new(value.to_bits()))
            }

            /// The value.
            pub const fn into_inner(self) -> $float {
                $float::from_bits(self.0.into_inner())
            }

            /// The value now.
            ///
            /// # Panics
            ///
            /// If the order releases.
            #[inline(always)]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $float {
                $float::from_bits(self.0.load(order))
            }

            /// Stores a value.
            ///
            /// # Panics
            ///
            /// If the order acquires.
            #[inline(always)]
            #[track_caller]
            pub fn store(&self, value: $float, order: Ordering) {
                self.0.store(value.to_bits(), order);
            }

            /// Stores a value, and gives the one before.
            #[inline(always)]
            pub fn swap(&self, value: $float, order: Ordering) -> $float {
                $float::from_bits(self.0.swap(value.to_bits(), order))
            }

            /// Stores `new` if the value is `current`, bit for bit; gives the value before, as `Ok` if it was.
            ///
            /// # Errors
            ///
            /// The value, if it is another.
            ///
            /// # Panics
            ///
            /// If `failure` releases.
            #[inline(always)]
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> std::result::Result<$float, $float> {
                let result = self.0.compare_exchange(current.to_bits(), new.to_bits(), success, failure);
                result.map($float::from_bits).map_err($float::from_bits)
            }

            /// Likewise, but it may fail without a reason.
            ///
            /// # Errors
            ///
            /// The value, where nothing was stored.
            ///
            /// # Panics
            ///
            /// If `failure` releases.
            #[inline(always)]
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $float,
                new: $float,
                success: Ordering,
                failure: Ordering,
            ) -> std::result::Result<$float, $float> {
                let result = self.0.compare_exchange_weak(current.to_bits(), new.to_bits(), success, failure);
                result.map($float::from_bits).map_err($float::from_bits)
            }

            /// Adds to the value; gives the one before.
            #[inline(always)]
            pub fn fetch_add(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old + value)
            }

            /// Subtracts from the value; gives the one before.
            #[inline(always)]
            pub fn fetch_sub(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old - value)
            }

            /// Stores the smaller of the value and another, which it is if the value is NaN; gives the one before.
            #[inline(always)]
            pub fn fetch_min(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old.min(value))
            }

            /// Stores the larger of the value and another, which it is if the value is NaN; gives the one before.
            #[inline(always)]
            pub fn fetch_max(&self, value: $float, order: Ordering) -> $float {
                self.update(order, |old| old.max(value))
            }

            #[inline(always)]
            fn update(&self, order: Ordering, f: impl Fn($float) -> $float) -> $float {
                let update = |bits| Some(f($float::from_bits(bits)).to_bits());
                let (Ok(bits) | Err(bits)) = self.0.fetch_update(order, Ordering::Relaxed, update);
                $float::from_bits(bits)
            }
        }

        impl From<$float> for $atomic {
            fn from(value: $float) -> Self {
                Self::new(value)
            }
        }

        impl fmt::Debug for $atomic {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.load(Ordering::Relaxed).fmt(f)
            }
        }
    )*};
}
floats! { AtomicF32 f32 AtomicU32; AtomicF64 f64 AtomicU64; }

/// A buffer whose elements closure kernels use as atomics; [`Buffer::atomics`] makes it.
///
/// Many closures may capture one, and be launched on several queues. They are launched by one thread: it is not [`Sync`],
/// because every launch notes that it writes the buffer, and of two that do so at once a later reader would wait for one.
///
/// ```compile_fail,E0277
/// # use gridfn_backends::Buffer;
/// # use gridfn_runtime::atomic::Ordering;
/// fn shared<T: Sync>(_: &T) {}
/// fn counts(buffer: &mut Buffer<u32>) {
///     shared(&buffer.atomics());
/// }
/// ```
pub struct Atomics<'b, T, B: Backend>(&'b mut Buffer<T, B>, PhantomData<Cell<()>>);

impl<T: AtomicValue, B: Backend> Buffer<T, B> {
    /// The buffer, for closure kernels that use its elements as atomics: what they capture is `AtomicU32`s and kin.
    ///
    /// ```
    /// # use gridfn_runtime::atomic::Ordering;
    /// # fn counts(buffer: &mut gridfn_backends::Buffer<u32>) {
    /// let bins = buffer.atomics(); // a kernel writes `bins[i].fetch_add(1, Ordering::Relaxed)`
    /// # let _ = (bins.len(), Ordering::Relaxed);
    /// # }
    /// ```
    pub fn atomics(&mut self) -> Atomics<'_, T, B> {
        Atomics(self, PhantomData)
    }
}

impl<T, B: Backend> Atomics<'_, T, B> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: AtomicValue, B: Backend> Capture<B> for Atomics<'_, T, B> {
    type Parameter = Shared<T::Atomic>;
    #[inline(always)]
    fn put<S: Slots<B>>(&self, slots: &mut S) -> Result<()> {
        slots.buffer(self.0.memory(), self.0.len(), Access::Unique)
    }
}

/// The parameter `&[A]`, where `A` is an atomic.
pub struct Shared<A>(PhantomData<A>);

// SAFETY: reads the pointer and length that the host's slots wrote for a buffer that is used uniquely.
unsafe impl<A: Atomic> Parameter for Shared<A> {
    const TYPE: Type = atomics_of::<A>();
    type View<'v> = &'v [A];
    #[inline(always)]
    unsafe fn read<'v>(reader: &mut Reader<'v>) -> &'v [A] {
        // SAFETY: the caller's promise.
        unsafe { reader.atomics() }
    }
}

/// The type of a parameter `&[A]`.
#[doc(hidden)]
pub const fn atomics_of<A: Atomic>() -> Type {
    Type::Slice {
        element: &A::TYPE,
        access: Access::Shared,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_updated_by_their_values_and_compared_by_their_bits() {
        let x = AtomicF32::new(1.5);
        assert_eq!(x.fetch_add(2.0, Ordering::Relaxed), 1.5);
        assert_eq!(x.fetch_sub(0.5, Ordering::AcqRel), 3.5);
        assert_eq!(x.fetch_max(2.0, Ordering::SeqCst), 3.0);
        assert_eq!(x.fetch_min(f32::NAN, Ordering::Release), 3.0);
        assert_eq!(x.swap(0.0, Ordering::Acquire), 3.0);
        let exchange = |current, new| x.compare_exchange(current, new, Ordering::SeqCst, Ordering::Relaxed);
        assert_eq!(exchange(-0.0, 1.0), Err(0.0));
        assert_eq!(exchange(0.0, 1.0), Ok(0.0));
        x.store(f32::NAN, Ordering::Relaxed);
        assert!(exchange(f32::NAN, 2.0).is_ok());
        assert_eq!(x.into_inner(), 2.0);
    }

    #[test]
    fn threads_add_without_loss() {
        let sum = AtomicF64::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        sum.fetch_add(0.25, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(sum.into_inner(), 1000.0);
    }
}
