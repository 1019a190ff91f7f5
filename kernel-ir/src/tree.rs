//! The untyped tree that the attribute embeds.
//!
//! It says what the user wrote, with names resolved to numbers where Rust's scoping alone decides (locals, labels)
//! and with *holes* where rustc's inference decides: [`TypeRef::Hole`] is an index into [`crate::Body::types`],
//! [`LinkHole`] into [`crate::Body::links`], [`ConstantHole`] into [`crate::Body::constants`].

use crate::{Access, Scalar, SubgroupFunction};
use serde::{Deserialize, Serialize};

/// A place in the source: lines counted from [`crate::Body::line`], columns from 1 in characters.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Lines after the body's first.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A local binding or parameter. Parameters come first, in their order.
pub type LocalId = u16;
/// A loop or labelled block, numbered in order of appearance.
pub type LabelId = u16;
/// An index into [`crate::Body::links`].
pub type LinkHole = u16;
/// An index into [`crate::Body::constants`].
pub type ConstantHole = u16;

/// A type: told by a suffix, or rustc's to fill in.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// Told by the source itself (a literal's suffix).
    Known(Scalar),
    /// An index into [`crate::Body::types`].
    Hole(u16),
}

/// A kernel or device function.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Tree {
    /// The function's name.
    pub name: String,
    /// Kernel, or device function.
    pub kind: Kind,
    /// The parameters; their locals are numbered 0, 1, ….
    pub params: Vec<Param>,
    /// The type of the result; of a kernel, always `()`.
    pub result: TypeRef,
    /// The body.
    pub body: Block,
    /// Whether it is a kernel whose items wait for each other.
    pub waits: bool,
}

/// What kind of function a tree is.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `#[kernel]`
    Kernel,
    /// `#[device]`
    Device,
    /// A method or associated function, marked `#[device]`.
    Method,
}

/// A parameter.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// Its type; `None` for a function, which is known by its code.
    pub ty: Option<TypeRef>,
}

/// Statements and a value.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The expression without a semicolon at the end.
    pub tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Statement {
    /// `let pattern = init;`
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The type, where there is no initialiser to tell it.
        ty: Option<TypeRef>,
        /// The initialiser.
        init: Option<Expr>,
        /// `else { … }`
        otherwise: Option<Block>,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
    /// Of a kernel whose items wait for each other: a statement that each item runs for itself. Those outside the grid
    /// skip it, and so do those that have failed; all others run on all items of a group alike.
    PerItem(Box<Statement>),
}

/// A name that a pattern binds.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Binding {
    /// The new local. The alternatives of an or-pattern bind the same ones.
    pub local: LocalId,
    /// Its name in the source.
    pub name: String,
    /// `mut`; also set where a `let` has no initialiser.
    pub mutable: bool,
    /// `ref`, `ref mut`
    pub by_reference: Option<Access>,
}

/// A pattern. Literals have the type of what they are compared to.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Pattern {
    /// `_`
    Wild,
    /// `name`, `name @ pattern`
    Bind(Binding, Option<Box<Pattern>>),
    /// A literal or constant.
    Constant(PatternValue),
    /// `a..=b`, `a..b`, `a..`, `..=b`
    Range {
        /// The first value.
        start: Option<PatternValue>,
        /// The last value, or what is above it.
        end: Option<PatternValue>,
        /// `..=`
        inclusive: bool,
    },
    /// `(a, b)`
    Tuple(Elements),
    /// `[a, b]`
    Array(Elements),
    /// `Name(a, b)`, by the last segment of its path: a tuple struct or variant, as the type of the value tells.
    TupleStruct(String, Elements),
    /// `Name { field: pattern, .. }` and the unit variant `Name`.
    Struct(String, Vec<(String, Pattern)>),
    /// `&pattern`
    Reference(Box<Pattern>),
    /// `a | b`
    Or(Vec<Pattern>),
}

/// The patterns of a list's elements.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
pub struct Elements {
    /// Those before `..`, or all.
    pub before: Vec<Pattern>,
    /// Where `..` stands, and the name that is bound to it: `rest @ ..`, of an array only.
    pub rest: Option<Option<Binding>>,
    /// Those after `..`.
    pub after: Vec<Pattern>,
}

