//! What comes from PyPI: Intel's OpenCL runtime and `ptxas`, in a virtual environment in the user's cache folder.
//!
//! It is kept there, so that a second clone downloads nothing. A stamp, written last, marks a complete installation;
//! one without it was interrupted, and is made anew.

use crate::cargo::{succeed, succeeds};
use std::env;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const REQUIREMENTS: &str = include_str!("../requirements.txt");

/// Intel's driver, in an installation.
pub(crate) const INTEL: &str = "lib/libintelocl.so";

/// A folder that gives the ICD loader two drivers: PoCL's and Intel's.
pub(crate) const PAIR: &str = "pair";

/// Debian's packages without which Python makes no virtual environments: its `python3` comes without `ensurepip`.
pub(crate) const PACKAGES: [&str; 2] = ["python3", "python3-venv"];

/// Where the runtimes are, if the installation is complete.
pub(crate) fn installed() -> Option<PathBuf> {
    folder().ok().filter(|folder| is_complete(folder))
}

/// Whether Python can make virtual environments.
pub(crate) fn can_install() -> bool {
    succeeds(Command::new("python3").args(["-c", "import ensurepip, venv"]))
}

/// Installs all, if it is not there.
///
/// # Errors
///
/// If the cache folder cannot be written, or Python or pip fails.
pub(crate) fn install() -> Result<(), String> {
    let folder = folder()?;
    if is_complete(&folder) {
        return Ok(());
    }
    let parent = folder.parent().unwrap_or(&folder);
    fs::create_dir_all(parent).map_err(|e| say(parent, &e))?;
    // Two clones may do this at once; the second waits, and then finds it done. The lock ends with the file.
    let lock = parent.join("lock");
    let file = File::create(&lock).map_err(|e| say(&lock, &e))?;
    file.lock().map_err(|e| say(&lock, &e))?;
    if is_complete(&folder) {
        return Ok(());
    }
    println!("installing Python's packages in {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|e| say(&folder, &e))?;
    }
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    succeed(
        Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--no-input", "--no-cache-dir"])
            .args(["--disable-pip-version-check", "--only-binary=:all:"])
            .args(pins()),
    )?;
    write_pair(&folder)?;
    let stamp = stamp(&folder);
    fs::write(&stamp, REQUIREMENTS).map_err(|e| say(&stamp, &e))
}

/// Makes [`PAIR`]. The wheel's own `.icd` file points nowhere.
fn write_pair(folder: &Path) -> Result<(), String> {
    let pair = folder.join(PAIR);
    let intel = folder.join(INTEL).display().to_string();
    fs::create_dir(&pair)
        .and_then(|()| symlink("/etc/OpenCL/vendors/pocl.icd", pair.join("pocl.icd")))
        .and_then(|()| fs::write(pair.join("intel.icd"), intel + "\n"))
        .map_err(|e| say(&pair, &e))
}

/// `ptxas` in an installation. Its path holds the version of Python.
pub(crate) fn ptxas(folder: &Path) -> Option<PathBuf> {
    let pythons = fs::read_dir(folder.join("lib")).ok()?.flatten();
    pythons
        .map(|python| python.path().join("site-packages/nvidia/cuda_nvcc/bin/ptxas"))
        .find(|ptxas| ptxas.is_file())
}

/// The packages with their versions.
fn pins() -> impl Iterator<Item = &'static str> {
    REQUIREMENTS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// `~/.cache/gridfn/tools-…`, whose name tells the two versions that matter: a clone of another version of gridfn has
/// another folder.
fn folder() -> Result<PathBuf, String> {
    let set = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = set("XDG_CACHE_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    let version = |package: &str| {
        pins()
            .filter_map(|pin| pin.split_once("=="))
            .find_map(|(name, version)| (name == package).then_some(version))
            .unwrap_or_default()
    };
    let name = format!(
        "tools-intel-{}-ptxas-{}",
        version("intel-opencl-rt"),
        version("nvidia-cuda-nvcc-cu12")
    );
    Ok(cache.join("gridfn").join(name))
}

fn stamp(folder: &Path) -> PathBuf {
    folder.join("complete")
}

/// A stamp holds what was installed, so that a change of what else is pinned is seen too.
fn is_complete(folder: &Path) -> bool {
    fs::read_to_string(stamp(folder)).is_ok_and(|installed| installed == REQUIREMENTS)
}

fn say(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_is_pinned() {
        assert!(pins().count() >= 3);
        for pin in pins() {
            assert!(
                pin.split_once("==")
                    .is_some_and(|(_, version)| !version.is_empty()),
                "{pin}"
            );
        }
    }
}
