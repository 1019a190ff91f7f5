//! Statements and expressions.

use super::{CallClosure, ClosureExpr, Consume, ForEach, Pattern};
use crate::parse::PREFIX;
use gridfn_ir::tree::{BinaryOp, LazyOp, UnaryOp};
use gridfn_ir::{Access, CoreMethod, Scalar, SubgroupFunction};
use proc_macro2::{Ident, Span, TokenStream};
use syn::spanned::Spanned;
use syn::token::{Brace, Bracket, Paren};
use syn::{Attribute, ExprPath, Label, Lifetime, Member, Path, RangeLimits, Token, Type};

/// Statements and a value.
pub(crate) struct Block {
    pub brace: Brace,
    pub statements: Vec<Statement>,
    pub tail: Option<Box<Expr>>,
}

impl Let {
    /// The call that all items of a group make together, of which this has the result.
    pub(crate) fn calls_together(&self) -> Option<&Together> {
        match &self.init.as_ref()?.1.bare().kind {
            ExprKind::Together(t) => Some(t),
            _ => None,
        }
    }
}

impl Argument {
    /// The variable that holds the argument, if it is a value.
    pub(crate) fn value(&self) -> Option<u16> {
        match self {
            Argument::Value(local, _) => Some(*local),
            Argument::Shared(_) | Argument::Function(_) => None,
        }
    }
}

pub(crate) enum Statement {
    Let(Let),
    Expr(Expr, Option<Token![;]>),
}

pub(crate) struct Let {
    pub attrs: Vec<Attribute>,
    pub token: Token![let],
    pub pattern: Pattern,
    pub ty: Option<(Token![:], Type)>,
    pub init: Option<(Token![=], Expr)>,
    pub otherwise: Option<(Token![else], Block)>,
    /// The hole of a binding without initialiser.
    pub hole: Option<u16>,
    pub semi: Token![;],
}

/// An expression, and where it stands.
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

pub(crate) enum ExprKind {
    Literal(Literal),
    Unit(Paren),
    Local(u16, Ident),
    Constant(u16, ExprPath),
    Paren(Paren, Box<Expr>),
    Binary(BinaryOp, syn::BinOp, Box<Expr>, Box<Expr>),
    Lazy(LazyOp, syn::BinOp, Box<Expr>, Box<Expr>),
    Unary(UnaryOp, syn::UnOp, Box<Expr>),
    Cast(Cast),
    Assign(Box<Expr>, Token![=], Box<Expr>),
    /// `_ = value`
    Discard(Token![_], Token![=], Box<Expr>),
    AssignOp(BinaryOp, syn::BinOp, Box<Expr>, Box<Expr>),
    /// The operator below may be a user's function: the number of its link.
    Overloadable(u16, Box<Expr>),
    Tuple(Paren, Vec<Expr>),
    Array(Bracket, Vec<Expr>),
    Repeat(Repeat),
    Construct(Construct),
    Field(Box<Expr>, Token![.], Member),
    Index(Index),
    Subslice(Subslice),
    Reference(Token![&], Option<Token![mut]>, Box<Expr>),
    Deref(Token![*], Box<Expr>),
    Method(Method),
    Call(Call),
    /// `f(x)`, where `f` is a parameter.
    CallParam(CallParam),
    If(If),
    Match(Match),
    /// `let pattern = value` in a condition.
    Let(Token![let], Pattern, Token![=], Box<Expr>),
    Try(Box<Expr>, Token![?]),
    Block(Option<(u16, Label)>, Block),
    Unsafe(Token![unsafe], Block),
    While(Loop, Token![while], Box<Expr>),
    Loop(Loop, Token![loop]),
    For(Box<For>),
    ForEach(Box<ForEach>),
    Consume(Box<Consume>),
    Closure(ClosureExpr),
    /// A function as an argument.
    Function(FunctionValue),
    CallClosure(CallClosure),
    Break(u16, Token![break], Option<Lifetime>, Option<Box<Expr>>),
    Continue(u16, Token![continue], Option<Lifetime>),
    Return(Token![return], Option<Box<Expr>>),
    Panic(Panic),
    /// `barrier()`
    Barrier(GroupCall),
    /// `local_array::<T, N>()`, and the hole of its type.
    LocalArray(GroupCall, u16),
    /// `uniform(value)`
    Uniform(GroupCall, Box<Expr>),
    /// `group!(f(x))`, the value of a `let` of its own.
    Together(Together),
    /// `subgroup::reduce(value, |a, b| …)` and kin.
    Subgroup(SubgroupCall),
}

