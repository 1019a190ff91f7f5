//! The rules that typed IR keeps.
//!
//! 1. Every handle is one of the kernel's.
//! 2. A value is defined once, and used only after that, in the same block or in one inside it.
//! 3. A local is declared once, and set and read only after that, in the same block or in one inside it.
//! 4. A constant and an element of a table are cut to their type's width; a `bool` is 0 or 1.
//! 5. Operands have the types that their operation asks for, and the value has the type that follows. Of a slice, a
//!    value may have any type that is no larger than the slice's element. `Read` and `Set` take a scalar local,
//!    `ReadElement` and `SetElement` an array.
//! 6. A dimension is 0, 1 or 2, of what tells of sub-groups 0, and linear ids are gone.
//! 7. A label stands on one loop or block. `Break` names one around it, `Continue` a loop around it.
//! 8. `next` of a loop holds no `Barrier`, no `Fault` and no jump out of itself.
//! 9. Nothing stands after a `Break`, `Continue`, `Return` or `Fault` in its block.
//! 10. Conditions are `bool`; what is stored has the type of its place, or in a slice one that is no larger; an index
//!     is `usize`; a slice that is stored to is writable; the values of a fault are `u64` or `usize`, as many as its kind
//!     takes and a record has room for.
//! 11. The kernel's name is an identifier of C.
//! 12. An array variable and a table have at least one element.
//! 13. A vector has two or four values of one type, no `bool`, in at most 16 bytes. The values that one loads, and no
//!     others but what an atomic operation or a sub-group gives, are `Component`.
//! 14. An atomic operation is on an integer of 32 or 64 bits, or adds to a float; the slice is writable; the operands have
//!     the type of the place. All but a store give what was there before, which is a `Component`. A load does not release, a
//!     store does not acquire; a failure does not release, and is ordered no more strongly than the success.
//! 15. A kernel that prints has the print buffer and the tag as its last two parameters.
//! 16. A shared local is an array, and is declared nowhere. A `Barrier` stands in a kernel of whole groups, which
//!     has a `Record` in the place of a `Fault`.
//! 17. What sub-groups do stands in kernels of whole groups, and in no `next`. A ballot makes a `u64` of a `bool`, a shuffle a
//!     `u32` of two; what is given is a `Component`.
//!
//! What it can't see, lowering promises: indices below lengths, divisors that divide, shifts below the width, and
//! locals that hold something when they are read,
//! and barriers that all items of a group get to.

use crate::Scalar;
use crate::layout::FAULT_VALUES;
use crate::typed::*;
use std::collections::HashSet;
use std::fmt::Display;

/// A rule that a kernel breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (rule {rule})")]
pub struct VerifyError {
    /// The number of the rule in [this module's list](self).
    pub rule: u8,
    /// What breaks it.
    pub message: String,
}

/// Checks all rules.
///
/// # Errors
///
/// All that is wrong, in the order of the statements.
pub fn verify(kernel: &Kernel) -> Result<(), Vec<VerifyError>> {
    let mut verifier = Verifier {
        kernel,
        errors: Vec::new(),
        defined: vec![Scope::Unseen; kernel.values.len()],
        declared: vec![Scope::Unseen; kernel.locals.len()],
        labels: HashSet::new(),
        around: Vec::new(),
        in_next: false,
    };
    if !is_identifier(&kernel.name) {
        verifier.error(11, format_args!("the kernel's name is `{}`", kernel.name));
    }
    verifier.tables();
    verifier.prints();
    verifier.shared();
    verifier.block(&kernel.body);
    if verifier.errors.is_empty() {
        Ok(())
    } else {
        Err(verifier.errors)
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| !c.is_ascii_digit())
}

/// How far a value or local has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Unseen,
    /// What stands here may use it.
    Open,
    /// It was defined or declared in a block that has ended.
    Closed,
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    errors: Vec<VerifyError>,
    defined: Vec<Scope>,
    declared: Vec<Scope>,
    /// Every label met so far.
    labels: HashSet<Label>,
    /// The loops and blocks around the statement, and whether each is a loop. In a `next`, those of that `next`.
    around: Vec<(Label, bool)>,
    in_next: bool,
}

