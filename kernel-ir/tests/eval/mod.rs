//! A reference evaluator of typed IR: runs one work-item over slices on the host.
//!
//! It says what the head of `typed.rs` says, as plainly as Rust allows, and panics where a kernel breaks a promise
//! of lowering: an index that is not below the length, a divisor that doesn't divide, a shift that is too wide, a
//! local that is read while it holds nothing.

// Each test file uses its own part of this.
#![allow(dead_code)]

use gridfn_ir::typed::*;
use gridfn_ir::{IndexFunction, Scalar};

/// The most statements that an item runs before the evaluator takes it for a loop without an end.
const FUEL: u64 = 10_000_000;

/// An argument; every value is its bits, cut to the type's width.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Argument {
    Scalar(u64),
    Array(Vec<u64>),
    Slice(Vec<u64>),
    /// A slice of `len` aggregates: its memory, in pieces of the parameter's `element`.
    Aggregates {
        len: u64,
        memory: Vec<u64>,
    },
}

/// A Rust type that kernels compute with.
pub(crate) trait Number: Copy + PartialEq + std::fmt::Debug {
    const TYPE: Scalar;
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! numbers {
    ($($t:ident $scalar:ident: $bits:expr, $from:expr;)*) => {
        $(impl Number for $t {
            const TYPE: Scalar = Scalar::$scalar;
            fn bits(self) -> u64 {
                let bits: fn($t) -> u64 = $bits;
                Self::TYPE.truncate(bits(self))
            }
            fn from_bits(bits: u64) -> Self {
                let from: fn(u64) -> $t = $from;
                from(bits)
            }
        })*
    };
}
numbers! {
    bool Bool: |x| x.into(), |b| b != 0;
    i8 I8: |x| x as u64, |b| b as i8;
    i16 I16: |x| x as u64, |b| b as i16;
    i32 I32: |x| x as u64, |b| b as i32;
    i64 I64: |x| x as u64, |b| b as i64;
    isize Isize: |x| x as u64, |b| b as isize;
    u8 U8: |x| x as u64, |b| b as u8;
    u16 U16: |x| x as u64, |b| b as u16;
    u32 U32: |x| x as u64, |b| b as u32;
    u64 U64: |x| x, |b| b;
    usize Usize: |x| x as u64, |b| b as usize;
    f32 F32: |x| x.to_bits().into(), |b| f32::from_bits(b as u32);
    f64 F64: |x| x.to_bits(), f64::from_bits;
}

/// Runs `$body` with `$t` as the Rust type of `$scalar`.
macro_rules! with_type {
    ($scalar:expr, $t:ident => $body:expr; float => $float:expr; bool => $bool:expr) => {
        match $scalar {
            Scalar::Bool => {
                #[allow(dead_code)]
                type $t = bool;
                $bool
            }
            Scalar::I8 => {
                type $t = i8;
                $body
            }
            Scalar::I16 => {
                type $t = i16;
                $body
            }
            Scalar::I32 => {
                type $t = i32;
                $body
            }
            Scalar::I64 => {
                type $t = i64;
                $body
            }
            Scalar::Isize => {
                type $t = isize;
                $body
            }
            Scalar::U8 => {
                type $t = u8;
                $body
            }
            Scalar::U16 => {
                type $t = u16;
                $body
            }
            Scalar::U32 => {
                type $t = u32;
                $body
            }
            Scalar::U64 => {
                type $t = u64;
                $body
            }
            Scalar::Usize => {
                type $t = usize;
                $body
            }
            Scalar::F32 => {
                type $t = f32;
                $float
            }
            Scalar::F64 => {
                type $t = f64;
                $float
            }
            // The conformance suite compares them with the crate that has them.
            Scalar::F16 | Scalar::Bf16 => panic!("floats of 16 bits are not run here"),
        }
    };
}

/// Where the item is, by dimension.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) global_id: [u64; 3],
    pub(crate) local_id: [u64; 3],
    pub(crate) group_id: [u64; 3],
    pub(crate) global_size: [u64; 3],
    pub(crate) local_size: [u64; 3],
    pub(crate) num_groups: [u64; 3],
}

