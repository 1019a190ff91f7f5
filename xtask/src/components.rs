//! The toolchain's components that tests call.

use crate::cargo::{cargo, succeed, succeeds};
use std::process::Command;

/// The components, and how cargo calls them.
pub(crate) const COMPONENTS: [(&str, &str); 2] =
    [("rustfmt", "fmt --version"), ("clippy", "clippy --version")];

/// Whether a component answers.
pub(crate) fn is_there(call: &str) -> bool {
    succeeds(&mut cargo(call))
}

/// Installs those that are missing, through rustup.
///
/// # Errors
///
/// If there is no rustup, or it fails.
pub(crate) fn install() -> Result<(), String> {
    let missing: Vec<&str> = COMPONENTS
        .iter()
        .filter(|(_, call)| !is_there(call))
        .map(|(name, _)| *name)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    rustup.args(["component", "add"]).args(&missing);
    succeed(&mut rustup).map_err(|e| format!("the toolchain has no {}: {e}", missing.join(", no ")))
}
