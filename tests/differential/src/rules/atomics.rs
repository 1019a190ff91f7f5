//! Atomics. What depends on the order of the items has no expected value, so of one buffer of atomics each item uses its
//! own element, in any way; and on another all items do the same, of which the result is dropped and the order is no
//! matter.

use crate::ast::{Name, Node, Param, Role};
use crate::form;
use crate::generator::{Atomics, Generator, ITEMS, LENGTH};
use crate::rows::Row;
use crate::types::Type;
use gridfn_ir::Scalar;

/// The type of atomics of a scalar.
pub fn name(of: Scalar) -> String {
    let (first, rest) = of.name().split_at(1);
    format!("Atomic{}{rest}", first.to_uppercase())
}

/// The operations that the order of items is no matter to.
const COMMUTING: [&str; 7] = [
    "fetch_add",
    "fetch_sub",
    "fetch_and",
    "fetch_or",
    "fetch_xor",
    "fetch_min",
    "fetch_max",
];

fn integer(g: &mut Generator) -> Scalar {
    g.scalar_that(|s| s.is_integer() && s.bits() >= 32)
}

/// `c: &[AtomicU32]`
pub fn param(g: &mut Generator, row: Row) -> Option<Param> {
    let of = integer(g);
    let shared = row == Row::AtomicSharedParam;
    let len = if shared { LENGTH } else { ITEMS };
    let param = g.param(row, "c", false, Role::Atomics(of, len));
    let shared = shared.then(|| *g.random.pick(&COMMUTING));
    g.atomics.push(Atomics {
        name: param.name,
        of,
        shared,
    });
    Some(param)
}

/// Atomics that are used so, of any type that `keep` holds for.
fn some(g: &mut Generator, shared: bool, keep: impl Fn(Scalar) -> bool) -> Option<Atomics> {
    let of: Vec<_> = g
        .atomics
        .iter()
        .filter(|a| a.shared.is_some() == shared && keep(a.of))
        .copied()
        .collect();
    (!of.is_empty()).then(|| *g.random.pick(&of))
}

/// `c[e].fetch_add(e, Relaxed);`
pub fn shared(g: &mut Generator, row: Row) -> Option<Node> {
    let Atomics { name, of, shared } = some(g, true, |_| true)?;
    let text = format!("$[$].{}($, {});", shared?, ordering(g, BOTH));
    Some(Node::stmt(row, form!(text, name, g.index(LENGTH), g.expr(of))))
}

/// The orderings of an operation that reads and writes, of one that reads, and of one that writes.
const BOTH: &[&str] = &["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];
const LOAD: &[&str] = &["Relaxed", "Acquire", "SeqCst"];
const STORE: &[&str] = &["Relaxed", "Release", "SeqCst"];

fn ordering(g: &mut Generator, of: &[&str]) -> String {
    format!("Ordering::{}", g.random.pick(of))
}

/// `c[i].load(Relaxed)`, and `c[i].store(e, Relaxed)` before it.
pub fn loaded(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let Atomics { name, .. } = some(g, false, |of| of == scalar)?;
    let load = format!("$[$].load({})", ordering(g, LOAD));
    let pieces = if row == Row::AtomicStore {
        let store = ordering(g, STORE);
        let text = format!("({{ $[$].store($, {store}); {load} }})");
        let (value, index) = (g.expr(scalar), g.own_index());
        form!(text, name, g.own_index(), value, name, index)
    } else {
        form!(load, name, g.own_index())
    };
    Some(Node::expr(row, scalar, pieces))
}

/// `c[i].fetch_add(e, Relaxed)` and kin, `swap` too.
pub fn changed(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let Atomics { name, .. } = some(g, false, |of| of == scalar)?;
    let method = match row {
        Row::AtomicSwap => "swap",
        Row::AtomicAdd => "fetch_add",
        Row::AtomicSub => "fetch_sub",
        Row::AtomicAnd => "fetch_and",
        Row::AtomicNand => "fetch_nand",
        Row::AtomicOr => "fetch_or",
        Row::AtomicXor => "fetch_xor",
        Row::AtomicMin => "fetch_min",
        _ => "fetch_max",
    };
    let text = format!("$[$].{method}($, {})", ordering(g, BOTH));
    Some(Node::expr(
        row,
        scalar,
        form!(text, name, g.own_index(), g.expr(scalar)),
    ))
}

/// `c[i].compare_exchange(a, b, Relaxed, Relaxed)`, and what was there.
pub fn exchanged(g: &mut Generator, row: Row, ty: &Type) -> Option<Node> {
    let scalar = ty.scalar()?;
    let Atomics { name, .. } = some(g, false, |of| of == scalar)?;
    let (current, new) = (expected(g, name, scalar), g.expr(scalar));
    let [success, failure] = [ordering(g, BOTH), ordering(g, LOAD)];
    let value = g.name("v");
    let text =
        format!("(match $[$].compare_exchange($, $, {success}, {failure}) {{ Ok($) => $, Err($) => !$ }})");
    let bind = crate::ast::Piece::Bind;
    let own = g.own_index();
    Some(Node::expr(
        row,
        scalar,
        form!(
            text,
            name,
            own,
            current,
            new,
            bind(value),
            value,
            bind(value),
            value
        ),
    ))
}

/// What is there, or anything.
fn expected(g: &mut Generator, name: Name, of: Scalar) -> Node {
    if g.random.chance(50) {
        return g.expr(of);
    }
    let pieces = form!("$[$].load(Ordering::Relaxed)", name, g.own_index());
    Node::expr(Row::AtomicLoad, of, pieces)
}
