//! What is proven on the body before anything is emitted.

mod ownership;

pub(crate) use ownership::{Proof, ownership, ownership_of_closure};
