//! Building many kernels as one program, and running it.

use crate::ast::{Kernel, Side};
use crate::render;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How a batch is built, and where it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// In the dev profile, where plain Rust checks for overflow; on the host alone.
    Dev,
    /// In the release profile, on every device.
    Release,
    /// Likewise, but without what takes longest: LLVM's optimiser, and devices that take OpenCL C.
    Quick,
    /// Likewise, with bugs planted in lowering.
    Planted,
}

/// What is wrong with a kernel.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where.
    pub device: String,
    /// What.
    pub what: String,
}

/// What is wrong with kernels, by their numbers.
pub type Failures = BTreeMap<usize, Failure>;

/// For how long a kernel may run on all devices.
const LIMIT: Duration = Duration::from_secs(60);

/// What stands at the head of every file.
const HEAD: &str = "#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]\nuse core::sync::atomic::*;\n";

/// Kernels that are built together. Each has a file of its own, so that it is known which one the compiler refuses.
pub struct Batch<'a> {
    kernels: &'a [Kernel],
    folder: PathBuf,
}

impl<'a> Batch<'a> {
    /// Writes the kernels to a folder of this name below the target folder.
    ///
    /// # Errors
    ///
    /// If the files cannot be written.
    pub fn write(name: &str, kernels: &'a [Kernel]) -> io::Result<Batch<'a>> {
        let folder = target().join("differential").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        for side in ["kernels", "oracle"] {
            fs::create_dir_all(folder.join(side))?;
        }
        for (n, kernel) in kernels.iter().enumerate() {
            let mut text = format!(
                "{HEAD}use gridfn::prelude::*;\nuse gridfn::{{bf16, f16, vector::*}};\nuse gridfn_differential::harness::{{Element, Run, check_models, upload_models}};\nuse gridfn_differential_oracle as oracle;\n\n"
            );
            text += &render::kernel(kernel, Side::Kernel);
            text += &render::check(kernel, &format!("k{n}"));
            fs::write(folder.join(format!("kernels/k{n}.rs")), text)?;
            let text = format!("{HEAD}use crate::*;\n\n");
            let text = text + &render::kernel(kernel, Side::Oracle);
            fs::write(folder.join(format!("oracle/k{n}.rs")), text)?;
        }
        Ok(Batch { kernels, folder })
    }

    /// Builds and runs them; gives what is wrong with each, by its number.
    ///
    /// # Errors
    ///
    /// If cargo cannot be started, or fails for a reason that is no kernel's.
    pub fn run(&self, mode: Mode) -> io::Result<Failures> {
        self.build(mode)?.run_all()
    }

    /// Builds the program, without the kernels that the compiler refuses.
    ///
    /// # Errors
    ///
    /// Those of [`Batch::run`].
    pub fn build(&self, mode: Mode) -> io::Result<Program> {
        let mut failures = Failures::new();
        loop {
            self.write_lists(mode, &failures)?;
            let output = self.cargo(mode).output()?;
            if output.status.success() {
                let profile = if mode == Mode::Dev { "debug" } else { "release" };
                let built = target_of(mode).join(profile).join("gridfn-differential-batch");
                // The next batch may be built while this one runs.
                let path = self.lists(mode).join("program");
                fs::copy(built, &path)?;
                return Ok(Program {
                    path,
                    mode,
                    kernels: (0..self.kernels.len())
                        .filter(|n| !failures.contains_key(n))
                        .collect(),
                    refused: failures,
                });
            }
            let log = String::from_utf8_lossy(&output.stderr);
            let before = failures.len();
            for (n, what) in refused(&log) {
                let device = "rustc".into();
                failures.entry(n).or_insert(Failure { device, what });
            }
            if failures.len() == before {
                return Err(io::Error::other(format!("cargo failed:\n{log}")));
            }
        }
    }

    /// The lists of modules, which are what the two packages include. Each mode has its own, because two may be built at
    /// once.
    fn write_lists(&self, mode: Mode, without: &Failures) -> io::Result<()> {
        let (mut kernels, mut oracle, mut entries) = (String::new(), String::new(), String::new());
        for n in (0..self.kernels.len()).filter(|n| !without.contains_key(n)) {
            let path = |side: &str| self.folder.join(side).join(format!("k{n}.rs"));
            kernels += &format!("#[path = {:?}]\nmod k{n};\n", path("kernels"));
            oracle += &format!("#[path = {:?}]\npub mod k{n};\n", path("oracle"));
            entries += &format!("    (\"k{n}\", k{n}::check),\n");
        }
        kernels += &format!("const KERNELS: &[gridfn_differential::harness::Entry] = &[\n{entries}];\n");
        let lists = self.lists(mode);
        fs::create_dir_all(&lists)?;
        fs::write(lists.join("kernels.rs"), kernels)?;
        fs::write(lists.join("oracle.rs"), oracle)
    }

    fn lists(&self, mode: Mode) -> PathBuf {
        self.folder.join(format!("{mode:?}"))
    }

    fn cargo(&self, mode: Mode) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["build", "--quiet", "--package", "gridfn-differential-batch"]);
        command.args(["--message-format", "short"]);
        match mode {
            Mode::Dev => {}
            Mode::Release => {
                command.arg("--release");
            }
            Mode::Quick => {
                let unoptimised = "profile.release.package.gridfn-differential-batch.opt-level=0";
                command.args(["--release", "--config", unoptimised]);
            }
            Mode::Planted => {
                command.args([
                    "--release",
                    "--no-default-features",
                    "--features",
                    "opencl,planted-bugs",
                ]);
                command.arg("--target-dir").arg(target_of(mode));
            }
        }
        command
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("GRIDFN_BATCH", self.lists(mode))
            // Nothing of a batch is built twice.
            .env("CARGO_INCREMENTAL", "0");
        command
    }
}