impl Default for Item {
    /// The only item of the smallest grid.
    fn default() -> Item {
        Item {
            global_id: [0; 3],
            local_id: [0; 3],
            group_id: [0; 3],
            global_size: [1; 3],
            local_size: [1; 3],
            num_groups: [1; 3],
        }
    }
}

/// What a `Fault` statement recorded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) site: Site,
    pub(crate) values: Vec<u64>,
}

/// Runs `kernel` for one item.
pub(crate) fn run(kernel: &Kernel, arguments: &mut [Argument], item: &Item) -> Result<(), Fault> {
    assert_eq!(
        kernel.params.len(),
        arguments.len(),
        "one argument for each parameter"
    );
    let mut state = State {
        kernel,
        arguments,
        item,
        values: vec![None; kernel.values.len()],
        locals: vec![vec![]; kernel.locals.len()],
        fuel: FUEL,
    };
    match state.block(&kernel.body) {
        Flow::On | Flow::Return => Ok(()),
        Flow::Fault(fault) => Err(fault),
        flow @ (Flow::Break(_) | Flow::Continue(_)) => panic!("{flow:?} left the kernel"),
    }
}

/// How a block ends.
#[derive(Debug)]
enum Flow {
    On,
    Break(Label),
    Continue(Label),
    Return,
    Fault(Fault),
}

struct State<'r> {
    kernel: &'r Kernel,
    arguments: &'r mut [Argument],
    item: &'r Item,
    values: Vec<Option<u64>>,
    /// What each element of a local holds; a scalar has one.
    locals: Vec<Vec<Option<u64>>>,
    fuel: u64,
}

/// A part of one word of a slice's memory.
struct Piece {
    at: usize,
    shift: usize,
    mask: u64,
}

