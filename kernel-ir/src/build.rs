//! Building typed IR, statement by statement.

use crate::typed::*;
use crate::{IndexFunction, Scalar};

/// A kernel under construction. Statements go to the end of the innermost open block.
#[derive(Debug, Default)]
pub struct Builder {
    kernel: Kernel,
    open: Block,
    labels: Label,
}

impl Builder {
    /// An empty kernel.
    pub fn new(name: impl Into<String>) -> Builder {
        Builder {
            kernel: Kernel {
                name: name.into(),
                ..Kernel::default()
            },
            ..Builder::default()
        }
    }

    /// A finished kernel under construction again, and its body, which is to be built anew.
    pub(crate) fn resume(mut kernel: Kernel) -> (Builder, Block) {
        let body = std::mem::take(&mut kernel.body);
        let mut labels = 0;
        visit(&body, &mut |stmt| {
            if let Stmt::Loop { label, .. } | Stmt::Block { label, .. } = stmt {
                labels = labels.max(label + 1);
            }
        });
        let builder = Builder {
            kernel,
            open: vec![],
            labels,
        };
        (builder, body)
    }

    /// The finished kernel.
    pub fn finish(mut self) -> Kernel {
        self.kernel.body = self.open;
        self.kernel
    }

    /// What has been built so far; its body is not set yet.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Fixes the size of the work-groups.
    pub fn fix_local(&mut self, size: [usize; 3]) {
        self.kernel.local = Some(size);
    }

    /// Adds a parameter.
    pub fn param(&mut self, name: impl Into<String>, kind: ParamKind) -> ParamId {
        self.kernel.params.push(Param {
            name: name.into(),
            kind,
        })
    }

    /// Adds a place that can fault.
    pub fn site(&mut self, site: Site) -> SiteId {
        self.kernel.sites.push(site)
    }

    /// A label that nothing has yet.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }

    /// Adds a statement.
    pub fn push(&mut self, stmt: Stmt) {
        self.open.push(stmt);
    }

    /// Adds the statements of `block`.
    pub fn append(&mut self, mut block: Block) {
        self.open.append(&mut block);
    }

