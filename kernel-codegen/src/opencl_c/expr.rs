//! C expressions as text, with what it takes to combine them.

use super::types;
use gridfn_ir::Scalar;
use gridfn_ir::typed::LocalId;

/// How tightly an expression's outermost operator binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Precedence {
    Ternary,
    Or,
    Xor,
    And,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

/// What an expression's value depends on besides constants: what must not change before it is evaluated.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Dependences {
    /// The locals that it reads.
    pub(super) locals: Vec<LocalId>,
    /// Whether it loads from a writable slice.
    pub(super) memory: bool,
}

/// A C expression without side effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Expr {
    text: String,
    precedence: Precedence,
    /// Whether its C type is the value's own. C computes 8 and 16 bits in `int`: the value is right, the type is not.
    exact: bool,
    /// The same bits in the unsigned type, where that is at hand.
    unsigned: Option<Box<Expr>>,
    /// The opposite truth value, where that is at hand.
    opposite: Option<Box<Expr>>,
    /// What must not change before this is evaluated.
    pub(super) dependences: Dependences,
}

impl Expr {
    /// An expression of the value's own type.
    pub(super) fn new(text: impl Into<String>, precedence: Precedence) -> Expr {
        Expr {
            text: text.into(),
            precedence,
            exact: true,
            unsigned: None,
            opposite: None,
            dependences: Dependences::default(),
        }
    }

    /// A name, a member, an element or another expression that never needs parentheses.
    pub(super) fn primary(text: impl Into<String>) -> Expr {
        Expr::new(text, Precedence::Primary)
    }

    /// An infix operator that binds as `precedence` says. Parentheses are set where C needs them, and also where a
    /// reader would (`(a & b) == c`, `(a << b) + c`).
    pub(super) fn binary(left: Expr, operator: &str, right: Expr, precedence: Precedence) -> Expr {
        let (weakest_left, weakest_right) = match precedence {
            Precedence::Product => (Precedence::Product, Precedence::Unary),
            Precedence::Sum => (Precedence::Sum, Precedence::Product),
            Precedence::Relation | Precedence::Equality => (Precedence::Sum, Precedence::Sum),
            Precedence::And | Precedence::Xor | Precedence::Or if left.precedence == precedence => {
                (precedence, Precedence::Unary)
            }
            Precedence::And
            | Precedence::Xor
            | Precedence::Or
            | Precedence::Shift
            | Precedence::Ternary
            | Precedence::Unary
            | Precedence::Primary => (Precedence::Unary, Precedence::Unary),
        };
        let text = format!(
            "{} {operator} {}",
            left.grouped(weakest_left),
            right.grouped(weakest_right)
        );
        Expr::new(text, precedence).depending_on([&left, &right])
    }

    /// A prefix operator.
    pub(super) fn prefix(operator: &str, operand: Expr) -> Expr {
        let mut text = operand.grouped(Precedence::Unary);
        if text.starts_with(operator) {
            text = format!("({text})"); // `--x` would be a decrement.
        }
        Expr::new(format!("{operator}{text}"), Precedence::Unary).depending_on([&operand])
    }

    /// A call. The caller sees to it that the arguments' types choose the right overload.
    pub(super) fn call<const N: usize>(function: &str, arguments: [Expr; N]) -> Expr {
        let texts: Vec<&str> = arguments.iter().map(|a| a.text.as_str()).collect();
        Expr::primary(format!("{function}({})", texts.join(", "))).depending_on(arguments.each_ref())
    }

    /// `condition ? yes : no`
    pub(super) fn select(condition: Expr, yes: Expr, no: Expr) -> Expr {
        let above = Precedence::Or;
        let text = format!(
            "{} ? {} : {}",
            condition.grouped(above),
            yes.grouped(above),
            no.grouped(above)
        );
        Expr::new(text, Precedence::Ternary).depending_on([&condition, &yes, &no])
    }

    /// Converted to `ty`, as C's casts do.
    pub(super) fn cast(self, ty: Scalar) -> Expr {
        let text = format!("({}){}", types::name(ty), self.grouped(Precedence::Unary));
        Expr::new(text, Precedence::Unary).depending_on([&self])
    }

    /// Marks the C type as perhaps wider than the value's own, where `ty` is one that C promotes.
    pub(super) fn promoted(mut self, ty: Scalar) -> Expr {
        self.exact = !types::is_promoted(ty);
        self
    }

    /// The expression in exactly the C type of `ty`, which is its value's.
    pub(super) fn exactly(self, ty: Scalar) -> Expr {
        if self.exact { self } else { self.cast(ty) }
    }

    /// The same bits in the unsigned type of the width of `ty`, which is its value's.
    pub(super) fn into_unsigned(self, ty: Scalar) -> Expr {
        match self.unsigned {
            Some(unsigned) => *unsigned,
            None => self.cast(ty.unsigned()),
        }
    }

    /// The same bits in the signed type `ty`; the expression is in the unsigned one of that width.
    pub(super) fn into_signed(self, ty: Scalar) -> Expr {
        Expr {
            unsigned: Some(Box::new(self.clone())),
            ..self.cast(ty)
        }
    }

    /// Gives the form of the same bits in the unsigned type.
    pub(super) fn with_unsigned(self, unsigned: Expr) -> Expr {
        Expr {
            unsigned: Some(Box::new(unsigned)),
            ..self
        }
    }

    /// Gives the form of the opposite truth value.
    pub(super) fn with_opposite(self, opposite: Expr) -> Expr {
        Expr {
            opposite: Some(Box::new(opposite)),
            ..self
        }
    }

    /// The opposite truth value.
    pub(super) fn opposite(self) -> Expr {
        match &self.opposite {
            Some(opposite) => Expr {
                opposite: Some(Box::new(Expr {
                    opposite: None,
                    ..self.clone()
                })),
                ..(**opposite).clone()
            },
            None => Expr::prefix("!", self.clone())
                .promoted(Scalar::Bool)
                .with_opposite(self),
        }
    }

    /// Adds what `others`, which are parts of this expression, depend on.
    fn depending_on<const N: usize>(mut self, others: [&Expr; N]) -> Expr {
        for other in others {
            self.dependences
                .locals
                .extend_from_slice(&other.dependences.locals);
            self.dependences.memory |= other.dependences.memory;
        }
        self
    }

    /// The text of `array[self]`.
    pub(super) fn element_of(&self, array: &str) -> String {
        format!("{array}[{}]", self.text)
    }

    /// The text, where any expression may stand.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text, in parentheses if it binds less tightly than `weakest`.
    fn grouped(&self, weakest: Precedence) -> String {
        if self.precedence < weakest {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// Marks that `expr` loads from memory that may be written.
pub(super) fn load(element: String, index: &Expr, writable: bool) -> Expr {
    let mut expr = Expr::primary(element).depending_on([index]);
    expr.dependences.memory |= writable;
    expr
}
