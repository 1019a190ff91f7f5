//! `cargo xtask setup`.

use crate::machine::Machine;
use crate::{apt, components, wheels};
use std::time::Duration;

/// How long it may take on a new machine, where it downloads some hundred megabytes.
pub(crate) const BUDGET: Duration = Duration::from_secs(180);

/// Installs what is missing, and says what there is.
///
/// # Errors
///
/// If something cannot be installed; the message says what to do.
pub(crate) fn run() -> Result<(), String> {
    install()?;
    Machine::look().print();
    Ok(())
}

/// Installs what is missing. With everything there it needs no network.
///
/// # Errors
///
/// If something cannot be installed; the message says what to do.
pub(crate) fn install() -> Result<(), String> {
    // One list of all packages, so that who may not install them is told all at once.
    let mut packages = apt::missing(&apt::PACKAGES)?;
    if wheels::installed().is_none() && !wheels::can_install() {
        packages.extend(wheels::PACKAGES);
    }
    apt::install(&packages)?;
    wheels::install()?;
    components::install()
}
