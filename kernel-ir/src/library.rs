//! Functions that a code form has no instructions for, as bodies that lowering inlines in their place.

use crate::typed::{Math1, Math2};
use crate::{Body, Scalar};

/// Where lowering finds the bodies of mathematical functions.
///
/// A body takes its operands, of the type that is asked for, and gives a result of that type; it is a device function
/// like a user's. A body of a cast has the bits of an `f16` or `bf16` as a `u16`. What an entry has no body for stays an operation, which the code form must then have.
#[derive(Clone, Copy)]
pub struct Library {
    /// The body of a function of one operand, for a type.
    pub math1: fn(Math1, Scalar) -> Option<&'static Body<'static>>,
    /// The body of a function of two operands, for their type.
    pub math2: fn(Math2, Scalar) -> Option<&'static Body<'static>>,
    /// The body of a cast from the first type to the second, of which one is `f16` or `bf16` and the other `f32`.
    pub cast: fn(Scalar, Scalar) -> Option<&'static Body<'static>>,
    /// Whether the code form adds to a float of that type atomically, as exactly as `+` does. Elsewhere lowering writes a
    /// loop around a compare-exchange.
    pub atomic_add: fn(Scalar) -> bool,
}

impl Library {
    /// Nothing: every function stays an operation.
    pub const NONE: Library = Library {
        math1: |_, _| None,
        math2: |_, _| None,
        cast: |_, _| None,
        atomic_add: |_| true,
    };
}

/// The names of gridfn's own methods of floats, those of `DeviceMath`: in a kernel they may be called by the path of a
/// type, `f32::erf(x)`, as those of [`crate::methods`] may.
pub const DEVICE_MATH: &[&str] = &[
    "erf", "erfc", "tgamma", "lgamma", "rsqrt", "sinpi", "cospi", "exp10", "ldexp", "frexp",
];
