//! One rule per row of the language, by subject.

pub mod aggregates;
pub mod atomics;
pub mod bindings;
pub mod branches;
pub mod casts;
pub mod closures;
pub mod constants;
pub mod functions;
pub mod indices;
pub mod inexact;
pub mod iterators;
pub mod literals;
pub mod loops;
pub mod methods;
pub mod operators;
pub mod options;
pub mod orders;
pub mod panics;
pub mod parameters;
pub mod passed;
pub mod patterns;
pub mod ranges;
pub mod references;
pub mod users;
pub mod vectors;
