//! Token trees as plain data, which can be changed, compared, printed and sent to another thread.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::fmt::{self, Write};

/// A token tree. A lifetime is one of its own, because rustc never parts its quote from its name.
#[derive(Clone, PartialEq)]
pub(crate) enum Tree {
    Ident(String),
    Lifetime(String),
    Punct(char, Spacing),
    Literal(String),
    Group(Delimiter, Vec<Tree>),
}

/// The trees of a stream.
pub(crate) fn trees(stream: TokenStream) -> Vec<Tree> {
    let mut out: Vec<Tree> = vec![];
    for token in stream {
        let tree = match token {
            TokenTree::Group(g) => Tree::Group(g.delimiter(), trees(g.stream())),
            TokenTree::Ident(name) => {
                if let Some(Tree::Punct('\'', _)) = out.last() {
                    out.pop();
                    Tree::Lifetime(name.to_string())
                } else {
                    Tree::Ident(name.to_string())
                }
            }
            TokenTree::Punct(p) => Tree::Punct(p.as_char(), p.spacing()),
            TokenTree::Literal(l) => Tree::Literal(l.to_string()),
        };
        out.push(tree);
    }
    out
}

/// How many trees there are, at all depths.
pub(crate) fn count(trees: &[Tree]) -> usize {
    let with_inner = |tree: &Tree| match tree {
        Tree::Group(_, inner) => 1 + count(inner),
        _ => 1,
    };
    trees.iter().map(with_inner).sum()
}

/// The list in which the tree of that number stands, counting from 0 in the order of the text, and its index there.
pub(crate) fn find(trees: &mut Vec<Tree>, number: usize) -> Option<(&mut Vec<Tree>, usize)> {
    let mut left = number;
    for n in 0..trees.len() {
        let Some(inside) = left.checked_sub(1) else {
            return Some((trees, n));
        };
        let size = count(&trees[n..=n]);
        if left < size {
            return match &mut trees[n] {
                Tree::Group(_, inner) => find(inner, inside),
                _ => None,
            };
        }
        left -= size;
    }
    None
}

/// Spans with a place each; none of them is that of `Span::call_site()`.
pub(crate) struct Places(Vec<Span>);

impl Places {
    /// As many as any input needs.
    pub(crate) fn new() -> Places {
        let lines = format!("\n{}", "x\n".repeat(20_000));
        let tokens: TokenStream = lines.parse().unwrap_or_default();
        Places(tokens.into_iter().map(|token| token.span()).collect())
    }

    /// The trees as tokens, each at a place of its own. `next` counts them.
    pub(crate) fn stream(&self, trees: &[Tree], next: &mut usize) -> TokenStream {
        let mut out = TokenStream::new();
        for tree in trees {
            let span = self.0[(*next).min(self.0.len() - 1)];
            *next += 1;
            let mut token = match tree {
                Tree::Ident(text) => ident(text).into(),
                Tree::Lifetime(name) => {
                    let mut quote = Punct::new('\'', Spacing::Joint);
                    quote.set_span(span);
                    out.extend([TokenTree::Punct(quote)]);
                    ident(name).into()
                }
                Tree::Punct(c, spacing) => Punct::new(*c, *spacing).into(),
                // What cannot be read again was no literal of a real program either.
                Tree::Literal(text) => text.parse().unwrap_or_else(|_| Literal::string(text)).into(),
                Tree::Group(delimiter, inner) => {
                    TokenTree::from(Group::new(*delimiter, self.stream(inner, next)))
                }
            };
            token.set_span(span);
            out.extend([token]);
        }
        out
    }
}

fn ident(text: &str) -> Ident {
    match text.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, Span::call_site()),
        None => Ident::new(text, Span::call_site()),
    }
}

/// Trees as text; an invisible group stands in `«` and `»`.
pub(crate) struct Shown<'t>(pub(crate) &'t [Tree]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut joint = true;
        for tree in self.0 {
            if !joint {
                f.write_char(' ')?;
            }
            joint = false;
            match tree {
                Tree::Ident(text) | Tree::Literal(text) => f.write_str(text)?,
                Tree::Lifetime(name) => write!(f, "'{name}")?,
                Tree::Punct(c, spacing) => {
                    f.write_char(*c)?;
                    joint = *spacing == Spacing::Joint;
                }
                Tree::Group(delimiter, inner) => {
                    let (open, close) = match delimiter {
                        Delimiter::Parenthesis => ('(', ')'),
                        Delimiter::Brace => ('{', '}'),
                        Delimiter::Bracket => ('[', ']'),
                        Delimiter::None => ('«', '»'),
                    };
                    write!(f, "{open}{}{close}", Shown(inner))?;
                }
            }
        }
        Ok(())
    }
}