impl State<'_> {
    fn block(&mut self, block: &Block) -> Flow {
        for stmt in block {
            self.fuel = self.fuel.checked_sub(1).expect("the kernel ends");
            match self.stmt(stmt) {
                Flow::On => {}
                flow => return flow,
            }
        }
        Flow::On
    }

    fn stmt(&mut self, stmt: &Stmt) -> Flow {
        match stmt {
            Stmt::Def(id) => {
                let Value { ty, op, .. } = &self.kernel.values[*id];
                let bits = self.op(*ty, op);
                assert_eq!(ty.truncate(bits), bits, "{id:?} is cut to its type");
                self.values[id.index()] = Some(bits);
            }
            Stmt::Declare(local) => {
                let len = self.kernel.locals[*local].len.unwrap_or(1);
                self.locals[local.index()] = vec![None; len];
            }
            Stmt::Set(local, value) => self.locals[local.index()][0] = Some(self.get(*value)),
            Stmt::SetElement(local, index, value) => {
                let index = self.get(*index) as usize;
                self.locals[local.index()][index] = Some(self.get(*value));
            }
            Stmt::Store(param, index, value) => self.store(*param, self.get(*index), *value),
            Stmt::LoadVector(param, index, values) => {
                for (n, value) in (0..).zip(values) {
                    let ty = self.kernel.values[*value].ty;
                    let piece = self.piece(*param, ty, self.get(*index) + n);
                    let bits = self.slice(*param).1[piece.at] >> piece.shift & piece.mask;
                    self.values[value.index()] = Some(bits);
                }
            }
            Stmt::StoreVector(param, index, values) => {
                for (n, value) in (0..).zip(values) {
                    self.store(*param, self.get(*index) + n, *value);
                }
            }
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::Barrier | Stmt::Subgroup(_) | Stmt::Record(..) => {
                panic!("an item alone waits for no others: groups run on devices")
            }
            Stmt::If(condition, yes, no) => {
                return self.block(if self.get(*condition) != 0 { yes } else { no });
            }
            Stmt::Loop { label, body, next } => loop {
                match self.block(body) {
                    Flow::Break(to) if to == *label => return Flow::On,
                    Flow::Continue(to) if to == *label => {}
                    Flow::On => {}
                    flow => return flow,
                }
                match self.block(next) {
                    Flow::On => {}
                    flow => panic!("{flow:?} in `next`"),
                }
                // A loop may be empty.
                self.fuel = self.fuel.checked_sub(1).expect("the kernel ends");
            },
            Stmt::Block { label, body } => match self.block(body) {
                Flow::Break(to) if to == *label => {}
                flow => return flow,
            },
            Stmt::Break(label) => return Flow::Break(*label),
            Stmt::Continue(label) => return Flow::Continue(*label),
            Stmt::Return => return Flow::Return,
            Stmt::Fault(site, values) => {
                return Flow::Fault(Fault {
                    site: self.kernel.sites[*site].clone(),
                    values: values.iter().map(|value| self.get(*value)).collect(),
                });
            }
        }
        Flow::On
    }

    fn get(&self, value: ValueId) -> u64 {
        self.values[value.index()].expect("a value is defined before its use")
    }

    /// The length of a slice, and its memory.
    fn slice(&self, param: ParamId) -> (u64, &[u64]) {
        match &self.arguments[param.index()] {
            Argument::Slice(slice) => (slice.len() as u64, slice),
            Argument::Aggregates { len, memory } => (*len, memory),
            Argument::Scalar(_) | Argument::Array(_) => panic!("{param:?} is a slice"),
        }
    }

    /// One item alone: what it does is one.
    fn atomic(&mut self, atomic: &Atomic) {
        let ty = atomic.ty(self.kernel).expect("an atomic has a type");
        let (slice, index) = (atomic.slice, self.get(atomic.index));
        let piece = self.piece(slice, ty, index);
        let before = self.slice(slice).1[piece.at] >> piece.shift & piece.mask;
        let after = match atomic.op {
            AtomicOp::Load => before,
            AtomicOp::Store(value) | AtomicOp::Swap(value) => self.get(value),
            AtomicOp::CompareExchange { expected, new, .. } => {
                let fits = self.get(expected) == before;
                if fits { self.get(new) } else { before }
            }
            AtomicOp::Update(update, value) => {
                let value = self.get(value);
                match update {
                    Update::Add => binary(ty, BinaryOp::Add, before, value),
                    Update::Sub => binary(ty, BinaryOp::Sub, before, value),
                    Update::And => binary(ty, BinaryOp::And, before, value),
                    Update::Or => binary(ty, BinaryOp::Or, before, value),
                    Update::Xor => binary(ty, BinaryOp::Xor, before, value),
                    Update::Min => math2(ty, Math2::Min, before, value),
                    Update::Max => math2(ty, Math2::Max, before, value),
                }
            }
        };
        self.put(slice, ty, index, after);
        if let Some(value) = atomic.before {
            self.values[value.index()] = Some(before);
        }
    }

    fn store(&mut self, param: ParamId, index: u64, value: ValueId) {
        self.put(param, self.kernel.values[value].ty, index, self.get(value));
    }

    fn put(&mut self, param: ParamId, ty: Scalar, index: u64, value: u64) {
        let piece = self.piece(param, ty, index);
        match &mut self.arguments[param.index()] {
            Argument::Slice(memory) | Argument::Aggregates { memory, .. } => {
                let old = memory[piece.at] & !(piece.mask << piece.shift);
                memory[piece.at] = old | value << piece.shift;
            }
            Argument::Scalar(_) | Argument::Array(_) => panic!("{param:?} is a slice"),
        }
    }

    /// Where the value of type `ty` and number `index` stands in a slice's memory.
    fn piece(&self, param: ParamId, ty: Scalar, index: u64) -> Piece {
        let ParamKind::Slice { element, .. } = self.kernel.params[param].kind else {
            panic!("{param:?} is a slice");
        };
        let offset = index as usize * ty.bytes();
        Piece {
            at: offset / element.bytes(),
            shift: offset % element.bytes() * 8,
            mask: ty.truncate(u64::MAX),
        }
    }

    fn array(&self, param: ParamId) -> &[u64] {
        match &self.arguments[param.index()] {
            Argument::Array(array) => array,
            Argument::Scalar(_) | Argument::Slice(_) | Argument::Aggregates { .. } => {
                panic!("{param:?} is an array")
            }
        }
    }

    fn held(&self, local: LocalId, index: u64) -> u64 {
        self.locals[local.index()][index as usize].expect("a local is set before it is read")
    }

    fn op(&self, ty: Scalar, op: &Op) -> u64 {
        match *op {
            Op::Const(bits) => bits,
            Op::Param(param) => match self.arguments[param.index()] {
                Argument::Scalar(bits) => bits,
                Argument::Array(_) | Argument::Slice(_) | Argument::Aggregates { .. } => {
                    panic!("{param:?} is a scalar")
                }
            },
            Op::Len(param) => self.slice(param).0,
            Op::Index(function, d) => self.index(function)[usize::from(d)],
            Op::Read(local) => self.held(local, 0),
            Op::ReadElement(local, index) => self.held(local, self.get(index)),
            Op::Lookup(table, index) => self.kernel.tables[table].bits[self.get(index) as usize],
            Op::Component => panic!("it is loaded with others"),
            Op::Load(param, index) => {
                let piece = self.piece(param, ty, self.get(index));
                self.slice(param).1[piece.at] >> piece.shift & piece.mask
            }
            Op::Element(param, index) => self.array(param)[self.get(index) as usize],
            Op::Unary(op, a) => unary(ty, op, self.get(a)),
            Op::Binary(op, a, b) => binary(ty, op, self.get(a), self.get(b)),
            Op::Compare(op, a, b) => {
                let operands = self.kernel.values[a].ty;
                compare(operands, op, self.get(a), self.get(b)).into()
            }
            Op::Cast(a) => cast(self.kernel.values[a].ty, ty, self.get(a)),
            Op::Bits(a) => self.get(a),
            Op::Select(condition, a, b) => self.get(if self.get(condition) != 0 { a } else { b }),
            Op::Math1(function, a) => math1(ty, function, self.get(a)),
            Op::Math2(function, a, b) => math2(ty, function, self.get(a), self.get(b)),
            Op::MulAdd(a, b, c) => {
                let (a, b, c) = (self.get(a), self.get(b), self.get(c));
                with_type!(ty, T => panic!("MulAdd of {ty}");
                    float => T::from_bits(a as _).mul_add(T::from_bits(b as _), T::from_bits(c as _)).bits();
                    bool => panic!("MulAdd of bool"))
            }
        }
    }

    fn index(&self, function: IndexFunction) -> [u64; 3] {
        match function {
            IndexFunction::GlobalId => self.item.global_id,
            IndexFunction::LocalId => self.item.local_id,
            IndexFunction::GroupId => self.item.group_id,
            IndexFunction::GlobalSize => self.item.global_size,
            IndexFunction::LocalSize => self.item.local_size,
            IndexFunction::NumGroups => self.item.num_groups,
            IndexFunction::GlobalLinearId | IndexFunction::LocalLinearId => {
                panic!("{function:?} is left to generators")
            }
            IndexFunction::SubgroupSize
            | IndexFunction::SubgroupCount
            | IndexFunction::SubgroupId
            | IndexFunction::SubgroupLocalId => panic!("an item alone is in no sub-group"),
        }
    }
}

