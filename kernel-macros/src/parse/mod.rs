//! From `syn`'s tree to our own: names resolved by Rust's scoping, holes numbered, and everything that kernels cannot
//! say refused at its own tokens.

pub(crate) mod ast;
mod body;
mod control;
mod function;
mod literal;
mod statement;

pub(crate) use function::{device, kernel};
