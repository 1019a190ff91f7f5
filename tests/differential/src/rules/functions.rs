//! `#[device]` functions.

use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::{Function, Generator, Indexing, LENGTH, Source, Variable};
use crate::rows::Row;
use crate::shape::Shape;
use crate::types::{Bound, Type};
use gridfn_ir::Scalar;

/// What stands before a function.
pub fn attribute() -> Piece {
    Piece::Sides {
        kernel: "#[device]\n".into(),
        oracle: String::new(),
    }
}

/// Parameters, each in scope, as the text between the parentheses.
fn parameters(g: &mut Generator, types: &[Type]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for ty in types {
        let (name, mutable) = (g.name("a"), g.random.chance(25));
        g.variables.push(Variable {
            name,
            ty: ty.clone(),
            mutable,
        });
        let text = if mutable { "mut $: $, " } else { "$: $, " };
        pieces.extend(form!(text, Piece::Bind(name), ty));
    }
    pieces
}

/// Writes a function.
fn define(
    g: &mut Generator,
    row: Row,
    t: Option<Bound>,
    result: Option<Type>,
    slice: Option<Type>,
) -> Function {
    let name = g.name("fun");
    let types: Vec<Type> = (0..1 + g.random.below(3))
        .map(|n| match (t, n) {
            // Its type is told by an argument.
            (Some(bound), 0) => Type::T(bound),
            (Some(bound), _) if g.random.chance(50) => Type::T(bound),
            _ => g.scalar().into(),
        })
        .collect();
    let made = g.function(t, result.clone(), |g| {
        let mut pieces = vec![attribute()];
        pieces.extend(form!("fn $", Piece::Bind(name)));
        pieces.extend(t.map(|bound| Piece::from(format!("<T: {}>", bound.name()))));
        pieces.push("(".into());
        if let Some(ty) = &slice {
            let x = g.name("x");
            pieces.extend(form!("$: &[$], ", Piece::Bind(x), ty));
            g.sources.push(Source {
                row: Row::Index,
                ty: ty.clone(),
                base: form!("$", x),
                index: Indexing::Below(LENGTH),
                field: String::new(),
            });
        }
        pieces.extend(parameters(g, &types));
        pieces.push(")".into());
        match &result {
            None => pieces.extend(form!(" { $ }", g.body(4))),
            Some(ty) => {
                pieces.extend(form!(" -> $ { ", ty));
                pieces.extend(g.scope(|g| {
                    let body = g.statements(4);
                    form!("$ $ }", body, g.expr(ty.clone()))
                }));
            }
        }
        Node::stmt(row, pieces)
    });
    g.items.push(made);
    Function {
        name,
        params: types,
        result,
        slice,
    }
}

/// A call, where `of` stands for a type parameter.
fn call_of(
    g: &mut Generator,
    function: &Function,
    first: Option<Vec<Piece>>,
    of: &Type,
    turbofish: bool,
) -> Vec<Piece> {
    let mut pieces = form!("$", function.name);
    if turbofish {
        pieces.extend(form!("::<$>", of));
    }
    pieces.push("(".into());
    if let Some(first) = first {
        pieces.extend(first);
        pieces.push(", ".into());
    }
    for ty in &function.params {
        let ty = if matches!(ty, Type::T(_)) { of } else { ty };
        pieces.extend(form!("$, ", g.expr(ty.clone())));
    }
    pieces.push(")".into());
    pieces
}

/// A function that there is already, or a new one.
fn function(
    g: &mut Generator,
    row: Row,
    t: Option<Bound>,
    result: Option<Type>,
    slice: Option<Type>,
) -> Function {
    let generic = |f: &Function| f.params.iter().any(|ty| matches!(ty, Type::T(_)));
    let fits = |f: &&Function| f.result == result && f.slice == slice && generic(f) == t.is_some();
    let old: Vec<Function> = g.functions.iter().filter(fits).cloned().collect();
    if !old.is_empty() && g.random.chance(50) {
        return g.random.pick(&old).clone();
    }
    let new = define(g, row, t, result, slice);
    g.functions.push(new.clone());
    new
}

