//! Making a random kernel.
//!
//! The generator keeps what is in scope and how much may still be written; what is written is up to the rules.

use crate::ast::{Kernel, Name, Node, Param, Piece, Role};
use crate::form;
use crate::random::Random;
use crate::rows::{Row, Rule};
use crate::rules::{inexact, literals, loops, methods, panics, parameters};
use crate::shape::Shape;
use crate::types::{Bound, Type, scalars};
use gridfn_ir::Scalar;

/// The number of items of a launch.
pub const ITEMS: usize = 96;
/// The length of most slices: a power of two, so that a mask makes an index of anything.
pub const LENGTH: usize = 128;

/// A variable in scope.
#[derive(Clone)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Whether it may be assigned to.
    pub mutable: bool,
}

/// A place that is not a variable, and what can be read of it.
#[derive(Clone)]
pub struct Source {
    /// The row that reading it is an example of.
    pub row: Row,
    /// The type of what is read.
    pub ty: Type,
    /// Its text, without an index.
    pub base: Vec<Piece>,
    /// How it is indexed.
    pub index: Indexing,
    /// What stands behind the index: a field.
    pub field: String,
}

/// How a source is indexed.
#[derive(Clone, Copy, PartialEq)]
pub enum Indexing {
    /// Not at all.
    None,
    /// By anything below the length, which may not be a literal of the text.
    Below(usize),
    /// By the item's own index alone.
    Own,
}

/// A buffer of atomics.
#[derive(Clone, Copy)]
pub struct Atomics {
    /// Its name.
    pub name: Name,
    /// What they hold.
    pub of: Scalar,
    /// The one operation that all items use it by; none where each item has its own element.
    pub shared: Option<&'static str>,
}

/// A loop or labelled block around.
#[derive(Clone)]
pub struct Jump {
    /// Its label.
    pub label: Name,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// What a `break` out of it takes along; `None` for nothing.
    pub value: Option<Type>,
}

/// A `#[device]` function.
#[derive(Clone)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The types of its parameters.
    pub params: Vec<Type>,
    /// The type of its result.
    pub result: Option<Type>,
    /// Whether its first parameter is a slice of this type.
    pub slice: Option<Type>,
}

/// The state of a kernel that is being made.
pub struct Generator {
    /// What chance says.
    pub random: Random,
    /// The index of the item: the name of `let i = global_id(0)`; only in kernels.
    pub item: Option<Name>,
    /// The variables in scope; later ones may hide earlier ones.
    pub variables: Vec<Variable>,
    /// What else can be read.
    pub sources: Vec<Source>,
    /// The inputs of aggregates, as places without an index, and what their elements are.
    pub inputs: Vec<(Vec<Piece>, Shape)>,
    /// The buffers of atomics.
    pub atomics: Vec<Atomics>,
    /// The outputs, as places without an index, and what their elements are.
    pub outputs: Vec<(Vec<Piece>, Shape)>,
    /// The function that the kernel takes: its parameters and its result.
    pub taken: Option<(Name, [Scalar; 2], Scalar)>,
    /// What may be jumped out of, innermost last.
    pub jumps: Vec<Jump>,
    /// The constants that there are already.
    pub constants: Vec<(Name, Type)>,
    /// The functions that there are already.
    pub functions: Vec<Function>,
    /// Functions and constants.
    pub items: Vec<Node>,
    /// The kernel's parameters.
    pub params: Vec<Param>,
    /// What `return` takes along, in functions that have a result.
    pub result: Option<Type>,
    /// The type parameter of what is being written.
    pub t: Option<Bound>,
    /// Whether the kernel is a closure, in which a slice is a buffer that it captured.
    pub captures: bool,
    /// Whether the kernel may fault.
    pub faults: bool,
    /// Whether `return` may stand here: in closures it would leave these.
    pub returns: bool,
    /// Rows that the kernel shall be an example of: chance alone would leave some out for long.
    pub featured: Vec<Row>,
    names: Vec<String>,
    depth: usize,
    nesting: usize,
    loops: usize,
    budget: usize,
}

