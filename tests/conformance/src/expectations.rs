//! What is known to fail, and why.

use gridfn::Device;

/// What is known of a case on a device.
#[allow(dead_code, reason = "nothing in the list need fail")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// It fails, for this reason. When it starts to pass, the list is wrong, and the case fails.
    Fails(&'static str),
    /// It ends the process or never ends, for this reason, so it isn't run.
    Kills(&'static str),
}

/// A part of the device's vendor, the start of the case's name, and what is known.
const KNOWN: &[(&str, &str, Known)] = &[
    // It may pass: the assertion is of one interpreter at a time.
    (
        "oclgrind",
        "queues::two_threads",
        Known::Kills("Oclgrind asserts that there is one thread"),
    ),
    (
        "oclgrind",
        "queues::compiled_by_two_threads",
        Known::Kills("Oclgrind asserts that there is one thread"),
    ),
];

/// What is known of this case on this device.
pub(crate) fn of(device: &Device, case: &str) -> Option<Known> {
    let vendor = device.info().vendor.to_lowercase();
    let fits = |(part, start, _): &&(&str, &str, Known)| vendor.contains(part) && case.starts_with(start);
    KNOWN.iter().find(fits).map(|(_, _, known)| *known)
}
