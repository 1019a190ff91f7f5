//! What `cargo xtask test` runs, in order. To add a part, add a line.

use crate::devices::{DEVICES, Device, Offer};
use std::time::Duration;

/// Something that is run, timed and counted.
pub(crate) struct Part {
    /// What the report calls it.
    pub(crate) name: &'static str,
    /// Arguments of cargo, parted by spaces.
    pub(crate) command: &'static str,
    on: On,
    budget: u64,
    /// A tool without which it is left out.
    tool: Option<&'static str>,
}

/// Where a part is run.
enum On {
    /// Once; it finds or needs no devices.
    Once,
    /// Once, and also if only a device's parts are run: it builds what they need, so that their time limits are for
    /// running alone.
    Ahead,
    /// On each device that offers all of these.
    Each(&'static [Offer]),
}

const fn once(name: &'static str, budget: u64, command: &'static str) -> Part {
    Part {
        name,
        command,
        on: On::Once,
        budget,
        tool: None,
    }
}

const fn ahead(name: &'static str, budget: u64, command: &'static str) -> Part {
    Part {
        name,
        command,
        on: On::Ahead,
        budget,
        tool: None,
    }
}

const fn each(name: &'static str, offers: &'static [Offer], budget: u64, command: &'static str) -> Part {
    Part {
        name,
        command,
        on: On::Each(offers),
        budget,
        tool: None,
    }
}

/// The parts; budgets are in seconds, on two cores, from a clean clone, for each device.
///
/// Whatever cargo may build for the whole workspace it does build so (`--workspace`), also for one test program: a
/// choice of packages is a choice of features, with which their dependencies would be built once more.
#[rustfmt::skip]
pub(crate) static PARTS: &[Part] = &[
    once("format", 5, "fmt --all --check"),
    once("lints", 100, "clippy --workspace --all-targets -- -D warnings"),
    once("lints, no OpenCL", 20, "clippy --package gridfn --no-default-features -- -D warnings"),
    once("documentation", 40, r#"doc --workspace --no-deps --config build.rustdocflags=["-Dwarnings"]"#),
    ahead("build", 180, "test --workspace --no-run"),
    once("tests", 180, "test --workspace --no-fail-fast"),
    // Not in release: an overflow is a panic.
    once("fuzzing", 130, "run --package gridfn-fuzz -- --seconds 120"),
    // In a folder of its own: its flags would have everything built anew.
    once("interleavings", 70, r#"test --release --package gridfn-runtime --test loom --target-dir target/loom --config build.rustflags=["--cfg=loom"]"#),
    each("OpenCL C", &[Offer::OpenClC], 45, "test --workspace --test opencl_c_run -- --ignored --test-threads=1"),
    each("SPIR-V", &[Offer::Spirv], 45, "test --workspace --test spirv_run -- --ignored --test-threads=1"),
    each("back end", &[Offer::OpenClC], 6, "test --workspace --test opencl"),
    each("back end", &[Offer::Two], 6, "test --workspace --test opencl"),
    // By itself, as it is run below.
    ahead("conformance build", 150, "build --package gridfn-conformance"),
    each("conformance", &[Offer::HostVersion], 20, "run --package gridfn-conformance -- --test-threads=1"),
    each("conformance", &[Offer::OpenClC], 100, "run --package gridfn-conformance -- --test-threads=1"),
    ahead("release build", 280, "build --release --workspace --examples --bins"),
    ahead("release tests build", 30, "test --release --workspace --test allocations --test lifetimes --test stress --no-run"),
    each("conformance, release", &[Offer::HostVersion], 10, "run --release --package gridfn-conformance -- --test-threads=1"),
    each("differential", &[Offer::Two], 90, "run --package gridfn-differential -- --count 100 --seed 1"),
    each("allocations", &[Offer::Launches], 18, "test --release --workspace --test allocations"),
    each("lifetimes", &[Offer::Launches], 5, "test --release --workspace --test lifetimes"),
    each("stress", &[Offer::Launches], 4, "test --release --workspace --test stress"),
    each("memcheck", &[Offer::Memcheck], 3, "test --release --workspace --test lifetimes -- --memcheck").with("valgrind"),
    each("memcheck of a driver", &[Offer::MemcheckOfDriver], 120, "test --release --workspace --test lifetimes -- --memcheck").with("valgrind"),
    // Forgotten guards and futures are leaks, and are meant to be. Where variants differ, LLVM looks at the bytes of one
    // before it looks at the tag, which memcheck takes for a mistake.
    each("conformance, memcheck", &[Offer::HostVersion], 40, r#"run --release --package gridfn-conformance --config target."cfg(unix)".runner=["valgrind","--quiet","--error-exitcode=99"] -- --test-threads=1 --skip layout::tagged"#).with("valgrind"),
    each("saxpy", &[Offer::Results], 4, "run --release --example saxpy"),
    each("matmul", &[Offer::Results], 4, "run --release --example matmul"),
    each("edges", &[Offer::Results], 4, "run --release --example edges"),
    each("closures", &[Offer::Results], 4, "run --release --example closures"),
    // The other examples, built before; each is a program of its own.
    each("examples", &[Offer::Results], 17, "run --release --package gridfn-programs --bin gridfn-examples"),
    each("programs", &[Offer::Results], 16, "run --release --package gridfn-programs"),
];

/// What CI runs besides, where it is installed: it fetches nothing, so it leaves out the advisories.
pub(crate) static DENY: Part = once("licences", 30, "deny --offline check licenses bans sources");

impl Part {
    /// The same part, which is left out where there is no such tool.
    const fn with(mut self, tool: &'static str) -> Part {
        self.tool = Some(tool);
        self
    }

    /// The tool without which it is left out.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        self.tool
    }

    /// How long it may take on one device before the report says that it took too long.
    pub(crate) fn budget(&self) -> Duration {
        Duration::from_secs(self.budget)
    }

    /// How long it may take before it is killed: it hangs then, and is not just slow. A short part may have to build
    /// something first, or meet a machine that is busy.
    pub(crate) fn limit(&self) -> Duration {
        (self.budget() * 3).max(Duration::from_secs(120))
    }

    /// Whether it is run once, without a device; `chosen` says that only some devices' parts are wanted.
    pub(crate) fn is_once(&self, chosen: bool) -> bool {
        match self.on {
            On::Once => !chosen,
            On::Ahead => true,
            On::Each(_) => false,
        }
    }

    /// The devices that it is run on.
    pub(crate) fn devices(&self) -> impl Iterator<Item = &'static Device> {
        DEVICES.iter().filter(|device| match self.on {
            On::Once | On::Ahead => false,
            On::Each(offers) => device.offers(offers),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup;

    #[test]
    fn budgets_fit_in_what_ci_has() {
        let parts = PARTS.iter().chain([&DENY]);
        let sum: Duration = parts
            .map(|part| {
                part.budget()
                    * if part.is_once(false) {
                        1
                    } else {
                        part.devices().count() as u32
                    }
            })
            .sum();
        assert!(sum + setup::BUDGET <= Duration::from_secs(45 * 60), "{sum:?}");
    }

    #[test]
    fn every_part_is_run_somewhere() {
        for part in PARTS {
            assert!(
                part.is_once(false) || part.devices().next().is_some(),
                "{}",
                part.name
            );
        }
    }
}
