//! PTX.
use crate::GenerateError;
use gridfn_ir::typed::Kernel;

/// Generates PTX for one compute capability.
///
/// # Errors
///
/// If the kernel uses what our PTX cannot say yet.
pub fn generate(kernel: &Kernel, sm: u32) -> Result<String, GenerateError> {
    let _ = (kernel, sm);
    Err(GenerateError::Unsupported {
        what: "everything".into(),
        form: "PTX",
    })
}
