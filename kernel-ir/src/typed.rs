//! Typed IR: what the code generators take.
//!
//! # Semantics
//!
//! A [`Kernel`] is one function that one work-item runs; `#[device]` functions are inlined into it by lowering.
//!
//! * A [`Value`] is computed once, where its [`Stmt::Def`] stands, and may be used by everything after that in the
//!   same block or in blocks inside it. A [`Local`] is a mutable variable of the work-item; it is declared by
//!   [`Stmt::Declare`] and holds nothing until it is stored to. A local with a length is an array, each of whose
//!   elements holds nothing until that element is stored to. `Read` and `Set` are for scalars, `ReadElement` and
//!   `SetElement` for arrays; the index of these is below the length: lowering has checked that.
//! * A local that is shared is an array in the memory of the work-group: all items of a group have the same, it lives as
//!   long as the group, and nothing declares it. What one item reads of it that another writes is unspecified without a
//!   barrier in between.
//! * [`Stmt::Barrier`] waits until all items of the group are there; what they wrote before, to shared locals and to
//!   slices, all see behind it. It stands only in kernels of [whole groups](Kernel::whole_groups), where all items of a
//!   group get to the same barriers, as often, or to none.
//! * Control is structured. [`Stmt::Loop`] runs `body`, then `next`, for ever; [`Stmt::Break`] leaves the loop or
//!   block of that label, however deep inside; [`Stmt::Continue`] goes to the loop's `next`. [`Stmt::Block`] runs
//!   once. [`Stmt::Return`] ends the work-item. Nothing stands after one of these jumps in its block.
//! * [`Stmt::Fault`] tells the host of a fault and ends the work-item. In kernels of whole groups [`Stmt::Record`] stands in its
//!   place, which tells of it only.
//! * Integers are two's complement of their width and `+ - *` and `neg` wrap. `Div` and `Rem` have a divisor that
//!   is not zero and are never `MIN / -1`: lowering has put a fault before them where that was not proven. The
//!   right side of `Shl` and `Shr` has the left side's type and is less than its width; `Shr` of a signed type
//!   keeps the sign.
//! * Floats are IEEE 754 binary32 and binary64, rounded to nearest even, never contracted and never reordered.
//!   `Rem` is C's `fmod`. Those of 16 bits, binary16 and bfloat16, are stored, moved, chosen between, and cast from and
//!   to `f32`: lowering computes with what they are as `f32`.
//! * `Cast` is Rust's `as`: integers are cut or extended by the source's sign, floats to integers saturate and
//!   NaN gives 0, the others round to nearest even. `Bits` keeps the bits of a type of the same width.
//! * A slice's elements are scalars, or aggregates that lowering has split into their scalars. The `element` of its
//!   parameter is the scalar with the largest alignment in them; `Len` counts the user's elements.
//! * `Load` and `Store` take the value's own type, which may be another than `element` but is no larger. The index
//!   counts values of that type from the slice's start: the address is `index * size`. It is within the slice's
//!   memory: lowering has checked that. The same bytes may be read and written as several types, as the payload of an
//!   enum is. A slice that is not writable is not written by anyone while the kernel runs.
//! * `LoadVector` and `StoreVector` are as many `Load`s and `Store`s of values of one type, which stand one behind the
//!   other from the index on: two or four, in at most 16 bytes. Their place is aligned to all of them together: lowering
//!   has seen that in the alignment of the user's type.
//! * An array parameter is a value of the launch that nothing writes. The index of `Element` is below its length:
//!   lowering has checked that. An array of length 0 has no elements, so that an `Element` of it is never reached;
//!   what a generator makes of it is of no interest, but must be valid code.
//! * A [`Table`] holds constants that are known when the code is made. The index of `Lookup` is below its length:
//!   lowering has checked that.
//! * [`Stmt::Atomic`] is one operation on a value in a writable slice's memory, at an index as that of `Load`, which
//!   happens at once for everyone: see [`Atomic`].
//! * [`Stmt::Subgroup`] is what the items of a sub-group do together: see [`Subgroup`]. It
//!   stands only in kernels of whole groups, and all items of a group get to it as to a barrier.
//! * `bool` is 0 or 1. In memory it takes one byte.
//!
//! Items outside the launch's exact size never run the body: each generator puts the test in front
//! ([`crate::layout`]). Of a kernel of whole groups they do: there lowering has put the test around what they must not do.

