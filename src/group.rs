//! What a work-group computes together: [`reduce`], [`inclusive_scan`], [`exclusive_scan`], [`broadcast`].
//!
//! Kernels and `#[device(group)]` functions call these with [`group!`](crate::group!):
//!
//! ```
//! use gridfn::prelude::*;
//!
//! /// One sum for each group.
//! #[kernel]
//! fn sums(x: &[u32], out: &[std::sync::atomic::AtomicU32]) {
//!     let sum = group!(group::reduce(x[global_id(0)], |a, b| a + b));
//!     if local_id(0) == 0 {
//!         out[group_id(0)].store(sum, std::sync::atomic::Ordering::Relaxed);
//!     }
//! }
//!
//! /// The largest value so far, in each group, and how many are before.
//! #[kernel]
//! fn peaks(x: &[f32], out: &mut [f32]) {
//!     let i = global_id(0);
//!     let peak = group!(group::inclusive_scan(x[i], |a, b| a.max(b)));
//!     let before = group!(group::exclusive_scan(1u32, 0, |a, b| a + b));
//!     let first = group!(group::broadcast(x[i], 0));
//!     out[i] = peak + first * before as f32;
//! }
//!
//! # fn main() -> gridfn::Result<()> {
//! let queue = Device::best()?.queue()?;
//! let x = queue.upload(&[1u32, 2, 3, 4, 5])?;
//! let mut out = queue.zeros::<u32>(2)?;
//! launch!(queue, sums(&x, &mut out), global = 5, local = 3)?;
//! assert_eq!(queue.download(&out)?, [6, 9]);
//!
//! let x = queue.upload(&[2.0f32, 1.0, 4.0, 3.0])?;
//! let mut out = queue.zeros::<f32>(4)?;
//! launch!(queue, peaks(&x, &mut out), global = 4, local = 4)?;
//! assert_eq!(queue.download(&out)?, [2.0, 4.0, 8.0, 10.0]);
//! # Ok(())
//! # }
//! ```
//!
//! `T` is a type of local arrays: integers, floats, and arrays, tuples and structs of them. An operator is *associative*: of
//! `a`, `b` and `c` in this order it makes the same, whichever two it takes first; it need not be commutative. For floats
//! that is nearly so, and results depend on the size of the groups, though not on the device. It is called by items for each
//! other, so it must not ask where an item is.
//!
//! The operands are those of the items inside the grid, in the order of `local_linear_id`. Items that a group at the
//! grid's edge has beyond it pass nothing and get nothing: a group with 5 items in the grid computes what a group of 5
//! items would. Groups may be of any size.

pub use gridfn_math::group::{broadcast, exclusive_scan, inclusive_scan, reduce};
