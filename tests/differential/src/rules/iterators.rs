//! Iterators: a source, adaptors, and what uses them up.

use super::references::slice;
use crate::ast::{Name, Node, Piece};
use crate::form;
use crate::generator::Generator;
use crate::rows::Row;
use crate::shape::Shape;
use crate::types::Type;
use gridfn_ir::Scalar;

/// An iterator that is being written: what must be computed before, its text, and the type of its values.
struct Chain {
    before: Vec<Piece>,
    text: Vec<Piece>,
    ty: Scalar,
    filtered: bool,
}

/// A number that is computed before the chain, because closures of the chain borrow what it may change.
fn number(g: &mut Generator, chain: &mut Chain, below: usize) -> Name {
    let (name, value) = (g.name("n"), g.index(below));
    chain
        .before
        .extend(form!("let $ = $; ", Piece::Bind(name), value));
    name
}

/// Where values come from, told by the row.
fn begin(g: &mut Generator, row: Row) -> Option<Chain> {
    let mut chain = Chain {
        before: vec![],
        text: vec![],
        ty: Scalar::Usize,
        filtered: false,
    };
    match row {
        Row::IterRange => {
            let ty = g.scalar_that(|s| s.is_integer() && s.bits() <= 32);
            let end = g.expr(ty);
            let name = g.name("n");
            chain.before = form!("let $ = $; ", Piece::Bind(name), end);
            chain.text = form!(format!("(0..($ & 15))"), name);
            chain.ty = ty;
        }
        Row::IterArray => {
            let ty = g.scalar();
            let (name, len) = (g.name("a"), 1 + g.random.below(5));
            chain.before = form!("let $ = ", Piece::Bind(name));
            let array = Shape::array(ty, len);
            chain.before.extend(array.value(g));
            chain.before.push("; ".into());
            chain.text = form!("$.iter().copied()", name);
            chain.ty = ty;
        }
        Row::IterWindows | Row::IterChunks => {
            let (base, ty, len) = slice(g, |_| true)?;
            let size = 1 + g.random.below(3.min(len));
            let method = if row == Row::IterWindows {
                "windows"
            } else {
                "chunks_exact"
            };
            let w = g.name("w");
            let at = g.random.below(size);
            chain.text = base;
            chain.text.extend(form!(
                format!(".{method}({size}).take(7).map(|$| $[{at}])"),
                Piece::Bind(w),
                w
            ));
            chain.ty = ty;
        }
        _ => {
            let (base, ty, len) = slice(g, |_| true)?;
            chain.text = base;
            if len > 16 {
                let start = number(g, &mut chain, len - 16);
                chain.text.extend(form!("[$..$ + 9]", start, start));
            }
            let copied = *g.random.pick(&["copied", "cloned"]);
            chain.text.push(format!(".iter().{copied}()").into());
            chain.ty = ty;
        }
    }
    Some(chain)
}

/// Adds an adaptor.
fn adapt(g: &mut Generator, row: Row, chain: &mut Chain) {
    let after_filter = matches!(row, Row::IterMap | Row::IterFilter);
    if chain.filtered && !after_filter {
        return;
    }
    match row {
        Row::IterRev => chain.text.push(".rev()".into()),
        Row::IterStepBy => chain
            .text
            .push(format!(".step_by({})", 1 + g.random.below(4)).into()),
        Row::IterSkip | Row::IterTake => {
            let n = number(g, chain, 12);
            let method = if row == Row::IterSkip { "skip" } else { "take" };
            chain.text.extend(form!(format!(".{method}($)"), n));
        }
        Row::IterEnumerate | Row::IterZip => {
            let to = g.scalar();
            let of = chain.ty;
            let numbers = if row == Row::IterZip {
                ".zip(0..10usize)"
            } else {
                ".enumerate()"
            };
            let (i, v, body) = g.closure(|g| {
                let (i, v) = (g.variable_of(Scalar::Usize, false), g.variable_of(of, false));
                (i, v, g.expr(to))
            });
            let (first, second) = if row == Row::IterZip { (v, i) } else { (i, v) };
            let text = format!("{numbers}.map(|($, $)| $)");
            chain
                .text
                .extend(form!(text, Piece::Bind(first), Piece::Bind(second), body));
            chain.ty = to;
        }
        Row::IterFilter => {
            let of = chain.ty;
            let (v, body) = g.closure(|g| {
                let v = g.name("v");
                g.sources.push(crate::generator::Source {
                    row,
                    ty: of.into(),
                    base: form!("(*$)", v),
                    index: crate::generator::Indexing::None,
                    field: String::new(),
                });
                (v, g.expr(Scalar::Bool))
            });
            chain.text.extend(form!(".filter(|$| $)", Piece::Bind(v), body));
            chain.filtered = true;
        }
        _ => {
            let (of, to) = (chain.ty, g.scalar());
            let (v, body) = g.closure(|g| (g.variable_of(of, false), g.expr(to)));
            chain.text.extend(form!(".map(|$| $)", Piece::Bind(v), body));
            chain.ty = to;
        }
    }
}

const SOURCES: [Row; 5] = [
    Row::IterSlice,
    Row::IterRange,
    Row::IterArray,
    Row::IterWindows,
    Row::IterChunks,
];
const ADAPTORS: [Row; 8] = [
    Row::IterRev,
    Row::IterStepBy,
    Row::IterSkip,
    Row::IterTake,
    Row::IterEnumerate,
    Row::IterZip,
    Row::IterFilter,
    Row::IterMap,
];

