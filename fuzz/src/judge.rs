//! What a macro may answer: Rust, or errors at tokens.

use crate::expand;
use crate::input::{Input, Macro};
use crate::tree::Places;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What came out.
pub(crate) enum Verdict {
    Expanded,
    Refused,
}

/// What must not come out.
pub(crate) enum Failure {
    Panicked(String),
    Nothing,
    NotRust(syn::Error, String),
    NoPlace(String),
}

impl Failure {
    /// What stays the same while an input gets smaller.
    pub(crate) fn kind(&self) -> String {
        match self {
            Failure::Panicked(what) => what.clone(),
            Failure::Nothing => "nothing".into(),
            Failure::NotRust(error, _) => error.to_string(),
            Failure::NoPlace(message) => message.chars().filter(|c| !c.is_numeric()).collect(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Panicked(what) => write!(f, "the macro panicked: {what}"),
            Failure::Nothing => write!(f, "nothing comes out"),
            Failure::NotRust(error, tokens) => {
                write!(f, "what comes out is not Rust: {error}, at `{tokens}`")
            }
            Failure::NoPlace(message) => write!(f, "an error that stands at no token: {message}"),
        }
    }
}

/// Calls macros.
pub(crate) struct Judge(Places);

impl Judge {
    /// From now on panics of this thread are told by the judge only.
    pub(crate) fn new() -> Judge {
        panic::set_hook(Box::new(|info| PANIC.set(info.to_string())));
        Judge(Places::new())
    }

    /// Calls the macro, and judges what comes out.
    pub(crate) fn judge(&self, input: &Input) -> Result<Verdict, Failure> {
        let mut next = 0;
        let attribute = self.0.stream(&input.attribute, &mut next);
        let tokens = self.0.stream(&input.tokens, &mut next);
        let expand = || match input.of {
            Macro::Kernel => expand::kernel(attribute, tokens),
            Macro::Device => expand::device(attribute, tokens),
            Macro::DeviceCopy => expand::device_copy(tokens),
            Macro::KernelArg => expand::kernel_arg(tokens),
            Macro::Closure => expand::closure(tokens),
            Macro::Launch => expand::launch(tokens),
        };
        let out =
            panic::catch_unwind(AssertUnwindSafe(expand)).map_err(|_| Failure::Panicked(PANIC.take()))?;
        if out.is_empty() {
            return Err(Failure::Nothing);
        }
        let mut errors = vec![];
        collect_errors(out.clone(), &mut errors);
        if let Some((_, message)) = errors
            .iter()
            .find(|(line, message)| *line < 2 && !is_end(message))
        {
            return Err(Failure::NoPlace(message.clone()));
        }
        if !errors.is_empty() {
            return Ok(Verdict::Refused);
        }
        match parse(out.clone(), input.of) {
            Ok(()) => Ok(Verdict::Expanded),
            Err(error) => Err(Failure::NotRust(error, around(&out.to_string(), input.of))),
        }
    }
}

/// Reads what comes out where it will stand.
fn parse(out: TokenStream, of: Macro) -> syn::Result<()> {
    match of {
        Macro::Kernel | Macro::Device | Macro::DeviceCopy | Macro::KernelArg => {
            syn::parse2::<syn::File>(out).map(drop)
        }
        Macro::Closure | Macro::Launch => syn::parse2::<syn::Expr>(out).map(drop),
    }
}

/// The part of an expansion in which it is not Rust. Its own tokens have no places, but those of its text do.
fn around(text: &str, of: Macro) -> String {
    let error = text
        .parse()
        .map_err(syn::Error::from)
        .and_then(|tokens| parse(tokens, of));
    let at = error.map_or_else(|e| e.span().start().column, |()| 0);
    text.chars().skip(at.saturating_sub(80)).take(160).collect()
}

/// Whether the parser reached the end and misses something there, as it says in these words: no token is at fault.
fn is_end(message: &str) -> bool {
    message.contains("unexpected end of input") || message.starts_with("\"expected ")
}

/// The errors of an expansion: the line of each, and its message.
fn collect_errors(tokens: TokenStream, errors: &mut Vec<(usize, String)>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "compile_error" => {
                let mut message = String::new();
                while let Some(next) = tokens.peek() {
                    match next {
                        TokenTree::Group(g) if g.delimiter() != Delimiter::None => {
                            message = g.stream().to_string();
                            break;
                        }
                        TokenTree::Punct(_) => drop(tokens.next()),
                        _ => break,
                    }
                }
                errors.push((name.span().start().line, message));
            }
            TokenTree::Group(g) => collect_errors(g.stream(), errors),
            _ => {}
        }
    }
}