/// A value in a pattern.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
pub enum PatternValue {
    /// An integer; of a float's type, that float.
    Int {
        /// The digits' value.
        value: u64,
        /// Whether a `-` stands before it.
        negative: bool,
    },
    /// A float, rounded to each type from its digits.
    Float {
        /// As `f32`.
        single: f32,
        /// As `f64`.
        double: f64,
    },
    /// `true`, `false`
    Bool(bool),
    /// A constant.
    Constant(ConstantHole),
}

/// An arm of a `match`.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// `if guard`
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A closure.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Closure {
    /// The parameters.
    pub params: Vec<Pattern>,
    /// The body.
    pub body: Box<Expr>,
}

/// What a loop or a consumer runs over.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Iterator {
    /// `start..end`, `start..=end`
    Range {
        /// The first bound.
        start: Box<Expr>,
        /// The second bound.
        end: Box<Expr>,
        /// `..=`
        inclusive: bool,
    },
    /// `x.iter()`, `x.iter_mut()`, and `&x`, `&mut x` in a `for`: references to the elements of a slice or array.
    Elements(Box<Expr>),
    /// What is an array, whose elements it gives, or refers to one, or is a slice, and gives references.
    Whole(Box<Expr>),
    /// `x.chunks_exact(n)`, `x.chunks_exact_mut(n)`; a size of 0 is a fault.
    ChunksExact(Box<Expr>, Box<Expr>, Position),
    /// `x.windows(n)`; a size of 0 is a fault.
    Windows(Box<Expr>, Box<Expr>, Position),
    /// `a.zip(b)`
    Zip(Box<Iterator>, Box<Iterator>),
    /// An iterator of what another gives.
    Adapted(Box<Iterator>, Box<Adaptor>),
}

/// What makes an iterator of another.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.enumerate()`
    Enumerate,
    /// `.step_by(n)`; a step of 0 is a fault.
    StepBy(Expr, Position),
    /// `.skip(n)`
    Skip(Expr),
    /// `.take(n)`
    Take(Expr),
    /// `.copied()`, `.cloned()`
    Copied,
    /// `.map(f)`
    Map(Closure),
    /// `.filter(f)`
    Filter(Closure),
}

/// What uses an iterator up.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Consumer {
    /// `.sum()`, of the type of the elements, perhaps behind a reference.
    Sum(TypeRef),
    /// `.product()`, likewise.
    Product(TypeRef),
    /// `.count()`
    Count,
    /// `.min()`
    Min,
    /// `.max()`
    Max,
    /// `.last()`
    Last,
    /// `.fold(init, f)`
    Fold(Expr, Closure),
    /// `.any(f)`
    Any(Closure),
    /// `.all(f)`
    All(Closure),
    /// `.find(f)`
    Find(Closure),
    /// `.position(f)`
    Position(Closure),
    /// `.for_each(f)`
    ForEach(Closure),
}

/// An operator that a user's type may overload.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `a op b`
    Binary(BinaryOp),
    /// `op a`
    Unary(UnaryOp),
    /// `a op= b`
    Assign(BinaryOp),
}

/// Two-operand operators, `&&` and `||` aside.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
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

/// `&&` and `||`, which may skip their right side.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum LazyOp {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// One-operand operators.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// What is done to the range of a `for`, in order.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum RangeOp {
    /// `.rev()`
    Rev,
    /// `.step_by(n)`; a step of 0 is a fault at the position.
    StepBy(Expr, Position),
}