    /// Runs `f` with a new innermost block and gives that block back.
    pub fn block<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = self.enter();
        let value = f(self);
        (self.leave(outer), value)
    }

    /// Opens a new innermost block; what it gives is for [`Builder::leave`].
    pub(crate) fn enter(&mut self) -> Block {
        std::mem::take(&mut self.open)
    }

    /// Closes the innermost block and gives it back.
    pub(crate) fn leave(&mut self, outer: Block) -> Block {
        std::mem::replace(&mut self.open, outer)
    }

    /// Computes a value here.
    pub fn def(&mut self, ty: Scalar, op: Op) -> ValueId {
        let id = self.kernel.values.push(Value { name: None, ty, op });
        self.push(Stmt::Def(id));
        id
    }

    /// Computes `n` values of what stands in the memory of a slice from `index` on; see [`Stmt::LoadVector`].
    pub fn load_vector(&mut self, slice: ParamId, ty: Scalar, index: ValueId, n: usize) -> Vec<ValueId> {
        let values: Vec<ValueId> = (0..n)
            .map(|_| {
                self.kernel.values.push(Value {
                    name: None,
                    ty,
                    op: Op::Component,
                })
            })
            .collect();
        self.push(Stmt::LoadVector(slice, index, values.clone()));
        values
    }

    /// An atomic operation on the value of type `ty` at `index` of a slice's memory; gives what it held before.
    pub fn atomic(
        &mut self,
        ty: Scalar,
        slice: ParamId,
        index: ValueId,
        op: AtomicOp,
        order: Order,
    ) -> ValueId {
        let before = self.kernel.values.push(Value {
            name: None,
            ty,
            op: Op::Component,
        });
        self.push(Stmt::Atomic(Atomic {
            op,
            slice,
            index,
            order,
            before: Some(before),
        }));
        before
    }

    /// Which items of the sub-group give `true`, as a `u64`.
    pub fn ballot(&mut self, value: ValueId) -> ValueId {
        self.subgroup(Scalar::U64, SubgroupOp::Ballot(value))
    }

    /// A `u32` of the sub-group's item of that number, a `u32`.
    pub fn shuffle(&mut self, value: ValueId, item: ValueId) -> ValueId {
        self.subgroup(Scalar::U32, SubgroupOp::Shuffle(value, item))
    }

    fn subgroup(&mut self, ty: Scalar, op: SubgroupOp) -> ValueId {
        let given = self.kernel.values.push(Value {
            name: None,
            ty,
            op: Op::Component,
        });
        self.push(Stmt::Subgroup(Subgroup { op, given }));
        given
    }

    /// Stores a value atomically at `index` of a slice's memory.
    pub fn atomic_store(&mut self, slice: ParamId, index: ValueId, value: ValueId, order: Order) {
        self.push(Stmt::Atomic(Atomic {
            op: AtomicOp::Store(value),
            slice,
            index,
            order,
            before: None,
        }));
    }

    /// Gives a value the name of the `let` that binds it; the first name stays.
    pub fn name(&mut self, value: ValueId, name: &str) {
        self.kernel.values[value].name.get_or_insert_with(|| name.into());
    }

    /// The type of a value.
    pub fn ty(&self, value: ValueId) -> Scalar {
        self.kernel.values[value].ty
    }

    /// A constant; the bits are cut to the type's width.
    pub fn constant(&mut self, ty: Scalar, bits: u64) -> ValueId {
        self.def(ty, Op::Const(ty.truncate(bits)))
    }

    /// A small whole number as a constant of any numeric type.
    pub fn number(&mut self, ty: Scalar, n: i32) -> ValueId {
        let bits = match ty {
            Scalar::F32 => (n as f32).to_bits().into(),
            Scalar::F64 => f64::from(n).to_bits(),
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
            | Scalar::Usize => n as u64,
            // They are computed with as `f32`, so nothing asks for more than 0.
            Scalar::F16 | Scalar::Bf16 => 0,
        };
        self.constant(ty, bits)
    }

    /// The bits of `value` where it is a constant.
    pub fn constant_bits(&self, value: ValueId) -> Option<u64> {
        match self.kernel.values[value].op {
            Op::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// A one-operand operation of its operand's type.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        self.def(self.ty(a), Op::Unary(op, a))
    }

    /// A function of one operand, of its type.
    pub fn math1(&mut self, function: Math1, a: ValueId) -> ValueId {
        self.def(self.ty(a), Op::Math1(function, a))
    }

    /// A function of two operands, of their type.
    pub fn math2(&mut self, function: Math2, a: ValueId, b: ValueId) -> ValueId {
        self.def(self.ty(a), Op::Math2(function, a, b))
    }

    /// `a` if `condition`, a `bool`, is true, else `b`.
    pub fn select(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        self.def(self.ty(a), Op::Select(condition, a, b))
    }

    /// A two-operand operation of its operands' type.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.def(self.ty(a), Op::Binary(op, a, b))
    }

    /// A comparison.
    pub fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> ValueId {
        self.def(Scalar::Bool, Op::Compare(op, a, b))
    }

    /// A cast; nothing where the type is the same already.
    pub fn cast(&mut self, value: ValueId, ty: Scalar) -> ValueId {
        if self.ty(value) == ty {
            value
        } else {
            self.def(ty, Op::Cast(value))
        }
    }

    /// An index function of dimension `d`.
    pub fn index(&mut self, function: IndexFunction, d: u8) -> ValueId {
        self.def(Scalar::Usize, Op::Index(function, d))
    }

    /// A new local, declared here.
    pub fn local(&mut self, name: Option<&str>, ty: Scalar) -> LocalId {
        let id = self.undeclared_local(name, ty);
        self.push(Stmt::Declare(id));
        id
    }

    /// A new local; the caller declares it.
    pub fn undeclared_local(&mut self, name: Option<&str>, ty: Scalar) -> LocalId {
        self.kernel.locals.push(Local {
            name: name.map(str::to_string),
            ty,
            len: None,
            shared: false,
        })
    }

    /// Makes a local that is not declared yet an array, or a scalar again.
    pub(crate) fn set_len(&mut self, local: LocalId, len: Option<usize>) {
        self.kernel.locals[local].len = len;
    }

    /// Makes a local one that the items of a work-group share.
    pub(crate) fn share(&mut self, local: LocalId) {
        self.kernel.locals[local].shared = true;
    }

    /// A new array of `len` elements, at least one, that the items of a work-group share.
    pub fn shared_array(&mut self, name: Option<&str>, ty: Scalar, len: usize) -> LocalId {
        self.kernel.locals.push(Local {
            name: name.map(str::to_string),
            ty,
            len: Some(len),
            shared: true,
        })
    }

    /// Says that barriers stand in branches.
    pub fn wait_in_branches(&mut self) {
        self.kernel.waits_in_branches = true;
    }

    /// Says that no barrier stands in a branch any more.
    pub(crate) fn straighten(&mut self) {
        self.kernel.waits_in_branches = false;
    }

    /// Adds a value that the caller defines.
    pub(crate) fn value(&mut self, value: Value) -> ValueId {
        self.kernel.values.push(value)
    }

    /// Computes a value here in another way than before.
    pub(crate) fn redefine(&mut self, value: ValueId, op: Op) {
        self.kernel.values[value].op = op;
        self.push(Stmt::Def(value));
    }

    /// Says that all items of a work-group run the body, those outside the grid too.
    pub fn run_whole_groups(&mut self) {
        self.kernel.whole_groups = true;
    }

    /// A new array variable of `len` elements, at least one, declared here.
    pub fn array(&mut self, name: Option<&str>, ty: Scalar, len: usize) -> LocalId {
        let id = self.kernel.locals.push(Local {
            name: name.map(str::to_string),
            ty,
            len: Some(len),
            shared: false,
        });
        self.push(Stmt::Declare(id));
        id
    }

    /// Declares a local here; a scalar holds zero, so that what reads it too early finds nothing undefined.
    pub(crate) fn declare_cleared(&mut self, local: LocalId) {
        self.push(Stmt::Declare(local));
        let Local { ty, len, .. } = self.kernel.locals[local];
        if len.is_none() {
            let zero = self.constant(ty, 0);
            self.push(Stmt::Set(local, zero));
        }
    }

    /// A new local, declared here, that holds `value`.
    pub fn local_of(&mut self, name: Option<&str>, value: ValueId) -> LocalId {
        let local = self.local(name, self.ty(value));
        self.push(Stmt::Set(local, value));
        local
    }

    /// What a local holds now.
    pub fn read(&mut self, local: LocalId) -> ValueId {
        self.def(self.kernel.locals[local].ty, Op::Read(local))
    }

    /// What the element at `index` of an array variable holds now.
    pub fn read_element(&mut self, local: LocalId, index: ValueId) -> ValueId {
        self.def(self.kernel.locals[local].ty, Op::ReadElement(local, index))
    }

    /// Adds a table of constants, at least one; the bits are cut to the type's width.
    pub fn table(&mut self, name: Option<&str>, ty: Scalar, bits: Vec<u64>) -> TableId {
        self.kernel.tables.push(Table {
            name: name.map(str::to_string),
            ty,
            bits: bits.into_iter().map(|bits| ty.truncate(bits)).collect(),
        })
    }

    /// The element at `index` of a table.
    pub fn lookup(&mut self, table: TableId, index: ValueId) -> ValueId {
        self.def(self.kernel.tables[table].ty, Op::Lookup(table, index))
    }

    /// The element at `index` of `array`, an array parameter of elements of type `ty`.
    pub fn element(&mut self, ty: Scalar, array: ParamId, index: ValueId) -> ValueId {
        self.def(ty, Op::Element(array, index))
    }

    /// A fault at `site` if `condition`, a `bool`, is true.
    pub fn fault_if(&mut self, condition: ValueId, site: SiteId, values: [ValueId; 2]) {
        self.push(Stmt::If(
            condition,
            vec![Stmt::Fault(site, values.into())],
            vec![],
        ));
    }
}
