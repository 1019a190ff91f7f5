//! Conformance: every feature of the kernel language, checked on one device.
//!
//! ```text
//! cargo run -p gridfn-conformance -- --device intel operators
//! ```
//!
//! The device is the one of `--device` or of `GRIDFN_DEVICE`, one per process; everything else on the command line is
//! as for `cargo test`. What is expected is always what plain Rust computes, so the host is a device like the others.
//! A case that needs what the device lacks is shown as *ignored*, with its need in brackets. A known failure
//! ([`expectations`]) is run all the same and fails when it starts to pass.

#![allow(
    clippy::assign_op_pattern,
    clippy::manual_is_multiple_of,
    clippy::never_loop,
    clippy::nonminimal_bool,
    clippy::iter_out_of_bounds,
    clippy::upper_case_acronyms,
    reason = "cases write things in every way that Rust has"
)]

mod case;
mod cases;
#[cfg_attr(not(any(debug_assertions, feature = "tables")), allow(dead_code))]
mod compare;
#[cfg_attr(not(any(debug_assertions, feature = "tables")), allow(unused))]
mod elements;
mod expectations;
mod samples;

use case::Suite;
use gridfn::Device;
use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (device, rest) = match split(std::env::args()) {
        Ok(split) => split,
        Err(message) => return refuse(message),
    };
    let device = match device {
        Some(name) => Device::select(&name),
        None => Device::best(),
    };
    let device = match device {
        Ok(device) if device == Device::null() => {
            return refuse("the null device runs no kernels, so there is nothing to check");
        }
        Ok(device) => device,
        Err(error) => return refuse(error),
    };
    let arguments = Arguments::from_iter(rest);
    if !arguments.list {
        eprintln!("device: {device}");
    }
    let mut suite = Suite::default();
    cases::add_to(&mut suite);
    libtest_mimic::run(&arguments, suite.into_trials(&device)).exit_code()
}

fn refuse(message: impl std::fmt::Display) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}

/// Takes `--device NAME` or `--device=NAME` out of the arguments.
fn split(arguments: impl Iterator<Item = String>) -> Result<(Option<String>, Vec<String>), &'static str> {
    let (mut device, mut rest) = (None, vec![]);
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--device" {
            device = Some(arguments.next().ok_or("`--device` needs a name")?);
        } else if let Some(name) = argument.strip_prefix("--device=") {
            device = Some(name.into());
        } else {
            rest.push(argument);
        }
    }
    Ok((device, rest))
}