/// `f(a, b)`
pub fn call(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if matches!(ty, Type::T(_)) || g.functions.len() > 3 {
        return None;
    }
    let function = function(g, row, None, Some(ty.clone()), None);
    let pieces = call_of(g, &function, None, ty, false);
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `f(a, b);` of a function that only computes, or faults.
pub fn statement(g: &mut Generator, row: Row) -> Option<Node> {
    if g.functions.len() > 3 {
        return None;
    }
    let function = function(g, row, None, None, None);
    let mut pieces = call_of(g, &function, None, &Scalar::U32.into(), false);
    pieces.push(";".into());
    Some(Node::stmt(row, pieces))
}

/// `f::<u32>(a, b)`
pub fn generic(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if !ty.is_number() || g.functions.len() > 3 {
        return None;
    }
    let bound = match ty {
        Type::T(bound) => *bound,
        Type::Scalar(scalar) => {
            let fits: Vec<Bound> = Bound::ALL.into_iter().filter(|b| b.has(*scalar)).collect();
            *g.random.pick(&fits)
        }
    };
    let function = function(g, row, Some(bound), Some(Type::T(bound)), None);
    let turbofish = g.random.chance(40);
    let pieces = call_of(g, &function, None, ty, turbofish);
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `f(x, a, b)`, where `x` is a slice parameter of the kernel.
pub fn slice(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    if matches!(ty, Type::T(_)) || g.functions.len() > 3 {
        return None;
    }
    // Fields of structs are sources of more than one name; they may be passed too.
    let is_slice = |s: &&Source| {
        s.row == Row::Index
            && s.index == Indexing::Below(LENGTH)
            && s.ty.scalar().is_some()
            && s.field.is_empty()
    };
    let of: Vec<Source> = g.sources.iter().filter(is_slice).cloned().collect();
    if of.is_empty() {
        return None;
    }
    let source = g.random.pick(&of).clone();
    let function = function(g, row, None, Some(ty.clone()), Some(source.ty));
    let mut first = source.base;
    if g.captures || g.random.chance(30) {
        first.insert(0, "&".into());
        first.push("[..]".into());
    }
    let pieces = call_of(g, &function, Some(first), ty, false);
    Some(Node::expr(row, ty.clone(), pieces))
}

/// `f(a, b)`, where `T: Add<Output = T>` and the like stand behind `where`.
pub fn bounded(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|s| *s != Scalar::Bool)?;
    let [fun, a, b] = ["fun", "a", "b"].map(|prefix| g.name(prefix));
    let all = [("Add", "+"), ("Sub", "-"), ("Mul", "*")];
    let [(first, one), (second, two)] = [*g.random.pick(&all), *g.random.pick(&all)];
    let text = format!(
        "fn $<T>($: T, $: T) -> T where T: Copy + core::ops::{first}<Output = T> + core::ops::{second}<T, Output = T> \
         {{ ($ {one} $) {two} $ }}"
    );
    let mut pieces = vec![attribute()];
    pieces.extend(form!(
        text,
        Piece::Bind(fun),
        Piece::Bind(a),
        Piece::Bind(b),
        a,
        b,
        a
    ));
    g.items.push(Node::stmt(row, pieces));
    let (x, y) = (g.expr(scalar), g.expr(scalar));
    Some(Node::expr(row, scalar, form!("$($, $)", fun, x, y)))
}

/// `f::<7, 3>(a)`, with constants of any type that they may have.
pub fn of_const(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.functions.len() < 4)?;
    let of = g.scalar_that(|s| s == Scalar::Bool || s.is_integer());
    let (fun, argument, len) = (g.name("fun"), g.scalar(), 1 + g.random.below(4));
    let [of_name, len_name] = ["N", "M"].map(|prefix| g.name(prefix));
    let item = g.function(None, Some(scalar.into()), |g| {
        let x = g.variable_of(argument, false);
        g.variables.push(Variable {
            name: of_name,
            ty: of.into(),
            mutable: false,
        });
        let mut pieces = vec![attribute()];
        let text = "fn $<const $: usize, const $: $>($: $) -> $ { ";
        pieces.extend(form!(
            text,
            Piece::Bind(fun),
            Piece::Bind(len_name),
            Piece::Bind(of_name),
            of,
            Piece::Bind(x),
            argument,
            scalar
        ));
        let (all, n) = (g.name("all"), g.name("n"));
        pieces.extend(form!(
            "let mut $ = [$; $]; for $ in 1..$ { $[$] = $; } ",
            Piece::Bind(all),
            g.expr(scalar),
            len_name,
            Piece::Bind(n),
            len_name,
            all,
            n,
            g.expr(scalar)
        ));
        pieces.extend(form!("$[$ % $] }", all, g.leaf(&Scalar::Usize.into()), len_name));
        Node::stmt(row, pieces)
    });
    g.items.push(item);
    let constant = super::literals::any(g, &of.into());
    let text = format!("$::<{len}, {{ $ }}>($)");
    Some(Node::expr(
        row,
        scalar,
        form!(text, fun, constant, g.expr(argument)),
    ))
}

/// `f([a, b, c])`, where the argument tells a length.
pub fn of_array(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let [fun, x, n, t] = ["fun", "x", "N", "T"].map(|prefix| g.name(prefix));
    let mut pieces = vec![attribute()];
    let text = "fn $<$: DeviceCopy, const $: usize>(mut $: [$; $], i: usize) -> $ { for k in 0..$ / 2 { $[k] = $[$ - 1 - k]; } $[i % $] }";
    pieces.extend(form!(
        text,
        Piece::Bind(fun),
        Piece::Bind(t),
        Piece::Bind(n),
        Piece::Bind(x),
        t,
        n,
        t,
        n,
        x,
        x,
        n,
        x,
        n
    ));
    g.items.push(Node::stmt(row, pieces));
    let array = Shape::array(scalar, 1 + g.random.below(5));
    let mut pieces = form!("$(", fun);
    pieces.extend(array.value(g));
    pieces.extend(form!(", $)", g.expr(Scalar::Usize)));
    Some(Node::expr(row, scalar, pieces))
}