fn unary(ty: Scalar, op: UnaryOp, a: u64) -> u64 {
    with_type!(ty, T => match op {
        UnaryOp::Neg => (a as T).wrapping_neg().bits(),
        UnaryOp::Not => (!(a as T)).bits(),
    };
    float => match op {
        UnaryOp::Neg => (-T::from_bits(a as _)).bits(),
        UnaryOp::Not => panic!("! of {ty}"),
    };
    bool => match op {
        UnaryOp::Neg => panic!("- of bool"),
        UnaryOp::Not => a ^ 1,
    })
}

fn binary(ty: Scalar, op: BinaryOp, a: u64, b: u64) -> u64 {
    with_type!(ty, T => {
        let (a, b) = (a as T, b as T);
        let amount = || {
            let amount = b.bits() as u32;
            assert!(amount < T::BITS, "a shift of {ty} by {amount}");
            amount
        };
        match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div => a.checked_div(b).expect("the divisor divides"),
            BinaryOp::Rem => a.checked_rem(b).expect("the divisor divides"),
            BinaryOp::And => a & b,
            BinaryOp::Or => a | b,
            BinaryOp::Xor => a ^ b,
            BinaryOp::Shl => a << amount(),
            BinaryOp::Shr => a >> amount(),
        }
        .bits()
    };
    float => {
        let (a, b) = (T::from_bits(a as _), T::from_bits(b as _));
        match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Rem => a % b,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Shl | BinaryOp::Shr => {
                panic!("{op:?} of {ty}")
            }
        }
        .bits()
    };
    bool => match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr => panic!("{op:?} of bool"),
    })
}