/// How deep expressions nest.
const DEPTH: usize = 3;
/// How many rows a kernel is made to be an example of.
const FEATURED: usize = 3;
/// How many expressions an example may have besides those that it must.
const LEAST: usize = 3;
/// How deep statements nest.
const NESTING: usize = 3;
/// How deep loops nest.
const LOOPS: usize = 2;

/// The kernel of a seed.
pub fn kernel(seed: u64) -> Kernel {
    let mut g = Generator::new(seed);
    let generic = g.random.chance(10).then(|| g.type_parameter());
    g.t = generic.map(|(bound, _)| bound);
    let is_closure = generic.is_none() && g.random.chance(15);
    g.featured = featured(seed);
    g.faults |= g
        .featured
        .iter()
        .any(|row| panics::is_panic(*row) || *row == Row::Unchecked);
    let needs_parameter = |row: &Row| parameters::needed(*row).is_some();
    let is_closure = is_closure && !g.featured.iter().any(needs_parameter);
    let fixed = g.random.chance(3) || g.featured.contains(&Row::FixedLocal);
    let local = (fixed && !is_closure).then(|| *g.random.pick(&[1, 8, 32, 40]));
    g.captures = is_closure;
    parameters::all(&mut g, is_closure);
    let item = g.name("at");
    g.item = Some(item);
    let mut body = vec![Node {
        row: Some(Row::GlobalId),
        ty: None,
        pieces: form!(
            "let $ = $;",
            Piece::Bind(item),
            Piece::Sides {
                kernel: "global_id(0)".into(),
                oracle: "item".into(),
            }
        ),
    }];
    let size = g.size();
    g.budget = size;
    body.extend(g.statements(1 + size / 8));
    for row in std::mem::take(&mut g.featured) {
        g.budget = g.budget.max(LEAST);
        body.extend(g.example(row));
    }
    body.extend(parameters::results(&mut g));
    Kernel {
        seed,
        names: g.names,
        generic,
        is_closure,
        local,
        items: g.items,
        params: g.params,
        body,
    }
}

