//! The functions that some code forms have no accurate instructions for (`exp`, `sin`, `powf`, …), written once, in the
//! kernel language itself.
//!
//! Each is a `#[device]` function of its own name and type, `exp_f32`, `exp_f64`: on the host an ordinary function,
//! which is how it is tested, and in a kernel a body that lowering inlines in the place of the operation. [`LIBRARY`]
//! is the table by which lowering finds it, and [`CASTS`] has those alone that convert floats of 16 bits.
//!
//! [`vector`] has small vectors, and
//! [`DeviceMath`] has functions that the standard library lacks, for every code form and the host.
//!
//! `f32` of the library is computed in `f64`, within 0.51 units of the last place. The README beside this crate has the
//! errors that were found.

mod device_math;
pub mod error_function;
pub mod exponential;
pub mod gamma;
pub mod group;
pub mod half;
pub mod half_turns;
pub mod hyperbolic;
pub mod inverse;
mod library;
pub mod logarithm;
mod pair;
pub mod power;
mod reduction;
pub mod scaling;
pub mod trigonometric;
pub mod vector;

pub use device_math::DeviceMath;
pub use library::{CASTS, LIBRARY, LIBRARY_AND_BF16};
