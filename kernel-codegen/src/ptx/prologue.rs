//! What surrounds an entry's body: parameters, the mask in front, the fault record behind.

use super::registers::{Reg, Registers};
use super::types::Class;
use super::{Entry, Held, tables};
use gridfn_ir::layout::{self, FaultRecord, Layout};
use gridfn_ir::typed::{Kernel, LocalId, Op, ParamId, ParamKind, Value};
use std::fmt::Write;
use std::mem::offset_of;

/// The dimensions' names in special registers.
pub(super) const AXES: [char; 3] = ['x', 'y', 'z'];

/// What a fault's place hands to the common tail that writes the record.
pub(super) struct FaultRegisters {
    pub(super) site: Reg,
    pub(super) values: Vec<Reg>,
}

/// The bytes that the entry's parameters take together.
pub(super) fn parameter_bytes(kernel: &Kernel, layout: &Layout) -> usize {
    let slices = kernel
        .params
        .iter()
        .filter(|(_, p)| matches!(p.kind, ParamKind::Slice { .. }))
        .count();
    layout.size + 8 * (slices + usize::from(!kernel.sites.is_empty()))
}

impl<'k> Entry<'k> {
    /// Names what the whole entry uses; the user's variables in the order of the arenas.
    pub(super) fn new(kernel: &'k Kernel, layout: Layout, sm: u32) -> Entry<'k> {
        let mut registers = Registers::default();
        let mut address = |name| registers.named(name, Class::B64);
        let (mut arrays, mut slices) = (Vec::new(), Vec::new());
        for (_, p) in kernel.params.iter() {
            let (array, slice) = match p.kind {
                ParamKind::Scalar(_) => (None, None),
                ParamKind::Array { .. } => (Some(address(&p.name)), None),
                ParamKind::Slice { element, .. } => (None, Some((address(&p.name), element))),
            };
            arrays.push(array);
            slices.push(slice);
        }
        let locals = kernel
            .locals
            .iter()
            .map(|(_, l)| {
                let class = match l.len {
                    Some(_) => Class::B64,
                    None => Class::of(l.ty),
                };
                registers.add(l.name.as_deref(), class)
            })
            .collect();
        let tables = kernel
            .tables
            .iter()
            .map(|(_, t)| registers.add(t.name.as_deref(), Class::B64))
            .collect();
        let values = kernel
            .values
            .iter()
            .map(|(_, v)| held(kernel, v, &mut registers))
            .collect();
        let raw = AXES.map(|axis| registers.named(&format!("raw_{axis}"), Class::B64));
        let fault = (!kernel.sites.is_empty()).then(|| FaultRegisters {
            site: registers.named("site", Class::B32),
            values: (0..kernel.fault_values())
                .map(|_| registers.named("fault_value", Class::B64))
                .collect(),
        });
        Entry {
            kernel,
            sm,
            layout,
            registers,
            values,
            locals,
            tables,
            arrays,
            slices,
            raw,
            fault,
            fmod: Default::default(),
            warp: None,
            labels: 0,
            text: String::new(),
        }
    }

    /// Ends the items that the launch did not ask for, and gets the addresses of arrays, tables and slices.
    pub(super) fn prologue(&mut self) {
        self.comment(if self.kernel.whole_groups {
            "Where the item is."
        } else {
            "Items outside the launch's exact size do nothing."
        });
        for (d, axis) in AXES.into_iter().enumerate() {
            let group = self.special(&format!("ctaid.{axis}"));
            let size = self.special(&format!("ntid.{axis}"));
            let local = self.registers.temporary(Class::B64);
            self.special_u64(&local, &format!("tid.{axis}"));
            let raw = self.raw[d].clone();
            self.line(format_args!("mad.wide.u32 {raw}, {group}, {size}, {local}"));
        }
        if !self.kernel.whole_groups {
            self.mask();
        }
        let arrays: Vec<_> = (self.arrays.iter().zip(&self.layout.offsets))
            .filter_map(|(array, at)| Some((array.clone()?, format!("params+{at}"))))
            .collect();
        self.addresses("The arrays.", arrays);
        let locals: Vec<_> = (self.kernel.locals.iter())
            .filter(|(_, l)| l.len.is_some())
            .map(|(id, _)| (self.locals[id.index()].clone(), memory_of(id)))
            .collect();
        self.addresses("The array variables.", locals);
        let tables: Vec<_> = (self.kernel.tables.iter())
            .map(|(id, _)| (self.tables[id.index()].clone(), tables::name(id)))
            .collect();
        self.addresses("The tables.", tables);
        self.comment("The slices.");
        for (slot, (slice, _)) in self.slices.clone().into_iter().flatten().enumerate() {
            let generic = self.registers.temporary(Class::B64);
            self.line(format_args!("ld.param.u64 {generic}, [slice{slot}]"));
            self.line(format_args!("cvta.to.global.u64 {slice}, {generic}"));
        }
    }

    /// Ends items outside the launch's exact size.
    fn mask(&mut self) {
        for (d, axis) in AXES.into_iter().enumerate() {
            let raw = self.raw[d].clone();
            let size = self.registers.temporary(Class::B64);
            self.line_with(
                format_args!("ld.param.u64 {size}, [params+{}]", layout::SIZE + 8 * d),
                format_args!("size.{axis}"),
            );
            let outside = self.registers.temporary(Class::Predicate);
            self.line(format_args!("setp.ge.u64 {outside}, {raw}, {size}"));
            self.line(format_args!("@{outside} ret"));
        }
    }

    /// Puts addresses into registers.
    fn addresses(&mut self, what: &str, addresses: Vec<(Reg, String)>) {
        if !addresses.is_empty() {
            self.comment(what);
        }
        for (register, address) in addresses {
            self.line(format_args!("mov.u64 {register}, {address}"));
        }
    }

    /// What a 32-bit special register holds.
    pub(super) fn special(&mut self, name: &str) -> Reg {
        let register = self.registers.temporary(Class::B32);
        self.line(format_args!("mov.u32 {register}, %{name}"));
        register
    }

    /// The same in 64 bits, into `to`.
    pub(super) fn special_u64(&mut self, to: &Reg, name: &str) {
        let narrow = self.special(name);
        self.line(format_args!("cvt.u64.u32 {to}, {narrow}"));
    }

    /// `global_id(d)`, into `to`.
    pub(super) fn global_id(&mut self, to: &Reg, d: usize) {
        let start = self.registers.temporary(Class::B64);
        self.line_with(
            format_args!("ld.param.u64 {start}, [params+{}]", layout::OFFSET + 8 * d),
            format_args!("offset.{}", AXES[d]),
        );
        let raw = self.raw[d].clone();
        self.line(format_args!("add.s64 {to}, {raw}, {start}"));
    }

    /// The tail to which every fault branches.
    pub(super) fn fault_record(&mut self) {
        self.label("fault");
        self.comment("Faults are counted, and the first one is recorded.");
        self.record("ret");
        self.line("ret");
    }

    /// The first fault of a queue writes the record; `done` is where the others go.
    pub(super) fn record(&mut self, done: &str) {
        let Some(FaultRegisters { site, values }) = &self.fault else {
            return;
        };
        let (site, values) = (site.clone(), values.clone());
        let generic = self.registers.temporary(Class::B64);
        let record = self.registers.temporary(Class::B64);
        let before = self.registers.temporary(Class::B32);
        let not_first = self.registers.temporary(Class::Predicate);
        let tag = self.registers.temporary(Class::B64);
        self.line(format_args!("ld.param.u64 {generic}, [fault_record]"));
        self.line(format_args!("cvta.to.global.u64 {record}, {generic}"));
        let count = offset_of!(FaultRecord, count);
        self.line(format_args!(
            "atom.global.add.u32 {before}, [{record}+{count}], 1"
        ));
        self.line(format_args!("setp.ne.u32 {not_first}, {before}, 0"));
        self.line(format_args!("@{not_first} {done}"));
        self.line(format_args!(
            "st.global.u32 [{record}+{}], {site}",
            offset_of!(FaultRecord, site)
        ));
        self.line_with(
            format_args!("ld.param.u64 {tag}, [params+{}]", layout::TAG),
            "tag",
        );
        self.line(format_args!(
            "st.global.u64 [{record}+{}], {tag}",
            offset_of!(FaultRecord, tag)
        ));
        for d in 0..AXES.len() {
            let id = self.registers.temporary(Class::B64);
            self.global_id(&id, d);
            let at = offset_of!(FaultRecord, id) + 8 * d;
            self.line(format_args!("st.global.u64 [{record}+{at}], {id}"));
        }
        for (i, value) in values.iter().enumerate() {
            let at = offset_of!(FaultRecord, values) + 8 * i;
            self.line(format_args!("st.global.u64 [{record}+{at}], {value}"));
        }
    }

    /// The state space that an array variable is in.
    pub(super) fn space_of(&self, local: LocalId) -> &'static str {
        if self.kernel.locals[local].shared {
            "shared"
        } else {
            "local"
        }
    }

