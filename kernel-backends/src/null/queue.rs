//! A queue, which never has anything to do.

use super::Device;

/// A queue of the null device.
#[derive(Debug)]
pub struct Queue {
    device: Device,
}

impl Queue {
    pub(super) fn new(device: Device) -> Queue {
        Queue { device }
    }

    #[inline(always)]
    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}
