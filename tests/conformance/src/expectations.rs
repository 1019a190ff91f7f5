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

/// Of signed bytes that are compared and chosen between.
const BYTES_ON_LLVM_15: Known = Known::Kills("LLVM 15 crashes when llvmpipe compiles it");

/// A part of the device's vendor, a case or module of cases, and what is known.
const KNOWN: &[(&str, &str, Known)] = &[
    ("mesa", "methods_of_integers::of_i8::clamp", BYTES_ON_LLVM_15),
    ("mesa", "methods_of_integers::of_i8::with_u32", BYTES_ON_LLVM_15),
    ("mesa", "methods_of_integers::of_i8::divisions", BYTES_ON_LLVM_15),
    (
        "mesa",
        "methods_of_integers::signed::sums_of_i8",
        BYTES_ON_LLVM_15,
    ),
    (
        "mesa",
        "methods_of_integers::signed::strict_sum_of_i8",
        BYTES_ON_LLVM_15,
    ),
    (
        "mesa",
        "methods_of_integers::signed::strict_difference_of_i8",
        BYTES_ON_LLVM_15,
    ),
    ("mesa", "faults::operators::wrapping_div_euclid", BYTES_ON_LLVM_15),
    ("mesa", "iterators::overflows", BYTES_ON_LLVM_15),
    ("mesa", "iterators::checked_at_limits", BYTES_ON_LLVM_15),
    (
        "mesa",
        "iterators::checked",
        Known::Fails("llvmpipe says of some powers that overflow that they do not"),
    ),
    (
        "mesa",
        "atomics::alone::of_f32",
        Known::Kills("LLVM 15 ends the process when llvmpipe compiles a compare-exchange of a float's bits"),
    ),
    (
        "mesa",
        "methods_of_floats::of_f32::mul_add",
        Known::Fails("llvmpipe drops a zero that is added, and so gives -0 for 0"),
    ),
];

/// What is known of this case on this device.
pub(crate) fn of(device: &Device, case: &str) -> Option<Known> {
    let vendor = device.info().vendor.to_lowercase();
    // A case, or all of a module.
    let within = |name: &str| {
        case.strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let fits = |(part, name, _): &&(&str, &str, Known)| vendor.contains(part) && within(name);
    KNOWN.iter().find(fits).map(|(_, _, known)| *known)
}
