//! From `syn`'s tree to our own: names resolved by Rust's scoping, holes numbered, and everything that kernels cannot
//! say refused at its own tokens.

mod aggregate;
pub(crate) mod ast;
mod atomic;
mod body;
mod call;
mod capture;
mod closure;
mod control;
mod function;
mod group;
mod iterator;
mod literal;
mod macros;
mod operator;
mod panic;
mod pattern;
mod place;
mod primitive;
mod statement;
mod subgroup;
mod together;
mod view;
mod wide;

pub(crate) use atomic::{is_atomic, is_ordering};
pub(crate) use capture::{Capture, PREFIX};
pub(crate) use closure::{Closure, Passed, closure, passed};
pub(crate) use function::{device, group_function, kernel, refuse_bounds};
pub(crate) use iterator::is_iterator;
pub(crate) use panic::assertion;