pub use crate::atomic::{Atomic, AtomicOp, Order, Update};
pub use crate::subgroup::{Subgroup, SubgroupOp};
pub use crate::walk::{any, visit};

use crate::Scalar;
use crate::body::IndexFunction;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`Arena`] of `T`.
pub struct Handle<T>(u32, PhantomData<fn() -> T>);

impl<T> Handle<T> {
    /// Its position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Handle<T> {}
impl<T> std::hash::Hash for Handle<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state)
    }
}
impl<T> std::fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Things of one kind, addressed by [`Handle`]s.
#[derive(Debug, Clone, PartialEq)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Adds `item`.
    pub fn push(&mut self, item: T) -> Handle<T> {
        self.0.push(item);
        Handle(self.0.len() as u32 - 1, PhantomData)
    }

    /// The number of things in it.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All handles and things, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
        self.0
            .iter()
            .enumerate()
            .map(|(i, t)| (Handle(i as u32, PhantomData), t))
    }

    /// Whether `handle` is one of this arena's.
    pub fn contains(&self, handle: Handle<T>) -> bool {
        handle.index() < self.0.len()
    }
}

impl<T> Index<Handle<T>> for Arena<T> {
    type Output = T;
    fn index(&self, handle: Handle<T>) -> &T {
        &self.0[handle.index()]
    }
}

impl<T> IndexMut<Handle<T>> for Arena<T> {
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        &mut self.0[handle.index()]
    }
}

/// A handle to a [`Value`].
pub type ValueId = Handle<Value>;
/// A handle to a [`Local`].
pub type LocalId = Handle<Local>;
/// A handle to a [`Table`].
pub type TableId = Handle<Table>;
/// A handle to a [`Param`].
pub type ParamId = Handle<Param>;
/// A handle to a [`Site`].
pub type SiteId = Handle<Site>;
/// A loop or block; unique in a kernel.
pub type Label = u32;

/// A kernel in typed form.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kernel {
    /// The name of the function; a valid identifier in C.
    pub name: String,
    /// The parameters in their order.
    pub params: Arena<Param>,
    /// Every value that is computed.
    pub values: Arena<Value>,
    /// Every mutable variable.
    pub locals: Arena<Local>,
    /// Every table of constants.
    pub tables: Arena<Table>,
    /// Every place that can fault. A kernel without any has no fault slot.
    pub sites: Arena<Site>,
    /// What a kernel takes that prints; `None` of one that does not.
    pub prints: Option<Prints>,
    /// What a work-item runs.
    pub body: Block,
    /// The items of a work-group in each dimension, x first, where the kernel fixes them. It is launched with no others.
    pub local: Option<[usize; 3]>,
    /// Whether the items outside the launch's exact size run the body too, as far as the edge of their work-group: those
    /// inside wait for them.
    pub whole_groups: bool,
    /// Whether a barrier stands in a branch, which not every driver compiles rightly: see [`straightened`](crate::straight::straightened).
    pub waits_in_branches: bool,
}

/// What a kernel that prints takes besides its own parameters, as the last ones: [`layout`](crate::layout#printing) says
/// what they are. To code forms they are parameters like the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Prints {
    /// The print buffer, a writable slice of `u32`.
    pub buffer: ParamId,
    /// The host's own number for the compiled kernel, a `u32`.
    pub tag: ParamId,
    /// What makes the text of each line's values, by its number.
    pub lines: Vec<Words>,
}

/// Statements, in order.
pub type Block = Vec<Stmt>;

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamKind {
    /// A value in the parameter block.
    Scalar(Scalar),
    /// Values in the parameter block, one after the other.
    Array {
        /// The type of one element.
        element: Scalar,
        /// How many there are; perhaps none.
        len: usize,
    },
    /// A slot, and a length in the parameter block.
    Slice {
        /// The type of one element; where that is an aggregate, the scalar in it with the largest alignment.
        element: Scalar,
        /// Whether the kernel may write it.
        writable: bool,
    },
}

