//! Small mistakes.

use crate::grammar::Grammar;
use crate::input::Input;
use crate::tree::{Tree, count, find};
use fastrand::Rng;
use proc_macro2::Delimiter;

const DELIMITERS: [Delimiter; 4] = [
    Delimiter::Parenthesis,
    Delimiter::Brace,
    Delimiter::Bracket,
    Delimiter::None,
];

/// More than any kernel of ours has; what is larger only gets smaller.
const LARGEST: usize = 3000;

/// Rules of the grammar that are of use anywhere.
const RULES: &[&str] = &[
    "expr",
    "type",
    "pattern",
    "statement",
    "literal",
    "ident",
    "token",
    "soup",
    "item",
    "path",
    "block",
];

/// Makes one mistake somewhere.
pub(crate) fn mutate(trees: &mut Vec<Tree>, random: &mut Rng, grammar: &Grammar, kernels: &[Input]) {
    let all = count(trees);
    let Some((list, n)) = find(trees, random.usize(..all.max(1))) else {
        trees.extend(grammar.expand("soup", random));
        return;
    };
    let few =
        |list: &[Tree], from: usize, random: &mut Rng| from..list.len().min(from + 1 + random.usize(..6));
    match random.u8(..if all > LARGEST { 4 } else { 13 }) {
        0 | 1 => drop(list.remove(n)),
        2 => drop(list.drain(few(list, n, random))),
        3 => list.truncate(n),
        4 => list.insert(n, list[n].clone()),
        5 => {
            let other = random.usize(..list.len());
            list.swap(n, other);
        }
        6 => {
            let delimiter = DELIMITERS[random.usize(..4)];
            if let Tree::Group(d, _) = &mut list[n] {
                *d = delimiter;
            } else {
                let run = few(list, n, random);
                let inner = list.splice(run, []).collect();
                list.insert(n, Tree::Group(delimiter, inner));
            }
        }
        7 => {
            if let Tree::Group(_, inner) = &mut list[n] {
                let inner = std::mem::take(inner);
                list.splice(n..=n, inner);
            } else {
                list[n] = grammar
                    .expand("token", random)
                    .pop()
                    .unwrap_or(Tree::Ident("x".into()));
            }
        }
        8 => {
            // A number, or a name, in the place of another.
            let rule = match &list[n] {
                Tree::Literal(_) => "literal",
                Tree::Ident(_) => "ident",
                Tree::Lifetime(_) => "label",
                Tree::Punct(..) | Tree::Group(..) => "token",
            };
            list.splice(n..=n, grammar.expand(rule, random));
        }
        9 | 10 => {
            let new = grammar.expand(RULES[random.usize(..RULES.len())], random);
            let run = if random.bool() { n..n } else { few(list, n, random) };
            list.splice(run, new);
        }
        _ => {
            let Some(mut other) = random.choice(kernels).map(|k| k.tokens.clone()) else {
                return;
            };
            let number = random.usize(..count(&other).max(1));
            let Some((from, at)) = find(&mut other, number) else {
                return;
            };
            let new: Vec<Tree> = from.drain(few(from, at, random)).collect();
            let run = if random.bool() { n..n } else { few(list, n, random) };
            list.splice(run, new);
        }
    }
}
