//! A queue, which never has anything to do.

use super::Device;
use crate::live;

/// A queue of the null device.
#[derive(Debug)]
pub struct Queue {
    device: Device,
    _alive: live::Queue,
}

impl Queue {
    pub(super) fn new(device: Device) -> Queue {
        Queue {
            device,
            _alive: live::Queue::new(),
        }
    }

    #[inline(always)]
    pub(super) fn device(&self) -> &Device {
        &self.device
    }
}
