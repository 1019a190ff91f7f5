//! `panic!`, `assert!` and kin, as the branches that they are, and `println!`.
//!
//! A message goes to rustc as it is, as the format string of a closure; what it shows are values that are passed to it.
//! So the names inside of the string's braces are found here, and passed like the arguments behind it.

use super::ast::*;
use super::body::{LocalKind, Parsed, Parser};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::{Brace, Paren};
use syn::{Lit, LitStr, Macro, Token, parse_quote_spanned};

/// The arguments of a macro.
type Arguments = Vec<syn::Expr>;

impl Parser {
    /// `panic!` and what differs from it by its words: `alone` without arguments, and `before` in front of them.
    pub(super) fn panic(&mut self, mac: &Macro, alone: &str, before: &str) -> Parsed<ExprKind> {
        let arguments = self.macro_arguments(mac)?;
        let at = mac.path.span();
        match arguments.split_first() {
            None => Ok(ExprKind::Panic(self.words(
                at,
                quote_spanned!(mixed(at)=> #alone),
                vec![],
            ))),
            Some((format, shown)) => {
                let format = self.format(format)?;
                let (before, after) = (escaped(before), "");
                let message = self.message(at, around(&format, &before, after), shown)?;
                Ok(ExprKind::Panic(message))
            }
        }
    }

    /// `println!`: the words of a panic, without its end.
    pub(super) fn print(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        let arguments = self.macro_arguments(mac)?;
        let at = mac.path.span();
        let line = match arguments.split_first() {
            None => self.words(at, quote_spanned!(mixed(at)=> ""), vec![]),
            Some((format, shown)) => {
                let format = self.format(format)?;
                self.message(at, format, shown)?
            }
        };
        Ok(ExprKind::Panic(Panic { prints: true, ..line }))
    }

    /// `assert!(condition, …)`: `if condition {} else { panic!(…) }`
    pub(super) fn assert(&mut self, mac: &Macro) -> Parsed<ExprKind> {
        let arguments = self.macro_arguments(mac)?;
        let at = mac.path.span();
        let Some((condition, message)) = arguments.split_first() else {
            return self.refuse(&mac.path, "`assert!` takes a condition");
        };
        let read = self.boxed(condition);
        let kind = match message.split_first() {
            None => {
                let words = assertion(mac, condition);
                self.words(at, words, vec![])
            }
            Some((format, shown)) => {
                let format = self.format(format)?;
                self.message(at, format, shown)?
            }
        };
        let kind = ExprKind::Panic(kind);
        let mixed = mixed(at);
        let block = |tail| Block {
            brace: Brace(mixed),
            statements: vec![],
            tail,
        };
        let panic = Box::new(Expr { kind, span: at });
        let otherwise = Expr {
            kind: ExprKind::Block(None, block(Some(panic))),
            span: at,
        };
        Ok(ExprKind::If(If {
            token: Token![if](mixed),
            condition: read?,
            then: block(None),
            otherwise: Some((Token![else](mixed), Box::new(otherwise))),
        }))
    }

    /// `assert_eq!(left, right, …)`, or `assert_ne!` if they are to differ, as std has them: each side is evaluated once.
    pub(super) fn assert_equal(&mut self, mac: &Macro, equal: bool) -> Parsed<ExprKind> {
        let arguments = self.macro_arguments(mac)?;
        let at = mac.path.span();
        let [left, right, message @ ..] = arguments.as_slice() else {
            return self.refuse(&mac.path, "this assertion takes two values");
        };
        let mix = mixed(at);
        let (name, op): (_, syn::BinOp) = match equal {
            true => ("==", syn::BinOp::Eq(Token![==](mix))),
            false => ("!=", syn::BinOp::Ne(Token![!=](mix))),
        };
        let sides = "\n  left: {__left:?}\n right: {__right:?}";
        let (format, shown) = match message.split_first() {
            None => {
                let words = format!("assertion `left {name} right` failed{sides}");
                (LitStr::new(&words, mix), &[][..])
            }
            Some((format, shown)) => {
                let before = format!("assertion `left {name} right` failed: ");
                (around(&self.format(format)?, &before, sides), shown)
            }
        };
        let borrowed = |e: &syn::Expr| {
            syn::Expr::Reference(syn::ExprReference {
                attrs: vec![],
                and_token: Token![&](mix),
                mutability: None,
                expr: Box::new(e.clone()),
            })
        };
        let both = syn::Expr::Tuple(syn::ExprTuple {
            attrs: vec![],
            paren_token: Paren(mix),
            elems: [borrowed(left), borrowed(right)].into_iter().collect(),
        });
        let panic = Ident::new("panic", at);
        let arm = parse_quote_spanned!(mix=>
            (__left, __right) => if *__left #op *__right {} else { #panic!(#format #(, #shown)*) }
        );
        let compared = syn::ExprMatch {
            attrs: vec![],
            match_token: Token![match](mix),
            expr: Box::new(both),
            brace_token: Brace(mix),
            arms: vec![arm],
        };
        self.match_(&compared).map(ExprKind::Match)
    }

    /// `option.expect("…")`, as the `match` that it is.
    pub(super) fn expect(&mut self, e: &syn::ExprMethodCall, message: &LitStr) -> Parsed<ExprKind> {
        let (receiver, at) = (&e.receiver, e.method.span());
        let mix = mixed(at);
        let format = LitStr::new(&escaped(&message.value()), mix);
        let panic = Ident::new("panic", at);
        let [some, none]: [syn::Arm; 2] = [
            parse_quote_spanned!(mix=> ::core::option::Option::Some(__value) => __value,),
            parse_quote_spanned!(mix=> ::core::option::Option::None => #panic!(#format),),
        ];
        let expected = syn::ExprMatch {
            attrs: vec![],
            match_token: Token![match](mix),
            expr: receiver.clone(),
            brace_token: Brace(mix),
            arms: vec![some, none],
        };
        self.match_(&expected).map(ExprKind::Match)
    }

    /// A message with a format string and what it shows: the arguments, and the names in it that no argument has.
    fn message(&mut self, at: Span, format: LitStr, arguments: &[syn::Expr]) -> Parsed<Panic> {
        let mut shown = vec![];
        for argument in arguments {
            let (name, value) = match argument {
                syn::Expr::Assign(named) => (ident(&named.left), &*named.right),
                value => (None, value),
            };
            if let syn::Expr::Lit(syn::ExprLit {
                lit: Lit::Str(text), ..
            }) = value
            {
                return self.refuse(text, "a message in a kernel has its text in the format string");
            }
            shown.push((name, self.shown(value)?));
        }
        for name in names(&format.value()) {
            let Ok(mut name) = syn::parse_str::<Ident>(&name) else {
                continue;
            };
            if shown.iter().any(|(known, _)| known.as_ref() == Some(&name)) {
                continue;
            }
            name.set_span(format.span());
            let value = syn::Expr::Path(syn::ExprPath {
                attrs: vec![],
                qself: None,
                path: name.clone().into(),
            });
            shown.push((Some(name), self.shown(&value)?));
        }
        Ok(self.words(at, format.into_token_stream(), shown))
    }

    /// A value that a message shows.
    fn shown(&mut self, e: &syn::Expr) -> Parsed<Expr> {
        let value = self.expr(e)?;
        if let ExprKind::Local(local, name) = &value.bare().kind
            && let LocalKind::Slice(_) = self.locals[usize::from(*local)].kind
        {
            let help = format!(
                "a message in a kernel shows values, and `{name}` is a slice: show some of its elements"
            );
            return self.refuse(name.clone(), help);
        }
        Ok(value)
    }

    fn words(&mut self, at: Span, format: TokenStream, shown: Vec<(Option<Ident>, Expr)>) -> Panic {
        Panic {
            prints: false,
            at,
            link: self.link(LinkHole::Words(at)),
            format,
            shown,
        }
    }

    fn format(&mut self, e: &syn::Expr) -> Parsed<LitStr> {
        match e {
            syn::Expr::Lit(syn::ExprLit {
                lit: Lit::Str(format),
                ..
            }) => Ok(format.clone()),
            syn::Expr::Group(g) => self.format(&g.expr),
            e => self.refuse(e, "a message in a kernel begins with a string literal"),
        }
    }

    fn macro_arguments(&mut self, mac: &Macro) -> Parsed<Arguments> {
        match mac.parse_body_with(Punctuated::<syn::Expr, Token![,]>::parse_terminated) {
            Ok(arguments) => Ok(arguments.into_iter().collect()),
            Err(e) => self.refuse_with(e),
        }
    }
}

/// The words of an assertion without a message: its condition, as it was written.
pub(crate) fn assertion(mac: &Macro, condition: &syn::Expr) -> TokenStream {
    let span = mac.delimiter.span().join();
    let source = span.source_text().map(|text| {
        let inside = text.get(1..text.len().saturating_sub(1)).unwrap_or("").trim_end();
        let inside = inside.strip_suffix(',').unwrap_or(inside);
        inside.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let text = source.unwrap_or_else(|| condition.to_token_stream().to_string());
    let text = escaped(&format!("assertion failed: {}", without_raw(&text)));
    LitStr::new(&text, mixed(span)).into_token_stream()
}

/// Names as rustc prints them: raw only where they are keywords.
fn without_raw(text: &str) -> String {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let mut parts = text.split("r#");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let name = &part[..part.find(|c| !is_part(c)).unwrap_or(part.len())];
        // What follows may be the rest of a raw string, and what stands before the rest of a name.
        let is_needed = out.ends_with(is_part) || syn::parse_str::<Ident>(name).is_err();
        out += if is_needed { "r#" } else { "" };
        out += part;
    }
    out
}

fn mixed(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// The name that an expression is.
fn ident(e: &syn::Expr) -> Option<Ident> {
    match e {
        syn::Expr::Path(p) => p.path.get_ident().cloned(),
        _ => None,
    }
}

/// Text as a format string has it.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A format string between two others.
fn around(format: &LitStr, before: &str, after: &str) -> LitStr {
    if before.is_empty() && after.is_empty() {
        return format.clone();
    }
    LitStr::new(&format!("{before}{}{after}", format.value()), format.span())
}

/// The names in the braces of a format string, and those of widths and precisions (`{x:width$}`), each once.
fn names(format: &str) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    let mut note = |name: &str| {
        let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if begins && !names.iter().any(|known| known == name) {
            names.push(name.into());
        }
    };
    let text = format.replace("{{", "");
    for piece in text.split('{').skip(1) {
        let inside = piece.split('}').next().unwrap_or("");
        let (name, spec) = inside.split_once(':').unwrap_or((inside, ""));
        note(name.trim());
        for part in spec.split('$').rev().skip(1) {
            let start = part.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
            let name = start.map_or(part, |at| {
                part[at..].trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '_'))
            });
            note(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_braces() {
        assert_eq!(names("{} {0} {{not}} {a} {b:?} {a:>8}"), ["a", "b"]);
        assert_eq!(
            names("{x:width$.precision$} {:.n$} {:1$}"),
            ["x", "precision", "width", "n"]
        );
        assert_eq!(names("{x:é>w$}"), ["x", "w"]);
        assert_eq!(names("no {"), Vec::<String>::new());
    }

    #[test]
    fn names_are_raw_only_where_they_are_keywords() {
        let text = r###"r#c == r#type && r#"r"# != var#x"###;
        assert_eq!(super::without_raw(text), r###"c == r#type && r#"r"# != var#x"###);
    }
}
