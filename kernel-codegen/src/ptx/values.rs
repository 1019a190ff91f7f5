//! Expressions.

use super::fmod::Width;
use super::registers::Reg;
use super::types::{self, Class, computed, memory, moved, narrow};
use super::{Entry, Held, unsupported};
use crate::GenerateError;
use gridfn_ir::typed::{BinaryOp, CompareOp, Op, ParamId, ParamKind, UnaryOp, ValueId};
use gridfn_ir::{IndexFunction, Scalar, layout};

impl Entry<'_> {
    /// Computes a value into its register.
    pub(super) fn def(&mut self, value: ValueId) -> Result<(), GenerateError> {
        let Held::Register(to) = &self.values[value.index()] else {
            return Ok(());
        };
        let to = to.clone();
        let ty = self.kernel.values[value].ty;
        match self.kernel.values[value].op {
            Op::Const(_) => {}
            Op::Param(param) => self.parameter(&to, ty, param),
            Op::Len(param) => self.parameter(&to, Scalar::Usize, param),
            Op::Index(function, d) => self.index(&to, function, d)?,
            Op::Read(local) => {
                let local = self.locals[local.index()].clone();
                self.line(format_args!("mov.{} {to}, {local}", moved(ty)));
            }
            // It is loaded with the others of its vector.
            Op::Component => {}
            Op::Load(param, index) => self.load(&to, ty, param, index),
            Op::Element(param, index) => {
                let array = self.arrays[param.index()].clone();
                self.read_element(&to, ty, "ld.param", array, index);
            }
            Op::ReadElement(local, index) => {
                let array = self.locals[local.index()].clone();
                let load = format!("ld.{}", self.space_of(local));
                self.read_element(&to, ty, &load, Some(array), index);
            }
            Op::Lookup(table, index) => {
                let table = self.tables[table.index()].clone();
                self.read_element(&to, ty, "ld.const", Some(table), index);
            }
            Op::Unary(op, a) => self.unary(&to, ty, op, a),
            Op::Binary(op, a, b) => self.binary(&to, ty, op, a, b),
            Op::Compare(op, a, b) => self.compare(&to, op, a, b),
            Op::Cast(a) => self.cast(&to, ty, a)?,
            Op::Bits(a) => self.bits(&to, ty, a),
            Op::Select(condition, a, b) => self.select(&to, ty, condition, a, b),
            Op::Math1(function, a) => self.math1(&to, ty, function, a)?,
            Op::Math2(function, a, b) => self.math2(&to, ty, function, a, b)?,
            Op::MulAdd(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|v| self.operand(v));
                self.line(format_args!("fma.rn.{} {to}, {a}, {b}, {c}", computed(ty)));
            }
        }
        Ok(())
    }

    /// A new register for a value of type `ty`.
    pub(super) fn temporary(&mut self, ty: Scalar) -> Reg {
        self.registers.temporary(Class::of(ty))
    }

    /// Extends what a narrow type's register holds by the type's sign. For operations whose 32-bit result may not
    /// be a value of the type.
    pub(super) fn wrap(&mut self, to: &Reg, ty: Scalar) {
        if let Some(narrow) = narrow(ty) {
            self.line(format_args!("cvt.{}.{narrow} {to}, {to}", computed(ty)));
        }
    }

    fn parameter(&mut self, to: &Reg, ty: Scalar, param: ParamId) {
        let at = format!("[params+{}]", self.layout.offsets[param.index()]);
        self.read(to, ty, "ld.param", &at);
    }

    fn load(&mut self, to: &Reg, ty: Scalar, param: ParamId, index: ValueId) {
        let address = self.address(param, ty, index);
        self.read(to, ty, self.load_of(param), &format!("[{address}]"));
    }

    /// The instruction that loads from a slice. The non-coherent path is for memory that nobody writes while the kernel
    /// runs.
    fn load_of(&self, param: ParamId) -> &'static str {
        match self.kernel.params[param].kind {
            ParamKind::Slice { writable: true, .. } => "ld.global",
            ParamKind::Slice { writable: false, .. } | ParamKind::Array { .. } | ParamKind::Scalar(_) => {
                "ld.global.nc"
            }
        }
    }

    /// Loads several values at once.
    pub(super) fn load_vector(&mut self, param: ParamId, index: ValueId, values: &[ValueId]) {
        let Some(&first) = values.first() else {
            return;
        };
        let ty = self.kernel.values[first].ty;
        let address = self.address(param, ty, index);
        let to: Vec<Reg> = values.iter().map(|value| self.register(*value)).collect();
        let (load, n) = (self.load_of(param), to.len());
        self.line(format_args!(
            "{load}.v{n}.{} {{{}}}, [{address}]",
            memory(ty),
            to.join(", ")
        ));
    }

    /// Stores several values at once.
    pub(super) fn store_vector(&mut self, param: ParamId, index: ValueId, values: &[ValueId]) {
        let Some(&first) = values.first() else {
            return;
        };
        let ty = self.kernel.values[first].ty;
        let address = self.address(param, ty, index);
        let from: Vec<Reg> = values.iter().map(|value| self.register(*value)).collect();
        let n = from.len();
        self.line(format_args!(
            "st.global.v{n}.{} [{address}], {{{}}}",
            memory(ty),
            from.join(", ")
        ));
    }

    fn read_element(&mut self, to: &Reg, ty: Scalar, load: &str, base: Option<Reg>, index: ValueId) {
        let address = self.address_in(base, ty, index);
        self.read(to, ty, load, &format!("[{address}]"));
    }

    fn read(&mut self, to: &Reg, ty: Scalar, load: &str, from: &str) {
        let memory = memory(ty);
        if ty == Scalar::Bool {
            let byte = self.registers.temporary(Class::B32);
            self.line(format_args!("{load}.{memory} {byte}, {from}"));
            self.line(format_args!("setp.ne.u32 {to}, {byte}, 0"));
        } else {
            self.line(format_args!("{load}.{memory} {to}, {from}"));
        }
    }

    /// A value as a store takes it.
    pub(super) fn stored(&mut self, value: ValueId) -> Reg {
        if self.kernel.values[value].ty != Scalar::Bool {
            return self.operand(value);
        }
        let value = self.register(value);
        let byte = self.registers.temporary(Class::B32);
        self.line(format_args!("selp.u32 {byte}, 1, 0, {value}"));
        byte
    }

    /// The address of the value of type `ty` and number `index` in a slice's memory.
    pub(super) fn address(&mut self, param: ParamId, ty: Scalar, index: ValueId) -> Reg {
        let slice = self.slices[param.index()].as_ref().map(|(base, _)| base.clone());
        self.address_in(slice, ty, index)
    }

    /// The address of an element, of type `ty`, from that of the first. A parameter that has none gives its index.
    pub(super) fn address_in(&mut self, base: Option<Reg>, ty: Scalar, index: ValueId) -> Reg {
        let index = self.operand(index);
        let Some(base) = base else {
            return index;
        };
        let address = self.registers.temporary(Class::B64);
        self.line(format_args!(
            "mad.lo.u64 {address}, {index}, {}, {base}",
            ty.bytes()
        ));
        address
    }

    fn index(&mut self, to: &Reg, function: IndexFunction, d: u8) -> Result<(), GenerateError> {
        let d = usize::from(d);
        let axis = super::prologue::AXES[d];
        let special = match function {
            IndexFunction::GlobalId => {
                self.global_id(to, d);
                return Ok(());
            }
            IndexFunction::GlobalSize => {
                let at = layout::SIZE + 8 * d;
                self.line_with(
                    format_args!("ld.param.u64 {to}, [params+{at}]"),
                    format_args!("size.{axis}"),
                );
                return Ok(());
            }
            IndexFunction::LocalId => "tid",
            IndexFunction::GroupId => "ctaid",
            IndexFunction::LocalSize => "ntid",
            IndexFunction::NumGroups => "nctaid",
            IndexFunction::SubgroupSize
            | IndexFunction::SubgroupCount
            | IndexFunction::SubgroupId
            | IndexFunction::SubgroupLocalId => {
                self.subgroup_index(to, function);
                return Ok(());
            }
            IndexFunction::GlobalLinearId | IndexFunction::LocalLinearId => {
                return Err(unsupported("a linear id that was not lowered"));
            }
        };
        self.special_u64(to, &format!("{special}.{axis}"));
        Ok(())
    }

    fn unary(&mut self, to: &Reg, ty: Scalar, op: UnaryOp, a: ValueId) {
        let a = self.register(a);
        match op {
            UnaryOp::Neg if ty.is_float() => self.line(format_args!("neg.{} {to}, {a}", computed(ty))),
            UnaryOp::Neg => {
                self.line(format_args!("neg.s{} {to}, {a}", types::register_bits(ty)));
                self.wrap(to, ty);
            }
            UnaryOp::Not => {
                self.line(format_args!("not.{} {to}, {a}", moved(ty)));
                self.wrap(to, ty);
            }
        }
    }

    fn binary(&mut self, to: &Reg, ty: Scalar, op: BinaryOp, a: ValueId, b: ValueId) {
        let a = self.operand(a);
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(to, ty, op, a, b);
        }
        let b = self.operand(b);
        let computed = computed(ty);
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div if ty.is_float() => {
                // `.rn` also keeps the assembler from contracting a multiplication and an addition.
                self.line(format_args!("{}.rn.{computed} {to}, {a}, {b}", mnemonic(op)));
            }
            BinaryOp::Rem if ty.is_float() => {
                let width = if ty == Scalar::F64 { Width::F64 } else { Width::F32 };
                self.fmod.insert(width);
                self.line(format_args!("call ({to}), {}, ({a}, {b})", width.name()));
            }
            BinaryOp::Mul => {
                self.line(format_args!("mul.lo.{computed} {to}, {a}, {b}"));
                self.wrap(to, ty);
            }
            BinaryOp::Add | BinaryOp::Sub => {
                self.line(format_args!("{}.{computed} {to}, {a}, {b}", mnemonic(op)));
                self.wrap(to, ty);
            }
            // Never outside the type: the divisor is not zero, nor -1 under the smallest value.
            BinaryOp::Div | BinaryOp::Rem => {
                self.line(format_args!("{}.{computed} {to}, {a}, {b}", mnemonic(op)));
            }
            // Two extended values give an extended one.
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
                self.line(format_args!("{}.{} {to}, {a}, {b}", mnemonic(op), moved(ty)));
            }
            BinaryOp::Shl | BinaryOp::Shr => {}
        }
    }

    fn shift(&mut self, to: &Reg, ty: Scalar, op: BinaryOp, a: Reg, by: ValueId) {
        let mut by = self.operand(by);
        // The amount is a 32-bit register whatever is shifted.
        if types::register_bits(ty) == 64 && by.starts_with(['$', '%']) {
            let narrow = self.registers.temporary(Class::B32);
            self.line(format_args!("cvt.u32.u64 {narrow}, {by}"));
            by = narrow;
        }
        if op == BinaryOp::Shl {
            self.line(format_args!("shl.{} {to}, {a}, {by}", moved(ty)));
            self.wrap(to, ty);
        } else {
            self.line(format_args!("shr.{} {to}, {a}, {by}", computed(ty)));
        }
    }

    fn compare(&mut self, to: &Reg, op: CompareOp, a: ValueId, b: ValueId) {
        let ty = self.kernel.values[a].ty;
        let [a, b] = [a, b].map(|v| self.operand(v));
        if ty == Scalar::Bool {
            return self.compare_bool(to, op, &a, &b);
        }
        let relation = match op {
            CompareOp::Eq => "eq",
            // Of floats, the one relation that holds with NaN.
            CompareOp::Ne if ty.is_float() => "neu",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        };
        self.line(format_args!("setp.{relation}.{} {to}, {a}, {b}", computed(ty)));
    }

    /// There is no comparison of predicates: `a < b` is `!a & b`, and so on.
    fn compare_bool(&mut self, to: &Reg, op: CompareOp, a: &Reg, b: &Reg) {
        let (combine, negated, other) = match op {
            CompareOp::Ne => return self.line(format_args!("xor.pred {to}, {a}, {b}")),
            CompareOp::Eq => ("xor", a, b),
            CompareOp::Lt => ("and", a, b),
            CompareOp::Le => ("or", a, b),
            CompareOp::Gt => ("and", b, a),
            CompareOp::Ge => ("or", b, a),
        };
        self.line(format_args!("not.pred {to}, {negated}"));
        self.line(format_args!("{combine}.pred {to}, {to}, {other}"));
    }

    fn select(&mut self, to: &Reg, ty: Scalar, condition: ValueId, a: ValueId, b: ValueId) {
        let condition = self.register(condition);
        let [a, b] = [a, b].map(|v| self.operand(v));
        if ty != Scalar::Bool {
            return self.line(format_args!("selp.{} {to}, {a}, {b}, {condition}", moved(ty)));
        }
        let first = self.temporary(Scalar::Bool);
        self.line(format_args!("and.pred {first}, {condition}, {a}"));
        self.line(format_args!("not.pred {to}, {condition}"));
        self.line(format_args!("and.pred {to}, {to}, {b}"));
        self.line(format_args!("or.pred {to}, {to}, {first}"));
    }
}

fn mnemonic(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::Div => "div",
        BinaryOp::Rem => "rem",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::Shl => "shl",
        BinaryOp::Shr => "shr",
    }
}
