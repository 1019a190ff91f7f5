//! The CPU that the program runs on.

use gridfn_runtime::backend::DeviceKind;
use gridfn_runtime::cache::device_number;
use gridfn_runtime::{Capability, Info, Limits};
use std::sync::LazyLock;
use std::{env, fs, thread};

/// How `select` names the host.
pub(super) const ID: &str = "host";

/// The host. There is one.
#[derive(Clone, Copy, Debug)]
pub struct Device(&'static Properties);

#[derive(Debug)]
struct Properties {
    info: Info,
    number: u32,
    avx2: bool,
}

impl Device {
    /// The host.
    pub fn get() -> Device {
        static PROPERTIES: LazyLock<Properties> = LazyLock::new(Properties::find);
        Device(&PROPERTIES)
    }

    /// What there is to know of it.
    #[inline]
    pub fn info(self) -> &'static Info {
        &self.0.info
    }

    /// The threads that a launch may use, the caller's included.
    #[inline]
    pub(super) fn threads(self) -> usize {
        self.0.info.compute_units
    }

    /// Its number in the kernels' caches.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0.number
    }

    /// Whether kernels run in their AVX2 copy.
    #[inline]
    pub(super) fn avx2(self) -> bool {
        self.0.avx2
    }
}

impl Properties {
    fn find() -> Properties {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| value(&cpu, name).map(str::to_string);
        let avx2 = env::var_os("GRIDFN_HOST_ISA").is_none_or(|isa| isa != "baseline") && has_avx2();
        Properties {
            info: Info {
                id: ID.into(),
                name: field("model name").unwrap_or_else(|| env::consts::ARCH.into()),
                vendor: field("vendor_id").unwrap_or_else(|| env::consts::OS.into()),
                version: env!("CARGO_PKG_VERSION").into(),
                kind: DeviceKind::Host,
                code: "native",
                compute_units: threads(),
                memory: memory(),
                limits: Limits {
                    group_size: 1024,
                    local_size: [1024; 3],
                    num_groups: [isize::MAX as usize; 3],
                    local_memory: super::launch::LOCAL_MEMORY,
                },
                subgroup_sizes: vec![gridfn_runtime::host::subgroup_size()],
                priorities: false,
                capabilities: vec![
                    Capability::Float64,
                    Capability::AtomicInt64,
                    Capability::Subgroups,
                ],
            },
            number: device_number(),
            avx2,
        }
    }
}

/// `GRIDFN_THREADS` if it is a number of threads, else what the system gives the program.
fn threads() -> usize {
    env::var("GRIDFN_THREADS")
        .ok()
        .and_then(|n| n.parse().ok())
        .filter(|n| *n > 0)
        .or_else(|| {
            // What two threads can get wrong is what more can, and Miri is slow.
            if cfg!(miri) {
                return Some(2);
            }
            thread::available_parallelism().ok().map(usize::from)
        })
        .unwrap_or(1)
}

/// The machine's memory, or what an address can reach where the system doesn't say.
fn memory() -> u64 {
    fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| value(&text, "MemTotal")?.strip_suffix("kB")?.trim().parse().ok())
        .map_or(isize::MAX as u64, |kilobytes: u64| kilobytes.saturating_mul(1024))
}

/// The value of the first line `name: value` in a file of `/proc`.
fn value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim())
}

/// Whether the CPU has what the AVX2 copies of kernels are compiled for.
#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    use std::is_x86_feature_detected as has;
    // Miri has none of the instructions.
    !cfg!(miri)
        && has!("avx2")
        && has!("fma")
        && has!("bmi1")
        && has!("bmi2")
        && has!("lzcnt")
        && has!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn proc_files_are_read_by_name() {
        let text = "processor\t: 0\nmodel name\t: A: B\nMemTotal:       16 kB\n";
        assert_eq!(value(text, "model name"), Some("A: B"));
        assert_eq!(value(text, "MemTotal"), Some("16 kB"));
        assert_eq!(value(text, "model"), None);
    }
}
