//! `cargo xtask fuzz`.

use crate::cargo::{cargo, succeed};

/// What `cargo xtask fuzz` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
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

/// Feeds token streams to the macros; in a debug build, where overflows are panics.
///
/// # Errors
///
/// If one of them makes a macro fail.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let Arguments { seconds, seed, first } = arguments;
    succeed(&mut cargo(&format!(
        "run --quiet --package gridfn-fuzz -- --seconds {seconds} --seed {seed} --first {first}"
    )))
}
