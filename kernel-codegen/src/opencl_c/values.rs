//! Expressions: each operation of the typed IR in C.
//!
//! Overflow of signed integers is undefined in C, so `+ - *`, `neg` and `<<` are done in the unsigned type. C promotes
//! 8 and 16 bits to `int`, where these operations cannot overflow (but for a product of `ushort`s); the results are
//! cut back.

use super::Function;
use super::expr::{self, Expr, Precedence};
use super::types;
use crate::GenerateError;
use gridfn_ir::typed::{BinaryOp, CompareOp, Math1, Math2, Op, ParamId, ParamKind, UnaryOp, ValueId};
use gridfn_ir::{IndexFunction, Scalar};

/// How C treats arithmetic of a type.
enum Arithmetic {
    /// Floats and unsigned integers from 32 bits on: as Rust does.
    Plain,
    /// Signed integers from 32 bits on: overflow is undefined.
    Signed,
    /// In `int`.
    Promoted,
}

impl Arithmetic {
    fn of(ty: Scalar) -> Arithmetic {
        if types::is_promoted(ty) {
            Arithmetic::Promoted
        } else if ty.is_signed() {
            Arithmetic::Signed
        } else {
            Arithmetic::Plain
        }
    }
}

impl Function<'_> {
    /// How `value` is computed, as an expression of its operands.
    pub(super) fn expression(&mut self, value: ValueId) -> Result<Expr, GenerateError> {
        let (ty, op) = (self.kernel.values[value].ty, self.kernel.values[value].op);
        Ok(match op {
            Op::Const(bits) => types::literal(ty, bits),
            Op::Param(param) | Op::Len(param) => {
                Expr::primary(format!("block.{}", self.parameters.members[param.index()]))
            }
            Op::Index(function, dimension) => index(function, dimension)?,
            Op::Read(local) => {
                let mut name = Expr::primary(&self.local_names[local.index()]);
                name.dependences.locals.push(local);
                name
            }
            Op::ReadElement(local, at) => {
                let at = self.operand(at)?;
                let mut element = expr::load(at.element_of(&self.local_names[local.index()]), &at, false);
                element.dependences.locals.push(local);
                element
            }
            Op::Lookup(table, at) => self.lookup(table, at)?,
            Op::Load(slice, at) => {
                let at = self.operand(at)?;
                let element = self.in_memory(slice, ty, &at);
                expr::load(element, &at, self.is_writable(slice))
            }
            // Its name is given where it is loaded.
            Op::Component => types::literal(ty, 0),
            Op::Element(array, at) => match self.kernel.params[array].kind {
                // It has no member, and control never gets here.
                ParamKind::Array { len: 0, .. } => types::literal(ty, 0),
                ParamKind::Array { .. } | ParamKind::Scalar(_) | ParamKind::Slice { .. } => {
                    let at = self.operand(at)?;
                    let array = format!("block.{}", self.parameters.members[array.index()]);
                    expr::load(at.element_of(&array), &at, false)
                }
            },
            Op::Unary(UnaryOp::Neg, a) => self.negation(ty, a)?,
            Op::Unary(UnaryOp::Not, a) => match ty {
                Scalar::Bool => self.operand(a)?.opposite(),
                Scalar::I8 | Scalar::I16 => Expr::prefix("~", self.operand(a)?).promoted(ty),
                Scalar::U8 | Scalar::U16 => Expr::prefix("~", self.operand(a)?).cast(ty),
                Scalar::I32
                | Scalar::I64
                | Scalar::Isize
                | Scalar::U32
                | Scalar::U64
                | Scalar::Usize
                | Scalar::F32
                | Scalar::F64
                | Scalar::F16
                | Scalar::Bf16 => Expr::prefix("~", self.operand(a)?),
            },
            Op::Binary(op, a, b) => self.binary(ty, op, a, b)?,
            Op::Compare(op, a, b) => {
                let float = self.kernel.values[a].ty.is_float();
                comparison(op, float, self.operand(a)?, self.operand(b)?)
            }
            Op::Cast(a) => self.cast(ty, a)?,
            Op::Bits(a) => self.bits(ty, a)?,
            Op::Select(condition, yes, no) => {
                Expr::select(self.operand(condition)?, self.operand(yes)?, self.operand(no)?).promoted(ty)
            }
            Op::Math1(function, a) => self.math1(ty, function, a)?,
            Op::Math2(function, a, b) => {
                let arguments = [self.operand(a)?.exactly(ty), self.operand(b)?.exactly(ty)];
                Expr::call(&self.math2(ty, function), arguments)
            }
            Op::MulAdd(a, b, c) => Expr::call("fma", [self.operand(a)?, self.operand(b)?, self.operand(c)?]),
        })
    }

    /// The text of the value of type `ty` and number `at` in a slice's memory.
    pub(super) fn in_memory(&mut self, slice: ParamId, ty: Scalar, at: &Expr) -> String {
        let pointer = &self.parameters.pointers[slice.index()];
        match self.kernel.params[slice].kind {
            ParamKind::Slice { element, writable }
                if types::memory_name(element) != types::memory_name(ty) =>
            {
                let constant = if writable { "" } else { "const " };
                let aliased = self.helpers.aliased(ty);
                at.element_of(&format!("((global {constant}{aliased} *){pointer})"))
            }
            ParamKind::Slice { .. } | ParamKind::Array { .. } | ParamKind::Scalar(_) => {
                at.element_of(pointer)
            }
        }
    }

    /// The text of the `n` values of type `ty` that stand in a slice's memory from `at` on, as one vector.
    pub(super) fn vector_in_memory(&mut self, slice: ParamId, ty: Scalar, at: &Expr, n: usize) -> String {
        let constant = if self.is_writable(slice) { "" } else { "const " };
        let vector = self.helpers.aliased_vector(ty, n);
        let first = self.in_memory(slice, ty, at);
        format!("*(global {constant}{vector} *)&{first}")
    }

    fn negation(&mut self, ty: Scalar, a: ValueId) -> Result<Expr, GenerateError> {
        let a = self.operand(a)?;
        Ok(match Arithmetic::of(ty) {
            Arithmetic::Plain => Expr::prefix("-", a),
            Arithmetic::Signed => Expr::prefix("-", a.into_unsigned(ty)).into_signed(ty),
            Arithmetic::Promoted => Expr::prefix("-", a).cast(ty),
        })
    }

    fn binary(&mut self, ty: Scalar, op: BinaryOp, a: ValueId, b: ValueId) -> Result<Expr, GenerateError> {
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        Ok(match op {
            BinaryOp::Add => wrapping(ty, "+", Precedence::Sum, a, b),
            BinaryOp::Sub => wrapping(ty, "-", Precedence::Sum, a, b),
            BinaryOp::Mul => wrapping(ty, "*", Precedence::Product, a, b),
            BinaryOp::Div if ty == Scalar::F32 && self.options.f32_division_through_f64 => {
                self.uses_double = true;
                Expr::binary(a.cast(Scalar::F64), "/", b.cast(Scalar::F64), Precedence::Product).cast(ty)
            }
            BinaryOp::Div => Expr::binary(a, "/", b, Precedence::Product).promoted(ty),
            BinaryOp::Rem if ty.is_float() => Expr::call("fmod", [a, b]),
            BinaryOp::Rem => Expr::binary(a, "%", b, Precedence::Product).promoted(ty),
            BinaryOp::And => Expr::binary(a, "&", b, Precedence::And).promoted(ty),
            BinaryOp::Or => Expr::binary(a, "|", b, Precedence::Or).promoted(ty),
            BinaryOp::Xor => Expr::binary(a, "^", b, Precedence::Xor).promoted(ty),
            BinaryOp::Shl => match Arithmetic::of(ty) {
                Arithmetic::Plain => Expr::binary(a, "<<", b, Precedence::Shift),
                Arithmetic::Signed => {
                    Expr::binary(a.into_unsigned(ty), "<<", b, Precedence::Shift).into_signed(ty)
                }
                Arithmetic::Promoted => {
                    let a = if ty.is_signed() { a.into_unsigned(ty) } else { a };
                    Expr::binary(a, "<<", b, Precedence::Shift).cast(ty)
                }
            },
            BinaryOp::Shr => Expr::binary(a, ">>", b, Precedence::Shift).promoted(ty),
        })
    }

    fn cast(&mut self, ty: Scalar, a: ValueId) -> Result<Expr, GenerateError> {
        let from = self.kernel.values[a].ty;
        let a = self.operand(a)?;
        Ok(if from.is_float() && ty.is_integer() {
            Expr::call(&self.helpers.float_to_integer(from, ty), [a])
        } else if types::name(from) == types::name(ty) {
            a
        } else if from.is_signed() && types::name(from.unsigned()) == types::name(ty) {
            a.into_unsigned(from)
        } else {
            a.cast(ty)
        })
    }

    fn bits(&mut self, ty: Scalar, a: ValueId) -> Result<Expr, GenerateError> {
        let from = self.kernel.values[a].ty;
        let a = self.operand(a)?;
        Ok(if from.is_float() != ty.is_float() {
            Expr::call(&format!("as_{}", types::name(ty)), [a.exactly(from)])
        } else if types::name(from) == types::name(ty) {
            a
        } else {
            a.cast(ty)
        })
    }

    fn math1(&mut self, ty: Scalar, function: Math1, a: ValueId) -> Result<Expr, GenerateError> {
        let a = self.operand(a)?;
        let built_in = match function {
            Math1::TrailingZeros => return Ok(on_bits(&self.helpers.trailing_zeros(ty.unsigned()), ty, a)),
            Math1::ReverseBits => return Ok(on_bits(&self.helpers.reverse_bits(ty.unsigned()), ty, a)),
            Math1::Sqrt if ty == Scalar::F32 && self.options.f32_division_through_f64 => {
                self.uses_double = true;
                return Ok(Expr::call("sqrt", [a.cast(Scalar::F64)]).cast(ty));
            }
            Math1::CountOnes => "popcount",
            Math1::LeadingZeros => "clz",
            Math1::Abs => "fabs",
            Math1::Sqrt => "sqrt",
            Math1::Floor => "floor",
            Math1::Ceil => "ceil",
            Math1::Round => "round",
            Math1::RoundTiesEven => &self.helpers.round_ties_even(ty),
            Math1::Trunc => "trunc",
            Math1::Exp => "exp",
            Math1::Exp2 => "exp2",
            Math1::ExpM1 => "expm1",
            Math1::Ln => "log",
            Math1::Log2 => "log2",
            Math1::Log10 => "log10",
            Math1::Ln1p => "log1p",
            Math1::Sin => "sin",
            Math1::Cos => "cos",
            Math1::Tan => "tan",
            Math1::Asin => "asin",
            Math1::Acos => "acos",
            Math1::Atan => "atan",
            Math1::Sinh => "sinh",
            Math1::Cosh => "cosh",
            Math1::Tanh => "tanh",
            Math1::Asinh => "asinh",
            Math1::Acosh => "acosh",
            Math1::Atanh => "atanh",
            Math1::Cbrt => "cbrt",
        };
        Ok(Expr::call(built_in, [a.exactly(ty)]))
    }

    /// The function that does it in C.
    fn math2(&mut self, ty: Scalar, function: Math2) -> String {
        let (float, long) = (ty.is_float(), ty.is_signed() && ty.bits() == 64);
        let built_in = match function {
            Math2::SaturatingAdd if long => return self.helpers.saturating_add(),
            Math2::SaturatingSub if long => return self.helpers.saturating_sub(),
            Math2::SaturatingAdd => "add_sat",
            Math2::SaturatingSub => "sub_sat",
            Math2::Min if float => "fmin",
            Math2::Min => "min",
            Math2::Max if float => "fmax",
            Math2::Max => "max",
            Math2::CopySign => "copysign",
            Math2::MulHigh => "mul_hi",
            Math2::Powf => "pow",
            Math2::Atan2 => "atan2",
            Math2::Hypot => "hypot",
        };
        built_in.into()
    }
}

