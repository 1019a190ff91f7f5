//! What a kernel is between the macro and the code generators.
//!
//! Data flows through this crate in one direction:
//!
//! 1. [`tree`]: the body as the attribute saw it, untyped, with numbered *holes* where a type, a callee or a
//!    constant is rustc's to decide. The attribute embeds it as bytes.
//! 2. [`body`]: one instance of it: the bytes, and what rustc filled the holes with.
//! 3. [`mod@lower`]: tree and filled holes become [`typed`] IR. Types follow bottom-up; nothing is inferred.
//! 4. [`verify`]: the rules that typed IR keeps, checked after every step in debug builds.
//!
//! [`layout`] fixes the one parameter block that the host writes and every code form reads, and [`methods`] is
//! the table of the methods of the built-in types.
//!
//! [`atomic`] has the atomic operations of typed IR, [`subgroup`] those of sub-groups, and [`view`] says what a view of a buffer is.
//!
//! This crate knows no `syn`, no operating system and no device.

pub mod atomic;
pub mod body;
pub mod build;
pub mod core_methods;
pub mod layout;
mod library;
pub mod lower;
pub mod methods;
#[cfg(feature = "planted-bugs")]
mod planted;
mod print;
pub mod straight;
pub mod subgroup;
pub mod tree;
pub mod typed;
pub mod types;
pub mod verify;
pub mod view;
mod walk;

pub use atomic::ATOMICS;
pub use body::{Body, ByteOrder, Constant, FROM_BYTES, FixedLocal, IndexFunction, Link};
pub use core_methods::CoreMethod;
pub use library::{DEVICE_MATH, Library};
pub use lower::{LowerError, lower, lower_with};
pub use methods::{Class, Method};
pub use subgroup::SubgroupFunction;
pub use types::{Access, Enum, Field, Locate, Scalar, Struct, Type, Variant};