/// A mutable variable of the work-item, or an array of the work-group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Its name in the source, where it has one. Not unique.
    pub name: Option<String>,
    /// Its type; of an array, that of one element.
    pub ty: Scalar,
    /// How many elements an array has, at least one; `None` for a scalar.
    pub len: Option<usize>,
    /// Whether all items of a work-group have the same one; then it is an array.
    pub shared: bool,
}

/// Constants, by their index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name in the source, where it has one. Not unique.
    pub name: Option<String>,
    /// The type of one element.
    pub ty: Scalar,
    /// The bits of each element, cut to the type's width. There is at least one.
    pub bits: Vec<u64>,
}

/// A value that is computed once.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The name of the `let` that binds it, where there is one. Not unique.
    pub name: Option<String>,
    /// Its type.
    pub ty: Scalar,
    /// How it is computed.
    pub op: Op,
}

/// How a value is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    /// A constant; the bits, cut to the type's width.
    Const(u64),
    /// A scalar parameter.
    Param(ParamId),
    /// The length of a slice parameter, `usize`.
    Len(ParamId),
    /// Where the item is, in dimension 0, 1 or 2, `usize`; in its sub-group, in dimension 0. Linear ids are lowered to
    /// these.
    Index(IndexFunction, u8),
    /// What a local holds now.
    Read(LocalId),
    /// What an element of an array variable holds now; the index is `usize` and below the length.
    ReadElement(LocalId, ValueId),
    /// What a slice's memory holds now; the index is `usize` and counts values of the value's type.
    Load(ParamId, ValueId),
    /// What a statement gives: a [`Stmt::LoadVector`], a [`Stmt::Atomic`] or a [`Stmt::Subgroup`].
    Component,
    /// An element of a table; the index is `usize` and below the table's length.
    Lookup(TableId, ValueId),
    /// An element of an array parameter; the index is `usize` and below the array's length.
    Element(ParamId, ValueId),
    /// One operand, of the value's type.
    Unary(UnaryOp, ValueId),
    /// Two operands, of the value's type.
    Binary(BinaryOp, ValueId, ValueId),
    /// Two operands of one type; the value is `bool`. Float comparisons with NaN are false, but `Ne` is true.
    Compare(CompareOp, ValueId, ValueId),
    /// Rust's `as`, from the operand's type to the value's. Never to `bool`.
    Cast(ValueId),
    /// The operand's bits as another type of the same width.
    Bits(ValueId),
    /// The second if the first, a `bool`, is true, else the third.
    Select(ValueId, ValueId, ValueId),
    /// A function of one operand, of the value's type ([`Math1::CountOnes`] and kin keep the type too).
    Math1(Math1, ValueId),
    /// A function of two operands of the value's type.
    Math2(Math2, ValueId, ValueId),
    /// Fused multiply-add of floats: the first times the second plus the third, rounded once.
    MulAdd(ValueId, ValueId, ValueId),
}

/// One-operand operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x`: wraps for integers, flips the sign of floats.
    Neg,
    /// `!x`: every bit of an integer; the other `bool`.
    Not,
}

