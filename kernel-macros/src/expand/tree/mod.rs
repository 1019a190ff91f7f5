//! The tree that devices compile.

mod groups;
mod iterator;

use super::position::{overloadable, start};
use crate::check::Uniformity;
use crate::parse::ast::*;
use gridfn_ir::{Access, tree};
use groups::Groups;
use proc_macro2::Span;
use syn::spanned::Spanned;

/// The tree of a function; positions count from the line of its name.
pub(crate) fn tree(f: &Function, kind: tree::Kind, uniformity: Option<&Uniformity>) -> tree::Tree {
    let walk = Walk {
        groups: uniformity.filter(|u| u.waits()).map(Groups::new),
        first_line: f.name.span().start().line,
        environment: f.environment,
        result: f.group_result(),
    };
    let environment = f.environment.map(|_| ("captures".to_string(), false, true));
    let own = f.params.iter().skip(f.environment.unwrap_or(0));
    let params = environment.into_iter().chain(own.map(|p| {
        (
            p.shown(),
            p.mutability.is_some(),
            !matches!(p.kind, ParamKind::Callable),
        )
    }));
    let params: Vec<_> = (0..)
        .zip(params)
        .map(|(n, (name, mutable, has_type))| tree::Param {
            name,
            mutable,
            ty: has_type.then_some(tree::TypeRef::Hole(n)),
        })
        .collect();
    tree::Tree {
        name: f.name.to_string(),
        kind,
        result: tree::TypeRef::Hole(params.len() as u16),
        params,
        waits: walk.groups.is_some(),
        body: match f.group {
            Some(group) => walk.body_of_group(f, group),
            None => walk.block(&f.body),
        },
    }
}

struct Walk<'u> {
    first_line: usize,
    environment: Option<usize>,
    /// Of a kernel whose items wait for each other.
    groups: Option<Groups<'u>>,
    /// The variable for each item's result of a group function.
    result: Option<u16>,
}

