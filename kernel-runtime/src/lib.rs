//! What runs a kernel: queues, buffers, the launch path, the kernel cache, errors, and the contract that back ends
//! implement.
//!
//! Nothing here knows a device. [`Queue`] and [`Buffer`] are generic over a [`Backend`]; `gridfn-backends` has the
//! back ends and the enum over them, which the facade makes the default. What the attributes' expansions name is
//! in [`private`].

mod aggregate;
pub mod argument;
pub mod atomic;
pub mod backend;
pub mod buffer;
pub mod cache;
pub mod closure;
pub mod element;
pub mod error;
pub mod event;
pub mod function;
pub mod grid;
#[cfg(feature = "half")]
mod half;
pub mod host;
pub mod index;
pub mod kernel;
pub mod leaves;
pub mod mapped;
pub mod nd;
pub mod number;
pub mod options;
pub mod order;
pub mod prepared;
pub mod print;
pub mod private;
pub mod queue;
pub mod subgroup;
mod sync;
pub mod view;
pub mod workgroup;

/// The name by which the attributes' expansions find [`private`] where this crate stands in for the facade.
#[doc(hidden)]
pub use private as __private;

#[cfg(feature = "half")]
pub use ::half::{bf16, f16};
pub use argument::{Call, Fill, KernelArg, Parameter, Put, Slots};
pub use backend::{Backend, Capability, Info, Limits};
pub use buffer::Buffer;
/// What [`Queue::zeros`] asks of elements: that all zeros are a value. It can be derived with the crate `bytemuck`.
pub use bytemuck::Zeroable;
pub use closure::Closure;
pub use element::DeviceCopy;
pub use error::{Error, Fault, GeometryError, Result};
pub use event::Event;
pub use grid::{Grid, IntoGrid, Shape};
pub use kernel::Kernel;
pub use mapped::{Mapped, MappedMut};
pub use nd::{View, ViewMut};
pub use number::{Float, Int, Scalar};
pub use options::{Priority, QueueOptions};
pub use prepared::Prepared;
pub use queue::Queue;
