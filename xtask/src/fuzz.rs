//! `cargo xtask fuzz`.

use crate::cargo::{cargo, succeed};

/// What `cargo xtask fuzz` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Arguments for the fuzzer: `--seconds`, `--seed`, `--first`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Feeds token streams to the macros; in a debug build, where overflows are panics.
///
/// # Errors
///
/// If one of them makes a macro fail.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    succeed(cargo("run --quiet --package gridfn-fuzz --").args(&arguments.arguments))
}
