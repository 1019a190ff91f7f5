//! The kernel's parameters, and what is written to its outputs in the end.

use super::{aggregates, methods, passed};
use crate::ast::{Node, Param, Piece, Role};
use crate::form;
use crate::generator::{Generator, Indexing, LENGTH, Source, Variable};
use crate::rows::{Row, Rule};
use crate::shape::{Shape, VECTORS};
use crate::types::Type;
use gridfn_ir::Scalar;

/// Makes all parameters: inputs of every kind, and outputs. A closure captures what else would be passed: it has no
/// structs of buffers, and changes no value that it captured.
pub fn all(g: &mut Generator, is_closure: bool) {
    let rules: Vec<_> = Row::RULES
        .iter()
        .filter_map(|(row, rule)| match rule {
            Rule::Param(rule) => Some((*row, *rule)),
            Rule::Expr(_) | Rule::Stmt(_) | Rule::None => None,
        })
        .filter(|(row, _)| !is_closure || !takes_more(*row))
        .collect();
    // There is a slice always; of the type parameter, so that the launch tells what it is.
    let ty = g.t.map_or_else(|| g.ty(), Type::T);
    let mut params = vec![slice_of(g, Row::SliceParam, ty)];
    for (row, rule) in &rules {
        let used = g.featured.iter().any(|other| needed(*other) == Some(*row));
        if used || g.featured.contains(row) {
            params.extend(rule(g, *row));
        }
    }
    for _ in 0..g.random.below(3) {
        let (row, rule) = *g.random.pick(&rules);
        params.extend(rule(g, row));
    }
    if g.random.chance(50) {
        let ty = g.ty();
        params.push(output(g, ty));
    }
    g.params = params;
}

/// The parameter that an example of a row needs.
pub fn needed(row: Row) -> Option<Row> {
    match row {
        Row::KernelFunction => Some(Row::FunctionParam),
        Row::AtomicShared => Some(Row::AtomicSharedParam),
        Row::AtomicLoad
        | Row::AtomicStore
        | Row::AtomicSwap
        | Row::AtomicExchange
        | Row::AtomicAdd
        | Row::AtomicSub
        | Row::AtomicAnd
        | Row::AtomicNand
        | Row::AtomicOr
        | Row::AtomicXor
        | Row::AtomicMin
        | Row::AtomicMax => Some(Row::AtomicParam),
        _ => None,
    }
}

/// Whether a parameter is one that captures have no like of.
fn takes_more(row: Row) -> bool {
    matches!(
        row,
        Row::StructParam
            | Row::MutParam
            | Row::FunctionParam
            | Row::ConstParam
            | Row::AtomicParam
            | Row::AtomicSharedParam
    )
}

fn source(g: &mut Generator, row: Row, ty: impl Into<Type>, base: Vec<Piece>, index: Indexing) {
    g.sources.push(Source {
        row,
        ty: ty.into(),
        base,
        index,
        field: String::new(),
    });
}

/// What can be read of a place of that type: its parts, or what an enum's method makes of it.
fn parts(g: &mut Generator, row: Row, shape: &Shape, base: &[Piece], index: Indexing) {
    let parts = match shape {
        // What is written to an output is a place.
        Shape::Enum(..) if index == Indexing::Own => vec![],
        Shape::Enum(_, of) => vec![(".held()".into(), of[0])],
        _ => shape.leaves(),
    };
    for (field, ty) in parts {
        g.sources.push(Source {
            row,
            ty: ty.into(),
            base: base.to_vec(),
            index,
            field,
        });
    }
}

fn shape_of(ty: &Type) -> Shape {
    match ty {
        Type::Scalar(scalar) => Shape::Scalar(*scalar),
        Type::T(bound) => Shape::T(*bound),
    }
}

/// `x: &[T]`
pub fn slice(g: &mut Generator, row: Row) -> Option<Param> {
    let ty = g.ty();
    Some(slice_of(g, row, ty))
}

fn slice_of(g: &mut Generator, row: Row, ty: Type) -> Param {
    let param = g.param(row, "x", false, Role::Slice(shape_of(&ty), LENGTH));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Below(LENGTH));
    param
}