    /// The declarations of the array variables.
    fn variables(&self) -> String {
        let mut text = String::new();
        for (id, local) in self.kernel.locals.iter() {
            if let Some(len) = local.len {
                let (size, name) = (local.ty.bytes(), memory_of(id));
                let space = self.space_of(id);
                let _ = writeln!(text, "    .{space} .align {size} .b8 {name}[{}];", size * len);
            }
        }
        text
    }

    /// The whole entry.
    pub(super) fn finish(self) -> String {
        let mut parameters = vec![format!(".param .align 8 .b8 params[{}]", self.layout.size)];
        for (slot, (_, element)) in self.slices.iter().flatten().enumerate() {
            parameters.push(format!(".param .u64 .ptr .align {} slice{slot}", element.bytes()));
        }
        if !self.kernel.sites.is_empty() {
            parameters.push(".param .u64 .ptr .align 8 fault_record".into());
        }
        let size = self
            .kernel
            .local
            .map_or_else(String::new, |[x, y, z]| format!(".reqntid {x}, {y}, {z}\n"));
        let mut text = String::new();
        let _ = write!(
            text,
            ".visible .entry {}(\n    {}\n)\n{size}{{\n{}{}\n{}}}\n",
            self.kernel.name,
            parameters.join(",\n    "),
            self.registers.declarations(),
            self.variables(),
            self.text
        );
        text
    }
}

/// The name of an array variable's memory.
fn memory_of(local: LocalId) -> String {
    format!("local${}", local.index())
}

/// Where a value is held; its register is called after what the reader knows it by.
fn held(kernel: &Kernel, value: &Value, registers: &mut Registers) -> Held {
    let param = |p: ParamId| kernel.params[p].name.clone();
    let name = match value.op {
        Op::Const(bits) => return Held::Constant(bits),
        Op::Param(p) => Some(param(p)),
        Op::Len(p) => Some(param(p) + "_len"),
        Op::Read(l) => kernel.locals[l].name.clone(),
        Op::Index(..)
        | Op::ReadElement(..)
        | Op::Load(..)
        | Op::Component
        | Op::Element(..)
        | Op::Lookup(..)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::Compare(..)
        | Op::Cast(_)
        | Op::Bits(_)
        | Op::Select(..)
        | Op::Math1(..)
        | Op::Math2(..)
        | Op::MulAdd(..) => None,
    };
    let class = Class::of(value.ty);
    Held::Register(registers.add(value.name.clone().or(name).as_deref(), class))
}
