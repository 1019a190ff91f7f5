//! Filling holes from the source alone: the signature's types, suffixes, annotated `let`s, casts, and operators on
//! equal types. No name is looked up, and at the first unknown it gives up: the kernel is then compiled at first use.

use super::Callee;
use crate::parse::ast::{Function, LinkHole, ParamKind, TypeHole};
use gridfn_ir::methods::{Class, Kind};
use gridfn_ir::tree::{BinaryOp, Binding, Block, Expr, Pattern, RangeOp, Statement, Tree, TypeRef};
use gridfn_ir::{IndexFunction, Method, Scalar, Type};
use quote::ToTokens;
use std::collections::HashMap;

/// Every hole, filled.
pub(super) struct Filled {
    pub(super) types: Vec<Type>,
    pub(super) links: Vec<Callee>,
}

impl Filled {
    /// Fills one hole wrongly, for the test that a wrong fill does not compile.
    pub(super) fn spoil(&mut self) {
        let wrong = |ty: &Type| {
            Type::Scalar(if *ty == Type::Scalar(Scalar::U8) {
                Scalar::I8
            } else {
                Scalar::U8
            })
        };
        if let Some(last) = self
            .types
            .iter_mut()
            .rev()
            .find(|ty| matches!(ty, Type::Scalar(_)))
        {
            *last = wrong(last);
        }
    }
}

/// Fills every hole of a kernel, or gives up.
pub(super) fn fill(f: &Function, tree: &Tree) -> Option<Filled> {
    let mut solver = Solver::new(f);
    for (n, hole) in f.holes.types.iter().enumerate() {
        let scalar = match hole {
            TypeHole::Param(p) => match &f.params[*p].kind {
                ParamKind::Value => scalar(&f.params[*p].ty)?,
                ParamKind::Slice { element, .. } => scalar(element)?,
                ParamKind::Reference { .. }
                | ParamKind::Atomics { .. }
                | ParamKind::Argument
                | ParamKind::Tuple(_)
                | ParamKind::Function(_)
                | ParamKind::Callable
                | ParamKind::Capture(_) => return None,
            },
            TypeHole::Written(ty) => scalar(ty)?,
            TypeHole::Result | TypeHole::Inferred(_) => continue,
            TypeHole::LocalArray(_) => return None,
        };
        solver.is(n, scalar)?;
    }
    for n in 0..f.params.len() {
        solver.locals.insert(n as u16, n);
    }
    for (local, ty) in &f.annotations {
        solver.annotations.insert(*local, scalar(ty)?);
    }
    solver.block(&tree.body)?;
    let types = f.holes.types.iter().enumerate().map(|(n, hole)| match hole {
        TypeHole::Result => Some(Type::Unit),
        TypeHole::Param(p) => {
            let scalar = solver.scalar(n)?;
            Some(match &f.params[*p].kind {
                ParamKind::Value => Type::Scalar(scalar),
                ParamKind::Slice { access, .. } => Type::Slice {
                    element: scalar.ty(),
                    access: *access,
                },
                ParamKind::Reference { .. }
                | ParamKind::Atomics { .. }
                | ParamKind::Argument
                | ParamKind::Tuple(_)
                | ParamKind::Function(_)
                | ParamKind::Callable
                | ParamKind::Capture(_) => return None,
            })
        }
        TypeHole::LocalArray(_) => None,
        TypeHole::Written(_) | TypeHole::Inferred(_) => solver.scalar(n).map(Type::Scalar),
    });
    let types = types.collect::<Option<_>>()?;
    Some(Filled {
        types,
        links: solver.links.into_iter().collect::<Option<_>>()?,
    })
}

/// A built-in type, by its name.
fn scalar(ty: &syn::Type) -> Option<Scalar> {
    Scalar::from_name(&ty.to_token_stream().to_string())
}

/// The variable that a pattern is, or none for `_`; nothing for any other pattern.
fn named(pattern: &Pattern) -> Option<Option<u16>> {
    match pattern {
        Pattern::Wild => Some(None),
        Pattern::Bind(
            Binding {
                local,
                by_reference: None,
                ..
            },
            None,
        ) => Some(Some(*local)),
        _ => None,
    }
}

