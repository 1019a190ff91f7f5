//! `cargo xtask fuzz`: no token stream makes a macro of gridfn panic or hang, and what comes out is Rust or an error at
//! a token.
//!
//! Every input is made from the seed and its own number alone, so a failure is found again by these two. See
//! `docs/testing.md`.

// A macro crate cannot be linked, so its modules are compiled into this program. Outside a macro, `proc_macro2` has an
// implementation of its own.
#[path = "../../kernel-macros/src/ahead/mod.rs"]
mod ahead;
#[path = "../../kernel-macros/src/check/mod.rs"]
mod check;
#[path = "../../kernel-macros/src/diagnostic.rs"]
mod diagnostic;
#[path = "../../kernel-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../kernel-macros/src/parse/mod.rs"]
mod parse;

mod corpus;
mod grammar;
mod input;
mod judge;
mod mutate;
mod shrink;
mod tree;
mod watchdog;

use clap::Parser;
use grammar::Grammar;
use input::Input;
use judge::{Judge, Verdict};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use watchdog::Watchdog;

/// Feeds token streams to the macros of gridfn, and checks what comes out.
#[derive(Parser)]
struct Arguments {
    /// How long
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Another seed is another sequence of inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The number of the first input
    #[arg(long, default_value_t = 0)]
    first: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let grammar = Grammar::read();
    let kernels = corpus::collect();
    let (judge, watchdog) = (Judge::new(), Watchdog::start());
    println!(
        "seed {}, {} macro calls of this repository",
        arguments.seed,
        kernels.len()
    );
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut expanded, mut refused) = (0u64, 0u64);
    let mut number = arguments.first;
    let sequence = fastrand::Rng::with_seed(arguments.seed).u64(..);
    while Instant::now() < end {
        let mut random = fastrand::Rng::with_seed(sequence ^ number);
        let input = Input::make(&mut random, &grammar, &kernels);
        watchdog.watch(number, &input);
        match judge.judge(&input) {
            Ok(Verdict::Expanded) => expanded += 1,
            Ok(Verdict::Refused) => refused += 1,
            Err(failure) => {
                eprintln!("input {number} of seed {}: {failure}\n{input}", arguments.seed);
                let small = shrink::smallest(input, |candidate| {
                    watchdog.watch(number, candidate);
                    judge.judge(candidate).is_err_and(|f| f.kind() == failure.kind())
                });
                if let Err(failure) = judge.judge(&small) {
                    eprintln!("\nthe smallest that fails so: {failure}\n{small}");
                }
                return ExitCode::FAILURE;
            }
        }
        number += 1;
    }
    println!("{expanded} expanded, {refused} refused; the next is --first {number}");
    if expanded == 0 || refused == 0 {
        eprintln!("inputs of one kind only show nothing");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