/// A call of a `#[device(group)]` function, which all items of a work-group make together.
pub(crate) struct Together {
    pub path: Path,
    pub paren: Paren,
    pub args: Vec<Argument>,
    pub link: u16,
}

/// An argument of a group function.
pub(crate) enum Argument {
    /// A value, which stands in a variable of its own.
    Value(u16, Ident),
    /// What the items share: a slice, or a reference to a local array.
    Shared(Expr),
    /// A function.
    Function(Expr),
}

/// A call of a function that all items of a work-group reach together.
pub(crate) struct GroupCall {
    pub path: Path,
    pub paren: Paren,
}

/// A call of a function that the items of a sub-group reach together.
pub(crate) struct SubgroupCall {
    pub call: GroupCall,
    pub function: SubgroupFunction,
    pub args: Vec<Expr>,
    /// Its number among those of the kernel.
    pub number: u16,
}

impl SubgroupCall {
    /// The values that it takes, and the function that combines them, if it takes one.
    pub(crate) fn parts(&self) -> (&[Expr], Option<&Expr>) {
        match self.args.split_last() {
            Some((operator, values)) if self.function.takes_operator() => (values, Some(operator)),
            _ => (&self.args, None),
        }
    }
}

pub(crate) struct Literal {
    /// A `-` before it.
    pub minus: Option<Token![-]>,
    pub token: syn::Lit,
    pub value: LiteralValue,
    pub ty: LiteralType,
}

#[derive(Clone, Copy)]
pub(crate) enum LiteralValue {
    Bool(bool),
    Int(u64),
    Float { single: f32, double: f64 },
}

pub(crate) enum LiteralType {
    /// Told by the literal.
    Known(Scalar),
    /// Inferred: the number of the hole.
    Hole(u16),
    /// The literal stands right under `as`, and its type is that of the cast: it is emitted untouched.
    Cast,
}

pub(crate) struct Cast {
    pub operand: Box<Expr>,
    pub token: Token![as],
    pub ty: Type,
    pub hole: u16,
}

/// `[value; len]`
pub(crate) struct Repeat {
    pub bracket: Bracket,
    pub value: Box<Expr>,
    pub semi: Token![;],
    /// A constant expression, which rustc evaluates.
    pub len: syn::Expr,
    pub hole: u16,
}

/// A struct or variant.
pub(crate) struct Construct {
    pub path: Path,
    pub form: Form,
    pub hole: u16,
}

/// How a struct or variant is written.
pub(crate) enum Form {
    /// `Name { field: value, ..base }`
    Fields {
        brace: Brace,
        fields: Vec<(Member, Expr)>,
        base: Option<(Token![..], Box<Expr>)>,
    },
    /// `Name(a, b)`
    Call(Paren, Vec<Expr>),
    /// `Name`
    Unit,
}

/// `base[index]`
pub(crate) struct Index {
    pub base: Box<Expr>,
    pub bracket: Bracket,
    pub index: Box<Expr>,
    /// The index as written, for errors that concern all of it.
    pub source: syn::Expr,
}

/// `base[a..b]`
pub(crate) struct Subslice {
    pub base: Box<Expr>,
    pub start: Option<Box<Expr>>,
    pub limits: RangeLimits,
    pub end: Option<Box<Expr>>,
    /// All of it, as written.
    pub source: syn::Expr,
}

pub(crate) struct Method {
    pub receiver: Box<Expr>,
    pub dot: Token![.],
    pub name: Ident,
    pub paren: Paren,
    pub args: Vec<Expr>,
    pub link: u16,
    /// How it uses the elements, if it is one of core's methods of slices.
    pub of_slices: Option<Access>,
}

impl Method {
    /// Whether a method of that name is one of core's that read their receiver and do not write to it. A user's may be
    /// called so too, and write.
    pub(crate) fn is_believed_to_read(&self) -> bool {
        let name = self.name.to_string();
        CoreMethod::only_reads(&name) || gridfn_ir::Method::NAMES.contains(&name.as_str())
    }
}

pub(crate) struct Call {
    pub path: Path,
    pub paren: Paren,
    pub args: Vec<Expr>,
    pub link: u16,
}

pub(crate) struct CallParam {
    pub local: u16,
    pub name: Ident,
    pub paren: Paren,
    pub args: Vec<Expr>,
    pub link: u16,
}

