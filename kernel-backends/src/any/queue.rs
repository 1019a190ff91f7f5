//! A queue.

use super::Device;
use super::device::AnyDevice;
use crate::{host, null};
use gridfn_runtime::{Backend, Result};

#[cfg(feature = "opencl")]
use crate::opencl;

/// A queue of some back end.
pub struct AnyQueue {
    device: Device,
    raw: Raw,
}

/// The back end's own queue.
pub(super) enum Raw {
    Host(host::Queue),
    Null(null::Queue),
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Queue),
}

impl AnyQueue {
    pub(super) fn new(device: &Device) -> Result<AnyQueue> {
        let raw = match device.any() {
            AnyDevice::Host(device) => Raw::Host(host::Host::new_queue(device)?),
            AnyDevice::Null(device) => Raw::Null(null::Null::new_queue(device)?),
            #[cfg(feature = "opencl")]
            AnyDevice::OpenCl(device) => Raw::OpenCl(opencl::OpenCl::new_queue(device)?),
        };
        Ok(AnyQueue {
            device: device.clone(),
            raw,
        })
    }

    #[inline(always)]
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    #[inline(always)]
    pub(super) fn raw(&self) -> &Raw {
        &self.raw
    }
}