impl Verifier<'_> {
    fn error(&mut self, rule: u8, message: impl Display) {
        let message = message.to_string();
        self.errors.push(VerifyError { rule, message });
    }

    fn require(&mut self, rule: u8, holds: bool, message: impl Display) {
        if !holds {
            self.error(rule, message);
        }
    }

    fn prints(&mut self) {
        let Some(prints) = &self.kernel.prints else { return };
        let last: Vec<_> = self.kernel.params.iter().map(|(id, p)| (id, p.kind)).collect();
        let buffer = ParamKind::Slice {
            element: Scalar::U32,
            writable: true,
        };
        let expected = [
            (prints.buffer, buffer),
            (prints.tag, ParamKind::Scalar(Scalar::U32)),
        ];
        if !last.ends_with(&expected) {
            self.error(15, "the last parameters are not those of a kernel that prints");
        }
    }

    fn tables(&mut self) {
        for (id, table) in self.kernel.tables.iter() {
            let some = !table.bits.is_empty();
            self.require(12, some, format_args!("the table {id:?} is empty"));
            let cut = table.bits.iter().all(|bits| is_cut(table.ty, *bits));
            self.require(4, cut, format_args!("the table {id:?} of {}", table.ty));
        }
    }

    /// What items share is there from the start.
    fn shared(&mut self) {
        for (id, local) in self.kernel.locals.iter().filter(|(_, local)| local.shared) {
            self.declared[id.index()] = Scope::Open;
            self.require(
                15,
                local.len.is_some(),
                format_args!("the shared local {id:?} is no array"),
            );
            self.require(
                12,
                local.len != Some(0),
                format_args!("the array {id:?} is empty"),
            );
        }
    }

    fn block(&mut self, block: &Block) {
        let mut defined = Vec::new();
        let mut declared = Vec::new();
        for (at, stmt) in block.iter().enumerate() {
            match stmt {
                Stmt::Def(id) => defined.push(*id),
                Stmt::LoadVector(_, _, values) => defined.extend(values),
                Stmt::Atomic(atomic) => defined.extend(atomic.before),
                Stmt::Subgroup(subgroup) => defined.push(subgroup.given),
                _ => {}
            }
            if let Stmt::Declare(id) = stmt {
                declared.push(*id);
            }
            self.stmt(stmt);
            let jumps = matches!(
                stmt,
                Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return | Stmt::Fault(..)
            );
            let last = at + 1 == block.len();
            self.require(
                9,
                last || !jumps,
                format_args!("a statement stands after {stmt:?}"),
            );
        }
        for id in defined {
            if let Some(scope) = self.defined.get_mut(id.index()) {
                *scope = Scope::Closed;
            }
        }
        for id in declared {
            if let Some(scope) = self.declared.get_mut(id.index()) {
                *scope = Scope::Closed;
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match *stmt {
            Stmt::Def(id) => self.def(id),
            Stmt::Declare(local)
                if self.kernel.locals.contains(local) && self.kernel.locals[local].shared =>
            {
                self.error(15, format_args!("the shared local {local:?} is declared"));
            }
            Stmt::Declare(local) => match self.declared.get_mut(local.index()) {
                Some(scope @ Scope::Unseen) => {
                    *scope = Scope::Open;
                    let some = self.kernel.locals[local].len != Some(0);
                    self.require(12, some, format_args!("the array {local:?} is empty"));
                }
                Some(Scope::Open | Scope::Closed) => {
                    self.error(3, format_args!("the local {local:?} is declared twice"));
                }
                None => self.error(1, format_args!("there is no local {local:?}")),
            },
            Stmt::Set(local, value) => {
                let found = self.operand(value);
                let expected = self.local(local, false);
                self.same(10, format_args!("the local {local:?}"), found, expected);
            }
            Stmt::SetElement(local, index, value) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let found = self.operand(value);
                let expected = self.local(local, true);
                self.same(
                    10,
                    format_args!("an element of the local {local:?}"),
                    found,
                    expected,
                );
            }
            Stmt::Store(param, index, value) => {
                let slice = self.slice(param);
                self.typed(10, "an index", index, Scalar::Usize);
                let found = self.operand(value);
                let element = slice.map(|(element, _)| element);
                self.holds(10, format_args!("an element of {param:?}"), found, element);
                let writable = slice.is_none_or(|(_, writable)| writable);
                self.require(10, writable, format_args!("the slice {param:?} is not writable"));
            }
            Stmt::LoadVector(param, index, ref values) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let element = self.slice(param).map(|(element, _)| element);
                for &id in values {
                    if self.is_new(id) {
                        let Value { ty, op, .. } = self.kernel.values[id];
                        self.holds(5, format_args!("{id:?}"), Some(ty), element);
                        self.require(13, op == Op::Component, format_args!("{id:?} is no component"));
                        self.defined[id.index()] = Scope::Open;
                    }
                }
                self.vector(values);
            }
            Stmt::StoreVector(param, index, ref values) => {
                let slice = self.slice(param);
                self.typed(10, "an index", index, Scalar::Usize);
                for &value in values {
                    let found = self.operand(value);
                    let element = slice.map(|(element, _)| element);
                    self.holds(10, format_args!("an element of {param:?}"), found, element);
                }
                let writable = slice.is_none_or(|(_, writable)| writable);
                self.require(10, writable, format_args!("the slice {param:?} is not writable"));
                self.vector(values);
            }
            Stmt::Atomic(ref atomic) => self.atomic(atomic),
            Stmt::Subgroup(subgroup) => self.subgroup(subgroup),
            Stmt::Barrier => {
                self.require(8, !self.in_next, "`next` holds a Barrier");
                let whole = self.kernel.whole_groups;
                self.require(15, whole, "a barrier in a kernel whose groups are not whole");
            }
            Stmt::If(condition, ref yes, ref no) => {
                self.typed(10, "a condition", condition, Scalar::Bool);
                self.block(yes);
                self.block(no);
            }
            Stmt::Loop {
                label,
                ref body,
                ref next,
            } => {
                self.labelled(label, true, body);
                let around = std::mem::take(&mut self.around);
                let in_next = std::mem::replace(&mut self.in_next, true);
                self.block(next);
                self.around = around;
                self.in_next = in_next;
            }
            Stmt::Block { label, ref body } => self.labelled(label, false, body),
            Stmt::Break(label) => self.jump(stmt, |around| around.0 == label),
            Stmt::Continue(label) => self.jump(stmt, |around| around == (label, true)),
            Stmt::Return => self.require(8, !self.in_next, "`next` holds a Return"),
            Stmt::Fault(site, ref values) | Stmt::Record(site, ref values) => {
                self.require(8, !self.in_next, "`next` holds a Fault");
                let records = matches!(stmt, Stmt::Record(..));
                let fits = records == self.kernel.whole_groups;
                self.require(15, fits, format_args!("{stmt:?} where groups are whole, or not"));
                let known = self.kernel.sites.contains(site);
                self.require(1, known, format_args!("there is no site {site:?}"));
                if known {
                    let asked = self.kernel.sites[site].kind.values();
                    let enough = values.len() == asked && asked <= FAULT_VALUES;
                    self.require(10, enough, format_args!("a fault has {} values", values.len()));
                }
                for &value in values {
                    let ty = self.operand(value);
                    let fits = ty.is_none_or(|ty| matches!(ty, Scalar::U64 | Scalar::Usize));
                    self.require(10, fits, format_args!("{value:?} is a fault's value"));
                }
            }
        }
    }

    fn labelled(&mut self, label: Label, is_loop: bool, body: &Block) {
        let new = self.labels.insert(label);
        self.require(7, new, format_args!("the label {label} stands twice"));
        self.around.push((label, is_loop));
        self.block(body);
        self.around.pop();
    }

    fn jump(&mut self, stmt: &Stmt, is_target: impl Fn((Label, bool)) -> bool) {
        let found = self.around.iter().any(|&around| is_target(around));
        let rule = if self.in_next { 8 } else { 7 };
        self.require(rule, found, format_args!("{stmt:?} names nothing around it"));
    }

    /// The type of a local that may be used here, or of its elements; `array` says which it should have.
    fn local(&mut self, local: LocalId, array: bool) -> Option<Scalar> {
        let Some(scope) = self.declared.get(local.index()) else {
            self.error(1, format_args!("there is no local {local:?}"));
            return None;
        };
        let open = *scope == Scope::Open;
        self.require(3, open, format_args!("the local {local:?} is not declared here"));
        let Local { ty, len, .. } = self.kernel.locals[local];
        let what = if array { "an array" } else { "a scalar" };
        self.require(
            5,
            len.is_some() == array,
            format_args!("the local {local:?} is not {what}"),
        );
        Some(ty)
    }

    /// The type of a value that may be used here.
    fn operand(&mut self, value: ValueId) -> Option<Scalar> {
        let Some(scope) = self.defined.get(value.index()) else {
            self.error(1, format_args!("there is no value {value:?}"));
            return None;
        };
        let open = *scope == Scope::Open;
        self.require(2, open, format_args!("{value:?} is not defined here"));
        Some(self.kernel.values[value].ty)
    }

    fn param(&mut self, param: ParamId) -> Option<ParamKind> {
        let known = self.kernel.params.contains(param);
        self.require(1, known, format_args!("there is no parameter {param:?}"));
        known.then(|| self.kernel.params[param].kind)
    }

    /// Element type and writability of a slice parameter.
    fn slice(&mut self, param: ParamId) -> Option<(Scalar, bool)> {
        match self.param(param)? {
            ParamKind::Slice { element, writable } => Some((element, writable)),
            ParamKind::Scalar(_) | ParamKind::Array { .. } => {
                self.error(5, format_args!("the parameter {param:?} is not a slice"));
                None
            }
        }
    }

    /// Element type of an array parameter.
    fn array(&mut self, param: ParamId) -> Option<Scalar> {
        match self.param(param)? {
            ParamKind::Array { element, .. } => Some(element),
            ParamKind::Scalar(_) | ParamKind::Slice { .. } => {
                self.error(5, format_args!("the parameter {param:?} is not an array"));
                None
            }
        }
    }

    /// The type of a table's elements.
    fn table(&mut self, table: TableId) -> Option<Scalar> {
        let known = self.kernel.tables.contains(table);
        self.require(1, known, format_args!("there is no table {table:?}"));
        known.then(|| self.kernel.tables[table].ty)
    }

    /// A slice of elements of `element` has place for values of type `found`, as far as they are known.
    fn holds(&mut self, rule: u8, what: impl Display, found: Option<Scalar>, element: Option<Scalar>) {
        if let (Some(found), Some(element)) = (found, element) {
            let holds = found.bytes() <= element.bytes();
            self.require(
                rule,
                holds,
                format_args!("{what} is {element} and too small for {found}"),
            );
        }
    }

    /// Two types, as far as they are known, are one.
    fn same(&mut self, rule: u8, what: impl Display, found: Option<Scalar>, expected: Option<Scalar>) {
        if let (Some(found), Some(expected)) = (found, expected) {
            let holds = found == expected;
            self.require(rule, holds, format_args!("{what} is {expected} and gets {found}"));
        }
    }

    fn typed(&mut self, rule: u8, what: impl Display, value: ValueId, expected: Scalar) {
        let found = self.operand(value);
        self.same(rule, what, found, Some(expected));
    }

    fn def(&mut self, id: ValueId) {
        if self.is_new(id) {
            let Value { ty, op, .. } = self.kernel.values[id];
            self.op(id, ty, op);
            self.defined[id.index()] = Scope::Open;
        }
    }

    /// Whether a value can be defined here.
    fn is_new(&mut self, id: ValueId) -> bool {
        match self.defined.get(id.index()) {
            Some(Scope::Unseen) => return true,
            Some(Scope::Open | Scope::Closed) => self.error(2, format_args!("{id:?} is defined twice")),
            None => self.error(1, format_args!("there is no value {id:?}")),
        }
        false
    }

    /// What is loaded or stored at once.
    fn vector(&mut self, values: &[ValueId]) {
        let types: Vec<Scalar> = values
            .iter()
            .filter(|id| id.index() < self.defined.len())
            .map(|id| self.kernel.values[*id].ty)
            .collect();
        let one = types.windows(2).all(|pair| pair[0] == pair[1]);
        let bytes: usize = types.iter().map(|ty| ty.bytes()).sum();
        let fits = one && matches!(values.len(), 2 | 4) && bytes <= 16 && !types.contains(&Scalar::Bool);
        self.require(13, fits, format_args!("{values:?} are no vector"));
    }

    fn atomic(&mut self, atomic: &Atomic) {
        let Atomic {
            op,
            slice,
            index,
            order,
            before,
        } = *atomic;
        let say = format!("{op:?} of {slice:?} as {order:?}");
        self.typed(10, "an index", index, Scalar::Usize);
        let found = self.slice(slice);
        let writable = found.is_none_or(|(_, writable)| writable);
        self.require(14, writable, format_args!("the slice {slice:?} is not writable"));
        let Some(ty) = atomic.ty(self.kernel) else {
            return self.error(14, format_args!("{say} has no type"));
        };
        self.holds(14, &say, Some(ty), found.map(|(element, _)| element));
        for operand in op.operands() {
            self.typed(14, &say, operand, ty);
        }
        let adds = matches!(op, AtomicOp::Update(Update::Add, _));
        let fits = matches!(ty.bits(), 32 | 64) && (ty.is_integer() || (adds && ty.is_float()));
        self.require(14, fits, format_args!("{say} of {ty}"));
        let ordered = match op {
            AtomicOp::Load => order == Order::SeqCst || !order.releases(),
            AtomicOp::Store(_) => order == Order::SeqCst || !order.acquires(),
            AtomicOp::CompareExchange { failure, .. } => {
                (failure == Order::SeqCst || !failure.releases()) && order.with(failure) == order
            }
            AtomicOp::Swap(_) | AtomicOp::Update(..) => true,
        };
        self.require(14, ordered, format_args!("{say} has no such order"));
        let gives = !matches!(op, AtomicOp::Store(_));
        self.require(
            14,
            before.is_some() == gives,
            format_args!("{say} gives {before:?}"),
        );
        if let Some(id) = before
            && self.is_new(id)
        {
            let component = self.kernel.values[id].op == Op::Component;
            self.require(14, component, format_args!("{id:?} is no component"));
            self.defined[id.index()] = Scope::Open;
        }
    }

    fn subgroup(&mut self, subgroup: Subgroup) {
        let Subgroup { op, given } = subgroup;
        self.require(17, !self.in_next, "`next` holds what sub-groups do");
        let whole = self.kernel.whole_groups;
        self.require(
            17,
            whole,
            format_args!("{op:?} in a kernel whose groups are not whole"),
        );
        let ty = match op {
            SubgroupOp::Ballot(value) => {
                self.typed(17, "a ballot", value, Scalar::Bool);
                Scalar::U64
            }
            SubgroupOp::Shuffle(value, item) => {
                self.typed(17, "a shuffle", value, Scalar::U32);
                self.typed(17, "a shuffle's item", item, Scalar::U32);
                Scalar::U32
            }
        };
        if self.is_new(given) {
            let Value { ty: found, op, .. } = self.kernel.values[given];
            let fits = op == Op::Component && found == ty;
            self.require(17, fits, format_args!("{given:?} is no component of {ty}"));
            self.defined[given.index()] = Scope::Open;
        }
    }

    fn op(&mut self, id: ValueId, ty: Scalar, op: Op) {
        let say = format!("{id:?}: {ty} = {op:?}");
        // Whether the operation takes operands or gives values of this type.
        let fits = |s: &mut Self, fits: bool| s.require(5, fits, &say);
        match op {
            Op::Const(bits) => {
                self.require(4, is_cut(ty, bits), &say);
            }
            Op::Param(param) => match self.param(param) {
                Some(ParamKind::Scalar(expected)) => fits(self, ty == expected),
                Some(ParamKind::Array { .. } | ParamKind::Slice { .. }) => fits(self, false),
                None => {}
            },
            Op::Len(param) => {
                self.slice(param);
                fits(self, ty == Scalar::Usize);
            }
            Op::Index(function, d) => {
                let most = if function.is_of_subgroups() { 1 } else { 3 };
                let known = function.takes_dimension() || function.is_of_subgroups();
                self.require(6, known && d < most, &say);
                fits(self, ty == Scalar::Usize);
            }
            Op::Read(local) => {
                let found = self.local(local, false);
                self.same(5, &say, found, Some(ty));
            }
            Op::ReadElement(local, index) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let found = self.local(local, true);
                self.same(5, &say, found, Some(ty));
            }
            Op::Load(param, index) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let element = self.slice(param).map(|(element, _)| element);
                self.holds(5, &say, Some(ty), element);
            }
            Op::Component => self.error(13, format_args!("{say} is given by no statement")),
            Op::Lookup(table, index) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let found = self.table(table);
                self.same(5, &say, found, Some(ty));
            }
            Op::Element(param, index) => {
                self.typed(10, "an index", index, Scalar::Usize);
                let found = self.array(param);
                self.same(5, &say, found, Some(ty));
            }
            Op::Unary(unary, a) => {
                self.typed(5, &say, a, ty);
                fits(
                    self,
                    match unary {
                        UnaryOp::Neg => is_number(ty),
                        UnaryOp::Not => ty == Scalar::Bool || ty.is_integer(),
                    },
                );
            }
            Op::Binary(binary, a, b) => {
                self.typed(5, &say, a, ty);
                self.typed(5, &say, b, ty);
                fits(self, binary_fits(binary, ty));
            }
            Op::Compare(_, a, b) => {
                let a = self.operand(a);
                let b = self.operand(b);
                self.same(5, &say, a, b);
                fits(self, ty == Scalar::Bool && !a.is_some_and(Scalar::is_half));
            }
            Op::Cast(a) => {
                let from = self.operand(a);
                fits(self, ty != Scalar::Bool);
                fits(self, !(from == Some(Scalar::Bool) && ty.is_float()));
                fits(self, from.is_none_or(|from| cast_fits(from, ty)));
            }
            Op::Bits(a) => {
                let from = self.operand(a);
                let holds = |from: Scalar| from.bytes() == ty.bytes() && from != Scalar::Bool;
                fits(self, from.is_none_or(holds) && ty != Scalar::Bool);
            }
            Op::Select(condition, a, b) => {
                self.typed(5, "a condition", condition, Scalar::Bool);
                self.typed(5, &say, a, ty);
                self.typed(5, &say, b, ty);
            }
            Op::Math1(function, a) => {
                self.typed(5, &say, a, ty);
                fits(self, math1_fits(function, ty));
            }
            Op::Math2(function, a, b) => {
                self.typed(5, &say, a, ty);
                self.typed(5, &say, b, ty);
                fits(self, math2_fits(function, ty));
            }
            Op::MulAdd(a, b, c) => {
                for operand in [a, b, c] {
                    self.typed(5, &say, operand, ty);
                }
                fits(self, ty.is_float());
            }
        }
    }
}