/// Two-operand operators whose result has their operands' type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+` of numbers.
    Add,
    /// `-` of numbers.
    Sub,
    /// `*` of numbers.
    Mul,
    /// `/` of numbers; see the preconditions above.
    Div,
    /// `%` of numbers; see the preconditions above.
    Rem,
    /// `&` of integers and `bool`s.
    And,
    /// `|` of integers and `bool`s.
    Or,
    /// `^` of integers and `bool`s.
    Xor,
    /// `<<` of integers.
    Shl,
    /// `>>` of integers.
    Shr,
}

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// Functions of one operand. Those of the first two groups are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Math1 {
    /// The number of bits that are 1, in the operand's integer type.
    CountOnes,
    /// The number of zeros above the highest 1; the width for 0.
    LeadingZeros,
    /// The number of zeros below the lowest 1; the width for 0.
    TrailingZeros,
    /// The bits in the opposite order.
    ReverseBits,

    /// `|x|` of floats.
    Abs,
    /// The square root of floats, correctly rounded.
    Sqrt,
    /// Rounds to an integer, down.
    Floor,
    /// Rounds to an integer, up.
    Ceil,
    /// Rounds to the nearest integer, halves away from zero.
    Round,
    /// Rounds to the nearest integer, halves to even.
    RoundTiesEven,
    /// Rounds to an integer, towards zero.
    Trunc,

    /// e to the x.
    Exp,
    /// 2 to the x.
    Exp2,
    /// e to the x, minus 1.
    ExpM1,
    /// The natural logarithm.
    Ln,
    /// The logarithm to base 2.
    Log2,
    /// The logarithm to base 10.
    Log10,
    /// The natural logarithm of 1 + x.
    Ln1p,
    /// The sine; radians.
    Sin,
    /// The cosine; radians.
    Cos,
    /// The tangent; radians.
    Tan,
    /// The inverse sine.
    Asin,
    /// The inverse cosine.
    Acos,
    /// The inverse tangent.
    Atan,
    /// The hyperbolic sine.
    Sinh,
    /// The hyperbolic cosine.
    Cosh,
    /// The hyperbolic tangent.
    Tanh,
    /// The inverse hyperbolic sine.
    Asinh,
    /// The inverse hyperbolic cosine.
    Acosh,
    /// The inverse hyperbolic tangent.
    Atanh,
    /// The cube root.
    Cbrt,
}

/// Functions of two operands. Those of the first group are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Math2 {
    /// The smaller; of floats, the other one if one is NaN.
    Min,
    /// The larger; of floats, the other one if one is NaN.
    Max,
    /// The first float with the sign of the second.
    CopySign,
    /// Integers, held at the bounds of their type.
    SaturatingAdd,
    /// Integers, held at the bounds of their type.
    SaturatingSub,
    /// The upper half of the product of integers of the full width.
    MulHigh,

    /// x to the y, floats.
    Powf,
    /// The angle of (x, y), from `y.atan2(x)`.
    Atan2,
    /// The length of (x, y).
    Hypot,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// Computes a value.
    Def(ValueId),
    /// A local begins to live; in a loop, anew each time.
    Declare(LocalId),
    /// Stores to a local.
    Set(LocalId, ValueId),
    /// Stores to an element of an array variable; the index, which stands first, is `usize` and below the length.
    SetElement(LocalId, ValueId, ValueId),
    /// Stores to a writable slice's memory; the index, which stands first, is `usize` and counts values of the
    /// stored value's type.
    Store(ParamId, ValueId, ValueId),
    /// Computes values, which are [`Op::Component`], of what stands in a slice's memory from the index on; the index
    /// counts values of their type.
    LoadVector(ParamId, ValueId, Vec<ValueId>),
    /// Stores values from an index on; it counts values of their type.
    StoreVector(ParamId, ValueId, Vec<ValueId>),
    /// An operation on memory that is one for everyone.
    Atomic(Atomic),
    /// What the items of a sub-group do together.
    Subgroup(Subgroup),
    /// Waits until all items of the work-group are here.
    Barrier,
    /// The first block if the value, a `bool`, is true, else the second.
    If(ValueId, Block, Block),
    /// Runs `body`, then `next`, until something leaves it.
    Loop {
        /// What `Break` and `Continue` name.
        label: Label,
        /// What a round does; `Continue` ends it.
        body: Block,
        /// What stands between two rounds. It holds no `Barrier`, no `Fault` and no `Break`, `Continue` or `Return` out of itself.
        next: Block,
    },
    /// Runs `body` once; `Break` leaves it.
    Block {
        /// What `Break` names.
        label: Label,
        /// The statements.
        body: Block,
    },
    /// Leaves the loop or block of that label.
    Break(Label),
    /// Goes to `next` of the loop of that label.
    Continue(Label),
    /// Ends the work-item.
    Return,
    /// Records a fault with the values of its message, `u64` or `usize`, as many as [`FaultKind::values`] says, and ends
    /// the work-item.
    Fault(SiteId, Vec<ValueId>),
    /// Records a fault as [`Stmt::Fault`] does, and goes on: of a kernel of whole groups, whose items must not end alone.
    Record(SiteId, Vec<ValueId>),
}

