//! The tree that devices compile.

use crate::parse::ast::*;
use gridfn_ir::tree;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// The tree of a function; positions count from the line of its name.
pub(crate) fn tree(f: &Function, kind: tree::Kind) -> tree::Tree {
    let walk = Walk {
        first_line: f.name.span().start().line,
        environment: f.environment,
    };
    let environment = f.environment.map(|_| ("captures".to_string(), false));
    let own = f.params.iter().skip(f.environment.unwrap_or(0));
    let params = environment
        .into_iter()
        .chain(own.map(|p| (p.shown(), p.mutability.is_some())));
    let params: Vec<_> = (0..)
        .zip(params)
        .map(|(n, (name, mutable))| tree::Param {
            name,
            mutable,
            ty: tree::TypeRef::Hole(n),
        })
        .collect();
    tree::Tree {
        name: f.name.to_string(),
        kind,
        result: tree::TypeRef::Hole(params.len() as u16),
        params,
        body: walk.block(&f.body),
    }
}

struct Walk {
    first_line: usize,
    environment: Option<usize>,
}

impl Walk {
    /// The start of `span`, as `Location::caller()` tells it.
    fn position(&self, span: Span) -> tree::Position {
        let start = span.start();
        tree::Position {
            line: start.line.saturating_sub(self.first_line) as u32,
            column: start.column as u32 + 1,
        }
    }

    /// A local's number in the tree, where all captures of a closure are the first parameter.
    fn number(&self, local: u16) -> u16 {
        match self.environment {
            Some(captures) => local + 1 - captures as u16,
            None => local,
        }
    }

    /// A local as an expression: a captured one is a part of the first parameter.
    fn local(&self, local: u16) -> tree::Expr {
        match self.environment {
            Some(captures) if usize::from(local) < captures => {
                tree::Expr::Field(Box::new(tree::Expr::Local(0)), local.to_string())
            }
            _ => tree::Expr::Local(self.number(local)),
        }
    }

    /// A parameter, or a part of one.
    fn path(&self, place: &PlacePath) -> tree::Expr {
        place
            .fields
            .iter()
            .fold(self.local(place.local), |base, (_, member)| {
                tree::Expr::Field(Box::new(base), member_name(member))
            })
    }

    fn block(&self, block: &Block) -> tree::Block {
        tree::Block {
            statements: block
                .statements
                .iter()
                .filter_map(|s| self.statement(s))
                .collect(),
            tail: block.tail.as_ref().map(|e| self.boxed(e)),
        }
    }

    fn statement(&self, statement: &Statement) -> Option<tree::Statement> {
        Some(match statement {
            Statement::Expr(e, _) => tree::Statement::Expr(self.expr(e)),
            Statement::Let(l) => {
                let init = l.init.as_ref().map(|(_, e)| self.expr(e));
                match &l.binding {
                    None => tree::Statement::Expr(init?),
                    Some((local, name)) => tree::Statement::Let {
                        local: self.number(*local),
                        name: name.to_string(),
                        mutable: l.mutability.is_some() || init.is_none(),
                        ty: l.hole.map(tree::TypeRef::Hole),
                        init,
                    },
                }
            }
        })
    }

    fn boxed(&self, e: &Expr) -> Box<tree::Expr> {
        Box::new(self.expr(e))
    }

