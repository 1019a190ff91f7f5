//! Typed IR that [`crate::verify`] accepts as text, for people and tests.
//!
//! ```text
//! kernel add(k: f32, y: &mut [f32]) {
//!     %0 k: f32 = param k
//!     %1 i: usize = GlobalId(0)
//!     %2: usize = len y
//!     %3: bool = Ge %1, %2
//!     if %3 {
//!         fault Index at src/add.rs:4:5 (%1, %2)
//!     }
//!     %4: f32 = load y[%1]
//!     %5: f32 = Add %4, %0
//!     store y[%1] = %5
//! }
//! ```
//!
//! `%` is before values, `$` before locals, `#` before tables, `'` before labels. Tables and what a work-group shares stand in
//! front of the kernel.

use crate::Scalar;
use crate::typed::*;
use std::fmt::{self, Display, Formatter};

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (id, table) in self.tables.iter() {
            let Table { name, ty, bits } = table;
            write!(
                f,
                "table #{}{}: [{ty}; {}] = [",
                id.index(),
                Name(name),
                bits.len()
            )?;
            for (at, bits) in bits.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { ", " })?;
                write_constant(f, *ty, *bits)?;
            }
            f.write_str("]\n")?;
        }
        if let Some([x, y, z]) = self.local {
            writeln!(f, "local [{x}, {y}, {z}]")?;
        }
        for (id, local) in self.locals.iter().filter(|(_, local)| local.shared) {
            f.write_str("shared ")?;
            write_local(f, id, local)?;
            f.write_str("\n")?;
        }
        if self.whole_groups {
            f.write_str("whole groups\n")?;
        }
        write!(f, "kernel {}(", self.name)?;
        for (id, param) in self.params.iter() {
            let separator = if id.index() == 0 { "" } else { ", " };
            write!(f, "{separator}{}: {}", param.name, param.kind)?;
        }
        f.write_str(") ")?;
        self.write_block(f, &self.body, 0)?;
        f.write_str("\n")
    }
}

impl Display for ParamKind {
    /// As the parameter's type stands in Rust.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ParamKind::Scalar(scalar) => write!(f, "{scalar}"),
            ParamKind::Array { element, len } => write!(f, "[{element}; {len}]"),
            ParamKind::Slice { element, writable } => {
                let access = if *writable { "&mut " } else { "&" };
                write!(f, "{access}[{element}]")
            }
        }
    }
}

impl Kernel {
    /// A block in braces, whose closing one is indented by `depth`.
    fn write_block(&self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        f.write_str("{\n")?;
        for stmt in block {
            write!(f, "{:1$}", "", 4 * depth + 4)?;
            self.write_stmt(f, stmt, depth + 1)?;
            f.write_str("\n")?;
        }
        write!(f, "{:1$}}}", "", 4 * depth)
    }

    fn write_stmt(&self, f: &mut Formatter<'_>, stmt: &Stmt, depth: usize) -> fmt::Result {
        match stmt {
            Stmt::Def(id) => {
                let Value { name, ty, op } = &self.values[*id];
                write!(f, "{id:?}{}: {ty} = ", Name(name))?;
                self.write_op(f, *ty, op)
            }
            Stmt::Declare(id) => {
                f.write_str("local ")?;
                write_local(f, *id, &self.locals[*id])
            }
            Stmt::Set(local, value) => write!(f, "${} = {value:?}", local.index()),
            Stmt::SetElement(local, index, value) => {
                write!(f, "${}[{index:?}] = {value:?}", local.index())
            }
            Stmt::Store(param, index, value) => {
                write!(f, "store {}[{index:?}] = {value:?}", self.params[*param].name)
            }
            Stmt::LoadVector(param, index, values) => {
                write!(f, "{values:?} = load {}[{index:?}..]", self.params[*param].name)
            }
            Stmt::StoreVector(param, index, values) => {
                write!(f, "store {}[{index:?}..] = {values:?}", self.params[*param].name)
            }
            Stmt::Atomic(atomic) => self.write_atomic(f, atomic),
            Stmt::Subgroup(Subgroup { op, given }) => {
                let Value { name, ty, .. } = &self.values[*given];
                write!(f, "{given:?}{}: {ty} = ", Name(name))?;
                match op {
                    SubgroupOp::Ballot(value) => write!(f, "ballot {value:?}"),
                    SubgroupOp::Shuffle(value, item) => write!(f, "shuffle {value:?}, {item:?}"),
                }
            }
            Stmt::Barrier => f.write_str("barrier"),
            Stmt::If(condition, yes, no) => {
                write!(f, "if {condition:?} ")?;
                self.write_block(f, yes, depth)?;
                if !no.is_empty() {
                    f.write_str(" else ")?;
                    self.write_block(f, no, depth)?;
                }
                Ok(())
            }
            Stmt::Loop { label, body, next } => {
                write!(f, "loop '{label} ")?;
                self.write_block(f, body, depth)?;
                if !next.is_empty() {
                    f.write_str(" next ")?;
                    self.write_block(f, next, depth)?;
                }
                Ok(())
            }
            Stmt::Block { label, body } => {
                write!(f, "block '{label} ")?;
                self.write_block(f, body, depth)
            }
            Stmt::Break(label) => write!(f, "break '{label}"),
            Stmt::Continue(label) => write!(f, "continue '{label}"),
            Stmt::Return => f.write_str("return"),
            Stmt::Fault(site, values) | Stmt::Record(site, values) => {
                let Site {
                    kind,
                    file,
                    line,
                    column,
                } = &self.sites[*site];
                let values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
                let what = match stmt {
                    Stmt::Record(..) => "record",
                    _ => "fault",
                };
                write!(
                    f,
                    "{what} {kind:?} at {file}:{line}:{column} ({})",
                    values.join(", ")
                )
            }
        }
    }

