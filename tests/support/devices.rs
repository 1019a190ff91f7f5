//! The devices that a test program runs on, and what their results are good for.

use gridfn::prelude::*;

/// The device that `GRIDFN_DEVICE` names; else the host, the null device, and what OpenCL has.
pub(crate) fn devices() -> Vec<Device> {
    if std::env::var_os("GRIDFN_DEVICE").is_some() {
        return vec![Device::best().unwrap_or_else(|e| panic!("{e}"))];
    }
    let mut devices = Device::all();
    devices.push(Device::null());
    devices
}

/// Whether kernels run there: the null device does all but that.
pub(crate) fn runs(device: &Device) -> bool {
    *device != Device::null()
}
