//! `cargo xtask show`.

use crate::cargo::{cargo, succeed};

/// What `cargo xtask show` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The example, by the name of its file in `examples`
    example: String,
    /// The language
    #[arg(long, value_enum, default_value = "openclc")]
    target: Target,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Target {
    Spirv,
    #[value(name = "openclc")]
    OpenClC,
    Ptx,
}

/// Prints the code of an example's kernels: every example has `--emit`, and then runs none of them.
///
/// # Errors
///
/// If there is no such example, or it fails.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let target = match arguments.target {
        Target::Spirv => "spirv",
        Target::OpenClC => "openclc",
        Target::Ptx => "ptx",
    };
    succeed(cargo("run --quiet --release --example").args([&arguments.example, "--", "--emit", target]))
}
