//! gridfn

pub use gridfn_backends::{Buffer, Device, Prepared, Queue};
pub use gridfn_codegen::{Code, Target};
pub use gridfn_macros::{device, kernel, launch};
pub use gridfn_runtime::{DeviceCopy, Error, Result};

/// What kernels and the programs around them need.
pub mod prelude {
    pub use crate::{Buffer, Device, DeviceCopy, Queue, device, kernel, launch};
    pub use gridfn_runtime::index::{
        global_id, global_linear_id, global_size, group_id, local_id, local_linear_id, local_size, num_groups,
    };
    pub use gridfn_runtime::{Float, Int, Scalar};
}

#[doc(hidden)]
pub mod __private {
    pub use gridfn_backends::emit;
    pub use gridfn_runtime::private::*;
}