/// `y: &mut [T]`
fn output(g: &mut Generator, ty: Type) -> Param {
    let shape = shape_of(&ty);
    let param = g.param(Row::Output, "y", false, Role::Output(shape.clone(), None));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Own);
    g.outputs.push((form!("$", param.name), shape));
    param
}

/// `k: T`, perhaps `mut`
pub fn scalar(g: &mut Generator, row: Row) -> Option<Param> {
    let ty = g.ty();
    let mutable = row == Row::MutParam;
    let param = g.param(row, "k", mutable, Role::Value(shape_of(&ty)));
    g.variables.push(Variable {
        name: param.name,
        ty,
        mutable,
    });
    Some(param)
}

/// An aggregate that a row of parameters wants.
fn wanted(g: &mut Generator, row: Row) -> Shape {
    let ty = g.scalar();
    match row {
        Row::AggregateSlice | Row::AggregateOutput => {
            let row = *g.random.pick(&[Row::Tuple, Row::Array]);
            aggregates::shape(g, row, ty, 1)
        }
        Row::TupleParam => aggregates::shape(g, Row::Tuple, ty, 0),
        Row::EnumSlice | Row::EnumOutput | Row::EnumParam => aggregates::enumeration(g, row),
        Row::VectorSlice | Row::VectorOutput | Row::VectorParam => Shape::Vector(*g.random.pick(&VECTORS)),
        _ => {
            let rows = [Row::StructNamed, Row::StructTuple, Row::StructGeneric];
            let row = *g.random.pick(&rows);
            aggregates::shape(g, row, ty, 1)
        }
    }
}

/// `k: S`, `t: (A, B)`
pub fn value(g: &mut Generator, row: Row) -> Option<Param> {
    let shape = wanted(g, row);
    let param = g.param(row, "k", false, Role::Value(shape.clone()));
    parts(g, Row::Field, &shape, &form!("$", param.name), Indexing::None);
    Some(param)
}

/// `x: &[S]`
pub fn slice_of_aggregates(g: &mut Generator, row: Row) -> Option<Param> {
    let shape = wanted(g, row);
    let param = g.param(row, "z", false, Role::Slice(shape.clone(), LENGTH));
    let base = form!("$", param.name);
    parts(g, Row::Index, &shape, &base, Indexing::Below(LENGTH));
    g.inputs.push((base, shape));
    Some(param)
}

/// `y: &mut [S]`, perhaps of the type that an input has.
pub fn output_of_aggregates(g: &mut Generator, row: Row) -> Option<Param> {
    let shape = match g.inputs.last() {
        Some((_, shape)) if g.random.chance(40) => shape.clone(),
        _ => wanted(g, row),
    };
    let param = g.param(row, "z", false, Role::Output(shape.clone(), None));
    let base = form!("$", param.name);
    parts(g, Row::Index, &shape, &base, Indexing::Own);
    g.outputs.push((base, shape));
    Some(param)
}

/// `a: [T; N]`
pub fn array(g: &mut Generator, row: Row) -> Option<Param> {
    let (ty, len) = (g.scalar(), 1 + g.random.below(9));
    let param = g.param(row, "a", false, Role::Value(Shape::array(ty, len)));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Below(len));
    Some(param)
}

/// `s: Fields<'_>`
pub fn struct_(g: &mut Generator, row: Row) -> Option<Param> {
    let name = g.name("s");
    let mut fields = Vec::new();
    for _ in 0..1 + g.random.below(4) {
        let ty = g.scalar();
        let form = g.random.below(5);
        let shape = match form {
            0 | 1 => Shape::Scalar(ty),
            2 => Shape::array(ty, 3),
            3 => wanted(g, Row::ValueParam),
            _ => Shape::Scalar(ty),
        };
        let role = match form {
            0 => Role::Slice(shape.clone(), LENGTH),
            1 => Role::Output(shape.clone(), None),
            _ => Role::Value(shape.clone()),
        };
        let field = g.param(Row::Field, "d", false, role);
        let base = form!("$.$", name, field.name);
        match form {
            0 => source(g, Row::Field, ty, base, Indexing::Below(LENGTH)),
            1 => {
                source(g, Row::Field, ty, base.clone(), Indexing::Own);
                g.outputs.push((base, shape));
            }
            2 => source(g, Row::Field, ty, base, Indexing::Below(3)),
            _ => parts(g, Row::Field, &shape, &base, Indexing::None),
        }
        fields.push(field);
    }
    let text = format!("S{}", name.0);
    Some(Param {
        row,
        name,
        mutable: false,
        role: Role::Struct(text, fields),
    })
}