/// An expression.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Expr {
    /// An integer literal; one with a float type is that float.
    Int {
        /// The digits' value.
        value: u64,
        /// Whether a `-` stands before it.
        negative: bool,
        /// Its type.
        ty: TypeRef,
    },
    /// A float literal, rounded to each type from its digits.
    Float {
        /// As `f32`.
        single: f32,
        /// As `f64`.
        double: f64,
        /// Its type.
        ty: TypeRef,
    },
    /// `true`, `false`
    Bool(bool),
    /// `()`
    Unit,
    /// A parameter or local.
    Local(LocalId),
    /// A constant.
    Constant(ConstantHole),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Position),
    /// `a && b`, `a || b`
    Lazy(LazyOp, Box<Expr>, Box<Expr>),
    /// `op a`
    Unary(UnaryOp, Box<Expr>),
    /// `a as T`
    Cast(Box<Expr>, TypeRef),
    /// An operator that rustc may have resolved to a user's function, as the link tells. If the operands are built-in
    /// values, it is the built-in one, and the link is of no interest.
    Operator(Operator, LinkHole, Vec<Expr>, Position),
    /// `place = value`
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`; the value is evaluated first.
    AssignOp(BinaryOp, Box<Expr>, Box<Expr>, Position),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; N]`, by the array's type.
    Repeat(Box<Expr>, TypeRef),
    /// A struct or variant, by the type of the result and the last segment of the path: `Name { field: a, ..base }`,
    /// `Name(a, b)`, where the fields are `0`, `1`, …, and `Name`.
    Construct {
        /// The struct's or enum's type.
        ty: TypeRef,
        /// The struct's or variant's name.
        name: String,
        /// The fields, in the order of evaluation.
        fields: Vec<(String, Expr)>,
        /// `..base`
        base: Option<Box<Expr>>,
    },
    /// `&place`, `&mut place`
    Reference(Access, Box<Expr>),
    /// `*reference`
    Deref(Box<Expr>),
    /// `base[a..b]`, a place that is a slice.
    Subslice {
        /// The slice or array.
        base: Box<Expr>,
        /// `a`
        start: Option<Box<Expr>>,
        /// `b`
        end: Option<Box<Expr>>,
        /// `..=`
        inclusive: bool,
        /// Where a range outside the base is a fault.
        at: Position,
    },
    /// `match value { … }`
    Match(Box<Expr>, Vec<Arm>),
    /// `let pattern = value` in a condition, alone or in a chain of `&&`.
    Let(Box<Pattern>, Box<Expr>),
    /// `value?`, of an `Option`.
    Try(Box<Expr>),
    /// `|a, b| body`
    Closure(Closure),
    /// A function that is passed on: the link's, with what it captured.
    Function(LinkHole, Option<Box<Expr>>),
    /// `f(a, b)`, where `f` is a local that a closure or function is bound to.
    CallClosure(LocalId, Vec<Expr>),
    /// `for pattern in iterator { … }`
    ForEach {
        /// The loop's number.
        label: LabelId,
        /// The loop variable.
        pattern: Pattern,
        /// What it runs over.
        iterator: Iterator,
        /// The body.
        body: Block,
    },
    /// An iterator that is used up at once.
    Consume(Box<Iterator>, Box<Consumer>),
    /// `slice[index]`, `array[index]`
    Index(Box<Expr>, Box<Expr>, Position),
    /// `a.name`, `a.0`
    Field(Box<Expr>, String),
    /// `f(a, b)`, and `a.f(b)` with its receiver as the first argument.
    Call(LinkHole, Vec<Expr>, Position),
    /// `if c { … } else …`
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `{ … }`, with a label where it has one.
    Block(Option<LabelId>, Block),
    /// `while c { … }`
    While(LabelId, Box<Expr>, Block),
    /// `loop { … }`
    Loop(LabelId, Block),
    /// `for pattern in start..end { … }`
    For {
        /// The loop's number.
        label: LabelId,
        /// The loop variable.
        pattern: Pattern,
        /// The first bound.
        start: Box<Expr>,
        /// The second bound.
        end: Box<Expr>,
        /// `..=`
        inclusive: bool,
        /// `.rev()` and `.step_by(n)`, in order.
        ops: Vec<RangeOp>,
        /// The body.
        body: Block,
    },
    /// `break 'label value`
    Break(LabelId, Option<Box<Expr>>),
    /// `continue 'label`
    Continue(LabelId),
    /// `return value`
    Return(Option<Box<Expr>>),
    /// `barrier()`
    Barrier,
    /// `local_array::<T, N>()`, by the type of the array.
    LocalArray(TypeRef),
    /// `uniform(value)`
    Uniform(Box<Expr>),
    /// `subgroup::reduce(value, |a, b| …)` and kin.
    Subgroup(SubgroupFunction, Vec<Expr>),
    /// `panic!` and kin: the link makes the message of a tuple.
    Panic(LinkHole, Box<Expr>, Position),
    /// `println!`: the link makes the line of a tuple.
    Print(LinkHole, Box<Expr>),
}
