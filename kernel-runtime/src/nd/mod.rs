//! Views: buffers, or parts of them, with a shape of one to three dimensions.
//!
//! [`View`] and [`ViewMut`] are the caller's side: [`Buffer::view`](crate::Buffer::view) makes one, and it borrows the
//! buffer. [`Shaped`] and [`ShapedMut`] are what the host version of a kernel sees of them. To devices a view is the
//! buffer's slice and some sizes ([`gridfn_ir::view`]).
//!
//! The order is that of Rust's arrays of arrays and of C: the last index is the fastest. So the item of a grid `[x, y]` has
//! its element at `view[[global_id(1), global_id(0)]]`, and neighbours along x lie side by side.

mod argument;
mod capture;
mod region;
mod shaped;

pub use argument::{SharedView, UniqueView, View, ViewMut};
pub use region::Extents;
pub use shaped::{Shaped, ShapedMut};