    fn write_atomic(&self, f: &mut Formatter<'_>, atomic: &Atomic) -> fmt::Result {
        let Atomic {
            op,
            slice,
            index,
            order,
            before,
        } = atomic;
        if let Some(before) = before {
            let Value { name, ty, .. } = &self.values[*before];
            write!(f, "{before:?}{}: {ty} = ", Name(name))?;
        }
        let place = format!("{}[{index:?}]", self.params[*slice].name);
        match op {
            AtomicOp::Load => write!(f, "atomic Load {place}")?,
            AtomicOp::Store(value) => write!(f, "atomic Store {place}, {value:?}")?,
            AtomicOp::Swap(value) => write!(f, "atomic Swap {place}, {value:?}")?,
            AtomicOp::CompareExchange {
                expected,
                new,
                failure,
            } => write!(
                f,
                "atomic CompareExchange {place}, {expected:?}, {new:?} else {failure:?}"
            )?,
            AtomicOp::Update(update, value) => write!(f, "atomic {update:?} {place}, {value:?}")?,
        }
        write!(f, " ({order:?})")
    }

    fn write_op(&self, f: &mut Formatter<'_>, ty: Scalar, op: &Op) -> fmt::Result {
        match op {
            Op::Const(bits) => write_constant(f, ty, *bits),
            Op::Param(param) => write!(f, "param {}", self.params[*param].name),
            Op::Len(param) => write!(f, "len {}", self.params[*param].name),
            Op::Index(function, d) => write!(f, "{function:?}({d})"),
            Op::Read(local) => write!(f, "${}", local.index()),
            Op::ReadElement(local, index) => write!(f, "${}[{index:?}]", local.index()),
            Op::Lookup(table, index) => write!(f, "lookup #{}[{index:?}]", table.index()),
            Op::Component => f.write_str("a component"),
            Op::Load(param, index) => write!(f, "load {}[{index:?}]", self.params[*param].name),
            Op::Element(param, index) => write!(f, "element {}[{index:?}]", self.params[*param].name),
            Op::Unary(op, a) => write!(f, "{op:?} {a:?}"),
            Op::Binary(op, a, b) => write!(f, "{op:?} {a:?}, {b:?}"),
            Op::Compare(op, a, b) => write!(f, "{op:?} {a:?}, {b:?}"),
            Op::Cast(a) => write!(f, "cast {a:?}"),
            Op::Bits(a) => write!(f, "bits {a:?}"),
            Op::Select(condition, a, b) => write!(f, "select {condition:?}, {a:?}, {b:?}"),
            Op::Math1(function, a) => write!(f, "{function:?} {a:?}"),
            Op::Math2(function, a, b) => write!(f, "{function:?} {a:?}, {b:?}"),
            Op::MulAdd(a, b, c) => write!(f, "MulAdd {a:?}, {b:?}, {c:?}"),
        }
    }
}

fn write_local(f: &mut Formatter<'_>, id: LocalId, local: &Local) -> fmt::Result {
    let Local { name, ty, len, .. } = local;
    write!(f, "${}{}: ", id.index(), Name(name))?;
    match len {
        Some(len) => write!(f, "[{ty}; {len}]"),
        None => write!(f, "{ty}"),
    }
}

/// A name after its number, where there is one.
struct Name<'n>(&'n Option<String>);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, " {name}"),
            None => Ok(()),
        }
    }
}

fn write_constant(f: &mut Formatter<'_>, ty: Scalar, bits: u64) -> fmt::Result {
    match ty {
        Scalar::Bool => write!(f, "{}", bits != 0),
        Scalar::I8 => write!(f, "{}", bits as i8),
        Scalar::I16 => write!(f, "{}", bits as i16),
        Scalar::I32 => write!(f, "{}", bits as i32),
        Scalar::I64 | Scalar::Isize => write!(f, "{}", bits as i64),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => write!(f, "{bits}"),
        Scalar::F32 => write!(f, "{:?}", f32::from_bits(bits as u32)),
        Scalar::F64 => write!(f, "{:?}", f64::from_bits(bits)),
        Scalar::F16 | Scalar::Bf16 => write!(f, "{bits:#06x}"),
    }
}
