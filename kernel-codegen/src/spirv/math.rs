//! Mathematical functions, and arithmetic that takes more than one instruction.

use super::Generator;
use gridfn_ir::Scalar;
use gridfn_ir::typed::{Math1, Math2};
use rspirv::spirv::{Op, OpenclStd100Op as OpenCl, Word};

impl Generator<'_> {
    /// `a / b` of floats.
    pub(super) fn divide(&mut self, scalar: Scalar, a: Word, b: Word) -> Word {
        self.rounded(scalar, &[a, b], |g, ty, operands| g.op(Op::FDiv, ty, operands))
    }

    /// A division or square root, rounded correctly: that of `f32` in `f64` if the driver has to be helped. `f64`
    /// has more than twice the bits, so that rounding twice does no harm.
    fn rounded(
        &mut self,
        scalar: Scalar,
        operands: &[Word],
        compute: impl FnOnce(&mut Self, Word, &[Word]) -> Word,
    ) -> Word {
        let ty = self.module.ty(scalar);
        if scalar != Scalar::F32 || !self.options.f32_division_through_f64 {
            return compute(self, ty, operands);
        }
        let wide = self.module.ty(Scalar::F64);
        let operands: Vec<Word> = operands
            .iter()
            .map(|a| self.op(Op::FConvert, wide, &[*a]))
            .collect();
        let result = compute(self, wide, &operands);
        self.op(Op::FConvert, ty, &[result])
    }

    pub(super) fn math1(&mut self, function: Math1, scalar: Scalar, a: Word) -> Word {
        let function = match function {
            Math1::ReverseBits => return self.reverse_bits(scalar, a),
            Math1::Sqrt => {
                return self.rounded(scalar, &[a], |g, ty, operands| g.call(OpenCl::sqrt, ty, operands));
            }
            Math1::CountOnes => OpenCl::popcount,
            Math1::LeadingZeros => OpenCl::clz,
            Math1::TrailingZeros => OpenCl::ctz,
            Math1::Abs => OpenCl::fabs,
            Math1::Floor => OpenCl::floor,
            Math1::Ceil => OpenCl::ceil,
            Math1::Round => OpenCl::round,
            Math1::RoundTiesEven => OpenCl::rint,
            Math1::Trunc => OpenCl::trunc,
            Math1::Exp => OpenCl::exp,
            Math1::Exp2 => OpenCl::exp2,
            Math1::ExpM1 => OpenCl::expm1,
            Math1::Ln => OpenCl::log,
            Math1::Log2 => OpenCl::log2,
            Math1::Log10 => OpenCl::log10,
            Math1::Ln1p => OpenCl::log1p,
            Math1::Sin => OpenCl::sin,
            Math1::Cos => OpenCl::cos,
            Math1::Tan => OpenCl::tan,
            Math1::Asin => OpenCl::asin,
            Math1::Acos => OpenCl::acos,
            Math1::Atan => OpenCl::atan,
            Math1::Sinh => OpenCl::sinh,
            Math1::Cosh => OpenCl::cosh,
            Math1::Tanh => OpenCl::tanh,
            Math1::Asinh => OpenCl::asinh,
            Math1::Acosh => OpenCl::acosh,
            Math1::Atanh => OpenCl::atanh,
            Math1::Cbrt => OpenCl::cbrt,
        };
        let ty = self.module.ty(scalar);
        self.call(function, ty, &[a])
    }

    pub(super) fn math2(&mut self, function: Math2, scalar: Scalar, a: Word, b: Word) -> Word {
        let (float, signed) = (scalar.is_float(), scalar.is_signed());
        let function = match function {
            Math2::Min if float => OpenCl::fmin,
            Math2::Min if signed => OpenCl::s_min,
            Math2::Min => OpenCl::u_min,
            Math2::Max if float => OpenCl::fmax,
            Math2::Max if signed => OpenCl::s_max,
            Math2::Max => OpenCl::u_max,
            Math2::CopySign => OpenCl::copysign,
            Math2::SaturatingAdd if signed => OpenCl::s_add_sat,
            Math2::SaturatingAdd => OpenCl::u_add_sat,
            Math2::SaturatingSub if signed => OpenCl::s_sub_sat,
            Math2::SaturatingSub => OpenCl::u_sub_sat,
            Math2::MulHigh if signed => OpenCl::s_mul_hi,
            Math2::MulHigh => OpenCl::u_mul_hi,
            Math2::Powf => OpenCl::pow,
            Math2::Atan2 => OpenCl::atan2,
            Math2::Hypot => OpenCl::hypot,
        };
        let ty = self.module.ty(scalar);
        self.call(function, ty, &[a, b])
    }

    /// Swaps neighbours that are ever wider: bits, pairs, nibbles, bytes, …. SPIR-V's own instruction is not for
    /// kernels.
    fn reverse_bits(&mut self, scalar: Scalar, a: Word) -> Word {
        let unsigned = scalar.unsigned();
        let ty = self.module.ty(unsigned);
        let mut value = a;
        let mut width = 1;
        while width < scalar.bits() {
            // Ones where the lower neighbour of each pair stands.
            let lower = u64::MAX / ((1 << width) + 1);
            let mask = self.module.constant(unsigned, lower);
            let distance = self.module.constant(unsigned, u64::from(width));
            let down = self.op(Op::ShiftRightLogical, ty, &[value, distance]);
            let down = self.op(Op::BitwiseAnd, ty, &[down, mask]);
            let up = self.op(Op::BitwiseAnd, ty, &[value, mask]);
            let up = self.op(Op::ShiftLeftLogical, ty, &[up, distance]);
            value = self.op(Op::BitwiseOr, ty, &[down, up]);
            width *= 2;
        }
        value
    }
}