impl Walk<'_> {
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

    fn block(&self, block: &Block) -> tree::Block {
        match self.common() {
            Some(groups) => self.common_block(groups, block),
            None => self.plain_block(block),
        }
    }

    fn plain_block(&self, block: &Block) -> tree::Block {
        tree::Block {
            statements: block.statements.iter().map(|s| self.statement(s)).collect(),
            tail: block.tail.as_ref().map(|e| self.boxed(e)),
        }
    }

    fn statement(&self, statement: &Statement) -> tree::Statement {
        match statement {
            Statement::Expr(e, _) => tree::Statement::Expr(self.expr(e)),
            Statement::Let(l) => tree::Statement::Let {
                pattern: self.let_pattern(l),
                ty: l.hole.map(tree::TypeRef::Hole),
                init: l.init.as_ref().map(|(_, e)| self.expr(e)),
                otherwise: l.otherwise.as_ref().map(|(_, block)| self.block(block)),
            },
        }
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
                tree::Expr::Binary(*op, self.boxed(a), self.boxed(b), self.position(start(a)))
            }
            ExprKind::Lazy(op, _, a, b) => tree::Expr::Lazy(*op, self.boxed(a), self.boxed(b)),
            ExprKind::Unary(op, _, a) => tree::Expr::Unary(*op, self.boxed(a)),
            ExprKind::Cast(c) => self.cast(c),
            ExprKind::Assign(place, _, value) => tree::Expr::Assign(self.boxed(place), self.boxed(value)),
            ExprKind::Discard(_, _, value) => {
                let discard = tree::Statement::Let {
                    pattern: tree::Pattern::Wild,
                    ty: None,
                    init: Some(self.expr(value)),
                    otherwise: None,
                };
                let statements = vec![discard];
                tree::Expr::Block(
                    None,
                    tree::Block {
                        statements,
                        tail: None,
                    },
                )
            }
            ExprKind::AssignOp(op, _, place, value) => {
                tree::Expr::AssignOp(*op, self.boxed(place), self.boxed(value), self.position(start(e)))
            }
            ExprKind::Overloadable(link, e) => self.overloadable(*link, e),
            ExprKind::Tuple(_, all) => tree::Expr::Tuple(self.all(all)),
            ExprKind::Array(_, all) => tree::Expr::Array(self.all(all)),
            ExprKind::Repeat(r) => tree::Expr::Repeat(self.boxed(&r.value), tree::TypeRef::Hole(r.hole)),
            ExprKind::Construct(c) => self.construct(c),
            ExprKind::Field(base, _, member) => tree::Expr::Field(self.boxed(base), member_name(member)),
            ExprKind::Index(i) => {
                tree::Expr::Index(self.boxed(&i.base), self.boxed(&i.index), self.position(start(e)))
            }
            ExprKind::Subslice(s) => tree::Expr::Subslice {
                base: self.boxed(&s.base),
                start: s.start.as_ref().map(|e| self.boxed(e)),
                end: s.end.as_ref().map(|e| self.boxed(e)),
                inclusive: matches!(s.limits, syn::RangeLimits::Closed(_)),
                at: self.position(start(e)),
            },
            ExprKind::Reference(_, mutability, place) => {
                let access = match mutability {
                    Some(_) => Access::Unique,
                    None => Access::Shared,
                };
                tree::Expr::Reference(access, self.boxed(place))
            }
            ExprKind::Deref(_, e) => tree::Expr::Deref(self.boxed(e)),
            ExprKind::Method(m) => {
                let args = std::iter::once(&*m.receiver)
                    .chain(&m.args)
                    .map(|a| self.expr(a))
                    .collect();
                tree::Expr::Call(m.link, args, self.position(m.name.span()))
            }
            ExprKind::Call(c) => tree::Expr::Call(c.link, self.all(&c.args), self.position(c.path.span())),
            ExprKind::CallParam(c) => {
                let captures = self.local(c.local);
                let args = std::iter::once(captures).chain(c.args.iter().map(|a| self.expr(a)));
                tree::Expr::Call(c.link, args.collect(), self.position(c.name.span()))
            }
            ExprKind::If(i) => {
                let otherwise = i.otherwise.as_ref().map(|(_, e)| Box::new(self.branch(e)));
                tree::Expr::If(self.boxed(&i.condition), self.block(&i.then), otherwise)
            }
            ExprKind::Match(m) => {
                let arms = m.arms.iter().map(|arm| tree::Arm {
                    pattern: self.pattern(&arm.pattern),
                    guard: arm.guard.as_ref().map(|(_, e)| self.expr(e)),
                    body: self.branch(&arm.body),
                });
                tree::Expr::Match(self.boxed(&m.value), arms.collect())
            }
            ExprKind::Let(_, pattern, _, value) => {
                tree::Expr::Let(Box::new(self.pattern(pattern)), self.boxed(value))
            }
            ExprKind::Try(e, _) => tree::Expr::Try(self.boxed(e)),
            ExprKind::Block(label, block) => {
                tree::Expr::Block(label.as_ref().map(|(n, _)| *n), self.block(block))
            }
            ExprKind::Unsafe(_, block) => tree::Expr::Block(None, self.block(block)),
            ExprKind::While(l, _, condition) => {
                tree::Expr::While(l.number, self.boxed(condition), self.block(&l.body))
            }
            ExprKind::Loop(l, _) => tree::Expr::Loop(l.number, self.block(&l.body)),
            ExprKind::For(f) => self.for_(f),
            ExprKind::ForEach(f) => self.for_each(f),
            ExprKind::Consume(c) => self.consume(c),
            ExprKind::Closure(c) => tree::Expr::Closure(self.closure(c)),
            ExprKind::Function(f) => {
                let captures = match &f.of {
                    PassedOn::Device(_) => None,
                    PassedOn::Parameter(local, _) => Some(Box::new(self.local(*local))),
                };
                tree::Expr::Function(f.link, captures)
            }
            ExprKind::CallClosure(c) => self.call_closure(c),
            ExprKind::Break(target, _, _, value) => {
                tree::Expr::Break(*target, value.as_ref().map(|v| self.boxed(v)))
            }
            ExprKind::Continue(target, ..) => tree::Expr::Continue(*target),
            ExprKind::Panic(p) => {
                let shown = p.shown.iter().rev().fold(tree::Expr::Unit, |rest, (_, e)| {
                    tree::Expr::Tuple(vec![self.expr(e), rest])
                });
                match p.prints {
                    true => tree::Expr::Print(p.link, Box::new(shown)),
                    false => tree::Expr::Panic(p.link, Box::new(shown), self.position(p.at)),
                }
            }
            ExprKind::Barrier(_) => tree::Expr::Barrier,
            ExprKind::LocalArray(_, hole) => tree::Expr::LocalArray(tree::TypeRef::Hole(*hole)),
            ExprKind::Uniform(_, value) => self.uniform(value),
            ExprKind::Together(t) => self.together(t),
            ExprKind::Return(_, None) if self.result.is_some() => {
                tree::Expr::Return(self.result.map(|local| Box::new(tree::Expr::Local(local))))
            }
            ExprKind::Subgroup(s) => self.hoisted(
                tree::Expr::Subgroup(s.function, self.all(&s.args)),
                s.function.name(),
            ),
            ExprKind::Return(_, value) => tree::Expr::Return(value.as_ref().map(|v| self.boxed(v))),
        }
    }

    /// An operator that may be a user's function.
    fn overloadable(&self, link: u16, e: &Expr) -> tree::Expr {
        let (operator, operands) = match &e.kind {
            // Of users' types the attribute knows `eq` alone, of which Rust makes `ne` by default.
            ExprKind::Binary(tree::BinaryOp::Ne, _, a, b) => {
                let operands = vec![self.expr(a), self.expr(b)];
                let operator = tree::Operator::Binary(tree::BinaryOp::Eq);
                let equal = tree::Expr::Operator(operator, link, operands, self.position(start(a)));
                return tree::Expr::Unary(tree::UnaryOp::Not, Box::new(equal));
            }
            ExprKind::Binary(op, _, a, b) => (tree::Operator::Binary(*op), vec![self.expr(a), self.expr(b)]),
            ExprKind::AssignOp(op, _, place, value) => (
                tree::Operator::Assign(*op),
                vec![self.expr(place), self.expr(value)],
            ),
            ExprKind::Unary(op, _, a) => (tree::Operator::Unary(*op), vec![self.expr(a)]),
            _ => return self.expr(e),
        };
        tree::Expr::Operator(operator, link, operands, self.position(overloadable(e)))
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

    fn all(&self, all: &[Expr]) -> Vec<tree::Expr> {
        all.iter().map(|e| self.expr(e)).collect()
    }

    fn construct(&self, c: &Construct) -> tree::Expr {
        let (fields, base) = match &c.form {
            Form::Fields { fields, base, .. } => {
                let fields = fields.iter().map(|(m, e)| (member_name(m), self.expr(e)));
                (fields.collect(), base.as_ref().map(|(_, e)| self.boxed(e)))
            }
            Form::Call(_, args) => {
                let fields = args
                    .iter()
                    .enumerate()
                    .map(|(n, e)| (n.to_string(), self.expr(e)));
                (fields.collect(), None)
            }
            Form::Unit => (vec![], None),
        };
        tree::Expr::Construct {
            ty: tree::TypeRef::Hole(c.hole),
            name: last_name(&c.path),
            fields,
            base,
        }
    }

    fn for_(&self, f: &For) -> tree::Expr {
        let ops = f.ops.iter().map(|op| match op {
            RangeOp::Rev(..) => tree::RangeOp::Rev,
            RangeOp::StepBy(_, name, step) => {
                tree::RangeOp::StepBy(self.expr(step), self.position(name.span()))
            }
        });
        tree::Expr::For {
            label: f.head.number,
            pattern: self.pattern(&f.pattern),
            start: self.boxed(&f.start),
            end: self.boxed(&f.end),
            inclusive: matches!(f.limits, syn::RangeLimits::Closed(_)),
            ops: ops.collect(),
            body: self.block(&f.head.body),
        }
    }

    /// The pattern of a `let`. Without initialiser the variable is assigned later.
    fn let_pattern(&self, l: &Let) -> tree::Pattern {
        let mut pattern = self.pattern(&l.pattern);
        if let (None, tree::Pattern::Bind(binding, _)) = (&l.init, &mut pattern) {
            binding.mutable = true;
        }
        pattern
    }

    fn pattern(&self, pattern: &Pattern) -> tree::Pattern {
        match pattern {
            // `..` stands in a list only, which looks for it; rustc refuses it elsewhere.
            Pattern::Wild(_) | Pattern::Rest(_) => tree::Pattern::Wild,
            Pattern::Bind(binding, inner) => {
                let inner = inner.as_ref().map(|(_, inner)| Box::new(self.pattern(inner)));
                tree::Pattern::Bind(self.binding(binding), inner)
            }
            Pattern::Value(value) => tree::Pattern::Constant(pattern_value(value)),
            Pattern::Range { start, limits, end } => tree::Pattern::Range {
                start: start.as_ref().map(pattern_value),
                end: end.as_ref().map(pattern_value),
                inclusive: matches!(limits, syn::RangeLimits::Closed(_)),
            },
            Pattern::Paren(_, inner) => self.pattern(inner),
            Pattern::Tuple(_, all) => tree::Pattern::Tuple(self.elements(all)),
            Pattern::Array(_, all) => tree::Pattern::Array(self.elements(all)),
            Pattern::TupleStruct(path, _, all) => {
                tree::Pattern::TupleStruct(last_name(path), self.elements(all))
            }
            Pattern::Struct { path, fields, .. } => {
                let fields = fields.iter().map(|(m, p)| (member_name(m), self.pattern(p)));
                tree::Pattern::Struct(last_name(path), fields.collect())
            }
            Pattern::Unit(path) => tree::Pattern::Struct(last_name(path), vec![]),
            Pattern::Reference(_, _, inner) => tree::Pattern::Reference(Box::new(self.pattern(inner))),
            Pattern::Or(all) => tree::Pattern::Or(all.iter().map(|p| self.pattern(p)).collect()),
        }
    }

    fn binding(&self, binding: &Binding) -> tree::Binding {
        let mutable = binding.mutability.is_some();
        tree::Binding {
            local: self.number(binding.local),
            name: binding.name.to_string(),
            mutable: mutable && binding.by_reference.is_none(),
            by_reference: binding.by_reference.map(|_| match mutable {
                true => Access::Unique,
                false => Access::Shared,
            }),
        }
    }

    fn elements(&self, all: &[Pattern]) -> tree::Elements {
        let mut elements = tree::Elements::default();
        for pattern in all {
            match pattern {
                Pattern::Rest(_) => elements.rest = Some(None),
                Pattern::Bind(binding, Some((_, inner))) if matches!(**inner, Pattern::Rest(_)) => {
                    elements.rest = Some(Some(self.binding(binding)));
                }
                pattern => {
                    let side = match elements.rest {
                        None => &mut elements.before,
                        Some(_) => &mut elements.after,
                    };
                    side.push(self.pattern(pattern));
                }
            }
        }
        elements
    }
}

/// The last segment of a path.
fn last_name(path: &syn::Path) -> String {
    let last = path
        .segments
        .last()
        .map(|s| s.ident.to_string())
        .unwrap_or_default();
    last.strip_prefix("r#").unwrap_or(&last).to_string()
}

fn pattern_value(value: &PatternValue) -> tree::PatternValue {
    match value {
        PatternValue::Literal { value, negative, .. } => match *value {
            LiteralValue::Bool(b) => tree::PatternValue::Bool(b),
            LiteralValue::Int(value) => tree::PatternValue::Int {
                value,
                negative: *negative,
            },
            LiteralValue::Float { single, double } => {
                let sign = if *negative { -1.0 } else { 1.0 };
                tree::PatternValue::Float {
                    single: sign as f32 * single,
                    double: sign * double,
                }
            }
        },
        PatternValue::Constant(n, _) => tree::PatternValue::Constant(*n),
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