/// A place in the source that can fault.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    /// What goes wrong there.
    pub kind: FaultKind,
    /// The file, as `file!()` gives it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// What can go wrong in a work-item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An index that is not below the length; the values are the index and the length.
    Index,
    /// `x / 0`
    DivideByZero,
    /// `x % 0`
    RemainderByZero,
    /// `MIN / -1`
    DivideOverflow,
    /// `MIN % -1`
    RemainderOverflow,
    /// `step_by(0)`
    StepByZero,
    /// `None.unwrap()`
    UnwrapNone,
    /// `split_at` behind the end.
    SplitAt,
    /// `copy_from_slice` of slices of different lengths; the values are those of the source and the destination.
    CopyFromSlice,
    /// `chunks_exact(0)`
    ChunkSizeZero,
    /// `windows(0)`
    WindowSizeZero,
    /// `x[start..]` that begins behind the end; the values are the start and the length.
    RangeStart,
    /// `x[..end]` that ends behind the end; the values are the end and the length.
    RangeEnd,
    /// `x[start..end]` that ends before it begins; the values are the start and the end.
    RangeOrder,
    /// `strict_add` and kin
    AddOverflow,
    /// `strict_sub` and kin
    SubtractOverflow,
    /// `strict_mul`, `strict_pow`
    MultiplyOverflow,
    /// `strict_neg`, `strict_abs`
    NegateOverflow,
    /// `strict_shl` by the width or more
    ShiftLeftOverflow,
    /// `strict_shr` by the width or more
    ShiftRightOverflow,
    /// `isqrt` of a negative number
    SquareRootOfNegative,
    /// `ilog`, `ilog2` or `ilog10` of a number that is not positive
    LogarithmOfNonPositive,
    /// `ilog` to a base below 2
    LogarithmBase,
    /// `clamp` of signed integers with `min > max`; the values are both, sign-extended.
    ClampSigned,
    /// `clamp` of unsigned integers with `min > max`; the values are both.
    ClampUnsigned,
    /// `clamp` of `f32`s without `min <= max`; the values are the bits of both.
    ClampF32,
    /// `clamp` of `f64`s without `min <= max`; the values are the bits of both.
    ClampF64,
    /// `clamp` of `f16`s or `bf16`s without `min <= max`, in the words of the crate `half`; the values are the bits of
    /// both as `f32`s.
    ClampHalf,
    /// `panic!` and kin.
    Words(Words),
}

/// The message of a `panic!` in the user's words.
#[derive(Clone, Copy)]
pub struct Words {
    /// Makes the message of the fault's values.
    pub message: fn(&[u64]) -> String,
    /// How many values it takes.
    pub values: usize,
}

impl Words {
    /// By which two are compared. A function that has two addresses makes two sites of one, which is no harm.
    fn identity(&self) -> (usize, usize) {
        (self.message as usize, self.values)
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self.identity() == other.identity()
    }
}
impl Eq for Words {}

impl Hash for Words {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Debug for Words {
    /// Without the function's address, which is another in each run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.values)
    }
}

impl FaultKind {
    /// How many values the message takes.
    pub fn values(self) -> usize {
        if let FaultKind::Words(words) = self {
            return words.values;
        }
        2
    }

