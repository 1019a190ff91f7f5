//! Token trees by a weighted grammar: `grammar.txt`, whose head says how it is read.

use crate::tree::{Tree, trees};
use fastrand::Rng;
use proc_macro2::{Delimiter, TokenStream};
use std::collections::HashMap;

/// How deep rules may stand in each other before each takes its first production.
const DEPTH: usize = 14;

/// How many productions one text may take before it comes to an end.
const SIZE: usize = 400;

/// What `macro_rules!` hands on in invisible groups.
const FRAGMENTS: &[&str] = &[
    "block",
    "expr",
    "item",
    "literal",
    "path",
    "pattern",
    "statement",
    "type",
];

/// The rules by name; of each, the productions with their weights.
pub(crate) struct Grammar(HashMap<String, Vec<(u32, Vec<Tree>)>>);

impl Grammar {
    /// The grammar of this program.
    pub(crate) fn read() -> Grammar {
        let mut rules: HashMap<String, Vec<_>> = HashMap::new();
        let mut name = "";
        for line in include_str!("grammar.txt").lines() {
            match line.strip_prefix("    ") {
                Some(production) => {
                    let (weight, text) = production.split_once(' ').unwrap_or((production, ""));
                    let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
                    let weight = weight.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
                    rules
                        .entry(name.into())
                        .or_default()
                        .push((weight, trees(tokens)));
                }
                None => name = line,
            }
        }
        Grammar(rules)
    }

    /// A text of the rule.
    pub(crate) fn expand(&self, rule: &str, random: &mut Rng) -> Vec<Tree> {
        let (mut out, mut size) = (vec![], 0);
        self.rule(rule, random, 0, &mut size, &mut out);
        out
    }

    fn rule(&self, rule: &str, random: &mut Rng, depth: usize, size: &mut usize, out: &mut Vec<Tree>) {
        *size += 1;
        // Now and then something else than what is right here.
        let rule = if random.u8(..200) == 0 { "soup" } else { rule };
        let productions = self.0.get(rule).map_or(&[][..], Vec::as_slice);
        let mut left = match productions.iter().map(|p| p.0).sum() {
            _ if depth > DEPTH || *size > SIZE => 0,
            0 => 0,
            sum => random.u32(..sum),
        };
        for (weight, production) in productions {
            if left < *weight {
                if FRAGMENTS.contains(&rule) && random.u8(..40) == 0 {
                    let mut inner = vec![];
                    self.fill(production, random, depth, size, &mut inner);
                    out.push(Tree::Group(Delimiter::None, inner));
                } else {
                    self.fill(production, random, depth, size, out);
                }
                return;
            }
            left -= weight;
        }
    }

    /// A production with texts in the places of its rules.
    fn fill(
        &self,
        production: &[Tree],
        random: &mut Rng,
        depth: usize,
        size: &mut usize,
        out: &mut Vec<Tree>,
    ) {
        let mut trees = production.iter();
        while let Some(tree) = trees.next() {
            match tree {
                Tree::Punct('$', _) => {
                    if let Some(Tree::Ident(rule)) = trees.next() {
                        self.rule(rule, random, depth + 1, size, out);
                    }
                }
                Tree::Group(delimiter, inner) => {
                    let mut filled = vec![];
                    self.fill(inner, random, depth, size, &mut filled);
                    out.push(Tree::Group(*delimiter, filled));
                }
                tree => out.push(tree.clone()),
            }
        }
    }
}
