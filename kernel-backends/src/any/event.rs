//! An event.

use crate::host::Host;
use crate::null::Null;
#[cfg(feature = "opencl")]
use crate::opencl::OpenCl;
use gridfn_runtime::Backend;

/// An event of some back end.
pub enum AnyEvent {
    /// The host's.
    Host(<Host as Backend>::Event),
    /// The null device's.
    Null(<Null as Backend>::Event),
    /// An OpenCL device's.
    #[cfg(feature = "opencl")]
    OpenCl(<OpenCl as Backend>::Event),
}