    fn expr(&self, e: &Expr) -> tree::Expr {
        match &e.kind {
            ExprKind::Literal(l) => literal(l, None),
            ExprKind::Unit(_) => tree::Expr::Unit,
            ExprKind::Local(local, _) => self.local(*local),
            ExprKind::Constant(n, _) => tree::Expr::Constant(*n),
            ExprKind::Paren(paren, e) => {
                let mut inner = self.expr(e);
                // To rustc the place of an operator is that of the parentheses around it.
                if let tree::Expr::Binary(.., at) | tree::Expr::Index(.., at) = &mut inner {
                    *at = self.position(paren.span.open());
                }
                inner
            }
            ExprKind::Binary(op, _, a, b) => {
                tree::Expr::Binary(*op, self.boxed(a), self.boxed(b), self.position(a.span))
            }
            ExprKind::Lazy(op, _, a, b) => tree::Expr::Lazy(*op, self.boxed(a), self.boxed(b)),
            ExprKind::Unary(op, _, a) => tree::Expr::Unary(*op, self.boxed(a)),
            ExprKind::Cast(c) => self.cast(c),
            ExprKind::Assign(place, _, value) => tree::Expr::Assign(self.place(place), self.boxed(value)),
            ExprKind::AssignOp(op, _, place, value) => {
                tree::Expr::AssignOp(*op, self.place(place), self.boxed(value), self.position(e.span))
            }
            ExprKind::Index(i) => {
                let base = Box::new(self.path(&i.base));
                tree::Expr::Index(base, self.boxed(&i.index), self.position(i.base.name.span()))
            }
            ExprKind::Field(place) => self.path(place),
            ExprKind::Method(m) => {
                let args = std::iter::once(&*m.receiver)
                    .chain(&m.args)
                    .map(|a| self.expr(a))
                    .collect();
                tree::Expr::Call(m.link, args, self.position(m.name.span()))
            }
            ExprKind::Call(c) => {
                let args = c.args.iter().map(|a| self.expr(a)).collect();
                tree::Expr::Call(c.link, args, self.position(c.path.span()))
            }
            ExprKind::CallParam(c) => {
                let captures = self.local(c.local);
                let args = std::iter::once(captures).chain(c.args.iter().map(|a| self.expr(a)));
                tree::Expr::Call(c.link, args.collect(), self.position(c.name.span()))
            }
            ExprKind::If(i) => {
                let otherwise = i.otherwise.as_ref().map(|(_, e)| self.boxed(e));
                tree::Expr::If(self.boxed(&i.condition), self.block(&i.then), otherwise)
            }
            ExprKind::Block(label, block) => {
                tree::Expr::Block(label.as_ref().map(|(n, _)| *n), self.block(block))
            }
            ExprKind::Unsafe(_, block) => tree::Expr::Block(None, self.block(block)),
            ExprKind::While(l, _, condition) => {
                tree::Expr::While(l.number, self.boxed(condition), self.block(&l.body))
            }
            ExprKind::Loop(l, _) => tree::Expr::Loop(l.number, self.block(&l.body)),
            ExprKind::For(f) => self.for_(f),
            ExprKind::Break(target, _, _, value) => {
                tree::Expr::Break(*target, value.as_ref().map(|v| self.boxed(v)))
            }
            ExprKind::Continue(target, ..) => tree::Expr::Continue(*target),
            ExprKind::Return(_, value) => tree::Expr::Return(value.as_ref().map(|v| self.boxed(v))),
        }
    }

    /// A literal right under `as` is of the cast's type, where it can be.
    fn cast(&self, c: &Cast) -> tree::Expr {
        let ty = tree::TypeRef::Hole(c.hole);
        match &c.operand.kind {
            ExprKind::Literal(
                l @ Literal {
                    ty: LiteralType::Cast,
                    ..
                },
            ) => literal(l, Some(ty)),
            _ => tree::Expr::Cast(self.boxed(&c.operand), ty),
        }
    }

    fn place(&self, place: &Place) -> tree::Place {
        match place {
            Place::Local(local, _) => tree::Place::Local(self.number(*local)),
            Place::Index(i) => {
                let base = Box::new(self.path(&i.base));
                tree::Place::Index(base, self.boxed(&i.index), self.position(i.base.name.span()))
            }
            Place::Discard(_) => tree::Place::Discard,
        }
    }

    fn for_(&self, f: &For) -> tree::Expr {
        let (variable, mutable) = match &f.variable {
            Variable::Named {
                local,
                name,
                mutability,
            } => (
                Some((self.number(*local), name.to_string())),
                mutability.is_some(),
            ),
            Variable::Wild(_) => (None, false),
        };
        let ops = f.ops.iter().map(|op| match op {
            RangeOp::Rev(..) => tree::RangeOp::Rev,
            RangeOp::StepBy(_, name, step) => {
                tree::RangeOp::StepBy(self.expr(step), self.position(name.span()))
            }
        });
        tree::Expr::For {
            label: f.head.number,
            variable,
            mutable,
            start: self.boxed(&f.start),
            end: self.boxed(&f.end),
            inclusive: matches!(f.limits, syn::RangeLimits::Closed(_)),
            ops: ops.collect(),
            body: self.block(&f.head.body),
        }
    }
}

/// A literal. `cast` is the type of the cast right above it.
fn literal(l: &Literal, cast: Option<tree::TypeRef>) -> tree::Expr {
    let ty = match l.ty {
        LiteralType::Known(scalar) => tree::TypeRef::Known(scalar),
        LiteralType::Hole(hole) => tree::TypeRef::Hole(hole),
        // Only a cast has such a literal, and it hands its type down.
        LiteralType::Cast => cast.unwrap_or(tree::TypeRef::Known(gridfn_ir::Scalar::I32)),
    };
    let negative = l.minus.is_some();
    match l.value {
        LiteralValue::Bool(b) => match cast {
            Some(ty) => tree::Expr::Cast(Box::new(tree::Expr::Bool(b)), ty),
            None => tree::Expr::Bool(b),
        },
        LiteralValue::Int(value) => tree::Expr::Int { value, negative, ty },
        LiteralValue::Float { single, double } => {
            let sign = if negative { -1.0 } else { 1.0 };
            tree::Expr::Float {
                single: sign as f32 * single,
                double: sign * double,
                ty,
            }
        }
    }
}
