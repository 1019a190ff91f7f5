//! Which device is meant.
//!
//! Drivers are loaded when one of their devices may be, once in the process.

use super::Device;
use gridfn_runtime::backend::DeviceKind;
use gridfn_runtime::{Error, Info, Result};
use std::env;

/// The devices that drivers offer.
#[cfg(feature = "opencl")]
pub(super) fn driven() -> Vec<Device> {
    let devices = crate::opencl::devices().unwrap_or_default();
    devices.iter().cloned().map(Device::from).collect()
}

#[cfg(not(feature = "opencl"))]
pub(super) fn driven() -> Vec<Device> {
    Vec::new()
}

/// Why there are no such devices.
#[cfg(feature = "opencl")]
fn missing() -> Option<&'static str> {
    match crate::opencl::devices() {
        Ok([]) => Some("OpenCL has no devices"),
        Ok(_) => None,
        Err(reason) => Some(reason),
    }
}

#[cfg(not(feature = "opencl"))]
fn missing() -> Option<&'static str> {
    Some("OpenCL is not built in (feature `opencl`)")
}

/// See [`Device::best`].
pub(super) fn best() -> Result<Device> {
    match env::var("GRIDFN_DEVICE") {
        Ok(wanted) if !wanted.is_empty() => return select(&wanted),
        Err(env::VarError::NotUnicode(wanted)) => return Err(none(&wanted.to_string_lossy())),
        Ok(_) | Err(env::VarError::NotPresent) => {}
    }
    let gpu = driven()
        .into_iter()
        .find(|device| device.info().kind == DeviceKind::Gpu);
    Ok(gpu.unwrap_or_else(Device::host))
}

/// See [`Device::select`].
pub(super) fn select(wanted: &str) -> Result<Device> {
    for ours in [Device::host(), Device::null()] {
        if ours.info().id.eq_ignore_ascii_case(wanted) {
            return Ok(ours);
        }
    }
    let mut devices = driven();
    match find(devices.iter().map(Device::info), wanted) {
        Some(n) => Ok(devices.swap_remove(n)),
        None => Err(none(wanted)),
    }
}

/// The position of the device that is called `wanted`, or else of the first that has it in one of its names.
fn find<'i>(infos: impl Iterator<Item = &'i Info> + Clone, wanted: &str) -> Option<usize> {
    let wanted = wanted.to_lowercase();
    let has = |text: &str| !wanted.is_empty() && text.to_lowercase().contains(&wanted);
    infos
        .clone()
        .position(|info| info.id == wanted)
        .or_else(|| {
            infos
                .clone()
                .position(|i| i.id.split(':').next() == Some(&wanted))
        })
        .or_else(|| {
            infos
                .clone()
                .position(|i| has(&i.name) || has(&i.vendor) || has(&i.version))
        })
}

#[cold]
fn none(wanted: &str) -> Error {
    let devices: Vec<String> = Device::all().iter().map(Device::to_string).collect();
    let mut reason = format!("there is {}", devices.join(", "));
    if let Some(missing) = missing() {
        reason = format!("{reason}; {missing}");
    }
    Error::NoDevice {
        wanted: wanted.into(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infos() -> Vec<Info> {
        let names = [
            ("opencl:0", "Graphics", "Intel(R) Corporation", "1.0"),
            ("opencl:1", "pthread-EPYC", "AuthenticAMD", "OpenCL 3.0 PoCL 3.1"),
            ("opencl:10", "llvmpipe", "Mesa", "22"),
        ];
        names
            .map(|(id, name, vendor, version)| Info {
                id: id.into(),
                name: name.into(),
                vendor: vendor.into(),
                version: version.into(),
                ..Device::null().info().clone()
            })
            .into()
    }

    #[test]
    fn ids_are_exact_and_names_are_parts() {
        let infos = infos();
        let find = |wanted: &str| find(infos.iter(), wanted);
        assert_eq!(find("opencl:1"), Some(1));
        assert_eq!(find("opencl:10"), Some(2));
        assert_eq!(find("OpenCL"), Some(0));
        assert_eq!(find("intel"), Some(0));
        assert_eq!(find("pocl"), Some(1));
        assert_eq!(find("LLVMpipe"), Some(2));
        assert_eq!(find("opencl:2"), None);
        assert_eq!(find("nvidia"), None);
        assert_eq!(find(""), None);
    }
}