/// `f: F`, where `F: Fn(A, B) -> R`
pub fn function(g: &mut Generator, row: Row) -> Option<Param> {
    if g.taken.is_some() {
        return None;
    }
    let (types, result) = ([g.scalar(), g.scalar()], g.scalar());
    let argument = passed::argument(g, types, result);
    let param = g.param(row, "f", false, Role::Function(types, result, argument));
    g.taken = Some((param.name, types, result));
    Some(param)
}

/// `const N: usize`
pub fn const_(g: &mut Generator, row: Row) -> Option<Param> {
    let ty = g.scalar_that(|s| s == Scalar::Bool || s.is_integer());
    let value = super::literals::any(g, &ty.into());
    let param = g.param(row, "N", false, Role::Const(ty, value));
    g.variables.push(Variable {
        name: param.name,
        ty: ty.into(),
        mutable: false,
    });
    Some(param)
}

/// How many parts of an element are written one by one.
const PARTS: usize = 4;

/// What writes the item's element of an output: as a whole, as a copy of an input's, or part by part.
fn written(g: &mut Generator, base: Vec<Piece>, shape: &Shape) -> Vec<Node> {
    let assign = |g: &mut Generator, field: &str, value: Vec<Piece>| {
        let mut pieces = base.clone();
        pieces.extend(form!(format!("[$]{field} = "), g.own_index()));
        pieces.extend(value);
        pieces.push(";".into());
        Node::stmt(Row::Assign, pieces)
    };
    let same = |(_, of): &&(Vec<Piece>, Shape)| of == shape;
    let inputs: Vec<Vec<Piece>> = g
        .inputs
        .iter()
        .filter(same)
        .map(|(base, _)| base.clone())
        .collect();
    if !inputs.is_empty() && g.random.chance(40) {
        let mut value = g.random.pick(&inputs).clone();
        value.extend(form!("[$]", g.index(LENGTH)));
        return vec![assign(g, "", value)];
    }
    let leaves = shape.leaves();
    if leaves.is_empty() || leaves.len() > PARTS || g.random.chance(30) {
        let value = shape.value(g);
        return vec![assign(g, "", value)];
    }
    let write = |(field, ty): (String, Scalar)| {
        let value = form!("$", g.expr(ty));
        assign(g, &field, value)
    };
    leaves.into_iter().map(write).collect()
}

/// The statements at the end: each output gets a value, and what the variables hold goes into an output of its own,
/// so that nothing is computed in vain.
pub fn results(g: &mut Generator) -> Vec<Node> {
    let mut statements = Vec::new();
    for (base, shape) in g.outputs.clone() {
        statements.extend(written(g, base, &shape));
    }
    let sum = output(g, Scalar::U64.into());
    for Variable { name, ty, .. } in g.variables.clone() {
        let Some(scalar) = ty.scalar() else { continue };
        let value = Node::expr(Row::Variable, scalar, form!("$", name));
        let value = if scalar.is_float() || scalar.is_half() {
            form!("$.to_bits()", methods::without_nan(g, value, scalar))
        } else {
            form!("$", value)
        };
        let mut pieces = form!(
            "$[$] = $[$].rotate_left(9) ^ ",
            sum.name,
            g.own_index(),
            sum.name,
            g.own_index()
        );
        pieces.extend(value);
        pieces.push(" as u64;".into());
        statements.push(Node::stmt(Row::Assign, pieces));
    }
    g.params.push(sum);
    statements
}
