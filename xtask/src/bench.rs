//! `cargo xtask bench`.

use crate::cargo::{cargo, succeed};
use crate::devices::{self, Device, Offer};
use crate::machine::Machine;

/// What `cargo xtask bench` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this device only; may be given more than once
    #[arg(long = "device", value_name = "DEVICE", value_parser = devices::named)]
    devices: Vec<&'static Device>,
    /// Arguments for the benchmark, such as `--json`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Measures each device in a process of its own. Standard output has nothing but what the benchmark prints there.
///
/// # Errors
///
/// If the benchmark fails on a device, or one that was asked for is not there.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    for (device, environment) in Machine::look().devices {
        let wanted = if arguments.devices.is_empty() {
            device.offers(&[Offer::Timing])
        } else {
            arguments.devices.iter().any(|other| other.name == device.name)
        };
        match environment {
            Ok(environment) if wanted => {
                eprintln!("== {}", device.name);
                let mut bench = cargo("bench --bench launch --");
                succeed(bench.args(&arguments.arguments).envs(environment))?;
            }
            Err(reason) if !arguments.devices.is_empty() && wanted => {
                return Err(format!("{}: {reason}", device.name));
            }
            Err(reason) if wanted => eprintln!("not found: {}: {reason}", device.name),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}
