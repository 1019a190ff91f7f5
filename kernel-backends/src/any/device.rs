//! A device of any back end.

use super::{Any, Queue, select};
use crate::{host, null};
use gridfn_runtime::{Backend, Capability, Info, Limits, QueueOptions, Result};
use std::fmt;

#[cfg(feature = "opencl")]
use crate::opencl;

/// Something that runs kernels. Cheap to clone, [`Send`] and [`Sync`]; it lives as long as the process.
#[derive(Clone)]
pub struct Device(AnyDevice);

/// The back end's own device.
#[derive(Clone, Debug)]
pub(super) enum AnyDevice {
    Host(host::Device),
    Null(null::Device),
    #[cfg(feature = "opencl")]
    OpenCl(opencl::Device),
}

impl Device {
    /// The CPU that the program runs on. It is always there, and no driver is loaded for it.
    pub fn host() -> Device {
        Device(AnyDevice::Host(host::Device::get()))
    }

    /// The device that does everything but run kernels: for measuring what a launch costs, and for tests.
    pub fn null() -> Device {
        Device(AnyDevice::Null(null::Device::get()))
    }

    /// The host, then all that drivers offer.
    pub fn all() -> Vec<Device> {
        let mut devices = vec![Device::host()];
        devices.extend(select::driven());
        devices
    }

    /// The device that `GRIDFN_DEVICE` selects, if it is set; else a GPU if there is one, else the host.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](gridfn_runtime::Error::NoDevice) if `GRIDFN_DEVICE` names none.
    pub fn best() -> Result<Device> {
        select::best()
    }

    /// The device called `wanted`: `host`, `null`, or the id of a driver's device (`opencl:1`); or the first of a
    /// driver whose name, vendor or version has `wanted` in it, in capitals or not (`intel`, `pocl`).
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`](gridfn_runtime::Error::NoDevice), which lists what there is.
    pub fn select(wanted: &str) -> Result<Device> {
        select::select(wanted)
    }

    /// What there is to know of it.
    #[inline]
    pub fn info(&self) -> &Info {
        dispatch!(AnyDevice, &self.0, B, device => B::info(device))
    }

    /// What launches must keep to.
    #[inline]
    pub fn limits(&self) -> &Limits {
        &self.info().limits
    }

    /// The most items that a work-group can have. A kernel that needs much of the device may have less
    /// ([`Prepared::max_group_size`](gridfn_runtime::Prepared::max_group_size)).
    pub fn max_group_size(&self) -> usize {
        self.limits().group_size
    }

    /// The most items that a work-group can have in each dimension; in all dimensions together they are no more than
    /// [`Device::max_group_size`].
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// let device = Device::host();
    /// let [x, y, z] = device.max_local_size();
    /// assert!(x <= device.max_group_size() && y * z >= 1);
    /// ```
    pub fn max_local_size(&self) -> [usize; 3] {
        self.limits().local_size
    }

    /// The most work-groups that a grid can have in each dimension.
    pub fn max_num_groups(&self) -> [usize; 3] {
        self.limits().num_groups
    }

    /// The numbers of items that a sub-group can have, in ascending order: empty where the device has no sub-groups, or
    /// does not tell. Which of several a kernel has,
    /// [`Prepared::subgroup_size`](gridfn_runtime::Prepared::subgroup_size) tells.
    pub fn subgroup_sizes(&self) -> &[usize] {
        &self.info().subgroup_sizes
    }

    /// The number of compute units: of what runs work-groups at the same time. On the host, of threads.
    pub fn compute_units(&self) -> usize {
        self.info().compute_units
    }

    /// Whether it has `capability`.
    pub fn has(&self, capability: Capability) -> bool {
        self.info().has(capability)
    }

    /// A new queue.
    ///
    /// # Errors
    ///
    /// If the driver refuses.
    pub fn queue(&self) -> Result<Queue> {
        gridfn_runtime::Queue::<Any>::new(self)
    }

    /// A new queue that is as asked. What the device does not know is ignored ([`Info::priorities`]).
    ///
    /// ```
    /// # use gridfn_backends::Device;
    /// # use gridfn_runtime::{Priority, QueueOptions};
    /// # fn main() -> gridfn_runtime::Result<()> {
    /// let urgent = Device::host().queue_with(QueueOptions { priority: Priority::High })?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// If the driver refuses.
    pub fn queue_with(&self, options: QueueOptions) -> Result<Queue> {
        gridfn_runtime::Queue::<Any>::with_options(self, options)
    }

    #[inline]
    pub(super) fn any(&self) -> &AnyDevice {
        &self.0
    }
}

#[cfg(feature = "opencl")]
impl From<opencl::Device> for Device {
    fn from(device: opencl::Device) -> Device {
        Device(AnyDevice::OpenCl(device))
    }
}

/// Two handles of one device are equal.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.info().id == other.info().id
    }
}
impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.info().id)
    }
}

/// The id, and the name for people.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { id, name, .. } = self.info();
        write!(f, "{id} ({name})")
    }
}
