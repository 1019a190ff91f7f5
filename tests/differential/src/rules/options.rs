//! `Option`, `Result` and `bool` with functions.

use super::patterns::option;
use crate::ast::{Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// `|v| e`, a function of a `from` that gives what `of` writes; its parameter's pattern is told.
fn function(
    g: &mut Generator,
    pattern: &str,
    from: Scalar,
    of: impl FnOnce(&mut Generator) -> Vec<Piece>,
) -> Vec<Piece> {
    g.closure(|g| {
        let name = g.variable_of(from, false);
        let mut pieces = form!(format!("|{pattern}| "), Piece::Bind(name));
        pieces.extend(of(g));
        pieces
    })
}

/// An expression as pieces.
fn value(g: &mut Generator, ty: Scalar) -> Vec<Piece> {
    form!("$", g.expr(ty))
}

/// The methods of `Option`, and what is made of the result.
pub fn of_option(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.may_loop())?;
    let is_bool = row == Row::OptionIsSomeAnd;
    (!is_bool || scalar == Scalar::Bool).then_some(())?;
    let keeps = matches!(
        row,
        Row::OptionFilter | Row::OptionOr | Row::OptionUnwrapOrElse | Row::OptionOkOr
    );
    let of = if keeps { scalar } else { g.scalar() };
    let mut pieces = option(g, of);
    match row {
        Row::OptionMap => {
            pieces.push(".map(".into());
            pieces.extend(function(g, "$", of, |g| value(g, scalar)));
            pieces.extend(form!(").unwrap_or($)", g.expr(scalar)));
        }
        Row::OptionMapOr => {
            pieces.extend(form!(".map_or($, ", g.expr(scalar)));
            pieces.extend(function(g, "$", of, |g| value(g, scalar)));
            pieces.push(")".into());
        }
        Row::OptionAndThen => {
            pieces.push(".and_then(".into());
            pieces.extend(function(g, "$", of, |g| option(g, scalar)));
            pieces.extend(form!(").unwrap_or($)", g.expr(scalar)));
        }
        Row::OptionFilter => {
            pieces.push(".filter(".into());
            pieces.extend(function(g, "&$", of, |g| value(g, Scalar::Bool)));
            pieces.extend(form!(").unwrap_or($)", g.expr(scalar)));
        }
        Row::OptionIsSomeAnd => {
            pieces.push(".is_some_and(".into());
            pieces.extend(function(g, "$", of, |g| value(g, Scalar::Bool)));
            pieces.push(")".into());
        }
        Row::OptionUnwrapOrElse => {
            let other = g.closure(|g| g.expr(scalar));
            pieces.extend(form!(".unwrap_or_else(|| $)", other));
        }
        Row::OptionOr => {
            pieces.push(".or(".into());
            pieces.extend(option(g, scalar));
            pieces.extend(form!(").unwrap_or($)", g.expr(scalar)));
        }
        _ => pieces.extend(form!(".ok_or($).unwrap_or($)", g.expr(scalar), g.expr(scalar))),
    }
    Some(Node::expr(row, scalar, pieces))
}

/// A `Result`.
fn result(g: &mut Generator, of: Scalar, error: Scalar) -> Vec<Piece> {
    if g.random.chance(30) {
        let mut pieces = option(g, of);
        pieces.extend(form!(".ok_or($)", g.expr(error)));
        return pieces;
    }
    let text = "(if $ { Ok($) } else { Err($) })";
    form!(text, g.expr(Scalar::Bool), g.expr(of), g.expr(error))
}

/// The methods of `Result`, and `match` of one.
pub fn of_result(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.may_loop())?;
    (row != Row::ResultIsOk || scalar == Scalar::Bool).then_some(())?;
    let other = g.scalar();
    let with_error = row == Row::ResultErr;
    let (of, error) = if with_error {
        (other, scalar)
    } else {
        (scalar, other)
    };
    let is_match = row == Row::ResultMatch;
    let mut pieces = form!(if is_match { "(match " } else { "" });
    let held = if row == Row::ResultMap { g.scalar() } else { of };
    pieces.extend(result(g, held, error));
    match row {
        Row::ResultMatch => {
            let [(a, of_a), (b, of_b)] = [of, error].map(|part| super::patterns::with(g, part, ty));
            pieces.extend(form!(" { Ok($) => $, Err($) => $ })", a, of_a, b, of_b));
        }
        Row::ResultIsOk => pieces.push(g.random.pick(&[".is_ok()", ".is_err()"]).to_string().into()),
        Row::ResultOk => pieces.extend(form!(".ok().unwrap_or($)", g.expr(scalar))),
        Row::ResultErr => pieces.extend(form!(".err().unwrap_or($)", g.expr(scalar))),
        Row::ResultMap => {
            pieces.push(".map(".into());
            pieces.extend(function(g, "$", held, |g| value(g, scalar)));
            pieces.extend(form!(").unwrap_or($)", g.expr(scalar)));
        }
        Row::ResultMapErr => {
            pieces.push(".map_err(".into());
            pieces.extend(function(g, "$", error, |g| value(g, scalar)));
            let name = g.name("r");
            // Both hold the same type then, so that either is the result.
            pieces.insert(0, "(match ".into());
            pieces.extend(form!(") { Ok($) | Err($) => $ })", Piece::Bind(name), name, name));
        }
        Row::ResultUnwrapOr => pieces.extend(form!(".unwrap_or($)", g.expr(scalar))),
        _ => {
            pieces.push(".unwrap_or_else(".into());
            pieces.extend(function(g, "$", error, |g| value(g, scalar)));
            pieces.push(")".into());
        }
    }
    Some(Node::expr(row, scalar, pieces))
}

/// `c.then(|| e)`, `c.then_some(e)`
pub fn of_bool(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.may_loop())?;
    let condition = g.expr(Scalar::Bool);
    let mut pieces = if row == Row::Then {
        let value = g.closure(|g| g.expr(scalar));
        form!("$.then(|| $)", condition, value)
    } else {
        form!("$.then_some($)", condition, g.expr(scalar))
    };
    pieces.extend(form!(".unwrap_or($)", g.expr(scalar)));
    Some(Node::expr(row, scalar, pieces))
}