/// The folder for what is built.
fn target() -> PathBuf {
    let of_the_workspace = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(of_the_workspace, PathBuf::from)
}

/// The folder for what is built in a mode: other features are no reason to build the tests anew.
fn target_of(mode: Mode) -> PathBuf {
    match mode {
        Mode::Dev | Mode::Release | Mode::Quick => target(),
        Mode::Planted => target().join("planted"),
    }
}

/// The kernels that a log of the compiler has errors in: `…/kernels/k3.rs:7:1: error: …`.
fn refused(log: &str) -> Vec<(usize, String)> {
    let of_line = |line: &str| {
        let (place, what) = line.split_once(": error")?;
        let (_, file) = place.rsplit_once("/k")?;
        let (n, place) = file.split_once(".rs:")?;
        Some((n.parse().ok()?, format!("{place}: error{what}")))
    };
    log.lines().filter_map(of_line).collect()
}

/// The program of a batch.
pub struct Program {
    /// The numbers of the kernels in it.
    pub kernels: Vec<usize>,
    /// The kernels that the compiler refused.
    pub refused: Failures,
    path: PathBuf,
    mode: Mode,
}

impl Program {
    /// Runs all kernels; those that were refused fail.
    ///
    /// # Errors
    ///
    /// If the program cannot be started.
    pub fn run_all(self) -> io::Result<Failures> {
        let mut failures = self.run(&self.kernels, &[])?;
        failures.extend(self.refused);
        Ok(failures)
    }

    /// Runs these kernels. If one ends the program or hangs, the others are run without it.
    ///
    /// # Errors
    ///
    /// If the program cannot be started.
    pub fn run(&self, kernels: &[usize], environment: &[(&str, &str)]) -> io::Result<Failures> {
        let mut failures = Failures::new();
        let mut left = kernels.to_vec();
        while !left.is_empty() {
            let mut command = Command::new(&self.path);
            command.arg(match self.mode {
                Mode::Dev => "host",
                Mode::Quick => "quick",
                Mode::Release | Mode::Planted => "all",
            });
            command.args(left.iter().map(|n| format!("k{n}")));
            command.envs(environment.iter().copied());
            let mut current = None;
            let end = lines(&mut command, |line| {
                let number = |name: &str| name.strip_prefix('k')?.parse::<usize>().ok();
                if let Some(n) = line.strip_prefix("run ").and_then(number) {
                    current = Some(n);
                } else if let Some(rest) = line.strip_prefix("bad ") {
                    let mut parts = rest.splitn(3, '\t');
                    if let Some(n) = parts.next().and_then(number) {
                        let [device, what] = [0; 2].map(|_| parts.next().unwrap_or("?").to_string());
                        failures.entry(n).or_insert(Failure { device, what });
                    }
                } else if line == "end" {
                    current = None;
                    left.clear();
                }
            })?;
            let Some(n) = current else {
                if left.is_empty() {
                    break;
                }
                return Err(io::Error::other(format!("{}: {end}", self.path.display())));
            };
            let device = "some device".into();
            failures.entry(n).or_insert(Failure { device, what: end });
            left.retain(|other| *other > n);
        }
        Ok(failures)
    }
}

/// Runs a command, which must print a line now and then; gives how it ended.
fn lines(command: &mut Command, mut line: impl FnMut(&str)) -> io::Result<String> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    loop {
        match receiver.recv_timeout(LIMIT) {
            Ok(text) => line(&text),
            Err(mpsc::RecvTimeoutError::Disconnected) => return end(&mut child),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                child.kill()?;
                child.wait()?;
                return Ok(format!("it hangs: it ran for more than {LIMIT:?}"));
            }
        }
    }
}

/// Waits for a program that has closed its output.
fn end(child: &mut Child) -> io::Result<String> {
    let deadline = Instant::now() + LIMIT;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(format!("the program ended: {status}"));
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill()?;
    child.wait()?;
    Ok("the program does not end".into())
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn the_kernel_is_found_that_the_compiler_refuses() {
        let log = "/t/kernels/k12.rs:7:1: error[E0308]: mismatched types\nerror: aborting\n/t/k3.rs:1:1: warning: x\n";
        assert_eq!(
            refused(log),
            [(12, "7:1: error[E0308]: mismatched types".to_string())]
        );
    }
}
