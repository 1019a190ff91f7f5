//! One rule per row of the language, by subject.

pub mod bindings;
pub mod branches;
pub mod casts;
pub mod constants;
pub mod functions;
pub mod indices;
pub mod literals;
pub mod loops;
pub mod methods;
pub mod operators;
pub mod parameters;
pub mod ranges;
