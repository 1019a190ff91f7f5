//! The kernel's parameters, and what is written to its outputs in the end.

use super::methods;
use crate::ast::{Node, Param, Piece, Role};
use crate::form;
use crate::generator::{Generator, Indexing, LENGTH, Source, Variable};
use crate::rows::{Row, Rule};
use crate::types::Type;
use gridfn_ir::Scalar;

/// Makes all parameters: inputs of every kind, and outputs.
pub fn all(g: &mut Generator) {
    let rules: Vec<_> = Row::RULES
        .iter()
        .filter_map(|(row, rule)| match rule {
            Rule::Param(rule) => Some((*row, *rule)),
            Rule::Expr(_) | Rule::Stmt(_) | Rule::None => None,
        })
        .collect();
    // There is a slice always; of the type parameter, so that the launch tells what it is.
    let ty = g.t.map_or_else(|| g.ty(), Type::T);
    let mut params = vec![slice_of(g, Row::SliceParam, ty)];
    for _ in 0..1 + g.random.below(3) {
        let (row, rule) = *g.random.pick(&rules);
        params.extend(rule(g, row));
    }
    for _ in 0..1 + g.random.below(2) {
        let ty = g.ty();
        params.push(output(g, ty));
    }
    g.params = params;
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

/// `x: &[T]`
pub fn slice(g: &mut Generator, row: Row) -> Option<Param> {
    let ty = g.ty();
    Some(slice_of(g, row, ty))
}

fn slice_of(g: &mut Generator, row: Row, ty: Type) -> Param {
    let param = g.param(row, "x", false, Role::Slice(ty.clone(), LENGTH));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Below(LENGTH));
    param
}

/// `y: &mut [T]`
fn output(g: &mut Generator, ty: Type) -> Param {
    let param = g.param(Row::Output, "y", false, Role::Output(ty.clone(), None));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Own);
    param
}

/// `k: T`, perhaps `mut`
pub fn scalar(g: &mut Generator, row: Row) -> Option<Param> {
    let ty = g.ty();
    let mutable = g.random.chance(30);
    let param = g.param(row, "k", mutable, Role::Value(ty.name()));
    g.variables.push(Variable {
        name: param.name,
        ty,
        mutable,
    });
    Some(param)
}

/// `t: (A, B)`
pub fn tuple(g: &mut Generator, row: Row) -> Option<Param> {
    let types = [g.scalar(), g.scalar(), g.scalar()];
    let names = types.map(Scalar::name).join(", ");
    let param = g.param(row, "t", false, Role::Value(format!("({names})")));
    for (n, ty) in types.into_iter().enumerate() {
        source(
            g,
            Row::Field,
            ty,
            form!(format!("$.{n}"), param.name),
            Indexing::None,
        );
    }
    Some(param)
}

/// `x: &[(A, B, C)]`, `y: &mut [[T; N]]`
pub fn aggregates(g: &mut Generator, row: Row) -> Option<Param> {
    let (text, parts): (String, Vec<(String, Scalar)>) = if g.random.chance(50) {
        let (ty, len) = (g.scalar(), 1 + g.random.below(4));
        let parts = (0..len).map(|n| (format!("[{n}]"), ty)).collect();
        (format!("[{}; {len}]", ty.name()), parts)
    } else {
        let types = [g.scalar(), g.scalar(), g.scalar()];
        let parts = types.into_iter().enumerate().map(|(n, ty)| (format!(".{n}"), ty));
        (
            format!("({})", types.map(Scalar::name).join(", ")),
            parts.collect(),
        )
    };
    let (role, index) = if row == Row::AggregateSlice {
        (
            Role::Slice(Type::Aggregate(text), LENGTH),
            Indexing::Below(LENGTH),
        )
    } else {
        (Role::Output(Type::Aggregate(text), None), Indexing::Own)
    };
    let param = g.param(row, "z", false, role);
    for (field, ty) in parts {
        source(g, Row::Index, ty, form!("$", param.name), index);
        if let Some(last) = g.sources.last_mut() {
            last.field = field;
        }
    }
    Some(param)
}

/// `a: [T; N]`
pub fn array(g: &mut Generator, row: Row) -> Option<Param> {
    let (ty, len) = (g.scalar(), 1 + g.random.below(9));
    let param = g.param(row, "a", false, Role::Value(format!("[{}; {len}]", ty.name())));
    source(g, Row::Index, ty, form!("$", param.name), Indexing::Below(len));
    Some(param)
}

/// `s: Fields<'_>`
pub fn struct_(g: &mut Generator, row: Row) -> Option<Param> {
    let name = g.name("s");
    let mut fields = Vec::new();
    for _ in 0..1 + g.random.below(4) {
        let ty = g.scalar();
        let role = match g.random.below(4) {
            0 => Role::Slice(ty.into(), LENGTH),
            1 => Role::Output(ty.into(), None),
            2 => Role::Value(format!("[{}; 3]", ty.name())),
            _ => Role::Value(ty.name().into()),
        };
        let index = match role {
            Role::Slice(..) => Indexing::Below(LENGTH),
            Role::Output(..) => Indexing::Own,
            Role::Value(ref text) if text.starts_with('[') => Indexing::Below(3),
            Role::Value(_) | Role::Struct(..) => Indexing::None,
        };
        let field = g.param(Row::Field, "d", false, role);
        source(g, Row::Field, ty, form!("$.$", name, field.name), index);
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

/// The statements at the end: each output gets a value, and what the variables hold goes into an output of its own,
/// so that nothing is computed in vain.
pub fn results(g: &mut Generator) -> Vec<Node> {
    let outputs: Vec<Source> = g
        .sources
        .iter()
        .filter(|s| s.index == Indexing::Own)
        .cloned()
        .collect();
    let mut statements = Vec::new();
    for output in outputs {
        let mut pieces = output.base;
        pieces.extend(form!(
            format!("[$]{} = $;", output.field),
            g.own_index(),
            g.expr(output.ty)
        ));
        statements.push(Node::stmt(Row::Assign, pieces));
    }
    let sum = output(g, Scalar::U64.into());
    for Variable { name, ty, .. } in g.variables.clone() {
        let Some(scalar) = ty.scalar() else { continue };
        let value = Node::expr(Row::Variable, scalar, form!("$", name));
        let value = if scalar.is_float() {
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
