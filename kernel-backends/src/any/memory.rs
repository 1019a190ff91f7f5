//! The memory of one buffer.

use super::{AnyEvent, Arm};
use crate::host::{self, Host};
use crate::null::{self, Null};
#[cfg(feature = "opencl")]
use crate::opencl::{self, OpenCl};
use gridfn_runtime::Backend;

/// The memory of one buffer, of some back end.
pub enum AnyMemory {
    /// The host's.
    Host(host::Memory),
    /// The null device's.
    Null(null::Memory),
    /// An OpenCL device's.
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Memory),
}

impl AnyMemory {
    /// How `select` names the device of the memory.
    pub(super) fn device_id(&self) -> String {
        match self {
            AnyMemory::Host(_) => host::Device::get().info().id.clone(),
            AnyMemory::Null(_) => null::Device::get().info().id.clone(),
            #[cfg(feature = "opencl")]
            AnyMemory::OpenCl(memory) => memory.info().id.clone(),
        }
    }
}

macro_rules! arms {
    ($($backend:ident,)*) => {$(
        impl Arm for $backend {
            #[inline(always)]
            fn memory(memory: &AnyMemory) -> Option<&<$backend as Backend>::Memory> {
                match memory {
                    AnyMemory::$backend(memory) => Some(memory),
                    _ => None,
                }
            }
            fn wrap(memory: <$backend as Backend>::Memory) -> AnyMemory {
                AnyMemory::$backend(memory)
            }
            fn event(event: &AnyEvent) -> Option<&<$backend as Backend>::Event> {
                match event {
                    AnyEvent::$backend(event) => Some(event),
                    _ => None,
                }
            }
            fn wrap_event(event: <$backend as Backend>::Event) -> AnyEvent {
                AnyEvent::$backend(event)
            }
        }
    )*};
}
arms! { Host, Null, }
#[cfg(feature = "opencl")]
arms! { OpenCl, }
