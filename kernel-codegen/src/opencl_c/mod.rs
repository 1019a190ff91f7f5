//! OpenCL C 1.2.
use crate::{GenerateError, Options};
use gridfn_ir::typed::Kernel;

/// Generates OpenCL C.
///
/// # Errors
///
/// If the kernel uses what OpenCL C cannot say.
pub fn generate(kernel: &Kernel, options: Options) -> Result<String, GenerateError> {
    let _ = (kernel, options);
    Err(GenerateError::Unsupported {
        what: "everything".into(),
        form: "OpenCL C",
    })
}
