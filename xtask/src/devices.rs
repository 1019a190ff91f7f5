//! The devices that tests run on, each chosen by its environment alone.

use crate::wheels;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Something that a part may ask of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    /// It runs kernels, so that results can be compared.
    Results,
    /// What a launch costs on it means something.
    Timing,
    /// It launches quickly enough for a thousand launches of every kind.
    Launches,
    /// Valgrind runs it, without a driver.
    Memcheck,
    /// Valgrind runs it, driver and compiler included.
    MemcheckOfDriver,
    /// It compiles OpenCL C.
    OpenClC,
    /// It takes SPIR-V.
    Spirv,
    /// It runs the host version of kernels, in which rustc's optimisation and overflow checks could make a difference.
    HostVersion,
    /// It is two devices of two drivers in one process, for what must not be mixed.
    Two,
}

/// A device.
pub(crate) struct Device {
    /// What developers and `GRIDFN_REQUIRE` call it.
    pub(crate) name: &'static str,
    /// What parts may ask of it.
    pub(crate) offers: &'static [Offer],
    /// How gridfn selects it, when its driver is the only one.
    id: &'static str,
    driver: Driver,
    /// More that its driver wants in the environment.
    settings: &'static [(&'static str, &'static str)],
}

/// Where a device's driver is.
enum Driver {
    /// It needs none.
    None,
    /// A file of `/etc/OpenCL/vendors`.
    Vendor(&'static str),
    /// A path in the installation of the Python packages.
    Wheel(&'static str),
    /// A library of a package of Debian.
    Package(&'static str, &'static str),
}

/// What the ICD loader is told so that it finds no driver.
pub(crate) const NO_DRIVER: &str = "/dev/null";

/// An environment that makes a device the only one.
pub(crate) type Environment = Vec<(&'static str, OsString)>;

/// All devices.
///
/// PoCL's driver is the threaded one; `basic`, which runs kernels on the calling thread, stands in the pair.
pub(crate) static DEVICES: [Device; 7] = [
    Device {
        name: "host",
        offers: &[
            Offer::Results,
            Offer::HostVersion,
            Offer::Launches,
            Offer::Memcheck,
        ],
        id: "host",
        driver: Driver::None,
        settings: &[],
    },
    Device {
        name: "null",
        offers: &[Offer::Timing, Offer::Launches, Offer::Memcheck],
        id: "null",
        driver: Driver::None,
        settings: &[],
    },
    Device {
        name: "pocl",
        offers: &[
            Offer::Results,
            Offer::Timing,
            Offer::Launches,
            Offer::OpenClC,
            Offer::MemcheckOfDriver,
        ],
        id: "opencl:0",
        driver: Driver::Vendor("pocl.icd"),
        settings: &[("POCL_DEVICES", "pthread")],
    },
    Device {
        name: "intel",
        offers: &[
            Offer::Results,
            Offer::Timing,
            Offer::Launches,
            Offer::OpenClC,
            Offer::Spirv,
        ],
        id: "opencl:0",
        driver: Driver::Wheel(wheels::INTEL),
        settings: &[],
    },
    Device {
        name: "rusticl",
        offers: &[Offer::Results, Offer::Timing, Offer::OpenClC],
        id: "opencl:0",
        driver: Driver::Vendor("rusticl.icd"),
        settings: &[("RUSTICL_ENABLE", "llvmpipe")],
    },
    Device {
        name: "oclgrind",
        offers: &[Offer::Results, Offer::OpenClC],
        id: "opencl:0",
        driver: Driver::Package("oclgrind", "liboclgrind-rt-icd.so"),
        settings: &[],
    },
    Device {
        name: "pocl+intel",
        offers: &[Offer::Two],
        id: "opencl:0",
        driver: Driver::Wheel(wheels::PAIR),
        settings: &[("POCL_DEVICES", "basic")],
    },
];

/// The device of that name.
///
/// # Errors
///
/// If there is none.
pub(crate) fn named(name: &str) -> Result<&'static Device, String> {
    DEVICES.iter().find(|device| device.name == name).ok_or_else(|| {
        let names: Vec<&str> = DEVICES.iter().map(|device| device.name).collect();
        format!("no device is called `{name}`; there are {}", names.join(", "))
    })
}

impl Device {
    /// Whether it offers all of these.
    pub(crate) fn offers(&self, wanted: &[Offer]) -> bool {
        wanted.iter().all(|offer| self.offers.contains(offer))
    }

    /// Its driver's file, if it needs one.
    ///
    /// # Errors
    ///
    /// If the driver is not there.
    pub(crate) fn driver(&self) -> Result<Option<PathBuf>, String> {
        let file = match self.driver {
            Driver::None => return Ok(None),
            Driver::Vendor(name) => Path::new("/etc/OpenCL/vendors").join(name),
            Driver::Wheel(path) => wheels::installed()
                .ok_or("its Python packages are not installed")?
                .join(path),
            Driver::Package(package, library) => of_package(package, library)?,
        };
        if file.exists() {
            Ok(Some(file))
        } else {
            Err(format!("there is no {}", file.display()))
        }
    }

    /// What makes it the only device of a process: the ICD loader takes the one driver that it is told.
    ///
    /// # Errors
    ///
    /// If the driver is not there.
    pub(crate) fn environment(&self) -> Result<Environment, String> {
        let driver = self.driver()?.map_or(NO_DRIVER.into(), OsString::from);
        let mut environment: Environment =
            vec![("GRIDFN_DEVICE", self.id.into()), ("OCL_ICD_VENDORS", driver)];
        environment.extend(self.settings.iter().map(|(name, value)| (*name, (*value).into())));
        Ok(environment)
    }
}

/// The file of a package of Debian that has this name; its folder differs between Debian's versions.
fn of_package(package: &str, file: &str) -> Result<PathBuf, String> {
    let output = Command::new("dpkg-query").args(["--listfiles", package]).output();
    let files = output.map_err(|e| format!("dpkg-query: {e}"))?.stdout;
    String::from_utf8_lossy(&files)
        .lines()
        .map(PathBuf::from)
        .find(|path| path.file_name().is_some_and(|name| name == file))
        .ok_or_else(|| format!("Debian's package {package} is not installed, or has no {file}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_names_of_their_own() {
        for device in &DEVICES {
            assert!(std::ptr::eq(named(device.name).unwrap(), device));
        }
        assert!(named("no such").is_err_and(|e| e.contains("oclgrind")));
    }
}