/// A chain with a part of the row in it, and the rows of all its parts.
fn chain(g: &mut Generator, row: Row) -> Option<(Chain, Vec<Row>)> {
    let source = if SOURCES.contains(&row) {
        row
    } else {
        *g.random.pick(&SOURCES)
    };
    let mut chain = begin(g, source)?;
    let mut adaptors = Vec::new();
    if ADAPTORS.contains(&row) {
        adaptors.push(row);
    }
    for _ in 0..g.random.below(3) {
        adaptors.push(*g.random.pick(&ADAPTORS));
    }
    // What follows a filter is little.
    adaptors.sort_by_key(|row| *row == Row::IterFilter);
    let mut rows = vec![source];
    // Backwards goes only what has a length of its own.
    for adaptor in adaptors {
        adapt(g, adaptor, &mut chain);
        rows.push(adaptor);
    }
    Some((chain, rows))
}

/// The rows of a chain's parts, as nodes without text.
fn marks(rows: Vec<Row>) -> Vec<Piece> {
    rows.into_iter()
        .map(|row| {
            Piece::from(Node {
                row: Some(row),
                ty: None,
                pieces: vec![],
            })
        })
        .collect()
}

/// An iterator of which every part but one is chance's.
pub fn iterator(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar().filter(|_| g.may_loop())?;
    let (mut chain, rows) = chain(g, row)?;
    let consumers: &[Row] = match scalar {
        Scalar::Bool => &[Row::IterAny, Row::IterAll, Row::IterFold],
        Scalar::Usize => &[Row::IterCount, Row::IterPosition, Row::IterFold],
        _ => &[
            Row::IterSum,
            Row::IterProduct,
            Row::IterMin,
            Row::IterMax,
            Row::IterLast,
            Row::IterFind,
            Row::IterFold,
        ],
    };
    let consumer = if SOURCES.contains(&row) || ADAPTORS.contains(&row) {
        *g.random.pick(consumers)
    } else {
        row
    };
    // The values get the type that is wanted, where the result has it.
    let of_values = matches!(
        consumer,
        Row::IterSum | Row::IterProduct | Row::IterMin | Row::IterMax | Row::IterLast | Row::IterFind
    );
    if of_values && chain.ty != scalar {
        let of = chain.ty;
        let (v, body) = g.closure(|g| (g.variable_of(of, false), g.expr(scalar)));
        chain.text.extend(form!(".map(|$| $)", Piece::Bind(v), body));
        chain.ty = scalar;
    }
    let of = chain.ty;
    let predicate = |g: &mut Generator, reference: bool| {
        g.closure(|g| {
            let v = g.name("v");
            g.sources.push(crate::generator::Source {
                row: Row::Variable,
                ty: of.into(),
                base: if reference {
                    form!("(*$)", v)
                } else {
                    form!("$", v)
                },
                index: crate::generator::Indexing::None,
                field: String::new(),
            });
            (v, g.expr(Scalar::Bool))
        })
    };
    let text = match consumer {
        Row::IterSum if scalar != Scalar::Bool => form!(".sum::<$>()", scalar),
        Row::IterProduct if scalar != Scalar::Bool => form!(".product::<$>()", scalar),
        Row::IterCount if scalar == Scalar::Usize => form!(".count()"),
        Row::IterMin if scalar.is_integer() => form!(".min().unwrap_or($)", g.leaf(ty)),
        Row::IterMax if scalar.is_integer() => form!(".max().unwrap_or($)", g.leaf(ty)),
        Row::IterLast => form!(".last().unwrap_or($)", g.leaf(ty)),
        Row::IterAny | Row::IterAll if scalar == Scalar::Bool => {
            let (v, body) = predicate(g, false);
            let name = if consumer == Row::IterAny { "any" } else { "all" };
            form!(format!(".{name}(|$| $)"), Piece::Bind(v), body)
        }
        Row::IterPosition if scalar == Scalar::Usize => {
            let (v, body) = predicate(g, false);
            form!(".position(|$| $).unwrap_or(77)", Piece::Bind(v), body)
        }
        Row::IterFind => {
            let (v, body) = predicate(g, true);
            form!(".find(|$| $).unwrap_or($)", Piece::Bind(v), body, g.leaf(ty))
        }
        Row::IterFold | Row::IterForEach | Row::IterFor => {
            let (start, acc) = (g.expr(scalar), g.name("n"));
            chain.before.extend(form!("let $ = $; ", Piece::Bind(acc), start));
            let (a, v, body) = g.closure(|g| {
                let (a, v) = (g.variable_of(scalar, false), g.variable_of(of, false));
                (a, v, g.expr(scalar))
            });
            if consumer == Row::IterFold {
                form!(".fold($, |$, $| $)", acc, Piece::Bind(a), Piece::Bind(v), body)
            } else {
                // The same as a loop, or as `for_each`.
                let mut pieces = form!("({ ");
                pieces.extend(marks(rows));
                pieces.extend(chain.before);
                pieces.extend(form!("let mut $ = $; ", Piece::Bind(a), acc));
                if consumer == Row::IterFor {
                    pieces.extend(form!("for $ in ", Piece::Bind(v)));
                    pieces.extend(chain.text);
                    pieces.extend(form!(" { $ = $; } ", a, body));
                } else {
                    pieces.extend(chain.text);
                    pieces.extend(form!(".for_each(|$| $ = $); ", Piece::Bind(v), a, body));
                }
                pieces.extend(form!("$ })", a));
                return Some(Node::expr(consumer, scalar, pieces));
            }
        }
        _ => return None,
    };
    let mut pieces = form!("({ ");
    pieces.extend(marks(rows));
    pieces.extend(chain.before);
    pieces.extend(chain.text);
    pieces.extend(text);
    pieces.push(" })".into());
    Some(Node::expr(consumer, scalar, pieces))
}
