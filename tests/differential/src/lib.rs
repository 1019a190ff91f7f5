//! Differential testing of the kernel language.
//!
//! Random kernels are compared with what rustc makes of the same text. A [`generator`] writes a kernel by the rules of
//! [`rows`]; [`render`] prints it twice, as a `#[kernel]` and as a plain function; a [`batch`] of them is built as one
//! program, in which [`harness`] runs them on every device; what differs is made small by [`shrink`].

pub mod ast;
pub mod batch;
pub mod generator;
pub mod harness;
pub mod random;
pub mod render;
pub mod rows;
pub mod rules;
pub mod shape;
pub mod shrink;
pub mod types;
