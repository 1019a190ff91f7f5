//! A queue: on the host, only what its launches have left to tell.

use super::Device;
use crate::live;
use gridfn_runtime::host::{Faults, HostFault};
use gridfn_runtime::print::Printer;
use gridfn_runtime::{Fault, Kernel, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A queue of the host.
#[derive(Debug)]
pub struct Queue {
    device: Device,
    /// Whether there are faults, so that a wait without any takes no lock.
    faulted: AtomicBool,
    faults: Mutex<Option<Pending>>,
    printer: Printer,
    _alive: live::Queue,
}

/// The faults since the last wait.
#[derive(Debug)]
struct Pending {
    /// The first kernel that faulted, and its item with the lowest id.
    kernel: &'static str,
    id: [usize; 3],
    fault: HostFault,
    /// The items of all launches.
    count: usize,
}

impl Queue {
    pub(super) fn new(device: Device) -> Queue {
        Queue {
            device,
            faulted: AtomicBool::new(false),
            faults: Mutex::new(None),
            printer: Printer::default(),
            _alive: live::Queue::new(),
        }
    }

    #[inline(always)]
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    #[inline(always)]
    pub(super) fn printer(&self) -> &Printer {
        &self.printer
    }

    /// Keeps the faults of a launch for the next wait.
    #[cold]
    pub(super) fn note(&self, kernel: &'static Kernel, faults: Faults) {
        let mut pending = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *pending, faults.first) {
            (Some(before), _) => before.count += faults.count,
            (none, Some((id, fault))) => {
                *none = Some(Pending {
                    kernel: kernel.name,
                    id,
                    fault,
                    count: faults.count,
                });
            }
            (None, None) => return,
        }
        self.faulted.store(true, Ordering::Release);
    }

    /// Tells the faults since the last wait.
    #[inline]
    pub(super) fn faults(&self) -> Result<()> {
        if self.faulted.load(Ordering::Acquire) {
            self.tell()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn tell(&self) -> Result<()> {
        let pending = {
            let mut pending = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
            self.faulted.store(false, Ordering::Release);
            pending.take()
        };
        let Some(Pending {
            kernel,
            id,
            fault,
            count,
        }) = pending
        else {
            return Ok(());
        };
        let HostFault {
            file,
            line,
            column,
            message,
        } = fault;
        Err(Fault::new(kernel.into(), file, line, column, message, id, count).into())
    }
}
