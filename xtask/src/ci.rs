//! `cargo xtask ci`.

use crate::cargo::{cargo, succeeds};
use crate::parts::DENY;
use crate::test::Tests;
use std::process::ExitCode;

/// What must be there, so that nothing passes by being left out.
const REQUIRED: [&str; 7] = [
    "pocl",
    "intel",
    "oclgrind",
    "rusticl",
    "spirv-val",
    "ptxas",
    "valgrind",
];

/// Runs all tests on all devices.
pub(crate) fn run() -> ExitCode {
    let mut tests = Tests::new(REQUIRED.into_iter());
    if tests.set_up() {
        // Building cargo-deny takes longer than all tests, so it is not installed for this.
        if succeeds(&mut cargo("deny --version")) {
            tests.run(&[], &[&DENY]);
        } else {
            tests
                .report
                .note("not found: cargo-deny: licences are not checked".into());
            tests.run(&[], &[]);
        }
    }
    tests.report.print()
}
