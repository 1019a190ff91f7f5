//! `cargo xtask bless`.

use crate::cargo::{cargo, succeed};
use crate::machine::Machine;

/// Runs the tests such that those with snapshots write them anew.
///
/// # Errors
///
/// If a test fails all the same.
pub(crate) fn run() -> Result<(), String> {
    let mut tests = cargo("test --workspace --tests --no-fail-fast");
    tests.env("GRIDFN_BLESS", "1").env("TRYBUILD", "overwrite");
    tests.envs(Machine::look().ptxas().map(|ptxas| ("GRIDFN_PTXAS", ptxas)));
    succeed(&mut tests)?;
    println!("read the difference before you commit it: git diff");
    Ok(())
}