    /// The message, in the words that Rust's own panics use. `values` are those of the fault record.
    pub fn message(self, values: &[u64]) -> String {
        if let FaultKind::Words(words) = self {
            return (words.message)(values);
        }
        let values = [0, 1].map(|n| values.get(n).copied().unwrap_or(0));
        match self {
            FaultKind::Words(_) => unreachable!("these were told above"),
            FaultKind::Index => {
                format!(
                    "index out of bounds: the len is {} but the index is {}",
                    values[1], values[0]
                )
            }
            FaultKind::DivideByZero => "attempt to divide by zero".into(),
            FaultKind::RemainderByZero => "attempt to calculate the remainder with a divisor of zero".into(),
            FaultKind::DivideOverflow => "attempt to divide with overflow".into(),
            FaultKind::RemainderOverflow => "attempt to calculate the remainder with overflow".into(),
            FaultKind::StepByZero => "assertion failed: step != 0".into(),
            FaultKind::UnwrapNone => "called `Option::unwrap()` on a `None` value".into(),
            FaultKind::SplitAt => "mid > len".into(),
            FaultKind::CopyFromSlice => {
                let [from, to] = values;
                format!(
                    "copy_from_slice: source slice length ({from}) does not match destination slice length ({to})"
                )
            }
            FaultKind::ChunkSizeZero => "chunk size must be non-zero".into(),
            FaultKind::WindowSizeZero => "window size must be non-zero".into(),
            FaultKind::RangeStart => {
                let [start, len] = values;
                format!("range start index {start} out of range for slice of length {len}")
            }
            FaultKind::RangeEnd => {
                let [end, len] = values;
                format!("range end index {end} out of range for slice of length {len}")
            }
            FaultKind::RangeOrder => {
                let [start, end] = values;
                format!("slice index starts at {start} but ends at {end}")
            }
            FaultKind::AddOverflow => "attempt to add with overflow".into(),
            FaultKind::SubtractOverflow => "attempt to subtract with overflow".into(),
            FaultKind::MultiplyOverflow => "attempt to multiply with overflow".into(),
            FaultKind::NegateOverflow => "attempt to negate with overflow".into(),
            FaultKind::ShiftLeftOverflow => "attempt to shift left with overflow".into(),
            FaultKind::ShiftRightOverflow => "attempt to shift right with overflow".into(),
            FaultKind::SquareRootOfNegative => "argument of integer square root cannot be negative".into(),
            FaultKind::LogarithmOfNonPositive => "argument of integer logarithm must be positive".into(),
            FaultKind::LogarithmBase => "base of integer logarithm must be at least 2".into(),
            FaultKind::ClampSigned => {
                let [min, max] = values.map(|bits| bits as i64);
                format!("min > max. min = {min}, max = {max}")
            }
            FaultKind::ClampUnsigned => format!("min > max. min = {}, max = {}", values[0], values[1]),
            FaultKind::ClampF32 => {
                let [min, max] = values.map(|bits| f32::from_bits(bits as u32));
                format!("min > max, or either was NaN. min = {min:?}, max = {max:?}")
            }
            FaultKind::ClampF64 => {
                let [min, max] = values.map(f64::from_bits);
                format!("min > max, or either was NaN. min = {min:?}, max = {max:?}")
            }
            FaultKind::ClampHalf => "assertion failed: min <= max".into(),
        }
    }
}

impl Kernel {
    /// Every scalar type that the kernel computes with, stores or takes.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        let params = self.params.iter().map(|(_, p)| match p.kind {
            ParamKind::Scalar(s) => s,
            ParamKind::Array { element, .. } | ParamKind::Slice { element, .. } => element,
        });
        params
            .chain(self.values.iter().map(|(_, v)| v.ty))
            .chain(self.locals.iter().map(|(_, l)| l.ty))
            .chain(self.tables.iter().map(|(_, t)| t.ty))
    }

    /// How many values its fault records hold, in each code form.
    pub fn fault_values(&self) -> usize {
        let values = self.sites.iter().map(|(_, site)| site.kind.values());
        values.fold(2, usize::max)
    }

    /// How many bytes of memory a work-group takes for what its items share.
    pub fn shared_bytes(&self) -> usize {
        let shared = self.locals.iter().filter(|(_, local)| local.shared);
        let bytes = shared.map(|(_, local)| local.ty.bytes() * local.len.unwrap_or(1));
        // Each is aligned to no more than 8.
        bytes.map(|bytes| bytes.next_multiple_of(8)).sum()
    }

    /// Whether the kernel needs a device with 64-bit floats.
    pub fn uses_f64(&self) -> bool {
        self.scalars().any(|s| s == Scalar::F64)
    }
}