/// A helper that takes and gives the unsigned type, called with bits of `ty`.
fn on_bits(helper: &str, ty: Scalar, a: Expr) -> Expr {
    if ty.is_signed() {
        Expr::call(helper, [a.into_unsigned(ty)]).into_signed(ty)
    } else {
        Expr::call(helper, [a])
    }
}

/// `+`, `-` or `*`.
fn wrapping(ty: Scalar, operator: &str, precedence: Precedence, a: Expr, b: Expr) -> Expr {
    match Arithmetic::of(ty) {
        Arithmetic::Plain => Expr::binary(a, operator, b, precedence),
        Arithmetic::Signed => {
            Expr::binary(a.into_unsigned(ty), operator, b.into_unsigned(ty), precedence).into_signed(ty)
        }
        Arithmetic::Promoted => {
            // A product of `ushort`s is the only one that does not fit in `int`.
            let wide = ty == Scalar::U16 && precedence == Precedence::Product;
            let a = if wide { a.cast(Scalar::U32) } else { a };
            Expr::binary(a, operator, b, precedence).cast(ty)
        }
    }
}

fn comparison(op: CompareOp, float: bool, a: Expr, b: Expr) -> Expr {
    let (operator, opposite, precedence) = match op {
        CompareOp::Eq => ("==", "!=", Precedence::Equality),
        CompareOp::Ne => ("!=", "==", Precedence::Equality),
        CompareOp::Lt => ("<", ">=", Precedence::Relation),
        CompareOp::Le => ("<=", ">", Precedence::Relation),
        CompareOp::Gt => (">", "<=", Precedence::Relation),
        CompareOp::Ge => (">=", "<", Precedence::Relation),
    };
    let compare = |operator| Expr::binary(a.clone(), operator, b.clone(), precedence).promoted(Scalar::Bool);
    if float && precedence == Precedence::Relation {
        compare(operator) // With NaN both this and its opposite are false.
    } else {
        compare(operator).with_opposite(compare(opposite))
    }
}