fn is_cut(ty: Scalar, bits: u64) -> bool {
    ty.truncate(bits) == bits && (ty != Scalar::Bool || bits <= 1)
}

/// What is computed with: no `bool`, and no float of 16 bits.
fn is_number(ty: Scalar) -> bool {
    ty.is_integer() || ty.is_float()
}

/// A float of 16 bits is cast from and to `f32` only.
fn cast_fits(from: Scalar, to: Scalar) -> bool {
    match (from.is_half(), to.is_half()) {
        (false, false) => true,
        (true, false) => to == Scalar::F32,
        (false, true) => from == Scalar::F32,
        (true, true) => from == to,
    }
}

fn binary_fits(op: BinaryOp, ty: Scalar) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => is_number(ty),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => ty == Scalar::Bool || ty.is_integer(),
        BinaryOp::Shl | BinaryOp::Shr => ty.is_integer(),
    }
}

fn math1_fits(function: Math1, ty: Scalar) -> bool {
    match function {
        Math1::CountOnes | Math1::LeadingZeros | Math1::TrailingZeros | Math1::ReverseBits => ty.is_integer(),
        Math1::Abs
        | Math1::Sqrt
        | Math1::Floor
        | Math1::Ceil
        | Math1::Round
        | Math1::RoundTiesEven
        | Math1::Trunc
        | Math1::Exp
        | Math1::Exp2
        | Math1::ExpM1
        | Math1::Ln
        | Math1::Log2
        | Math1::Log10
        | Math1::Ln1p
        | Math1::Sin
        | Math1::Cos
        | Math1::Tan
        | Math1::Asin
        | Math1::Acos
        | Math1::Atan
        | Math1::Sinh
        | Math1::Cosh
        | Math1::Tanh
        | Math1::Asinh
        | Math1::Acosh
        | Math1::Atanh
        | Math1::Cbrt => ty.is_float(),
    }
}

fn math2_fits(function: Math2, ty: Scalar) -> bool {
    match function {
        Math2::Min | Math2::Max => is_number(ty),
        Math2::SaturatingAdd | Math2::SaturatingSub | Math2::MulHigh => ty.is_integer(),
        Math2::CopySign | Math2::Powf | Math2::Atan2 | Math2::Hypot => ty.is_float(),
    }
}
