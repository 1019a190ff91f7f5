//! Tree and filled holes to typed IR.
use crate::body::Body;
use crate::typed::Kernel;

/// Why a tree could not be lowered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LowerError {
    /// What is wrong, for the user.
    pub message: String,
}

/// Lowers one instance of a kernel.
pub fn lower(body: &Body<'_>) -> Result<Kernel, LowerError> {
    let _ = body;
    Ok(Kernel::default())
}
