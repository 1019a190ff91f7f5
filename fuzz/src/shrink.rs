//! The smallest input that still fails.

use crate::input::Input;
use crate::tree::{Tree, count, find};

/// Drops tokens, and opens groups, as long as `fails` says so.
pub(crate) fn smallest(mut input: Input, mut fails: impl FnMut(&Input) -> bool) -> Input {
    loop {
        let before = size(&input);
        for part in [attribute, tokens] {
            for change in [remove::<12>, remove::<3>, remove::<2>, remove::<1>, open] {
                let mut number = 0;
                while number < count(part(&mut input)) {
                    let mut candidate = input.clone();
                    if let Some((list, n)) = find(part(&mut candidate), number)
                        && change(list, n)
                        && fails(&candidate)
                    {
                        input = candidate;
                    } else {
                        number += 1;
                    }
                }
            }
        }
        if size(&input) == before {
            return input;
        }
    }
}

fn size(input: &Input) -> usize {
    count(&input.attribute) + count(&input.tokens)
}

fn attribute(input: &mut Input) -> &mut Vec<Tree> {
    &mut input.attribute
}

fn tokens(input: &mut Input) -> &mut Vec<Tree> {
    &mut input.tokens
}

/// Takes `N` trees that stand together away.
fn remove<const N: usize>(list: &mut Vec<Tree>, n: usize) -> bool {
    let is_long = n + N <= list.len();
    if is_long {
        list.drain(n..n + N);
    }
    is_long
}

/// Puts what a group holds in its place.
fn open(list: &mut Vec<Tree>, n: usize) -> bool {
    let Tree::Group(_, inner) = &mut list[n] else {
        return false;
    };
    let inner = std::mem::take(inner);
    list.splice(n..=n, inner);
    true
}