/// `panic!` and kin, and `println!`.
pub(crate) struct Panic {
    /// Whether it prints the message, and does not end the item.
    pub prints: bool,
    /// The macro's name, where the fault is told.
    pub at: Span,
    pub link: u16,
    /// The first arguments of `format!`.
    pub format: TokenStream,
    /// The values that the format string shows, with their names where they have one.
    pub shown: Vec<(Option<Ident>, Expr)>,
}

/// A function that is passed on, and the number of its link.
pub(crate) struct FunctionValue {
    pub of: PassedOn,
    pub link: u16,
}

pub(crate) enum PassedOn {
    /// A `#[device]` function.
    Device(Path),
    /// A parameter of the kernel.
    Parameter(u16, Ident),
}

impl FunctionValue {
    pub(crate) fn span(&self) -> Span {
        match &self.of {
            PassedOn::Device(path) => path.span(),
            PassedOn::Parameter(_, name) => name.span(),
        }
    }
}

pub(crate) struct If {
    pub token: Token![if],
    pub condition: Box<Expr>,
    pub then: Block,
    pub otherwise: Option<(Token![else], Box<Expr>)>,
}

pub(crate) struct Match {
    pub token: Token![match],
    pub value: Box<Expr>,
    pub brace: Brace,
    pub arms: Vec<Arm>,
}

pub(crate) struct Arm {
    pub pattern: Pattern,
    pub guard: Option<(Token![if], Expr)>,
    pub arrow: Token![=>],
    pub body: Expr,
}

/// What `while` and `loop` share.
pub(crate) struct Loop {
    pub number: u16,
    pub label: Option<Label>,
    pub body: Block,
}

pub(crate) struct For {
    pub head: Loop,
    pub token: Token![for],
    pub pattern: Pattern,
    pub in_token: Token![in],
    pub start: Expr,
    pub limits: RangeLimits,
    pub end: Expr,
    pub ops: Vec<RangeOp>,
}

pub(crate) enum RangeOp {
    Rev(Token![.], Ident),
    StepBy(Token![.], Ident, Expr),
}

/// A parameter or local, or a field of one: `x`, `f.u`, `t.0`.
pub(crate) struct FieldPath<'e> {
    pub local: u16,
    pub name: &'e Ident,
    pub fields: Vec<&'e Member>,
}

impl FieldPath<'_> {
    /// As in the source.
    pub(crate) fn text(&self) -> String {
        let name = self.name.to_string();
        let mut text = name.strip_prefix(PREFIX).unwrap_or(&name).to_string();
        for member in &self.fields {
            text.push('.');
            text.push_str(&member_name(member));
        }
        text
    }
}

/// The name of a field, or its number in a tuple.
pub(crate) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => {
            let name = name.to_string();
            name.strip_prefix("r#").unwrap_or(&name).to_string()
        }
        Member::Unnamed(n) => n.index.to_string(),
    }
}

impl Expr {
    /// The expression inside all parentheses.
    pub(crate) fn bare(&self) -> &Expr {
        match &self.kind {
            ExprKind::Paren(_, inner) => inner.bare(),
            _ => self,
        }
    }

    /// The parameter or local that this is, or a field of one.
    pub(crate) fn path(&self) -> Option<FieldPath<'_>> {
        match &self.bare().kind {
            ExprKind::Local(local, name) => Some(FieldPath {
                local: *local,
                name,
                fields: vec![],
            }),
            ExprKind::Field(base, _, member) => {
                let mut path = base.path()?;
                path.fields.push(member);
                Some(path)
            }
            _ => None,
        }
    }

    /// The path whose elements this is one of, or a part of one.
    pub(crate) fn indexed(&self) -> Option<FieldPath<'_>> {
        match &self.bare().kind {
            ExprKind::Field(base, ..) | ExprKind::Deref(_, base) => base.indexed(),
            ExprKind::Index(index) => index.base.path().or_else(|| index.base.indexed()),
            _ => None,
        }
    }

    /// Whether this is `&mut base[a..b]`.
    pub(crate) fn is_unique_part(&self) -> bool {
        match &self.bare().kind {
            ExprKind::Reference(_, Some(_), place) => matches!(place.bare().kind, ExprKind::Subslice(_)),
            _ => false,
        }
    }

    /// Whether this is a place: its value stays where it is, and may be borrowed there.
    pub(crate) fn is_place(&self) -> bool {
        match &self.bare().kind {
            ExprKind::Local(..)
            | ExprKind::Constant(..)
            | ExprKind::Index(_)
            | ExprKind::Subslice(_)
            | ExprKind::Deref(..) => true,
            ExprKind::Field(base, ..) => base.is_place(),
            _ => false,
        }
    }
}
