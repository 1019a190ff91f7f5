//! The back ends: each a folder with the same file names (`mod.rs` the contract, `device.rs`, `memory.rs`,
//! `queue.rs`, `launch.rs`), and `any`, the enum over them that users meet.
//!
//! What they share is small: [`compile`] from an instance to code, [`dump`](mod@dump) for people who want to read
//! it, and the block in which a launch packs its arguments.

pub mod any;
mod block;
pub mod compile;
pub mod dump;
pub mod host;
#[doc(hidden)]
pub mod live;
pub mod null;
#[cfg(feature = "opencl")]
pub mod opencl;

pub use any::{Any, Buffer, Device, Event, Mapped, MappedMut, Prepared, Queue, View, ViewMut};
pub use compile::emit;
