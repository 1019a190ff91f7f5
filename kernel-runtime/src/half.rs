//! `f16` and `bf16`: what the types of the crate `half` are in kernels.

use crate::aggregate::by_value;
use crate::argument::KernelArg;
use crate::closure::{ByValue, CaptureValue};
use crate::element::DeviceCopy;
use crate::number::Scalar;
use crate::private::operators::{BuiltIn, sealed::Sealed};
use crate::private::twins::{Bf16Methods, F16Methods, HalfMethods, HalfPaths, marker};
use crate::private::wrap::Operand;
use gridfn_ir::typed::FaultKind;
use gridfn_ir::{self as ir, Type};
use half::{bf16, f16};

macro_rules! halves {
    ($($ty:ident $scalar:ident $from:ident;)*) => {$(
        // SAFETY: a float of 16 bits has the layout of its bits.
        unsafe impl DeviceCopy for $ty {
            const TYPE: Type = Type::Scalar(ir::Scalar::$scalar);
            #[inline(always)]
            fn __unordered(min: Self, max: Self) -> Option<(FaultKind, [u64; 2])> {
                let ordered = min <= max;
                let bits = |bound: Self| bound.to_f32().to_bits().into();
                (!ordered).then(|| (FaultKind::ClampHalf, [bits(min), bits(max)]))
            }
        }
        by_value!([] $ty);
        impl Sealed for $ty {}
        impl BuiltIn for $ty {}
        impl Scalar for $ty {
            const ZERO: $ty = $ty::ZERO;
            const ONE: $ty = $ty::ONE;
        }
        impl HalfMethods for $ty {}
        impl HalfPaths for $ty {
            type FromF32 = marker::$from;
        }
    )*};
}
halves! {
    f16 F16 F16FromF32;
    bf16 Bf16 Bf16FromF32;
}
impl F16Methods for f16 {}
impl Bf16Methods for bf16 {}
