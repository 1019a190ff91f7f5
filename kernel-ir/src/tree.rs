//! The untyped tree that the attribute embeds.
//!
//! It says what the user wrote, with names resolved to numbers where Rust's scoping alone decides (locals, labels)
//! and with *holes* where rustc's inference decides: [`TypeRef::Hole`] is an index into [`crate::Body::types`],
//! [`LinkHole`] into [`crate::Body::links`], [`ConstantHole`] into [`crate::Body::constants`].

use crate::Scalar;
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
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// What kind of function a tree is.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `#[kernel]`
    Kernel,
    /// `#[device]`
    Device,
}

/// A parameter.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// Whether it is declared `mut`.
    pub mutable: bool,
    /// Its type.
    pub ty: TypeRef,
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
    /// `let name = init;`
    Let {
        /// The new local.
        local: LocalId,
        /// Its name in the source.
        name: String,
        /// `let mut`; also set where the initialiser is missing.
        mutable: bool,
        /// The type, where there is no initialiser to tell it.
        ty: Option<TypeRef>,
        /// The initialiser.
        init: Option<Expr>,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
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
    /// `place = value`
    Assign(Place, Box<Expr>),
    /// `place op= value`; the value is evaluated first.
    AssignOp(BinaryOp, Place, Box<Expr>, Position),
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
    /// `for name in start..end { … }`
    For {
        /// The loop's number.
        label: LabelId,
        /// The loop variable; `None` for `_`.
        variable: Option<(LocalId, String)>,
        /// Whether the variable is declared `mut`.
        mutable: bool,
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
}

/// What can be assigned to.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Place {
    /// A local.
    Local(LocalId),
    /// `slice[index]`
    Index(Box<Expr>, Box<Expr>, Position),
    /// `_`
    Discard,
}
