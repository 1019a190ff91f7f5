//! What is proven on the body before anything is emitted.

mod own;
mod ownership;
mod uniformity;

pub(crate) use ownership::{Proof, ownership, ownership_of_closure};
pub(crate) use uniformity::{Uniformity, uniformity, waits_in_block};
