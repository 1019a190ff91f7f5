//! A queue.

use super::Device;
use super::device::AnyDevice;
use crate::{host, null};
use gridfn_runtime::{Backend, QueueOptions, Result};

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
    pub(super) fn new(device: &Device, options: &QueueOptions) -> Result<AnyQueue> {
        let raw = match device.any() {
            AnyDevice::Host(device) => Raw::Host(host::Host::new_queue(device, options)?),
            AnyDevice::Null(device) => Raw::Null(null::Null::new_queue(device, options)?),
            #[cfg(feature = "opencl")]
            AnyDevice::OpenCl(device) => Raw::OpenCl(opencl::OpenCl::new_queue(device, options)?),
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

#[cfg(feature = "opencl")]
impl From<opencl::Queue> for AnyQueue {
    fn from(queue: opencl::Queue) -> AnyQueue {
        AnyQueue {
            device: queue.device().into(),
            raw: Raw::OpenCl(queue),
        }
    }
}