/// The rows that a kernel shall be an example of: kernels of consecutive seeds take turns, so that no row waits for longer
/// than others, in an order that is another after each turn, so that other rows meet.
fn featured(seed: u64) -> Vec<Row> {
    let mut rows: Vec<Row> = Row::all().collect();
    let kernels = rows.len().div_ceil(FEATURED);
    let (turn, number) = (seed / kernels as u64, (seed % kernels as u64) as usize);
    let mut random = Random::new(turn);
    for n in (1..rows.len()).rev() {
        rows.swap(n, random.below(n + 1));
    }
    rows.into_iter().skip(number * FEATURED).take(FEATURED).collect()
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let faults = random.chance(15);
        Generator {
            random,
            item: None,
            variables: vec![],
            sources: vec![],
            inputs: vec![],
            atomics: vec![],
            outputs: vec![],
            taken: None,
            jumps: vec![],
            constants: vec![],
            functions: vec![],
            items: vec![],
            params: vec![],
            result: None,
            t: None,
            captures: false,
            faults,
            returns: true,
            featured: vec![],
            names: vec![],
            depth: 0,
            nesting: 0,
            loops: 0,
            budget: 0,
        }
    }

    /// How many expressions there are besides those of examples: mostly few, because most bugs show in little code, which
    /// is also built soonest; now and then many, because some bugs are of forms that meet.
    fn size(&mut self) -> usize {
        match self.random.below(20) {
            0..13 => self.random.below(5),
            13..18 => 5 + self.random.below(10),
            _ => 15 + self.random.below(25),
        }
    }

    fn type_parameter(&mut self) -> (Bound, Scalar) {
        let bound = *self.random.pick(&Bound::ALL);
        let fits: Vec<Scalar> = scalars().filter(|s| bound.has(*s)).collect();
        (bound, *self.random.pick(&fits))
    }

    /// A new name that begins so.
    pub fn name(&mut self, prefix: &str) -> Name {
        let n = self.names.len();
        let text = match self.random.below(40) {
            0 if !prefix.starts_with('\'') => format!("r#{prefix}{n}"),
            // Constants are told from unit structs by their capitals.
            1 if prefix.starts_with(char::is_uppercase) => format!("{prefix}Ö{n}"),
            1 if !prefix.starts_with('\'') => format!("{prefix}ö{n}"),
            // Of 128 bits there are no integers in kernels, whatever has their names.
            _ if n == 128 => format!("{prefix}_{n}"),
            _ => format!("{prefix}{n}"),
        };
        self.names.push(text);
        Name(n)
    }

    /// A new name with the text of another.
    pub fn again(&mut self, other: Name) -> Name {
        self.names.push(self.names[other.0].clone());
        Name(self.names.len() - 1)
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &str {
        &self.names[name.0]
    }

    /// Any built-in type, or a float of 16 bits.
    pub fn scalar(&mut self) -> Scalar {
        if self.random.chance(6) {
            *self.random.pick(&Scalar::HALVES)
        } else {
            *self.random.pick(&Scalar::PRIMITIVES)
        }
    }

    /// Any integer type.
    pub fn integer(&mut self) -> Scalar {
        self.scalar_that(Scalar::is_integer)
    }

    /// Any built-in type with that property.
    pub fn scalar_that(&mut self, keep: impl Fn(Scalar) -> bool) -> Scalar {
        let fits: Vec<Scalar> = Scalar::PRIMITIVES.into_iter().filter(|s| keep(*s)).collect();
        *self.random.pick(&fits)
    }

    /// Any type that values have here.
    pub fn ty(&mut self) -> Type {
        match self.t {
            Some(bound) if self.random.chance(40) => Type::T(bound),
            _ => self.scalar().into(),
        }
    }

    /// Any type of numbers.
    pub fn number(&mut self) -> Type {
        loop {
            let ty = self.ty();
            if ty.is_number() {
                return ty;
            }
        }
    }

    /// An expression.
    pub fn expr(&mut self, ty: impl Into<Type>) -> Node {
        let ty = &ty.into();
        if self.depth >= DEPTH || self.budget == 0 || self.random.chance(15) {
            return self.leaf(ty);
        }
        self.budget -= 1;
        self.depth += 1;
        let node = self.try_rules(ty);
        self.depth -= 1;
        node.unwrap_or_else(|| self.leaf(ty))
    }

    fn try_rules(&mut self, ty: &Type) -> Option<Node> {
        for _ in 0..40 {
            // Methods have one rule, and are a third of the language.
            let node = if self.random.chance(3) {
                methods::method(self, ty)
            } else if let (row, Rule::Expr(rule)) = *self.random.pick(Row::RULES) {
                rule(self, row, ty)
            } else {
                None
            };
            if node.is_some() {
                return node;
            }
        }
        None
    }

    /// An expression that is no deeper: a variable, what can be read, or a literal.
    pub fn leaf(&mut self, ty: &Type) -> Node {
        for _ in 0..3 {
            let found = if self.random.chance(60) {
                self.variable(ty)
            } else {
                self.source(ty)
            };
            if let Some(node) = found {
                return node;
            }
        }
        literals::any(self, ty)
    }

    /// A variable of that type.
    pub fn variable(&mut self, ty: &Type) -> Option<Node> {
        let of: Vec<Name> = self
            .variables
            .iter()
            .filter(|v| v.ty == *ty)
            .map(|v| v.name)
            .collect();
        if of.is_empty() {
            return None;
        }
        let name = *self.random.pick(&of);
        Some(Node::expr(Row::Variable, ty.clone(), form!("$", name)))
    }

    /// A mutable variable of a type that `keep` holds for.
    pub fn mutable(&mut self, keep: impl Fn(&Type) -> bool) -> Option<Variable> {
        let of: Vec<_> = self
            .variables
            .iter()
            .filter(|v| v.mutable && keep(&v.ty))
            .collect();
        if of.is_empty() {
            return None;
        }
        Some((*self.random.pick(&of)).clone())
    }

    /// Something else that can be read.
    pub fn source(&mut self, ty: &Type) -> Option<Node> {
        let of: Vec<_> = self.sources.iter().filter(|s| s.ty == *ty).collect();
        if of.is_empty() {
            return None;
        }
        let source = (*self.random.pick(&of)).clone();
        Some(self.read(source))
    }

    /// Reads a source.
    pub fn read(&mut self, source: Source) -> Node {
        let mut pieces = source.base;
        match source.index {
            Indexing::None => {}
            Indexing::Own => pieces.extend(form!("[$]", self.own_index())),
            Indexing::Below(len) => pieces.extend(form!("[$]", self.index(len))),
        }
        pieces.push(source.field.into());
        Node::expr(source.row, source.ty, pieces)
    }

    /// The item's index, in a kernel.
    pub fn own_index(&self) -> Node {
        let pieces = match self.item {
            Some(item) => form!("$", item),
            None => form!("0"),
        };
        Node::plain(Scalar::Usize, pieces)
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize) -> Node {
        if self.item.is_some() && len >= ITEMS && self.random.chance(40) {
            return self.own_index();
        }
        if self.random.chance(10) {
            return Node::plain(Scalar::Usize, form!(self.random.below(len).to_string()));
        }
        let integer = self.integer();
        let deep = self.depth < DEPTH;
        let value = if deep {
            self.expr(integer)
        } else {
            self.leaf(&integer.into())
        };
        let pieces = if len.is_power_of_two() && self.random.chance(70) {
            form!(format!("($ as usize & {})", len - 1), value)
        } else {
            form!(format!("($ as usize % {len})"), value)
        };
        Node::plain(Scalar::Usize, pieces)
    }

    /// At most `count` statements, in a scope of their own.
    pub fn body(&mut self, count: usize) -> Vec<Node> {
        self.scope(|g| g.statements(count))
    }

    /// Statements whose variables stay in scope.
    pub fn statements(&mut self, count: usize) -> Vec<Node> {
        let count = 1 + self.random.below(count.max(1));
        (0..count).filter_map(|_| self.statement()).collect()
    }

    /// Runs `f` in a scope of its own, one level further in.
    pub fn scope<T>(&mut self, f: impl FnOnce(&mut Generator) -> T) -> T {
        let (variables, constants) = (self.variables.clone(), self.constants.len());
        let depth = std::mem::take(&mut self.depth);
        self.nesting += 1;
        let result = f(self);
        self.nesting -= 1;
        self.depth = depth;
        self.variables = variables;
        self.constants.truncate(constants);
        result
    }

    /// Runs `f` inside a loop or labelled block.
    pub fn within<T>(&mut self, jump: Jump, f: impl FnOnce(&mut Generator) -> T) -> T {
        self.loops += usize::from(jump.is_loop);
        self.jumps.push(jump.clone());
        let result = self.scope(f);
        self.jumps.pop();
        self.loops -= usize::from(jump.is_loop);
        result
    }

    /// Runs `f` in a closure, which may run often: it jumps nowhere, and changes nothing of what is around it.
    pub fn closure<T>(&mut self, f: impl FnOnce(&mut Generator) -> T) -> T {
        let variables = self.variables.clone();
        let sources = self.sources.clone();
        let atomics = std::mem::take(&mut self.atomics);
        let jumps = std::mem::take(&mut self.jumps);
        let returns = std::mem::replace(&mut self.returns, false);
        self.variables.iter_mut().for_each(|v| v.mutable = false);
        self.sources.retain(|s| s.index != Indexing::Own);
        self.loops += 1;
        let result = self.scope(f);
        self.loops -= 1;
        (self.variables, self.sources, self.jumps, self.returns) = (variables, sources, jumps, returns);
        self.atomics = atomics;
        result
    }

    /// Puts a variable with a new name in scope.
    pub fn variable_of(&mut self, ty: impl Into<Type>, mutable: bool) -> Name {
        let (name, ty) = (self.name("v"), ty.into());
        self.variables.push(Variable { name, ty, mutable });
        name
    }

    /// Whether another block may be opened here.
    pub fn may_nest(&self) -> bool {
        self.nesting < NESTING && self.budget > 0
    }

    /// Whether another loop may be opened here.
    pub fn may_loop(&self) -> bool {
        self.may_nest() && self.loops < LOOPS
    }

    /// A statement that is an example of a row, or holds one, if there is any here.
    fn example(&mut self, row: Row) -> Option<Node> {
        let expr = match row {
            Row::Method(method) => methods::one(self, method)
                .map(|(node, ty)| (node, Type::from(ty)))
                .or_else(|| Some((inexact::of_method(self, method)?, Type::Scalar(Scalar::Bool)))),
            Row::DeviceMath(name) => return inexact::of_device_math(self, name),
            Row::JumpValue if self.jumps.is_empty() => {
                return Some(loops::loop_of(self, Row::Loop, |g| {
                    g.example(row).into_iter().collect()
                }));
            }
            _ => match Row::RULES.iter().find(|(other, _)| *other == row)?.1 {
                Rule::Stmt(rule) => return (0..8).find_map(|_| rule(self, row)),
                Rule::Expr(rule) => (0..40).find_map(|_| {
                    // Only a kernel's own parameter says what it gives.
                    let own = self.atomics.iter().find(|atomics| atomics.shared.is_none());
                    let ty = match (parameters::needed(row), self.taken, own) {
                        (Some(Row::FunctionParam), Some((_, _, result)), _) => result.into(),
                        (Some(Row::AtomicParam), _, Some(own)) => own.of.into(),
                        _ => self.ty(),
                    };
                    Some((rule(self, row, &ty)?, ty))
                }),
                Rule::Param(_) | Rule::None => None,
            },
        };
        let (node, ty) = expr?;
        if node.ty.is_none() {
            return Some(node);
        }
        let name = self.name("v");
        let statement = Node::stmt(Row::Let, form!("let $ = $;", Piece::Bind(name), node));
        self.variables.push(Variable {
            name,
            ty,
            mutable: false,
        });
        Some(statement)
    }

    fn statement(&mut self) -> Option<Node> {
        self.budget = self.budget.saturating_sub(1);
        for _ in 0..30 {
            if let (row, Rule::Stmt(rule)) = *self.random.pick(Row::RULES)
                && let Some(node) = rule(self, row)
            {
                return Some(node);
            }
        }
        None
    }

    /// Writes a function: `f` runs where nothing of the kernel is in scope.
    pub fn function<T>(
        &mut self,
        t: Option<Bound>,
        result: Option<Type>,
        f: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        let inner = Generator {
            random: Random::new(self.random.bits()),
            names: std::mem::take(&mut self.names),
            items: std::mem::take(&mut self.items),
            functions: std::mem::take(&mut self.functions),
            result,
            t,
            faults: self.faults,
            // A function may be called in a loop, so it has no loops in loops, and is no deeper than that.
            loops: LOOPS - 1,
            nesting: NESTING - 1,
            budget: self.budget.min(3 + self.random.below(10)),
            ..Generator::new(0)
        };
        self.budget -= inner.budget;
        let mut inner = inner;
        let made = f(&mut inner);
        self.names = inner.names;
        self.items = inner.items;
        self.functions = inner.functions;
        made
    }

    /// A parameter with a new name.
    pub fn param(&mut self, row: Row, prefix: &str, mutable: bool, role: Role) -> Param {
        let name = self.name(prefix);
        Param {
            row,
            name,
            mutable,
            role,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::kernel;
    use crate::ast::Side;
    use crate::render;
    use crate::rows::{Row, Rule};
    use std::collections::HashSet;

    #[test]
    fn a_seed_is_a_kernel() {
        let text = |seed| render::kernel(&kernel(seed), Side::Kernel);
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
    }

    #[test]
    fn every_row_is_used() {
        let used: HashSet<Row> = (0..2000).flat_map(|seed| kernel(seed).rows()).collect();
        let with_others = |row: &Row| {
            Row::RULES
                .iter()
                .any(|(other, rule)| other == row && matches!(rule, Rule::None))
        };
        let unused: Vec<String> = Row::all()
            .filter(|row| !used.contains(row) && !with_others(row))
            .map(Row::name)
            .collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
