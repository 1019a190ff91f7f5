//! `cargo xtask`: what a developer of gridfn does, one command per file.

mod apt;
mod bench;
mod bless;
mod cargo;
mod ci;
mod components;
mod devices;
mod differential;
mod fuzz;
mod machine;
mod parts;
mod process;
mod report;
mod setup;
mod show;
mod tally;
mod test;
mod wheels;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What a developer of gridfn does.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what the tests need: Debian's packages, Intel's OpenCL runtime, ptxas
    Setup,
    /// Install what the tests need, and run them all on every device
    Test(test::Arguments),
    /// Write the snapshots and the expected compiler errors anew
    Bless,
    /// Measure launches on each OpenCL device and on the null device
    Bench(bench::Arguments),
    /// Print the code of an example's kernels
    Show(show::Arguments),
    /// Compare random kernels with what rustc makes of the same text
    Differential(differential::Arguments),
    /// Feed token streams to the macros, right and wrong ones
    Fuzz(fuzz::Arguments),
    /// What CI runs: all tests, where nothing may be missing
    Ci,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Setup => setup::run(),
        Command::Test(arguments) => return test::run(&arguments),
        Command::Bless => bless::run(),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Differential(arguments) => differential::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Ci => return ci::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