fn index(function: IndexFunction, d: u8) -> Result<Expr, GenerateError> {
    Ok(match function {
        IndexFunction::GlobalId => {
            Expr::new(format!("get_global_id({d}) + block.offset[{d}]"), Precedence::Sum)
        }
        IndexFunction::LocalId => Expr::primary(format!("get_local_id({d})")),
        IndexFunction::GroupId => Expr::primary(format!("get_group_id({d})")),
        IndexFunction::GlobalSize => Expr::primary(format!("block.size[{d}]")),
        IndexFunction::LocalSize => Expr::primary(format!("get_local_size({d})")),
        IndexFunction::NumGroups => Expr::primary(format!("get_num_groups({d})")),
        IndexFunction::SubgroupSize => Expr::primary("get_max_sub_group_size()"),
        IndexFunction::SubgroupCount => Expr::primary("get_num_sub_groups()"),
        IndexFunction::SubgroupId => Expr::primary("get_sub_group_id()"),
        IndexFunction::SubgroupLocalId => Expr::primary("get_sub_group_local_id()"),
        IndexFunction::GlobalLinearId | IndexFunction::LocalLinearId => {
            return Err(GenerateError::Unsupported {
                what: "a linear id".into(),
                form: "OpenCL C",
            });
        }
    })
}
