//! What is proven on the body before anything is emitted.

mod own;
mod ownership;

pub(crate) use ownership::{Proof, ownership, ownership_of_closure};
