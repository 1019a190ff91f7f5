//! Kernels that a `macro_rules!` writes: what it took as one expression stays one, names keep apart.

use crate::elements::bodies;
use gridfn::prelude::*;

macro_rules! twice {
    ($(#[$doc:meta])+ fn $name:ident($a:ident, $b:ident) $e:expr) => {
        bodies! {
            $(#[$doc])+
            fn $name($a: u32, $b: u32) -> u32 {
                let n = $e & 0xff;
                n * 2 + ($e / 3) - $e % 7
            }
        }
    };
}
twice! {
    /// The expression has an operator that binds less than those around it.
    fn an_expression_stays_one(a, b) a | b
}
