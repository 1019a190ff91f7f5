//! `cargo xtask differential`.

use crate::cargo::{cargo, succeed};
use crate::devices;

/// What `cargo xtask differential` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many random kernels
    #[arg(long, value_name = "N", default_value_t = 200)]
    count: u32,
    /// What they are made from; another each time, if not told
    #[arg(long, value_name = "S")]
    seed: Option<u32>,
    /// Only one of that many batches on PoCL, whose compiler takes longest
    #[arg(long, value_name = "N", default_value_t = 1)]
    opencl_c_every: u32,
    /// Plant bugs in lowering, and tell how many kernels it takes to find each
    #[arg(long)]
    planted: bool,
}

/// Compares random kernels on the host, and on PoCL and Intel's OpenCL where they are installed.
///
/// # Errors
///
/// If something differs, or a planted bug is not found.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let mut command = cargo("run --package gridfn-differential --");
    // Lowering is the same for every device, and Intel compiles quickest.
    let devices = if arguments.planted { "intel" } else { "pocl+intel" };
    match devices::named(devices)?.environment() {
        Ok(environment) => {
            command.envs(environment).env_remove("GRIDFN_DEVICE");
        }
        Err(reason) => eprintln!("not found: {devices}: {reason}"),
    }
    command.args(["--count", &arguments.count.to_string()]);
    let seed = arguments.seed.map_or("clock".into(), |seed| seed.to_string());
    command.args(["--seed", &seed]);
    command.args(["--opencl-c-every", &arguments.opencl_c_every.to_string()]);
    command.args(arguments.planted.then_some("--planted"));
    succeed(&mut command)
}
