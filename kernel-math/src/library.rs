//! The table: from an operation and its type to the function that computes it.

use crate::exponential::*;
use crate::half::*;
use crate::hyperbolic::*;
use crate::inverse::*;
use crate::logarithm::*;
use crate::power::*;
use crate::trigonometric::*;
use gridfn::__private::HasLink;
use gridfn_ir::typed::{Math1, Math2};
use gridfn_ir::{Body, Library, Link, Scalar};

/// The functions for code forms that have no accurate instructions for them. What such a form can cast, it casts.
pub const LIBRARY: Library = Library {
    math1,
    math2,
    atomic_add: |_| false,
    ..Library::NONE
};

/// The casts from and to floats of 16 bits, for code forms that have every other function.
pub const CASTS: Library = Library {
    cast,
    atomic_add: |_| false,
    ..Library::NONE
};

/// [`LIBRARY`] and the cast to `bf16`, for a form without it: PTX below compute capability 8.0.
pub const LIBRARY_AND_BF16: Library = Library {
    cast: |from, to| {
        if matches!(to, Scalar::Bf16) {
            cast(from, to)
        } else {
            None
        }
    },
    ..LIBRARY
};

type Function = Option<&'static Body<'static>>;

/// The body behind a device function's marker.
fn body<M: HasLink>(_: M) -> Function {
    match (M::LINK)() {
        Link::Function(body) => Some(body),
        Link::Method(_)
        | Link::Core(_)
        | Link::FromBytes(..)
        | Link::Index(_)
        | Link::Passed(_)
        | Link::Words(_) => None,
    }
}

/// The function for `ty`.
macro_rules! of {
    ($ty:ident: $single:ident, $double:ident) => {
        match $ty {
            Scalar::F32 => body($single::__link($single)),
            Scalar::F64 => body($double::__link($double)),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::Isize
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize
            | Scalar::F16
            | Scalar::Bf16 => None,
        }
    };
}

fn cast(from: Scalar, to: Scalar) -> Function {
    match (from, to) {
        (Scalar::F16, Scalar::F32) => body(f16_to_f32::__link(f16_to_f32)),
        (Scalar::F32, Scalar::F16) => body(f32_to_f16::__link(f32_to_f16)),
        (Scalar::Bf16, Scalar::F32) => body(bf16_to_f32::__link(bf16_to_f32)),
        (Scalar::F32, Scalar::Bf16) => body(f32_to_bf16::__link(f32_to_bf16)),
        (_, _) => None,
    }
}

fn math1(function: Math1, ty: Scalar) -> Function {
    match function {
        // What every code form has.
        Math1::CountOnes
        | Math1::LeadingZeros
        | Math1::TrailingZeros
        | Math1::ReverseBits
        | Math1::Abs
        | Math1::Sqrt
        | Math1::Floor
        | Math1::Ceil
        | Math1::Round
        | Math1::RoundTiesEven
        | Math1::Trunc => None,

        Math1::Exp => of!(ty: exp_f32, exp_f64),
        Math1::Exp2 => of!(ty: exp2_f32, exp2_f64),
        Math1::ExpM1 => of!(ty: exp_m1_f32, exp_m1_f64),
        Math1::Ln => of!(ty: ln_f32, ln_f64),
        Math1::Log2 => of!(ty: log2_f32, log2_f64),
        Math1::Log10 => of!(ty: log10_f32, log10_f64),
        Math1::Ln1p => of!(ty: ln_1p_f32, ln_1p_f64),
        Math1::Sin => of!(ty: sin_f32, sin_f64),
        Math1::Cos => of!(ty: cos_f32, cos_f64),
        Math1::Tan => of!(ty: tan_f32, tan_f64),
        Math1::Asin => of!(ty: asin_f32, asin_f64),
        Math1::Acos => of!(ty: acos_f32, acos_f64),
        Math1::Atan => of!(ty: atan_f32, atan_f64),
        Math1::Sinh => of!(ty: sinh_f32, sinh_f64),
        Math1::Cosh => of!(ty: cosh_f32, cosh_f64),
        Math1::Tanh => of!(ty: tanh_f32, tanh_f64),
        Math1::Asinh => of!(ty: asinh_f32, asinh_f64),
        Math1::Acosh => of!(ty: acosh_f32, acosh_f64),
        Math1::Atanh => of!(ty: atanh_f32, atanh_f64),
        Math1::Cbrt => of!(ty: cbrt_f32, cbrt_f64),
    }
}

fn math2(function: Math2, ty: Scalar) -> Function {
    match function {
        // What every code form has.
        Math2::Min
        | Math2::Max
        | Math2::CopySign
        | Math2::SaturatingAdd
        | Math2::SaturatingSub
        | Math2::MulHigh => None,

        Math2::Powf => of!(ty: powf_f32, powf_f64),
        Math2::Atan2 => of!(ty: atan2_f32, atan2_f64),
        Math2::Hypot => of!(ty: hypot_f32, hypot_f64),
    }
}
