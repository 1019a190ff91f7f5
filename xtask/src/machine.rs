//! What is on this machine.

use crate::components::{self, COMPONENTS};
use crate::devices::{DEVICES, Device, Environment};
use crate::wheels;
use std::env;
use std::path::PathBuf;

/// A tool that tests call: its name in `GRIDFN_REQUIRE`, and how it is found.
type Tool = (&'static str, fn() -> Option<PathBuf>);

const TOOLS: [Tool; 3] = [
    ("spirv-val", || on_path("spirv-val")),
    ("ptxas", ptxas),
    ("valgrind", || on_path("valgrind")),
];

/// What was found, and what was not.
pub(crate) struct Machine {
    /// Each device, with its environment or why there is none.
    pub(crate) devices: Vec<(&'static Device, Result<Environment, String>)>,
    tools: Vec<(&'static str, Option<PathBuf>)>,
}

impl Machine {
    /// Looks for everything.
    pub(crate) fn look() -> Machine {
        Machine {
            devices: DEVICES
                .iter()
                .map(|device| (device, device.environment()))
                .collect(),
            tools: TOOLS.iter().map(|(name, find)| (*name, find())).collect(),
        }
    }

    /// The environment of a device that is there.
    pub(crate) fn environment(&self, device: &Device) -> Option<&Environment> {
        let (_, environment) = self.devices.iter().find(|(other, _)| other.name == device.name)?;
        environment.as_ref().ok()
    }

    /// Whether a tool is there.
    pub(crate) fn has(&self, tool: &str) -> bool {
        self.tools
            .iter()
            .any(|(name, path)| *name == tool && path.is_some())
    }

    /// Where `ptxas` is.
    pub(crate) fn ptxas(&self) -> Option<&PathBuf> {
        let (_, path) = self.tools.iter().find(|(name, _)| *name == "ptxas")?;
        path.as_ref()
    }

    /// What is not there, each with the reason.
    pub(crate) fn missing(&self) -> Vec<(&'static str, String)> {
        let devices = self
            .devices
            .iter()
            .filter_map(|(device, environment)| Some((device.name, environment.as_ref().err()?.clone())));
        let tools = self.tools.iter().filter(|(_, path)| path.is_none());
        devices
            .chain(tools.map(|(name, _)| (*name, "it is not on the path".into())))
            .collect()
    }

    /// Prints a table of all that was looked for.
    pub(crate) fn print(&self) {
        let row = |name: &str, what: String| println!("  {name:<10} {what}");
        for (device, environment) in &self.devices {
            row(
                device.name,
                match environment {
                    Ok(environment) => environment
                        .iter()
                        .map(|(name, value)| format!("{name}={}", value.display()))
                        .collect::<Vec<_>>()
                        .join(" "),
                    Err(reason) => format!("NOT FOUND: {reason}"),
                },
            );
        }
        for (name, path) in &self.tools {
            row(
                name,
                match path {
                    Some(path) => path.display().to_string(),
                    None => "NOT FOUND".into(),
                },
            );
        }
        for (name, call) in COMPONENTS {
            let there = components::is_there(call);
            row(
                name,
                if there {
                    format!("cargo {call}")
                } else {
                    "NOT FOUND".into()
                },
            );
        }
    }
}

/// Everything that `GRIDFN_REQUIRE` may name.
pub(crate) fn requirable() -> impl Iterator<Item = &'static str> {
    let devices = DEVICES.iter().map(|device| device.name);
    devices.chain(TOOLS.iter().map(|(name, _)| *name))
}

/// `ptxas` of the Python packages, else the one that the user has.
fn ptxas() -> Option<PathBuf> {
    wheels::installed()
        .and_then(|folder| wheels::ptxas(&folder))
        .or_else(|| on_path("ptxas"))
}

fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}
