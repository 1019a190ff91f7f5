//! Making a kernel small that fails.
//!
//! Every smaller variant of a kernel is a candidate; a batch of candidates is built and run at once, and the smallest
//! that still fails is the next kernel. Candidates that the compiler refuses are none: but a kernel that was refused
//! itself is compared by that.

use crate::ast::{Kernel, Name, Node, Piece, Role};
use crate::batch::{Batch, Failure, Mode};
use std::collections::HashSet;
use std::io;

/// How often a batch of candidates is built.
const ROUNDS: usize = 14;
/// How many candidates are built at once.
const WIDTH: usize = 40;

/// The smallest kernel found that fails as `kernel` does, and how.
///
/// # Errors
///
/// If building fails for a reason that is no kernel's.
pub fn shrink(kernel: &Kernel, failure: Failure, mode: Mode) -> io::Result<(Kernel, Failure)> {
    let (mut smallest, mut failure) = (kernel.clone(), failure);
    for _ in 0..ROUNDS {
        let mut candidates = candidates(&smallest);
        candidates.sort_by_key(Kernel::size);
        // The smallest are bold and mostly right again; the largest are cautious. Some of each.
        let step = candidates.len().div_ceil(WIDTH).max(1);
        let candidates: Vec<Kernel> = candidates.into_iter().step_by(step).collect();
        if candidates.is_empty() {
            break;
        }
        let failures = Batch::write("shrink", &candidates)?.run(mode)?;
        let same = |found: &Failure| (found.device == "rustc") == (failure.device == "rustc");
        let next = failures.into_iter().find(|(_, found)| same(found));
        let Some((n, found)) = next else { break };
        (smallest, failure) = (candidates[n].clone(), found);
    }
    Ok((smallest, failure))
}

/// Every kernel that has one thing less.
fn candidates(kernel: &Kernel) -> Vec<Kernel> {
    let mut all = Vec::new();
    let mut add = |smaller: Kernel| {
        if smaller.size() < kernel.size() && is_closed(&smaller) {
            all.push(smaller);
        }
    };
    for n in 0..kernel.items.len() {
        let mut smaller = kernel.clone();
        smaller.items.remove(n);
        add(smaller);
    }
    for n in 0..kernel.params.len() {
        let mut smaller = kernel.clone();
        smaller.params.remove(n);
        add(smaller);
    }
    for n in 0..kernel.params.len() {
        let Role::Struct(_, fields) = &kernel.params[n].role else {
            continue;
        };
        for field in 0..fields.len() {
            let mut smaller = kernel.clone();
            if let Role::Struct(_, fields) = &mut smaller.params[n].role {
                fields.remove(field);
            }
            add(smaller);
        }
    }
    for body in variants_of_body(&kernel.body) {
        add(Kernel {
            body,
            ..kernel.clone()
        });
    }
    for (n, item) in kernel.items.iter().enumerate() {
        for variant in variants(item) {
            let mut smaller = kernel.clone();
            smaller.items[n] = variant;
            add(smaller);
        }
    }
    all
}

/// The body without a run of statements, with what is inside a statement in its place, or with a smaller statement.
fn variants_of_body(body: &[Node]) -> Vec<Vec<Node>> {
    let mut all = Vec::new();
    let mut length = body.len();
    while length > 0 {
        for start in (0..=body.len() - length).step_by(length.div_ceil(2)) {
            let mut smaller = body.to_vec();
            smaller.drain(start..start + length);
            all.push(smaller);
        }
        length /= 2;
    }
    for (n, node) in body.iter().enumerate() {
        let with = |by: Vec<Node>| {
            let mut smaller = body.to_vec();
            smaller.splice(n..=n, by);
            smaller
        };
        for piece in &node.pieces {
            if let Piece::Body(inner) = piece {
                all.push(with(inner.clone()));
            }
        }
        all.extend(variants(node).into_iter().map(|node| with(vec![node])));
    }
    all
}

/// The node with something smaller in it, or in its place.
fn variants(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    if let Some(ty) = &node.ty {
        all.push(Node::plain(ty.clone(), vec![ty.least().into()]));
        node.visit(&mut |inner| {
            if inner.ty.as_ref() == Some(ty) && inner.size() < node.size() {
                all.push(inner.clone());
            }
        });
    }
    for (n, piece) in node.pieces.iter().enumerate() {
        let mut with = |piece: Piece| {
            let mut smaller = node.clone();
            smaller.pieces[n] = piece;
            all.push(smaller);
        };
        match piece {
            Piece::Node(inner) => variants(inner).into_iter().for_each(|inner| with(inner.into())),
            Piece::Body(body) => variants_of_body(body)
                .into_iter()
                .for_each(|body| with(body.into())),
            Piece::Text(_) | Piece::Sides { .. } | Piece::Bind(_) | Piece::Use(_) | Piece::Silent(_) => {}
        }
    }
    all
}

/// Whether every name that is used is also bound.
fn is_closed(kernel: &Kernel) -> bool {
    let mut bound: HashSet<Name> = HashSet::new();
    let mut closed = true;
    let mut meet = |name, binds| {
        if binds {
            bound.insert(name);
        } else {
            closed &= bound.contains(&name);
        }
    };
    kernel
        .items
        .iter()
        .for_each(|item| names(&item.pieces, &mut meet));
    for param in &kernel.params {
        param.visit(&mut |param| {
            match &param.role {
                Role::Slice(shape, _) | Role::Value(shape) | Role::Output(shape, _) => {
                    names(&shape.ty(), &mut meet);
                }
                Role::Function(_, _, node) | Role::Const(_, node) => names(&node.pieces, &mut meet),
                Role::Atomics(..) | Role::Struct(..) => {}
            }
            meet(param.name, true);
        });
    }
    kernel.body.iter().for_each(|node| names(&node.pieces, &mut meet));
    closed
}

/// Calls `f` with each name in the order of the text, and whether it is bound there.
fn names(pieces: &[Piece], f: &mut impl FnMut(Name, bool)) {
    for piece in pieces {
        match piece {
            Piece::Bind(name) => f(*name, true),
            Piece::Use(name) | Piece::Silent(name) => f(*name, false),
            Piece::Node(node) => names(&node.pieces, f),
            Piece::Body(body) => body.iter().for_each(|node| names(&node.pieces, f)),
            Piece::Text(_) | Piece::Sides { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use crate::generator::kernel;

    #[test]
    fn candidates_get_smaller_down_to_nothing() {
        let mut smallest = kernel(3);
        while let Some(next) = candidates(&smallest)
            .into_iter()
            .min_by_key(|kernel| kernel.size())
        {
            assert!(next.size() < smallest.size());
            smallest = next;
        }
        assert!(smallest.body.is_empty() && smallest.items.is_empty() && smallest.params.is_empty());
    }
}
