//! From an instance to code: what all back ends that compile do alike.

use gridfn_codegen::{Code, Options, Target, generate};
use gridfn_ir::{Library, Scalar, typed};
use gridfn_math::{CASTS, LIBRARY, LIBRARY_AND_BF16};
use gridfn_runtime::{Error, Kernel, Result};
use std::fmt::Display;

/// The functions that a code form has no instructions for, and a kernel therefore brings along.
pub fn library(target: Target) -> Library {
    let rounds_to_bf16 = target.has_cast(Scalar::F32, Scalar::Bf16);
    let library = match (target.needs_library(), rounds_to_bf16) {
        (true, true) => LIBRARY,
        (true, false) => LIBRARY_AND_BF16,
        (false, _) => CASTS,
    };
    match target.has_atomic_add(Scalar::F64) {
        true => Library {
            atomic_add: |ty| ty == Scalar::F64,
            ..library
        },
        false => library,
    }
}

/// The typed IR of `kernel`, for a code form that has every function. `target` is what messages call the code form or
/// the device.
///
/// # Errors
///
/// Those of [`lowered_with`].
pub fn lowered(kernel: &Kernel, target: impl Display) -> Result<typed::Kernel> {
    lowered_with(kernel, &Library::NONE, target)
}

/// The typed IR of `kernel`, with the functions that are in `library` inlined from there.
///
/// # Errors
///
/// [`Error::Code`] with what lowering says: of the user's making are only recursion, excessive size, and an index
/// function's dimension that is no literal.
pub fn lowered_with(kernel: &Kernel, library: &Library, target: impl Display) -> Result<typed::Kernel> {
    gridfn_ir::lower_with(&kernel.body, library).map_err(|error| refused(kernel, target, error))
}

/// The code of `kernel`, whose typed IR is `typed`.
///
/// # Errors
///
/// [`Error::Code`] if the code form has no way to say what the kernel does.
pub fn generated(kernel: &Kernel, typed: &typed::Kernel, target: Target, options: Options) -> Result<Code> {
    generate(typed, target, options).map_err(|error| refused(kernel, target, error))
}

/// The code of `kernel` for `target` with the default options, without a device.
///
/// # Errors
///
/// Those of [`lowered_with`] and [`generated`].
pub fn emit(kernel: &Kernel, target: Target) -> Result<Code> {
    let typed = lowered_with(kernel, &library(target), target)?;
    generated(kernel, &typed, target, Options::default())
}

/// The error that no code could be made.
pub(crate) fn refused(kernel: &Kernel, target: impl Display, reason: impl Display) -> Error {
    Error::Code {
        kernel: kernel.name.into(),
        target: target.to_string(),
        reason: reason.to_string(),
    }
}
