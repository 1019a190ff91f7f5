//! The back ends: each a folder with the same file names (`mod.rs` the contract, `device.rs`, `memory.rs`,
//! `queue.rs`, `launch.rs`), and `any`, the enum over them that users meet.

pub mod any;
pub mod host;
pub mod null;
#[cfg(feature = "opencl")]
pub mod opencl;

pub use any::{Any, Buffer, Device, Prepared, Queue};
