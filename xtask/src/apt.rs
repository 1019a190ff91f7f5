//! Debian's packages.

use crate::cargo::succeed;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::Command;

/// What the tests need on every machine.
pub(crate) const PACKAGES: [&str; 6] = [
    "mesa-opencl-icd",
    "ocl-icd-libopencl1",
    "oclgrind",
    "pocl-opencl-icd",
    "spirv-tools",
    "valgrind",
];

/// Those of `packages` that are not installed. It asks no network.
///
/// # Errors
///
/// If this is no Debian.
pub(crate) fn missing(packages: &[&'static str]) -> Result<Vec<&'static str>, String> {
    // It fails if it does not know one of them, and yet prints the others.
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Package} ${db:Status-Status}\n"])
        .args(packages)
        .output()
        .map_err(|e| {
            let wanted = packages.join(" ");
            format!(
                "dpkg-query: {e}; this is no Debian, so install what its packages hold: {wanted}; then `cargo xtask test \
                 --no-setup` tests what is there"
            )
        })?;
    let installed = String::from_utf8_lossy(&output.stdout);
    let is_there = |package: &str| {
        installed
            .lines()
            .any(|line| line.split_once(' ') == Some((package, "installed")))
    };
    Ok(packages
        .iter()
        .copied()
        .filter(|package| !is_there(package))
        .collect())
}

/// Installs packages; does nothing for none.
///
/// # Errors
///
/// For a user other than root, with the commands to give; or if apt fails.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    if packages.is_empty() {
        return Ok(());
    }
    let wanted = packages.join(" ");
    if !is_root() {
        return Err(format!(
            "packages are missing, and only root may install them; run\n\
             \n    sudo apt-get update\n    sudo apt-get install --no-install-recommends {wanted}\n\n\
             and then this again"
        ));
    }
    println!("installing Debian's packages: {wanted}");
    if !has_lists() {
        apt_get(&["update"])?;
    }
    // Lists that are there may be old, and name files that the archive has replaced.
    install_once(packages).or_else(|_| {
        apt_get(&["update"])?;
        install_once(packages)
    })
}

fn install_once(packages: &[&str]) -> Result<(), String> {
    apt_get(&[&["install", "--no-install-recommends"], packages].concat())
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command
        .args([
            "--yes",
            "--quiet=2",
            "-o",
            "Dpkg::Use-Pty=0",
            "-o",
            "DPkg::Lock::Timeout=300",
        ])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    succeed(&mut command).map_err(|e| format!("{e}: apt-get {}", arguments.join(" ")))
}

/// Whether apt has lists of packages; an image of Debian for containers has none.
fn has_lists() -> bool {
    fs::read_dir("/var/lib/apt/lists").is_ok_and(|files| {
        files
            .flatten()
            .any(|file| file.file_name().to_string_lossy().contains("_Packages"))
    })
}

/// Whether this process is root's: the system gives a process's folder to its effective user.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}