fn compare(ty: Scalar, op: CompareOp, a: u64, b: u64) -> bool {
    fn of<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
        match op {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }
    }
    with_type!(ty, T => of(op, a as T, b as T);
        float => of(op, T::from_bits(a as _), T::from_bits(b as _));
        bool => of(op, a, b))
}

fn cast(from: Scalar, to: Scalar, a: u64) -> u64 {
    macro_rules! to_type {
        ($x:ident) => {
            with_type!(to, T => ($x as T).bits(); float => ($x as T).bits(); bool => panic!("a cast to bool"))
        };
    }
    with_type!(from, T => { let x = a as T; to_type!(x) };
        float => { let x = T::from_bits(a as _); to_type!(x) };
        bool => with_type!(to, T => (a as T).bits(); float => panic!("bool as {to}"); bool => panic!("a cast to bool")))
}

fn math1(ty: Scalar, function: Math1, a: u64) -> u64 {
    with_type!(ty, T => {
            let a = a as T;
            match function {
                Math1::CountOnes => a.count_ones() as T,
                Math1::LeadingZeros => a.leading_zeros() as T,
                Math1::TrailingZeros => a.trailing_zeros() as T,
                Math1::ReverseBits => a.reverse_bits(),
                _ => panic!("{function:?} of {ty}"),
            }
            .bits()
        };
        float => {
            let a = T::from_bits(a as _);
            match function {
                Math1::Abs => a.abs(),
                Math1::Sqrt => a.sqrt(),
                Math1::Floor => a.floor(),
                Math1::Ceil => a.ceil(),
                Math1::Round => a.round(),
                Math1::RoundTiesEven => a.round_ties_even(),
                Math1::Trunc => a.trunc(),
                Math1::Exp => a.exp(),
                Math1::Exp2 => a.exp2(),
                Math1::ExpM1 => a.exp_m1(),
                Math1::Ln => a.ln(),
                Math1::Log2 => a.log2(),
                Math1::Log10 => a.log10(),
                Math1::Ln1p => a.ln_1p(),
                Math1::Sin => a.sin(),
                Math1::Cos => a.cos(),
                Math1::Tan => a.tan(),
                Math1::Asin => a.asin(),
                Math1::Acos => a.acos(),
                Math1::Atan => a.atan(),
                Math1::Sinh => a.sinh(),
                Math1::Cosh => a.cosh(),
                Math1::Tanh => a.tanh(),
                Math1::Asinh => a.asinh(),
                Math1::Acosh => a.acosh(),
                Math1::Atanh => a.atanh(),
                Math1::Cbrt => a.cbrt(),
                Math1::CountOnes | Math1::LeadingZeros | Math1::TrailingZeros | Math1::ReverseBits => {
                    panic!("{function:?} of {ty}")
                }
            }
            .bits()
        };
        bool => panic!("{function:?} of bool"))
}

fn math2(ty: Scalar, function: Math2, a: u64, b: u64) -> u64 {
    with_type!(ty, T => {
            let (a, b) = (a as T, b as T);
            match function {
                Math2::Min => a.min(b),
                Math2::Max => a.max(b),
                Math2::SaturatingAdd => a.saturating_add(b),
                Math2::SaturatingSub => a.saturating_sub(b),
                Math2::MulHigh => ((a as i128).wrapping_mul(b as i128) >> T::BITS) as T,
                Math2::CopySign | Math2::Powf | Math2::Atan2 | Math2::Hypot => {
                    panic!("{function:?} of {ty}")
                }
            }
            .bits()
        };
        float => {
            let (a, b) = (T::from_bits(a as _), T::from_bits(b as _));
            match function {
                Math2::Min => a.min(b),
                Math2::Max => a.max(b),
                Math2::CopySign => a.copysign(b),
                Math2::Powf => a.powf(b),
                Math2::Atan2 => a.atan2(b),
                Math2::Hypot => a.hypot(b),
                Math2::SaturatingAdd | Math2::SaturatingSub | Math2::MulHigh => {
                    panic!("{function:?} of {ty}")
                }
            }
            .bits()
        };
        bool => panic!("{function:?} of bool"))
}
