//! `cargo xtask test`.

use crate::cargo::cargo;
use crate::devices::{self, Device, Environment, NO_DRIVER};
use crate::machine::{self, Machine};
use crate::parts::{PARTS, Part};
use crate::process::{self, End};
use crate::report::Report;
use crate::setup;
use crate::tally::Tally;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

/// What `cargo xtask test` takes.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run the tests of this device only (host, pocl, intel, rusticl, oclgrind), without those that need none; may be given more than once
    #[arg(long = "device", value_name = "DEVICE", value_parser = devices::named)]
    devices: Vec<&'static Device>,
    /// Install nothing, and test with what is there
    #[arg(long)]
    no_setup: bool,
}

/// Runs all tests. Devices and tools that `GRIDFN_REQUIRE` names (parted by commas) must be there.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let required = env::var("GRIDFN_REQUIRE").unwrap_or_default();
    let mut tests = Tests::new(required.split(',').map(str::trim).filter(|name| !name.is_empty()));
    if !arguments.no_setup && !tests.set_up() {
        return tests.report.print();
    }
    tests.run(&arguments.devices, &[]);
    tests.report.print()
}

/// A run of tests.
pub(crate) struct Tests {
    /// What came of them.
    pub(crate) report: Report,
    required: Vec<String>,
}

impl Tests {
    /// Nothing run yet. What `required` names must be there.
    pub(crate) fn new<'a>(required: impl Iterator<Item = &'a str>) -> Tests {
        Tests {
            report: Report::default(),
            required: required.map(String::from).collect(),
        }
    }

    /// Installs what is missing, as a part of its own. Returns whether that went well.
    pub(crate) fn set_up(&mut self) -> bool {
        title("setup");
        let start = Instant::now();
        let done = setup::install();
        let end = match &done {
            Ok(()) => End::Success,
            Err(error) => {
                println!("error: {error}");
                End::Failure
            }
        };
        self.report.ran(
            "setup".into(),
            start.elapsed(),
            setup::BUDGET,
            Tally::default(),
            end,
        );
        end == End::Success
    }

    /// Runs the parts, and then `more` of them; with `only`, those of these devices.
    pub(crate) fn run(&mut self, only: &[&'static Device], more: &[&Part]) {
        let machine = Machine::look();
        machine.print();
        self.look_for_required(&machine, only);
        let there = |part: &&Part| part.tool().is_none_or(|tool| machine.has(tool));
        for part in PARTS.iter().chain(more.iter().copied()).filter(there) {
            if part.is_once(!only.is_empty()) {
                self.run_part(part, &machine, None);
            }
            for device in part.devices() {
                let wanted = only.is_empty() || only.iter().any(|other| other.name == device.name);
                if let Some(environment) = machine.environment(device).filter(|_| wanted) {
                    self.run_part(part, &machine, Some((device, environment)));
                }
            }
        }
    }

    /// What is required, or asked for with `--device`, and missing is a failure; what else is missing is told.
    fn look_for_required(&mut self, machine: &Machine, only: &[&'static Device]) {
        for name in &self.required {
            if !machine::requirable().any(|known| known == name) {
                let known: Vec<&str> = machine::requirable().collect();
                self.report.note(format!(
                    "GRIDFN_REQUIRE: `{name}` is none of {}",
                    known.join(", ")
                ));
                self.report.failed(format!("required: {name}"));
            }
        }
        for (name, reason) in machine.missing() {
            self.report.note(format!("not found: {name}: {reason}"));
            if self.required.iter().any(|required| required == name) || only.iter().any(|d| d.name == name) {
                self.report.failed(format!("required: {name}"));
            }
        }
    }

    fn run_part(&mut self, part: &Part, machine: &Machine, device: Option<(&Device, &Environment)>) {
        let name = match device {
            Some((device, _)) => format!("{} on {}", part.name, device.name),
            None => part.name.into(),
        };
        title(&name);
        let mut command = cargo(part.command);
        command.env("GRIDFN_REQUIRE", self.required.join(","));
        command.envs(machine.ptxas().map(|ptxas| ("GRIDFN_PTXAS", ptxas)));
        match device {
            Some((_, environment)) => command.envs(environment.iter().map(|(name, value)| (name, value))),
            // Each driver has parts of its own, so here there are none: the same tests run on every machine.
            None => command
                .env_remove("GRIDFN_DEVICE")
                .env("OCL_ICD_VENDORS", NO_DRIVER),
        };
        let start = Instant::now();
        let mut tally = Tally::default();
        let end = process::run(&mut command, part.limit(), |line| {
            println!("{line}");
            tally += Tally::of_line(line);
        });
        let end = end.unwrap_or_else(|error| {
            println!("error: {error}");
            End::Failure
        });
        self.report.ran(name, start.elapsed(), part.budget(), tally, end);
    }
}

fn title(name: &str) {
    println!("\n== {name}");
}