/// What is known of a type.
#[derive(Clone, Copy, PartialEq)]
enum Known {
    Nothing,
    Integer,
    Float,
    Is(Scalar),
}

/// A type variable; the first ones are the type holes.
type Var = usize;

struct Solver<'f> {
    function: &'f Function,
    parents: Vec<Var>,
    known: Vec<Known>,
    locals: HashMap<u16, Var>,
    /// The types of annotated `let`s.
    annotations: HashMap<u16, Scalar>,
    /// The types of the values that loops and blocks are left with.
    breaks: HashMap<u16, Var>,
    links: Vec<Option<Callee>>,
}

impl<'f> Solver<'f> {
    fn new(function: &'f Function) -> Solver<'f> {
        let types = function.holes.types.len();
        Solver {
            function,
            parents: (0..types).collect(),
            known: vec![Known::Nothing; types],
            locals: HashMap::new(),
            annotations: HashMap::new(),
            breaks: HashMap::new(),
            links: vec![None; function.holes.links.len()],
        }
    }

    fn var(&mut self, known: Known) -> Var {
        self.parents.push(self.parents.len());
        self.known.push(known);
        self.parents.len() - 1
    }

    fn root(&self, mut var: Var) -> Var {
        while self.parents[var] != var {
            var = self.parents[var];
        }
        var
    }

    fn at(&self, var: Var) -> Known {
        self.known[self.root(var)]
    }

    /// The type, with Rust's defaults for literals that nothing else decides.
    fn scalar(&self, var: Var) -> Option<Scalar> {
        match self.at(var) {
            Known::Is(scalar) => Some(scalar),
            Known::Integer => Some(Scalar::I32),
            Known::Float => Some(Scalar::F64),
            Known::Nothing => None,
        }
    }

    fn equal(&mut self, a: Var, b: Var) -> Option<Var> {
        let (a, b) = (self.root(a), self.root(b));
        let known = match (self.known[a], self.known[b]) {
            (Known::Nothing, k) | (k, Known::Nothing) => k,
            (Known::Integer, Known::Is(s)) | (Known::Is(s), Known::Integer) if s.is_integer() => Known::Is(s),
            (Known::Float, Known::Is(s)) | (Known::Is(s), Known::Float) if s.is_float() => Known::Is(s),
            (x, y) if x == y => x,
            _ => return None,
        };
        self.parents[a] = b;
        self.known[b] = known;
        Some(b)
    }

    fn is(&mut self, var: Var, scalar: Scalar) -> Option<Var> {
        let other = self.var(Known::Is(scalar));
        self.equal(var, other)
    }

    fn block(&mut self, block: &Block) -> Option<Var> {
        for statement in &block.statements {
            match statement {
                Statement::Let {
                    pattern,
                    ty,
                    init,
                    otherwise: None,
                } => {
                    let var = match ty {
                        Some(TypeRef::Hole(hole)) => *hole as usize,
                        Some(TypeRef::Known(scalar)) => self.var(Known::Is(*scalar)),
                        None => self.var(Known::Nothing),
                    };
                    let local = named(pattern)?;
                    if let Some(scalar) = local.and_then(|local| self.annotations.get(&local)).copied() {
                        self.is(var, scalar)?;
                    }
                    if let Some(init) = init {
                        let init = self.expr(init)?;
                        self.equal(var, init)?;
                    }
                    if let Some(local) = local {
                        self.locals.insert(local, var);
                    }
                }
                Statement::Let {
                    otherwise: Some(_), ..
                }
                | Statement::PerItem(_) => return None,
                Statement::Expr(e) => {
                    self.expr(e)?;
                }
            }
        }
        match &block.tail {
            Some(e) => self.expr(e),
            None => Some(self.var(Known::Nothing)),
        }
    }

    fn type_ref(&mut self, ty: TypeRef) -> Var {
        match ty {
            TypeRef::Hole(hole) => hole as usize,
            TypeRef::Known(scalar) => self.var(Known::Is(scalar)),
        }
    }

    fn literal(&mut self, ty: TypeRef, known: Known) -> Option<Var> {
        let var = self.type_ref(ty);
        // A literal right under `as` has the cast's type, which may be of the other class.
        if let Known::Is(_) = self.at(var) {
            return Some(var);
        }
        let literal = self.var(known);
        self.equal(var, literal)
    }

    fn condition(&mut self, e: &Expr) -> Option<()> {
        let var = self.expr(e)?;
        self.is(var, Scalar::Bool).map(|_| ())
    }

    fn binary(&mut self, op: BinaryOp, a: Var, b: Var) -> Option<Var> {
        if !matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            self.equal(a, b)?;
        }
        Some(match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.var(Known::Is(Scalar::Bool))
            }
            _ => a,
        })
    }

    fn element(&mut self, base: &Expr, index: &Expr) -> Option<Var> {
        let index = self.expr(index)?;
        self.is(index, Scalar::Usize)?;
        self.slice(base)
    }

    /// The elements' type of a parameter that is a slice.
    fn slice(&self, e: &Expr) -> Option<Var> {
        match e {
            Expr::Local(local) if self.is_slice(*local) => self.locals.get(local).copied(),
            _ => None,
        }
    }

    fn expr(&mut self, e: &Expr) -> Option<Var> {
        Some(match e {
            Expr::Int { ty, .. } => self.literal(*ty, Known::Integer)?,
            Expr::Float { ty, .. } => self.literal(*ty, Known::Float)?,
            Expr::Bool(_) => self.var(Known::Is(Scalar::Bool)),
            Expr::Unit => self.var(Known::Nothing),
            Expr::Local(local) if self.is_slice(*local) => return None,
            Expr::Local(local) => *self.locals.get(local)?,
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*op, a, b)?
            }
            Expr::Lazy(_, a, b) => {
                self.condition(a)?;
                self.condition(b)?;
                self.var(Known::Is(Scalar::Bool))
            }
            Expr::Unary(_, a) => self.expr(a)?,
            Expr::Cast(a, ty) => {
                self.expr(a)?;
                self.type_ref(*ty)
            }
            Expr::Assign(place, value) => {
                let (value, place) = (self.expr(value)?, self.expr(place)?);
                self.equal(place, value)?;
                self.var(Known::Nothing)
            }
            Expr::AssignOp(op, place, value, _) => {
                let (value, place) = (self.expr(value)?, self.expr(place)?);
                self.binary(*op, place, value)?;
                self.var(Known::Nothing)
            }
            Expr::Index(base, index, _) => self.element(base, index)?,
            Expr::Call(link, args, _) => self.call(*link as usize, args)?,
            Expr::If(condition, then, otherwise) => {
                self.condition(condition)?;
                let then = self.block(then)?;
                match otherwise {
                    Some(e) => {
                        let otherwise = self.expr(e)?;
                        self.equal(then, otherwise)?
                    }
                    None => then,
                }
            }
            Expr::Block(label, block) => {
                let value = self.var(Known::Nothing);
                if let Some(label) = label {
                    self.breaks.insert(*label, value);
                }
                let tail = self.block(block)?;
                self.equal(value, tail)?
            }
            Expr::While(_, condition, body) => {
                self.condition(condition)?;
                self.block(body)?;
                self.var(Known::Nothing)
            }
            Expr::Loop(label, body) => {
                let value = self.var(Known::Nothing);
                self.breaks.insert(*label, value);
                self.block(body)?;
                value
            }
            Expr::For {
                pattern,
                start,
                end,
                ops,
                body,
                ..
            } => {
                let (start, end) = (self.expr(start)?, self.expr(end)?);
                self.equal(start, end)?;
                for op in ops {
                    if let RangeOp::StepBy(step, _) = op {
                        let step = self.expr(step)?;
                        self.is(step, Scalar::Usize)?;
                    }
                }
                if let Some(local) = named(pattern)? {
                    self.locals.insert(local, start);
                }
                self.block(body)?;
                self.var(Known::Nothing)
            }
            Expr::Break(label, value) => {
                if let Some(value) = value {
                    let (value, target) = (self.expr(value)?, *self.breaks.get(label)?);
                    self.equal(target, value)?;
                }
                self.var(Known::Nothing)
            }
            Expr::Constant(_)
            | Expr::Operator(..)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Repeat(..)
            | Expr::Construct { .. }
            | Expr::Reference(..)
            | Expr::Deref(_)
            | Expr::Subslice { .. }
            | Expr::Match(..)
            | Expr::Let(..)
            | Expr::Try(_)
            | Expr::Panic(..)
            | Expr::Print(..)
            | Expr::Closure(_)
            | Expr::Function(..)
            | Expr::CallClosure(..)
            | Expr::ForEach { .. }
            | Expr::Consume(..)
            | Expr::Barrier
            | Expr::LocalArray(_)
            | Expr::Uniform(_)
            | Expr::Subgroup(..)
            | Expr::Field(..) => return None,
            Expr::Continue(_) => self.var(Known::Nothing),
            Expr::Return(value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                }
                self.var(Known::Nothing)
            }
        })
    }

    fn call(&mut self, link: usize, args: &[Expr]) -> Option<Var> {
        match &self.function.holes.links[link] {
            LinkHole::Index(name) => {
                let index = IndexFunction::from_name(&name.to_string())?;
                self.links[link] = Some(Callee::Index(index));
                for arg in args {
                    let arg = self.expr(arg)?;
                    self.is(arg, Scalar::Usize)?;
                }
                Some(self.var(Known::Is(Scalar::Usize)))
            }
            LinkHole::Method(name) => {
                let (name, receiver) = (name.to_string(), args.first()?);
                let slice = self.slice(receiver);
                let var = match slice {
                    Some(elements) => elements,
                    None => self.expr(receiver)?,
                };
                let method = match self.at(var) {
                    _ if slice.is_some() => Method::find(&name, |class| class == Class::Slice)?,
                    Known::Is(scalar) => Method::find(&name, |class| class.has(scalar))?,
                    Known::Nothing | Known::Integer | Known::Float => return None,
                };
                self.links[link] = Some(Callee::Method(method));
                if args.len() != method.arguments().len() + 1 {
                    return None;
                }
                for (arg, kind) in args[1..].iter().zip(method.arguments()) {
                    let (arg, expected) = (self.expr(arg)?, self.kind(*kind, var)?);
                    self.equal(arg, expected)?;
                }
                self.kind(method.result(), var)
            }
            LinkHole::Path(_)
            | LinkHole::Associated(_)
            | LinkHole::Function(_)
            | LinkHole::Words(_)
            | LinkHole::Operator(_)
            | LinkHole::Parameter(_) => None,
        }
    }

    fn is_slice(&self, local: u16) -> bool {
        let param = self.function.params.get(local as usize);
        param.is_some_and(|p| matches!(p.kind, ParamKind::Slice { .. }))
    }

    fn kind(&mut self, kind: Kind, receiver: Var) -> Option<Var> {
        let scalar = match kind {
            Kind::Same => return Some(receiver),
            Kind::U32 => Scalar::U32,
            Kind::F32 => Scalar::F32,
            Kind::F64 => Scalar::F64,
            Kind::I32 => Scalar::I32,
            Kind::Bool => Scalar::Bool,
            Kind::Usize => Scalar::Usize,
            Kind::Unsigned | Kind::Bits => match self.at(receiver) {
                Known::Is(scalar) => scalar.unsigned(),
                Known::Nothing | Known::Integer | Known::Float => return None,
            },
            Kind::Signed => match self.at(receiver) {
                Known::Is(scalar) => scalar.signed(),
                Known::Nothing | Known::Integer | Known::Float => return None,
            },
        };
        Some(self.var(Known::Is(scalar)))
    }
}
