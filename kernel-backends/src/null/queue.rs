//! A queue, which never has anything to do.

use super::Device;
use crate::live;
use gridfn_runtime::print::Printer;

/// A queue of the null device.
#[derive(Debug)]
pub struct Queue {
    device: Device,
    printer: Printer,
    _alive: live::Queue,
}

impl Queue {
    pub(super) fn new(device: Device) -> Queue {
        Queue {
            device,
            printer: Printer::default(),
            _alive: live::Queue::new(),
        }
    }

    #[inline(always)]
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    pub(super) fn printer(&self) -> &Printer {
        &self.printer
    }
}
